"""A chunk ends where the subject drifts."""

from __future__ import annotations

from functools import partial
from typing import cast

import msgspec

from spanwise.embedding import embedder as embedder_of
from spanwise.errors import ConfigurationError, near, shown
from spanwise.packing.drift import KINDS, Drift
from spanwise.packing.parted import Parted
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.options import check_language, check_share, check_whole
from spanwise.strategies.strategy import Plan

__all__ = ["Semantic"]

_WELL_FILLED = 0.85
_MOST = 100


class Semantic(msgspec.Struct, frozen=True):
    """Sentences about the same subject stay together: a chunk ends where the subject drifts.

    `embedder` is what `spanwise.embedder` takes; without one, static vectors that work offline (extra `semantic`).
    `breakpoint` says how groups are found. `optimal`: they are the best ones of the whole document under the budget;
    `amount` is what one more group costs, in spreads of the document (2.25): less gives smaller groups. The others end
    a group where the distance of the windows before and after a gap, of a sentence with `buffer` neighbours on each
    side, is a peak above a threshold: a `percentile` of the document's peaks (95), so many of `standard-deviation` (2)
    or `interquartile` ranges (1.5) above the usual, or a percentile of the `gradient` (95).

    Groups under `min_fill` of the budget join the neighbour that is nearer; those over the budget are cut as
    `recursive` cuts, and overlap is repeated inside these alone: with `optimal` only where one sentence is over the
    budget. Fewer than three sentences are never embedded; of more, `batch_size` in one call.

    Raises:
        ConfigurationError: an option that cannot work.
        EmbedderError: the embedder failed, while a document is chunked.

    >>> import spanwise
    >>> def about(texts): return [[float("pump" in text), float("cat" in text)] for text in texts]
    >>> text = "The pump runs. A pump hums. One pump leaks. The cat sleeps. A cat purrs. One cat eats."
    >>> strategy = spanwise.Semantic(about, min_fill=0)
    >>> [chunk.text for chunk in spanwise.chunk(text, strategy)]
    ['The pump runs. A pump hums. One pump leaks. ', 'The cat sleeps. A cat purrs. One cat eats.']
    """

    embedder: object = "wordllama"
    breakpoint: str = "optimal"
    amount: float | None = None
    buffer: int = 2
    min_fill: float = 0.1
    batch_size: int = 64
    language: str = "en"

    def __post_init__(self) -> None:
        check_language("language", self.language)
        check_share("min_fill", self.min_fill)
        check_whole("buffer", self.buffer, 0)
        check_whole("batch_size", self.batch_size, 1)
        if not isinstance(cast("object", self.breakpoint), str) or self.breakpoint not in KINDS:
            hint = near(str(self.breakpoint), KINDS)
            raise ConfigurationError(f"breakpoint must be {', '.join(KINDS)}, got {shown(self.breakpoint)}{hint}")
        _check_amount(self.breakpoint, self.amount)
        if not (
            isinstance(self.embedder, str) and self.embedder == "wordllama"
        ):  # which is loaded when it is needed, if it ever is
            msgspec.structs.force_setattr(self, "embedder", embedder_of(self.embedder))

    def plan(self) -> Plan:
        """Part where the subject drifts, then fill as `recursive` does."""
        return Plan(
            ladder=(Paragraphs(), HardLines(), Sentences(self.language)),
            below=(Sentences(self.language, in_quotations=True), Blanks(), Words(), Graphemes()),
            packer=Parted(
                Drift(
                    partial(embedder_of, self.embedder),
                    self.breakpoint,
                    KINDS[self.breakpoint] if self.amount is None else self.amount,
                    buffer=self.buffer,
                    least=self.min_fill,
                    batch=self.batch_size,
                ),
                _WELL_FILLED,
            ),
            headings_stay=True,
            whole_words=False,
            language=self.language,
        )


def _check_amount(kind: str, amount: object) -> None:
    if amount is None:
        return
    number = isinstance(amount, int | float) and not isinstance(amount, bool)
    if not number or not 0 <= cast("float", amount) <= _MOST:
        raise ConfigurationError(
            f"amount of breakpoint {kind!r} must be a number between 0 and {_MOST}, got {shown(amount)}"
        )
