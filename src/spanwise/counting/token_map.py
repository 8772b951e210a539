"""Where do tokens end, in code points, when their lengths are known in bytes?

Everything works on blocks, so that what is needed on the way (bytes, ids, lengths) stays small beside the map itself:
8 bytes a token. Inside a block an end takes 4 bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

__all__ = ["BLOCK", "are_additive", "blocks", "code_point_ends", "joined", "lengths_by_id", "scaled", "starts_of"]

BLOCK = 250_000
"""The most characters that are encoded at once. On the way a block takes up to 60 bytes a character, and larger ones
are no faster."""


def blocks(text: str, size: int = BLOCK, seam: re.Pattern[str] | None = None) -> Iterator[tuple[int, int]]:
    """Yield spans of at most `size` characters that tile the text.

    They are cut at an additive seam where one is near, else after a line feed where one is near.
    """
    start, length = 0, len(text)
    while length - start > size:
        found = seam.search(text, start + size - size // 4, start + size) if seam else None
        cut = found.end() if found else text.rfind("\n", start + size // 2, start + size) + 1 or start + size
        yield start, cut
        start = cut
    if start < length:
        yield start, length


def are_additive(text: str, spans: Iterable[tuple[int, int]], seam: re.Pattern[str] | None) -> bool:
    """Say whether the tokens of spans that tile the text are those of the whole: one span, or seams between them."""
    ends = [end for _, end in spans if end < len(text)]
    return not ends or (seam is not None and all(seam.match(text, end - 1, end + 1) for end in ends))


def lengths_by_id(tokens: Iterable[int], lengths: Iterable[int]) -> NDArray[np.unsignedinteger]:
    """Make the table from token id to length, given both in one order; ids that do not occur have length 0."""
    ids = np.fromiter(tokens, np.int64)
    table = np.zeros(ids.max(initial=0) + 1, dtype=np.int64)
    table[ids] = np.fromiter(lengths, np.int64, ids.size)
    # One byte an entry keeps the table inside the processor's cache: a tenth of the time of a map.
    return table.astype(np.min_scalar_type(int(table.max())))


def scaled(ends: NDArray[np.int32], total: int) -> NDArray[np.int32]:
    """Stretch ends so that the last is `total`: what a normalizer added or dropped is spread evenly."""
    if not ends.size or ends[-1] == total:
        return ends
    if ends[-1] == 0:
        return np.full_like(ends, total)
    stretched: NDArray[np.int64] = ends.astype(np.int64) * total // ends[-1]
    return stretched.astype(np.int32)


def code_point_ends(encoded: bytes, byte_ends: NDArray[np.int32]) -> NDArray[np.int32]:
    """Turn ends in the bytes of a UTF-8 text into ends in its code points.

    A token that ends inside a character ends after the last character that it and those before it hold whole.
    """
    begins = np.frombuffer(encoded, dtype=np.int8) >= -0x40  # continuation bytes are below
    begun = np.empty(len(encoded) + 1, dtype=np.int32)
    begins.cumsum(dtype=np.int32, out=begun[:-1])
    begun[-1] = begun[-2] + 1  # what would follow the last byte begins one more character
    # The characters whole before a byte are those begun up to it, less the one that it belongs to.
    ends: NDArray[np.int32] = begun.take(byte_ends)
    ends -= 1
    return ends


def joined(parts: list[tuple[int, NDArray[np.int32]]]) -> NDArray[np.int64]:
    """Make one map of maps by block, given with the offset where each block starts; the list is emptied."""
    if len(parts) == 1 and parts[0][0] == 0:
        return parts.pop()[1].astype(np.int64)
    whole = np.empty(sum(ends.size for _, ends in parts), dtype=np.int64)
    filled = whole.size
    while parts:  # from the end, so that each part is given back as soon as it is copied
        start, ends = parts.pop()
        np.add(ends, start, out=whole[filled - ends.size : filled], dtype=np.int64)
        filled -= ends.size
    return whole


def starts_of(ends: NDArray[np.integer]) -> NDArray[np.int64]:
    """Give where tokens start of which each starts where the one before ends."""
    starts = np.zeros(ends.size, dtype=np.int64)
    starts[1:] = ends[:-1]
    return starts
