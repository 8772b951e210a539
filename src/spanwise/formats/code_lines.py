"""The lines of source code: where blocks begin, and what belongs together if only columns tell."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from spanwise.formats.markdown_lines import Lines
from spanwise.structure import Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanwise.formats.markdown_lines import Places

__all__ = ["LONG", "CodeLines", "read_columns", "source_of"]

LONG = 500
"""Bytes: nobody writes longer lines, so what is in one may be cut off inside it."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_CONTROLS = bytes.maketrans(bytes(code for code in range(32) if code not in b"\t\n\r"), b" " * 29)
_CLOSING = np.isin(np.arange(256), list(b")]}"))
_ENDING = np.isin(np.arange(256), list(b";,{}([\n"))
_GOES_ON = re.compile(
    rb"[)\]}]|(?:end|else|elif|elsif|elseif|except|finally|catch|fi|done|esac|then|do)\b|#(?:endif|el)"
)
"""What begins a line at column zero that belongs to the lines before."""
_LEADS = re.compile(rb"#(?!\s*(?:if|include|define|endif|el))|//|/\*|\*|--|@|\[\w+\]\s|;;|%|'''|\"\"\"")
"""What begins a line that belongs to the line after: a comment, a decorator."""


def source_of(text: str) -> bytes:
    """Give a text in UTF-8, every code point in its place, with nothing in it that grammars stumble over.

    Line ends are LF or CR LF, other control characters are blanks, a lone surrogate is U+FFFD.
    """
    if "\r" in text:
        text = _LONE_RETURN.sub("\n", text)
    try:
        source = text.encode()
    except UnicodeEncodeError:
        source = _SURROGATE.sub("\ufffd", text).encode()
    return source.translate(_CONTROLS)


class CodeLines:
    """The lines of one source, by their numbers."""

    __slots__ = ("_ink", "_is_ascii", "_lines", "_of_bytes", "ends", "inks", "long", "source", "starts")

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._of_bytes = np.frombuffer(source, dtype=np.uint8)
        self._is_ascii = source.isascii()
        self._lines = Lines(source)
        self._ink = self._lines.first_ink(self._lines.starts)
        self.starts: list[int] = [*self._lines.starts.tolist(), len(source)]
        """Where lines begin, and the size: a line end at the end of the source begins a last, empty line."""
        self.ends: list[int] = [*self._lines.ends.tolist(), len(source)]
        self.inks: list[int] = [*self._ink.tolist(), len(source)]
        """Where the first ink is at or after the beginning of each line."""
        self.long: list[bool] = [*(self._lines.ends - self._lines.starts > LONG).tolist(), False]
        """Whether a line is too long to have been written by hand."""

    def points(self, places: Sequence[int]) -> Sequence[int]:
        """Turn bytes into code points."""
        if self._is_ascii:
            return places
        turned: list[int] = self._lines.points(np.array(places, dtype=np.int64)).tolist()
        return turned

    def after_blanks(self, places: Sequence[int]) -> list[int]:
        """Move places over the blank lines that follow."""
        given = np.array(places, dtype=np.int64)
        moved: list[int] = np.maximum(self._next_lines(given), given).tolist()
        return moved

    def _next_lines(self, places: Places) -> Places:
        """Give where the lines begin on which the first ink at or after places is."""
        inks = self._lines.first_ink(places)
        return np.where(inks < len(self.source), self._lines.widened(inks), len(self.source))

    def blocks(
        self,
        statements: Sequence[int] = (),
        edges: Sequence[int] = (),
        inside: Iterable[tuple[int, int]] = (),
        leads: Iterable[tuple[int, int]] = (),
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Give where blocks begin, and which of them are strong, in code points.

        `statements` begin inside long lines; at `edges` definitions begin and end; `inside` are the spans in which
        a blank line means nothing; no block begins after the beginning of one of `leads` up to its end.
        """
        source, starts, inks = self._of_bytes, self._lines.starts, self._ink
        size = len(source)
        if not size:
            return (), ()
        has_ink = inks < self._lines.ends
        closes = has_ink & _CLOSING[source[np.minimum(inks, size - 1)]]
        begins = has_ink & ~closes & ~self._within(starts, [(begin, end + 1) for begin, end in leads])
        after_blank = begins & ~np.concatenate([[True], has_ink[:-1]])
        after_blank &= ~self._within(starts, inside)
        edge = self._edges(np.array(edges, dtype=np.int64))
        within = self._after_an_end(np.array(statements, dtype=np.int64))
        strong = _each_once(np.concatenate([starts[after_blank], edge]))
        blocks = _each_once(np.concatenate([[0], starts[begins], within, strong]))
        points = self._lines.points
        return tuple(points(blocks).tolist()), tuple(points(strong).tolist())

    def _within(self, places: Places, spans: Iterable[tuple[int, int]]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Say of each place whether it is inside one of the spans, not where one begins."""
        steps = np.zeros(len(places) + 1, dtype=np.int64)
        bounds = np.array(sorted(spans), dtype=np.int64).reshape(-1, 2)
        np.add.at(steps, places.searchsorted(bounds[:, 0], side="right"), 1)
        np.add.at(steps, places.searchsorted(bounds[:, 1], side="left"), -1)
        inside: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.cumsum(steps)[:-1] > 0
        return inside

    def _edges(self, edges: Places) -> Places:
        """Give the edges at which something follows: a line that closes brackets alone is nothing."""
        inks = self._lines.first_ink(edges)
        begins = (inks < len(self.source)) & ~_CLOSING[self._of_bytes[np.minimum(inks, len(self.source) - 1)]]
        found = self._next_lines(edges)  # blank lines belong to what is before them
        return np.maximum(found, edges)[begins]

    def _after_an_end(self, places: Places) -> Places:
        """Give the places before which a statement, an element or a block ends or begins."""
        before = np.flatnonzero(self._of_bytes > ord(" "))
        last = before[np.maximum(before.searchsorted(places) - 1, 0)] if len(before) else places
        return places[_ENDING[self._of_bytes[last]]] if len(places) else places


def _each_once(places: Places) -> Places:
    """Sort places, and keep one of those that are equal: faster than `np.unique`, which hashes first."""
    places = np.sort(places)
    return places[np.diff(places, prepend=-1) > 0]


def read_columns(text: str) -> Structure:
    """Read code of which only the columns are known.

    A line that begins at column zero begins a unit, which goes up to the next such line; but lines that only close
    something belong to the lines before, comments and decorators to the line after.
    """
    lines = CodeLines(source_of(text))
    blocks, strong = lines.blocks()
    starts = lines.points(_column_starts(lines))
    units = [Unit(start, end) for start, end in pairwise([*starts, len(text)]) if end > start]
    return Structure(format="code", blocks=blocks, strong=strong, units=tuple(units))


def _column_starts(lines: CodeLines) -> list[int]:
    """Give where the lines begin that begin a unit."""
    source, found, leading = lines.source, [], False
    for start, end, ink in zip(lines.starts, lines.ends, lines.inks, strict=True):
        if ink >= end:
            leading = False  # a comment belongs to what is directly below it
            continue
        if ink > start or _GOES_ON.match(source, ink):
            leading = False
            continue
        if not leading:
            found.append(start)
        leading = _LEADS.match(source, ink) is not None
    return found
