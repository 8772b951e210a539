"""How do chunks get into a file so that no one ever reads half of it?

JSON Lines go to a temporary file in the same folder, which takes the name of the output only when all is written and
on the disk. If the run dies, an output that was there before is untouched.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from spanwise.errors import ConfigurationError, SpanwiseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["json_line", "open_output"]


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
    return json.dumps(plain, ensure_ascii=True).encode()


@contextmanager
def open_output(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name when the block ends without an error, and not at all otherwise.

    What is there and no regular file (a pipe, `/dev/null`) is written to as it is. A link stays a link; what it leads
    to is replaced. The permissions of a file that is replaced stay.

    Raises:
        ConfigurationError: where the folder does not exist or cannot be written to.
        SpanwiseError: where writing fails later, as on a full disk.
    """
    try:
        with _opened_output(path) as stream:
            yield stream
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
    # hidden, so that a later run over the same folder does not take it for a document
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    stream = _opened(temporary, path, "xb")
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _opened(path: Path, asked: Path, mode: str) -> IO[bytes]:
    try:
        return path.open(mode)
    except OSError as error:
        raise ConfigurationError(f"cannot write {str(asked)!r}: {error.strerror}") from error
