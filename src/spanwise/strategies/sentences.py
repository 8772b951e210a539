"""Whole sentences, up to the budget."""

from __future__ import annotations

import msgspec

from spanwise.segmenting.lines import Lines
from spanwise.segmenting.sentences import Sentences as SentenceSegmenter
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.options import check_language
from spanwise.strategies.strategy import Plan

__all__ = ["Sentences"]


class Sentences(msgspec.Struct, frozen=True):
    """As many whole sentences as fit; `language` is a code such as `en`, `de` or `ja`.

    >>> import spanwise
    >>> [chunk.text for chunk in spanwise.chunk("Dr. Smith left. He came at 5.30. Why?", "sentences", max_tokens=9)]
    ['Dr. Smith left. ', 'He came at 5.30. ', 'Why?']
    """

    language: str = "en"

    def __post_init__(self) -> None:
        check_language("language", self.language)

    def plan(self) -> Plan:
        """Fill with sentences; one that is too long is cut at line ends, then at words."""
        return Plan(
            ladder=(SentenceSegmenter(self.language),),
            between=(SentenceSegmenter(self.language, in_quotations=True), Lines()),
            below=(Blanks(), Words()),
            headings_stay=True,
            language=self.language,
        )
