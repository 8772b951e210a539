"""What Docling's own chunker makes of a document, as exact spans within the budget."""

from __future__ import annotations

import msgspec

from spanwise.packing.parted import Parted
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.docling_parts import DoclingParts
from spanwise.strategies.options import check_switch
from spanwise.strategies.strategy import Plan

__all__ = ["Docling"]

_WELL_FILLED = 0.85


class Docling(msgspec.Struct, frozen=True):
    r"""Docling's HybridChunker over what `spanwise.load` gives, or over any text as Docling reads it as Markdown.

    It counts with your counter and budget. A chunk goes from where Docling's begins to where its next one does, and is
    cut again where the text is over the budget. Metadata holds what Docling would embed (`docling_text`) and the
    headings it found (`docling_headings`). `merge_peers=False` leaves small neighbours under the same headings apart.
    It needs the extra `docling`.

    >>> import spanwise
    >>> text = "# Pump\n\nIt moves water.\n\n# Hose\n\nIt is long.\n"
    >>> for chunk in spanwise.chunk(text, spanwise.Docling(), max_tokens=16):
    ...     print(repr(chunk.text), repr(chunk.metadata["docling_text"]))
    '# Pump\n\nIt moves water.\n\n' 'Pump\nIt moves water.'
    '# Hose\n\nIt is long.\n' 'Hose\nIt is long.'
    """

    merge_peers: bool = True

    def __post_init__(self) -> None:
        check_switch("merge_peers", self.merge_peers)

    def plan(self) -> Plan:
        """Part where Docling's chunks begin, then fill."""
        return Plan(
            ladder=(Paragraphs(), HardLines(), Sentences()),
            below=(Sentences(in_quotations=True), Blanks(), Words(), Graphemes()),
            packer=Parted(DoclingParts(merge_peers=self.merge_peers), _WELL_FILLED),
            headings_stay=True,
            whole_words=False,
            overlaps=False,
        )
