"""Files that Docling reads, each with the reader of its format, which needs no model."""

from __future__ import annotations

import re
from importlib import import_module
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from spanwise.documents import Document
from spanwise.errors import DocumentError
from spanwise.formats.docling_calls import calling_docling
from spanwise.loading.damage import why_damaged
from spanwise.loading.nesting import is_too_deep

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

__all__ = ["HTML_TOO_DEEP", "converted", "has_office_reader", "is_image_name", "is_office_name"]


class _Reader(NamedTuple):
    """The format as Docling calls it, its backend, and whether that gives pages for a pipeline to put together."""

    format: str
    backend: str
    paged: bool = False


_READERS = {
    "docx": _Reader("DOCX", "msword_backend:MsWordDocumentBackend"),
    "htm": _Reader("HTML", "html_backend:HTMLDocumentBackend"),
    "html": _Reader("HTML", "html_backend:HTMLDocumentBackend"),
    "pdf": _Reader("PDF", "docling_parse_backend:ThreadedDoclingParseDocumentBackend", paged=True),
    "pptx": _Reader("PPTX", "mspowerpoint_backend:MsPowerpointDocumentBackend"),
    "xlsx": _Reader("XLSX", "msexcel_backend:MsExcelDocumentBackend"),
}
_TEXTS = frozenset({"htm", "html"})
_BOM = "\ufeff"
HTML_TOO_DEEP = (
    "its elements are too deep in one another for Docling: read it as HTML with Document.from_file, or close its "
    "elements: for Docling what is not closed holds all that follows"
)
_INSIDES = re.compile(r"<class |Backend|docling|\b[0-9a-f]{32,}\b|0x[0-9a-f]+", re.IGNORECASE)
"""What names classes, hashes and addresses instead of what is wrong with a file."""
_IMAGES = frozenset({"bmp", "gif", "jpeg", "jpg", "png", "tif", "tiff", "webp"})


def _suffix(name: str) -> str:
    return PurePath(name).suffix.lower().lstrip(".")


def has_office_reader(name: str) -> bool:
    """Say whether Docling reads a file of this name, by its suffix."""
    return _suffix(name) in _READERS


def is_office_name(name: str) -> bool:
    """Say whether a file of this name is no text but one that Docling makes a text of.

    >>> is_office_name("Report.DOCX"), is_office_name("page.html"), is_office_name("notes.md")
    (True, False, False)
    """
    return has_office_reader(name) and _suffix(name) not in _TEXTS


def is_image_name(name: str) -> bool:
    """Say whether a file of this name is an image, in which only a model sees text."""
    return _suffix(name) in _IMAGES


def converted(content: bytes, source: str, encoding: str = "utf-8") -> DoclingDocument:
    """Read a file with the reader of its suffix.

    Raises:
        MissingExtraError: Docling is not installed.
        ConfigurationError: Docling is installed but cannot be imported, or the encoding is unknown.
        DocumentError: Docling cannot read it; says why.
    """
    reader = _READERS[_suffix(source)]
    content = _readable_html(content, source, encoding) if reader.format == "HTML" else content
    with calling_docling(f"reading {source}", "docling", "docling_core"):
        try:
            return _converted(reader, content, PurePath(source).name)
        except ImportError:
            raise
        except Exception as error:  # whatever a damaged file makes a parser raise
            if isinstance(error, RecursionError) and reader.format == "HTML":
                raise DocumentError(f"{source}: {HTML_TOO_DEEP}") from error
            fault = why_damaged(content, _suffix(source)) or _in_words(error)
            raise DocumentError(f"{source}: cannot be read as .{_suffix(source)}: {fault}") from error


def _readable_html(content: bytes, source: str, encoding: str) -> bytes:
    """Decode HTML as any text, and write it as UTF-8 with a BOM, which Docling's parser believes before a `<meta>`."""
    text = Document.from_bytes(content, source, encoding=encoding).text
    if is_too_deep(text):
        raise DocumentError(f"{source}: {HTML_TOO_DEEP}")
    return text.removeprefix(_BOM).encode("utf-8-sig", "replace")


def _in_words(error: Exception) -> str:
    """Give the first line of what was raised, unless it speaks of the insides of Docling alone."""
    line = str(error).partition("\n")[0]
    return line if line and not _INSIDES.search(line) else "the file is damaged, or holds what Docling does not know"


def _converted(reader: _Reader, content: bytes, name: str) -> DoclingDocument:
    from docling.datamodel.base_models import InputFormat  # noqa: PLC0415  an extra, and slow
    from docling.datamodel.document import InputDocument  # noqa: PLC0415

    module, _, cls = reader.backend.partition(":")
    backend = getattr(import_module(f"docling.backend.{module}"), cls)
    source = InputDocument(
        path_or_stream=BytesIO(content), format=InputFormat[reader.format], backend=backend, filename=name
    )
    if not source.valid:
        rejection = getattr(source, "_rejection", None)
        raise ValueError(getattr(rejection, "message", "the file is damaged"))
    opened: Any = source._backend  # noqa: SLF001  Docling's own pipelines take it from there
    try:
        return _of_pages(source) if reader.paged else opened.convert()
    finally:
        opened.unload()


def _of_pages(source: Any) -> DoclingDocument:
    """Put the lines of the pages of a PDF together, in the order of the file, as Docling does without a model."""
    from docling.datamodel.pipeline_options import NativePdfPipelineOptions  # noqa: PLC0415  an extra, and slow
    from docling.pipeline.native_pdf_pipeline import NativePdfPipeline  # noqa: PLC0415

    options = NativePdfPipelineOptions(generate_picture_images=False)
    return NativePdfPipeline(options).execute(source, raises_on_error=True).document
