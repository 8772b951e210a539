"""An Encoding that the caller made is counted as it encodes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import tiktoken
from hypothesis import given

from oracles import hard_texts, tiktoken_encoding
from spanwise.counting import counter, measure_of
from spanwise.counting.bytepair import carried
from spanwise.counting.counter import countable
from spanwise.counting.tiktoken import TiktokenEncoding
from spanwise.errors import CounterError


def with_special_tokens() -> tiktoken.Encoding:
    """An encoding as users have it: some ids special, some between not given out."""
    plain = tiktoken_encoding("cl100k_base")
    return tiktoken.Encoding(
        "mine",
        pat_str=plain._pat_str,
        mergeable_ranks=plain._mergeable_ranks,
        special_tokens={"<|endoftext|>": 100_300},
    )


MINE = with_special_tokens()
MAPPED = TiktokenEncoding(MINE)


@given(text=hard_texts())
def test_an_encoding_counts_as_it_encodes_ordinary_text(text: str) -> None:
    """The text of its special tokens is ordinary text."""
    made = counter(MINE)
    assert made.name == "mine"
    assert made.count(text) == len(MINE.encode_ordinary(countable(text)))


@given(text=hard_texts())
def test_the_map_of_an_encoding_is_that_of_the_carried_one(text: str) -> None:
    """Two libraries and two sources of lengths agree."""
    assert MAPPED.token_ends(text).tolist() == carried("cl100k_base").token_ends(text).tolist()


def test_a_million_blanks_are_mapped_though_they_cannot_be_counted_at_once() -> None:
    """Tiktoken overflows its stack on them, with an error that is no Exception."""
    made = TiktokenEncoding(tiktoken_encoding("o200k_base"))
    blanks = " " * 1_000_000
    measure = measure_of(made, blanks)
    assert 0 < measure.reach(0, 100) < len(blanks)
    with pytest.raises(CounterError, match="o200k_base"):
        made.count(blanks)


def test_a_long_text_is_mapped_in_blocks() -> None:
    """Ends go on over the seams."""
    text = "A naïve line of prose.\n" * 10_000
    made = TiktokenEncoding(tiktoken_encoding("cl100k_base"), overhead=1)
    ends = made.token_ends(text)
    assert len(ends) + 1 == made.count(text)
    assert ends[-1] == len(text)
    assert (np.diff(ends) > 0).all()


def test_an_encoding_adds_only_what_is_said() -> None:
    """Asked, tiktoken adds nothing."""
    assert counter(MINE, special_tokens=True).count("hello") == 1
    assert counter(MINE, special_tokens=4).count("hello") == 5


def test_an_encoding_travels_to_a_worker() -> None:
    """As tiktoken pickles it."""
    assert pickle.loads(pickle.dumps(counter(MINE, special_tokens=1))).count("hello") == 2  # noqa: S301 - our own bytes


class Interrupted:
    """An encoding while which Ctrl-C is pressed."""

    name = "interrupted"

    def encode_ordinary(self, text: str) -> list[int]:
        raise KeyboardInterrupt(text)


def test_what_is_to_stop_the_program_stops_it() -> None:
    """It is no fault of the encoding."""
    with pytest.raises(KeyboardInterrupt):
        TiktokenEncoding(Interrupted()).count("text")  # type: ignore[arg-type]


def test_an_encoding_shows_its_name_and_what_the_model_adds() -> None:
    """In messages and at the prompt."""
    assert repr(counter(MINE, special_tokens=2)) == "TiktokenEncoding('mine', overhead=2)"
