r"""Headings of LaTeX, and the environments, list items and table rows that stay whole.

Sectioning commands and environments as in "LaTeX2e: An unofficial reference manual", chapters 6 and 8; verbatim
environments hold no commands.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from spanwise.formats.plain_lines import Lines, is_code, title_of
from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading
from spanwise.segmenting.nested_units import nested, outermost
from spanwise.structure import DEEPEST_UNIT, Structure, Table, Unit

if TYPE_CHECKING:
    from spanwise.formats.glances import Glance

__all__ = ["looks_like_latex", "read_latex"]

_LEVELS = {
    name: level
    for level, name in enumerate(
        ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"), start=1
    )
}
_WHOLE = frozenset(
    str.split(
        "equation align alignat gather multline eqnarray flalign displaymath math array tabular tabularx "
        "tabulary longtable supertabular figure table wrapfigure sidewaystable algorithm algorithmic tikzpicture "
        "forest pmatrix bmatrix matrix cases split aligned"
    )
)
_VERBATIM = frozenset(
    {"verbatim", "lstlisting", "Verbatim", "BVerbatim", "LVerbatim", "minted", "comment", "filecontents", "alltt"}
)
_LISTS = frozenset(
    str.split(
        "itemize enumerate description list trivlist compactitem compactenum compactdesc inparaitem inparaenum "
        "asparaitem asparaenum thebibliography"
    )
)
_TABLES = frozenset(str.split("tabular tabularx tabulary longtable supertabular xltabular tabu longtabu"))
_TRACKED = _WHOLE | _LISTS | _TABLES
_ROW_END = lazy_pattern(
    r"\*?(?:[ \t]*\[[^\]\n]{0,40}\])?(?P<rules>(?:\s*+\\(?:hline|cline|toprule|midrule|bottomrule|cmidrule|"
    r"addlinespace|noalign|endfirsthead|endhead|endfoot|endlastfoot)(?![A-Za-z@])"
    r"(?:\([^)\n]{0,40}\))?(?:\[[^\]\n]{0,40}\])?(?:\{[^{}\n]{0,80}\})?)*+)[ \t]*+(?:%[^\n]*+)?\n?"
)
_BELOW_HEADER = lazy_pattern(r"\\(?:midrule|endfirsthead|endhead)")
_TOKEN = lazy_pattern(
    r"\\(?:(?P<command>part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)(?![A-Za-z@])(?P<star>\*?)"
    r"|(?P<edge>begin|end)[ \t]*\{(?P<name>[A-Za-z]{1,30}\*?)\}"
    r"|(?P<item>(?:bib)?item(?![A-Za-z@]))"
    r"|(?P<row>\\|tabularnewline(?![A-Za-z@]))"
    r"|verb\*?(?P<bar>[^\sA-Za-z*])[^\n]{0,200}?(?P=bar)"
    r"|(?P<display>[\[\]])"
    r"|[^\n])"
    r"|%[^\n]*"
    r"|(?P<dollars>\$\$?)"
    r"|(?P<brace>[{}])"
)
_LONGEST_ARGUMENT = 2_000  # characters
_LONGEST_INLINE = 200
_LONGEST_DISPLAY = 4_000
_EMPTY_LINE = lazy_pattern(r"\n[ \t]*+\n")


class _Command(NamedTuple):
    """A sectioning command: where it begins, where its name ends, and its level."""

    start: int
    end: int
    level: int


class _Opening(NamedTuple):
    r"""A `\begin` of prose: the name, where its line begins, where it ends, and how many sections stand before."""

    name: str
    start: int
    end: int
    commands: int


class _Environment:
    """An open list, table or formula: its name, where it begins, how many braces are open there, its rows or item."""

    __slots__ = ("braces", "has_items", "head_end", "item", "name", "row_ends", "start")

    def __init__(self, name: str, start: int, braces: int) -> None:
        self.name = name
        self.start = start
        self.braces = braces
        self.item = -1  # where the last item begins
        self.has_items = False
        self.row_ends: list[int] = []
        self.head_end = -1

    @property
    def bare(self) -> str:
        return self.name.removesuffix("*")


def read_latex(text: str) -> Structure:
    r"""Read LaTeX: `\part` to `\subparagraph` as headings.

    Units are formulas, tables and their rows, figures, list items, verbatim text and its lines, theorems, proofs and
    other environments of prose.
    """
    reading = _Reading(Lines(text))
    reading.run()
    return Structure(
        format="latex",
        headings=tuple(reading.headings()),
        units=nested(reading.units),
        tables=outermost(reading.tables),
    )


class _Reading:
    """One pass over commands, comments, braces and dollars; what crosses, as "$" may, is left out later."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.even = lines.even
        self.units: list[Unit] = []
        self.tables: list[Table] = []
        self._commands: list[_Command] = []
        self._closing: dict[int, int] = {}
        self._braces: list[int] = []
        self._open: list[_Environment] = []
        self._prose: list[_Opening] = []
        self._too_deep = 0
        self._dollar = -1
        self._display = -1

    def run(self) -> None:
        position = 0
        scan = _TOKEN.search
        while (found := scan(self.even, position)) is not None:
            position = self._token(found)

    def _token(self, found: re.Match[str]) -> int:
        kind = found.lastgroup
        if kind == "brace":
            self._brace(found[0], found.start())
        elif kind == "dollars":
            self._dollars(found.start(), found.end())
        elif kind == "display":
            self._displayed(found["display"], found.start(), found.end())
        elif kind == "item":
            self._item(found.start())
        elif kind == "row":
            self._row(found.end())
        elif found["command"] is not None:
            self._commands.append(_Command(found.start(), found.end(), _LEVELS[found["command"]]))
        elif found["edge"] == "begin":
            return self._begin(found["name"], found.start(), found.end())
        elif found["edge"] == "end":
            self._end(found["name"], found.start(), found.end())
        return found.end()

    def _brace(self, brace: str, place: int) -> None:
        if brace == "{":
            self._braces.append(place)
        elif self._braces:
            self._closing[self._braces.pop()] = place

    def _begin(self, name: str, start: int, end: int) -> int:
        bare = name.removesuffix("*")
        if bare in _VERBATIM:
            close = self.even.find(f"\\end{{{name}}}", end)
            stop = len(self.even) if close < 0 else close + len(name) + 6
            if close >= 0:
                self.units.append(Unit(start, stop))
                self._add_lines(start, stop)
            return stop
        if bare in _TRACKED:
            if len(self._open) < DEEPEST_UNIT - 2:
                self._open.append(_Environment(name, start, len(self._braces)))
            else:
                self._too_deep += 1
        if bare not in _WHOLE and bare not in _TABLES and bare != "document":
            self._prose.append(_Opening(name, self._from(start), end, len(self._commands)))
        return end

    def _add_lines(self, start: int, stop: int) -> None:
        while start < stop:
            feed = self.even.find("\n", start, stop)
            end = stop if feed < 0 else feed + 1
            if self.even[start:end].strip():
                self.units.append(Unit(start, end))
            start = end

    def _end_prose(self, name: str, start: int, end: int) -> None:
        """Keep an environment of prose whole if no section begins in it; its first line goes with the text below."""
        for place in range(len(self._prose) - 1, max(-1, len(self._prose) - 1 - DEEPEST_UNIT), -1):
            opened = self._prose[place]
            if opened.name == name:
                del self._prose[place:]
                if name.removesuffix("*") not in _LISTS and opened.commands == len(self._commands):
                    self.units.append(Unit(opened.start, end))
                first = _FIRST_LINE.match(self.even, opened.end, start)
                if first is not None and first[0].count("$") % 2 == 0:
                    self.units.append(Unit(opened.start, first.end()))
                return

    def _end(self, name: str, start: int, end: int) -> None:
        self._end_prose(name, start, end)
        if name.removesuffix("*") not in _TRACKED:
            return
        if self._too_deep:
            self._too_deep -= 1
            return
        if any(opened.name == name for opened in self._open):
            while self._open[-1].name != name:
                self._open.pop()
            opened = self._open.pop()
            if opened.bare in _LISTS:
                self._end_item(opened, start)
                return
            self.units.append(Unit(opened.start, end))
            if opened.row_ends:
                self._add_rows(opened, start, end)

    # --- lists and tables ---

    def _item(self, start: int) -> None:
        if self._open and self._open[-1].bare in _LISTS:
            begin = self._from(start)
            self._end_item(self._open[-1], begin)
            self._open[-1].item = begin

    def _end_item(self, opened: _Environment, before: int) -> None:
        """End the item that is open, with the line of its last ink."""
        if 0 <= opened.item < before:
            end = before
            while self.even[end - 1].isspace():
                end -= 1
            feed = self.even.find("\n", end, before)
            end = before if feed < 0 else feed + 1
            self.units.append(Unit(opened.item, end))
            if not opened.has_items:
                self.units.append(Unit(self._from(opened.start), end))
            opened.has_items = True
        opened.item = -1

    def _row(self, end: int) -> None:
        """End a row, with the rules below it, unless a line ends in a cell."""
        opened = self._open[-1] if self._open else None
        if opened is None or opened.bare not in _TABLES or len(self._braces) != opened.braces:
            return
        found = _ROW_END.match(self.even, end)
        assert found is not None  # noqa: S101  the pattern matches everywhere: each part of it may be empty
        opened.row_ends.append(found.end())
        if opened.head_end < 0 and _BELOW_HEADER.search(found["rules"]) is not None:
            opened.head_end = found.end()

    def _add_rows(self, opened: _Environment, before: int, end: int) -> None:
        """Add the rows of a table: its first line stands with the first, its last one with the last."""
        *ends, last = opened.row_ends
        if self.even[last:before].strip():
            ends.append(last)
        for begin, stop in pairwise([opened.start, *ends, end]):
            if begin < stop:
                self.units.append(Unit(begin, stop))
        if opened.start < opened.head_end <= (ends or [0])[-1]:
            self.units.append(Unit(opened.start, opened.head_end))
            self.tables.append(Table(opened.start, opened.head_end, end))

    def _dollars(self, start: int, end: int) -> None:
        opened = self._dollar
        if opened < 0:
            self._dollar = start
            return
        is_display = self.even.startswith("$$", opened)
        if is_display != (end - start == 2):
            self._dollar = start
            return
        if _EMPTY_LINE.search(self.even, opened, start) is not None:  # no formula goes over one
            self._dollar = start
            return
        self._dollar = -1
        if end - opened <= (_LONGEST_DISPLAY if is_display else _LONGEST_INLINE):
            self.units.append(Unit(opened, end))

    def _displayed(self, bracket: str, start: int, end: int) -> None:
        if bracket == "[":
            self._display = start
        elif self._display >= 0:
            if end - self._display <= _LONGEST_DISPLAY:
                self.units.append(Unit(self._display, end))
            self._display = -1

    def headings(self) -> list[Heading]:
        """Make the headings, now that it is known which braces belong together."""
        made: list[Heading] = []
        for command in self._commands:
            argument = self._argument(command.end)
            if argument is None or (made and command.start < made[-1].end):
                continue
            title = title_of(_plain(self.even[argument[0] + 1 : argument[1]]))
            if title and not re.search(r"#\d", title):
                start = self._above(self._from(command.start), made[-1].end if made else 0)
                made.append(Heading(start, self._upto(argument[1] + 1), command.level, title))
        return made

    def _argument(self, position: int) -> tuple[int, int] | None:
        """Find the braces of the title, after the short title in brackets if there is one."""
        even = self.even
        position = _BLANK.match(even, position).end()  # type: ignore[union-attr]  # it matches nothing as well
        if even.startswith("[", position):
            position = self._after_bracket(position)
            if position < 0:
                return None
        close = self._closing.get(position, -1) if even.startswith("{", position) else -1
        return (position, close) if 0 <= close - position <= _LONGEST_ARGUMENT else None

    def _after_bracket(self, position: int) -> int:
        end = position + 1
        limit = min(len(self.even), position + 400)
        while end < limit:
            letter = self.even[end]
            if letter == "]":
                return _BLANK.match(self.even, end + 1).end()  # type: ignore[union-attr]  # it matches nothing as well
            end = self._closing.get(end, limit) + 1 if letter == "{" else end + 1
        return -1

    def _from(self, start: int) -> int:
        """Give where the line begins in which only blanks stand before `start`; else `start`."""
        begin = start
        while begin and self.even[begin - 1] in " \t":
            begin -= 1
        begins_line = begin == 0 or self.even[begin - 1] == "\n"
        return self.lines.begin(self.lines.line_at(begin)) if begins_line else start

    def _above(self, begin: int, after: int) -> int:
        """Give where the lines begin above a heading that break the page for it or label it."""
        row = first = self.lines.line_at(begin)
        if self.lines.begin(row) != begin:
            return begin
        while row and self.lines.starts[row - 1] >= max(after, begin - _FAR):
            row -= 1
            if _FOR_HEADING.fullmatch(self.lines.lines[row]):
                first = row
            elif not self.lines.is_blank(row):
                break
        return self.lines.begin(first)

    def _upto(self, end: int) -> int:
        label = _LABEL.match(self.even, end)
        return label.end() if label is not None else end


