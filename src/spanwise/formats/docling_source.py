"""Markdown for Docling's parser: a copy in which words carry their offsets, and that no parser takes long for.

Marks stand only where a parser of CommonMark sees text: never in addresses, labels, tags or the info of a fence. What
Python cannot write as UTF-8 is U+FFFD in the copy, and line ends are LF. A paragraph longer than any that is written
by hand is several in the copy, since the time that Docling's parser takes grows with the square of a paragraph.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from pyromark import events_with_range

from spanwise.formats.docling_marks import marked, words_in
from spanwise.formats.markdown_events import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from spanwise.formats.docling_marks import Marks

__all__ = ["marked_source"]

_LONGEST: Final = 4_000
_UNWRITABLE: Final = re.compile("[\ud800-\udfff]")
_LONE_CR: Final = re.compile(r"\r(?!\n)")
_LABELLED: Final = frozenset({"Link", "Image"})
_RAW: Final = frozenset({"CodeBlock", "HtmlBlock", "MetadataBlock"})
_DEEPEST: Final = 100  # quotes, list items or elements in one another: no parser of Docling gets much further
_HOLDERS: Final = frozenset({"BlockQuote", "Item"})
_TAG: Final = re.compile(
    r"<(/?+)(?!(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|source|t[dhr]|tbody|thead|wbr)\b)"
    r"[a-z][^<>]*+(?<!/)>",
    re.IGNORECASE,
)
"""Tags of elements that are closed where they end."""
_OUTSIDE_TAGS: Final = re.compile(r"<[^<>]*+>?|([^<>]++)")


def marked_source(text: str, marks: Marks) -> str | None:
    """Copy a text for Docling's Markdown parser, with marks after the first letter of words.

    None where quotes, lists or elements are so deep in one another that the parser would fail.
    """
    copy = _LONE_CR.sub("\n", _UNWRITABLE.sub("\ufffd", marks.cleaned(text)))
    if _is_too_deep(copy):
        return None
    inserts: list[tuple[int, str]] = []
    for offset, is_word in _places(copy):
        if not is_word:
            inserts.append((offset, "\n\n"))
        elif offset < marks.most:
            inserts.append((offset + 1, marks.mark(offset)))
    return marked(copy, sorted(inserts)).replace("\r\n", "\n")


def _is_too_deep(copy: str) -> bool:
    depth = elements = 0
    for event, _ in events_with_range(copy, options=OPTIONS):
        kind, name = _kind_of(event)
        if name in _HOLDERS:
            depth += 1 if kind == "Start" else -1
        elif kind in ("Html", "InlineHtml"):
            for found in _TAG.finditer(cast("dict[str, str]", event)[kind]):
                elements = max(elements + (-1 if found.group(1) else 1), 0)
                if elements > _DEEPEST:
                    return True
        if depth > _DEEPEST:
            return True
    return False


def _places(copy: str) -> Iterator[tuple[int, bool]]:
    """Yield the words that may be marked, and where an over-long paragraph goes on as another."""
    offset_of = _offsets_of(copy)
    labels = raw = 0
    for event, place in events_with_range(copy, options=OPTIONS):
        kind, name = _kind_of(event)
        start, stop = offset_of(place["start"]), offset_of(place["end"])
        if kind == "Start":
            labels += name in _LABELLED
            raw += name in _RAW
            if name == "HtmlBlock":
                yield from ((offset, True) for offset in _outside_tags(copy, start, stop))
            if not raw and stop - start > _LONGEST and name in ("Paragraph", "Heading", "TableCell"):
                yield from ((offset, False) for offset in _breaks(copy, start, stop))
        elif kind == "End":
            labels -= name in _LABELLED
            raw -= name in _RAW
        elif labels:
            continue
        elif kind in ("Text", "Code"):
            yield from ((offset, True) for offset, _ in words_in(copy, start, stop))


def _outside_tags(copy: str, start: int, stop: int) -> Iterator[int]:
    for found in _OUTSIDE_TAGS.finditer(copy, start, stop):
        if found.group(1):
            yield from (offset for offset, _ in words_in(copy, *found.span()))


def _breaks(copy: str, start: int, stop: int) -> Iterator[int]:
    while stop - start > _LONGEST:
        start += _LONGEST
        blank = max(copy.rfind(" ", start - _LONGEST // 2, start), copy.rfind("\n", start - _LONGEST // 2, start))
        start = blank + 1 if blank >= 0 else start
        yield start


def _kind_of(event: object) -> tuple[str, str]:
    """Give what happens, and to what."""
    if isinstance(event, str):
        return event, ""
    kind, value = next(iter(cast("dict[str, object]", event).items()))
    if kind not in ("Start", "End"):
        return kind, ""
    return kind, value if isinstance(value, str) else next(iter(cast("dict[str, object]", value)))


def _offsets_of(copy: str) -> Callable[[int], int]:
    """Make what gives the code point at a byte."""
    if copy.isascii():
        return lambda byte: byte
    raw = np.frombuffer(copy.encode(), dtype=np.uint8)
    starts: npt.NDArray[np.int64] = np.flatnonzero((raw & 0xC0) != 0x80).astype(np.int64)
    return lambda byte: int(np.searchsorted(starts, byte))
