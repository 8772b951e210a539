"""A document holds exactly what was read, and nothing can change it."""

from __future__ import annotations

import datetime as dt
import enum
import pickle
import re
import uuid
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pytest

import spanwise
from spanwise import ConfigurationError, Document, DocumentError
from spanwise.documents import Metadata, media_type_of, thawed
from spanwise.structure import Structure

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("text", ["a\r\nb\rc\n", "\ufeffa", "a\x00b\x0cc", "é\u2028ß", ""])
def test_a_file_is_read_as_it_is(text: str, tmp_path: Path) -> None:
    """No newline is translated, no BOM taken off, no control character changed."""
    path = tmp_path / "notes.txt"
    path.write_bytes(text.encode())
    assert Document.from_file(path).text == text


def test_a_file_says_where_it_came_from(tmp_path: Path) -> None:
    """The id is the path with slashes; metadata hold source, name and type; the suffix tells the media type."""
    path = tmp_path / "Handbook.MD"
    path.write_text("# Pump", encoding="utf-8")
    document = Document.from_file(path)
    assert document.id == path.as_posix()
    assert document.media_type == "text/markdown"
    assert dict(document.metadata) == {"source": path.as_posix(), "file_name": "Handbook.MD", "file_type": "md"}
    assert Document.from_file(path, id="handbook").id == "handbook"


def test_metadata_of_a_document_stands_on_its_chunks() -> None:
    """Each chunk carries it."""
    document = Document(text="One. Two.", id="a", metadata={"page": 3})
    assert [chunk.metadata for chunk in spanwise.chunk(document)] == [document.metadata]


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    """The message says which byte, where, and what to do."""
    path = tmp_path / "old.txt"
    path.write_bytes(b"caf\xe9 noir")
    with pytest.raises(DocumentError, match=r"old\.txt: not utf-8 text: byte 0xe9 at 3 .* encoding='cp1252'"):
        Document.from_file(path)
    assert Document.from_file(path, encoding="cp1252").text == "café noir"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7", r"PDF.*\.pdf"),
        (b"PK\x03\x04", r"office file.*\.docx, \.pptx or \.xlsx"),
        (b"\x89PNG\r\n", "image.*convert it with Docling"),
        (b"\xd0\xcf\x11\xe0", r"office.*convert it to \.docx"),
    ],
)
def test_files_of_other_kinds_are_named(content: bytes, kind: str) -> None:
    """They are recognised by their first bytes, whatever they are called; the message names what is read."""
    with pytest.raises(DocumentError, match=f"report.txt: an? .*{kind}"):
        Document.from_bytes(content, "report.txt")


@pytest.mark.parametrize("encoding", ["undefined", "punycode", "idna"])
def test_codecs_that_do_not_say_where_they_failed_are_document_errors(encoding: str) -> None:
    """They raise other errors than those of text encodings."""
    with pytest.raises(DocumentError, match=f"a.txt: not {encoding} text"):
        Document.from_bytes(b"xn--\xff.\xff-", "a.txt", encoding=encoding)


