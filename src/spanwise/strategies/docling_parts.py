"""Where in the text do the chunks of Docling's HybridChunker begin?

Docling keeps no offsets, so they are put into what it is given: marks inside words, which its tokenizer does not
count, and which stand in the text of its chunks. A text is given to its Markdown backend in a copy; a document that
was loaded is copied, and the words of each item are found in order inside the span of that item.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from functools import lru_cache
from io import BytesIO
from itertools import count as count_up
from typing import TYPE_CHECKING, Any, NamedTuple

from spanwise.counting.measure import ProbedMeasure
from spanwise.errors import SpanwiseError
from spanwise.formats.docling_calls import calling_docling
from spanwise.formats.docling_marks import Marks, marked, words_in
from spanwise.formats.docling_text import DoclingText
from spanwise.packing.parted import Part
from spanwise.segmenting.graphemes import floor
from spanwise.segmenting.words import Words
from spanwise.whitespace import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from docling_core.types.doc.document import DoclingDocument

    from spanwise.packing.page import Page
    from spanwise.structure import Structure

__all__ = ["DoclingParts"]

_LONGEST_SEGMENTED = 4_000
"""Characters that are given to a splitter of over-long items at a time: its time grows with their square."""

_WINDOW_PER_TOKEN = 6
_MOST_COUNTS = 10_000
_COUNTS_PER_CHARACTER = 100  # rows of single letters at 4 tokens take 25
_FURTHEST_WORD = 20
"""How many words are looked at for one that the serialiser may have written otherwise."""


class DoclingParts:
    """Part where the chunks of Docling's HybridChunker begin."""

    def __init__(self, *, merge_peers: bool = True) -> None:
        self.merge_peers = merge_peers

    def of(self, page: Page) -> _PageParts:
        """Ask Docling for the chunks of a page; one part where it cannot read the text."""
        try:
            with calling_docling("the strategy 'docling'", "docling", "docling_core"):
                chunks = _chunks_of(page, merge_peers=self.merge_peers)
        except SpanwiseError:  # of the caller's counter, or of a Docling that cannot be imported
            raise
        except Exception:  # noqa: BLE001  whatever a text makes a parser raise, RecursionError among it: no text is lost
            chunks = []
        return _PageParts(_parts(page, chunks))


