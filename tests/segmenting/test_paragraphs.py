"""Paragraphs, which blank lines part."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given

from spanwise.segmenting.paragraphs import ParagraphCuts, Paragraphs
from spanwise.segmenting.segmenter import segments_of
from texts import LAW, chunked_texts


def test_a_paragraph_owns_the_blank_lines_after_it() -> None:
    """However many, and at the beginning of a text they are a part of their own."""
    assert segments_of(Paragraphs(), "One\nmore.\n\n\nTwo.\n\n") == ["One\nmore.\n\n\n", "Two.\n\n"]


@pytest.mark.parametrize(
    "blank", ["\n\n", "\r\n\r\n", "\r\r", "\n \t\n", "\n\u3000\n", "\n\x85", "\x0c\x0c", "\u2028\u2028"]
)
def test_a_line_of_white_space_is_blank(blank: str) -> None:
    """Whatever ends the lines and whatever white space stands in it."""
    assert segments_of(Paragraphs(), f"One.{blank}Two.") == [f"One.{blank}", "Two."]


def test_a_paragraph_separator_ends_one_by_itself() -> None:
    """U+2029 needs no blank line."""
    assert segments_of(Paragraphs(), "One.\u2029Two.\u2028Still two.") == ["One.\u2029", "Two.\u2028Still two."]


def test_indented_text_begins_at_its_line() -> None:
    """The blanks before the first word belong to its paragraph."""
    assert segments_of(Paragraphs(), "One.\n\n  Two.") == ["One.\n\n", "  Two."]


@pytest.mark.parametrize("line", ["\ufeff", "\u200b", "\x1c", "\x00"])
def test_what_is_no_white_space_is_no_blank_line(line: str) -> None:
    """BOM, zero-width space and control characters are text by Unicode's White_Space."""
    assert segments_of(Paragraphs(), f"One.\n{line}\nTwo.") == [f"One.\n{line}\nTwo."]


@LAW
@given(text=chunked_texts())
def test_a_paragraph_begins_with_a_line_of_text_after_a_blank_line(text: str) -> None:
    """By the lines of the whole text: what stands before a paragraph ends with a blank line or U+2029."""
    lines = regex.findall(
        r"[^\n-\r\x85\u2028\u2029]*(?:\r\n|[\n-\r\x85\u2028\u2029])|[^\n-\r\x85\u2028\u2029]+\Z", text
    )
    blank = [regex.fullmatch(r"\p{White_Space}+", line) is not None for line in lines]
    made: list[str] = []
    for place, line in enumerate(lines):
        begins = place == 0 or (not blank[place] and (blank[place - 1] or lines[place - 1].endswith("\u2029")))
        if begins:
            made.append(line)
        else:
            made[-1] += line
    assert segments_of(Paragraphs(), text) == made


def test_a_blank_line_may_be_the_first_of_the_text() -> None:
    """Whatever ends it."""
    for end in ("\n", "\r\n", "\r"):
        assert ParagraphCuts(f"{end}word").last(0, len(end) + 1) == len(end)
