"""Messages, mailboxes and threads as text: who wrote what, when, about what."""

from __future__ import annotations

import email
import email.header
import mailbox
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import DATA
from record_costs import growth
from spanwise.formats.email_text import looks_like_email, read_email
from spanwise.formats.glances import Glance
from spanwise.formats.reading import format_of
from spanwise.structure import LOOK_AHEAD
from structure_laws import check_structure
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from pathlib import Path

_RECORDS = DATA / "records"
_MAILS = sorted(_RECORDS.glob("email-*"))
_TRAPS = sorted((_RECORDS / "traps").iterdir())
_CORPORA = sorted((DATA / "corpora").iterdir())
_OTHERS = sorted({*_RECORDS.glob("chat-*"), *_RECORDS.glob("log-*"), *_RECORDS.glob("subtitles.*")})

_FOLDED = "a subject that is folded over two lines"

_LINES = st.sampled_from(
    [
        "They came.",
        "",
        "Note: all but the beans.",
        "- one",
        "    code",
        "x" * 90,
        "Am I late?",
        "From here on: no.",
        "> said",
    ]
)
_PIECES = (
    *("> ", ">", "\n", " x", "\r", "\ufeff", "-- \n", "On 1 ", "wrote:\n", "y wrote:\n", "From: a\n", "To: b\n"),
    *("Date: c\n", "Subject: =?utf-8?B?/w=?=\n", "-----Original Message-----\n", "From a@b 10:02 2024\n"),
)
_BODIES = st.lists(_LINES, min_size=1, max_size=5).map(lambda lines: "".join(f"{line}\n" for line in lines))
_NAMES = ("Kes Aldous", "Olm Varga", "Wren Li")


@st.composite
def mailboxes(draw: st.DrawFn) -> tuple[str, list[int], list[str]]:
    """Make a mailbox: its text, where its messages begin, and what they are called."""
    text, starts, titles = "", [], []
    for number in range(draw(st.integers(1, 6))):
        name = draw(st.sampled_from(_NAMES))
        starts.append(len(text))
        titles.append(f"Seeds {number} — {name} <a{number}@example.org>, Wed, 1 May 2024 10:02:03 +0000")
        fields = [
            f"From: {name} <a{number}@example.org>\n",
            "To: olm@example.org,\n\tkes@example.org\n",
            f"Subject: Seeds\n {number}\n",
            "Date: Wed, 1 May 2024 10:02:03 +0000\n",
            "X-Note: none\n",
        ]
        separator = f"From a{number}@example.org Wed May  1 10:02:03 2024\n"
        text += (
            separator + "".join(draw(st.permutations(fields))) + "\n" + draw(_BODIES).replace("From ", ">From ") + "\n"
        )
    return text, starts, titles


@st.composite
def threads(draw: st.DrawFn) -> tuple[str, list[int], list[str]]:
    """Make a thread: a message, what it answers, what that answers, each quoted one deeper; replies stand above."""
    depth = draw(st.integers(1, 5))
    text = "From: Kes <k@example.org>\nTo: olm@example.org\nSubject: Seeds\n\nThanks.\n\n"
    starts, titles = [0], ["Seeds — Kes <k@example.org>"]
    for level in range(depth):
        name, hour = draw(st.sampled_from(_NAMES)), draw(st.integers(10, 23))
        introduction, title = draw(
            st.sampled_from(
                [
                    (f"On Wed, May 1, 2024 at {hour}:02 {name} <a@b.c> wrote:", f"Wed, May 1, 2024 at {hour}:02"),
                    (f"Am 01.05.2024 um {hour}:02 schrieb {name} <a@b.c>:", f"01.05.2024 um {hour}:02"),
                    (f"Le mer. 1 mai 2024 à {hour}:02, {name} <a@b.c> a écrit :", f"mer. 1 mai 2024 à {hour}:02"),
                ]
            )
        )
        starts.append(len(text))
        titles.append(f"{name} <a@b.c>, {title}")
        marks = "> " * level
        said = draw(st.sampled_from(["Yes.", "Why?", "Note: no."]))
        text += f"{marks}{introduction}\n{marks}\n{marks}> {said}\n{marks}>\n"
    return text, starts, titles


