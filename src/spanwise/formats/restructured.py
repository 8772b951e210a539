"""Headings of reStructuredText, and the blocks that stay whole.

The rules are those of the reStructuredText Markup Specification ("Sections", "Literal Blocks", "Tables", "Explicit
Markup Blocks"), with what docutils forgives: a rule of four marks or more makes a section though it is too short.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from spanwise.formats.line_feeds import line_fed
from spanwise.formats.plain_lines import Lines, is_code, title_of
from spanwise.structure import DEEPEST_UNIT, Structure, Unit

if TYPE_CHECKING:
    from spanwise.sections import Heading

__all__ = ["looks_like_restructured", "read_restructured"]

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*$")
_GRID = re.compile(r"\+-[-+]+-\+[ \t]*$")
_SIMPLE_TABLE = re.compile(r"=+(?: +=+)+[ \t]*$")
_SIMPLE_BORDER = re.compile(r"=+[ =]*$")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]|$)")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([A-Za-z0-9][\w+:.\-]*?)[ \t]?::(?:[ \t]|$)")
_TARGET = re.compile(r"\.\.[ \t]+(?:_|\[[^\]\s]+\][ \t])|__ ")
_LITERAL = frozenset(
    str.split(
        "code code-block sourcecode literalinclude math raw parsed-literal csv-table productionlist doctest "
        "testcode testoutput testsetup graphviz digraph graph uml plantuml ipython highlight include image "
        "figure jinja prompt mermaid toctree autosummary program-output"
    )
)
_NO_TITLE = re.compile(r"[-*+•‣⁃][ \t]|:[^:\n]+:(?:[ \t]|$)|>>>|\|[ \t]|\.\.(?:[ \t]|$)|__ ")
_MARK = re.compile(r"^[^\n\w]", re.MULTILINE)


def read_restructured(text: str) -> Structure:
    """Read reStructuredText: sections by their rules, and literal blocks, directives, comments and tables as units."""
    reading = _Reading(Lines(text))
    reading.run()
    return Structure(
        format="restructured",
        headings=tuple(reading.headings),
        units=tuple(sorted(reading.units, key=lambda unit: (unit.start, -unit.end))),
    )


class _Reading:
    """One pass over the lines; what is set in belongs to the block that opened above it."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.units: list[Unit] = []
        self._styles: list[str] = []
        self._open: list[tuple[int, int, bool]] = []  # of each block: its indent, first row, whether it is verbatim
        self._expects = -1  # the indent of a paragraph that ended in "::", else -1
        self._last_ink = -1
        self._in_paragraph = False

    def run(self) -> None:
        lines = self.lines.lines
        row, size = 0, len(lines)
        while row < size:
            line = lines[row]
            words = line.strip()
            if not words:
                self._in_paragraph = False
                row += 1
                continue
            indent = self._indent(line)
            self._close(indent)
            if self._open and self._open[-1][1] < 0:  # the first line of a literal block
                self._open[-1] = (self._open[-1][0], row, True)
            if self._open and self._open[-1][2]:  # inside a literal block or the like nothing is markup
                self._last_ink = row
                row += 1
                continue
            row = self._block(row, indent, words)
        self._close(-1)

    @staticmethod
    def _indent(line: str) -> int:
        bare = line.lstrip(" \t\f\v")
        lead = line[: len(line) - len(bare)]
        return len(lead.expandtabs(8)) if "\t" in lead else len(lead)

    def _close(self, indent: int) -> None:
        """Close the blocks that what is set in by `indent` does not belong to."""
        expected = self._expects
        if expected >= 0 and not self._in_paragraph:
            self._expects = -1
            if indent > expected and len(self._open) < DEEPEST_UNIT - 1:
                self._open.append((expected, -1, True))
                return
        while self._open and indent <= self._open[-1][0]:
            _, first, _ = self._open.pop()
            self._add(first, self._last_ink)

    def _add(self, first: int, last: int) -> None:
        if 0 <= first <= last:
            self.units.append(Unit(self.lines.begin(first), self.lines.starts[last + 1]))

    def _block(self, row: int, indent: int, words: str) -> int:
        """Read what begins in a line that is no blank and stands in no verbatim block; give the next line to read."""
        begins = not self._in_paragraph
        if begins:
            end = self._table(row, words)
            if end is not None:
                self._add(row, end)
                self._last_ink = end
                return end + 1
            if _EXPLICIT.match(words) or _TARGET.match(words):
                self._explicit(row, indent, words)
                return row + 1
        if indent == 0:
            end = self._section(row, words, begins=begins)
            if end is not None:
                self._last_ink, self._in_paragraph, self._expects = end, False, -1
                return end + 1
        self._last_ink = row
        self._in_paragraph = True
        self._expects = indent if words.endswith("::") else -1
        return row + 1

    def _explicit(self, row: int, indent: int, words: str) -> None:
        """Open a directive, a comment, a footnote; a target has nothing below it."""
        self._last_ink = row
        self._in_paragraph = False
        self._expects = -1
        directive = _DIRECTIVE.match(words)
        is_target = directive is None and _TARGET.match(words) is not None
        is_empty_comment = words == ".." and self.lines.is_blank(row + 1)
        if is_empty_comment or (is_target and words.startswith((".. _", "__ "))) or len(self._open) >= DEEPEST_UNIT - 1:
            return
        verbatim = (directive is None and not is_target) or (directive is not None and directive[1].lower() in _LITERAL)
        self._open.append((indent, row, verbatim))

    # --- tables ---

    def _table(self, row: int, words: str) -> int | None:
        """Give the last line of the table that begins in a line, if one does."""
        if words[0] == "+" and _GRID.match(words):
            return self._grid_end(row)
        if words[0] == "=" and _SIMPLE_TABLE.match(words):
            return self._simple_end(row)
        return None

    def _grid_end(self, row: int) -> int | None:
        lines, last = self.lines.lines, row
        for following in range(row + 1, len(lines)):
            words = lines[following].strip()
            if words[:1] not in {"+", "|"}:
                break
            last = following
        return last if last > row + 1 else None

    def _simple_end(self, row: int) -> int | None:
        """A simple table ends at its second border below the header, or at a border before a blank line."""
        lines, borders, far = self.lines.lines, 0, self.lines.starts[row] + 65_536
        for following in range(row + 1, len(lines)):
            if self.lines.starts[following] > far:
                return None
            words = lines[following].strip()
            if words[:1] == "=" and _SIMPLE_BORDER.match(words):
                borders += 1
                if borders == 2 or self.lines.is_blank(following + 1):
                    return following
        return None

    # --- sections ---

    def _section(self, row: int, words: str, *, begins: bool) -> int | None:
        """Read the section title that begins in a line; give its last line."""
        if not begins:
            return None
        lines = self.lines.lines
        rule = _RULE.match(words)
        if rule is not None:
            return self._overlined(row, words)
        if row + 1 >= len(lines) or self._styles_of(lines[row + 1]) is None or _NO_TITLE.match(words):
            return None
        below = lines[row + 1].rstrip()
        width = _width(lines[row].rstrip())
        if len(below) < min(width, 4):
            return None
        self._heading(row, row + 1, below[0], lines[row])
        return row + 1

    @staticmethod
    def _styles_of(line: str) -> str | None:
        return line[0] if line and line[0] not in " \t" and _RULE.match(line) else None

    def _overlined(self, row: int, words: str) -> int | None:
        lines = self.lines.lines
        if row + 2 >= len(lines) or self.lines.is_blank(row + 1) or lines[row + 2].rstrip() != words:
            return None
        title = lines[row + 1].rstrip()
        if _RULE.match(title) or len(words) < min(_width(title), 4):
            return None
        self._heading(row, row + 2, words[0] * 2, title)
        return row + 2

    def _heading(self, first: int, last: int, style: str, words: str) -> None:
        if style not in self._styles:
            self._styles.append(style)
        self.headings.append(self.lines.heading(first, last, self._styles.index(style) + 1, _plain(words)))


