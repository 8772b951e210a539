"""What did the author of a Markdown text build?

CommonMark 0.31 with the tables, footnotes, task lists, strikethrough and alerts of GitHub, math, front matter and
directive containers. The text is read in windows, each from the start of a block, so that what is said about a place
depends on little that follows it, and so that memory does not grow with the text. Where one block fills a window, the
lines that open it are put before the next one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate, chain
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
from spanwise.formats.markdown_lines import Lines, Source, places_of
from spanwise.formats.markdown_marks import (
    NOTE_CALL,
    Fence,
    addresses,
    definitions_for,
    front_matter,
    holds,
    is_blank,
    label_key,
    masked,
    math_across,
    may_hold_marks,
    paragraphs,
)
from spanwise.formats.markdown_openings import opening_lines, restart, still_open
from spanwise.sections import Heading
from spanwise.segmenting.nested_units import fitting
from spanwise.structure import LOOK_AHEAD, Structure, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spanwise.formats.markdown_events import Block, HeadingSeen, PlainBlock
    from spanwise.formats.markdown_lines import Mask, Places

__all__ = ["read_markdown"]

WINDOW = LOOK_AHEAD // 2
"""How much is parsed at a time, in characters."""

_TOGETHER = 12 * WINDOW
"""How much is taken at a time, in bytes: what is asked of a few numbers costs nearly as much as of thousands."""

_LONGEST_TITLE = 300  # characters: it stands on every chunk below it, so a longer line is text
_MOST_DIRECTIVES = 64  # that are open at a time
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE_CR = re.compile(r"\r(?!\n)")
_REST_OF_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\n|\r)?")
_LEFT_OUT = -1
_BRACKET = ord("[")
_IS_UNIT, _IS_RAW = np.isin(np.arange(11), list(UNIT_KINDS)), np.isin(np.arange(11), [FENCED, INDENTED, HTML])
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

    def __init__(self, before: str, piece: str, position: int, *, has_math: bool, goes_on: bool) -> None:
        self.before = len(before)
        self.base = len(before.encode())
        self.position = position
        self.source, self.fences = masked(before + piece, len(before), has_math=has_math)
        try:
            self.seen = seen_in(self.source)
        except UnicodeEncodeError:  # to try costs less than to look
            self.source = _SURROGATE.sub("\ufffd", self.source)
            self.seen = seen_in(self.source)
        self.lines = Source(self.source.encode())  # after the parser, which leaves the bytes with the string
        self.goes_on = goes_on
        """Whether something of before goes on here, so that nothing new begins with the window."""
        self.carried: dict[int, _Open] = {}
        """The units that were open before, by where they begin in the source."""
        self.limit = self.lines.size
        """Where what is taken ends, in bytes: the next window begins there."""
        self.still: Sequence[Block] = ()
        """The blocks that are open there."""
        self.resumes = True
        """Whether they are opened again in the next window."""
        self.skipped_to = 0
        """Up to where the line goes on that fills more than the window."""

    def carry(self, known: Sequence[_Open]) -> None:
        """Find the units again that were open before."""
        left = iter(known)
        for _, kind, start, _ in self.seen.blocks if self.base else ():
            if start >= self.base:
                break
            if kind in UNIT_KINDS:
                one = next(left, None)
                self.carried[start] = one if one and one.kind == kind else _Open(kind, _LEFT_OUT, _LEFT_OUT)

    def opened(self, block: Block) -> _Open:
        """Say where a unit that is still open begins."""
        if block.start in self.carried:
            return self.carried[block.start]
        lines, rows = self.lines, _LEFT_OUT
        if block.kind == TABLE:
            rows = self.offset(lines.line_end(min(lines.line_end(block.start + 1) + 1, lines.size)))
        return _Open(block.kind, self.offset(lines.widened(block.start)), rows)

    def offset(self, place: int) -> int:
        """Turn a byte of the source into an offset of the text."""
        following = len(self.lines.raw[place:].decode())  # for most places asked about are near the end
        return self.position - self.before + len(self.source) - following


class _Blocks(NamedTuple):
    """Blocks of some windows: how many others hold each, what it is, and its bytes."""

    depths: Places
    kinds: Places
    starts: Places
    ends: Places

    @classmethod
    def of(cls, batch: _Batch) -> _Blocks:
        """Give those of all windows."""
        seen = [window.seen.blocks for window in batch.windows]
        flat = np.fromiter(chain.from_iterable(chain.from_iterable(seen)), dtype=np.int64)
        begins = batch.begins.repeat([len(blocks) for blocks in seen])
        return cls(flat[::4], flat[1::4], flat[2::4] + begins, flat[3::4] + begins)

    def only(self, chosen: Mask) -> _Blocks:
        """Give some of the blocks."""
        return _Blocks._make(column[chosen] for column in self)


class _Batch:
    """Some windows, their bytes one after another, so that what is asked of each is asked once of all."""

    def __init__(self, windows: Sequence[_Window], ink_end: int) -> None:
        self.windows = windows
        begins = [*accumulate((window.lines.size for window in windows), initial=0)]
        self.raw = b"".join([window.lines.raw for window in windows])
        self.lines = Lines(self.raw, begins[1:-1])
        self.begins: Places = np.array(begins[:-1])
        self.stops: Places = np.array(begins[1:])
        spans = [[window.base for window in windows], [window.limit for window in windows]]
        self.spans: Places = self.begins + np.array(spans)
        """What is taken of each window: where it begins, and where it ends."""
        self.points = self.lines.points(self.begins)
        """How many code points are before each window."""
        self.shifts: Places = np.array([window.position - window.before for window in windows]) - self.points
        limits = self.lines.trimmed(self.spans[1])
        offsets = self.lines.points(limits) + self.shifts
        ink_ends = [ink_end]
        for window, offset, has_ink in zip(windows, offsets.tolist(), (limits > self.spans[0]).tolist(), strict=True):
            ink_ends.append(window.skipped_to or (offset if has_ink else ink_ends[-1]))
        self.ink_ends: Places = np.array(ink_ends)
        """Where the last line with ink ends that stands before each window, and before what follows."""

    def gathered(self, parts: Sequence[Sequence[int]]) -> Places:
        """Give the bytes of all windows."""
        places = np.fromiter(chain.from_iterable(parts), dtype=np.int64)
        return places + self.begins.repeat([len(part) for part in parts])

    def in_sources(self, places: Places) -> Iterator[tuple[_Window, int, list[int]]]:
        """Yield the windows that have places, how many code points are before each, and the places in its source."""
        numbers = self.numbers(places)
        here = places >= self.spans[0, numbers]
        places, numbers = self.lines.points(places[here]), numbers[here]
        for number in sorted(set(numbers.tolist())):
            before = int(self.points[number])
            yield self.windows[number], before, (places[numbers == number] - before).tolist()

    def numbers(self, places: Places) -> Places:
        """Give the number of the window in which each place is."""
        return self.begins.searchsorted(places, side="right") - 1

    def taken(self, places: Places, numbers: Places | int) -> Mask:
        """Say of each place whether it is in what is taken of its window."""
        taken: Mask = (places >= self.spans[0, numbers]) & (places < self.spans[1, numbers])
        return taken

    def offsets(self, places: Places, numbers: Places | int) -> Places:
        """Turn bytes into offsets of the text."""
        return self.lines.points(places) + self.shifts[numbers]

    def ends_of_ink(self, places: Places, numbers: Places | int) -> Places:
        """Give where the last line with ink before each place ends, be it before the window."""
        ends = self.lines.trimmed(places)
        return np.where(ends > self.spans[0, numbers], self.offsets(ends, numbers), self.ink_ends[numbers])


class _Reader:
    """Reads one text from its beginning, window by window."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._headings: list[Heading] = []
        self._tables: list[Table] = []
        self._blocks: list[Places] = []
        self._strong: list[Places] = []
        self._unit_begins: list[Places] = []
        self._unit_ends: list[Places] = []
        self._directives: list[_Directive] = []
        self._definitions: dict[str, None] = {}
        self._windows: list[_Window] = []
        """Those read of which nothing is taken yet."""
        self._opening = ""
        self._open: Sequence[_Open] = ()
        self._held: list[list[int]] = []
        """Places of headings, for each item, quote and footnote that is open."""
        self._goes_on = False
        self._ink_end = 0
        """Where the last line with ink ended that was taken."""

    def structure(self) -> Structure:
        """Read everything."""
        text = self._text
        first = 1 if text.startswith("\ufeff") else 0
        self._define(text[first : first + LOOK_AHEAD])
        position = self._read_front_matter(first)
        while position < len(text):
            position = self._read_window(position)
            if position == len(text) or sum(window.lines.size for window in self._windows) >= _TOGETHER:
                batch = _Batch(self._windows, self._ink_end)
                self._take(batch)
                self._windows, self._ink_end = [], int(batch.ink_ends[-1])
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
            self._blocks.append(lines.points(lines.starts[lines.inked]) + start)
            self._strong.append(np.array([start]))
            self._add(np.array([start]), np.array([end]))
        return end

    def _read_window(self, position: int) -> int:
        """Read one window; give where the next one begins."""
        text = self._text
        end = self._window_end(position)
        piece = _with_line_feeds(text[position:end])
        has_math = holds(piece, "$$")
        if has_math and end < len(text) and text[end - 1] in "\r\n":
            formula = math_across(text, position, end)
            if formula is not None:
                begin, after = formula
                end = begin if begin > position else max(end, _next_line(text, after))
                piece = _with_line_feeds(text[position:end])
        before = self._opening
        if self._definitions:
            before = definitions_for(before + text[position:end], self._definitions) + before
        window = _Window(before, piece, position, has_math=has_math, goes_on=self._goes_on)
        window.carry(self._open)
        self._windows.append(window)
        return end if end == len(text) else self._leave(window, end)

    def _leave(self, window: _Window, end: int) -> int:
        """End a window; give where the next one begins."""
        place, still = restart(window.lines, window.seen.blocks, window.base)
        opening: str | None
        if place == window.lines.size:
            following, still, opening = self._inside(window, end, still)
        else:
            following, opening = window.offset(place), opening_lines(window.lines, still, inside_line=False)
        window.limit, window.still = place, still
        window.skipped_to = following if following > end else 0
        window.resumes = opening is not None
        self._open = [window.opened(block) for block in still if block.kind in UNIT_KINDS] if window.resumes else ()
        self._opening = opening or ""
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
        return end

    def _take(self, batch: _Batch) -> None:
        """Take what begins in windows before their limits."""
        blocks = _Blocks.of(batch)
        self._take_blocks(batch, blocks)
        self._take_units(batch, blocks)
        if any(window.seen.rows for window in batch.windows):
            self._take_rows(batch)
        if any(window.seen.inline for window in batch.windows):
            self._take_inline(batch)
        self._take_bare(batch, blocks)
        for number, places in enumerate(self._take_headings(batch)):
            self._close_sections(batch, number, places)
            if batch.windows[number].fences:
                self._take_directives(batch, number)

    def _take_blocks(self, batch: _Batch, blocks: _Blocks) -> None:
        lines, windows = batch.lines, batch.windows
        here, strong, marked = np.zeros((3, len(lines.starts)), dtype=np.bool_)
        for first, last in lines.starts.searchsorted(batch.spans.T).tolist():
            here[first:last] = True
        top = blocks.depths == 0
        strong[lines.of(blocks.starts[top])] = True
        marked[lines.of(batch.gathered([window.seen.marks for window in windows]))] = True
        raw = _IS_RAW[blocks.kinds]
        if raw.any():
            written = lines.held(blocks.starts[raw], blocks.ends[raw]) & lines.inked & here
            marked |= written
            numbers = batch.numbers(lines.starts[written])
            self._add(batch.offsets(lines.starts[written], numbers), batch.offsets(lines.ends[written], numbers))
        brackets = lines.raw[lines.inked_inks] == _BRACKET
        if brackets.any():
            defined = np.zeros(len(here), dtype=np.bool_)
            defined[lines.inked] = brackets
            defined &= ~lines.held(blocks.starts[top], blocks.ends[top])
            if defined.any():
                _mark_definitions(batch, defined, marked, strong)
        chosen = ((marked | strong) & here).nonzero()[0]
        starts = lines.starts[chosen]
        numbers = batch.numbers(starts)
        begins = batch.offsets(starts, numbers)
        self._blocks.append(begins)
        strong = strong[chosen]
        if any(window.goes_on for window in windows):
            going_on = np.array([window.goes_on for window in windows])
            strong &= ~(going_on[numbers] & (starts == batch.spans[0, numbers]))
        self._strong.append(begins[strong])

    def _take_headings(self, batch: _Batch) -> list[list[tuple[int, PlainBlock]]]:
        """Take the headings; give the places of those of each window that blocks hold, and the blocks."""
        lines = batch.lines
        held: list[list[tuple[int, PlainBlock]]] = []
        headings: list[HeadingSeen] = []
        spans: list[tuple[int, int]] = []
        for window, begin in zip(batch.windows, batch.begins.tolist(), strict=True):
            taken = [
                seen
                for seen in window.seen.headings
                if window.base <= seen.start < window.limit and 0 < len(seen.title) <= _LONGEST_TITLE
            ]
            places = enumerate(taken, len(self._headings) + len(headings))
            held.append([(place, seen.holder) for place, seen in places if seen.holder is not None])
            headings += taken
            spans += [(seen.start + begin, seen.end + begin) for seen in taken]
        if not headings:
            return held
        starts, ends = np.array(spans).T
        ends = lines.trimmed(ends)
        numbers = batch.numbers(starts)
        begins = batch.offsets(lines.starts[lines.of(starts)], numbers).tolist()
        stops = batch.offsets(lines.before_line_end(ends), numbers).tolist()
        self._headings += [
            Heading(_with_anchors(self._text, begin), stop, seen.level, seen.title)
            for begin, stop, seen in zip(begins, stops, headings, strict=True)
        ]
        self._add(batch.offsets(lines.widened(starts), numbers), batch.offsets(ends, numbers))
        return held

    def _still_held(self, window: _Window) -> dict[PlainBlock, list[int]]:
        """Find again the blocks that were open where the window begins, with the places of the headings in them."""
        known = iter(self._held)
        held = {}
        for block in window.seen.blocks if self._held else ():
            _, kind, start, _ = block
            if start >= window.base:
                break
            if kind in HOLDERS:
                held[block] = next(known, [])
        return held

    def _close_sections(self, batch: _Batch, number: int, places: Iterable[tuple[int, PlainBlock]]) -> None:
        """Close the sections in blocks that end in this window; hold on to those that go on."""
        window = batch.windows[number]
        held = self._still_held(window)
        for place, holder in places:
            held.setdefault(holder, []).append(place)
        going_on = [block for block in window.still if block.kind in HOLDERS]
        closed = [block for block in held if held[block] and block not in going_on]
        if closed:
            ends = np.array([end for _, _, _, end in closed]) + batch.begins[number]
            for block, end in zip(closed, batch.ends_of_ink(ends, number).tolist(), strict=True):
                self._close(held[block], end)
        self._held = [held.get(block, []) for block in going_on] if window.resumes else []

    def _close(self, places: Iterable[int], until: int) -> None:
        for place in places:
            heading = self._headings[place]
            if heading.until is None:
                self._headings[place] = msgspec.structs.replace(heading, until=until)

    def _take_units(self, batch: _Batch, blocks: _Blocks) -> None:
        """Take the blocks that are units and end before the limits."""
        lines = batch.lines
        units = _IS_UNIT[blocks.kinds]
        if not units.any():
            return
        going_on = [
            begin + block.start
            for begin, window in zip(batch.begins.tolist(), batch.windows, strict=True)
            for block in window.still
            if block.kind in UNIT_KINDS
        ]
        ended = blocks.only(units)
        numbers = batch.numbers(ended.starts)
        is_ended = ended.starts < batch.spans[1, numbers]
        if going_on:
            is_ended &= ~np.isin(ended.starts, going_on)
        ended, numbers = ended.only(is_ended), numbers[is_ended]
        begins = batch.offsets(lines.widened(ended.starts), numbers)
        ends = batch.ends_of_ink(ended.ends, numbers)
        is_table = ended.kinds == TABLE
        heads = np.minimum(lines.of(ended.starts) + 1, len(lines.ends) - 1)
        rows = batch.offsets(np.minimum(lines.ends[heads], batch.stops[numbers]), numbers)
        for place in (ended.starts < batch.spans[0, numbers]).nonzero()[0].tolist():
            number = numbers[place]
            opened = batch.windows[number].carried[int(ended.starts[place] - batch.begins[number])]
            begins[place], rows[place] = (ends[place], 0) if opened.start == _LEFT_OUT else opened[1:]
        self._add(begins, ends)
        if is_table.any():
            begins, heads, ends = begins[is_table], np.minimum(rows, ends)[is_table], ends[is_table]
            self._add(begins, heads)
            tables = map(Table, begins.tolist(), heads.tolist(), ends.tolist())
            self._tables += [table for table in tables if table.start < table.end]

    def _take_rows(self, batch: _Batch) -> None:
        lines = batch.lines
        rows = batch.gathered([window.seen.rows for window in batch.windows]).reshape(-1, 2)
        begins, ends = rows[batch.taken(rows[:, 0], batch.numbers(rows[:, 0]))].T
        numbers = batch.numbers(begins)
        self._add(batch.offsets(lines.widened(begins), numbers), batch.offsets(lines.trimmed(ends), numbers))

    def _take_inline(self, batch: _Batch) -> None:
        inline = batch.gathered([window.seen.inline for window in batch.windows]).reshape(-1, 2)
        numbers = batch.numbers(inline[:, 0])
        taken = (inline[:, 0] >= batch.spans[0, numbers]) & (inline[:, 1] <= batch.spans[1, numbers])
        self._add(*batch.offsets(inline, numbers[:, None])[taken].T)

    def _take_bare(self, batch: _Batch, blocks: _Blocks) -> None:
        """Take the addresses and the calls of notes that stand in the source as they are, where it is not code."""
        schemes, hosts, calls = (places_of(word, batch.raw) for word in (b"://", b"www.", b"[^"))
        if not (len(schemes) or len(hosts) or len(calls)):
            return
        marks = np.sort(np.concatenate([schemes, hosts]))
        points, code = batch.lines.points, blocks.only(_IS_RAW[blocks.kinds])
        found: list[int] = []
        for window, before, places in batch.in_sources(marks):
            for begin, end in addresses(window.source, window.before, places):
                found += begin + before, end + before
        for window, before, places in batch.in_sources(calls):
            for place in places:
                call = NOTE_CALL.match(window.source, place)
                if call is not None:
                    found += place + before, call.end() + before
        begins, ends = np.array(found, dtype=np.int64).reshape(-1, 2).T
        numbers = batch.points.searchsorted(begins, side="right") - 1
        last = points(code.starts).searchsorted(begins, side="right") - 1
        kept = (ends <= points(batch.spans[1])[numbers]) & (np.append(points(code.ends), 0)[last] <= begins)
        shifts = batch.shifts[numbers[kept]]
        self._add(begins[kept] + shifts, ends[kept] + shifts)

    def _take_directives(self, batch: _Batch, number: int) -> None:
        window, lines = batch.windows[number], batch.lines
        rules, items = np.array(window.seen.rules, dtype=np.int64).reshape(-1, 2).T
        starts = rules + batch.begins[number]
        places = (lines.points(starts) - batch.points[number]).tolist()
        begins = batch.offsets(lines.widened(starts), number).tolist()
        ends = batch.offsets(lines.trimmed(starts + 1), number).tolist()
        holders = batch.offsets(lines.widened(np.maximum(items, 0) + batch.begins[number]), number)
        taken = batch.taken(starts, number).tolist()
        for place, begin, end, item, holder, is_taken in zip(
            places, begins, ends, items.tolist(), holders.tolist(), taken, strict=True
        ):
            fence = window.fences.get(place)
            if fence is not None and is_taken:
                opened = window.carried.get(item)
                self._take_fence(fence, begin, end, opened.start if opened else _LEFT_OUT if item < 0 else holder)

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
            self._add(np.array([begin]), np.array([end]))
            first = bisect_left(self._headings, begin, key=_start_of)
            self._close(range(first, bisect_left(self._headings, end, key=_start_of)), end)
            del opened[place:]

    def _add(self, begins: Places, ends: Places) -> None:
        self._unit_begins.append(begins)
        self._unit_ends.append(ends)

    def _assembled(self, first: int) -> Structure:
        size = len(self._text)
        blocks = _joined(self._blocks).tolist()
        strong = _joined(self._strong).tolist()
        if size and (not blocks or blocks[0] > 0):
            moved = blocks[0] if blocks else 0
            blocks = [0, *blocks[1:]]
            strong = [0 if start == moved else start for start in strong]
        headings, tables = self._headings, sorted(self._tables)
        begins, ends = _joined(self._unit_begins), _joined(self._unit_ends)
        if first:
            begins[begins == first] = 0
            headings = [_from_the_top(heading, first) for heading in headings]
            tables = [table._replace(start=0) if table.start == first else table for table in tables]
        order = np.sort((begins << 32) - ends)  # many times faster than to sort pairs
        begins = -(-order >> 32)
        ends = (begins << 32) - order
        return Structure(
            format="markdown",
            headings=tuple(headings),
            blocks=tuple(blocks),
            strong=tuple(strong),
            units=fitting(zip(begins.tolist(), ends.tolist(), strict=True)),
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


def _joined(parts: Sequence[Places]) -> Places:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _mark_definitions(batch: _Batch, defined: Mask, marked: Mask, strong: Mask) -> None:
    """Mark the lines that begin a link definition, which the parser passes over (CommonMark 0.31, 4.7)."""
    firsts = batch.lines.of(batch.begins).tolist()
    for window, first, last in zip(batch.windows, firsts, [*firsts[1:], len(defined)], strict=True):
        if window.lines.raw.find(b"]:", window.base) >= 0:
            marked[first:last] |= defined[first:last]
            strong[first:last] |= defined[first:last] & ~np.append(False, defined[first : last - 1])


def _with_line_feeds(text: str) -> str:
    """Put a line feed in the place of each lone CR.

    It ends a line (CommonMark 0.31, 2.1), but the parser loses the containers of what follows.
    """
    return _LONE_CR.sub("\n", text) if "\r" in text else text


def _parseable(text: str) -> str:
    """Put a line feed in the place of each lone CR, and U+FFFD in that of lone surrogates, which UTF-8 cannot hold."""
    text = _with_line_feeds(text)
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
