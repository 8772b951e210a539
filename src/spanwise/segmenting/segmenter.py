"""What a segmenter is: something that yields the cuts of one kind.

A cut is an offset in code points. The cuts of a text strictly increase, lie in (0, len(text)], include
len(text), and never fall inside a grapheme cluster or between CR and LF. The segments between
neighbouring cuts tile the text; each owns the separator that follows it, so nothing can be lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Cuts", "Segmenter", "all_cuts", "cuts_of", "segments_of"]


class Cuts(Protocol):
    """The cuts of one kind in one text, found only where they are asked for.

    `after` is always a place between two grapheme clusters, so that no look back needs to go beyond it.
    """

    def last(self, after: int, upto: int, start: int) -> int:
        """Give the last cut in (after, upto], or `after` if there is none.

        `start` is where the segment being filled begins (at most `after`): a kind whose units must stay
        whole, such as list items, gives no cut inside a unit that begins after `start`.
        """

    def next(self, after: int, upto: int) -> int:
        """Give the first cut in (after, upto], or `after` if there is none."""


class Segmenter(Protocol):
    """Finds the cuts of one kind."""

    @property
    def name(self) -> str:
        """The kind of segment: word, sentence, paragraph and so on."""

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text. The cuts depend on the text alone, never on what was asked before."""


def cuts_of(segmenter: Segmenter, text: str) -> Iterator[int]:
    """Yield every cut of a text in order."""
    return all_cuts(segmenter.cuts(text), len(text))


def all_cuts(cuts: Cuts, end: int, cut: int = 0) -> Iterator[int]:
    """Yield every cut of one kind after `cut` in order, up to the end of the text or of a span of it."""
    while cut < end:
        following = cuts.next(cut, end)
        if following == cut:
            following = end
        yield following
        cut = following


def segments_of(segmenter: Segmenter, text: str) -> list[str]:
    """List the segments of a text; joined they are the text."""
    start, segments = 0, []
    for cut in cuts_of(segmenter, text):
        segments.append(text[start:cut])
        start = cut
    return segments
