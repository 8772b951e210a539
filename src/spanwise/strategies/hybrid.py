"""The items of a document, small neighbours under the same headings merged."""

from __future__ import annotations

import msgspec

from spanwise.packing.item_parts import ItemParts
from spanwise.packing.parted import Parted
from spanwise.packing.section_parts import SectionParts
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.headings import Headings
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.options import check_switch
from spanwise.strategies.strategy import Plan

__all__ = ["Hybrid"]


class Hybrid(msgspec.Struct, frozen=True):
    r"""One chunk for each paragraph, list, table or code block; small neighbours under the same headings are merged.

    After the HybridChunker of Docling, for any format that is read here, with exact spans: the headings stand in
    `section`, and in `context` if that is asked for. An item over the budget is cut at its lines, sentences, words or
    characters, and what is left of it is merged too. `merge_peers=False` gives each item its own chunk.

    >>> import spanwise
    >>> text = "# Pump\n\nIt moves water.\n\nIt has one motor.\n\n## Safety\n\nUnplug it.\n"
    >>> [chunk.text for chunk in spanwise.chunk(text, "hybrid")]
    ['# Pump\n\nIt moves water.\n\nIt has one motor.\n\n', '## Safety\n\nUnplug it.\n']
    >>> len(spanwise.chunk(text, spanwise.Hybrid(merge_peers=False)))
    3
    """

    merge_peers: bool = True

    def __post_init__(self) -> None:
        check_switch("merge_peers", self.merge_peers)

    def plan(self) -> Plan:
        """Part at headings or items, then fill with whole items."""
        headings = Headings()
        return Plan(
            ladder=(Paragraphs(),),
            between=(HardLines(), Sentences()),
            below=(Sentences(in_quotations=True), Blanks(), Words(), Graphemes()),
            packer=Parted(SectionParts(nested=False) if self.merge_peers else ItemParts()),
            headings=headings,
            headings_stay=True,
            whole_words=False,
            overlaps=False,
        )
