"""What stands before a chunk where it is indexed: its section path or signatures, the header of its table.

A context is counted with the text, as one string. It takes at most a quarter of the budget: the outermost headings go
first, and what is still too large is left out; text never is.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from spanwise.counting.measure import ProbedMeasure
from spanwise.whitespace import INK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.counting import Counter
    from spanwise.packing.budget import Budget
    from spanwise.sections import Outline
    from spanwise.structure import Table

__all__ = ["SHARE", "Contexts"]

SHARE = 4
"""A context takes at most one part in so many of the budget."""

_FURTHEST_INK = 4_096  # white space that is longer makes chunks of its own
_BETWEEN_TITLES = " > "
_AFTER_PATH = "\n\n"


class Contexts:
    """The contexts of the chunks of one text."""

    def __init__(
        self,
        text: str,
        counter: Counter,
        budget: Budget,
        *,
        outline: Outline | None,
        tables: Sequence[Table],
    ) -> None:
        self._text = text
        self._counter = counter
        self._most_tokens = None if budget.max_tokens is None else budget.max_tokens // SHARE
        self._most_characters = None if budget.max_characters is None else budget.max_characters // SHARE
        self._outline = outline
        self._tables = tables
        self._starts = [table.start for table in tables]
        self._last: tuple[tuple[tuple[str, ...], bool, str] | None, str] = (None, "")
        self._size = ("", 0)

    def at(self, fresh: int) -> str:
        """Give the context of a chunk whose new text begins at `fresh`."""
        path, signed = self._path(fresh)
        header = self._header(fresh)
        if self._last[0] != (path, signed, header):
            self._last = (path, signed, header), self._shortened(path, header, signed=signed)
        return self._last[1]

    def size(self, text: str) -> int:
        """Count a text alone."""
        if not text:
            return 0
        if self._size[0] != text:
            self._size = text, ProbedMeasure(self._counter, text).count(0, len(text))
        return self._size[1]

    def _path(self, fresh: int) -> tuple[tuple[str, ...], bool]:
        """Give the path of the first text from an offset on, of what stands below its first headings.

        Where sections have signatures, give these, and True.
        """
        outline, text = self._outline, self._text
        if outline is None:
            return (), False
        found = INK.search(text, fresh, fresh + _FURTHEST_INK)
        first = fresh if found is None else found.start()
        place = min(outline.text_from(first), len(text) - 1)
        signatures = outline.signatures_at(place)
        return (signatures, True) if signatures else (outline.path_at(place), False)

    def _header(self, fresh: int) -> str:
        """Give the header rows of the table among whose rows an offset lies."""
        place = bisect_right(self._starts, fresh) - 1
        if place < 0:
            return ""
        table = self._tables[place]
        return self._text[table.start : table.rows] if table.rows <= fresh < table.end else ""

    def _shortened(self, path: tuple[str, ...], header: str, *, signed: bool) -> str:
        between, after = ("\n", "\n") if signed else (_BETWEEN_TITLES, _AFTER_PATH)
        paths = [between.join(path[kept:]) + after for kept in range(len(path))]
        candidates = [*(titles + header for titles in paths), header]
        if header:
            candidates += paths
        return next(filter(self._is_short, candidates), "")

    def _is_short(self, context: str) -> bool:
        if self._most_characters is not None and len(context) > self._most_characters:
            return False
        return self._most_tokens is None or self.size(context) <= self._most_tokens
