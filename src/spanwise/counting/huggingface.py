"""How many tokens does a text have by a tokenizer of Hugging Face's `tokenizers`: WordPiece, Unigram and the rest?"""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from spanwise.errors import MissingExtraError

from .counter import countable
from .seams import used, words_apart
from .token_map import are_additive, blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

__all__ = ["HuggingFace"]

_PIECE = 2_000
"""Characters that are encoded at once for a map: twice as fast as a whole document."""

_BLOCK = 8 * _PIECE
"""Characters whose words are looked up at once, and the longest word of which a map is exact."""

_REMEMBERED = 500_000
"""Characters of words after which they are forgotten: 20 to 40 MB with their tokens."""


class HuggingFace:
    """Counts with a private copy of a tokenizer: nothing truncated, padded or added, special text ordinary text.

    Where the tokenizer is known to part any text into words, the map of a text is put together of those of its words,
    each encoded once: most words of a text have been met before.
    """

    __slots__ = ("_apart", "_data", "_left", "_map_of", "_tokenizer", "additive_seam", "name", "overhead")

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
        self._apart = words_apart(json.loads(data))
        self.additive_seam = self._apart.seam if self._apart else None
        self._map_of: dict[str, tuple[int, ...]] = {}
        self._left = _REMEMBERED
        self.name = name
        self.overhead = overhead

    def count(self, text: str) -> int:
        """Count the text alone, with what the model adds. Lone surrogates count as U+FFFD."""
        text, apart = countable(text), used(self._apart)
        if apart is None or len(text) > _BLOCK:
            return len(self._tokenizer.encode(text, add_special_tokens=False)) + self.overhead
        return sum(map(len, self._maps_of(apart.words(text)))) + self.overhead

    def token_ends(self, text: str) -> NDArray[np.int64]:
        """Give for each token where the next one starts; the last ends with the text.

        Where there are no additive seams, the text is encoded in pieces of about two thousand characters cut before a
        blank, which may differ from the whole by a token at each cut.
        """
        apart = self._apart
        if apart is None:
            parts = [self._starts(text[start:end]) + start for start, end in _pieces(text)]
        else:
            spans = blocks(text, _BLOCK, apart.seam)
            parts = [self._starts_by_word(apart.words(countable(text[start:end]))) + start for start, end in spans]
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
        """Say whether `token_ends` has as many tokens as the text: encoded at once, or in pieces cut at seams."""
        seam = self.additive_seam
        return are_additive(text, blocks(text, _BLOCK, seam), seam) if seam else len(text) <= _PIECE

    def _starts(self, piece: str) -> NDArray[np.int64]:
        encoding = self._tokenizer.encode(countable(piece), add_special_tokens=False)
        return np.fromiter((start for start, _ in encoding.offsets), np.int64, len(encoding))

    def _maps_of(self, words: list[str]) -> list[tuple[int, ...]]:
        map_of = self._map_of  # another thread may put a new one in its place, and none takes anything out
        new = [word for word in dict.fromkeys(words) if word not in map_of]
        if new:
            self._learn(new, map_of)
        return [map_of[word] for word in words]

    def _starts_by_word(self, words: list[str]) -> NDArray[np.int64]:
        maps = self._maps_of(words)
        tokens = np.fromiter(map(len, maps), np.int64, len(maps))
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        within = np.fromiter(chain.from_iterable(maps), np.int64, int(tokens.sum()))
        starts: NDArray[np.int64] = np.repeat(lengths.cumsum() - lengths, tokens) + within
        return starts

    def _learn(self, words: Sequence[str], map_of: dict[str, tuple[int, ...]]) -> None:
        together = " ".join(words)
        starts = np.maximum.accumulate(self._starts(together))
        lengths = np.fromiter(map(len, words), np.int64, len(words)) + 1
        begins = lengths.cumsum() - lengths
        firsts = np.append(starts.searchsorted(begins), starts.size)
        within = (starts - np.repeat(begins, np.diff(firsts))).tolist()
        places = firsts.tolist()
        map_of.update((word, tuple(within[places[at] : places[at + 1]])) for at, word in enumerate(words))
        self._left -= len(together)
        if self._left < 0:
            self._map_of, self._left = {}, _REMEMBERED

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
