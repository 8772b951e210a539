"""What did an earlier run write, and what of it still holds?

Beside the output stands its state: for each document a fingerprint of all that its chunks depend on, where its records
are in the output, and a mark of each chunk. The state names the output it describes by size and digest, so that it is
never believed of another file.

While a run replaces the output and its state, the old ones have second names. A run that is killed there is undone by
the next one, which finds those names and gives them back. So a run has happened when they are gone, and after one that
was killed the next does what that would have done.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path
from struct import pack
from typing import IO, TYPE_CHECKING, NamedTuple

import msgspec

from spanwise.chunks import id_bytes
from spanwise.corpus.writing import json_line
from spanwise.documents import thawed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanwise.chunks import Chunk
    from spanwise.documents import Document

__all__ = [
    "Fingerprints",
    "Mark",
    "Old",
    "Place",
    "Second",
    "StateBody",
    "changed",
    "load",
    "marks_of",
    "real",
    "recover",
    "state_path",
]

_FORMAT = 2
_MAGIC = b"spanwise-state\n"
_DIGEST = 16
_MARK = 32
_PIECE = 2**20


class Mark(NamedTuple):
    """What is remembered of a chunk: its id, a digest of its record, and one of its context."""

    id: bytes
    record: bytes
    context: bytes


class Place(NamedTuple):
    """Where the records of a document are in an output (bytes of JSON Lines, rows of Parquet), and what they are."""

    start: int
    size: int
    fingerprint: bytes
    usual: float
    """How many tokens a chunk held on average when the document was last chunked as a whole."""
    marks: bytes

    @property
    def chunks(self) -> int:
        """How many chunks the document has."""
        return len(self.marks) // _MARK


class Old(NamedTuple):
    """What an earlier run made: how, and where each document is, by the bytes of its id, in the order of the output."""

    spec: str
    places: dict[bytes, Place]
    size: int


class _Header(msgspec.Struct):
    format: int
    form: str
    spec: str
    size: int
    modified: int
    """Nanoseconds."""
    digest: str
    body: str


class _Entry(msgspec.Struct, array_like=True, gc=False):
    id: bytes
    fingerprint: bytes
    size: int
    usual: float
    marks: bytes


def state_path(target: Path) -> Path:
    """Say where the state of an output is."""
    return target.with_name(f"{target.name}.spanwise-state")


class Second(NamedTuple):
    """The second names that an output and its state have while they are replaced."""

    output: Path
    state: Path

    @classmethod
    def of(cls, target: Path) -> Second:
        """Give those of an output."""
        names = (f".{target.name}.spanwise-before", f".{state_path(target).name}-before")
        return cls(*map(target.with_name, names))

    def keep(self, target: Path, *, with_state: bool) -> None:
        """Give the old output and its state their second names; an empty state says that there was none."""
        if with_state:
            _name_again(state_path(target), self.state)  # first: without it the other is no second name of anything
            _name_again(target, self.output)
        else:
            self.state.touch()

    def forget(self) -> None:
        """Let the old ones go: the run has happened."""
        self.state.unlink(missing_ok=True)
        self.output.unlink(missing_ok=True)


def _name_again(path: Path, second: Path) -> None:
    """Give a file a second name, or another where the file system knows one name for a file."""
    second.unlink(missing_ok=True)
    try:
        os.link(path, second)
    except OSError:
        path.replace(second)


def recover(target: Path) -> None:
    """Undo a run that was killed while it replaced the output and the state."""
    second = Second.of(target)
    if not second.state.exists():
        second.output.unlink(missing_ok=True)
    elif second.state.stat().st_size == 0:
        state_path(target).unlink(missing_ok=True)
        second.state.unlink()
    else:
        if second.output.exists():
            _give_back(second.output, target)
        _give_back(second.state, state_path(target))


def _give_back(second: Path, path: Path) -> None:
    """Put a file back under its name; where both names are of one file, replacing does nothing."""
    second.replace(path)
    second.unlink(missing_ok=True)


class Fingerprints:
    """Digests of all that the chunks of a document depend on, but its id; `spec` is what all documents share."""

    def __init__(self, spec: str) -> None:
        self._begun = blake2b(id_bytes(spec) + b"\0", digest_size=_DIGEST)

    def of(self, document: Document, origin: bytes = b"") -> bytes:
        """Give that of a document; `origin` stands for what a loader has kept of its file besides the text."""
        media_type = id_bytes(document.media_type)
        metadata = json_line({"metadata": thawed(document.metadata)})
        digest = self._begun.copy()
        digest.update(pack(">3Q", len(media_type), len(metadata), len(origin)) + media_type + metadata + origin)
        digest.update(id_bytes(document.text))
        return digest.digest()


def marks_of(chunks: Sequence[Chunk], records: list[bytes]) -> bytes:
    """Give the marks of chunks, one after another."""
    return b"".join(
        bytes.fromhex(chunk.id) + _short(record + repr(chunk.sections).encode()) + _short(id_bytes(chunk.context))
        for chunk, record in zip(chunks, records, strict=True)
    )


def _short(content: bytes) -> bytes:
    return blake2b(content, digest_size=8).digest()


def marks_in(marks: bytes) -> Iterator[Mark]:
    """Take marks apart."""
    for at in range(0, len(marks), _MARK):
        yield Mark(marks[at : at + 16], marks[at + 16 : at + 24], marks[at + 24 : at + 32])


class StateBody:
    """Gathers what a state says of each document, as it will be written."""

    def __init__(self) -> None:
        self._entries = bytearray()
        self._encode = msgspec.msgpack.Encoder().encode
        self.documents = 0
        self.size = 0

    def add(self, key: bytes, fingerprint: bytes, size: int, usual: float, marks: bytes) -> None:
        """Add the next document of the output; `size` is that of its records."""
        self._entries += self._encode(_Entry(key, fingerprint, size, usual, marks))
        self.documents += 1
        self.size += size

    def write(self, stream: IO[bytes], output: Path, digest: str, *, form: str, spec: str) -> None:
        """Write the state of an output that is complete under this path, and will be renamed."""
        about = output.stat()
        body = b"\xdd" + self.documents.to_bytes(4, "big") + self._entries  # an array of msgpack
        header = _Header(
            format=_FORMAT,
            form=form,
            spec=spec,
            size=about.st_size,
            modified=about.st_mtime_ns,
            digest=digest,
            body=blake2b(body, digest_size=_DIGEST).hexdigest(),
        )
        stream.write(_MAGIC + json_line(msgspec.structs.asdict(header)))
        stream.write(body)


def load(target: Path, form: str) -> Old | None:
    """Read the state of an output; None where there is none, or it is of another file, or broken."""
    try:
        with state_path(target).open("rb") as stream:
            header = _header(stream)
            if header is None or header.form != form or not _describes(header, target):
                return None
            body = stream.read()
    except OSError:
        return None
    if blake2b(body, digest_size=_DIGEST).hexdigest() != header.body:
        return None
    places: dict[bytes, Place] = {}
    start = 0
    for entry in msgspec.msgpack.decode(body, type=list[_Entry]):
        places[entry.id] = Place(start, entry.size, entry.fingerprint, entry.usual, entry.marks)
        start += entry.size
    return Old(header.spec, places, start)


def _header(stream: IO[bytes]) -> _Header | None:
    if stream.readline(len(_MAGIC)) != _MAGIC:
        return None
    try:
        header = msgspec.json.decode(stream.readline(), type=_Header)
    except msgspec.DecodeError:
        return None
    return header if header.format == _FORMAT else None


def _describes(header: _Header, path: Path) -> bool:
    """Say whether a state is of this file; what was copied since is known by its content."""
    try:
        about = path.stat()
        if about.st_size != header.size:
            return False
        return about.st_mtime_ns == header.modified or _digest(path) == header.digest
    except OSError:
        return False


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=_DIGEST)
    with path.open("rb") as stream:
        for piece in iter(lambda: stream.read(_PIECE), b""):
            digest.update(piece)
    return digest.hexdigest()


def changed(old: bytes, new: bytes) -> tuple[list[bytes], dict[int, bool]]:
    """Compare the marks of a document: which ids are gone, and which chunks are new or have another record.

    The latter by their place, with whether they have to be embedded anew: an id tells the text, and the context is
    compared.
    """
    before = {mark.id: mark for mark in marks_in(old)}
    upserts: dict[int, bool] = {}
    for place, mark in enumerate(marks_in(new)):
        known = before.pop(mark.id, None)
        if known != mark:
            upserts[place] = known is None or known.context != mark.context
    return list(before), upserts


def real(path: Path) -> Path:
    """Say where a path leads: beside that file its state stands."""
    return Path(os.path.realpath(path))
