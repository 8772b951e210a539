"""Cues of subtitles: number, times and text stay together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import DATA
from record_costs import growth
from spanwise.formats.glances import Glance
from spanwise.formats.subtitles import looks_like_subtitles, read_subtitles, subtitles_reader
from spanwise.structure import LOOK_AHEAD
from structure_laws import check_structure
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from pathlib import Path

_RECORDS = DATA / "records"
_SUBTITLES = sorted(_RECORDS.glob("subtitles.*"))
_TRAPS = sorted((_RECORDS / "traps").iterdir())
_CORPORA = sorted((DATA / "corpora").iterdir())
_OTHERS = sorted({*_RECORDS.glob("chat-*"), *_RECORDS.glob("email-*"), *_RECORDS.glob("log-*")})

_TEXTS = st.lists(
    st.sampled_from(["All of them?", "- No.", "<i>Typical.</i>", "1972", "10:02", "a --> b", "x" * 80, "豆はない。"]),
    min_size=1,
    max_size=3,
).map("\n".join)


@st.composite
def subrip(draw: st.DrawFn) -> tuple[str, list[int]]:
    """Make a file of SubRip: its text, and where its cues begin."""
    text, starts = "", []
    for number in range(1, draw(st.integers(2, 9)) + 1):
        starts.append(len(text))
        shape = draw(
            st.sampled_from(["{n}\n{t}\n{said}\n\n", "{n} \n{t} X1:40\n{said}\n\n{said}\n\n\n", "{n}\n{t}\n\n"])
        )
        text += shape.format(n=number, t=f"00:00:0{number},000 --> 00:00:0{number},900", said=draw(_TEXTS))
    return text, starts


@st.composite
def webvtt(draw: st.DrawFn) -> tuple[str, list[int]]:
    """Make a file of WebVTT: its text, and where its header, its notes and its cues begin."""
    text, starts = draw(st.sampled_from(["WEBVTT\n\n", "\ufeffWEBVTT - a title\nKind: captions\n\n"])), [0]
    for number in range(1, draw(st.integers(1, 9)) + 1):
        starts.append(len(text))
        shape = draw(
            st.sampled_from(
                [
                    "{t}\n{said}\n\n",
                    "{n}\n{t} align:start\n{said}\n\n",
                    "a name\n{t}\n{said}\n\n",
                    "NOTE\n{said}\n\n",
                    "NOTE of the editor\n\n",
                    "STYLE\n::cue {{}}\n\n",
                    "REGION\nid:a\n\n",
                ]
            )
        )
        said = draw(_TEXTS).replace("-->", "->")
        text += shape.format(n=number, t=f"00:0{number}.000 --> 01:00:0{number}.900", said=said)
    return text, starts


def check(text: str, starts: list[int]) -> None:
    """Assert that these are the cues."""
    structure = read_subtitles(text)
    check_structure(text, structure)
    assert list(structure.blocks or ()) == starts
    assert [unit.start for unit in structure.units] == starts
    assert [unit.end for unit in structure.units] == [*starts[1:], len(text)]
    assert structure.strong == ()
    assert structure.headings == ()  # nobody is named


@LAW
@given(made=st.one_of(subrip(), webvtt()))
def test_a_cue_is_its_number_its_times_and_its_text(made: tuple[str, list[int]]) -> None:
    """Up to the next; of WebVTT also the header, notes, styles and regions."""
    check(*made)


@LAW
@given(made=st.one_of(subrip(), webvtt()))
def test_line_ends_do_not_matter(made: tuple[str, list[int]]) -> None:
    """CR LF and CR end lines as LF does."""
    text, starts = made
    check(text.replace("\n", "\r\n"), [start + text.count("\n", 0, start) for start in starts])
    check(text.replace("\n", "\r"), starts)


@LAW
@given(made=st.one_of(subrip(), webvtt()), data=st.data())
def test_a_passage_is_read_as_the_whole_is(made: tuple[str, list[int]], data: st.DataObject) -> None:
    """From any cue or note on, if the beginning of the whole is known."""
    text, starts = made
    start = data.draw(st.sampled_from(starts))
    passage = subtitles_reader(text)(text[start:])
    check_structure(text[start:], passage)
    assert [unit.start + start for unit in passage.units] == [place for place in starts if place >= start]


@LAW
@given(text=st.one_of(chunked_texts(), st.one_of(subrip(), webvtt()).map(lambda made: made[0][3:])))
def test_every_text_can_be_read(text: str) -> None:
    """And what is found keeps the laws of structures."""
    check_structure(text, read_subtitles(text))
    assert looks_like_subtitles(Glance(text)) in {True, False}


@pytest.mark.parametrize("path", _SUBTITLES, ids=lambda path: path.name)
def test_what_is_far_below_changes_nothing_above(path: Path) -> None:
    """The cues before an offset hang on the 65,536 characters after it at most."""
    text = path.read_bytes().decode()
    whole = text * (3 * LOOK_AHEAD // len(text))
    known = read_subtitles(whole).blocks or ()
    for cut in range(1, len(whole) - LOOK_AHEAD, 30_011):
        blocks = read_subtitles(whole[: cut + LOOK_AHEAD]).blocks or ()
        assert [start for start in blocks if start < cut] == [start for start in known if start < cut]


def cues(name: str) -> list[str]:
    """List the units of a file, line ends aside."""
    text = (_RECORDS / name).read_bytes().decode()
    return [text[unit.start : unit.end].replace("\r", "").strip("\ufeff\n") for unit in read_subtitles(text).units]


def test_a_blank_line_inside_the_text_of_a_cue() -> None:
    """Files of SubRip have them; the text goes on up to the next number."""
    assert cues("subtitles.srt") == [
        "1\n00:00:01,000 --> 00:00:03,400\nThe seeds came\nthis morning.",
        "2\n00:00:03,900 --> 00:00:06,000 X1:40 X2:600 Y1:20 Y2:50\n<i>All of them?</i>",
        "3\n00:00:06,200 --> 00:00:09,000\n- All but the beans.\n\n- Typical.",
    ]


def test_what_webvtt_has_besides_cues() -> None:
    assert cues("subtitles.vtt") == [
        "WEBVTT - The Gardens",
        "STYLE\n::cue { color: papayawhip }",
        "REGION\nid:left\nwidth:40%",
        "NOTE\nTwo voices,\nboth of them tired.",
        "opening\n00:01.000 --> 00:03.400 align:start\n<v Kes>The seeds came\nthis morning.",
        "00:03.900 --> 00:06.000\n<v Olm>All of them?",
        "NOTE The end follows.",
        "3\n01:00:06.200 --> 01:00:09.000\nAll but the beans.",
    ]


def test_text_before_the_first_cue_is_text() -> None:
    """It is a block, but no unit."""
    structure = read_subtitles("By Kes.\n\n1\n00:00:01,000 --> 00:00:02,000\nYes.\n")
    assert structure.blocks == (0, 9)
    assert [tuple(unit) for unit in structure.units] == [(9, 46)]


@pytest.mark.parametrize(
    "piece", ["a", "\n", "1\n", "-->", " --> ", "00:00:01,000 ", "00:01.000 --> 00:02.000\n", "NOTE\n\n", "\n \nNOTE"]
)
@pytest.mark.parametrize("signature", ["", "WEBVTT\n\n"])
@pytest.mark.slow
def test_time_grows_with_the_text(signature: str, piece: str) -> None:
    assert growth(read_subtitles, piece, signature) < 3


@pytest.mark.parametrize("path", _SUBTITLES, ids=lambda path: path.name)
def test_subtitles_look_like_subtitles(path: Path) -> None:
    assert looks_like_subtitles(Glance(path.read_bytes().decode()[:LOOK_AHEAD]))


@pytest.mark.parametrize("path", [*_TRAPS, *_CORPORA, *_OTHERS], ids=lambda path: path.name)
def test_nothing_else_looks_like_subtitles(path: Path) -> None:
    """Neither arrows nor times alone make subtitles."""
    assert not looks_like_subtitles(Glance(path.read_bytes().decode()[:LOOK_AHEAD]))


def voices(text: str) -> list[tuple[int, int | None, str]]:
    """List the sections: start, end and title."""
    structure = read_subtitles(text)
    check_structure(text, structure)
    return [(heading.start, heading.until, heading.title) for heading in structure.headings]


def test_a_cue_that_names_its_voice_is_a_section() -> None:
    """WebVTT, 4.2.2: the tag `<v Name>`, with classes or without; a cue without one has no section."""
    cues = [
        "1\n00:01.000 --> 00:02.000\n<v Kes Alm>The seeds came.</v>\n\n",
        "00:03.000 --> 00:04.000\nAll of them?\n\n",
        "00:05.000 --> 00:06.000\n<v.loud Olm>No.\n",
    ]
    text = "WEBVTT\n\n" + "".join(cues)
    starts = [8, 8 + len(cues[0]), 8 + len(cues[0] + cues[1])]
    assert voices(text) == [(0, starts[1], "Kes Alm"), (starts[2], len(text), "Olm")]


@pytest.mark.parametrize("above", ["", "NOTE Two voices.\n\n", "STYLE\n::cue { color: red }\n\nNOTE\nTwo.\n\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_section_of_the_first_voice_begins_with_the_file(mark: str, above: str) -> None:
    """Nobody speaks in the signature, notes and styles; where the first cue names nobody, they have no section."""
    first, second = "00:01.000 --> 00:02.000\n<v Kes>Yes.\n\n", "00:03.000 --> 00:04.000\n<v Olm>No.\n"
    head = f"{mark}WEBVTT\n\n{above}"
    cut = len(head + first)
    assert voices(head + first + second) == [(0, cut, "Kes"), (cut, cut + len(second), "Olm")]
    unnamed = first.replace("<v Kes>", "")
    assert voices(head + unnamed + second) == [(cut - 7, cut - 7 + len(second), "Olm")]
    assert spanwise.chunk(head + first + second, max_tokens=36)[0].section == ("Kes",)


@pytest.mark.parametrize(("header", "mark"), [("WEBVTT\n\n", "."), ("", ",")])
def test_names_and_colons_are_voices_where_nearly_all_cues_have_them(header: str, mark: str) -> None:
    """As meetings are exported; a colon here and there is none."""
    said = ["Kes Alm: The seeds came.", "Olm: All of them?", "Kes Alm: Note: not the beans.", "Olm: Typical."]
    text = header + "".join(
        f"{n}\n00:00:0{n}{mark}000 --> 00:00:0{n}{mark}900\n{words}\n\n" for n, words in enumerate(said, 1)
    )
    assert [title for _, _, title in voices(text)] == ["Kes Alm", "Olm", "Kes Alm", "Olm"]
    assert voices(text.replace("Kes Alm: ", "").replace("Olm: All", "All")) == []


def test_voices_of_a_passage_are_those_of_the_whole() -> None:
    text = "WEBVTT\n\n" + "".join(f"00:0{n}.000 --> 00:0{n}.900\n<v Kes>Bean {n}.\n\n" for n in range(1, 6))
    for start, _, _ in voices(text):
        passage = subtitles_reader(text)(text[start:])
        assert [(heading.start + start, heading.title) for heading in passage.headings] == [
            (place, title) for place, _, title in voices(text) if place >= start
        ]


def test_a_name_of_a_cue_stands_below_a_blank_line() -> None:
    """A line right below the words of a cue belongs to those."""
    text = "WEBVTT\n\nfirst\n00:01.000 --> 00:02.000\nHello.\n\nYou there.\nWho?\n00:03.000 --> 00:04.000\nI.\n"
    assert [text[unit.start : unit.end] for unit in read_subtitles(text).units] == [
        "WEBVTT\n\n",
        "first\n00:01.000 --> 00:02.000\nHello.\n\nYou there.\nWho?\n",
        "00:03.000 --> 00:04.000\nI.\n",
    ]
