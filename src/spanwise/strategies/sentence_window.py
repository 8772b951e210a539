"""Windows of whole sentences that overlap by construction."""

from __future__ import annotations

import msgspec

from spanwise.errors import ConfigurationError
from spanwise.packing.windows import Windows
from spanwise.segmenting.lines import Lines
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.options import check_language, check_whole
from spanwise.strategies.strategy import Plan

__all__ = ["SentenceWindow"]


class SentenceWindow(msgspec.Struct, frozen=True):
    """Windows of `sentences` whole sentences (or as many as fit), each repeating the last `overlap_sentences`.

    The windows cover the document; they do not part it.

    >>> import spanwise
    >>> strategy = spanwise.SentenceWindow(sentences=2, overlap_sentences=1)
    >>> [chunk.text for chunk in spanwise.chunk("One here. Two here. Three here.", strategy)]
    ['One here. Two here. ', 'Two here. Three here.']
    """

    sentences: int | None = None
    overlap_sentences: int = 1
    language: str = "en"

    def __post_init__(self) -> None:
        check_language("language", self.language)
        if self.sentences is not None:
            check_whole("sentences", self.sentences, 1)
        check_whole("overlap_sentences", self.overlap_sentences, 0)
        if self.sentences is not None and self.overlap_sentences >= self.sentences:
            raise ConfigurationError(
                f"overlap_sentences={self.overlap_sentences} is not smaller than sentences={self.sentences}: "
                "a window could hold nothing new"
            )

    def plan(self) -> Plan:
        """Slide over the sentences."""
        return Plan(
            ladder=(Sentences(self.language),),
            between=(Sentences(self.language, in_quotations=True), Lines()),
            below=(Blanks(), Words()),
            packer=Windows(self.sentences, self.overlap_sentences),
            overlaps=False,
            own_overlap=True,
            language=self.language,
        )
