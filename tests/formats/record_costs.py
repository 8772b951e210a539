"""How much longer does a reader take for a longer text?"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanwise.structure import Structure

_SHORT, _LONG = 30_000, 240_000


def growth(read: Callable[[str], Structure], piece: str, before: str = "") -> float:
    """Give the time of reading a long text of one piece, relative to the same length of short ones.

    About 1 is linear, 8 quadratic. Time below a hundredth of a second says nothing and counts as that.
    """
    return growth_of(read, lambda size: before + piece * (size // len(piece)))


def growth_of(read: Callable[[str], Structure], text_of: Callable[[int], str]) -> float:
    """The same for texts of about a size that a function makes."""
    short, long = text_of(_SHORT), text_of(_LONG)
    return max(_seconds(read, long), 0.01) / max(_seconds(read, short) * len(long) / len(short), 0.01)


def _seconds(read: Callable[[str], Structure], text: str) -> float:
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
