"""What a strategy is: a named pair of ladder and packer.

Anything with a `plan()` that gives a `Plan` is a strategy; there is no base class. The promises hold for each plan
whose segmenters and packer keep their contracts (`Segmenter`, `Packer`).
"""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003  msgspec reads the annotations
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import msgspec

from spanwise.formats.reading import Reads  # noqa: TC001  msgspec reads the annotations
from spanwise.packing.fill import Fill
from spanwise.segmenting.headings import Headings

if TYPE_CHECKING:
    from spanwise.packing.page import Packer
    from spanwise.segmenting.segmenter import Segmenter

__all__ = ["Plan", "Strategy"]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How one strategy chunks: which rungs, which packer, and what is allowed."""

    ladder: tuple[Segmenter, ...]
    """The segmenters among which the packer chooses by strength, coarse to fine."""
    between: tuple[Segmenter, ...] = ()
    """Those that are tried one after another only where no cut of the ladder fits: sentences, lines."""
    below: tuple[Segmenter, ...] = ()
    """Those that are tried after them, one after another: words, characters."""
    packer: Packer = Fill()
    headings: Headings = Headings()
    """What says where sections begin."""
    headings_stay: bool = False
    """Whether a cut never parts a heading from what follows it, unless the two are over the budget."""
    whole_words: bool = True
    """Whether a word over the budget is refused, unless `Overflow.SPLIT` is asked for."""
    overlaps: bool = True
    """Whether chunks may repeat the end of the one before."""
    own_overlap: bool = False
    """Whether chunks overlap by construction, without being asked."""
    language: str = "en"
    reads: Callable[[str, str], Reads | None] | None = None
    """How a document is read whose format nobody named: from its first 65,536 characters and its media type; None
    where that is as always."""


@runtime_checkable
class Strategy(Protocol):
    """A named way to chunk: a frozen value with its own typed options."""

    def plan(self) -> Plan:
        """Say which ladder, which packer, and what is allowed."""
