"""Before headings: what stands between two of them is a section.

Which lines are headings is told by the structure of a document, and by the user's own function.
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from typing import TYPE_CHECKING

from spanwise.errors import ConfigurationError, shown
from spanwise.sections import Heading, Outline
from spanwise.segmenting.graphemes import floor, is_boundary
from spanwise.segmenting.lines import LINE_ENDS, LineCuts
from spanwise.whitespace import INK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from spanwise.segmenting.reading import Reading
    from spanwise.segmenting.segmenter import Cuts

__all__ = ["HeadingCuts", "HeadingEnds", "Headings"]

_MOST_OF_A_TITLE = 300  # characters: it stands on every chunk below it
_EXTRA_LEVEL = 7  # below all levels of Markdown


class HeadingCuts:
    """The beginnings of runs of headings: headings that follow one another at once are not parted."""

    __slots__ = ("_outline", "_size")

    def __init__(self, outline: Outline, size: int) -> None:
        self._outline = outline
        self._size = size

    def last(self, after: int, upto: int, start: int = 0) -> int:  # noqa: ARG002  sections have no units inside
        """Give the last beginning of a run of headings in (after, upto]."""
        if upto >= self._size:
            return max(upto, after)
        starts = self._outline.run_starts
        place = bisect_right(starts, upto) - 1
        return starts[place] if place >= 0 and starts[place] > after else after

    def next(self, after: int, upto: int) -> int:
        """Give the first beginning of a run of headings in (after, upto]."""
        starts = self._outline.run_starts
        place = bisect_right(starts, after)
        if place < len(starts) and starts[place] <= upto:
            return starts[place]
        return upto if upto >= self._size else after


class HeadingEnds:
    """Where the text after a run of headings begins; nothing else."""

    __slots__ = ("_outline",)

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def last(self, after: int, upto: int, start: int) -> int:
        """Give where the text begins after the headings that begin at `start`, if that is in (after, upto]."""
        end = self._outline.text_from(start)
        return end if after < end <= upto else after

    def next(self, after: int, upto: int) -> int:
        """Give where the text begins after the headings in which `after` stands, if that is at most `upto`."""
        return self.last(after, upto, after)


class Headings:
    """Cuts before each heading; `extra` is a function that gives more offsets of headings for a text.

    An extra heading is the line that begins at its offset, below all Markdown levels (level 7).
    """

    name = "heading"

    def __init__(self, extra: Callable[[str], Iterable[int]] | None = None) -> None:
        self.extra = extra

    def outline(self, text: str, headings: Sequence[Heading] = (), above: Sequence[tuple[int, str]] = ()) -> Outline:
        """Put the extra headings of a text beside those that were read; `above` are sections open at its beginning."""
        if not headings and self.extra is None:
            return Outline(above=above)
        lines = LineCuts(text)
        found = [heading for heading in headings if _is_whole(text, heading)]
        if self.extra is not None:
            taken = {heading.start for heading in found}
            more = sorted(_offsets(self.extra(text)) - taken)  # noqa: S610  a name of ours, no query
            found += [_extra_heading(text, lines, offset) for offset in more]
            found.sort(key=lambda heading: heading.start)
        return Outline(found, [_text_start(text, lines, heading.end) for heading in found], above)

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text of which nothing was read: only the extra headings are known."""
        return HeadingCuts(self.outline(text), len(text))

    def cuts_in(self, reading: Reading) -> Cuts:
        """Get ready for a text that was read."""
        return HeadingCuts(reading.outline, len(reading.text))


def _is_whole(text: str, heading: Heading) -> bool:
    """Say whether both ends of a heading are between grapheme clusters."""
    return is_boundary(text, heading.start) and is_boundary(text, heading.end)


def _offsets(given: Iterable[int]) -> set[int]:
    try:
        return {operator.index(offset) for offset in given}  # also the integers of NumPy
    except TypeError as error:
        raise ConfigurationError(f"headings= must give offsets, whole numbers, got {shown(given)}: {error}") from None


def _extra_heading(text: str, lines: LineCuts, offset: int) -> Heading:
    if not 0 <= offset < len(text):
        raise ConfigurationError(
            f"headings= gave {shown(offset)}, which is no offset of this text of {len(text)} code points"
        )
    if not is_boundary(text, offset):
        raise ConfigurationError(f"headings= gave {offset}, which is inside a character of the text")
    end = lines.next(offset, len(text))
    return Heading(offset, end, _EXTRA_LEVEL, " ".join(text[offset:end].split())[:_MOST_OF_A_TITLE])


def _text_start(text: str, lines: LineCuts, position: int) -> int:
    """Give the beginning of the first line after `position` that is not blank; of the first word, on the same line."""
    found = INK.search(text, position)
    if found is None:
        return len(text)
    line = lines.last(position, found.start())
    begins_line = line > position or position == 0 or text[position - 1] in LINE_ENDS
    return floor(text, line if begins_line else found.start(), position)