@LAW
@given(made=st.one_of(mailboxes(), threads()))
def test_a_message_begins_where_it_is_announced_and_goes_up_to_the_next(made: tuple[str, list[int], list[str]]) -> None:
    """A quoted earlier message is a section like any other, and bears the name that is known of it."""
    text, starts, titles = made
    structure = read_email(text)
    check_structure(text, structure)
    assert [heading.start for heading in structure.headings] == starts
    assert [heading.title for heading in structure.headings] == titles
    assert [heading.until for heading in structure.headings] == [*starts[1:], len(text)]
    assert {(heading.end - heading.start, heading.level) for heading in structure.headings} == {(0, 1)}


@LAW
@given(made=st.one_of(mailboxes(), threads()))
def test_line_ends_do_not_matter(made: tuple[str, list[int], list[str]]) -> None:
    """CR LF and CR end lines as LF does."""
    text, starts, titles = made
    with_both, with_cr = read_email(text.replace("\n", "\r\n")), read_email(text.replace("\n", "\r"))
    assert [heading.start for heading in with_both.headings] == [start + text.count("\n", 0, start) for start in starts]
    assert [heading.start for heading in with_cr.headings] == starts
    assert (
        [heading.title for heading in with_both.headings] == [heading.title for heading in with_cr.headings] == titles
    )


@LAW
@given(
    text=st.one_of(
        chunked_texts(),
        st.one_of(mailboxes(), threads()).map(lambda made: made[0][9:]),
        st.lists(
            st.sampled_from(_PIECES),
            max_size=60,
        ).map("".join),
    )
)
def test_every_text_can_be_read(text: str) -> None:
    """And what is found keeps the laws of structures."""
    check_structure(text, read_email(text))
    assert looks_like_email(Glance(text)) in {True, False}


