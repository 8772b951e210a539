"""Chunks as Arrow tables: one function for data engines, and the schema of Parquet files of chunks.

`chunk_batch` takes a table of documents and gives the table of their chunks. Engines that hand Arrow tables to workers
(Ray Data, Spark, Polars, DuckDB) call it as it is: the spec is a value that travels, and nothing else is needed.

    import spanwise
    chunks = spanwise.arrow.chunk_batch(table, spanwise.ChunkingSpec(max_tokens=256))

Needs the extra `corpus`.

>>> import pyarrow, spanwise
>>> table = pyarrow.table({"id": ["a", "b"], "text": ["It moves water.", "It has one motor."], "year": [2025, 2026]})
>>> chunks = spanwise.arrow.chunk_batch(table, spanwise.ChunkingSpec(max_tokens=8))
>>> chunks.select(["document_id", "text", "tokens", "metadata"]).to_pylist()[1]
{'document_id': 'b', 'text': 'It has one motor.', 'tokens': 5, 'metadata': '{"year":2026}'}
"""

from __future__ import annotations

import json
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from spanwise.documents import Document, thawed
from spanwise.errors import ConfigurationError, DocumentError, MissingExtraError, SpanwiseError, near, shown
from spanwise.strategies.chunker import Chunker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    import pyarrow as pa

    from spanwise.chunks import Chunk
    from spanwise.strategies.spec import ChunkingSpec

__all__ = [
    "BatchChunker",
    "Columns",
    "Failures",
    "check_columns",
    "chunk_batch",
    "chunk_schema",
    "document_of",
    "documents_of",
    "pyarrow",
    "rows_of",
    "together",
]

MEDIA_TYPE = "media_type"
Failures = Literal["raise", "rows"]
"""What becomes of a row that is no document, or cannot be chunked: an error, or a row that says why."""

_BATCH_CHARACTERS = 16 * 2**20  # of documents: an array of strings holds at most 2 GB


def chunk_batch(table: pa.Table, spec: ChunkingSpec) -> pa.Table:
    """Chunk a table of documents into a table of chunks.

    `table` has a column `text`, and may have `id` and `media_type`; every other column is metadata of the document.
    What comes out has the schema `chunk_schema()`, in the order of the documents. Without ids every document has the id
    `""`, and equal chunks of two documents the same id.

    Raises:
        MissingExtraError: pyarrow is not installed.
        ConfigurationError: the table has no column `text`, or one that holds no text.
        DocumentError: a text or an id is null, or Arrow cannot hold a text (a lone surrogate); names the row.
        ChunkingError, BudgetError, CounterError: as `Chunker.chunk`.

    >>> import pyarrow
    >>> from spanwise import ChunkingSpec
    >>> chunk_batch(pyarrow.table({"text": ["It moves water."]}), ChunkingSpec()).num_rows
    1
    """
    return BatchChunker(spec)(table)


