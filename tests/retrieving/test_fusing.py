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

    from numpy.typing import ArrayLike

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
        ([[1.0] * 8, ["a"] * 5, [1.0] * 3], r"scores of the chunks of level 1 is no array of real numbers.* 'a'"),
        (
            [[1.0] * 8, [1j] * 5, [1.0] * 3],
            r"of level 1 is no array of real numbers, it holds complex numbers, first 1j",
        ),
        ([[1.0] * 8, [1.0, 10**400, 1, 1, 1], [1.0] * 3], r"of level 1 is no array of numbers: it holds 10+….* at 1; "),
        ([[1.0] * 8, [1.0, None, 1, 1, 1], [1.0] * 3], r"of level 1 is no array of numbers: it holds None at 1; give"),
        (
            [[1.0] * 8, [[1.0], [1.0, 2.0]], [1.0] * 3],
            r"of level 1 is no array of numbers: .*\[\[1.0\], \[1.0, 2.0\]\]",
        ),
        ([[1.0] * 8, None, [1.0] * 3], r"of level 1 is no array of numbers: it holds None; give"),
        (None, r"scores must be one array for each level, got None"),
    ],
)
def test_scores_that_do_not_match_are_refused(scores: list[ArrayLike], message: str) -> None:
    """The message says of which level, how many there are and how many chunks."""
    with pytest.raises(spanwise.ConfigurationError, match=message):
        spanwise.fuse_levels(scores, LEVELS)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ((1, math.nan, 1), "a weight of a level must be a number such as 0.5, got nan"),
        ((1, 10**400, 1), "a weight of a level must be a number such as 0.5, got 10+…"),
        (("1", 1, 1), "a weight of a level must be a number such as 0.5, got '1'"),
        (0.5, r"weights must be one number for each level, such as \(1, 0.5\), got 0.5"),
        ("111", "weights must be one number for each level, .* got '111'"),
    ],
)
def test_weights_are_a_number_for_each_level(weights: object, message: str) -> None:
    """The message shows what was given."""
    with pytest.raises(spanwise.ConfigurationError, match=message):
        spanwise.fuse_levels([[1.0] * 8, [1.0] * 5, [1.0] * 3], LEVELS, weights)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (None, "levels must be what chunk_levels gives, got None"),
        ([None] * 3, r"levels\[0\] must be chunks, got None"),
        ([SMALL, ["a"], []], r"levels\[1\]\[0\] must be a Chunk, got 'a'"),
        (SMALL, r"levels\[0\] must be chunks, got Chunk"),
    ],
)
def test_levels_are_lists_of_chunks(levels: object, message: str) -> None:
    """The message says what stands where."""
    with pytest.raises(spanwise.ConfigurationError, match=message):
        spanwise.fuse_levels([[1.0] * 8, [1.0] * 5, [1.0] * 3], levels)  # type: ignore[arg-type]


@pytest.mark.parametrize("chunks", [None, "a", SMALL[0]])
def test_only_chunks_have_neighbours(chunks: object) -> None:
    """One chunk alone is no list of chunks."""
    with pytest.raises(spanwise.ConfigurationError, match="chunks must be chunks, got"):
        spanwise.fuse_neighbours([1.0], chunks)  # type: ignore[arg-type]


def test_iterators_are_taken_as_lists_are() -> None:
    """Of scores, levels, weights and chunks."""
    scores = [list(range(len(level))) for level in LEVELS]
    assert (
        spanwise.fuse_levels(map(iter, scores), map(iter, LEVELS), iter((1, 2, 3))).tolist()  # type: ignore[arg-type]
        == spanwise.fuse_levels(scores, LEVELS, (1, 2, 3)).tolist()
    )
    assert (
        spanwise.fuse_neighbours(scores[0], iter(SMALL)).tolist() == spanwise.fuse_neighbours(scores[0], SMALL).tolist()
    )


def test_whole_numbers_over_64_bits_are_scores() -> None:
    """As long as a float holds them."""
    assert spanwise.fuse_neighbours([2**70] * 8, SMALL).tolist() == [2.0**70] * 8


