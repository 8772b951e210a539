"""The text around a retrieved chunk: whole sentences before and after it, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from spanwise.counting import counter as make_counter
from spanwise.documents import Document
from spanwise.errors import BudgetError, ConfigurationError, shown
from spanwise.packing.budget import Budget
from spanwise.retrieving.excerpts import Excerpt
from spanwise.retrieving.given import chunk_in, python_number, whole_number
from spanwise.retrieving.one_text import check_of_document
from spanwise.segmenting.graphemes import floor
from spanwise.segmenting.reading import Reading
from spanwise.segmenting.sentences import Sentences
from spanwise.whitespace import is_blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spanwise.chunks import Chunk
    from spanwise.counting import Counter
    from spanwise.segmenting.segmenter import Cuts
    from spanwise.strategies.spec import CounterSource

__all__ = ["widen"]

_STRETCH = 8_192
"""In how many characters on either side of a chunk sentences are sought at first; twice as many where these are few."""

_MARGIN = 4_096
"""What is nearer than this to where a stretch is cut off may look other than in the whole text."""

_LONGEST = 32_768
"""A sentence of more characters is no sentence, but text without any: what is looked at stays near the chunk."""

_CLUSTER = 64

_FIRST = 16
"""How many sentences on either side are sought at first where a budget says how many fit."""


def widen(
    chunk: Chunk,
    document: Document | str,
    *,
    before: int = 3,
    after: int = 3,
    max_tokens: int | None = None,
    counter: CounterSource | None = None,
    language: str = "en",
    reading: Reading | None = None,
) -> Excerpt:
    """Give a retrieved chunk with the sentences around it, for the model that reads.

    Up to `before` whole sentences before the chunk and `after` after it, the nearest first and in turn. A sentence
    that the chunk cuts is completed first, as one of them. Nothing is over `max_tokens`, counted on the excerpt
    itself by `counter` (what `spanwise.counter` takes; cl100k_base without one): a side ends with the first sentence
    that does not fit, or that has more than 32,768 characters. A sentence ends with its block: a heading, a list item,
    a table row. Blocks are told from the lines around the chunk, whatever the size of the document; for HTML, JSON
    and other marked-up text give `reading=chunker.reading_of(document)`, made once for each document.

    Raises:
        BudgetError: the chunk alone is over `max_tokens`.
        SpanError: the chunk is not of this document.
        ConfigurationError: a number of sentences that is none, a reading of another text, or a counter that is none,
            also where no `max_tokens` needs it.
        CounterError: the counter failed.

    >>> import spanwise
    >>> text = "It moves water. It has one motor. It hums. It is blue."
    >>> hit = spanwise.chunk(text, "sentences", max_tokens=6)[2]
    >>> hit.text, spanwise.widen(hit, text, before=1, after=1).text
    ('It hums. ', 'It has one motor. It hums. It is blue.')
    """
    document = document if isinstance(document, Document) else Document(text=document)
    before, after = _sentences("before", before), _sentences("after", after)
    if max_tokens is not None:
        max_tokens = Budget(max_tokens=cast("int", python_number(max_tokens))).max_tokens
    counts = (
        None if max_tokens is None and counter is None else make_counter("cl100k_base" if counter is None else counter)
    )
    check_of_document(chunk_in("chunk", chunk), document)
    if reading is not None and not isinstance(reading, Reading):
        raise ConfigurationError(f"reading must be what chunker.reading_of(document) gives, got {shown(reading)}")
    if reading is not None and reading.text != document.text:
        raise ConfigurationError(f"the reading is not of document {document.id!r}: give reading_of(document)")
    find = _finder(document.text, chunk, Sentences(language), reading)
    if max_tokens is None or counts is None:
        starts, ends = find(before, after)
        start, end = [chunk.start, *starts][-1], [chunk.end, *ends][-1]
    else:
        fitting = _Fitting(document.text, chunk, max_tokens, counts)
        start, end = _widest(fitting, find, before, after)
    return Excerpt(
        text=document.text[start:end],
        start=start,
        end=end,
        document_id=document.id,
        chunk_ids=(chunk.id,),
        section=chunk.section,
        lines=_lines(document.text, chunk, start, end),
    )


def _sentences(name: str, value: object) -> int:
    return whole_number(name, value, 0, "a number of sentences, 0 or more")


class _Stretch(NamedTuple):
    """A part of a text that begins at `low`, with its cuts between sentences."""

    text: str
    low: int
    cuts: Cuts

    def starts(self, offset: int, most: int) -> list[int]:
        """List where the last sentences before an offset begin, the nearest first; white space alone is none."""
        found: list[int] = []
        place = known = offset - self.low
        while len(found) < most and place > 0:
            far = max(place - _LONGEST, 0)
            least = floor(self.text, far, max(far - _CLUSTER, 0))
            place = self.cuts.last(least, place - 1, place)
            if place == least > 0:
                break
            if not is_blank(self.text, place, known):
                found.append(place + self.low)
                known = place
        return found

    def ends(self, offset: int, most: int) -> list[int]:
        """List where the next sentences after an offset end, the nearest first; white space alone is none."""
        found: list[int] = []
        size = len(self.text)
        place = known = offset - self.low
        while len(found) < most and place < size:
            furthest = min(place + _LONGEST, size)
            following = self.cuts.next(place, furthest)
            if following == place and furthest < size:
                break
            place = following if following > place else size
            if not is_blank(self.text, known, place):
                found.append(place + self.low)
                known = place
        return found


def _finder(
    text: str, chunk: Chunk, sentences: Sentences, reading: Reading | None
) -> Callable[[int, int], tuple[list[int], list[int]]]:
    """Make what lists the sentences around a chunk, as many on either side as it is asked for."""
    if reading is None:
        return lambda before, after: _around(text, chunk, before, after, sentences)
    whole = _Stretch(text, 0, reading.cuts(sentences))
    return lambda before, after: (whole.starts(chunk.start, before), whole.ends(chunk.end, after))


def _widest(
    fitting: _Fitting, find: Callable[[int, int], tuple[list[int], list[int]]], before: int, after: int
) -> tuple[int, int]:
    """Look for no more sentences than fit, however many are asked for."""
    most = _FIRST
    while True:
        starts, ends = find(min(before, most), min(after, most))
        span, ran_out = fitting.widest(starts, ends)
        if not (ran_out.before and len(starts) == most < before) and not (ran_out.after and len(ends) == most < after):
            return span
        most *= 4


def _around(text: str, chunk: Chunk, before: int, after: int, sentences: Sentences) -> tuple[list[int], list[int]]:
    """Find the sentences around a chunk in a stretch of the text that is as long as they need."""
    reach = _STRETCH
    while True:
        low, high = max(chunk.start - reach, 0), min(chunk.end + reach, len(text))
        part = text[low:high]
        stretch = _Stretch(part, low, sentences.cuts(part))
        begun, ended = low + _MARGIN if low else 0, high - _MARGIN if high < len(text) else high
        starts = [offset for offset in stretch.starts(chunk.start, before) if offset >= begun]
        ends = [offset for offset in stretch.ends(chunk.end, after) if offset <= ended]
        has_starts = low == 0 or len(starts) == before or [chunk.start, *starts][-1] - begun > _LONGEST
        has_ends = high == len(text) or len(ends) == after or ended - [chunk.end, *ends][-1] > _LONGEST
        if has_starts and has_ends:
            return starts, ends
        reach *= 2


class _Fitting:
    """Widens a chunk as far as its budget goes.

    What is added is counted by itself, which says roughly how large the whole is; near the budget, and at the end,
    the whole is counted. So each character is counted a few times, however many sentences there are.
    """

    def __init__(self, text: str, chunk: Chunk, max_tokens: int, counter: Counter) -> None:
        self._text = text
        self._chunk = chunk
        self._most = max_tokens
        self._counter = counter
        self._overhead = getattr(counter, "overhead", 0)

    def widest(self, starts: list[int], ends: list[int]) -> tuple[tuple[int, int], _RanOut]:
        """Take sentences in turn from both sides while they fit; say which side had all of its sentences taken."""
        start, end = self._chunk.start, self._chunk.end
        tokens = self._count(start, end)
        if tokens > self._most:
            raise BudgetError(
                f"the chunk at {start}:{end} of document {self._chunk.document_id!r} alone has {tokens} tokens, over "
                f"max_tokens={self._most}; ask for at least {tokens}"
            )
        taken = [(start, end)]
        ran_out = _RanOut(before=False, after=False)
        sides = [_Side(iter(starts), before=True), _Side(iter(ends), before=False)]
        while sides:
            side = sides.pop(0)
            offset = next(side.offsets, None)
            if offset is None:
                ran_out = ran_out._replace(before=True) if side.before else ran_out._replace(after=True)
                continue
            wider = (offset, end) if side.before else (start, offset)
            added = (offset, start) if side.before else (end, offset)
            guess = tokens + self._count(*added) - self._overhead
            if guess > self._most:
                guess = self._count(*wider)
            if guess <= self._most:
                tokens, (start, end) = guess, wider
                taken.append(wider)
                sides.append(side)
        while len(taken) > 1 and self._count(*taken[-1]) > self._most:
            taken.pop()
        return taken[-1], ran_out

    def _count(self, start: int, end: int) -> int:
        return self._counter.count(self._text[start:end])


class _RanOut(NamedTuple):
    before: bool
    after: bool


class _Side(NamedTuple):
    offsets: Iterator[int]
    before: bool


def _lines(text: str, chunk: Chunk, start: int, end: int) -> tuple[int, int]:
    first = chunk.lines[0] - _line_ends(text, start, chunk.start)
    return first, chunk.lines[1] + _line_ends(text, chunk.end - 1, end - 1)


def _line_ends(text: str, start: int, end: int) -> int:
    """Count the line ends between two offsets as editors do: LF, CR LF and CR."""
    returns = text.count("\r", start, end) - text.count("\r\n", start, end + 1)
    return text.count("\n", start, end) + returns
