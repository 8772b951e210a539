"""Cuts and blocks where a structure says so, rather than where the lines of the text look so."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from spanwise.segmenting.blocks import Block, content_of
from spanwise.segmenting.graphemes import is_boundary

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ReadBlocks", "StartCuts", "whole_starts"]


def whole_starts(text: str, starts: Sequence[int]) -> Sequence[int]:
    r"""Leave out the offsets that are inside a grapheme cluster.

    >>> whole_starts("e\u0301 b", [0, 1, 2])
    [0, 2]
    """
    if text.isascii() and "\r" not in text:
        return starts
    return [start for start in starts if start == 0 or text[start - 1] == "\n" or is_boundary(text, start)]


class StartCuts:
    """Cuts at given offsets, such as the beginnings of blocks."""

    __slots__ = ("_size", "_starts")

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._size = len(text)
        self._starts = starts

    def last(self, after: int, upto: int, start: int) -> int:  # noqa: ARG002  units are kept whole elsewhere
        """Give the last of the offsets in (after, upto]."""
        if upto >= self._size:
            return max(upto, after)
        place = bisect_right(self._starts, upto)
        return max(self._starts[place - 1], after) if place else after

    def next(self, after: int, upto: int) -> int:
        """Give the first of the offsets in (after, upto]."""
        place = bisect_right(self._starts, after)
        if place < len(self._starts) and self._starts[place] <= upto:
            return self._starts[place]
        return upto if upto >= self._size > after else after


class ReadBlocks:
    """The blocks that a structure gives, in the form of `Blocks`: each goes up to the next one."""

    __slots__ = ("_size", "starts", "text")

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self.text = text
        self._size = len(text)
        self.starts = starts

    def at(self, offset: int) -> Block:
        """Give the block that holds an offset."""
        place = bisect_right(self.starts, offset)
        end = self.starts[place] if place < len(self.starts) else self._size
        start = self.starts[place - 1]
        return Block(start, "plain", content_of(self.text, start), end, end)

    def end(self, block: Block, limit: int) -> int:
        """Give the end of a block if it is at most `limit`, else `limit`."""
        return min(block.end, limit)
