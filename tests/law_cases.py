"""What the laws are tried on: a strategy with its budget, counter and edges, and a text."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import regex
from hypothesis import strategies as st
from tokenizers import Tokenizer

import spanwise
from oracles import DATA, tiktoken_encoding
from spanwise.formats.reading import format_names
from strategy_rows import ROWS, Row
from texts import WHITE_SPACE, chunked_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanwise.segmenting.reading import Reading

__all__ = ["COUNTERS", "Case", "cases", "judged"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDPIECE = DATA / "minilm-wordpiece.tokenizer.json"


def thirds(text: str) -> int:
    """Count a third of the bytes, rounded up or one more: a bare callable, not additive."""
    return len(text.encode("utf-8", "replace")) // 3 + (1 if text else 0)


@lru_cache(maxsize=1)
def _wordpiece() -> Tokenizer:
    described = json.loads(_WORDPIECE.read_text(encoding="utf-8"))
    return Tokenizer.from_str(json.dumps({**described, "truncation": None, "padding": None, "added_tokens": []}))


def _seen(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


_JUDGES: dict[str, Callable[[str], int]] = {
    "cl100k_base": lambda text: len(tiktoken_encoding("cl100k_base").encode_ordinary(_seen(text))),
    "wordpiece": lambda text: len(_wordpiece().encode(_seen(text), add_special_tokens=False).ids),
    "thirds": lambda text: thirds(_seen(text)),
    "characters": len,
}
"""How large a text is, without the package."""

COUNTERS = tuple(_JUDGES)


def judged(counter: str, text: str) -> int:
    """Count a text with the judge of a counter."""
    return _JUDGES[counter](text)


@lru_cache(maxsize=8)
def _counter(name: str) -> spanwise.Counter:
    return spanwise.counter({"wordpiece": _WORDPIECE, "thirds": thirds}.get(name, name))


class Case(NamedTuple):
    """One chunking."""

    text: str
    name: str
    strategy: spanwise.Strategy
    counter: str
    max_tokens: int | None = None
    max_characters: int | None = None
    overlap_tokens: int = 0
    overlap_characters: int = 0
    overflow: str = "refuse"
    trim: bool = False
    blank: Literal["drop", "keep"] = "drop"
    structure: str = "auto"

    @property
    def row(self) -> Row:
        return ROWS[self.name]

    @property
    def refuses(self) -> bool:
        return self.row.whole_words and self.overflow == "refuse"

    def chunker(self) -> spanwise.Chunker:
        return spanwise.Chunker(
            self.strategy,
            counter=_counter(self.counter),
            max_tokens=self.max_tokens,
            max_characters=self.max_characters,
            overlap_tokens=self.overlap_tokens,
            overlap_characters=self.overlap_characters,
            overflow=self.overflow,
            trim=self.trim,
            blank=self.blank,
            structure=self.structure,
        )

    @property
    def document(self) -> spanwise.Document:
        return spanwise.Document(id="laws", text=self.text)

    @property
    def streams(self) -> bool:
        """Say whether the strategy does without the whole text: a function that gives headings reads all of it."""
        whole = ("headings", "within_sections", "stable")
        return not any(getattr(self.strategy, option, None) for option in whole)

    @property
    def reading(self) -> Reading:
        """What is read of the text."""
        return self.chunker().reading_of(self.document)

    @property
    def structural_starts(self) -> set[int]:
        """Where the structure parts words."""
        structure = self.reading.structure
        starts = {*(structure.blocks or ()), *(unit.start for unit in structure.units)}
        return starts | set(self.reading.outline.run_ends)

    def chunks(self) -> list[spanwise.Chunk]:
        """Chunk; a text that is refused gives none, which a law of its own looks at."""
        return self.tried()[0]

    def tried(self) -> tuple[list[spanwise.Chunk], spanwise.ChunkingError | spanwise.BudgetError | None]:
        """Chunk, and give the error where the text or the budget is refused."""
        try:
            return self.chunker().chunk(self.document), None
        except (spanwise.ChunkingError, spanwise.BudgetError) as error:
            return [], error

    def size_of(self, start: int, end: int) -> int:
        return judged(self.counter, self.text[start:end])

    def fits(self, start: int, end: int) -> bool:
        """Say whether a chunk of this span would be within the budget, by the judge."""
        if self.trim:
            clusters = regex.findall(r"\X", self.text[start:end])
            while clusters and set(clusters[0]) <= WHITE_SPACE:
                start += len(clusters.pop(0))
            while clusters and set(clusters[-1]) <= WHITE_SPACE:
                end -= len(clusters.pop())
        if start == end:
            return True
        if self.max_characters is not None and end - start > self.max_characters:
            return False
        return self.max_tokens is None or self.size_of(start, end) <= self.max_tokens

    def asked(self, start: int, end: int) -> bool:
        """Say whether repeating this span is at most what was asked."""
        if not self.overlap_tokens and not self.overlap_characters:
            return False
        if self.overlap_characters and end - start > self.overlap_characters:
            return False
        return not self.overlap_tokens or self.size_of(start, end) <= self.overlap_tokens


STRUCTURES = st.one_of(st.sampled_from(["plain", "markdown"]), st.sampled_from(format_names()))
_SIZES = st.one_of(st.integers(1, 12), st.integers(4, 40), st.integers(1, 512))


@st.composite
def cases(
    draw: st.DrawFn,
    name: str,
    *,
    overlap: bool | None = None,
    trim: bool | None = None,
    blank: Literal["drop", "keep"] | None = None,
    overflow: str | None = None,
    texts: st.SearchStrategy[str] | None = None,
) -> Case:
    """Draw a case for one strategy; what is given is held fixed."""
    row = ROWS[name]
    tokens = draw(st.one_of(_SIZES, _SIZES, st.none()))
    characters = draw(_SIZES) if tokens is None else draw(st.one_of(st.none(), st.none(), _SIZES))
    repeats = row.overlaps and (draw(st.booleans()) if overlap is None else overlap)
    return Case(
        text=draw(chunked_texts() if texts is None else texts),
        name=name,
        strategy=draw(st.sampled_from(row.samples)),
        counter=draw(st.sampled_from(COUNTERS)),
        max_tokens=tokens,
        max_characters=characters,
        overlap_tokens=draw(st.integers(0, tokens - 1)) if repeats and tokens else 0,
        overlap_characters=draw(st.one_of(st.just(0), st.integers(0, characters - 1))) if repeats and characters else 0,
        overflow=draw(st.sampled_from(["refuse", "split", "split"])) if overflow is None else overflow,
        trim=draw(st.booleans()) if trim is None else trim,
        blank=draw(st.sampled_from(["drop", "keep"])) if blank is None else blank,
        structure=draw(STRUCTURES),
    )
