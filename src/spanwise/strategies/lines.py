"""Whole lines, up to the budget."""

from __future__ import annotations

import msgspec

from spanwise.segmenting.lines import Lines as LineSegmenter
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.strategy import Plan

__all__ = ["Lines"]


class Lines(msgspec.Struct, frozen=True):
    r"""As many whole lines as fit: logs, poems, tables. A line that is too long is cut at its sentences, then words.

    >>> import spanwise
    >>> [chunk.text for chunk in spanwise.chunk("INFO start\nINFO ready\nWARN slow\n", "lines", max_tokens=6)]
    ['INFO start\nINFO ready\n', 'WARN slow\n']
    """

    def plan(self) -> Plan:
        """Fill with lines."""
        return Plan(
            ladder=(LineSegmenter(),), between=(Sentences(), Sentences(in_quotations=True)), below=(Blanks(), Words())
        )
