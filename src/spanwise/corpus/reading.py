"""How do chunks that were written as JSON Lines become chunks again?"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from spanwise.chunks import Chunk
from spanwise.errors import ConfigurationError, DocumentError, SpanError, SpanwiseError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from os import PathLike

__all__ = ["chunk_of", "chunks_of_lines", "chunks_of_rows", "read_chunks"]

_REQUIRED: dict[str, type] = {
    "id": str,
    "document_id": str,
    "start": int,
    "end": int,
    "text": str,
    "tokens": int,
}
_OPTIONAL: dict[str, type] = {
    "chunk_index": int,
    "section": list,
    "heading_path": str,
    "heading_paths": list,
    "overlap": int,
    "first_line": int,
    "last_line": int,
    "context": str,
    "parent_id": str,
    "spec": str,
    "page": int,
    "plain": str,
}
_HALVES = re.compile(rb"((?<!\\)(?:\\\\)*\\ud[89ab][0-9a-f]{2})(?=\\ud[c-f][0-9a-f]{2})")
"""Two escaped halves of a surrogate pair, the first of them matched."""

_KINDS = {str: "a string", int: "a whole number", list: "a list of strings"}
_REPAIR = "take the line out, or write the file again with spanwise chunk … -o FILE.jsonl"
_BETWEEN_TITLES = " > "


def read_chunks(path: str | PathLike[str]) -> Iterator[Chunk]:
    """Read the chunks of a JSON Lines file, as `spanwise chunk -o` writes them, one after another; blank lines apart.

    What is no field of a chunk is its metadata. A title that holds ` > ` comes back as several in `sections`; the
    records are the same.

    Raises:
        ConfigurationError: the file cannot be opened.
        DocumentError: a line is no chunk; names the file, the line, and what to do.
    """
    name = Path(path).as_posix()
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _read(line, f"{name}, line {number}")
    except OSError as error:
        raise ConfigurationError(f"{name}: cannot be read: {error.strerror}") from error


def chunks_of_lines(pieces: Iterable[bytes]) -> list[Chunk]:
    """Make the chunks again of lines of JSON; the pieces need not end where lines do.

    Raises:
        DocumentError: a line is no chunk.
    """
    return [_read(line, f"line {number}") for number, line in enumerate(b"".join(pieces).splitlines(), 1)]


def chunks_of_rows(batches: Iterable[Any]) -> list[Chunk]:
    """Make the chunks again of rows of Arrow: what they hold and where they stand, not where they belong.

    Raises:
        ConfigurationError: a column is missing.
        SpanError: a span does not describe its text.
    """
    wanted = [*_REQUIRED, "overlap", "context", "parent_id", "spec"]
    return [chunk_of(row) for batch in batches for row in batch.select(wanted).to_pylist()]


def _read(line: bytes, place: str) -> Chunk:
    try:
        record: object = json.loads(line)
    except (ValueError, RecursionError) as error:  # a wrong encoding is a ValueError too
        raise DocumentError(f"{place}: no JSON ({error}): {shown(line)}; if the file was cut off, {_REPAIR}") from error
    if not isinstance(record, dict):
        raise DocumentError(f"{place}: a chunk is an object with text, start and end, got {shown(record)}; {_REPAIR}")
    try:
        return chunk_of(record) if _HALVES.search(line) is None else _with_halves(line, record)
    except SpanwiseError as error:
        raise DocumentError(f"{place}: {error}; {_REPAIR}") from error


def _with_halves(line: bytes, record: Mapping[str, object]) -> Chunk:
    """Make the chunk of a line with escaped surrogates side by side: a character, or two halves where the span says so.

    spanwise writes whole characters as they are and halves escaped; other programs escape both.
    """
    try:
        return chunk_of(record)
    except SpanError:
        pass
    mark = next(mark for code in range(0xE000, 0xF900) if (mark := chr(code)) not in line.decode("utf-8", "replace"))
    return chunk_of(cast("dict[str, object]", _without(mark, json.loads(_HALVES.sub(rb"\1" + mark.encode(), line)))))


def _without(mark: str, value: object) -> object:
    if isinstance(value, str):
        return value.replace(mark, "")
    if isinstance(value, list):
        return [_without(mark, member) for member in value]
    if isinstance(value, dict):
        return {str(key).replace(mark, ""): _without(mark, member) for key, member in value.items()}
    return value


def chunk_of(record: Mapping[str, object]) -> Chunk:
    """Make the chunk again of which this is the record.

    Raises:
        ConfigurationError: a field is missing, or of the wrong kind.
        SpanError: the span does not describe the text.

    >>> chunk = Chunk(text="Unplug first.", start=10, end=23, tokens=3, metadata={"version": 3})
    >>> chunk_of(chunk.record()) == chunk
    True
    """
    for field, kind in (_REQUIRED | _OPTIONAL).items():
        value = record.get(field)
        if field not in record and field in _REQUIRED:
            raise ConfigurationError(f"{field!r} is missing; the record of a chunk has {', '.join(_REQUIRED)}")
        if value is None and field in _OPTIONAL:
            continue
        if not isinstance(value, kind) or isinstance(value, bool) or not _are_strings(value):
            raise ConfigurationError(f"{field!r} must be {_KINDS[kind]}, got {shown(value)}")
    known = {field: value for field, value in record.items() if field in _REQUIRED or field in _OPTIONAL}
    first = cast("int", known.get("first_line") or 1)
    paths = cast("list[str]", known.get("heading_paths") or [])
    return Chunk(
        text=cast("str", known["text"]),
        start=cast("int", known["start"]),
        end=cast("int", known["end"]),
        tokens=cast("int", known["tokens"]),
        document_id=cast("str", known["document_id"]),
        index=cast("int", known.get("chunk_index") or 0),
        section=tuple(cast("list[str]", known.get("section") or [])),
        sections=tuple(tuple(path.split(_BETWEEN_TITLES)) for path in paths),
        page=cast("int | None", known.get("page")),
        overlap=cast("int", known.get("overlap") or 0),
        lines=(first, cast("int", known.get("last_line") or first)),
        context=cast("str", known.get("context") or ""),
        visible=cast("str | None", known.get("plain")),
        metadata={key: value for key, value in record.items() if key not in known},
        parent_id=cast("str | None", known.get("parent_id")),
        spec=cast("str", known.get("spec") or ""),
        id=cast("str", known["id"]),
    )


def _are_strings(value: object) -> bool:
    return not isinstance(value, list) or all(isinstance(member, str) for member in value)
