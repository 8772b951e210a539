"""Which neighbouring segments share a chunk?

A packer takes a `Page` (one document with its cuts, its counter and the budget) and yields pieces: where a chunk
begins, where its new text begins, where it ends, and its size counted alone.

- `Fill`: left to right, the strongest cut where the budget is well used, else the last one that fits.
- `Parted`: parts the text first, such as `SectionParts` at sections, then fills each part on its own.
- `Windows`: whole sentences that overlap by construction.
"""

from __future__ import annotations

from spanwise.packing.budget import Budget, Overflow
from spanwise.packing.fill import Fill
from spanwise.packing.page import Packer, Page, Piece
from spanwise.packing.parted import Part, Parted, Parting
from spanwise.packing.section_parts import SectionParts
from spanwise.packing.windows import Windows

__all__ = [
    "Budget",
    "Fill",
    "Overflow",
    "Packer",
    "Page",
    "Part",
    "Parted",
    "Parting",
    "Piece",
    "SectionParts",
    "Windows",
]
