"""Whole definitions of source code where they fit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

import msgspec

from spanwise.errors import ConfigurationError, shown
from spanwise.packing.parted import Parted
from spanwise.packing.section_parts import SectionParts
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.headings import Headings
from spanwise.segmenting.lines import Lines
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.strategy import Plan

if TYPE_CHECKING:
    from spanwise.formats.reading import Reads

__all__ = ["Code"]

_MIN_FILL = 0.35


class Code(msgspec.Struct, frozen=True):
    r"""Source code is cut between definitions, each whole with its decorators and comments where it fits.

    `section` is the qualified name. Without `language` the media type tells it, which `Document.from_file` takes from
    the file name. What is over the budget is parted at its members, then at blank lines, statements, lines and words.
    It needs the extra `code`; without it, code is cut at blank lines and at column zero.

    >>> import spanwise
    >>> text = "class Pump:\n    def on(self):\n        self.runs = 1\n\n    def off(self):\n        self.runs = 0\n"
    >>> [chunk.section for chunk in spanwise.chunk(text, spanwise.Code("python"), max_tokens=20)]
    [('Pump',), ('Pump', 'off')]
    """

    language: str | None = None

    def __post_init__(self) -> None:
        given = cast("object", self.language)
        if given is not None and not (isinstance(given, str) and given.strip()):
            raise ConfigurationError(f"language must be the name of a programming language, got {shown(given)}")

    def plan(self) -> Plan:
        """Part at definitions, merge small neighbours, then fill."""
        headings = Headings()
        return Plan(
            ladder=(headings, Paragraphs(), HardLines()),
            between=(Lines(),),
            below=(Blanks(), Words()),
            packer=Parted(SectionParts(nested=True, merge=True), _MIN_FILL),
            headings=headings,
            headings_stay=True,
            reads=partial(_reads, language=self.language),
        )


def _reads(prefix: str, media_type: str, language: str | None) -> Reads | None:
    from spanwise.formats.code import code_reads  # noqa: PLC0415  it loads arrays, which nothing else here needs

    return code_reads(prefix, media_type, language)
