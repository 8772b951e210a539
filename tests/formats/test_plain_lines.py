"""Lines of plain text: where they are, which words are titles, and which part of a text is worth a closer look."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.glances import Glance
from spanwise.formats.plain_lines import Lines, is_code, is_title_case, judged_parts, title_of

texts = st.lists(st.sampled_from(["a", " ", "\n", "\r", "\r\n", "\f", "\x85", "\u2028", "\ufeff", "B."])).map("".join)


@given(texts)
def test_lines_keep_the_offsets_of_the_text(text: str) -> None:
    lines = Lines(text)
    assert len(lines.even) == len(text)
    assert all(before < after for before, after in pairwise(lines.starts[:-1]))
    for row, line in enumerate(lines.lines):
        start = lines.starts[row]
        assert lines.even[start : start + len(line)] == line
        assert lines.is_blank(row) == (not line.strip())


@given(texts, st.integers(0, 40))
def test_the_line_at_an_offset_holds_it(text: str, offset: int) -> None:
    lines = Lines(text)
    offset = min(offset, len(text))
    row = lines.line_at(offset)
    assert lines.starts[row] <= offset <= lines.starts[row] + len(lines.lines[row])


@given(texts)
def test_the_next_line_with_ink_has_only_blank_lines_before_it(text: str) -> None:
    lines = Lines(text)
    inked = [row for row in range(len(lines.lines)) if not lines.is_blank(row)]
    assert lines.ink_after(0) == next((row for row in inked if row > 0), None)


@pytest.mark.parametrize(
    ("words", "is_cased"),
    [
        ("Disclaimer of Warranty", True),
        ("NO WARRANTY", True),
        ("Disclaimer of warranty", False),
        ("of Warranty", False),
        ("12", False),
        ("Règles du Jeu", True),
    ],
)
def test_title_case(words: str, *, is_cased: bool) -> None:
    assert is_title_case(words) == is_cased


def test_a_title_is_one_line_of_at_most_300_characters() -> None:
    assert title_of(" A \n  title\t here ") == "A title here"
    assert len(title_of("word " * 100)) <= 300


def test_programs_are_known_by_the_beginnings_of_their_lines() -> None:
    assert is_code("import os\n\ndef main() -> None:\n    print(os.sep)\n\nclass Pump:\n    pass\n")
    assert not is_code("We import goods.\nA class of 1990.\nDefine it.\n")


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("words\n" * 9, []),
        ("1 a\n" + "words\n" * 9, []),
        ("1 a\n2 b\n" + "words\n" * 9, [62]),
        ("words\n" * 5_000 + "1 a\n2 b\n", []),
        ("words\n" * 5_000 + "1 a\n2 b\n3 c\n4 d\n", [30_016]),
        ("1 a\n2 b\n" + "words\n" * 5_000, [16_384]),
    ],
)
def test_a_part_is_judged_if_enough_lines_begin_in_a_way(text: str, sizes: list[int]) -> None:
    assert [len(part.text) for part in judged_parts(Glance(text), re.compile(r"\n\d"), 2, 4)] == sizes
