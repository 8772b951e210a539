"""Scores of small chunks, with what larger chunks and neighbours scored weighed in.

A small chunk says one thing and matches a question by few words; whether it is about the subject shows in what stands
around it. Pure functions over arrays, for any retriever: a higher score is a better match.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from spanwise.errors import ConfigurationError
from spanwise.retrieving.given import array_of_numbers, chunks_in, listed, number_in
from spanwise.retrieving.one_text import by_document, check_one_text, of_two_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from spanwise.chunks import Chunk

__all__ = ["fuse_levels", "fuse_neighbours"]

_LARGER = 0.5
"""What each larger level counts beside the small chunks."""


def fuse_levels(
    scores: Iterable[ArrayLike], levels: Iterable[Iterable[Chunk]], weights: Iterable[float] | None = None
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
        ConfigurationError: scores, levels and weights that are not as many, a score that is no finite number, or a
            chunk whose parent is not in the next larger level.
        SpanError: a level has two chunks with one id, or a parent is not around its chunk: they are of several texts
            that share a document id, as bare texts do.

    >>> import spanwise
    >>> text = "The pump hums. It is loud. The car hums. It is fast."
    >>> small, large = spanwise.chunk_levels(text, "sentences", max_tokens=(6, 12))
    >>> [chunk.text for chunk in small]
    ['The pump hums. ', 'It is loud. ', 'The car hums. ', 'It is fast.']
    >>> spanwise.fuse_levels([[2, 0, 1, 0], [3, 1]], (small, large)).round(1).tolist()
    [2.0, -0.4, -0.2, -1.4]
    """
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    arrays = listed("scores", scores, "one array for each level")
    nested = [
        chunks_in(f"levels[{place}]", level)
        for place, level in enumerate(listed("levels", levels, "what chunk_levels gives"))
    ]
    weighed = [1.0, *[_LARGER] * (len(nested) - 1)] if weights is None else _weights(weights)
    if not len(arrays) == len(nested) == len(weighed) or not nested:
        raise ConfigurationError(
            f"{len(arrays)} arrays of scores and {len(weighed)} weights for {len(nested)} levels: give one of each for "
            "each level"
        )
    checked = [_checked(level, f"chunks of level {place}", len(nested[place])) for place, level in enumerate(arrays)]
    shape = checked[0].shape
    fused = np.zeros(shape)
    around = np.arange(len(nested[0]))
    for place, (level, weight) in enumerate(zip(checked, weighed, strict=True)):
        if level.shape[:-1] != shape[:-1]:
            raise ConfigurationError(
                f"the scores of level {place} have the shape {level.shape}, those of level 0 {shape}: give a row for "
                "each question at every level"
            )
        if place:
            around = _parents(nested[place - 1], nested[place], place)[around]
        if around.size:
            fused += weight * _standardised(level)[..., around]
    return fused


def fuse_neighbours(scores: ArrayLike, chunks: Iterable[Chunk], weight: float = 0.25) -> NDArray[np.float64]:
    """Let chunks share in the scores of those right before and after them in the same document.

    `scores` holds one score for each chunk, or one row for each of several questions; chunks may be of many documents
    and in any order. fused = (1 - weight) * own + weight * mean of the neighbours; a chunk without neighbours keeps
    its score. What answers a question often begins in one chunk and ends in the next.

    Neighbours have the `index` before and after, in the same document (`document_id`), and were chunked in the same
    way (`spec`). So give all chunks: those that are not given have no score to share, and a chunk whose neighbours are
    both missing keeps its own. Of a chunk that is given twice, its neighbours share in the mean of the scores.

    Raises:
        ConfigurationError: scores and chunks that are not as many, a score that is no finite number, or a weight that
            is not between 0 and 1.
        SpanError: chunks with one document id that are of two texts.

    >>> import spanwise
    >>> chunks = spanwise.chunk("It moves water. It has one motor. It hums.", "sentences", max_tokens=6)
    >>> spanwise.fuse_neighbours([4, 0, 0], chunks).tolist()
    [3.0, 0.5, 0.0]
    """
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    share = number_in("weight", weight, 0, 1, "a number between 0 and 1")
    given = chunks_in("chunks", chunks)
    own = _checked(scores, "chunks", len(given))
    for of_document in by_document(given).values():
        check_one_text(of_document)
    places, before, after = _neighbours(given)
    of_place = np.zeros((*own.shape[:-1], len(before) + 1))  # the last is that of no neighbour
    copies = np.bincount(places, minlength=len(before))
    np.add.at(of_place.T, places, (own / copies[places]).T)
    count = (before >= 0).astype(np.float64) + (after >= 0)
    mean = (of_place[..., before] / np.maximum(count, 1) + of_place[..., after] / np.maximum(count, 1))[..., places]
    return np.where(count[places] > 0, (1 - share) * own + share * mean, own)


def _neighbours(chunks: Sequence[Chunk]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Number the different chunks; give the number of each, then for each number those before and after it, or -1."""
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    numbers: dict[tuple[str, str, int], int] = {}
    firsts: list[Chunk] = []
    places = np.empty(len(chunks), np.int64)
    for place, chunk in enumerate(chunks):
        number = numbers.setdefault((chunk.document_id, chunk.spec, chunk.index), len(firsts))
        if number == len(firsts):
            firsts.append(chunk)
        elif (firsts[number].start, firsts[number].text) != (chunk.start, chunk.text):
            raise of_two_texts(firsts[number], chunk, f"both are chunk {chunk.index}")
        places[place] = number
    before, after = (
        np.array([numbers.get((chunk.document_id, chunk.spec, chunk.index + step), -1) for chunk in firsts], np.int64)
        for step in (-1, 1)
    )
    return places, before, after


def _weights(weights: object) -> list[float]:
    what = f"a number such as {_LARGER}"
    return [
        number_in("a weight of a level", weight, -sys.float_info.max, sys.float_info.max, what)
        for weight in listed("weights", weights, f"one number for each level, such as (1, {_LARGER})")
    ]


def _checked(scores: object, what: str, size: int) -> NDArray[np.float64]:
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    checked = array_of_numbers(f"the array of scores of the {what}", scores).astype(np.float64)
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

    places: dict[str, int] = {}
    for place, chunk in enumerate(large):
        first = large[places.setdefault(chunk.id, place)]
        if (first.document_id, first.start, first.end) != (chunk.document_id, chunk.start, chunk.end):
            raise of_two_texts(first, chunk, f"both have the id {chunk.id!r}")
    around = np.empty(len(small), np.int64)
    for place, chunk in enumerate(small):
        if chunk.parent_id is None or chunk.parent_id not in places:
            raise ConfigurationError(
                f"chunk {place} of level {level - 1} ({chunk.start}:{chunk.end} of {chunk.document_id!r}) has the "
                f"parent {chunk.parent_id!r}, which is not in level {level}: give the levels as chunk_levels does, "
                "of the same documents"
            )
        around[place] = places[chunk.parent_id]
        parent = large[places[chunk.parent_id]]
        if not parent.start <= chunk.start < chunk.end <= parent.end:
            raise of_two_texts(parent, chunk, "the one is the parent of the other and not around it")
    return around
