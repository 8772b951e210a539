"""A DoclingDocument as Markdown, and which part of that each of its items became."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from spanwise.errors import ConfigurationError, shown
from spanwise.formats.docling_marks import Marks
from spanwise.structure import Page, Structure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docling_core.types.doc.document import DocItem, DoclingDocument

__all__ = ["Box", "DoclingText", "Placed", "exported"]

_HEADINGS = frozenset({"title", "section_header"})


class Box(NamedTuple):
    """Where on a page an item stands, in the units of the file; `origin` is `TOPLEFT` or `BOTTOMLEFT`."""

    page: int
    left: float
    top: float
    right: float
    bottom: float
    origin: str


class Placed(NamedTuple):
    """An item of a DoclingDocument and its span of the text; items lie inside one another or apart."""

    start: int
    stop: int
    ref: str
    label: str
    boxes: tuple[Box, ...] = ()


class DoclingText:
    """What is kept of a DoclingDocument whose Markdown is the text of a `Document`."""

    format = "docling"

    def __init__(self, document: DoclingDocument, text: str, items: Sequence[Placed]) -> None:
        """Take the items in the order of (start, -stop)."""
        self.document = document
        self._text = text
        self.items = tuple(items)
        self._starts = [item.start for item in self.items]
        self._reaches = list(accumulate((item.stop for item in self.items), max))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DoclingText) and self.items == other.items

    def __hash__(self) -> int:
        return hash(self.items)

    def __repr__(self) -> str:
        return f"DoclingText({len(self.items)} items)"

    def structure(self, text: str) -> Structure:
        """Read the Markdown; headings are those of the document alone, and pages are those of the file.

        Raises:
            ConfigurationError: the text is not the one whose items these are.
        """
        from spanwise.formats.markdown import read_markdown  # noqa: PLC0415  it loads arrays

        if text != self._text:
            raise ConfigurationError(
                f"the text {shown(text)} is not the one that was loaded, {shown(self._text)}: leave `loaded` away "
                "where you change the text of a document"
            )
        found = read_markdown(text)
        starts = {item.start for item in self.items if item.label in _HEADINGS}
        headings = tuple(each for each in found.headings if each.start in starts) if self.items else found.headings
        return msgspec.structs.replace(found, format=self.format, headings=headings, pages=self._pages())

    def metadata(self, start: int, stop: int) -> Mapping[str, object]:
        """Give the pages, boxes and items of a span."""
        touched = self.between(start, stop)
        boxes = [box for item in touched for box in item.boxes]
        return {
            "pages": tuple(sorted({box.page for box in boxes})),
            "boxes": tuple(box._asdict() for box in boxes),
            "items": tuple({"ref": item.ref, "label": item.label} for item in touched),
        }

    def between(self, start: int, stop: int) -> list[Placed]:
        """List the items that have text in a span, in order."""
        first = bisect_left(self._reaches, start + 1)
        last = bisect_left(self._starts, stop)
        return [item for item in self.items[first:last] if item.stop > start]

    def _pages(self) -> tuple[Page, ...]:
        pages: list[Page] = []
        for item in self.items:
            if item.boxes and (not pages or item.boxes[0].page > pages[-1].number):
                pages.append(Page(item.start if pages else 0, item.boxes[0].page))
        return tuple(pages)


def exported(document: DoclingDocument) -> tuple[str, DoclingText]:
    """Export a DoclingDocument as Markdown, exactly as `export_to_markdown` does, and place its items in that.

    Where Docling's serialiser wrote something else because marks stood in the text, no item is placed.
    """
    text = _serialized(document)
    marks = Marks(text)
    met: list[DocItem] = []
    plain, places = marks.taken_out(_serialized(document, marks, met))
    items = _placed(met, places) if plain == text else []
    return text, DoclingText(document, text, items)


def _placed(met: Sequence[DocItem], places: Sequence[tuple[int, int]]) -> list[Placed]:
    """Make spans of the marks around items: that of the n-th begins with the mark 2n and ends with 2n + 1."""
    starts = {number // 2: offset for offset, number in places if number % 2 == 0}
    stops = {number // 2: offset for offset, number in places if number % 2}
    found = [
        _item(met[number], start, stops[number]) for number, start in starts.items() if start < stops.get(number, start)
    ]
    return sorted(found, key=lambda item: (item.start, -item.stop))


def _item(item: DocItem, start: int, stop: int) -> Placed:
    boxes = tuple(
        Box(each.page_no, each.bbox.l, each.bbox.t, each.bbox.r, each.bbox.b, str(each.bbox.coord_origin.value))
        for each in item.prov
    )
    return Placed(start, stop, item.self_ref, str(item.label.value), boxes)


def _serialized(document: DoclingDocument, marks: Marks | None = None, met: list[DocItem] | None = None) -> str:
    from docling_core.transforms.serializer.markdown import MarkdownDocSerializer  # noqa: PLC0415  an extra, and slow

    if marks is None or met is None:
        return str(MarkdownDocSerializer(doc=document).serialize().text)
    serializer = _marking_class()(doc=document)
    serializer.take(marks, met)
    return str(serializer.serialize().text)


@lru_cache(maxsize=1)
def _marking_class() -> Any:
    """Make the serialiser that puts marks around what it writes for an item."""
    from docling_core.transforms.serializer.markdown import MarkdownDocSerializer  # noqa: PLC0415  an extra, and slow
    from docling_core.types.doc.document import DocItem  # noqa: PLC0415
    from pydantic import PrivateAttr  # noqa: PLC0415

    class _Marking(MarkdownDocSerializer):  # type: ignore[misc]  # an extra, whose types are not looked at
        _marks: Marks = PrivateAttr()
        _met: list[DocItem] = PrivateAttr()

        def take(self, marks: Marks, met: list[DocItem]) -> None:
            self._marks, self._met = marks, met

        def serialize(self, *, item: Any = None, **options: Any) -> Any:
            result = super().serialize(item=item, **options)
            in_cell = options.get("_nested_in_table") or options.get("in_table_cell")  # columns are as wide as cells
            if isinstance(item, DocItem) and result.text and not in_cell:
                number = 2 * len(self._met)
                self._met.append(item)
                inner = result.text.lstrip(" ")  # a list is indented where its text does not begin with a blank
                lead = result.text[: len(result.text) - len(inner)]
                result.text = f"{lead}{self._marks.mark(number)}{inner}{self._marks.mark(number + 1)}"
            return result

    return _Marking