class _PageParts:
    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._starts = [part.start for part in parts]

    def between(self, start: int, stop: int) -> Iterator[Part]:
        """Yield the parts of a region."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        for part in self._parts[first : bisect_left(self._starts, stop)]:
            yield Part(max(part.start, start), min(part.stop, stop), part.metadata)


class _Serialized(NamedTuple):
    """A chunk as Docling made it: the offsets of the marked words in it, what would be embedded, and its headings."""

    offsets: Sequence[int]
    text: str
    headings: tuple[str, ...]


def _chunks_of(page: Page, *, merge_peers: bool) -> list[_Serialized]:
    marks = Marks(page.text)
    if isinstance(page.loaded, DoclingText):
        document = _marked_document(page.loaded, page.text, marks)
    else:
        from spanwise.formats.docling_source import marked_source  # noqa: PLC0415  it loads arrays

        source = marked_source(page.text, marks)
        if source is None:
            return []
        document = _parsed(source)
    count = _count_of(page, marks)
    try:
        chunker = _chunker_class()(
            tokenizer=_tokenizer_of(count, page),
            merge_peers=merge_peers,
            omit_header_on_overflow=True,  # else wide tables are split by columns, or without end
        )
        chunker.take(marks)
        return [_serialized(chunker, chunk, marks) for chunk in chunker.chunk(document)]
    finally:
        _forget(count)


def _serialized(chunker: Any, chunk: Any, marks: Marks) -> _Serialized:
    headings = tuple(marks.without(heading) for heading in chunk.meta.headings or ())
    return _Serialized(marks.numbers(chunk.text), marks.without(chunker.contextualize(chunk)), headings)


def _parsed(source: str) -> DoclingDocument:
    """Read Markdown as Docling does, in memory."""
    from docling.backend.md_backend import MarkdownDocumentBackend  # noqa: PLC0415  an extra, and slow
    from docling.datamodel.backend_options import MarkdownBackendOptions  # noqa: PLC0415
    from docling.datamodel.base_models import InputFormat  # noqa: PLC0415
    from docling.datamodel.document import InputDocument  # noqa: PLC0415

    options = MarkdownBackendOptions(encoding="utf-8")
    stream = BytesIO(source.encode())
    described = InputDocument(
        path_or_stream=stream,
        format=InputFormat.MD,
        backend=MarkdownDocumentBackend,
        filename="text.md",
        backend_options=options,
    )
    return MarkdownDocumentBackend(described, stream, options).convert()


def _marked_document(loaded: DoclingText, text: str, marks: Marks) -> DoclingDocument:
    """Copy a document with marks in the words of its items and of the cells of its tables."""
    from docling_core.types.doc.document import TableItem, TextItem  # noqa: PLC0415  an extra, and slow

    document = loaded.document.model_copy(deep=True)
    spans = {item.ref: (item.start, item.stop) for item in loaded.items}
    for item in (*document.texts, *document.tables):
        span = _Span(text, *spans.get(item.self_ref, (0, 0)), marks)
        if isinstance(item, TableItem):
            for cell in item.data.table_cells:
                cell.text = span.marked(cell.text)
        elif isinstance(item, TextItem):
            item.text = span.marked(item.text)
    return document


class _Span:
    """The words of an item as they stand in the text, met in order."""

    def __init__(self, text: str, start: int, stop: int, marks: Marks) -> None:
        self._words = list(words_in(text, start, stop))
        self._next = 0
        self._marks = marks

    def marked(self, text: str) -> str:
        """Mark the next words of the item; one that the serialiser wrote otherwise has none."""
        inserts: list[tuple[int, str]] = []
        cleaned = self._marks.cleaned(text)
        for place, word in words_in(cleaned, 0, len(cleaned)):
            for met in range(self._next, min(self._next + _FURTHEST_WORD, len(self._words))):
                offset, written = self._words[met]
                if written == word and offset < self._marks.most:
                    inserts.append((place + 1, self._marks.mark(offset)))
                    self._next = met + 1
                    break
        return marked(cleaned, inserts)


def _count_of(page: Page, marks: Marks) -> Callable[[str], int]:
    """Make the count of a text without its marks, by the page's counter or in characters as the budget is.

    It fails where it is asked so often that Docling will come to no end.
    """
    counter = page.counter
    asked, most = count_up(), _MOST_COUNTS + _COUNTS_PER_CHARACTER * page.size

    def count(text: str) -> int:
        if next(asked) > most:
            raise RuntimeError("Docling counts without end")
        text = marks.without(text)
        if counter is None or page.budget.max_tokens is None:
            return len(text)
        return ProbedMeasure(counter, text).count(0, len(text))  # whatever it raises names the counter

    return count


def _tokenizer_of(count: Callable[[str], int], page: Page) -> Any:
    most = page.budget.max_tokens or page.budget.max_characters
    return _tokenizer_class()(counted=count, most=most)


@lru_cache(maxsize=1)
def _tokenizer_class() -> Any:
    from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer  # noqa: PLC0415  an extra, and slow

    class _Budgeted(BaseTokenizer):  # type: ignore[misc]  # an extra, whose types are not looked at
        counted: Any
        most: int

        def count_tokens(self, text: str) -> int:
            return int(self.counted(text))

        def get_max_tokens(self) -> int:
            return self.most

        def get_tokenizer(self) -> Any:
            return self.counted

    return _Budgeted


@lru_cache(maxsize=1)
def _chunker_class() -> Any:
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker  # noqa: PLC0415  an extra, and slow
    from pydantic import PrivateAttr  # noqa: PLC0415

    class _Windowed(HybridChunker):  # type: ignore[misc]  # the same
        """The HybridChunker, for over-long items of any length, which are split without their marks."""

        _marks: Marks = PrivateAttr()

        def take(self, marks: Marks) -> None:
            self._marks = marks

        def segment(self, doc_chunk: Any, available_length: int, doc_serializer: Any) -> list[str]:
            plain, places = self._marks.taken_out(doc_chunk.text)
            longest = max(_LONGEST_SEGMENTED, _WINDOW_PER_TOKEN * available_length)
            segments: list[str] = []
            start = 0
            while start < len(plain):
                window = plain[start : start + longest]
                part = doc_chunk.model_copy(update={"text": window})
                found = list(super().segment(part, available_length, doc_serializer))
                last = window.rfind(found[-1]) if len(found) > 1 and start + longest < len(plain) else 0
                segments += found[:-1] if last > 0 else found  # the last one may go on in the next window
                start += last if last > 0 else len(window)
            return list(_marked_again(segments, plain, places, self._marks))

    return _Windowed


def _marked_again(
    segments: Iterable[str], plain: str, places: Sequence[tuple[int, int]], marks: Marks
) -> Iterator[str]:
    """Put marks back into what a text was split into: parts of it in order, without the white space around them."""
    stop = met = 0
    for segment in segments:
        start = plain.find(segment, stop)
        if start < 0:
            yield segment
            continue
        stop = start + len(segment)
        inserts: list[tuple[int, str]] = []
        while met < len(places) and places[met][0] <= stop:
            offset, number = places[met]
            if offset > start:
                inserts.append((offset - start, marks.mark(number)))
            met += 1
        yield marked(segment, inserts)


def _forget(count: Callable[[str], int]) -> None:
    """Take a count out of the memory of semchunk, which keeps every one, with all that it counted, for ever."""
    module = sys.modules.get("semchunk.semchunk")
    kept: dict[object, object] = getattr(module, "_memoized_token_counters", {})
    kept.pop(count, None)


def _parts(page: Page, chunks: Iterable[_Serialized]) -> list[Part]:
    """Part a page where chunks begin; a chunk without a word that none before it has belongs to the one before."""
    places: list[tuple[int, list[_Serialized]]] = []
    cuts = _Cuts(page) if page.text else None
    seen = -1
    for chunk in chunks:
        begin = min((offset for offset in chunk.offsets if offset > seen), default=None)
        if places and (begin is None or cuts is None):
            places[-1][1].append(chunk)
            continue
        cut = cuts.between(seen, begin, places[-1][0]) if places and begin is not None and cuts is not None else 0
        if places and cut <= places[-1][0]:
            places[-1][1].append(chunk)
        else:
            places.append((cut, [chunk]))
        seen = max([seen, *chunk.offsets])
    stops = [*(cut for cut, _ in places[1:]), page.size]
    parts = (
        [Part(cut, stop, _metadata(same)) for (cut, same), stop in zip(places, stops, strict=True)] if places else []
    )
    return parts or [Part(0, page.size)]


def _metadata(chunks: Sequence[_Serialized]) -> dict[str, object]:
    return {"docling_text": "\n".join(chunk.text for chunk in chunks), "docling_headings": chunks[0].headings}


class _Cuts:
    """Where a text may be cut between a word of one chunk and a word of the next."""

    def __init__(self, page: Page) -> None:
        from spanwise.formats.markdown import read_markdown  # noqa: PLC0415  it loads arrays

        loaded = page.loaded
        found: Structure = loaded.structure(page.text) if isinstance(loaded, DoclingText) else read_markdown(page.text)
        self._page = page
        self._text = page.text
        self._blocks = found.blocks or (0,)
        self._headings = [heading.start for heading in found.headings]
        self._words = Words().cuts(page.text)
        self._units = found.units
        self._unit_starts = [unit.start for unit in found.units]

    def between(self, seen: int, begin: int, before: int) -> int:
        """Give the cut: before headings, else before the block or unit that holds the word at `begin`.

        Where the word at `seen` is in the same block, after the white space before the other, or before what stays
        whole, such as a row that Docling divides, if it begins after `before`, the cut before this one; `before` where
        both are in one word.
        """
        block = self._blocks[bisect_right(self._blocks, begin) - 1]
        if block <= seen:
            cut = floor(self._text, self._between_words(seen, begin), seen)
            if cut <= seen:
                return before
            return self._page.units.loosened(cut, before + 1, self._page.is_too_long)
        place = bisect_right(self._headings, seen)
        if place < len(self._headings) and self._headings[place] <= begin:
            block = self._headings[place]
        return floor(self._text, self._outside_units(seen, block), seen)

    def _outside_units(self, seen: int, cut: int) -> int:
        for place in range(bisect_right(self._unit_starts, seen), bisect_left(self._unit_starts, cut)):
            if self._units[place].end > cut:
                return self._unit_starts[place]
        return cut

    def _between_words(self, seen: int, begin: int) -> int:
        for cut in range(begin, seen + 1, -1):
            if self._text[cut - 1] in WHITE_SPACE:
                return cut
        return self._words.last(seen, begin, seen)
