"""Every strategy over documents of every format, also read as what they are not, verified and streamed."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Literal

import pytest

import spanwise
from oracles import DATA
from spanwise.documents import media_type_of
from spanwise.formats.reading import format_names
from strategy_rows import ROWS

_FOLDERS = ("html", "plain", "records", "cases")
_SUFFIXES = {".csv", ".html", ".json", ".md", ".py", ".rst", ".srt", ".tsx", ".txt", ".vtt", ".xml"}
_LONGEST = 20_000
_STREAMED = {"plain", "markdown", "chat", "log", "csv", "json_lines", "subtitles"}
_CONTEXTS: tuple[Literal["none", "section", "table", "both"], ...] = ("none", "both")


@lru_cache(maxsize=1)
def documents() -> dict[str, spanwise.Document]:
    """Give the documents by name: those of the test data, and the examples of CommonMark as one."""
    found = {}
    for folder in _FOLDERS:
        for path in sorted((DATA / folder).rglob("*")):
            if path.suffix in _SUFFIXES and path.name != "case.json" and "make_input" not in path.name:
                text = path.read_bytes().decode("utf-8")[:_LONGEST]
                name = str(path.relative_to(DATA).as_posix())
                found[name] = spanwise.Document(id=name, text=text, media_type=media_type_of(path.name))
    examples = json.loads((DATA / "commonmark/spec-0.31.2.json").read_text(encoding="utf-8"))
    text = "\n\n".join(example["markdown"] for example in examples)[:_LONGEST]
    found["commonmark"] = spanwise.Document(id="commonmark", text=text, media_type="text/markdown")
    return found


def assert_holds(name: str, document: spanwise.Document, structure: str) -> None:
    """All promises, at two budgets, with and without context, with overlap where there may be one; streams equal."""
    for most in (24, 128):
        for context in _CONTEXTS:
            chunker = spanwise.Chunker(
                ROWS[name].samples[0],
                max_tokens=most,
                overlap_tokens=most // 8 if ROWS[name].overlaps else 0,
                overflow="split",
                structure=structure,
                context=context,
            )
            chunks = chunker.chunk(document)
            assert chunker.verify(document, chunks) == [], (document.id, structure, most, context)
            if not ROWS[name].parted and chunker.format_of(document) in _STREAMED:
                pieces = [document.text[at : at + 997] for at in range(0, len(document.text), 997)]
                streamed = chunker.stream(pieces, id=document.id, media_type=document.media_type)
                assert list(streamed) == chunks, (document.id, structure, most, context)


@pytest.mark.parametrize("name", ["structural", "sections", "sentences"])
@pytest.mark.parametrize("document", [name for index, name in enumerate(sorted(documents())) if index % 5 == 0])
def test_a_sample_of_the_formats_holds(name: str, document: str) -> None:
    """A fifth of the documents, each in its own format."""
    assert_holds(name, documents()[document], "auto")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ROWS))
@pytest.mark.parametrize("document", sorted(documents()))
def test_every_document_holds_in_its_format(name: str, document: str) -> None:
    """With every strategy."""
    assert_holds(name, documents()[document], "auto")


@pytest.mark.slow
@pytest.mark.parametrize("structure", sorted(set(format_names()) - {"auto"}))
@pytest.mark.parametrize("document", sorted(documents()))
def test_every_document_holds_in_every_format(structure: str, document: str) -> None:
    """Read as what it is not, it is cut badly, and keeps every promise."""
    assert_holds("structural", documents()[document], structure)
