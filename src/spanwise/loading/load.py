"""A file, whatever it is, as a document."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, cast

import msgspec

from spanwise.documents import Document
from spanwise.errors import ConfigurationError, DocumentError, shown
from spanwise.formats.docling_calls import calling_docling
from spanwise.formats.docling_text import exported
from spanwise.loading.office import HTML_TOO_DEEP, converted, has_office_reader, is_image_name
from spanwise.loading.references import References, fault_of, references_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from docling_core.types.doc.document import DoclingDocument

__all__ = ["load", "loaded"]

_MARKDOWN = "text/markdown"
_BROKEN = "the DoclingDocument is broken"


def load(
    source: str | PathLike[str] | DoclingDocument,
    *,
    id: str | None = None,  # noqa: A002  the name of the field of a document
    encoding: str = "utf-8",
) -> Document:
    r"""Load a file or a DoclingDocument: Word, PowerPoint, Excel, PDF and HTML files become Markdown.

    These need the extra `docling`, and so does a JSON file that holds a DoclingDocument; no model is loaded, so a PDF
    gives its lines in the order of the file, without headings and tables. Other files are read as
    `Document.from_file` does, and HTML is decoded as it does, whatever its `<meta charset>` says. Each chunk has
    `page`, and metadata `pages`, `boxes` (page, left, top, right, bottom, origin) and `items` (Docling's reference and
    label of what the chunk holds). A DoclingDocument is copied.

    The id is the path as given, with `/`, or the name of the DoclingDocument, unless another is named.

    Raises:
        MissingExtraError: the file needs Docling, which is not installed.
        DocumentError: the file is damaged, an image, or text of another encoding; the items of a DoclingDocument are
            no tree.
        ConfigurationError: neither a path nor a DoclingDocument, or Docling is installed but cannot be imported.
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
    with calling_docling(f"reading {name}", "docling_core"):
        _check(source, name)
        own = source.model_copy(deep=True)  # the caller may go on with the one that was given
    return _of_docling(own, name if id is None else id, {"source": name})


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
        document = converted(content, source, encoding)
    elif name.lower().endswith(".json"):
        document = _of_json(content, source)
    if document is None:
        return Document.from_bytes(content, source, id=id, encoding=encoding)
    known = {"source": source, "file_name": name, "file_type": PurePath(name).suffix.lower().lstrip(".")}
    return _of_docling(document, source if id is None else id, known)


def _of_docling(document: DoclingDocument, document_id: str, metadata: Mapping[str, object]) -> Document:
    source = metadata["source"]
    with calling_docling(f"reading {source}", "docling_core"):
        try:
            text, kept = exported(document)
        except ImportError:
            raise
        except Exception as error:  # whatever a document that nobody checked makes its serialiser raise
            of_html = isinstance(error, RecursionError) and metadata.get("file_type") in ("htm", "html")
            fault = HTML_TOO_DEEP if of_html else f"Docling cannot write it as Markdown: {_fault_in(error)}"
            raise DocumentError(f"{source}: {fault}") from error
    return Document(id=document_id, text=text, media_type=_MARKDOWN, metadata=metadata, loaded=kept)


def _check(document: DoclingDocument | References, source: object) -> None:
    fault = fault_of(document)
    if fault is not None:
        raise DocumentError(f"{source}: {_BROKEN}: {fault}")


def _fault_in(error: Exception) -> str:
    """Say in one line what Docling found; of the faults that pydantic lists, the first, with the path of its field."""
    if isinstance(error, RecursionError):
        return "its items are too deep in one another"
    listed = getattr(error, "errors", None)
    if listed is None:
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    first = listed(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the document'}: {first['msg']}".partition("\n")[0]


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
    except (
        msgspec.DecodeError,
        UnicodeDecodeError,
        RecursionError,
    ):  # what is deeper than Docling's is none of Docling's
        return None
    if schema.schema_name != "DoclingDocument":
        return None
    _check(references_of(content), source)
    with calling_docling(f"reading the DoclingDocument {source}", "docling_core"):
        from docling_core.types.doc.document import DoclingDocument  # noqa: PLC0415  an extra, and slow

        try:
            return DoclingDocument.model_validate_json(content)
        except Exception as error:  # its own checks follow references that nobody checked
            raise DocumentError(f"{source}: {_BROKEN}: {_fault_in(error)}") from error
