"""`spanwise diff`: what has to be embedded, updated and deleted."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click
import msgspec

from spanwise.cli.chunk import chunk_command
from spanwise.cli.report import complain
from spanwise.cli.request import Request, chunker_of, resolved_settings
from spanwise.corpus import Chunked, Failed, Found, Job, Read, Source, find, json_line, read, read_chunks, run
from spanwise.errors import ConfigurationError, SpanwiseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanwise.chunks import Chunk
    from spanwise.rechunk import Difference
    from spanwise.strategies.chunker import Chunker

__all__ = ["diff_command"]

_DIFFERENT = 1
_TROUBLE = 2
_OF_FILE = ("source", "file_name", "file_type")
_LINES_SUFFIXES = (".jsonl", ".ndjson")
_OF_CHUNK = frozenset(
    (
        "strategy",
        "max_tokens",
        "max_characters",
        "overlap_tokens",
        "overlap_characters",
        "counter",
        "option",
        "overflow",
        "trim",
        "blank",
        "structure",
        "context",
        "collection",
        "settings",
        "encoding",
        "max_bytes",
        "no_color",
    )
)
"""The options of `spanwise chunk` that say how documents are chunked."""

_EXAMPLES = """\b
Examples:
  spanwise diff chunks-of-may.jsonl chunks-of-june.jsonl     two files that spanwise chunk -o wrote
  spanwise diff chunks.jsonl docs/ --max-tokens 256          the chunks in the index, and the documents now
  spanwise diff old/handbook.md new/handbook.md              two versions of one document
  spanwise diff chunks.jsonl docs/ --json                    a line of JSON for each thing to do
\b
A and B are files of chunks, by their suffix .jsonl or .ndjson, else documents or folders, which are chunked. Two single
documents are versions of one; below folders, documents with the same path are.
With --json each line has `change` (added, changed, moved, removed), `id`, and but for removed `record`: embed and write
what is added or changed, write the fields of what is moved, delete what is removed.
Exit status, as that of diff: 0 nothing differs, 1 something does, 2 trouble.
"""


@click.command(
    name="diff",
    epilog=_EXAMPLES,
    params=[parameter for parameter in chunk_command.params if parameter.name in _OF_CHUNK],
)
@click.argument("old", metavar="A", type=click.Path(allow_dash=True))
@click.argument("new", metavar="B", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="JSON Lines: one object for each thing to do.")
@click.option("-v", "--verbose", count=True, help="List the chunks that only moved, too.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors; the exit status tells.")
@click.pass_context
def diff_command(context: click.Context, /, **given: Any) -> None:
    """Compare the chunks of A with those of B: what to embed, what to update, what to delete."""
    paths = given.pop("old"), given.pop("new")
    as_json = given.pop("as_json")
    request = msgspec.convert({**given, "paths": paths}, Request)
    try:
        difference = _difference(request)
    except ConfigurationError:
        raise
    except SpanwiseError as error:
        complain(f"error: {error}", color=not request.no_color)
        context.exit(_TROUBLE)
    if as_json:
        _write_lines(difference)
    elif not request.quiet:
        _print(difference, request)
    context.exit(_DIFFERENT if difference else 0)


class _Side(msgspec.Struct):
    """One of the two: chunks that were read, or documents to chunk."""

    chunks: list[Chunk] | None
    sources: tuple[Source, ...]

    def only_id(self) -> str | None:
        """Give the document id where there is one document alone."""
        if self.chunks is None:
            return self.sources[0].id if len(self.sources) == 1 and self.sources[0].named else None
        ids = {chunk.document_id for chunk in self.chunks}
        return ids.pop() if len(ids) == 1 else None


def _difference(request: Request) -> Difference:
    from spanwise.rechunk import diff  # noqa: PLC0415  --help must not load the engine

    if request.paths[0] == request.paths[1] == "-":
        raise click.UsageError("- is standard input, which can be read once alone")
    old, new = (_side(path) for path in request.paths)
    ids = old.only_id(), new.only_id()
    if None not in ids:  # two versions of one document
        of_chunks = ids[0] if old.chunks is not None else ids[1]
        for side in (old, new):
            side.sources = tuple(msgspec.structs.replace(source, id=of_chunks) for source in side.sources)
    chunker = None
    if old.chunks is None or new.chunks is None:
        chunker = chunker_of(resolved_settings(request))
    before, after = (list(_chunks(side, chunker, request)) for side in (old, new))
    return diff(before if old.chunks is not None or new.chunks is not None else _as_if_in_place(before, after), after)


def _as_if_in_place(before: Sequence[Chunk], after: Sequence[Chunk]) -> Iterator[Chunk]:
    """Give chunks the metadata of their documents now: where a version lies on the disk is no difference."""
    now = {chunk.document_id: {key: chunk.metadata[key] for key in _OF_FILE} for chunk in after}
    for chunk in before:
        yield msgspec.structs.replace(chunk, metadata={**chunk.metadata, **now.get(chunk.document_id, {})})


def _side(path: str) -> _Side:
    if path.lower().endswith(_LINES_SUFFIXES) and not os.path.isdir(path):  # noqa: PTH112  Path raises for what is too long
        return _Side(list(read_chunks(path)), ())
    found: Found = find([path])
    return _Side(None, found.sources)


def _chunks(side: _Side, chunker: Chunker | None, request: Request) -> Iterator[Chunk]:
    if side.chunks is not None or chunker is None:
        yield from side.chunks or ()
        return
    found = read(side.sources, encoding=request.encoding, max_bytes=request.max_bytes)
    for outcome in run(chunker, (Job(each.document) if isinstance(each, Read) else each for each in found)):
        if isinstance(outcome, Failed):
            raise outcome.error
        if isinstance(outcome, Chunked):
            yield from outcome.records


def _write_lines(difference: Difference) -> None:
    write = sys.stdout.buffer.write
    for change in ("added", "changed", "moved"):
        for chunk in getattr(difference, change):
            write(json_line({"change": change, "id": chunk.id, "record": chunk.record()}))
    for key in difference.deletes():
        write(json_line({"change": "removed", "id": key}))
    sys.stdout.buffer.flush()


def _print(difference: Difference, request: Request) -> None:
    from spanwise.cli.table import console_on, print_changes  # noqa: PLC0415  JSON Lines need no rich

    listed: list[tuple[str, Sequence[Chunk]]] = [
        ("added", difference.added),
        ("changed", difference.changed),
        ("removed", difference.removed),
    ]
    if request.verbose:
        listed.append(("moved", difference.moved))
    if any(chunks for _, chunks in listed):
        print_changes(console_on(color=not request.no_color), listed)
    counts = [f"{len(getattr(difference, name)):,} {name}" for name in ("added", "changed", "moved", "removed", "kept")]
    sys.stdout.write(" · ".join(counts) + "\n")
