"""What comes out: a span of a document with its text, size, section and id."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from spanwise.documents import Metadata, thawed
from spanwise.errors import ConfigurationError, SpanError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["Chunk", "chunk_id", "id_bytes", "id_maker", "reconstruct"]

_ID_SCHEME = b"spanwise-chunk-id-1"


def chunk_id(document_id: str, text: str, *, occurrence: int = 0, level: int = 0) -> str:
    """Make the id of a chunk from what it is, never from where it stands.

    32 hexadecimal digits: the first half of SHA-256 over five fields, each preceded by its length in bytes (8 bytes,
    big-endian): the constant `spanwise-chunk-id-1`, the document id and the level and occurrence in decimal, and the
    text; strings as UTF-8 in which lone surrogates pass. `occurrence` numbers equal texts of one document from 0, so
    that repeats do not collide.

    >>> chunk_id("handbook-2026", "Unplug first.")
    '59b33c8587e1dc7a9255deb0123b6a0d'
    """
    return id_maker(document_id, level=level)(id_bytes(text), occurrence)


def id_maker(document_id: str, *, level: int = 0) -> Callable[[bytes, int], str]:
    """Make the function from the bytes of a text and its occurrence to the id, for one document and level."""
    begun = hashlib.sha256(b"".join(map(_field, (_ID_SCHEME, id_bytes(document_id), b"%d" % level))))
    first = begun.copy()
    first.update(_field(b"0"))

    def make_id(content: bytes, occurrence: int) -> str:
        digest = first.copy()
        if occurrence:
            digest = begun.copy()
            digest.update(_field(b"%d" % occurrence))
        digest.update(_field(content))
        return digest.hexdigest()[:32]

    return make_id


def _field(content: bytes) -> bytes:
    return len(content).to_bytes(8, "big") + content


def id_bytes(text: str) -> bytes:
    """Encode a text as ids hash it: UTF-8 in which lone surrogates pass."""
    return text.encode("utf-8", "surrogatepass")


class Chunk(msgspec.Struct, frozen=True, kw_only=True, gc=False):  # frozen values hold no cycles
    """A span of a document: `text == document.text[start:end]`, offsets in code points.

    Raises:
        SpanError: the span does not describe the text, or is empty.

    >>> Chunk(text="Unplug first.", start=10, end=23, tokens=3).end
    23
    """

    text: str
    start: int
    end: int
    tokens: int
    """The size of `text` counted alone, in the unit of the chunker's counter."""
    document_id: str = ""
    index: int = 0
    """The place among the document's chunks, from 0."""
    section: tuple[str, ...] = ()
    """The headings above the chunk's first new text, which is what stands below its first headings; outermost first."""
    sections: tuple[tuple[str, ...], ...] = ()
    """The paths of all sections that the chunk's new text touches, in the order of the text."""
    page: int | None = None
    """The page on which the chunk's first new text stands, where the document has pages."""
    overlap: int = 0
    """How many code points at the beginning repeat the chunk before."""
    lines: tuple[int, int] = (1, 1)
    """The first and last line that the chunk touches, from 1."""
    context: str = ""
    """Text to put before the chunk where it is indexed; never part of `text`."""
    visible: str | None = None
    """What a reader of the rendered page sees, where `text` holds markup such as HTML."""
    metadata: Mapping[str, object] = Metadata()
    parent_id: str | None = None
    """The id of the chunk of the next larger size that it lies inside, where a document is chunked at nested sizes."""
    spec: str = ""
    """How the chunk was made: strategy, budget, counter and boundary version."""
    id: str = ""

    def __post_init__(self) -> None:
        start, end = self.start, self.end
        try:
            # | and + refuse what is no whole number and no string, and cost less than to look at three types
            if (start | end) < 0 or end - start != len("" + self.text) or start >= end:
                raise _wrong_span(self)
        except TypeError:
            raise _wrong_kind(self.text, start, end) from None
        if self.metadata.__class__ is not Metadata:
            msgspec.structs.force_setattr(self, "metadata", Metadata(self.metadata))
        if not self.id:
            msgspec.structs.force_setattr(self, "id", chunk_id(self.document_id, self.text))

    @property
    def index_text(self) -> str:
        """What to embed and to index: the context, then the text."""
        return self.context + self.text

    @property
    def plain(self) -> str:
        """The text as its reader sees it: without tags where it is HTML, else the text itself."""
        return self.text if self.visible is None else self.visible

    def record(self) -> dict[str, object]:
        """Give one flat dict for a table or a vector store: the fields, the metadata, and `heading_path`.

        A key of the metadata that is also a field's is written with `metadata_` before it, once more for as long as
        the metadata has a key of that name too.
        """
        own: dict[str, object] = {
            "id": self.id,
            "document_id": self.document_id,
            "chunk_index": self.index,
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "tokens": self.tokens,
            "section": list(self.section),
            "heading_path": " > ".join(self.section),
            "heading_paths": [" > ".join(section) for section in self.sections],
            "overlap": self.overlap,
            "first_line": self.lines[0],
            "last_line": self.lines[1],
            "context": self.context,
            "parent_id": self.parent_id,
            "spec": self.spec,
        }
        if self.page is not None:
            own["page"] = self.page
        if self.visible is not None:
            own["plain"] = self.visible
        fields = frozenset(own)
        for key, value in self.metadata.items():
            name = key
            if key in fields:
                name = f"metadata_{key}"
                while name in self.metadata:
                    name = f"metadata_{name}"
            own[name] = thawed(value)
        return own


