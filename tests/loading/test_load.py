"""Files that are no text, and DoclingDocuments: their text, and what each part of it is in the file."""

from __future__ import annotations

import pickle
import socket
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from docling_core.transforms.serializer.markdown import MarkdownDocSerializer
from docling_core.types.doc import DocItemLabel, DoclingDocument, TableCell, TableData
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import DATA
from spanwise.formats.docling_text import DoclingText, exported
from texts import LAW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

FILES = DATA / "docling"
WARNING = "Unplug it first."
NAMES = ["manual.docx", "manual.html", "manual.pdf", "manual.json"]


def kept_of(document: spanwise.Document) -> DoclingText:
    assert isinstance(document.loaded, DoclingText)
    return document.loaded


def labelled(document: spanwise.Document) -> list[tuple[str, str]]:
    """List the items with their labels and texts."""
    return [(item.label, document.text[item.start : item.stop]) for item in kept_of(document).items]


_WORDS = st.sampled_from(
    ["same", "same", "a_b", "x < y & z", "*star*", "# no heading", "| bar |", "two\nlines", "中文"]
)
_TEXTS = st.lists(_WORDS, min_size=1, max_size=3).map(" ".join)


def _paragraph(document: DoclingDocument, text: str) -> None:
    document.add_text(label=DocItemLabel.TEXT, text=text)


def _heading(document: DoclingDocument, text: str) -> None:
    document.add_heading(text=text, level=2)


def _code(document: DoclingDocument, text: str) -> None:
    document.add_code(text=text)


def _list(document: DoclingDocument, text: str) -> None:
    group = document.add_list_group()
    item = document.add_list_item(text=text, enumerated=False, parent=group)
    inner = document.add_list_group(parent=item)
    for _ in range(2):
        document.add_list_item(text=text, enumerated=True, parent=inner)


def _inline(document: DoclingDocument, text: str) -> None:
    group = document.add_inline_group()
    for _ in range(2):
        document.add_text(label=DocItemLabel.TEXT, text=text, parent=group)


def _table(document: DoclingDocument, text: str) -> None:
    cells = [
        TableCell(
            text=text,
            start_row_offset_idx=row,
            end_row_offset_idx=row + 1,
            start_col_offset_idx=column,
            end_col_offset_idx=column + 1,
        )
        for row in range(2)
        for column in range(2)
    ]
    caption = document.add_text(label=DocItemLabel.CAPTION, text=text)
    document.add_table(data=TableData(table_cells=cells, num_rows=2, num_cols=2), caption=caption)


_ADDING = st.sampled_from([_paragraph, _paragraph, _heading, _code, _list, _inline, _table])


@LAW
@given(st.lists(st.tuples(_ADDING, _TEXTS), max_size=8))
def test_every_item_has_the_span_that_the_serialiser_wrote_for_it(
    added: list[tuple[Callable[[DoclingDocument, str], None], str]],
) -> None:
    """Also where texts are repeated; the text is the Markdown that Docling exports."""
    document = DoclingDocument(name="made")
    for add, text in added:
        add(document, text)
    text, kept = exported(document)
    assert text == document.export_to_markdown()
    apart = [item for item in kept.items if item.label in ("text", "section_header", "code", "table")]
    assert all(one.stop <= other.start for one, other in pairwise(apart))
    spans = {item.ref: text[item.start : item.stop] for item in kept.items}
    captions = {caption.cref for table in document.tables for caption in table.captions}
    assert set(spans) == {item.self_ref for item in (*document.texts, *document.tables)} - captions
    alone = MarkdownDocSerializer(doc=document)
    for item in (*document.texts, *document.tables):
        if item.self_ref in spans and item.parent.cref == "#/body":
            assert spans[item.self_ref] == alone.serialize(item=item).text


def test_a_word_file_is_markdown_with_its_items() -> None:
    """Repeated paragraphs have spans of their own, each under its heading."""
    document = spanwise.load(FILES / "manual.docx", id="manual")
    assert (document.id, document.media_type) == ("manual", "text/markdown")
    assert document.metadata["file_type"] == "docx"
    assert document.text.startswith("# Pump manual\n\nUnplug it first.\n\n## Safety\n\nUnplug it first.\n\n")
    assert document.text == kept_of(document).document.export_to_markdown()
    items = kept_of(document).items
    starts = [item.start for item in items if document.text[item.start : item.stop] == WARNING]
    found = [place for place in range(len(document.text)) if document.text.startswith(WARNING, place)]
    assert starts == found
    assert len(found) == 4


def test_a_pdf_has_pages_and_boxes() -> None:
    """A chunk has the page on which it begins, and all that it touches."""
    document = spanwise.load(FILES / "manual.pdf")
    chunks = spanwise.chunk(document, "paragraphs", max_tokens=12)
    assert [(chunk.page, chunk.metadata["pages"]) for chunk in chunks] == [(1, (1,))] * 3 + [(2, (2,))] * 2
    whole = spanwise.chunk(document)[0]
    assert (whole.page, whole.metadata["pages"]) == (1, (1, 2))
    first = cast("tuple[Mapping[str, object], ...]", chunks[0].metadata["boxes"])[0]
    assert (first["page"], first["left"], first["origin"]) == (1, 72.0, "BOTTOMLEFT")
    assert chunks[0].metadata["items"] == (
        {"ref": "#/texts/0", "label": "text"},
        {"ref": "#/texts/1", "label": "text"},
    )


