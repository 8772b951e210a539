"""What is chunked: a text with an id, a media type and metadata."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, cast
from uuid import UUID

import msgspec

from spanwise.errors import ConfigurationError, DocumentError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

__all__ = ["Document", "Metadata", "frozen_options", "media_type_of", "thawed"]

_DEEPEST = 100
_PLAIN = frozenset({str, int, float, bool, type(None), bytes})
_JSON_SCALARS = frozenset({str, int, float, bool, type(None)})
_DATES = dt.date | dt.time | dt.timedelta | dt.tzinfo
_UNCHANGING = str | int | float | bytes | _DATES | Decimal | Fraction | UUID | PurePath | Enum
_MEDIA_TYPES = {
    "adoc": "text/asciidoc",
    "asciidoc": "text/asciidoc",
    "csv": "text/csv",
    "eml": "message/rfc822",
    "htm": "text/html",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "log": "text/x-log",
    "markdown": "text/markdown",
    "mbox": "application/mbox",
    "md": "text/markdown",
    "mdown": "text/markdown",
    "mdx": "text/markdown",
    "ndjson": "application/jsonl",
    "org": "text/org",
    "qmd": "text/markdown",
    "rmd": "text/markdown",
    "rst": "text/x-rst",
    "srt": "application/x-subrip",
    "tex": "text/x-tex",
    "text": "text/plain",
    "toml": "application/toml",
    "tsv": "text/tab-separated-values",
    "txt": "text/plain",
    "vtt": "text/vtt",
    "xhtml": "text/html",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
}


class Metadata(Mapping[str, object]):
    """What is known about a document: a mapping that nobody can change, at any depth."""

    __slots__ = ("_items",)
    _items: dict[str, object]

    def __init__(self, items: Mapping[str, object] | None = None) -> None:
        object.__setattr__(self, "_items", _Freezing("metadata").items(items or {}, "", 1))

    def __getitem__(self, key: str) -> object:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"metadata cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"metadata cannot be changed: {name}")

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"Metadata({self._items!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _holding, (self._items,)


def _holding(items: dict[str, object]) -> Metadata:
    """Make the metadata that hold items which are frozen already."""
    metadata = Metadata.__new__(Metadata)
    object.__setattr__(metadata, "_items", items)
    return metadata


def frozen_options(options: Mapping[str, object]) -> Metadata:
    """Freeze the options of a strategy as metadata are frozen; functions may stand among them.

    >>> frozen_options({"separators": ["|"], "headings": len})["separators"]
    ('|',)
    """
    return _holding(_Freezing("options", functions=True).items(options, "", 1))


class _Freezing:
    """Makes values that nobody can change of those that are given, or says which one cannot be."""

    def __init__(self, noun: str, *, functions: bool = False) -> None:
        self._noun = noun
        self._functions = functions

    def items(self, items: Mapping[str, object], place: str, depth: int) -> dict[str, object]:
        """Freeze a mapping; `place` is the path of keys that leads to it, for messages."""
        frozen: dict[str, object] = {}
        for key, value in items.items():
            if not isinstance(key, str):
                raise ConfigurationError(f"{self._noun} keys are strings, got {shown(key)}")
            frozen[key] = value if type(value) in _PLAIN else self._value(value, f"{place}{key}", depth)
        return frozen

    def _value(self, value: object, place: str, depth: int) -> object:
        if depth > _DEEPEST:
            raise ConfigurationError(f"{self._noun} is nested more than {_DEEPEST} deep, at {shown(value)}")
        if type(value) in _PLAIN or isinstance(value, _UNCHANGING):
            return value
        if isinstance(value, Mapping):
            return _holding(self.items(value, f"{place}.", depth + 1))
        if isinstance(value, list | tuple):
            return tuple(self._value(member, place, depth + 1) for member in value)
        if isinstance(value, set | frozenset):
            return frozenset(self._value(member, place, depth + 1) for member in value)
        if self._functions and callable(value) and _is_hashable(value):
            return value
        raise ConfigurationError(
            f"{self._noun} {place!r} is {shown(value)} of type {type(value).__name__}, which can change; "
            "give strings, numbers, dates, lists or mappings"
        )


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def thawed(value: object) -> object:
    """Give metadata as plain dicts and lists, ready to be written as JSON."""
    if type(value) in _JSON_SCALARS:
        return value
    if isinstance(value, Mapping):
        return {key: thawed(member) for key, member in value.items()}
    if isinstance(value, tuple | list):
        return [thawed(member) for member in value]
    if isinstance(value, frozenset | set):
        return sorted((thawed(member) for member in value), key=repr)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)


def media_type_of(name: str) -> str:
    """Tell the media type from a file name, by its suffix; text/plain for a name without one.

    >>> media_type_of("handbook.md"), media_type_of("store.py")
    ('text/markdown', 'text/x-py')
    """
    suffix = PurePath(name).suffix.lower().lstrip(".")
    return _MEDIA_TYPES.get(suffix, f"text/x-{suffix}" if suffix else "text/plain")


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A text to chunk, with an id, a media type and metadata; never changed.

    The media type says in which format the structure is read; of `text/plain` it is told from the text. Metadata is
    frozen at every depth and stands on each chunk.

    Raises:
        ConfigurationError: the text is no string, or the metadata can change.

    >>> Document(id="handbook-2026", text="# Handbook", media_type="text/markdown").id
    'handbook-2026'
    """

    text: str
    id: str = ""
    media_type: str = "text/plain"
    metadata: Mapping[str, object] = Metadata()
    loaded: object = None
    """What a loader keeps of the file whose text this is, as `spanwise.load` does: a `structure.Loaded`."""

    def __post_init__(self) -> None:
        for name in ("text", "id", "media_type"):
            value = cast("object", getattr(self, name))
            if not isinstance(value, str):
                raise ConfigurationError(
                    f"Document.{name} must be str, got {type(value).__name__} {shown(value)}"
                    + (": decode it first, or use Document.from_file" if isinstance(value, bytes | bytearray) else "")
                )
        if self.loaded is not None and not hasattr(self.loaded, "structure"):
            raise ConfigurationError(f"Document.loaded is what a loader made, got {shown(self.loaded)}")
        if not isinstance(self.metadata, Metadata):
            if not isinstance(self.metadata, Mapping):
                raise ConfigurationError(f"Document.metadata must be a mapping, got {shown(self.metadata)}")
            msgspec.structs.force_setattr(self, "metadata", Metadata(self.metadata))

    @classmethod
    def from_file(
        cls,
        path: str | PathLike[str],
        *,
        id: str | None = None,  # noqa: A002  the name of the field
        encoding: str = "utf-8",
    ) -> Document:
        """Read a text file as it is: no newline is translated, and a BOM stays part of the text.

        The id is the path as given, with `/`, unless another is named. Metadata holds `source` (the path),
        `file_name` and `file_type` (the suffix without its dot).

        Raises:
            DocumentError: the bytes are no text in this encoding; says which byte, where, and what to do.
            OSError: the file cannot be read.
        """
        place = Path(path)
        return cls.from_bytes(place.read_bytes(), place.as_posix(), id=id, encoding=encoding)

    @classmethod
    def from_bytes(
        cls,
        content: bytes,
        source: str,
        *,
        id: str | None = None,  # noqa: A002  the name of the field
        encoding: str = "utf-8",
    ) -> Document:
        """Decode bytes that came from `source` as `from_file` does."""
        name = PurePath(source)
        return cls(
            text=_decoded(content, source, encoding),
            id=source if id is None else id,
            media_type=media_type_of(name.name),
            metadata={"source": source, "file_name": name.name, "file_type": name.suffix.lower().lstrip(".")},
        )


