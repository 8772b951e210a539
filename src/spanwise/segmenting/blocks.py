"""Where may no sentence go on? At hard line starts: they divide a text into blocks.

A block is a paragraph, a heading, a list item with its continuation lines, a table row, or a single line of a log,
of code, of verse. Whether a line start is hard is told from the lines around it alone, so that an edit far away
changes nothing; blocks are found only near the offset that is asked for, and a few are remembered.
"""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.patterns import lazy_pattern
from spanwise.segmenting.lines import LINE_ENDS
from spanwise.whitespace import SPACE, WHITE_SPACE

__all__ = ["Block", "Blocks", "content_of"]

_BLANK = r"[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]"
"""White space that does not end a line."""

_STRUCTURE = lazy_pattern(
    rf"{_BLANK}{{0,200}}+(?:"
    rf"(?P<item>(?:[-*+•–]|\d{{1,9}}[.)]|[^\W\d_]\)|\([^\W_]{{1,3}}\)){_BLANK}++(?!\n|\Z))"
    r"|(?P<row>\|)"
    rf"|(?P<heading>\#{{1,6}}(?={_BLANK}|\n|\Z))"
    r"|(?P<fence>```|~~~)"
    r"|(?P<quote>>))"
)
"""What begins a line that never goes on from the line before."""

_RULE = lazy_pattern(
    rf"{_BLANK}{{0,3}}+(?:=++|-{{2,}}+|\*{{3,}}+|_{{3,}}+|~{{4,}}+|\^{{3,}}+|\#{{7,}}+){_BLANK}{{0,200}}+(?:\n|\Z)"
)
"""A line that underlines a heading (Markdown, reStructuredText) or divides: it stays with the line before it."""

_CONTINUES = lazy_pattern(
    rf"({_BLANK}{{0,80}}+)(?:[\"'“”‘’„«»(\[`*_—–…¿¡$€£&]{{0,3}}[^\W\d_]|\d{{1,4}}(?:[.,]\d+)?%?[,;]?[ ][a-z])"
)
"""How a line begins that may go on from the line before: with a letter behind quotes or brackets, or "2,000 people"."""

_ENDS_RECORD = frozenset(":{}=\\")
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


