"""A measure counts spans exactly, and its guesses stay within the text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import hard_texts
from spanwise.counting import counter, measure_of
from spanwise.counting.measure import CharacterMeasure, MappedMeasure, ProbedMeasure
from spanwise.errors import CounterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SOURCES: dict[str, Any] = {
    "characters": "characters",
    "words": "words",
    "bytes": "bytes",
    "cl100k_base": "cl100k_base",
    "cl100k_base and 3": counter("cl100k_base", special_tokens=3),
    "function": lambda text: len(text.split()),
    "function of bytes": lambda text: len(text.encode()),
    "function that adds": counter(len, special_tokens=3),
    "nothing": lambda _: 0,
    "square": lambda text: len(text) ** 2,
    "steps": lambda text: len(text) // 7 * 5,
}

PROSE = "It was a bright cold day in April, and the clocks were striking thirteen; nobody had wound them since. " * 400


class Counted:
    """A function that remembers how often and about how much it was asked."""

    def __init__(self, function: Callable[[str], int]) -> None:
        self.function = function
        self.windows: list[int] = []

    def __call__(self, text: str) -> int:
        self.windows.append(len(text))
        return self.function(text)


@pytest.mark.parametrize("name", sorted(SOURCES))
@given(text=hard_texts(), data=st.data())
def test_a_span_is_counted_alone(name: str, text: str, data: st.DataObject) -> None:
    """The law of P2: exact, whatever was asked before."""
    made = counter(SOURCES[name])
    measure = measure_of(made, text)
    for _ in range(3):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        measure.reach(start, 5)
        assert measure.count(start, end) == made.count(text[start:end])
    assert measure.count(0, len(text)) == made.count(text)


@pytest.mark.parametrize("name", sorted(SOURCES))
@given(text=hard_texts(), size=st.integers(-2, 40), data=st.data())
def test_a_guess_stays_in_the_text_and_goes_on(name: str, text: str, size: int, data: st.DataObject) -> None:
    """Reach gives at least one code point where there is room, so that nobody stands still."""
    made = counter(SOURCES[name])
    measure, offset = measure_of(made, text), data.draw(st.integers(0, len(text)))
    reach, back = measure.reach(offset, size), measure.back(offset, size)
    room = size - getattr(made, "overhead", 0)
    assert offset <= reach <= len(text)
    assert 0 <= back <= offset
    if size <= 0:
        assert (reach, back) == (offset, offset)
    if room > 0 and offset < len(text):
        assert reach > offset


@given(text=hard_texts(), size=st.integers(0, 40), data=st.data())
def test_characters_are_measured_by_arithmetic(text: str, size: int, data: st.DataObject) -> None:
    """Exact without a map."""
    measure, offset = measure_of(counter("characters"), text), data.draw(st.integers(0, len(text)))
    assert isinstance(measure, CharacterMeasure)
    assert measure.reach(offset, size) == min(offset + size, len(text))
    assert measure.back(offset, size) == max(offset - size, 0)


@pytest.mark.parametrize("special_tokens", [0, 5])
def test_the_reach_in_prose_is_a_good_guess(special_tokens: int) -> None:
    """Within two tokens of the budget, forwards and backwards."""
    measure = measure_of(counter("cl100k_base", special_tokens=special_tokens), PROSE)
    assert isinstance(measure, MappedMeasure)
    for offset in range(3_000, 30_000, 97):
        assert measure.count(offset, measure.reach(offset, 200)) == pytest.approx(200, abs=2)
        assert measure.count(measure.back(offset, 50), offset) == pytest.approx(50, abs=2)


def test_words_reach_exactly() -> None:
    """A word ends where the next one starts."""
    text = "one two  three four"
    measure = measure_of(counter("words"), text)
    assert text[: measure.reach(0, 2)] == "one two  "
    assert text[measure.back(len(text), 2) :] == "three four"


class Recounting:
    """A counter with a map that does not say whether the map is exact, and answers in a narrow type."""

    name = "recounting"
    overhead = 1

    def count(self, text: str) -> int:
        return len(text) + 1

    def token_ends(self, text: str) -> NDArray[Any]:
        return np.arange(2, len(text) + 1, dtype=np.int32)


def test_a_map_of_unknown_exactness_is_not_taken_for_the_count() -> None:
    """Only a map made at once is, or one in blocks that are cut at additive seams."""
    measure = measure_of(Recounting(), "0123456789")
    assert measure.count(0, 10) == 11
    assert measure.reach(0, 4) == 4


def test_the_whole_text_costs_no_second_count() -> None:
    """The map of a short text is its count."""
    measure = measure_of(counter("cl100k_base", special_tokens=2), "Hello, world!")
    assert isinstance(measure, MappedMeasure)
    measure._count = None  # type: ignore[assignment] # would raise
    assert measure.count(0, 13) == 6


@pytest.mark.parametrize("answer", [-3, 2.5, None])
def test_a_wrong_answer_of_a_counter_with_a_map_is_an_error(answer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects of users are checked as functions are."""
    made = Recounting()
    monkeypatch.setattr(made, "count", lambda _: answer)
    with pytest.raises(CounterError, match="recounting"):
        measure_of(made, "0123456789").count(0, 5)


