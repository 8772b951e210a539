"""What is read in the end: a stretch of a document, put together from chunks that were retrieved."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from spanwise.documents import Document
from spanwise.errors import ConfigurationError, SpanError, shown
from spanwise.retrieving.given import chunks_in, listed
from spanwise.retrieving.one_text import by_document, by_span, check_of_document, check_one_text
from spanwise.whitespace import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanwise.chunks import Chunk

__all__ = ["Excerpt", "merge_runs"]


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of a document to read and to cite: `text == document.text[start:end]`, offsets in code points.

    Raises:
        SpanError: the span does not describe the text, or is empty.

    >>> import spanwise
    >>> spanwise.Excerpt(text="Unplug first.", start=10, end=23).lines
    (1, 1)
    """

    text: str
    start: int
    end: int
    document_id: str = ""
    chunk_ids: tuple[str, ...] = ()
    """The ids of the chunks that it is made of, in the order of the text."""
    section: tuple[str, ...] = ()
    """The section of its first chunk."""
    lines: tuple[int, int] = (1, 1)
    """The first and last line that it touches, from 1."""

    def __post_init__(self) -> None:
        if self.start < 0 or self.end - self.start != len(self.text) or self.start >= self.end:
            raise SpanError(
                f"the span {self.start}:{self.end} does not describe a text of {len(self.text)} code points: "
                f"{shown(self.text)} (document {self.document_id!r})"
            )


def merge_runs(chunks: Iterable[Chunk], documents: Document | str | Iterable[Document | str] = ()) -> list[Excerpt]:
    """Join retrieved chunks that touch or overlap into one excerpt each, with nothing said twice.

    Chunks come in any order, of several documents and sizes, also more than once. Excerpts are in the order in which
    their documents first appear, inside a document in the order of the text. White space that was left out between
    two chunks is joined over where the document is among `documents`; no other gap is.

    Chunks are of one document if they have its id. Bare texts have none, so that chunks of two of them look alike:
    their chunks are joined only where their text is among `documents`.

    Raises:
        SpanError: chunks with one document id that are of two texts, chunks without a document id that would be joined
            while their text is not given, or chunks that are not of the document that is given.
        ConfigurationError: two texts are given for one document, or something that is no chunk.

    >>> import spanwise
    >>> text = "It moves water. It has one motor. It hums. It is blue."
    >>> chunks = spanwise.chunk(text, "sentences", max_tokens=6)
    >>> [excerpt.text for excerpt in spanwise.merge_runs([chunks[3], chunks[1], chunks[0], chunks[1]], text)]
    ['It moves water. It has one motor. ', 'It is blue.']
    """
    texts = _texts(documents)
    return [
        excerpt
        for document_id, found in by_document(chunks_in("chunks", chunks)).items()
        for excerpt in _runs(found, texts.get(document_id))
    ]


def _texts(documents: Document | str | Iterable[Document | str]) -> dict[str, Document]:
    texts: dict[str, Document] = {}
    several = [documents] if isinstance(documents, Document | str) else listed("documents", documents, "texts")
    for given in several:
        document = given if isinstance(given, Document) else Document(text=cast("str", given))
        if texts.setdefault(document.id, document).text != document.text:
            raise ConfigurationError(
                f"two texts are given for document {document.id!r}: give the one that was chunked, or each "
                "an id, spanwise.Document(id=..., text=...)"
            )
    return texts


def _runs(chunks: Sequence[Chunk], document: Document | None) -> list[Excerpt]:
    """Join chunks of one document, in the order of the text."""
    if document is None:
        check_one_text(chunks)
    excerpts: list[Excerpt] = []
    run: _Run | None = None
    for chunk in sorted(chunks, key=by_span):
        if document is not None:
            check_of_document(chunk, document)
        if run is None or not run.takes(chunk, document):
            if run is not None:
                excerpts.append(run.excerpt())
            run = _Run(chunk)
    return excerpts if run is None else [*excerpts, run.excerpt()]


class _Run:
    """Chunks joined so far."""

    def __init__(self, chunk: Chunk) -> None:
        self._first = chunk
        self._parts = [chunk.text]
        self._ids = {chunk.id: None}
        self._last = chunk
        """The chunk that reaches furthest."""
        self._last_line = chunk.lines[1]

    def takes(self, chunk: Chunk, document: Document | None) -> bool:
        """Join a chunk if it begins in the run, right after it, or after white space."""
        last = self._last
        if chunk.start > last.end:
            if document is None or not is_blank(document.text, last.end, chunk.start):
                return False
            self._parts.append(document.text[last.end : chunk.start])
        shared = min(last.end, chunk.end) - chunk.start
        self._ids[chunk.id] = None
        if chunk.end > last.end:
            if document is None and not chunk.document_id:
                raise SpanError(
                    f"nothing says that the chunks at {last.start}:{last.end} and {chunk.start}:{chunk.end} are of one "
                    "text, since their document has no id: give the text too, merge_runs(chunks, text), or each "
                    "document an id, spanwise.Document(id=..., text=...)"
                )
            self._parts.append(chunk.text[max(shared, 0) :])
            self._last = chunk
            self._last_line = max(self._last_line, chunk.lines[1])
        return True

    def excerpt(self) -> Excerpt:
        first = self._first
        return Excerpt(
            text="".join(self._parts),
            start=first.start,
            end=self._last.end,
            document_id=first.document_id,
            chunk_ids=tuple(self._ids),
            section=first.section,
            lines=(first.lines[0], self._last_line),
        )
