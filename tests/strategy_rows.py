"""Every strategy with options worth trying: the laws run over this table, so a new strategy needs one row here."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Literal, NamedTuple

import spanwise

__all__ = ["ROWS", "Row"]


class Row(NamedTuple):
    """One strategy: samples of it, and what the laws must know of it."""

    samples: tuple[spanwise.Strategy, ...]
    overlaps: bool = True
    """Whether it takes an overlap."""
    own_overlap: bool = False
    """Whether its chunks overlap by construction."""
    whole_words: bool = True
    """Whether it refuses a word that is over the budget."""
    cuts_words_last: bool = True
    """Whether it cuts inside a word only where that word alone is over the budget."""
    parted: Literal["", "headings", "drift"] = ""
    """Where parts begin whose first chunk repeats nothing: it looks at the whole text then, and cannot stream."""
    sampled: int = 100
    """How many trials of the battery a quick run makes."""


def clauses(text: str) -> list[int]:
    """Give the beginnings of lines that begin with a capital W, as a caller's own headings."""
    return [match.start() for match in re.finditer(r"^W", text, re.MULTILINE)]


def letters(texts: list[str]) -> list[list[int]]:
    """Embed a text by how often some characters are in it; a text without them has a vector of zeros."""
    return [[text.count(letter) for letter in "aeiou. "] for text in texts]


ROWS: dict[str, Row] = {
    "characters": Row((spanwise.Characters(),), whole_words=False, cuts_words_last=False),
    "tokens": Row((spanwise.Tokens(),), whole_words=False, cuts_words_last=False),
    "words": Row((spanwise.Words(),)),
    "lines": Row((spanwise.Lines(),)),
    "sentences": Row(
        (spanwise.Sentences(), spanwise.Sentences("ja"), spanwise.Sentences("de"), spanwise.Sentences(stable=True))
    ),
    "paragraphs": Row((spanwise.Paragraphs(),)),
    "delimiter": Row((spanwise.Delimiter(), spanwise.Delimiter("|"), spanwise.Delimiter("The cat")), whole_words=False),
    "recursive": Row(
        (
            spanwise.Recursive(),
            spanwise.Recursive(separators=("\n\n", ". ", " ")),
            spanwise.Recursive(separators=("|", " ", "")),
            spanwise.Recursive(stable=True),
        ),
        whole_words=False,
    ),
    "structural": Row(
        (
            spanwise.Structural(),
            spanwise.Structural(min_fill=0),
            spanwise.Structural(min_fill=1),
            spanwise.Structural(within_sections=True),
            spanwise.Structural(stable=True),
            spanwise.Structural(stable=True, within_sections=True),
            spanwise.Structural(headings=clauses),
        ),
        overlaps=False,
    ),
    "sections": Row(
        (spanwise.Sections(), spanwise.Sections(nested=False), spanwise.Sections(merge=True)), parted="headings"
    ),
    "code": Row(
        (spanwise.Code(), spanwise.Code("python"), spanwise.Code("javascript"), spanwise.Code("c")), parted="headings"
    ),
    "hybrid": Row(
        (spanwise.Hybrid(), spanwise.Hybrid(merge_peers=False)), overlaps=False, whole_words=False, parted="headings"
    ),
    "semantic": Row(
        (
            spanwise.Semantic(),
            spanwise.Semantic(breakpoint="optimal"),
            spanwise.Semantic(letters, breakpoint="gradient", amount=50, buffer=0, min_fill=0, batch_size=2),
            spanwise.Semantic(letters, breakpoint="optimal", amount=0.5, buffer=1),
        ),
        whole_words=False,
        parted="drift",
    ),
    "sentence-window": Row(
        (
            spanwise.SentenceWindow(),
            spanwise.SentenceWindow(sentences=2),
            spanwise.SentenceWindow(sentences=3, overlap_sentences=2),
            spanwise.SentenceWindow(overlap_sentences=0),
        ),
        overlaps=False,
        own_overlap=True,
    ),
    "docling": Row(
        (spanwise.Docling(), spanwise.Docling(merge_peers=False)),
        overlaps=False,
        whole_words=False,
        parted="headings",
        sampled=40,  # its parser reads 0.1 MB a second
    ),
}

if find_spec("docling") is None:  # half a gigabyte, which a first look at the tests need not install
    del ROWS["docling"]
