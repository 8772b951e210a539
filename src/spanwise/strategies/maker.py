"""A piece becomes a chunk: its offsets in the document, its section, page, lines and id."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from spanwise.chunks import Chunk, id_bytes, id_maker
from spanwise.errors import ConfigurationError
from spanwise.segmenting.trimming import trimmed
from spanwise.whitespace import INK, WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spanwise.documents import Document
    from spanwise.packing.page import Page, Piece
    from spanwise.segmenting.reading import Reading
    from spanwise.structure import Hidden, Loaded

__all__ = ["ChunkMaker"]

_NOWHERE: tuple[tuple[str, ...], tuple[tuple[str, ...], ...], int | None] = ((), (), None)


class ChunkMaker:
    """Makes the chunks of one document, passage by passage."""

    def __init__(
        self,
        document: Document,
        spec: str,
        *,
        trim: bool,
        level: int = 0,
        larger: Sequence[Chunk] | None = None,
    ) -> None:
        self._document_id = document.id
        self._metadata = document.metadata
        self._loaded = cast("Loaded | None", document.loaded)
        self._spec = spec
        self._trim = trim
        self._larger = larger
        self._make_id = id_maker(document.id, level=level)
        self._seen: dict[str, int] = {}
        self._index = 0
        self._before = 0
        self._shift = 0

    def turn_to(self, page: Page, reading: Reading, *, begin: int, line: int) -> None:
        """Go on with a passage whose text begins at `begin` of the page, on a line with this number."""
        self._page = page
        self._text = reading.text
        self._outline = reading.outline
        self._hidden = reading.structure.hidden
        self._pages = [start for start, _ in reading.structure.pages]
        self._page_at = reading.page_at
        self._has_places = bool(self._outline or self._pages)
        self._shift = page.origin
        self._lines = _LineCounter(self._text, begin, line)

    def line_at(self, offset: int) -> int:
        """Give the number of the line on which an offset of the page stands."""
        return self._lines.at(offset)

    def chunk(self, piece: Piece) -> Chunk | None:
        """Make the chunk of a piece; None where it is left out because it holds white space alone."""
        text, page = self._text, self._page
        start, fresh, end, tokens, context, _, _, known, alone = piece
        if text[fresh] in WHITE_SPACE and page.leaves_out(fresh, end):
            return None
        first, last = page.kept(start, end) if self._trim else (start, end)
        content = text[first:last]
        shift, index, parent = self._shift, self._index, None
        if self._larger is not None:
            parent = self._parent_of(first + shift, last + shift)
            if parent is None:
                return None
        if context or alone is not None:
            tokens = alone if alone is not None else page.measure.count(first, last)
        section, sections, number = self._places(fresh, end) if self._has_places else _NOWHERE
        encoded = id_bytes(content)
        chunk_id = self._make_id(encoded, 0)
        if chunk_id in self._seen:  # the first id stands for the text: it is hashed once
            occurrence, self._seen[chunk_id] = self._seen[chunk_id], self._seen[chunk_id] + 1
            chunk_id = self._make_id(encoded, occurrence)
        else:
            self._seen[chunk_id] = 1
        before, self._before = self._before, last + shift
        self._index = index + 1
        chunk = Chunk(
            text=content,
            start=first + shift,
            end=last + shift,
            tokens=tokens,
            document_id=self._document_id,
            index=index,
            section=section,
            sections=sections,
            overlap=before - first - shift if before > first + shift else 0,
            lines=self._lines.of(first, last),
            metadata=self._known(known, first + shift, last + shift),
            spec=self._spec,
            id=chunk_id,
        )
        if number is None and parent is None and not context and not self._hidden:
            return chunk  # each field that is named costs, so those that few documents need are put in afterwards
        visible = _visible(text, first, last, self._hidden) if self._hidden else None
        return replace(chunk, page=number, context=context, visible=visible, parent_id=parent)

    def _parent_of(self, start: int, end: int) -> str | None:
        """Give the id of the larger chunk that holds a span; None where they leave it out as white space.

        Raises:
            ConfigurationError: the span crosses the end of a larger chunk.
        """
        larger = self._larger or ()
        place = bisect_right(larger, start, key=_begin_of) - 1
        if place < 0 or larger[place].end <= start:
            return None
        if end > larger[place].end:
            raise ConfigurationError(
                f"document {self._document_id!r}, {start}:{end}: the chunk crosses the end of the larger one at "
                f"{larger[place].start}:{larger[place].end}; the packer must pack each of Page.regions() on its own"
            )
        return larger[place].id

    def _known(self, known: Mapping[str, object] | None, start: int, stop: int) -> Mapping[str, object]:
        """Gather what is known of the document, of its loaded file between two offsets, and of the piece alone."""
        if self._loaded is not None:
            return {**self._metadata, **self._loaded.metadata(start, stop), **(known or {})}
        return self._metadata if known is None else {**self._metadata, **known}

    def _places(self, fresh: int, end: int) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], int | None]:
        """Give the section of the first text of a chunk, all its sections, and the page on which it begins."""
        outline = self._outline
        ink = _first_seen(self._text, fresh, end, self._hidden)
        last_ink = _last_ink(self._text, ink, end)
        section = outline.path_at(min(outline.text_from(ink), max(ink, last_ink - 1)))
        return section, outline.paths_between(ink, last_ink), self._page_at(ink) if self._pages else None


class _LineCounter:
    """Counts lines as editors do: LF, CR LF and CR end one."""

    def __init__(self, text: str, begin: int = 0, line: int = 1) -> None:
        self._text = text
        self._with_returns = "\r" in text
        self._start, self._first = begin, line
        self._end, self._last = begin, line

    def of(self, start: int, end: int) -> tuple[int, int]:
        """Give the first and last line of a span that begins after the one asked about before."""
        if start != self._end + 1 or self._with_returns:
            self._first = self.at(start)
        else:  # mostly a span begins where the one before ended
            self._first = self._last + (self._text[self._end] == "\n")
        self._start, self._end = start, end - 1
        self._last = self._first + self._ends(start, end - 1)
        return self._first, self._last

    def at(self, offset: int) -> int:
        """Give the line of an offset."""
        if offset < self._start:
            return self._first - self._ends(offset, self._start)
        if offset >= self._end:
            return self._last + self._ends(self._end, offset)
        return self._first + self._ends(self._start, offset)

    def _ends(self, start: int, end: int) -> int:
        ends = self._text.count("\n", start, end)
        if self._with_returns:
            ends += self._text.count("\r", start, end) - self._text.count("\r\n", start, end + 1)
        return ends


def _visible(text: str, start: int, end: int, hidden: Sequence[Hidden]) -> str:
    from spanwise.formats.html import visible  # noqa: PLC0415  only documents with markup need it

    return visible(text, start, end, hidden)


def _first_seen(text: str, start: int, end: int, hidden: Sequence[Hidden]) -> int:
    """Give where the first ink is that is no markup; where there is none, the first ink."""
    place = max(bisect_right(hidden, start, key=_start_of) - 1, 0)
    at = start
    while hidden and (found := INK.search(text, at, end)) is not None:
        at = found.start()
        while place + 1 < len(hidden) and hidden[place + 1].start <= at:
            place += 1
        if not hidden[place].start <= at < hidden[place].end:
            return at
        at = hidden[place].end
    return _first_ink(text, start, end)


def _begin_of(chunk: Chunk) -> int:
    return chunk.start


def _start_of(span: Hidden) -> int:
    return span.start


def _last_ink(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip(WHITE_SPACE)) if text[end - 1] in WHITE_SPACE else end


def _first_ink(text: str, start: int, end: int) -> int:
    if text[start] not in WHITE_SPACE:
        return start
    return trimmed(text, start, end)[0]
