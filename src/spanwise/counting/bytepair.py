"""How many tokens of a byte-pair vocabulary does a text have, and where do they end?

Over gigatoken, which counts exactly as tiktoken does, about ten times as fast; where the two know different letters
the larger count is given.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .counter import countable
from .new_letters import OlderTables, holds_new
from .token_map import are_additive, blocks, code_point_ends, joined, lengths_by_id, scaled, starts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np
    from gigatoken import Tokenizer
    from numpy.typing import NDArray

__all__ = ["VOCABULARIES", "BytePair", "Vocabulary", "carried"]

_FOLDER = Path(__file__).with_name("vocabularies")

_RENEW_AFTER = 30_000_000
"""Tokens after which a tokenizer is made anew: about 128 MB of English. gigatoken remembers every word that it has met,
with no bound; by tokens, text that is all new words (10 bytes of memory a character) is renewed after half as much.
Renewal costs 0.15 s and an empty memory, which is slow at first, so not oftener."""

_BLANK = "\u2581".encode()
"""How SentencePiece-style vocabularies write one blank."""


class Vocabulary(NamedTuple):
    """A rank file that the package carries."""

    file: str
    pretokenizer: str
    """What gigatoken calls the pattern that divides a text before pairs are merged."""
    sha256: str
    """The digest of the file that tiktoken states for the official one."""
    additive_seam: re.Pattern[str]
    """What ends where the pattern divides any text, and divides both sides as it would alone: proven in
    docs/decisions/0008-additive-seams.md."""
    pattern: str
    """The pattern as tiktoken states it."""


VOCABULARIES = {
    "cl100k_base": Vocabulary(
        "cl100k_base.tiktoken",
        "cl100k",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        re.compile(r"\S(?=[ \t])|\n(?=\S)"),
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
        r"|\s+(?!\S)|\s",
    ),
    "o200k_base": Vocabulary(
        "o200k_base.tiktoken",
        "o200k",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        re.compile(r"\S(?=[ \t])|\n(?=[^\s/])"),  # a slash is swallowed: `.\n//` is one piece
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
}
"""The encodings that need no file of the user, by name."""


class BytePair:
    """Counts the tokens of a byte-pair vocabulary.

    What is special elsewhere, `<|endoftext|>` say, is ordinary text here. Make one with `spanwise.counting.counter`.

    >>> from spanwise.counting import counter
    >>> counter("cl100k_base").count("hello <|endoftext|> world")
    8
    >>> counter("cl100k_base").token_ends("hello world").tolist()
    [5, 11]
    """

    __slots__ = (
        "_encode",
        "_left",
        "_lengths",
        "_load",
        "_older",
        "_origin",
        "_pattern",
        "_tokenizer",
        "additive_seam",
        "name",
        "overhead",
    )

    def __init__(
        self,
        name: str,
        overhead: int,
        load: Callable[[], Tokenizer],
        origin: tuple[object, ...],
        additive_seam: re.Pattern[str] | None = None,
        *,
        pattern: str = "",
    ) -> None:
        """Load the tokenizer.

        Args:
            name: How chunks and messages name the counter.
            overhead: Tokens that the model adds to every text.
            load: Makes the tokenizer, now and at each renewal.
            origin: What `__reduce__` gives, so that a worker process makes the same counter from the same source.
            additive_seam: What ends where cutting changes no token, if that is proven for this tokenizer.
            pattern: What divides a text before pairs are merged; with it texts with letters new since Unicode 16.0
                are counted by both tables, and the larger count is given.
        """
        self.name = name
        self.overhead = overhead
        self.additive_seam = additive_seam
        self._load = load
        self._origin = origin
        self._lengths: NDArray[np.unsignedinteger] | None = None
        self._pattern = pattern
        self._older: OlderTables | None = None
        self._renew()

    def count(self, text: str) -> int:
        """Count the text alone, with what the model adds; exact. Lone surrogates count as U+FFFD."""
        try:
            tokens = len(self._encode(text))
        except TypeError:  # how gigatoken refuses lone surrogates; asking every text beforehand would cost more
            text = countable(text)
            tokens = len(self._encode(text))
        self._spend(tokens)
        if self._pattern and holds_new(text):
            tokens = max(tokens, self._by_older_tables(text))
        return tokens + self.overhead

    def _by_older_tables(self, text: str) -> int:
        if self._older is None:
            self._older = OlderTables(self._pattern, self._tokenizer.vocab)
        return self._older.count(text)

    def token_ends(self, text: str) -> NDArray[np.int64]:
        """Give the end of each token in code points; the last is len(text).

        The ends are those of the tokens that `count` counts for texts of up to 250,000 characters. Longer ones
        are encoded in blocks, which may differ from the whole by a token at each border that is no additive seam.
        """
        return joined([(start, self._ends(text[start:end])) for start, end in self._blocks(text)])

    def token_starts(self, text: str) -> NDArray[np.int64]:
        """Give the offset of the first character of each token of the text, encoded at once: 60 bytes a character."""
        return starts_of(self._ends(text)) if text else self.token_ends(text)

    def maps_exactly(self, text: str) -> bool:
        """Say whether `token_ends` has as many tokens as the text: encoded at once, or in blocks cut at seams."""
        if self._pattern and holds_new(text):
            return False
        return are_additive(text, self._blocks(text), self.additive_seam)

    def _blocks(self, text: str) -> Iterator[tuple[int, int]]:
        return blocks(text, seam=self.additive_seam)

    def _ends(self, block: str) -> NDArray[np.int32]:
        encoded: str | bytes = block if block.isascii() else _utf8(block)
        ends: NDArray[np.int32] = self._table().take(self._encode(encoded)).cumsum(dtype="int32")
        self._spend(ends.size)
        ends = scaled(ends, len(encoded))
        return code_point_ends(encoded, ends) if isinstance(encoded, bytes) else ends

    def _table(self) -> NDArray[np.unsignedinteger]:
        if self._lengths is None:
            vocabulary = self._tokenizer.vocab
            self._lengths = lengths_by_id(vocabulary, _byte_lengths(self._tokenizer, vocabulary.values()))
        return self._lengths

    def _spend(self, tokens: int) -> None:
        self._left -= tokens
        if self._left < 0:
            self._renew()

    def _renew(self) -> None:
        self._tokenizer = self._load()
        self._encode = self._tokenizer.backend.encode
        self._left = _RENEW_AFTER

    def __reduce__(self) -> tuple[object, ...]:
        return self._origin

    def __repr__(self) -> str:
        return f"BytePair({self.name!r}, overhead={self.overhead})"


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # looking for lone surrogates beforehand would cost more than to encode
        return countable(text).encode()


def _byte_lengths(tokenizer: Tokenizer, pieces: Iterable[bytes]) -> Iterator[int]:
    if "SentencePiece" in type(tokenizer.backend).__name__:
        pieces = (piece.replace(_BLANK, b" ") for piece in pieces)
    return map(len, pieces)


@lru_cache(maxsize=4)
def carried(name: str, overhead: int = 0) -> BytePair:
    """Give the counter of an encoding that the package carries; loaded once in a process."""
    from gigatoken import Tokenizer  # noqa: PLC0415 - not every process that knows the table needs it

    vocabulary = VOCABULARIES[name]

    def load() -> Tokenizer:
        return Tokenizer.from_tiktoken(
            _FOLDER / vocabulary.file, pretokenizer=vocabulary.pretokenizer, special_tokens={}
        )

    return BytePair(
        name, overhead, load, (carried, (name, overhead)), vocabulary.additive_seam, pattern=vocabulary.pattern
    )
