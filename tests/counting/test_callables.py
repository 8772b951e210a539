"""A function is a counter; what it answers is checked."""

from __future__ import annotations

import pickle
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pytest

from spanwise.counting import counter, measure_of
from spanwise.errors import CounterError


def halves(text: str) -> int:
    return len(text) // 2


class Panic(BaseException):
    """As a panic in a Rust tokenizer arrives: no Exception."""


def answering(answer: object) -> Any:
    def answers(text: str) -> object:  # noqa: ARG001 - whatever is asked
        return answer

    return answers


def raising(error: BaseException) -> Any:
    def raises(text: str) -> int:  # noqa: ARG001 - whatever is asked
        raise error

    return raises


@pytest.mark.parametrize("answer", [-1, 1.0, 2.5, True, None, "3", Decimal(3), np.float64(2), float("nan"), [1]])
def test_an_answer_that_is_no_count_is_shown(answer: object) -> None:
    """The message holds the name of the function and the answer."""
    with pytest.raises(CounterError, match="answers") as caught:
        counter(answering(answer)).count("text")
    assert repr(answer)[:20] in str(caught.value)


@pytest.mark.parametrize("answer", [0, 7, np.int64(7), np.uint8(7), 10**30])
def test_a_whole_number_is_taken_as_a_plain_int(answer: Any) -> None:
    """Integers of NumPy are what tokenizers that return arrays answer."""
    tokens = counter(answering(answer)).count("text")
    assert type(tokens) is int
    assert tokens == int(answer)


@pytest.mark.parametrize("error", [ValueError("out of range"), Panic("out of range"), RecursionError("out of range")])
def test_an_error_of_the_counter_is_chained_and_names_the_span(error: BaseException) -> None:
    """Also what is no Exception, since a panic would end the whole run."""
    with pytest.raises(CounterError) as caught:
        measure_of(counter(raising(error)), "0123456789").count(2, 7)
    message = str(caught.value)
    assert "raises" in message
    assert type(error).__name__ in message
    assert "out of range" in message
    assert "2 to 7" in message
    chain = [caught.value.__cause__, caught.value.__cause__ and caught.value.__cause__.__cause__]
    assert error in chain


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), GeneratorExit(), MemoryError()])
def test_what_is_to_stop_the_program_stops_it(error: BaseException) -> None:
    """These are not the counter's fault."""
    with pytest.raises(type(error)):
        measure_of(counter(raising(error)), "text").count(0, 4)


def test_a_function_never_sees_a_lone_surrogate() -> None:
    """Most tokenizers raise on them."""
    assert counter(lambda text: len(text.encode())).count("a\ud800b") == 5


def test_a_counter_is_named_after_its_function() -> None:
    """Messages must say which."""
    assert counter(halves).name == "halves"
    assert counter(partial(partial(halves))).name == "halves"
    assert counter(answering(1)).name.endswith("answers")


def test_what_the_model_adds_is_part_of_each_count() -> None:
    """Given as a number, since a function cannot be asked."""
    assert counter(halves, special_tokens=2).count("four") == 4
    assert counter(halves, special_tokens=2).count("") == 2


def test_a_counter_over_a_function_travels_to_a_worker() -> None:
    """By reference, as functions do."""
    again = pickle.loads(pickle.dumps(counter(halves, special_tokens=1)))  # noqa: S301 - our own bytes
    assert (again.name, again.count("four")) == ("halves", 3)
