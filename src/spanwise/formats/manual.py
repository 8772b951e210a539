"""Headings of RFC texts and of man pages, rendered or in roff.

RFC texts follow RFC 7322 (and RFC 2223 before it): headings begin at the left margin, text is set in by three blanks,
pages end with a line "[Page 7]" and a form feed. Rendered man pages: section titles at the left margin, subsections set
in by three blanks (man(7)). Source: `.SH` and `.SS` (man(7)), `.Sh` and `.Ss` (mdoc(7)).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spanwise.formats.plain_lines import Lines, title_of
from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading
from spanwise.structure import LOOK_AHEAD, Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.formats.glances import Glance

__all__ = ["looks_like_manual", "read_manual"]


def read_manual(text: str) -> Structure:
    """Read an RFC text or a man page: sections by their headings, contents pages and their entries as units.

    Which of the two it is, is told by the first 65,536 characters.
    """
    lines = Lines(text)
    prefix = text[:LOOK_AHEAD]
    if _is_source(prefix):
        return Structure(format="manual", headings=tuple(_source_headings(lines)))
    if _is_page(prefix):
        return Structure(format="manual", headings=tuple(_page_headings(lines)))
    headings, units = _memo(lines)
    return Structure(format="manual", headings=tuple(headings), units=tuple(units))


def looks_like_manual(glance: Glance) -> bool:
    """Say whether a text is an RFC or a man page."""
    prefix = glance.text
    return _is_source(prefix) or _is_page(prefix) or _is_memo(prefix)


# --- roff source ------------------------------------------------------------------------------------------------------

_REQUEST = lazy_pattern(
    r"^[.'][ \t]*+(?P<name>TH|Dd|SH|Sh|SS|Ss|ig)(?=[ \t\n]|\Z)[ \t]*+(?P<words>[^\n]*+)$", re.MULTILINE
)
_ESCAPE = lazy_pattern(
    r"\\(?:f(?:\[[^\]\n]{0,100}+\]|\(..|.)|s(?:[+-]?\d{1,2}|\[[^\]\n]{0,100}+\])|[&|^/,]|\((?P<two>..)|\[(?P<long>[^\]\n]{1,20})\]|"
    r"\*(?:\(..|\[[^\]\n]{0,100}+\]|.)|(?P<one>.))"
)
_GLYPHS = {
    "em": "—",
    "en": "–",
    "hy": "-",
    "aq": "'",
    "dq": '"',
    "oq": "‘",
    "cq": "’",
    "lq": "“",
    "rq": "”",
    "bu": "•",
    "co": "©",
}
_SOURCE = lazy_pattern(r"^[.'][ \t]*+(?:TH|Dd)[ \t]+\S", re.MULTILINE)
_SOURCE_SECTION = lazy_pattern(r"^[.'][ \t]*+S[Hh](?=[ \t\n]|\Z)", re.MULTILINE)


def _is_source(prefix: str) -> bool:
    first = prefix.lstrip("\ufeff \t\r\n")[:2]
    begins = first[:1] in {".", "'"} and len(first) == 2
    return begins and _SOURCE.search(prefix) is not None and _SOURCE_SECTION.search(prefix) is not None


def _source_headings(lines: Lines) -> Iterator[Heading]:
    ignored_up_to = 0
    for found in _REQUEST.finditer(lines.even):
        name = found["name"]
        if found.start() < ignored_up_to or name in {"TH", "Dd"}:
            continue
        if name == "ig":
            ignored_up_to = _ignored_end(lines.even, found)
            continue
        row = last = lines.line_at(found.start())
        words = found["words"]
        if not words.strip() and row + 1 < len(lines.lines) and lines.lines[row + 1][:1] not in {".", "'"}:
            last, words = row + 1, lines.lines[row + 1]
        title = title_of(_plain(words))
        if title:
            yield lines.heading(row, last, 1 if name in {"SH", "Sh"} else 2, title)


def _ignored_end(even: str, found: re.Match[str]) -> int:
    mark = found["words"].strip() or "."
    end = even.find(f"\n.{mark}", found.end())
    return len(even) if end < 0 else end


def _plain(words: str) -> str:
    r"""Give the words of a request: without a comment, quotes and escapes."""
    words = words.split('\\"', 1)[0].strip()
    if words.startswith('"'):
        words = words[1:].split('" ', 1)[0].removesuffix('"').replace('""', '"')
    words = re.sub(r'(?:(?<=\s)|^)"([^"]*)"', r"\1", words)
    return _ESCAPE.sub(_glyph, words)


def _glyph(escape: re.Match[str]) -> str:
    named = escape["two"] or escape["long"]
    if named:
        return _GLYPHS.get(named, "")
    one = escape["one"] or ""
    return {"-": "-", ".": ".", "e": "\\", " ": " ", "~": " ", "0": " ", "'": "'", "`": "`", "\\": "\\"}.get(one, "")


# --- rendered pages ---------------------------------------------------------------------------------------------------

_OVERSTRUCK = lazy_pattern(r".\x08")
_COLOURED = lazy_pattern(r"\x1b\[[\d;]*m")
_RUNNING_LINE = lazy_pattern(r"^[\w.:+\[\]@-]{1,60}\(\d\w{0,8}\)[ \t]{2,}+[^\n]*\([\d]\w{0,8}\)[ \t]*$")
_NAME = lazy_pattern(
    r"\n(?=[NB名])(?:NAME|Name|NOM|NOMBRE|NOME|BEZEICHNUNG|名称|"
    r"名前)[ \t]*\n[ \t]*\n?[ \t]{2,}\S(?:[^\n]+\n[ \t]{2,}){0,3}?[^\n]*? (?:-{1,2}|[—–−‐])(?=\s)"
)


_SECOND_SECTION = lazy_pattern(
    r"^(?:SYNOPSIS|DESCRIPTION|SINOPSIS|DESCRIPCIÓN|BESCHREIBUNG|ÜBERSICHT|書式|説明)[ \t]*\r?$", re.MULTILINE
)


def _is_page(prefix: str) -> bool:
    text = _bare(prefix[:8_192]).lstrip("\ufeff \t\r\n")
    first = text.split("\n", 1)[0].rstrip()
    if _RUNNING_LINE.match(first):
        return True
    name = _NAME.search("\n" + text[:1_024].replace("\r\n", "\n"))
    if name is None:
        return False
    return (first.endswith(")") and "(" in first) or (name.start() == 0 and _SECOND_SECTION.search(text) is not None)


def _bare(words: str) -> str:
    """Take out overstrikes and colours, with which man sets bold and underlined text on terminals."""
    if "\x08" in words:
        words = _OVERSTRUCK.sub("", words)
    return _COLOURED.sub("", words) if "\x1b" in words else words


_MARGIN = lazy_pattern(r"^(?:[ \t]{3})?(?=[^\s])[^\n]{1,120}+$", re.MULTILINE)
_WIDE_GAP = lazy_pattern(r"\S[ ]{3,}\S|\t")


def _page_headings(lines: Lines) -> Iterator[Heading]:
    last, inside = -1, False
    for found in _MARGIN.finditer(lines.even):
        row = lines.line_at(found.start())
        line = _bare(lines.lines[row]).rstrip()
        level = 2 if line.startswith(" ") else 1
        words = line.strip()
        if not (lines.is_blank(row - 1) or row - 1 == last) or not _is_page_title(words) or (level == 2 and not inside):
            continue
        below = lines.ink_after(row)
        if below is None or below > row + 2:
            continue
        following = _bare(lines.lines[below])
        indent = len(following) - len(following.lstrip(" \t"))
        if indent < (3 if level == 1 else 4 if below == row + 1 else 7):
            continue
        last, inside = row, True
        yield lines.heading(row, row, level, words)


def _is_page_title(words: str) -> bool:
    if not words or _WIDE_GAP.search(words) or len(words) > 100:
        return False
    if (
        words[-1] in ",;"
        or (words.endswith("):") and "(see " in words)
        or (words[-1] == "." and len(words.split()) > 10)
    ):
        return False
    return any(map(str.isalpha, words))


# --- RFC texts --------------------------------------------------------------------------------------------------------

_PAGE_END = lazy_pattern(r"^[^\n]{0,100}\[Page[ \t]+[\divxlc]{1,6}\][ \t]*$", re.MULTILINE | re.IGNORECASE)
_MEMO = lazy_pattern(
    r"\n(?=[NIR])(?:Network Working Group|Internet Engineering Task Force|Internet[- ]Draft|Independent Submission|"
    r"Internet Research "
    r"Task Force|Internet Architecture Board|Request for Comments:?|RFC[: -]{1,2}\d{1,5})(?=\s|:|\b)",
    re.IGNORECASE,
)


def _is_memo(prefix: str) -> bool:
    if _MEMO.search("\n" + prefix[:4_096].replace("\r", "\n")) is None:
        return False
    if len(_PAGE_END.findall(prefix.replace("\r", "\n"))) >= 1:
        return True
    return (
        re.search(
            r"^(?:\d{1,2}\.)+ {1,3}\S[^\n]*$|^(?:Abstract|Status of This Memo)\s*$",
            prefix,
            re.MULTILINE | re.IGNORECASE,
        )
        is not None
    )


_LEADER = lazy_pattern(
    r"(?<!\.)(?<!\.[ \t])(?:\.[ \t]?){3,}+[ \t]*+[\divxlc]{1,5}[ \t]*$|(?<![ ])[ ]{4,}+[\divxlc]{1,5}[ \t]*$"
)
_OUTDENTED = lazy_pattern(r"^(?=\S)[^\n]{2,120}+$", re.MULTILINE)
_INDENTED_NUMBER = lazy_pattern(
    r"^[ \t]{1,6}+(?:\d{1,2}\.(?:\d{1,2}(?:\.\d{1,2}){0,5})?|[A-Z](?:\.\d{1,2}){1,4})\.?[ ]{1,4}[^\W\d_][^\n]{0,80}$",
    re.MULTILINE,
)
_NUMBERED = lazy_pattern(
    r"(?:(?:Appendix|APPENDIX|Annex|ANNEX)[ ]{1,2}(?P<annex>[A-Z]|[IVX]{1,5}|\d{1,2})(?=[ .:\-—]|$)|"
    r"(?P<lettered>[A-Z](?:\.\d{1,3}){1,6})\.?(?=\s|$)|(?P<number>\d{1,3}(?:\.\d{1,3}){0,7})\.?(?=\s|$))[ ]*"
)
_CONTENTS = lazy_pattern(r"^[ \t]*table of contents?:?[ \t]*$|^[ \t]*contents[ \t]*$", re.IGNORECASE)
_LONGEST_CONTENTS = 32_768  # characters


def _memo(lines: Lines) -> tuple[list[Heading], list[Unit]]:
    running = _running_rows(lines)
    headings: list[Heading] = []
    units: list[Unit] = []
    listed = last = -1
    rows = {lines.line_at(found.start()) for found in _OUTDENTED.finditer(lines.even)}
    rows.update(lines.line_at(found.start()) for found in _INDENTED_NUMBER.finditer(lines.even))
    seen: set[tuple[str, ...]] = set()
    entries: set[str] = set()
    for row in sorted(rows):
        if row <= max(last, listed) or row in running or not _is_apart(lines, row, last, running):
            continue
        found = _memo_title(lines, row, running, seen)
        if found is None:
            continue
        level, words, last = found
        entry = _run_in(words, entries)
        begun = lines.starts[row] + len(lines.lines[row]) - len(lines.lines[row].lstrip())
        headings.append(
            Heading(lines.begin(row), begun + len(entry), level, title_of(entry))
            if entry
            else lines.heading(row, last, level, words)
        )
        if _CONTENTS.match(lines.lines[row]):
            listed = _contents_end(lines, row, running)
            if listed > row:
                units.append(Unit(lines.begin(row), lines.starts[listed + 1]))
                units += _entries(lines, row + 1, listed, running)
                entries.update(_LEADER.sub("", line).strip(" .") for line in lines.lines[row + 1 : listed + 1])
    return headings, units


def _run_in(words: str, entries: set[str]) -> str:
    """Give the title as the contents page has it, if text follows it in its line; otherwise nothing."""
    places = [found.start() for found in re.finditer(" (?=[A-Z])", words)]
    return next((words[:place] for place in places if words[:place] in entries and words not in entries), "")


def _running_rows(lines: Lines) -> set[int]:
    """Find the lines that end a page and those that head the next one."""
    rows: set[int] = set()
    for found in _PAGE_END.finditer(lines.even):
        row = lines.line_at(found.start())
        rows.add(row)
        header = lines.ink_after(row)
        if header is not None and header - row <= 6 and re.search(r"\S {3,}\S", lines.lines[header]):
            rows.add(header)
    return rows


def _is_apart(lines: Lines, row: int, last: int, running: set[int]) -> bool:
    above = row - 1
    return above == last or lines.is_blank(above) or above in running


def _memo_title(lines: Lines, row: int, running: set[int], seen: set[tuple[str, ...]]) -> tuple[int, str, int] | None:
    """Read the heading that begins in a line: its level, its words and its last line."""
    line = lines.lines[row].rstrip()
    words = line.strip()
    indent = len(line) - len(words)
    if _LEADER.search(words) or re.search(r"\S {4,}\S|\t", words):
        return None
    numbered = _NUMBERED.match(words)
    last, whole = row, words
    if not lines.is_blank(row + 1):
        whole, last = _wrapped(lines, row, indent + (numbered.end() if numbered else 0))
        if last == row or row + 1 in running:
            return None
    if numbered is None or not words[numbered.end() :].strip():
        is_title = indent == 0 and (numbered is None or numbered["annex"]) and _is_unnumbered(lines, last, whole)
        return (1, whole, last) if is_title else None
    parts = tuple((numbered["annex"] or numbered["lettered"] or numbered["number"]).split("."))
    if not _is_memo_number(parts, numbered, words, indent, seen):
        return None
    seen.add(parts)
    return len(parts), whole, last


def _wrapped(lines: Lines, row: int, column: int) -> tuple[str, int]:
    """Read a title that goes on below where its own words began."""
    following = lines.lines[row + 1]
    indent = len(following) - len(following.lstrip(" "))
    if column == 0 or indent != column or not lines.is_blank(row + 2):
        return lines.lines[row].strip(), row
    return f"{lines.lines[row].strip()} {following.strip()}", row + 1


def _is_memo_number(
    parts: tuple[str, ...], numbered: re.Match[str], words: str, indent: int, seen: set[tuple[str, ...]]
) -> bool:
    rest = words[numbered.end() :].strip()
    if rest[-1] in ",;" or rest[0] in ",;)=<>|" or len(rest) > 160:
        return False
    if numbered["annex"]:
        return rest[0] in ".:-—" or rest[:1].isupper()
    if rest[-1] == "." and len(rest.split()) > 8:
        return False
    if indent:
        return len(parts) > 1 and (parts[:-1] in seen or (len(parts) == 2 and (parts[0],) in seen)) and rest[-1] != "."
    if len(parts) > 1 or numbered["lettered"]:
        return True
    return not rest[0].islower()


def _is_unnumbered(lines: Lines, last: int, words: str) -> bool:
    """Say whether a line at the margin is a title: short, and the text below it is set in."""
    if (
        len(words) > 72
        or words[-1] in ".,;!?"
        or words[0] in "<>|+*#-=/\\[({_~.$%&@^`"
        or re.search(r"[.;|={}] |\|", words)
    ):
        return False
    if not words[0].isupper() and not words[0].isalpha():
        return False
    below = lines.ink_after(last)
    if below is None:
        return False
    following = lines.lines[below]
    indent = len(following) - len(following.lstrip(" "))
    return 1 <= indent <= 12 or _NUMBERED.match(following) is not None or _CONTENTS.match(words) is not None


def _contents_end(lines: Lines, row: int, running: set[int]) -> int:
    """Give the last line of a contents page: the last that has a page number or is set in, before the margin."""
    last = following = row
    far = lines.starts[row] + _LONGEST_CONTENTS
    while (below := lines.ink_after(following)) is not None and lines.starts[below] < far:
        following = below
        if following in running:
            continue
        line = lines.lines[following]
        if not line.startswith(" ") and not _LEADER.search(line):
            break
        last = following
    return last


def _entries(lines: Lines, first: int, last: int, running: set[int]) -> Iterator[Unit]:
    """Yield the entries of a contents page, each with the lines that it is wrapped to."""
    begun = first
    for row in range(first, last + 1):
        if lines.is_blank(row) or row in running:
            begun = row + 1
        elif row == last or lines.is_blank(row + 1) or row + 1 in running or not _is_wrapped(lines, begun, row):
            yield Unit(lines.begin(begun), lines.starts[row + 1])
            begun = row + 1


def _is_wrapped(lines: Lines, begun: int, row: int) -> bool:
    """Say whether an entry goes on below a line: without a page number so far, and set in below its beginning."""
    following = lines.lines[row + 1]
    words = following.lstrip()
    indent = len(lines.lines[begun]) - len(lines.lines[begun].lstrip())
    is_set_in = len(following) - len(words) > indent
    return is_set_in and _NUMBERED.match(words) is None and _LEADER.search(lines.lines[row]) is None
