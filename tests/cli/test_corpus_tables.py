"""Tables of documents in, Parquet out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanwise as library
from oracles import EXAMPLES, hard_texts
from spanwise.arrow import Columns
from spanwise.corpus import find, read, writing_to
from spanwise.corpus import writing as writing_module

if TYPE_CHECKING:
    from conftest import Spanwise

PUMPS = "# Pumps\n\nIt moves water. It has one motor.\n\n## Seals\n\nUnplug first. Then turn.\n"
SMALL = ("--max-tokens", "14")


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def lines(path: Path, *documents: object) -> None:
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))


def test_each_row_of_parquet_is_a_document(spanwise: Spanwise, folder: Path) -> None:
    """Its id is that of the column, its media type too, and all other columns are metadata."""
    pq.write_table(
        pa.table({"id": [7, 8], "text": [PUMPS, "one two"], "media_type": ["text/markdown", None], "year": [1, 2]}),
        folder / "docs.parquet",
    )
    result = spanwise("chunk", "docs.parquet", "-o", "chunks.jsonl", *SMALL)
    documents = [
        library.Document(id="7", text=PUMPS, media_type="text/markdown", metadata={"year": 1}),
        library.Document(id="8", text="one two", metadata={"year": 2}),
    ]
    chunker = library.Chunker(max_tokens=14)
    expected = [chunk.record() for document in documents for chunk in chunker.chunk(document)]
    assert records(folder / "chunks.jsonl") == expected
    assert result.exit_code == 0


def test_each_line_of_json_is_a_document_where_a_column_is_named(spanwise: Spanwise, folder: Path) -> None:
    """Without that the file is one document, in the format JSON Lines."""
    lines(folder / "docs.jsonl", {"url": "a", "body": PUMPS, "tags": ["x"]}, {"url": "b", "body": "one"})
    options = ("chunk", "docs.jsonl", "--format", "jsonl", "-q")
    as_table = spanwise(*options, "--text-column", "body", "--id-column", "url").stdout.splitlines()
    assert [json.loads(line)["document_id"] for line in as_table] == ["a", "b"]
    assert json.loads(as_table[0])["text"] == PUMPS
    assert json.loads(as_table[0])["tags"] == ["x"]
    assert json.loads(spanwise(*options).stdout)["document_id"] == "docs.jsonl"


def test_without_a_column_of_ids_the_place_is_the_id(spanwise: Spanwise, folder: Path) -> None:
    """The file as it was named and the row, or the line, from 1; blank lines count and are no documents."""
    (folder / "docs.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "one"}\n\n{"text": "three"}')
    pq.write_table(pa.table({"text": ["one", "two"]}), folder / "docs.parquet")
    result = spanwise("chunk", "docs.jsonl", "docs.parquet", "--text-column", "text", "--format", "jsonl", "-q")
    ids = [json.loads(line)["document_id"] for line in result.stdout.splitlines()]
    assert ids == ["docs.jsonl:1", "docs.jsonl:3", "docs.parquet:1", "docs.parquet:2"]


def test_ids_may_be_the_texts(spanwise: Spanwise, folder: Path) -> None:
    """A column `id` that is named as the text holds no ids."""
    lines(folder / "docs.jsonl", {"id": "some text", "n": 1})
    result = spanwise("chunk", "docs.jsonl", "--text-column", "id", "--format", "jsonl", "-q")
    assert [json.loads(line)["document_id"] for line in result.stdout.splitlines()] == ["docs.jsonl:1"]


def test_standard_input_can_be_json_lines(spanwise: Spanwise) -> None:
    """As another program writes them."""
    result = spanwise(
        "chunk", "-", "--text-column", "text", "--format", "jsonl", "-q", stdin=b'{"text":"a","id":"x"}\n'
    )
    assert json.loads(result.stdout)["document_id"] == "x"


def test_a_folder_is_searched_for_tables_where_a_column_is_named(spanwise: Spanwise, folder: Path) -> None:
    """Else Parquet files are no documents, as photographs are none; texts are documents in both cases."""
    (folder / "docs").mkdir()
    (folder / "docs/a.md").write_text("text")
    pq.write_table(pa.table({"text": ["one"]}), folder / "docs/b.parquet")
    found = spanwise("chunk", "docs", "--text-column", "text", "--format", "jsonl", "-q").stdout.splitlines()
    assert [json.loads(line)["document_id"] for line in found] == ["a.md", "b.parquet:1"]
    assert "left out: 1 other kind of file" in spanwise("chunk", "docs").stdout


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{nonsense}", "docs.jsonl:2: not JSON: Expecting property name enclosed in double quotes at column 2"),
        (b'"text"', "docs.jsonl:2: not a JSON object but 'text'"),
        (b'{"txt": "a"}', "docs.jsonl:2: no key 'text', did you mean 'txt'? It has 'txt'; name the right one with"),
        (b'{"text": null}', "docs.jsonl:2: 'text' is null, so there is no text"),
        (b'{"text": 5}', "docs.jsonl:2: 'text' is 5, not text"),
        (b'{"text": "a", "id": null}', "docs.jsonl:2: 'id' is null, so the document has no id"),
        (b'{"text": "a", "id": 1.5}', "docs.jsonl:2: 'id' is 1.5; an id is a string or a whole number"),
        (b'{"text": "a", "id": "first"}', "docs.jsonl:2: the id 'first' is that of docs.jsonl:1 already"),
        (b'{"text": "caf\xe9"}', "docs.jsonl:2: not UTF-8: byte 0xe9 at 13"),
        (b"[" * 100_000, "docs.jsonl:2: nested too deep to be read"),
        (b'{"text": "' + b"a" * 300_000 + b'"}', "docs.jsonl:2: larger than the limit of 200,000 bytes"),
    ],
)
def test_a_line_that_is_no_document_is_reported_with_its_place(
    spanwise: Spanwise, folder: Path, line: bytes, reason: str
) -> None:
    """The lines around it are chunked, and the status is 1."""
    content = b'{"text": "one", "id": "first"}\n' + line + b'\n{"text": "three", "id": "last"}\n'
    (folder / "docs.jsonl").write_bytes(content)
    options = ("--text-column", "text", "--format", "jsonl", "--max-bytes", "200000")
    result = spanwise("chunk", "docs.jsonl", *options)
    assert [json.loads(line)["document_id"] for line in result.stdout.splitlines()] == ["first", "last"]
    assert result.stderr.startswith(reason)
    assert "not chunked: 1 document" in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ({"text": pa.array(["one", None])}, "docs.parquet:2: 'text' is null, so there is no text"),
        ({"text": ["one", "two"], "id": ["a", "a"]}, "docs.parquet:2: the id 'a' is that of docs.parquet:1 already"),
        ({"text": pa.array([b"one", b"\xff"]).view(pa.string())}, "docs.parquet:2: 'text' cannot be read: 'utf-8'"),
    ],
)
def test_a_row_that_is_no_document_is_reported_with_its_place(
    spanwise: Spanwise, folder: Path, column: dict[str, object], reason: str
) -> None:
    """The rows around it are chunked."""
    pq.write_table(pa.table(column), folder / "docs.parquet")
    result = spanwise("chunk", "docs.parquet", "--format", "jsonl")
    assert [json.loads(line)["text"] for line in result.stdout.splitlines()] == ["one"]
    assert result.stderr.startswith(reason)
    assert result.exit_code == 1


def test_a_table_that_cannot_be_read_does_not_stop_the_others(spanwise: Spanwise, folder: Path) -> None:
    """Neither one without the column, whose columns are listed, nor one that is no Parquet, nor half of one."""
    pq.write_table(pa.table({"txt": ["one"], "n": [1]}), folder / "a.parquet")
    (folder / "b.parquet").write_bytes(b"PAR1 nonsense")
    pq.write_table(pa.table({"text": ["fine"]}), folder / "c.parquet")
    pq.write_table(pa.table({"text": [1]}), folder / "d.parquet")
    result = spanwise("chunk", *(f"{name}.parquet" for name in "abcd"), "--format", "jsonl")
    assert [json.loads(line)["text"] for line in result.stdout.splitlines()] == ["fine"]
    no_column, no_parquet, no_text, *_ = result.stderr.splitlines()
    assert no_column.startswith(
        "a.parquet: no column 'text', did you mean 'txt'? It has 'txt', 'n'; name the right one"
    )
    assert no_parquet.startswith("b.parquet: cannot be read as Parquet: ")
    assert no_text == "d.parquet: the column 'text' holds int64, not text"
    assert result.exit_code == 1


@pytest.mark.slow
def test_a_table_that_breaks_off_says_from_which_row_on(spanwise: Spanwise, folder: Path) -> None:
    """What stands before is chunked."""
    path = folder / "docs.parquet"
    pq.write_table(pa.table({"text": ["x" * 9_000] * 2_000}), path, row_group_size=1_000, use_dictionary=False)
    content = bytearray(path.read_bytes())
    start = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
    content[start : start + 40] = b"\xff" * 40
    path.write_bytes(content)
    result = spanwise("chunk", "docs.parquet", "--format", "jsonl", "--max-characters", "9000", "--overflow", "split")
    told = re.match(
        r"docs\.parquet: row (\d+) and those after it cannot be read: .+; write the file anew\n", result.stderr
    )
    assert told is not None
    assert len(result.stdout.splitlines()) == int(told[1]) - 1 > 0
    assert result.exit_code == 1


def test_parquet_holds_what_the_chunks_hold(spanwise: Spanwise, folder: Path) -> None:
    """Every field, typed; the metadata as a JSON object."""
    (folder / "handbook.md").write_text(PUMPS)
    assert spanwise("chunk", "handbook.md", "-o", "chunks.parquet", "--context", "section", *SMALL).exit_code == 0
    written = pq.read_table(folder / "chunks.parquet")
    chunks = library.Chunker(max_tokens=14, context="section").chunk(library.Document.from_file("handbook.md"))
    assert written.schema == library.arrow.chunk_schema()
    for row, chunk in zip(written.to_pylist(), chunks, strict=True):
        record = chunk.record()
        assert {name: value for name, value in row.items() if record.get(name) == value}.keys() >= {
            *("id", "document_id", "chunk_index", "start", "end", "text", "tokens", "section", "overlap"),
            *("first_line", "last_line", "context", "spec", "parent_id"),
        }
        assert row["sections"] == [list(path) for path in chunk.sections]
        assert json.loads(row["metadata"]) == dict(chunk.metadata)
        assert (row["page"], row["plain"]) == (chunk.page, chunk.visible)


def test_a_lone_surrogate_is_reported_by_parquet_and_escaped_by_json_lines(spanwise: Spanwise, folder: Path) -> None:
    """The document is named with the place and the repair; the others are written."""
    (folder / "docs.jsonl").write_text(
        '{"id":"a","text":"fine"}\n{"id":"b","text":"no\\ud800"}\n{"id":"c","text":"too"}\n'
    )
    options = ("chunk", "docs.jsonl", "--text-column", "text", "-o")
    result = spanwise(*options, "chunks.parquet")
    assert pq.read_table(folder / "chunks.parquet")["document_id"].to_pylist() == ["a", "c"]
    assert result.stderr.startswith("b: text has the lone surrogate U+D800 at offset 2, which Arrow and Parquet cannot")
    assert result.exit_code == 1
    assert spanwise(*options, "chunks.jsonl").exit_code == 0
    assert [record["text"] for record in records(folder / "chunks.jsonl")] == ["fine", "no\ud800", "too"]


@settings(max_examples=EXAMPLES)
@given(texts=st.lists(hard_texts(surrogates=False), min_size=1, max_size=6), cuts=st.lists(st.integers(0, 40)))
def test_parquet_is_the_same_however_the_rows_come(
    texts: list[str], cuts: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Byte for byte: row groups end by the rows alone."""
    chunks = [
        chunk
        for at, text in enumerate(texts)
        for chunk in library.chunk(library.Document(id=str(at), text=text), "words", max_characters=9, overflow="split")
    ]
    rows = library.arrow.rows_of(chunks)
    folder = tmp_path_factory.mktemp("rows")
    places = sorted({0, len(chunks), *(cut for cut in cuts if cut < len(chunks))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing_module, "_GROUP_ROWS", 7)
        patch.setattr(writing_module, "_GROUP_BYTES", 60)
        for name, ends in (("whole", [0, len(chunks)]), ("parts", places)):
            with (folder / name).open("wb") as stream, writing_to(stream, "rows") as sink:
                for start, end in pairwise(ends):
                    sink.add(rows.slice(start, end - start))
    assert (folder / "whole").read_bytes() == (folder / "parts").read_bytes()
    assert pq.read_table(folder / "whole")["text"].to_pylist() == [chunk.text for chunk in chunks]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
@pytest.mark.parametrize("name", ["chunks.jsonl", "chunks.parquet"])
def test_a_disk_that_fills_up_leaves_the_output_as_it_was(folder: Path, name: str) -> None:
    """One line, status 1, and no unfinished file."""
    resource = pytest.importorskip("resource")
    lines(folder / "docs.jsonl", *({"text": f"{'It moves water. ' * 40} {number}"} for number in range(200)))
    (folder / name).write_text("before")
    command = [sys.executable, "-m", "spanwise", "chunk", "docs.jsonl", "--text-column", "text", "-o", name, "-q"]
    limit = 2_000
    done = subprocess.run(  # noqa: S603  our own command
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.stderr == f"error: cannot write '{name}': File too large\n"
    assert done.returncode == 1
    assert (folder / name).read_text() == "before"
    assert {path.name for path in folder.iterdir()} == {"docs.jsonl", name}


@pytest.mark.slow
def test_memory_is_that_of_a_batch(folder: Path) -> None:
    """However many rows a file has, and however large they are: what is read at once is a page, or some megabytes."""
    table = pa.table({"text": ["x" * 100_000] * 400})
    pq.write_table(table, folder / "docs.parquet", use_dictionary=False, write_batch_size=8)
    before = pa.total_allocated_bytes()
    most = 0
    for _ in read(find(["docs.parquet"]).sources, columns=Columns()):
        most = max(most, pa.total_allocated_bytes() - before)
    assert most < 20e6 < table.nbytes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["docs.parquet"], "--engine ray needs a folder to write to: -o FOLDER"),
        (["docs.parquet", "-o", "-"], "--engine ray needs a folder to write to: -o FOLDER"),
        (["docs.parquet", "-o", "out", "--changes", "c.jsonl"], "--changes: a run with --engine ray keeps no state"),
        (["docs.parquet", "-o", "out", "--state"], "--state: a run with --engine ray keeps no state"),
        (["docs.parquet", "a.md", "-o", "out"], "--engine ray reads Parquet files alone, and 'a.md' is none"),
        (["empty", "-o", "out"], "--engine ray reads Parquet files alone, and there is none"),
        (["docs.parquet", "-o", "a.md"], "-o a.md: that is a file; --engine ray writes a folder of parts"),
        (["docs.parquet", "-o", "."], "-o .: the folder holds '"),
        (["docs.parquet", "-o", "missing/out"], "cannot write 'missing/out': No such file or directory"),
    ],
)
def test_what_does_not_go_together_with_ray_is_refused(
    spanwise: Spanwise, folder: Path, arguments: list[str], message: str
) -> None:
    """Before anything is chunked, and nothing is left behind."""
    pq.write_table(pa.table({"text": ["It moves water."]}), "docs.parquet")
    Path("a.md").write_text("It moves water.")
    Path("empty").mkdir()
    result = spanwise("chunk", "--engine", "ray", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["a.md", "docs.parquet", "empty"]


def test_without_ray_the_extra_is_named(spanwise: Spanwise, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is written."""
    monkeypatch.setitem(sys.modules, "ray.data", None)
    pq.write_table(pa.table({"text": ["It moves water."]}), "docs.parquet")
    result = spanwise("chunk", "docs.parquet", "--engine", "ray", "-o", "out")
    assert (result.exit_code, [path.name for path in folder.iterdir()]) == (2, ["docs.parquet"])
    assert "needs the package 'ray': pip install \"spanwise[ray]\"" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "c.lance", "--changes", "c.jsonl"], "--changes: a Lance table keeps no state"),
        (["-o", "c.lance", "--state"], "--state: a Lance table keeps no state"),
        (["-o", "c.lance", "--rechunk"], "--rechunk: a Lance table keeps no state"),
        (["-o", "c.lance", "--engine", "ray"], "--engine ray writes a folder of Parquet files, no Lance table"),
        (["--format", "lance"], "a Lance table is a folder NAME.lance: -o NAME.lance"),
        (["--format", "lance", "-o", "-"], "a Lance table is a folder NAME.lance, not -: -o NAME.lance"),
        (["--format", "lance", "-o", "c"], "a Lance table is a folder NAME.lance, not c: -o NAME.lance"),
    ],
)
def test_what_does_not_go_together_with_a_lance_table_is_refused(
    spanwise: Spanwise, folder: Path, arguments: list[str], message: str
) -> None:
    """Before anything is read, with what to do instead."""
    Path("a.md").write_text("It moves water.")
    result = spanwise("chunk", "a.md", *arguments)
    assert (result.exit_code, [path.name for path in folder.iterdir()]) == (2, ["a.md"])
    assert result.stderr.startswith(f"error: {message}")


def test_without_lancedb_the_extra_is_named(spanwise: Spanwise, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is written."""
    monkeypatch.setitem(sys.modules, "lancedb", None)
    Path("a.md").write_text("It moves water.")
    result = spanwise("chunk", "a.md", "-o", "c.lance")
    assert (result.exit_code, [path.name for path in folder.iterdir()]) == (2, ["a.md"])
    assert "needs the package 'lancedb': pip install \"spanwise[lance]\"" in result.stderr
