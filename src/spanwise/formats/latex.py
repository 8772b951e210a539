r"""Headings of LaTeX, and the environments that stay whole.

Sectioning commands as in "LaTeX2e: An unofficial reference manual", chapter 6; verbatim environments hold no commands.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from spanwise.formats.plain_lines import Lines, is_code, title_of
from spanwise.sections import Heading
from spanwise.structure import DEEPEST_UNIT, Structure, Unit

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
_TOKEN = re.compile(
    r"\\(?:(?P<command>part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)(?![A-Za-z@])(?P<star>\*?)"
    r"|(?P<edge>begin|end)[ \t]*\{(?P<name>[A-Za-z]{1,30}\*?)\}"
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
_EMPTY_LINE = re.compile(r"\n[ \t]*+\n")


class _Command(NamedTuple):
    """A sectioning command: where it begins, where its name ends, and its level."""

    start: int
    end: int
    level: int


def read_latex(text: str) -> Structure:
    r"""Read LaTeX: `\part` to `\subparagraph` as headings; formulas, tables, figures and verbatim text as units."""
    reading = _Reading(Lines(text))
    reading.run()
    return Structure(format="latex", headings=tuple(reading.headings()), units=tuple(_nested(reading.units)))


def _nested(units: list[Unit]) -> list[Unit]:
    """Keep the units that lie within one another or apart: "$" may open in one environment and close in another."""
    kept: list[Unit] = []
    ends: list[int] = []
    for unit in sorted(set(units), key=lambda unit: (unit.start, -unit.end)):
        while ends and ends[-1] <= unit.start:
            ends.pop()
        if len(ends) < DEEPEST_UNIT and (not ends or unit.end <= ends[-1]):
            ends.append(unit.end)
            kept.append(unit)
    return kept


class _Reading:
    """One pass over commands, comments, braces and dollars."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.even = lines.even
        self.units: list[Unit] = []
        self._commands: list[_Command] = []
        self._closing: dict[int, int] = {}
        self._braces: list[int] = []
        self._open: list[tuple[str, int]] = []
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
        elif found["command"] is not None:
            self._commands.append(_Command(found.start(), found.end(), _LEVELS[found["command"]]))
        elif found["edge"] == "begin":
            return self._begin(found["name"], found.start(), found.end())
        elif found["edge"] == "end":
            self._end(found["name"], found.end())
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
            return stop
        if bare in _WHOLE:
            if len(self._open) < DEEPEST_UNIT - 2:
                self._open.append((name, start))
            else:
                self._too_deep += 1
        return end

    def _end(self, name: str, end: int) -> None:
        if name.removesuffix("*") not in _WHOLE:
            return
        if self._too_deep:
            self._too_deep -= 1
            return
        if any(opened == name for opened, _ in self._open):
            while self._open:
                opened, start = self._open.pop()
                if opened == name:
                    self.units.append(Unit(start, end))
                    return

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
                made.append(Heading(self._from(command.start), self._upto(argument[1] + 1), command.level, title))
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
        line = self.lines.line_at(start)
        begin = self.lines.starts[line]
        return self.lines.begin(line) if not self.even[begin:start].strip() else start

    def _upto(self, end: int) -> int:
        label = _LABEL.match(self.even, end)
        return label.end() if label is not None else end


_BLANK = re.compile(r"[ \t]*+(?:\n[ \t]*+)?")
_LABEL = re.compile(r"[ \t]*+(?:\\label[ \t]*\{[^{}\n]{0,200}\}[ \t]*+)?(?:%[^\n]*+)?(?:\n|\Z)")
_DROPPED = re.compile(r"\\(?:label|footnote|thanks|index|cite|vspace|hspace|protect)\*?(?:\[[^\]\n]*\])?\{[^{}]*\}")
_TWO_FORMS = re.compile(r"\\texorpdfstring[ \t]*\{((?:[^{}]|\{[^{}]*\})*+)\}[ \t]*\{([^{}]*)\}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_NAMED = re.compile(r"\\(?:[A-Za-z@]+\*?[ \t]?|(?P<letter>[^A-Za-z\s])|\s)")
_SYMBOLS = {"LaTeX": "LaTeX", "TeX": "TeX", "ldots": "…", "dots": "…", "ss": "ß", "ae": "æ", "o": "ø"}
_ACCENT = re.compile(r"\\[\"'`^~=.](?:\{(\w)\}|(\w))")


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
_DOCUMENT = re.compile(r"^[ \t]*\\(?:documentclass|documentstyle)\b|^[ \t]*\\begin\{document\}", re.MULTILINE)
_SECTIONING = re.compile(r"^[ \t]*\\(?:chapter|(?:sub){0,2}section)\*?[ \t]*[\[{]", re.MULTILINE)
_ENVIRONMENT = re.compile(r"^[ \t]*\\(?:begin|end)\{[A-Za-z]+\*?\}", re.MULTILINE)


def looks_like_latex(prefix: str) -> bool:
    """Say whether a text is LaTeX: a document class, or sections and environments at the beginnings of lines."""
    if "\\" not in prefix or ("\\begin{" not in prefix and "\\end{" not in prefix):
        return False
    even = Lines(prefix).even
    if is_code(even):
        return False
    if _DOCUMENT.search(even) is not None and "\\begin{" in even:
        return True
    return len(_SECTIONING.findall(even)) >= 2 and len(_ENVIRONMENT.findall(even)) >= 2
