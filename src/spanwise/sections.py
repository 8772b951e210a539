"""Under which headings does a piece of text stand?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heading", "Outline"]


class Heading(msgspec.Struct, frozen=True):
    """A heading: the span of its lines, its level from 1 (outermost), and its title as plain text."""

    start: int
    end: int
    level: int
    title: str


class Outline:
    """The headings of one document, in order."""

    __slots__ = ("_paths", "_starts", "headings", "run_ends", "run_starts")

    def __init__(self, headings: Sequence[Heading] = (), text_starts: Sequence[int] = ()) -> None:
        """Take the headings and, for each, where the first line after it begins that is not blank."""
        self.headings = tuple(headings)
        self._starts = [heading.start for heading in self.headings]
        self._paths: list[tuple[str, ...]] = _paths(self.headings)
        self.run_starts: list[int] = []
        self.run_ends: list[int] = []
        for heading, text_start in zip(self.headings, text_starts, strict=True):
            if self.run_ends and self.run_ends[-1] >= heading.start:
                self.run_ends[-1] = text_start
            else:
                self.run_starts.append(heading.start)
                self.run_ends.append(text_start)

    def __bool__(self) -> bool:
        return bool(self.headings)

    def path_at(self, offset: int) -> tuple[str, ...]:
        """Give the titles of the sections that hold `offset`, outermost first."""
        place = bisect_right(self._starts, offset)
        return self._paths[place - 1] if place else ()

    def runs_between(self, start: int, stop: int) -> list[tuple[int, int]]:
        """List the runs of headings that begin in (start, stop): their offsets and the levels of their first."""
        low, high = bisect_right(self.run_starts, start), bisect_left(self.run_starts, stop)
        return [
            (offset, self.headings[bisect_left(self._starts, offset)].level) for offset in self.run_starts[low:high]
        ]

    def loosened(self, cut: int) -> int:
        """Move a cut that would part a heading from what follows it to before the heading.

        Headings that follow one another at once move as one.
        """
        place = bisect_left(self.run_starts, cut) - 1
        if place >= 0 and cut <= self.run_ends[place]:
            return self.run_starts[place]
        return cut

    def text_from(self, offset: int) -> int:
        """Give where the text after the headings begins in which `offset` stands; `offset` itself elsewhere."""
        place = bisect_right(self.run_starts, offset) - 1
        return max(offset, self.run_ends[place]) if place >= 0 else offset


def _paths(headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """Close every section of the same or a deeper level where a new one opens."""
    paths: list[tuple[str, ...]] = []
    stack: list[Heading] = []
    for heading in headings:
        while stack and stack[-1].level >= heading.level:
            stack.pop()
        stack.append(heading)
        paths.append(tuple(open_heading.title for open_heading in stack))
    return paths
