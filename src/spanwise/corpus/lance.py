"""How do chunks get into a Lance table so that no one ever reads half of it?

The table is written in a hidden folder, as one version, and takes its name when all of it is on the disk.
LanceDB asks for rows, and a run gives them, so that LanceDB works in a thread of its own that waits for the next ones.

Needs the extra `lance`.
"""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import Full, Queue
from typing import TYPE_CHECKING, Any

from spanwise.arrow import chunk_schema, pyarrow
from spanwise.corpus.state import real
from spanwise.corpus.writing import Rows, open_folder
from spanwise.errors import ConfigurationError, MissingExtraError, SpanwiseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from spanwise.corpus.writing import Sink

__all__ = ["open_table"]

_NAME = re.compile(r"[A-Za-z0-9_.-]+\.lance")
_PLACE = re.compile(r", \S+\.rs:\d+:\d+$")
"""Where in its own code LanceDB met an error."""

_PATIENCE_SECONDS = 0.1


@contextmanager
def open_table(path: Path) -> Iterator[Sink]:
    """Open a Lance table, NAME.lance, that appears complete when the block ends without an error, or not at all.

    `lancedb.connect(folder).open_table(NAME)` reads it. A table of the name is replaced; if the run dies, it is as it
    was.

    Raises:
        MissingExtraError: LanceDB is not installed.
        ConfigurationError: LanceDB takes no such name, something else has it, or the folder cannot be written to.
        SpanwiseError: writing fails later, as on a full disk.
    """
    target = real(path)
    if not _NAME.fullmatch(target.name):
        raise ConfigurationError(
            f"-o {path}: LanceDB opens no {target.name!r}; a table is NAME.lance, in ASCII letters, digits, _, - and ."
        )
    database = _lancedb()
    _check_replaceable(database, target, path)
    with open_folder(path, within=target.name) as folder:
        with _writing(database, folder, target.stem, path) as writer:
            rows = Rows(writer)
            yield rows
            rows.close()
        _put_on_disk(folder)


def _lancedb() -> Any:
    pyarrow()
    try:
        return import_module("lancedb")
    except ImportError as error:
        raise MissingExtraError("lancedb", "lance", "writing a Lance table") from error


def _check_replaceable(database: Any, target: Path, asked: Path) -> None:
    if not target.exists():
        return
    try:
        database.connect(target.parent).open_table(target.stem)
    except Exception as error:
        raise ConfigurationError(
            f"-o {asked}: what stands there is no Lance table that can be opened; name another, or remove it"
        ) from error


class _StoppedError(Exception):
    """What LanceDB is told where the rows break off."""


class _Pipe:
    """Hands on record batches, one at a time, to the thread that writes."""

    def __init__(self, pool: ThreadPoolExecutor, database: Any, folder: Path, name: str, asked: Path) -> None:
        self._asked = asked
        self._batches: Queue[Any] = Queue(maxsize=1)
        reader = pyarrow().RecordBatchReader.from_batches(chunk_schema(), self._given())
        self._written = pool.submit(lambda: database.connect(folder).create_table(name, reader))

    def _given(self) -> Iterator[Any]:
        while (batch := self._batches.get()) is not None:
            if batch is _StoppedError:
                raise _StoppedError
            yield batch

    def _put(self, batch: Any) -> None:
        """Wait until there is room, or nobody who could make it."""
        while not self._written.done():
            with suppress(Full):
                self._batches.put(batch, timeout=_PATIENCE_SECONDS)
                return

    def write_batch(self, batch: Any, row_group_size: int) -> None:  # noqa: ARG002
        """Hand on a batch."""
        self._put(batch)
        if self._written.done():
            self._check()

    def close(self) -> None:
        """Wait until all is written."""
        self._put(None)
        self._check()

    def _check(self) -> None:
        try:
            self._written.result()
        except Exception as error:
            reason = _PLACE.sub("", " ".join(str(error).split()))
            raise SpanwiseError(f"cannot write {str(self._asked)!r}: {reason}") from error

    def stop(self) -> None:
        """Have the thread end, if it has not; what it has written is no table."""
        self._put(_StoppedError)


@contextmanager
def _writing(database: Any, folder: Path, name: str, asked: Path) -> Iterator[_Pipe]:
    with ThreadPoolExecutor(max_workers=1) as pool:
        pipe = _Pipe(pool, database, folder, name, asked)
        try:
            yield pipe
        finally:
            pipe.stop()


def _put_on_disk(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("r+b") as file:
                os.fsync(file.fileno())