def test_an_unknown_encoding_is_named(tmp_path: Path) -> None:
    """It is a mistake of the caller, not of the file."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"a")
    with pytest.raises(ConfigurationError, match="unknown encoding 'utf-9'"):
        Document.from_file(path, encoding="utf-9")


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    """As with `open`."""
    with pytest.raises(FileNotFoundError):
        Document.from_file(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": b"bytes"}, "Document.text must be str, got bytes b'bytes': decode it first"),
        ({"text": None}, "Document.text must be str, got NoneType"),
        ({"text": "a", "id": 7}, "Document.id must be str, got int 7"),
        ({"text": "a", "media_type": None}, "Document.media_type must be str"),
        ({"text": "a", "metadata": ["a"]}, "Document.metadata must be a mapping"),
    ],
)
def test_a_document_is_made_of_strings(options: dict[str, object], message: str) -> None:
    """The message shows the value and the repair."""
    with pytest.raises(ConfigurationError, match=message):
        Document(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["text", "id", "metadata"])
def test_a_document_cannot_be_changed(field: str) -> None:
    """It is a value."""
    with pytest.raises(AttributeError):
        setattr(Document(text="a"), field, "b")


def test_metadata_is_frozen_at_every_depth() -> None:
    """Lists become tuples, sets frozen sets, mappings Metadata."""
    day = dt.date(2026, 1, 2)
    metadata = Metadata({"list": [1, [2]], "set": {3}, "map": {"a": [4]}, "day": day, "none": None})
    assert metadata["list"] == (1, (2,))
    assert metadata["set"] == frozenset({3})
    assert metadata["map"] == Metadata({"a": (4,)})
    assert hash(metadata) == hash(Metadata({"list": [1, [2]], "set": {3}, "map": {"a": [4]}, "day": day, "none": None}))
    assert pickle.loads(pickle.dumps(metadata)) == metadata  # noqa: S301  our own


def test_metadata_cannot_be_changed() -> None:
    """Neither by item nor by attribute."""
    metadata = Metadata({"a": 1})
    with pytest.raises(TypeError):
        metadata["a"] = 2  # type: ignore[index]
    with pytest.raises(AttributeError):
        metadata._items = {}
    with pytest.raises(AttributeError):
        del metadata._items
    assert metadata == {"a": 1}


class Box:
    """Hashable by default, and yet it can change."""

    def __repr__(self) -> str:
        return "Box()"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (bytearray(b"a"), r"metadata 'a' is bytearray\(b'a'\) of type bytearray, which can change; give strings"),
        ([bytearray(b"a")], "metadata 'a' is bytearray"),
        ({"b": {"c": bytearray(b"a")}}, "metadata 'a.b.c' is bytearray"),
        (Box(), r"metadata 'a' is Box\(\) of type Box, which can change"),
        ({"b": {Box()}}, "metadata 'a.b' is Box"),
        (Box, "of type type, which can change"),
        (len, "of type builtin_function_or_method, which can change"),
        ([Metadata({"b": 1}), Box()], "metadata 'a' is Box"),
    ],
)
def test_what_can_change_is_no_metadata(value: object, message: str) -> None:
    """The message names the key and the type, and says what may be given."""
    with pytest.raises(ConfigurationError, match=message):
        Metadata({"a": value})


class Color(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    "value",
    [
        "a",
        b"a",
        1,
        1.5,
        True,
        None,
        dt.date(2026, 1, 2),
        dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
        dt.time(12),
        dt.timedelta(1),
        dt.UTC,
        Decimal("1.10"),
        Fraction(1, 3),
        uuid.UUID(int=7),
        PurePosixPath("a/b"),
        Color.RED,
        (1, (2, frozenset({3}))),
    ],
)
def test_what_cannot_change_is_metadata(value: object) -> None:
    """It stays what it is, and crosses processes."""
    metadata = Metadata({"a": value})
    again = pickle.loads(pickle.dumps(metadata))  # noqa: S301  our own
    assert (metadata["a"], again["a"]) == (value, value)
    assert type(again["a"]) is type(value)


def test_keys_are_strings() -> None:
    """At every depth."""
    with pytest.raises(ConfigurationError, match="metadata keys are strings, got 1"):
        Metadata({"a": {1: "b"}})


def test_metadata_that_holds_itself_is_refused() -> None:
    """Nesting has a limit, which the message names."""
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ConfigurationError, match="nested more than 100 deep"):
        Metadata({"a": endless})


def test_thawed_metadata_is_plain() -> None:
    """Dicts and lists, sets in a fixed order, anything else as text."""
    metadata = Metadata({"list": [1, [2.5]], "set": {"b", "a"}, "day": dt.date(2026, 1, 2), "yes": True})
    assert thawed(metadata) == {"list": [1, [2.5]], "set": ["a", "b"], "day": "2026-01-02", "yes": True}


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.md", "text/markdown"),
        ("a.MARKDOWN", "text/markdown"),
        ("dir.md/a.txt", "text/plain"),
        ("a.tar.py", "text/x-py"),
        ("README", "text/plain"),
        (".gitignore", "text/plain"),
    ],
)
def test_the_suffix_tells_the_media_type(name: str, media_type: str) -> None:
    """In any case; text/plain without one."""
    assert media_type_of(name) == media_type


@pytest.mark.parametrize(
    ("text", "plain"), [("# Comment\n\nx = 1\n", ()), ("# Comment\n\nIt moves water.\n", ("Comment",))]
)
def test_only_markdown_and_text_that_looks_like_it_have_markdown_headings(text: str, plain: tuple[str, ...]) -> None:
    """A comment of a Python file is no heading, nor is one above code in plain text; above prose it is one there."""
    sections = {
        kind: spanwise.chunk(Document(text=text, media_type=kind))[0].section
        for kind in ("text/markdown", "text/plain", "text/x-py")
    }
    assert sections == {"text/markdown": ("Comment",), "text/plain": plain, "text/x-py": ()}


def test_metadata_is_a_mapping() -> None:
    """It has as many members as keys."""
    assert len(Metadata({"a": 1, "b": [2]})) == 2


def test_members_of_enumerations_that_are_numbers_are_written_as_numbers() -> None:
    """JSON knows them."""
    assert thawed(Priority.LOW) == 1


class Priority(enum.IntEnum):
    LOW = 1


class Pages:
    """What a loader keeps of a file: here a page is a line."""

    format = "pages"

    def __init__(self, text: str) -> None:
        self.text = text

    def structure(self, text: str) -> Structure:
        starts = [match.end() for match in re.finditer("\n", text)]
        return Structure(blocks=(0, *starts), strong=tuple(starts))

    def metadata(self, start: int, stop: int) -> dict[str, object]:
        return {"pages": (self.text.count("\n", 0, start) + 1, self.text.count("\n", 0, stop - 1) + 1)}


def test_what_a_loader_keeps_gives_the_structure_and_the_metadata_of_each_span() -> None:
    """Beside the metadata of the document."""
    text = "one page\nand another\n"
    document = Document(text=text, loaded=Pages(text), metadata={"source": "file"})
    chunks = spanwise.chunk(document, max_characters=12)
    assert [(chunk.text, dict(chunk.metadata)) for chunk in chunks] == [
        ("one page\n", {"source": "file", "pages": (1, 1)}),
        ("and another\n", {"source": "file", "pages": (2, 2)}),
    ]


def test_what_a_loader_made_is_checked() -> None:
    """At once, not when it is asked for its structure."""
    with pytest.raises(ConfigurationError, match=r"Document\.loaded is what a loader made, got 'a file'"):
        Document(text="a", loaded="a file")
