"""Part the text where its subject drifts.

Segments are embedded, each once. Groups are the best segmentation of the whole document under the budget, or end where
the window that ends at a gap and the one that begins there are far apart. Groups that hold little join the neighbour
that is nearer, if the two fit the budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.embedding.embedder import unit_vectors
from spanwise.packing.extents import extents
from spanwise.packing.parted import parts_at
from spanwise.segmenting.segmenter import all_cuts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from spanwise.embedding import Embedder
    from spanwise.packing.page import Page
    from spanwise.packing.parted import Part

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
        """Get ready for one page."""
        return _Groups(page, self)

    def cuts(self, page: Page, start: int, stop: int) -> list[int]:
        """Embed the segments of a span and list where its groups part."""
        bounds = _segment_bounds(page, start, stop)
        if len(bounds) - 1 < _FEWEST:
            return []
        find = self._optimal if self.kind == "optimal" else self._drifting
        return find(page, bounds)

    def _optimal(self, page: Page, bounds: Sequence[int]) -> list[int]:
        import numpy as np  # noqa: PLC0415  loaded only where something is embedded

        from spanwise.packing.breakpoints import best_groups, group_distances  # noqa: PLC0415

        vectors = np.concatenate(list(self._vectors(page, bounds)))
        places = best_groups(vectors, extents(page, bounds, longest=_LONGEST), self.amount)
        cuts = [bounds[place] for place in places]
        distances = dict(zip(cuts, group_distances(vectors, places).tolist(), strict=True))
        return _joined(page, distances, self.least, (bounds[0], bounds[-1]))

    def _drifting(self, page: Page, bounds: Sequence[int]) -> list[int]:
        import numpy as np  # noqa: PLC0415

        from spanwise.packing.breakpoints import breakpoints, window_distances  # noqa: PLC0415

        width = 2 * self.buffer + 1
        distances = np.concatenate(list(window_distances(self._vectors(page, bounds), width)))
        places = breakpoints(distances, self.kind, self.amount)
        cuts = {bounds[place + 1]: float(distances[place]) for place in places}
        return _joined(page, cuts, self.least, (bounds[0], bounds[-1]))

    def _vectors(self, page: Page, bounds: Sequence[int]) -> Iterator[NDArray[np.float64]]:
        """Yield the unit vectors of the segments, batch by batch."""
        embedder, last, width = self.embedder(), len(bounds) - 1, None
        for start in range(0, last, self.batch):
            stop = min(start + self.batch, last)
            texts = [page.text[bounds[place] : bounds[place + 1]] for place in range(start, stop)]
            vectors = unit_vectors(embedder, texts, page.document_id, width)
            width = vectors.shape[1]
            yield vectors


class _Groups:
    def __init__(self, page: Page, drift: Drift) -> None:
        self._page = page
        self._drift = drift
        self._whole: list[int] | None = None

    def between(self, start: int, stop: int) -> Iterator[Part]:
        """Give the groups of a region: those of the page, or of the region alone where nothing else is packed."""
        cuts = self._of_page() if self._page.only is None else self._drift.cuts(self._page, start, stop)
        return parts_at(cuts, start, stop)

    def _of_page(self) -> list[int]:
        if self._whole is None:
            self._whole = self._drift.cuts(self._page, 0, self._page.size)
        return self._whole


def _segment_bounds(page: Page, start: int, stop: int) -> list[int]:
    """List where the segments of a span begin, and where the last one ends."""
    page.begin(start)
    return [start, *(cut for cut in all_cuts(page.ladder[-1], stop, start) if cut == stop or page.may_cut(cut))]


def _joined(page: Page, cuts: dict[int, float], least: float, span: tuple[int, int]) -> list[int]:
    """Leave out cuts beside groups that hold less than the least share of the budget, the nearest neighbours first."""
    kept = sorted(cuts)
    following = dict(zip((span[0], *kept), (*kept, span[1]), strict=True))
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
