"""Part the text where its subject drifts.

Segments are embedded, each once. Groups are the best segmentation of the whole document under the budget, or end where
the window that ends at a gap and the one that begins there are far apart. Groups that hold little join the neighbour
that is nearer, if the two fit the budget.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from spanwise.embedding.embedder import unit_vectors
from spanwise.packing.parted import Part
from spanwise.segmenting.segmenter import all_cuts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from spanwise.embedding import Embedder
    from spanwise.packing.page import Page

__all__ = ["KINDS", "Drift"]

KINDS = {
    "optimal": 2.25,
    "percentile": 95.0,
    "standard-deviation": 2.0,
    "interquartile": 1.5,
    "gradient": 95.0,
}
"""The kinds of breakpoint, each with the amount that is meant where nobody says it."""

_FEWEST = 3
"""Fewer segments are one group, and nothing is embedded."""

_LONGEST = 200
"""How many segments a best group has at most, so that a large budget costs no more than that."""


class Drift:
    """Part where the subject of the segments changes.

    The segments are those of the last rung of the ladder, without the cuts that would divide a unit or part a heading
    from its text. `embedder` gives the embedder when it is needed. `buffer` is how many neighbours a segment takes
    into its window on each side; `batch` how many segments are embedded in one call.
    """

    def __init__(
        self,
        embedder: Callable[[], Embedder],
        kind: str,
        amount: float,
        *,
        buffer: int,
        least: float,
        batch: int,
    ) -> None:
        self.embedder = embedder
        self.kind = kind
        self.amount = amount
        self.buffer = buffer
        self.least = least
        self.batch = batch

    def of(self, page: Page) -> _Groups:
        """Embed the segments of a page and find its groups."""
        bounds = _segment_bounds(page)
        if len(bounds) - 1 < _FEWEST:
            return _Groups([])
        find = self._optimal if self.kind == "optimal" else self._drifting
        return _Groups(find(page, bounds))

    def _optimal(self, page: Page, bounds: Sequence[int]) -> list[int]:
        import numpy as np  # noqa: PLC0415  loaded only where something is embedded

        from spanwise.packing.breakpoints import best_groups, group_distances  # noqa: PLC0415

        vectors = np.concatenate(list(self._vectors(page, bounds)))
        places = best_groups(vectors, _within(page, bounds), self.amount)
        cuts = [bounds[place] for place in places]
        return _joined(page, dict(zip(cuts, group_distances(vectors, places).tolist(), strict=True)), self.least)

    def _drifting(self, page: Page, bounds: Sequence[int]) -> list[int]:
        import numpy as np  # noqa: PLC0415

        from spanwise.packing.breakpoints import breakpoints, window_distances  # noqa: PLC0415

        width = 2 * self.buffer + 1
        distances = np.concatenate(list(window_distances(self._vectors(page, bounds), width)))
        places = breakpoints(distances, self.kind, self.amount)
        return _joined(page, {bounds[place + 1]: float(distances[place]) for place in places}, self.least)

    def _vectors(self, page: Page, bounds: Sequence[int]) -> Iterator[NDArray[np.float64]]:
        """Yield the unit vectors of the segments, batch by batch."""
        embedder, last = self.embedder(), len(bounds) - 1
        for start in range(0, last, self.batch):
            stop = min(start + self.batch, last)
            texts = [page.text[bounds[place] : bounds[place + 1]] for place in range(start, stop)]
            yield unit_vectors(embedder, texts, page.document_id)


class _Groups:
    def __init__(self, cuts: Sequence[int]) -> None:
        self._cuts = cuts

    def between(self, start: int, stop: int) -> Iterator[Part]:
        """Yield the groups of a region."""
        inside = self._cuts[bisect_right(self._cuts, start) : bisect_left(self._cuts, stop)]
        for begin, end in zip((start, *inside), (*inside, stop), strict=True):
            yield Part(begin, end)


def _segment_bounds(page: Page) -> list[int]:
    """List where segments begin, and where the last one ends."""
    page.begin(0)
    return [0, *(cut for cut in all_cuts(page.ladder[-1], page.size) if cut == page.size or page.may_cut(cut))]


def _within(page: Page, bounds: Sequence[int]) -> list[int]:
    """List for each segment the place of the last bound that a group from its beginning may reach, by the map."""
    most, last = page.budget.max_tokens, len(bounds) - 1
    within = []
    for place, start in enumerate(bounds[:-1]):
        reached = bisect_right(bounds, page.reach(start, most)) - 1
        within.append(min(max(reached, place + 1), place + _LONGEST, last))
    return within


def _joined(page: Page, cuts: dict[int, float], least: float) -> list[int]:
    """Leave out cuts beside groups that hold less than the least share of the budget, the nearest neighbours first."""
    kept = sorted(cuts)
    following = dict(zip((0, *kept), (*kept, page.size), strict=True))
    before = {stop: start for start, stop in following.items()}
    for cut in sorted(cuts, key=lambda cut: (cuts[cut], cut)):
        start, stop = before[cut], following[cut]
        page.begin(start)
        is_small = _is_small(page, start, cut, least) or _is_small(page, cut, stop, least)
        if is_small and not page.is_too_long(start, stop):
            del following[cut], before[cut]
            following[start], before[stop] = stop, start
    return sorted(following)[1:]


def _is_small(page: Page, start: int, stop: int, share: float) -> bool:
    tokens, characters = page.budget.max_tokens, page.budget.max_characters
    if characters is not None and stop - start >= characters * share:
        return False
    return tokens is None or page.reach(start, int(tokens * share)) >= stop
