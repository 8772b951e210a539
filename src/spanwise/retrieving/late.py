"""Late chunking: the model reads the whole document, then each chunk gets the mean of the vectors of its tokens.

So the vector of a chunk knows what its words refer to. After Günther et al., "Late Chunking: Contextual Chunk
Embeddings Using Long-Context Embedding Models" (2024, arXiv 2409.04701). The model runs outside; here is what must be
exact around it: which tokens are a chunk's, and how a document that is longer than the model is read in windows.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

from spanwise.counting import counter as make_counter
from spanwise.documents import Document
from spanwise.errors import BudgetError, ConfigurationError
from spanwise.retrieving.given import array_of_numbers, chunks_in, listed, ranges_in, whole_number
from spanwise.retrieving.one_text import check_of_document
from spanwise.whitespace import INK

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from spanwise.chunks import Chunk
    from spanwise.counting import MappingCounter
    from spanwise.strategies.spec import CounterSource

__all__ = ["join_windows", "late_pool", "token_spans", "token_windows"]


def token_spans(document: Document | str, chunks: Iterable[Chunk], counter: CounterSource) -> NDArray[np.int64]:
    """Say which tokens of a document's one encoding belong to each chunk: half-open ranges, one row for each chunk.

    Tokens are numbered from 0 as `counter` encodes the whole document, without what the model adds to it ([CLS],
    [SEP]): leave the vectors of those out. A token that straddles the border of two chunks belongs to one of them: to
    the chunk that holds its first character that is no white space, since many vocabularies write the blank with the
    word after it, while the blank ends the chunk before. White space that a tokenizer drops goes with the token before
    it. Two chunks have the same token only where they overlap, or where no token belongs to one of them, such as half
    a word between two cuts: that one gets the token that its first character is part of, so that each chunk has a
    vector. Only a document without any token has empty ranges.

    `counter` is what `spanwise.counter` takes, and must know where its tokens end: an encoding, a `tokenizer.json`, a
    tokenizer; no bare function.

    Raises:
        ConfigurationError: the counter does not know where its tokens end, or something is no chunk.
        SpanError: a chunk is not of this document.

    >>> import spanwise
    >>> text = "It moves water. It has one motor."
    >>> spanwise.token_spans(text, spanwise.chunk(text, max_tokens=5), "cl100k_base").tolist()
    [[0, 4], [4, 9]]
    """
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    document = document if isinstance(document, Document) else Document(text=document)
    given = chunks_in("chunks", chunks)
    made = make_counter(counter)
    if not hasattr(made, "token_ends"):
        raise ConfigurationError(
            f"the counter {made.name!r} does not know where its tokens end: give the model's tokenizer, such as the "
            "path of its tokenizer.json"
        )
    for chunk in given:
        check_of_document(chunk, document)
    begins = _token_starts(cast("MappingCounter", made), document.text)
    starts = np.array([chunk.start for chunk in given], np.int64)
    firsts = _tokens_before(starts, document.text, begins)
    lasts = _tokens_before(np.array([chunk.end for chunk in given], np.int64), document.text, begins)
    if begins.size:
        without = firsts == lasts
        firsts[without] = np.maximum(np.searchsorted(begins, starts[without], "right") - 1, 0)
        lasts[without] = firsts[without] + 1
    return np.stack((firsts, lasts), axis=1)


def _token_starts(counter: MappingCounter, text: str) -> NDArray[np.int64]:
    from spanwise.counting.token_map import starts_of  # noqa: PLC0415  `import spanwise` stays cheap

    token_starts = getattr(counter, "token_starts", None)
    starts: NDArray[np.int64] = starts_of(counter.token_ends(text)) if token_starts is None else token_starts(text)
    return starts


def _tokens_before(offsets: NDArray[np.int64], text: str, begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the tokens whose first ink, or first character where they have none, stands before each offset."""
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    counts = np.searchsorted(begins, offsets).astype(np.int64)
    ends = np.append(begins[1:], len(text))
    straddling = np.flatnonzero(counts > 0)
    straddling = straddling[ends[counts[straddling] - 1] > offsets[straddling]]
    known, first = -1, 0
    for place in straddling.tolist():
        token = int(counts[place]) - 1
        if token != known:
            found = INK.search(text, int(begins[token]), int(ends[token]))
            known, first = token, int(begins[token]) if found is None else found.start()
        if first >= offsets[place]:
            counts[place] = token
    return counts


