"""Before Markdown headings: ATX and setext, outside fences, HTML blocks, comments and front matter.

The rules are those of CommonMark 0.31 (4.2 ATX headings, 4.3 setext headings, 4.5 fenced code, 4.6 HTML blocks), read
line by line: containers are not opened, so a heading inside a block quote is none here.
"""

from __future__ import annotations

import operator
import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from spanwise.errors import ConfigurationError, shown
from spanwise.sections import Heading, Outline
from spanwise.segmenting.graphemes import is_boundary
from spanwise.segmenting.lines import LineCuts
from spanwise.whitespace import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from spanwise.segmenting.segmenter import Cuts

__all__ = ["HeadingCuts", "HeadingEnds", "Headings"]

_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
_MARKS = (
    r"(?=[ \t\#=\-<`~*+0-9])"  # nearly every line begins otherwise, and is passed by one look
    r"(?:[ ]{0,3}(?:(?P<atx>\#{1,6})(?=[ \t\r\n]|\Z)"
    r"|(?P<underline>=+|-+)[ \t]*(?=[\r\n]|\Z)"
    r"|(?P<comment><!--|<\?|<!\[CDATA\[)"
    r"|<(?P<raw>pre|script|style|textarea)(?=[\s>])"
    rf"|</?(?P<block>{_BLOCK_TAGS})(?=[\s/>]))"
    r"|[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}(?=[^`\r\n]*(?:[\r\n]|\Z))|~{3,}))"
)
_FIRST_MARK = re.compile(_MARKS, re.IGNORECASE | re.VERBOSE)
_MARK_AFTER_LF = re.compile(r"\n" + _MARKS, re.IGNORECASE | re.VERBOSE)
_MARK_AFTER_ANY = re.compile(r"[\n\r]" + _MARKS, re.IGNORECASE | re.VERBOSE)
_FRONT_MATTER = re.compile(
    r"\ufeff?(?:---[ \t]*\r?\n(?![ \t]*\r?\n)(?:[^\r\n]*\r?\n)*?(?:---|\.\.\.)"
    r"|\+\+\+[ \t]*\r?\n(?:[^\r\n]*\r?\n)*?\+\+\+)[ \t]*(?=[\r\n]|\Z)"
)
_UNDERLINE = re.compile(r"\n[ ]{0,3}[=-]")
_COMMENT_ENDS = {"<!--": re.compile("-->"), "<?": re.compile(r"\?>"), "<![CDATA[": re.compile(r"\]\]>")}
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?=[\r\n]|\Z)")
_NOT_A_TITLE = re.compile(
    r"[ ]{0,3}(?:[-*+][ \t]|\d{1,9}[.)][ \t]|>|\||\#{1,6}(?:[ \t]|$)|`{3}|~{3}|<|(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$)"
    r"|[ ]{4}|\t",
    re.VERBOSE | re.MULTILINE,
)
_INK = re.compile(r"[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_LONGEST_TITLE = 8  # lines: what stands above more of them is a paragraph, whatever the standard says
_MOST_OF_A_TITLE = 300  # characters: it stands on every chunk below it, so a longer line is text
_MARKUP = (
    (re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"), r"\1"),
    (re.compile(r"(`+)(.+?)\1"), r"\2"),
    (re.compile(r"(?<!\w)([*_]{1,3}|~~)(?=\S)([^*_~]*?\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


def _plain(title: str) -> str:
    """Take the markup off a title."""
    title = title.lstrip("\ufeff").strip(WHITE_SPACE)
    without = title.rstrip("#")
    if not without or without[-1] in WHITE_SPACE:  # closing hashes stand apart
        title = without.rstrip(WHITE_SPACE)
    for pattern, replacement in _MARKUP:
        title = pattern.sub(replacement, title)
    return " ".join(title.split())


class _Reader:
    """Reads the headings of one text from its beginning."""

    def __init__(self, text: str, lines: LineCuts) -> None:
        self._text = text
        self._lines = lines
        self._overline = -1
        # A search for one character is many times faster than one for a class, and lone CRs are rare.
        lone = "\r" in text and text.count("\r") > text.count("\r\n")
        self._mark = _MARK_AFTER_ANY if lone else _MARK_AFTER_LF

    def headings(self) -> Iterator[Heading]:
        text = self._text
        matter = _FRONT_MATTER.match(text)
        position = matter.end() if matter else 0
        after = position
        mark = None if matter else _FIRST_MARK.match(text, 1 if text.startswith("\ufeff") else 0)
        while True:
            mark = mark or self._mark.search(text, position)
            if mark is None:
                return
            line = self._line_start(mark)
            if mark["atx"]:
                position = after = self._line_end(mark.end())
                if line + _MOST_OF_A_TITLE >= position and (title := _plain(text[mark.end() : position])):
                    yield Heading(line, position, len(mark["atx"]), title)
            elif mark["underline"]:
                position = self._line_end(mark.end())
                heading = self._underlined(mark, line, after)
                if heading is not None:
                    yield heading
                self._overline = line if heading is None else -1
                after = position
            else:
                position = after = self._block_end(mark)
            mark = None

    def _line_start(self, mark: re.Match[str]) -> int:
        place = mark.start()
        if mark.re is _FIRST_MARK:
            return 0  # a BOM before the first heading is part of its line
        return place + 1

    def _line_end(self, position: int) -> int:
        ends = [place for place in (self._text.find(end, position) for end in self._ends()) if place >= 0]
        return min(ends, default=len(self._text))

    def _ends(self) -> str:
        return "\n\r" if self._mark is _MARK_AFTER_ANY else "\n"

    def _underlined(self, mark: re.Match[str], line: int, after: int) -> Heading | None:
        """Read the paragraph above a setext underline, if there is one that can be a title."""
        text, first = self._text, line
        for _ in range(_LONGEST_TITLE):
            if first <= after:
                break
            above = self._lines.last(after, first - 1) if first - 1 > after else after
            content = text[above:first].strip(WHITE_SPACE)
            if not content or _NOT_A_TITLE.match(text, above):
                break
            first = above
        else:
            return None
        if first == line:
            return None
        while first < line and text[first] in "\r\n":
            first += 1
        title = _plain(text[first:line]) if line - first <= _MOST_OF_A_TITLE else ""
        if self._overline >= 0 and text[self._overline : first].count("\n") == 1:
            first = self._overline  # reStructuredText draws a line above the title too
        level = 1 if mark["underline"].startswith("=") else 2
        return Heading(first, self._line_end(mark.end()), level, title) if title else None

    def _block_end(self, mark: re.Match[str]) -> int:
        """Pass over what cannot hold a heading: a fence, a comment, a raw or another HTML block."""
        text = self._text
        if mark["fence"]:
            closing = re.compile(
                rf"[\n\r][ \t]*{re.escape(mark['fence'][0])}{{{len(mark['fence'])},}}[ \t]*(?=[\r\n]|\Z)"
            )
            found = closing.search(text, self._line_end(mark.end()))
        elif mark["comment"]:
            found = _COMMENT_ENDS[mark["comment"].upper()].search(text, mark.end())
        elif mark["raw"]:
            found = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE).search(text, mark.end())
        else:
            found = _BLANK_LINE.search(text, mark.end())
        return found.end() if found else len(text)


class HeadingCuts:
    """The beginnings of runs of headings: headings that follow one another at once are not parted."""

    __slots__ = ("_outline", "_size")

    def __init__(self, outline: Outline, size: int) -> None:
        self._outline = outline
        self._size = size

    def last(self, after: int, upto: int, start: int = 0) -> int:  # noqa: ARG002  sections have no units inside
        """Give the last beginning of a run of headings in (after, upto]."""
        if upto >= self._size:
            return max(upto, after)
        starts = self._outline.run_starts
        place = bisect_right(starts, upto) - 1
        return starts[place] if place >= 0 and starts[place] > after else after

    def next(self, after: int, upto: int) -> int:
        """Give the first beginning of a run of headings in (after, upto]."""
        starts = self._outline.run_starts
        place = bisect_right(starts, after)
        if place < len(starts) and starts[place] <= upto:
            return starts[place]
        return upto if upto >= self._size else after


class HeadingEnds:
    """Where the text after a run of headings begins; nothing else."""

    __slots__ = ("_outline",)

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def last(self, after: int, upto: int, start: int) -> int:
        """Give where the text begins after the headings that begin at `start`, if that is in (after, upto]."""
        end = self._outline.text_from(start)
        return end if after < end <= upto else after

    def next(self, after: int, upto: int) -> int:
        """Give where the text begins after the headings in which `after` stands, if that is at most `upto`."""
        return self.last(after, upto, after)


class Headings:
    """Cuts before each heading; `extra` is a function that gives more offsets of headings for a text.

    An extra heading is the line that begins at its offset, below all Markdown levels (level 7).
    """

    name = "heading"

    def __init__(self, extra: Callable[[str], Iterable[int]] | None = None) -> None:
        self.extra = extra

    def outline(self, text: str, *, markdown: bool = True) -> Outline:
        """Read the headings of a text."""
        lines = LineCuts(text)
        headings = list(_Reader(text, lines).headings()) if markdown and _may_hold_headings(text) else []
        if self.extra is not None:
            taken = {heading.start for heading in headings}
            more = sorted(_offsets(self.extra(text)) - taken)  # noqa: S610  a name of ours, no query
            headings += [_extra_heading(text, lines, offset) for offset in more]
            headings.sort(key=lambda heading: heading.start)
        return Outline(headings, [_text_start(text, lines, heading.end) for heading in headings])

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text."""
        return HeadingCuts(self.outline(text), len(text))


def _offsets(given: Iterable[int]) -> set[int]:
    try:
        return {operator.index(offset) for offset in given}  # also the integers of NumPy
    except TypeError as error:
        raise ConfigurationError(f"headings= must give offsets, whole numbers, got {shown(given)}: {error}") from None


def _extra_heading(text: str, lines: LineCuts, offset: int) -> Heading:
    if not 0 <= offset < len(text):
        raise ConfigurationError(
            f"headings= gave {shown(offset)}, which is no offset of this text of {len(text)} code points"
        )
    if not is_boundary(text, offset):
        raise ConfigurationError(f"headings= gave {offset}, which is inside a character of the text")
    end = lines.next(offset, len(text))
    return Heading(offset, end, 7, _plain(text[offset:end]))


def _may_hold_headings(text: str) -> bool:
    """Spare the reading where no line can be a heading."""
    # Two searches for one character and one that jumps from line to line: searches for pairs are many times slower.
    return "#" in text or "\r" in text or _UNDERLINE.search(text) is not None


def _text_start(text: str, lines: LineCuts, position: int) -> int:
    """Give the beginning of the first line after `position` that is not blank."""
    found = _INK.search(text, position)
    return lines.last(position, found.start()) if found else len(text)
