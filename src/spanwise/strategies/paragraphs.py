"""Whole paragraphs, up to the budget."""

from __future__ import annotations

import msgspec

from spanwise.segmenting.lines import Lines
from spanwise.segmenting.paragraphs import Paragraphs as ParagraphSegmenter
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.strategy import Plan

__all__ = ["Paragraphs"]


class Paragraphs(msgspec.Struct, frozen=True):
    r"""As many whole paragraphs as fit; one that is too long is cut at its sentences.

    >>> import spanwise
    >>> [chunk.text for chunk in spanwise.chunk("First one.\n\nSecond one.\n", "paragraphs", max_tokens=5)]
    ['First one.\n\n', 'Second one.\n']
    """

    def plan(self) -> Plan:
        """Fill with paragraphs, then sentences."""
        return Plan(
            ladder=(ParagraphSegmenter(),),
            between=(Sentences(), Sentences(in_quotations=True), Lines()),
            below=(Blanks(), Words()),
            headings_stay=True,
        )
