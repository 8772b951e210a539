"""Units: spans that are cut only when they alone are over the budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spanwise.segmenting.units import Units
from spanwise.structure import Unit
from texts import LAW

SIZE = 40


@st.composite
def nested_units(draw: st.DrawFn) -> list[Unit]:
    """Spans of which two are nested or apart."""
    units: set[Unit] = set()
    for start, length in draw(st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(1, SIZE)), max_size=12)):
        new = Unit(start, min(start + length, SIZE))
        if not any(
            before.start < new.start < before.end < new.end or new.start < before.start < new.end < before.end
            for before in units
        ):
            units.add(new)
    return sorted(units, key=lambda unit: (unit.start, -unit.end))


@LAW
@given(units=nested_units(), cut=st.integers(0, SIZE), start=st.integers(-1, SIZE), most=st.integers(1, SIZE))
def test_a_cut_moves_before_the_outermost_unit_that_it_divides(
    units: list[Unit], cut: int, start: int, most: int
) -> None:
    """Of those that begin at `start` or later and are not too long; beside a slow reading of the same words."""
    found = Units("x" * SIZE, units)
    divided = [unit for unit in units if start <= unit.start < cut < unit.end and unit.end - unit.start <= most]
    assert found.divided(cut, start, lambda begin, end: end - begin > most) == (min(divided) if divided else None)
    assert found.loosened(cut, start, lambda begin, end: end - begin > most) == min(
        (unit.start for unit in divided), default=cut
    )


def test_a_unit_that_begins_inside_a_character_is_none() -> None:
    """No cut may be there."""
    text = "e\u0301 item"
    assert Units(text, [Unit(1, 7)]).loosened(4, 0, lambda *_: False) == 4
    assert Units(text, [Unit(2, 7)]).loosened(4, 0, lambda *_: False) == 2