_ROLE = re.compile(
    r":([\w:+.\-]+):`([^`<\n]+?)(?:\s*<[^`>\n]*>)?`|`([^`<\n]+?)(?:\s*<[^`>\n]*>)?`(?::[\w:+.\-]+:|__?)?"
)
_LITERAL_TEXT = re.compile(r"``([^`\n]+)``")
_STRESS = re.compile(r"(?<![\w*])(\*{1,2})(?=\S)([^*\n]+?)(?<=\S)\1(?![\w*])")
_REFERENCE = re.compile(r"\|([^|\s][^|\n]*)\|_{0,2}|(?<=\w)__?(?=\s|$)|\[[^\]\n]+\]_")
_BACKSLASH = re.compile(r"\\(.)")


def _plain(words: str) -> str:
    """Give the words of a title without roles, literal and emphasis marks."""
    if not any(mark in words for mark in "`*|_\\"):
        return title_of(words)
    plain = _LITERAL_TEXT.sub(lambda found: "\x00" + found[1].replace("`", "") + "\x00", words)
    plain = _ROLE.sub(_shown_by_role, plain)
    parts = plain.split("\x00")
    parts[::2] = [
        _BACKSLASH.sub(r"\1", _REFERENCE.sub(lambda found: found[1] or "", _STRESS.sub(r"\2", part)))
        for part in parts[::2]
    ]
    return title_of("".join(parts)) or title_of(words)


