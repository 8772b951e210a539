"""How is a document read that is too long to be read at once, or not all there yet?

In passages: stretches of the text that are read, packed and given back one after another. Whole texts and streams go
through the same passages, so that a stream gives the chunks of the whole text. A passage begins where the one before
has been packed up to, or a little earlier, where something new begins: there the structure can be read as if the text
began. Where nothing new begins for long (a fence, a table of a megabyte), the first line of what is open is put before
the passage, so that it is read as what it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

from spanwise.errors import ConfigurationError, shown
from spanwise.segmenting.graphemes import floor, is_boundary
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.lines import LineCuts
from spanwise.segmenting.paragraphs import Paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanwise.segmenting.reading import Reading
    from spanwise.structure import Structure

__all__ = ["Passage", "Pieces", "Source", "WholeText", "next_in_cluster", "next_passage"]

PASSAGE = 245_760
"""How many characters of a document are packed at once; with what is looked at ahead, they are one block of the map."""

AHEAD = 4_096
"""How many more are looked at: what ends within them is packed with the next passage."""

BEHIND = 16_384
"""How far back a passage begins at most to begin with something new."""

_NEAR = 2_048
_LONGEST_CLUSTER = 2_048
_LEAST_HELD = 4_096
_LONGEST_OPENING = 4_096


class Source(Protocol):
    """Where the text comes from."""

    def take(self, start: int, size: int) -> str:
        """Give `size` characters from an offset, fewer only where the text ends; offsets never decrease."""


class WholeText:
    """A text that is all there."""

    def __init__(self, text: str) -> None:
        self._text = text

    def take(self, start: int, size: int) -> str:
        """Give a slice."""
        return self._text[start : start + size]


class Pieces:
    """A text that comes in pieces; what is behind the offset asked for is forgotten."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self._pieces = iter(pieces)
        self._held: deque[str] = deque()
        self._start = 0
        self._end = 0

    def take(self, start: int, size: int) -> str:
        """Wait until there is enough.

        Raises:
            ConfigurationError: a piece is no string.
        """
        while self._held and self._start + len(self._held[0]) <= start:
            self._start += len(self._held.popleft())
        while self._end < start + size and self._pull():
            pass
        parts, position = [], self._start
        for piece in self._held:
            if position >= start + size:
                break
            parts.append(piece[max(start - position, 0) : start + size - position])
            position += len(piece)
        return "".join(parts)

    def _pull(self) -> bool:
        """Hold some more pieces, small ones joined; say whether there were any."""
        some, length = [], 0
        while length < _LEAST_HELD:
            piece: object = next(self._pieces, None)
            if piece is None:
                break
            if not isinstance(piece, str):
                raise ConfigurationError(f"pieces must be strings, got {shown(piece)}; decode bytes first")
            some.append(piece)
            length += len(piece)
        if length:
            self._held.append(some[0] if len(some) == 1 else "".join(some))
            self._end += length
        return length > 0


class Passage(NamedTuple):
    """Where a passage begins, and what was open there."""

    start: int = 0
    opening: str = ""
    """Text put before the passage to be read, never to be packed: what is open there."""
    lead: int = 0
    """How many characters before the passage are read with it, so that it does not look like a document's beginning."""
    above: tuple[tuple[int, str], ...] = ()
    """Levels and titles of the sections that are open."""
    size: int = PASSAGE
    """How many of its characters are packed."""
    line: int = 1
    page: int = 1


def next_passage(reading: Reading, place: int, least: int) -> tuple[int, str]:
    """Give where the next passage begins, between `least` and `place`, and what is put before it.

    Offsets of the reading: `least` is where the present passage begins, `place` what the packer still needs.
    """
    text, structure = reading.text, reading.structure
    low = max(least, place - BEHIND)
    if structure.blocks is None:
        return _plain_start(reading, place, low), ""
    start = _last(text, structure.strong or structure.blocks, low, place)
    if start is not None:
        return start, ""
    start = _last(text, structure.blocks, low, place)
    if start is None:
        start = floor(text, max(low, place - _NEAR), low)
    return start, _opening(text, structure, start)


def next_in_cluster(first: int, place: int, least: int) -> int:
    """Give where the next passage begins when a grapheme cluster that begins at `first` was cut at `place`.

    With the cluster, so that it is known what it is; but with no more than 2,048 characters of it.
    """
    return first if least <= first and place - first <= _LONGEST_CLUSTER else place


def _last(text: str, starts: Sequence[int], low: int, place: int) -> int | None:
    """Give the last of the offsets in [low, place] that is between two grapheme clusters, or None."""
    for index in range(bisect_right(starts, place) - 1, -1, -1):
        if starts[index] < low:
            break
        if is_boundary(text, starts[index]):
            return starts[index]
    return None


def _plain_start(reading: Reading, place: int, low: int) -> int:
    """Give where a paragraph begins, else a hard line, else a place not far back."""
    for segmenter in (Paragraphs(), HardLines()):
        start = reading.cuts(segmenter).last(low, place, low)
        if start > low:
            return start
    return floor(reading.text, max(low, place - _NEAR), low)


def _opening(text: str, structure: Structure, start: int) -> str:
    """Give the header of the table, or the first line of the outermost unit, in which an offset lies."""
    table = next((table for table in structure.tables if table.rows <= start < table.end), None)
    if table is not None:
        return text[table.start : table.rows] if table.rows - table.start <= _LONGEST_OPENING else ""
    unit = next((unit for unit in structure.units if unit.start < start < unit.end), None)
    if unit is None:
        return ""
    end = LineCuts(text).next(unit.start, min(start, unit.start + _LONGEST_OPENING))
    return text[unit.start : end]