@pytest.mark.parametrize("path", _MAILS, ids=lambda path: path.name)
def test_what_is_far_below_changes_nothing_above(path: Path) -> None:
    """The messages before an offset hang on the 65,536 characters after it at most."""
    text = path.read_bytes().decode() + "\n"
    whole = text * (3 * LOOK_AHEAD // len(text))
    known = read_email(whole)
    for cut in range(1, len(whole) - LOOK_AHEAD, 30_011):
        cut_off = read_email(whole[: cut + LOOK_AHEAD])
        assert [(h.start, h.title, min(h.until or 0, cut)) for h in cut_off.headings if h.start < cut] == [
            (h.start, h.title, min(h.until or 0, cut)) for h in known.headings if h.start < cut
        ]
        units = [(unit.start, min(unit.end, cut)) for unit in cut_off.units if unit.start < cut]
        assert units == [(unit.start, min(unit.end, cut)) for unit in known.units if unit.start < cut]


@LAW
@given(made=mailboxes())
def test_messages_of_a_mailbox_are_those_of_the_standard_library(
    made: tuple[str, list[int], list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """`mailbox.mbox` finds as many, with the same subjects and senders."""
    path = tmp_path_factory.mktemp("mail") / "mbox"
    path.write_bytes(made[0].encode())
    box = mailbox.mbox(path, create=False)
    try:
        expected = [f"{' '.join(str(message['subject']).split())} — {text_of(message['from'])}" for message in box]
    finally:
        box.close()
    assert [heading.title.rsplit(", Wed", 1)[0] for heading in read_email(made[0]).headings] == expected


def text_of(value: object) -> str:
    """Read a field as the standard library gives it."""
    return str(email.header.make_header(email.header.decode_header(str(value)))) if value else ""


@pytest.mark.parametrize("path", _MAILS, ids=lambda path: path.name)
def test_the_outermost_message_is_called_what_the_standard_library_reads(path: Path) -> None:
    """Subject and sender, encoded words decoded, folded lines joined."""
    text = path.read_bytes().decode()
    message = email.message_from_string(text.split("\n", 1)[1] if text.startswith("From ") else text)
    headings = read_email(text).headings
    if message["subject"] and message["from"]:
        expected = f"{text_of(message['subject'])} — {text_of(message['from'])}"
        assert " ".join(headings[0].title.split()).startswith(" ".join(expected.split()))
        assert headings[0].start == 0
    else:
        assert headings[0].start > 0


def parts(name: str) -> list[tuple[str, str]]:
    """List title and text of each section."""
    text = (_RECORDS / name).read_bytes().decode()
    structure = read_email(text)
    check_structure(text, structure)
    return [(heading.title, text[heading.start : heading.until]) for heading in structure.headings]


def wholes(name: str) -> list[str]:
    """List the texts of the units."""
    text = (_RECORDS / name).read_bytes().decode()
    return [text[unit.start : unit.end] for unit in read_email(text).units]


def test_a_message_goes_on_after_what_it_quotes() -> None:
    """Also inside a quotation, and a reply whose own sender nothing names has no section."""
    assert parts("email-reply.txt") == [
        (
            "Kes Aldous <kes@example.org>, Wed, May 1, 2024 at 10:02 AM",
            (
                "On Wed, May 1, 2024 at 10:02 AM Kes Aldous\n<kes@example.org> wrote:\n\n"
                "> Shall we meet on the 4th or on the 11th?\n>\n"
            ),
        ),
        (
            "Olm Varga <olm@example.org>, Tue, Apr 30, 2024 at 6:15 PM",
            "> On Tue, Apr 30, 2024 at 6:15 PM Olm Varga <olm@example.org> wrote:\n> > I am free on most Saturdays.\n",
        ),
        ("Kes Aldous <kes@example.org>, Wed, May 1, 2024 at 10:02 AM", "> Both are Saturdays.\n\n"),
    ]
    assert wholes("email-reply.txt")[1] == "-- \nOlm\nThe Gardens\n"


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("email-antwort.txt", ["Kes Aldous <kes@example.org>, 01.05.2024 um 10:02", "Olm, 30.04.2024 um 18:15"]),
        ("email-reponse.txt", ["Kes Aldous <kes@example.org>, mer. 1 mai 2024 à 10:02"]),
        (
            "email-outlook.txt",
            [
                "RE: Seeds — Kes Aldous <kes@example.org>, Wednesday, May 1, 2024 10:02 AM",
                "Seeds — Olm Varga <olm@example.org>, Tuesday, April 30, 2024 6:15 PM",
            ],
        ),
        (
            "email-mailbox.txt",
            [
                "Saatgut für den Garten — Kés Aldous <kes@example.org>, Wed, 1 May 2024 10:02:03 +0000",
                f"Re: {_FOLDED} — Olm Varga <olm@example.org>, Wed, 1 May 2024 11:30:00 +0000",
                "Kes Aldous <kes@example.org>",
                f"Re: {_FOLDED} — Olm Varga <olm@example.org>, Wed, 1 May 2024 11:30:00 +0000",
            ],
        ),
        (
            "email-in-email.txt",
            [
                (
                    "forwarded message from Barry A. Warsaw — barry@python.org (Barry A. Warsaw), "
                    "Thu, 13 Sep 2001 17:28:42 -0400"
                ),
                "testing — barry@python.org (Barry A. Warsaw), Thu, 13 Sep 2001 17:28:28 -0400",
            ],
        ),
        (
            "email-forwarded.txt",
            [
                'GroupwiseForwardingTest — "Sender" <sender@example.net>, Mon, 01 Feb 2010 12:21:16 +0100',
                'GroupwiseForwardingTest — "Dr. Sender" <sender@example.net>, Mon, 01 Feb 2010 12:18:40 +0100',
            ],
        ),
    ],
)
def test_how_messages_are_called(name: str, titles: list[str]) -> None:
    """Their subject, who wrote them and when, of what is known."""
    assert [title for title, _ in parts(name)] == titles


def test_a_line_of_prose_that_begins_like_a_separator_begins_no_message() -> None:
    """Though a mailbox should have escaped it, and though a blank line stands above it."""
    head = "From: a@b.c\nTo: b@b.c\nSubject: s\n\n"
    text = head + "From here on: no.\n\nFrom: nobody\n\nOn 3 May nothing came.\n\n--- Original ---\n"
    assert [heading.start for heading in read_email(text).headings] == [0]


def test_header_blocks_stay_whole() -> None:
    """With the line that announces them."""
    assert wholes("email-outlook.txt")[1] == (
        "________________________________\nFrom: Olm Varga <olm@example.org>\nSent: Tuesday, April 30, 2024 6:15 PM\n"
        "To: Kes Aldous <kes@example.org>\nSubject: Seeds\n"
    )


def test_short_quotations_stay_whole_and_long_ones_are_text() -> None:
    """Two thousand characters are the most."""
    head = "From: a@b.c\nTo: b@b.c\nSubject: s\n\n"
    assert [tuple(unit) for unit in read_email(head + "> y\n" * 500 + "z\n").units] == [(0, 33), (34, 2034)]
    assert [tuple(unit) for unit in read_email(head + "> y\n" * 501 + "z\n").units] == [(0, 33)]


@pytest.mark.parametrize("word", ["=?rot13?Q?a?=", "=?utf-8?B?A?=", "=?iso-8859-99?Q?a?=", "=?x?", "=?utf-8?X?a?="])
def test_encoded_words_that_cannot_be_read_stay_as_they_are(word: str) -> None:
    """Unknown letters, broken base64: the title is what is written."""
    assert read_email(f"From: a@b.c\nTo: b@b.c\nSubject: {word}\n\nx").headings[0].title == f"{word} — a@b.c"


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            "\n",
            "> ",
            ">\n",
            "> " * 20 + "a\n",
            "From: a\nTo: b\nDate: c\n\n",
            "> From: a\n> To: b\n> Date: c\n>\n",
            "--b\n",
            "boundary=b\n--b\n",
            "From: a\nSent: 1\nTo: b\n",
        ),
        *("On 1 ", "On 1\n", "> On 1 a wrote:\n> > b\n", "From a@b 10:02 2024\n", "-- \n", "a: b\n", "=?utf-8?Q?a?= "),
    ],
)
@pytest.mark.slow
def test_time_grows_with_the_text(piece: str) -> None:
    assert growth(read_email, piece) < 3


