"""After line ends: CR LF, LF, CR, NEL, LS, PS, FF and VT (the mandatory breaks of UAX 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spanwise.segmenting.reading import Reading
    from spanwise.segmenting.segmenter import Cuts

__all__ = ["LINE_ENDS", "LineCuts", "Lines", "line_ends_in"]

LINE_ENDS = "\n\r\x0b\x0c\x85\u2028\u2029"


def line_ends_in(text: str) -> str:
    """List the kinds of line ends that a text holds."""
    return "".join([end for end in LINE_ENDS if end in text])


class LineCuts:
    """The line ends of one text; only the kinds that it holds are looked for."""

    __slots__ = ("_text", "ends")

    def __init__(self, text: str, ends: str | None = None) -> None:
        """Take the text, and the kinds of line ends that it holds if they are known."""
        self._text = text
        self.ends = line_ends_in(text) if ends is None else ends

    def last(self, after: int, upto: int, start: int = 0) -> int:  # noqa: ARG002  lines have no units inside
        """Give the last line end in (after, upto]."""
        text, best = self._text, after
        if upto >= len(text):
            return max(upto, after)
        for end in self.ends:
            place = text.rfind(end, best, upto)
            if end == "\r" and place >= 0 and text[place + 1] == "\n":  # CR LF is one line end
                place = text.rfind(end, best, place)
            best = max(best, place + 1)
        return best

    def next(self, after: int, upto: int) -> int:
        """Give the first line end in (after, upto]."""
        text = self._text
        first = upto + 1 if upto < len(text) else upto
        for end in self.ends:
            place = text.find(end, after, min(first, upto))
            if place >= 0:
                first = place + 2 if end == "\r" and text[place + 1 : place + 2] == "\n" else place + 1
        return first if first <= upto else after


class Lines:
    """Cuts after each line end."""

    name = "line"

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text."""
        return LineCuts(text)

    def cuts_in(self, reading: Reading) -> Cuts:
        """Get ready for a text that was read."""
        return LineCuts(reading.text, reading.line_ends)
