"""Where does a line begin? At each line feed, once a text is written so."""

from __future__ import annotations

import re
from itertools import islice

from spanwise.whitespace import SPACE

__all__ = ["INK_AHEAD", "first_lines", "has_lines", "line_fed"]

_BLANK = SPACE.replace(r"\t-\r", r"\t\v-\r")

INK_AHEAD = rf"(?={_BLANK}{{0,32768}}+[^{SPACE[1:]})"
"""A look ahead, right after a line feed: the line holds more than white space."""

_INK_LINE = re.compile(r"\n" + INK_AHEAD)
_BEGINNING = 160


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


def first_lines(lined: str, count: int) -> str:
    """Give how so many lines that hold something begin.

    What is sought in every text at little cost, a first record or turn, is among them.
    """
    after = next(islice(_INK_LINE.finditer(lined), count, None), None)
    if after is not None:
        lined = lined[: after.start()]
    return "\n".join([line[:_BEGINNING] for line in lined.split("\n")])


def has_lines(lined: str, beginning: re.Pattern[str], least: int) -> bool:
    """Say at little cost whether at least so many lines begin in a way; the pattern begins with a line feed."""
    return sum(1 for _ in islice(beginning.finditer(lined), least)) >= least
