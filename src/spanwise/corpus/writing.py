"""How do chunks get into a file so that no one ever reads half of it?

JSON Lines and Parquet go to a temporary file in the same folder, which takes the name of the output only when all is
written and on the disk, and what is a folder of files goes to a temporary folder. If the run dies, an output that was
there before is untouched.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

import msgspec

from spanwise.arrow import chunk_schema, pyarrow, together
from spanwise.errors import ConfigurationError, SpanwiseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "Counted",
    "Lines",
    "Replacement",
    "Rows",
    "Sink",
    "Writer",
    "json_line",
    "named_errors",
    "open_folder",
    "open_output",
    "writing_to",
]

_GROUP_ROWS = 16_384
_GROUP_BYTES = 32 * 2**20
"""How large a row group of Parquet is: what is held in memory before it is written, and what a reader has to read."""

_MEASURED_ROWS = 256


def json_line(record: Mapping[str, object]) -> bytes:
    r"""Write one record as a line of JSON in UTF-8; lone surrogates, which UTF-8 cannot hold, stand escaped.

    Examples:
        >>> json_line({"text": "café"}).decode(), json_line({"text": "a\ud800"})
        ('{"text":"café"}\n', b'{"text":"a\\ud800"}\n')
    """
    try:
        return msgspec.json.encode(record) + b"\n"
    except UnicodeEncodeError:
        return _escaped(record) + b"\n"


def _escaped(value: object) -> bytes:
    """Encode member by member, so that only the strings that need it leave the fast path."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        return b"{" + b",".join(_escaped(str(key)) + b":" + _escaped(plain[key]) for key in plain) + b"}"
    if isinstance(plain, list | tuple):
        return b"[" + b",".join(_escaped(member) for member in plain) + b"]"
    return json.dumps(plain, ensure_ascii=False).encode(errors="backslashreplace")  # whole characters as they are


