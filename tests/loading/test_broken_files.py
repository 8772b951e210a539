"""Files that Docling cannot read, or would read wrongly: what is said of them, and how soon."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import DATA
from spanwise.loading.load import loaded
from spanwise.loading.nesting import is_too_deep
from texts import LAW

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = DATA / "docling"
DOCX = (FILES / "manual.docx").read_bytes()
PDF = (FILES / "manual.pdf").read_bytes()
ENTITY = b'<!DOCTYPE d [<!ENTITY b SYSTEM "file:///b">]>'
INSIDES = re.compile(r"Backend|class |[0-9a-f]{32}|Error")


def with_part(name: str, change: Callable[[bytes], bytes] | None) -> bytes:
    """Make the Word file with a part changed, or without it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(DOCX)) as source, zipfile.ZipFile(made, "w") as target:
        for part in source.namelist():
            content = source.read(part)
            if part != name:
                target.writestr(part, content)
            elif change is not None:
                target.writestr(part, change(content))
    return made.getvalue()


def with_entity(xml: bytes) -> bytes:
    declaration, _, rest = xml.partition(b"?>")
    return declaration + b"?>" + ENTITY + rest.replace(b"Unplug", b"&b;")


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        *((f"a.{suffix}", b"", "the file is empty") for suffix in ("docx", "pptx", "xlsx", "pdf")),
        *((f"a.{suffix}", b"text", "it is no ZIP file, which every") for suffix in ("docx", "pptx", "xlsx")),
        ("a.docx", DOCX[: len(DOCX) // 2], "the file is cut off"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + bytes(600), "it is encrypted, or a file of an older Office"),
        ("a.xlsx", DOCX, r"it is a \.docx file: name it so"),
        ("a.docx", with_part("[Content_Types].xml", None), r"its part \[Content_Types\]\.xml is missing"),
        (
            "a.docx",
            with_part("word/document.xml", with_entity),
            r"word/document\.xml defines entities, which are refused",
        ),
        ("a.docx", with_part("word/document.xml", lambda xml: xml[:400]), "the file is damaged"),
        ("a.docx", DOCX[:2000] + bytes(range(160)) + DOCX[2160:], r"its part word/document\.xml is damaged"),
        ("a.pdf", b"text", "it is no PDF file"),
        ("a.pdf", PDF[:400], "the file is cut off"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_words(name: str, content: bytes, fault: str) -> None:
    """With the name of the file, and without Docling's classes and hashes."""
    with pytest.raises(spanwise.DocumentError, match=rf"^box/{name}: cannot be read as .*{fault}") as raised:
        loaded(content, f"box/{name}")
    assert INSIDES.search(str(raised.value)) is None
    assert "\n" not in str(raised.value)


PAGE = '<html><head><meta charset="{}"></head><body><p>Ca\u00e9 {}</p></body></html>'


@LAW
@given(
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"]),
    st.sampled_from(["utf-8", "latin-1", "shift_jis", "utf-16", "none"]),
    st.text("a\u00e9\u00fc\u00f1\u00a7", max_size=9),
)
def test_html_is_decoded_as_a_text_file_is(encoding: str, claimed: str, written: str) -> None:
    """By the encoding that is named, whatever the page claims of itself."""
    page = PAGE.format(claimed, f"{written}.")
    document = loaded(page.encode(encoding), "page.html", encoding=encoding)
    assert document.text == f"Ca\u00e9 {written}."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (PAGE.format("latin-1", "noir").encode("latin-1"), "not utf-8 text: byte 0xe9"),
        (PAGE.format("utf-8", "noir").encode() + b"\xff", "not utf-8 text: byte 0xff"),
        (DOCX, "a ZIP or office file, not text"),
        (PDF, "a PDF file, not text"),
    ],
)
def test_html_that_is_no_text_is_refused_as_a_text_file_is(content: bytes, message: str, tmp_path: Path) -> None:
    """In the same words: one wrong byte makes no other text of the page."""
    path = tmp_path / "page.html"
    path.write_bytes(content)
    said: list[str] = []
    for read in (spanwise.load, spanwise.Document.from_file):
        with pytest.raises(spanwise.DocumentError, match=message) as raised:
            read(path)
        said.append(str(raised.value))
    assert said[0] == said[1]


_NESTED = st.sampled_from(
    [
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<br>",
        "</br>",
        "<img/>",
        "<b/>",
        "<!-- <i> -->",
        "<svg><title>",
        "<script>",
        "a",
    ]
)


@LAW
@given(st.lists(_NESTED, max_size=30), st.integers(0, 3))
def test_elements_are_as_deep_as_the_parser_of_docling_finds_them(pieces: list[str], times: int) -> None:
    """The oracle is that parser, which closes nothing by itself."""
    from bs4 import BeautifulSoup

    page = "<div>" * (380 + 10 * times) + "".join(pieces)
    depth = max(len(list(tag.parents)) for tag in BeautifulSoup(page, "html.parser").find_all())
    assert is_too_deep(page) == (depth > 400)


@pytest.mark.parametrize("opening", ["<div>", "<ul><li>", "<p>", "<blockquote>"])
def test_html_that_is_too_deep_is_refused_before_it_is_parsed(opening: str, tmp_path: Path) -> None:
    """With what reads it all the same."""
    path = tmp_path / "deep.html"
    path.write_text(opening * 4_000 + "deep")
    with pytest.raises(spanwise.DocumentError, match=r"deep\.html: .* read it as HTML with Document\.from_file"):
        spanwise.load(path)
    assert spanwise.reconstruct(spanwise.chunk(spanwise.Document.from_file(path))) == path.read_text()


def test_lists_too_deep_to_be_written_are_refused_in_the_same_words() -> None:
    """Docling reads some that it cannot write."""
    with pytest.raises(spanwise.DocumentError, match=r"page\.html: .* read it as HTML with Document\.from_file"):
        loaded(b"<ul><li>some" * 200, "page.html")


@pytest.mark.parametrize("opening", ["<div>", "<ul><li>", "<span>", "<table><tr><td>"])
def test_html_as_deep_as_is_let_through_is_read(opening: str) -> None:
    """The limit is where Docling comes to an end."""
    page = opening * (200 // opening.count("<")) + "deep"
    assert "deep" in loaded(page.encode(), "page.html").text


@pytest.mark.parametrize("opening", ["<p>", "<li>", "<dd>", "<tr><td>"])
def test_what_old_pages_leave_open_is_no_depth(opening: str) -> None:
    """Three hundred paragraphs, items or rows that nothing closes are all there."""
    written = [f"word{number}" for number in range(300)]
    page = "".join(opening + word + "\n" for word in written)
    assert re.findall(r"word\d+", loaded(page.encode(), "page.html").text) == written