@pytest.mark.parametrize("path", _MAILS, ids=lambda path: path.name)
def test_messages_look_like_messages(path: Path) -> None:
    assert looks_like_email(Glance(path.read_bytes().decode()[:LOOK_AHEAD]))


@pytest.mark.parametrize("path", [*_TRAPS, *_CORPORA, *_OTHERS], ids=lambda path: path.name)
def test_nothing_else_looks_like_a_message(path: Path) -> None:
    """Neither the fields of HTTP, a memorandum, nor a quotation in prose."""
    assert not looks_like_email(Glance(path.read_bytes().decode()[:LOOK_AHEAD]))


_QUOTED = (
    "From: Ada <ada@example.org>\nSent: Monday, 4 March 2024 10:02\nTo: Ben\nSubject: Pump 7\n\nPump 7 is down.\n",
    "From: Ben\nSent: Monday, 4 March 2024 09:02\nTo: Ada\nSubject: Pump 6\n\nPump 6 works.\n",
    "Von: Olm\nGesendet: Montag, 4. März 2024 08:02\nAn: Ada\nBetreff: Pumpe 5\n\nSie steht.\n",
    "*From:* Kes <kes@example.org>\n*Date:* Monday, 4 March 2024 10:02\n*To:* Ben\n*Subject:* Pump 4\n\nWhy?\n",
)
_TITLES = (
    "Pump 7 — Ada <ada@example.org>, Monday, 4 March 2024 10:02",
    "Pump 6 — Ben, Monday, 4 March 2024 09:02",
    "Pumpe 5 — Olm, Montag, 4. März 2024 08:02",
    "Pump 4 — Kes <kes@example.org>, Monday, 4 March 2024 10:02",
)


@pytest.mark.parametrize("rule", ["", "_" * 32 + "\n", "_" * 32 + "\n\n"], ids=["no rule", "a rule", "a rule apart"])
@LAW
@given(
    said=st.sampled_from(["I will look.\n\n", "I will look.\n", "Hello,\n\nI will look.\n\nBen\n\n"]),
    quoted=st.lists(st.sampled_from(range(4)), min_size=1, max_size=3),
)
def test_a_reply_above_a_header_block_is_mail(rule: str, said: str, quoted: list[int]) -> None:
    """As Outlook quotes: who, when and to whom stand together, below a rule or not, once or more often."""
    text = said + "\n".join(rule + _QUOTED[place] for place in quoted)
    assert format_of(text) == "email"
    assert [heading.title for heading in read_email(text).headings] == [_TITLES[place] for place in quoted]


def test_other_fields_in_a_text_are_no_mail() -> None:
    """A journey, and a memorandum, whose fields stand together too."""
    assert format_of("The way.\n\nFrom: Berlin\nDate: 4 March 2024\nTo: Hannover\n\nBring water.\n") == "plain"
    assert format_of("MEMO\n\nFrom: The chair\nTo: All\nSubject: Lunch\nDate: 4 March 2024\n\nAt noon.\n") == "plain"


