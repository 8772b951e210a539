"""Under which headings does a piece of text stand?"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heading", "Outline"]

_NEVER = sys.maxsize
_DEEPEST = 64  # titles in a path: what is nested deeper stands under the last of them


class Heading(msgspec.Struct, frozen=True):
    """A heading: its span, its level from 1 (outermost), and its title as plain text.

    The span is that of its lines, or of the words that begin a line ("2.1 Term."), or empty where the section has a
    name but no line of its own (a turn of a chat). `until` is where its section closes if not by another heading.

    >>> Heading(0, 6, 1, "Pump").title
    'Pump'
    """

    start: int
    end: int
    level: int
    title: str
    until: int | None = None


class Outline:
    """The headings of one document, in order."""

    __slots__ = ("_above", "_heading_starts", "_paths", "_turns", "headings", "run_ends", "run_starts")

    def __init__(
        self,
        headings: Sequence[Heading] = (),
        text_starts: Sequence[int] = (),
        above: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Take the headings and, for each, where the first line after it begins that is not blank.

        `above` are levels and titles of sections that are open where the text begins.
        """
        self.headings = tuple(headings)
        self._above = tuple(above)
        self._heading_starts = [heading.start for heading in self.headings]
        self._turns, self._paths = _paths(self.headings, self._above)
        self.run_starts: list[int] = []
        self.run_ends: list[int] = []
        for heading, text_start in zip(self.headings, text_starts, strict=True):
            if self.run_ends and self.run_ends[-1] >= heading.start:
                self.run_ends[-1] = max(self.run_ends[-1], text_start)
            else:
                self.run_starts.append(heading.start)
                self.run_ends.append(text_start)

    def __bool__(self) -> bool:
        return bool(self.headings) or bool(self._above)

    def open_at(self, offset: int) -> tuple[tuple[int, str], ...]:
        """List levels and titles of the sections that hold `offset`, outermost first."""
        place = bisect_right(self._heading_starts, offset)
        opened = list(self._above)
        for heading in self.headings[:place]:
            while opened and opened[-1][0] >= heading.level:
                opened.pop()
            opened.append((heading.level, heading.title))
        path = self.path_at(offset)
        return tuple(opened[: len(path)]) if tuple(title for _, title in opened[: len(path)]) == path else ()

    def path_at(self, offset: int) -> tuple[str, ...]:
        """Give the titles of the sections that hold `offset`, outermost first."""
        place = bisect_right(self._turns, offset)
        return self._paths[place - 1] if place else tuple(title for _, title in self._above)

    def paths_between(self, start: int, stop: int) -> tuple[tuple[str, ...], ...]:
        """List the paths of all sections that [start, stop) touches, each once, in the order of the text."""
        low, high = bisect_right(self._turns, start), bisect_left(self._turns, stop)
        first = self._paths[low - 1] if low else self.path_at(start)
        found = dict.fromkeys((first, *self._paths[low:high]))
        return tuple(path for path in found if path)

    def runs_between(self, start: int, stop: int) -> list[tuple[int, int]]:
        """List the runs of headings that begin in (start, stop): their offsets and the levels of their first."""
        low, high = bisect_right(self.run_starts, start), bisect_left(self.run_starts, stop)
        return [
            (offset, self.headings[bisect_left(self._heading_starts, offset)].level)
            for offset in self.run_starts[low:high]
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


def _paths(headings: Sequence[Heading], above: Sequence[tuple[int, str]]) -> tuple[list[int], list[tuple[str, ...]]]:
    """List where the path changes, and to what.

    A section closes where a heading of its own or an outer level opens another, and at its `until`.
    """
    turns: list[int] = []
    paths: list[tuple[str, ...]] = []
    open_sections: list[tuple[int, int, tuple[str, ...]]] = []  # level, where it closes, path; inner ones close first
    for level, title in above:
        open_sections.append((level, _NEVER, (*(open_sections[-1][2] if open_sections else ()), title)))

    def close_before(offset: int) -> None:
        while open_sections and open_sections[-1][1] <= offset:
            _, until, _ = open_sections.pop()
            turns.append(until)
            paths.append(open_sections[-1][2] if open_sections else ())

    for heading in headings:
        close_before(heading.start)
        while open_sections and open_sections[-1][0] >= heading.level:
            open_sections.pop()
        _, limit, path = open_sections[-1] if open_sections else (0, _NEVER, ())
        if len(open_sections) < _DEEPEST:
            path = (*path, heading.title)
        until = limit if heading.until is None else min(heading.until, limit)
        open_sections.append((heading.level, until, path))
        turns.append(heading.start)
        paths.append(path)
    close_before(_NEVER - 1)
    return turns, paths
