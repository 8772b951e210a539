"""Words of UAX 29 with the white space after them."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given

from spanwise.segmenting.segmenter import cuts_of, segments_of
from spanwise.segmenting.words import Blanks, Words, is_word_cut
from texts import LAW, WHITE_SPACE, boundaries_of, chunked_texts


def test_the_example_of_the_standard() -> None:
    """UAX 29, section 4: the quick fox, its brackets, quotes and numbers."""
    text = 'The quick ("brown") fox can\u2019t jump 32.3 feet, right?'
    words = [word for segment in segments_of(Words(), text) if (word := segment.strip())]
    expected = [
        "The",
        "quick",
        "(",
        '"',
        "brown",
        '"',
        ")",
        "fox",
        "can\u2019t",
        "jump",
        "32.3",
        "feet",
        ",",
        "right",
        "?",
    ]
    assert words == expected


@pytest.mark.parametrize(
    "word",
    [
        "don't",
        "3,456.789",
        "can\u2019t",
        "snake_case",
        "naïve",
        "e\u0301te\u0301",
        "ελληνικά",
        "한국어",
        "A1b2",
        "\u05d0\u05f4\u05d1",
    ],
)
def test_a_word_is_not_parted(word: str) -> None:
    """Apostrophes, separators of numbers, underscores and combining marks stand inside a word."""
    assert segments_of(Words(), word) == [word]


def test_white_space_may_be_cut_anywhere() -> None:
    """A run of white space has a cut after each of its characters, CR LF being one."""
    assert segments_of(Words(), "a  b\t\r\n c") == ["a", " ", " ", "b", "\t", "\r\n", " ", "c"]


def test_scripts_without_blanks_may_be_cut_between_clusters() -> None:
    """Han, Kana, Thai, Lao, Khmer and Myanmar: every cluster may be a word."""
    assert segments_of(Words(), "中文字") == ["中", "文", "字"]
    assert segments_of(Words(), "ภาษา") == ["ภ", "า", "ษ", "า"]


@LAW
@given(text=chunked_texts())
def test_cuts_are_the_edges_of_the_standard_and_those_around_open_characters(text: str) -> None:
    """One pass of word boundaries over the whole text, and the edges of blanks and unspaced scripts, at clusters."""
    unspaced = regex.compile(
        r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"
    )
    edges = {match.start() for match in regex.finditer(r"(?w)\b", text)} | {len(text)}
    for offset, character in enumerate(text):
        if character in WHITE_SPACE or unspaced.match(character):
            edges |= {offset, offset + 1}
    assert list(cuts_of(Words(), text)) == sorted((edges & set(boundaries_of(text))) - {0})


@LAW
@given(text=chunked_texts())
def test_cuts_at_blanks_are_some_of_the_cuts_between_words(text: str) -> None:
    """The better half: a cut after white space is also a cut between words."""
    assert set(cuts_of(Blanks(), text)) <= set(cuts_of(Words(), text))


@LAW
@given(text=chunked_texts())
def test_one_offset_is_judged_as_by_the_list(text: str) -> None:
    """`is_word_cut` looks near an offset alone."""
    cuts = {0, *cuts_of(Words(), text)}
    assert [offset for offset in range(len(text) + 1) if is_word_cut(text, offset)] == sorted(cuts)


def test_a_blank_is_kept_with_the_word_before() -> None:
    """Blanks cut after white space, and not at an apostrophe or a bracket."""
    assert segments_of(Blanks(), "well, (don't) stop") == ["well, ", "(don't) ", "stop"]
    assert segments_of(Blanks(), "漢 字") == ["漢 ", "字"]


def test_a_full_stop_stays_with_the_character_before_it() -> None:
    """Where scripts without blanks are cut, closing marks do not begin a segment."""
    assert segments_of(Blanks(), "はい。」そう") == ["は", "い。」", "そ", "う"]
