"""Literal delimiters, each owned by the segment before it."""

from __future__ import annotations

import pytest

from spanwise import ConfigurationError
from spanwise.segmenting.delimiters import Delimiters
from spanwise.segmenting.segmenter import segments_of


def test_a_segment_owns_the_delimiter_after_it() -> None:
    """Nothing is lost: joined the segments are the text."""
    assert segments_of(Delimiters(";"), "a;b;;c") == ["a;", "b;", ";", "c"]


def test_a_delimiter_is_literal() -> None:
    """It is no regular expression."""
    assert segments_of(Delimiters(".*"), "a.*b.c") == ["a.*", "b.c"]


def test_delimiters_that_share_characters_all_count() -> None:
    """After each place where it stands."""
    assert segments_of(Delimiters("aa"), "aaab") == ["aa", "a", "b"]


def test_a_delimiter_inside_a_character_is_none() -> None:
    """The e of é spelled in two is not the letter e."""
    assert segments_of(Delimiters("e"), "e\u0301e!") == ["e\u0301e", "!"]


def test_a_delimiter_that_ends_in_a_return_does_not_part_it_from_its_line_feed() -> None:
    """CR LF is one line end."""
    assert segments_of(Delimiters("\r"), "a\rb\r\nc") == ["a\r", "b\r\nc"]


@pytest.mark.parametrize("delimiter", ["", None, 7])
def test_a_delimiter_is_a_string_that_is_not_empty(delimiter: object) -> None:
    """The message shows what was given."""
    with pytest.raises(ConfigurationError, match=f"at least one character, got {delimiter!r}"):
        Delimiters(delimiter)  # type: ignore[arg-type]


def test_the_last_cut_is_looked_for_past_those_inside_a_character() -> None:
    """From right to left as from left to right."""
    cuts = Delimiters("e").cuts("ae-e\u0301-")
    assert (cuts.last(0, 5, 0), cuts.next(2, 5)) == (2, 2)


def test_a_delimiter_is_named_as_python_writes_it() -> None:
    """So that one which is white space can be seen."""
    assert Delimiters("\n").name == "delimiter '\\n'"
