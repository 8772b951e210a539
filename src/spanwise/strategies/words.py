"""Whole words, up to the budget."""

from __future__ import annotations

import msgspec

from spanwise.segmenting.words import Blanks
from spanwise.segmenting.words import Words as WordSegmenter
from spanwise.strategies.strategy import Plan

__all__ = ["Words"]


class Words(msgspec.Struct, frozen=True):
    """As many whole words as fit; all white space is kept.

    >>> import spanwise
    >>> [chunk.text for chunk in spanwise.chunk("one two three four", "words", max_tokens=3)]
    ['one two ', 'three four']
    """

    def plan(self) -> Plan:
        """Fill after white space, else between words."""
        return Plan(ladder=(Blanks(),), below=(WordSegmenter(),))
