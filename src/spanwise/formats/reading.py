"""Which format has a text, and what does its reader find?

One row for each format. A media type decides where it names a format; for plain text the detectors are asked, in the
order of the rows, about the beginning of the text. They are conservative: on prose none of them fires.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

import msgspec

from spanwise.errors import ConfigurationError, near, shown
from spanwise.formats.checking import checked
from spanwise.formats.pages import page_starts
from spanwise.structure import LOOK_AHEAD, Page, Structure

if TYPE_CHECKING:
    from spanwise.formats.glances import Glance
    from spanwise.structure import Reader

__all__ = [
    "AUTO",
    "Reads",
    "StructureSource",
    "check_structure",
    "format_names",
    "format_of",
    "reader_of",
    "structure_of",
]

AUTO = "auto"
_PLAIN = "plain"

StructureSource: TypeAlias = str | Callable[[str], Structure]
"""The name of a format, `auto`, or a function that reads the structure of a text."""


class _Format(NamedTuple):
    """One format: its name, the file of its reader, its media types, and whether plain text may turn out to be it."""

    name: str
    module: str
    media_types: tuple[str, ...] = ()
    detector: str | None = ""
    """The file of its detector, if that is not the reader's; None where plain text is never taken for it."""

    resumes: bool = False
    """Whether it can be read in passages: whether what begins anew does not hang on what is far above."""

    def reader(self, prefix: str) -> Reader:
        """Load the reader; what it decides once for a document it decides on the beginning of it."""
        module = _loaded(self.module)
        decided = getattr(module, f"{self.name}_reader", None)
        return cast("Reader", getattr(module, f"read_{self.name}") if decided is None else decided(prefix))

    def looks_like(self, glance: Glance) -> bool:
        """Ask the detector."""
        return self.detector is not None and _detector(self.detector or self.module, self.name)(glance)


@lru_cache(maxsize=64)
def _loaded(module: str) -> object:
    return import_module(f"spanwise.formats.{module}")


@lru_cache(maxsize=64)
def _detector(module: str, name: str) -> Callable[[Glance], bool]:
    return cast("Callable[[Glance], bool]", getattr(_loaded(module), f"looks_like_{name}"))


_FORMATS = (
    _Format("subtitles", "subtitles", ("application/x-subrip", "text/vtt"), resumes=True),
    _Format("html", "html", ("text/html", "application/xhtml+xml"), "looks"),
    _Format("json", "json_text", ("application/json", "+json"), "looks"),
    _Format(
        "json_lines",
        "json_text",
        ("application/jsonl", "application/x-ndjson", "application/x-jsonlines"),
        "looks",
        resumes=True,
    ),
    _Format("email", "email_text", ("message/rfc822", "application/mbox")),
    _Format("log", "logs", ("text/x-log",), resumes=True),
    _Format("chat", "chat", resumes=True),
    _Format("markdown", "markdown", ("text/markdown", "text/x-markdown"), "looks", resumes=True),
    _Format("csv", "csv_text", ("text/csv", "text/tab-separated-values"), None, resumes=True),
    _Format("latex", "latex", ("text/x-tex", "application/x-tex", "application/x-latex")),
    _Format("restructured", "restructured", ("text/x-rst",)),
    _Format("asciidoc", "asciidoc", ("text/asciidoc",)),
    _Format("manual", "manual"),
    _Format("clauses", "clauses"),
    _Format("underlined", "underlined"),
)
_BY_NAME = {row.name: row for row in _FORMATS}
_BY_MEDIA_TYPE = {media_type: row for row in _FORMATS for media_type in row.media_types}


def format_names() -> list[str]:
    """List the names that `structure=` takes."""
    return [AUTO, _PLAIN, *sorted(_BY_NAME)]


def check_structure(source: object) -> None:
    """Check what is given as `structure=`.

    Raises:
        ConfigurationError: neither a known name nor a function.
    """
    if callable(source) or source in (AUTO, _PLAIN):
        return
    if not isinstance(source, str) or _named(source) not in _BY_NAME:
        hint = near(source, format_names()) if isinstance(source, str) else ""
        raise ConfigurationError(
            f"structure must be a function from a text to a Structure, or one of {', '.join(format_names())}; "
            f"got {shown(source)}{hint}"
        )


class Reads(NamedTuple):
    """How one document is read: the name of its format, its reader, and whether it can be read in passages."""

    name: str
    reader: Reader | Callable[[str], Structure] | None
    resumes: bool
    counts_pages: bool
    checks: bool = False
    """Whether what the reader gives is checked, because a user wrote it."""

    def structure(self, text: str, page: int = 1) -> Structure:
        """Read a text, or a passage of it that begins on a page with this number.

        Raises:
            ConfigurationError: the user's function gave no structure of this text.
        """
        found = Structure() if self.reader is None else self.reader(text)
        if self.checks:
            found = checked(found, text, self.name)
        if found.pages or not self.counts_pages:
            return found
        pages = page_starts(text) or (Page(0, 1),)
        pages = tuple(Page(start, number + page - 1) for start, number in pages)
        return msgspec.structs.replace(found, pages=pages)


def reader_of(prefix: str, media_type: str = "text/plain", structure: StructureSource = AUTO) -> Reads:
    """Decide how a document is read, from its first 65,536 characters.

    Raises:
        ConfigurationError: the name is not known.
    """
    check_structure(structure)
    counts_pages = "\f" in prefix
    if callable(structure):
        name = str(getattr(structure, "__qualname__", structure))
        return Reads(name, structure, resumes=False, counts_pages=counts_pages, checks=True)
    row = _BY_NAME.get(_named(structure)) if structure != AUTO else _decided(prefix, media_type)
    if row is None:
        return Reads(_PLAIN, None, resumes=True, counts_pages=counts_pages)
    return Reads(row.name, row.reader(prefix), row.resumes, counts_pages)


def structure_of(text: str, media_type: str = "text/plain", structure: StructureSource = AUTO) -> Structure:
    """Read the structure of a text in the format that is named, or that its media type or its look tells.

    Raises:
        ConfigurationError: the name is not known, or the function gave no Structure.
    """
    return reader_of(text[:LOOK_AHEAD], media_type, structure).structure(text)


def format_of(text: str, media_type: str = "text/plain", structure: StructureSource = AUTO) -> str:
    """Say in which format a text would be read, without reading it."""
    check_structure(structure)
    if callable(structure):
        return str(getattr(structure, "__qualname__", structure))
    row = _BY_NAME.get(_named(structure)) if structure != AUTO else _decided(text, media_type)
    return row.name if row is not None else _PLAIN


def _named(name: str) -> str:
    return name.replace("-", "_")


def _decided(text: str, media_type: str) -> _Format | None:
    kind = media_type.partition(";")[0].strip().lower()
    if kind != "text/plain":
        return _BY_MEDIA_TYPE.get(kind) or _BY_MEDIA_TYPE.get(kind[kind.rfind("+") :] if "+" in kind else "")
    return _told_by_look(text[:LOOK_AHEAD])


@lru_cache(maxsize=1)  # whoever chunks a document asks for the name of its format right after
def _told_by_look(prefix: str) -> _Format | None:
    from spanwise.formats.glances import Glance  # noqa: PLC0415  its patterns are slow to make

    glance = Glance(prefix)
    return next((row for row in _FORMATS if row.looks_like(glance)), None)