def late_pool(token_vectors: ArrayLike, spans: ArrayLike) -> NDArray[np.float64]:
    """Give each chunk the mean of the vectors of its tokens, one row for each chunk.

    `token_vectors` has one row for each token of the document, without those that the model added; `spans` is what
    `token_spans` gives. An empty range has the zero vector.

    Raises:
        ConfigurationError: arrays of another shape or of no real numbers, or spans that reach beyond the tokens.

    >>> import spanwise
    >>> spanwise.late_pool([[1, 0], [3, 0], [0, 8]], [[0, 2], [2, 3]]).tolist()
    [[2.0, 0.0], [0.0, 8.0]]
    """
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    vectors, ranges = array_of_numbers("token_vectors", token_vectors), ranges_in("spans", spans, "token_spans")
    if vectors.ndim != 2:
        raise ConfigurationError(f"token_vectors has the shape {vectors.shape}: give one row for each token")
    wrong = (ranges[:, 0] < 0) | (ranges[:, 0] > ranges[:, 1]) | (ranges[:, 1] > len(vectors))
    if wrong.any():
        place = int(wrong.argmax())
        first, last = ranges[place].tolist()
        raise ConfigurationError(
            f"the tokens {first}:{last} of chunk {place} are not among {len(vectors)} vectors: give one vector for "
            "each token of the whole document, without those that the model added"
        )
    pooled = np.zeros((len(ranges), vectors.shape[1]))
    for row, (first, last) in zip(pooled, ranges.tolist(), strict=True):
        if first < last:
            row[:] = vectors[first:last].mean(axis=0, dtype=np.float64)
    return pooled


def token_windows(tokens: int, *, window: int, overlap: int) -> NDArray[np.int64]:
    """Say in which windows a model reads a document that is longer than it: ranges of tokens, one row for each.

    `window` is the most tokens that the model reads at once, without those it adds; `overlap` is how many a window
    shares with the one before, at least. The last window ends with the document and is full like the others. Run the
    model on each, and put its vectors together with `join_windows`.

    Raises:
        ConfigurationError: a number that is none.
        BudgetError: an overlap that is not smaller than the window.

    >>> import spanwise
    >>> spanwise.token_windows(10, window=6, overlap=2).tolist()
    [[0, 6], [4, 10]]
    """
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    tokens = whole_number("tokens", tokens, 0)
    window, overlap = whole_number("window", window, 1), whole_number("overlap", overlap, 0)
    if overlap >= window:
        raise BudgetError(
            f"overlap={overlap} is not smaller than window={window}: a window could hold nothing new; ask for at most "
            f"{window - 1}"
        )
    if tokens <= window:
        return np.array([[0, tokens]] if tokens else np.empty((0, 2)), np.int64)
    starts = np.arange(0, tokens - overlap, window - overlap, dtype=np.int64)
    starts[-1] = tokens - window
    return np.stack((starts, starts + window), axis=1)


def join_windows(window_vectors: Iterable[ArrayLike], windows: ArrayLike) -> NDArray[np.float64]:
    """Put the vectors of windows together to one row for each token of the document.

    `windows` is what `token_windows` gives, `window_vectors` the vectors of each window's tokens, without those that
    the model added. Each token has its vector from the window where it has most context on its poorer side: of two
    windows, the first gives the tokens up to the middle of what they share.

    Raises:
        ConfigurationError: vectors and windows that are not as many, vectors of no real numbers or of several widths,
            or windows out of order or that leave tokens out.

    >>> import spanwise
    >>> windows = spanwise.token_windows(10, window=6, overlap=2)
    >>> spanwise.join_windows([[[1]] * 6, [[2]] * 6], windows).ravel().tolist()
    [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]
    """
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    ranges: list[tuple[int, int]] = [tuple(row) for row in ranges_in("windows", windows, "token_windows").tolist()]
    arrays = [
        array_of_numbers(f"the array of vectors of window {place}", vectors)
        for place, vectors in enumerate(listed("window_vectors", window_vectors, "one array for each window"))
    ]
    if len(arrays) != len(ranges):
        raise ConfigurationError(f"{len(arrays)} arrays of vectors for {len(ranges)} windows: give one for each")
    if not ranges:
        return np.empty((0, 0))
    _check_windows(ranges)
    for place, ((start, end), vectors) in enumerate(zip(ranges, arrays, strict=True)):
        if vectors.ndim != 2 or len(vectors) != end - start:
            raise ConfigurationError(
                f"the vectors of window {place} have the shape {vectors.shape}, it has the tokens {start}:{end}: give "
                f"one row for each of its {end - start} tokens"
            )
        if vectors.shape[1] != arrays[0].shape[1]:
            raise ConfigurationError(
                f"the vectors of window {place} have {vectors.shape[1]} numbers each, those of window 0 "
                f"{arrays[0].shape[1]}: give the vectors of one model"
            )
    middles = [(start + end + 1) // 2 for (_, end), (start, _) in pairwise(ranges)]
    borders = pairwise([0, *middles, ranges[-1][1]])
    return np.concatenate(
        [
            vectors[begin - start : end - start]
            for vectors, (start, _), (begin, end) in zip(arrays, ranges, borders, strict=True)
        ]
    )


def _check_windows(ranges: list[tuple[int, int]]) -> None:
    """Check that windows begin with the document, leave nothing out, and begin and end one after the other."""
    before, reached = -1, 0
    for place, (start, end) in enumerate(ranges):
        if start > reached or end <= reached:
            raise ConfigurationError(
                f"window {place} has the tokens {start}:{end} after {reached} are covered: give what "
                "token_windows gives"
            )
        if start <= before:
            raise ConfigurationError(
                f"window {place} has the tokens {start}:{end}, but must begin "
                f"{f'after {before}, where the one before does' if place else 'at 0'}: give what token_windows gives"
            )
        before, reached = start, end
