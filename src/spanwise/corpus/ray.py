"""How does a Ray cluster chunk a corpus?

`chunk_dataset` is for datasets of Ray Data, wherever they are read from and written to. `chunk_parts` is what
`spanwise chunk --engine ray` does: it takes Parquet files part by part, and each worker reads, chunks and writes parts
of its own, so that no document travels and a part that is done twice is the same file.

Needs the extra `ray`.
"""

from __future__ import annotations

import logging
import os
import pickle
import re
import socket
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from warnings import catch_warnings, simplefilter

import msgspec

from spanwise.arrow import BatchChunker, Columns, check_columns, pyarrow
from spanwise.corpus.run import Chunked, Failed, Job, Read, Summary, read, run
from spanwise.corpus.sources import MAX_BYTES
from spanwise.corpus.state import real
from spanwise.corpus.tables import parted
from spanwise.corpus.writing import Replacement, named_errors, open_folder, writing_to
from spanwise.errors import ConfigurationError, MissingExtraError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from spanwise.arrow import Failures
    from spanwise.corpus.run import Form, Skipped
    from spanwise.corpus.sources import Source
    from spanwise.strategies.chunker import Chunker
    from spanwise.strategies.spec import ChunkingSpec

__all__ = ["PartsRun", "Told", "chunk_dataset", "chunk_parts", "folder_of_parts", "started"]

_PART_BYTES = 32 * 2**20
_MOST_BLOCKS = 10_000
_TRIES_AGAIN = 3
"""How often what a process or a machine died of is tried again; it may be a document that kills."""

_PATIENCE_SECONDS = 5
_SUFFIXES = {"rows": "parquet", "lines": "jsonl"}
_PART_NAME = re.compile(r"part-\d{6,}\.(?:parquet|jsonl)")


def chunk_dataset(
    dataset: Any,
    spec: ChunkingSpec,
    *,
    text_column: str = "text",
    id_column: str | None = None,
    failures: Failures = "raise",
    ordered: bool = True,
    workers: int | None = None,
) -> Any:
    """Chunk a dataset of Ray Data into a dataset of chunks; lazily, as all of Ray Data.

    Its columns are those of `spanwise.arrow.chunk_batch`, and so are the rows that come out: in the order of the
    documents, if `ordered`, else each document whole and in order where Ray is first done with it. With
    `failures="rows"` a document that cannot be chunked becomes a row of nulls but for `document_id` and `error`, and
    the others go on. `workers` is how many processes there are at most, by default as many as the cluster has room for,
    each with one chunker. Where a process or a machine dies, its block is chunked again, up to three times.

    Raises:
        MissingExtraError: Ray Data is not installed.
        ConfigurationError: a choice that cannot work, or the dataset has no such column.

    What is raised when the dataset is consumed is `ray.exceptions.RayTaskError` with the error of `chunk_batch` within.

        import ray
        from spanwise.corpus.ray import chunk_dataset
        chunks = chunk_dataset(ray.data.read_parquet("docs/"), spanwise.ChunkingSpec(max_tokens=256))
        chunks.write_parquet("chunks/")
    """
    data = _ray_data()
    BatchChunker(spec, text_column=text_column, id_column=id_column, failures=failures)
    known = getattr(dataset.schema(fetch_if_missing=False), "base_schema", None)
    if isinstance(known, pyarrow().Schema):
        check_columns(known, Columns(text_column, id_column), "the dataset")
    again = {"max_restarts": -1, "max_task_retries": _TRIES_AGAIN}  # else Ray Data tries without end
    with catch_warnings():
        simplefilter("ignore", DeprecationWarning)  # of `again`: Ray 2.63 is the last to take it
        chunks = dataset.map_batches(
            _Batches,
            batch_size=None,  # blocks as they are: nothing is copied, and rows are given some megabytes at a time
            batch_format="pyarrow",
            zero_copy_batch=True,
            fn_constructor_args=(spec, text_column, id_column, failures),
            num_cpus=1,
            compute=_pool(data, workers),
            **again,
        )
    if ordered:
        chunks.context.execution_options.preserve_order = True
    return chunks


