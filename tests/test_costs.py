"""How often, and with how much text, counters are asked: the cost of chunking in a form that no machine changes."""

from __future__ import annotations

import re
import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import spanwise
from oracles import DATA
from spanwise.counting import measure_of
from spanwise.counting.bytepair import BytePair
from spanwise.counting.huggingface import HuggingFace
from spanwise.counting.measure import MappedMeasure
from texts import docgen_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

PROSE = (DATA / "corpora" / "state_of_the_union.txt").read_text(encoding="utf-8")
HARD = docgen_documents()
MIXED = "\n\n".join(text[:600] for text in HARD.values())
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


class AskedWords(Asked):
    """One whose answers swing: words and signs, so a long word counts as much as a full stop."""

    def __call__(self, text: str) -> int:
        super().__call__(text)
        return len(re.findall(r"\w+|[^\w\s]", text))


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


@pytest.mark.parametrize("asked_as", [Asked, AskedWords])
@pytest.mark.parametrize("max_tokens", [128, 512])
@pytest.mark.parametrize("name", [*STRATEGIES, "hybrid", "delimiter"])
def test_a_bare_callable_is_asked_at_most_six_times_for_each_chunk(
    name: str, max_tokens: int, asked_as: type[Asked]
) -> None:
    """At most 6 calls a chunk on average and one more, 7 times the text in all: prose, chats, a mixture."""
    chats = (DATA / "corpora" / "chatlogs.txt").read_bytes().decode()
    for text in (PROSE[:20_000], chats[:20_000], MIXED):
        asked = asked_as()
        chunks = spanwise.Chunker(name, max_tokens=max_tokens, counter=asked, overflow="split").chunk(text)
        assert asked.calls <= 6 * len(chunks) + 1
        assert asked.characters <= 7 * len(text)


@pytest.mark.parametrize("asked_as", [Asked, AskedWords])
@pytest.mark.parametrize("name", ["words", "sentences", "paragraphs", "lines"])
def test_an_overlap_costs_a_bare_callable_three_calls_more(name: str, asked_as: type[Asked]) -> None:
    """The overlap is looked for, and counted alone."""
    for text in (PROSE[:20_000], MIXED):
        asked = asked_as()
        chunks = spanwise.Chunker(name, max_tokens=128, overlap_tokens=16, counter=asked, overflow="split").chunk(text)
        assert asked.calls <= 9 * len(chunks) + 1


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


class WatchedTokenizer:
    """A tokenizer of `tokenizers` with a look at how much text goes through it."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.characters = 0

    def encode(self, text: str, **options: bool) -> Any:
        self.characters += len(text)
        return self._tokenizer.encode(text, **options)


def word_piece() -> tuple[HuggingFace, WatchedTokenizer]:
    """Give a counter of a WordPiece file that has met no word, and what it asks."""
    made = HuggingFace((DATA / "minilm-wordpiece.tokenizer.json").read_text(encoding="utf-8"), "watched")
    made._tokenizer = watched = WatchedTokenizer(made._tokenizer)  # type: ignore[assignment]
    return made, watched


@pytest.mark.parametrize("max_tokens", [128, 512])
@pytest.mark.parametrize("name", STRATEGIES)
def test_word_piece_encodes_the_words_of_a_document_once(name: str, max_tokens: int) -> None:
    """Most words come again, so it is half of the text and less; nothing is encoded to confirm a chunk."""
    made, watched = word_piece()
    spanwise.Chunker(name, max_tokens=max_tokens, counter=made).chunk(PROSE)
    assert watched.characters <= 0.6 * len(PROSE)


@pytest.mark.parametrize("name", ["structural", "words", "sentences", "paragraphs"])
def test_a_tokenizer_of_which_nothing_is_proven_reads_a_document_about_twice(name: str) -> None:
    """Once for the map and once to confirm each chunk, as where a byte-pair vocabulary states no seam."""
    made, watched = word_piece()
    made._apart = made.additive_seam = None
    spanwise.Chunker(name, max_tokens=512, counter=made).chunk(PROSE[:20_000])
    assert watched.characters <= 2.3 * 20_000


def test_looking_up_a_map_copies_no_array() -> None:
    """A sought number of another type than the map's would have it copied at each call: quadratic in the text."""
    text = PROSE * 4
    measure = measure_of(carried(), text)
    assert isinstance(measure, MappedMeasure)
    tracemalloc.start()
    try:
        for start in range(0, len(text), len(text) // 50):
            measure.reach(start, 512)
            measure.back(start, 64)
            measure.count(start, start + 2_000)
        assert tracemalloc.get_traced_memory()[1] < 30_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("kind", "copies"), [("int64", 0), ("int32", 1)])
def test_a_map_is_taken_as_it_is_and_copied_once_if_it_is_of_another_type(kind: str, copies: int) -> None:
    """It takes eight bytes a token, and all that is looked up later is looked up in those."""
    ends = np.arange(1, 50_001, dtype=kind)

    class Given:
        name = "given"
        overhead = 0
        count = staticmethod(len)

        def token_ends(self, text: str) -> NDArray[np.integer]:  # noqa: ARG002 - the map of one text
            return ends

    tracemalloc.start()
    try:
        measure = measure_of(Given(), "x" * 50_000)
        assert measure.reach(10, 512) == 522
        made = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert made // (50_000 * 8) == copies


@pytest.mark.parametrize("strategy", ["words", "sentences", "sentence-window"])
def test_a_map_that_is_far_too_low_is_given_up(strategy: str) -> None:
    """After eight counts of far too much the counter is asked about windows of the budget, as if it had no map."""

    class Understated(Asked):
        name = "understated"
        overhead = 0

        def count(self, text: str) -> int:
            self.characters += len(text)
            return len(text)

        def token_ends(self, text: str) -> NDArray[np.int64]:
            return np.array([len(text)])

    counter, text = Understated(), PROSE[:20_000]
    chunks = spanwise.chunk(text, strategy, max_tokens=400, counter=counter)
    assert max(chunk.tokens for chunk in chunks) <= 400
    assert counter.characters < 12 * len(text)
