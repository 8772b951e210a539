"""Cuts between the members and elements of JSON, and key paths as sections; no value is ever written anew.

Read as RFC 8259 says, and what JSONC and JSON5 add: comments, a comma after the last value, single-quoted strings,
names without quotes, NaN and its like. Values may follow one another without a comma, inside a container and outside.
Reading ends at the first mistake: what was read stands, and each line after it is a block of text.

* A block begins with each member and element, at the start of its line where only white space or comments stand before
  it. An opening bracket stays with the first value in it, a closing one, a comma and the comment on the line with the
  last: no block begins there.
* A member whose value is a container with something in it begins a section, from its key to the closing bracket; if
  it is the first of a document, from the bracket before it. An element of an array has no name, so it begins none, and
  the path of what it holds is that of the keys around it.
* Members, containers, keys and values are units, with the indentation before and the comma after a member.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading
from spanwise.structure import DEEPEST_UNIT, LOOK_AHEAD, Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_json", "read_json_lines"]

_NEAR = LOOK_AHEAD // 2
"""What lies further ahead is not looked for: units are at most this long, and a gap inside one."""

_IN_DOCUMENT = 2  # containers around what is in a member of the outermost one, itself counted
_DEEPEST_CONTAINER = DEEPEST_UNIT - 3  # leaves room for a record around it, a member in it, and a string in that
_SHORTEST_UNIT = 4  # characters: no cut falls inside what is shorter
_LONGEST_TITLE = 300
_LONGEST_KEY = 4_000  # characters as written, with escapes and blanks

_BLANKS = r"[ \t\r\n]*+"
_COMMENT = r"//[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)"
_GAP = (
    rf"{_BLANKS}(?:(?:{_COMMENT}|[\v\f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\x1e]){_BLANKS})*+"
)
_STRING = "|".join(
    rf"{quote}[^{quote}\\\r\n]*+(?:\\.[^{quote}\\\r\n]*+)*+{quote}"
    # Line ends in a string are a mistake that many make; but where its end is followed by text, it had none.
    rf"|{quote}[^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+{quote}(?=[ \t]{{0,8}}+(?:[,:\]}}\r\n]|\Z))"
    for quote in ('"', "'")
)
_NAME = rf"{_STRING}|[\w$\-]++"
_SCALAR = (
    rf"{_STRING}|(?:[-+]?+(?:\.?+\d[\w.+\-]*+|Infinity|NaN)|true|false|null|undefined|True|False|None)"
    r"""(?![^\s,:\[\]{}"'/])"""
)
_LINE_REST = r"[ \t]*+(?://[^\r\n]*+|/\*[^*\r\n]*+\*/[ \t]*+(?=[\r\n]|\Z))?+(?:[ \t]*+(?:\r\n?+|\n))*+"
_TAIL = f"(?:{_GAP},)?+(){_LINE_REST}"

_KEY, _OPENED, _SCALAR_VALUE, _VALUE_ENDED, _CLOSED, _CONTAINER_ENDED = range(1, 7)
"""The groups of a pattern for what may stand next; the last of them that took part says what it was."""


def _next_of(key: str, closing: str) -> re.Pattern[str]:
    return re.compile(
        rf"{_GAP}(?:{key}(?:([\[{{]){_LINE_REST}|({_SCALAR}){_TAIL})|({closing}){_TAIL})",
        re.DOTALL,
    )


_MEMBER = _next_of(rf"({_NAME}){_GAP}:{_GAP}", r"\}")
_ELEMENT = _next_of("()", r"\]")
_DOCUMENT = _next_of("()", r"(?!)")
_INSIDE = {"{": _MEMBER, "[": _ELEMENT}
_ANY_GAP = lazy_pattern(_GAP)
_LINE_ENDS = lazy_pattern(r"(?:\r\n?+|\n)(?:[ \t]*+(?:\r\n?+|\n))*+")
_LINE = lazy_pattern(r"[^\r\n]*+(?:\r\n?+|\n)?+")
_ESCAPES = lazy_pattern(r"((?:\\u[0-9A-Fa-f]{4})++)|\\x([0-9A-Fa-f]{2})|\\(\r\n|.)", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0", "\n": "", "\r": "", "\r\n": ""}


def read_json(text: str) -> Structure:
    """Read JSON, also with comments, or several JSON values one after another."""
    reader = _Reader(text, strong_depth=1)
    reader.add_lines(reader.read(0, len(text)))
    return reader.structure("json")


def read_json_lines(text: str) -> Structure:
    """Read JSON Lines: each line is a record, and a mistake in one is no matter to the next."""
    reader = _Reader(text, strong_depth=-1)
    for line, end in _records(text):
        reader.read_record(line, end)
    return reader.structure("json_lines")


def _records(text: str) -> Iterator[tuple[int, int]]:
    """Give where each line that is not blank begins, and where the last character in it ends."""
    start, size = 0, len(text)
    while start < size:
        end = text.find("\n", start)
        end = size if end < 0 else end
        content = text[start:end].rstrip(" \t\r")
        if content:
            yield start, start + len(content)
        start = end + 1


class _Reader:
    """Collects the structure of one text."""

    def __init__(self, text: str, strong_depth: int) -> None:
        self._text = text
        self._strong_depth = strong_depth
        self._blocks = [0] if text else []
        self._strong = self._blocks.copy()
        self._unit_starts: list[int] = []
        self._unit_ends: list[int] = []  # 0 where a span turned out to be no unit
        self._sections: list[tuple[int, int, int, str]] = []
        self._section_ends: list[int] = []
        self._titles: dict[str, str] = {}
        self._around: list[re.Pattern[str]] = []  # what may stand in each container around, outermost first
        self._open_units: list[int] = []  # for the containers that are not too deep: places in the lists above
        self._open_sections: list[int] = []
        self._named: tuple[int, int, int, str] | None = None  # a section, if there is something in its container
        self._path_length = 0

    def structure(self, name: str) -> Structure:
        """Give what was read."""
        sections = zip(self._sections, self._section_ends, strict=True)
        units = zip(self._unit_starts, self._unit_ends, strict=True)
        return Structure(
            format=name,
            headings=tuple([Heading(*section, until) for section, until in sections]),
            blocks=tuple(self._blocks),
            strong=tuple(self._strong),
            units=tuple([Unit(start, end) for start, end in units if end]),
        )

    def add_lines(self, position: int) -> None:
        """Begin a block with each line after a position."""
        size = len(self._text)
        self._blocks += [found.end() for found in _LINE_ENDS.finditer(self._text, position) if found.end() < size]

    def read_record(self, line: int, end: int) -> None:
        """Read a record that is a line."""
        record = len(self._unit_starts)
        if record:  # else it is the first, whose block begins with the text
            self._blocks.append(line)
            self._strong.append(line)
        self._add_unit(line, end if end - line <= _NEAR else 0)
        self.read(line, end)
        value = record + 1
        if self._unit_starts[value : value + 1] == [line] and self._unit_ends[record] == self._unit_ends[value]:
            del self._unit_starts[value], self._unit_ends[value]

    def read(self, position: int, stop: int) -> int:
        """Read values up to the first mistake, and give where that is, or `stop`."""
        text, around, near = self._text, self._around, _NEAR
        expected, first = _DOCUMENT, True
        while (found := expected.match(text, position, stop)) is not None:
            kind = found.lastindex
            if kind == _CONTAINER_ENDED:
                self._close(found)
                expected, first = around.pop(), False
            elif found.end() - position > near and self._is_mistaken(found):
                break
            else:
                begin = self._begin(position, found.start(_KEY), first=first)
                first = kind == _OPENED
                if first:
                    around.append(expected)
                    self._open(found, begin)
                    expected = _INSIDE[found[_OPENED]]
                elif len(around) <= _DEEPEST_CONTAINER:
                    self._add_scalar(found, begin)
            position = found.end()
        return self._stop(position, stop, first=first)

    def _is_mistaken(self, found: re.Match[str]) -> bool:
        """Say whether a string goes over lines without an end that is near, or a value is far from its key."""
        for start, end in (found.span(_KEY), found.span(_SCALAR_VALUE)):
            if end - start > _NEAR and max(self._text.find("\n", start, end), self._text.find("\r", start, end)) >= 0:
                return True
        return max(found.start(_OPENED), found.start(_SCALAR_VALUE)) - found.end(_KEY) > _NEAR

    def _begin(self, position: int, ink: int, *, first: bool) -> int:
        """Begin a member or element after `position`, with the white space and comments before it if they are short."""
        begin = position if ink - position <= _NEAR else ink
        if first:
            self._begin_section(ink)
        else:
            self._blocks.append(begin)
            if len(self._around) <= self._strong_depth:
                self._strong.append(begin)
        return begin

    def _begin_section(self, ink: int) -> None:
        """Begin the section of a container now that something is in it."""
        named, self._named = self._named, None
        if named and ink - named[0] <= _NEAR:
            self._open_sections[-1] = len(self._sections)
            self._path_length += 1
            self._sections.append(named)
            self._section_ends.append(0)

    def _add_unit(self, start: int, end: int) -> None:
        self._unit_starts.append(start)
        self._unit_ends.append(end)

    def _add_scalar(self, found: re.Match[str], begin: int) -> None:
        start, key_end = found.span(_KEY)
        value, end = found.span(_SCALAR_VALUE)
        if end - begin > _NEAR:
            return
        if key_end > start:
            self._add_unit(begin, _with_comma(end, found.end(_VALUE_ENDED)))
            if key_end - start >= _SHORTEST_UNIT:
                self._add_unit(start, key_end)
        if end - value >= _SHORTEST_UNIT:
            self._add_unit(value, end)

    def _open(self, found: re.Match[str], begin: int) -> None:
        if len(self._around) > _DEEPEST_CONTAINER:
            return
        start, key_end = found.span(_KEY)
        end = found.end(_OPENED)
        self._open_units.append(len(self._unit_starts))
        self._open_sections.append(-1)
        self._add_unit(begin, 0)
        if key_end > start:
            if key_end - start >= _SHORTEST_UNIT and end - begin <= _NEAR:
                self._add_unit(start, key_end)
            title = self._title(self._text[start:key_end]) if key_end - start <= _LONGEST_KEY else ""
            self._named = (self._section_start(begin, end), end, self._path_length + 1, title) if title else None

    def _section_start(self, begin: int, end: int) -> int:
        """Let the first section of a document begin with the bracket around all: a chunk from there stands under it."""
        document = self._unit_starts[self._open_units[0]]
        if len(self._around) == _IN_DOCUMENT == self._strong_depth + 1 and self._blocks[-1] == document:
            return document if end - document <= _NEAR // 2 else begin
        return begin

    def _close(self, found: re.Match[str]) -> None:
        self._named = None
        if len(self._around) > _DEEPEST_CONTAINER:
            return
        unit, end = self._open_units.pop(), found.end(_CLOSED)
        length = end - self._unit_starts[unit]
        if _SHORTEST_UNIT <= length <= _NEAR:
            self._unit_ends[unit] = _with_comma(end, found.end(_CONTAINER_ENDED))
        self._close_section(end)

    def _close_section(self, end: int) -> None:
        section = self._open_sections.pop()
        if section >= 0:
            self._section_ends[section] = end
            self._path_length -= 1

    def _stop(self, position: int, stop: int, *, first: bool) -> int:
        """Close what is open: it goes up to the end of the line that could not be read."""
        mistake = _end_of(_ANY_GAP, self._text, position, stop)
        if mistake < stop:
            self._begin(position, mistake, first=first)
        end = _end_of(_LINE, self._text, mistake, stop)
        while self._open_sections:
            self._close_section(end)
        self._open_units.clear()
        self._around.clear()
        self._named = None
        return mistake

    def _title(self, key: str) -> str:
        title = self._titles.get(key)
        if title is None:
            title = self._titles[key] = _decoded(key)
        return title


def _with_comma(end: int, with_comma: int) -> int:
    return with_comma if with_comma - end <= _NEAR else end


def _end_of(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int:
    found = pattern.match(text, start, stop)
    return found.end() if found else start


def _decoded(key: str) -> str:
    """Give the title that a key makes: empty if it is blank, or too long to stand on every chunk."""
    if key[0] in "\"'":
        key = key[1:-1]
    if "\\" in key:
        key = _ESCAPES.sub(_characters, key)
    title = " ".join(key.split())
    return title if len(title) <= _LONGEST_TITLE else ""


def _characters(escapes: re.Match[str]) -> str:
    if units := escapes[1]:
        # Two of them make one character beyond U+FFFF (RFC 8259, section 7); one alone stays what it is.
        return bytes.fromhex(units.replace("\\u", "")).decode("utf-16-be", "surrogatepass")
    if code := escapes[2]:
        return chr(int(code, 16))
    return _ESCAPED.get(escapes[3], escapes[3])
