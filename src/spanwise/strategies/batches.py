"""A batch of documents is chunked in a worker process; its chunks travel without their text.

The process that asked has the documents, and a chunk is a span of its document: so its text is sliced there, which
costs less than to send it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec.structs import astuple

from spanwise.chunks import Chunk
from spanwise.errors import SpanwiseError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.documents import Document
    from spanwise.errors import CeilingWarning
    from spanwise.strategies.chunker import Chunker

__all__ = ["Answer", "Batch", "Rows", "chunks_of", "died_of", "text_of"]

Rows: TypeAlias = "list[tuple[Any, ...]]"
"""The chunks of a document, each as the values of its fields but for the text, which is the first."""


class Answer(NamedTuple):
    """What became of a batch: the chunks of its documents, up to the error of the next one, if there is one."""

    chunked: list[tuple[Rows, CeilingWarning | None]]
    error: SpanwiseError | None


class Batch(NamedTuple):
    """Chunks a batch of documents in a worker process."""

    chunker: Chunker

    def chunked(self, documents: Sequence[Document | str]) -> Answer:
        """Chunk the documents, up to the first that cannot be chunked."""
        chunked: list[tuple[Rows, CeilingWarning | None]] = []
        for document in documents:
            try:
                chunks, warning = self.chunker.chunk_and_warning(document)
            except SpanwiseError as error:
                return Answer(chunked, error)
            chunked.append(([astuple(chunk)[1:] for chunk in chunks], warning))
        return Answer(chunked, None)


def chunks_of(rows: Rows, text: str) -> list[Chunk]:
    """Make chunks again, from what was sent of them and the text of their document."""
    return [
        Chunk(  # each field is named, which takes two thirds of the time of a mapping
            text=text[start:end],
            start=start,
            end=end,
            tokens=tokens,
            document_id=document_id,
            index=index,
            section=section,
            sections=sections,
            page=page,
            overlap=overlap,
            lines=lines,
            context=context,
            visible=visible,
            metadata=metadata,
            parent_id=parent_id,
            spec=spec,
            id=chunk_id,
        )
        for (
            start, end, tokens, document_id, index, section, sections, page, overlap, lines, context, visible,
            metadata, parent_id, spec, chunk_id,
        ) in rows
    ]  # fmt: skip


def text_of(document: Document | str) -> str:
    """Give the text of a document, which may be one."""
    return document if isinstance(document, str) else document.text


def died_of(document: Document | str, how: str) -> WorkerError:
    """Make the error that says which document a worker process died of."""
    document_id = "" if isinstance(document, str) else document.id
    return WorkerError(
        f"a worker process died ({how}) while it chunked the document {document_id!r}; it may need more memory than "
        "there is: chunk it alone, or leave it out",
        document_id=document_id,
    )
