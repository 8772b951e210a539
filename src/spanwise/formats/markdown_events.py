"""What the parser says about one window of Markdown, in bytes of UTF-8."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

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
    "PlainBlock",
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
    "Heading": HEADING,
    "CodeBlock": FENCED,
    "HtmlBlock": HTML,
    "Table": TABLE,
    "List": LIST,
    "Item": ITEM,
    "BlockQuote": QUOTE,
    "FootnoteDefinition": NOTE,
}
_INLINE, _ROW = 11, 12
_BEGUN: Final = {
    **_KINDS,
    **dict.fromkeys(("Emphasis", "Strong", "Strikethrough", "Link", "Image"), _INLINE),
    "TableRow": _ROW,
}
_NOTE_CALL: Final = re.compile(r"\[\^[^\[\]\s]{1,200}+\]")


PlainBlock: TypeAlias = tuple[int, int, int, int]
"""What a `Block` holds, without names: it is made several times faster, and most are never asked."""


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
    holder: PlainBlock | None
    """The innermost item, quote or footnote that holds it."""


class Seen:
    """Everything of use in the events of one window."""

    __slots__ = ("blocks", "headings", "inline", "marks", "rows", "rules")

    def __init__(self) -> None:
        self.blocks: list[PlainBlock] = []
        """Leaf blocks and those that hold others, in the order of their starts, parents first."""
        self.marks: list[int] = []
        """Where blocks begin inside which no other block begins, rows, and lines after a hard line break."""
        self.headings: list[HeadingSeen] = []
        self.inline: list[int] = []
        """The start of each inline element, then its end."""
        self.rows: list[int] = []
        """The start of each row below a header, then its end."""
        self.rules: list[int] = []
        """The start of each thematic break, then that of the item that holds it, or -1."""


def seen_in(text: str) -> Seen:
    """Parse a text. Should the parser ever panic, the text is text."""
    try:
        return _sorted(events_with_range(text, options=OPTIONS))
    except BaseException as error:  # pragma: no cover  no text is known that makes the parser panic
        if type(error).__name__ != "PanicException":  # what a panic of Rust becomes has no public name
            raise
        return Seen()


def _sorted(events: Iterable[tuple[Event, Range]]) -> Seen:  # noqa: C901, PLR0912, PLR0915  one loop: it is what reading costs
    """Sort events by what they mean for cuts, each as it comes, for to keep them all costs more than to make them.

    The commonest are asked for first.
    """
    seen = Seen()
    blocks, marks, inline = seen.blocks, seen.marks, seen.inline
    holders: list[PlainBlock] = []  # that are open
    depth = level = 0
    title: list[str] | None = None
    has_ended = False  # whether a block ended right before: words are then a paragraph of a tight list, without event
    is_first = False  # whether an item or a note began right before, which a paragraph in it begins
    for event, span in events:
        if "Text" in event:
            if has_ended:
                has_ended = False
                marks.append(span["start"])
            if title is not None:
                title.append(_shown(event))
        elif isinstance(event, str):
            if event == "Rule":
                is_first = False
                marks.append(span["start"])
                blocks.append((depth, RULE, span["start"], span["end"]))
                seen.rules += span["start"], next((block[2] for block in reversed(holders) if block[1] == ITEM), -1)
            else:
                if has_ended:
                    marks.append(span["start"])
                if event == "HardBreak":
                    marks.append(span["end"])
                if title is not None:
                    title.append(_shown(event))
            has_ended = False
        elif "End" in event:
            tag = event["End"]
            if tag == "Paragraph":
                depth -= 1
                is_first, has_ended = False, True
                continue
            kind = _KINDS.get(tag if isinstance(tag, str) else next(iter(tag)))
            has_ended = kind is not None
            if kind is None:
                continue
            depth -= 1
            is_first = False
            if kind in HOLDERS:
                holders.pop()
            elif kind == HEADING and title is not None:
                holder = holders[-1] if holders else None
                seen.headings.append(HeadingSeen(span["start"], span["end"], level, _title(title), holder))
                title = None
        elif "Start" in event:
            begun = event["Start"]
            if begun == "Paragraph":
                start = span["start"]
                if not is_first:
                    marks.append(start)
                is_first = has_ended = False
                blocks.append((depth, PARAGRAPH, start, span["end"]))
                depth += 1
                continue
            name = begun if isinstance(begun, str) else next(iter(begun))
            kind = _BEGUN.get(name)
            if kind is None:
                has_ended = False
                continue
            start, end = span["start"], span["end"]
            if kind == _INLINE:
                if has_ended:
                    has_ended = False
                    marks.append(start)
                inline += start, end
                continue
            has_ended = False
            if kind == _ROW:
                marks.append(start)
                seen.rows += start, end
                continue
            if kind == FENCED and not isinstance(begun, str) and begun.get("CodeBlock") == "Indented":
                kind = INDENTED
            block = (depth, kind, start, end)
            blocks.append(block)
            depth += 1
            if kind not in (LIST, QUOTE):
                marks.append(start)
            is_first = kind in (ITEM, NOTE)
            if kind in HOLDERS:
                holders.append(block)
            elif not isinstance(begun, str) and "Heading" in begun:
                title, level = [], int(begun["Heading"]["level"][1])
        elif "Html" in event:
            has_ended = False
        else:
            if has_ended:
                has_ended = False
                marks.append(span["start"])
            if "TaskListMarker" not in event:
                inline += span["start"], span["end"]
            if title is not None:
                title.append(_shown(event))
    return seen


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