class BatchChunker:
    """Chunks one table of documents after another, with a chunker that is made once: what a worker of an engine holds.

    `text_column` and `id_column` name other columns than `text` and `id`. With `failures="rows"` a document that cannot
    be chunked does not stop the others: it gives a row of nulls but for `document_id`, where it has an id, and `error`.

    Raises:
        MissingExtraError: pyarrow is not installed.
        ConfigurationError: a choice that cannot work.

    >>> import pyarrow
    >>> from spanwise import ChunkingSpec
    >>> chunked = BatchChunker(ChunkingSpec(max_tokens=8), failures="rows")
    >>> rows = chunked(pyarrow.table({"id": ["a", "b"], "text": ["It moves water.", None]}))
    >>> rows.select(["document_id", "text", "error"]).to_pylist()[1]
    {'document_id': 'b', 'text': None, 'error': "'text' is null, so there is no text"}
    """

    def __init__(
        self,
        spec: ChunkingSpec,
        *,
        text_column: str = "text",
        id_column: str | None = None,
        failures: Failures = "raise",
    ) -> None:
        if failures not in {"raise", "rows"}:
            raise ConfigurationError(f"failures is 'raise' or 'rows', got {shown(failures)}")
        self._chunker = Chunker.from_spec(spec)
        self._columns = Columns(text_column, id_column)
        self._failures = failures
        self.schema = chunk_schema(failures=failures)

    def __call__(self, table: pa.Table) -> pa.Table:
        """Chunk a table; raises what `chunk_batch` raises."""
        return pyarrow().Table.from_batches(self.batches(table), schema=self.schema)

    def batches(self, table: pa.Table) -> Iterator[pa.RecordBatch]:
        """Chunk a table, and give the rows some megabytes at a time; at least one batch, if need be of no rows."""
        pa = pyarrow()
        if not isinstance(table, pa.Table):
            raise ConfigurationError(
                f"chunk_batch takes a pyarrow.Table, got {type(table).__name__}; pyarrow.table makes one"
            )
        check_columns(table.schema, self._columns, "the table")
        chunks: list[Chunk] = []
        size = 0
        for row, document_id, document in _documents_in(table, self._columns):
            made = self._chunks_of(document)
            if isinstance(made, SpanwiseError):
                yield self._rows(chunks)
                yield self._failed(document_id, str(made).removeprefix(f"{row}: "))
                chunks, size = [], 0
                continue
            chunks += made
            size += sum(len(chunk.text) for chunk in made)
            if size > _BATCH_CHARACTERS:
                yield self._rows(chunks)
                chunks, size = [], 0
        yield self._rows(chunks)

    def _chunks_of(self, document: Document | DocumentError) -> list[Chunk] | SpanwiseError:
        try:
            if isinstance(document, DocumentError):
                raise document
            return self._chunker.chunk(document)
        except SpanwiseError as error:
            if self._failures == "raise":
                raise
            return error

    def _rows(self, chunks: Sequence[Chunk]) -> pa.RecordBatch:
        rows = rows_of(chunks)
        if self._failures == "raise":
            return rows
        pa = pyarrow()
        return pa.RecordBatch.from_arrays([*rows.columns, pa.nulls(rows.num_rows, pa.string())], schema=self.schema)

    def _failed(self, document_id: str | None, reason: str) -> pa.RecordBatch:
        # the number of a row is left out: an engine hands over pieces of tables, and the same rows must come of them
        return pyarrow().RecordBatch.from_pylist([{"document_id": document_id, "error": reason}], schema=self.schema)


def _documents_in(table: pa.Table, columns: Columns) -> Iterator[tuple[str, str | None, Document | DocumentError]]:
    """Give the place, the id and the document of each row, or why it is none."""
    first = 0
    id_column = columns.id_in(table.schema.names)
    for batch in table.to_batches():
        for row, (place, document) in enumerate(documents_of(batch, columns, partial(_row_after, first))):
            if isinstance(document, Document):
                yield place, document.id, document
            else:
                known = batch.column(id_column)[row].as_py() if id_column else None
                yield place, None if known is None else str(known), document
        first += batch.num_rows


def _row_after(first: int, row: int) -> str:
    return f"row {first + row}"


def chunk_schema(*, failures: Failures = "raise") -> pa.Schema:
    """Give the schema of chunks in Arrow and Parquet; the names are those of `Chunk.record()`.

    `metadata` is a JSON object in a string: keys and types differ from document to document, and a schema must not.
    With `failures="rows"` every column may be null, and `error`, the last, says why a document could not be chunked.

    Raises:
        MissingExtraError: pyarrow is not installed.

    >>> chunk_schema().field("section").type
    ListType(list<element: string not null>)
    """
    if failures == "raise":
        return _schema()
    pa = pyarrow()
    return pa.schema([*(pa.field(field.name, field.type) for field in _schema()), pa.field("error", pa.string())])


@lru_cache(maxsize=1)
def _schema() -> pa.Schema:
    pa = pyarrow()
    text, number = pa.string(), pa.int64()
    # the names of list elements as Parquet has them, so that what is read has the schema of what was written
    path = pa.list_(pa.field("element", text, nullable=False))
    paths = pa.list_(pa.field("element", path, nullable=False))
    needed = [
        ("id", text),
        ("document_id", text),
        ("chunk_index", number),
        ("start", number),
        ("end", number),
        ("text", text),
        ("tokens", number),
        ("section", path),
        ("sections", paths),
        ("overlap", number),
        ("first_line", number),
        ("last_line", number),
        ("context", text),
        ("spec", text),
        ("metadata", text),
    ]
    optional = [("page", number), ("plain", text), ("parent_id", text)]
    return pa.schema(
        [pa.field(name, kind, nullable=False) for name, kind in needed] + [pa.field(*field) for field in optional]
    )