@pytest.mark.parametrize(
    ("error", "raised", "message"),
    [(ValueError("odd"), CounterError, r"recounting.*ValueError.*0 to 5"), (MemoryError("all"), MemoryError, "^all$")],
)
def test_a_counter_with_a_map_may_raise_as_functions_may(
    error: Exception, raised: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The span is named, unless the program is to stop."""
    made = Recounting()

    def raising(_: str) -> int:
        raise error

    monkeypatch.setattr(made, "count", raising)
    with pytest.raises(raised, match=message):
        measure_of(made, "0123456789").count(0, 5)


def test_a_map_that_raises_is_an_error_that_names_the_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything was measured."""
    made = Recounting()
    monkeypatch.setattr(made, "token_ends", lambda text: np.empty(-len(text)))
    with pytest.raises(CounterError, match=r"recounting.*ValueError.*0 to 10"):
        measure_of(made, "0123456789")


def test_a_map_must_be_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    """An array of two dimensions says nothing of ends."""
    made = Recounting()
    monkeypatch.setattr(made, "token_ends", lambda text: np.array([[len(text)]]))
    with pytest.raises(CounterError, match=r"recounting.*2 dimensions; it must be flat"):
        measure_of(made, "0123456789")


def test_a_word_that_fits_is_not_refused_for_what_the_map_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The map says thirty tokens, the count three."""
    made = Recounting()
    monkeypatch.setattr(made, "count", lambda text: -(-len(text) // 10))
    chunks = spanwise.chunk("x" * 30 + " " + "y" * 30, "words", max_tokens=4, counter=made)
    assert [(chunk.text.strip(), chunk.tokens) for chunk in chunks] == [("x" * 30, 3), ("y" * 30, 3)]


FUNCTIONS: dict[str, Callable[[str], int]] = {
    "tokens": counter("cl100k_base").count,
    "characters": len,
    "words": lambda text: len(text.split()),
}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@pytest.mark.parametrize("size", [1, 8, 128, 512])
def test_a_function_is_asked_a_handful_of_times_about_windows_of_the_budget(name: str, size: int) -> None:
    """However long the text; every answer fits, and most fill the budget."""
    asked = Counted(FUNCTIONS[name])
    measure, offset, fills = measure_of(counter(asked), PROSE), 0, []
    chunks = 0
    while offset < len(PROSE) and chunks < 1_000:
        before = len(asked.windows)
        reach = measure.reach(offset, size)
        assert len(asked.windows) - before <= 6
        tokens = asked.function(PROSE[offset:reach])
        assert tokens <= size or reach == offset + 1
        if reach < len(PROSE):
            fills.append(tokens / size)
        offset, chunks = reach, chunks + 1
    assert len(asked.windows) <= 3 * chunks + 4
    assert sum(asked.windows) <= 3 * offset + 20 * size
    assert sum(fills) / len(fills) > 0.84


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_back_asks_a_function_three_times(name: str) -> None:
    """What is found fits."""
    asked = Counted(FUNCTIONS[name])
    measure = measure_of(counter(asked), PROSE)
    measure.reach(0, 200)
    for offset in range(500, 20_000, 501):
        before = len(asked.windows)
        back = measure.back(offset, 40)
        assert len(asked.windows) - before <= 4
        assert asked.function(PROSE[back:offset]) <= 40
        assert asked.function(PROSE[back:offset]) >= 30


def test_confirming_what_was_just_found_costs_no_call() -> None:
    """The last eight spans are remembered."""
    asked = Counted(len)
    measure = measure_of(counter(asked), PROSE)
    reach = measure.reach(0, 100)
    before = len(asked.windows)
    measure.count(0, reach)
    assert len(asked.windows) == before


@pytest.mark.parametrize("text", [" " * 1_000_000, "x" * 1_000_000])
@pytest.mark.parametrize("function", [lambda _: 0, lambda text: len(text.split())])
def test_a_counter_that_says_nothing_costs_a_few_long_looks(text: str, function: Callable[[str], int]) -> None:
    """Windows double: their sum is a small multiple of the text, their number its logarithm."""
    asked = Counted(function)
    assert measure_of(counter(asked), text).reach(0, 10) == len(text)
    assert len(asked.windows) <= math.log2(len(text)) + 2
    assert sum(asked.windows) <= 3 * len(text)


@given(text=hard_texts(most=80), size=st.integers(1, 50))
@pytest.mark.parametrize("name", ["tokens", "square", "steps", "nothing"])
def test_what_a_function_is_found_to_reach_fits_or_is_one_code_point(name: str, text: str, size: int) -> None:
    """Also for counters that are far from proportional."""
    function: Callable[[str], int] = {**FUNCTIONS, **SOURCES}[name]
    made = counter(function)
    measure, offset = measure_of(made, text), 0
    assert isinstance(measure, ProbedMeasure)
    while offset < len(text):
        reach = measure.reach(offset, size)
        assert made.count(text[offset:reach]) <= size or reach == offset + 1
        back = measure.back(reach, size)
        assert made.count(text[back:reach]) <= size
        offset = reach


def test_the_same_questions_get_the_same_answers() -> None:
    """Guesses depend on nothing outside the document."""

    def answers() -> list[int]:
        measure, offset, found = measure_of(counter(lambda text: len(text.split())), PROSE), 0, []
        while offset < len(PROSE):
            offset = measure.reach(offset, 37)
            found.append(offset)
        return found

    assert answers() == answers()
