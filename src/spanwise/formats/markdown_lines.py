"""The lines of one window, in bytes of UTF-8, and the way back to code points."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Lines", "Mask", "Places"]

Places: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_LF, _CR, _BLANK = 10, 13, 32


class Lines:
    """Where lines begin and end, and where ink is, in one text without lone CRs."""

    __slots__ = ("_ink", "_points", "_raw", "ends", "raw", "size", "starts")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.size = len(raw)
        self._raw = bytes_of = np.frombuffer(raw, dtype=np.uint8)
        after = np.flatnonzero(bytes_of == _LF) + 1
        first = np.zeros(1, dtype=np.int64)
        self.starts: Places = np.concatenate([first, after[after < self.size]])
        self.ends: Places = np.append(self.starts[1:], self.size)
        """Where lines end, their line ends included."""
        self._ink: Places = np.append(np.flatnonzero(bytes_of > _BLANK), self.size)
        """Where ink is, and the size."""
        self._points: Places | None = None
        if not raw.isascii():
            self._points = np.concatenate([first, np.cumsum((bytes_of & 0xC0) != 0x80)])

    def points(self, places: Places) -> Places:
        """Turn bytes into code points."""
        return places if self._points is None else self._points[places]

    def of(self, places: Places) -> Places:
        """Give the number of the line in which each place is."""
        return self.starts.searchsorted(places, side="right") - 1

    def begin(self, place: int) -> int:
        """Give where the line of one place begins."""
        return int(self.starts[self.starts.searchsorted(place, side="right") - 1])

    def line_end(self, place: int) -> int:
        """Give where the line ends that holds what ends at `place`."""
        return int(self.ends[self.starts.searchsorted(place, side="left") - 1])

    def ink_from(self, place: int) -> int:
        """Give where the first ink is at or after one place."""
        return int(self.first_ink(np.array([place]))[0])

    def inked(self) -> Mask:
        """Say of each line whether it holds more than blanks."""
        return self.first_ink(self.starts) < self.ends

    def first_ink(self, places: Places) -> Places:
        """Give where the first ink is at or after each place; the size if there is none."""
        return self._ink[self._ink.searchsorted(places)]

    def widened(self, places: Places) -> Places:
        """Move what only blanks part from the beginning of its line to that beginning."""
        begin = self.starts[self.of(places)]
        return np.where(self.first_ink(begin) >= places, begin, places)

    def trimmed(self, places: Places) -> Places:
        """Move ends back, or on, to where the last line with ink before them ends."""
        last = self._ink.searchsorted(places) - 1
        ends = self.ends[self.of(self._ink[np.maximum(last, 0)])]
        ends[last < 0] = 0
        return ends

    def before_line_end(self, ends: Places) -> Places:
        """Move the ends of lines to before what ends them."""
        padded = np.append(self._raw, 0)  # so that the place before the first is no line end
        last, before = padded[ends - 1], padded[ends - 2]
        one = last == _LF
        two = one & (before == _CR)
        stops: Places = ends - one.astype(np.int64) - two.astype(np.int64)
        return stops
