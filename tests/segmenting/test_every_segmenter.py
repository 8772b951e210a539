"""What holds of every segmenter, for every text."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.segmenting.delimiters import Delimiters
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.headings import Headings
from spanwise.segmenting.lines import Lines
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.segmenter import cuts_of, segments_of
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from texts import LAW, boundaries_of, chunked_texts

if TYPE_CHECKING:
    from spanwise.segmenting.segmenter import Segmenter

SEGMENTERS: dict[str, Segmenter] = {
    "graphemes": Graphemes(),
    "words": Words(),
    "blanks": Blanks(),
    "lines": Lines(),
    "hard-lines": HardLines(),
    "paragraphs": Paragraphs(),
    "sentences": Sentences(),
    "headings": Headings(),
    "delimiter-of-one": Delimiters("|"),
    "delimiter-that-overlaps-itself": Delimiters("aa"),
    "delimiter-inside-a-cluster": Delimiters("e"),
    "delimiter-of-line-feeds": Delimiters("\n\n"),
}
EVERY = pytest.mark.parametrize("name", sorted(SEGMENTERS))
ASKED = st.lists(st.tuples(st.booleans(), st.integers(0, 400), st.integers(0, 400)), max_size=20)


@EVERY
@LAW
@given(text=chunked_texts())
def test_cuts_increase_and_end_with_the_text(name: str, text: str) -> None:
    """Every cut lies in (0, len(text)], they strictly increase, and the last is the end."""
    cuts = list(cuts_of(SEGMENTERS[name], text))
    assert cuts == sorted(set(cuts))
    assert not cuts or (cuts[0] > 0 and cuts[-1] == len(text))
    assert bool(cuts) is bool(text)


@EVERY
@LAW
@given(text=chunked_texts())
def test_segments_tile_the_text(name: str, text: str) -> None:
    """Joined the segments are the text."""
    assert "".join(segments_of(SEGMENTERS[name], text)) == text


@EVERY
@LAW
@given(text=chunked_texts())
def test_no_cut_is_inside_a_cluster(name: str, text: str) -> None:
    """A cut is a boundary of one pass of extended grapheme clusters over the whole text; so never between CR and LF."""
    assert set(cuts_of(SEGMENTERS[name], text)) <= set(boundaries_of(text))


@EVERY
@LAW
@given(text=chunked_texts(), asked=ASKED)
def test_any_question_is_answered_as_by_the_full_list(name: str, text: str, asked: list[tuple[bool, int, int]]) -> None:
    """`last` and `next` give what the list of all cuts gives, whatever was asked before.

    A question starts at a cluster boundary, since a chunk does.
    """
    listed = list(cuts_of(SEGMENTERS[name], text))
    cuts = SEGMENTERS[name].cuts(text)
    boundaries = boundaries_of(text)
    for backwards, first, second in asked:
        after, upto = sorted((boundaries[first % len(boundaries)], second % (len(text) + 1)))
        after = boundaries[bisect_right(boundaries, after) - 1]
        inside = [cut for cut in listed if after < cut <= upto]
        if backwards:
            assert cuts.last(after, upto, after) == max(inside, default=after), (after, upto)
        else:
            assert cuts.next(after, upto) == min(inside, default=after), (after, upto)
