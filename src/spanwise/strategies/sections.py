"""Whole sections where they fit."""

from __future__ import annotations

import msgspec

from spanwise.packing.parted import Parted
from spanwise.packing.section_parts import SectionParts
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.headings import Headings
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.options import check_switch
from spanwise.strategies.strategy import Plan

__all__ = ["Sections"]

_MIN_FILL = 0.35


class Sections(msgspec.Struct, frozen=True):
    r"""A section with its subsections is one chunk where it fits, else it is parted at its child headings.

    Text under one heading that is too long is cut as `structural` cuts. `nested=False` parts at every heading;
    `merge=True` joins small neighbours under the same parent.

    >>> import spanwise
    >>> text = "# Pump\n\nIt moves water.\n\n## Safety\n\nUnplug it.\n\n## Cleaning\n\nRinse it.\n"
    >>> [chunk.section for chunk in spanwise.chunk(text, "sections", max_tokens=12)]
    [('Pump',), ('Pump', 'Safety'), ('Pump', 'Cleaning')]
    """

    nested: bool = True
    merge: bool = False

    def __post_init__(self) -> None:
        check_switch("nested", self.nested)
        check_switch("merge", self.merge)

    def plan(self) -> Plan:
        """Part at headings, then fill."""
        headings = Headings()
        return Plan(
            ladder=(headings, Paragraphs(), HardLines(), Sentences()),
            below=(Sentences(in_quotations=True), Blanks(), Words()),
            packer=Parted(SectionParts(nested=self.nested, merge=self.merge), _MIN_FILL),
            headings=headings,
            headings_stay=True,
        )
