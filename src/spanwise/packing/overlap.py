"""Begin a chunk with the end of the one before.

The repeated text begins at a sentence if one begins within the asked overlap, else at a word, else at a cluster;
counted alone it is at most what was asked. It yields to new text: where the new text needs the room, it is shortened,
down to the last cluster, before any unit is cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.segmenting.graphemes import floor, is_boundary, next_boundary
from spanwise.segmenting.trimming import trimmed
from spanwise.whitespace import is_blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spanwise.packing.page import Page, Piece

__all__ = ["overlap_start", "shortened_overlap"]

_TRIES = 4


def overlap_start(page: Page, previous: Piece, fresh: int) -> int:
    """Find where a chunk whose new text begins at `fresh` should begin; `fresh` for no overlap."""
    begin, until = page.kept(previous.start, fresh)
    if begin >= until or not is_boundary(page.text, until, begin):
        return fresh
    earliest = next_boundary(page.text, begin, until)
    low = earliest
    if page.budget.overlap_characters:
        low = max(low, until - page.budget.overlap_characters)
    if page.budget.overlap_tokens:
        low = max(low, page.measure.back(until, page.budget.overlap_tokens))
    return _snapped(page, earliest, low, until, lambda start: _is_asked(page, start, until), fresh)


def shortened_overlap(page: Page, start: int, fresh: int, end: int) -> int:
    """Shorten an overlap from `start` until it and the new text fit the budget together; `fresh` for none."""
    until, last = page.kept(start, fresh)[1], page.kept(fresh, end)[1]
    low = start
    if page.budget.max_characters is not None:
        low = max(low, last - page.budget.max_characters)
    if page.budget.max_tokens is not None:
        low = max(low, page.measure.back(last, page.budget.max_tokens))

    def holds(candidate: int) -> bool:
        return _is_asked(page, candidate, until) and page.fits(candidate, end)

    return _snapped(page, start, low, until, holds, fresh)


def _is_asked(page: Page, start: int, until: int) -> bool:
    """Say whether the repeated text alone is at most what was asked."""
    budget = page.budget
    if budget.overlap_characters and until - start > budget.overlap_characters:
        return False
    return not budget.overlap_tokens or page.measure.count(start, until) <= budget.overlap_tokens


def _snapped(  # noqa: PLR0917  offsets in their order
    page: Page, earliest: int, low: int, until: int, holds: Callable[[int], bool], none: int
) -> int:
    """Find the beginning of a sentence in [low, until), else of a word, else of a cluster, for which `holds`.

    White space alone is repeated only where nothing more can be.
    """
    text = page.text
    blank = none
    for start in _beginnings(page, earliest, low, until):
        if holds(start):
            if not is_blank(text, start, until):
                return start
            blank = min(blank, start)
    if blank < none:
        ink = _last_ink(text, earliest, blank)
        if ink is not None and holds(ink):
            return ink
    return blank


def _beginnings(page: Page, earliest: int, low: int, until: int) -> Iterator[int]:
    """Yield where an overlap may begin: as a chunk keeps it, which with trim is never at white space."""
    for start in _cuts_between(page, earliest, low, until):
        yield page.kept(start, until)[0]


def _cuts_between(page: Page, earliest: int, low: int, until: int) -> Iterator[int]:
    text = page.text
    for rung in page.snaps:
        start = low - 1
        for _ in range(_TRIES):
            following = rung.next(start, until - 1)
            if following <= start:
                break
            start = following
            yield start
    start = floor(text, low, earliest)
    start = start if start == low else next_boundary(text, start, until)
    for _ in range(_TRIES):
        if start >= until:
            break
        yield start
        start = next_boundary(text, start, until)
    yield floor(text, until - 1, earliest)


def _last_ink(text: str, earliest: int, until: int) -> int | None:
    """Give the beginning of the last cluster before `until` that is no white space."""
    end = trimmed(text, earliest, until)[1]
    return floor(text, end - 1, earliest) if end > earliest else None