_BLANK = lazy_pattern(r"[ \t]*+(?:\n[ \t]*+)?")
_LABEL = lazy_pattern(r"[ \t]*+(?:\n?[ \t]*+\\label[ \t]*\{[^{}\n]{0,200}\}[ \t]*+(?=[%\n]|\Z))?(?:%[^\n]*+)?(?:\n|\Z)")
_FOR_HEADING = lazy_pattern(
    r"[ \t]*+(?:\\(?:(?:appendix|newpage|clearpage|cleardoublepage|pagebreak|phantomsection)(?![A-Za-z@])(?:\[\d\])?"
    r"|label[ \t]*\{[^{}\n]{0,200}\})(?:\{\})?[ \t]*+)++(?:%[^\n]*+)?"
)
_FAR = 4_096  # characters
_FIRST_LINE = lazy_pattern(
    r"(?![ \t]*\\(?:begin|item))[^\n]{0,400}+\n\s{0,400}+"
    r"(?:(?!\\(?:begin|item|\[|part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)|\$\$)[^\n]){1,2000}+\n"
)
_DROPPED = lazy_pattern(
    r"\\(?:label|footnote|thanks|index|cite|vspace|hspace|protect)\*?(?:\[[^\]\n]{0,400}+\])?\{[^{}]{0,4000}+\}"
)
_TWO_FORMS = lazy_pattern(r"\\texorpdfstring[ \t]*\{((?:[^{}]|\{[^{}]*\})*+)\}[ \t]*\{([^{}]*)\}")
_COMMENT = lazy_pattern(r"(?<!\\)%[^\n]*")
_NAMED = lazy_pattern(r"\\(?:[A-Za-z@]+\*?[ \t]?|(?P<letter>[^A-Za-z\s])|\s)")
_SYMBOLS = {"LaTeX": "LaTeX", "TeX": "TeX", "ldots": "…", "dots": "…", "ss": "ß", "ae": "æ", "o": "ø"}
_ACCENT = lazy_pattern(r"\\[\"'`^~=.](?:\{(\w)\}|(\w))")