class _Batches:
    """One worker of `chunk_dataset`."""

    def __init__(self, spec: ChunkingSpec, text_column: str, id_column: str | None, failures: Failures) -> None:
        self._chunker = BatchChunker(spec, text_column=text_column, id_column=id_column, failures=failures)

    def __call__(self, table: pa.Table) -> Iterator[pa.Table]:
        pa = pyarrow()
        for batch in self._chunker.batches(table):
            yield pa.Table.from_batches([batch], schema=self._chunker.schema)


class Told(NamedTuple):
    """What is told of a part: the counts, and the documents that failed or, with `verify`, broke a promise."""

    summary: Summary
    outcomes: list[Chunked | Failed]


class PartsRun(NamedTuple):
    """How parts are chunked and written; travels to the workers."""

    chunker: Chunker
    form: Form
    columns: Columns
    verify: bool = False
    max_bytes: int = MAX_BYTES


class _Part(NamedTuple):
    source: Source
    path: Path


def chunk_parts(
    choices: PartsRun,
    sources: Iterable[Source],
    folder: Path,
    *,
    workers: int | None = None,
    part_bytes: int = _PART_BYTES,
) -> Iterator[Told]:
    """Chunk Parquet files on the Ray that is started, into a file of `folder` for each part, and tell of each in order.

    The folder, the files and the working directory are such as all machines see. Documents have the ids, places and
    errors that `read` gives; that an id was there before is seen within a part alone. A part whose worker died is
    chunked again in processes of its own, so that a document they die of is named and the others are chunked; after the
    fourth death the part as a whole has failed.

    Raises:
        SpanwiseError: a part cannot be written.
    """
    data = _ray_data()
    pieces = (piece for source in sources for piece in parted(source, choices.columns, part_bytes))
    parts = [
        _Part(piece, real(folder) / f"part-{number:06}.{_SUFFIXES[choices.form]}")
        for number, piece in enumerate(pieces)
    ]
    items = [{"part": pickle.dumps(part)} for part in parts]
    if not items:
        return
    dataset = data.from_items(items, override_num_blocks=min(len(items), _MOST_BLOCKS)).map(
        _Parts, fn_constructor_args=(Path.cwd(), pickle.dumps(choices)), num_cpus=1, compute=_pool(data, workers)
    )
    dataset.context.execution_options.preserve_order = True  # what is told is small, so nothing waits for room
    dataset.context.enable_progress_bars = False
    for row in dataset.iter_rows():
        told = pickle.loads(row["told"])  # noqa: S301  what a worker of ours has written
        if isinstance(told, BaseException):
            raise told
        yield told


class _Parts:
    """One worker of `chunk_parts`."""

    def __init__(self, here: Path, choices: bytes) -> None:
        self._here = here
        self._pickled = choices
        self._choices: PartsRun | None = None

    def __call__(self, row: dict[str, Any]) -> dict[str, object]:
        told: object
        try:
            if self._choices is None:
                os.chdir(self._here)  # where paths hold as they were written, those of tokenizers too
                self._choices = pickle.loads(self._pickled)  # noqa: S301  what our driver has written
            told = _told(self._choices, pickle.loads(row["part"]))  # noqa: S301  the same
        except Exception as error:  # noqa: BLE001  the driver raises it; Ray would give one of its own
            told = _sendable(error)
        return {"told": pickle.dumps(told)}


def _sendable(error: Exception) -> Exception:
    with suppress(Exception):
        pickle.loads(pickle.dumps(error))  # noqa: S301  our own
        return error
    return RuntimeError(f"{type(error).__name__}: {error}")


