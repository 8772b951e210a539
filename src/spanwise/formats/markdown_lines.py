"""The lines of Markdown, in bytes of UTF-8, and the way back to code points."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Lines", "Mask", "Places", "Source", "places_of"]

Places: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Bytes: TypeAlias = npt.NDArray[np.uint8]

_LF, _CR, _BLANK = 10, 13, 32
_INK: Final = re.compile(rb"[^\x00-\x20]")
_FOLLOWS: Final = -64  # bytes that follow the first of a code point are below it, if they have a sign


_SHORT: Final = 4_096  # bytes: one find is sooner in a short text, NumPy several times sooner in a long one
_ZERO: Final = np.zeros(1, dtype=np.int64)
_NONE: Final = np.zeros(0, dtype=np.int64)


class Source:
    """One text without lone CRs of which few places are asked, one by one."""

    __slots__ = ("raw", "size")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.size = len(raw)

    def begin(self, place: int) -> int:
        """Give where the line of one place begins."""
        return self.raw.rfind(b"\n", 0, min(place, self.size - 1)) + 1

    def line_end(self, place: int) -> int:
        """Give where the line ends that holds what ends at `place`, its line end included."""
        return self.raw.find(b"\n", place - 1) + 1 or self.size

    def ink_from(self, place: int) -> int:
        """Give where the first ink is at or after one place; the size if there is none."""
        ink = _INK.search(self.raw, place)
        return ink.start() if ink else self.size

    def widened(self, place: int) -> int:
        """Move what only blanks part from the beginning of its line to that beginning."""
        begin = self.begin(place)
        return begin if self.ink_from(begin) >= place else place


class Lines:
    """Where lines begin and end, and where ink is, in one text without lone CRs, or in several at once."""

    __slots__ = (
        "_has_ink",
        "_inked_ends",
        "_runs",
        "_within",
        "ends",
        "inked",
        "inked_inks",
        "inks",
        "raw",
        "size",
        "starts",
    )

    def __init__(self, raw: bytes, ends: Sequence[int] = ()) -> None:
        """Read the bytes of a text, or those of several, each of which ends at one of `ends`, the last left out."""
        self.size = len(raw)
        self.raw: Bytes = np.frombuffer(raw, dtype=np.uint8)
        ending = self.raw == _LF
        ending[-1:] = True
        for end in ends:
            ending[end - 1] = True
        edges = np.concatenate([_ZERO, ending.nonzero()[0] + 1 if raw else _ZERO])
        self.starts: Places = edges[:-1]
        self.ends: Places = edges[1:]
        """Where lines end, their line ends included."""
        self._within: Places | None = None
        """Where code points go on."""
        if not raw.isascii():
            self._within = (self.raw.view(np.int8) < _FOLLOWS).nonzero()[0]
        self._has_ink: Mask = np.ones(self.size + 1, dtype=np.bool_)  # at the size too, where seeking ends
        np.greater(self.raw, _BLANK, out=self._has_ink[:-1])
        self._runs: Places | None = None
        """Where blanks end and ink follows."""
        self.inks: Places = self.first_ink(self.starts)
        """Where the first ink is at or after the beginning of each line."""
        self.inked: Mask = self.inks < self.ends
        """Whether a line holds more than blanks."""
        self.inked_inks: Places = self.inks[self.inked]
        self._inked_ends = np.concatenate([self.ends[self.inked], _ZERO])

    def points(self, places: Places) -> Places:
        """Turn bytes into code points."""
        return places if self._within is None else places - self._within.searchsorted(places)

    def of(self, places: Places) -> Places:
        """Give the number of the line in which each place is."""
        return self.starts.searchsorted(places, side="right") - 1

    def first_ink(self, places: Places) -> Places:
        """Give where the first ink is at or after each place; the size if there is none."""
        blank = (~self._has_ink[places]).nonzero()[0]
        if not len(blank):
            return places
        if self._runs is None:
            self._runs = (self._has_ink[1:] > self._has_ink[:-1]).nonzero()[0]
        found = places.copy()
        found[blank] = self._runs[self._runs.searchsorted(places[blank])] + 1
        return found

    def widened(self, places: Places) -> Places:
        """Move what only blanks part from the beginning of its line to that beginning."""
        lines = self.of(places)
        return np.where(self.inks[lines] >= places, self.starts[lines], places)

    def trimmed(self, places: Places) -> Places:
        """Move ends back, or on, to where the last line with ink before them ends."""
        return self._inked_ends[self.inked_inks.searchsorted(places) - 1]

    def before_line_end(self, ends: Places) -> Places:
        """Move the ends of lines with ink to before what ends them."""
        one = self.raw[ends - 1] == _LF
        two = one & (self.raw[ends - 2] == _CR)
        stops: Places = ends - one.astype(np.int64) - two.astype(np.int64)
        return stops

    def held(self, begins: Places, ends: Places) -> Mask:
        """Say of each line whether it is one of those that hold the spans."""
        most = len(self.starts) + 1
        opened = np.bincount(self.of(begins), minlength=most)
        closed = np.bincount(self.of(ends - 1) + 1, minlength=most)
        held: Mask = (opened - closed).cumsum()[:-1] > 0
        return held


def places_of(word: bytes, raw: bytes) -> Places:
    """Give where a word of two bytes or more stands."""
    if word[-1:] not in raw or (len(raw) < _SHORT and word not in raw):
        return _NONE
    bytes_of, most = np.frombuffer(raw, dtype=np.uint8), len(raw) - len(word) + 1
    places: Places = ((bytes_of[:most] == word[0]) & (bytes_of[1 : most + 1] == word[1])).nonzero()[0]
    for after, byte in enumerate(word[2:], 2):
        places = places[bytes_of[places + after] == byte]
    return places
