"""What did the author of a Markdown text build?

CommonMark 0.31 with the tables, footnotes, task lists, strikethrough and alerts of GitHub, math, front matter and
directive containers. The text is read in windows, each from the start of a block, so that what is said about a place
depends on little that follows it, and so that memory does not grow with the text. Where one block fills a window, the
lines that open it are put before the next one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
import regex
from pyromark import reference_definitions

from spanwise.formats.markdown_events import (
    FENCED,
    HOLDERS,
    HTML,
    INDENTED,
    LIST,
    OPTIONS,
    PARAGRAPH,
    TABLE,
    UNIT_KINDS,
    seen_in,
)
from spanwise.formats.markdown_lines import Lines, Mask, Places
from spanwise.formats.markdown_marks import (
    NOTE_CALL,
    Fence,
    addresses,
    definitions_for,
    front_matter,
    is_blank,
    label_key,
    masked,
    math_across,
    may_hold_marks,
    paragraphs,
)
from spanwise.formats.markdown_openings import opening_lines, restart, still_open
from spanwise.sections import Heading
from spanwise.segmenting.nested_units import nested
from spanwise.structure import LOOK_AHEAD, Structure, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanwise.formats.markdown_events import Block

__all__ = ["read_markdown"]

WINDOW = LOOK_AHEAD // 2
"""How much is parsed at a time, in characters."""

_LONGEST_TITLE = 300  # characters: it stands on every chunk below it, so a longer line is text
_MOST_DIRECTIVES = 64  # that are open at a time
_RAW_KINDS = frozenset({FENCED, INDENTED, HTML})
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE_CR = re.compile(r"\r(?!\n)")
_REST_OF_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\n|\r)?")
_LEFT_OUT = -1
_LONGEST_ANCHORS = 1_000  # characters: what is longer is text of its own
_LINE_END = r"(?:\r\n?|\n)"
_ANCHORS = regex.compile(
    # after a blank line or at the top; HTML, then the targets of MyST and of Pandoc and its kin; blank lines between
    rf"(?r)(?:\A|\A{_LINE_END}|{_LINE_END}[ \t]*{_LINE_END})(?P<anchors>(?:[ ]{{0,3}}"
    r"(?:<a\s+(?:id|name)\s*=[^<>\r\n]*>(?:\s*</a>)?|<!--(?:(?!-->)[^\r\n])*-->|\([\w.:-]+\)=|\[\]\(\)?\{[^{}\r\n]*\})"
    rf"[ \t]*{_LINE_END}(?:[ \t]*{_LINE_END})?)+)\Z"
)


def read_markdown(text: str) -> Structure:
    """Find the headings, blocks and units of a Markdown text.

    Links by reference are those whose definition is among the first `LOOK_AHEAD` characters, or near.
    """
    if may_hold_marks(text):
        return _Reader(text).structure()
    blocks = paragraphs(text)
    return Structure(format="markdown", blocks=blocks, strong=() if is_blank(text) else blocks)


class _Open(NamedTuple):
    """A unit that a window left open: its kind, where it begins, and where its rows do if it is a table."""

    kind: int
    start: int
    rows: int


class _Directive(NamedTuple):
    """A container that is open: where it begins, how many colons opened it, and the item that holds it."""

    start: int
    colons: int
    item: int


class _Window:
    """One window: its source, which begins with what was put before it, and what was seen in it."""

    __slots__ = ("base", "before", "fences", "lines", "position", "seen", "source")

    def __init__(self, piece: str, before: str, position: int) -> None:
        self.source, self.fences = masked(_parseable(before + piece), len(before))
        self.before = len(before)
        self.base = len(before.encode())
        self.position = position
        self.lines = Lines(self.source.encode())
        self.seen = seen_in(self.source)

    def offsets(self, places: Places) -> Places:
        """Turn bytes of the source into offsets of the text."""
        return self.lines.points(places) + (self.position - self.before)

    def offset(self, place: int) -> int:
        """Turn one byte of the source into an offset of the text."""
        return int(self.offsets(np.array([place]))[0])


class _Reader:
    """Reads one text from its beginning, window by window."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._headings: list[Heading] = []
        self._tables: list[Table] = []
        self._blocks: list[Places] = []
        self._strong: list[Places] = []
        self._units: list[Places] = []
        self._directives: list[_Directive] = []
        self._definitions: dict[str, None] = {}
        self._opening = ""
        self._open: Sequence[_Open] = ()
        self._held: list[list[int]] = []
        """Places of headings, for each item, quote and footnote that is open."""
        self._goes_on = False
        self._ink_end = 0
        """Where the last line with ink ended that was read."""

    def structure(self) -> Structure:
        """Read everything."""
        text = self._text
        first = 1 if text.startswith("\ufeff") else 0
        self._define(text[first : first + LOOK_AHEAD])
        position = self._read_front_matter(first)
        while position < len(text):
            position = self._read_window(position)
        return self._assembled(first)

    def _define(self, beginning: str) -> None:
        if "]:" in beginning:
            try:
                found = reference_definitions(_parseable(beginning), options=OPTIONS)
            except BaseException as error:  # pragma: no cover  no text is known that makes the parser panic
                if type(error).__name__ != "PanicException":
                    raise
                return
            self._definitions = dict.fromkeys(label_key(label) for label in found)

    def _read_front_matter(self, start: int) -> int:
        end = front_matter(self._text, start)
        if end > start:
            lines = Lines(_parseable(self._text[start:end]).encode())
            self._blocks.append(lines.points(lines.starts[lines.inked()]) + start)
            self._strong.append(np.array([start]))
            self._units.append(np.array([[start, end]]))
        return end

    def _read_window(self, position: int) -> int:
        """Read one window; give where the next one begins."""
        end = self._window_end(position)
        piece = self._text[position:end]
        before = definitions_for(self._opening + piece, self._definitions) + self._opening
        window = _Window(piece, before, position)
        if end == len(self._text):
            self._take(window, window.lines.size, ())
            return end
        place, still = restart(window.lines, window.seen.blocks, window.base)
        following = position + len(piece) if place == window.lines.size else window.offset(place)
        if place == window.lines.size:
            following, still, opening = self._inside(window, end, still)
        else:
            opening = opening_lines(window.lines, still, inside_line=False)
        opened = self._take(window, place, still)
        if following > end:
            self._ink_end = following
        self._open, self._opening = (opened, opening) if opening is not None else ((), "")
        self._held = self._held if opening is not None else []
        self._goes_on = opening is None or (len(still) > 0 and still[-1].kind == LIST)
        return following

    def _inside(self, window: _Window, end: int, still: Sequence[Block]) -> tuple[int, Sequence[Block], str | None]:
        """Go on inside the last block: give from where, the blocks that are open there, and how to open them."""
        text, lines = self._text, window.lines
        if text[end - 1] in "\r\n":
            still = still_open(lines, still)
            return end, still, opening_lines(lines, still, inside_line=False)
        if not still or still[-1].kind == PARAGRAPH:
            opening = opening_lines(lines, still, inside_line=True)
            if opening is not None:
                return end, still, opening
        following = _next_line(text, end)
        still = still_open(lines, still, _parseable(text[end:following]).encode())
        return following, still, opening_lines(lines, still, inside_line=False)

    def _window_end(self, position: int) -> int:
        text = self._text
        if position + WINDOW >= len(text):
            return len(text)
        end = _last_line_end(text, position, position + WINDOW)
        if end <= position:
            end = _last_line_end(text, position, min(position + LOOK_AHEAD, len(text)))
        if end <= position:
            if position + LOOK_AHEAD >= len(text):
                return len(text)
            blank = text.rfind(" ", position, position + WINDOW) + 1
            return blank if blank > position else position + WINDOW
        formula = math_across(text, position, end)
        if formula is not None:
            begin, after = formula
            end = begin if begin > position else max(end, _next_line(text, after))
        return end

    def _take(self, window: _Window, limit: int, still: Sequence[Block]) -> Sequence[_Open]:
        """Take what begins in a window before `limit`; give what goes on after it."""
        starts = self._starts_of(window)
        going_on = {block.start for block in still if block.kind in UNIT_KINDS}
        self._take_blocks(window, limit)
        held = self._take_headings(window, limit)
        self._close_sections(window, held, still)
        self._take_units(window, limit, starts, going_on)
        self._take_inline(window, limit)
        if window.fences:
            self._take_directives(window, limit, starts)
        self._ink_end = self._end_of_ink(window, np.array([limit]))[0]
        return [starts[block.start] for block in still if block.kind in UNIT_KINDS]

    def _end_of_ink(self, window: _Window, places: Places) -> list[int]:
        """Give where the last line with ink before each place ends, be it before the window."""
        ends = window.lines.trimmed(places)
        offsets: list[int] = np.where(ends > window.base, window.offsets(ends), self._ink_end).tolist()
        return offsets

    def _starts_of(self, window: _Window) -> dict[int, _Open]:
        """Give, for each block that may be a unit, where it begins in the text."""
        lines, base = window.lines, window.base
        units = [block for block in window.seen.blocks if block.kind in UNIT_KINDS]
        if not units:
            return {}
        places = np.array([block.start for block in units])
        begins = window.offsets(lines.widened(places)).tolist()
        starts = {}
        for block, begin in zip(units, begins, strict=True):
            rows_at = _LEFT_OUT
            if block.kind == TABLE:
                rows_at = window.offset(lines.line_end(min(lines.line_end(block.start + 1) + 1, lines.size)))
            starts[block.start] = _Open(block.kind, begin, rows_at)
        known = iter(self._open)
        for block in units:
            if block.start >= base:
                break
            carried = next(known, None)
            if carried is None or carried.kind != block.kind:  # pragma: no cover  none known that opens otherwise again
                carried = _Open(block.kind, _LEFT_OUT, _LEFT_OUT)
            starts[block.start] = carried
        return starts

    def _take_blocks(self, window: _Window, limit: int) -> None:
        lines, seen, base = window.lines, window.seen, window.base
        tops = [block for block in seen.blocks if block.depth == 0]
        begins = np.array([block.start for block in tops], dtype=np.int64)
        marked = np.zeros(len(lines.starts), dtype=np.bool_)
        marks = np.array([*seen.leaves, *seen.breaks, *seen.rows[::2]], dtype=np.int64)
        marked[lines.of(marks[marks < lines.size])] = True
        strong = np.zeros(len(lines.starts), dtype=np.bool_)
        strong[lines.of(begins)] = True
        written = np.zeros(len(lines.starts), dtype=np.bool_)
        for first, last in _line_ranges(lines, [block for block in seen.blocks if block.kind in _RAW_KINDS]):
            written[first:last] = True
        written &= lines.inked()
        marked |= written
        if b"]:" in lines.raw[base:]:
            _mark_definitions(lines, tops, marked, strong)
        marked |= strong
        here = (lines.starts >= base) & (lines.starts < limit)
        self._blocks.append(window.offsets(lines.starts[marked & here]))
        written &= here
        self._units.append(np.stack([window.offsets(each[written]) for each in (lines.starts, lines.ends)], axis=1))
        if self._goes_on:
            here &= lines.starts > base
        self._strong.append(window.offsets(lines.starts[strong & here]))

    def _take_headings(self, window: _Window, limit: int) -> dict[Block, list[int]]:
        """Take the headings; give the places of those that stand in an item, a quote or a footnote, for each."""
        lines = window.lines
        held = self._still_held(window)
        headings = [seen for seen in window.seen.headings if window.base <= seen.start < limit]
        headings = [seen for seen in headings if 0 < len(seen.title) <= _LONGEST_TITLE]
        if not headings:
            return held
        for place, seen in enumerate(headings, len(self._headings)):
            if seen.holder is not None:
                held.setdefault(seen.holder, []).append(place)
        starts = np.array([seen.start for seen in headings])
        ends = lines.trimmed(np.array([seen.end for seen in headings]))
        begins = [_with_anchors(self._text, begin) for begin in window.offsets(lines.starts[lines.of(starts)]).tolist()]
        stops = window.offsets(lines.before_line_end(ends)).tolist()
        self._headings += [
            Heading(begin, stop, seen.level, seen.title)
            for begin, stop, seen in zip(begins, stops, headings, strict=True)
        ]
        self._units.append(np.stack([window.offsets(lines.widened(starts)), window.offsets(ends)], axis=1))
        return held

    def _still_held(self, window: _Window) -> dict[Block, list[int]]:
        """Find again the blocks that were open where the window begins, with the places of the headings in them."""
        known = iter(self._held)
        held = {}
        for block in window.seen.blocks if self._held else ():
            if block.start >= window.base:
                break
            if block.kind in HOLDERS:
                held[block] = next(known, [])
        return held

    def _close_sections(self, window: _Window, held: dict[Block, list[int]], still: Sequence[Block]) -> None:
        """Close the sections in blocks that end in this window; hold on to those that go on."""
        going_on = [block for block in still if block.kind in HOLDERS]
        closed = [block for block in held if held[block] and block not in going_on]
        for block, end in zip(closed, self._end_of_ink(window, np.array([one.end for one in closed])), strict=True):
            self._close(held[block], end)
        self._held = [held.get(block, []) for block in going_on]

    def _close(self, places: Iterable[int], until: int) -> None:
        for place in places:
            heading = self._headings[place]
            if heading.until is None:
                self._headings[place] = msgspec.structs.replace(heading, until=until)

    def _take_units(self, window: _Window, limit: int, starts: dict[int, _Open], going_on: set[int]) -> None:
        lines = window.lines
        ended = [block for block in window.seen.blocks if block.start in starts and block.start not in going_on]
        ended = [block for block in ended if block.kind in UNIT_KINDS and block.start < limit]
        ends = self._end_of_ink(window, np.array([block.end for block in ended], dtype=np.int64))
        units = []
        for block, end in zip(ended, ends, strict=True):
            opened = starts[block.start]
            if opened.start != _LEFT_OUT and opened.start < end:  # pragma: no branch  as above
                units.append((opened.start, end))
                if block.kind == TABLE:
                    head_end = min(opened.rows, end)
                    self._tables.append(Table(opened.start, head_end, end))
                    units.append((opened.start, head_end))
        if units:
            self._units.append(np.array(units))
        if window.seen.rows:
            places = _pairs(window.seen.rows)
            places = places[(places[:, 0] >= window.base) & (places[:, 0] < limit)]
            ends_of_rows = lines.trimmed(places[:, 1])
            self._units.append(
                np.stack([window.offsets(lines.widened(places[:, 0])), window.offsets(ends_of_rows)], axis=1)
            )

    def _take_inline(self, window: _Window, limit: int) -> None:
        inline = _pairs(window.seen.inline)
        inline = inline[(inline[:, 0] >= window.base) & (inline[:, 1] <= limit)]
        if len(inline):
            self._units.append(window.offsets(inline))
        found = [*addresses(window.source, window.before)]
        if "^" in window.source and "[^" in window.source:
            found += [call.span() for call in NOTE_CALL.finditer(window.source, window.before)]
        if found:
            self._take_bare(window, limit, found)

    def _take_bare(self, window: _Window, limit: int, found: list[tuple[int, int]]) -> None:
        """Take what was found in the source, in code points, where it is not code."""
        raw = [(block.start, block.end) for block in window.seen.blocks if block.kind in _RAW_KINDS]
        spans = window.lines.points(np.array(raw, dtype=np.int64).reshape(-1, 2)).tolist()
        begins = [begin for begin, _ in spans]
        last = int(window.lines.points(np.array([limit]))[0])
        shift = window.position - window.before
        units = []
        for begin, end in found:
            place = bisect_right(begins, begin) - 1
            if end <= last and (place < 0 or spans[place][1] <= begin):
                units.append((begin + shift, end + shift))
        if units:
            self._units.append(np.array(units))

    def _take_directives(self, window: _Window, limit: int, starts: dict[int, _Open]) -> None:
        lines = window.lines
        for start, item in window.seen.rules:
            fence = window.fences.get(int(lines.points(np.array([start]))[0]))
            if fence is not None and window.base <= start < limit:
                holder = starts[item].start if item in starts else _LEFT_OUT
                begin, end = lines.widened(np.array([start])), lines.trimmed(np.array([start + 1]))
                self._take_fence(fence, window.offset(int(begin[0])), window.offset(int(end[0])), holder)

    def _take_fence(self, fence: Fence, begin: int, end: int, item: int) -> None:
        """Open a container, or close the last one of as many colons, else the last one of fewer."""
        opened = self._directives
        if fence.opens:
            if len(opened) < _MOST_DIRECTIVES:
                opened.append(_Directive(begin, fence.colons, item))
            return
        alike = [place for place, one in enumerate(opened) if one.item == item and one.colons <= fence.colons]
        if alike:
            place = next((at for at in reversed(alike) if opened[at].colons == fence.colons), alike[-1])
            begin = opened[place].start
            self._units.append(np.array([[begin, end]]))
            first = bisect_left(self._headings, begin, key=_start_of)
            self._close(range(first, bisect_left(self._headings, end, key=_start_of)), end)
            del opened[place:]

    def _assembled(self, first: int) -> Structure:
        size = len(self._text)
        blocks = _joined(self._blocks)
        strong = _joined(self._strong)
        if size and (not blocks or blocks[0] > 0):
            moved = blocks[0] if blocks else 0
            blocks = [0, *blocks[1:]]
            strong = [0 if start == moved else start for start in strong]
        headings, tables = self._headings, sorted(self._tables)
        units = np.concatenate(self._units) if self._units else np.zeros((0, 2), dtype=np.int64)
        if first:
            units[units[:, 0] == first, 0] = 0
            headings = [_from_the_top(heading, first) for heading in headings]
            tables = [table._replace(start=0) if table.start == first else table for table in tables]
        return Structure(
            format="markdown",
            headings=tuple(headings),
            blocks=tuple(blocks),
            strong=tuple(strong),
            units=nested(units.tolist()),
            tables=tuple(tables),
        )


