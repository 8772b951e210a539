"""Are chunks of one text?

Chunks know their document by its id. Bare texts share the id "", and two versions of a document often share theirs, so
that chunks of different texts can come together. What proves that they do is refused, rather than to join what never
stood together.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from spanwise.errors import SpanError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanwise.chunks import Chunk
    from spanwise.documents import Document

__all__ = ["by_document", "by_span", "check_of_document", "check_one_text", "of_two_texts"]


def by_document(chunks: Iterable[Chunk]) -> dict[str, list[Chunk]]:
    """Part chunks by the id of their document, in the order in which the documents first appear."""
    parted: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        parted.setdefault(chunk.document_id, []).append(chunk)
    return parted


def by_span(chunk: Chunk) -> tuple[int, int, str]:
    """Sort by where chunks begin, the longest first."""
    return chunk.start, -chunk.end, chunk.id


def check_of_document(chunk: Chunk, document: Document) -> None:
    """Check that a chunk is a span of this document."""
    if chunk.document_id != document.id or document.text[chunk.start : chunk.end] != chunk.text:
        raise SpanError(
            f"chunk {chunk.index} at {chunk.start}:{chunk.end} of document {chunk.document_id!r} is no span of "
            f"document {document.id!r}: give the text that was chunked, and each document an id where there are several"
        )


def check_one_text(chunks: Sequence[Chunk]) -> None:
    """Check that nothing proves chunks with one document id to be of two texts, in any order."""
    furthest: Chunk | None = None
    for chunk in sorted(chunks, key=by_span):
        if furthest is not None:
            _check_after(furthest, chunk)
        if furthest is None or chunk.end > furthest.end:
            furthest = chunk
    made = [
        chunk for chunk in chunks if chunk.spec
    ]  # `index` counts the chunks of one spec; those made by hand need not know it
    for before, after in pairwise(sorted(made, key=lambda chunk: (chunk.spec, chunk.index, chunk.start))):
        if before.spec != after.spec:
            continue
        if before.index == after.index and (before.start, before.end) != (after.start, after.end):
            raise of_two_texts(before, after, f"both are chunk {before.index}")
        if after.start < before.start or after.end < before.end:
            raise of_two_texts(before, after, f"chunk {before.index} does not stand before chunk {after.index}")


def _check_after(before: Chunk, chunk: Chunk) -> None:
    """Check a chunk against one that begins no later, by the text that both hold and by their lines."""
    shared = min(before.end, chunk.end) - chunk.start
    at = chunk.start - before.start
    if shared > 0 and before.text[at : at + shared] != chunk.text[:shared]:
        raise of_two_texts(before, chunk, f"they disagree about {chunk.start}:{chunk.start + shared}")
    if not before.spec or not chunk.spec:  # what was made by hand need not know its lines
        return
    first, last = before.lines
    if shared <= 0:
        first = last
    if shared == 0:
        ends = before.text.endswith("\n") or (before.text.endswith("\r") and not chunk.text.startswith("\n"))
        first = last = last + ends
    if chunk.lines[0] < first or (shared >= 0 and chunk.lines[0] > last):
        raise of_two_texts(
            before, chunk, f"what begins in line {chunk.lines[0]} cannot follow what ends in line {before.lines[1]}"
        )


def of_two_texts(before: Chunk, chunk: Chunk, why: str) -> SpanError:
    """Say why two chunks with one document id are of two texts, and what to do."""
    return SpanError(
        f"the chunks at {before.start}:{before.end} and {chunk.start}:{chunk.end} of document {chunk.document_id!r} "
        f"are not of the same text, {why}: give each document an id, spanwise.Document(id=..., text=...), and do not "
        "mix chunks of two of its versions"
    )
