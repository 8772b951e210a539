"""Boundaries that find each other again after an edit: the cheapest parting, by prices that the text around sets."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import DATA
from spanwise.packing.steady import _apart, _cheapest, _least_near
from texts import LAW

SPEECH = (DATA / "corpora" / "state_of_the_union.txt").read_text(encoding="utf-8")
STABLE = [spanwise.Structural(stable=True), spanwise.Recursive(stable=True), spanwise.Sentences(stable=True)]
STRATEGIES = pytest.mark.parametrize("strategy", STABLE, ids=lambda strategy: type(strategy).__name__)


@LAW
@given(data=st.data())
def test_no_parting_is_cheaper(data: st.DataObject) -> None:
    """The oracle tries every way to cut a few places."""
    last = data.draw(st.integers(1, 7))
    costs = [data.draw(st.integers(0, 9)) / 4 for _ in range(last + 1)]
    within = sorted(data.draw(st.integers(0, last)) for _ in range(last))
    forced = [place > 0 and data.draw(st.integers(0, 4)) == 0 for place in range(last)] + [False]

    def price(cuts: list[int]) -> float | None:
        """Give what a parting costs, None where it is not allowed."""
        if any(forced[place] and place not in cuts for place in range(last)):
            return None
        if any(end > max(within[begin], begin + 1) for begin, end in pairwise([0, *cuts, last])):
            return None
        return sum(costs[cut] for cut in cuts) + costs[last]

    ways = [list(cuts) for size in range(last) for cuts in combinations(range(1, last), size)]
    prices = [found for cuts in ways if (found := price(cuts)) is not None]
    chosen = price(_cheapest(costs, within, forced))
    assert chosen is not None
    assert chosen == pytest.approx(min(prices))


@LAW
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), max_size=12), st.integers(0, 9))
def test_rungs_are_compared_with_those_nearby(steps: list[tuple[int, int]], near: int) -> None:
    """The oracle looks at all."""
    cuts, at = [], 0
    for step, _ in steps:
        at += step
        cuts.append(at)
    rungs = [rung for _, rung in steps]
    expected = [min(rungs[place] for place, cut in enumerate(cuts) if abs(cut - each) <= near) for each in cuts]
    assert _least_near(cuts, rungs, near) == expected


@LAW
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), max_size=12), st.integers(1, 5))
def test_a_cut_knows_the_nearest_better_one(steps: list[tuple[int, int]], rest: int) -> None:
    """On either side; of equals the one before is better. The oracle looks at all."""
    bounds, ranks = [0], [-1]
    for step, rank in steps:
        bounds.append(bounds[-1] + step)
        ranks.append(rank)
    bounds.append(bounds[-1] + rest)
    ranks.append(-1)
    pairs = list(zip(bounds, ranks, strict=True))
    expected = [
        min(abs(other - each) for other, least in pairs if least < rank or (least == rank and other < each))
        for each, rank in pairs[1:-1]
    ]
    assert _apart(bounds, ranks) == expected


def new_chunks(strategy: spanwise.Strategy, text: str) -> int:
    """Count the chunks that are new when a sentence is put before one, for every eighth sentence of a text."""
    chunker = spanwise.Chunker(strategy, max_tokens=128)
    known = {chunk.text for chunk in chunker.chunk(text)}
    ends = [place + 2 for place in range(len(text) - 2) if text[place : place + 2] == ". "][::8]
    edited = (text[:end] + "One more was put in here. " + text[end:] for end in ends)
    return sum(chunk.text not in known for each in edited for chunk in chunker.chunk(each))


@pytest.mark.parametrize("text", [SPEECH[:16_000], " ".join(SPEECH[:16_000].split())], ids=["lines", "one line"])
def test_an_edit_changes_fewer_chunks(text: str) -> None:
    """Than without it: with lines, and in one long paragraph."""
    assert new_chunks(spanwise.Sentences(stable=True), text) * 1.3 < new_chunks(spanwise.Sentences(), text)


@STRATEGIES
def test_chunks_are_filled_well_all_the_same(strategy: spanwise.Strategy) -> None:
    """About three quarters at the least."""
    chunks = spanwise.chunk(SPEECH, strategy, max_tokens=256)
    assert sum(chunk.tokens for chunk in chunks) > 0.75 * 256 * len(chunks)


@STRATEGIES
def test_text_without_sentences_is_parted_between_words(strategy: spanwise.Strategy) -> None:
    """At words that the text around chooses: what is written before moves few boundaries, and chunks are filled."""
    words = SPEECH[:24_000].replace(".", "").replace("?", "").replace("!", "").lower().split()
    text = " ".join(words)
    chunker = spanwise.Chunker(strategy, max_tokens=64)
    old = [chunk.text for chunk in chunker.chunk(text)]
    new = [chunk.text for chunk in chunker.chunk("some words before " + text)]
    assert len(set(new) - set(old)) <= 8
    assert sum(chunk.tokens for chunk in chunker.chunk(text)) > 0.7 * 64 * len(old)


@STRATEGIES
def test_no_sentence_is_cut_that_fits(strategy: spanwise.Strategy) -> None:
    """Words are looked at only where a sentence alone is over the budget."""
    short = "It moves water. "
    text = (short * 9 + "very " * 90 + "long it is. ") * 5
    ends = {chunk.end for chunk in spanwise.chunk(text, strategy, max_tokens=40)}
    starts = [place for place in range(len(text)) if text.startswith(short, place)]
    assert not any(start < end < start + len(short.rstrip()) for start in starts for end in ends)


@pytest.mark.parametrize("strategy", STABLE[1:])
def test_parts_repeat_the_end_of_the_one_before(strategy: spanwise.Strategy) -> None:
    """They are no units of thought, so overlap goes on across them."""
    chunker = spanwise.Chunker(strategy, max_tokens=64, overlap_tokens=12)
    chunks = chunker.chunk(SPEECH[:8_000])
    assert chunker.verify(SPEECH[:8_000], chunks) == []
    assert all(chunk.overlap for chunk in chunks[1:])


def test_sections_are_not_crossed_where_that_is_asked_for() -> None:
    """`within_sections` parts at every heading, `stable` inside."""
    text = "".join(f"## Part {number}\n\n{SPEECH[number * 900 : number * 900 + 800]}\n\n" for number in range(6))
    chunks = spanwise.chunk(text, spanwise.Structural(stable=True, within_sections=True), max_tokens=64)
    assert {len(chunk.sections) for chunk in chunks} == {1}


def test_the_whole_text_is_needed() -> None:
    """So it cannot stream, and says so."""
    with pytest.raises(spanwise.ConfigurationError, match="cannot stream"):
        next(spanwise.Chunker(spanwise.Structural(stable=True)).stream(["a"]))


@pytest.mark.parametrize("kind", [spanwise.Structural, spanwise.Recursive, spanwise.Sentences])
def test_a_word_is_no_switch(kind: type) -> None:
    """It would count as true."""
    with pytest.raises(spanwise.ConfigurationError, match="stable must be True or False, got 'no'"):
        kind(stable="no")
