"""What stays whole: list items, table rows, links and other spans that a structure names."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from spanwise.segmenting.graphemes import is_boundary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spanwise.structure import Unit

__all__ = ["Units"]


class Units:
    """The units of one text. `is_too_long` says of a span whether it alone is over the budget: such a span is none."""

    __slots__ = ("_ends", "_outer", "_starts", "_text")

    def __init__(self, text: str, units: Sequence[Unit]) -> None:
        self._text = text
        self._starts = [unit.start for unit in units]
        self._ends = [unit.end for unit in units]
        self._outer = _outer_units(units)

    def __bool__(self) -> bool:
        return bool(self._starts)

    def divided(self, cut: int, start: int, is_too_long: Callable[[int, int], bool]) -> tuple[int, int] | None:
        """Give the span of the outermost unit that a cut divides of those that begin at `start` or later, or None."""
        starts, ends, outer = self._starts, self._ends, self._outer
        place = bisect_left(starts, cut) - 1
        found = None
        while place >= 0 and starts[place] >= start:
            if ends[place] > cut and is_boundary(self._text, starts[place]):
                holding = self._holding(place, start, is_too_long)
                if holding is not None:
                    found = holding
                break
            place = outer[place]
        return found

    def _holding(self, place: int, start: int, is_too_long: Callable[[int, int], bool]) -> tuple[int, int] | None:
        """Give the outermost of the units from one outwards that begins at `start` or later and is not too long."""
        found = None
        while place >= 0 and self._starts[place] >= start:
            span = self._starts[place], self._ends[place]
            if is_too_long(*span):
                break
            if is_boundary(self._text, span[0]):
                found = span
            place = self._outer[place]
        return found

    def loosened(self, cut: int, start: int, is_too_long: Callable[[int, int], bool]) -> int:
        """Move a cut that would divide a unit which begins at `start` or later to before that unit."""
        span = self.divided(cut, start, is_too_long)
        return cut if span is None else span[0]


def _outer_units(units: Sequence[Unit]) -> list[int]:
    """Give for each unit the place of the one that it lies in; -1 for the outermost."""
    outer: list[int] = []
    waiting: list[int] = []
    for place, unit in enumerate(units):
        while waiting and units[waiting[-1]].end <= unit.start:
            waiting.pop()
        outer.append(waiting[-1] if waiting else -1)
        waiting.append(place)
    return outer
