"""Equal slices of whole characters."""

from __future__ import annotations

import msgspec

from spanwise.segmenting.graphemes import Graphemes
from spanwise.strategies.strategy import Plan

__all__ = ["Characters"]


class Characters(msgspec.Struct, frozen=True):
    """As many whole characters (grapheme clusters) as fit, wherever that ends.

    >>> import spanwise
    >>> [chunk.text for chunk in spanwise.chunk("abcdefgh", "characters", max_characters=3)]
    ['abc', 'def', 'gh']
    """

    def plan(self) -> Plan:
        """Fill with clusters."""
        return Plan(ladder=(Graphemes(),), whole_words=False)
