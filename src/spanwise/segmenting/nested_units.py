"""Units as a structure has them: sorted, within one another or apart, and not too deep."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from spanwise.structure import DEEPEST_UNIT, Table, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["nested", "outermost"]

_START, _END = itemgetter(0), itemgetter(1)


def nested(spans: Iterable[tuple[int, int]]) -> tuple[Unit, ...]:
    """Sort spans to units; leave out what crosses one that begins earlier, lies too deep, is empty or comes twice."""
    ordered = sorted(spans, key=_END, reverse=True)
    ordered.sort(key=_START)
    kept: list[Unit] = []
    ends: list[int] = []
    last = (-1, -1)
    for start, end in ordered:
        while ends and ends[-1] <= start:
            ends.pop()
        if start < end and (start, end) != last and (not ends or (end <= ends[-1] and len(ends) < DEEPEST_UNIT)):
            ends.append(end)
            kept.append(Unit(start, end))
            last = start, end
    return tuple(kept)


def outermost(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Sort tables; leave out those that lie in a cell of another."""
    kept: list[Table] = []
    for table in sorted(tables, key=lambda table: (table.start, -table.end)):
        if not kept or table.start >= kept[-1].end:
            kept.append(table)
    return tuple(kept)
