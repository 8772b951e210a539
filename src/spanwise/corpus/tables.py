"""Which documents does a table hold? A Parquet file has one in each row, a file of JSON Lines one in each line.

Tables are read piece by piece: memory holds a few megabytes, however long the file is. A row that is no document is
given as such, with its place, and the rows after it are read all the same.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from spanwise.arrow import check_columns, document_of, documents_of, pyarrow
from spanwise.corpus.sources import MAX_BYTES, STANDARD_INPUT
from spanwise.documents import Document
from spanwise.errors import ConfigurationError, DocumentError, MissingExtraError, near, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.arrow import Columns
    from spanwise.corpus.sources import Source

__all__ = ["documents_in", "number_of_documents", "parted"]

_BATCH_BYTES = 4 * 2**20
_MOST_ROWS = 1024
_BUFFER = 2**20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def documents_in(
    source: Source, columns: Columns, *, max_bytes: int = MAX_BYTES
) -> Iterator[tuple[str, Document | DocumentError]]:
    """Read the documents of a table, each with its place `file:row`, rows from 1; that is its id without a column.

    Raises:
        DocumentError: the table itself cannot be read, at its beginning or later.
        ConfigurationError: it has no such column.
        MissingExtraError: it is a Parquet file, and pyarrow is not installed.
    """
    rows = _in_lines(source, columns, max_bytes) if source.table == "jsonl" else _in_rows(source, columns)
    for place, document in rows:
        if isinstance(document, Document) and len(document.text) > max_bytes:
            yield place, _too_large(place, max_bytes)
        else:
            yield place, document


def number_of_documents(source: Source) -> int:
    """Say how many documents a source is likely to have, for a bar of progress; 1 where that cannot be told."""
    if source.path is None or not source.table:
        return 1
    try:
        if source.table == "jsonl":
            with source.path.open("rb") as file:
                return sum(piece.count(b"\n") for piece in iter(lambda: file.read(_BUFFER), b""))
        with _parquet(source.path) as file:
            return int(file.metadata.num_rows)
    except (OSError, DocumentError, MissingExtraError):  # what it is will be told when it is read
        return 1


def parted(source: Source, columns: Columns, part_bytes: int) -> Iterator[Source]:
    """Give a Parquet file in parts of whole row groups, of so many bytes where groups are no larger.

    Where it cannot be read, or has no such columns, it is given as it is: who reads it will be told, once.
    """
    try:
        with _parquet(source.path or Path(STANDARD_INPUT)) as file:
            check_columns(file.schema_arrow, columns, source.id)
            sizes = [file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups)]
    except (DocumentError, ConfigurationError):
        yield source
        return
    start = size = 0
    for number, of_group in enumerate(sizes):
        size += of_group
        if size >= part_bytes or number + 1 == len(sizes):
            yield msgspec.structs.replace(source, groups=(start, number + 1))
            start, size = number + 1, 0
    if not sizes:
        yield source


def _too_large(place: str, max_bytes: int) -> DocumentError:
    return DocumentError(f"{place}: larger than the limit of {max_bytes:,} bytes; raise it with --max-bytes")


def _in_rows(source: Source, columns: Columns) -> Iterator[tuple[str, Document | DocumentError]]:
    path = source.path or Path(STANDARD_INPUT)
    with _parquet(path) as file:
        check_columns(file.schema_arrow, columns, source.id)
        start, end = source.groups or (0, file.num_row_groups)
        first = 1 + sum(file.metadata.row_group(number).num_rows for number in range(start))
        rows = _rows_per_batch(file.metadata)
        batches = iter(file.iter_batches(batch_size=rows, row_groups=list(range(start, end))))
        while True:
            batch = _next(batches, source.id, first)
            if batch is None:
                return
            place = partial(_place, source.id, first)
            yield from documents_of(batch, columns, place, id_of=place)
            first += batch.num_rows


def _rows_per_batch(about: Any) -> int:
    """Choose how many rows are read at once: some megabytes, by the mean size of a row."""
    size = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    fitting: int = _BATCH_BYTES * about.num_rows // max(size, 1)
    return max(1, min(_MOST_ROWS, fitting))


def _place(name: str, first: int, row: int) -> str:
    return f"{name}:{first + row}"


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    """Open a Parquet file so that it is read through a buffer and never as a whole."""
    pa = pyarrow()
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415  heavy

    try:
        file = ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)
    except (OSError, pa.ArrowException) as error:
        raise DocumentError(f"{path.as_posix()}: cannot be read as Parquet: {_reason(error)}") from error
    with file:
        yield file


def _next(batches: Iterator[Any], name: str, first: int) -> Any:
    pa = pyarrow()
    try:
        return next(batches, None)
    except (OSError, pa.ArrowException) as error:
        raise DocumentError(
            f"{name}: row {first} and those after it cannot be read: {_reason(error)}; write the file anew"
        ) from error


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).partition("\n")[0]


def _in_lines(source: Source, columns: Columns, max_bytes: int) -> Iterator[tuple[str, Document | DocumentError]]:
    with _lines(source) as file:
        for number in count(1):
            place = f"{source.id}:{number}"
            line = _line(file, source, number, max_bytes)
            if not line:
                return
            if len(line) > max_bytes:
                yield place, _too_large(place, max_bytes)
                continue
            content = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
            if not content.isspace():
                yield place, _document_in(content, columns, place)


@contextmanager
def _lines(source: Source) -> Iterator[IO[bytes]]:
    if source.path is None:
        yield sys.stdin.buffer
        return
    try:
        file = source.path.open("rb")
    except OSError as error:
        raise DocumentError(f"{source.id}: cannot be read: {error.strerror}") from error
    with file:
        yield file


def _line(file: IO[bytes], source: Source, number: int, max_bytes: int) -> bytes:
    """Read a line; of one that is over the limit no more is kept than shows that."""
    try:
        line = rest = file.readline(max_bytes + 1)
        while len(rest) > max_bytes and not rest.endswith(b"\n"):
            rest = file.readline(max_bytes + 1)
    except OSError as error:
        raise DocumentError(f"{source.id}: line {number} cannot be read: {error.strerror}") from error
    return line


def _document_in(line: bytes, columns: Columns, place: str) -> Document | DocumentError:
    try:
        fields = _object_in(line, columns)
        return document_of(fields, columns.text, columns.id_in(fields), place)
    except DocumentError as error:
        return DocumentError(f"{place}: {error}")


def _object_in(line: bytes, columns: Columns) -> dict[str, object]:
    fields = _decoded(line)
    if not isinstance(fields, dict):
        raise DocumentError(
            f"not a JSON object but {shown(fields)}; a line holds one document, {{{columns.text!r}: …}}"
        )
    for key, flag in ((columns.text, "--text-column"), (columns.id, "--id-column")):
        if key is not None and key not in fields:
            hint = near(key, fields) or "."
            listed = ", ".join(map(repr, fields)) or "nothing"
            raise DocumentError(f"no key {key!r}{hint} It has {listed}; name the right one with {flag}")
    return fields


def _decoded(line: bytes) -> object:
    """Decode a line of JSON; lone surrogates, which msgspec refuses, are given as they stand."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise DocumentError(f"not JSON: {error.msg} at column {error.colno}: {shown(line.strip())}") from None
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"not UTF-8: byte 0x{line[error.start]:02x} at {error.start} ({error.reason}); JSON Lines are UTF-8"
        ) from None
    except RecursionError:
        raise DocumentError("nested too deep to be read") from None
    except ValueError as error:  # a number with more digits than Python takes
        raise DocumentError(f"not readable as JSON: {error}") from None
