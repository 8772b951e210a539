"""Where do pages begin? After form feeds."""

from __future__ import annotations

import re

from spanwise.structure import Page

__all__ = ["page_starts"]

_FORM_FEEDS = re.compile(r"\f++")
_LINE_END = re.compile(r"(?:\r\n?+|\n)?+")


def page_starts(text: str) -> tuple[Page, ...]:
    r"""List the pages of a text with form feeds; `()` where there is none.

    A form feed ends its page and the next one begins right after it; where form feeds stand alone on a line, the end
    of that line goes with them. One at the end of the text opens no page.

    >>> page_starts("one\ftwo\n\f\nthree\f")
    (Page(start=0, number=1), Page(start=4, number=2), Page(start=10, number=3))
    """
    starts = [0]
    for found in _FORM_FEEDS.finditer(text):
        start, end = found.span()
        starts += range(start + 1, end)
        alone = start == 0 or text[start - 1] in "\r\n"
        line_end = _LINE_END.match(text, end) if alone else None
        starts.append(line_end.end() if line_end else end)
    if len(starts) == 1:
        return ()
    return tuple(Page(start, number) for number, start in enumerate(starts, 1) if start < len(text))
