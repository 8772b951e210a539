"""Headings of reStructuredText, and the blocks, items and rows that stay whole.

The rules are those of the reStructuredText Markup Specification ("Sections", "Bullet Lists" to "Option Lists",
"Literal Blocks", "Tables", "Explicit Markup Blocks"), with what docutils forgives: a rule of four marks or more makes a
section though it is too short.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from spanwise.formats.plain_lines import Lines, is_code, title_of
from spanwise.patterns import lazy_pattern
from spanwise.segmenting.nested_units import nested, outermost
from spanwise.structure import DEEPEST_UNIT, Structure, Table, Unit

if TYPE_CHECKING:
    from spanwise.formats.glances import Glance
    from spanwise.sections import Heading

__all__ = ["looks_like_restructured", "read_restructured"]

_RULE = lazy_pattern(r"([!-/:-@\[-`{-~])\1*[ \t]*$")
_GRID = lazy_pattern(r"\+-[-+]+-\+[ \t]*$")
_SIMPLE_TABLE = lazy_pattern(r"=+(?: +=+)+[ \t]*$")
_SIMPLE_BORDER = lazy_pattern(r"=[ =]*+$")
_BORDER = lazy_pattern(r"\+[-+]+\+$|\+[=+]+\+$")
_EXPLICIT = lazy_pattern(r"\.\.(?:[ \t]|$)")
_DIRECTIVE = lazy_pattern(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([A-Za-z0-9][\w+:.\-]*?)[ \t]?::(?:[ \t]|$)")
_TARGET = lazy_pattern(r"\.\.[ \t]+(?:_|\[[^\]\s]+\][ \t])|__ ")
_LITERAL = frozenset(
    str.split(
        "code code-block sourcecode literalinclude math raw parsed-literal csv-table productionlist doctest "
        "testcode testoutput testsetup graphviz digraph graph uml plantuml ipython highlight include image "
        "figure jinja prompt mermaid toctree autosummary program-output index"
    )
)
_NO_TITLE = lazy_pattern(r"[-*+•‣⁃][ \t]|:[^:\n]+:(?:[ \t]|$)|>>>|\|[ \t]|\.\.(?:[ \t]|$)|__ ")
_NUMBER = r"(?:\d{1,9}|[A-Za-z]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9}|#)"
_ENUMERATOR = rf"(?:{_NUMBER}\.|\(?{_NUMBER}\))(?:[ \t]+|$)"
_ENUMERATED = lazy_pattern(_ENUMERATOR)
_ITEM = lazy_pattern(
    rf"(?:[-*+•‣⁃](?:[ \t]+|$)|(?P<number>{_ENUMERATOR})|(?P<field>:(?![: ])[^:\n]{{1,100}}:(?:[ \t]+|$))"
    r"|(?P<option>(?:--?|/)\w[^\n]{0,80}?[ ]{2,}(?=\S)))"
)
_ANCHOR = lazy_pattern(r"\.\.[ \t]+_[^\n]*:$")
_ABOUT_WHAT_FOLLOWS = frozenset({"index", "class", "rst-class", "cssclass"})
_TABLES = frozenset({"list-table", "flat-table", "csv-table"})
_HEADER_OPTION = lazy_pattern(r":header(?:-rows:[ \t]*(?P<rows>\d{1,4})|:[ \t]*\S)")
_MOST_OPTIONS = 32  # lines below the name of a directive
_FAR = 4_096  # characters: a heading further off is not what a target stands above


def read_restructured(text: str) -> Structure:
    """Read reStructuredText: sections by their rules; list items, literal blocks, directives, tables and rows as units.

    A target above a title belongs to its heading.
    """
    reading = _Reading(Lines(text))
    reading.run()
    return Structure(
        format="restructured",
        headings=tuple(reading.headings),
        units=nested(reading.units),
        tables=outermost(reading.tables),
    )


class _Block:
    """What is open: its indent and first row, and what it says of the lines in it."""

    __slots__ = (
        "content",
        "first",
        "headers",
        "indent",
        "is_about_next",
        "is_item",
        "is_odd",
        "record",
        "records",
        "rows",
        "verbatim",
    )

    def __init__(self, indent: int, first: int, *, verbatim: bool = False, is_item: bool = False) -> None:
        self.indent = indent
        self.first = first  # less than 0 until the first line of a literal block is known
        self.verbatim = verbatim
        self.is_item = is_item
        self.is_about_next = False
        self.content = -1  # the blank line below the options, if it is a table
        self.headers = -1  # how many records head the table; less than 0 if it has no header
        self.records = 0
        self.rows = -1  # where the first record below the header begins
        self.record = -1  # where the last record begins
        self.is_odd = False  # whether a quote is open in it

    def begin_record(self, row: int) -> None:
        """Count a record of a table."""
        if self.records == self.headers:
            self.rows = row
        self.records += 1
        self.record = row


class _Reading:
    """One pass over the lines; what is set in belongs to the block that opened above it."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.units: list[Unit] = []
        self.tables: list[Table] = []
        self._styles: list[str] = []
        self._open: list[_Block] = []
        self._expects = -1  # the indent of a paragraph that ended in "::", else -1
        self._last_ink = -1
        self._in_paragraph = False
        self._ahead = -1  # the first of the targets right above, which belong to what follows

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
            begins = self._close(indent) or not self._in_paragraph
            ahead, self._ahead = self._ahead, -1
            if self._open and self._open[-1].verbatim:  # inside a literal block or the like nothing is markup
                self._verbatim_line(self._open[-1], row, words)
                self._ahead = ahead if self._open[-1].is_about_next else -1
                row += 1
            else:
                row = self._block(row, indent, words, ahead, begins=begins)
        self._close(-1)

    @staticmethod
    def _indent(line: str) -> int:
        bare = line.lstrip(" \t\f\v")
        lead = line[: len(line) - len(bare)]
        return len(lead.expandtabs(8)) if "\t" in lead else len(lead)

    def _close(self, indent: int) -> bool:
        """Close the blocks that what is set in by `indent` does not belong to; say whether one was an item like it."""
        expected = self._expects
        if expected >= 0 and not self._in_paragraph:
            self._expects = -1
            if indent > expected and self._push(_Block(expected, -1, verbatim=True)):
                return False
        beside = False
        while self._open and indent <= self._open[-1].indent:
            block = self._open.pop()
            self._add(block.first, self._last_ink)
            if block.rows >= 0:
                self._add_table(block.first, block.rows, self._last_ink)
            beside = block.is_item and block.indent == indent
        return beside

    def _push(self, block: _Block) -> bool:
        """Open a block, if it is not too deep."""
        is_open = len(self._open) < DEEPEST_UNIT - 1
        if is_open:
            self._open.append(block)
        return is_open

    def _add(self, first: int, last: int) -> None:
        self.units.append(Unit(self.lines.begin(first), self.lines.starts[last + 1]))

    def _add_table(self, first: int, rows: int, last: int) -> None:
        """Add a table and its header as a unit."""
        self._add(first, rows - 1)
        self.tables.append(Table(self.lines.begin(first), self.lines.starts[rows], self.lines.starts[last + 1]))

    def _verbatim_line(self, block: _Block, row: int, words: str) -> None:
        if block.first < 0:
            block.first = row
        self._last_ink = row
        self._add(row, row)
        if 0 <= block.content < row:
            if not block.is_odd:
                block.begin_record(row)
            block.is_odd ^= words.count('"') % 2 == 1
            if not block.is_odd:
                self._add(block.record, row)

    def _block(self, row: int, indent: int, words: str, ahead: int, *, begins: bool) -> int:
        """Read what begins in a line that is no blank and stands in no verbatim block; give the next line to read."""
        if not self._in_paragraph:
            end = self._whole(row, words)
            if end is None and indent == 0:
                end = self._section(row, words, ahead)
            if end is not None:
                self._last_ink, self._in_paragraph, self._expects = end, False, -1
                return end + 1
        self._last_ink = row
        if begins:
            indent, words = self._items(row, indent, words)
            if _EXPLICIT.match(words) or _TARGET.match(words):
                self._explicit(row, indent, words, ahead)
                return row + 1
        self._in_paragraph = bool(words)
        self._expects = indent if words.endswith("::") else -1
        return row + 1

    # --- lists ---

    def _items(self, row: int, indent: int, words: str) -> tuple[int, str]:
        """Open the items that begin in a line; give what stands in the innermost and how far it is set in."""
        outer = indent
        while (found := _ITEM.match(words)) is not None:
            if found["number"] and indent == outer and not self._is_enumerated(row, indent):
                break
            if self._open and row > self._open[-1].content:
                self._open[-1].begin_record(row)
            if not self._push(_Block(indent, row, is_item=True)):
                break
            words = words[found.end() :]
            if found["field"] or found["option"]:
                return indent, words
            indent += found.end()
        if indent == outer and not _EXPLICIT.match(words) and self._set_in_below(row, indent):
            self._push(_Block(indent, row, is_item=True))
            return indent, ""
        return indent, words

    def _is_enumerated(self, row: int, indent: int) -> bool:
        """Say whether a line with a number is an item: the next line belongs to it, is another item or is blank."""
        if self.lines.is_blank(row + 1) or self._set_in_below(row, indent):
            return True
        return _ENUMERATED.match(self.lines.lines[row + 1].strip()) is not None

    def _set_in_below(self, row: int, indent: int) -> bool:
        return not self.lines.is_blank(row + 1) and self._indent(self.lines.lines[row + 1]) > indent

    # --- explicit markup ---

    def _explicit(self, row: int, indent: int, words: str, ahead: int) -> None:
        """Open a directive, a comment, a footnote; a target has nothing below it."""
        self._in_paragraph = False
        self._expects = -1
        directive = _DIRECTIVE.match(words)
        name = directive[1].lower() if directive is not None else ""
        is_target = directive is None and _TARGET.match(words) is not None
        is_about_next = indent == 0 and (
            name in _ABOUT_WHAT_FOLLOWS or (is_target and _ANCHOR.match(words) is not None)
        )
        if is_about_next:
            self._ahead = ahead if ahead >= 0 else row
        is_empty_comment = words == ".." and self.lines.is_blank(row + 1)
        if is_empty_comment or (is_target and words.startswith((".. _", "__ "))):
            return
        block = _Block(indent, row, verbatim=name in _LITERAL if name else not is_target)
        block.is_about_next = is_about_next
        if name in _TABLES:
            block.content, block.headers = self._options(row)
        self._push(block)

    # --- tables ---

    def _options(self, row: int) -> tuple[int, int]:
        """Give the line below the options of a table, and how many records head it; -1 if it has no header."""
        headers, is_named, following = 0, False, row + 1
        while following < row + _MOST_OPTIONS and not self.lines.is_blank(following):
            option = _HEADER_OPTION.match(self.lines.lines[following].strip())
            if option is not None:
                headers = int(option["rows"] or headers)
                is_named = is_named or option["rows"] is None
            following += 1
        return following, headers if headers or is_named else -1

    def _whole(self, row: int, words: str) -> int | None:
        """Give the last line of the table or the session that begins in a line, if one does."""
        end = None
        if words[0] == "+" and _GRID.match(words):
            end = self._grid(row)
        elif words[0] == "=" and _SIMPLE_TABLE.match(words):
            end = self._simple(row)
        elif words.startswith(">>> "):
            end = row
            while not self.lines.is_blank(end + 1):
                end += 1
            for line in range(row, end + 1):
                self._add(line, line)
        if end is not None:
            self._add(row, end)
        return end

    def _grid(self, row: int) -> int | None:
        """Read a grid table: a row ends with a border, the header with one of equals signs."""
        lines, last, begun, rows = self.lines.lines, row, row, -1
        for following in range(row + 1, len(lines)):
            words = lines[following].strip()
            if words[:1] not in {"+", "|"}:
                break
            last = following
            if _BORDER.match(words):
                self._add(begun, following)
                begun = following + 1
                rows = begun if words[1] == "=" and rows < 0 else rows
        if row < rows <= last:
            self._add_table(row, rows, last)
        return last if last > row + 1 else None

    def _simple(self, row: int) -> int | None:
        """A simple table ends at its second border below the header, or at a border before a blank line."""
        lines, border, far = self.lines.lines, -1, self.lines.starts[row] + 65_536
        for following in range(row + 1, len(lines)):
            if self.lines.starts[following] > far:
                return None
            words = lines[following].strip()
            if words[:1] == "=" and _SIMPLE_BORDER.match(words):
                if border >= 0 or self.lines.is_blank(following + 1):
                    self._add_simple(row, border, following)
                    return following
                border = following
        return None

    def _add_simple(self, row: int, border: int, last: int) -> None:
        """Add the rows of a simple table: a row begins where something stands in the first column."""
        if row < border < last - 1:
            self._add_table(row, border + 1, last)
        column = len(self.lines.lines[row]) - len(self.lines.lines[row].lstrip())
        begun = row if border < 0 else border + 1
        for following in range(begun + 1, last):
            first = self.lines.lines[following][column : column + 1]
            if first.strip() and first != "-" and following > row + 1:
                self._add(begun, following - 1)
                begun = following
        self._add(begun, last)

    # --- sections ---

    def _section(self, row: int, words: str, ahead: int) -> int | None:
        """Read the section title that begins in a line; give its last line."""
        lines = self.lines.lines
        rule = _RULE.match(words)
        if rule is not None:
            return self._overlined(row, words, ahead)
        if row + 1 >= len(lines) or self._styles_of(lines[row + 1]) is None or _NO_TITLE.match(words):
            return None
        below = lines[row + 1].rstrip()
        width = _width(lines[row].rstrip())
        if len(below) < min(width, 4):
            return None
        self._heading(self._from(row, ahead), row + 1, below[0], lines[row])
        return row + 1

    @staticmethod
    def _styles_of(line: str) -> str | None:
        return line[0] if line and line[0] not in " \t" and _RULE.match(line) else None

    def _overlined(self, row: int, words: str, ahead: int) -> int | None:
        lines = self.lines.lines
        if row + 2 >= len(lines) or self.lines.is_blank(row + 1) or lines[row + 2].rstrip() != words:
            return None
        title = lines[row + 1].rstrip()
        if _RULE.match(title) or len(words) < min(_width(title), 4):
            return None
        self._heading(self._from(row, ahead), row + 2, words[0] * 2, title)
        return row + 2

    def _from(self, row: int, ahead: int) -> int:
        """Give where a heading begins: with the targets right above it."""
        return ahead if ahead >= 0 and self.lines.starts[row] - self.lines.starts[ahead] <= _FAR else row

    def _heading(self, first: int, last: int, style: str, words: str) -> None:
        if style not in self._styles:
            self._styles.append(style)
        self.headings.append(self.lines.heading(first, last, self._styles.index(style) + 1, _plain(words)))


