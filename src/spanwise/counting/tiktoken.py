"""How many tokens does a text have by an Encoding of tiktoken that the caller made?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .answers import FATAL, failure
from .counter import countable
from .token_map import blocks, code_point_ends, joined, lengths_by_id, scaled, starts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from tiktoken import Encoding

__all__ = ["TiktokenEncoding"]

_BLOCK = 100_000
"""Characters that are encoded at once for a map. A million blanks overflow the stack of tiktoken's regular
expressions; a hundred thousand do not."""


class TiktokenEncoding:
    """Counts with an Encoding of tiktoken. The text of special tokens is ordinary text.

    The encodings that spanwise carries count the same several times as fast: prefer `counter("cl100k_base")`.
    """

    __slots__ = ("_encoding", "_lengths", "name", "overhead")

    def __init__(self, encoding: Encoding, overhead: int = 0) -> None:
        self._encoding = encoding
        self._lengths: NDArray[np.unsignedinteger] | None = None
        self.name: str = encoding.name
        self.overhead = overhead

    def count(self, text: str) -> int:
        """Count the text alone, with what the model adds. Lone surrogates count as U+FFFD.

        Raises:
            CounterError: tiktoken gave up, as it does on a million blanks in a row.
        """
        return len(self._encoded(countable(text))) + self.overhead

    def token_ends(self, text: str) -> NDArray[np.int64]:
        """Give the end of each token in code points; the last is len(text)."""
        return joined([(start, self._ends(countable(text[start:end]))) for start, end in blocks(text, _BLOCK)])

    def token_starts(self, text: str) -> NDArray[np.int64]:
        """Give the offset of the first character of each token of the text, encoded at once."""
        return starts_of(self._ends(countable(text)))

    def maps_exactly(self, text: str) -> bool:
        """Say whether `token_ends` has as many tokens as the text: whether it was encoded at once."""
        return len(text) <= _BLOCK

    def _encoded(self, text: str) -> list[int]:
        try:
            tokens: list[int] = self._encoding.encode_ordinary(text)
        except FATAL:
            raise
        except BaseException as error:  # a panic is no Exception
            raise failure(self.name, error) from error
        return tokens

    def _ends(self, block: str) -> NDArray[np.int32]:
        encoded = block.encode()
        ids = np.array(self._encoded(block), dtype=np.int64)
        ends = scaled(self._table()[ids].cumsum(dtype=np.int32), len(encoded))
        return ends if len(encoded) == len(block) else code_point_ends(encoded, ends)

    def _table(self) -> NDArray[np.unsignedinteger]:
        if self._lengths is None:
            self._lengths = lengths_by_id(*zip(*_token_lengths(self._encoding), strict=True))
        return self._lengths

    def __reduce__(self) -> tuple[object, ...]:
        return TiktokenEncoding, (self._encoding, self.overhead)

    def __repr__(self) -> str:
        return f"TiktokenEncoding({self.name!r}, overhead={self.overhead})"


def _token_lengths(encoding: Encoding) -> Iterator[tuple[int, int]]:
    for token in range(encoding.max_token_value + 1):
        try:
            yield token, len(encoding.decode_single_token_bytes(token))
        except KeyError:  # ids between the vocabulary and the special tokens are not given out
            continue
