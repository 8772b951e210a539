"""How much longer does a reader take for a longer text?"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spanwise.structure import Reader

_SHORT, _LONG = 30_000, 240_000


def growth(read: Reader, piece: str, before: str = "") -> float:
    """Give the time of reading a long text of one piece, relative to the same length of short ones.

    About 1 is linear, 8 quadratic. Time below a hundredth of a second says nothing and counts as that.
    """
    short, long = (before + piece * (size // len(piece)) for size in (_SHORT, _LONG))
    return max(_seconds(read, long), 0.01) / max(_seconds(read, short) * len(long) / len(short), 0.01)


def _seconds(read: Reader, text: str) -> float:
    """Give the best of three: the machine may have other work. Collecting garbage is not the reader's cost."""
    times = []
    gc.disable()
    try:
        for _ in range(3):
            start = time.process_time()
            read(text)
            times.append(time.process_time() - start)
    finally:
        gc.enable()
    return min(times)
