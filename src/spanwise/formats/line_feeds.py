"""Where does a line begin? At each line feed, once a text is written so."""

from __future__ import annotations

from spanwise.whitespace import SPACE

__all__ = ["INK_AHEAD", "line_fed"]

_BLANK = SPACE.replace(r"\t-\r", r"\t\v-\r")

INK_AHEAD = rf"(?={_BLANK}{{0,32768}}+[^{SPACE[1:]})"
"""A look ahead, right after a line feed: the line holds more than white space."""


def line_fed(text: str) -> str:
    r"""Give a text with a line feed at the offset of each line that begins in `text`, and nowhere else.

    It is one longer than the text: every character stands one later, so a match that begins with the line feed begins
    at the offset of its line. CR LF, CR, VT, FF, NEL, LS and PS (the mandatory breaks of UAX 14) end lines as LF does.
    """
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    for end in "\v\f\x85\u2028\u2029":
        if end in text:
            text = text.replace(end, "\n")
    return "\n" + text
