"""Fused scores: judged by loops of plain Python, and by what may not change them."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from texts import LAW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.chunks import Chunk

TEXTS = {
    "pump": "It moves water. It has one motor. It hums. It is blue. It stands in the cellar.",
    "fan": "It moves air. It has two motors.",
    "lamp": "It is green.",
}


def levels_of_all() -> list[list[Chunk]]:
    """Chunk three documents at three sizes, the chunks of each size together as in an index."""
    nested = [
        spanwise.chunk_levels(spanwise.Document(id=name, text=text), "sentences", max_tokens=(8, 12, 24))
        for name, text in TEXTS.items()
    ]
    return [[chunk for levels in nested for chunk in levels[level]] for level in range(3)]


LEVELS = levels_of_all()
SMALL = LEVELS[0]
_SCORES = st.one_of(st.integers(-9, 9), st.floats(-1e6, 1e6).map(lambda score: round(score, 3)))


def scores_of(chunks: Sequence[Chunk]) -> st.SearchStrategy[list[float]]:
    return st.lists(_SCORES, min_size=len(chunks), max_size=len(chunks))


def standardised(scores: Sequence[float]) -> list[float]:
    deviation = statistics.pstdev(scores)
    return [(score - statistics.fmean(scores)) / deviation if deviation else 0.0 for score in scores]


def by_hand(scores: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """Add up the standardised scores of each small chunk, its parent and its grandparent."""
    known = [
        dict(zip((chunk.id for chunk in level), standardised(of), strict=True))
        for level, of in zip(LEVELS, scores, strict=True)
    ]
    parents = {chunk.id: chunk.parent_id for level in LEVELS for chunk in level}
    fused = []
    for chunk in SMALL:
        own, total = chunk.id, 0.0
        for level, weight in enumerate(weights):
            total += weight * known[level][own]
            own = str(parents[own])
        fused.append(total)
    return fused


@LAW
@given(
    scores=st.tuples(*map(scores_of, LEVELS)),
    weights=st.one_of(st.none(), st.tuples(*[st.floats(0, 4)] * 3)),
)
def test_a_small_chunk_has_its_own_its_parents_and_its_grandparents_score(
    scores: tuple[list[float], ...], weights: tuple[float, ...] | None
) -> None:
    """Each standardised over its level and weighed; without weights each larger one half."""
    expected = by_hand(scores, weights or (1.0, 0.5, 0.5))
    assert spanwise.fuse_levels(scores, LEVELS, weights).tolist() == pytest.approx(expected, abs=1e-5)


@LAW
@given(scores=st.tuples(*map(scores_of, LEVELS)), scale=st.floats(0.01, 100), shift=st.floats(-100, 100))
def test_the_unit_of_a_retriever_changes_nothing(scores: tuple[list[float], ...], scale: float, shift: float) -> None:
    """Scores of one level in another unit, or from another zero, give the same fused scores."""
    rounded = [[round(score, 1) for score in level] for level in scores]
    other = [rounded[0], [scale * score + shift for score in rounded[1]], rounded[2]]
    assert spanwise.fuse_levels(other, LEVELS).tolist() == pytest.approx(
        spanwise.fuse_levels(rounded, LEVELS).tolist(), abs=1e-3
    )


@LAW
@given(rows=st.lists(st.tuples(*map(scores_of, LEVELS)), min_size=1, max_size=3))
def test_many_questions_are_fused_as_each_alone(rows: list[tuple[list[float], ...]]) -> None:
    """A row for each question; no question sees the scores of another."""
    together = spanwise.fuse_levels([[row[level] for row in rows] for level in range(3)], LEVELS)
    assert together.tolist() == [spanwise.fuse_levels(row, LEVELS).tolist() for row in rows]
    shared = spanwise.fuse_neighbours([row[0] for row in rows], SMALL)
    assert shared.tolist() == [spanwise.fuse_neighbours(row[0], SMALL).tolist() for row in rows]


def shared_by_hand(scores: Sequence[float], chunks: Sequence[Chunk], weight: float) -> list[float]:
    """Look for the neighbours of each chunk among all chunks."""
    fused = []
    for chunk, own in zip(chunks, scores, strict=True):
        of_document = [
            (other.start, score)
            for other, score in zip(chunks, scores, strict=True)
            if other.document_id == chunk.document_id
        ]
        before = [score for start, score in sorted(of_document) if start < chunk.start][-1:]
        after = [score for start, score in sorted(of_document) if start > chunk.start][:1]
        fused.append((1 - weight) * own + weight * statistics.fmean(before + after or [own]))
    return fused


@LAW
@given(
    scores=scores_of(SMALL),
    order=st.permutations(range(len(SMALL))),
    weight=st.floats(0, 1),
)
def test_a_chunk_shares_in_the_scores_of_its_neighbours(scores: list[float], order: list[int], weight: float) -> None:
    """Of those right before and after it in its document, in whatever order the chunks are given."""
    chunks = [SMALL[place] for place in order]
    expected = shared_by_hand(scores, chunks, weight)
    assert spanwise.fuse_neighbours(scores, chunks, weight).tolist() == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_the_only_chunk_of_a_document_keeps_its_score() -> None:
    """It has no neighbours, and is not worse for it."""
    alone = [chunk for chunk in SMALL if chunk.document_id == "lamp"]
    assert spanwise.fuse_neighbours([3.0], alone).tolist() == [3.0]


def test_the_surroundings_decide_between_equal_matches() -> None:
    """Of two small chunks that match alike, the one whose parent matches better is first."""
    small, large = spanwise.chunk_levels(
        "The pump hums. It is loud. The car hums. It is fast.", "sentences", max_tokens=(6, 12)
    )
    fused = spanwise.fuse_levels([[1, 0, 1, 0], [3, 1]], (small, large))
    assert fused.argmax() == 0
    assert spanwise.fuse_levels([[1, 0, 1, 0], [3, 1]], (small, large), (1, 0)).tolist()[::2] == [1.0, 1.0]


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_scores_of_any_size_are_standardised(scale: float) -> None:
    """Neither very large nor very small ones are lost on the way."""
    small, large = spanwise.chunk_levels("It moves water. It has one motor.", max_tokens=(5, 16))
    assert spanwise.fuse_levels([[scale, -scale], [0.1]], (small, large)).tolist() == pytest.approx([1.0, -1.0])


def test_no_chunks_have_no_scores() -> None:
    """An empty index is no error."""
    assert spanwise.fuse_levels([[], []], [[], []]).tolist() == []
    assert spanwise.fuse_neighbours([], []).tolist() == []


def test_scores_are_not_changed() -> None:
    """What is given stays the caller's."""
    given_scores = [np.arange(len(level), dtype=float) for level in LEVELS]
    spanwise.fuse_levels(given_scores, LEVELS)
    spanwise.fuse_neighbours(given_scores[0], SMALL)
    assert [scores.tolist() for scores in given_scores] == [list(map(float, range(len(level)))) for level in LEVELS]


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1.0] * 8, [1.0]], r"2 arrays of scores and 3 weights for 3 levels"),
        ([[1.0] * 7, [1.0] * 5, [1.0] * 3], r"7 scores for 8 chunks of level 0: give one for each chunk"),
        ([[1.0] * 8, [[1.0] * 5] * 2, [1.0] * 3], r"level 1 have the shape \(2, 5\), those of level 0 \(8,\)"),
        ([[1.0] * 8, [1.0, math.nan, 1.0, 1.0, 1.0], [1.0] * 3], r"the score of the chunks of level 1 at 1 is nan"),
        ([[1.0] * 8, ["a"] * 5, [1.0] * 3], r"the scores of the chunks of level 1 are no array of numbers"),
    ],
)
def test_scores_that_do_not_match_are_refused(scores: list[list[float]], message: str) -> None:
    """The message says of which level, how many there are and how many chunks."""
    with pytest.raises(spanwise.ConfigurationError, match=message):
        spanwise.fuse_levels(scores, LEVELS)


