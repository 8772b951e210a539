"""After a literal delimiter: each segment owns the delimiter after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.errors import ConfigurationError, shown
from spanwise.segmenting.graphemes import is_boundary

if TYPE_CHECKING:
    from spanwise.segmenting.segmenter import Cuts

__all__ = ["Delimiters"]


class _DelimiterCuts:
    __slots__ = ("_delimiter", "_text")

    def __init__(self, text: str, delimiter: str) -> None:
        self._text = text
        self._delimiter = delimiter

    def last(self, after: int, upto: int, start: int) -> int:  # noqa: ARG002  delimited text has no units inside
        text, delimiter = self._text, self._delimiter
        if upto >= len(text):
            return max(upto, after)
        while True:
            cut = text.rfind(delimiter, max(0, after + 1 - len(delimiter)), upto) + len(delimiter)
            if cut <= after or cut < len(delimiter):
                return after
            if is_boundary(text, cut, after):
                return cut
            upto = cut - 1

    def next(self, after: int, upto: int) -> int:
        text, delimiter = self._text, self._delimiter
        begin = max(0, after + 1 - len(delimiter))
        while True:
            place = text.find(delimiter, begin, upto)
            if place < 0:
                return upto if upto >= len(text) else after
            cut = place + len(delimiter)
            if is_boundary(text, cut, after):
                return cut
            begin = place + 1


class Delimiters:
    """Cuts after each place where the delimiter stands, also where two of them share characters."""

    def __init__(self, delimiter: str) -> None:
        given: object = delimiter
        if not isinstance(given, str) or not given:
            raise ConfigurationError(f"a delimiter is a string of at least one character, got {shown(delimiter)}")
        self.delimiter = delimiter

    @property
    def name(self) -> str:
        """The delimiter as Python would write it."""
        return f"delimiter {self.delimiter!r}"

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text."""
        return _DelimiterCuts(text, self.delimiter)