@LAW
@given(scores=scores_of(SMALL), kept=st.sets(st.integers(0, len(SMALL) - 1)), weight=st.floats(0, 1))
def test_of_a_few_chunks_only_those_right_before_and_after_are_neighbours(
    scores: list[float], kept: set[int], weight: float
) -> None:
    """A chunk that is not given has no score to share; none shares in the score of one that is further away."""
    few = sorted(kept)
    expected = []
    for place in few:
        chunk = SMALL[place]
        near = [
            scores[other]
            for other in few
            if SMALL[other].document_id == chunk.document_id and abs(SMALL[other].index - chunk.index) == 1
        ]
        expected.append((1 - weight) * scores[place] + weight * statistics.fmean(near or [scores[place]]))
    got = spanwise.fuse_neighbours([scores[place] for place in few], [SMALL[place] for place in few], weight)
    assert got.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_chunks_far_apart_are_no_neighbours() -> None:
    """Though nothing between them is given."""
    of_pump = [chunk for chunk in SMALL if chunk.document_id == "pump"]
    assert spanwise.fuse_neighbours([1, 9], [of_pump[0], of_pump[3]]).tolist() == [1.0, 9.0]


def test_a_chunk_is_no_neighbour_of_itself() -> None:
    """Given twice, each keeps its own score, and its neighbour shares in their mean."""
    first, second = SMALL[:2]
    assert spanwise.fuse_neighbours([1, 9], [first, first], 0.5).tolist() == [1.0, 9.0]
    assert spanwise.fuse_neighbours([2, 6, 0], [first, first, second], 0.5).tolist() == [1.0, 3.0, 2.0]


def test_chunks_of_two_sizes_are_no_neighbours() -> None:
    """Those of each size are neighbours of their own."""
    levels = spanwise.chunk_levels("It moves water. It has one motor. It hums.", "sentences", max_tokens=(6, 12, 40))
    fused = spanwise.fuse_neighbours([4, 0, 0, 8, 0, 5], [chunk for level in levels for chunk in level], 0.5)
    assert [len(level) for level in levels] == [3, 2, 1]
    assert fused.tolist() == [2.0, 1.0, 0.0, 4.0, 4.0, 5.0]


def test_chunks_of_two_bare_texts_are_no_neighbours() -> None:
    """Both have the document id "": the first of each are two chunks of index 0."""
    chunks = [
        chunk
        for text in ("It moves water. It hums.", "It heats water. It is blue.")
        for chunk in spanwise.chunk(text, "sentences", max_tokens=6)
    ]
    with pytest.raises(spanwise.SpanError, match=r"document '' are not of the same text, .*: give each document an id"):
        spanwise.fuse_neighbours([1.0] * 4, chunks)
    with pytest.raises(spanwise.SpanError, match="not of the same text, both are chunk 0: give each document an id"):
        spanwise.fuse_neighbours(
            [1, 2], [spanwise.Chunk(text="ab", start=start, end=start + 2, tokens=1) for start in (0, 2)]
        )


def test_a_parent_of_another_bare_text_is_found_out() -> None:
    """Equal texts of two bare documents have equal ids, wherever they stand."""
    text = "It moves water. It has one motor."
    small, large = spanwise.chunk_levels(text, "sentences", max_tokens=(6, 16))
    others, larger = spanwise.chunk_levels(f"{'It is very, very blue. ' * 4}{text}", "sentences", max_tokens=(7, 16))
    assert larger[-1].id == large[0].id
    with pytest.raises(
        spanwise.SpanError, match=r"not of the same text, both have the id '\w{32}': give each document"
    ):
        spanwise.fuse_levels(
            [[1.0] * (len(small) + len(others)), [1.0] * (1 + len(larger))], ([*small, *others], [*large, *larger])
        )
    with pytest.raises(spanwise.SpanError, match="not of the same text, the one is the parent of the other and not"):
        spanwise.fuse_levels([[1.0] * len(small), [1.0] * len(larger)], (small, larger))


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
    halves = [spanwise.fuse_neighbours(range(8), SMALL, weight).tolist() for weight in (0.5, np.float32(0.5))]  # type: ignore[arg-type]
    assert halves[0] == halves[1]
    with pytest.raises(spanwise.ConfigurationError, match="3 scores for 8 chunks"):
        spanwise.fuse_neighbours([1.0] * 3, SMALL)
