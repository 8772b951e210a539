"""Whole sections where they fit, else their parts.

A section with its subsections is one part when it fits the budget; else it is parted where its child sections begin
and close, and so on down, but never inside a unit that fits. What stands under one heading and is still too long is
filled. A heading stays with what follows it: headings that follow one another at once are not parted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from spanwise.packing.parted import Part, parts_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanwise.packing.page import Page

__all__ = ["SectionParts"]


class SectionParts:
    """Part by sections.

    `nested=False` parts at every heading. `merge` joins neighbouring parts of one parent while they fit together.
    """

    def __init__(self, *, nested: bool = True, merge: bool = False) -> None:
        self.nested = nested
        self.merge = merge

    def of(self, page: Page) -> _PageSections:
        """Find where the sections of a page begin and close."""
        return _PageSections(page, nested=self.nested, merge=self.merge)


class _PageSections:
    def __init__(self, page: Page, *, nested: bool, merge: bool) -> None:
        self._page = page
        self._nested = nested
        self._merge = merge
        self._turns = _turns(page)
        self._cuts: list[int] | None = None

    def between(self, start: int, stop: int) -> Iterator[Part]:
        """Yield the parts of a region; where only that is packed, those of the whole text as far as they lie in it."""
        if self._page.only is None:
            yield from self._parted(start, stop)
            return
        if self._cuts is None:
            self._cuts = [part.start for part in self._parted(0, self._page.size)]
        yield from parts_at(self._cuts, start, stop)

    def _parted(self, start: int, stop: int) -> Iterator[Part]:
        page, turns = self._page, self._turns
        if not self._nested:
            cuts = [turn for turn, _ in _between(turns, start, stop) if not page.divides_unit(turn)]
            yield from parts_at(cuts, start, stop)
            return
        waiting = [Part(start, stop)]
        while waiting:
            part = waiting.pop()
            start, stop = part.start, part.stop
            parts = [] if self._is_whole(start, stop) else _parts(page, turns, start, stop)
            parts = self._merged(parts) if parts and self._merge else parts
            if len(parts) > 1:
                waiting.extend(reversed(parts))
            else:
                yield part

    def _is_whole(self, start: int, stop: int) -> bool:
        page = self._page
        most = page.budget.max_tokens
        page.begin(start)
        first, last = page.kept(start, stop)
        if page.reach(first, None if most is None else most + most // 8 + 8) < last:
            return False
        return page.fits(start, stop)

    def _merged(self, parts: list[Part]) -> list[Part]:
        page = self._page
        merged = [parts[0]]
        for part in parts[1:]:
            start = merged[-1].start
            page.begin(start)
            if page.fits(start, part.stop):
                merged[-1] = Part(start, part.stop)
            else:
                merged.append(part)
        return merged


def _turns(page: Page) -> list[tuple[int, int]]:
    """List where sections begin, and where text goes on after one that closed by itself, with their levels."""
    levels = {turn: level for turn, level in page.closings() if 0 < turn < page.size}
    levels.update(page.outline.runs_between(0, page.size))
    return sorted(levels.items())


def _parts(page: Page, turns: Sequence[tuple[int, int]], start: int, stop: int) -> list[Part]:
    """Part a section at its child sections: where those of the least level among them begin and close."""
    inside = [turn for turn in _between(turns, start, stop) if not page.divides_unit(turn[0])]
    if not inside:
        return []
    outermost = min(level for _, level in inside)
    return list(parts_at([cut for cut, level in inside if level == outermost], start, stop))


def _between(turns: Sequence[tuple[int, int]], start: int, stop: int) -> Sequence[tuple[int, int]]:
    return turns[bisect_right(turns, start, key=_offset) : bisect_left(turns, stop, key=_offset)]


def _offset(turn: tuple[int, int]) -> int:
    return turn[0]
