"""Which of the distances between neighbouring windows are breakpoints, and which groups are the best ones?

These are functions of arrays. Distances are rounded to six decimals before they get here, so that the last bits of a
processor's sums decide nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["best_groups", "breakpoints", "depths", "group_distances", "window_distances"]

_NOTHING = 1e-9
"""Sums of unit vectors that are no longer are taken for zero."""

_FEWEST_ROWS, _MOST_ROWS = 16, 128
"""Of how many members the groups are summed at once: about as many as a group has."""


def window_distances(batches: Iterable[Floats], width: int) -> Iterator[Floats]:
    """Yield for each gap how far the window that ends there is from the one that begins there, batch by batch.

    A window is the mean of up to `width` unit vectors; the distance is 1 less the cosine, rounded to six decimals. None
    is far from a window of zeros, which says nothing.

    >>> [distances.tolist() for distances in window_distances([np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])], 1)]
    [[0.0, 1.0]]
    """
    known: Floats | None = None
    first = True
    for vectors in batches:
        known = vectors if known is None else np.concatenate([known, vectors])
        if len(known) > 2 * width:  # all windows of a gap are known that has so many vectors after it
            yield _gap_distances(known, width, 1 if first else width, len(known) - width + 1)
            known, first = known[len(known) - 2 * width + 1 :], False
    if known is not None and (first or len(known) > width):
        yield _gap_distances(known, width, 1 if first else width, len(known))


def _gap_distances(vectors: Floats, width: int, start: int, stop: int) -> Floats:
    """Give the distances at the gaps before the vectors from `start` up to `stop`."""
    sums = np.zeros((len(vectors) + 1, vectors.shape[1]))
    np.cumsum(vectors, axis=0, out=sums[1:])
    gaps = np.arange(start, max(stop, start))
    left = sums[gaps] - sums[np.maximum(gaps - width, 0)]
    return _distances(left, sums[np.minimum(gaps + width, len(vectors))] - sums[gaps])


def group_distances(vectors: Floats, places: Sequence[int]) -> Floats:
    """Give how far each group that begins at a place is from the one before it: 1 less the cosine of their means.

    >>> group_distances(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), [1, 2]).tolist()
    [1.0, 0.0]
    """
    sums = np.add.reduceat(vectors, [0, *places], axis=0)
    return _distances(sums[:-1], sums[1:])


def _distances(left: Floats, right: Floats) -> Floats:
    """Give the distances of vectors, row by row; none from one of zeros."""
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    told = lengths > _NOTHING
    cosines = np.einsum("ij,ij->i", left, right) / np.where(told, lengths, 1.0)
    distances: Floats = np.where(told, 1.0 - cosines, 0.0).round(6)
    return distances


def breakpoints(distances: Floats, kind: str, amount: float) -> list[int]:
    """List the places where distances rise above what is around them by more than the threshold.

    What counts is the depth of a peak: how far it stands above the valleys on its two sides, as in TextTiling (Hearst
    1997); what is no peak has none. The threshold is a percentile of all depths; their mean and so many standard
    deviations; their third quartile and so many times the range between the quartiles (Tukey 1977); for `gradient`
    it is a percentile of how steeply the distance rises to a gap and falls after it.

    >>> breakpoints(np.array([0.1, 0.2, 0.9, 0.1]), "percentile", 95)
    [2]
    >>> breakpoints(np.array([0.4]), "gradient", 95)
    []
    """
    if kind == "gradient":
        heights = _slopes(distances)
        threshold = _percentile(heights, amount)
    else:
        heights = depths(distances)
        threshold = _threshold(heights, kind, amount)
    return [int(place) for place in np.flatnonzero(heights > max(threshold, 0.0) + 1e-9)]


def _threshold(depths: Floats, kind: str, amount: float) -> float:
    if kind == "percentile":
        return _percentile(depths, amount)
    if kind == "standard-deviation":
        return float(depths.mean() + amount * depths.std())
    low, high = _percentile(depths, 25), _percentile(depths, 75)
    return high + amount * (high - low)


def depths(distances: Floats) -> Floats:
    """Give how far each peak stands above the valleys on its two sides, 0 where there is none.

    >>> depths(np.array([0.1, 0.4, 0.2, 0.9])).round(6).tolist()
    [0.0, 0.5, 0.0, 0.7]
    """
    values = distances.tolist()
    found = np.zeros(len(values))
    last = len(values) - 1
    for place, value in enumerate(values):
        if (place > 0 and values[place - 1] >= value) or (place < last and values[place + 1] > value):
            continue
        left = right = place
        while left > 0 and values[left - 1] <= values[left]:
            left -= 1
        while right < last and values[right + 1] <= values[right]:
            right += 1
        found[place] = 2 * value - values[left] - values[right]
    return found


def _slopes(distances: Floats) -> Floats:
    """Give how much each distance exceeds the mean of its neighbours."""
    around = np.pad(distances, 1, mode="edge")
    slopes: Floats = distances - (around[:-2] + around[2:]) / 2
    return slopes


def best_groups(vectors: Floats, within: Sequence[int], amount: float) -> list[int]:
    """List where the groups begin, the first apart, that hold together best: the best segmentation of all.

    A group of n unit vectors is worth the squared length of their sum over n, less what a group costs: `amount` times
    the spread of all vectors, which is 1 less the squared length of their mean. That is the change-point detection by
    penalised squares (Killick, Fearnhead and Eckley 2012). `within` says for each member where a group that begins
    with it ends at the latest. Dynamic programming over the members: O(members * longest group).

    >>> best_groups(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), [4, 4, 4, 4], 1.0)
    [2]
    """
    members = len(vectors)
    mean = vectors.mean(axis=0)
    cost = amount * (1.0 - float(mean @ mean))
    best = np.full(members + 1, -np.inf)
    best[0] = 0.0
    begin = np.zeros(members + 1, dtype=np.int64)
    for first, squares in enumerate(_squares(vectors, within)):
        worth = best[first] - cost + squares / np.arange(1, len(squares) + 1)
        ends = slice(first + 1, first + 1 + len(squares))
        better = worth > best[ends] + 1e-9  # among equals the longest group; the last bits of sums decide nothing
        best[ends] = np.where(better, worth, best[ends])
        begin[ends] = np.where(better, first, begin[ends])
    cuts, end = [], int(begin[members])
    while end > 0:
        cuts.append(end)
        end = int(begin[end])
    return cuts[::-1]


def _squares(vectors: Floats, within: Sequence[int]) -> Iterator[Floats]:
    """Yield for each member the squared lengths of the sums of the groups that begin with it, the shortest first."""
    start = 0
    while start < len(vectors):
        rows = min(max(within[start] - start, _FEWEST_ROWS), _MOST_ROWS, len(vectors) - start)
        sums = np.zeros((within[start + rows - 1] - start + 1, vectors.shape[1]))
        np.cumsum(vectors[start : start + len(sums) - 1], axis=0, out=sums[1:])
        own = np.einsum("ij,ij->i", sums, sums)
        table = own[:rows, None] + own - 2.0 * (sums[:rows] @ sums.T)
        for row in range(rows):
            yield table[row, row + 1 : within[start + row] - start + 1]
        start += rows


def _percentile(values: Floats, share: float) -> float:
    return float(np.percentile(values, share))
