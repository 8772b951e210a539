"""A file, whatever it is, as a document."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, cast

import msgspec

from spanwise.documents import Document
from spanwise.errors import ConfigurationError, DocumentError, MissingExtraError, shown
from spanwise.formats.docling_text import exported
from spanwise.loading.office import converted, has_office_reader, is_image_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from docling_core.types.doc.document import DoclingDocument

__all__ = ["load", "loaded"]

_MARKDOWN = "text/markdown"


def load(
    source: str | PathLike[str] | DoclingDocument,
    *,
    id: str | None = None,  # noqa: A002  the name of the field of a document
    encoding: str = "utf-8",
) -> Document:
    r"""Load a file or a DoclingDocument: Word, PowerPoint, Excel, PDF and HTML files become Markdown.

    These need the extra `docling`, and so does a JSON file that holds a DoclingDocument; no model is loaded, so a PDF
    gives its lines in the order of the file, without headings and tables. Other files are read as
    `Document.from_file` does. Each chunk has `page`, and metadata `pages`, `boxes` (page, left, top, right, bottom,
    origin) and `items` (Docling's reference and label of what the chunk holds).

    The id is the path as given, with `/`, or the name of the DoclingDocument, unless another is named.

    Raises:
        MissingExtraError: the file needs Docling, which is not installed.
        DocumentError: the file is damaged, an image, or text of another encoding.
        ConfigurationError: neither a path nor a DoclingDocument.
        OSError: the file cannot be read.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "notes.txt")
    ...     _ = path.write_text("It moves water.")
    ...     document = load(path, id="notes")
    >>> document.id, document.text, document.media_type
    ('notes', 'It moves water.', 'text/plain')
    """
    if isinstance(source, str | os.PathLike):
        place = Path(source)
        return loaded(place.read_bytes(), place.as_posix(), id=id, encoding=encoding)
    if not _is_docling(source):
        raise ConfigurationError(f"load takes the path of a file or a DoclingDocument, got {shown(source)}")
    name = source.name if source.origin is None else source.origin.filename
    return _of_docling(source, name if id is None else id, {"source": name})


def loaded(
    content: bytes,
    source: str,
    *,
    id: str | None = None,  # noqa: A002  the name of the field of a document
    encoding: str = "utf-8",
) -> Document:
    """Make the document of the bytes of a file as `load` does; `source` is its path."""
    name = PurePath(source).name
    if is_image_name(name):
        raise DocumentError(
            f"{source}: text in images is seen by models alone: convert it with Docling, and give the DoclingDocument "
            "to spanwise.load"
        )
    document = None
    if has_office_reader(name):
        document = converted(content, source)
    elif name.lower().endswith(".json"):
        document = _of_json(content, source)
    if document is None:
        return Document.from_bytes(content, source, id=id, encoding=encoding)
    known = {"source": source, "file_name": name, "file_type": PurePath(name).suffix.lower().lstrip(".")}
    return _of_docling(document, source if id is None else id, known)


def _of_docling(document: DoclingDocument, document_id: str, metadata: Mapping[str, object]) -> Document:
    text, kept = exported(document)
    return Document(id=document_id, text=text, media_type=_MARKDOWN, metadata=metadata, loaded=kept)


def _is_docling(thing: object) -> bool:
    module = sys.modules.get("docling_core.types.doc.document")  # who has a DoclingDocument has loaded it
    return module is not None and isinstance(thing, cast("type", module.DoclingDocument))


class _Schema(msgspec.Struct):
    """The field by which a JSON file says what it holds."""

    schema_name: str = ""


def _of_json(content: bytes, source: str) -> DoclingDocument | None:
    """Read a DoclingDocument; None where the file holds something else."""
    try:
        schema = msgspec.json.decode(content, type=_Schema)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if schema.schema_name != "DoclingDocument":
        return None
    try:
        from docling_core.types.doc.document import DoclingDocument  # noqa: PLC0415  an extra, and slow
    except ImportError as error:
        raise MissingExtraError("docling-core", "docling", f"reading the DoclingDocument {source}") from error
    try:
        return DoclingDocument.model_validate_json(content)
    except ValueError as error:
        first = str(error).partition("\n")[0]
        raise DocumentError(f"{source}: says that it is a DoclingDocument, but is none: {first}") from error
