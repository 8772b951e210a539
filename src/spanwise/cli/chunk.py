"""`spanwise chunk`: cut documents into chunks, and show or write them."""

from __future__ import annotations

import json
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from click.core import ParameterSource

from spanwise import __version__
from spanwise.arrow import Columns
from spanwise.cli.report import ceiling_line, complain, settings_line, summary_lines, watched
from spanwise.cli.request import SETTINGS_FILE, Request, chunker_of, option_of, resolved_settings, written_format
from spanwise.corpus import MAX_BYTES, Chunked, Failed, Output, Summary, find, open_run, read, run
from spanwise.corpus.state import real
from spanwise.corpus.tables import number_of_documents
from spanwise.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from spanwise.corpus import Found, Outcome, Read, Skipped
    from spanwise.settings.resolve import Resolved
    from spanwise.strategies.chunker import Chunker

__all__ = ["chunk_command"]

_STANDARD_OUTPUT = "-"
_MOST_HELD_BACK = 1000
_COUNTERS = ("cl100k_base", "o200k_base", "characters")


def _strategy_names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from spanwise.strategies.registry import strategies  # noqa: PLC0415  only completion needs them

    return [info.name for info in strategies() if info.name.startswith(incomplete)]


def _counter_names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in _COUNTERS if name.startswith(incomplete)]


def _format_names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from spanwise.formats.reading import format_names  # noqa: PLC0415  only completion needs them

    return [name for name in format_names() if name.startswith(incomplete)]


