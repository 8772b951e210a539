"""Is what a user's function gave a structure of its text? Readers of the package are held to it by their tests."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from spanwise.errors import ConfigurationError, shown
from spanwise.structure import Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["checked"]


def checked(found: object, text: str, name: str) -> Structure:
    """Give back the structure that a function made of a text, once all offsets in it are what they must be.

    Raises:
        ConfigurationError: no Structure, or one that does not describe the text; names the value and its place.
    """
    if not isinstance(found, Structure):
        raise ConfigurationError(f"structure={name} must give a spanwise.Structure, got {shown(found)}")
    try:
        found = msgspec.convert(msgspec.to_builtins(found), Structure)
    except (TypeError, msgspec.ValidationError) as error:
        raise ConfigurationError(f"structure={name} gave a Structure with a value of the wrong kind: {error}") from None
    wrong = _fault(found, len(text))
    if wrong:
        raise ConfigurationError(f"structure={name} gave {wrong} for a text of {len(text)} characters")
    return found


def _fault(found: Structure, size: int) -> str:
    """Say what is wrong, or nothing."""
    spans = {
        "headings": [(heading.start, heading.end) for heading in found.headings],
        "units": [(unit.start, unit.end) for unit in found.units],
        "tables": [(table.start, table.end) for table in found.tables],
        "hidden": [(hidden.start, hidden.end) for hidden in found.hidden],
    }
    offsets = {
        "blocks": list(found.blocks or ()),
        "strong": list(found.strong),
        "pages": [page.start for page in found.pages],
    }
    faults = [
        *(_outside(name, listed, size) for name, listed in spans.items()),
        *(_not_ascending(name, listed, size) for name, listed in offsets.items()),
        _not_after_one_another("headings", spans["headings"]),
        _not_after_one_another("tables", spans["tables"]),
        _not_after_one_another("hidden", spans["hidden"]),
        _crossing(spans["units"]),
        *(_odd_heading(found, place) for place in range(len(found.headings))),
        *(
            f"tables[{place}]={shown(tuple(table))}, whose rows must begin inside it,"
            for place, table in enumerate(found.tables)
            if not table.start <= table.rows <= table.end
        ),
    ]
    if found.blocks is not None and found.blocks[:1] != (0,) and size:
        faults.append(f"blocks={shown(found.blocks)}, of which the first must be 0,")
    return next((fault for fault in faults if fault), "")


def _outside(name: str, spans: Sequence[tuple[int, int]], size: int) -> str:
    for place, (start, end) in enumerate(spans):
        if not 0 <= start <= end <= size:
            return f"{name}[{place}] from {start} to {end}, which is no span of it,"
    return ""


def _not_ascending(name: str, offsets: Sequence[int], size: int) -> str:
    for place, offset in enumerate(offsets):
        if not 0 <= offset < max(size, 1):
            return f"{name}[{place}] at {offset}, which is outside it,"
        if place and offset <= offsets[place - 1]:
            return f"{name}[{place}] at {offset}, which must be more than {offsets[place - 1]} before it,"
    return ""


def _not_after_one_another(name: str, spans: Sequence[tuple[int, int]]) -> str:
    for place, (one, other) in enumerate(pairwise(spans), 1):
        if other[0] < one[1]:
            return f"{name}[{place}] from {other[0]}, which must not begin before {one[1]}, the end of the one before,"
    return ""


def _crossing(units: Sequence[tuple[int, int]]) -> str:
    around: list[tuple[int, int]] = []
    for place, unit in enumerate(units):
        if place and (unit[0], -unit[1]) < (units[place - 1][0], -units[place - 1][1]):
            return f"units[{place}]={unit}, which must stand before {units[place - 1]}: sort them by (start, -end),"
        while around and around[-1][1] <= unit[0]:
            around.pop()
        if around and unit[1] > around[-1][1]:
            return f"units[{place}]={unit}, which crosses {around[-1]}: units lie inside one another or apart,"
        around.append(unit)
    return ""


def _odd_heading(found: Structure, place: int) -> str:
    heading = found.headings[place]
    if heading.level < 1:
        return f"headings[{place}] of level {heading.level}, levels begin at 1,"
    if heading.until is not None and heading.until < heading.end:
        return f"headings[{place}] until {heading.until}, which is before its end at {heading.end},"
    return ""