def _with_anchors(text: str, begin: int) -> int:
    """Move the beginning of a heading to that of the anchors and comments right above it, which nobody sees."""
    if not text[max(0, begin - _LONGEST_ANCHORS) : begin].rstrip(" \t\r\n").endswith((">", "=", "}")):
        return begin
    above = _ANCHORS.search(text, max(0, begin - _LONGEST_ANCHORS), begin)
    return begin if above is None else above.start("anchors")


def _start_of(heading: Heading) -> int:
    return heading.start


def _from_the_top(heading: Heading, first: int) -> Heading:
    """Count the byte order mark before the first heading to its line."""
    return msgspec.structs.replace(heading, start=0) if heading.start == first else heading


def _pairs(places: Sequence[int]) -> Places:
    return np.array(places, dtype=np.int64).reshape(-1, 2)  # several times faster than from tuples


def _joined(parts: Sequence[Places]) -> list[int]:
    whole: list[int] = np.concatenate(parts).tolist() if parts else []
    return whole


def _line_ranges(lines: Lines, blocks: Sequence[Block]) -> Iterable[tuple[int, int]]:
    """Give the numbers of the lines of each block, from and to."""
    first = lines.of(np.array([block.start for block in blocks]))
    last = lines.of(np.array([block.end for block in blocks]) - 1) + 1
    return zip(first.tolist(), last.tolist(), strict=True)


