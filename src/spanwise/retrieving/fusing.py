"""Scores of small chunks, with what larger chunks and neighbours scored weighed in.

A small chunk says one thing and matches a question by few words; whether it is about the subject shows in what stands
around it. Pure functions over arrays, for any retriever: a higher score is a better match.
"""

from __future__ import annotations

import math
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING

from spanwise.errors import ConfigurationError, shown
from spanwise.strategies.options import check_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from spanwise.chunks import Chunk

__all__ = ["fuse_levels", "fuse_neighbours"]

_LARGER = 0.5
"""What each larger level counts beside the small chunks."""


def fuse_levels(
    scores: Sequence[ArrayLike], levels: Sequence[Sequence[Chunk]], weights: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """Score small chunks by themselves and by the larger chunks around them.

    `levels` is what `chunk_levels` gives, or, for many documents, the chunks of each level of all of them. `scores`
    holds one array for each level: what a retriever gave each chunk for one question, or one row for each of several
    questions. Gives the scores of the small chunks in the same form.

    The scores of each level are standardised for each question, less their mean and over their standard deviation, so
    that scores of any unit can be added; the scores of a level that are all equal say nothing and count 0. Then
    fused = sum over levels of weight * score of the chunk around. Without `weights` the small chunks count 1 and each
    larger level 0.5; docs/retrieving.md says how that was chosen and what it gains.

    Raises:
        ConfigurationError: scores, levels and weights that are not as many, a score that is not finite, or a chunk
            whose parent is not in the next larger level.

    >>> import spanwise
    >>> text = "The pump hums. It is loud. The car hums. It is fast."
    >>> small, large = spanwise.chunk_levels(text, "sentences", max_tokens=(6, 12))
    >>> [chunk.text for chunk in small]
    ['The pump hums. ', 'It is loud. ', 'The car hums. ', 'It is fast.']
    >>> spanwise.fuse_levels([[2, 0, 1, 0], [3, 1]], (small, large)).round(1).tolist()
    [2.0, -0.4, -0.2, -1.4]
    """
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    weighed = [1.0, *[_LARGER] * (len(levels) - 1)] if weights is None else list(map(_weight, weights))
    if not len(scores) == len(levels) == len(weighed) or not levels:
        raise ConfigurationError(
            f"{len(scores)} arrays of scores and {len(weighed)} weights for {len(levels)} levels: give one of each for "
            "each level"
        )
    checked = [_checked(level, f"chunks of level {place}", len(levels[place])) for place, level in enumerate(scores)]
    shape = checked[0].shape
    fused = np.zeros(shape)
    around = np.arange(len(levels[0]))
    for place, (level, weight) in enumerate(zip(checked, weighed, strict=True)):
        if level.shape[:-1] != shape[:-1]:
            raise ConfigurationError(
                f"the scores of level {place} have the shape {level.shape}, those of level 0 {shape}: give a row for "
                "each question at every level"
            )
        if place:
            around = _parents(levels[place - 1], levels[place], place)[around]
        if around.size:
            fused += weight * _standardised(level)[..., around]
    return fused


def fuse_neighbours(scores: ArrayLike, chunks: Sequence[Chunk], weight: float = 0.25) -> NDArray[np.float64]:
    """Let chunks share in the scores of those right before and after them in the same document.

    `scores` holds one score for each chunk, or one row for each of several questions; chunks may be of many documents
    and in any order. fused = (1 - weight) * own + weight * mean of the neighbours; a chunk without neighbours keeps
    its score. What answers a question often begins in one chunk and ends in the next.

    Raises:
        ConfigurationError: scores and chunks that are not as many, a score that is not finite, or a weight that is not
            between 0 and 1.

    >>> import spanwise
    >>> chunks = spanwise.chunk("It moves water. It has one motor. It hums.", "sentences", max_tokens=6)
    >>> spanwise.fuse_neighbours([4, 0, 0], chunks).tolist()
    [3.0, 0.5, 0.0]
    """
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    check_share("weight", weight)
    own = _checked(scores, "chunks", len(chunks))
    order = sorted(range(len(chunks)), key=lambda place: _position(chunks[place]))
    places = np.array(order, dtype=np.int64)
    ordered = own[..., places]
    follows = np.array(
        [chunks[left].document_id == chunks[right].document_id for left, right in pairwise(order)],
        dtype=bool,
    )
    total, count = np.zeros_like(ordered), np.zeros(len(chunks))
    total[..., 1:] += ordered[..., :-1] * follows
    total[..., :-1] += ordered[..., 1:] * follows
    count[1:] += follows
    count[:-1] += follows
    mean = np.where(count > 0, total / np.maximum(count, 1), ordered)
    fused = np.empty_like(ordered)
    fused[..., places] = (1 - weight) * ordered + weight * mean
    return fused


def _weight(weight: object) -> float:
    if not isinstance(weight, Real) or not math.isfinite(weight):
        raise ConfigurationError(f"a weight of a level must be a number such as {_LARGER}, got {shown(weight)}")
    return float(weight)


def _position(chunk: Chunk) -> tuple[str, int, int]:
    return chunk.document_id, chunk.start, chunk.end


def _checked(scores: ArrayLike, what: str, size: int) -> NDArray[np.float64]:
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    try:
        checked = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"the scores of the {what} are no array of numbers: {error}") from error
    if checked.ndim < 1 or checked.shape[-1] != size:
        given = checked.shape[-1] if checked.ndim else "no array of"
        raise ConfigurationError(f"{given} scores for {size} {what}: give one for each chunk, in order")
    finite = np.isfinite(checked)
    if not finite.all():
        place = tuple(int(index) for index in np.argwhere(~finite)[0])
        raise ConfigurationError(
            f"the score of the {what} at {place[-1]} is {checked[place]}: give what was not found the lowest score"
        )
    return checked


def _standardised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    scale = np.abs(scores).max(axis=-1, keepdims=True)
    scaled = scores / np.where(scale > 0, scale, 1)  # squares of large scores are beyond what a float holds
    less = scaled - scaled.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((less * less).mean(axis=-1, keepdims=True))
    differ = scores.max(axis=-1, keepdims=True) > scores.min(axis=-1, keepdims=True)
    standardised: NDArray[np.float64] = np.where(differ, less / np.where(deviation > 0, deviation, 1), 0.0)
    return standardised


def _parents(small: Sequence[Chunk], large: Sequence[Chunk], level: int) -> NDArray[np.int64]:
    """Give for each chunk of one level the place of its parent in the next."""
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    places = {chunk.id: place for place, chunk in enumerate(large)}
    for place, chunk in enumerate(small):
        if chunk.parent_id not in places:
            raise ConfigurationError(
                f"chunk {place} of level {level - 1} ({chunk.start}:{chunk.end} of {chunk.document_id!r}) has the "
                f"parent {chunk.parent_id!r}, which is not in level {level}: give the levels as chunk_levels does, "
                "of the same documents"
            )
    return np.fromiter((places[chunk.parent_id] for chunk in small if chunk.parent_id), np.int64, len(small))
