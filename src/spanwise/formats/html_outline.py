"""Which sections, tables and units has a page?"""

from __future__ import annotations

from typing import NamedTuple

from spanwise.structure import DEEPEST_UNIT, Table, Unit

__all__ = ["FoundHeading", "Sections", "Tables", "Units"]


class FoundHeading(NamedTuple):
    """A heading element: its span with the tags right before it, its level, and the place of its unit."""

    start: int
    end: int
    level: int
    unit: int


class Sections:
    """The headings of a page, and where what they head closes.

    A section closes with the innermost element that holds its heading and goes on after it: `<section>` where there
    is one. An element that wraps a heading alone closes nothing.
    """

    __slots__ = ("_elements", "_headed", "headings", "until")

    def __init__(self) -> None:
        self.headings: list[FoundHeading] = []
        self.until: list[int | None] = []
        # For each open element the headings that close with it, as ranges of places in `headings`.
        self._elements: list[list[tuple[int, int]]] = []
        # Headings after which nothing was seen yet: from which place on, and how many of the open elements hold them.
        self._headed: list[tuple[int, int]] = []

    def add(self, heading: FoundHeading) -> None:
        """Take the next heading, when it ends."""
        self._wait(len(self.headings))
        self.headings.append(heading)
        self.until.append(None)

    def enter(self) -> None:
        """An element begins that closes sections."""
        self._elements.append([])

    def leave(self, at: int) -> None:
        """The innermost of these elements ends."""
        for first, stop in self._elements.pop():
            self.until[first:stop] = [at] * (stop - first)
        first = -1
        while self._headed and self._headed[-1][1] > len(self._elements):
            first, _ = self._headed.pop()
        if first >= 0:
            self._wait(first)

    def see(self) -> None:
        """Something other than a heading is seen."""
        stop = len(self.headings)
        for first, depth in reversed(self._headed):
            if depth:
                self._elements[depth - 1].append((first, stop))
            stop = first
        self._headed.clear()

    def _wait(self, first: int) -> None:
        depth = len(self._elements)
        if not self._headed or self._headed[-1][1] < depth:
            self._headed.append((first, depth))


class Tables:
    """The outermost tables of a page that have a header: `<thead>`, or first rows of `<th>` alone."""

    __slots__ = ("_depth", "_has_head", "_header_row", "_in_head", "_part", "_row", "_rows", "_start", "found")

    def __init__(self) -> None:
        self.found: list[Table] = []
        self._depth = 0
        self._begin(0)

    def _begin(self, at: int) -> None:
        self._start = at
        self._rows: int | None = None  # 0 once the table is known to have no header
        self._row = self._part = self._header_row = -1
        self._in_head = self._has_head = False

    def open(self, at: int) -> None:
        """A table begins."""
        self._depth += 1
        if self._depth == 1:
            self._begin(at)

    def close(self, at: int) -> None:
        """A table ends."""
        self._depth -= 1
        if not self._depth and self._rows:
            self.found.append(Table(self._start, self._rows, at))

    def open_part(self, name: str, at: int) -> None:
        """A `<thead>`, `<tbody>`, `<tfoot>`, `<tr>`, `<td>` or `<th>` begins."""
        if self._depth != 1 or self._rows is not None:
            return
        if name == "tr":
            self._row, self._part = (self._part if self._part >= 0 else at), -1
            if self._has_head:
                self._rows = self._row
        elif name not in {"td", "th"}:
            self.close_head()
            self._in_head = name == "thead"
            self._part = at
        elif self._in_head or name == "th":
            self._header_row = self._row if self._header_row < 0 else self._header_row
        else:
            self._rows = self._row if 0 <= self._header_row < self._row else 0

    def close_head(self) -> None:
        """The `<thead>` of a table ends, if it is in one."""
        if self._depth == 1 and self._in_head:
            self._has_head = self._header_row >= 0
            self._in_head = False


class Units:
    """The spans of a page that stay whole. Each is noted where it begins, outer ones first."""

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> None:
        """Note a unit."""
        self._starts.append(start)
        self._ends.append(end)

    def open(self, start: int) -> int:
        """Note where a unit begins, and give its number: it is none unless it is ended."""
        self._starts.append(start)
        self._ends.append(-1)
        return len(self._starts) - 1

    def start_of(self, unit: int) -> int:
        """Give where a unit begins."""
        return self._starts[unit]

    def end(self, unit: int, at: int, longest: int | None = None) -> None:
        """End a unit, if it is not longer than the longest."""
        if longest is None or at - self._starts[unit] <= longest:
            self._ends[unit] = at

    def drop(self, unit: int) -> None:
        """Make a unit none."""
        self._ends[unit] = -1

    def finished(self) -> tuple[Unit, ...]:
        """Give the units that have an end and do not lie too deep."""
        around: list[int] = []
        found: list[Unit] = []
        before, inner_end = (-1, -1), -1
        for span in zip(self._starts, self._ends, strict=True):
            start, end = span
            if end <= start or span == before:  # an element may be its start tag alone
                continue
            before = span
            while inner_end <= start and around:
                around.pop()
                inner_end = around[-1] if around else -1
            if around and end > inner_end:  # what begins in a written line and goes on after it
                continue
            if len(around) < DEEPEST_UNIT:
                around.append(end)
                inner_end = end
                found.append(Unit(start, end))
        return tuple(found)
