"""`spanwise chunk -o NAME.lance`: LanceDB reads the table, Parquet is the oracle."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lancedb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spanwise.arrow import chunk_batch, chunk_schema
from spanwise.corpus.lance import open_table
from spanwise.corpus.writing import open_folder
from spanwise.errors import ConfigurationError, SpanwiseError
from spanwise.strategies.spec import ChunkingSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conftest import Spanwise

pytestmark = pytest.mark.filterwarnings("ignore")


def documents(count: int) -> str:
    """Give documents of unlike sizes, some without a chunk, as JSON Lines."""
    rows = (
        {"id": f"d{at}", "text": f"# Pump {at}\n\n## Tank\n\n" * (at % 2) + "It moves water. " * (at % 7), "year": at}
        for at in range(count)
    )
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(name: str) -> pa.Table:
    """Read a table as a user would."""
    rows: pa.Table = lancedb.connect(".").open_table(name).to_arrow()
    return rows


def old_table(name: str = "chunks") -> pa.Table:
    """Have a table under the name, and give its rows."""
    lancedb.connect(".").create_table(name, pa.table({"old": [1, 2]}))
    return table(name)


@pytest.mark.parametrize("count", [0, 1, 300])
@pytest.mark.parametrize("before", [False, True])
def test_the_table_has_the_rows_and_the_schema_of_parquet(
    spanwise: Spanwise, folder: Path, count: int, *, before: bool
) -> None:
    """In the same order, as one version, whether a table was there before or not; and nothing else is left."""
    Path("docs.jsonl").write_text(documents(count))
    if before:
        old_table()
    arguments = ("chunk", "docs.jsonl", "--text-column", "text", "--max-tokens", "9", "--no-state", "-o")
    for output in ("chunks.parquet", "chunks.lance"):
        result = spanwise(*arguments, output)
        assert result.exit_code == 0, result.output
    assert table("chunks").equals(pq.read_table("chunks.parquet"))
    assert table("chunks").schema.equals(chunk_schema())
    assert lancedb.connect(".").open_table("chunks").version == 1
    assert {path.name for path in folder.iterdir()} == {"docs.jsonl", "chunks.parquet", "chunks.lance"}


@pytest.mark.slow
def test_workers_make_the_same_table(spanwise: Spanwise) -> None:
    """In the order of the documents."""
    Path("docs.jsonl").write_text(documents(300))
    for workers in ("1", "2"):
        result = spanwise(
            "chunk", "docs.jsonl", "--text-column", "text", "--workers", workers, "-o", f"w{workers}.lance"
        )
        assert result.exit_code == 0, result.output
    assert table("w1").num_rows > 100
    assert table("w1").equals(table("w2"))


def test_the_way_to_the_table_may_be_a_link_and_end_in_a_slash(spanwise: Spanwise, folder: Path) -> None:
    """What the link leads to is replaced; the link stays."""
    Path("a.md").write_text("It moves water.")
    old_table("true")
    Path("chunks.lance").symlink_to("true.lance", target_is_directory=True)
    result = spanwise("chunk", "a.md", "-o", "chunks.lance/", "--format", "lance")
    assert result.exit_code == 0, result.output
    assert table("true")["text"].to_pylist() == ["It moves water."]
    assert (folder / "chunks.lance").is_symlink()


def test_a_lone_surrogate_is_reported_as_for_parquet(spanwise: Spanwise) -> None:
    """The other documents are in the table, and the status is 1."""
    Path("docs.jsonl").write_text('{"id":"a","text":"It \\ud800 moves"}\n{"id":"b","text":"It moves water."}\n')
    told = [
        spanwise("chunk", "docs.jsonl", "--text-column", "text", "-o", name)
        for name in ("chunks.parquet", "chunks.lance")
    ]
    assert told[0].stderr == told[1].stderr
    assert "a: text has the lone surrogate U+D800 at offset 3" in told[1].stderr
    assert told[1].exit_code == 1
    assert table("chunks")["document_id"].to_pylist() == ["b"]


def rows() -> Any:
    """Give a record batch of chunks that is handed on at once."""
    texts = pa.table({"text": ["It moves water. " * 8] * 400})
    return chunk_batch(texts, ChunkingSpec(strategy="words", max_tokens=2)).combine_chunks().to_batches()[0]


def write(batches: Iterable[pa.RecordBatch]) -> None:
    """Write record batches to the table `chunks`."""
    with open_table(Path("chunks.lance")) as sink:
        for batch in batches:
            sink.add(batch)


@pytest.mark.parametrize("count", [0, 1, 9])
def test_an_error_in_the_middle_leaves_the_old_table(folder: Path, count: int) -> None:
    """Wherever it comes: before the first row is handed on, or when LanceDB is at work."""
    before, batch = old_table(), rows()

    def broken() -> Iterator[pa.RecordBatch]:
        yield from repeat(batch, count)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(broken())
    assert table("chunks").equals(before)
    assert [path.name for path in folder.iterdir()] == ["chunks.lance"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
def test_a_disk_that_fills_up_leaves_the_old_table(folder: Path) -> None:
    """What LanceDB says comes with the name of the output, and nobody waits for its thread."""
    resource = pytest.importorskip("resource")
    before = old_table()
    Path("docs.jsonl").write_text(documents(2_000))
    arguments = ["docs.jsonl", "--text-column", "text", "-o", "chunks.lance", "-q"]
    done = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-m", "spanwise", "chunk", *arguments],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
    )
    assert done.stderr.startswith("error: cannot write 'chunks.lance': ")
    assert "File too large" in done.stderr
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert table("chunks").equals(before)
    assert {path.name for path in folder.iterdir()} == {"docs.jsonl", "chunks.lance"}


def test_the_old_folder_comes_back_where_the_new_one_cannot_take_its_name(folder: Path) -> None:
    """As when it was taken away."""
    Path("out").mkdir()
    Path("out/before").write_text("before")
    with pytest.raises(SpanwiseError, match="cannot write 'out': No such file"), open_folder(Path("out")) as new:
        new.rmdir()
    assert [path.relative_to(folder).as_posix() for path in folder.rglob("*")] == ["out", "out/before"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_run_that_is_killed_leaves_the_old_table(spanwise: Spanwise, folder: Path) -> None:
    """While rows are on their way; and the next run replaces it."""
    before = old_table()
    arguments = ["-", "--text-column", "text", "--strategy", "characters", "--max-characters", "1"]
    command = [sys.executable, "-m", "spanwise", "chunk", *arguments, "-o", "chunks.lance"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd=folder) as running:  # noqa: S603  our own command
        assert running.stdin is not None
        running.stdin.write((json.dumps({"text": "water" * 40}) + "\n").encode() * 400)
        running.stdin.flush()
        deadline = time.monotonic() + 60
        while not list(folder.glob(".*.part/*.lance/data/*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        running.kill()
    assert list(folder.glob(".*.part/*.lance/data/*"))
    assert table("chunks").equals(before)
    Path("a.md").write_text("It moves water.")
    assert spanwise("chunk", "a.md", "-o", "chunks.lance").exit_code == 0
    assert table("chunks")["text"].to_pylist() == ["It moves water."]


@pytest.mark.parametrize("there", ["file", "folder", "documents", "other name"])
def test_what_is_no_table_is_not_replaced(spanwise: Spanwise, folder: Path, there: str) -> None:
    """A file, an empty folder, one of documents, and a name that LanceDB does not take."""
    Path("a.md").write_text("It moves water.")
    output = folder / ("two words.lance" if there == "other name" else "chunks.lance")
    if there == "file":
        output.write_text("before")
    elif there != "other name":
        output.mkdir()
    if there == "documents":
        (output / "b.md").write_text("before")
    before = sorted(folder.rglob("*"))
    result = spanwise("chunk", "a.md", "-o", output.name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: -o {output.name}: ")
    assert sorted(folder.rglob("*")) == before


def test_the_files_of_a_table_are_no_documents(spanwise: Spanwise) -> None:
    """Though some of them have the suffixes of texts."""
    Path("a.md").write_text("It moves water.")
    for output in ("one.lance", "two.lance", "two.lance"):
        result = spanwise("chunk", ".", "-o", output)
        assert "1 document · " in result.stderr
    assert "left out: 2 Lance table" in result.stderr


def test_a_missing_folder_is_named_and_not_made(folder: Path) -> None:
    """Though LanceDB would."""
    with pytest.raises(ConfigurationError, match="No such file"), open_table(Path("missing/chunks.lance")):
        raise AssertionError
    assert list(folder.iterdir()) == []
