"""How far may a part go from each segment?"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanwise.packing.page import Page

__all__ = ["extents"]


def extents(page: Page, bounds: Sequence[int], *, longest: int | None = None) -> list[int]:
    """List for each segment between bounds the place of the last bound that a part from its beginning may reach.

    With room for the overlap, and for the context there. By the map, which is a guess; where the counter has none,
    by the sizes of the segments, each counted once. At least the segment itself, at most `longest` segments.
    """
    budget, last = page.budget, len(bounds) - 1
    room = None if budget.max_tokens is None else budget.max_tokens - budget.overlap_tokens
    totals = None if room is None or page.measure.has_map else [0, *accumulate(_sizes(page, bounds))]
    reached = []
    for place, start in enumerate(bounds[:-1]):
        page.begin(start)
        end = page.reach(start, room if totals is None else None) - budget.overlap_characters
        most = min(bisect_right(bounds, end) - 1, last if longest is None else place + longest)
        if totals is not None and room is not None:
            most = min(most, bisect_right(totals, totals[place] + page.room(room)) - 1)
        reached.append(max(most, place + 1))
    return reached


def _sizes(page: Page, bounds: Sequence[int]) -> Iterator[int]:
    nothing = page.measure.count(0, 0)  # what the model adds to every text
    for start, end in pairwise(bounds):
        yield max(page.measure.count(start, end) - nothing, 0)
