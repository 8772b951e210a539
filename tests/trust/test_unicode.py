"""No cut is inside a character as Unicode 18.0 divides them: the official tests of UAX 29, every one.

Grapheme clusters are claimed in full. Words are those of UAX 29 with more cuts, beside white space and in scripts
without blanks, so the official tests of words (17.0) must be among them. Sentences are not those of UAX 29.
"""

from __future__ import annotations

import re
from importlib.metadata import distribution
from itertools import pairwise
from typing import NamedTuple

import pytest
import regex

import spanwise
from oracles import DATA
from spanwise.segmenting.graphemes import Graphemes, floor, is_boundary, next_boundary
from spanwise.segmenting.segmenter import cuts_of
from spanwise.segmenting.words import Words, is_word_cut
from texts import WHITE_SPACE

UNICODE = "18.0.0"
"""The version claimed; that of `regex`, which has the tables."""

UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"
)

FLAG_BEFORE_FLAG = regex.compile(r"\p{Regional_Indicator}[\p{Grapheme_Extend}\u200d]+(?=\p{Regional_Indicator})")


class Sample(NamedTuple):
    """One line of an official test: a text, where it may be divided, and what the line says of it."""

    text: str
    boundaries: tuple[int, ...]
    comment: str


def samples(file: str) -> list[Sample]:
    """Read `÷ 0020 × 0308 ÷ # comment`: a sign before, between and after the code points."""
    read = []
    for line in (DATA / "unicode" / file).read_text(encoding="utf-8").splitlines():
        described, _, comment = line.partition("#")
        signs = described.split()
        if signs:
            text = "".join(chr(int(code, 16)) for code in signs[1::2])
            read.append(Sample(text, tuple(at for at, sign in enumerate(signs[::2]) if sign == "÷"), comment))
    return read


GRAPHEMES = samples("GraphemeBreakTest.txt")
WORDS = samples("WordBreakTest.txt")
KINDS = pytest.mark.parametrize("around", ["", "a", "\n", "中", "🇩🇪"])


def test_the_tables_are_of_the_version_that_is_claimed() -> None:
    """Where `regex` goes on to another Unicode: carry its GraphemeBreakTest.txt, and say so in the change log."""
    told = re.search(r"supports Unicode (\d+\.\d+\.\d+)", distribution("regex").read_text("METADATA") or "")
    first = (DATA / "unicode" / "GraphemeBreakTest.txt").read_text(encoding="utf-8").splitlines()[0]
    assert told is not None
    assert told[1] == UNICODE
    assert first == f"# GraphemeBreakTest-{UNICODE}.txt"


def test_all_lines_of_the_official_tests_are_read() -> None:
    """As many as each says of itself."""
    for file, read in (("GraphemeBreakTest.txt", GRAPHEMES), ("WordBreakTest.txt", WORDS)):
        said = re.search(r"^# Lines: (\d+)$", (DATA / "unicode" / file).read_text(encoding="utf-8"), re.MULTILINE)
        assert said is not None
        assert len(read) == int(said[1]) > 800


def test_every_boundary_between_characters_is_one_and_no_other() -> None:
    """853 samples, asked in each of the four ways in which cuts are found."""
    for text, boundaries, comment in GRAPHEMES:
        assert tuple(offset for offset in range(len(text) + 1) if is_boundary(text, offset)) == boundaries, comment
        assert (0, *cuts_of(Graphemes(), text)) == boundaries, comment
        for start, end in pairwise(boundaries):
            assert next_boundary(text, start) == end, comment
            assert {floor(text, offset) for offset in range(start, end)} == {start}, comment


def test_a_budget_cuts_no_character() -> None:
    """At one code point a chunk, each cluster is one chunk if it fits, and code points where it does not."""
    for text, boundaries, comment in GRAPHEMES:
        for most in (1, 2, 3):
            chunks = spanwise.chunk(text, "characters", max_characters=most, blank="keep", structure="plain")
            for chunk in chunks:
                for offset in {chunk.start, chunk.end} - set(boundaries):
                    begin, end = next((low, high) for low, high in pairwise(boundaries) if low < offset < high)
                    assert end - begin > most, comment


@KINDS
def test_samples_in_a_row_are_divided_as_one_text(around: str) -> None:
    """As one pass of `regex` over the whole divides them."""
    text = around.join(sample.text for sample in GRAPHEMES)
    expected = [match.end() for match in regex.finditer(r"\X", text)]
    assert list(cuts_of(Graphemes(), text)) == expected


def test_words_are_parted_where_the_standard_does_and_beside_open_characters_alone() -> None:
    """1,944 samples: its boundaries, and the edges of white space and of unspaced scripts; never inside a cluster.

    Two differ, as `Words` says: it parts one flag from the next also where something invisible stands between them.
    """
    flags = 0
    for text, boundaries, comment in WORDS:
        open_edges = {
            edge
            for offset, character in enumerate(text)
            if character in WHITE_SPACE or UNSPACED.match(character)
            for edge in (offset, offset + 1)
        }
        clusters = {0, *(match.end() for match in regex.finditer(r"\X", text))}
        expected = {edge for edge in {*boundaries} | open_edges if edge in clusters}
        found = {offset for offset in range(len(text) + 1) if is_word_cut(text, offset)}
        between_flags = {match.end() for match in FLAG_BEFORE_FLAG.finditer(text)} - expected
        flags += bool(between_flags)
        assert found == expected | between_flags, comment
        assert {0, *cuts_of(Words(), text)} == found, comment
    assert flags == 2
