"""How deep do the elements of HTML lie in one another, for a parser that closes none by itself?"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from spanwise.formats.html_tokens import END, START, Tokens, is_closed_alone

__all__ = ["is_too_deep"]

_DEEPEST: Final = 200
"""Docling's reader fails at about 250 lists and items; its time grows with the square of the depth."""
_EMPTY: Final = re.compile(
    "area|base|basefont|bgsound|br|col|command|embed|frame|hr|image|img|input|isindex|keygen|link|menuitem|meta|nextid|"
    "param|source|spacer|track|wbr"
)


def is_too_deep(text: str) -> bool:
    """Say whether Docling, which reads `<p>a<p>b` as one paragraph in another, would fail or take very long.

    >>> is_too_deep("<div>" * 200 + "deep"), is_too_deep("<div>" * 201 + "deep"), is_too_deep("<p>a</p>" * 500)
    (False, True, False)
    """
    opened: list[str] = []
    count: Counter[str] = Counter()
    for kind, _, end, name in Tokens(text):
        if kind == START and _EMPTY.fullmatch(name) is None and not is_closed_alone(text, end):
            opened.append(name)
            count[name] += 1
            if len(opened) > _DEEPEST:
                return True
        elif kind == END and count[name]:
            last = ""
            while last != name:
                last = opened.pop()
                count[last] -= 1
    return False
