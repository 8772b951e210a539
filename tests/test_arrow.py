"""`spanwise.arrow.chunk_batch`: chunks of a table of documents, as data engines call it."""

from __future__ import annotations

import datetime as dt
import json
import pickle
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import hard_texts
from spanwise import ChunkingSpec, ConfigurationError, DocumentError

SPEC = ChunkingSpec(strategy="words", max_tokens=8, overflow=spanwise.Overflow.SPLIT)


@given(texts=st.lists(hard_texts(surrogates=False), max_size=5), pieces=st.integers(1, 4))
def test_it_gives_what_the_chunker_gives(texts: list[str], pieces: int) -> None:
    """LAW: row for row, in the order of the documents, however the table is cut into batches."""
    table = pa.table({"id": [f"d{at}" for at in range(len(texts))], "text": pa.array(texts, pa.large_string())})
    parts = [table.slice(at, pieces) for at in range(0, max(len(texts), 1), pieces)]
    rows = spanwise.arrow.chunk_batch(pa.concat_tables(parts), SPEC)
    chunker = spanwise.Chunker.from_spec(SPEC)
    chunks = [
        chunk for at, text in enumerate(texts) for chunk in chunker.chunk(spanwise.Document(id=f"d{at}", text=text))
    ]
    assert rows.to_pylist() == spanwise.arrow.rows_of(chunks).to_pylist()
    assert rows.schema == spanwise.arrow.chunk_schema()


def test_the_spec_travels() -> None:
    """As a value that is pickled, and gives the same chunks there."""
    table = pa.table({"text": ["It moves water. It has one motor."]})
    there = pickle.loads(pickle.dumps(SPEC))  # noqa: S301  our own
    assert spanwise.arrow.chunk_batch(table, there) == spanwise.arrow.chunk_batch(table, SPEC)


def test_columns_are_id_media_type_and_metadata() -> None:
    """Of any type; metadata is JSON, where what JSON has not is written as text."""
    table = pa.table(
        {
            "id": [1],
            "text": pa.array(["# A\n\ntext"]).dictionary_encode(),
            "media_type": ["text/plain"],
            "day": [dt.date(2026, 11, 30)],
            "price": [Decimal("1.50")],
            "whole": pa.array([1_000], pa.timestamp("ns")),
            "exact": pa.array([1], pa.timestamp("ns")),
            "long": pa.array([5], pa.duration("ns")),
            "noon": pa.array([1], pa.time64("ns")),
            "tags": [["a", "b"]],
            "author": [{"name": "é"}],
        }
    )
    (row,) = spanwise.arrow.chunk_batch(table, ChunkingSpec()).to_pylist()
    assert (row["document_id"], row["section"]) == ("1", ["A"])
    assert json.loads(row["metadata"]) == {
        "day": "2026-11-30",
        "price": "1.50",
        "whole": "1970-01-01 00:00:00.000001",
        "exact": "1970-01-01 00:00:00.000000001",
        "long": "5",
        "noon": "00:00:00.000000001",
        "tags": ["a", "b"],
        "author": {"name": "é"},
    }


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"body": ["a"]}), "the table: no column 'text'. It has 'body'; name the right one"),
        (pa.table({"text": [1]}), "the table: the column 'text' holds int64, not text"),
        (
            pa.table([["a"], ["b"]], names=["text", "text"]),
            "the table: 2 columns are called 'text'; rename all but one",
        ),
        ([{"text": "a"}], "chunk_batch takes a pyarrow.Table, got list; pyarrow.table makes one"),
    ],
)
def test_a_table_of_no_documents_is_refused(table: object, message: str) -> None:
    """With what it has and the repair."""
    with pytest.raises(ConfigurationError, match=message):
        spanwise.arrow.chunk_batch(table, ChunkingSpec())


def test_a_row_that_is_no_document_is_named() -> None:
    """By its number in the table, from 0."""
    table = pa.concat_tables([pa.table({"text": ["one"]}), pa.table({"text": ["two", None]})])
    with pytest.raises(DocumentError, match="row 2: 'text' is null, so there is no text"):
        spanwise.arrow.chunk_batch(table, ChunkingSpec())


def test_with_failures_as_rows_the_others_go_on() -> None:
    """Whatever is wrong, each at its place, with the id where there is one; the chunks are those of `chunk_batch`."""
    long = "It moves " + "x" * 200
    table = pa.table({"id": ["a", "b", None, "d", "e"], "text": ["one", None, "three", long, "It moves water."]})
    spec = ChunkingSpec(strategy="words", max_tokens=8)
    rows = spanwise.arrow.BatchChunker(spec, failures="rows")(table)
    assert rows.schema == spanwise.arrow.chunk_schema(failures="rows")
    assert [(row["document_id"], row["text"]) for row in rows.to_pylist()] == [
        ("a", "one"),
        ("b", None),
        (None, None),
        ("d", None),
        ("e", "It moves water."),
    ]
    errors = rows.column("error").to_pylist()
    assert errors[:3] == [None, "'text' is null, so there is no text", "'id' is null, so the document has no id"]
    assert errors[3].startswith("document 'd', 9:209: the word")
    whole = rows.filter(pa.compute.is_null(rows["error"])).drop_columns("error").to_pylist()
    assert whole == spanwise.arrow.chunk_batch(table.take([0, 4]), spec).to_pylist()
    with pytest.raises(ConfigurationError, match="failures is 'raise' or 'rows', got 'drop'"):
        spanwise.arrow.BatchChunker(spec, failures="drop")  # type: ignore[arg-type]


def test_a_table_without_rows_gives_one() -> None:
    """With the schema of chunks."""
    rows = spanwise.arrow.chunk_batch(pa.table({"text": pa.array([], pa.string())}), ChunkingSpec())
    assert (rows.num_rows, rows.schema) == (0, spanwise.arrow.chunk_schema())


def test_without_pyarrow_the_extra_is_named() -> None:
    """And spanwise is imported all the same."""
    script = (
        "import sys; sys.modules['pyarrow'] = None\nimport spanwise\n"
        "try: spanwise.arrow.chunk_schema()\nexcept spanwise.MissingExtraError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert "needs the package 'pyarrow': pip install \"spanwise[corpus]\"" in done.stdout


@pytest.mark.slow
def test_polars_hands_its_frames_over() -> None:
    """At once and lazily, as the page on corpora shows."""
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"id": ["a", "b"], "text": ["It moves water. It has one motor.", "Unplug it."]})
    chunks = polars.from_arrow(spanwise.arrow.chunk_batch(frame.to_arrow(), SPEC))

    def chunked(part: Any) -> Any:
        return polars.from_arrow(spanwise.arrow.chunk_batch(part.to_arrow(), SPEC))

    lazily = frame.lazy().map_batches(chunked, schema=chunks.schema).collect()
    assert chunks["document_id"].to_list() == ["a", "a", "b"]
    assert lazily.equals(chunks)


@pytest.mark.slow
def test_duckdb_reads_chunks_as_a_table() -> None:
    """With metadata taken out of its JSON."""
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    documents = connection.sql("SELECT 'a' AS id, 'It moves water.' AS text, 2026 AS year").to_arrow_table()
    connection.register("chunks", spanwise.arrow.chunk_batch(documents, SPEC))
    found = connection.sql("SELECT document_id, text, metadata->>'$.year' FROM chunks").fetchall()
    assert found == [("a", "It moves water.", "2026")]
