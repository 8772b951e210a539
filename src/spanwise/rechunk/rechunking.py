"""Chunk an edited document so that all chunks stay but those around the edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, overload

from spanwise.chunks import Chunk, chunk_id
from spanwise.documents import Document
from spanwise.errors import CeilingWarning, ConfigurationError, SpanError, shown
from spanwise.packing.keeping import Kept
from spanwise.rechunk.matching import matches, old_texts
from spanwise.segmenting.graphemes import floor
from spanwise.strategies.ceiling import issue
from spanwise.whitespace import INK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.strategies.chunker import Chunker

__all__ = ["Rechunked", "mean_tokens", "rechunk", "rechunk_and_warning"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rechunked(Sequence[Chunk]):
    """The chunks of an edited document, as a sequence, and what became of those before the edit.

    >>> import spanwise
    >>> chunker = spanwise.Chunker("sentences", max_tokens=8)
    >>> new = spanwise.rechunk(chunker.chunk("It moves water."), spanwise.Document(text="It moves water."), chunker)
    >>> len(new), new[0].text, new.kept, new.drift, new.anew
    (1, 'It moves water.', 1, 1.0, '')
    """

    chunks: tuple[Chunk, ...]
    kept: int
    """How many chunks have an id that was there before, so that they need not be embedded again."""
    usual: float
    """How many tokens a chunk held on average when the document was last chunked as a whole."""
    anew: str = ""
    """Why the whole document was chunked anew; empty where it was not."""

    @property
    def drift(self) -> float:
        """About how many times the chunks of a fresh run these are; 1.0 right after one.

        An estimate that costs nothing: the number of chunks over the number there would be if each held `usual`
        tokens, rounded up.
        """
        return _drift(self.chunks, self.usual)

    @overload
    def __getitem__(self, place: int) -> Chunk: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Chunk, ...]: ...

    def __getitem__(self, place: int | slice) -> Chunk | tuple[Chunk, ...]:
        return self.chunks[place]

    def __len__(self) -> int:
        return len(self.chunks)

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self.chunks)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and not isinstance(other, str):
            return list(self.chunks) == list(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(chunk.id for chunk in self.chunks))

    def __repr__(self) -> str:
        anew = f", anew={self.anew!r}" if self.anew else ""
        return f"<Rechunked: {len(self.chunks)} chunks, kept={self.kept}, drift={self.drift:.2f}{anew}>"


def rechunk(
    old: Sequence[Chunk],
    document: Document | str,
    chunker: Chunker,
    *,
    max_drift: float | None = None,
    usual: float | None = None,
) -> Rechunked:
    """Chunk an edited document so that its chunks stay as they were, but for a few around each edit.

    `old` are the chunks of the document before, in order, made by this chunker; `document` is the document now. What
    is unchanged keeps its boundaries and ids, also where it was moved; sections, lines and offsets are those of the
    new document. Only what lies between is packed, with up to two neighbours on each side where that saves a chunk.
    All promises hold, as for `Chunker.chunk`; but the chunks depend on those before. The cost is linear.

    Where that cannot be, the whole document is chunked anew, and `Rechunked.anew` says why: the chunks were made
    otherwise, for another document id, or by windows that overlap by construction; or `Rechunked.drift` would be over
    `max_drift`. Drift is measured from `usual`, the mean tokens of a chunk after a whole run: that of `old` if it is a
    `Rechunked`, else the mean of `old`; keep it beside stored chunks and give it where many edits follow one another.

    Raises:
        SpanError: `old` are chunks of several documents, or out of order.
        ConfigurationError: `old` are chunks inside larger ones, or a limit that cannot be.
        ChunkingError, BudgetError, CounterError: as `Chunker.chunk`.

    >>> import spanwise
    >>> chunker = spanwise.Chunker("sentences", max_tokens=8)
    >>> old = chunker.chunk("It moves water. It has one motor. Unplug it first.")
    >>> new = rechunk(old, "It moves water. It has two motors. Unplug it first.", chunker)
    >>> [chunk.text for chunk in spanwise.diff(old, new).added], new.kept
    (['It has two motors. '], 2)
    """
    new, warning = rechunk_and_warning(old, document, chunker, max_drift=max_drift, usual=usual)
    issue(warning)
    return new


def rechunk_and_warning(
    old: Sequence[Chunk],
    document: Document | str,
    chunker: Chunker,
    *,
    max_drift: float | None = None,
    usual: float | None = None,
) -> tuple[Rechunked, CeilingWarning | None]:
    """Chunk an edited document as `rechunk` does, and give the warning that it issues, for a report of your own.

    Raises:
        SpanError, ConfigurationError, ChunkingError, BudgetError, CounterError: as `rechunk`.
    """
    document = document if isinstance(document, Document) else Document(text=document)
    _check(old, max_drift, usual)
    if usual is None:
        usual = old.usual if isinstance(old, Rechunked) else mean_tokens(old)
    why = _why_anew(old, document, chunker)
    if not why:
        chunks, warning = chunker.chunk_keeping(document, _kept(old, document.text, chunker))
        drift = _drift(chunks, usual)
        if max_drift is None or drift <= max_drift:
            return _rechunked(old, chunks, usual), warning
        why = f"drift {drift:.2f} is over max_drift={max_drift}"
    chunks, warning = chunker.chunk_and_warning(document)
    return _rechunked(old, chunks, mean_tokens(chunks), why), warning


def _check(old: Sequence[Chunk], max_drift: float | None, usual: float | None) -> None:
    if max_drift is not None and max_drift < 1:
        raise ConfigurationError(
            f"max_drift={shown(max_drift)} is less than 1, which is a fresh run; ask for 1.25, say"
        )
    if usual is not None and usual <= 0:
        raise ConfigurationError(f"usual={shown(usual)} is no mean number of tokens; give Rechunked.usual of before")
    end = start = -1
    for chunk in old:
        if chunk.document_id != old[0].document_id:
            raise SpanError(
                f"chunks of two documents: {old[0].document_id!r} and {chunk.document_id!r}; rechunk one at a time"
            )
        if chunk.parent_id is not None:
            raise ConfigurationError(
                f"chunk {chunk.index} of {chunk.document_id!r} lies inside a larger one: rechunk the larger ones, and "
                "chunk within them with Chunker.chunk_within"
            )
        if chunk.start <= start or chunk.end <= end:
            raise SpanError(
                f"chunks of {chunk.document_id!r} are out of order: {start}:{end}, then {chunk.start}:{chunk.end}"
            )
        start, end = chunk.start, chunk.end


def _why_anew(old: Sequence[Chunk], document: Document, chunker: Chunker) -> str:
    if not old:
        return "there were no chunks before"
    if old[0].document_id != document.id:
        return f"the document id was {old[0].document_id!r} and is {document.id!r}, which is part of every id"
    spec = next((chunk.spec for chunk in old if chunk.spec != chunker.spec), chunker.spec)
    if spec != chunker.spec:
        return f"the chunks were made otherwise: {spec!r}, now {chunker.spec!r}"
    first = old[0]
    if first.id != chunk_id(first.document_id, first.text):
        return f"the id {first.id!r} is not that of a chunk of one size: it is of a level, or made elsewhere"
    return chunker.unkept


def _kept(old: Sequence[Chunk], text: str, chunker: Chunker) -> list[Kept]:
    """Find the old chunks in the new text: what each held new, and what it repeated."""
    olds = old_texts(old, trim=chunker.trim)
    kept: list[Kept] = []
    last, text_end = -2, 0
    for offset, place in matches(olds, text):
        chunk, length = old[place], len(olds[place].text)
        is_next = last == place - 1 and offset - text_end == olds[place].gap
        last, end = place, offset + length
        text_end = end
        if chunker.trim:  # pieces hold the white space that chunks leave out
            ink = INK.search(text, end)
            end = len(text) if ink is None else floor(text, ink.start(), end)
        start = offset - len(chunk.text) + length
        follows = is_next and kept[-1].end == offset and text.startswith(chunk.text, start)
        kept.append(Kept(start, offset, end, chunk.tokens, chunk.context, follows))
    return kept


def _rechunked(old: Sequence[Chunk], chunks: Sequence[Chunk], usual: float, why: str = "") -> Rechunked:
    before = {chunk.id for chunk in old}
    return Rechunked(tuple(chunks), sum(chunk.id in before for chunk in chunks), usual, why)


def mean_tokens(chunks: Sequence[Chunk]) -> float:
    """Give the mean tokens of a chunk; some counters find none in a text."""
    return (sum(chunk.tokens for chunk in chunks) / len(chunks) if chunks else 0.0) or 1.0


def _drift(chunks: Sequence[Chunk], usual: float) -> float:
    if not chunks:
        return 1.0
    expected = ceil(sum(chunk.tokens for chunk in chunks) / usual - 1e-9)
    return len(chunks) / max(expected, 1)
