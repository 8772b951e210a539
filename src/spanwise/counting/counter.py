"""What a counter is: something that says how large a text is.

A counter answers for a text alone. It may also offer a map: for each token of a longer text the offset
where the next token starts. With a map, how far a budget reaches is one array look-up; the map is a guess,
and every chunk is counted alone before it is given out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Counter", "MappingCounter", "countable"]


class Counter(Protocol):
    """Says how many tokens (characters, words, bytes) a text has."""

    @property
    def name(self) -> str:
        """How chunks and messages name this counter."""

    def count(self, text: str) -> int:
        """Count the text alone, with what the model adds; that alone for the empty text.

        Lone surrogates count as U+FFFD and never raise.
        """


@runtime_checkable
class MappingCounter(Counter, Protocol):
    """A counter that can also say where in a longer text its tokens end.

    One that has a method `maps_exactly(text) -> bool` as well is spared counting texts for which it says that the
    map has as many ends as the text has tokens.

    One that has a method `token_starts(text)` gives the offset of the first character of each token of the text encoded
    at once, as a model is given it, where a map may be made piece by piece and put dropped text with the token before.

    One that has an attribute `additive_seam` besides is spared counting what lies between seams of such texts. It is
    a pattern, or None, that matches one character and may look at the next: where a match ends, cutting the text
    changes no token on either side, whatever else the text holds.
    """

    @property
    def overhead(self) -> int:
        """How many tokens the model adds to every text; they are part of each count."""

    def token_ends(self, text: str) -> NDArray[np.int64]:
        """Give for each token of the text the offset (code points) where the next one starts; never falling."""


_SURROGATES = re.compile("[\ud800-\udfff]")


def countable(text: str) -> str:
    """Give a text of the same length that every tokenizer takes: lone surrogates become U+FFFD."""
    if text.isascii():
        return text
    return _SURROGATES.sub("\ufffd", text)