def test_a_weight_is_a_number() -> None:
    """The message shows what was given."""
    with pytest.raises(spanwise.ConfigurationError, match=r"a weight of a level must be a number .* got nan"):
        spanwise.fuse_levels([[1.0] * 8, [1.0] * 5, [1.0] * 3], LEVELS, (1, math.nan, 1))


def test_levels_of_other_documents_are_refused() -> None:
    """A parent that is not there has no score."""
    small, _ = spanwise.chunk_levels("It moves water. It has one motor.", max_tokens=(5, 16))
    _, large = spanwise.chunk_levels("It moves air.", max_tokens=(5, 16))
    with pytest.raises(
        spanwise.ConfigurationError, match=r"chunk 0 of level 0 \(0:16 of ''\) has the parent '\w{32}', which"
    ):
        spanwise.fuse_levels([[1, 2], [1]], (small, large))


def test_a_share_is_between_none_and_all() -> None:
    """More than all would be less than nothing of its own."""
    with pytest.raises(spanwise.ConfigurationError, match="weight must be a number between 0 and 1, got 2"):
        spanwise.fuse_neighbours([1.0] * len(SMALL), SMALL, 2)
    with pytest.raises(spanwise.ConfigurationError, match="3 scores for 8 chunks"):
        spanwise.fuse_neighbours([1.0] * 3, SMALL)
