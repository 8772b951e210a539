"""What the author built: headings, blocks, units that stay whole, tables, pages.

A reader of one format makes a `Structure` of a text. Everything is offsets in code points; what could not be read is
text, and nothing is ever lost, because a structure only says where cuts are good and where they are bad.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from spanwise.sections import Heading  # noqa: TC001  msgspec reads the annotations

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DEEPEST_UNIT", "LOOK_AHEAD", "Hidden", "Loaded", "Page", "Reader", "Structure", "Table", "Unit"]

LOOK_AHEAD = 65_536
"""What a reader says about the text before an offset hangs on at most so many characters after it."""

DEEPEST_UNIT = 64
"""How deep units may lie inside one another: what is nested deeper is text."""


class Unit(NamedTuple):
    """A span that is cut only when it alone is over the budget: a list item, a table row, a link."""

    start: int
    end: int


class Table(NamedTuple):
    """A table from `start` to `end` whose header is `text[start:rows]`."""

    start: int
    rows: int
    end: int


class Hidden(NamedTuple):
    r"""A span of markup that nobody sees on the page; `shown` stands in its place: nothing, a blank or a line end."""

    start: int
    end: int
    shown: str = ""


class Page(NamedTuple):
    """Where a page begins, and its number as printed readers count: from 1."""

    start: int
    number: int


class Structure(msgspec.Struct, frozen=True, kw_only=True):
    r"""What a reader found in one text: what a function given as `structure=` makes.

    >>> import spanwise
    >>> def read(text):
    ...     starts = [0, *(place + 1 for place, character in enumerate(text[:-1]) if character == ";")]
    ...     return Structure(format="statements", blocks=tuple(starts), strong=tuple(starts))
    >>> [chunk.text for chunk in spanwise.chunk("a = 1;b = 2;", structure=read, max_characters=8)]
    ['a = 1;', 'b = 2;']
    """

    format: str = "plain"
    """The name of the format: `markdown`, `html`, `plain` and so on."""
    headings: tuple[Heading, ...] = ()
    """Sections, in the order of their starts."""
    blocks: tuple[int, ...] | None = None
    """Where blocks begin inside which a sentence may go on: paragraphs, headings, list items, rows, lines of code.

    Ascending, the first is 0; each block goes up to the next one's start and owns the blank lines after it. None
    where the format does not say: blocks are then judged from the lines of the text.
    """
    strong: tuple[int, ...] = ()
    """Those of `blocks` that begin something new at the outermost level, such as a paragraph after a list."""
    units: tuple[Unit, ...] = ()
    """Spans that stay whole, sorted by (start, -end); two of them are nested or apart, never crossing."""
    tables: tuple[Table, ...] = ()
    """Tables with a header, in order, never nested."""
    pages: tuple[Page, ...] = ()
    """Pages in order; empty where the text has none."""
    hidden: tuple[Hidden, ...] = ()
    """Markup in order, never overlapping; empty where everything is text."""


class Reader(Protocol):
    """Reads the structure of one format; never raises, whatever the text."""

    def __call__(self, text: str) -> Structure:
        """Read a text."""


class Loaded(Protocol):
    """What a loader knows of a text that it made of a file: `Document.loaded`."""

    format: str
    """The name of the format, as in `Structure.format`."""

    def structure(self, text: str) -> Structure:
        """Give the structure of the text."""

    def metadata(self, start: int, stop: int) -> Mapping[str, object]:
        """Say what a span of the text is in the file, for the metadata of its chunk."""
