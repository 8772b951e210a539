"""Between words, as UAX 29 divides them; and the better half of those cuts, after white space.

A word is a UAX 29 word with the white space after it. In scripts that are written without blanks every cluster
may be a word. A run of white space may be cut anywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from spanwise.segmenting.graphemes import floor, is_boundary
from spanwise.whitespace import SPACE, WHITE_SPACE

if TYPE_CHECKING:
    from spanwise.segmenting.segmenter import Cuts

__all__ = ["Blanks", "Words", "is_word_cut"]

_UNSPACED = (
    r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}"
    r"\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}"
)
_LAST_OPEN_CHARACTER = regex.compile(f"(?r)[{SPACE[1:-1]}{_UNSPACED}]")
_OPEN_CHARACTER = regex.compile(f"[{SPACE[1:-1]}{_UNSPACED}]")
_IS_UNSPACED = regex.compile(f"[{_UNSPACED}]")
_CLOSES = regex.compile(r"[\p{Pe}\p{Pf}\p{Po}\p{Lm}\u30fc]")
_WORD_EDGE = regex.compile(r"(?w)\b")
# WB4, WB15 and WB16 pair regional indicators across what is invisible between them, from wherever their run begins.
# Here each cluster of them is a word, which is the same but for that, and is known from the clusters alone.
_FLAG_BEFORE_FLAG = regex.compile(
    r"\p{Regional_Indicator}[\p{Word_Break=Extend}\p{Word_Break=Format}\p{Word_Break=ZWJ}]*+(?=\p{Regional_Indicator})"
)
_AROUND = 64


class _BlankCuts:
    """Cuts after white space, and beside characters of scripts that are written without blanks."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def last(self, after: int, upto: int, start: int) -> int:  # noqa: ARG002  words have no units inside
        text = self._text
        if upto >= len(text):
            return max(upto, after)
        while upto > after:
            if self._divides(upto, after):
                return upto
            found = _LAST_OPEN_CHARACTER.search(text, after, upto)
            if found is None:
                return after
            upto = found.end() if found.end() < upto else upto - 1
        return after

    def next(self, after: int, upto: int) -> int:
        text, cut = self._text, after
        while True:
            found = _OPEN_CHARACTER.search(text, cut, upto + 1)
            if found is None:
                return upto if upto >= len(text) else after
            places: tuple[int, int] = found.span()
            for place in places:
                if after < place <= upto and self._divides(place, after):
                    return place
            cut = found.end()

    def _divides(self, cut: int, after: int) -> bool:
        text = self._text
        if cut >= len(text):
            return True
        left, right = text[cut - 1], text[cut]
        return (left in WHITE_SPACE or _beside_unspaced(left, right)) and is_boundary(text, cut, after)


def _beside_unspaced(left: str, right: str) -> bool:
    """Say whether a word may end here because a script without blanks is on either side."""
    if (left < "\u0e00" and right < "\u0e00") or right in WHITE_SPACE:
        return False
    beside = _IS_UNSPACED.match(left) or _IS_UNSPACED.match(right)
    # A closing bracket, a full stop or a length mark stays with the character before it.
    return beside is not None and _CLOSES.match(right) is None


class Blanks:
    """Cuts after white space, and between characters of scripts that are written without blanks."""

    name = "blank"

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text."""
        return _BlankCuts(text)


class _WordCuts:
    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def last(self, after: int, upto: int, start: int) -> int:  # noqa: ARG002  words have no units inside
        if upto >= len(self._text):
            return max(upto, after)
        low = upto
        while low > after:
            high, low = low, max(after, low - _AROUND)
            for cut in reversed(self._edges(low, high)):
                if is_boundary(self._text, cut, after):
                    return cut
        return after

    def next(self, after: int, upto: int) -> int:
        high, end = after, min(upto, len(self._text) - 1)
        while high < end:
            low, high = high, min(end, high + _AROUND)
            for cut in self._edges(low, high):
                if is_boundary(self._text, cut, after):
                    return cut
        return upto if upto >= len(self._text) else after

    def _edges(self, low: int, high: int) -> list[int]:
        """List the places in (low, high] where UAX 29 parts words, and those beside blanks and unspaced scripts."""
        begin = max(0, low - _AROUND)
        window = self._text[begin : high + _AROUND]
        edges = {begin + match.start() for match in _WORD_EDGE.finditer(window, low - begin)}
        for match in _OPEN_CHARACTER.finditer(window, low - begin, high + 1 - begin):
            edges.update((begin + match.start(), begin + match.end()))
        edges.update(begin + match.end() for match in _FLAG_BEFORE_FLAG.finditer(window))
        return sorted(edge for edge in edges if low < edge <= high)


def is_word_cut(text: str, offset: int, low: int = 0) -> bool:
    """Say whether words may be parted at `offset`; `low` is an earlier place between two clusters.

    >>> is_word_cut("can't stop", 4), is_word_cut("can't stop", 5)
    (False, True)
    """
    return offset in (low, len(text)) or _WordCuts(text).next(floor(text, offset - 1, low), offset) == offset


class Words:
    """Cuts between the words of UAX 29 (by the tables of the `regex` package), in white space and unspaced scripts."""

    name = "word"

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text."""
        return _WordCuts(text)