def _options(_context: click.Context, _parameter: click.Parameter, written: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(option_of(option) for option in written)


_EXAMPLES = """\b
Examples:
  spanwise chunk handbook.md                         a table of its chunks
  spanwise chunk docs/ -o chunks.jsonl               every text below docs/, one JSON object a line
  spanwise chunk docs.parquet -o chunks.parquet      the column `text` of each row is a document
  spanwise chunk dump.jsonl --text-column body --id-column url -o chunks.parquet --workers 4
  spanwise chunk corpus/ --engine ray -o chunks      Parquet files on a Ray cluster, into a folder of Parquet files
  spanwise chunk 'docs/**/*.md' --max-tokens 256 --overlap-tokens 32 --strategy sentences
  spanwise chunk notes.txt --strategy recursive --max-characters 800 --overlap-characters 100
  curl -s https://example.org/a.txt | spanwise chunk - --format jsonl
  spanwise chunk docs/ --collection handbook         as [collections.handbook] of spanwise.toml says
\b
Summary: fill is the mean share of the budget that is used, the last chunk of each document apart.
Exit status: 0 all is well, 1 a document could not be chunked or broke a promise, or the output could not be written,
2 wrong arguments or settings, or a package is missing, 130 interrupted, 141 nobody reads the output any longer.
Settings: arguments beat the variables SPANWISE_MAX_TOKENS and so on, those beat spanwise.toml, that beats the defaults.
"""


@click.command(name="chunk", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(allow_dash=True))
@click.option(
    "--strategy",
    metavar="NAME",
    shell_complete=_strategy_names,
    help="How to cut. `spanwise strategies` lists them. Default: structural.",
)
@click.option(
    "--max-tokens", type=click.IntRange(min=1), metavar="N", help="The most tokens a chunk may hold. Default: 512."
)
@click.option(
    "--max-characters",
    type=click.IntRange(min=1),
    metavar="N",
    help="The most characters a chunk may hold, instead of tokens or besides.",
)
@click.option(
    "--overlap-tokens",
    type=click.IntRange(min=0),
    metavar="N",
    help="How many tokens a chunk may repeat of the one before.",
)
@click.option("--overlap-characters", type=click.IntRange(min=0), metavar="N", help="The same in characters.")
@click.option(
    "--counter",
    metavar="NAME|FILE",
    shell_complete=_counter_names,
    help="Whose tokens: cl100k_base (default), o200k_base, characters, or the path of a tokenizer.json.",
)
@click.option(
    "--option",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_options,
    help="An option of the strategy, as min_fill=0.5; may be repeated.",
)
@click.option(
    "--overflow",
    type=click.Choice(["refuse", "split"]),
    help="What to do with a single word over the budget. Default: refuse the document.",
)
@click.option("--trim/--no-trim", default=None, help="Leave out white space at both ends of chunks.")
@click.option(
    "--blank", type=click.Choice(["drop", "keep"]), help="What to do with chunks of white space alone. Default: drop."
)
@click.option(
    "--structure",
    metavar="NAME",
    shell_complete=_format_names,
    help="The format of the documents: markdown, html, json, clauses, chat, log, plain … Default: auto, by the name of "
    "the file, else by what the text looks like.",
)
@click.option(
    "--context",
    type=click.Choice(["none", "section", "table", "both"]),
    help="What to put before each chunk where it is indexed: the section path, the header of a table. Default: none.",
)
@click.option(
    "--ceiling",
    type=click.IntRange(min=1),
    metavar="N",
    help="The most tokens that the embedder reads; chunks that come near it are told of. Changes no chunk.",
)
@click.option(
    "--warn-at",
    type=click.FloatRange(min=0, max=1, min_open=True),
    metavar="SHARE",
    help="From which share of the ceiling on a chunk is near it. Default: 0.9375, 480 of 512.",
)
@click.option(
    "--ceiling-counter",
    metavar="NAME|FILE",
    shell_complete=_counter_names,
    help="Whose tokens the ceiling is in. Default: those of --counter.",
)
@click.option(
    "--text-column",
    metavar="NAME",
    help="Each row of Parquet files and each line of JSON Lines is a document, and this column its text; the other "
    "columns are metadata. Default for Parquet: text.",
)
@click.option(
    "--id-column",
    metavar="NAME",
    help="The column of the ids of such documents. Default: id where there is one, else file:row.",
)
@click.option("--collection", metavar="NAME", help="Chunk as a collection of the settings file says.")
@click.option(
    "--settings",
    metavar="FILE",
    type=click.Path(),
    help=f"The settings file. Default: {SETTINGS_FILE}, if there is one here.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE.jsonl|FILE.parquet|NAME.lance",
    type=click.Path(),
    help="Write the chunks to a file or a Lance table, which appears only when all is written; - is standard output.",
)
@click.option(
    "--format",
    type=click.Choice(["table", "jsonl", "parquet", "lance"]),
    help="Default: by the suffix of -o, else table.",
)
@click.option(
    "--changes",
    metavar="FILE.jsonl",
    type=click.Path(),
    help="Write what an index has to take in and to delete since the run before.",
)
@click.option(
    "--state/--no-state",
    default=True,
    help="With -o, remember in FILE.spanwise-state what was made of which document, and chunk only what has changed "
    "since. Default: --state.",
)
@click.option(
    "--rechunk/--no-rechunk",
    default=True,
    help="Keep the chunks of unchanged text where a document has changed; without, it is chunked as if for the first "
    "time. Default: --rechunk.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many processes share the work; the chunks are the same. Default: 1, or all there is room for on Ray.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Who does the work. ray: Parquet files, on the cluster that RAY_ADDRESS names, else on a Ray of this machine; "
    "-o is a folder, and there is no state.",
)
@click.option(
    "--verify", is_flag=True, help="Check every promise on the chunks made, and exit with 1 if one is broken."
)
@click.option("-v", "--verbose", count=True, help="Show the beginning of each chunk; -vv: its whole text.")
@click.option(
    "-q", "--quiet", is_flag=True, help="Show errors alone: no table, no summary. JSON Lines are written all the same."
)
@click.option("--encoding", default="utf-8", metavar="NAME", show_default=True, help="How the documents are encoded.")
@click.option(
    "--max-bytes",
    type=click.IntRange(min=1),
    default=MAX_BYTES,
    metavar="N",
    help="Refuse larger documents. Default: 67108864 (64 MB).",
)
@click.option("--no-color", is_flag=True, help="No colors; so does the variable NO_COLOR.")
@click.pass_context
def chunk_command(context: click.Context, /, **given: Any) -> None:
    """Cut documents into chunks, and show or write them.

    PATH is a file, a folder (every text below it), a quoted pattern such as 'docs/**/*.md', or - for standard input.
    """
    request = msgspec.convert(given, Request)
    if request.engine == "ray":
        _check_for_ray(request, asks_state=_is_given(context, "state") and request.state)
    if request.target == "lance":
        _check_for_lance(request, [flag for flag in ("state", "rechunk") if given[flag] and _is_given(context, flag)])
    _check_output(request)
    if request.engine == "local":
        _check_name(request)
    if request.output == _STANDARD_OUTPUT:
        request = msgspec.structs.replace(request, output=None, format="jsonl")
    if not _chunk(request):
        context.exit(1)


def _is_given(context: click.Context, parameter: str) -> bool:
    return context.get_parameter_source(parameter) is not ParameterSource.DEFAULT


def _check_for_ray(request: Request, *, asks_state: bool) -> None:
    """Refuse what does not go together with --engine ray."""
    if request.output is None or request.output == _STANDARD_OUTPUT:
        raise ConfigurationError("--engine ray needs a folder to write to: -o FOLDER")
    if request.target == "lance":
        raise ConfigurationError(
            "--engine ray writes a folder of Parquet files, no Lance table; leave out --engine ray, or write -o FOLDER"
        )
    if request.changes is not None or asks_state:
        flag = "--state" if request.changes is None else "--changes"
        raise ConfigurationError(
            f"{flag}: a run with --engine ray keeps no state and chunks everything; leave out {flag}, or --engine ray"
        )


def _check_for_lance(request: Request, asked: list[str]) -> None:
    """Refuse what does not go together with a Lance table."""
    if request.output is None or not request.output.rstrip("/").endswith(".lance"):
        named = "" if request.output is None else f", not {request.output}"
        raise ConfigurationError(f"a Lance table is a folder NAME.lance{named}: -o NAME.lance")
    flags = [*([] if request.changes is None else ["changes"]), *asked]
    if flags:
        raise ConfigurationError(
            f"--{flags[0]}: a Lance table keeps no state and each run writes all of it; leave out --{flags[0]}, "
            "or write -o FILE.parquet"
        )


def _check_output(request: Request) -> None:
    """Refuse, before anything is read, what could not be written at the end."""
    if request.quiet and request.verbose:
        raise click.UsageError("-q and -v contradict each other")
    try:
        "".encode(request.encoding)
    except (LookupError, ValueError):  # "undefined" is a codec that refuses even the empty text
        raise ConfigurationError(f"--encoding: Python knows no text encoding {request.encoding!r}") from None
    if request.id_column is not None and request.id_column == (request.text_column or Columns().text):
        raise ConfigurationError(f"--id-column {request.id_column}: that is the column of the texts; name another")
    if request.form == "rows" and request.output in {None, _STANDARD_OUTPUT}:
        raise ConfigurationError("--format parquet needs a file to write to: -o FILE.parquet")
    if request.changes is not None and (not request.keeps_state or request.output == _STANDARD_OUTPUT):
        raise ConfigurationError("--changes tells what is new since the run before: it needs -o FILE and its state")
    if request.changes is not None and real(Path(request.changes)) == real(Path(request.output or "")):
        raise ConfigurationError(f"--changes {request.changes}: that is the output itself; name another file")
    if request.output is not None and request.format == "table":
        raise ConfigurationError("-o writes records; to keep a table, send it there: spanwise chunk … > FILE")


def _check_name(request: Request) -> None:
    if request.output is None:
        return
    if request.format is None and request.output != _STANDARD_OUTPUT and written_format(request.output) is None:
        raise ConfigurationError(
            f"-o {request.output}: by the suffix of the file, only .jsonl and .ndjson (JSON Lines), .parquet and "
            ".lance can be written; with --format jsonl or --format parquet the name is free"
        )


def _chunk(request: Request) -> bool:
    """Chunk all documents; say whether each could be and, with --verify, kept the promises."""
    from spanwise.settings.environment import verbosity_from_environment  # noqa: PLC0415  --help must stay quick

    verbosity = request.verbose or verbosity_from_environment()
    resolved = resolved_settings(request)
    chunker = chunker_of(resolved)
    found = find(request.paths, without=request.written, tables=request.seeks_tables)
    others = [source.id for source in found.sources if source.table != "parquet"]
    if request.engine == "ray" and (others or not found.sources):
        named = f"{others[0]!r} is none" if others else "there is none"
        raise ConfigurationError(f"--engine ray reads Parquet files alone, and {named}; leave it out for others")
    if request.seeks_tables and not any(source.table for source in found.sources):
        raise ConfigurationError(
            "--text-column and --id-column are for tables of documents, and nothing here is one: .parquet, .jsonl or "
            ".ndjson"
        )
    whole = _Run(request, resolved, chunker, verbosity)
    if request.engine == "local":
        return whole.over(found)
    return whole.on_ray(found)


class _Run:
    """One run of the command: where chunks go, what is said of them, and whether all went well."""

    def __init__(self, request: Request, resolved: dict[str, Resolved], chunker: Chunker, verbosity: int) -> None:
        self._request = request
        self._resolved = resolved
        self._chunker = chunker
        self._verbosity = verbosity
        self._color = not request.no_color
        self._unit = "characters" if chunker.counter.name == "characters" else "tokens"
        self._summary = Summary()
        self._kept = True
        self._holds_back = request.form == "chunks"
        self._held_back: list[str] = []

    def over(self, found: Found) -> bool:
        """Chunk what was found, then sum up."""
        with self._output() as output, closing(self._outcomes(output, found)) as outcomes:
            try:
                for outcome in self._watched(outcomes, found):
                    self._take(outcome)
                    output.add(outcome)
            except BaseException:
                self._report()
                raise
        self._summary.removed = output.removed
        return self._ended(found)

    def on_ray(self, found: Found) -> bool:
        """Chunk Parquet files on Ray, then sum up."""
        from spanwise.corpus.ray import PartsRun, chunk_parts, folder_of_parts, started  # noqa: PLC0415  seldom asked for

        request = self._request
        choices = PartsRun(self._chunker, request.form, self._columns, request.verify, request.max_bytes)
        with folder_of_parts(Path(request.output or "")) as folder, started():
            try:
                for told in chunk_parts(choices, found.sources, folder, workers=request.workers):
                    self._summary.join(told.summary)
                    for outcome in told.outcomes:
                        self._tell(outcome)
            except BaseException:
                self._report()
                raise
        return self._ended(found)

    def _ended(self, found: Found) -> bool:
        if not self._request.quiet:
            self._sum_up(found)
        self._report()
        return self._kept and not self._summary.failures

    def _outcomes(self, output: Output, found: Found) -> Generator[Outcome, None, None]:
        request = self._request
        items = output.items(self._read(found))
        options = {"verify": request.verify, "marked": request.keeps_state}
        return run(self._chunker, items, form=request.form, workers=request.workers or 1, **options)

    def _watched(self, outcomes: Iterable[Outcome], found: Found) -> Iterable[Outcome]:
        """Show how far the run is, where a terminal is there for it."""
        shows_chunks = self._request.output is None and sys.stdout.isatty()
        if not sys.stderr.isatty() or shows_chunks or self._request.quiet:
            return outcomes
        self._holds_back = True
        return watched(outcomes, lambda: sum(map(number_of_documents, found.sources)))

    @property
    def _columns(self) -> Columns:
        return Columns(self._request.text_column or Columns().text, self._request.id_column)

    def _read(self, found: Found) -> Iterator[Read | Failed | Skipped]:
        request = self._request
        return read(found.sources, columns=self._columns, encoding=request.encoding, max_bytes=request.max_bytes)

    def _take(self, outcome: Outcome) -> None:
        self._summary.add(outcome)
        self._tell(outcome)

    def _tell(self, outcome: Outcome) -> None:
        if isinstance(outcome, Failed):
            self._complain(_reason(outcome))
        elif isinstance(outcome, Chunked):
            for violation in outcome.violations:
                self._kept = False
                self._complain(f"{outcome.document_id}: breaks {violation.promise}: {violation.message}")

    def _complain(self, message: str) -> None:
        """Say what went wrong; among tables or below a bar of progress nobody would see it, so there at the end."""
        if self._holds_back and len(self._held_back) < _MOST_HELD_BACK:
            self._held_back.append(message)
        else:
            complain(message, color=self._color)

    def _report(self) -> None:
        for message in self._held_back:
            complain(message, color=self._color)

    @contextmanager
    def _output(self) -> Iterator[Output]:
        """Open where chunks go."""
        request = self._request
        if request.form == "chunks":
            yield Output(self._table() if not request.quiet else lambda _: None)
        elif request.output is None:
            yield Output(_to_terminal if sys.stdout.isatty() else _to_pipe)
            sys.stdout.buffer.flush()
        elif request.target == "lance":
            from spanwise.corpus.lance import open_table  # noqa: PLC0415  seldom asked for

            with open_table(Path(request.output)) as sink:
                yield Output(lambda chunked: sink.add(chunked.records))
        else:
            spec = f"spanwise {__version__} {self._chunker.spec}"
            changes = None if request.changes is None else Path(request.changes)
            with open_run(
                Path(request.output),
                request.form,
                spec=spec,
                keeps_state=request.keeps_state,
                rechunks=request.rechunk,
                changes=changes,
            ) as output:
                yield output

    def _table(self) -> Callable[[Chunked], object]:
        from spanwise.cli.table import console_on, print_chunks, print_texts  # noqa: PLC0415  JSON Lines need no rich

        console = console_on(color=self._color)

        def show(chunked: Chunked) -> None:
            print_chunks(console, chunked.document_id, chunked.records, self._unit, chunked.format)
            if self._verbosity:
                print_texts(console, chunked.records, self._unit, whole=self._verbosity > 1)

        return show

    def _sum_up(self, found: Found) -> None:
        budget = self._chunker.budget.max_tokens or self._chunker.budget.max_characters
        lines = summary_lines(self._summary, found.skipped, self._unit, budget)
        if self._summary.ceiling is not None:
            lines.append(ceiling_line(self._summary.ceiling, self._resolved["ceiling_counter"].value))
        if self._verbosity:
            lines.append(settings_line(self._resolved))
        if self._request.verify and self._kept:
            lines.append("every promise is kept")
        # not click.echo, which takes an ASCII stream for a mistake and writes UTF-8 to it
        stream = sys.stdout if self._request.form == "chunks" else sys.stderr
        stream.write("".join(f"{line}\n" for line in lines))


def _to_pipe(chunked: Chunked) -> None:
    sys.stdout.buffer.writelines(chunked.records)


def _to_terminal(chunked: Chunked) -> None:
    """Write lines of JSON to a terminal with all but ASCII escaped: the same values, nothing that it obeys."""
    for line in chunked.records:
        escaped = json.dumps(json.loads(line)).replace("\x7f", "\\u007f")
        sys.stdout.buffer.write(escaped.encode() + b"\n")


def _reason(failed: Failed) -> str:
    """Say why a document failed, with its id, in the words of the command."""
    message = str(failed.error)
    if isinstance(failed.error.__cause__, UnicodeDecodeError):
        message = f"{message.partition(';')[0]}; if it is text, name its encoding, for instance --encoding cp1252"
    return message if failed.document_id in message else f"{failed.document_id}: {message}"
