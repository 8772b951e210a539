"""At blank lines: a paragraph owns the blank lines that follow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from spanwise.segmenting.lines import LINE_ENDS, LineCuts
from spanwise.segmenting.structured import StartCuts, whole_starts
from spanwise.whitespace import SPACE, WHITE_SPACE

if TYPE_CHECKING:
    from spanwise.segmenting.reading import Reading
    from spanwise.segmenting.segmenter import Cuts

__all__ = ["ParagraphCuts", "Paragraphs"]

_LAST_INK = regex.compile(f"(?r)[^{SPACE[1:]}")
_REST_IS_BLANK = regex.compile(f"[{SPACE[1:-1]}--[{LINE_ENDS}]]*+(?:[{LINE_ENDS}]|\\Z)", regex.V1)
_LAST_IN_LINE = regex.compile(f"(?r)[^{SPACE[1:-1]}]|[{LINE_ENDS}]", regex.V1)


class ParagraphCuts:
    """The starts of paragraphs in one text."""

    __slots__ = ("_line_feeds_alone", "_lines", "_text")

    def __init__(self, text: str, line_ends: str | None = None) -> None:
        self._text = text
        self._lines = LineCuts(text, line_ends)
        self._line_feeds_alone = self._lines.ends in {"", "\n"}

    def last(self, after: int, upto: int, start: int = 0) -> int:  # noqa: ARG002  paragraphs have no units inside
        """Give the last paragraph start in (after, upto]."""
        text = self._text
        if upto >= len(text):
            return max(upto, after)
        while True:
            cut = text.rfind("\n", after, upto) + 1 if self._line_feeds_alone else self._lines.last(after, upto)
            if cut <= after:
                return after
            if self._line_feeds_alone and cut > 1 and text[cut - 2] not in WHITE_SPACE:  # as after most lines
                upto = cut - 1
                continue
            if text[cut] in WHITE_SPACE and _REST_IS_BLANK.match(text, cut):
                ink = _LAST_INK.search(text, after, cut)  # no paragraph starts within blank lines
                if ink is None:
                    return after
                upto = ink.end()
            elif self._follows_blank_line(cut):
                return cut
            else:
                upto = cut - 1

    def next(self, after: int, upto: int) -> int:
        """Give the first paragraph start in (after, upto]."""
        cut = after
        while True:
            following = self._lines.next(cut, upto)
            if following == cut:
                return after
            cut = following
            if cut >= len(self._text):
                return cut
            if text_starts_at(self._text, cut) and self._follows_blank_line(cut):
                return cut

    def _follows_blank_line(self, cut: int) -> bool:
        text = self._text
        before = text[cut - 2] if cut > 1 else "\n"
        if before == "\n" or text[cut - 1] == "\u2029":
            return True
        if before not in WHITE_SPACE:
            return False
        end = cut - 2 if text[cut - 2 : cut] == "\r\n" else cut - 1
        if end <= 0:
            return True
        if text[end - 1] not in WHITE_SPACE:
            return False
        stop = _LAST_IN_LINE.search(text, 0, end)
        return stop is None or stop.group() in LINE_ENDS


def text_starts_at(text: str, cut: int) -> bool:
    """Say whether the line that begins at `cut` holds more than white space."""
    return text[cut] not in WHITE_SPACE or _REST_IS_BLANK.match(text, cut) is None


class Paragraphs:
    """Cuts before each paragraph that follows a blank line."""

    name = "paragraph"

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text."""
        return ParagraphCuts(text)

    def cuts_in(self, reading: Reading) -> Cuts:
        """Get ready for a text that was read: its structure says what begins anew at the outermost level."""
        if reading.structure.blocks is None:
            return ParagraphCuts(reading.text, reading.line_ends)
        return StartCuts(reading.text, whole_starts(reading.text, reading.structure.strong))
