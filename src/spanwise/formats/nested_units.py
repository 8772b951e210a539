"""Units as a structure has them: sorted, within one another or apart, and not too deep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.structure import DEEPEST_UNIT, Table, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["nested", "outermost"]


def nested(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Sort units; leave out those that cross one that begins earlier, those that lie too deep, and what is twice."""
    kept: list[Unit] = []
    ends: list[int] = []
    for unit in sorted(set(units), key=lambda unit: (unit.start, -unit.end)):
        while ends and ends[-1] <= unit.start:
            ends.pop()
        if len(ends) < DEEPEST_UNIT and (not ends or unit.end <= ends[-1]):
            ends.append(unit.end)
            kept.append(unit)
    return tuple(kept)


def outermost(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Sort tables; leave out those that lie in a cell of another."""
    kept: list[Table] = []
    for table in sorted(tables, key=lambda table: (table.start, -table.end)):
        if not kept or table.start >= kept[-1].end:
            kept.append(table)
    return tuple(kept)
