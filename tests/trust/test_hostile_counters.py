"""Whatever a counter answers, all promises hold as counted by it, or one documented error is raised; never a hang.

The documented errors are `CounterError` (it raised, panicked, gave what is no count, or a map that is none),
`ChunkingError` (a word that it counts over the budget) and `BudgetError` (a code point that it does). Every counter
here says how often it was asked, and stops the program where that is more than a few times per chunk.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import spanwise
from strategy_rows import ROWS
from texts import LAW, WHITE_SPACE, chunked_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

PROSE = "# Pumps\n\nIt was a bright cold day in April, and the clocks struck thirteen. Nobody had wound them.\n\n" * 12
QUICK = ("recursive", "words")
STRATEGIES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in sorted(ROWS)]


class AskedTooOften(SystemExit):
    """Ends the program, as no error of a counter does."""


class Hostile:
    """A counter that is asked, and says how often; a hang is an answer too many."""

    name = "hostile"
    most_calls = 10**9

    def __init__(self) -> None:
        self.calls = self.characters = 0

    def count(self, text: str) -> int:
        self.calls += 1
        self.characters += len(text)
        if self.calls > self.most_calls:
            raise AskedTooOften
        return self.answer(text)

    def answer(self, text: str) -> int:
        return len(text)


class Falling(Hostile):
    """A longer text often has fewer tokens: every fifth length has five less."""

    def answer(self, text: str) -> int:
        return max(len(text) - 5 * (len(text) % 5 == 0), min(len(text), 1))


class Zigzag(Hostile):
    """Up to half of the tokens come and go with the last character."""

    def answer(self, text: str) -> int:
        return len(text) // (1 + ord(text[-1]) % 2) if text else 0


class SuperAdditive(Hostile):
    """Two texts together have more tokens than each alone has: a sum says too little."""

    def answer(self, text: str) -> int:
        return len(text) + len(text) ** 2 // 50


class SubAdditive(Hostile):
    """Every text has seven tokens besides its own: a sum says far too much."""

    def answer(self, text: str) -> int:
        return len(text) // 4 + 7


class TwoMore(Hostile):
    """[CLS] and [SEP] come with every text, the empty one too, and nothing says so."""

    def answer(self, text: str) -> int:
        return len(text) // 3 + 2


class BlindToBlanks(Hostile):
    """White space counts nothing."""

    def answer(self, text: str) -> int:
        return sum(character not in WHITE_SPACE for character in text)


class BlindToLetters(Hostile):
    """Nothing counts but white space."""

    def answer(self, text: str) -> int:
        return sum(character in WHITE_SPACE for character in text)


class Nothing(Hostile):
    """Every text has no tokens at all."""

    def answer(self, text: str) -> int:
        return 0 * len(text)


class Scattered(Hostile):
    """A number drawn from the text: no two lengths have anything to do with each other."""

    def answer(self, text: str) -> int:
        return hash_of(text) % (len(text) + 1)


class Slow(Hostile):
    """A network stands between: what it costs is the number of calls."""

    def answer(self, text: str) -> int:
        time.sleep(0.0002)
        return len(text) // 4 + 1


class NumPyAnswers(Hostile):
    """Whole numbers of NumPy are whole numbers."""

    def answer(self, text: str) -> Any:
        return np.uint32(len(text))


class Mapped(Hostile):
    """Counts a third of the characters, and gives a map that may have nothing to do with that."""

    overhead = 0

    def __init__(self, ends: Callable[[str], Any]) -> None:
        super().__init__()
        self._ends = ends

    def answer(self, text: str) -> int:
        return (len(text) + 2) // 3

    def token_ends(self, text: str) -> NDArray[np.int64]:
        return np.array(self._ends(text), dtype=np.int64)


def hash_of(text: str) -> int:
    value = 7
    for character in text:
        value = (value * 31 + ord(character)) % 1_000_003
    return value


HONEST: dict[str, Callable[[], Hostile]] = {
    "falls": Falling,
    "zigzags": Zigzag,
    "adds too little": SuperAdditive,
    "adds too much": SubAdditive,
    "adds special tokens": TwoMore,
    "counts no white space": BlindToBlanks,
    "counts white space alone": BlindToLetters,
    "counts nothing": Nothing,
    "scatters": Scattered,
    "is slow": Slow,
    "answers with NumPy": NumPyAnswers,
    "maps too few": lambda: Mapped(lambda text: range(50, len(text), 50)),
    "maps too many": lambda: Mapped(lambda text: np.arange(10 * len(text)) // 10),
    "maps nothing": lambda: Mapped(lambda _: []),
    "maps one end": lambda: Mapped(lambda text: [len(text)]),
    "maps the beginning alone": lambda: Mapped(lambda text: [0] * len(text)),
    "maps the end alone": lambda: Mapped(lambda text: [len(text)] * len(text)),
    "maps beyond the text": lambda: Mapped(lambda text: np.arange(len(text)) * 40),
    "maps before the text": lambda: Mapped(lambda text: np.arange(len(text)) - 500),
    "maps backwards": lambda: Mapped(lambda text: np.arange(len(text))[::-1]),
    "maps at random": lambda: Mapped(lambda text: np.random.default_rng(7).integers(0, len(text) + 1, len(text))),
}
"""Counters that always answer with a count, which is what they are judged by; a map is only ever a guess."""


def chunker_of(name: str, counter: Any, most: int, overlap: int = 0, overflow: str = "split") -> spanwise.Chunker:
    row = ROWS[name]
    return spanwise.Chunker(
        row.samples[0],
        max_tokens=most,
        counter=counter,
        overlap_tokens=overlap if row.overlaps else 0,
        overflow=overflow,
    )


def assert_promises(chunker: spanwise.Chunker, text: str, chunks: list[spanwise.Chunk], judge: Hostile) -> None:
    """All that can be seen in the chunks, as counted by a counter that has not been asked before."""
    most = chunker.budget.max_tokens
    assert most is not None
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end] != ""
        assert chunk.tokens == judge.answer(chunk.text) <= most
        assert type(chunk.tokens) is int
    assert chunker.verify(text, chunks) == []


@pytest.mark.parametrize("overlap", [0, 9])
@pytest.mark.parametrize("kind", sorted(HONEST))
@pytest.mark.parametrize("name", STRATEGIES)
def test_what_counts_oddly_is_obeyed_and_asked_a_few_times_a_chunk(name: str, kind: str, overlap: int) -> None:
    """Prose: at most some twenty questions per chunk or per budget of text, about windows of the budget."""
    counter = HONEST[kind]()
    chunker = chunker_of(name, counter, 40, overlap)
    counter.most_calls = 200 + 20 * len(PROSE) // 10
    chunks = chunker.chunk(PROSE)
    calls, asked = counter.calls, counter.characters
    counter.most_calls = 10**9
    assert_promises(chunker, PROSE, chunks, HONEST[kind]())
    assert calls <= 60 + 40 * len(chunks)
    assert asked <= 60 * len(PROSE)


@pytest.mark.parametrize("kind", sorted(HONEST))
@LAW
@given(text=chunked_texts(), most=st.integers(1, 60), data=st.data())
def test_any_text_keeps_its_promises_or_is_refused_for_what_is_over_the_budget(
    kind: str, text: str, most: int, data: st.DataObject
) -> None:
    """`BudgetError` means a code point, `ChunkingError` a word that this counter counts over the budget."""
    name = data.draw(st.sampled_from(sorted(set(ROWS) - {"docling"})))
    overflow = data.draw(st.sampled_from(["split", "refuse"]))
    counter, judge = HONEST[kind](), HONEST[kind]()
    chunker = chunker_of(name, counter, most, data.draw(st.integers(0, most - 1)), overflow)
    counter.most_calls = 1_000 + 100 * len(text)
    try:
        chunks = chunker.chunk(text)
    except spanwise.BudgetError:
        assert any(judge.answer(character) > most for character in text)
    except spanwise.ChunkingError as refusal:
        start, end = refusal.start, refusal.end
        assert overflow == "refuse"
        assert judge.answer(text[start:end]) > most
    else:
        counter.most_calls = 10**9
        assert_promises(chunker, text, chunks, judge)


class Raising(Hostile):
    """Answers so many times, then raises."""

    def __init__(self, error: BaseException, answers: int = 0) -> None:
        super().__init__()
        self._error = error
        self._answers = answers

    def answer(self, text: str) -> int:
        if self.calls > self._answers:
            raise self._error
        return len(text)


class Answering(Hostile):
    """Answers so many times, then gives something that is no count."""

    def __init__(self, given: Any, answers: int = 0) -> None:
        super().__init__()
        self._given = given
        self._answers = answers

    def answer(self, text: str) -> Any:
        return self._given if self.calls > self._answers else len(text)


class RaisingForOne(Hostile):
    """Chokes on one character, wherever it stands."""

    def answer(self, text: str) -> int:
        if "q" in text:
            raise ValueError("q")
        return len(text)


class Panic(BaseException):
    """As a panic in a Rust tokenizer arrives: no Exception."""


FAULTY: dict[str, Callable[[int], Hostile]] = {
    "raises": lambda answers: Raising(ValueError("no"), answers),
    "raises what it was given": lambda answers: Raising(spanwise.CounterError("mine"), answers),
    "recurses": lambda answers: Raising(RecursionError("too deep"), answers),
    "panics": lambda answers: Raising(Panic("index out of bounds"), answers),
    "times out": lambda answers: Raising(TimeoutError("no network"), answers),
    "stops": lambda answers: Raising(StopIteration(), answers),
    "is below nothing": lambda answers: Answering(-1, answers),
    "is no whole number": lambda answers: Answering(2.0, answers),
    "is no number": lambda answers: Answering(float("nan"), answers),
    "is endless": lambda answers: Answering(float("inf"), answers),
    "is a word": lambda answers: Answering("3", answers),
    "is a truth": lambda answers: Answering(True, answers),  # noqa: FBT003  an answer
    "is nothing": lambda answers: Answering(None, answers),
    "is an array": lambda answers: Answering(np.arange(3), answers),
    "is a list of tokens": lambda answers: Answering([1, 2], answers),
}


@pytest.mark.parametrize("answers", [0, 1, 7])
@pytest.mark.parametrize("kind", sorted(FAULTY))
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_counter_that_fails_is_named_by_a_counter_error(name: str, kind: str, answers: int) -> None:
    """At once, and also in the midst of a document; nothing else is raised, and it is not asked again."""
    counter = FAULTY[kind](answers)
    chunker = chunker_of(name, counter, 40)
    with pytest.raises(spanwise.CounterError, match="mine" if kind == "raises what it was given" else "hostile"):
        chunker.chunk(PROSE)
    assert counter.calls == answers + 1


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_document_that_a_counter_chokes_on_harms_no_other(name: str) -> None:
    """The error is of one document, and the chunker goes on."""
    chunker = chunker_of(name, RaisingForOne(), 40)
    before = chunker.chunk(PROSE)
    with pytest.raises(spanwise.CounterError, match="ValueError"):
        chunker.chunk(PROSE + " quite quick")
    assert chunker.chunk(PROSE) == before != []


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("answer", [10**30, 41])
def test_a_counter_that_finds_all_texts_too_large_has_the_budget_refused(name: str, answer: int) -> None:
    """A code point is over the budget: `BudgetError`, before any output, after a few questions."""
    counter = Answering(answer)
    counter.most_calls = 100
    with pytest.raises(spanwise.BudgetError):
        chunker_of(name, counter, 40).chunk(PROSE)


@pytest.mark.parametrize("ends", [lambda _: [[1, 2], [3, 4]], lambda _: "ends", lambda _: [0.5, "x"], lambda _: None])
@pytest.mark.parametrize("name", QUICK)
def test_a_map_that_is_none_is_an_error_of_the_counter(
    name: str, ends: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one whole number for each token."""
    counter = Mapped(ends)
    monkeypatch.setattr(counter, "token_ends", ends)
    with pytest.raises(spanwise.CounterError, match="hostile"):
        chunker_of(name, counter, 40).chunk(PROSE)