def _mark_definitions(lines: Lines, tops: Sequence[Block], marked: Mask, strong: Mask) -> None:
    """Mark the lines that begin a link definition, which the parser passes over (CommonMark 0.31, 4.7)."""
    held = np.zeros(len(lines.starts), dtype=np.bool_)
    for first, last in _line_ranges(lines, tops):
        held[first:last] = True
    ink = lines.first_ink(lines.starts)
    brackets = np.append(np.frombuffer(lines.raw, dtype=np.uint8), 0)[ink] == ord("[")
    defined = brackets & ~held & (ink < lines.ends)
    marked |= defined
    strong |= defined & ~np.append(False, defined[:-1])


def _parseable(text: str) -> str:
    """Put a line feed in the place of each lone CR, and U+FFFD in that of lone surrogates, which UTF-8 cannot hold.

    A lone CR ends a line (CommonMark 0.31, 2.1), but the parser loses the containers of what follows.
    """
    if "\r" in text:
        text = _LONE_CR.sub("\n", text)
    try:
        text.encode()  # a hundred times faster than a search
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _next_line(text: str, position: int) -> int:
    rest = _REST_OF_LINE.match(text, position)
    return rest.end() if rest else position


def _last_line_end(text: str, start: int, stop: int) -> int:
    """Give where the last line ends that ends in (start, stop], or `start`; a line end is not parted."""
    end = max(text.rfind("\n", start, stop), text.rfind("\r", start, stop)) + 1
    if end <= start:
        return start
    return end + 1 if text[end - 1] == "\r" and text.startswith("\n", end) else end
