"""What happens when many documents are chunked?

A document that cannot be chunked is reported with its reason and the others go on. Memory holds one document at a time,
or a few batches of them where worker processes share the work; of the others only counts and ids are kept.
"""

from __future__ import annotations

from collections import Counter, deque
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from spanwise.arrow import Columns, rows_of, together
from spanwise.corpus.reading import chunks_of_lines, chunks_of_rows
from spanwise.corpus.sources import MAX_BYTES, Source, decoded, is_binary, read_bytes
from spanwise.corpus.state import marks_of
from spanwise.corpus.tables import documents_in
from spanwise.corpus.writing import json_line
from spanwise.errors import CeilingWarning, DocumentError, SpanwiseError
from spanwise.loading.load import loaded
from spanwise.loading.office import is_office_name
from spanwise.rechunk.rechunking import Rechunked, mean_tokens, rechunk_and_warning
from spanwise.strategies.batches import died_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from spanwise.chunks import Chunk
    from spanwise.documents import Document
    from spanwise.packing.budget import Budget
    from spanwise.strategies.chunker import Chunker
    from spanwise.verify import Violation
    from spanwise.workers import Died

__all__ = [
    "Before",
    "Chunked",
    "Failed",
    "Job",
    "Outcome",
    "Read",
    "Skipped",
    "Summary",
    "Unchanged",
    "read",
    "run",
]

MAX_DRIFT = 1.25
"""How many times the chunks of a fresh run a document may have after many edits, before it is chunked anew."""

Form = Literal["chunks", "lines", "rows"]
"""As what chunks are wanted: as they are, as lines of JSON, or as rows of Arrow."""


