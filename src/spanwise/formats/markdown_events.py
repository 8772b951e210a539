"""What the parser says about one window of Markdown, in bytes of UTF-8."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from pyromark import Options, events_with_range

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyromark.event import Event, Range

__all__ = [
    "FENCED",
    "HEADING",
    "HOLDERS",
    "HTML",
    "INDENTED",
    "ITEM",
    "LIST",
    "NOTE",
    "OPTIONS",
    "PARAGRAPH",
    "QUOTE",
    "RULE",
    "TABLE",
    "UNIT_KINDS",
    "Block",
    "HeadingSeen",
    "Seen",
    "seen_in",
]

OPTIONS: Final = (
    Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_MATH
    | Options.ENABLE_GFM
)
"""What is read beside CommonMark. Front matter is not: the parser finds it anywhere, and it stands at the top alone."""

PARAGRAPH, HEADING, RULE, FENCED, INDENTED, HTML, TABLE, LIST, ITEM, QUOTE, NOTE = range(11)
UNIT_KINDS: Final = frozenset({FENCED, INDENTED, HTML, TABLE, ITEM, NOTE})
"""Blocks that stay whole; headings do too, but never need to be carried on into another window."""

HOLDERS: Final = frozenset({ITEM, QUOTE, NOTE})
"""Blocks in which a section may begin, which closes where they do."""

_KINDS: Final = {
    "Paragraph": PARAGRAPH,
    "Heading": HEADING,
    "CodeBlock": FENCED,
    "HtmlBlock": HTML,
    "Table": TABLE,
    "List": LIST,
    "Item": ITEM,
    "BlockQuote": QUOTE,
    "FootnoteDefinition": NOTE,
}
_INLINE: Final = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image"})
_NOTE_CALL: Final = re.compile(r"\[\^[^\[\]\s]{1,200}+\]")


class Block(NamedTuple):
    """A block as the parser saw it: how many others hold it, what it is, and its bytes."""

    depth: int
    kind: int
    start: int
    end: int


class HeadingSeen(NamedTuple):
    """A heading as the parser saw it."""

    start: int
    end: int
    level: int
    title: str
    holder: Block | None
    """The innermost item, quote or footnote that holds it."""


class Seen:
    """Everything of use in the events of one window."""

    __slots__ = ("_depth", "_holders", "_items", "blocks", "breaks", "headings", "inline", "leaves", "rows", "rules")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        """Leaf blocks and those that hold others, in the order of their starts, parents first."""
        self.leaves: list[int] = []
        """Where blocks begin inside which no other block begins."""
        self.breaks: list[int] = []
        """Where lines begin after a hard line break."""
        self.headings: list[HeadingSeen] = []
        self.inline: list[int] = []
        """The start of each inline element, then its end."""
        self.rows: list[int] = []
        """The start of each row below a header, then its end."""
        self.rules: list[tuple[int, int]] = []
        """Thematic breaks, each with the start of the item that holds it, or -1."""
        self._depth = 0
        self._items: list[int] = []
        self._holders: list[Block] = []

    def open(self, kind: int, start: int, end: int) -> None:
        """Take the beginning of a block."""
        blocks = self.blocks
        if kind == ITEM:
            self._items.append(start)
            self.leaves.append(start)
        elif kind not in (LIST, QUOTE) and not (kind == PARAGRAPH and self._is_first_in_item()):
            self.leaves.append(start)
        block = Block(self._depth, kind, start, end)
        blocks.append(block)
        if kind in HOLDERS:
            self._holders.append(block)
        self._depth += 1

    def _is_first_in_item(self) -> bool:
        last = self.blocks[-1] if self.blocks else None
        return last is not None and last.kind in (ITEM, NOTE) and last.depth == self._depth - 1

    def close(self, kind: int) -> None:
        """Take the end of a block."""
        self._depth -= 1
        if kind == ITEM:
            self._items.pop()
        if kind in HOLDERS:
            self._holders.pop()

    def heading(self, start: int, end: int, level: int, title: str) -> None:
        """Take a heading."""
        self.headings.append(HeadingSeen(start, end, level, title, self._holders[-1] if self._holders else None))

    def rule(self, start: int, end: int) -> None:
        """Take a thematic break."""
        self.leaves.append(start)
        self.blocks.append(Block(self._depth, RULE, start, end))
        self.rules.append((start, self._items[-1] if self._items else -1))


def seen_in(text: str) -> Seen:
    """Parse a text. Should the parser ever panic, the text is text."""
    try:
        return _sorted(events_with_range(text, options=OPTIONS))
    except BaseException as error:  # pragma: no cover  no text is known that makes the parser panic
        if type(error).__name__ != "PanicException":  # what a panic of Rust becomes has no public name
            raise
        return Seen()


def _sorted(events: Iterable[tuple[Event, Range]]) -> Seen:  # noqa: C901, PLR0912  one loop, for it is what reading costs
    """Sort events by what they mean for cuts, each as it comes, for to keep them all costs more than to make them."""
    seen = Seen()
    inline = seen.inline
    title: list[str] | None = None
    level = 0
    has_ended = False  # whether a block ended right before
    for event, span in events:
        if has_ended:
            has_ended = False
            if _is_inline(event):
                seen.leaves.append(span["start"])  # a paragraph of a tight list has no event
        if "Text" in event:
            if title is not None:
                title.append(_shown(event))
        elif isinstance(event, str):
            if event == "Rule":
                seen.rule(span["start"], span["end"])
            elif event == "HardBreak":
                seen.breaks.append(span["end"])
            if title is not None:
                title.append(_shown(event))
        elif "End" in event:
            ended = event["End"]
            kind = _KINDS.get(ended if isinstance(ended, str) else next(iter(ended)))
            if kind is None:
                continue
            seen.close(kind)
            if kind == HEADING and title is not None:
                seen.heading(span["start"], span["end"], level, _title(title))
                title = None
            has_ended = True
        elif "Start" in event:
            begun = event["Start"]
            name = begun if isinstance(begun, str) else next(iter(begun))
            if name in _INLINE:
                inline += span["start"], span["end"]
                continue
            kind = _KINDS.get(name)
            if kind is not None:
                if not isinstance(begun, str) and "CodeBlock" in begun and begun["CodeBlock"] == "Indented":
                    kind = INDENTED
                seen.open(kind, span["start"], span["end"])
                if not isinstance(begun, str) and "Heading" in begun:
                    title, level = [], int(begun["Heading"]["level"][1])
            elif name == "TableRow":
                seen.rows += span["start"], span["end"]
        elif "Html" not in event and "TaskListMarker" not in event:
            inline += span["start"], span["end"]
            if title is not None:
                title.append(_shown(event))
    return seen


def _is_inline(event: Event) -> bool:
    if isinstance(event, str):
        return event != "Rule"
    if "Start" in event:
        begun = event["Start"]
        return (begun if isinstance(begun, str) else next(iter(begun))) in _INLINE
    return "End" not in event and "Html" not in event


def _shown(event: Event) -> str:
    """Give what a reader of the page sees of words, code and math; tags and calls of notes are not seen."""
    if isinstance(event, str):
        return " "
    if "Text" in event:
        return event["Text"]
    if "Code" in event:
        return event["Code"]
    if "InlineMath" in event:
        return event["InlineMath"]
    if "DisplayMath" in event:
        return event["DisplayMath"]
    return ""


def _title(parts: list[str]) -> str:
    title = "".join(parts)
    if "[^" in title:
        title = _NOTE_CALL.sub("", title)  # whether the note was seen must not matter: it may come much later
    return " ".join(title.split())
