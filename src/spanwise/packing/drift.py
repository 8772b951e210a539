"""Part the text where its subject drifts.

Segments are embedded in windows with their neighbours; where the window that ends at a gap and the one that begins
there are far apart, a group ends. Groups that hold little join the neighbour that is nearer, if the two fit the budget.
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
    "percentile": 95.0,
    "standard-deviation": 2.0,
    "interquartile": 1.5,
    "gradient": 95.0,
    "optimal": 2.0,
}
"""The kinds of breakpoint, each with the amount that is meant where nobody says it."""

_FEWEST = 3
"""Fewer segments are one group, and nothing is embedded."""


class Drift:
    """Part where neighbouring windows of segments are far apart.

    The segments are those of the last rung of the ladder, without the cuts that would divide a unit or part a heading
    from its text. `embedder` gives the embedder when it is needed. `buffer` is how many neighbours a segment takes
    into its window on each side, none for the best groups of all; `batch` how many windows are embedded in one call.
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
        """Embed the windows of a page and find its groups."""
        bounds = _segment_bounds(page)
        if len(bounds) - 1 < _FEWEST:
            return _Groups([])
        find = self._optimal if self.kind == "optimal" else self._drifting
        return _Groups(find(page, bounds))

    def _drifting(self, page: Page, bounds: Sequence[int]) -> list[int]:
        from spanwise.packing.breakpoints import breakpoints  # noqa: PLC0415  loads arrays

        distances = self._distances(page, bounds)
        places = breakpoints(distances, self.kind, self.amount)
        cuts = {bounds[place + 1]: float(distances[place]) for place in places}
        return _joined(page, cuts, self.least)

    def _optimal(self, page: Page, bounds: Sequence[int]) -> list[int]:
        import numpy as np  # noqa: PLC0415

        from spanwise.packing.breakpoints import best_groups  # noqa: PLC0415

        vectors = np.concatenate(list(self._vectors(page, bounds, 0)))
        return [bounds[place] for place in best_groups(vectors, _within(page, bounds), self.amount)]

    def _distances(self, page: Page, bounds: Sequence[int]) -> NDArray[np.float64]:
        """Give for each gap how far the window that ends there is from the one that begins there."""
        import numpy as np  # noqa: PLC0415  loaded only where something is embedded

        apart = 2 * self.buffer + 1
        distances: list[NDArray[np.float64]] = []
        known: NDArray[np.float64] | None = None
        for vectors in self._vectors(page, bounds, self.buffer):
            known = vectors if known is None else np.concatenate([known, vectors])
            if len(known) > apart:
                distances.append(_cosine_distances(known[:-apart], known[apart:]))
                known = known[-apart:]
        return np.concatenate(distances).round(6)

    def _vectors(self, page: Page, bounds: Sequence[int], buffer: int) -> Iterator[NDArray[np.float64]]:
        """Yield, batch by batch, the vectors of the windows around all segments, and of those that are cut short.

        The first window ends with the first segment, the last one begins with the last.
        """
        embedder, last = self.embedder(), len(bounds) - 1
        for start in range(-buffer, last + buffer, self.batch):
            around = range(start, min(start + self.batch, last + buffer))
            texts = [
                page.text[bounds[max(place - buffer, 0)] : bounds[min(place + buffer + 1, last)]] for place in around
            ]
            yield unit_vectors(embedder, texts, page.document_id)


def _cosine_distances(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the distances of unit vectors, row by row; none from a vector of zeros, which says nothing."""
    import numpy as np  # noqa: PLC0415  loaded only where something is embedded

    told = left.any(axis=1) & right.any(axis=1)
    return np.where(told, 1.0 - np.einsum("ij,ij->i", left, right), 0.0)


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
    """List for each segment the place of the last bound that the budget reaches from its beginning, by the map."""
    most = page.budget.max_tokens
    return [
        max(bisect_right(bounds, page.reach(start, most)) - 1, place + 1) for place, start in enumerate(bounds[:-1])
    ]


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
