"""cl100k_base and o200k_base count as tiktoken does: every code point in ten surroundings, and a million fuzz strings.

Where the two libraries know different letters the larger count is given, so that a budget holds for both: gigatoken
has the tables of Unicode 17.0, tiktoken 0.14 those of 16.0. Of the 1,114,112 code points 4,657 (cl100k_base) and
4,699 (o200k_base) are such; a test says so, and when it fails for a newer tiktoken the figures here are to be renewed.
Quick: each code point that is new since Unicode 16.0, every 97th of the others, and 1,000 strings.
"""

from __future__ import annotations

import random
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import _HARD, tiktoken_encoding
from spanwise.counting import counter, measure_of
from spanwise.counting.bytepair import VOCABULARIES, BytePair
from spanwise.counting.counter import countable
from spanwise.counting.new_letters import OlderTables, holds_new
from texts import LAW

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMES = pytest.mark.parametrize("name", sorted(VOCABULARIES))
SURROUNDINGS = ("{}", "a{}b", "A{}A", " {}", "{}'s", "'{}", "1{}2", ".{}\n\n", "{}{}{}{}", "\n {} ")
KNOWN_DIFFERENCES = {"cl100k_base": 4_657, "o200k_base": 4_699}
NEW = tuple(character for character in map(chr, range(sys.maxunicode + 1)) if holds_new(character))
SHARDS = 16
FUZZED = 1_000_000


@cache
def byte_pair(name: str) -> BytePair:
    made = counter(name)
    assert isinstance(made, BytePair)
    return made


def tiktoken(name: str, text: str) -> int:
    return len(tiktoken_encoding(name).encode_ordinary(countable(text)))


def gigatoken(name: str, text: str) -> int:
    return len(byte_pair(name)._encode(countable(text)))


def differing(name: str, texts: Iterable[str]) -> list[str]:
    """List the texts for which the two libraries disagree; asserts that spanwise gives the larger count of each."""
    made, found = byte_pair(name), []
    for text in texts:
        ours, theirs = made.count(text), tiktoken(name, text)
        if ours != theirs:
            assert ours == gigatoken(name, text) > theirs, ascii(text)
            found.append(text)
        elif holds_new(text) and gigatoken(name, text) != theirs:
            assert gigatoken(name, text) < theirs, ascii(text)
            found.append(text)
    return found


def in_surroundings(character: str) -> Iterable[str]:
    return (surrounding.replace("{}", character) for surrounding in SURROUNDINGS)


def fuzz(seed: int, size: int) -> Iterable[str]:
    """Strings of hard pieces, of any code points, and of new letters, the same ones in each run."""
    order = random.Random(seed)  # noqa: S311  no secret
    for _ in range(size):
        pieces = [
            order.choice(_HARD)
            if (kind := order.random()) < 0.7
            else chr(order.randrange(sys.maxunicode + 1))
            if kind < 0.95
            else order.choice(NEW)
            for _ in range(order.randint(1, 9))
        ]
        yield "".join(pieces)


@NAMES
def test_patterns_are_those_that_tiktoken_states(name: str) -> None:
    """They are carried to count by older tables."""
    assert VOCABULARIES[name].pattern == tiktoken_encoding(name)._pat_str


@NAMES
def test_new_letters_are_the_ones_that_differ(name: str) -> None:
    """As many as are known, and they are letters, marks and numbers that Unicode 16.0 does not have."""
    differ = {text for character in NEW for text in differing(name, (f"{character}'s", f"{character}\n\n"))}
    assert len({text[0] for text in differ}) == KNOWN_DIFFERENCES[name]


@NAMES
def test_a_code_point_counts_the_same_in_all_surroundings(name: str) -> None:
    """Every 97th of those that are not new."""
    for code in range(0, sys.maxunicode + 1, 97):
        if not holds_new(chr(code)):
            assert differing(name, in_surroundings(chr(code))) == []


@NAMES
def test_fuzz_strings_count_the_same(name: str) -> None:
    """Those with a new letter may differ, and then the larger count is given."""
    assert all(holds_new(text) for text in differing(name, fuzz(0, 1_000)))


@NAMES
@LAW
@given(text=st.lists(st.sampled_from(_HARD + NEW[:400:9] + NEW[-900::99]), max_size=30).map("".join))
def test_older_tables_count_as_tiktoken_does(name: str, text: str) -> None:
    """Pattern and merges are written twice: here, and in Rust by others."""
    older = OlderTables(VOCABULARIES[name].pattern, byte_pair(name)._tokenizer.vocab)
    assert older.count(countable(text)) == tiktoken(name, text)


@NAMES
def test_a_budget_holds_for_both_where_letters_are_new(name: str) -> None:
    """Also where a long text is looked up between seams, and where the whole text is one chunk."""
    text = "\U00010940's \u088f's 𑶰 'S\n\nplain words in between, and more of them; " * 60
    whole = spanwise.chunk(text[:30], "words", max_tokens=40, counter=name)
    assert [chunk.tokens for chunk in whole] == [max(tiktoken(name, text[:30]), gigatoken(name, text[:30]))]
    for most in (8, 64, 512):
        for chunk in spanwise.chunk(text, "words", max_tokens=most, counter=name):
            assert chunk.tokens == max(tiktoken(name, chunk.text), gigatoken(name, chunk.text)) <= most
    measure = measure_of(byte_pair(name), text)
    for start in range(0, 1_000, 90):
        assert measure.count(start, start + 1_500) == byte_pair(name).count(text[start : start + 1_500])


@NAMES
def test_a_run_of_new_letters_costs_no_more_than_its_length(name: str) -> None:
    """Merging by hand takes a heap: three hundred thousand bytes are one piece."""
    text = "\U00010940\U00010941" * 40_000
    assert byte_pair(name).count(text) == max(gigatoken(name, text), tiktoken(name, text))


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
@NAMES
def test_every_code_point_counts_the_same_in_all_surroundings(name: str, shard: int) -> None:
    """1,114,112 code points, lone surrogates among them, in ten surroundings; those that are new may differ."""
    size = (sys.maxunicode + 1) // SHARDS
    for code in range(shard * size, (shard + 1) * size):
        differ = differing(name, in_surroundings(chr(code)))
        assert not differ or holds_new(chr(code)), ascii(differ)


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(1, SHARDS + 1))
@NAMES
def test_a_million_fuzz_strings_count_the_same(name: str, shard: int) -> None:
    """62,500 a shard, other ones in each."""
    assert all(holds_new(text) for text in differing(name, fuzz(shard, FUZZED // SHARDS)))
