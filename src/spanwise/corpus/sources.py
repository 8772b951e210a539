"""Which documents do these arguments mean, and what is their text?

An argument is a file, a folder, a pattern with wildcards, or `-` for standard input. A document's id is what makes
the ids of its chunks, so it must not depend on where the command runs: below a folder it is the path from that
folder, with `/`; for a file or a pattern it is the path as written.
"""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from spanwise.corpus.patterns import Pattern, is_pattern, pattern_of
from spanwise.corpus.suffixes import is_text_name, table_kind
from spanwise.documents import Document
from spanwise.errors import ConfigurationError, DocumentError, near, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from spanwise.corpus.suffixes import TableKind

__all__ = ["MAX_BYTES", "STANDARD_INPUT", "Found", "Source", "decoded", "find", "is_binary", "read_bytes"]

MAX_BYTES = 64 * 2**20
"""The largest document that is read unless another limit is given; larger ones are mostly dumps, not documents."""

STANDARD_INPUT = "-"
_SNIFFED = 8192


class Source(msgspec.Struct, frozen=True):
    """Where a document is: its id, its file (None for standard input), and whether it was named one by one.

    `table` is what a file of many documents is, "parquet" or "jsonl"; "" where the file is one document. `groups` are
    the row groups of Parquet that are meant, from the first up to the second, or None for all.
    """

    id: str
    path: Path | None
    named: bool = False
    table: TableKind = ""
    groups: tuple[int, int] | None = None


class Found(msgspec.Struct, frozen=True):
    """The documents that arguments mean, in order, and how many files were left out, by reason."""

    sources: tuple[Source, ...]
    skipped: Mapping[str, int]


class _Entry(msgspec.Struct, frozen=True):
    path: Path
    below: str


def find(arguments: Iterable[str], *, without: Iterable[Path] = (), tables: bool = False) -> Found:
    """Find the documents, each once; folders are walked in the order of their names.

    Left out and counted: hidden files and folders, Lance tables, files whose suffix is none of a text, broken links,
    links that lead back to a folder already walked, what is neither file nor folder, and the files `without` (where the
    run itself writes). With `tables` a file of JSON Lines holds one document a line, and folders are searched for
    Parquet files too.

    Raises:
        ConfigurationError: for a path that does not exist, a path that is empty, a pattern that matches nothing,
            standard input that is closed, or two files that would have the same document id.
    """
    search = _Search(without, tables=tables)
    for argument in arguments:
        search.add(argument)
    return Found(tuple(search.sources), dict(sorted(search.skipped.items())))


class _Search:
    """Gathers sources; knows what it has met, so that nothing is given twice."""

    def __init__(self, without: Iterable[Path], *, tables: bool) -> None:
        self.sources: list[Source] = []
        self.skipped: Counter[str] = Counter()
        self._tables = tables
        self._without = {os.path.realpath(path) for path in without}
        self._ids: dict[str, str] = {}
        self._places: set[str] = set()

    def add(self, argument: str) -> None:
        """Add what one argument means."""
        path = Path(argument)
        if not argument:
            raise ConfigurationError("a path is empty, perhaps a variable that is not set; for the folder here write .")
        if argument == STANDARD_INPUT:
            if sys.stdin is None:
                raise ConfigurationError("standard input is closed, so - cannot be read; give a file or a pipe")
            table: TableKind = "jsonl" if self._tables else ""
            self._keep(Source(STANDARD_INPUT, None, named=True, table=table), STANDARD_INPUT)
        elif _exists(path) and path.is_dir():
            for entry in self._walk(path, None):
                self._add_entry(entry, entry.below, self._is_wanted(entry))
        elif _exists(path) or not is_pattern(argument):
            _check_exists(path)
            self._keep(Source(path.as_posix(), path, named=True, table=self._table_kind(path)), os.path.realpath(path))
        else:
            self._add_pattern(argument, pattern_of(argument))

    def _add_pattern(self, argument: str, pattern: Pattern) -> None:
        before = len(self.sources) + self.skipped.total()
        for entry in self._walk(Path(pattern.root), pattern):
            if pattern.below.fullmatch(entry.below):
                wanted = pattern.names_suffix or self._is_wanted(entry)
                self._add_entry(entry, entry.path.as_posix(), wanted)
        if len(self.sources) + self.skipped.total() == before:
            raise ConfigurationError(f"no file matches {shown(argument)}")

    def _add_entry(self, entry: _Entry, document_id: str, wanted: bool) -> None:  # noqa: FBT001
        place = os.path.realpath(entry.path)
        if wanted or place in self._without:
            self._keep(Source(document_id, entry.path, table=self._table_kind(entry.path)), place)
        else:
            self.skipped["other kind of file"] += 1

    def _is_wanted(self, entry: _Entry) -> bool:
        return is_text_name(entry.path.name) or (self._tables and table_kind(entry.path.name) != "")

    def _table_kind(self, path: Path) -> TableKind:
        """Give the kind of table a file is; JSON Lines are one document unless documents are sought in their lines."""
        kind = table_kind(path.name)
        return "" if kind == "jsonl" and not self._tables else kind

    def _keep(self, source: Source, place: str) -> None:
        if place in self._without:
            self.skipped["written by the run"] += 1
        elif place in self._places:
            self.skipped["the same file again"] += 1
        elif source.id in self._ids:
            raise ConfigurationError(
                f"{source.path} and {self._ids[source.id]} would both have the document id {source.id!r};"
                " name the folder that holds them both, or chunk one folder at a time"
            )
        else:
            self._places.add(place)
            self._ids[source.id] = str(source.path)
            self.sources.append(source)

    def _walk(self, root: Path, pattern: Pattern | None) -> Iterator[_Entry]:
        """Yield the files below a folder in the order of their names, with their path from there."""
        real = os.path.realpath(root)
        walked = {real}
        waiting = [_Entry(root, "")] if _exists(root) else []
        while waiting:
            entry = waiting.pop()
            if not entry.path.is_dir():
                yield entry
            elif pattern is None or pattern.goes_below(entry.below):
                waiting.extend(reversed(list(self._children(entry, real, walked, pattern))))

    def _children(self, folder: _Entry, root: str, walked: set[str], pattern: Pattern | None) -> Iterator[_Entry]:
        try:
            names = sorted(child.name for child in folder.path.iterdir())
        except OSError:
            self.skipped["not readable"] += 1
            return
        for name in names:
            child = _Entry(folder.path / name, f"{folder.below}/{name}" if folder.below else name)
            reason = _reason_to_skip(child.path, root, walked)
            if reason is None:
                yield child
            elif pattern is None or pattern.below.fullmatch(child.below):
                self.skipped[reason] += 1


