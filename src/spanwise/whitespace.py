"""White space as Unicode defines it, the same on every Python.

The 25 code points of the property White_Space (Unicode 17.0, PropList.txt). `str.isspace` also counts the
separators U+001C to U+001F and changes with the Python that runs, so it is not used. Neither U+FEFF (BOM) nor
U+200B (zero width space) is white space.
"""

from __future__ import annotations

import re

__all__ = ["INK", "SPACE", "WHITE_SPACE", "is_blank"]

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

SPACE = r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
"""The same set as the class of a regular expression."""

INK = re.compile(f"[^{SPACE[1:]}")
"""Finds what is no white space."""

_BLANK = re.compile(f"{SPACE}*")


def is_blank(text: str, start: int, end: int) -> bool:
    """Say whether text[start:end] holds white space alone; the empty span is blank."""
    match = _BLANK.match(text, start, end)
    return match is not None and match.end() == end
