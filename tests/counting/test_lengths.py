"""Characters, words and bytes are counted and mapped exactly."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

from oracles import hard_texts
from spanwise.counting.lengths import LENGTHS, Bytes, Characters, Words
from spanwise.counting.token_map import scaled
from spanwise.whitespace import WHITE_SPACE


@pytest.mark.parametrize("name", sorted(LENGTHS))
@given(text=hard_texts())
def test_the_map_of_a_length_has_one_end_for_each_unit(name: str, text: str) -> None:
    """The map law; a text without units has an empty map."""
    made = LENGTHS[name]
    ends = made.token_ends(text)
    assert ends.dtype == np.int64
    assert len(ends) == made.count(text)
    assert (np.diff(ends, prepend=0) >= 0).all()
    assert not len(ends) or ends[-1] == len(text)


@given(text=hard_texts())
def test_characters_are_code_points(text: str) -> None:
    """A code point is a character, also a lone surrogate."""
    assert Characters().count(text) == len(list(text))


@given(text=hard_texts())
def test_words_are_runs_of_what_is_not_white_space(text: str) -> None:
    """Judged by splitting at the carried set of white space."""
    assert Words().count(text) == len([word for word in re.split(f"[{re.escape(WHITE_SPACE)}]", text) if word])


@given(text=hard_texts())
def test_bytes_are_those_of_utf8_with_three_for_a_lone_surrogate(text: str) -> None:
    """Judged one code point at a time."""
    sizes = [1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4 for code in map(ord, text)]
    assert Bytes().count(text) == sum(sizes)


@given(text=hard_texts())
def test_an_end_of_a_byte_is_the_number_of_characters_whole_after_it(text: str) -> None:
    """All bytes of a character but the last end before it."""
    expected = []
    for position, character in enumerate(text):
        expected += [position] * (Bytes().count(character) - 1) + [position + 1]
    assert Bytes().token_ends(text).tolist() == expected


def test_a_word_ends_where_the_next_one_starts() -> None:
    """White space belongs to the word before it."""
    assert Words().token_ends("  one two\n three ").tolist() == [6, 11, 17]


def test_information_separators_and_the_byte_order_mark_are_no_white_space() -> None:
    """str.split takes the first for white space; Unicode does not."""
    assert Words().count("a\x1cb \ufeffc\u200bd") == 2


@pytest.mark.parametrize("name", sorted(LENGTHS))
def test_the_map_of_a_length_is_its_count(name: str) -> None:
    """So that nothing is counted twice."""
    made = LENGTHS[name]
    assert made.maps_exactly("a \u00e9")


def test_a_map_of_ends_that_are_all_at_the_beginning_is_stretched_to_the_end() -> None:
    """A normalizer dropped all that the tokens stood for."""
    assert scaled(np.zeros(2, np.int32), 3).tolist() == [3, 3]
