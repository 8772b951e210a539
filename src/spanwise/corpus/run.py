"""What happens when many documents are chunked, one after another?

A document that cannot be chunked is reported with its reason and the others go on. Memory holds one document at a
time; of the others only counts are kept.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from spanwise.corpus.sources import MAX_BYTES, Source, decoded, is_binary, read_bytes
from spanwise.errors import CeilingWarning, SpanwiseError
from spanwise.loading.load import loaded
from spanwise.loading.office import is_office_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spanwise.chunks import Chunk
    from spanwise.documents import Document
    from spanwise.strategies.chunker import Chunker

__all__ = ["Chunked", "Failed", "Outcome", "Skipped", "Summary", "run"]


class Chunked(msgspec.Struct, frozen=True):
    """A document with its chunks, the format in which it was read, and whether they come near the ceiling."""

    document: Document
    chunks: Sequence[Chunk]
    format: str = "plain"
    warning: CeilingWarning | None = None


class Failed(msgspec.Struct, frozen=True):
    """A document that could not be read or chunked, and why."""

    source: Source
    error: SpanwiseError


class Skipped(msgspec.Struct, frozen=True):
    """A file that turned out to be no document when it was opened, and why."""

    source: Source
    reason: str


Outcome = Chunked | Failed | Skipped


def run(
    chunker: Chunker, sources: Iterable[Source], *, encoding: str = "utf-8", max_bytes: int = MAX_BYTES
) -> Iterator[Outcome]:
    """Chunk documents one after another, and give for each what came of it.

    Errors of a document are given, not raised; what is raised is a fault of spanwise itself or of the caller's own
    counter or strategy.
    """
    for source in sources:
        yield _outcome(chunker, source, encoding, max_bytes)


def _outcome(chunker: Chunker, source: Source, encoding: str, max_bytes: int) -> Outcome:
    try:
        content = read_bytes(source, max_bytes=max_bytes)
        if source.path is not None and is_office_name(source.path.name):
            document = loaded(content, source.path.as_posix(), id=source.id)
        elif is_binary(content, encoding) and not source.named:
            return Skipped(source, "binary")
        else:
            document = decoded(source, content, encoding)
        chunks, warning = chunker.chunk_and_warning(document)
        return Chunked(document, chunks, chunker.format_of(document), warning)
    except SpanwiseError as error:
        return Failed(source, error)


class NearCeiling(msgspec.Struct, frozen=True, kw_only=True):
    """How many chunks of how many documents come near the ceiling or are over it, and the largest of all."""

    documents: int
    near: int
    over: int
    fitting: int | None
    """To which value to lower `largest.setting`, where that is known."""
    largest: CeilingWarning


def _joined(before: NearCeiling | None, warning: CeilingWarning) -> NearCeiling:
    if before is None:
        return NearCeiling(documents=1, near=warning.near, over=warning.over, fitting=warning.fitting, largest=warning)
    return NearCeiling(
        documents=before.documents + 1,
        near=before.near + warning.near,
        over=before.over + warning.over,
        fitting=min(before.fitting or 0, warning.fitting or 0) or None,
        largest=max(before.largest, warning, key=lambda one: one.tokens),
    )


class Summary:
    """Counts of a run: documents, chunks, how large they are and how full.

    *Fill* is the mean share of the budget that chunks use, without the last chunk of each document: that one holds
    what is left over and says nothing of the strategy. Where both units are limited it is the fuller share of the two.
    """

    def __init__(self, max_tokens: int | None, max_characters: int | None) -> None:
        self.documents = 0
        self.failures = 0
        self.skipped: Counter[str] = Counter()
        self.formats: Counter[str] = Counter()
        self.ceiling: NearCeiling | None = None
        # how often each size occurs: bounded by the budget however many chunks there are
        self._sizes: Counter[int] = Counter()
        self._shares = 0.0
        self._shared = 0
        self._max_tokens = max_tokens
        self._max_characters = max_characters

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        if isinstance(outcome, Failed):
            self.failures += 1
        elif isinstance(outcome, Skipped):
            self.skipped[outcome.reason] += 1
        else:
            self.documents += 1
            self.formats[outcome.format] += 1
            if outcome.warning is not None:
                self.ceiling = _joined(self.ceiling, outcome.warning)
            self._sizes.update(chunk.tokens for chunk in outcome.chunks)
            shares = [self._share(chunk) for chunk in outcome.chunks[:-1]]
            self._shares += sum(shares)
            self._shared += len(shares)

    def _share(self, chunk: Chunk) -> float:
        tokens = chunk.tokens / self._max_tokens if self._max_tokens else 0.0
        characters = len(chunk.text) / self._max_characters if self._max_characters else 0.0
        return max(tokens, characters)

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
