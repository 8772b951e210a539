"""Lines, with every line end that Unicode knows."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given

from spanwise.segmenting.lines import LineCuts, Lines
from spanwise.segmenting.segmenter import segments_of
from texts import LAW, chunked_texts


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_a_line_owns_its_end(end: str) -> None:
    """LF, CR LF, CR, VT, FF, NEL, LS and PS end a line (the mandatory breaks of UAX 14)."""
    assert segments_of(Lines(), f"one{end}two{end}") == [f"one{end}", f"two{end}"]


def test_separators_of_records_end_no_line() -> None:
    """U+001C to U+001E are line ends for `str.splitlines` alone."""
    assert segments_of(Lines(), "a\x1cb\x1dc\x1ed\n") == ["a\x1cb\x1dc\x1ed\n"]


def test_empty_lines_are_lines() -> None:
    """Each line end ends one, CR LF being one line end."""
    assert segments_of(Lines(), "a\n\n\r\n\rb") == ["a\n", "\n", "\r\n", "\r", "b"]


@LAW
@given(text=chunked_texts())
def test_lines_are_those_of_one_expression(text: str) -> None:
    """The same as a regular expression over the whole text."""
    assert segments_of(Lines(), text) == regex.findall(
        r"[^\n-\r\x85\u2028\u2029]*(?:\r\n|[\n-\r\x85\u2028\u2029])|[^\n-\r\x85\u2028\u2029]+\Z", text
    )


def test_a_line_end_of_two_characters_may_be_the_first_of_the_text() -> None:
    """Nor is it parted there."""
    cuts = LineCuts("\r\na")
    assert [cuts.last(0, upto) for upto in (1, 2)] == [0, 2]