class Blocks:
    r"""Finds the blocks of one text.

    Example:
        >>> blocks = Blocks("A heading\n\nand text.")
        >>> blocks.at(15).start
        11
    """

    __slots__ = ("_known", "_last_item", "_lined", "_solid", "text")

    def __init__(self, text: str, line_ends: str = LINE_ENDS) -> None:
        """Take the text, and the kinds of line ends that it may hold."""
        self.text = text
        self._lined = _with_line_feeds(text, line_ends)
        self._solid = self._lined is not text
        self._known: list[Block] = []
        self._last_item = (-1, (-1, 0, 0))

    def at(self, offset: int) -> Block:
        """Give the block that holds an offset (code points; less than the length of the text)."""
        floor, below = 0, None
        for block in self._known:
            searched, end = block.searched, block.end
            if block.start <= offset and (offset <= searched or offset < end):
                return block
            if end == offset < len(self._lined):
                return self._remember(offset, offset)
            if end < 0 and floor <= searched < offset:
                floor, below = searched, block
        start = self._hard_start_in(floor, offset)
        if start < 0 and below is not None:
            below.searched = offset
            return below
        return self._remember(max(start, 0), offset)

    def end(self, block: Block, limit: int) -> int:
        """Give the end of a block if it is at most `limit`, else `limit`."""
        limit = min(limit, len(self._lined))
        if block.end >= 0:
            return min(block.end, limit)
        if block.searched < limit:
            self._search(block, limit)
        return block.end if 0 <= block.end <= limit else limit

    def _search(self, block: Block, limit: int) -> None:
        lined = self._lined
        length = len(lined)
        # A line that begins at `searched` itself is known not to be hard, so the line feed before it is not sought.
        feed = lined.find("\n", block.searched, limit)
        while feed >= 0:
            # White space is passed even beyond the limit: whether a block ends before it must not hang on the asking.
            start = _past_white_space(lined, feed + 1, length)
            line = lined.rfind("\n", feed, start) + 1
            if start < length and self._is_hard(line):
                block.end = line
                return
            limit = max(limit, start)
            feed = lined.find("\n", start, limit)
        block.searched = limit
        if limit == length:
            block.end = limit

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
        worded = _is_worded(lined, start)
        if not worded and _is_blank_line(lined, start):
            return False
        if start <= 1 or self._begins_anew(start):
            return True
        last = lined[start - 2]
        if last == "\n" or (last in WHITE_SPACE and _is_blank_before(lined, start - 1)):
            return True
        before = _line_before(lined, start)
        if worded:
            return _is_closed(lined, before) or not self._is_wrapped(before, start)
        return self._is_hard_before_marks(before, start)

    def _begins_anew(self, start: int) -> bool:
        return self._solid and start > 0 and self.text[start - 1] in _SOLID_BREAKS

    def _is_hard_before_marks(self, before: int, start: int) -> bool:
        lined = self._lined
        if _STRUCTURE.match(lined, start) is not None:
            return True
        if _RULE.match(lined, start) is not None:
            return False
        if self._item_above(start) >= 0:
            return False
        return _is_closed(lined, before) or not self._is_wrapped(before, start)

    def _item_above(self, start: int) -> int:
        """Give the marker line of the item that the line at `start` goes on, or -1."""
        if self._lined[start : start + 1] not in WHITE_SPACE or start == len(self._lined) or self._begins_anew(start):
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
        if self._lined[line] not in WHITE_SPACE or _is_blank_line(self._lined, line) or self._begins_anew(line):
            return (-1, 0, 0)
        return None

    def _item_going_on(self, line: int, state: tuple[int, int, int]) -> tuple[int, int, int]:
        marker, indentation, lines = state
        if marker < 0 or lines >= _ITEM_LINES or _indentation(self._lined, line) <= indentation:
            return (-1, 0, 0)
        return (marker, indentation, lines + 1)

    def _is_wrapped(self, before: int, start: int) -> bool:
        """Say whether the line break before `start` only wraps prose: the next word did not fit the line `before`."""
        lined = self._lined
        length = start - 1 - before
        if before < 0 or not _IDEOGRAPHIC_LEAST // 2 <= length <= _LINE_MOST:
            return False
        beginning = _CONTINUES.match(lined, start)
        if beginning is None:
            return False
        indentation = beginning.end(1) - start
        if indentation and indentation > _indentation(lined, before):
            return False
        lines, place = _lines_near(lined, start)
        last = lines[place][-1]
        if last in WHITE_SPACE:  # a carriage return was there, or blanks that nobody sees
            lines = [line.rstrip(WHITE_SPACE) for line in lines]
            last = lines[place][-1]
        if last in _ENDS_RECORD or _is_record(lines, place):
            return False
        if last >= "\u2e80" and lined[start] >= "\u2e80":
            return _is_filled_ideographic(lines, place)
        return _is_filled(lines, place)


def content_of(text: str, start: int) -> int:
    """Give where the text of a block begins: behind the marker of a list item, else where the block begins."""
    match = _STRUCTURE.match(text, start)
    return match.end() if match is not None and match.lastgroup == "item" else start


def _with_line_feeds(text: str, line_ends: str) -> str:
    """Give a text of the same length where each line ends with LF alone; the text itself if it does so already."""
    lined = text
    if "\r" in line_ends:
        lined = lined.replace("\r\n", " \n")
    for end in line_ends:
        if end != "\n":
            lined = lined.replace(end, "\n")
    return lined


_WHITE_SPACE_RUN = lazy_pattern(f"{SPACE}*+")
_BLANK_RUN = lazy_pattern(f"{_BLANK}*+")


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


def _is_worded(lined: str, start: int) -> bool:
    """Say at little cost that a line begins with a word, so that it is neither blank nor a marker nor a rule."""
    return lined[start : start + 2].isalpha()


