"""How many characters, words or bytes does a text have?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spanwise.whitespace import SPACE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LENGTHS", "Bytes", "Characters", "Words"]

_WORD = re.compile(f"[^{SPACE[1:]}+")
_WORD_WITH_SPACE = re.compile(f"[^{SPACE[1:]}+{SPACE}*")


class Characters:
    """Counts code points.

    >>> Characters().count("naïve")
    5
    """

    __slots__ = ()
    name = "characters"
    overhead = 0

    def count(self, text: str) -> int:
        """Count the code points."""
        return len(text)

    def token_ends(self, text: str) -> NDArray[np.int64]:
        """Give the offset after each code point."""
        import numpy as np  # noqa: PLC0415 - counting alone needs no arrays

        return np.arange(1, len(text) + 1, dtype=np.int64)

    def maps_exactly(self, text: str) -> bool:  # noqa: ARG002 - true of every text
        """Say that the map has as many ends as the text has characters."""
        return True


class Words:
    """Counts runs of what is not white space, as Unicode defines it.

    >>> Words().count("  two words ")
    2
    """

    __slots__ = ()
    name = "words"
    overhead = 0

    def count(self, text: str) -> int:
        """Count the words."""
        return len(_WORD.findall(text))

    def token_ends(self, text: str) -> NDArray[np.int64]:
        """Give for each word where the next one starts; the last ends with the text."""
        import numpy as np  # noqa: PLC0415 - counting alone needs no arrays

        return np.fromiter((match.end() for match in _WORD_WITH_SPACE.finditer(text)), np.int64)

    def maps_exactly(self, text: str) -> bool:  # noqa: ARG002 - true of every text
        """Say that the map has as many ends as the text has words."""
        return True


class Bytes:
    """Counts bytes of UTF-8; a lone surrogate counts 3, as U+FFFD does.

    >>> Bytes().count("naïve")
    6
    """

    __slots__ = ()
    name = "bytes"
    overhead = 0

    def count(self, text: str) -> int:
        """Count the bytes."""
        return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))

    def token_ends(self, text: str) -> NDArray[np.int64]:
        """Give for each byte how many code points are whole up to it."""
        import numpy as np  # noqa: PLC0415 - counting alone needs no arrays

        if text.isascii():
            return np.arange(1, len(text) + 1, dtype=np.int64)
        encoded = np.frombuffer(text.encode(errors="surrogatepass"), dtype=np.int8)
        ends = (encoded >= -0x40).cumsum(dtype=np.int64)  # continuation bytes are below
        ends[:-1] -= encoded[1:] < -0x40
        return ends

    def maps_exactly(self, text: str) -> bool:  # noqa: ARG002 - true of every text
        """Say that the map has as many ends as the text has bytes."""
        return True


LENGTHS: dict[str, Characters | Words | Bytes] = {"characters": Characters(), "words": Words(), "bytes": Bytes()}
"""The counters that need no vocabulary, by name."""
