"""Whole sections where they fit, else their parts.

A section with its subsections is one piece when it fits the budget; else it is parted where its child sections begin
and close, and so on down, but never inside a unit that fits. What stands under one heading and is still too long is
filled. A heading stays with what follows it: headings that follow one another at once are not parted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from spanwise.packing.fill import Filling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanwise.packing.page import Page, Piece

__all__ = ["SectionPacker"]


class SectionPacker:
    """Pack by sections.

    `nested=False` parts at every heading. `merge` joins neighbouring parts of one parent while they fit together.
    """

    def __init__(self, *, nested: bool = True, merge: bool = False, min_fill: float = 0.0) -> None:
        self.nested = nested
        self.merge = merge
        self.min_fill = min_fill

    def pack(self, page: Page) -> Iterator[Piece]:
        """Yield the pieces of the page."""
        filling = Filling(page, self.min_fill)
        for start, stop in self._regions(page):
            yield from filling.pieces(start, stop)

    def _regions(self, page: Page) -> Iterator[tuple[int, int]]:
        """Yield the spans that are packed each on its own; they tile the page."""
        turns = _turns(page)
        if not self.nested:
            yield from _spans(0, [turn for turn, _ in turns if not _divides_unit(page, turn)], page.size)
            return
        waiting = [(0, page.size)]
        while waiting:
            start, stop = waiting.pop()
            if start >= stop:
                continue
            parts = [] if self._is_whole(page, start, stop) else _parts(page, turns, start, stop)
            parts = self._merged(page, parts) if parts and self.merge else parts
            if len(parts) > 1:
                waiting.extend(reversed(parts))
            else:
                yield start, stop

    def _is_whole(self, page: Page, start: int, stop: int) -> bool:
        most = page.budget.max_tokens
        page.begin(start)
        first, last = page.kept(start, stop)
        if page.reach(first, None if most is None else most + most // 8 + 8) < last:
            return False
        return page.fits(start, stop)

    def _merged(self, page: Page, parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
        merged = [parts[0]]
        for start, stop in parts[1:]:
            page.begin(merged[-1][0])
            if page.fits(merged[-1][0], stop):
                merged[-1] = (merged[-1][0], stop)
            else:
                merged.append((start, stop))
        return merged


def _turns(page: Page) -> list[tuple[int, int]]:
    """List where sections begin, and where text goes on after one that closed by itself, with their levels."""
    levels = {turn: level for turn, level in page.closings() if 0 < turn < page.size}
    levels.update(page.outline.runs_between(0, page.size))
    return sorted(levels.items())


def _parts(page: Page, turns: Sequence[tuple[int, int]], start: int, stop: int) -> list[tuple[int, int]]:
    """Part a section at its child sections: where those of the least level among them begin and close."""
    low, high = bisect_right(turns, start, key=_offset), bisect_left(turns, stop, key=_offset)
    inside = [turn for turn in turns[low:high] if not _divides_unit(page, turn[0])]
    if not inside:
        return []
    outermost = min(level for _, level in inside)
    return list(_spans(start, [cut for cut, level in inside if level == outermost], stop))


def _offset(turn: tuple[int, int]) -> int:
    return turn[0]


def _divides_unit(page: Page, cut: int) -> bool:
    """Say whether a cut would divide a unit that fits alone, such as a record with keys in it."""
    return page.units.divided(cut, 0, page.is_too_long) is not None


def _spans(start: int, cuts: list[int], stop: int) -> Iterator[tuple[int, int]]:
    for cut in cuts:
        yield start, cut
        start = cut
    yield start, stop
