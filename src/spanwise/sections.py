"""Under which headings does a piece of text stand?"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heading", "Outline"]

_NEVER = sys.maxsize
_DEEPEST = 64  # levels, and so titles in a path: deeper headings are of this level, so that no walk upwards is long


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
    signature: str = ""
    """What stands for it in a context instead of the titles: of a definition in source code, its first lines."""


class _Section(NamedTuple):
    """A section with those that hold it; `back` is what is open again once it closes."""

    level: int
    title: str
    path: tuple[str, ...]
    lines: tuple[str, ...]
    """What stands for the path in a context; empty if no section of it has a signature."""
    until: int
    outer: _Section | None
    back: _Section | None


class Outline:
    """The headings of one document, in order."""

    __slots__ = ("_above", "_heading_starts", "_opened", "_turns", "closings", "headings", "run_ends", "run_starts")

    def __init__(
        self,
        headings: Sequence[Heading] = (),
        text_starts: Sequence[int] = (),
        above: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Take the headings and, for each, where the first line after it begins that is not blank.

        `above` are levels and titles of sections that are open where the text begins.
        """
        self.headings = tuple(map(_not_too_deep, headings))
        self._above = _opened_above(above)
        self._heading_starts = [heading.start for heading in self.headings]
        self._turns, self._opened, self.closings = _sections(self.headings, self._above)
        """`closings`: where sections close if not by another heading, and their levels."""
        self.run_starts: list[int] = []
        self.run_ends: list[int] = []
        for heading, text_start in zip(self.headings, text_starts, strict=True):
            closes_first = heading.until is not None and heading.until <= text_start
            run_end = heading.start if closes_first else text_start  # it has no text to stay with
            if self.run_ends and self.run_ends[-1] >= heading.start:
                self.run_ends[-1] = max(self.run_ends[-1], run_end)
            else:
                self.run_starts.append(heading.start)
                self.run_ends.append(run_end)

    def __bool__(self) -> bool:
        return bool(self.headings) or self._above is not None

    def _at(self, offset: int) -> _Section | None:
        place = bisect_right(self._turns, offset)
        return self._opened[place - 1] if place else self._above

    def path_at(self, offset: int) -> tuple[str, ...]:
        """Give the titles of the sections that hold `offset`, outermost first."""
        section = self._at(offset)
        return () if section is None else section.path

    def signatures_at(self, offset: int) -> tuple[str, ...]:
        """Give the signatures of the sections that hold `offset`, outermost first; empty where there are none."""
        section = self._at(offset)
        return () if section is None else section.lines

    def open_at(self, offset: int) -> tuple[tuple[int, str], ...]:
        """List levels and titles of the sections that hold `offset`, outermost first."""
        opened = []
        section = self._at(offset)
        while section is not None:
            opened.append((section.level, section.title))
            section = section.outer
        return tuple(reversed(opened))

    def paths_between(self, start: int, stop: int) -> tuple[tuple[str, ...], ...]:
        """List the paths of all sections that [start, stop) touches, each once, in the order of the text."""
        low, high = bisect_right(self._turns, start), bisect_left(self._turns, stop)
        touched = (self._at(start), *self._opened[low:high])
        return tuple(dict.fromkeys(section.path for section in touched if section is not None))

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


def _not_too_deep(heading: Heading) -> Heading:
    return heading if heading.level <= _DEEPEST else msgspec.structs.replace(heading, level=_DEEPEST)


def _opened_above(above: Sequence[tuple[int, str]]) -> _Section | None:
    section: _Section | None = None
    for level, title in above:
        path = (title,) if section is None else (*section.path, title)
        section = _Section(level, title, path, (), _NEVER, section, section)
    return section


def _sections(
    headings: Sequence[Heading], above: _Section | None
) -> tuple[list[int], list[_Section | None], list[tuple[int, int]]]:
    """List where another section is open, and which; and where sections close by themselves, with their levels.

    A section closes where a heading of its own or an outer level opens another, and at its `until`: what was open
    before it is open again then, also a section of its own level, as an aside of a page has.
    """
    turns: list[int] = []
    opened: list[_Section | None] = []
    closings: list[tuple[int, int]] = []
    current = above

    def close_before(offset: int) -> None:
        nonlocal current
        while current is not None and current.until <= offset:
            turns.append(current.until)
            closings.append((current.until, current.level))
            current = current.back
            opened.append(current)

    for heading in headings:
        close_before(heading.start)
        outer = current
        while outer is not None and outer.level >= heading.level:
            outer = outer.outer
        current = _opened(heading, outer, current)
        turns.append(heading.start)
        opened.append(current)
    close_before(_NEVER - 1)
    return turns, opened, closings


def _opened(heading: Heading, outer: _Section | None, current: _Section | None) -> _Section:
    path, lines = ((), ()) if outer is None else (outer.path, outer.lines)
    path = (*path, heading.title)
    lines = (*lines, heading.signature) if heading.signature else lines
    until = _NEVER if outer is None else outer.until
    if heading.until is None:
        back = outer if outer is None else outer.back
    else:
        back = current if current is not None and current.until > heading.until else outer
        until = min(heading.until, until)
    return _Section(heading.level, heading.title, path, lines, until, outer, back)
