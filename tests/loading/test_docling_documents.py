"""DoclingDocuments that are given: broken ones are refused, and what is loaded is a value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from docling_core.types.doc import BoundingBox, DocItemLabel, DoclingDocument, ProvenanceItem, RefItem

import spanwise

if TYPE_CHECKING:
    from pathlib import Path


def group(index: int, *children: str, parent: str = "#/body") -> dict[str, object]:
    return {
        "self_ref": f"#/groups/{index}",
        "parent": {"$ref": parent},
        "children": [{"$ref": child} for child in children],
    }


def with_body(*children: str, **lists: object) -> dict[str, object]:
    body = {"self_ref": "#/body", "children": [{"$ref": child} for child in children]}
    return {"schema_name": "DoclingDocument", "name": "x", "body": body, **lists}


CHAIN = [
    group(place, f"#/groups/{place + 1}", parent=f"#/groups/{place - 1}" if place else "#/body")
    for place in range(2_000)
]
TABLE = {
    "self_ref": "#/tables/0",
    "parent": {"$ref": "#/body"},
    "label": "table",
    "captions": [{"$ref": "#/texts/5"}],
    "data": {"table_cells": [], "num_rows": 0, "num_cols": 0},
}


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (with_body("#/texts/9"), "#/body refers to #/texts/9, which it does not hold"),
        (with_body("#/nothing/0"), "#/body refers to #/nothing/0, which it does not hold"),
        (with_body("#/groups/0", groups=[group(0, parent="#/groups/7")]), "#/groups/0 refers to #/groups/7"),
        (with_body("#/tables/0", tables=[TABLE]), "#/tables/0 refers to #/texts/5, which it does not hold"),
        (with_body("#/body"), "#/body is a child of the document and again of #/body"),
        (
            with_body("#/groups/0", groups=[group(0, "#/groups/0")]),
            "#/groups/0 is a child of #/body and again of #/groups/0",
        ),
        (
            with_body("#/groups/0", groups=[group(0, "#/groups/1"), group(1, "#/groups/0")]),
            "#/groups/0 is a child of #/body and again of #/groups/1",
        ),
        (
            with_body("#/groups/0", groups=[*(group(n, *[f"#/groups/{n + 1}"] * 2) for n in range(40)), group(40)]),
            "#/groups/1 is a child of #/groups/0 and again of #/groups/0",
        ),
        (
            with_body("#/groups/0", groups=[*CHAIN, group(2_000, parent="#/groups/1999")]),
            "its items are too deep in one another",
        ),
    ],
)
def test_a_document_whose_items_are_no_tree_is_refused(content: dict[str, object], fault: str, tmp_path: Path) -> None:
    """With the file and the references, before anything walks it without end."""
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(content))
    with pytest.raises(spanwise.DocumentError, match=f"broken.json: .*{fault}"):
        spanwise.load(path)


def test_a_document_that_was_changed_is_checked_as_a_file_is() -> None:
    """Nothing of Docling checks an object again."""
    document = DoclingDocument(name="pump")
    inner = document.add_group()
    document.body.children.append(RefItem(cref="#/texts/9"))
    with pytest.raises(spanwise.DocumentError, match=r"pump: .*#/body refers to #/texts/9, which it does not hold"):
        spanwise.load(document)
    document.body.children.pop()
    inner.children.append(inner.get_ref())
    with pytest.raises(
        spanwise.DocumentError, match=r"pump: .*#/groups/0 is a child of #/body and again of #/groups/0"
    ):
        spanwise.load(document)


def test_what_is_loaded_does_not_change_with_the_document_that_was_given() -> None:
    """Neither its chunks nor their metadata."""
    given = DoclingDocument(name="pump")
    place = ProvenanceItem(page_no=1, bbox=BoundingBox(l=1, t=2, r=3, b=4), charspan=(0, 9))
    first = given.add_text(label=DocItemLabel.TEXT, text="It moves water.", prov=place)
    document = spanwise.load(given)
    before = {name: spanwise.chunk(document, name) for name in ("docling", "structural")}
    first.text = "It moves air."
    place.page_no = 9
    given.add_text(label=DocItemLabel.TEXT, text="Unplug it first.")
    assert {name: spanwise.chunk(document, name) for name in before} == before
    assert before["docling"][0].metadata["docling_text"] == "It moves water."
    assert spanwise.load(given).text == "It moves air.\n\nUnplug it first."