def _wrong_span(chunk: Chunk) -> SpanError:
    return SpanError(
        f"the span {chunk.start}:{chunk.end} does not describe a text of {len(chunk.text)} code points: "
        f"{shown(chunk.text)} (document {chunk.document_id!r})"
    )


def _wrong_kind(text: object, start: object, end: object) -> SpanError:
    if not isinstance(text, str):
        return SpanError(f"text must be a string, got {shown(text)}")
    name, value = ("end", end) if isinstance(start, int) else ("start", start)
    return SpanError(f"{name} must be a whole number of code points, got {shown(value)}")


def reconstruct(chunks: Iterable[Chunk], *, length: int | None = None, fill: str | None = None) -> str:
    """Put the chunks of one document together again: the document, exactly.

    Overlap is written once. Where white space was left out between chunks there is a gap: give `length` (of the
    document, in code points) and `fill` (one character) to write the gaps, else the first one raises.

    Raises:
        SpanError: a gap without `length` and `fill`, chunks out of order, of several documents, or that disagree.
        ConfigurationError: `fill` is not one character, or `length` is shorter than the chunks.

    >>> reconstruct([Chunk(text="ab", start=0, end=2, tokens=1), Chunk(text="bc", start=1, end=3, tokens=1)])
    'abc'
    """
    if fill is not None and len(fill) != 1:
        raise ConfigurationError(f"fill is one character, got {shown(fill)}")
    filled = fill if length is not None else None
    parts: list[str] = []
    position, before = 0, None
    for chunk in chunks:
        _check_order(before, chunk)
        if chunk.start > position:
            parts.append(_gap(position, chunk.start, filled))
            position = chunk.start
        parts.append(chunk.text[position - chunk.start :])
        position, before = chunk.end, chunk
    if length is not None and length < position:
        raise ConfigurationError(f"length={length} is shorter than the chunks, which end at {position}")
    if length is not None and length > position:
        parts.append(_gap(position, length, filled))
    return "".join(parts)


def _gap(start: int, end: int, fill: str | None) -> str:
    if fill is None:
        raise SpanError(
            f"nothing covers {start}:{end}: a chunk is missing, or white space was left out; give length= and fill= "
            'to write the gaps, or chunk with blank="keep" and without trim'
        )
    return fill * (end - start)


def _check_order(before: Chunk | None, chunk: Chunk) -> None:
    if before is None:
        return
    if chunk.document_id != before.document_id:
        raise SpanError(f"chunks of two documents: {before.document_id!r} and {chunk.document_id!r}")
    if chunk.start <= before.start or chunk.end <= before.end:
        raise SpanError(f"chunks out of order: {before.start}:{before.end}, then {chunk.start}:{chunk.end}")
    shared = before.end - chunk.start
    if shared > 0 and before.text[-shared:] != chunk.text[:shared]:
        raise SpanError(f"chunks disagree about {chunk.start}:{before.end}: they are not of the same document")
