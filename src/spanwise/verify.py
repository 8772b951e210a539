"""Do chunks keep their promises? Checks anyone's chunks against the document, without trusting who made them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from spanwise.chunks import chunk_id
from spanwise.counting import counter as make_counter
from spanwise.counting import measure_of
from spanwise.documents import Document
from spanwise.errors import ConfigurationError, shown
from spanwise.segmenting.graphemes import floor, next_boundary
from spanwise.segmenting.trimming import trimmed
from spanwise.segmenting.words import is_word_cut
from spanwise.whitespace import WHITE_SPACE, is_blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike

    from spanwise.counting import Counter

__all__ = ["Violation", "spans_of", "verify"]


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """One promise that one chunk breaks: which, where, and how.

    Kinds by promise: P1 `slice`, P2 `budget`, P3 `cover`, P4 `order`, P5 `characters`, P6 `overlap`, P7 `word`,
    P8 `answer` (only `Chunker.verify` can tell), P9 `id`.
    """

    promise: str
    kind: str
    message: str
    index: int
    """The place of the chunk in the list that was given, from 0."""
    start: int | None = None
    end: int | None = None


class _Given(NamedTuple):
    """What is known of one chunk that was given."""

    place: int
    text: str
    start: int
    end: int
    tokens: int | None
    overlap: int | None
    id: str | None
    context: str


def verify(
    document: Document | str,
    chunks: Iterable[object],
    *,
    max_tokens: int | None = None,
    max_characters: int | None = None,
    counter: str | PathLike[str] | Counter | Callable[[str], int] | None = None,
    overlap_tokens: int | None = 0,
    overlap_characters: int | None = 0,
    trim: bool = False,
    blank: str = "drop",
    whole_words: bool = False,
    apart: Iterable[int] = (),
    word_ends: Iterable[int] = (),
    level: int = 0,
) -> list[Violation]:
    """Check chunks against every promise that can be seen in them; `[]` where all hold.

    Where a text is not the document's text at its span, only that is reported: the rest would be about spans that are
    not true.

    `chunks` are spanwise chunks, or anything with `text`, `start` and `end` (attributes or keys; offsets in code
    points); `tokens`, `overlap`, `id` and `context` are checked where they are there. An overlap of None leaves
    overlaps unjudged, 0 allows none. `trim` and `blank` say what white space may be missing; `whole_words` asks that
    no word is cut; `apart` are offsets where a chunk begins without overlap, such as headings between sections, and
    `word_ends` offsets where a word ends because the structure of the document says so, as in `[1,2]`. `level` is the
    place of the chunks among nested sizes, 0 for the smallest: it is part of their ids.

    Raises:
        ConfigurationError: a chunk without text, start or end.

    >>> text = "It moves water. It has one motor."
    >>> verify(text, [{"text": "It moves water.", "start": 0, "end": 15}], max_tokens=8)[0].message
    'nothing covers 15:33: " It has one motor."'
    """
    document = document if isinstance(document, Document) else Document(text=document)
    given = [_given(index, chunk) for index, chunk in enumerate(chunks)]
    counts = counter if counter is not None else ("cl100k_base" if max_tokens is not None else "characters")
    checker = _Checker(
        document,
        make_counter(counts),
        max_tokens=max_tokens,
        max_characters=max_characters,
        overlap_tokens=overlap_tokens,
        overlap_characters=overlap_characters,
        trim=trim,
        blank=blank,
        apart=frozenset(apart),
        word_ends=frozenset(word_ends),
        level=level,
    )
    violations = [*checker.slices(given)]
    if not violations:  # the rest is about spans, which must be true first
        violations += [*checker.orders(given), *checker.covers(given), *checker.budgets(given), *checker.edges(given)]
        violations += [*checker.overlaps(given), *checker.ids(given)]
        violations += checker.words(given) if whole_words else []
    return sorted(violations, key=lambda violation: (violation.index, violation.promise))


def spans_of(chunks: Iterable[object]) -> list[tuple[int, int]]:
    """List the spans of chunks of any make."""
    return [(given.start, given.end) for given in (_given(index, chunk) for index, chunk in enumerate(chunks))]


def _given(index: int, chunk: object) -> _Given:
    def read(name: str) -> object:
        return chunk.get(name) if isinstance(chunk, Mapping) else getattr(chunk, name, None)

    text, start, end = read("text"), read("start"), read("end")
    if not isinstance(text, str) or not isinstance(start, int) or not isinstance(end, int):
        raise ConfigurationError(
            f"chunk {index} needs text (str), start and end (int), got {shown(text)}, {shown(start)}, {shown(end)}"
        )
    tokens, overlap, given_id, context = read("tokens"), read("overlap"), read("id"), read("context")
    return _Given(
        index,
        text,
        start,
        end,
        tokens if isinstance(tokens, int) else None,
        overlap if isinstance(overlap, int) else None,
        given_id if isinstance(given_id, str) and hasattr(chunk, "spec") else None,
        context if isinstance(context, str) else "",
    )


class _Checker:
    def __init__(
        self,
        document: Document,
        counter: Counter,
        *,
        max_tokens: int | None,
        max_characters: int | None,
        overlap_tokens: int | None,
        overlap_characters: int | None,
        trim: bool,
        blank: str,
        apart: frozenset[int],
        word_ends: frozenset[int],
        level: int,
    ) -> None:
        self._document = document
        self._text = document.text
        self._counter = counter
        self._measure = measure_of(counter, document.text)
        self._max_tokens = max_tokens
        self._max_characters = max_characters
        self._overlap_tokens = overlap_tokens
        self._overlap_characters = overlap_characters
        self._trim = trim
        self._blank = blank
        self._apart = apart
        self._word_ends = word_ends
        self._level = level
        self._inside: dict[int, tuple[int, int]] = {}

    def slices(self, given: list[_Given]) -> Iterator[Violation]:
        """P1: the text is the document's text at the span."""
        for chunk in given:
            end = chunk.start + len(chunk.text)
            if chunk.start < 0 or end != chunk.end or chunk.text != self._text[chunk.start : end]:
                yield _violation("P1", "slice", chunk, f"{shown(chunk.text)} is not the document's text there")

    def orders(self, given: list[_Given]) -> Iterator[Violation]:
        """P4: no chunk is empty; starts and ends strictly increase."""
        for chunk in given:
            if chunk.start >= chunk.end:
                yield _violation("P4", "order", chunk, "the chunk is empty")
        for before, chunk in _neighbours(given):
            if chunk.start <= before.start or chunk.end <= before.end:
                yield _violation("P4", "order", chunk, f"it does not come after {before.start}:{before.end}")

    def covers(self, given: list[_Given]) -> Iterator[Violation]:
        """P3: nothing is missing but white space that may be left out."""
        covered = 0
        for chunk in given:
            yield from self._gap(covered, chunk.start, chunk)
            covered = max(covered, chunk.end)
        last = given[-1] if given else _Given(0, "", 0, 0, None, None, None, "")
        yield from self._gap(covered, len(self._text), last)

    def _gap(self, start: int, end: int, chunk: _Given) -> Iterator[Violation]:
        may_miss = (self._blank == "drop" or self._trim) and is_blank(self._text, start, end)
        if start < end and not may_miss:
            piece = self._text[start:end]
            quoted = f'"{piece}"' if len(piece) < 40 and piece.isprintable() and '"' not in piece else shown(piece)
            message = f"nothing covers {start}:{end}: {quoted}"
            yield Violation(promise="P3", kind="cover", message=message, index=chunk.place, start=start, end=end)

    def budgets(self, given: list[_Given]) -> Iterator[Violation]:
        """P2: counted alone each chunk has the tokens it states, and is within the budget."""
        for chunk in given:
            if chunk.start >= chunk.end:
                continue
            tokens = self._counter.count(self._text[chunk.start : chunk.end])  # never by the map: it is judged here
            if chunk.tokens is not None and chunk.tokens != tokens:
                yield _violation("P2", "budget", chunk, f"it states {chunk.tokens} tokens and has {tokens}")
            whole = self._counter.count(chunk.context + chunk.text) if chunk.context else tokens
            if self._max_tokens is not None and whole > self._max_tokens:
                yield _violation("P2", "budget", chunk, f"{whole} tokens are over max_tokens={self._max_tokens}")
            characters = len(chunk.context) + chunk.end - chunk.start
            if self._max_characters is not None and characters > self._max_characters:
                message = f"{characters} characters are over max_characters={self._max_characters}"
                yield _violation("P2", "budget", chunk, message)

    def edges(self, given: list[_Given]) -> Iterator[Violation]:
        """P5: no cut inside a cluster that alone is within the budget."""
        self._inside = self._clusters_cut(given)
        judged, fits = (0, 0), False
        for chunk in given:
            for offset in (chunk.start, chunk.end):
                start, end = self._inside.get(offset, (0, 0))
                if not start < offset < end:
                    continue
                if (start, end) != judged:  # a cluster of a megabyte is cut in many places, and counted once
                    judged, fits = (start, end), self._within(start, end)
                if fits:
                    message = f"{offset} is inside the character {self._text[start:end]!r} at {start}:{end}, which fits"
                    yield _violation("P5", "characters", chunk, message)

    def _clusters_cut(self, given: list[_Given]) -> dict[int, tuple[int, int]]:
        """Find the clusters that are cut, from left to right so that each look back ends at a known boundary."""
        inside: dict[int, tuple[int, int]] = {}
        start, end = 0, 0
        for offset in sorted({offset for chunk in given for offset in (chunk.start, chunk.end)}):
            if offset >= end and floor(self._text, offset, end) == offset:
                start = end = offset
                continue
            if offset >= end:
                start = floor(self._text, offset, end)
                end = next_boundary(self._text, start)
            inside[offset] = (start, end)
        return inside

    def overlaps(self, given: list[_Given]) -> Iterator[Violation]:
        """P6: the repeated text is at most what was asked, and there is some wherever it can be."""
        judged = self._overlap_tokens is not None and self._overlap_characters is not None
        asked = bool(self._overlap_tokens or self._overlap_characters)
        for before, chunk in _neighbours(given):
            shared = max(0, before.end - chunk.start)
            if chunk.overlap is not None and chunk.overlap != shared:
                yield _violation(
                    "P6", "overlap", chunk, f"it states {chunk.overlap} repeated characters and has {shared}"
                )
            if judged and shared and not self._is_asked(chunk.start, before.end):
                message = (
                    f"it repeats {shared} characters ({self._asked(chunk.start, before.end)}), more than was asked"
                )
                yield _violation("P6", "overlap", chunk, message)
            if judged and asked and not shared and self._could_repeat(before, chunk):
                yield _violation("P6", "overlap", chunk, "it repeats nothing, though the last character before it fits")

    def _asked(self, start: int, end: int) -> str:
        return f"{self._measure.count(start, end)} tokens"

    def _is_asked(self, start: int, end: int) -> bool:
        tokens, characters = self._overlap_tokens or 0, self._overlap_characters or 0
        if not tokens and not characters:
            return False
        return (not characters or end - start <= characters) and (
            not tokens or self._measure.count(start, end) <= tokens
        )

    def _could_repeat(self, before: _Given, chunk: _Given) -> bool:
        if before.end != chunk.start or chunk.start in self._apart or before.end in self._inside:
            return False
        last = floor(self._text, before.end - 1, before.start)
        return last > before.start and self._is_asked(last, before.end) and self._within(last, chunk.end, chunk.context)

    def _within(self, start: int, end: int, context: str = "") -> bool:
        """Say whether a chunk of this span would be within the budget."""
        if self._trim:
            start, end = trimmed(self._text, start, end)
        if self._max_characters is not None and len(context) + end - start > self._max_characters:
            return False
        if self._max_tokens is None or start == end:
            return True
        if context:
            return self._counter.count(context + self._text[start:end]) <= self._max_tokens
        return self._measure.count(start, end) <= self._max_tokens

    def ids(self, given: list[_Given]) -> Iterator[Violation]:
        """P9: ids come from the document's id, the text and its occurrence, and do not collide."""
        seen: dict[str, int] = {}
        for chunk in given:
            occurrence = seen.get(chunk.text, 0)
            seen[chunk.text] = occurrence + 1
            expected = chunk_id(self._document.id, chunk.text, occurrence=occurrence, level=self._level)
            if chunk.id is not None and chunk.id != expected:
                message = (
                    f"the id {chunk.id!r} is not that of occurrence {occurrence} of its text in {self._document.id!r}"
                    f"{f' at level {self._level}' if self._level else ''}"
                )
                yield _violation("P9", "id", chunk, message)

    def words(self, given: list[_Given]) -> Iterator[Violation]:
        """P7: no cut inside a word; where an overlap begins is no cut."""
        covered = low = 0
        for chunk in given:
            if covered < chunk.start and not self._parts_words(chunk.start, low):
                yield _violation("P7", "word", chunk, f"{chunk.start} is inside a word")
            low, covered = self._inside.get(chunk.start, (chunk.start,))[0], chunk.end
            if not self._parts_words(chunk.end, low):
                yield _violation("P7", "word", chunk, f"{chunk.end} is inside a word")

    def _parts_words(self, offset: int, low: int) -> bool:
        cluster = self._inside.get(offset)
        if cluster is not None and self._text[cluster[0]] in WHITE_SPACE:  # white space is no word, whatever marks it
            return True
        return offset in self._word_ends or is_word_cut(self._text, offset, low)


def _violation(promise: str, kind: str, chunk: _Given, message: str) -> Violation:
    return Violation(
        promise=promise,
        kind=kind,
        message=f"chunk {chunk.place} ({chunk.start}:{chunk.end}): {message}",
        index=chunk.place,
        start=chunk.start,
        end=chunk.end,
    )


def _neighbours(given: list[_Given]) -> Iterator[tuple[_Given, _Given]]:
    return pairwise(given)
