"""What did the author of an HTML page build?

Spans refer to the source. Tags are read as the HTML standard tokenizes them, and elements are closed where it closes
them, as far as sections, items, rows and units need it; nothing is repaired and nothing is lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from spanwise.formats.html_elements import (
    BLOCK,
    BREAKOUT,
    CELL,
    CONCEALED,
    ELEMENTS,
    FENCE,
    FOREIGN,
    HEAD_CONTENT,
    HEADING,
    INLINE_UNIT,
    INTEGRATION,
    LIST,
    PARAGRAPH,
    PICTURE,
    PRESERVED,
    ROLES,
    SECTION,
    STACKED,
    TABLE,
    UNIT,
    UNSEEN_FOREIGN,
    WEAK,
)
from spanwise.formats.html_outline import FoundHeading, Sections, Tables, Units
from spanwise.formats.html_text import (
    BLANK,
    HTML_SPACE,
    LINE,
    NOTHING,
    PARAGRAPH_GAP,
    TAB,
    Blocks,
    Markup,
    visible,
)
from spanwise.formats.html_tokens import COMMENT, END, START, TEXT, Tokens, attributes_of, is_closed_alone
from spanwise.sections import Heading
from spanwise.structure import Structure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanwise.structure import Hidden

__all__ = ["read_html", "visible"]

_LONGEST_TITLE: Final = 300
_LONGEST_HEADING: Final = 16_384  # with its markup, such as a picture; its end is not sought further away
_LONGEST_INLINE: Final = 2_000
_LONG_COMMENT: Final = 200

_REFERENCE = re.compile(r"&(?:#(?:[0-9]++|[xX][0-9a-fA-F]++)|[a-zA-Z][a-zA-Z0-9]{0,31}+);?+")
_HEADING_TAG = re.compile(r"<(/?)[hH][1-6](?=[\t\n\f\r />])")
_ROLE = re.compile(r"(?i:role)[\t\n\f\r ]*+=")
# Links to themselves that makers of documentation put at the end of headings: no word of the title.
_PERMALINK: Final = " \t\n\r¶\u200b\u2060\ufeff"
_NUMBER_SIGN_LINK = re.compile(r">#</a>(?:\s*+<[^<>]*+>)*+\s*+\Z")

_INHERITED: Final = WEAK | PRESERVED | CONCEALED | FOREIGN
_IN_TABLE: Final = frozenset(["table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th", "template"])
_HEADING_NAMES: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_UNSAID_LEVEL: Final = 2  # of `role="heading"` (WAI-ARIA 1.2, aria-level)
_ITEMS: Final = frozenset({"li", "dt", "dd"})
_CELLS: Final = ("td", "th", "caption")
_ROW_PARTS: Final = ("tr", *_CELLS)
_TABLE_PARTS: Final = ("thead", "tbody", "tfoot", *_ROW_PARTS)
_CLOSED_BY: Final[dict[str, tuple[str, ...]]] = {
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    **dict.fromkeys(("td", "th"), _CELLS),
    "tr": _ROW_PARTS,
    **dict.fromkeys(("thead", "tbody", "tfoot"), _TABLE_PARTS),
}
"""Which open elements a start tag closes, because their end tags may be left out (WHATWG 13.1.2.4)."""
_TERM_GROUP: Final = "terms and what is said of them"  # no tag has such a name


def read_html(text: str) -> Structure:
    """Read the structure of an HTML page, or of a part of one.

    Examples:
        >>> [heading.title for heading in read_html("<h1>Tea &amp; milk</h1><p>Hot.").headings]
        ['Tea & milk']
    """
    return _Page(text).read()


class _Open(NamedTuple):
    """An open element, and what held before it."""

    name: str
    traits: int
    unit: int
    scope: int
    items: int
    tables: int
    inherited: int


class _OpenHeading(NamedTuple):
    start: int
    opening: int
    """Where the tags begin that stand right before it, such as those of the section that it heads."""
    level: int
    unit: int
    floor: int
    is_stacked: bool
    ends_at_block: bool


class _Page:
    """One reading of one page."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = Tokens(text)
        self.markup = Markup(text)
        self.blocks = Blocks()
        self.sections = Sections()
        self.tables = Tables()
        self.units = Units()
        self.stack: list[_Open] = []
        self.places: dict[str, list[int]] = {}
        self.inline: list[tuple[str, int, int]] = []  # name, unit, how many elements were open
        self.inline_counts: dict[str, int] = {}
        # Places in the stack beyond which an end tag, an item and a part of a table close nothing.
        self.scope = self.items = self.table = -1
        self.inherited = 0
        self.heading: _OpenHeading | None = None
        self.written_from = -1
        self.line = -1
        self.last_item = ""
        self.has_roles = _ROLE.search(text) is not None

    def read(self) -> Structure:
        for kind, start, end, name in self.tokens:
            if kind is TEXT:
                self._read_text(start, end)
            elif kind is START:
                self._read_start(start, end, name)
            elif kind is END:
                self._read_end(start, end, name)
            elif kind is COMMENT:
                self._read_comment(start, end)
            else:
                self._read_raw(start, end)
        return self._structure()

    # --- text

    def _read_text(self, start: int, end: int) -> None:
        piece = self.text[start:end]
        while self.inherited & CONCEALED:
            if self.stack[-1].name != "head" or not piece.strip(HTML_SPACE):
                self._conceal(start, end)
                return
            self._close_to(len(self.stack) - 1, start, start)
        if self.inherited & PRESERVED:
            self._read_written(start, end)
            return
        self._keep_references(start, end)
        ink_start = end - len(piece.lstrip(HTML_SPACE))
        if ink_start == end:
            self.markup.hide(start, end, BLANK)
            return
        self._see(ink_start)
        self.markup.show_collapsed(start, end, ink_start, start + len(piece.rstrip(HTML_SPACE)))

    def _keep_references(self, start: int, end: int) -> None:
        if self.text.find("&", start, end) >= 0:
            for match in _REFERENCE.finditer(self.text, start, end):
                self.units.add(*match.span())

    def _read_written(self, start: int, end: int) -> None:
        """Read text in `<pre>` and its like. The line end after the start tag is none (WHATWG 13.2.6.4.7)."""
        text = self.text
        if start == self.written_from:
            first = start + (2 if text.startswith("\r\n", start) else text[start] in "\r\n")
            if first > start:
                self.markup.hide(start, first)
            start = first
        if start == end:
            return
        self.markup.flush()
        piece = text[start:end]
        if piece.strip(HTML_SPACE):
            self._see(start)
            self._read_lines(start, self.blocks.see_lines(text, start, end), end)
        last_line = len(piece.rstrip(" \t\f"))
        if piece[last_line - 1 : last_line] in {"\n", "\r"}:
            self.blocks.open(start + last_line, strong=False)
            self._read_lines(start + last_line, [start + last_line], start + last_line)

    def _read_lines(self, start: int, begins: Sequence[int], end: int) -> None:
        """Hold each written line together: the one that goes on at `start`, and those that begin at `begins`."""
        for begin in begins:
            self._keep_references(start, begin)
            self.units.end(self.line, begin)
            self.line = self.units.open(begin)
            start = begin
        self._keep_references(start, end)

    def _end_last_line(self, inner_end: int, end: int) -> None:
        """End the last written line with the end tag that stands in it; an end tag alone is no line."""
        if self.units.start_of(self.line) < inner_end:
            self.units.end(self.line, end)
        else:
            self.blocks.forget()
        self.line = -1

    def _read_raw(self, start: int, end: int) -> None:
        if self.inherited & CONCEALED:
            self._conceal(start, end)
        else:
            self._read_written(start, end)

    def _conceal(self, start: int, end: int) -> None:
        self.markup.hide(start, end)
        ink_start = end - len(self.text[start:end].lstrip(HTML_SPACE))
        if ink_start < end:
            self.blocks.open_if_closed(ink_start, strong=False)
            self.blocks.see_lines(self.text, ink_start, end)

    def _read_comment(self, start: int, end: int) -> None:
        self.markup.hide(start, end)
        self.units.add(start, end)
        if self.blocks.is_between:
            self.blocks.open_if_closed(start, strong=not self.inherited & WEAK)
            if end - start >= _LONG_COMMENT:
                self.blocks.see_lines(self.text, start, end)
                self.blocks.close()

    def _see(self, at: int) -> None:
        """A reader of the page sees something at `at`."""
        self.blocks.open_if_closed(at, strong=not self.inherited & WEAK)
        self.blocks.see()
        if self.heading is None and not self.inherited & CONCEALED:
            self.sections.see()

    # --- start tags

    def _read_start(self, start: int, end: int, name: str) -> None:
        traits = ELEMENTS.get(name, 0)
        if self.inherited:
            traits = self._traits_in_context(start, end, name, traits)
        level = 0
        if self.has_roles and traits and "role" in self.text[start:end].lower():
            traits, level = self._with_role(start, end, traits)
        if traits & HEADING and not level:
            level = int(name[1]) if name in _HEADING_NAMES else _UNSAID_LEVEL
        if not traits:
            if name == "br":
                self._read_break(start, end)
                return
            self.markup.hide(start, end)
            self.units.add(start, end)
            self.blocks.open_if_closed(start, strong=not self.inherited & WEAK)
            return
        self._open_element(start, end, name, traits, level)

    def _open_element(self, start: int, end: int, name: str, traits: int, level: int) -> None:
        if traits & BLOCK:
            self._end_line(start)
        if name in _CLOSED_BY:
            self._close_implied(name, start)
        self.markup.hide(start, end, self._shown_by(traits))
        strong = not self.inherited & WEAK
        if traits & BLOCK:
            self.blocks.open(start, strong=strong)
        else:
            self.blocks.open_if_closed(start, strong=strong)
        if traits & PICTURE:
            self._see(start)
        self._open_units(start, name, traits, level)
        self.units.add(start, end)
        if traits & PRESERVED:
            self.written_from = end

    def _open_units(self, start: int, name: str, traits: int, level: int) -> None:
        if name == "dt":
            self._group_terms(start)
        if traits & HEADING and not self.inherited & CONCEALED:
            self._open_heading(start, level, is_stacked=bool(traits & STACKED))
        if traits & STACKED:
            self._push(name, traits, self.units.open(start) if traits & UNIT else -1, start)
        elif traits & INLINE_UNIT:
            self.inline.append((name, self.units.open(start), len(self.stack)))
            self.inline_counts[name] = self.inline_counts.get(name, 0) + 1

    def _traits_in_context(self, start: int, end: int, name: str, traits: int) -> int:
        """Give what an element is inside a picture, a formula or the head of the page."""
        if self.inherited & CONCEALED and self.stack[-1].name == "head" and name not in HEAD_CONTENT:
            self._close_to(len(self.stack) - 1, start, start)
        while self.inherited & FOREIGN:
            if name not in BREAKOUT:
                return self._foreign_traits(end, name)
            opened = max(self.places.get("svg", [-1])[-1:] + self.places.get("math", [-1])[-1:])
            self._close_to(opened, start, start)
        return traits

    def _foreign_traits(self, end: int, name: str) -> int:
        if is_closed_alone(self.text, end):
            return 0
        if name in UNSEEN_FOREIGN:
            return STACKED | UNIT | CONCEALED | (0 if name in INTEGRATION else FOREIGN)
        if name in INTEGRATION:
            return STACKED
        return STACKED | FOREIGN if name in {"svg", "math"} else 0

    def _with_role(self, start: int, end: int, traits: int) -> tuple[int, int]:
        """Add what the role of an element makes of it, and give the level that its heading says."""
        attributes = attributes_of(self.text, start, end)
        if traits & STACKED and not traits & (UNIT | CONCEALED | CELL):
            traits |= ROLES.get(attributes.get("role", "").strip(HTML_SPACE).lower(), 0)
        level = attributes.get("aria-level", "").strip(HTML_SPACE)
        return traits, int(level) if re.fullmatch("[1-9]", level) else 0

    def _read_break(self, start: int, end: int) -> None:
        self.units.add(start, end)
        if self.markup.break_line(start, end):
            self.blocks.close()

    def _shown_by(self, traits: int) -> int:
        if (traits | self.inherited) & CONCEALED:
            return NOTHING
        if traits & PARAGRAPH and not self.inherited & WEAK:
            return PARAGRAPH_GAP
        if traits & BLOCK:
            return LINE
        return TAB if traits & CELL else NOTHING

    def _group_terms(self, start: int) -> None:
        """Hold a term together with what is said of it: a term after a definition begins a new group."""
        group = self.places.get(_TERM_GROUP)
        if group and group[-1] > self.items:
            if self.last_item != "dd":
                return
            self._close_to(group[-1], start, start)
        self._push(_TERM_GROUP, STACKED | UNIT, self.units.open(start), start)

    # --- end tags

    def _read_end(self, start: int, end: int, name: str) -> None:
        traits = ELEMENTS.get(name, 0)
        if name == "br":  # as a browser reads it
            self._read_break(start, end)
            return
        if traits & HEADING:
            if self.heading is not None and not self.heading.is_stacked:
                self._end_heading(start, end)
        elif self.places.get(name):
            self._close_named(name, start, end)
        elif traits & INLINE_UNIT:
            self._end_inline(name, end)
        shown = NOTHING if traits & CELL else self._shown_by(traits)
        if traits & BLOCK:
            self._end_line(start)
            self.blocks.close()
        self.markup.hide(start, end, shown)
        self.units.add(start, end)

    def _close_named(self, name: str, start: int, end: int) -> None:
        """Close an element, unless one is open in it that its end tag does not reach through."""
        opened = self.places[name][-1]
        if name == "template":
            is_reached = True
        elif name in _IN_TABLE:
            is_reached = opened >= self.table
        else:
            is_reached = opened > (self.items if name in _ITEMS else self.scope)
        if is_reached:
            self._close_to(opened, start, end)

    def _close_implied(self, name: str, start: int) -> None:
        wall = self.items if name in _ITEMS else self.table
        opened = [places[-1] for other in _CLOSED_BY[name] if (places := self.places.get(other)) and places[-1] > wall]
        if opened:
            self._close_to(min(opened), start, start)

    def _end_line(self, at: int) -> None:
        """A block begins or ends at `at`: no link or emphasis is a unit beyond it, and no heading without end tag."""
        if self.inline:
            self.inline.clear()
            self.inline_counts.clear()
        if self.heading is not None and self.heading.ends_at_block:
            self._end_heading(at, at)

    def _end_inline(self, name: str, end: int) -> None:
        if not self.inline_counts.get(name):
            return
        while self.inline and self.inline[-1][2] == len(self.stack):
            opened, unit, _ = self.inline.pop()
            self.inline_counts[opened] -= 1
            if opened == name:
                self.units.end(unit, end, _LONGEST_INLINE)
                return

    # --- open elements

    def _push(self, name: str, traits: int, unit: int, start: int) -> None:
        stack, before = self.stack, self.inherited
        place = len(stack)
        stack.append(_Open(name, traits, unit, self.scope, self.items, self.table, before))
        self.places.setdefault(name, []).append(place)
        if traits & PRESERVED and self.line < 0:
            self.line = self.units.open(start)
        if traits & FENCE:
            self.scope = place
        if traits & LIST:
            self.items = place
        if traits & TABLE:
            self.table = place
        if traits & SECTION:
            self.sections.enter()
        if name in _IN_TABLE and not before & CONCEALED:
            self._open_in_table(name, start)
        if before & FOREIGN and not traits & FOREIGN:
            before &= ~FOREIGN
        self.inherited = before | traits & _INHERITED
        self.tokens.foreign = bool(self.inherited & FOREIGN)

    def _open_in_table(self, name: str, start: int) -> None:
        if name == "table":
            self.tables.open(start)
        elif name not in {"caption", "template"}:
            self.tables.open_part(name, start)

    def _close_to(self, place: int, inner_end: int, end: int) -> None:
        """Close the open elements down to the one at `place`, which ends at `end`, those in it at `inner_end`."""
        while len(self.stack) > place:
            self._pop(inner_end, end if len(self.stack) == place + 1 else inner_end)

    def _pop(self, inner_end: int, end: int) -> None:
        element = self.stack.pop()
        name, traits, unit, self.scope, self.items, self.table, self.inherited = element
        depth = len(self.stack)
        self.places[name].pop()
        if self.heading is not None and depth < self.heading.floor:
            self._end_heading(inner_end, end if traits & HEADING else inner_end)
        if self.line >= 0 and not self.inherited & PRESERVED:
            self._end_last_line(inner_end, end)
        if unit >= 0:
            self.units.end(unit, end)
        if traits & SECTION:
            self.sections.leave(end)
        if name in _ITEMS:
            self.last_item = name
        elif name in _IN_TABLE and not self.inherited & CONCEALED:
            self._close_in_table(name, end)
        self.tokens.foreign = bool(self.inherited & FOREIGN)
        while self.inline and self.inline[-1][2] > depth:
            self.inline_counts[self.inline.pop()[0]] -= 1

    def _close_in_table(self, name: str, end: int) -> None:
        if name == "table":
            self.tables.close(end)
        elif name == "thead":
            self.tables.close_head()

    def _open_heading(self, start: int, level: int, *, is_stacked: bool) -> None:
        self._end_heading(start, start)
        floor = len(self.stack) + is_stacked
        ends_at_block = not is_stacked and not self._has_end_tag(start)
        opening = self.blocks.beginning(start)
        opening = opening if start - opening <= _LONGEST_HEADING else start
        self.heading = _OpenHeading(start, opening, level, self.units.open(start), floor, is_stacked, ends_at_block)

    def _has_end_tag(self, heading: int) -> bool:
        """Say whether the next tag of a heading after the start tag at `heading` is an end tag."""
        match = _HEADING_TAG.search(self.text, heading + 1, heading + _LONGEST_HEADING)
        return match is not None and bool(match[1])

    def _end_heading(self, inner_end: int, end: int) -> None:
        heading, self.heading = self.heading, None
        if heading is None:
            return
        self._close_to(heading.floor, inner_end, inner_end)
        if end - heading.start <= _LONGEST_HEADING:
            self.units.end(heading.unit, end)
            self.sections.add(FoundHeading(heading.opening, end, heading.level, heading.unit))

    # --- the answer

    def _structure(self) -> Structure:
        size = len(self.text)
        until = self.sections.until
        self._end_heading(size, size)
        open_until = [*until]
        self._close_to(0, size, size)
        self.blocks.finish(self.text)
        hidden = self.markup.finished()
        headings = tuple(self._titled(hidden, open_until))
        return Structure(
            format="html",
            headings=headings,
            blocks=tuple(self.blocks.starts),
            strong=tuple(self.blocks.strong),
            units=self.units.finished(),
            tables=tuple(self.tables.found),
            hidden=hidden,
        )

    def _titled(self, hidden: Sequence[Hidden], until: Iterable[int | None]) -> Iterable[Heading]:
        """Yield the headings that have a title; the others are text."""
        for (start, end, level, unit), closes in zip(self.sections.headings, until, strict=True):
            title = _title(visible(self.text, start, end, hidden), self.text[start:end])
            if 0 < len(title) <= _LONGEST_TITLE:
                yield Heading(start, end, level, title, closes)
            else:
                self.units.drop(unit)


def _title(seen: str, source: str) -> str:
    """Give what a heading says, without the link to itself at its end."""
    seen = seen.rstrip(_PERMALINK)
    if seen.endswith("#") and _NUMBER_SIGN_LINK.search(source) is not None:
        seen = seen[:-1]
    return " ".join(seen.split())
