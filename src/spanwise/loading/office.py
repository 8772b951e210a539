"""Files that Docling reads, each with the reader of its format, which needs no model."""

from __future__ import annotations

import logging
import warnings
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from spanwise.errors import DocumentError, MissingExtraError

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

__all__ = ["converted", "has_office_reader", "is_image_name", "is_office_name"]


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


def converted(content: bytes, source: str) -> DoclingDocument:
    """Read a file with the reader of its suffix.

    Raises:
        MissingExtraError: Docling is not installed.
        DocumentError: Docling cannot read it; says why.
    """
    if find_spec("docling") is None or find_spec("docling_core") is None:
        raise MissingExtraError("docling-slim", "docling", f"reading {source}")
    reader = _READERS[_suffix(source)]
    logging.getLogger("docling").addHandler(logging.NullHandler())  # what fails is said by the error alone
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _converted(reader, content, PurePath(source).name)
    except ImportError as error:
        package = error.name or "docling-slim"
        raise MissingExtraError(package, "docling", f"reading {source}") from error
    except Exception as error:  # whatever a damaged file makes a parser raise
        raise DocumentError(f"{source}: Docling cannot read it as {reader.format}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]


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