def test_a_docling_document_is_loaded_from_json_and_as_an_object() -> None:
    """Both give what the file from which it was made gives."""
    of_pdf, of_json = spanwise.load(FILES / "manual.pdf"), spanwise.load(FILES / "manual.json")
    of_object = spanwise.load(kept_of(of_json).document)
    assert of_pdf.text == of_json.text == of_object.text
    assert of_pdf.loaded == of_json.loaded == of_object.loaded
    assert of_object.id == "manual.pdf"
    assert of_json.metadata["file_name"] == "manual.json"


def test_html_is_read_by_docling() -> None:
    """Its Markdown, with headings as sections."""
    document = spanwise.load(FILES / "manual.html")
    assert ("list_item", "- Clean **the** hose.") in labelled(document)
    assert spanwise.chunk(document, "sections", max_tokens=40)[0].section == ("Pump manual",)


def test_text_files_and_other_json_are_read_as_they_are(tmp_path: Path) -> None:
    """As `Document.from_file` does."""
    for name, text in (("a.md", "# A\r\n"), ("b.json", '{"schema_name": "other"}'), ("c.json", "[1]"), ("d.json", "{")):
        path = tmp_path / name
        path.write_bytes(text.encode())
        assert spanwise.load(path) == spanwise.Document.from_file(path)
    (tmp_path / "e.txt").write_bytes(b"\xe9")
    assert spanwise.load(tmp_path / "e.txt", encoding="latin-1").text == "é"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_loaded_crosses_processes_and_keeps_all_promises(name: str) -> None:
    """A document is a value: equal after pickling, and chunks of it are verified as any."""
    document = spanwise.load(FILES / name)
    again = pickle.loads(pickle.dumps(document))  # noqa: S301  our own bytes
    assert again == document
    assert hash(again) == hash(document)
    for info in spanwise.strategies():
        chunker = spanwise.Chunker(info.name, max_tokens=48)
        chunks = chunker.chunk(document)
        assert chunker.verify(again, chunks) == []
        assert all(chunk.metadata["items"] for chunk in chunks)
    assert chunker.format_of(document) == "docling"


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Text files do without it."""
    for module in ("docling", "docling_core", "docling_core.types.doc.document"):
        monkeypatch.setitem(sys.modules, module, None)
    for name in NAMES:
        with pytest.raises(spanwise.MissingExtraError, match=r"spanwise\[docling\]"):
            spanwise.load(FILES / name)
    (tmp_path / "a.txt").write_text("text")
    assert spanwise.load(tmp_path / "a.txt").text == "text"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.png", b"\x89PNG", "text in images is seen by models alone"),
        (
            "a.json",
            b'{"schema_name": "DoclingDocument"}',
            "a.json: the DoclingDocument is broken: name: Field required",
        ),
        (
            "a.doc",
            b"\xd0\xcf\x11\xe0",
            r"a\.doc: an office file of an old .* format.* convert it to \.docx, \.pptx, \.xlsx",
        ),
        ("a.txt", b"PK\x03\x04", r"a\.txt: a ZIP or office file.* names end in \.docx, \.pptx or \.xlsx: name it so"),
    ],
)
def test_what_cannot_be_read_says_why(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    """In one line, with the file and the repair."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(spanwise.DocumentError, match=message) as raised:
        spanwise.load(tmp_path / name)
    assert "\n" not in str(raised.value)


def test_what_is_neither_file_nor_document_is_refused() -> None:
    """The message shows it."""
    with pytest.raises(spanwise.ConfigurationError, match="got 3"):
        spanwise.load(3)


def test_what_was_loaded_belongs_to_its_text() -> None:
    """Offsets of another text would be wrong."""
    document = spanwise.load(FILES / "manual.html")
    for name in ("structural", "docling"):
        with pytest.raises(spanwise.ConfigurationError, match="is not the one that was loaded"):
            spanwise.chunk(spanwise.Document(text="Another one.", loaded=document.loaded), name)
    with pytest.raises(spanwise.ConfigurationError, match=r"Document.loaded is what a loader made, got 3"):
        spanwise.Document(text="One.", loaded=3)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_downloaded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither images of the document, nor style sheets, nor models: no socket is opened."""
    opened: list[object] = []
    monkeypatch.setattr(socket, "socket", lambda *arguments, **_: opened.append(arguments))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *arguments, **_: opened.append(arguments))
    document = spanwise.load(FILES / name)
    linked = spanwise.Document(text=document.text + "\n\n![a](https://example.invalid/b.png) <img src='//c.invalid/d'>")
    assert all(spanwise.chunk(each, "docling", max_tokens=64) for each in (document, linked))
    assert opened == []