_SIGNATURES = {
    b"%PDF": "a PDF file, not text: spanwise.load and the command read it if its name ends in .pdf",
    b"PK\x03\x04": "a ZIP or office file, not text: spanwise.load and the command read Word, PowerPoint, Excel files "
    "whose names end in .docx, .pptx or .xlsx: name it so, or convert it",
    b"\x89PNG": "an image, not text: convert it with Docling, and give the DoclingDocument to spanwise.load",
    b"\xd0\xcf\x11\xe0": "an office file of an old or encrypted format, not text: convert it to .docx, .pptx, .xlsx or "
    ".pdf, which spanwise.load and the command read",
}
"""What files are by their first bytes, and what to do with them, whoever was asked to read them."""


def _decoded(content: bytes, source: str, encoding: str) -> str:
    kind = next((kind for magic, kind in _SIGNATURES.items() if content.startswith(magic)), None)
    if kind is not None:
        raise DocumentError(f"{source}: {kind}")
    try:
        return content.decode(encoding)
    except LookupError:
        raise ConfigurationError(f"unknown encoding {encoding!r} for {source}; name one that Python knows") from None
    except UnicodeDecodeError as error:
        wrong = content[error.start : error.start + 1].hex()
        raise DocumentError(
            f"{source}: not {encoding} text: byte 0x{wrong} at {error.start} ({error.reason}); "
            "name the encoding of the file, for instance encoding='cp1252' or 'utf-16', if it is text"
        ) from error
    except UnicodeError as error:  # codecs such as punycode and undefined do not say where
        raise DocumentError(f"{source}: not {encoding} text: {error}; name the encoding of the file") from error
