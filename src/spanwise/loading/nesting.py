"""How deep do the elements of HTML lie in one another, for a parser that closes none by itself?"""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Final

__all__ = ["is_too_deep"]

_DEEPEST: Final = 400
"""Docling's reader fails at about 480 elements, at fewer lists, and its time grows with the square of the depth."""
_DEEPEST_UNCLOSED: Final = 1_500
"""Elements that old pages leave open are read flat; it is their time alone that grows, to 2 s here."""
_LEFT_OPEN: Final = re.compile("colgroup|d[dt]|li|optgroup|option|p|t(?:body|[dhr]|foot|head)")
_EMPTY: Final = re.compile(
    "area|base|basefont|bgsound|br|col|command|embed|frame|hr|image|img|input|isindex|keygen|link|menuitem|meta|nextid|"
    "param|source|spacer|track|wbr"
)


def is_too_deep(text: str) -> bool:
    """Say whether Docling, which reads `<p>a<p>b` as one paragraph in another, would fail or take very long.

    >>> is_too_deep("<div>" * 400 + "deep"), is_too_deep("<div>" * 401 + "deep"), is_too_deep("<p>a" * 1_000)
    (False, True, False)
    """
    parser = _Depth()
    try:
        parser.feed(text)
        parser.close()
    except _TooDeepError:
        return True
    except AssertionError:  # markup that Docling refuses as well, and says so
        return False
    return False


class _TooDeepError(Exception):
    """Nothing more has to be read."""


class _Depth(HTMLParser):
    """The parser that Docling's reader of HTML uses, so that both see the same tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self._opened: list[str] = []
        self._count: Counter[str] = Counter()
        self._closed = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002  the names of the base
        if self._closed >= _DEEPEST or len(self._opened) >= _DEEPEST_UNCLOSED:
            raise _TooDeepError
        if _EMPTY.fullmatch(tag) is None:
            self._opened.append(tag)
            self._count[tag] += 1
            self._closed += _LEFT_OPEN.fullmatch(tag) is None

    def handle_endtag(self, tag: str) -> None:
        last = "" if self._count[tag] else tag
        while last != tag:
            last = self._opened.pop()
            self._count[last] -= 1
            self._closed -= _LEFT_OPEN.fullmatch(last) is None