def _reason_to_skip(path: Path, root: str, walked: set[str]) -> str | None:
    if path.name.startswith("."):
        return "hidden"
    try:
        mode = path.stat().st_mode
    except OSError:  # a link to nothing, or to itself
        return "broken link"
    if path.suffix == ".lance" and (path / "_versions").is_dir():
        return "Lance table"
    if stat.S_ISDIR(mode):
        return "link to a folder already walked" if path.is_symlink() and _met(path, root, walked) else None
    return None if stat.S_ISREG(mode) else "not a regular file"


def _met(link: Path, root: str, walked: set[str]) -> bool:
    """Say whether a link leads into the root, where everything is found under its own name, or where one did before."""
    target = os.path.realpath(link)
    inside = target == root or target.startswith(root.rstrip(os.sep) + os.sep)
    if inside or target in walked:
        return True
    walked.add(target)
    return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name longer than the file system takes: a text was given in place of a path
        return False


def _check_exists(path: Path) -> None:
    if not _exists(path):
        siblings = [sibling.name for sibling in path.parent.iterdir()] if _exists(path.parent) else []
        raise ConfigurationError(f"no such file or folder: {shown(str(path))}{near(path.name, siblings)}")


def is_binary(content: bytes, encoding: str = "utf-8") -> bool:
    """Say whether there is a NUL in the first 8 kB; encodings of wide units are full of them and never binary."""
    if codecs.lookup(encoding).name.startswith(("utf-16", "utf-32")):
        return False
    return b"\0" in content[:_SNIFFED]


def read_bytes(source: Source, *, max_bytes: int = MAX_BYTES) -> bytes:
    """Read what a source holds, and no more than the limit whatever the file system says of its size.

    Raises:
        DocumentError: the file cannot be opened, or is larger than `max_bytes`.
    """
    try:
        if source.path is None:
            content = sys.stdin.buffer.read(max_bytes + 1)
        else:
            with source.path.open("rb") as file:
                content = file.read(max_bytes + 1)
    except OSError as error:
        raise DocumentError(f"{source.id}: cannot be read: {error.strerror}") from error
    if len(content) > max_bytes:
        raise DocumentError(f"{source.id}: larger than the limit of {max_bytes:,} bytes; raise it with --max-bytes")
    return content


def decoded(source: Source, content: bytes, encoding: str = "utf-8") -> Document:
    """Make the document of a source, with every line end as it is.

    Raises:
        DocumentError: what it holds is no text in this encoding.
    """
    written = STANDARD_INPUT if source.path is None else source.path.as_posix()
    return Document.from_bytes(content, written, id=source.id, encoding=encoding)