class Chunked(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a document: its chunks in the form that was asked for, and what is told of them."""

    document_id: str
    format: str
    sizes: tuple[int, ...]
    """The tokens of each chunk."""
    shares: tuple[float, ...]
    """Which share of the budget each chunk but the last uses."""
    warning: CeilingWarning | None
    violations: tuple[Violation, ...]
    records: Any
    """A list of chunks, a list of lines, or a record batch."""
    marks: bytes = b""
    """What the state of the output remembers of the chunks, where it is kept."""
    usual: float = 0.0
    """How many tokens a chunk held on average when the document was last chunked as a whole."""
    kept: int | None = None
    """How many chunks stayed, where the document was chunked before."""


class Failed(msgspec.Struct, frozen=True):
    """A document, or a file of documents, that could not be read or chunked, and why."""

    document_id: str
    error: SpanwiseError


class Skipped(msgspec.Struct, frozen=True):
    """A file that turned out to be no document when it was opened, and why."""

    source: Source
    reason: str


class Unchanged(msgspec.Struct, frozen=True):
    """A document whose chunks an earlier run has made: where they are, and how many."""

    document_id: str
    position: int
    chunks: int


class Read(NamedTuple):
    """A document as it was read; `origin` is a digest of the file, where a loader keeps more of it than the text."""

    document: Document
    origin: bytes = b""


class Before(NamedTuple):
    """What an earlier run made of a document that has changed since."""

    records: Sequence[Any]
    """What sinks take: lists of pieces of JSON Lines, or record batches."""
    usual: float
    """How many tokens a chunk held on average when the document was last chunked as a whole."""


class Job(NamedTuple):
    """A document to chunk; with what was before, so that the chunks of unchanged text stay."""

    document: Document
    before: Before | None = None


Outcome = Chunked | Failed | Skipped | Unchanged
Item = Job | Failed | Skipped | Unchanged


def read(
    sources: Iterable[Source],
    *,
    columns: Columns | None = None,
    encoding: str = "utf-8",
    max_bytes: int = MAX_BYTES,
) -> Iterator[Read | Failed | Skipped]:
    """Read documents one after another; what cannot be read, or has the id of one before, is given as failed."""
    places: dict[str, str] = {}
    for source in sources:
        for place, found in _found(source, columns or Columns(), encoding, max_bytes):
            if isinstance(found, Read):
                document_id = found.document.id
                before = places.setdefault(document_id, place)
                if before is not place:
                    yield Failed(document_id, _twice(document_id, place, before))
                    continue
            yield found


def _found(
    source: Source, columns: Columns, encoding: str, max_bytes: int
) -> Iterator[tuple[str, Read | Failed | Skipped]]:
    try:
        if source.table:
            for place, found in documents_in(source, columns, max_bytes=max_bytes):
                yield place, Failed(place, found) if isinstance(found, SpanwiseError) else Read(found)
            return
        content = read_bytes(source, max_bytes=max_bytes)
        if source.path is not None and is_office_name(source.path.name):
            document = loaded(content, source.path.as_posix(), id=source.id)
            yield source.id, Read(document, blake2b(content).digest())
        elif is_binary(content, encoding) and not source.named:
            yield source.id, Skipped(source, "binary")
        else:
            yield source.id, Read(decoded(source, content, encoding))
    except SpanwiseError as error:
        yield source.id, Failed(source.id, error)


def _twice(document_id: str, place: str, before: str) -> DocumentError:
    return DocumentError(f"{place}: the id {document_id!r} is that of {before} already; ids name one document each")


def run(
    chunker: Chunker,
    items: Iterable[Item],
    *,
    form: Form = "chunks",
    verify: bool = False,
    marked: bool = False,
    workers: int = 1,
) -> Generator[Outcome, None, None]:
    """Chunk documents, and give for each item what came of it, in order.

    Errors of a document are given, not raised; what is raised is a fault of spanwise itself or of the caller's own
    counter or strategy. With `workers` over 1 so many processes share the work. `marked` asks for what a state
    remembers. Who stops before the end closes what is given, which ends the processes.

    Raises:
        ConfigurationError: the chunker cannot be sent to worker processes.
    """
    from spanwise.workers import in_batches, in_order  # noqa: PLC0415  multiprocessing is slow to import

    # one by one, so that each is shown at once, unless batches are cheaper
    batches = in_batches(items, _weight) if workers > 1 or form == "rows" else ([item] for item in items)
    waiting: deque[Sequence[Item]] = deque()

    def jobs_of_batches() -> Iterator[list[Job]]:
        for batch in batches:
            waiting.append(batch)
            yield [item for item in batch if isinstance(item, Job)]

    for results in in_order(_Work(chunker, form, verify, marked).made, jobs_of_batches(), workers):
        outcomes = _outcomes(results)
        for item in waiting.popleft():
            yield next(outcomes) if isinstance(item, Job) else item


def _weight(item: Item) -> int:
    return len(item.document.text) if isinstance(item, Job) else 0


def _outcomes(results: list[tuple[Sequence[Job], _Made | Died]]) -> Iterator[Chunked | Failed]:
    for jobs, made in results:
        if not isinstance(made, _Made):
            yield Failed(jobs[0].document.id, died_of(jobs[0].document, made.how))
            continue
        start = 0
        for outcome in made.outcomes:
            if made.rows is None or isinstance(outcome, Failed):
                yield outcome
            else:
                count = len(outcome.sizes)
                yield msgspec.structs.replace(outcome, records=made.rows.slice(start, count))
                start += count


class _Made(NamedTuple):
    """What a batch of documents gave; as rows, those of all documents stand together."""

    outcomes: list[Chunked | Failed]
    rows: Any


class _Work(NamedTuple):
    """What is done with a batch of documents, here or in a worker process."""

    chunker: Chunker
    form: Form
    verify: bool
    marked: bool

    def made(self, jobs: Sequence[Job]) -> _Made:
        outcomes: list[Chunked | Failed] = []
        chunks_of_all: list[Chunk] = []
        for job in jobs:
            try:
                chunks, warning = self._chunked(job)
                outcomes.append(self._told(job, chunks, warning))
                chunks_of_all += chunks
            except SpanwiseError as error:
                outcomes.append(Failed(job.document.id, error))
        if self.form != "rows":
            return _Made(outcomes, None)
        try:
            return _Made(outcomes, rows_of(chunks_of_all))
        except DocumentError as error:
            if len(jobs) == 1:
                return _Made([Failed(jobs[0].document.id, error)], rows_of([]))
        made = [self.made([job]) for job in jobs]
        outcomes = [outcome for each in made for outcome in each.outcomes]
        return _Made(outcomes, together([each.rows for each in made]))

    def _chunked(self, job: Job) -> tuple[Sequence[Chunk], CeilingWarning | None]:
        if job.before is None:
            return self.chunker.chunk_and_warning(job.document)
        records, usual = job.before
        old = chunks_of_rows(records) if self.form == "rows" else chunks_of_lines(chain.from_iterable(records))
        return rechunk_and_warning(old, job.document, self.chunker, usual=usual or None, max_drift=MAX_DRIFT)

    def _told(self, job: Job, chunks: Sequence[Chunk], warning: CeilingWarning | None) -> Chunked:
        document, kept = job.document, chunks if isinstance(chunks, Rechunked) else None
        wants_lines = self.form == "lines" or self.marked
        lines = [json_line(chunk.record()) for chunk in chunks] if wants_lines else []
        return Chunked(
            document_id=document.id,
            format=self.chunker.format_of(document),
            sizes=tuple(chunk.tokens for chunk in chunks),
            shares=tuple(_share(chunk, self.chunker.budget) for chunk in chunks[:-1]),
            warning=warning,
            violations=tuple(self.chunker.verify(document, chunks, again=kept is None)) if self.verify else (),
            records=chunks if self.form == "chunks" else lines if self.form == "lines" else None,
            marks=marks_of(chunks, lines) if self.marked else b"",
            usual=mean_tokens(chunks) if kept is None else kept.usual,
            kept=None if kept is None else kept.kept,
        )


def _share(chunk: Chunk, budget: Budget) -> float:
    tokens = chunk.tokens / budget.max_tokens if budget.max_tokens else 0.0
    characters = len(chunk.text) / budget.max_characters if budget.max_characters else 0.0
    return max(tokens, characters)


class NearCeiling(msgspec.Struct, frozen=True, kw_only=True):
    """How many chunks of how many documents come near the ceiling or are over it, and the largest of all."""

    documents: int
    near: int
    over: int
    fitting: int | None
    """To which value to lower `largest.setting`, where that is known."""
    largest: CeilingWarning


def _near(warning: CeilingWarning) -> NearCeiling:
    return NearCeiling(documents=1, near=warning.near, over=warning.over, fitting=warning.fitting, largest=warning)


def _joined(before: NearCeiling | None, after: NearCeiling) -> NearCeiling:
    if before is None:
        return after
    return NearCeiling(
        documents=before.documents + after.documents,
        near=before.near + after.near,
        over=before.over + after.over,
        fitting=min(before.fitting or 0, after.fitting or 0) or None,
        largest=max(before.largest, after.largest, key=lambda one: one.tokens),
    )


class Summary:
    """Counts of a run: documents, chunks, how large they are and how full.

    *Fill* is the mean share of the budget that chunks use, without the last chunk of each document: that one holds
    what is left over and says nothing of the strategy. Where both units are limited it is the fuller share of the two.
    """

    def __init__(self) -> None:
        self.documents = 0
        self.changed = 0
        self.kept_chunks = 0
        self.changed_chunks = 0
        self.unchanged = 0
        self.unchanged_chunks = 0
        self.removed: Sequence[str] = ()
        self.failures = 0
        self.skipped: Counter[str] = Counter()
        self.formats: Counter[str] = Counter()
        self.ceiling: NearCeiling | None = None
        # how often each size occurs: bounded by the budget however many chunks there are
        self._sizes: Counter[int] = Counter()
        self._shares = 0.0
        self._shared = 0

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        if isinstance(outcome, Failed):
            self.failures += 1
        elif isinstance(outcome, Skipped):
            self.skipped[outcome.reason] += 1
        elif isinstance(outcome, Unchanged):
            self.unchanged += 1
            self.unchanged_chunks += outcome.chunks
        else:
            self.documents += 1
            self.formats[outcome.format] += 1
            if outcome.kept is not None:
                self.changed += 1
                self.changed_chunks += len(outcome.sizes)
                self.kept_chunks += outcome.kept
            if outcome.warning is not None:
                self.ceiling = _joined(self.ceiling, _near(outcome.warning))
            self._sizes.update(outcome.sizes)
            self._shares += sum(outcome.shares)
            self._shared += len(outcome.shares)

    def join(self, other: Summary) -> None:
        """Add the counts of another run."""
        self.documents += other.documents
        self.failures += other.failures
        self.skipped.update(other.skipped)
        self.formats.update(other.formats)
        if other.ceiling is not None:
            self.ceiling = _joined(self.ceiling, other.ceiling)
        self._sizes.update(other._sizes)
        self._shares += other._shares
        self._shared += other._shared

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return self._sizes.total()

    @property
    def fill(self) -> float | None:
        """The mean share of the budget, or None where each document is one chunk."""
        return self._shares / self._shared if self._shared else None

    @property
    def tokens(self) -> tuple[int, int, int] | None:
        """The smallest, the median and the largest size, or None."""
        if not self._sizes:
            return None
        ordered = sorted(self._sizes)
        return ordered[0], _median(self._sizes, ordered), ordered[-1]


def _median(sizes: Counter[int], ordered: list[int]) -> int:
    """Give the middle size, or what lies between the two in the middle, rounded down."""
    total = sizes.total()
    return (_ranked(sizes, ordered, (total - 1) // 2) + _ranked(sizes, ordered, total // 2)) // 2


def _ranked(sizes: Counter[int], ordered: list[int], rank: int) -> int:
    before = 0
    for size in ordered:
        before += sizes[size]
        if before > rank:
            return size
    raise AssertionError