def _shown_by_role(found: re.Match[str]) -> str:
    """Give what a role shows: RFC and PEP their name, a short form where a tilde asks for it (Sphinx, "Roles")."""
    role, words = found[1], found[2] or found[3]
    if role in {"rfc", "pep"}:
        return f"{role.upper()} {words}"
    if role and words.startswith("~"):
        return str(words.rpartition(".")[2].lstrip("~"))
    return str(words.lstrip("!.") or words) if role else str(words)


def _width(words: str) -> int:
    if words.isascii():
        return len(words)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF") for letter in words
    )


_ROLES = re.compile(
    r":[a-z][\w:+\-]*:`[^`\n]+`|``[^`\n]+``|`[^`\n]+`__?\b|^\.\. _[^:\n]+:|^\.\. \[[^\]\n]+\]", re.MULTILINE
)
_MARKDOWN = re.compile(r"\n(?:```|#{1,6} \S)")
_LEAST_DIRECTIVES = 2  # beside what Markdown has as well
_DIRECTIVES = re.compile(r"^\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?[A-Za-z][\w+:.\-]*::", re.MULTILINE)


def _may_be_restructured(prefix: str) -> bool:
    """Say at little cost whether a text may have directives, or roles and no headings of Markdown."""
    if "`" not in prefix and ".." not in prefix:
        return False
    lined = line_fed(prefix)
    explicit = lined.count("\n.. ") + lined.count("\n..\t")
    if explicit == 0 and "``" not in prefix:
        return False
    return explicit >= _LEAST_DIRECTIVES or _MARKDOWN.search(lined) is None


def looks_like_restructured(prefix: str) -> bool:
    """Say whether a text has directives or roles beside section titles, as reStructuredText does."""
    if not _may_be_restructured(prefix):
        return False
    lines = Lines(prefix)
    directives = len(_DIRECTIVES.findall(lines.even))
    if (directives == 0 and "``" not in prefix) or is_code(lines.even):
        return False
    sections = len(read_restructured(prefix).headings)
    marks = directives + len(_ROLES.findall(lines.even)) + len(re.findall(r"::$", lines.even, re.MULTILINE))
    if _MARKDOWN.search("\n" + lines.even) is not None:
        return directives >= _LEAST_DIRECTIVES and sections >= 2
    return (sections >= 1 and marks >= 2) or directives >= 3
