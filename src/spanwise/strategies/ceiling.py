"""How near do chunks come to the most tokens that an embedder reads?

What is over that ceiling the embedder leaves out without a word, so the text at the end of such chunks is never found.
Boundaries do not depend on the ceiling: it is looked at once the chunks are made.
"""

from __future__ import annotations

import inspect
import warnings
from math import ceil
from os import PathLike
from typing import TYPE_CHECKING, cast

from spanwise.counting import counter as make_counter
from spanwise.counting.lengths import LENGTHS
from spanwise.counting.measure import ProbedMeasure
from spanwise.counting.naming import is_tokenizer
from spanwise.errors import CeilingWarning, ConfigurationError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spanwise.chunks import Chunk
    from spanwise.counting import Counter
    from spanwise.strategies.spec import ChunkingSpec, CounterSource

__all__ = ["DEFAULT_WARN_AT", "Ceiling", "issue"]

DEFAULT_WARN_AT = 0.9375
"""480 of 512."""


class Ceiling:
    """The most tokens that an embedder reads, in its own counter; from which share of them on a chunk is near it."""

    def __init__(self, most: int, spec: ChunkingSpec, strategy: str, counter: Counter, source: CounterSource) -> None:
        """Take a ceiling; `counter` is the chunker's, made of `source`."""
        self.most = most
        self.least = _least(DEFAULT_WARN_AT if spec.warn_at is None else spec.warn_at, most)
        self.counter = _counter_of(spec, counter, source)
        self.is_own = self.counter is counter
        self.named = None if self.is_own else spec.ceiling_counter
        self.strategy = strategy
        self.context = spec.context
        budget = spec.budget
        self.setting = "max_characters" if budget.max_tokens is None else "max_tokens"
        self.size = budget.max_characters if budget.max_tokens is None else budget.max_tokens

    def tokens(self, chunk: Chunk) -> int:
        """Count what is embedded; where that is the text alone in the chunker's own counter, it is counted already."""
        if self.is_own and not chunk.context:
            return chunk.tokens
        text = chunk.index_text
        return ProbedMeasure(self.counter, text).count(0, len(text))

    def warning(self, chunks: Iterable[Chunk]) -> CeilingWarning | None:
        """Give the warning about the chunks of one document; None where none comes near."""
        near = _Near(self)
        for chunk in chunks:
            near.see(chunk)
        return near.warning()

    def watched(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """Pass the chunks of one document on, and warn after the last."""
        near = _Near(self)
        for chunk in chunks:
            near.see(chunk)
            yield chunk
        issue(near.warning())


class _Near:
    """What is known of the chunks of one document: a few numbers, however many chunks there are."""

    def __init__(self, ceiling: Ceiling) -> None:
        self._ceiling = ceiling
        self._chunks = self._near = self._over = self._tokens = 0
        self._largest: Chunk | None = None
        self._fitting: int | None = None

    def see(self, chunk: Chunk) -> None:
        ceiling = self._ceiling
        tokens = ceiling.tokens(chunk)
        self._chunks += 1
        if tokens < ceiling.least:
            return
        self._near += 1
        self._over += tokens > ceiling.most
        if tokens > self._tokens:
            self._tokens, self._largest = tokens, chunk
        fitting = self._size_that_fits(chunk, tokens)
        self._fitting = fitting if self._fitting is None else min(self._fitting, fitting)

    @property
    def _exact(self) -> int | None:
        """Give the tokens of the ceiling's own counter that keep away from it, where chunks are not made by them."""
        overhead = 0 if self._ceiling.is_own else getattr(self._ceiling.counter, "overhead", 0)
        return None if self._is_exact else max(self._ceiling.least - 1 - overhead, 0) or None

    @property
    def _is_exact(self) -> bool:
        """Whether ceiling and budget are in one unit, so that keeping the one keeps the other."""
        ceiling = self._ceiling
        in_characters = ceiling.counter.name == "characters"
        return ceiling.is_own if ceiling.setting == "max_tokens" else in_characters

    def _size_that_fits(self, chunk: Chunk, tokens: int) -> int:
        """Give the budget with which a chunk as dense as this one stays away from the ceiling."""
        below = self._ceiling.least - 1
        if self._is_exact:
            return below
        size = chunk.tokens if self._ceiling.setting == "max_tokens" else len(chunk.index_text)
        return below * size // tokens

    def warning(self) -> CeilingWarning | None:
        ceiling, largest = self._ceiling, self._largest
        if largest is None:
            return None
        over = f", {self._over:,} of them over it" if self._over else ""
        context = f'; context="{ceiling.context}" is counted with it' if largest.context else ""
        about = "" if self._is_exact else "about "
        repair = f"set it to {about}{self._fitting}" if self._fitting else "lower it, or raise warn_at"
        if self._exact:
            named = "" if ceiling.named is None else f" and counter={shown(ceiling.named)}"
            repair += f"; max_tokens={self._exact}{named} instead stays below for certain"
        message = (
            f"document {largest.document_id!r}: {self._near:,} of {self._chunks:,} chunks near the embedder's ceiling "
            f"(from {ceiling.least:,} of {ceiling.most:,} on, by {ceiling.counter.name}){over}; the largest is chunk "
            f"{largest.index} at {largest.start}:{largest.end} with {self._tokens:,}"
            f"{context}. The strategy is {ceiling.strategy} with {ceiling.setting}={ceiling.size}: {repair}"
        )
        return CeilingWarning(
            message,
            document_id=largest.document_id,
            near=self._near,
            over=self._over,
            tokens=self._tokens,
            ceiling=ceiling.most,
            index=largest.index,
            start=largest.start,
            end=largest.end,
            setting=ceiling.setting,
            fitting=self._fitting or None,
            exact=self._exact,
        )


def issue(warning: CeilingWarning | None) -> None:
    """Warn at the line that called the package; nothing is kept, however many documents there are.

    `warnings.warn` would keep each text to know it again, and points a fixed number of calls up.
    """
    frame = inspect.currentframe()
    while frame is not None and frame.f_back is not None and _is_ours(frame.f_globals.get("__name__")):
        frame = frame.f_back
    if warning is None or frame is None:
        return
    module = frame.f_globals.get("__name__")
    warnings.warn_explicit(warning, CeilingWarning, frame.f_code.co_filename, frame.f_lineno, module)


def _is_ours(module: object) -> bool:
    return isinstance(module, str) and (module == "spanwise" or module.startswith("spanwise."))


def _least(warn_at: float, ceiling: int) -> int:
    """Give the fewest tokens that are near; 0.07 of 100 is 7, as it is written, and not a little more."""
    from fractions import Fraction  # noqa: PLC0415  seldom needed

    return ceil(Fraction(repr(float(warn_at))) * ceiling)


def _counter_of(spec: ChunkingSpec, counter: Counter, source: CounterSource) -> Counter:
    if spec.ceiling_counter is None:
        # a ceiling is in tokens: characters that nobody asked for are no unit of it
        nobody_chose = spec.counter is None and counter.name == "characters"
        return make_counter("cl100k_base") if nobody_chose else counter
    own = cast("CounterSource", spec.ceiling_counter)
    try:
        made = make_counter(own, special_tokens=_says_what_is_added(own))
    except ConfigurationError as error:
        raise ConfigurationError(f"ceiling_counter: {error}") from error
    is_same = own is source or (isinstance(own, str | PathLike) and own == source)
    return counter if is_same and getattr(made, "overhead", 0) == getattr(counter, "overhead", 0) else made


def _says_what_is_added(source: object) -> bool:
    """Whether a counter knows how many special tokens its model adds; they count towards the limit of the model."""
    if isinstance(source, str):
        return source not in LENGTHS
    return isinstance(source, PathLike) or is_tokenizer(source)
