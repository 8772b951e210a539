"""Whole sentences, up to the budget."""

from __future__ import annotations

import msgspec

from spanwise.packing.fill import Fill
from spanwise.packing.parted import Parted
from spanwise.packing.steady import Steady
from spanwise.segmenting.lines import Lines
from spanwise.segmenting.sentences import Sentences as SentenceSegmenter
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.options import check_language, check_switch
from spanwise.strategies.strategy import Plan

__all__ = ["Sentences"]


class Sentences(msgspec.Struct, frozen=True):
    """As many whole sentences as fit; `language` is a code such as `en`, `de` or `ja`.

    `stable=True` is for those who chunk anew after an edit: the price of each cut is set by the text around it, so that
    boundaries find each other again. Chunks are filled a little less, and the whole text is needed.

    >>> import spanwise
    >>> [chunk.text for chunk in spanwise.chunk("Dr. Smith left. He came at 5.30. Why?", "sentences", max_tokens=9)]
    ['Dr. Smith left. ', 'He came at 5.30. ', 'Why?']
    """

    language: str = "en"
    stable: bool = False

    def __post_init__(self) -> None:
        check_language("language", self.language)
        check_switch("stable", self.stable)

    def plan(self) -> Plan:
        """Fill with sentences; one that is too long is cut at line ends, then at words."""
        return Plan(
            ladder=(SentenceSegmenter(self.language),),
            between=(SentenceSegmenter(self.language, in_quotations=True), Lines()),
            below=(Blanks(), Words()),
            packer=Parted(Steady()) if self.stable else Fill(),
            headings_stay=True,
            language=self.language,
        )