def _told(choices: PartsRun, part: _Part) -> Told:
    """Read, chunk and write a part."""
    told = Told(Summary(), [])
    with named_errors(part.path), _try(part.path) as number:
        if number > _TRIES_AGAIN:
            found: Iterable[Read | Failed | Skipped] = [Failed(part.source.id, _died_often(part))]
        else:
            found = read([part.source], columns=choices.columns, max_bytes=choices.max_bytes)
        items = (Job(item.document) if isinstance(item, Read) else item for item in found)
        workers = 2 if number else 1  # two processes, since of one alone there is none but this
        with ExitStack() as stack:
            replacement = Replacement(part.path, part.path)
            stack.callback(replacement.discard)
            with writing_to(replacement.stream, choices.form) as sink:
                for outcome in run(choices.chunker, items, form=choices.form, verify=choices.verify, workers=workers):
                    told.summary.add(outcome)
                    if isinstance(outcome, Chunked):
                        sink.add(outcome.records)
                    if isinstance(outcome, Failed) or (isinstance(outcome, Chunked) and outcome.violations):
                        told.outcomes.append(_without_records(outcome))
            replacement.seal()
            replacement.take_place()
    return told


def _without_records(outcome: Chunked | Failed) -> Chunked | Failed:
    return outcome if isinstance(outcome, Failed) else msgspec.structs.replace(outcome, records=None)


@contextmanager
def _try(path: Path) -> Iterator[int]:
    """Say how many workers have died of a part; each leaves a mark, since Ray does not tell who tries again."""
    mark = path.with_name(f".{path.name}.tries")
    with mark.open("ab+") as stream:
        number = stream.tell()
        stream.write(b".")
    yield number
    mark.unlink()


def _died_often(part: _Part) -> WorkerError:
    groups = part.source.groups
    place = part.source.id if groups is None else f"{part.source.id}, row groups {groups[0]} to {groups[1] - 1}"
    return WorkerError(
        f"{place}: {_TRIES_AGAIN + 1} worker processes died of this part; a document may need more "
        "memory than there is: chunk the file without --engine ray, which names it",
        document_id=part.source.id,
    )


@contextmanager
def folder_of_parts(path: Path) -> Iterator[Path]:
    """Give a new folder for parts, which takes the name `path` when the block ends without an error, and else is gone.

    Raises:
        ConfigurationError: there is something under the name that no run has written, or no such folder above it.
    """
    _check_replaceable(real(path), path)
    with open_folder(path) as new:
        yield new
        for left in new.glob(".*"):  # begun by workers that died
            left.unlink(missing_ok=True)


def _check_replaceable(target: Path, asked: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise ConfigurationError(f"-o {asked}: that is a file; --engine ray writes a folder of parts, name another")
    for child in target.iterdir():
        if not _PART_NAME.fullmatch(child.name):
            raise ConfigurationError(
                f"-o {asked}: the folder holds {child.name!r}, which no run of --engine ray has written; name another"
            )


@contextmanager
def started() -> Iterator[None]:
    """Have Ray for a block: the one of this process, or the cluster that RAY_ADDRESS names, else one of this machine.

    The last is started here, reached from this machine alone, and ended with the block.

    Raises:
        MissingExtraError: Ray Data is not installed.
        ConfigurationError: there is no cluster at RAY_ADDRESS.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    _ray_data()
    ray = import_module("ray")
    if ray.is_initialized():
        yield
        return
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    address = os.environ.get("RAY_ADDRESS")
    _check_reachable(address or "")
    own: dict[str, object] = {} if address else {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    try:
        ray.init(address=address or "local", log_to_driver=False, logging_level="critical", **own)
    except ConnectionError as error:
        raise _not_reached(address, error) from error
    try:
        yield
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """Refuse at once an address that nobody listens at; Ray would try for minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or "/" in host:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _not_reached(address, error) from error


def _not_reached(address: str | None, error: Exception) -> ConfigurationError:
    return ConfigurationError(
        f"RAY_ADDRESS={address}: no Ray cluster can be reached there ({error}); without the variable one of this "
        "machine is started"
    )


def _ray_data() -> Any:
    try:
        return import_module("ray.data")
    except ImportError as error:
        raise MissingExtraError("ray", "ray", "chunking on a Ray cluster") from error


def _pool(data: Any, workers: int | None) -> Any:
    ray = import_module("ray")
    room = max(1, int(ray.cluster_resources().get("CPU", 1))) if ray.is_initialized() else None
    return data.ActorPoolStrategy(min_size=1, max_size=workers or room)
