"""Where are the tags, the comments and the text of an HTML source?

The tokenization of the HTML standard (WHATWG, section 13.2.5), with source positions. It streams: what a token is
depends on the source before it and on the token itself. One exception keeps text that no browser would show: a tag
that the text ends in is text, as long as less than `LOOK_AHEAD` characters of it are there.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from spanwise.structure import LOOK_AHEAD

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["COMMENT", "END", "RAW", "START", "TEXT", "Kind", "Token", "Tokens", "attributes_of", "is_closed_alone"]

Kind: TypeAlias = Literal["text", "start", "end", "comment", "raw"]
TEXT: Final = "text"
START: Final = "start"
END: Final = "end"
COMMENT: Final = "comment"
"""A comment, a document type, or what the standard reads as a comment: `<?xml … ?>`, `</ >`."""
RAW: Final = "raw"
"""What stands in a script, a style, a title and so on: no tags in there."""

Token: TypeAlias = tuple[Kind, int, int, str]
"""Kind, start, end, and the name: of a tag in small letters, of raw text its element's."""

_SPACE: Final = r"[\t\n\f\r ]"
_VALUE: Final = r"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)"""
_ATTRIBUTE: Final = rf"[^\t\n\f\r />][^\t\n\f\r />=]*+(?:{_SPACE}*+={_SPACE}*+{_VALUE})?+"
_TAG: Final = rf"([a-zA-Z][^\t\n\f\r />]*+)(?:[\t\n\f\r /]++|{_ATTRIBUTE})*+(?:>|(\Z))"
_COMMENT: Final = r"!--(?:-?+>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
_TOKEN = re.compile(rf"<(?:{_TAG}|/{_TAG}|({_COMMENT}|(?:[!?]|/(?!\Z))[^>]*+(?:>|\Z)))")
_START_TAG, _OPEN_START, _END_TAG, _OPEN_END, _OTHER = 1, 2, 3, 4, 5

_NAMED_ATTRIBUTE = re.compile(rf"([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:{_SPACE}*+={_SPACE}*+({_VALUE}))?+")
_TAG_NAME = re.compile(r"</?[^\t\n\f\r />]*+")

_RAW_ELEMENTS = ("script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes")
_RAW_ENDS = {name: re.compile(rf"(?i:</{name})(?=[\t\n\f\r />])") for name in _RAW_ELEMENTS}
_PLAINTEXT: Final = "plaintext"
# Script data, escaped once by `<!--` and twice by `<script` in there: sections 13.2.5.15 to 13.2.5.31.
_SCRIPT_MARK = re.compile(r"(<!--++>|-->)|(<!--)|(?i:<(/?)script)(?=[\t\n\f\r />])")


class Tokens:
    """The tokens of one source, in order and without gaps.

    Whoever reads them says after each start tag whether what follows is foreign: inside `<svg>` or `<math>` there is
    no raw text, and `<![CDATA[` means what it means in XML.
    """

    __slots__ = ("_at", "foreign", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.foreign = False
        self._at = 0

    def __iter__(self) -> Iterator[Token]:
        return chain.from_iterable(iter(self._until_raw_text_or_end, None))

    def _until_raw_text_or_end(self) -> Iterator[Token] | None:
        return self._until_raw_text() if self._at < len(self.text) else None

    def _until_raw_text(self) -> Iterator[Token]:
        """Yield tokens up to one after which tokens are found by another rule; `_at` is where to go on."""
        text, at = self.text, self._at
        for match in _TOKEN.finditer(text, at):
            start, end = match.span()
            kind = match.lastindex
            if kind in {_OPEN_START, _OPEN_END} and len(text) - start < LOOK_AHEAD:
                break
            if start > at:
                yield TEXT, at, start, ""
            at = end
            if kind in {_START_TAG, _OPEN_START}:
                name = match[1].lower()
                yield START, start, end, name
                if (name in _RAW_ENDS or name == _PLAINTEXT) and not self.foreign:
                    self._at = at = self._raw_end(name, end)
                    if at > end:
                        yield RAW, end, at, name
                    return
            elif kind == _OTHER:
                if self.foreign and text.startswith("<![CDATA[", start):
                    yield from self._character_data(start)
                    return
                yield COMMENT, start, end, ""
            else:
                yield END, start, end, match[3].lower()
        if at < len(text):
            yield TEXT, at, len(text), ""
        self._at = len(text)

    def _raw_end(self, name: str, start: int) -> int:
        if name == "script":
            return _script_end(self.text, start)
        match = _RAW_ENDS[name].search(self.text, start) if name != _PLAINTEXT else None
        return match.start() if match is not None else len(self.text)

    def _character_data(self, start: int) -> Iterator[Token]:
        """Yield the marks of `<![CDATA[ … ]]>` as comments and what they hold as text."""
        inner = start + len("<![CDATA[")
        yield COMMENT, start, inner, ""
        close = self.text.find("]]>", inner)
        inner_end = close if close >= 0 else len(self.text)
        if inner_end > inner:
            yield TEXT, inner, inner_end, ""
        self._at = inner_end
        if close >= 0:
            self._at += len("]]>")
            yield COMMENT, close, self._at, ""


def _script_end(text: str, start: int) -> int:
    escaped = doubly = False
    for match in _SCRIPT_MARK.finditer(text, start):
        closed, opened, slash = match.groups()
        if closed:
            escaped = doubly = False
        elif opened:
            escaped = True
        elif not slash:
            doubly = escaped
        elif not doubly:
            return match.start()
        else:
            doubly = False
    return len(text)


def attributes_of(text: str, start: int, end: int) -> dict[str, str]:
    """Read the attributes of a tag, names in small letters; of two with the same name the first holds."""
    name = _TAG_NAME.match(text, start, end)
    found: dict[str, str] = {}
    for match in _NAMED_ATTRIBUTE.finditer(text, name.end() if name is not None else start, end):
        value = match[2] or ""
        found.setdefault(match[1].lower(), value.strip(value[0]) if value[:1] in {'"', "'"} else value)
    return found


def is_closed_alone(text: str, end: int) -> bool:
    """Say whether the tag that ends at `end` is written `<name/>`."""
    return text.endswith("/>", 0, end)