_PARTED = (
    "From: Ben <ben@example.org>\nTo: Ada\nSubject: {0}\nContent-Type: multipart/mixed;\n boundary={1}\n\n"
    "--{2}\nContent-Type: text/plain\n\nSee below.\n\n{3}\n--{2}\nContent-Type: text/html\n\n<p>Part</p>\n"
    "--{2}--\nEnd.\n"
)


@pytest.mark.parametrize(
    "quoted",
    [
        _QUOTED[0],
        "-----Original Message-----\n" + _QUOTED[0],
        "On 4 March 2024 at 10:02, Ada <ada@example.org> wrote:\n\nIt is down.\n",
        "On 4 March 2024 at 10:02, Ada <ada@example.org> wrote:\n> It is down.\n",
    ],
)
@pytest.mark.parametrize(("declared", "boundary"), [('"=_b 1"', "=_b 1"), ("b", "b"), ('"--b"', "--b")])
def test_what_a_part_quotes_ends_with_the_part(quoted: str, declared: str, boundary: str) -> None:
    """RFC 2046, 5.1: after the line with the boundary the message goes on in which the part stands."""
    text = _PARTED.format("Pump", declared, boundary, quoted)
    structure = read_email(text)
    check_structure(text, structure)
    said = [(heading.title[:4], text[heading.start : heading.until]) for heading in structure.headings]
    below = text.rindex(f"--{boundary}\nContent")
    assert said[0][0] == said[2][0] == "Pump"
    assert [words for _, words in said] == [text[: text.index(quoted)], f"{quoted}\n", text[below:]]


def test_a_message_in_a_part_has_parts_of_its_own() -> None:
    """What follows each belongs to the message around it, also in the next message of a mailbox."""
    inner = _PARTED.format("Inner", "i", "i", "-----Original Message-----\n" + _QUOTED[0])
    message = "From ben@example.org Mon Mar  4 10:02:00 2024\n" + _PARTED.format("Outer", "o", "o", f"--o\n\n{inner}")
    text = f"{message}\n{message}"
    structure = read_email(text)
    check_structure(text, structure)
    assert [heading.title[:5] for heading in structure.headings] == ["Outer", "Inner", "Pump ", "Inner", "Outer"] * 2


OUTER = "From: a@example.org\nSubject: Seeds\n\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a blank line that is not quoted parts a quoted "original message" from a header
        (f"{OUTER}> -----Original Message-----\n>\n  \n> From: x@example.org\n> Subject: Pots\n>\n> Bye.\n", []),
        # a field that is longer than a header
        (f"X-Long: {'x' * 90_000}\nFrom: a@example.org\n\nHello.\n", []),
        # words that no quotation follows introduce none
        (f"{OUTER}Hello.\n\nAs Ann wrote:\nThe seeds are here.\n", []),
        # an introduction that goes on outside of the quotation
        ("> On 1 May 2024, Ann\nwrote:\n>> The seeds are here.\n", []),
    ],
)
def test_what_parts_no_messages(text: str, expected: list[str]) -> None:
    titles = [heading.title for heading in read_email(text).headings]
    assert [title for title in titles if not title.startswith("Seeds")] == expected


def test_fields_alone_are_no_message() -> None:
    """An address that stands in a header further down says nothing of the first one."""
    assert not looks_like_email(Glance("To do:\n\nDelivered-To:\nMessage-ID: @\nFrom:\n"))


def test_a_long_text_below_a_signature_mark_is_no_signature() -> None:
    """Only what is short stays whole."""
    assert len(read_email("Hello.\n-- \nAnn\n").units) == 1
    assert read_email("Hello.\n-- \nAnn\n" + "word " * 3_000).units == ()


def test_a_quotation_may_hold_an_answer_and_a_message() -> None:
    """All that is quoted ends where the quotation ends, which is looked for once."""
    message = "> -----Original Message-----\n> From: x@y.org\n> Subject: b\n> To: c\n>\n"
    text = f"On 1 May 2024, Ann wrote:\n> a\n{message}> On 1 May 2024, Cid wrote:\n> > y\nz\n"
    headings = read_email(text).headings
    assert [heading.title for heading in headings] == ["Ann, 1 May 2024", "b — x@y.org", "Cid, 1 May 2024"]
    assert headings[-1].until == text.index("z\n")


def test_a_text_that_begins_with_a_page_of_blanks_is_no_message() -> None:
    assert not looks_like_email(Glance(" " * 2_000 + "@"))
