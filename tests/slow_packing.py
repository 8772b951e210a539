"""Packing as the documentation says it, in the slowest and most obvious way, for budgets in characters.

Every cut of every rung is listed first; then each chunk looks through all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import spanwise
from spanwise.segmenting.blocks import Blocks
from spanwise.segmenting.delimiters import Delimiters
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.headings import Headings
from spanwise.segmenting.lines import Lines
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.segmenter import all_cuts
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.whitespace import WHITE_SPACE
from texts import boundaries_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.sections import Outline
    from spanwise.segmenting.reading import Reading
    from spanwise.segmenting.segmenter import Segmenter
    from spanwise.structure import Unit

__all__ = ["LADDERS", "Ladder", "slow_spans"]


class Ladder(NamedTuple):
    """The rungs of a strategy: those chosen from by strength, those tried only where none of these fits."""

    strong: tuple[Segmenter, ...]
    between: tuple[Segmenter, ...] = ()
    below: tuple[Segmenter, ...] = ()
    min_fill: float = 0.0
    headings_stay: bool = False
    whole_words: bool = True


_WORDS: tuple[Segmenter, ...] = (Blanks(), Words())
_QUOTED = Sentences(in_quotations=True)
LADDERS: dict[str, tuple[spanwise.Strategy, Ladder]] = {
    "words": (spanwise.Words(), Ladder((Blanks(),), (), (Words(),))),
    "lines": (spanwise.Lines(), Ladder((Lines(),), (Sentences(), _QUOTED), _WORDS)),
    "sentences": (spanwise.Sentences(), Ladder((Sentences(),), (_QUOTED, Lines()), _WORDS, headings_stay=True)),
    "paragraphs": (
        spanwise.Paragraphs(),
        Ladder((Paragraphs(),), (Sentences(), _QUOTED, Lines()), _WORDS, headings_stay=True),
    ),
    "delimiter": (spanwise.Delimiter("a"), Ladder((Delimiters("a"),), (), (*_WORDS, Graphemes()), whole_words=False)),
    "recursive": (
        spanwise.Recursive(),
        Ladder(
            (Paragraphs(), HardLines(), Sentences()),
            (),
            (_QUOTED, *_WORDS, Graphemes()),
            min_fill=0.85,
            headings_stay=True,
            whole_words=False,
        ),
    ),
    "recursive-separators": (
        spanwise.Recursive(separators=("\n\n", "\n", ".", " ", "")),
        Ladder(
            (Delimiters("\n\n"), Delimiters("\n"), Delimiters(".")), (), (*_WORDS, Graphemes()), 0.85, whole_words=False
        ),
    ),
    "structural": (
        spanwise.Structural(),
        Ladder(
            (Headings(), Paragraphs(), HardLines(), Sentences()),
            (),
            (_QUOTED, *_WORDS),
            min_fill=0.35,
            headings_stay=True,
        ),
    ),
    "structural-half-full": (
        spanwise.Structural(min_fill=0.5),
        Ladder(
            (Headings(), Paragraphs(), HardLines(), Sentences()),
            (),
            (_QUOTED, *_WORDS),
            min_fill=0.5,
            headings_stay=True,
        ),
    ),
}
"""The strategies that can be said so, by name."""


class _Rung:
    """All cuts of one rung; a cut inside a list item or table row that begins after the chunk does not count."""

    def __init__(self, segmenter: Segmenter, reading: Reading, units: Sequence[Unit]) -> None:
        self.cuts = list(all_cuts(reading.cuts(segmenter), len(reading.text)))
        judged = isinstance(segmenter, Sentences) and reading.structure.blocks is None
        self.unit_starts = _unit_starts(reading.text, self.cuts) if judged else {}
        self.units = units

    def last(self, after: int, upto: int, fresh: int, outline: Outline | None) -> int:
        """Give the last cut in (after, upto], moved above what it would part, a unit or a heading; else `after`."""
        listed = [cut for cut in self.cuts if after < cut <= upto and self.unit_starts.get(cut, -1) <= fresh]
        return max((moved for cut in listed if (moved := self._moved(cut, fresh, outline)) > after), default=after)

    def _moved(self, cut: int, fresh: int, outline: Outline | None) -> int:
        divided = [unit.start for unit in self.units if fresh <= unit.start < cut < unit.end]
        moved = min(divided, default=cut)
        moved = moved if outline is None else _above_heading(moved, outline)
        return cut if moved == cut else self._moved(moved, fresh, outline)


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


def slow_spans(reading: Reading, ladder: Ladder, most: int) -> tuple[list[tuple[int, int]], int | None]:
    """Give the spans that a budget of `most` characters leaves, and where a word that is longer is refused."""
    text = reading.text
    slow = _Slow(reading, ladder, most)
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = slow.end(start)
        following = next(offset for offset in slow.boundaries if offset > start)
        if end == start and ladder.whole_words and text[start] not in WHITE_SPACE and start in slow.boundaries:
            return spans, start  # what is left of a cluster that was cut is no word
        end = end if end > start else min(start + most, following)
        spans.append((start, end))
        start = end
    return spans, None


class _Slow:
    def __init__(self, reading: Reading, ladder: Ladder, most: int) -> None:
        self.text = reading.text
        self.most = most
        self.outline = reading.outline if ladder.headings_stay and reading.outline else None
        self.min_fill = ladder.min_fill
        self.boundaries = boundaries_of(reading.text)
        units = [unit for unit in reading.units if unit.end - unit.start <= most]
        kept = [unit for unit in units if unit.start in self.boundaries] if ladder.headings_stay else []
        self.strong = [_Rung(each, reading, kept) for each in ladder.strong]
        self.between = [_Rung(each, reading, kept) for each in ladder.between]
        self.below = [_Rung(each, reading, kept) for each in ladder.below]

    def end(self, start: int) -> int:
        """Give where the chunk from `start` ends; `start` itself where nothing that may be cut fits."""
        reach = min(start + self.most, len(self.text))
        if reach == len(self.text):
            return reach
        begin = self._text_from(start)
        ends = [self._whole(start, start)] if begin <= reach else []
        if begin > start:
            if begin <= reach and self._whole(begin, begin - 1) == begin and begin + self.most < len(self.text):
                ends.append(self._whole(start, begin))  # the unit below the heading is cut anyway
                for rung in self.below:
                    ends.append(self._last([rung], start, begin, 0.0, self.outline))
                    if self._last([rung], begin, begin) > begin:
                        break
            ends += [begin if begin <= reach else start, self._last([*self.strong, *self.between], start, start)]
        ends += [self._last([rung], start, start) for rung in self.below]
        return next((end for end in ends if end > start), start)

    def _text_from(self, start: int) -> int:
        runs = () if self.outline is None else zip(self.outline.run_starts, self.outline.run_ends, strict=True)
        return max((end for first, end in runs if first <= start < end), default=start)

    def _whole(self, start: int, unit: int) -> int:
        """Choose among whole units; list items and table rows that begin after `unit` are not cut."""
        ends = [self._last(self.strong, start, unit, self.min_fill, self.outline)]
        ends += [self._last([rung], start, unit, 0.0, self.outline) for rung in self.between]
        return next((end for end in ends if end > start), start)

    def _last(
        self, rungs: Sequence[_Rung], start: int, unit: int, min_fill: float = 0.0, outline: Outline | None = None
    ) -> int:
        reach = min(start + self.most, len(self.text))
        share = int((reach - start) * min_fill)
        well_filled = max(start, *(offset for offset in self.boundaries if offset <= start + share))
        for rung in rungs:
            cut = rung.last(well_filled, reach, unit, outline)
            if cut > well_filled:
                return cut
        return max(rung.last(start, well_filled, unit, outline) for rung in rungs)
