"""Part the text so that an edit moves few boundaries: each cut has its price, and the text around sets it.

Cuts are ranked by their rung, counted from the coarsest nearby, then by a hash of the text behind them. A cut is the
cheaper the further away the next better one is, as in content-defined chunking by local minima (Bjørner, Blass and
Gurevich, "Content-dependent chunking for differential compression", 2010); a chunk costs a little more. The cheapest
parting of the whole text into parts that fit the budget is taken: the best cuts far around are taken whatever is
before them, so that boundaries find each other again after an edit.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING
from zlib import crc32

from spanwise.packing.extents import extents
from spanwise.packing.parted import parts_at
from spanwise.segmenting.segmenter import all_cuts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spanwise.packing.page import Page
    from spanwise.packing.parted import Part

__all__ = ["Steady"]

_CHUNK = 0.3
"""What a chunk costs, where a cut costs between 0 and 1: more fills better and holds less still."""

_RUNG = 0.25
"""What a cut costs more for each rung below the coarsest nearby."""

_CHARACTERS = 4
"""How many characters a token has, roughly: within a budget of them rungs are compared."""

_BEHIND = 48
"""How many characters behind a cut rank it: those before it may change."""

_SEED = 5
"""Another would do as well; on some texts one hash has better luck than another."""

_FURTHEST = 2
"""So many budgets away no better cut is looked for."""

_STEEPNESS = 1.5
"""With more, cuts in between cost less beside the worst ones, and chunks are filled less."""

_FINER = 2
"""How many rungs below the ladder part what is over the budget alone; the last ones have a cut at each character."""


class Steady:
    """Part by the prices of cuts; `within_sections` parts at every heading besides."""

    def __init__(self, *, within_sections: bool = False) -> None:
        self.within_sections = within_sections

    def of(self, page: Page) -> _SteadyParts:
        """Find the cheapest parting of a page."""
        page.begin(0)
        rungs = _rungs(page)
        bounds = [0, *sorted(rungs), page.size]
        within = extents(page, bounds)
        costs = _costs(page, bounds, rungs, within)
        forced = {start for start in page.outline.run_starts if start in rungs} if self.within_sections else set()
        places = _cheapest(costs, within, [bound in forced for bound in bounds])
        return _SteadyParts([bounds[place] for place in places])


class _SteadyParts:
    repeats = True

    def __init__(self, cuts: Sequence[int]) -> None:
        self._cuts = cuts

    def between(self, start: int, stop: int) -> Iterator[Part]:
        """Give the parts of a region."""
        return parts_at(self._cuts, start, stop)


def _rungs(page: Page) -> dict[int, int]:
    """Give the rung of each cut that parts no heading from its text and divides no unit or sentence that fits."""
    rungs: dict[int, int] = {}
    for rung, segments in enumerate(page.ladder):
        for cut in all_cuts(segments, page.size):
            if cut not in rungs and cut < page.size and page.may_cut(cut):
                rungs[cut] = rung
    whole = [0, *sorted(rungs), page.size]
    # Without a map each look is a call of the counter: what is too long is then filled from its beginning.
    too_long = _too_long(page, pairwise(whole)) if page.measure.has_map else []
    for rung, segments in enumerate((*page.between, *page.below[:_FINER]), len(page.ladder)):
        loose = rung >= len(page.ladder) + len(page.between)  # below the others, headings need not stay
        divided: list[tuple[int, int]] = []
        for start, stop in too_long:
            page.begin(start)
            may_cut = page.divides_unit if loose else page.may_cut
            cuts = [cut for cut in all_cuts(segments, stop, start) if cut < stop and may_cut(cut) is not loose]
            rungs.update(dict.fromkeys(cuts, rung))
            divided += pairwise([start, *cuts, stop])
        too_long = _too_long(page, divided)
    return rungs


def _too_long(page: Page, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """List the spans that are over the budget alone."""
    found = []
    for start, stop in spans:
        page.begin(start)
        if page.is_too_long(start, stop):
            found.append((start, stop))
    return found


def _costs(page: Page, bounds: Sequence[int], rungs: dict[int, int], within: Sequence[int]) -> list[float]:
    """Give for each bound what a chunk that ends there costs."""
    text, budget, cuts = page.text, page.budget, bounds[1:-1]
    near = _CHARACTERS * budget.max_tokens if budget.max_tokens is not None else (budget.max_characters or 0)
    coarsest = _least_near(cuts, [rungs[cut] for cut in cuts], near)
    above = [rungs[cut] - least for cut, least in zip(cuts, coarsest, strict=True)]
    hashes = [crc32(text[cut : cut + _BEHIND].encode("utf-8", "surrogatepass"), _SEED) / 2**32 for cut in cuts]
    ranks = [-1.0, *(rung + share for rung, share in zip(above, hashes, strict=True)), -1.0]
    costs = [_CHUNK]
    for place, (rung, apart) in enumerate(zip(above, _apart(bounds, ranks), strict=True), 1):
        share = apart / (_FURTHEST * (bounds[within[place]] - bounds[place]))
        costs.append((1 - min(share, 1)) ** _STEEPNESS + _RUNG * rung + _CHUNK)
    return [*costs, _CHUNK]


def _apart(bounds: Sequence[int], ranks: Sequence[float]) -> list[int]:
    """Give for each bound between the first and the last how far away the nearest better one is.

    That is one of lower rank, or of equals the one before. The first and the last have the lowest rank; bounds of
    which the next better one is not known yet wait in a stack.
    """
    apart = [0] * len(bounds)
    waiting = [0]
    for place in range(1, len(bounds)):
        while ranks[waiting[-1]] > ranks[place]:
            known = waiting.pop()
            apart[known] = min(apart[known], bounds[place] - bounds[known])
        apart[place] = bounds[place] - bounds[waiting[-1]]
        waiting.append(place)
    return apart[1:-1]


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
