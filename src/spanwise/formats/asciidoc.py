"""Headings of AsciiDoc, and its delimited blocks as units.

The rules are those of the AsciiDoc language documentation ("Section Titles and Levels", "Delimited Blocks"): one to six
equals signs and a blank before a title, or a title with a rule of its own length below it; not inside delimited blocks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spanwise.formats.line_feeds import line_fed
from spanwise.formats.plain_lines import Lines, title_of
from spanwise.structure import DEEPEST_UNIT, Structure, Unit

if TYPE_CHECKING:
    from spanwise.sections import Heading

__all__ = ["looks_like_asciidoc", "read_asciidoc"]

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
_RULES = "=-~^+"  # of two-line titles, from the outermost level
_TWO_LINE_TITLE = re.compile(r"(?=[^.\s])[^\n]*?\w")
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|[|,:!]={3,})$|(`{3})[\w+#\-]*$")
_VERBATIM = "-.+/`|,:!"  # what stands in these blocks is never a section; `--` is an open block
_ATTACHED = re.compile(
    r"\[.*\]$|\.[^\s.].*$|:!?[\w][\w-]*!?:(?:[ \t]|$)|//(?!/)|<<<$|ifdef::|ifndef::|endif::|ifeval::|include::"
)
_INTERESTING = re.compile(r"^(?:[=#\-.*_+/~^`]{2,}|[|,:!]={3}|={1,6}[ \t]|#{1,6}[ \t])[^\n]*$", re.MULTILINE)


def read_asciidoc(text: str) -> Structure:
    """Read AsciiDoc: section titles as headings, delimited blocks as units."""
    reading = _Reading(Lines(text))
    reading.run()
    units = tuple(sorted(reading.units, key=lambda unit: (unit.start, -unit.end)))
    return Structure(format="asciidoc", headings=tuple(reading.headings), units=units)


class _Reading:
    """One pass over the lines that may be titles, rules or delimiters."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.units: list[Unit] = []
        self._open: list[tuple[str, int]] = []
        self._last = -1  # the last line of a title or a delimiter

    def run(self) -> None:
        for found in _INTERESTING.finditer(self.lines.even):
            row = self.lines.line_at(found.start())
            if row > self._last:
                self._line(row, self.lines.lines[row].rstrip())

    def _line(self, row: int, words: str) -> None:
        if self._open and self._is_end(words):
            self._close(row, words)
            return
        if self._open and self._open[-1][0][0] in _VERBATIM and self._open[-1][0] != "--":
            return
        if not self._open and self._is_two_line_title(row, words):
            return
        delimiter = _DELIMITER.match(words)
        if delimiter is not None:
            if len(self._open) < DEEPEST_UNIT:
                self._open.append(("```" if delimiter[1] else words, row))
                self._last = row
            return
        title = _TITLE.match(words)
        if title is not None and not self._open and self._begins_block(row):
            marks, said = title.groups()
            self._add(row, row, len(marks), said.removesuffix(f" {marks}"))

    def _is_end(self, words: str) -> bool:
        """Say whether a line ends the innermost block, or one around it if the innermost is no verbatim block."""
        if words == self._open[-1][0]:
            return True
        innermost = self._open[-1][0]
        is_verbatim = innermost[0] in _VERBATIM and innermost != "--"
        return not is_verbatim and any(words == delimiter for delimiter, _ in self._open)

    def _close(self, row: int, words: str) -> None:
        while self._open:
            delimiter, first = self._open.pop()
            if delimiter == words:
                self.units.append(Unit(self.lines.begin(first), self.lines.starts[row + 1]))
                break
        self._last = row

    def _is_two_line_title(self, row: int, words: str) -> bool:
        """Read a title whose rule is in this line, if it is one."""
        mark, above = words[0], row - 1
        if mark not in _RULES or words != mark * len(words) or above <= self._last or self.lines.is_blank(above):
            return False
        title = self.lines.lines[above].rstrip()
        if abs(len(title) - len(words)) > 1 or not _TWO_LINE_TITLE.match(title) or not self._begins_block(above):
            return False
        self._add(above, row, _RULES.index(mark) + 1, title)
        return True

    def _add(self, first: int, last: int, level: int, words: str) -> None:
        title = title_of(_plain(words))
        if title:
            self.headings.append(self.lines.heading(first, last, level, title))
            self._last = last

    def _begins_block(self, row: int) -> bool:
        """Say whether no paragraph stands right above a line."""
        above = row - 1
        return above == self._last or self.lines.is_blank(above) or _ATTACHED.match(self.lines.lines[above]) is not None


_ANCHOR = re.compile(r"\[\[[^\]\n]*\]\]|\[#[^\]\n]*\](?=\s|$)|anchor:[^\[\s]+\[[^\]\n]*\]")
_MARKS = re.compile(r"(`\+|\+`)|(?<![\w`])(`{1,2}|\*{1,2}|_{1,2}|#{1,2})(?=\S)([^`*#\n]+?)(?<=\S)\2(?![\w`])")
_LINK = re.compile(r"(?:link:|https?://|xref:)[^\s\[]+\[([^\]\n]*)\]")


def _plain(words: str) -> str:
    """Give the words of a title without anchors, links and marks of emphasis."""
    if not any(mark in words for mark in "[`*_#+"):
        return words
    words = _LINK.sub(r"\1", _ANCHOR.sub("", words))
    return _MARKS.sub(lambda found: found[3] or "", words)


_EVIDENCE = re.compile(
    r"^\[(?:source|listing|NOTE|TIP|WARNING|IMPORTANT|CAUTION|quote|verse|cols|options|\[|#|\.|%|appendix|discrete)[^\n]*\]$"
    r"|^:[a-z][\w-]*:(?: |$)|^(?:include|ifdef|ifndef|image|toc)::|(?:\b(?:link|xref|image|kbd|footnote):[^\s\[]*\[)"
    r"|^\|={3,}$|^<<[^>\n]+>>|^(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION): ",
    re.MULTILINE,
)


def looks_like_asciidoc(prefix: str) -> bool:
    """Say whether a text has titles with equals signs and something else that only AsciiDoc has."""
    if "= " not in prefix or "\n=" not in line_fed(prefix):
        return False
    lines = Lines(prefix)
    marked = [heading for heading in read_asciidoc(prefix).headings if lines.even[heading.start] == "="]
    evidence = len(_EVIDENCE.findall(lines.even))
    if re.search(r"^#{1,6} \S", lines.even, re.MULTILINE) and evidence < 3:
        return False
    return (len(marked) >= 2 and evidence >= 1) or (len(marked) >= 1 and evidence >= 2)
