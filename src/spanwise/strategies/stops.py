"""Where chunks have to end because larger ones begin or end there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from spanwise.errors import SpanError, shown
from spanwise.packing.page import Piece
from spanwise.segmenting.graphemes import floor, next_boundary
from spanwise.whitespace import is_blank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.chunks import Chunk
    from spanwise.documents import Document

__all__ = ["stops_around", "stops_in"]


def stops_around(document: Document, larger: Sequence[Chunk]) -> list[Piece]:
    """List where chunks of a document begin and end, each with the grapheme cluster that it cuts, if it cuts one.

    Raises:
        SpanError: the chunks are not of this document, overlap, or leave out more than white space.
    """
    text, before = document.text, 0
    offsets: list[int] = []
    for chunk in larger:
        if chunk.document_id != document.id or text[chunk.start : chunk.end] != chunk.text:
            raise SpanError(
                f"chunk {chunk.index} at {chunk.start}:{chunk.end} of document {chunk.document_id!r} is no span of "
                f"document {document.id!r}: give chunks of this text"
            )
        if chunk.start < before:
            raise SpanError(
                f"chunk {chunk.index} begins at {chunk.start}, before the one before it ends at {before}: larger "
                "chunks must not overlap"
            )
        _check_gap(text, before, chunk.start)
        offsets += (chunk.start, chunk.end) if chunk.start > before else (chunk.end,)
        before = chunk.end
    _check_gap(text, before, len(text))
    return _with_clusters(text, offsets)


def _check_gap(text: str, start: int, end: int) -> None:
    if start < end and not is_blank(text, start, end):
        raise SpanError(
            f"nothing covers {start}:{end}: {shown(text[start : min(end, start + 200)])}: give all larger chunks of "
            "the document"
        )


def _with_clusters(text: str, offsets: list[int]) -> list[Piece]:
    stops = []
    begin = end = 0  # the last boundary that is known, or the cluster before it, in which many stops may lie
    for offset in offsets:
        if offset >= end:
            begin = floor(text, offset, end)
            end = offset if begin == offset else next_boundary(text, begin, len(text))
        cluster = (begin, end) if begin < offset < end else None
        stops.append(Piece(offset, offset, offset, 0, cluster=cluster))
    return stops


def stops_in(stops: Sequence[Piece], origin: int, size: int) -> list[Piece]:
    """Give the stops that lie in a page of `size` characters which begins at `origin`, as offsets of the page."""
    low, high = bisect_right(stops, origin, key=_end_of), bisect_left(stops, origin + size, key=_end_of)
    return [stop.moved(-origin) for stop in stops[low:high]]


def _end_of(stop: Piece) -> int:
    return stop.end
