"""Headings in plain text: underlined titles, titles in capitals, chapter lines.

There is no standard for plain text, so these rules are ours, and they rather miss a heading than invent one.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from spanwise.formats.heading_words import CHAPTERS, PARTS, one_of
from spanwise.formats.plain_lines import Lines, is_code, is_title_case, judged_parts
from spanwise.patterns import lazy_pattern
from spanwise.structure import Structure

if TYPE_CHECKING:
    from spanwise.formats.glances import Glance

__all__ = [
    "Title",
    "capital_titles",
    "centred_titles",
    "is_rule",
    "lines_of_text",
    "looks_like_underlined",
    "may_name_sections",
    "read_underlined",
    "underlined_titles",
]


class Title(NamedTuple):
    """A title, the lines it takes, and how it is set."""

    first: int
    last: int
    words: str
    style: str


_WIDTH = 80


def lines_of_text(lines: Lines) -> int:
    """Count the lines with ink; a paragraph in one long line counts as the lines it would take."""
    return sum(1 + len(line) // _WIDTH for line in lines.lines if line and not line.isspace())


# --- underlined -------------------------------------------------------------------------------------------------------

_RULE = lazy_pattern(r"^[ \t]{0,60}+([=\-~^*#+\"])\1{2,}+[ \t]*+$", re.MULTILINE)
_COLUMNS = lazy_pattern(r"\t|\S {3,}+\S|\|")
_LISTED = lazy_pattern(r"[-*+>|•]\s|>>>|\$ |[#/]{1,3}\s?$|//|/\*|<!--")
_WORD = lazy_pattern(r"[^\W\d_]")


def is_rule(line: str) -> bool:
    """Say whether a line is made of one repeated mark."""
    return _RULE.match(line) is not None


def underlined_titles(lines: Lines) -> list[Title]:
    """Find the titles that have a rule of about their own length below them, in order."""
    found: list[Title] = []
    even = lines.even
    for rule in _RULE.finditer(even):
        below = lines.line_at(rule.start())
        title = _title_above(lines, below, rule[1], found[-1].last if found else -1)
        if title is not None:
            found.append(title)
    return found


def _title_above(lines: Lines, below: int, mark: str, taken: int) -> Title | None:
    """Read the title above the rule in line `below`; lines up to `taken` belong to another title."""
    row = below - 1
    if row <= taken or lines.is_blank(row):
        return None
    line, rule = lines.lines[row], lines.lines[below].strip()
    words = line.strip()
    above = lines.lines[row - 1].strip() if row > 0 else ""
    boxed = row - 1 > taken and len(above) > 2 and above == above[0] * len(above) == mark * len(above)
    if not (boxed or row - 1 == taken or lines.is_blank(row - 1)) or not _may_be_titled(words, rule, boxed=boxed):
        return None
    indent = len(line) - len(line.lstrip())
    if not boxed and abs(indent - lines.lines[below].index(mark)) > 3:
        return None
    if boxed and (len(above) + 2 < len(words) or abs(len(above) - len(rule)) > 2):
        return None
    return Title(row - 1 if boxed else row, below, words, ("over" if boxed else "under") + mark)


def _may_be_titled(words: str, rule: str, *, boxed: bool) -> bool:
    if len(words) > 120 or (not _WORD.search(words) and not words[0].isdigit()):
        return False
    if words[-1] in ",;" or _COLUMNS.search(words) or _LISTED.match(words) or is_rule(words):
        return False
    width = _width(words)
    if abs(len(rule) - width) <= max(2, width // 5):
        return True
    if rule[0] not in "=-~*#" or words[-1] in ".:,;!?" or len(words) > 72:
        return False
    return len(rule) >= (min(width, 24) if boxed else 40) and len(rule) > width and len(words.split()) <= 10


def _width(words: str) -> int:
    if words.isascii():
        return len(words)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF") for letter in words
    )


# --- capitals ---------------------------------------------------------------------------------------------------------

_NO_SMALL_LETTER = lazy_pattern(r"^[^\na-z]{2,140}+$", re.MULTILINE)
_SENTENCE_INSIDE = lazy_pattern(r"[.!?;]\s|[!?]{2}|[|=<>{}\\$@%;]|\S {3,}+\S|\t\S|\.{3}|…|://|::|\(\)")
_SHOUTED = frozenset(
    str.split(
        "YOU WE THEY HE SHE IT'S I'M YOU'RE DON'T DIDN'T DOESN'T CAN'T WON'T AM ARE WAS WERE IS HAS HAVE HAD "
        "WILL PLEASE SHALL MUST HEREBY MY ME US OMG LOL WTF"
    )
)
_NO_TITLE = frozenset(
    {
        "OK",
        "YES",
        "NO",
        "NOTE",
        "NOTES:",
        "WARNING",
        "CAUTION",
        "IMPORTANT",
        "TODO",
        "FIXME",
        "TIP",
        "END",
        "FINIS",
        "QED",
        "PS",
        "ATTENTION",
        "EOF",
    }
)
_EDITION = lazy_pattern(r"\bEDITION [\d.]+$|^(?:THE )?\w+ EDITION$")
"""What says which edition a text is: it names no part of it."""

_CAPITAL_LABEL = lazy_pattern(r"(?:[-*+•>#]|\(?[\da-zA-Z]{1,3}\))\s")


def capital_titles(lines: Lines) -> list[Title]:
    """Find the lines in capitals that stand alone between blank lines, or right above prose, in order."""
    rows = [lines.line_at(found.start()) for found in _NO_SMALL_LETTER.finditer(lines.even)]
    rows = [row for row in rows if lines.is_blank(row - 1) and _is_capital_title(lines.lines[row].strip())]
    titles: list[Title] = []
    for row, stacked in zip(rows, _stacked(lines, rows), strict=True):
        last = _capitals_end(lines, row) if stacked <= 2 else -1
        if last >= row:
            words = " ".join(line.strip() for line in lines.lines[row : last + 1])
            titles.append(Title(row, last, words, "capitals"))
    return _without_speakers(lines, titles)


def _without_speakers(lines: Lines, titles: list[Title]) -> list[Title]:
    """Leave out what stands right above prose and comes again near by: who speaks does, what names a section not."""
    places: dict[str, int] = {}
    again: set[int] = set()
    for title in titles:
        before = places.get(title.words)
        if before is not None and lines.starts[title.first] - lines.starts[before] <= _FAR:
            again.update((before, title.first))
        places[title.words] = title.first
    return [title for title in titles if title.first not in again or not _is_right_above_text(lines, title)]


def _is_right_above_text(lines: Lines, title: Title) -> bool:
    """Say whether no blank line stands below a title."""
    return not lines.is_blank(title.last + 1)


def may_name_sections(lines: Lines, titles: list[Title]) -> bool:
    """Say whether titles in capitals may be those of sections, and are not names: of speakers, of places.

    Those right above their text have to be several, and some have to have several words.
    """
    tight = [title.words for title in titles if _is_right_above_text(lines, title)]
    return not tight or (len(titles) >= _LEAST_CAPITALS and 3 * sum(" " in words for words in tight) >= len(tight))


_LEAST_CAPITALS = 3  # titles in capitals that make an outline
_FAR = 16_384  # characters: the same words further off say nothing about a title


def _is_capital_title(words: str) -> bool:
    if len(words) > 80 or not words.isupper() or words[-1] in ".!?,;…" or words.startswith("END OF "):
        return False
    letters = sum(map(str.isalpha, words))
    if letters < 2 or 2 * letters < len(words) - words.count(" ") or _SENTENCE_INSIDE.search(words):
        return False
    if words.rstrip(":") in _NO_TITLE or words == "THE END" or _EDITION.search(words) or _CAPITAL_LABEL.match(words):
        return False
    parts = words.replace("’", "'").replace(",", " ").rstrip(":").split()
    if _CHAPTER.match(words) or (words[-1] == ":" and len(parts) > 5):
        return False
    return len(parts) <= 14 and not _SHOUTED.intersection(parts) and "I" not in parts[:-1]


def _capitals_end(lines: Lines, row: int) -> int:
    """Give the last line of a title that begins in a line, -1 if it is none: it stands apart, and text is near.

    A centred title may go on in a second line in capitals, or have a line that is none of the title below it.
    """
    line = lines.lines[row]
    centred = _is_centred(line)
    if lines.ink_after(row) is None or (not centred and len(line) - len(line.lstrip()) >= 8):
        return -1
    if lines.is_blank(row + 1):
        return row
    following = lines.lines[row + 1]
    if not centred or not _is_centred(following):
        return row if line[0].isalnum() and _is_prose(following) else -1
    if not following.strip().isupper():
        return row
    return row + 1 if lines.is_blank(row + 2) and _is_capital_title(following.strip()) else -1


def _is_prose(line: str) -> bool:
    """Say whether a line is as long as those of paragraphs are, begins as a sentence does, and is no title."""
    return len(line) >= _LEAST_PROSE and line[0].isupper() and not is_title_case(line) and not _COLUMNS.search(line)


_LEAST_PROSE = 50  # characters of a line of prose


def _is_centred(line: str) -> bool:
    line = line.expandtabs()
    words = line.strip()
    indent = len(line) - len(line.lstrip())
    return indent >= 3 and 30 <= indent + len(words) // 2 <= 44 and (indent >= 8 or len(words) > 40)


def _stacked(lines: Lines, rows: list[int]) -> list[int]:
    """For each row say how many rows stand in its stack: with nothing but blank lines between them; 3 means more."""
    known = set(rows)
    after = [lines.ink_after(row) for row in rows]
    below = {row: following for row, following in zip(rows, after, strict=True) if following is not None}
    below = {row: following for row, following in below.items() if following in known}
    above = {following: row for row, following in below.items()}
    return [_steps(row, below) + _steps(row, above) + 1 for row in rows]


def _steps(row: int, onwards: dict[int, int]) -> int:
    for step in range(2):
        following = onwards.get(row)
        if following is None:
            return step
        row = following
    return 2


# --- centred -----------------------------------------------------------------------------------------------


def centred_titles(lines: Lines) -> list[Title]:
    """Find titles centred on a page of common width: alone, begun with a capital, text further left around them."""
    found: list[Title] = []
    for match in _CENTRED.finditer(lines.even):
        row = lines.line_at(match.start())
        line = lines.lines[row]
        words = line.strip()
        if (
            not (lines.is_blank(row - 1) and lines.is_blank(row + 1))
            or len(words) > 60
            or words[-1] in ".,;:"
            or _NO_CENTRED.match(words)
        ):
            continue
        indent, below = len(line) - len(words), lines.ink_after(row)
        if below is None or abs(2 * indent + len(words) - 74) > 10 or not is_title_case(words):
            continue
        following = lines.lines[below]
        if len(following) - len(following.lstrip()) <= 8:
            found.append(Title(row, row, words, "centred"))
    return found


_NO_CENTRED = lazy_pattern(r"END OF |[A-Z]+$")
_CENTRED = lazy_pattern(r"^[ \t]{10,60}+(?=[^\W\d_])[^\n]{3,60}+$", re.MULTILINE)


# --- chapters ---------------------------------------------------------------------------------------------------------

_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty|(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)|"
    "eins|zwei|drei|premier|première|deuxième|primero|primera|segundo|segunda|tercero|tercera"
)
_CHAPTER = lazy_pattern(
    rf"^[ \t]{{0,60}}+(?=[A-Z])(?P<word>(?P<part>{PARTS})|{CHAPTERS})[ \t]{{1,3}}+(?:\d{{1,3}}+|[ivxlc]{{1,9}}+|"
    rf"{_NUMBER_WORDS})"
    r"(?![\w'’])(?P<mark>[.:]|[ \t]*+[-–—]{1,2}|[ \t]{2}|\.[-–—]{1,2})?[ \t]*+(?P<title>[^\n]{0,100}+)$",
    re.MULTILINE | re.IGNORECASE,
)
_PROSE_END = (",", ";")


def _chapter_titles(lines: Lines) -> list[Title]:
    rows: list[int] = []
    titles: list[Title] = []
    for found in _CHAPTER.finditer(lines.even):
        row = lines.line_at(found.start())
        title = _chapter_title(lines, row, found)
        if title is not None:
            rows.append(row)
            titles.append(title)
    return [title for title, stacked in zip(titles, _stacked(lines, rows), strict=True) if stacked <= 2]


def _chapter_title(lines: Lines, row: int, found: re.Match[str]) -> Title | None:
    if not lines.is_blank(row - 1) or not found["word"][0].isupper():
        return None
    words, rest = lines.lines[row].strip(), found["title"].strip()
    sentences = rest.endswith((".", "!", "?")) and re.search(r"[.!?]\s+\S.", rest)
    if rest and (_COLUMNS.search(rest) or rest.endswith(_PROSE_END) or "..." in rest or sentences):
        return None
    if rest and not found["mark"] and not (rest[0].isupper() and (rest.isupper() or not rest.endswith("."))):
        return None
    style = "part" if found["part"] else "chapter"
    if lines.is_blank(row + 1):
        return Title(row, row, words, style) if lines.ink_after(row) is not None else None
    subtitle = lines.lines[row + 1].strip()
    if rest or not lines.is_blank(row + 2) or not _is_subtitle(subtitle):
        return None
    return Title(row, row + 1, f"{words} {subtitle}", style)


def _is_subtitle(words: str) -> bool:
    return len(words) <= 80 and not words[0].islower() and words[-1] not in ",;" and not _CHAPTER.match(words)


# --- the reader -------------------------------------------------------------------------------------------------------


def read_underlined(text: str) -> Structure:
    """Read titles that are underlined, in capitals, or chapter lines.

    The level of an underlined title, or of one in capitals, is told by the order in which the ways to set a title first
    appear, as in reStructuredText; below chapters where there are any.
    """
    lines = Lines(text)
    levels = _Levels()
    headings = [
        lines.heading(title.first, title.last, levels.level(title.style), title.words) for title in _all_titles(lines)
    ]
    return Structure(format="underlined", headings=tuple(headings))


def _all_titles(lines: Lines) -> list[Title]:
    titles = {title.first: title for title in [*capital_titles(lines), *centred_titles(lines)]}
    titles.update((title.first, title) for title in _chapter_titles(lines))
    kept: list[Title] = []
    for title in underlined_titles(lines):
        for row in range(title.first, title.last + 1):
            titles.pop(row, None)
        kept.append(title)
    kept.extend(titles.values())
    return sorted(kept)


class _Levels:
    """The level of each way to set a title, by first appearance; parts and chapters stand above all."""

    __slots__ = ("_outer", "_styles")

    def __init__(self) -> None:
        self._outer: list[str] = []
        self._styles: list[str] = []

    def level(self, style: str) -> int:
        if style == "part":
            self._outer = ["part"]
            return 1
        if style == "chapter":
            self._outer = [*(outer for outer in self._outer if outer == "part"), "chapter"]
            return len(self._outer)
        if style not in self._styles:
            self._styles.append(style)
        return len(self._outer) + self._styles.index(style) + 1


def _is_at_margin(line: str) -> bool:
    return len(line) - len(line.lstrip()) <= 3 or _is_centred(line)


_MOST_TITLED = 3  # lines of a text for each of its titles, at least
_FEW_TITLES, _MANY_TITLES = 2, 8  # lines that may be titles: so many let look at the beginning, or at all of it
_MAY_TITLE = lazy_pattern(
    rf"\n[ \t]{{0,60}}+(?:([=\-~^*#+\"])\1{{2,}}+[ \t]*+(?=\n)"
    rf"|{one_of(f'{PARTS}|{CHAPTERS}'.split('|'))}[ \t]|(?=[^a-z\n]{{2,140}}+\n)[^\n]*[A-ZÀ-ÞΑ-ΩА-Я]"
    r"|(?<=[ \t]{10})[^\W\d_][^\n]{3,60}+(?=\n))"
)
"""Rules, lines in capitals, lines that begin with the word of a division or far in."""


def looks_like_underlined(glance: Glance) -> bool:
    """Say whether a text has underlined titles, or titles in capitals, or chapters, and text below them."""
    return any(map(_has_titles, judged_parts(glance, _MAY_TITLE, _FEW_TITLES, _MANY_TITLES)))


def _has_titles(glance: Glance) -> bool:
    lines = glance.lines
    titles = [
        title for title in _all_titles(lines) if _is_at_margin(lines.lines[title.last - (title.style[0] in "uo")])
    ]
    capitals = [title for title in titles if title.style == "capitals"]
    if not may_name_sections(lines, capitals):
        titles = [title for title in titles if title.style != "capitals" or not _is_right_above_text(lines, title)]
    if not titles or is_code(lines.even) or _MOST_TITLED * len(titles) > lines_of_text(lines):
        return False
    styles = [title.style for title in titles]
    ruled = sum(style.startswith(("under", "over")) for style in styles)
    chapters = sum(style in {"part", "chapter"} for style in styles)
    return ruled >= 2 or chapters >= 2 or styles.count("capitals") + styles.count("centred") >= _LEAST_CAPITALS