def _plain(words: str) -> str:
    """Give the words of a title without commands, braces and dollars."""
    words = _COMMENT.sub("", words)
    if "\\" in words:
        words = _TWO_FORMS.sub(r"\2", words)
        words = _DROPPED.sub("", words)
        words = words.replace("\\\\", " ")
        words = _ACCENT.sub(_accented, words)
        words = _NAMED.sub(_named, words)
    return words.replace("~", " ").translate(_NOT_SHOWN)


def _named(found: re.Match[str]) -> str:
    letter = found["letter"]
    if letter is not None:
        return "" if letter in "/-!" else " " if letter in ",;:" else letter
    name = found[0][1:].rstrip()
    return _SYMBOLS.get(name, "" if name else " ")


_COMBINING = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307"}


def _accented(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", (found[1] or found[2]) + _COMBINING[found[0][1]])


_NOT_SHOWN = str.maketrans("", "", "{}$")
_DOCUMENT = lazy_pattern(r"^[ \t]*\\(?:documentclass|documentstyle)\b|^[ \t]*\\begin\{document\}", re.MULTILINE)
_SECTIONING = lazy_pattern(r"^[ \t]*\\(?:chapter|(?:sub){0,2}section)\*?[ \t]*[\[{]", re.MULTILINE)
_SECTION_ALONE = lazy_pattern(
    r"^\\(?:chapter|(?:sub){0,2}section)\*?(?:\[[^\]\n]{0,200}\])?\{[^\n]{1,300}\}[ \t]*(?:%[^\n]*)?$", re.MULTILINE
)
_ENVIRONMENT = lazy_pattern(r"^[ \t]*\\(?:begin|end)\{[A-Za-z]+\*?\}", re.MULTILINE)


def looks_like_latex(glance: Glance) -> bool:
    """Say whether a text is LaTeX: a document class, or sections on lines of their own."""
    prefix = glance.text
    if "\\" not in prefix or ("\\begin{" not in prefix and "section" not in prefix and "\\chapter" not in prefix):
        return False
    even = glance.lines.even
    if is_code(even):
        return False
    if _DOCUMENT.search(even) is not None and "\\begin{" in even:
        return True
    if len(_SECTIONING.findall(even)) < 2:
        return False
    return len(_ENVIRONMENT.findall(even)) >= 2 or ("```" not in even and len(_SECTION_ALONE.findall(even)) >= 2)
