"""Headings of AsciiDoc, and its blocks, list items and table rows as units.

The rules are those of the AsciiDoc language documentation ("Section Titles and Levels", "Delimited Blocks", "Lists",
"Tables"): one to six equals signs and a blank before a title, or a title with a rule of its own length below it; not
inside delimited blocks. Lines of attributes, anchors and block titles belong to what follows them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spanwise.formats.plain_lines import Lines, title_of
from spanwise.patterns import lazy_pattern
from spanwise.segmenting.nested_units import nested, outermost
from spanwise.structure import DEEPEST_UNIT, Structure, Table, Unit

if TYPE_CHECKING:
    from spanwise.formats.glances import Glance
    from spanwise.sections import Heading

__all__ = ["looks_like_asciidoc", "read_asciidoc"]

_TITLE = lazy_pattern(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
_EQUALS = lazy_pattern(r"={1,6}[ \t]")
_EQUALS_LINE = lazy_pattern(r"\n\ufeff?={1,6}[ \t]")
_RULES = "=-~^+"  # of two-line titles, from the outermost level
_TWO_LINE_TITLE = lazy_pattern(r"(?=[^.\s])[^\n]*?\w")
_DELIMITER = lazy_pattern(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|[|,:!]={3,})$|(`{3})[\w+#\-]*$")
_TABLE = "|,:!"
_VERBATIM = "-.+/`"  # what stands in these blocks is neither a section nor a list; `--` is an open block
_ATTACHED = lazy_pattern(
    r"\[.*\]$|\.[^\s.].*$|:!?[\w][\w-]*!?:(?:[ \t]|$)|//(?!/)|<<<$|ifdef::|ifndef::|endif::|ifeval::|include::"
)
_ATTRIBUTES = lazy_pattern(r"\[(?:[\w.#,\"'%][^\n]*|\[[^\[\]\n]*\])?\]$")
_BLOCK_TITLE = lazy_pattern(r"\.[^\s.]")
_NOT_SHOWN = lazy_pattern(r"//(?!/)|:!?\w[\w-]*!?:(?:[ \t]|$)|(?:ifdef|ifndef|endif|ifeval|include)::")
_VERBATIM_STYLE = lazy_pattern(r"^\[(?:source|listing|literal|verse|,)", re.MULTILINE)
_ITEM = lazy_pattern(
    r"[ \t]*+(?:(?P<sign>\*{1,32}|-|\.{1,32})|\d{1,9}(?P<number>\.)|[A-Za-z](?P<letter>\.)|[ivxIVX]{1,8}(?P<roman>\))"
    r"|(?P<callout><)(?:\d{1,4}|\.)>)[ \t]+(?=\S)"
)
_TERM = lazy_pattern(r"[ \t]*+(?!//)\S[^\n]{0,400}?(?P<sign>:{2,4}|;;)(?:[ \t]+(?=\S)|$)")
_HEADER = lazy_pattern(r"%header\b|\bopt(?:ion)?s=(?:\"[^\"\]\n]*\bheader\b|header\b)")
_NO_HEADER = lazy_pattern(r"%noheader\b|\bopt(?:ion)?s=(?:\"[^\"\]\n]*\bnoheader\b|noheader\b)")
_COLUMNS = lazy_pattern(r"\bcols=(?:\"([^\"\n]*)\"|([^\s,\]]*))")
_REPEATED = lazy_pattern(r"(\d{1,3})\*")
_FORMAT = lazy_pattern(r"\bformat=\"?(?:csv|tsv|dsv)")
_CELLS = {
    mark: lazy_pattern(
        r"(?:(?<!\S)(?:(?P<wide>\d{1,3})?(?:\.(?P<high>\d{1,2}))?(?P<by>[+*]))?[<^>]?(?:\.[<^>])?[a-z]?)?(?<!\\)"
        + re.escape(mark)
    )
    for mark in "|!"
}
_MOST_COLUMNS = 1_000
_FAR = 4_096  # characters: what is further off is not what attributes stand above


def read_asciidoc(text: str) -> Structure:
    """Read AsciiDoc: section titles as headings; delimited blocks, list items, table rows, lines of code as units."""
    reading = _Reading(Lines(text))
    reading.run()
    return Structure(
        format="asciidoc",
        headings=tuple(reading.headings),
        units=nested(reading.units),
        tables=outermost(reading.tables),
    )


class _Rows:
    """The rows of a table, told by the number of cells; those that one cell reaches over are one."""

    __slots__ = ("cells", "columns", "filled", "first", "has_header", "is_odd", "starts", "taken")

    def __init__(self, first: int, delimiter: str, attributes: str) -> None:
        self.first = first
        self.cells = None if _FORMAT.search(attributes) is not None else _CELLS.get(delimiter[0])
        named = _COLUMNS.search(attributes)
        self.columns = _count_of_columns(named[1] or named[2] or "") if named is not None else 0
        is_plain = _NO_HEADER.search(attributes) is not None
        is_headed = _HEADER.search(attributes) is not None
        self.has_header = None if not is_plain and not is_headed else is_headed
        self.starts: list[int] = []
        self.filled = 0  # cells of the row so far
        self.taken: list[int] = []  # of the next rows: cells that reach down into them
        self.is_odd = False  # whether a quote is open

    def read(self, row: int, line: str, *, is_second: bool) -> None:
        """Read a line of the table; the second one tells whether the first is a header, if no attribute does."""
        if is_second and self.has_header is None:
            self.has_header = not line.strip() and len(self.starts) == 1 and self.filled == 0 and not self.is_odd
        if not line.strip():
            return
        if self.cells is None:
            if not self.is_odd:
                self.starts.append(row)
            self.is_odd ^= line.count('"') % 2 == 1
            return
        cells = list(self.cells.finditer(line))
        if cells and self.filled == 0 and not line[: cells[0].start()].strip():
            self.starts.append(row)
        if self.columns == 0:
            self.columns = min(max(1, sum(_width(cell) for cell in cells)), _MOST_COLUMNS)
        for cell in cells:
            self._fill(cell)

    def _fill(self, cell: re.Match[str]) -> None:
        repeated = int(cell["wide"] or 1) if cell["by"] == "*" else 1
        wide = _width(cell) // max(1, repeated)
        for below in range(int(cell["high"] or 1) - 1 if cell["by"] == "+" else 0):
            if below == len(self.taken):
                self.taken.append(0)
            self.taken[below] += wide
        self.filled += wide * repeated
        while self.filled >= self.columns:
            self.filled -= self.columns
            self.filled += self.taken.pop(0) if self.taken else 0


def _width(cell: re.Match[str]) -> int:
    return int(cell["wide"] or 1) if cell["by"] else 1


def _count_of_columns(columns: str) -> int:
    count = 0
    for column in re.split("[,;]", columns):
        repeated = _REPEATED.match(column.strip())
        count += int(repeated[1]) if repeated is not None else 1
    return min(count, _MOST_COLUMNS)


class _Open:
    """A block or a list item that is open: its delimiter or marker, and its first line with what is attached to it."""

    __slots__ = ("first", "is_item", "mark", "row", "rows")

    def __init__(self, mark: str, first: int, row: int, *, is_item: bool = False) -> None:
        self.mark = mark
        self.first = first
        self.row = row
        self.is_item = is_item
        self.rows: _Rows | None = None

    @property
    def is_verbatim(self) -> bool:
        return not self.is_item and self.mark[0] in _VERBATIM and self.mark != "--"


class _Reading:
    """One pass over the lines."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.units: list[Unit] = []
        self.tables: list[Table] = []
        self._open: list[_Open] = []
        self._blocks = 0  # how many of what is open are blocks
        self._last = -1  # the last line of a title or a delimiter
        self._last_ink = -1  # the last line of text, not of attributes, which belong to what follows
        self._attached = -1  # the first line of attributes right above
        self._paragraph = -1  # the first line of the paragraph, with its attributes
        self._is_verbatim = False  # whether the lines of the paragraph stand as they are
        self._blanks = 0
        self._goes_on = False  # whether what follows belongs to the list item
        self._listing = -1  # where the last listing begins
        self._callouts = -1  # where it ends, or the last of its callouts

    def run(self) -> None:
        row, size = 0, len(self.lines.lines)
        while row < size:
            words = self.lines.lines[row].rstrip()
            top = self._open[-1] if self._open else None
            if top is not None and (top.is_verbatim or top.rows is not None):
                self._line_in(top, row, words)
                row += 1
            elif words:
                row = self._line(row, words) + 1
                self._blanks = 0
            else:
                self._end_paragraph()
                self._blanks += 1
                row += 1
        self._end_paragraph()
        self._end_items()
        self._end_listing()

    def _line_in(self, block: _Open, row: int, words: str) -> None:
        """Read a line of a block in which nothing is markup, or of a table."""
        if words == block.mark:
            self._close(row, words)
        elif block.rows is not None:
            block.rows.read(row, words, is_second=row == block.row + 2)
        elif words:
            self._add_unit(row, row)

    def _line(self, row: int, words: str) -> int:
        """Read a line that is no blank; give the last line that was read."""
        if any(words == block.mark and not block.is_item for block in self._open):
            self._close(row, words)
            return row
        if self._is_attached(row, words):
            return row
        if words == "+" and self._in_item():
            self._go_on(row)
            return row
        delimiter = _DELIMITER.match(words)
        end = self._title(row, words) if delimiter is None and not self._blocks else None
        if end is not None:
            return end
        if delimiter is not None:
            self._begin("```" if delimiter[1] else words, row)
        elif not self._item(row, words):
            self._text(row, words)
        return row

    # --- attributes ---

    def _is_attached(self, row: int, words: str) -> bool:
        """Read a line that belongs to what follows, or that nobody sees."""
        in_paragraph = self._paragraph >= 0
        if _ATTRIBUTES.match(words) or (not in_paragraph and _BLOCK_TITLE.match(words)):
            self._end_paragraph()
            if self._attached < 0:
                self._attached = row
            return True
        return _NOT_SHOWN.match(words) is not None and (not in_paragraph or words[0] == "/")

    def _take_attached(self, row: int) -> int:
        """Give where what begins in a line begins with its attributes."""
        attached, self._attached = self._attached, -1
        return attached if attached >= 0 and self.lines.starts[row] - self.lines.starts[attached] <= _FAR else row

    # --- blocks ---

    def _begin(self, mark: str, row: int) -> None:
        """Open a delimited block; it ends a list that it is not attached to."""
        self._end_paragraph()
        if not self._goes_on:
            self._end_items()
        self._goes_on = False
        first = self._take_attached(row)
        self._last = self._last_ink = row
        if self._blocks < DEEPEST_UNIT:
            block = _Open(mark, first, row)
            if mark[0] in _TABLE:
                block.rows = _Rows(first, mark, "\n".join(self.lines.lines[first:row]))
            self._open.append(block)
            self._blocks += 1

    def _close(self, row: int, words: str) -> None:
        self._end_paragraph()
        while True:  # the block is open
            block = self._open.pop()
            if block.is_item:
                self._add_item(block)
                continue
            self._blocks -= 1
            if block.mark == words:
                self._add_unit(block.first, row)
                if block.rows is not None:
                    self._add_rows(block.rows, row)
                elif block.is_verbatim:
                    self._end_listing()
                    self._listing = block.first
                    self._callouts = row
                break
        self._attached = -1
        self._last = self._last_ink = row

    def _add_rows(self, rows: _Rows, last: int) -> None:
        """Add the rows of a table: its delimiters stand with the first and the last one."""
        starts = rows.starts
        if rows.has_header and len(starts) > 1:
            self._add_unit(rows.first, starts[1] - 1)
            begin, end = self.lines.begin(rows.first), self.lines.starts[last + 1]
            self.tables.append(Table(begin, self.lines.starts[starts[1]], end))
        for place, start in enumerate(starts):
            end_of_row = starts[place + 1] - 1 if place + 1 < len(starts) else last
            self._add_unit(start if place else rows.first, end_of_row)

    def _add_unit(self, first: int, last: int) -> None:
        while last > first and self.lines.is_blank(last):
            last -= 1
        self.units.append(Unit(self.lines.begin(first), self.lines.starts[last + 1]))

    # --- paragraphs ---

    def _text(self, row: int, words: str) -> None:
        """Read a line of a paragraph."""
        if self._paragraph < 0:
            is_set_in = words[0] in " \t"
            is_apart = self._blanks > 0 or self._attached >= 0
            if self._in_item() and is_apart and not is_set_in and not self._goes_on:
                self._end_items()
            self._goes_on = False
            self._paragraph = self._take_attached(row)
            style = "\n".join(self.lines.lines[self._paragraph : row])
            self._is_verbatim = is_set_in or _VERBATIM_STYLE.search(style) is not None
        if self._is_verbatim:
            self._add_unit(row, row)
        self._last_ink = row

    def _end_paragraph(self) -> None:
        """End a paragraph: it is whole if it has attributes, or stands as it is."""
        first, self._paragraph = self._paragraph, -1
        if first >= 0 and (self._is_verbatim or self._has_attributes(first)):
            self._add_unit(first, self._last_ink)
        self._is_verbatim = False

    def _has_attributes(self, first: int) -> bool:
        words = self.lines.lines[first].rstrip()
        return _ATTRIBUTES.match(words) is not None or _BLOCK_TITLE.match(words) is not None

    # --- lists ---

    def _in_item(self) -> bool:
        return bool(self._open) and self._open[-1].is_item

    def _item(self, row: int, words: str) -> bool:
        """Open a list item if one begins in a line: below another one, or where a paragraph may begin."""
        if self._paragraph >= 0 and not self._in_item():
            return False
        found = _ITEM.match(words)
        term = _TERM.match(words) if found is None else None
        if found is None and term is None:
            return False
        mark = _marker(found) if found is not None else str(term and term["sign"])
        self._end_paragraph()
        first = self._take_attached(row)
        if mark in self._marks():
            while self._open[-1].mark != mark:
                self._add_item(self._open.pop())
            self._add_item(self._open.pop())
        if mark == "<" and self._last_ink == self._callouts:
            self._callouts = row
        if len(self._open) < 2 * DEEPEST_UNIT:
            self._open.append(_Open(mark, first, row, is_item=True))
        self._last_ink = row
        self._goes_on = term is not None and term.end() == len(words)  # a term may have its text below
        self._paragraph = row
        return True

    def _marks(self) -> list[str]:
        """List the markers of the items that are open in the innermost block."""
        marks = []
        for item in reversed(self._open):
            if not item.is_item:
                break
            marks.append(item.mark)
        return marks

    def _add_item(self, item: _Open) -> None:
        self._add_unit(item.first, self._last_ink)
        if item.mark == "<" and item.row == self._callouts:
            self._callouts = self._last_ink

    def _go_on(self, row: int) -> None:
        """Read a line that attaches what follows to an item: to an outer one by the number of blank lines above."""
        self._end_paragraph()
        for _ in range(min(self._blanks, len(self._marks()) - 1)):
            self._add_item(self._open.pop())
        self._goes_on = True
        self._last_ink = row

    def _end_items(self) -> None:
        while self._in_item():
            self._add_item(self._open.pop())
        self._goes_on = False

    def _end_listing(self) -> None:
        """Keep the last listing together with the list of its callouts."""
        if self._listing >= 0:
            self._add_unit(self._listing, self._callouts)

    # --- titles ---

    def _title(self, row: int, words: str) -> int | None:
        """Read the title that begins in a line, if one does; give its last line."""
        if not self._begins_block(row):
            return None
        title = _TITLE.match(words)
        if title is not None:
            marks, said = title.groups()
            return self._heading(row, row, len(marks), said.removesuffix(f" {marks}"))
        below = self.lines.lines[row + 1].rstrip() if row + 1 < len(self.lines.lines) else ""
        mark = below[:1]
        if len(below) < 2 or mark not in _RULES or below != mark * len(below):
            return None
        if abs(len(words) - len(below)) > 1 or not _TWO_LINE_TITLE.match(words):
            return None
        return self._heading(row, row + 1, _RULES.index(mark) + 1, words)

    def _heading(self, first: int, last: int, level: int, words: str) -> int | None:
        title = title_of(_plain(words))
        if not title:
            return None
        self._end_paragraph()
        self._end_items()
        self.headings.append(self.lines.heading(self._take_attached(first), last, level, title))
        self._last = self._last_ink = last
        return last

    def _begins_block(self, row: int) -> bool:
        """Say whether no paragraph stands right above a line."""
        above = row - 1
        if above == self._last or self.lines.is_blank(above):
            return True
        return _ATTACHED.match(self.lines.lines[above].rstrip()) is not None


