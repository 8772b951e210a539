"""How many tokens does a text have for a tokenizer that does not know its newest letters yet?

Byte-pair patterns ask which characters are letters, marks and numbers, so the tables of Unicode inside a tokenizer are
part of what it counts: gigatoken has those of 17.0, tiktoken 0.14 those of 16.0. A text with a letter that is new since
then has up to a token more for one of them at every place where it stands; see
docs/decisions/0017-new-letters-are-counted-both-ways.md.
"""

from __future__ import annotations

import re
from functools import cache
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np
import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["OlderTables", "holds_new"]

_NEW = (  # letters, marks and numbers of Unicode 17.0 and 18.0 that 16.0 does not have
    "\u0558\u058b\u058c\u05c8\u05c9\u088f\u0b53\u0b54\u0c5c\u0cdc\u1acf-\u1af0\u208f\u209d-\u209f\ua7ce\ua7cf\ua7d2"
    "\ua7d4\ua7dd\ua7e2\ua7f1\uab6c\uab6d\U000107bb-\U000107bf\U00010940-\U00010959\U00010ec5-\U00010ec7"
    "\U00010ecb-\U00010ecf\U00010ed9-\U00010eee\U00010ef0-\U00010efb\U00011b0a\U00011b60-\U00011b67"
    "\U00011db0-\U00011ddb\U00011de0-\U00011de9\U00011df0\U00011df1\U0001246f\U00012475-\U0001247f"
    "\U00012550-\U00012686\U00016ea0-\U00016eb8\U00016ebb-\U00016ed3\U00016ff2-\U00016ff6\U000187f8-\U000187ff"
    "\U00018cd6-\U00018cda\U00018d09-\U00018d20\U00018d80-\U00018df2\U00018e00-\U00019191\U000191a0-\U000191d2"
    "\U0001b123-\U0001b128\U0001b168\U0001d127\U0001d128\U0001d250-\U0001d252\U0001d25b\U0001d25c\U0001d25f"
    "\U0001d280\U0001d281\U0001d6a6\U0001df1f-\U0001df24\U0001df2b-\U0001df81\U0001df90-\U0001df96"
    "\U0001dfcd-\U0001dfff\U0001e6c0-\U0001e6de\U0001e6e0-\U0001e6f5\U0001e6fe\U0001e6ff\U0002b73a-\U0002b73f"
    "\U0002b81e\U0002cea2-\U0002cead\U000323b0-\U00033479\U0003d000-\U0003fc3f"
)
_IS_NEW = re.compile(f"[{_NEW}]")
_NEVER_ASSIGNED = "\uffff"


def holds_new(text: str) -> bool:
    """Say whether a text holds a letter, mark or number that is new since Unicode 16.0."""
    if text.isascii():
        return False
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return b"\x01" in _table_of_new().take(codes).tobytes()  # a hundredth of what the pattern takes


@cache
def _table_of_new() -> NDArray[np.bool_]:
    table = np.zeros(0x110000, dtype=np.bool_)
    for first, last in re.findall("(.)(?:-(.))?", _NEW):
        table[ord(first) : ord(last or first) + 1] = True
    return table


class OlderTables:
    """Counts with a byte-pair pattern for which what is new since Unicode 16.0 is neither letter, mark nor number."""

    __slots__ = ("_pattern", "_ranks")

    def __init__(self, pattern: str, tokens: Mapping[int, bytes]) -> None:
        self._pattern = regex.compile(pattern)
        self._ranks = {piece: rank for rank, piece in tokens.items()}

    def count(self, text: str) -> int:
        """Count the text alone."""
        known = _IS_NEW.sub(_NEVER_ASSIGNED, text)
        spans = (match.span() for match in self._pattern.finditer(known))
        return sum(self._merged(text[start:end].encode()) for start, end in spans)

    def _merged(self, piece: bytes) -> int:
        """Count the tokens of one piece: the neighbours that make the lowest rank are joined until none make one."""
        if piece in self._ranks:
            return 1
        ranks, size = self._ranks, len(piece)
        ends, before = list(range(1, size + 1)), list(range(-1, size - 1))
        heap = [(rank, at, at + 2) for at in range(size - 1) if (rank := ranks.get(piece[at : at + 2])) is not None]
        heapify(heap)
        left = size
        while heap:
            _, start, end = heappop(heap)
            middle = ends[start]
            if not middle or middle >= size or ends[middle] != end:
                continue  # one of the two has been joined with another since
            left -= 1
            ends[start], ends[middle] = end, 0
            if end < size:
                before[end] = start
                rank = ranks.get(piece[start : ends[end]])
                if rank is not None:
                    heappush(heap, (rank, start, ends[end]))
            if before[start] >= 0:
                rank = ranks.get(piece[before[start] : end])
                if rank is not None:
                    heappush(heap, (rank, before[start], end))
        return left
