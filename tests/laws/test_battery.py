"""Every strategy over generated documents of every kind, with the real tokenizer, verified."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import NamedTuple

import pytest

import spanwise
from strategy_rows import ROWS
from texts import docgen_documents

_BUDGETS = (4, 16, 64, 512)


class Trial(NamedTuple):
    """One document with one budget."""

    document: str
    max_tokens: int
    overlap_tokens: int
    overflow: str


@lru_cache(maxsize=1)
def documents() -> dict[str, str]:
    return docgen_documents()


def trials(name: str) -> list[Trial]:
    """List what is tried: every document at every budget, with and without overlap, refused and split."""
    listed = [
        Trial(document, budget, overlap, overflow)
        for document in documents()
        for budget in _BUDGETS
        for overlap in ((0, budget * 12 // 100) if ROWS[name].overlaps else (0,))
        for overflow in ("refuse", "split")
    ]
    return list(dict.fromkeys(listed))  # 12 % of 4 tokens is none


def sampled(name: str) -> list[Trial]:
    """Pick some trials that are cheap, other ones for each strategy and the same ones in each run."""
    cheap = [trial for trial in trials(name) if len(documents()[trial.document]) <= 200 * trial.max_tokens]
    return random.Random(name).sample(cheap, ROWS[name].sampled)  # noqa: S311  no secret


def assert_holds(name: str, trial: Trial) -> None:
    """Chunk with the first sample of a strategy; all promises hold, or a word that is over the budget is refused."""
    strategy = ROWS[name].samples[0]
    chunker = spanwise.Chunker(
        strategy, max_tokens=trial.max_tokens, overlap_tokens=trial.overlap_tokens, overflow=trial.overflow
    )
    document = spanwise.Document(id=trial.document, text=documents()[trial.document])
    error = None
    try:
        chunks = chunker.chunk(document)
    except spanwise.ChunkingError as refusal:
        error = refusal
    if error is None:
        assert chunker.verify(document, chunks) == [], trial
    else:
        assert trial.overflow == "refuse", trial
        assert ROWS[name].whole_words, trial
        assert chunker.counter.count(document.text[error.start : error.end]) > trial.max_tokens, trial


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_sample_of_the_battery_holds(name: str) -> None:
    """All promises, on documents that are short beside the budget."""
    for trial in sampled(name):
        assert_holds(name, trial)


@pytest.mark.slow
@pytest.mark.parametrize("document", sorted(documents()))
@pytest.mark.parametrize("name", sorted(ROWS))
def test_the_whole_battery_holds(name: str, document: str) -> None:
    """All promises, on every document at every budget, with and without overlap, refused and split."""
    for trial in trials(name):
        if trial.document == document:
            assert_holds(name, trial)
