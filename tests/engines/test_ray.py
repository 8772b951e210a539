"""Chunking on a real Ray cluster of three nodes of this machine; `chunk_batch` and the local run are the oracles."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import spanwise
from spanwise import ChunkingSpec
from spanwise.arrow import BatchChunker, Columns
from spanwise.corpus import Failed, find
from spanwise.corpus.ray import PartsRun, chunk_dataset, chunk_parts, folder_of_parts
from spanwise.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Process, Spanwise

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_BACKEND_LOG_LEVEL"] = "fatal"

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

TESTS = Path(__file__).parent
SPEC = ChunkingSpec(strategy="sentences", max_tokens=16)
TOO_LONG = "It moves " + "x" * 200 + " all the time."


def documents(count: int, **columns: list[Any]) -> pa.Table:
    """Give a table of documents of unlike sizes."""
    texts = [
        f"# Pump {at}\n\n" + f"It moves water of tank {at}. It has one motor.\n\n" * (at % 7) for at in range(count)
    ]
    return pa.table(
        {"id": [f"d{at}" for at in range(count)], "text": texts, "year": [2000 + at for at in range(count)], **columns}
    )


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """Start three nodes, each with an address of its own on the loopback; they end with the module."""
    import ray
    from ray.cluster_utils import Cluster

    os.environ["PYTHONPATH"] += os.pathsep + str(TESTS)  # workers import what is defined here
    node = {"num_cpus": 1, "object_store_memory": 80 * 2**20}
    cluster = Cluster(
        initialize_head=True, head_node_args={**node, "include_dashboard": False, "node_ip_address": "127.0.0.2"}
    )
    for last in (3, 4):  # not 127.0.0.1, in place of which Ray takes an address of the outer network
        cluster.add_node(**node, node_ip_address=f"127.0.0.{last}")
    ray.init(address=cluster.address, log_to_driver=False, logging_level="critical")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()
    cluster.shutdown()


def dataset(ray: Any, table: pa.Table, rows: int) -> Any:
    """Give a table as a dataset, in blocks of so many rows."""
    return ray.data.from_arrow([table.slice(at, rows) for at in range(0, table.num_rows, rows)])


def collected(ray: Any, chunks: Any) -> pa.Table:
    return pa.concat_tables(ray.get(chunks.to_arrow_refs()))


def test_a_dataset_gives_what_chunk_batch_gives(ray: Any) -> None:
    """Row for row and in order, with metadata, however it is cut into blocks."""
    table = documents(100)
    rows = collected(ray, chunk_dataset(dataset(ray, table, 9), SPEC))
    assert rows.to_pylist() == spanwise.arrow.chunk_batch(table, SPEC).to_pylist()
    assert rows.schema == spanwise.arrow.chunk_schema()


def test_what_cannot_be_chunked_becomes_a_row_and_the_others_go_on(ray: Any) -> None:
    """With the reason; without `failures` it ends the run."""
    table = documents(20, text=["It moves water.", None, TOO_LONG, ""] * 5, id=["a", "b", None, "d"] * 5)
    rows = collected(ray, chunk_dataset(dataset(ray, table, 3), SPEC, failures="rows"))
    assert rows.to_pylist() == BatchChunker(SPEC, failures="rows")(table).to_pylist()
    assert {(row["document_id"], row["error"]) for row in rows.to_pylist()} == {
        ("a", None),
        ("b", "'text' is null, so there is no text"),
        (None, "'id' is null, so the document has no id"),
    }
    with pytest.raises(Exception, match=r"DocumentError: row [12]: 'text' is null"):
        chunk_dataset(dataset(ray, table, 3), SPEC).materialize()


def test_a_dataset_without_the_column_is_refused_at_once(ray: Any) -> None:
    """Before any worker starts."""
    with pytest.raises(ConfigurationError, match=r"the dataset: no column 'text', did you mean 'txt'"):
        chunk_dataset(dataset(ray, pa.table({"txt": ["a"]}), 1), SPEC)
    with pytest.raises(ConfigurationError, match=r"no column .url."):
        chunk_dataset(dataset(ray, documents(1), 1), SPEC, id_column="url")


class Deadly:
    """A counter of characters that kills its process at some texts; at "fatal once", if nobody died of that before."""

    name = "deadly"

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def count(self, text: str) -> int:
        """Count, or die."""
        once = "fatal once" in text and not self._mark.exists()
        if once:
            self._mark.touch()
        if once or "fatal always" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        return len(text)


def test_a_worker_that_is_killed_is_replaced(ray: Any, tmp_path: Path) -> None:
    """What it had in hand is chunked again, and nothing is lost or there twice."""
    mark = tmp_path / "died"
    spec = ChunkingSpec(strategy="words", max_tokens=40, counter=Deadly(mark))
    table = documents(30, text=["It moves water."] * 20 + ["It is fatal once."] + ["It has one motor."] * 9)
    rows = collected(ray, chunk_dataset(dataset(ray, table, 3), spec))
    assert mark.exists()
    assert rows.to_pylist() == spanwise.arrow.chunk_batch(table, spec).to_pylist()


def test_a_process_that_dies_again_and_again_ends_the_run_of_a_dataset(ray: Any, tmp_path: Path) -> None:
    """Not before it was tried again, and not without end."""
    spec = ChunkingSpec(strategy="words", max_tokens=40, counter=Deadly(tmp_path / "died"))
    with pytest.raises(ray.exceptions.RayActorError):
        chunk_dataset(dataset(ray, pa.table({"text": ["a", "It is fatal always."]}), 1), spec).materialize()


def parts(folder: Path) -> pa.Table:
    return pa.concat_tables([pq.read_table(path) for path in sorted(folder.iterdir())])


def test_parts_hold_what_the_local_run_writes_though_workers_die(ray: Any, folder: Path) -> None:
    """In the same order; a document that its process dies of is named, and the others of its part are chunked."""
    assert ray.is_initialized()
    texts = ["# A\n\nIt moves water. It has one motor."] * 40
    texts[7], texts[19], texts[30] = "It is fatal once.", "It is fatal always.", TOO_LONG
    table = documents(40, text=texts)
    pq.write_table(table, "in.parquet", row_group_size=5)
    chunker = spanwise.Chunker("words", max_tokens=60, counter=Deadly(folder / "died"))
    choices = PartsRun(chunker, "rows", Columns(), verify=True)
    with folder_of_parts(folder / "out") as new:
        told = list(chunk_parts(choices, find(["in.parquet"]).sources, new, part_bytes=1))
    assert (folder / "died").exists()
    rest = table.take([at for at in range(40) if at not in {19, 30}])
    spec = ChunkingSpec(strategy="words", max_tokens=60, counter=Deadly(folder / "died"))
    assert parts(folder / "out").to_pylist() == spanwise.arrow.chunk_batch(rest, spec).to_pylist()
    assert [len(each.outcomes) for each in told] == [0, 0, 0, 1, 0, 0, 1, 0]
    died, refused = (outcome for each in told for outcome in each.outcomes)
    assert isinstance(died, Failed)
    assert "a worker process died (signal SIGKILL) while it chunked the document 'd19'" in str(died.error)
    assert isinstance(refused, Failed)
    assert "document 'd30', 9:209: the word" in str(refused.error)
    assert sorted(path.name for path in folder.iterdir()) == ["died", "in.parquet", "out"]


@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl"])
def test_the_command_says_and_writes_what_the_local_run_does(
    ray: Any, spanwise: Spanwise, folder: Path, name: str
) -> None:
    """Errors with their places, counts, exit status, and the chunks."""
    assert ray.is_initialized()
    for number in range(3):
        table = documents(50, text=["# A\n\nIt moves water. It has one motor.", None, TOO_LONG, "", "B"] * 10)
        pq.write_table(table.drop_columns("id") if number else table, f"in{number}.parquet")
    pq.write_table(pa.table({"txt": ["a"]}), "other.parquet")
    Path("broken.parquet").write_text("no table")
    pq.write_table(documents(0), "empty.parquet")
    arguments = ["chunk", ".", "--max-tokens", "16", "--verify"]
    local = spanwise(*arguments, "--text-column", "text", "-o", f"../{folder.name}.{name}")
    (folder / name).mkdir()
    for _ in range(2):  # the second run replaces what the first has written
        there = spanwise(*arguments, "--engine", "ray", "-o", name)
        assert (there.exit_code, there.output.splitlines()[-1]) == (1, local.output.splitlines()[-1])
        assert without_places_written(there.output) == without_places_written(local.output)
    written = folder.with_name(f"{folder.name}.{name}")
    if name.endswith("parquet"):
        assert parts(folder / name).equals(pq.read_table(written))
    else:
        assert b"".join(path.read_bytes() for path in sorted((folder / name).iterdir())) == written.read_bytes()


def without_places_written(output: str) -> list[str]:
    """Leave out which of its own files a run has left out."""
    return [line for line in output.splitlines() if not line.startswith("left out")]


def test_an_address_that_nobody_listens_at_is_refused_at_once(process: Process, folder: Path) -> None:
    """Before anything is written."""
    pq.write_table(documents(1), "in.parquet")
    done = process("chunk", "in.parquet", "--engine", "ray", "-o", "out", RAY_ADDRESS="127.0.0.1:1")
    assert (done.returncode, [path.name for path in folder.iterdir()]) == (2, ["in.parquet"])
    assert b"error: RAY_ADDRESS=127.0.0.1:1: no Ray cluster can be reached there" in done.stderr
