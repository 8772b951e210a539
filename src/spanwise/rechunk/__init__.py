"""What changed? Chunk an edited document so that its chunks stay, and compare two sets of chunks."""

from __future__ import annotations

from spanwise.rechunk.difference import Difference, diff
from spanwise.rechunk.rechunking import Rechunked, rechunk

__all__ = ["Difference", "Rechunked", "diff", "rechunk"]
