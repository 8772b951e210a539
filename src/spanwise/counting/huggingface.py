"""How many tokens does a text have by a tokenizer of Hugging Face's `tokenizers`: WordPiece, Unigram and the rest?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spanwise.errors import MissingExtraError

from .counter import countable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

__all__ = ["HuggingFace"]

_PIECE = 2_000
"""Characters that are encoded at once for a map: twice as fast as a whole document."""


class HuggingFace:
    """Counts with a private copy of a tokenizer: nothing truncated, padded or added, special text ordinary text."""

    __slots__ = ("_data", "_tokenizer", "name", "overhead")

    def __init__(self, data: str, name: str, overhead: int = 0) -> None:
        """Load a tokenizer.

        Args:
            data: The contents of a tokenizer.json.
            name: How chunks and messages name the counter.
            overhead: Tokens that the model adds to every text.

        Raises:
            MissingExtraError: The package `tokenizers` is not installed.
        """
        self._data = data
        self._tokenizer = _loaded(data)
        self.name = name
        self.overhead = overhead

    def count(self, text: str) -> int:
        """Count the text alone, with what the model adds. Lone surrogates count as U+FFFD."""
        return len(self._tokenizer.encode(countable(text), add_special_tokens=False)) + self.overhead

    def token_ends(self, text: str) -> NDArray[np.int64]:
        """Give for each token where the next one starts; the last ends with the text.

        The text is encoded in pieces of about two thousand characters cut before a blank, which may differ from the
        whole by a token at each seam.
        """
        parts = [self._starts(text[start:end]) + start for start, end in _pieces(text)]
        starts = np.concatenate(parts) if parts else np.empty(0, np.int64)
        if starts.size:
            starts = np.append(starts[1:], len(text))
        ends: NDArray[np.int64] = np.maximum.accumulate(starts)
        return ends

    def token_starts(self, text: str) -> NDArray[np.int64]:
        """Give for each token of the text, encoded at once, the offset of its first character; never falling."""
        starts: NDArray[np.int64] = np.maximum.accumulate(self._starts(text))
        return starts

    def maps_exactly(self, text: str) -> bool:
        """Say whether `token_ends` has as many tokens as the text: whether it was encoded at once."""
        return len(text) <= _PIECE

    def _starts(self, piece: str) -> NDArray[np.int64]:
        encoding = self._tokenizer.encode(countable(piece), add_special_tokens=False)
        return np.fromiter((start for start, _ in encoding.offsets), np.int64, len(encoding))

    def __reduce__(self) -> tuple[object, ...]:
        return HuggingFace, (self._data, self.name, self.overhead)

    def __repr__(self) -> str:
        return f"HuggingFace({self.name!r}, overhead={self.overhead})"


def _loaded(data: str) -> Tokenizer:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - the package comes with an extra
    except ImportError as error:
        raise MissingExtraError("tokenizers", "hf", "this kind of tokenizer.json") from error
    tokenizer = Tokenizer.from_str(data)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    if getattr(tokenizer.model, "dropout", None):  # merges left out at random are for training: counts must repeat
        tokenizer.model.dropout = None
    return tokenizer


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans that tile the text. A blank goes with the word after it, as most vocabularies have it."""
    start, length = 0, len(text)
    while length - start > _PIECE:
        cut = text.rfind(" ", start + _PIECE // 2, start + _PIECE)
        if cut < 0:
            cut = text.rfind("\n", start + 1, start + _PIECE)
        if cut < 0:
            cut = start + _PIECE
        yield start, cut
        start = cut
    if start < length:
        yield start, length