def _marker(found: re.Match[str]) -> str:
    """Give what items of one list have in common."""
    kind = str(found.lastgroup)
    return str(found["sign"] or ("<" if kind == "callout" else kind))


_ANCHOR = lazy_pattern(
    r"\[\[[^\]\n]{0,400}+\]\]|\[#[^\]\n]{0,400}+\](?=\s|$)|anchor:[^\[\s]{1,400}+\[[^\]\n]{0,400}+\]"
)
_MARKS = lazy_pattern(r"(`\+|\+`)|(?<![\w`])(`{1,2}|\*{1,2}|_{1,2}|#{1,2})(?=\S)([^`*#\n]{1,1000}?)(?<=\S)\2(?![\w`])")
_LINK = lazy_pattern(r"(?:link:|https?://|xref:)[^\s\[]{1,1000}+\[([^\]\n]{0,1000}+)\]")


def _plain(words: str) -> str:
    """Give the words of a title without anchors, links and marks of emphasis."""
    if not any(mark in words for mark in "[`*_#+"):
        return words
    words = _LINK.sub(r"\1", _ANCHOR.sub("", words))
    return _MARKS.sub(lambda found: found[3] or "", words)


_EVIDENCE = lazy_pattern(
    r"^\[(?:source|listing|NOTE|TIP|WARNING|IMPORTANT|CAUTION|quote|verse|cols|options|\[|#|\.|%|appendix|discrete)[^\n]*\]$"
    r"|^:[a-z][\w-]*:(?: |$)|^(?:include|ifdef|ifndef|image|toc)::"
    r"|(?:\b(?:link|xref|image|kbd|footnote):[^\s\[]{0,1000}+\[)"
    r"|^\|={3,}$|^<<[^>\n]+>>|^(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION): ",
    re.MULTILINE,
)


def looks_like_asciidoc(glance: Glance) -> bool:
    """Say whether titles have equals signs, and the text a title of the whole or what else only AsciiDoc has."""
    if "=" not in glance.text or "= " not in glance.text or _EQUALS_LINE.search(glance.telling) is None:
        return False
    lines = glance.lines
    reading = _Reading(lines)
    reading.run()
    written = [lines.even[heading.start : heading.end].rstrip() for heading in reading.headings]
    marked = [title for title in written if _EQUALS.match(title, title.rfind("\n") + 1)]
    evidence = len(_EVIDENCE.findall(lines.even))
    if re.search(r"^#{1,6} \S", lines.even, re.MULTILINE) and evidence < 3:
        return False
    open_ended = [title for title in marked if not title.endswith("=")]  # wikis close titles with equals signs
    has_title = lines.even.lstrip().startswith("= ") and open_ended[:1] == marked[:1]
    least = 0 if has_title and sum(title.startswith("== ") for title in open_ended) >= 2 else 1
    return (len(marked) >= 2 and evidence >= least) or (len(marked) >= 1 and evidence >= 2)
