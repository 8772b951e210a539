"""Objects that count or tokenize are counters."""

from __future__ import annotations

import pickle
from collections import UserDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oracles import tiktoken_encoding
from spanwise.counting import tokens_via
from spanwise.errors import ConfigurationError, CounterError, shown


class CountsTokens:
    def count_tokens(self, text: str) -> int:
        return len(text)

    def count(self, text: str) -> int:
        raise AssertionError(text)


class Counts:
    def count(self, text: str) -> int:
        return len(text) * 2

    def encode(self, text: str) -> list[int]:
        raise AssertionError(text)


class Tokenizes:
    def tokenize(self, text: str) -> list[str]:
        return text.split()


class Encodes:
    def encode(self, text: str) -> Any:
        return np.arange(len(text) + 1)


class Generates:
    def tokenize(self, text: str) -> Any:
        return (word for word in text.split())


class Speaks:
    def speak(self) -> None: ...


@pytest.mark.parametrize(
    ("provider", "name", "tokens"),
    [
        (CountsTokens(), "CountsTokens.count_tokens", 9),
        (Counts(), "Counts.count", 18),
        (Tokenizes(), "Tokenizes.tokenize", 2),
        (Encodes(), "Encodes.encode", 10),
    ],
)
def test_the_first_method_that_a_provider_has_counts(provider: object, name: str, tokens: int) -> None:
    """A method that counts goes before one that tokenizes."""
    made = tokens_via(provider)
    assert (made.name, made.count("two words")) == (name, tokens)


def test_a_provider_that_cannot_count_is_told_what_it_has() -> None:
    """The message says what is needed and what was found."""
    with pytest.raises(ConfigurationError, match=r"count_tokens, count, tokenize or encode.*has speak"):
        tokens_via(Speaks())


@pytest.mark.parametrize("value", ["cl100k_base", b"bytes", Path("tokenizer.json"), [1, 2], (1, 2)])
def test_what_has_count_or_encode_in_another_meaning_is_no_provider(value: object) -> None:
    """str.count("text") would silently say 0."""
    with pytest.raises(ConfigurationError, match="is no provider"):
        tokens_via(value)


def test_a_known_tokenizer_is_read_as_such() -> None:
    """Its own encode would refuse the text of special tokens."""
    made = tokens_via(tiktoken_encoding("cl100k_base"))
    assert (made.name, made.count("<|endoftext|>")) == ("cl100k_base", 7)


def test_an_answer_without_a_length_is_an_error_of_the_counter() -> None:
    """A generator cannot be counted."""
    with pytest.raises(CounterError, match=r"Generates\.tokenize.*TypeError"):
        tokens_via(Generates()).count("text")


class Answers:
    def __init__(self, answer: object) -> None:
        self._answer = answer

    def encode(self, text: str) -> object:
        assert isinstance(text, str)
        return self._answer


@pytest.mark.parametrize(
    "answer",
    [{"input_ids": [1, 2, 3], "attention_mask": [1, 1, 1]}, UserDict(input_ids=[1, 2, 3]), "two words", b"two words"],
)
def test_an_answer_whose_length_is_no_count_is_refused(answer: object) -> None:
    """Two keys are not two tokens, and letters are none either."""
    with pytest.raises(CounterError) as caught:
        tokens_via(Answers(answer)).count("two words")
    assert str(caught.value) == (
        f"the counter 'Answers.encode' answered {shown(answer)} of type {type(answer).__name__}; it must answer"
        " a sequence of tokens, or a number from a method count_tokens"
    )


def test_a_provider_travels_to_a_worker() -> None:
    """With the object that it counts with."""
    assert pickle.loads(pickle.dumps(tokens_via(Tokenizes()))).count("a b c") == 3  # noqa: S301 - our own bytes
