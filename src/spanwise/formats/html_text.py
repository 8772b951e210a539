"""What does a reader of the page see, and where does it begin anew?"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from spanwise.structure import LOOK_AHEAD, Hidden

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "BLANK",
    "HTML_SPACE",
    "LINE",
    "NOTHING",
    "PARAGRAPH_GAP",
    "TAB",
    "Blocks",
    "Markup",
    "visible",
]

HTML_SPACE: Final = " \t\n\f\r"
"""White space of HTML; what else Unicode counts as such is text that a page shows."""

NOTHING, BLANK, TAB, LINE, PARAGRAPH_GAP = range(5)
_SHOWN: Final = ("", " ", "\t", "\n", "\n\n")

_COLLAPSED = re.compile(r"[ \t\n\f\r]{2,}+|[\t\n\f\r]")
_LINE_START = re.compile(r"(?:\r\n?+|\n)(?=[ \t\f]*+[^ \t\f\r\n])")
_LONG_NUMBER = re.compile(r"&#([0-9]{8,}+);?+")


class Markup:
    """The markup of one source, as it is met: neighbours are one span that shows the strongest of what they show."""

    __slots__ = ("_end", "_hidden", "_shown", "_start", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._hidden: list[Hidden] = []
        self._start = -1
        self._end = 0
        self._shown = NOTHING

    def hide(self, start: int, end: int, shown: int = NOTHING) -> None:
        """Hide the next span."""
        if self._start < 0:
            self._start, self._shown = start, shown
        elif shown > self._shown:
            self._shown = shown
        self._end = end

    def break_line(self, start: int, end: int) -> bool:
        """Hide a `<br>`, and say whether it is the second of two, which makes a paragraph."""
        is_second = self._start >= 0 and self._shown >= LINE
        self.hide(start, end, PARAGRAPH_GAP if is_second else LINE)
        return is_second

    def show_collapsed(self, start: int, end: int, ink_start: int, ink_end: int) -> None:
        """Show text whose white space is one blank, and none at the ends of a line; it holds more than white space."""
        if ink_start > start and (self._start >= 0 or ink_start - start > 1 or self.text[start] != " "):
            self.hide(start, ink_start, BLANK)
        self.flush()
        for match in _COLLAPSED.finditer(self.text, ink_start, ink_end):
            self._hidden.append(Hidden(*match.span(), " "))
        if end > ink_end:
            self.hide(ink_end, end, BLANK)

    def flush(self) -> None:
        """End the span of markup, because something is seen after it."""
        if self._start >= 0:
            self._hidden.append(Hidden(self._start, self._end, _SHOWN[self._shown]))
            self._start = -1

    def finished(self) -> tuple[Hidden, ...]:
        """Give all that is hidden."""
        self.flush()
        return tuple(self._hidden)


class Blocks:
    """Where blocks begin. A block begins at its first tag, and at its first text where it has no tag of its own.

    Nothing is a block until something is seen in it, so that no block holds tags alone.
    """

    __slots__ = ("_candidate", "_is_strong", "_ready", "starts", "strong")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.strong: list[int] = []
        self._candidate = -1
        self._is_strong = True
        self._ready = True

    @property
    def is_between(self) -> bool:
        """Whether nothing was seen since the last block was closed or the next began."""
        return self._ready or self._candidate >= 0

    def beginning(self, at: int) -> int:
        """Give where the block begins if what is seen next stands at `at`: tags before that may begin it."""
        if not self.starts:
            return 0
        return self._candidate if self._candidate >= 0 else at

    def open(self, at: int, *, strong: bool) -> None:
        """A block may begin at `at`, unless one began before and nothing was seen since."""
        if self._candidate < 0:
            self._candidate, self._is_strong = at, strong
        self._ready = False

    def open_if_closed(self, at: int, *, strong: bool) -> None:
        """Text, or a tag in a line, begins a block if the one before was closed."""
        if self._ready:
            self.open(at, strong=strong)

    def close(self) -> None:
        """What is seen next begins a block."""
        self._ready = self._candidate < 0

    def forget(self) -> None:
        """Nothing was seen in the block that was to begin, and none is to begin there."""
        self._candidate = -1

    def see(self) -> None:
        """Something is seen: the block is one."""
        if self._candidate >= 0:
            is_first = not self.starts
            start = 0 if is_first else self._candidate
            self.starts.append(start)
            if self._is_strong or is_first:
                self.strong.append(start)
            self._candidate = -1

    def see_lines(self, text: str, start: int, end: int) -> list[int]:
        """Make each line that begins in the span a block, and give where these lines begin."""
        self.see()
        begins = [match.end() for match in _LINE_START.finditer(text, start, end)]
        self.starts += begins
        return begins

    def finish(self, text: str) -> None:
        """Make tags at the end a block if they go on so far that whatever follows them would be too late to say."""
        if text and not self.starts:
            self.open(0, strong=True)
            self.see()
        elif len(text) - self._candidate >= LOOK_AHEAD:
            self.see()


def visible(text: str, start: int, end: int, hidden: Sequence[Hidden]) -> str:
    r"""Read a span of a page as its readers see it: without markup, character references decoded.

    Markup that lies only partly in the span is hidden too. What markup shows at the ends of the span is left out.
    `hidden` is what `read_html` found in the whole text.

    Examples:
        >>> from spanwise.formats.html import read_html
        >>> page = "<h1>Fish &amp; chips</h1><p>Fried."
        >>> visible(page, 0, len(page), read_html(page).hidden)
        'Fish & chips\n\nFried.'
    """
    pieces: list[str] = []
    shown = ""
    place = max(bisect_right(hidden, start, key=_start_of) - 1, 0)
    at, end = start, min(end, len(text))
    while at < end:
        span = hidden[place] if place < len(hidden) else Hidden(end, end)
        place += 1
        if span.start > at:
            pieces += (_fitted(shown, pieces), _decoded(text[at : min(span.start, end)]))
            shown = ""
        if span.end > at:
            shown = span.shown
            at = max(span.end, at) if span.start < end else end
    return "".join(pieces)


def _start_of(span: Hidden) -> int:
    return span.start


def _fitted(shown: str, pieces: list[str]) -> str:
    """Leave out what markup shows at the beginning, and line ends that the text before has already."""
    if not pieces:
        return ""
    last = pieces[-1]
    if shown[:1] == "\n" and last[-1:] == "\n":
        return shown[2 if last.endswith("\n\n") else 1 :]
    return shown


def _decoded(piece: str) -> str:
    """Decode character references; a number with more digits than an integer may have is no character."""
    if "&" not in piece:
        return piece
    return html.unescape(_LONG_NUMBER.sub(_shortened, piece) if "&#" in piece else piece)


def _shortened(reference: re.Match[str]) -> str:
    digits = reference[1].lstrip("0") or "0"
    return f"&#{digits};" if len(digits) < 8 else "\ufffd"
