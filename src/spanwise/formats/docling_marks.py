"""Offsets that travel inside a text through programs that know nothing of offsets.

A mark is two characters of a private plane of Unicode that the text does not use. It is put inside a word, where no
syntax looks at it, and read again from what the program made of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Marks", "marked", "words_in"]

_PLANES: Final = (0xF0000, 0x100000)
_DIGITS: Final = 4096
_SIZE: Final = 0xFFFE
_REPLACEMENT: Final = "\ufffd"
_WORD: Final = re.compile(
    # a word of letters and digits alone after white space or an opening sign, and before what ends a word: parts of
    # addresses, names in code, entities and tags are none
    r"(?<![^\s(\[\"'“„«*_>|~])[^\W_]{2,}(?=[\s,;!?)\]\"'”“»*_<|~]|[.:](?:\s|\Z)|\Z)"
)


class Marks:
    """The marks of one text; where it uses both private planes, those of the first cannot be told from its own."""

    def __init__(self, text: str) -> None:
        base = next((plane for plane in _PLANES if not _any_of(plane).search(text)), _PLANES[0])
        self._base = base
        self._all = _any_of(base)
        high, low = chr(base + _DIGITS), chr(base)
        self._whole = re.compile(f"[{high}-{chr(base + _SIZE - 1)}][{low}-{chr(base + _DIGITS - 1)}]")
        self.most = (_SIZE - _DIGITS) * _DIGITS

    def mark(self, number: int) -> str:
        """Write a number below `most`."""
        high, low = divmod(number, _DIGITS)
        return chr(self._base + _DIGITS + high) + chr(self._base + low)

    def without(self, text: str, instead: str = "") -> str:
        """Take all marks out of a text, also halves of them."""
        return self._all.sub(instead, text)

    def cleaned(self, text: str) -> str:
        """Make a text in which all marks are ours: its own characters of the plane become U+FFFD."""
        return self.without(text, _REPLACEMENT)

    def numbers(self, text: str) -> list[int]:
        """Read the numbers that are written in a text, in order."""
        return [self._number(found.group()) for found in self._whole.finditer(text)]

    def taken_out(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """Give a text without its marks, and for each mark where it stood in that, and its number."""
        parts: list[str] = []
        places: list[tuple[int, int]] = []
        before = size = 0
        for found in self._whole.finditer(text):
            parts.append(text[before : found.start()])
            size += found.start() - before
            before = found.end()
            places.append((size, self._number(found.group())))
        parts.append(text[before:])
        return "".join(parts), places

    def _number(self, mark: str) -> int:
        return (ord(mark[0]) - self._base - _DIGITS) * _DIGITS + ord(mark[1]) - self._base


def _any_of(plane: int) -> re.Pattern[str]:
    return re.compile(f"[{chr(plane)}-{chr(plane + _SIZE - 1)}]")


def words_in(text: str, start: int, stop: int) -> Iterator[tuple[int, str]]:
    """Yield the words of a span that may be marked, with their offsets."""
    for found in _WORD.finditer(text, start, stop):
        yield found.start(), found.group()


def marked(text: str, inserts: Iterable[tuple[int, str]]) -> str:
    """Insert strings at offsets, which ascend."""
    parts: list[str] = []
    before = 0
    for offset, inserted in inserts:
        parts += (text[before:offset], inserted)
        before = offset
    parts.append(text[before:])
    return "".join(parts)
