"""What all guesses of a format ask about the beginning of a text, found once."""

from __future__ import annotations

import re
from functools import cached_property
from string import ascii_lowercase

from spanwise.formats.heading_words import HEADING_WORDS, one_of
from spanwise.formats.line_feeds import line_fed
from spanwise.formats.plain_lines import Lines

__all__ = ["Glance"]

_HEAD = 4_096
_NO_INITIALS = "".join(sorted({*ascii_lowercase}.difference(word[0] for word in HEADING_WORDS)))
_OTHER_DIGIT = re.compile(r"[^\x00-\u065f](?<=\d)")  # U+0660 is the first beyond ASCII
_TELLING = re.compile(
    rf"\n(?![{_NO_INITIALS}][a-z]|\n)(?:(?![A-Za-z][a-z])|(?={one_of(HEADING_WORDS)}\.?[ \t]))[^\n]*+"
)


class Glance:
    """The beginning of a text, its lines, and those of them that are not as most are; never changed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lined = line_fed(text)
        self.head = self.lined if len(text) <= _HEAD else line_fed(text[:_HEAD])
        """The first 4,096 characters, line-fed."""
        self.has_digit = any(map(self.head.__contains__, "0123456789")) or (
            not self.head.isascii() and _OTHER_DIGIT.search(self.head) is not None
        )

    def part(self, size: int) -> Glance:
        """Look at so many characters of it."""
        return self if len(self.text) <= size else Glance(self.text[:size])

    @cached_property
    def lines(self) -> Lines:
        """Its lines as the readers of plain text have them."""
        return Lines(self.text)

    @cached_property
    def telling(self) -> str:
        """The lines that may begin a heading, line-fed: that begin with none but one of its words, if with a word."""
        return "".join(_TELLING.findall(self.lined))
