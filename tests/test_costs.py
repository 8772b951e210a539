"""How often, and with how much text, counters are asked: the cost of chunking in a form that no machine changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import spanwise
from oracles import DATA
from spanwise.counting.bytepair import BytePair
from texts import docgen_documents

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROSE = (DATA / "corpora" / "state_of_the_union.txt").read_text(encoding="utf-8")
HARD = docgen_documents()
STRATEGIES = ["structural", "words", "sentences", "recursive", "sections", "lines", "paragraphs", "tokens"]


def carried() -> BytePair:
    """Give the carried vocabulary, which has a map."""
    counter = spanwise.counter("cl100k_base")
    assert isinstance(counter, BytePair)
    return counter


class Asked:
    """A bare callable that remembers what it was asked: about a token for four bytes, so neither additive nor exact."""

    def __init__(self) -> None:
        self.calls = 0
        self.characters = 0
        self.longest = 0

    def __call__(self, text: str) -> int:
        self.calls += 1
        self.characters += len(text)
        self.longest = max(self.longest, len(text))
        return len(text.encode()) // 4 + (1 if text else 0)


class Watched:
    """The carried vocabulary with a look at how much text goes through it, map and counts together."""

    name = "watched"
    overhead = 0

    def __init__(self) -> None:
        self._counter = carried()
        self.characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return self._counter.count(text)

    def token_ends(self, text: str) -> NDArray[np.int64]:
        self.characters += len(text)
        return self._counter.token_ends(text)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("max_tokens", [64, 512])
def test_a_bare_callable_is_asked_about_three_times_for_each_chunk_of_prose(name: str, max_tokens: int) -> None:
    """At most 3 calls a chunk, windows a quarter longer than what the budget holds, 3.5 times the text in all."""
    asked = Asked()
    chunks = spanwise.Chunker(name, max_tokens=max_tokens, counter=asked).chunk(PROSE)
    assert asked.calls <= 3 * len(chunks)
    assert asked.longest <= 1.25 * 4 * max_tokens
    assert asked.characters <= 3.5 * len(PROSE)


@pytest.mark.parametrize("document", sorted(HARD))
def test_a_bare_callable_is_asked_at_most_six_times_for_each_chunk_of_hard_text(document: str) -> None:
    """At most 6 calls a chunk on average and one more, 8 times the text in all, also without a place to cut at."""
    asked = Asked()
    text = HARD[document]
    chunks = spanwise.Chunker("structural", max_tokens=64, counter=asked, overflow="split", blank="keep").chunk(text)
    assert asked.calls <= 6 * len(chunks) + 1
    assert asked.longest <= 1.25 * 4 * 64
    assert asked.characters <= 8 * len(text)


@pytest.mark.parametrize("size", [10_000, 80_000])
def test_calls_for_each_chunk_do_not_grow_with_the_document(size: int) -> None:
    """A document eight times as long takes eight times the calls."""
    asked = Asked()
    chunks = spanwise.Chunker("structural", max_tokens=64, counter=asked).chunk((PROSE * 2)[:size])
    assert asked.calls <= 3 * len(chunks)


@pytest.mark.parametrize("corpus", ["state_of_the_union", "wikitexts", "chatlogs"])
@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("max_tokens", [128, 512])
def test_a_document_is_tokenized_about_twice(name: str, max_tokens: int, corpus: str) -> None:
    """Once for the map and once to confirm each chunk; what stepping back costs stays under 30 % of the text."""
    text = (DATA / "corpora" / f"{corpus}.txt").read_bytes().decode()
    watched = Watched()
    spanwise.Chunker(name, max_tokens=max_tokens, counter=watched).chunk(text)
    assert watched.characters <= 2.3 * len(text)


def test_a_document_that_fits_one_chunk_is_tokenized_once() -> None:
    """The map of the carried vocabulary is its count: nothing is left to confirm."""
    text = PROSE[:1000]
    calls: list[str] = []
    counter = carried()

    class Spied:
        name = "spied"
        overhead = 0
        token_ends = counter.token_ends
        maps_exactly = counter.maps_exactly

        def count(self, text: str) -> int:
            calls.append(text)
            return counter.count(text)

    (chunk,) = spanwise.Chunker(max_tokens=512, counter=Spied()).chunk(text)
    assert chunk.tokens == counter.count(text)
    assert calls == []


@pytest.mark.parametrize("corpus", ["state_of_the_union", "wikitexts", "chatlogs"])
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_document_is_tokenized_about_once_where_the_counter_states_seams(name: str, corpus: str) -> None:
    """Once for the map; to confirm a chunk only its ends are encoded, as far as the next blank or line.

    Chunks of under 1,000 characters are encoded whole, which is cheaper, and so is what has no seam near an end.
    """
    text = (DATA / "corpora" / f"{corpus}.txt").read_bytes().decode()
    counter = carried()

    class WatchedWithSeams(Watched):
        maps_exactly = counter.maps_exactly
        additive_seam = counter.additive_seam

    watched = WatchedWithSeams()
    chunks = spanwise.Chunker(name, max_tokens=512, counter=watched).chunk(text)
    assert watched.characters <= 1.1 * len(text)
    assert [chunk.tokens for chunk in chunks] == [counter.count(chunk.text) for chunk in chunks]