class Exact(Mapped):
    """Says that its map is exact; it has as many ends as it likes."""

    def maps_exactly(self, text: str) -> bool:
        return bool(text)


def test_what_a_counter_says_of_its_own_map_is_believed_and_verify_does_not() -> None:
    """It is what spares a second count of a whole text; who lies there is told by `verify`, which counts."""
    chunker = chunker_of("words", Exact(lambda text: [len(text)]), 40)
    chunks = chunker.chunk(PROSE)
    assert [chunk.tokens for chunk in chunks] == [1]
    assert {violation.promise for violation in chunker.verify(PROSE, chunks)} == {"P2"}


@LAW
@given(text=chunked_texts(), most=st.integers(1, 40), seed=st.integers(0, 99))
def test_a_counter_that_answers_otherwise_each_time_ends(text: str, most: int, seed: int) -> None:
    """No promise can be judged by it; the chunks are spans in order all the same, or one documented error is raised."""

    class Moody(Hostile):
        def answer(self, text: str) -> int:
            return hash_of(f"{seed} {self.calls}") % (len(text) + 1)

    counter = Moody()
    counter.most_calls = 1_000 + 100 * len(text)
    try:
        chunks = chunker_of("recursive", counter, most, most // 3).chunk(text)
    except (spanwise.BudgetError, spanwise.ChunkingError, spanwise.CounterError):
        assume(False)  # noqa: FBT003  Hypothesis's own signature
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)
    assert sorted({chunk.start for chunk in chunks}) == [chunk.start for chunk in chunks]
