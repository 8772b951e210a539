"""After line ends that the author meant: not those that only wrap prose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.segmenting.blocks import Blocks
from spanwise.segmenting.structured import StartCuts

if TYPE_CHECKING:
    from spanwise.segmenting.reading import Reading
    from spanwise.segmenting.segmenter import Cuts

__all__ = ["HardLines"]


class _HardLineCuts:
    __slots__ = ("_blocks", "_size")

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._size = len(blocks.text)

    def last(self, after: int, upto: int, start: int) -> int:  # noqa: ARG002  a hard line start is no cut inside a unit
        if upto >= self._size:
            return max(upto, after)
        return max(after, self._blocks.at(upto).start)

    def next(self, after: int, upto: int) -> int:
        upto = min(upto, self._size)
        if upto <= after:
            return after
        end = self._blocks.end(self._blocks.at(after), upto)
        # Where white space hides what follows, the end of the block cannot be told from before it.
        first = end if end < upto else self._blocks.at(upto).start if upto < self._size else end
        return max(after, first)


class HardLines:
    """Cuts before each paragraph, heading, list item and table row, and after each line that is not wrapped prose."""

    name = "hard line"

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text."""
        return _HardLineCuts(Blocks(text))

    def cuts_in(self, reading: Reading) -> Cuts:
        """Get ready for a text that was read: where its structure gives blocks, these are the cuts."""
        blocks = reading.blocks
        return _HardLineCuts(blocks) if isinstance(blocks, Blocks) else StartCuts(reading.text, blocks.starts)
