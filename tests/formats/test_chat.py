"""Turns of chats, interviews and transcripts: who says what, when, and up to where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import DATA
from record_costs import growth
from spanwise.formats.chat import chat_reader, looks_like_chat, read_chat
from spanwise.formats.glances import Glance
from spanwise.formats.reading import format_of
from spanwise.structure import LOOK_AHEAD
from structure_laws import check_structure
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from pathlib import Path

_RECORDS = DATA / "records"
_TRAPS = sorted((_RECORDS / "traps").iterdir())
_CORPORA = sorted((DATA / "corpora").iterdir())
_OTHERS = sorted({*_RECORDS.glob("log-*"), *_RECORDS.glob("email-*"), *_RECORDS.glob("subtitles.*")})
_CHATS = sorted(_RECORDS.glob("chat-*"))

_NAMES = ("Alice", "Bob (he/him)", "Dr. Ana Ruiz", "Jo K.", "Zoë", "李雷")
_SAYS = st.lists(
    st.sampled_from(
        ["yes: looking now", "ok", "", "  File: a.py", "It fails on main.", "Why?", "10 things", "- a", "x" * 90, "😀"]
    ),
    min_size=1,
    max_size=4,
).map("\n".join)
_FORMS = {
    "brackets": "[2024-05-01 {time}] {name}: {said}\n",
    "time first": "{time} {name}: {said}\n",
    "time in parentheses": "{name} ({time}): {said}\n",
    "WhatsApp on Android": "12/05/2024, {time} - {name}: {said}\n",
    "WhatsApp on iOS": "[12.05.24, {time}:33] {name}: {said}\n",
    "a line of its own": "{name}  {time} AM\n{said}\n\n",
    "meeting": "{time}:09 From {name} to Everyone: {said}\n",
    "Telegram": "{name}, [12.05.24 {time}]\n{said}\n\n",
}


def texts_of(name: str) -> str:
    """Read one of the files, line ends as they are."""
    return (_RECORDS / name).read_bytes().decode()


def turns(text: str) -> list[tuple[str, str]]:
    """List title and text of each turn."""
    structure = read_chat(text)
    check_structure(text, structure)
    return [(heading.title, text[heading.start : heading.until]) for heading in structure.headings]


@st.composite
def chats(draw: st.DrawFn, form: str) -> tuple[str, list[int], list[str]]:
    """Make a chat: its text, where its turns begin, and who speaks in them."""
    text, starts, names = "", [], []
    for _ in range(draw(st.integers(2, 12))):
        name = draw(st.sampled_from(_NAMES))
        time = f"{draw(st.integers(10, 23))}:{draw(st.integers(10, 59))}"
        starts.append(len(text))
        names.append(name)
        text += form.format(name=name, time=time, said=draw(_SAYS))
    return text, starts, names


@pytest.mark.parametrize("form", _FORMS.values(), ids=_FORMS.keys())
@LAW
@given(data=st.data())
def test_a_turn_begins_where_its_speaker_is_named_and_goes_up_to_the_next(form: str, data: st.DataObject) -> None:
    """Whatever is said in it: lines that look like a label, blank lines, other times of day."""
    text, starts, names = data.draw(chats(form))
    structure = read_chat(text)
    check_structure(text, structure)
    assert [heading.start for heading in structure.headings] == starts
    assert [heading.title.split(", ")[0] for heading in structure.headings] == names
    assert [heading.until for heading in structure.headings] == [*starts[1:], len(text)]
    assert [(unit.start, unit.end) for unit in structure.units] == list(
        zip(starts, [*starts[1:], len(text)], strict=True)
    )


@pytest.mark.parametrize("form", _FORMS.values(), ids=_FORMS.keys())
@LAW
@given(data=st.data())
def test_line_ends_do_not_matter(form: str, data: st.DataObject) -> None:
    """CR LF and CR end lines as LF does."""
    text, starts, _ = data.draw(chats(form))
    shifted = [start + text.count("\n", 0, start) for start in starts]
    assert [heading.start for heading in read_chat(text.replace("\n", "\r\n")).headings] == shifted
    assert [heading.start for heading in read_chat(text.replace("\n", "\r")).headings] == starts


@pytest.mark.parametrize("form", _FORMS.values(), ids=_FORMS.keys())
@LAW
@given(data=st.data())
def test_a_passage_is_read_as_the_whole_is(form: str, data: st.DataObject) -> None:
    """From any turn on, if turns have times and the beginning of the whole is known."""
    text, starts, _ = data.draw(chats(form))
    start = data.draw(st.sampled_from(starts))
    passage = chat_reader(text)(text[start:])
    assert [(heading.start + start, heading.title) for heading in passage.headings] == [
        (heading.start, heading.title) for heading in read_chat(text).headings if heading.start >= start
    ]


@LAW
@given(text=st.one_of(chunked_texts(), st.sampled_from(list(_FORMS.values())).flatmap(chats).map(lambda made: made[0])))
def test_every_text_can_be_read(text: str) -> None:
    """And what is found keeps the laws of structures."""
    check_structure(text, read_chat(text))
    assert looks_like_chat(Glance(text)) in {True, False}


@pytest.mark.parametrize("name", ["chat-questions.txt", "chat-hearing.txt", "chat-irc.txt"])
def test_what_is_far_below_changes_nothing_above(name: str) -> None:
    """The sections before an offset hang on the 65,536 characters after it at most."""
    whole = texts_of(name) * 30 + "LATE: one\n\n" + texts_of(name) * 12 + "LATE: two\n"
    known = read_chat(whole).headings
    for cut in range(1, len(whole) - LOOK_AHEAD, 30_011):
        headings = read_chat(whole[: cut + LOOK_AHEAD]).headings
        assert [(h.start, h.title, min(h.until or 0, cut)) for h in headings if h.start < cut] == [
            (h.start, h.title, min(h.until or 0, cut)) for h in known if h.start < cut
        ]


def test_the_case_of_the_broken_build() -> None:
    """Its blank line, its stack and its second colon stay in their turns; speaker and time are the section."""
    text = (DATA / "cases" / "case-30-chat-transcript-turns" / "input.txt").read_bytes().decode()
    assert looks_like_chat(Glance(text))
    assert [title for title, _ in turns(text)] == [
        "Alice, 2024-05-01 10:02",
        "Bob (he/him), 2024-05-01 10:03",
        "Alice, 2024-05-01 10:05",
        "Bob (he/him), 2024-05-01 10:09",
        "bot, 2024-05-01 10:10",
    ]
    assert turns(text)[0][1].endswith('Stack below:\n  File "a.py", line 3, in run\n')


def test_what_a_program_says_belongs_to_the_turn_before() -> None:
    """Who joined, who left, and a changed subject, also with a colon; before the first turn it is text."""
    assert turns(texts_of("chat-whatsapp.txt")) == [
        (
            "Maria, 12/05/2024, 10:03",
            (
                "12/05/2024, 10:03 - Maria: Who is in for Sunday?\nWe would leave at 7:30 from the station.\n\n"
                "Bring:\nwater\na hat\n"
            ),
        ),
        ("+49 170 5550142, 12/05/2024, 10:05", "12/05/2024, 10:05 - +49 170 5550142: Me! 🥾\n"),
        ("Jo K., 12/05/2024, 10:07", "12/05/2024, 10:07 - Jo K.: IMG-20240512-WA0003.jpg (file attached)\n"),
        (
            "Jo K., 12/05/2024, 10:07",
            (
                "12/05/2024, 10:07 - Jo K.: that was last year\n"
                "12/05/2024, 10:09 - Maria changed the subject to: Hike on Sunday\n"
            ),
        ),
        (
            "Maria, 12/05/2024, 10:11",
            "12/05/2024, 10:11 - Maria: Note: the train is at 7:42\n12/05/2024, 10:15 - Jo K. left\n",
        ),
        ("Maria, 12/05/2024, 10:16", "12/05/2024, 10:16 - Maria: oh\n"),
    ]


def test_marks_of_direction_stand_before_a_turn() -> None:
    """As exports from iOS write them; the turn begins with its line."""
    assert [(title, text[0]) for title, text in turns(texts_of("chat-whatsapp-ios.txt"))] == [
        ("Hike, 12.05.24, 10:02:33", "\u200e"),
        ("Maria, 12.05.24, 10:03:01", "["),
        ("Jo K., 12.05.24, 10:05:12", "\u200e"),
        ("Maria, 12.05.24, 10:06:40", "["),
    ]


def test_names_on_lines_of_their_own() -> None:
    """As they are copied from Slack."""
    assert [title for title, _ in turns(texts_of("chat-slack.txt"))] == [
        "Ana Ruiz, 10:02 AM",
        "deploybotAPP, 10:03 AM",
        "Sam Okafor, 10:04 AM",
        "Ana Ruiz, 10:06 AM",
    ]


def test_nicks_in_angle_brackets() -> None:
    """IRC, with a time or without; marks of rank are no part of the nick."""
    assert [title for title, _ in turns(texts_of("chat-irc.txt"))] == [
        "kes, 09:59",
        "olm, 10:01",
        "kes, 10:01",
        "olm, 10:02",
        "kes, 10:04",
    ]
    assert turns("<kes> hi\n<@olm> hi: you\n* olm waves\n<kes> bye") == [
        ("kes", "<kes> hi\n"),
        ("olm", "<@olm> hi: you\n* olm waves\n"),
        ("kes", "<kes> bye"),
    ]


def test_a_label_inside_a_turn_is_no_speaker() -> None:
    """Written otherwise than the speakers, or among what stands before colons anywhere, however often it comes."""
    titles = [title for title, _ in turns(texts_of("chat-hearing.txt"))]
    assert titles == [
        "THE CHAIR",
        "MS. ADEYEMI",
        "MR. HOLT",
        "MS. ADEYEMI",
        "MR. HOLT",
        "THE CHAIR",
        "MS. ADEYEMI",
        "MR. BRAND",
        "THE CHAIR",
        "MR. BRAND",
        "MR. HOLT",
    ]
    assert [title for title, _ in turns(texts_of("chat-assistant.txt"))] == [
        "SYSTEM",
        "USER",
        "ASSISTANT",
        "USER",
        "ASSISTANT",
    ]


def test_questions_and_answers() -> None:
    """A list of them by another author: each question and each answer is a turn."""
    text = texts_of("chat-questions.txt")
    found = turns(text)
    assert len(found) == text.count("\nQ:  ") + text.count("\nA:  ")
    assert found[1] == (
        "A",
        (
            "A:  Nothing. They are just two letters, which come from the file format\n    suffix .xz. The .xz suffix"
            " was selected, because it seemed to be\n    pretty much unused. It has no deeper meaning.\n\n\n"
        ),
    )


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Speaker 1: Hello.\nSpeaker 2: Hello.\n", ["Speaker 1", "Speaker 2"]),
        ("**Kes:** Hi.\n\n**Olm:** Hi.\n\n**Kes:** Well?\n\n**Olm**: No.\n", ["Kes", "Olm", "Kes", "Olm"]),
        ("爱丽丝：你好\n鲍勃：好吗？\n爱丽丝：好。\n鲍勃：嗯\n", ["爱丽丝", "鲍勃"] * 2),
        (
            "Kes — Today at 10:02 AM\nhi\nOlm — Today at 10:03 AM\nyo\n",
            ["Kes, Today at 10:02 AM", "Olm, Today at 10:03 AM"],
        ),
        ("00:00:03 Kes: hi\n00:00:09 Olm: yo\n", ["Kes, 00:00:03", "Olm, 00:00:09"]),
        ("Kes: hi\nOlm: yo\n", ["Kes", "Olm"]),
        ("Nobody speaks here.\n", []),
        ("", []),
    ],
)
def test_ways_to_name_a_speaker(text: str, titles: list[str]) -> None:
    assert [title for title, _ in turns(text)] == titles


def test_a_speaker_who_comes_late_is_heard_if_he_speaks_again_soon() -> None:
    """Beyond the first 65,536 characters a new name has to recur within half as many."""
    talk = "KES: Yes, we have.\nOLM: Have we?\n"
    many = talk * (LOOK_AHEAD // len(talk) + 1)
    late = many + "WREN: I came late.\n" + talk + "WREN: But I came.\nEXHIBIT A: a spade.\n"
    assert [title for title, _ in turns(late)][-5:] == ["OLM", "WREN", "KES", "OLM", "WREN"]


@pytest.mark.parametrize(
    "piece",
    [
        *("a", "\n", " ", "1:", "a:", "A:\n", "A: b\n", "<a> ", "<a>\n", "10:02 ", "10:02 A: b\n", "[10:02] A: b\n"),
        *("A 10:02\n", "A (10:0", "12/05/2024, ", "\u200e", "** ", "a " * 40 + "\n", "Jan "),
    ],
)
@pytest.mark.slow
def test_time_grows_with_the_text(piece: str) -> None:
    assert growth(read_chat, piece) < 3


@pytest.mark.parametrize("path", _CHATS, ids=lambda path: path.name)
def test_chats_look_like_chats(path: Path) -> None:
    assert looks_like_chat(Glance(texts_of(path.name)[:LOOK_AHEAD]))


@pytest.mark.parametrize("path", [*_TRAPS, *_CORPORA, *_OTHERS], ids=lambda path: path.name)
def test_nothing_else_looks_like_a_chat(path: Path) -> None:
    """Prose, settings, code, records and mail; nor the corpus of chat logs: it is lists in the syntax of Python."""
    text = path.read_bytes().decode()
    assert not looks_like_chat(Glance(text[:LOOK_AHEAD]))


def test_proxies_of_irc_write_the_host_and_no_year() -> None:
    """What is behind the nick is no part of it, and what a nick ends with is."""
    lines = ["[15 Jan 13:00] <kes_!kes@host.example.org> +hello\n", "[15 Jan 13:01:30] <olm|away!o@10.0.0.1> hi\n"]
    assert turns("".join(lines)) == [("kes_, 15 Jan 13:00", lines[0]), ("olm|away, 15 Jan 13:01:30", lines[1])]


# Each program by its own documentation or source, and by what its logs are read with elsewhere; the talk is ours.
_PROGRAMS = {
    "irssi": (
        "--- Log opened Wed May 01 10:02:00 2024\n10:02 -!- kes_ [kes@host.example] has joined #seeds\n",
        "10:02 < {0}> {1}\n",
        "10:02",
        "10:03 -!- wren [w@host.example] has quit [gone]\n10:03  * kes_ waves\n",
    ),
    "WeeChat": (
        "2024-05-01 10:02:00\t-->\tkes (~kes@host.example) has joined #seeds\n",
        "2024-05-01 10:02:03\t@{0}\t{1}\n",
        "2024-05-01 10:02:03",
        "2024-05-01 10:03:00\t *\tkes waves\n2024-05-01 10:03:00\t--\tMode #seeds [+o kes] by olm\n",
    ),
    "ZNC": (
        "[10:02:00] *** Joins: kes (kes@host.example)\n",
        "[10:02:03] <{0}> {1}\n",
        "10:02:03",
        "[10:02:04] *** Quits: wren (w@host.example) (gone)\n[10:02:05] * kes waves\n",
    ),
    "eggdrop": (
        "[10:02] kes (kes@host.example) joined #seeds.\n",
        "[10:02] <{0}> {1}\n",
        "10:02",
        "[10:03] Action: kes waves\n[10:03] #seeds: mode change '+o kes' by olm\n",
    ),
    "mIRC": (
        "Session Start: Wed May 01 10:02:00 2024\nSession Ident: #seeds\n[10:02] * Now talking in #seeds\n",
        "[10:02] <@{0}> {1}\n",
        "10:02",
        "[10:03] * kes sets mode: +o olm\n",
    ),
    "bip": (
        "01-05-2024 10:02:00 -!- kes!kes@host.example has joined #seeds\n",
        "01-05-2024 10:02:03 < {0}!kes@2001:db8::1: {1}\n",
        "01-05-2024 10:02:03",
        "01-05-2024 10:02:03 -!- wren!w@host.example has quit\n",
    ),
    "dircproxy": (
        "-dircproxy- [10:02] You joined the channel\n",
        "<{0}!kes@host.example> [10:02] {1}\n",
        "10:02",
        "-server- [10:03] wren left\n",
    ),
    "dircproxy with seconds since 1970": ("", "@1714557723 <{0}!kes@host.example> {1}\n", "", ""),
    "supybot": (
        "2024-05-01T10:02:00  *** kes <kes@host.example> has joined #seeds\n",
        "2024-05-01T10:02:03  <{0}> {1}\n",
        "2024-05-01T10:02:03",
        "2024-05-01T10:02:03  * kes waves\n",
    ),
    "HexChat": (
        "**** BEGIN LOGGING AT Wed May  1 10:02:00 2024\n\nMay 01 10:02:00 *\tNow talking on #seeds\n",
        "May 01 10:02:03 <{0}>\t{1}\n",
        "May 01 10:02:03",
        "May 01 10:02:04 *\twren (w@host.example) has left\n",
    ),
    "Konversation": (
        "[Wednesday 01 May 2024] [10:02:00] Join   You have joined the channel #seeds\n",
        "[Wednesday 01 May 2024] [10:02:03] <{0}>   {1}\n",
        "Wednesday 01 May 2024 10:02:03",
        "[Wednesday 01 May 2024] [10:02:03] Quit   wren has left\n",
    ),
    "muh": ("", "[Wed 01 May 10:02:03] <{0}> {1}\n", "Wed 01 May 10:02:03", "[Wed 01 May 10:02:04] * kes waves\n"),
    "The Lounge": ("", "[2024-05-01T10:02:03.123Z] <{0}> {1}\n", "2024-05-01T10:02:03.123Z", ""),
    "LimeChat": ("", "10:02:03 {0}: {1}\n", "10:02:03", "10:02:03 wren has left (gone)\n"),
    "Pidgin": (
        "Conversation with kes at Wed 01 May 2024 10:02:00 AM CEST on olm@example.org (jabber)\n",
        "(10:02:03 AM) {0}: {1}\n",
        "10:02:03 AM",
        "",
    ),
    "Element": ("", "5/1/2024, 10:02:03 AM - {0}: {1}\n", "5/1/2024, 10:02:03 AM", ""),
    "Skype": ("", "[01.05.2024 10:02:03] {0}: {1}\n", "01.05.2024 10:02:03", ""),
    "Signal": ("", "[2024-05-01, 10:02] {0}: {1}\n", "2024-05-01, 10:02", ""),
    "Telegram": ("", "{0}, [01.05.2024 10:02]\n{1}\n\n", "01.05.2024 10:02", ""),
    "Discord, exported": (
        "==============\nGuild: Garden\nChannel: seeds\n==============\n\n",
        "[01-May-24 10:02 AM] {0}\n{1}\n\n",
        "01-May-24 10:02 AM",
        "",
    ),
    "Discord, copied": ("", "{0} — Yesterday at 10:02\n{1}\n", "Yesterday at 10:02", ""),
    "LINE": ("[LINE] Chat history\n\n2024/05/01(Wed)\n", "10:02\t{0}\t{1}\n", "10:02", "2024/05/02(Thu)\n"),
    "KakaoTalk": ("", "[{0}] [오후 10:02] {1}\n", "오후 10:02", "wren님이 나갔습니다.\n"),
    "KakaoTalk on a phone": ("", "2024. 5. 1. 오후 10:02, {0} : {1}\n", "2024. 5. 1. 오후 10:02", ""),
    "QQ": ("", "2024-05-01 10:02:03 {0}\n{1}\n\n", "2024-05-01 10:02:03", ""),
    "Teams": ("", "{0}   0:12\n{1}\n\n", "0:12", ""),
    "Teams, copied": ("", "[10:02 AM] {0}\n{1}\n", "10:02 AM", ""),
    "Zoom": ("", "10:02:03\t From  {0} to  Everyone : {1}\n", "10:02:03", ""),
    "Zoom, what was said": ("", "[{0}] 10:02:03\n{1}\n\n", "10:02:03", ""),
    "transcripts": ("", "{0}  00:00:12\n{1}\n\n", "00:00:12", ""),
    "transcripts with a colon": ("", "{0} (00:12):\n{1}\n\n", "00:12", ""),
}
_TALK = (
    ("kes", "hello, all"),
    ("Olm", "did the seeds come?"),
    ("kes", "Olm: yes"),
    ("wren", "I saw: two"),
    ("Olm", "so!"),
)


@pytest.mark.parametrize(("before", "line", "time", "notice"), _PROGRAMS.values(), ids=_PROGRAMS.keys())
def test_programs_write_turns_in_many_ways(before: str, line: str, time: str, notice: str) -> None:
    """Each is a chat, with the nick alone and the time as written; what the program says belongs to the turn before."""
    said = [line.format(name, words) for name, words in _TALK]
    said[2] += notice
    text = before + "".join(said)
    assert format_of(text) == "chat"
    assert turns(text) == [
        (f"{name}, {time}" if time else name, words) for (name, _), words in zip(_TALK, said, strict=True)
    ]


@pytest.mark.parametrize(
    "nick", ["kes_", "_kes", "[k]es", "kes|away", "kes^", "kes`", "\\kes", "{kes}", "kes[m]", "k-"]
)
@pytest.mark.parametrize("line", ["[10:02] <{0}> hi\n", "10:02 <@{0}> hi\n", "10:02 {0}: hi\n", "<{0}!k@h> hi\n"])
def test_what_nicks_are_made_of_belongs_to_them(nick: str, line: str) -> None:
    """RFC 2812, 2.3.1: brackets, backslash, grave accent, underscore, circumflex, braces and bar, and a hyphen."""
    text = line.format(nick) + line.format("olm") + line.format(nick)
    assert [title.partition(", ")[0] for title, _ in turns(text)] == [nick, "olm", nick]


def test_columns_of_figures_or_of_a_log_are_no_chat() -> None:
    """A time, a name and a text between tabs are a chat only where people talk to one another."""
    log = "".join(f"2024-05-01 10:02:0{n}\tpump{n % 2}\tvalve {n} is open now\n" for n in range(9))
    table = "".join(f"2024-05-01 10:02:0{n}\tpump\t{n}.5\t7\n" for n in range(9))
    assert not looks_like_chat(Glance(log))
    assert not looks_like_chat(Glance(table))


_ASKED = (
    "Q.   Please state your name.\nA.   Kes Alm.\nQ.   Did the seeds come?\n"
    "A.   They did. All of them\nbut the beans.\n"
)


@pytest.mark.parametrize("before", ["", "EXAMINATION\nBY MR. HOLT:\n", "A COURT\n\n" * 8])
@pytest.mark.parametrize("indent", ["", "     ", "\t", "  7      "])
def test_a_witness_is_examined(before: str, indent: str) -> None:
    """Q and A are turns, and so is who speaks by name; lines may have numbers."""
    lines = f"{_ASKED}Q.   Who ate the beans?\nMS. BRAND:  Objection.\nA.   The wren.\n{_ASKED}".splitlines()
    text = before + "".join(f"{indent}{line}\n" for line in lines)
    assert format_of(text) == "chat"
    assert [title for title, _ in turns(text)] == [*"QAQAQ", "MS. BRAND", *"AQAQA"]


def test_lists_with_letters_are_no_examination() -> None:
    assert not looks_like_chat(Glance("A.  Open the valve.\nB.  Close the valve.\nQ.  Ask why?\n" * 9))


_LISTS = {
    "states": "12:30 Status: ok\n12:35 Status: ok\n12:40 Status: failed\n",
    "states of two": "12:30 Pump: on\n12:35 Valve: open\n12:40 Pump: off\n12:45 Valve: shut\n",
    "measurements": "[10:00] Sensor A: 20.1\n[10:05] Sensor B: 21.3\n[10:10] Sensor A: 20.4\n",
    "a programme": "09:00 Keynote: Ada Lovelace\n10:00 Workshop: pumps\n11:00 Workshop: valves\n",
    "listings": "20:00 News: The day.\n20:15 Film: Jaws.\n22:00 News: What happened?\n22:15 Film: Will you wait?\n",
    "listings of channels": "20:00 One: The day\n20:15 Two: Jaws\n22:00 One: Late news\n22:15 Two: The Third Man\n",
    "a journey": "08:12 Berlin: departs\n09:40 Hannover: arrives\n09:44 Hannover: departs\n12:00 Köln: arrives\n",
    "stops": "Berlin  08:12\nplatform 7\n\nHannover  09:40\narrive\n\nHannover  09:44\ndepart\n\nKöln  12:00\n",
    "platforms": "Berlin (08:12): platform 7\nHannover (09:40): platform 2\nHannover (09:44): platform 3\n",
    "meanings": "Ada: adjective. Not in use.\nBen: noun. A mountain.\nAda: noun. A name.\nBen: verb. To be.\n",
}


@pytest.mark.parametrize("lines", _LISTS.values(), ids=_LISTS.keys())
@pytest.mark.parametrize(("above", "below"), [("", ""), ("We hope you like it!\n\n", "\nWho asks? You can call us.\n")])
def test_lists_of_times_states_and_meanings_are_no_chat(lines: str, above: str, below: str) -> None:
    """People who talk ask, greet and say "you"; what is written about a list does not make it a talk."""
    assert format_of(above + lines + below) == "plain"


def test_a_short_talk_is_a_chat() -> None:
    """One of ten turns at least has words that people say to one another, in any of several languages."""
    for said in ("on my way", "really?", "danke", "j'arrive", "好吗", "はいですね", "👍", "Kes: done"):
        assert format_of(f"10:02 Kes: pump is down\n10:03 Olm: {said}\n10:05 Kes: fine\n") == "chat", said


@pytest.mark.parametrize(
    "text",
    [
        "12/05/2024, 10:03 - Kes: Sonntag\n12/05/2024, 10:04 - Olm: passt\n12/05/2024, 10:05 - Kes: gut\n",
        "[12.05.24, 10:03:01] Kes: Sonntag\n[12.05.24, 10:04:02] Olm: passt\n[12.05.24, 10:05:03] Kes: gut\n",
        "00:01 Speaker 1: Good morning.\n00:05 Speaker 2: Good morning.\n00:09 Speaker 1: It is short.\n",
        "[08:00] Kes: I am here.\n[08:01] Kes: Where are the seeds?\n[08:05] Kes: Hello?\n",
    ],
    ids=["WhatsApp on Android", "WhatsApp on iOS", "numbered speakers", "one who speaks alone"],
)
def test_messengers_and_numbered_speakers_need_no_words_of_talk(text: str) -> None:
    """A comma between day and time, and "Speaker 1", stand in no list; one who asks is heard alone."""
    assert format_of(text) == "chat"


@pytest.mark.parametrize(
    ("line", "title"),
    [("Ann Lee__: Hello.", "Ann Lee"), ("[10:02] _Ann_: Hello.", "Ann, 10:02"), ("From Ann to All: Hello.", "Ann")],
)
def test_what_is_no_part_of_a_name_is_taken_off(line: str, title: str) -> None:
    """Emphasis, closed or left over, and to whom it is said."""
    assert [turn for turn, _ in turns(f"{line}\n{line}\n")] == [title] * 2


QUESTIONS = "Q. Did you see it?\nA. I did.\n" * 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (QUESTIONS, True),
        ("Report of the day\n" * 40 + QUESTIONS, False),
        (QUESTIONS.replace("did.\n", "did.\n" + "So it says here.\n" * 30), False),
        ("Ann: So it is.\nBen: Was it?\n" * 6, True),
        ("ann: So it is.\nben: Was it?\n" * 6, False),
        ("".join(f"[10:0{n}] {name}: I think so.\n" for n, name in enumerate(("Ann", "Ben", "Ann", "Ben"))), True),
        ("".join(f"[10:0{n}] {name}: I think so.\n" for n, name in enumerate(("Ann", "Ben", "Cid", "Dee"))), False),
        ("".join(f"2024-05-01 10:0{n}\t{'AB'[n % 2]}nn\tSo it is {n}?\n" for n in range(9)), True),
        ("".join(f"2024-05-01 10:0{n}\t{'AB'[n % 2]}nn\tvalue-{n}\n" for n in range(9)), False),
    ],
)
def test_questions_and_names_are_talk_where_they_are_most_of_a_text(text: str, expected: bool) -> None:  # noqa: FBT001
    """And the names are written as names are."""
    assert looks_like_chat(Glance(text)) is expected
