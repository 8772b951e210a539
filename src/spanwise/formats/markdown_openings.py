"""Where does the next window of Markdown begin, and what must be opened again before it?"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from spanwise.formats.markdown_events import (
    FENCED,
    HEADING,
    HTML,
    ITEM,
    LIST,
    NOTE,
    PARAGRAPH,
    QUOTE,
    RULE,
    TABLE,
    Block,
)
from spanwise.structure import DEEPEST_UNIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.formats.markdown_events import PlainBlock
    from spanwise.formats.markdown_lines import Source

__all__ = ["Restart", "opening_lines", "restart", "still_open"]

_LONGEST_OPENING: Final = 4_096
"""How many bytes may be put before a window."""

_ITEM_MARKER: Final = re.compile(rb"((?:[-*+]|\d{1,9}[.)]))([ \t]*)")
_NOTE_MARKER: Final = re.compile(rb"\[\^[^\]]*\]:")
_FENCE: Final = re.compile(rb"`{3,}|~{3,}")
_HTML_WITH_END: Final = (
    (re.compile(rb"<!--"), re.compile(rb"-->")),
    (re.compile(rb"<\?"), re.compile(rb"\?>")),
    (re.compile(rb"<!\[CDATA\["), re.compile(rb"\]\]>")),
    (re.compile(rb"<![A-Za-z]"), re.compile(rb">")),
    *(
        (re.compile(rb"<%s(?![^\s>])" % name, re.IGNORECASE), re.compile(rb"</%s>" % name, re.IGNORECASE))
        for name in (b"pre", b"script", b"style", b"textarea")
    ),
)
"""HTML blocks that end with a word of their own, not with a blank line (CommonMark 0.31, 4.6).

The standard lets each of the four last ends close each of the four; the parser wants the name that opened.
"""


class Restart(NamedTuple):
    """Where the next window begins, in bytes of this one, and the blocks that are open there, outermost first."""

    place: int
    open: Sequence[Block]


def restart(lines: Source, blocks: Sequence[PlainBlock], base: int) -> Restart:
    """Begin the next window where the last block does.

    Where that block takes most of the window, begin with the last one inside it; where there is none, inside it, at
    the end of the window. So each window moves on by a quarter of its size at least.
    """
    chain = _last_chain(blocks)
    least = max(base + 1, base + (lines.size - base) // 4)
    late = bisect_left(chain, least, key=lambda block: lines.begin(block.start))
    return Restart(lines.begin(chain[late].start) if late < len(chain) else lines.size, chain[:late])


def _last_chain(blocks: Sequence[PlainBlock]) -> list[Block]:
    """Give the last block of the outermost level, the last one inside it, and so on."""
    chain: list[Block] = []
    for block in reversed(blocks):
        if not chain or block[0] < chain[-1].depth:
            chain.append(Block._make(block))
            if block[0] == 0:
                break
    return chain[::-1]


def still_open(lines: Source, chain: Sequence[Block], skipped: bytes = b"") -> Sequence[Block]:
    """Leave out the last block of a chain if it ends with the window, or with the rest of the line after it."""
    return chain if not chain or _goes_on(lines, chain[-1], skipped) else chain[:-1]


def _goes_on(lines: Source, block: Block, skipped: bytes) -> bool:
    if block.kind in (HEADING, RULE) or lines.line_end(block.end) < lines.size:
        return False
    start = lines.ink_from(block.start)
    if block.kind == FENCED:
        fence = _FENCE.match(lines.raw, start)
        last = lines.begin(lines.size - 1)
        closing = rb"[ \t>]*" + re.escape(fence[0][:1]) + rb"{%d,}[ \t]*[\r\n]*\Z" % len(fence[0]) if fence else b""
        return last <= start or re.compile(closing).match(lines.raw, last) is None
    if block.kind == HTML:
        return not any(
            begin.match(lines.raw, start) and (end.search(lines.raw, start) or end.search(skipped))
            for begin, end in _HTML_WITH_END
        )
    return True


def opening_lines(lines: Source, blocks: Sequence[Block], *, inside_line: bool) -> str | None:
    """Write lines that open blocks again; None where that would take too many.

    A block that holds others is opened with an empty heading in it, which is complete, a paragraph with a word.
    """
    shown = [block for block in blocks if block.kind != LIST]
    if len(shown) > DEEPEST_UNIT:
        return None
    begins = [lines.begin(block.start) for block in shown]
    parts = [
        _opening_line(lines, block, begin)
        for block, begin, following in zip(shown, begins, [*begins, -1][1:], strict=True)
        if begin != following
    ]
    if inside_line:
        within = parts.pop()[:-2] if parts else b""  # without the mark and the line end
        parts.append(within + b"x ")
    opening = b"".join(parts)
    return opening.decode() if len(opening) <= _LONGEST_OPENING else None


def _opening_line(lines: Source, block: Block, begin: int) -> bytes:
    raw, start = lines.raw, lines.ink_from(block.start)
    if block.kind == PARAGRAPH:
        return raw[begin:start] + b"x\n"
    if block.kind == QUOTE:
        return raw[begin:start] + b"> #\n"
    if block.kind == NOTE:
        marker = _NOTE_MARKER.match(raw, start)
        return raw[begin:start] + (marker[0] if marker else b"") + b" #\n"
    if block.kind == ITEM:
        return raw[begin:start] + _item_marker(raw, start) + b"#\n"
    end = lines.line_end(start + 1)
    return raw[begin : lines.line_end(end + 1) if block.kind == TABLE else end]


def _item_marker(raw: bytes, start: int) -> bytes:
    """Give the marker of a list item and the blanks that belong to it (CommonMark 0.31, 5.2)."""
    marker = _ITEM_MARKER.match(raw, start)
    if marker is None:  # pragma: no cover  the parser is not known to begin an item elsewhere
        return b""
    blanks = marker[2]
    return marker[1] + (blanks if 0 < len(blanks) < 5 else b" ")
