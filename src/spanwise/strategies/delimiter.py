"""Pieces between a literal delimiter."""

from __future__ import annotations

import msgspec

from spanwise.segmenting.delimiters import Delimiters
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.strategy import Plan

__all__ = ["Delimiter"]


class Delimiter(msgspec.Struct, frozen=True):
    """As many delimited pieces as fit; each owns the delimiter after it.

    >>> import spanwise
    >>> chunks = spanwise.chunk("a;b;c;d", spanwise.Delimiter(";"), max_characters=4)
    >>> [chunk.text for chunk in chunks]
    ['a;b;', 'c;d']
    """

    delimiter: str = "\n\n"

    def __post_init__(self) -> None:
        Delimiters(self.delimiter)

    def plan(self) -> Plan:
        """Fill with delimited pieces; one that is too long is cut finer, down to the character."""
        return Plan(ladder=(Delimiters(self.delimiter),), below=(Blanks(), Words(), Graphemes()), whole_words=False)
