r"""Never inside what a reader sees as one character: grapheme clusters.

Extended grapheme clusters of UAX 29, as the `regex` package knows them. `regex` is asked only about short
windows near an offset: its `\X` is quadratic on long runs of flags, and most offsets of most texts are decided
by their two neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from spanwise.segmenting.segmenter import Cuts

__all__ = ["Graphemes", "floor", "is_boundary", "next_boundary"]

_SHORT = 16  # characters: nearly all clusters are shorter
_CLUSTER = regex.compile(r"\X")
# What can join its right neighbour only because of what stands further left (GB9c, GB11, GB12 and GB13).
_LOOKS_LEFT = regex.compile(r"[\p{Grapheme_Extend}\p{M}\u200d\p{Regional_Indicator}\p{Emoji_Modifier}]")
_LOOKED_AT = regex.compile(r"[\p{Extended_Pictographic}\p{Regional_Indicator}]|(?![\0-\u08ff])\p{L}")
_FLAG = regex.compile(r"\p{Regional_Indicator}")


def _surely_divides(text: str, offset: int) -> bool:
    """Say whether a boundary lies at `offset` whatever else the text holds."""
    left, right = text[offset - 1], text[offset]
    if left < "\x80" and right < "\x80":
        return left != "\r" or right != "\n"
    if "\u3400" <= right <= "\u9fff" and "\u2e80" <= left <= "\uffef":  # an ideograph joins nothing that stands here
        return True
    if _LOOKS_LEFT.match(left) and _LOOKED_AT.match(right):
        return False
    cluster = _CLUSTER.match(left + right)
    return cluster is not None and cluster.end() == 1


def floor(text: str, offset: int, low: int = 0) -> int:
    """Give the last boundary at or before `offset`, not before `low`, which is taken for a boundary."""
    if offset >= len(text):
        return len(text)
    if offset <= low:
        return low
    if _surely_divides(text, offset):
        return offset
    sure = offset
    while sure > low and not _surely_divides(text, sure):
        sure -= 1
        if sure > low and _FLAG.match(text[sure]):
            first = _first_flag(text, sure, low)
            pairs = (sure + 1 - first) // 2
            if pairs >= 2:  # GB12, GB13: flags pair up from the left; the last but one pair ends at a boundary
                sure = first + 2 * (pairs - 1)
                break
            sure = first
    return _walk(text, sure, offset)


def _first_flag(text: str, offset: int, low: int) -> int:
    """Give the beginning of the run of regional indicators that holds `offset`."""
    while offset > low and _FLAG.match(text[offset - 1]):
        offset -= 1
    return offset


def _walk(text: str, boundary: int, offset: int) -> int:
    """Go on from a boundary, cluster by cluster, to the last one at or before `offset`."""
    # A slice, since `\\X` inside a run of flags looks back to the beginning of the run each time.
    window, place = text[boundary : offset + 1], 0
    while boundary + place < offset:
        cluster = _CLUSTER.match(window, place)
        end = cluster.end() if cluster is not None else place + 1
        if boundary + end > offset:
            break
        place = end
    return boundary + place


def is_boundary(text: str, offset: int, low: int = 0) -> bool:
    r"""Say whether a text may be cut at `offset` without cutting a grapheme cluster (UAX 29) or CR LF.

    `low` is an earlier offset that is taken for a boundary, so that a look back ends there.

    >>> is_boundary("e\u0301a", 1), is_boundary("e\u0301a", 2)
    (False, True)
    """
    if offset <= 0 or offset >= len(text):
        return True
    left, right = text[offset - 1], text[offset]
    if left < "\x80" and right < "\x80":
        return left != "\r" or right != "\n"
    return floor(text, offset, low) == offset


def next_boundary(text: str, offset: int, upto: int | None = None) -> int:
    """Give the first boundary after `offset`, which is taken for a boundary; at most `upto`."""
    end = len(text) if upto is None else upto
    if offset + 1 >= end:
        return end
    if text[offset] < "\x80" and text[offset + 1] < "\x80" and text[offset] != "\r":
        return offset + 1
    size = _SHORT
    while True:
        window = text[offset : min(end, offset + size)]
        cluster = _CLUSTER.match(window)
        length = cluster.end() if cluster is not None else 1
        if length < len(window) or offset + length >= end:
            return offset + length
        size *= 4


class _GraphemeCuts:
    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def last(self, after: int, upto: int, start: int) -> int:  # noqa: ARG002  clusters have no units inside
        return max(after, floor(self._text, upto, after))

    def next(self, after: int, upto: int) -> int:
        # One more than `upto` is looked at, so that a cluster of a megabyte costs no more than the window.
        boundary = next_boundary(self._text, after, min(upto + 1, len(self._text)))
        return boundary if boundary <= upto else after


class Graphemes:
    """Cuts between grapheme clusters."""

    name = "grapheme"

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text."""
        return _GraphemeCuts(text)
