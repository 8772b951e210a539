"""Units: spans that are cut only when they alone are over the budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spanwise.segmenting.nested_units import nested, outermost
from spanwise.segmenting.reading import Reading
from spanwise.segmenting.units import Units
from spanwise.structure import Structure, Table, Unit
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


def test_where_the_outermost_unit_begins_inside_a_character_the_next_one_counts() -> None:
    """What it holds is still not divided."""
    text = "e\u0301 item"
    assert Units(text, [Unit(1, 7), Unit(3, 7)]).divided(5, 0, lambda *_: False) == (3, 7)


def test_of_tables_that_lie_in_each_other_the_outermost_is_kept() -> None:
    """Its header explains its rows; what lies in a cell is text of the cell."""
    inner, outer, below = Table(4, 5, 8), Table(0, 2, 9), Table(9, 10, 12)
    assert outermost([inner, below, outer]) == (outer, below)


def test_a_table_without_a_row_that_is_a_unit_is_no_unit() -> None:
    """There is nothing that its header could stay with."""
    structure = Structure(units=(Unit(0, 2),), tables=(Table(3, 5, 8),))
    assert list(Reading("x" * 8, structure).units) == [Unit(0, 2)]


def test_spans_that_cross_lie_double_or_are_empty_are_no_units() -> None:
    """Of two that cross the one that begins earlier stays."""
    assert nested([(3, 3), (1, 4), (2, 6), (1, 4), (2, 3)]) == (Unit(1, 4), Unit(2, 3))
