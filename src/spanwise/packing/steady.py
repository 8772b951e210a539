"""Part the text so that an edit moves few boundaries: each cut has its price, and the text around sets it.

What a cut costs is its rung, counted from the coarsest nearby, and a share told by a hash of the text around it; a
chunk costs a little more. The cheapest parting of the whole text into parts that fit the budget is taken. Cheap cuts
are taken whatever is before them, so that boundaries find each other again after an edit.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING
from zlib import crc32

from spanwise.packing.extents import extents
from spanwise.packing.parted import parts_at
from spanwise.segmenting.segmenter import all_cuts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanwise.packing.page import Page
    from spanwise.packing.parted import Part

__all__ = ["Steady"]

_CHUNK = 0.3
"""What a chunk costs, where a cut costs between 0 and 1 more than its rung: more fills better and holds less still."""

_CHARACTERS = 4
"""How many characters a token has, roughly: within a budget of them rungs are compared."""

_AROUND = 32
"""How many characters on each side set the price of a cut."""


class Steady:
    """Part by the prices of cuts; `within_sections` parts at every heading besides."""

    def __init__(self, *, within_sections: bool = False) -> None:
        self.within_sections = within_sections

    def of(self, page: Page) -> _SteadyParts:
        """Find the cheapest parting of a page."""
        page.begin(0)
        prices = _prices(page)
        bounds = [0, *sorted(prices), page.size]
        forced = {start for start in page.outline.run_starts if start in prices} if self.within_sections else set()
        costs = [prices.get(bound, 0.0) + _CHUNK for bound in bounds]
        places = _cheapest(costs, extents(page, bounds), [bound in forced for bound in bounds])
        return _SteadyParts([bounds[place] for place in places])


class _SteadyParts:
    repeats = True

    def __init__(self, cuts: Sequence[int]) -> None:
        self._cuts = cuts

    def between(self, start: int, stop: int) -> Iterator[Part]:
        """Give the parts of a region."""
        return parts_at(self._cuts, start, stop)


def _prices(page: Page) -> dict[int, float]:
    """Give the price of each cut of the ladder that parts no heading from its text and divides no unit that fits."""
    text, rungs = page.text, dict[int, int]()
    for rung, segments in enumerate(page.ladder):
        for cut in all_cuts(segments, page.size):
            if cut not in rungs and cut < page.size and page.may_cut(cut):
                rungs[cut] = rung
    cuts = sorted(rungs)
    budget = page.budget
    near = _CHARACTERS * budget.max_tokens if budget.max_tokens is not None else (budget.max_characters or 0)
    coarsest = _least_near(cuts, [rungs[cut] for cut in cuts], near)
    prices = {}
    for cut, least in zip(cuts, coarsest, strict=True):
        around = text[max(cut - _AROUND, 0) : cut + _AROUND].encode("utf-8", "surrogatepass")
        prices[cut] = rungs[cut] - least + crc32(around) / 2**32
    return prices


def _least_near(cuts: Sequence[int], rungs: Sequence[int], near: int) -> list[int]:
    """Give for each cut the coarsest rung of those up to so many characters away."""
    queue: deque[int] = deque()
    least, ahead = [], 0
    for cut in cuts:
        while ahead < len(cuts) and cuts[ahead] <= cut + near:
            while queue and rungs[queue[-1]] >= rungs[ahead]:
                queue.pop()
            queue.append(ahead)
            ahead += 1
        while cuts[queue[0]] < cut - near:
            queue.popleft()
        least.append(rungs[queue[0]])
    return least


def _cheapest(costs: Sequence[float], within: Sequence[int], forced: Sequence[bool]) -> list[int]:
    """List the places between the first and the last at which the cheapest parting cuts.

    A part from one place goes to the last place `within` says, or to the next one; none goes on across a forced place.
    The least total so far among the beginnings in reach is kept at the head of a queue, so that each place is looked
    at once, whatever the budget.
    """
    totals, begins = [0.0], [0]
    queue: deque[int] = deque()
    for place in range(1, len(costs)):
        before = place - 1
        if forced[before]:
            queue.clear()
        while queue and totals[queue[-1]] > totals[before]:
            queue.pop()
        queue.append(before)
        while queue[0] < before and within[queue[0]] < place:
            queue.popleft()
        begins.append(queue[0])
        totals.append(totals[queue[0]] + costs[place])
    places, place = [], begins[-1]
    while place:
        places.append(place)
        place = begins[place]
    return places[::-1]
