"""The strongest structural cut that leaves the chunk reasonably full."""

from __future__ import annotations

from collections.abc import Callable, Iterable  # noqa: TC003  msgspec reads the annotations
from typing import TYPE_CHECKING

import msgspec

from spanwise.errors import ConfigurationError, shown
from spanwise.packing.fill import Fill
from spanwise.packing.parted import Parted
from spanwise.packing.section_parts import SectionParts
from spanwise.packing.steady import Steady
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.headings import Headings
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.options import check_share, check_switch
from spanwise.strategies.strategy import Plan

if TYPE_CHECKING:
    from spanwise.packing.page import Packer

__all__ = ["Structural"]


class Structural(msgspec.Struct, frozen=True):
    r"""End chunks where the author ended a thought: at a heading, else a paragraph, a line, a sentence.

    Between `min_fill` of the budget and the budget, the strongest cut is taken, and of those the last. A heading never
    ends a chunk. `headings` is a function from the text to offsets of more headings, added to the Markdown ones;
    `within_sections=True` never lets a chunk cross a heading.

    `stable=True` is for those who chunk anew after an edit: the price of each cut is set by the text around it, so that
    boundaries find each other again. Chunks are filled a little less, and the whole text is needed.

    >>> import spanwise
    >>> text = "# Pump\n\nIt moves water.\n\n## Safety\n\nUnplug it first.\n"
    >>> [(chunk.section, chunk.tokens) for chunk in spanwise.chunk(text, max_tokens=12)]
    [(('Pump',), 7), (('Pump', 'Safety'), 8)]
    """

    min_fill: float = 0.35
    headings: Callable[[str], Iterable[int]] | None = None
    within_sections: bool = False
    stable: bool = False

    def __post_init__(self) -> None:
        check_share("min_fill", self.min_fill)
        check_switch("within_sections", self.within_sections)
        check_switch("stable", self.stable)
        if self.headings is not None and not callable(self.headings):
            raise ConfigurationError(f"headings must be a function from a text to offsets, got {shown(self.headings)}")

    def plan(self) -> Plan:
        """Choose by strength inside the envelope of min_fill and the budget."""
        headings = Headings(self.headings)
        packer: Packer = Fill(self.min_fill)
        if self.stable:
            packer = Parted(Steady(within_sections=self.within_sections), self.min_fill)
        elif self.within_sections:
            packer = Parted(SectionParts(nested=False), self.min_fill)
        return Plan(
            ladder=(headings, Paragraphs(), HardLines(), Sentences()),
            below=(Sentences(in_quotations=True), Blanks(), Words()),
            packer=packer,
            headings=headings,
            headings_stay=True,
            overlaps=False,
        )
