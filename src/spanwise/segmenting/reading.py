"""A text with what was read of it, shared by all segmenters that look at it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from spanwise.sections import Outline
from spanwise.segmenting.blocks import Blocks
from spanwise.segmenting.graphemes import is_boundary
from spanwise.segmenting.headings import Headings
from spanwise.segmenting.lines import line_ends_in
from spanwise.segmenting.nested_units import nested
from spanwise.segmenting.structured import ReadBlocks, whole_starts
from spanwise.structure import Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.segmenting.segmenter import Cuts, Segmenter

__all__ = ["Reading"]


class Reading:
    """A text, its structure, and its outline; blocks are found when the first segmenter asks for them."""

    def __init__(self, text: str, structure: Structure | None = None, outline: Outline | None = None) -> None:
        self.text = text
        self.structure = structure if structure is not None else Structure()
        self.outline = outline if outline is not None else Outline()

    @cached_property
    def line_ends(self) -> str:
        """The kinds of line ends that the text holds."""
        return line_ends_in(self.text)

    @cached_property
    def blocks(self) -> Blocks | ReadBlocks:
        """The blocks inside which sentences are sought."""
        starts = self.structure.blocks
        return (
            Blocks(self.text, self.line_ends)
            if starts is None
            else ReadBlocks(self.text, whole_starts(self.text, starts))
        )

    @cached_property
    def units(self) -> Sequence[Unit]:
        """What stays whole: the units of the structure, and the header of each table with its first row."""
        units, tables = self.structure.units, self.structure.tables
        if not tables:
            return units
        starts = [unit.start for unit in units]
        heads = []
        for table in tables:
            place = bisect_left(starts, table.rows)
            if place < len(units) and units[place].start < table.end:
                heads.append(Unit(table.start, units[place].end))
        return nested([*units, *heads])

    def closings(self) -> list[tuple[int, int]]:
        """List where what follows a section that closes by itself begins a block, and the level of the section."""
        starts = self.structure.blocks or ()
        found = []
        for offset, level in self.outline.closings:
            place = bisect_left(starts, offset)
            if place < len(starts) and is_boundary(self.text, starts[place]):
                found.append((starts[place], level))
        return found

    def page_at(self, offset: int) -> int:
        """Give the number of the page that holds an offset; 1 where there are none."""
        pages = self.structure.pages
        place = bisect_right(pages, offset, key=lambda page: page.start)
        return pages[place - 1].number if place else 1

    def rungs(self, segmenters: Sequence[Segmenter]) -> list[Cuts]:
        """Get a ladder ready for this text; headings are left out where there are none."""
        some = [segmenter for segmenter in segmenters if self.outline.run_starts or not isinstance(segmenter, Headings)]
        return [self.cuts(segmenter) for segmenter in some or segmenters]

    def cuts(self, segmenter: Segmenter) -> Cuts:
        """Get a segmenter ready for this text: with its structure, if it can use it."""
        cuts_in = getattr(segmenter, "cuts_in", None)
        bound: Cuts = segmenter.cuts(self.text) if cuts_in is None else cuts_in(self)
        return bound
