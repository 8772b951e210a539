"""What every structure keeps, whatever the format and the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.formats.checking import checked
from spanwise.structure import DEEPEST_UNIT, LOOK_AHEAD

if TYPE_CHECKING:
    from spanwise.structure import Reader, Structure

LONGEST_TITLE = 300


def check_structure(text: str, structure: Structure) -> None:
    """Assert that a structure describes its text, and what readers keep beyond what a user's function must."""
    assert checked(structure, text, "its reader") == structure
    if structure.blocks is None:
        assert structure.strong == ()
    else:
        assert structure.blocks[:1] == ((0,) if text else ())
        assert set(structure.strong) <= set(structure.blocks)
    for heading in structure.headings:
        assert heading.start < len(text)
        assert 0 < len(heading.title) <= LONGEST_TITLE
        assert heading.title == " ".join(heading.title.split())
        assert heading.until is None or heading.until <= len(text)
    _check_units(structure)
    assert all(table.start < table.rows for table in structure.tables)
    assert all(hidden.start < hidden.end for hidden in structure.hidden)


def _check_units(structure: Structure) -> None:
    assert len(set(structure.units)) == len(structure.units)
    open_ends: list[int] = []
    for unit in structure.units:
        assert unit.start < unit.end
        while open_ends and open_ends[-1] <= unit.start:
            open_ends.pop()
        open_ends.append(unit.end)
        assert len(open_ends) <= DEEPEST_UNIT


def check_look_ahead(read: Reader, head: str, filler: str, tail: str) -> None:
    """Assert that what is said of `head` hangs on no more than what readers look ahead, here filled with `filler`."""
    middle = head + "\n" + filler * (LOOK_AHEAD // len(filler) + 1)
    with_tail = [heading for heading in read(middle + tail).headings if heading.end <= len(head)]
    assert with_tail == [heading for heading in read(middle).headings if heading.end <= len(head)]
