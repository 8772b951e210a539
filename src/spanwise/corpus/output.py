"""Where does a run write, what does it take over from the run before, and what has changed since?

What is unchanged is copied from the old output, stretch by stretch; where all of it is unchanged, the old output stays.
A document that has changed keeps the chunks of its unchanged text. The result depends on the documents and the old
output alone.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from itertools import accumulate
from typing import IO, TYPE_CHECKING, Any, Protocol, Self

import msgspec

from spanwise.chunks import id_bytes
from spanwise.corpus.run import Before, Chunked, Failed, Job, Read, Unchanged
from spanwise.corpus.state import (
    Fingerprints,
    Place,
    Second,
    StateBody,
    changed,
    load,
    real,
    recover,
    state_path,
)
from spanwise.corpus.writing import Counted, Replacement, json_line, named_errors, open_output, writing_to
from spanwise.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from spanwise.corpus.run import Item, Outcome, Skipped
    from spanwise.corpus.writing import Sink
    from spanwise.documents import Document

__all__ = ["Output", "open_run"]

_PIECE = 2**20
_STEPS_BACK = 8  # besides one for each row group


class Output:
    """The output of a run: `items` says what is to be chunked, `add` takes what came of it, in the same order."""

    removed: Sequence[str] = ()
    """The ids of documents that were in the old output and are not among those of this run."""

    def __init__(self, write: Callable[[Chunked], object]) -> None:
        self._write = write

    def items(self, found: Iterable[Read | Failed | Skipped]) -> Iterator[Item]:
        """Say of each document whether it has to be chunked."""
        for item in found:
            yield Job(item.document) if isinstance(item, Read) else item

    def add(self, outcome: Outcome) -> None:
        """Write what came of an item."""
        if isinstance(outcome, Chunked):
            self._write(outcome)


@contextmanager
def open_run(
    path: Path,
    form: str,
    *,
    spec: str = "",
    keeps_state: bool = True,
    rechunks: bool = True,
    changes: Path | None = None,
) -> Iterator[Output]:
    """Open the output of a run, in the form "lines" or "rows"; it appears complete when the block ends, or not at all.

    `spec` is all that chunks depend on besides their documents. With `changes`, what to write to an index and what to
    delete from it goes to that file, as JSON Lines. With `rechunks` a document that has changed keeps the chunks of its
    unchanged text; without, all is what a run without a state would write. What is no regular file has no state.

    Raises:
        ConfigurationError: a file cannot be opened.
        SpanwiseError: writing fails later, as on a full disk.
    """
    target = real(path)
    if changes is not None and target.exists() and not target.is_file():
        raise ConfigurationError(
            f"{path}: no regular file, so it has no state that tells what has changed: no --changes"
        )
    if not keeps_state or (target.exists() and not target.is_file()):
        with open_output(path) as stream, writing_to(stream, form) as sink:
            yield Output(lambda chunked: sink.add(chunked.records))
        return
    with named_errors(path), ExitStack() as stack:
        recover(target)
        output = _Incremental(stack, path, form, spec, changes, rechunks=rechunks)
        yield output
        output.finish()


class _Incremental(Output):
    def __init__(
        self, stack: ExitStack, asked: Path, form: str, spec: str, changes: Path | None, *, rechunks: bool
    ) -> None:
        target = real(asked)
        self._stack = stack
        self._target = target
        self._asked = asked
        self._form = form
        self._spec = spec
        self._fingerprints = Fingerprints(spec)
        old = load(target, form)
        self._rechunks = rechunks and old is not None and old.spec == spec
        self._places = {} if old is None else old.places
        self._old_size = 0 if old is None else old.size
        self._records: OldRecords | None = None
        if old is not None:
            records: OldRecords = OldLines(target) if form == "lines" else OldRows(target)
            self._records = stack.enter_context(records)
        self._state = StateBody()
        self._under_way: dict[str, bytes] = {}
        self._failed: set[bytes] = set()
        self._pending = (0, 0)
        self._replacement: Replacement | None = None
        self._sink: Sink | None = None
        self._writing = stack.enter_context(ExitStack())
        self._digest = blake2b(digest_size=16)
        self._changes = None if changes is None else _Changes(stack, changes, form)
        if old is None:
            self._open()

    def items(self, found: Iterable[Read | Failed | Skipped]) -> Iterator[Item]:
        """Say of each document whether it has to be chunked, or was by an earlier run."""
        for item in found:
            yield self._item(item.document, item.origin) if isinstance(item, Read) else item

    def _item(self, document: Document, origin: bytes) -> Job | Unchanged:
        mark, before = self._fingerprints.of(document, origin), None
        place = self._places.get(id_bytes(document.id))
        if place is not None and self._records is not None:
            reachable = self._records.reachable(place)
            if reachable and place.fingerprint == mark:
                return Unchanged(document.id, place.start, place.chunks)
            if reachable and self._rechunks and place.chunks:
                before = Before(tuple(self._records.between(place.start, place.start + place.size)), place.usual)
        self._under_way[document.id] = mark
        return Job(document, before)

    def add(self, outcome: Outcome) -> None:
        """Write what came of an item."""
        if isinstance(outcome, Unchanged):
            key = id_bytes(outcome.document_id)
            place = self._places.pop(key)
            self._state.add(key, place.fingerprint, place.size, place.usual, place.marks)
            self._take_over(place)
        elif isinstance(outcome, Chunked):
            key = id_bytes(outcome.document_id)
            before = self._places.pop(key, None)
            size = sum(map(len, outcome.records)) if self._form == "lines" else outcome.records.num_rows
            self._state.add(key, self._under_way.pop(outcome.document_id), size, outcome.usual, outcome.marks)
            if self._changes is not None:
                self._changes.of(outcome, b"" if before is None else before.marks)
            self._write_pending().add(outcome.records)
        elif isinstance(outcome, Failed):
            self._under_way.pop(outcome.document_id, None)
            self._failed.add(id_bytes(outcome.document_id))

    def _take_over(self, place: Place) -> None:
        start, end = self._pending
        if place.start != end:
            self._write_pending()
            start = place.start
        self._pending = (start, place.start + place.size)

    def _write_pending(self) -> Sink:
        """Copy what is unchanged up to here, and give where the next records go."""
        sink = self._sink or self._open()
        start, end = self._pending
        if start < end and self._records is not None:
            for records in self._records.between(start, end):
                sink.add(records)
        self._pending = (end, end)
        return sink

    def _open(self) -> Sink:
        self._replacement = Replacement(self._target, self._asked)
        self._stack.callback(self._replacement.discard)
        self._sink = self._writing.enter_context(
            writing_to(Counted(self._replacement.stream, self._digest), self._form)
        )
        return self._sink

    def finish(self) -> None:
        """Put everything in its place: the changes, the output, and last the state, which makes it true."""
        self.removed = [key.decode("utf-8", "surrogatepass") for key in self._places if key not in self._failed]
        if self._changes is not None:
            for key, place in self._places.items():
                self._changes.without(key.decode("utf-8", "surrogatepass"), place.marks)
            self._changes.replacement.seal()
        untouched = self._sink is None and self._pending == (0, self._old_size) and not self._places
        if not untouched:
            self._write_pending()
        self._writing.close()
        if self._records is not None:
            self._records.close()
        if self._changes is not None and untouched:
            self._changes.replacement.take_place()
        if self._replacement is not None and not untouched:
            self._commit(self._replacement)

    def _commit(self, replacement: Replacement) -> None:
        replacement.seal()
        state = Replacement(state_path(self._target), state_path(self._asked))
        self._stack.callback(state.discard)
        self._state.write(state.stream, replacement.path, self._digest.hexdigest(), form=self._form, spec=self._spec)
        state.seal()
        second = Second.of(self._target)
        try:
            second.keep(self._target, with_state=self._records is not None)
            if self._changes is not None:
                self._changes.replacement.take_place()
            replacement.take_place()
            state.take_place()
            _sync_folder(self._target)
        except OSError:
            recover(self._target)
            raise
        second.forget()


def _sync_folder(path: Path) -> None:
    """Put the new names on the disk before the old ones go; where folders cannot be opened that is so already."""
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class _Changes:
    """Writes what an index has to delete and to take in, so that it holds what the output holds."""

    def __init__(self, stack: ExitStack, path: Path, form: str) -> None:
        self._form = form
        self.replacement = Replacement(real(path), path)
        stack.callback(self.replacement.discard)

    def of(self, outcome: Chunked, old: bytes) -> None:
        """Write the changes of a document that was chunked."""
        gone, upserts = changed(old, outcome.marks)
        self._delete(outcome.document_id, gone)
        for place, embed in upserts.items():
            mark = outcome.marks[place * 32 : place * 32 + 16].hex()
            about = json_line({"op": "upsert", "id": mark, "embed": embed}).rstrip(b"}\n")
            record = (
                outcome.records[place].rstrip(b"\n")
                if self._form == "lines"
                else msgspec.json.encode(outcome.records.slice(place, 1).to_pylist()[0])
            )
            self.replacement.stream.write(about + b',"record":' + record + b"}\n")

    def without(self, document_id: str, marks: bytes) -> None:
        """Write that a document has no chunks any longer."""
        self._delete(document_id, changed(marks, b"")[0])

    def _delete(self, document_id: str, ids: Iterable[bytes]) -> None:
        for chunk_id in ids:
            self.replacement.stream.write(json_line({"op": "delete", "id": chunk_id.hex(), "document_id": document_id}))


class OldRecords(Protocol):
    """Reads records of the old output."""

    def reachable(self, place: Place) -> bool:
        """Say whether reading there costs less than chunking again."""

    def between(self, start: int, end: int) -> Iterator[Any]:
        """Read a stretch, as what a sink takes."""

    def close(self) -> None:
        """Let go of the file."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class OldLines:
    """The old output as JSON Lines, which can be read anywhere."""

    def __init__(self, path: Path) -> None:
        self._stream: IO[bytes] = path.open("rb")

    def reachable(self, place: Place) -> bool:  # noqa: ARG002
        """Anywhere."""
        return True

    def between(self, start: int, end: int) -> Iterator[list[bytes]]:
        """Read a stretch in pieces, which need not end where lines do."""
        for at in range(start, end, _PIECE):
            self._stream.seek(at)
            yield [self._stream.read(min(_PIECE, end - at))]

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class OldRows:
    """The old output as Parquet, which is read a row group at a time.

    Documents that come in another order than they stand there would read the same groups again and again; after as many
    steps back as there are groups they are chunked anew instead, with the same result.
    """

    def __init__(self, path: Path) -> None:
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415  heavy

        self._file = ParquetFile(path)
        about = self._file.metadata
        groups = range(about.num_row_groups)
        self._starts = list(accumulate((about.row_group(group).num_rows for group in groups), initial=0))
        self._steps_back_left = len(self._starts) + _STEPS_BACK
        self._last = 0
        self._groups: dict[int, Any] = {}

    def reachable(self, place: Place) -> bool:
        """Say whether reading there costs less than chunking again."""
        group = self._group_at(place.start)
        if group < self._last:
            if not self._steps_back_left:
                return False
            self._steps_back_left -= 1
        self._last = group
        return True

    def between(self, start: int, end: int) -> Iterator[Any]:
        """Read a stretch in pieces, each within a row group."""
        while start < end:
            group = self._group_at(start)
            first, after = self._starts[group], self._starts[group + 1]
            stop = min(end, after)
            yield from self._read(group).slice(start - first, stop - start).to_batches()
            start = stop

    def _group_at(self, row: int) -> int:
        return bisect_right(self._starts, row) - 1

    def _read(self, group: int) -> Any:
        """Read a row group; the two read last are kept, since copying is some batches behind comparing."""
        if group not in self._groups:
            if len(self._groups) > 1:
                self._groups.pop(next(iter(self._groups)))
            self._groups[group] = self._file.read_row_group(group)
        return self._groups[group]

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
