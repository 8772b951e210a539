"""Do the items of a DoclingDocument make a tree, as every program that walks it takes for granted?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docling_core.types.doc.document import DoclingDocument

__all__ = ["References", "fault_of", "references_of"]

_ROOTS: Final = ("body", "furniture")
_LISTS: Final = (
    "groups",
    "texts",
    "pictures",
    "tables",
    "key_value_items",
    "form_items",
    "field_regions",
    "field_items",
)
_REFERRING: Final = ("children", "captions", "footnotes")


class _Reference(msgspec.Struct):
    cref: str = msgspec.field(name="$ref")


class _Cell(msgspec.Struct):
    ref: _Reference | None = None


class _Table(msgspec.Struct):
    table_cells: list[_Cell] = []


class _Item(msgspec.Struct):
    parent: _Reference | None = None
    children: list[_Reference] = []
    captions: list[_Reference] = []
    footnotes: list[_Reference] = []
    data: _Table | None = None


class References(msgspec.Struct):
    """The references of a DoclingDocument, with the names that it gives them."""

    body: _Item | None = None
    furniture: _Item | None = None
    groups: list[_Item] = []
    texts: list[_Item] = []
    pictures: list[_Item] = []
    tables: list[_Item] = []
    key_value_items: list[_Item] = []
    form_items: list[_Item] = []
    field_regions: list[_Item] = []
    field_items: list[_Item] = []


def references_of(content: bytes) -> References:
    """Read the references alone, since Docling follows them as it reads; none where a field is of another kind."""
    try:
        return msgspec.json.decode(content, type=References)
    except msgspec.ValidationError:  # Docling says what is wrong with that
        return References()


def fault_of(document: DoclingDocument | References) -> str | None:
    """Say which reference leads nowhere, or which item is a child twice, so that a walk need not end; None if none."""
    items = dict(_items(document))
    parents: dict[str, str] = {f"#/{name}": "the document" for name in _ROOTS}
    for ref, item in items.items():
        for name in _referred(item):
            if name not in items:
                return f"{ref} refers to {name}, which it does not hold"
        for child in item.children:
            if child.cref in parents:
                return f"{child.cref} is a child of {parents[child.cref]} and again of {ref}; an item has one parent"
            parents[child.cref] = ref
    return None


def _items(document: DoclingDocument | References) -> Iterator[tuple[str, Any]]:
    for name in _ROOTS:
        root = getattr(document, name, None)
        if root is not None:
            yield f"#/{name}", root
    for name in _LISTS:  # one that this release of Docling does not know is none
        for place, item in enumerate(getattr(document, name, ())):
            yield f"#/{name}/{place}", item


def _referred(item: Any) -> Iterator[str]:
    for field in _REFERRING:
        yield from (each.cref for each in getattr(item, field, ()))
    parent = getattr(item, "parent", None)
    if parent is not None:
        yield parent.cref
    cells = getattr(getattr(item, "data", None), "table_cells", ())
    yield from (cell.ref.cref for cell in cells if getattr(cell, "ref", None) is not None)
