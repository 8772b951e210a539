"""Grapheme clusters, as a reader sees characters."""

from __future__ import annotations

from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.segmenting.graphemes import Graphemes, floor, is_boundary, next_boundary
from spanwise.segmenting.segmenter import segments_of
from texts import LAW, boundaries_of, chunked_texts


@LAW
@given(text=chunked_texts())
def test_boundaries_are_those_of_one_pass_over_the_text(text: str) -> None:
    """`is_boundary` looks near an offset alone and says what a pass over everything says."""
    assert [offset for offset in range(len(text) + 1) if is_boundary(text, offset)] == boundaries_of(text)


@LAW
@given(text=chunked_texts(), offset=st.integers(0, 400))
def test_floor_and_next_are_the_neighbours(text: str, offset: int) -> None:
    """`floor` is the last boundary up to an offset, `next_boundary` the first after a boundary."""
    boundaries = boundaries_of(text)
    offset %= len(text) + 1
    low = boundaries[bisect_right(boundaries, offset) - 1]
    assert floor(text, offset) == low
    if low < len(text):
        above = boundaries[bisect_right(boundaries, offset)]
        assert next_boundary(text, low) == above


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "\r\n",
        "e\u0301",
        "a" + "\u0301" * 500,
        "각",
        "\u1100\u1161\u11a8",
        "नि",
        "🇩🇪",
        "👍🏽",
        "👨\u200d👩\u200d👧\u200d👦",
        "1\ufe0f\u20e3",
        "\u0600\u0661",
        " \u0301",
    ],
)
def test_one_character_is_one_segment(text: str) -> None:
    """What a reader sees as one character is not parted, however many code points it has."""
    assert segments_of(Graphemes(), text) == [text]


def test_flags_pair_up_from_the_left() -> None:
    """Rules GB12 and GB13: of an odd run the last stands alone."""
    assert segments_of(Graphemes(), "🇩🇪🇫🇷🇯") == ["🇩🇪", "🇫🇷", "🇯"]


def test_a_line_end_takes_no_mark() -> None:
    """Rules GB4 and GB5: nothing joins a control character but CR its LF."""
    assert segments_of(Graphemes(), "\n\u0301\r\r\n") == ["\n", "\u0301", "\r", "\r\n"]


def test_a_return_alone_is_a_character_of_its_own() -> None:
    """With a line feed it is half of one."""
    assert is_boundary("\ra", 1)
    assert not is_boundary("\r\na", 1)
