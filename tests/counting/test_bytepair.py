"""Counts of the carried vocabularies are those of tiktoken, and the map ends with the text."""

from __future__ import annotations

import hashlib
import pickle
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise.counting
from oracles import hard_texts, tiktoken_encoding
from spanwise.counting import bytepair, counter, token_map
from spanwise.counting.bytepair import VOCABULARIES, BytePair
from spanwise.counting.counter import countable

ENCODINGS = sorted(VOCABULARIES)


def byte_pair(name: str) -> BytePair:
    made = counter(name)
    assert isinstance(made, BytePair)
    return made


def code_points_whole_after(lengths: list[int], text: str) -> list[int]:
    """Say for each token how many characters are whole after it, one byte at a time."""
    encoded, ends, position = text.encode(), [], 0
    for length in lengths:
        position += length
        ends.append(len(encoded[:position].decode(errors="ignore")))
    return ends


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=hard_texts())
def test_a_count_is_that_of_tiktoken(name: str, text: str) -> None:
    """What tiktoken counts is what the model is billed for."""
    assert counter(name).count(text) == len(tiktoken_encoding(name).encode_ordinary(countable(text)))


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=hard_texts())
def test_the_map_has_one_end_for_each_token_and_ends_with_the_text(name: str, text: str) -> None:
    """The map law: as many ends as tokens, never falling, the last at the end."""
    ends = byte_pair(name).token_ends(text)
    assert ends.dtype == np.int64
    assert len(ends) == counter(name).count(text)
    assert (np.diff(ends, prepend=0) >= 0).all()
    assert not text or ends[-1] == len(text)


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=hard_texts(surrogates=False))
def test_an_end_is_the_number_of_characters_whole_after_the_token(name: str, text: str) -> None:
    """A token that ends inside a character ends before it."""
    encoding = tiktoken_encoding(name)
    lengths = [len(encoding.decode_single_token_bytes(token)) for token in encoding.encode_ordinary(text)]
    assert byte_pair(name).token_ends(text).tolist() == code_points_whole_after(lengths, text)


@given(text=hard_texts(most=60), size=st.integers(4, 40))
def test_a_map_made_in_blocks_still_ends_with_the_text(text: str, size: int) -> None:
    """Borders may add tokens, and never move the end; those at additive seams add none."""
    made = byte_pair("cl100k_base")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bytepair, "blocks", lambda whole, seam: token_map.blocks(whole, size, seam))
        ends, exact = made.token_ends(text), made.maps_exactly(text)
    assert not exact or len(ends) == made.count(text)
    assert (np.diff(ends, prepend=0) >= 0).all()
    assert not text or ends[-1] == len(text)


def test_a_map_made_in_blocks_cut_at_seams_is_that_of_the_whole() -> None:
    """In prose every block is cut at an additive seam, so the map of a text of any length is its count."""
    text = "".join(f"Line {number} of a naïve text: it doesn't matter.\n" for number in range(12_000))
    assert len(text) > 2 * token_map.BLOCK
    whole = byte_pair("cl100k_base")
    assert whole.maps_exactly(text)
    assert len(whole.token_ends(text)) == whole.count(text)


@pytest.mark.parametrize("text", ["Ein Satz mit Umlauten, ähnlich wie dieser. ", "汉字，" * 8, "plain words only "])
def test_a_map_of_a_long_text_needs_little_memory_beside_itself(text: str) -> None:
    """At most 12 bytes for each token, and the working space of one block."""
    long = text * (2_000_000 // len(text))
    made = byte_pair("cl100k_base")
    tokens = len(made.token_ends(long))
    tracemalloc.start()
    made.token_ends(long)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * tokens + 60 * token_map.BLOCK


@pytest.mark.parametrize("text", ["a", " ", "\n", "[", "é", "\ud800", "<|endoftext|>"])
def test_a_long_run_is_counted_and_mapped(text: str) -> None:
    """Runs are where tokenizers become quadratic or panic."""
    run = text * (300_000 // len(text))
    made = byte_pair("o200k_base")
    assert made.count(run) > 0
    assert made.token_ends(run)[-1] == len(run)


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_carried_file_is_the_official_one(name: str) -> None:
    """Its digest is the one that tiktoken states."""
    vocabulary = VOCABULARIES[name]
    file = Path(spanwise.counting.__file__).with_name("vocabularies") / vocabulary.file
    assert hashlib.sha256(file.read_bytes()).hexdigest() == vocabulary.sha256


def test_renewing_the_tokenizer_changes_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of the tokenizer is emptied in time, and nobody sees it."""
    monkeypatch.setattr(bytepair, "_RENEW_AFTER", 10)
    made = counter("cl100k_base", special_tokens=3)
    assert isinstance(made, BytePair)
    made._renew()
    before = made._encode
    assert [made.count("six words are in this text") for _ in range(3)] == [9, 9, 9]
    assert made._encode is not before
    made._renew()
    before = made._encode
    assert made.token_ends("six words are in this text, a few more here")[-1] == 43
    assert made._encode is not before


def test_a_counter_is_the_same_in_a_worker_process() -> None:
    """Pickled by its source: the vocabulary itself does not travel."""
    made = counter("cl100k_base", special_tokens=2)
    data = pickle.dumps(made)
    assert len(data) < 200
    again = pickle.loads(data)  # noqa: S301 - our own bytes
    assert (again.name, again.overhead, again.count("hello")) == ("cl100k_base", 2, 3)


def test_importing_the_package_loads_no_heavy_library() -> None:
    """Whoever only reads names pays for no tokenizer."""
    code = (
        "import sys, spanwise.counting; from spanwise.counting import counter; counter('words').count('a b');"
        "print([name for name in ('numpy', 'gigatoken', 'tokenizers', 'tiktoken') if name in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert answer.stdout.strip() == "[]"
