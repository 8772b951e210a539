"""Part the text first, then fill each part on its own.

Where a strategy knows places at which chunks must end, whatever is in reach, it gives them as a `Parting`: sections,
turns of the subject, what another chunker made of the text. A part that is over the budget is filled; nothing is
repeated across two parts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

from spanwise.packing.fill import Filling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spanwise.packing.page import Page, Piece

__all__ = ["Part", "Parted", "Parting", "Parts", "parts_at"]


class Part(NamedTuple):
    """A span that is packed on its own, and what is known of it: that goes into the metadata of its chunks."""

    start: int
    stop: int
    metadata: Mapping[str, object] | None = None


def parts_at(cuts: Sequence[int], start: int, stop: int) -> Iterator[Part]:
    """Yield the parts of a region between those of the cuts, in order, that lie inside it.

    >>> [(part.start, part.stop) for part in parts_at([0, 4, 7, 9], 4, 9)]
    [(4, 7), (7, 9)]
    """
    inside = cuts[bisect_right(cuts, start) : bisect_left(cuts, stop)]
    for begin, end in pairwise((start, *inside, stop)):
        yield Part(begin, end)


class Parts(Protocol):
    """The parts of one page, found where they are asked for.

    Where `page.only` is set, nothing but that region is packed, and it may be parted as if it were the whole text.
    Those that have a true attribute `repeats` are no units of thought: where overlap is asked for, a part repeats the
    end of the one before it.
    """

    def between(self, start: int, stop: int) -> Iterator[Part]:
        """Yield the parts of a region in order; they tile it."""


class Parting(Protocol):
    """Says where chunks must end, whatever is in reach."""

    def of(self, page: Page) -> Parts:
        """Get ready for one page."""


class Parted:
    """Pack each part of the page on its own."""

    def __init__(self, parting: Parting, min_fill: float = 0.0) -> None:
        self.parting = parting
        self.min_fill = min_fill

    def pack(self, page: Page) -> Iterator[Piece]:
        """Yield the pieces of the page."""
        filling = Filling(page, self.min_fill)
        parts = page.parts = page.parts or self.parting.of(page)
        repeats = getattr(parts, "repeats", False)
        for begin, end, before in page.regions():
            after = before
            for start, stop, metadata in parts.between(begin, end):
                if not repeats:
                    page.part_starts.append(start)
                for piece in filling.pieces(start, stop, after):
                    after = piece
                    yield piece if metadata is None else piece._replace(metadata=metadata)
                after = after if repeats else None
