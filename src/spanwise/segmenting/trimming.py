"""Without the white space at both ends, and never into a cluster: a blank under an accent stays."""

from __future__ import annotations

from spanwise.segmenting.graphemes import floor, next_boundary
from spanwise.whitespace import WHITE_SPACE

__all__ = ["trimmed"]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    r"""Move both ends of a span inwards past clusters of white space; a blank span becomes (start, start).

    >>> trimmed("  two words\n", 0, 12)
    (2, 11)
    """
    piece = text[start:end]
    kept = piece.lstrip(WHITE_SPACE)
    if not kept:
        return start, start
    first = floor(text, end - len(kept), start)
    last = end - len(kept) + len(kept.rstrip(WHITE_SPACE))
    boundary = floor(text, last, first)
    return first, last if boundary == last else min(end, next_boundary(text, boundary))