@contextmanager
def open_output(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name when the block ends without an error, and not at all otherwise.

    What is there and no regular file (a pipe, `/dev/null`) is written to as it is. A link stays a link; what it leads
    to is replaced. The permissions of a file that is replaced stay.

    Raises:
        ConfigurationError: where the folder does not exist or cannot be written to.
        SpanwiseError: where writing fails later, as on a full disk.
    """
    with named_errors(path), _opened_output(path) as stream:
        yield stream


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Turn errors of the operating system into one that names the output."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SpanwiseError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


@contextmanager
def _opened_output(path: Path) -> Iterator[IO[bytes]]:
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with _opened(target, path, "wb") as stream:
            yield stream
        return
    replacement = Replacement(target, path)
    try:
        yield replacement.stream
        replacement.seal()
        replacement.take_place()
    finally:
        replacement.discard()


class Replacement:
    """A file that is written beside another, and takes its place when all of it is on the disk."""

    def __init__(self, target: Path, asked: Path) -> None:
        """Open it; `asked` is the path as the user wrote it, for messages."""
        self._target = target
        # hidden, so that a later run over the same folder does not take it for a document
        self.path = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
        self.stream = _opened(self.path, asked, "xb")

    def seal(self) -> None:
        """Put all of it on the disk, still under its own name."""
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self.stream.close()
        if self._target.exists():
            shutil.copymode(self._target, self.path)

    def take_place(self) -> None:
        """Take the name of the other, at once."""
        self.path.replace(self._target)

    def discard(self) -> None:
        """Remove it, if it has not taken its place."""
        with suppress(OSError):  # a full disk fails at closing once more
            self.stream.close()
        self.path.unlink(missing_ok=True)


@contextmanager
def open_folder(path: Path, *, within: str = "") -> Iterator[Path]:
    """Give a new folder beside `path`, which takes its name when the block ends without an error, and else is gone.

    With `within` it is the folder of that name in the new one that does. A folder of the name is replaced.

    Raises:
        ConfigurationError: there is no such folder above it, or it cannot be written to.
        SpanwiseError: writing fails later, as on a full disk.
    """
    target = Path(os.path.realpath(path))
    with named_errors(path):
        new = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
        old = target.with_name(f".{target.name}.{secrets.token_hex(4)}.before")
        try:
            new.mkdir()
        except OSError as error:
            raise ConfigurationError(f"cannot write {str(path)!r}: {error.strerror}") from error
        try:
            yield new
            if target.exists():
                target.rename(old)
            (new / within).rename(target)
        finally:
            if old.exists() and not target.exists():
                old.rename(target)
            for folder in (new, old):
                shutil.rmtree(folder, ignore_errors=True)


def _opened(path: Path, asked: Path, mode: str) -> IO[bytes]:
    try:
        return path.open(mode)
    except OSError as error:
        raise ConfigurationError(f"cannot write {str(asked)!r}: {error.strerror}") from error


class Sink(Protocol):
    """Writes the records of chunks one document after another."""

    def add(self, records: Any) -> None:
        """Write records: a list of lines, or a record batch."""

    def close(self) -> None:
        """Write what is still held back."""


class Lines:
    """JSON Lines."""

    def __init__(self, stream: IO[bytes] | Counted) -> None:
        self._stream = stream

    def add(self, records: list[bytes]) -> None:
        """Write lines."""
        self._stream.write(b"".join(records))

    def close(self) -> None:
        """Nothing is held back."""


class Writer(Protocol):
    """Writes record batches: a `ParquetWriter`, or what can be used as one."""

    def write_batch(self, batch: Any, row_group_size: int) -> None:
        """Write a batch as one row group."""

    def close(self) -> None:
        """Write what is still held back."""


class Rows:
    """Rows of Arrow, a row group at a time.

    Where a row group ends depends on the rows alone and not on how they came, so that the same chunks make the same
    file however many workers made them.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: list[Any] = []
        self._waiting_rows = 0
        self._held: list[Any] = []
        self._rows = 0
        self._bytes = 0

    def add(self, records: Any) -> None:
        """Take rows, and write each group of them that is full."""
        self._waiting.append(records)
        self._waiting_rows += records.num_rows
        if self._waiting_rows >= _MEASURED_ROWS:
            self._gather()

    def _gather(self) -> None:
        """Put what waits into groups; together, since measuring each document alone costs more than writing."""
        records = together(self._waiting)
        self._waiting, self._waiting_rows = [], 0
        while records.num_rows:
            sizes = _sizes(records).cumsum() + self._bytes
            most = min(_GROUP_ROWS - self._rows, int(sizes.searchsorted(_GROUP_BYTES)) + 1, records.num_rows)
            self._held.append(records.slice(0, most))
            self._rows += most
            self._bytes = int(sizes[most - 1])
            if self._rows == _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
                self._write()
            records = records.slice(most)

    def _write(self) -> None:
        # as one batch: where pages end must not depend on how the rows came either
        self._writer.write_batch(together(self._held), row_group_size=_GROUP_ROWS)
        self._held, self._rows, self._bytes = [], 0, 0

    def close(self) -> None:
        """Write the last group, and what the writer writes at the end."""
        if self._waiting:
            self._gather()
        if self._held:
            self._write()
        self._writer.close()

    def abandon(self) -> None:
        """Let go of a file that will not be finished; its disk may be full."""
        with suppress(Exception):
            self._writer.close()


def _sizes(records: Any) -> Any:
    """Give the bytes of the long strings of each row."""
    compute: Any = import_module("pyarrow.compute")
    return sum(
        compute.fill_null(compute.binary_length(records.column(name)), 0).to_numpy(zero_copy_only=False).astype("int64")
        for name in ("text", "metadata", "context", "plain")
    )


class Counted:
    """A stream that knows how far it is, which pipes do not, and can digest what is written."""

    closed = False

    def __init__(self, stream: IO[bytes] | Counted, digest: Any = None) -> None:
        self._stream = stream
        self._digest = digest
        self._written = 0

    def write(self, content: bytes) -> int:
        """Write all of it."""
        self._stream.write(content)
        if self._digest is not None:
            self._digest.update(content)
        self._written += len(content)
        return len(content)

    def tell(self) -> int:
        """Say how many bytes were written."""
        return self._written

    def flush(self) -> None:
        """Leave that to whoever opened the stream."""

    def close(self) -> None:
        """Leave that to whoever opened the stream."""


@contextmanager
def writing_to(stream: IO[bytes] | Counted, form: str) -> Iterator[Sink]:
    """Write chunks to a stream as "lines" or "rows".

    Raises:
        MissingExtraError: as rows, and pyarrow is not installed.
    """
    if form == "lines":
        yield Lines(stream)
        return
    pyarrow()  # says which extra is missing
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415  heavy

    rows = Rows(ParquetWriter(Counted(stream), chunk_schema(), compression="zstd"))
    try:
        yield rows
        rows.close()
    except BaseException:
        rows.abandon()
        raise
