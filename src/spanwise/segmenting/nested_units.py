"""Units as a structure has them: sorted, within one another or apart, and not too deep."""

from __future__ import annotations

import sys
from operator import itemgetter
from typing import TYPE_CHECKING

from spanwise.structure import DEEPEST_UNIT, Table, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["fitting", "nested", "outermost"]

_START, _END = itemgetter(0), itemgetter(1)


def nested(spans: Iterable[tuple[int, int]]) -> tuple[Unit, ...]:
    """Sort spans to units; leave out what crosses one that begins earlier, lies too deep, is empty or comes twice."""
    ordered = sorted(spans, key=_END, reverse=True)
    ordered.sort(key=_START)
    return fitting(ordered)


def fitting(ordered: Iterable[tuple[int, int]]) -> tuple[Unit, ...]:
    """Leave out the same of spans that are sorted by (start, -end)."""
    kept: list[Unit] = []
    ends = [sys.maxsize]
    last = (-1, -1)
    for start, end in ordered:
        while ends[-1] <= start:
            ends.pop()
        if start < end <= ends[-1] and len(ends) <= DEEPEST_UNIT and (start, end) != last:
            ends.append(end)
            last = tuple.__new__(Unit, (start, end))  # in half the time of `Unit(start, end)`
            kept.append(last)
    return tuple(kept)


def outermost(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Sort tables; leave out those that lie in a cell of another."""
    kept: list[Table] = []
    for table in sorted(tables, key=lambda table: (table.start, -table.end)):
        if not kept or table.start >= kept[-1].end:
            kept.append(table)
    return tuple(kept)