def rows_of(chunks: Sequence[Chunk]) -> pa.RecordBatch:
    """Give chunks as rows of the schema.

    Raises:
        DocumentError: a string has a lone surrogate, which Arrow and Parquet cannot hold; names the document.
    """
    pa = pyarrow()
    schema = chunk_schema()
    columns = _columns_of(chunks)
    try:
        arrays = [pa.array(columns[field.name], type=field.type) for field in schema]
    except UnicodeEncodeError:
        raise _not_encodable(chunks) from None
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def together(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Give the rows of several batches as one."""
    table = pyarrow().Table.from_batches(batches, schema=chunk_schema()).combine_chunks()
    return table.to_batches()[0] if table.num_rows else rows_of([])


def _columns_of(chunks: Sequence[Chunk]) -> dict[str, list[object]]:
    return {
        "id": [chunk.id for chunk in chunks],
        "document_id": [chunk.document_id for chunk in chunks],
        "chunk_index": [chunk.index for chunk in chunks],
        "start": [chunk.start for chunk in chunks],
        "end": [chunk.end for chunk in chunks],
        "text": [chunk.text for chunk in chunks],
        "tokens": [chunk.tokens for chunk in chunks],
        "section": [chunk.section for chunk in chunks],
        "sections": [chunk.sections for chunk in chunks],
        "overlap": [chunk.overlap for chunk in chunks],
        "first_line": [chunk.lines[0] for chunk in chunks],
        "last_line": [chunk.lines[1] for chunk in chunks],
        "context": [chunk.context for chunk in chunks],
        "spec": [chunk.spec for chunk in chunks],
        "metadata": list(_metadata_of(chunks)),
        "page": [chunk.page for chunk in chunks],
        "plain": [chunk.visible for chunk in chunks],
        "parent_id": [chunk.parent_id for chunk in chunks],
    }


def _metadata_of(chunks: Sequence[Chunk]) -> Iterator[str]:
    """Write the metadata of each chunk; chunks of a document share theirs, which is written once."""
    before: Mapping[str, object] | None = None
    written = ""
    for chunk in chunks:
        if chunk.metadata is not before:
            before, written = chunk.metadata, _json(chunk.metadata)
        yield written


def _json(metadata: Mapping[str, object]) -> str:
    plain = thawed(metadata)
    try:
        return msgspec.json.encode(plain).decode()
    except UnicodeEncodeError:  # a lone surrogate, which JSON can hold escaped
        return json.dumps(plain)


def _not_encodable(chunks: Sequence[Chunk]) -> DocumentError:
    for chunk in chunks:
        for name in ("document_id", "text", "context", "visible", "spec", "section", "sections"):
            value = getattr(chunk, name)
            try:
                str(value).encode()
            except UnicodeEncodeError as error:
                place = f" at offset {chunk.start + error.start}" if name == "text" else ""
                return DocumentError(
                    f"{chunk.document_id}: {name} has the lone surrogate U+{ord(error.object[error.start]):04X}{place}"
                    ", which Arrow and Parquet cannot hold; write JSON Lines (-o FILE.jsonl), or clean the text"
                )
    raise AssertionError


class Columns(NamedTuple):
    """Which columns hold the text and the id of a document; None for the id means `id` where there is one."""

    text: str = "text"
    id: str | None = None

    def id_in(self, names: Iterable[str]) -> str | None:
        """Give the name of the column of ids, or None where nothing is an id."""
        return self.id if self.id is not None else ("id" if "id" in names and self.text != "id" else None)


def check_columns(schema: pa.Schema, columns: Columns, name: str) -> None:
    """Check that a table has the columns, and that they can hold what is sought there.

    Raises:
        ConfigurationError: a column is not there (lists those that are), or the texts are none.
    """
    pa = pyarrow()
    known = schema.names
    for column, flag in ((columns.text, "--text-column"), (columns.id, "--id-column")):
        if column is not None and column not in known:
            hint = near(column, known) or "."
            listed = ", ".join(map(repr, known)) or "none"
            raise ConfigurationError(
                f"{name}: no column {column!r}{hint} It has {listed}; name the right one ({flag} of the command)"
            )
    for column in (columns.text, MEDIA_TYPE):
        if known.count(column) > 1:
            raise ConfigurationError(f"{name}: {known.count(column)} columns are called {column!r}; rename all but one")
    kind = schema.field(columns.text).type
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not (pa.types.is_string(value) or pa.types.is_large_string(value) or value == pa.string_view()):
        raise ConfigurationError(f"{name}: the column {columns.text!r} holds {kind}, not text")


def documents_of(
    batch: pa.RecordBatch, columns: Columns, place: Callable[[int], str], *, id_of: Callable[[int], str] = lambda _: ""
) -> Iterator[tuple[str, Document | DocumentError]]:
    """Give the place and the document of each row, or why it is none.

    `place` names a row (from 0) for messages, `id_of` its document where no column does.
    """
    names = batch.schema.names
    id_column = columns.id_in(names)
    values = [_values(column) for column in batch.columns]
    for row in range(batch.num_rows):
        fields = {name: column[row] for name, column in zip(names, values, strict=True)}
        where = place(row)
        try:
            yield where, document_of(fields, columns.text, id_column, id_of(row))
        except DocumentError as error:
            yield where, DocumentError(f"{where}: {error}")


def document_of(fields: dict[str, object], text_key: str, id_key: str | None, usual_id: str) -> Document:
    """Make the document of a record; what is neither text, id nor media type is metadata.

    Raises:
        DocumentError: the text or the id is null or none, or a value is none that metadata can hold.
    """
    for key, value in fields.items():
        if isinstance(value, _Undecodable):
            raise DocumentError(f"{key!r} cannot be read: {value.reason}")
    text = fields.pop(text_key)
    if not isinstance(text, str):
        raise DocumentError(
            f"{text_key!r} is null, so there is no text" if text is None else f"{text_key!r} is {shown(text)}, not text"
        )
    document_id: object = usual_id if id_key is None else fields.pop(id_key, None)
    if document_id is None:
        raise DocumentError(f"{id_key!r} is null, so the document has no id")
    if isinstance(document_id, float | list | dict | bool):
        raise DocumentError(f"{id_key!r} is {shown(document_id)}; an id is a string or a whole number")
    media_type = fields.pop(MEDIA_TYPE, None)
    try:
        return Document(
            text=text,
            id=str(document_id),
            media_type="text/plain" if media_type is None else str(media_type),
            metadata=fields,
        )
    except ConfigurationError as error:
        raise DocumentError(str(error)) from error


class _Undecodable(NamedTuple):
    reason: str


def _values(column: pa.Array) -> list[object]:
    """Give a column as Python values; where one is none that Python has, the others are given all the same."""
    pa = pyarrow()
    kind = _microseconds(column.type)
    try:
        return list((column if kind is None else column.cast(kind)).to_pylist())
    except (ValueError, OverflowError, pa.ArrowException):
        return [_value(scalar, kind) for scalar in column]


def _value(scalar: pa.Scalar, kind: pa.DataType | None) -> object:
    pa = pyarrow()
    try:
        return scalar.as_py() if kind is None else scalar.cast(kind).as_py()
    except (ValueError, OverflowError, pa.ArrowException) as error:
        if pa.types.is_temporal(scalar.type):  # finer than microseconds, or after the year 9999
            return str(scalar.cast(pa.string()).as_py())
        return _Undecodable(str(error))


def _microseconds(kind: pa.DataType) -> pa.DataType | None:
    """Give what times of nanoseconds are read as; by itself Arrow asks pandas, which may be there or not."""
    pa = pyarrow()
    if getattr(kind, "unit", None) != "ns":
        return None
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", tz=kind.tz)
    return pa.time64("us") if pa.types.is_time(kind) else pa.duration("us")


def pyarrow() -> ModuleType:
    """Load pyarrow.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return import_module("pyarrow")
    except ImportError as error:
        raise MissingExtraError("pyarrow", "corpus", "reading and writing Arrow and Parquet") from error
