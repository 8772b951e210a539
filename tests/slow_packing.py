"""Packing as the documentation says it, in the slowest and most obvious way, for budgets in characters.

Every cut of every rung is listed first; then each chunk looks through all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spanwise.segmenting.blocks import Blocks
from spanwise.segmenting.segmenter import cuts_of
from spanwise.segmenting.sentences import Sentences
from texts import boundaries_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.sections import Outline
    from spanwise.segmenting.segmenter import Segmenter

__all__ = ["Ladder", "slow_spans"]


class Ladder(NamedTuple):
    """The rungs of a strategy: those chosen from by strength, those tried only where none of these fits."""

    strong: tuple[Segmenter, ...]
    between: tuple[Segmenter, ...] = ()
    below: tuple[Segmenter, ...] = ()
    min_fill: float = 0.0
    headings_stay: bool = False
    whole_words: bool = True


class _RunEnds:
    """Where headings and the next segment are too long together: the headings on their own."""

    def __init__(self, outline: Outline) -> None:
        self._runs = list(zip(outline.run_starts, outline.run_ends, strict=True))

    def last(self, after: int, upto: int, fresh: int, outline: Outline | None) -> int:  # noqa: ARG002  as a rung
        """Give the end of the headings in which the chunk begins, if it is in (after, upto]; else `after`."""
        return max((end for start, end in self._runs if start <= fresh < after + 1 <= end <= upto), default=after)


class _Rung:
    """All cuts of one rung; a cut inside a list item or table row that begins after the chunk does not count."""

    def __init__(self, segmenter: Segmenter, text: str) -> None:
        self.cuts = list(cuts_of(segmenter, text))
        self.unit_starts = _unit_starts(text, self.cuts) if isinstance(segmenter, Sentences) else {}

    def last(self, after: int, upto: int, fresh: int, outline: Outline | None) -> int:
        """Give the last cut in (after, upto], moved above a heading that it would part from its text; else `after`."""
        listed = [cut for cut in self.cuts if after < cut <= upto and self.unit_starts.get(cut, -1) <= fresh]
        if outline is not None:
            listed = [moved for cut in listed if (moved := _above_heading(cut, outline)) > after]
        return max(listed, default=after)


def _unit_starts(text: str, cuts: list[int]) -> dict[int, int]:
    """Give for each cut inside a list item or a table row where that begins."""
    starts = {}
    for cut in cuts[:-1]:
        block = Blocks(text).at(cut)
        if block.kind != "plain" and block.start < cut:
            starts[cut] = block.start
    return starts


def _above_heading(cut: int, outline: Outline) -> int:
    for start, end in zip(outline.run_starts, outline.run_ends, strict=True):
        if start < cut <= end:
            return start
    return cut


def slow_spans(text: str, ladder: Ladder, most: int, outline: Outline) -> tuple[list[tuple[int, int]], int | None]:
    """Give the spans that a budget of `most` characters leaves, and where a word that is longer is refused."""
    kept = outline if ladder.headings_stay and outline else None
    strong = [_Rung(each, text) for each in ladder.strong]
    between = [_Rung(each, text) for each in ladder.between]
    tiers: list[tuple[Sequence[_Rung | _RunEnds], float, Outline | None]] = [(strong, ladder.min_fill, kept)]
    tiers += [([rung], 0.0, kept) for rung in between]
    if kept is not None:
        tiers += [([_RunEnds(kept)], 0.0, None), ([*strong, *between], 0.0, None)]
    tiers += [([_Rung(each, text)], 0.0, None) for each in ladder.below]
    boundaries = boundaries_of(text)
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _end(text, tiers, start, most, boundaries)
        if end == start and ladder.whole_words:
            return spans, start
        end = end if end > start else start + most
        spans.append((start, end))
        start = end
    return spans, None


def _end(
    text: str,
    tiers: list[tuple[Sequence[_Rung | _RunEnds], float, Outline | None]],
    start: int,
    most: int,
    boundaries: list[int],
) -> int:
    reach = min(start + most, len(text))
    if reach == len(text):
        return reach
    for rungs, min_fill, outline in tiers:
        share = int((reach - start) * min_fill)
        well_filled = max(start, *(offset for offset in boundaries if offset <= start + share))
        for rung in rungs:
            cut = rung.last(well_filled, reach, start, outline)
            if cut > well_filled:
                return cut
        cut = max(rung.last(start, well_filled, start, outline) for rung in rungs)
        if cut > start:
            return cut
    return start
