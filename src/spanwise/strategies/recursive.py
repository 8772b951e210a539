"""Coarse cuts first, finer ones only where they are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from spanwise.errors import ConfigurationError, shown
from spanwise.packing.fill import Fill
from spanwise.packing.parted import Parted
from spanwise.packing.steady import Steady
from spanwise.segmenting.delimiters import Delimiters
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.options import check_switch
from spanwise.strategies.strategy import Plan

if TYPE_CHECKING:
    from spanwise.segmenting.segmenter import Segmenter

__all__ = ["Recursive"]

_WELL_FILLED = 0.85


class Recursive(msgspec.Struct, frozen=True):
    """Paragraphs, lines, sentences, words, characters: the coarsest cut that leaves the chunk well filled.

    `separators` are literal strings in your own order, coarse to fine, in place of paragraphs, lines and sentences;
    `" "` stands for words and `""` for characters.

    `stable=True` is for those who chunk anew after an edit: the price of each cut is set by the text around it, so that
    boundaries find each other again. Chunks are filled a little less, and the whole text is needed.

    >>> import spanwise
    >>> chunks = spanwise.chunk("a|b|c, d", spanwise.Recursive(separators=("|", ", ")), max_characters=4)
    >>> [chunk.text for chunk in chunks]
    ['a|b|', 'c, d']
    """

    separators: tuple[str, ...] | None = None
    stable: bool = False

    def __post_init__(self) -> None:
        check_switch("stable", self.stable)
        if self.separators is None:
            return
        given: object = self.separators
        if (
            isinstance(given, str)
            or not isinstance(given, list | tuple)
            or not all(isinstance(each, str) for each in given)
        ):
            raise ConfigurationError(f"separators must be a sequence of strings, got {shown(self.separators)}")
        msgspec.structs.force_setattr(self, "separators", tuple(self.separators))

    def plan(self) -> Plan:
        """Fill with the strongest cut in the last part of the reach."""
        below: tuple[Segmenter, ...] = (Blanks(), Words(), Graphemes())
        if self.separators is None:
            ladder: tuple[Segmenter, ...] = (Paragraphs(), HardLines(), Sentences())
            below = (Sentences(in_quotations=True), *below)
        else:
            ladder = tuple(Delimiters(each) for each in self.separators if each not in ("", " "))
            below = below if " " in self.separators or "" not in self.separators else (Graphemes(),)
        return Plan(
            ladder=ladder or below[:1],
            below=below,
            packer=Parted(Steady(), _WELL_FILLED) if self.stable else Fill(_WELL_FILLED),
            headings_stay=self.separators is None,
            whole_words=False,
        )
