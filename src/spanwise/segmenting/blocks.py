"""Where may no sentence go on? At hard line starts: they divide a text into blocks.

A block is a paragraph, a heading, a list item with its continuation lines, a table row, or a single line of a log,
of code, of verse. Whether a line start is hard is told from the lines around it alone, so that an edit far away
changes nothing; blocks are found only near the offset that is asked for, and a few are remembered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from spanwise.whitespace import SPACE, WHITE_SPACE

__all__ = ["Block", "Blocks"]

_BLANK = r"[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]"
"""White space that does not end a line."""

_STRUCTURE = re.compile(
    rf"{_BLANK}{{0,200}}+(?:"
    rf"(?P<item>(?:[-*+•–]|\d{{1,9}}[.)]|[^\W\d_]\)|\([^\W_]{{1,3}}\)){_BLANK}++(?!\n|\Z))"
    r"|(?P<row>\|)"
    rf"|(?P<heading>\#{{1,6}}(?={_BLANK}|\n|\Z))"
    r"|(?P<fence>```|~~~)"
    r"|(?P<quote>>))"
)
"""What begins a line that never goes on from the line before."""

_RULE = re.compile(rf"{_BLANK}{{0,3}}+(?:=++|-{{2,}}+|\*{{3,}}+|_{{3,}}+|~{{4,}}+|\^{{3,}}+|\#{{7,}}+){_BLANK}{{0,200}}+(?:\n|\Z)")
"""A line that underlines a heading (Markdown, reStructuredText) or divides: it stays with the line before it."""

_CONTINUES = re.compile(
    rf"({_BLANK}{{0,80}}+)(?:[\"'“”‘’„«»(\[`*_—–…¿¡$€£&]{{0,3}}[^\W\d_]|\d{{1,4}}(?:[.,]\d+)?%?[,;]?[ ][a-z])"
)
"""How a line begins that may go on from the line before: with a letter behind quotes or brackets, or "2,000 people"."""

_ENDS_RECORD = frozenset(":;{}=\\")
_ENDS_SENTENCE = frozenset(".!?…\"'”’»)]:;。！？．」』）")
_SOLID_BREAKS = frozenset("\f\u2029")  # a page and a paragraph separator say by themselves that something ended

_LINE_MOST = 200  # wrapped prose has lines of 40 to 200 characters; longer lines are whole paragraphs
_LINE_LEAST = 40
_IDEOGRAPHIC_LEAST = 20  # ideographs are twice as wide
_NEIGHBOURHOOD = 2 * _LINE_MOST + 20  # characters looked at on either side of a line break
_NEIGHBOURS = 4  # lines on either side; more would tie a line to an edit further away
_WORD_MOST = 30  # what has no blank for so long is no prose: a record of a CSV file, a path
_ITEM_LINES = 20  # an item that goes on for more lines is none; bounds the way back to its marker
_HOP_MOST = 2_000  # how far back the start of a line is sought where only its look is of interest
_REMEMBERED = 4


@dataclass(slots=True)
class Block:
    """A block as far as it is known: no hard line start lies in (start, searched]."""

    start: int
    kind: str
    """`item`, `row` or `plain`."""
    content: int
    """Where the text behind the list marker begins."""
    searched: int
    end: int = -1
    """Where the next block begins; -1 while that is not known."""
    blank: int = -1
    """White space alone from `searched` to here, so that a long run of it is passed once."""

    def holds(self, offset: int) -> bool:
        """Say whether the offset is known to lie in this block."""
        return self.start <= offset and (offset <= self.searched or offset < self.end)


class Blocks:
    """Finds the blocks of one text.

    Example:
        >>> blocks = Blocks("A heading\\n\\nand text.")
        >>> blocks.at(15).start
        11
    """

    __slots__ = ("_known", "_last_item", "_lined", "_solid", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._lined = _with_line_feeds(text)
        self._solid = self._lined is not text
        self._known: list[Block] = []
        self._last_item = (-1, (-1, 0, 0))

    def at(self, offset: int) -> Block:
        """Give the block that holds an offset (code points; less than the length of the text)."""
        known = self._known
        floor, below = 0, None
        for block in known:
            if block.holds(offset):
                return block
            if block.end == offset < len(self._lined):
                return self._remember(offset, offset)
            if block.end < 0 and floor <= block.searched < offset:
                floor, below = block.searched, block
        start = self._hard_start_in(floor, offset)
        if start < 0 and below is not None:
            below.searched = offset
            return below
        return self._remember(max(start, 0), offset)

    def end(self, block: Block, limit: int) -> int:
        """Give the end of a block if it is at most `limit`, else `limit`."""
        limit = min(limit, len(self._lined))
        if 0 <= block.end:
            return min(block.end, limit)
        if block.searched < limit and block.blank < limit:
            self._search(block, limit)
        return block.end if 0 <= block.end <= limit else limit

    def _search(self, block: Block, limit: int) -> None:
        lined = self._lined
        # A line that begins at `searched` itself is known not to be hard, so the line feed before it is not sought.
        feed = lined.find("\n", block.searched, limit)
        while feed >= 0:
            start = _past_white_space(lined, max(feed + 1, block.blank), limit)
            if start >= limit:
                break
            line = lined.rfind("\n", feed, start) + 1
            if self._is_hard(line):
                block.end = line
                return
            feed = lined.find("\n", start, limit)
        if limit == len(lined):
            block.end = limit
        # A line of which only white space was seen may turn out hard, so the next search begins before it.
        block.searched, block.blank = (limit, -1) if feed < 0 else (feed, limit)

    def _remember(self, start: int, searched: int) -> Block:
        match = _STRUCTURE.match(self._lined, start)
        kind = match.lastgroup if match is not None else None
        if match is not None and kind in {"item", "row"}:
            block = Block(start, str(kind), match.end() if kind == "item" else start, searched)
        else:
            block = Block(start, "plain", start, searched)
        self._known.append(block)
        if len(self._known) > _REMEMBERED:
            del self._known[0]
        return block

    def _hard_start_in(self, floor: int, offset: int) -> int:
        """Give the last hard line start in (floor, offset], 0 being hard, or -1."""
        lined = self._lined
        feed = lined.rfind("\n", floor, offset)
        while feed >= 0:
            if self._is_hard(feed + 1):
                return feed + 1
            marker = self._item_above(feed + 1)
            if marker >= 0:  # all lines between an item's marker and this line are part of the item
                return marker if marker > floor else -1
            feed = lined.rfind("\n", floor, _before_white_space(lined, floor, feed))
        return -1

    def _is_hard(self, start: int) -> bool:
        lined = self._lined
        if _is_blank_line(lined, start):
            return False
        if start == 0 or (self._solid and self.text[start - 1] in _SOLID_BREAKS):
            return True
        if start == 1 or (lined[start - 2] in WHITE_SPACE and _is_blank_before(lined, start - 1)):
            return True
        if _STRUCTURE.match(lined, start) is not None:
            return True
        if _RULE.match(lined, start) is not None:
            return False
        if self._follows_closed_line(start):
            return True
        return self._item_above(start) < 0 and not self._is_wrapped(start)

    def _follows_closed_line(self, start: int) -> bool:
        before = _line_before(self._lined, start)
        if before < 0:
            return False
        match = _STRUCTURE.match(self._lined, before)
        if match is not None:
            return match.lastgroup in {"row", "heading", "fence"}
        return _RULE.match(self._lined, before) is not None

    def _item_above(self, start: int) -> int:
        """Give the marker line of the item that the line at `start` goes on, or -1."""
        if self._lined[start : start + 1] not in WHITE_SPACE or start == len(self._lined):
            return -1
        if self._last_item[0] == start:
            return self._last_item[1][0]
        waiting = [start]
        state = (-1, 0, 0)
        line = start
        while len(waiting) <= _ITEM_LINES:
            line = _line_before(self._lined, line)
            known = self._item_state(line)
            if known is not None:
                state = known
                break
            waiting.append(line)
        for line in reversed(waiting):
            state = self._item_going_on(line, state)
        self._last_item = (start, state)
        return state[0]

    def _item_state(self, line: int) -> tuple[int, int, int] | None:
        """Give (marker line, indentation, lines so far) as of this line where it does not depend on lines above."""
        if line < 0:
            return (-1, 0, 0)
        if self._last_item[0] == line:
            return self._last_item[1]
        match = _STRUCTURE.match(self._lined, line)
        if match is not None:
            return (line, _indentation(self._lined, line), 1) if match.lastgroup == "item" else (-1, 0, 0)
        if self._lined[line] not in WHITE_SPACE or _is_blank_line(self._lined, line):
            return (-1, 0, 0)
        return None

    def _item_going_on(self, line: int, state: tuple[int, int, int]) -> tuple[int, int, int]:
        marker, indentation, lines = state
        if marker < 0 or lines >= _ITEM_LINES or _indentation(self._lined, line) <= indentation:
            return (-1, 0, 0)
        return (marker, indentation, lines + 1)

    def _is_wrapped(self, start: int) -> bool:
        """Say whether the line break before `start` only wraps prose: the next word did not fit the line."""
        lined = self._lined
        length = start - 2 - lined.rfind("\n", max(0, start - 2 - _LINE_MOST), start - 1)
        if length > _LINE_MOST or length < _IDEOGRAPHIC_LEAST // 2 or lined[start - 2] in _ENDS_RECORD:
            return False
        beginning = _CONTINUES.match(lined, start)
        if beginning is None or beginning.end(1) - start > _indentation(lined, start - 1 - length):
            return False
        before = _lines_before(lined, start)
        after = _lines_after(lined, start)
        if _is_record(before, after):
            return False
        if lined[start - 2] >= "\u2e80" and lined[start] >= "\u2e80":
            return _is_filled_ideographic(before + after, len(before) - 1)
        return _is_filled(before + after, len(before) - 1)


def _with_line_feeds(text: str) -> str:
    """Give a text of the same length where each line ends with LF alone; the text itself if it does so already."""
    lined = text
    if "\r" in lined:
        lined = lined.replace("\r\n", " \n").replace("\r", "\n")
    for end in "\v\f\x85\u2028\u2029":
        if end in lined:
            lined = lined.replace(end, "\n")
    return lined


_WHITE_SPACE_RUN = re.compile(f"{SPACE}*+")
_BLANK_RUN = re.compile(f"{_BLANK}*+")


def _past_white_space(lined: str, start: int, end: int) -> int:
    match = _WHITE_SPACE_RUN.match(lined, start, end)
    return match.end() if match is not None else start


def _before_white_space(lined: str, start: int, end: int) -> int:
    """Give where the white space begins that ends at `end`; not before `start`."""
    step = 64
    while end > start:
        piece = lined[max(start, end - step) : end]
        kept = len(piece.rstrip(WHITE_SPACE))
        end -= len(piece) - kept
        if kept:
            break
        step = min(step * 2, 1 << 16)
    return end


def _is_blank_line(lined: str, start: int) -> bool:
    if lined[start : start + 1] not in WHITE_SPACE:
        return False
    match = _BLANK_RUN.match(lined, start)
    end = match.end() if match is not None else start
    return end == len(lined) or lined[end] == "\n"


def _is_blank_before(lined: str, end: int) -> bool:
    """Say whether the line that ends at `end` holds white space alone."""
    start = lined.rfind("\n", 0, end) + 1
    return _past_white_space(lined, start, end) == end


def _line_before(lined: str, start: int) -> int:
    """Give where the line before the one at `start` begins; -1 if there is none or it is far away."""
    if start <= 0:
        return -1
    floor = max(0, start - 1 - _HOP_MOST)
    feed = lined.rfind("\n", floor, start - 1)
    if feed < 0:
        return 0 if floor == 0 else -1
    return feed + 1


def _indentation(lined: str, start: int) -> int:
    match = _BLANK_RUN.match(lined, start, start + _LINE_MOST)
    return match.end() - start if match is not None else 0


def _lines_before(lined: str, start: int) -> list[str]:
    """List the last lines of the paragraph that ends before `start`, as far as they stand near."""
    floor = max(0, start - 1 - _NEIGHBOURHOOD)
    lines = lined[floor : start - 1].split("\n")
    if floor > 0:
        del lines[0]
    lines = lines[-_NEIGHBOURS:]
    for place in range(len(lines) - 1, -1, -1):
        if not lines[place].strip(WHITE_SPACE):
            return lines[place + 1 :]
    return lines


def _lines_after(lined: str, start: int) -> list[str]:
    """List the first lines of what begins at `start`, as far as they stand near."""
    lines = lined[start : start + _NEIGHBOURHOOD].split("\n", _NEIGHBOURS)[:_NEIGHBOURS]
    for place, line in enumerate(lines):
        if not line.strip(WHITE_SPACE):
            return lines[:place]
    return lines


def _is_record(before: list[str], after: list[str]) -> bool:
    """Say whether two lines are entries (of a log, a table in columns, verse) rather than prose that goes on."""
    line, following = before[-1].strip(), after[0].strip()
    if "   " in line or "   " in following or "\t" in line or "\t" in following:
        return True
    # Entries begin alike; of wrapped lines less than one in a hundred begins with the capital word of the one before.
    word = following[: following.find(" ")]
    if word[:1].isupper() and line.startswith(word):
        return True
    # Verse and titles: three short lines with capitals. German prose has that too, hence the limit on the width.
    third = before[-2] if len(before) > 1 else after[1] if len(after) > 1 else ""
    return (
        len(line) < _LINE_LEAST * 3 // 2
        and line[0].isupper()
        and following[0].isupper()
        and third.lstrip()[:1].isupper()
    )


def _is_filled(lines: list[str], place: int) -> bool:
    widest = max(map(len, lines))
    if not _LINE_LEAST <= widest <= _LINE_MOST or not _leaves_no_room(lines, place, widest):
        return False
    # Among ragged lines the longest always looks filled, but then its neighbours do not.
    judged = [
        _leaves_no_room(lines, other, widest) or lines[other][-1] in _ENDS_SENTENCE
        for other in (place - 1, place + 1)
        if 0 <= other < len(lines) - 1
    ]
    return not judged or any(judged)


def _leaves_no_room(lines: list[str], place: int, widest: int) -> bool:
    following = lines[place + 1].lstrip()
    blank = following.find(" ", 0, _WORD_MOST)
    if blank < 0:
        if len(following) > _WORD_MOST:
            return False
        blank = len(following)
    return len(lines[place]) + 1 + blank > widest


def _is_filled_ideographic(lines: list[str], place: int) -> bool:
    """Text without blanks is wrapped at a width of characters: punctuation that may not begin a line moves it by two."""
    widest = max(map(len, lines))
    if not _IDEOGRAPHIC_LEAST <= widest <= _LINE_MOST or lines[place][-1] in _ENDS_SENTENCE:
        return False
    filled = sum(widest - len(line) <= 2 for line in lines)
    return filled > 1 and widest - len(lines[place]) <= 2