def _is_closed(lined: str, start: int) -> bool:
    """Say whether nothing goes on from the line at `start`: a table row, a heading, a fence, an underline, a rule."""
    if start < 0 or _is_worded(lined, start):
        return False
    match = _STRUCTURE.match(lined, start)
    if match is not None:
        return match.lastgroup in {"row", "heading", "fence"}
    return _RULE.match(lined, start) is not None


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


def _lines_near(lined: str, start: int) -> tuple[list[str], int]:
    """List the lines of one paragraph around a line start, and which of them is the one before it."""
    floor = max(0, start - 1 - _NEIGHBOURHOOD)
    lines = lined[floor : start + _NEIGHBOURHOOD].split("\n")
    place = lined.count("\n", floor, start - 1)
    first = max(place - _NEIGHBOURS + 1, 1 if floor > 0 and place > 0 else 0)
    lines = lines[first : place + _NEIGHBOURS + 1]
    place -= first
    if not all(map(str.strip, lines)):  # a blank line divides paragraphs
        blanks = [number for number, line in enumerate(lines) if not line.strip()]
        first = max((number + 1 for number in blanks if number < place), default=0)
        end = min((number for number in blanks if number > place), default=len(lines))
        return lines[first:end], place - first
    return lines, place


def _is_record(lines: list[str], place: int) -> bool:
    """Say whether two lines are entries (of a log, a table in columns, verse) rather than prose that goes on."""
    line, following = lines[place].strip(), lines[place + 1].strip()
    if "   " in line or "   " in following or "\t" in line or "\t" in following:
        return True
    if not following[0].isupper():
        return False
    # Entries begin alike; of wrapped lines less than one in a hundred begins with the capital word of the one before.
    if line.startswith(following[: following.find(" ")]):
        return True
    # Verse and titles: three short lines with capitals. German prose has that too, hence the limit on the width.
    if len(line) >= _LINE_LEAST * 3 // 2 or not line[0].isupper():
        return False
    third = lines[place - 1] if place else lines[2] if len(lines) > 2 else ""
    return third.lstrip()[:1].isupper()


def _is_filled(lines: list[str], place: int) -> bool:
    widest = max(map(len, lines))
    if not _LINE_LEAST <= widest <= _LINE_MOST:
        return False
    if not _leaves_no_room(lines, place, widest):
        return _is_ragged(lines, place, widest)
    # Among unwrapped lines the longest always looks filled, but then its neighbours do not.
    judged = [
        _leaves_no_room(lines, other, widest) or lines[other][-1] in _ENDS_SENTENCE
        for other in (place - 1, place + 1)
        if 0 <= other < len(lines) - 1
    ]
    return not judged or any(judged)


def _is_ragged(lines: list[str], place: int, widest: int) -> bool:
    """Say whether a line was left short by an edit: a clause goes on in small letters among lines that are filled."""
    line = lines[place]
    if len(line) * 5 < widest * 3 or not lines[place + 1].lstrip()[0].islower():
        return False
    if not (line[-1].islower() or line[-1] == ","):
        return False
    others = (other for other in range(len(lines) - 1) if other != place)
    return sum(_leaves_no_room(lines, other, widest) for other in others) > 1


def _leaves_no_room(lines: list[str], place: int, widest: int) -> bool:
    following = lines[place + 1].lstrip()
    blank = following.find(" ", 0, _WORD_MOST)
    if blank < 0:
        if len(following) > _WORD_MOST:
            return False
        blank = len(following)
    return len(lines[place]) + 1 + blank > widest


def _is_filled_ideographic(lines: list[str], place: int) -> bool:
    """Text without blanks fills each line but for two characters: punctuation that may not begin a line moves one."""
    widest = max(map(len, lines))
    if not _IDEOGRAPHIC_LEAST <= widest <= _LINE_MOST or lines[place][-1] in _ENDS_SENTENCE:
        return False
    filled = sum(widest - len(line) <= 2 for line in lines)
    return filled > 1 and widest - len(lines[place]) <= 2