_ROLE = lazy_pattern(
    r":([\w:+.\-]{1,80}):`([^`<\n]{1,1000}?)(?:\s*<[^`>\n]{0,1000}>)?`"
    r"|`([^`<\n]{1,1000}?)(?:\s*<[^`>\n]{0,1000}>)?`(?::[\w:+.\-]{1,80}:|__?)?"
)
_LITERAL_TEXT = lazy_pattern(r"``([^`\n]+)``")
_STRESS = lazy_pattern(r"(?<![\w*])(\*{1,2})(?=\S)([^*\n]+?)(?<=\S)\1(?![\w*])")
_REFERENCE = lazy_pattern(r"\|([^|\s][^|\n]*)\|_{0,2}|(?<=\w)__?(?=\s|$)|\[[^\]\n]{1,400}+\]_")
_BACKSLASH = lazy_pattern(r"\\(.)")


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


_ROLES = lazy_pattern(
    r":[a-z][\w:+\-]{0,80}:`[^`\n]+`|``[^`\n]+``|`[^`\n]+`__?\b|^\.\. _[^:\n]+:|^\.\. \[[^\]\n]+\]", re.MULTILINE
)
_MARKDOWN = lazy_pattern(r"\n(?:```|#{1,6} \S)")
_LEAST_DIRECTIVES = 2  # beside what Markdown has as well
_DIRECTIVES = lazy_pattern(r"^\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?[A-Za-z][\w+:.\-]*::", re.MULTILINE)


