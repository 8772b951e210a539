"""What every structure keeps, whatever the format and the text."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from spanwise.structure import DEEPEST_UNIT

if TYPE_CHECKING:
    from spanwise.structure import Structure

LONGEST_TITLE = 300


def check_structure(text: str, structure: Structure) -> None:
    """Assert that a structure describes its text."""
    size = len(text)
    _check_headings(size, structure)
    if structure.blocks is None:
        assert structure.strong == ()
    else:
        assert all(before < after for before, after in pairwise(structure.blocks))
        assert structure.blocks[:1] == ((0,) if text else ())
        assert all(start < size for start in structure.blocks)
        assert set(structure.strong) <= set(structure.blocks)
        assert list(structure.strong) == sorted(set(structure.strong))
    _check_units(size, structure)
    assert all(table.start < table.rows <= table.end <= size for table in structure.tables)
    assert all(before.end <= after.start for before, after in pairwise(structure.tables))
    assert all(0 <= hidden.start < hidden.end <= size for hidden in structure.hidden)
    assert all(before.end <= after.start for before, after in pairwise(structure.hidden))
    assert all(before.start < after.start for before, after in pairwise(structure.pages))


def _check_headings(size: int, structure: Structure) -> None:
    assert all(before.start <= after.start for before, after in pairwise(structure.headings))
    for heading in structure.headings:
        assert 0 <= heading.start <= heading.end <= size
        assert heading.start < size
        assert heading.level >= 1
        assert 0 < len(heading.title) <= LONGEST_TITLE
        assert heading.title == " ".join(heading.title.split())
        assert heading.until is None or heading.end <= heading.until <= size


def _check_units(size: int, structure: Structure) -> None:
    assert list(structure.units) == sorted(set(structure.units), key=lambda unit: (unit.start, -unit.end))
    open_ends: list[int] = []
    for unit in structure.units:
        assert 0 <= unit.start < unit.end <= size
        while open_ends and open_ends[-1] <= unit.start:
            open_ends.pop()
        assert not open_ends or unit.end <= open_ends[-1], ("crossing", unit)
        open_ends.append(unit.end)
        assert len(open_ends) <= DEEPEST_UNIT