def _may_be_restructured(glance: Glance) -> bool:
    """Say at little cost whether a text may have directives, or roles and no headings of Markdown."""
    lined = glance.lined
    explicit = glance.telling.count("\n.. ") + glance.telling.count("\n..\t")
    # One character is sought twenty times faster than two.
    if explicit == 0 and ("`" not in lined or "``" not in lined):
        return False
    return explicit >= _LEAST_DIRECTIVES or _MARKDOWN.search(lined) is None


def looks_like_restructured(glance: Glance) -> bool:
    """Say whether a text has directives or roles beside section titles, as reStructuredText does."""
    if not _may_be_restructured(glance):
        return False
    prefix = glance.text
    lines = glance.lines
    directives = len(_DIRECTIVES.findall(lines.even))
    if (directives == 0 and "``" not in prefix) or is_code(lines.even):
        return False
    if _MARKDOWN.search("\n" + lines.even) is not None:
        return directives >= _LEAST_DIRECTIVES and _count_of_sections(lines) >= 2
    if directives >= 3:
        return True
    marks = directives + len(_ROLES.findall(lines.even)) + len(re.findall(r"::$", lines.even, re.MULTILINE))
    return marks >= 2 and _count_of_sections(lines) >= 1


def _count_of_sections(lines: Lines) -> int:
    reading = _Reading(lines)
    reading.run()
    return len(reading.headings)
