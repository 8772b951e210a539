"""A strategy with its budget and counter, ready to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from spanwise.counting import counter as make_counter
from spanwise.documents import Document
from spanwise.errors import BudgetError, ConfigurationError, shown
from spanwise.formats.reading import AUTO
from spanwise.packing.budget import Overflow
from spanwise.packing.keeping import keeps
from spanwise.packing.page import Resuming
from spanwise.segmenting.reading import Reading
from spanwise.strategies.batches import Batch, chunks_of, died_of, text_of
from spanwise.strategies.ceiling import Ceiling, issue
from spanwise.strategies.method import Method, Seen
from spanwise.strategies.passages import Pieces, WholeText
from spanwise.strategies.registry import build_strategy
from spanwise.strategies.spec import Blank, ChunkingSpec, Context, checked_overflow
from spanwise.strategies.stops import stops_around
from spanwise.strategies.strategy import Plan, Strategy
from spanwise.structure import LOOK_AHEAD
from spanwise.verify import Violation, spans_of, verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spanwise.chunks import Chunk
    from spanwise.counting import Counter
    from spanwise.errors import CeilingWarning
    from spanwise.formats.reading import StructureSource
    from spanwise.packing.keeping import Kept
    from spanwise.strategies.registry import Build
    from spanwise.strategies.spec import CounterSource

__all__ = ["BOUNDARY_VERSION", "Chunker", "chunk"]

BOUNDARY_VERSION = 5
"""Raised whenever unchanged input would get other boundaries; part of `Chunk.spec`."""


class Chunker:
    """A strategy with its budget and counter, ready to run over documents.

    `strategy` is a name, a strategy class, or a strategy with its options. Neither `max_tokens` nor `max_characters`
    means 512 tokens. `counter` is what `spanwise.counter` takes; without one, tokens are those of cl100k_base, or
    characters where only characters are asked for. `special_tokens` is how many tokens the model adds to every text.
    `structure` names the format of the documents, or is a function that reads their structure; by itself it goes by
    media type, and for plain text by what the text looks like. `context` puts the section path, the header of a cut
    table, or both before each chunk (`Chunk.context`), within the budget. `ceiling` is the most tokens that the
    embedder reads, in `ceiling_counter` (its own; by default the chunker's): a document of which a chunk has `warn_at`
    (0.9375, which is 480 of 512) of it or more is told of by a `CeilingWarning`, and chunked all the same.

    Raises:
        UnknownStrategyError: no strategy has this name.
        BudgetError: a budget or overlap that cannot be kept.
        ConfigurationError: a choice that cannot work.

    >>> chunker = Chunker("sentences", max_tokens=8)
    >>> [chunk.text for chunk in chunker.chunk("It moves water. It has one motor.")]
    ['It moves water. ', 'It has one motor.']
    """

    def __init__(
        self,
        strategy: str | type[Strategy] | Strategy = "structural",
        *,
        max_tokens: int | None = None,
        max_characters: int | None = None,
        overlap_tokens: int = 0,
        overlap_characters: int = 0,
        counter: CounterSource | None = None,
        special_tokens: int | bool = 0,
        overflow: Overflow | str = Overflow.REFUSE,
        trim: bool = False,
        blank: Blank = "drop",
        structure: StructureSource = AUTO,
        context: Context = "none",
        ceiling: int | None = None,
        warn_at: float | None = None,
        ceiling_counter: CounterSource | None = None,
    ) -> None:
        spec = ChunkingSpec(
            strategy=strategy if isinstance(strategy, str) else type(strategy).__name__,
            max_tokens=max_tokens,
            max_characters=max_characters,
            overlap_tokens=overlap_tokens,
            overlap_characters=overlap_characters,
            counter=counter,
            special_tokens=special_tokens,
            overflow=checked_overflow(overflow),
            trim=trim,
            blank=blank,
            structure=structure,
            context=context,
            ceiling=ceiling,
            warn_at=warn_at,
            ceiling_counter=ceiling_counter,
        )
        self._prepare(_strategy_of(strategy, spec), spec)

    @classmethod
    def from_spec(cls, spec: ChunkingSpec, builders: Mapping[str, Build] | None = None) -> Chunker:
        """Make the chunker that a spec describes; `builders` are strategies known to one registry alone."""
        return _prepared(build_strategy(spec, builders), spec)

    def _prepare(self, strategy: Strategy, spec: ChunkingSpec) -> None:
        self.strategy = strategy
        self._choices = spec
        self.budget = spec.budget
        self.overflow = spec.overflow
        self.trim = spec.trim
        self.blank: Blank = spec.blank
        self.structure = cast("StructureSource", spec.structure)
        self.context: Context = spec.context
        plan = _plan_of(strategy)
        if self.budget.overlaps and not plan.overlaps:
            name = type(strategy).__name__
            raise ConfigurationError(
                f"{name} has no overlap: its chunks are units of thought; leave overlap_tokens and overlap_characters "
                "at 0, or take recursive or sentences"
                if not plan.own_overlap
                else f"{name} overlaps by construction: set overlap_sentences= of the strategy instead"
            )
        source = self._counter_source(spec)
        self.counter = self._counter_of(spec, source)
        self._ceiling = (
            None if spec.ceiling is None else Ceiling(spec.ceiling, spec, type(strategy).__name__, self.counter, source)
        )
        self.spec = self._described()
        packer = plan.packer
        self._method = Method(
            plan=plan,
            budget=self.budget,
            counter=self.counter,
            refuses=plan.whole_words and self.overflow is Overflow.REFUSE,
            resumes=isinstance(packer, Resuming) and packer.resumes() and plan.headings.extra is None,
            trim=self.trim,
            blank=self.blank,
            structure=self.structure,
            context=self.context,
            spec=self.spec,
        )

    def __reduce__(self) -> tuple[object, ...]:  # travels as its choices; tables and caches are made anew
        return _prepared, (self.strategy, self._choices)

    def _counter_source(self, spec: ChunkingSpec) -> CounterSource:
        counts_tokens = self.budget.max_tokens is not None or self.budget.overlap_tokens > 0
        source = spec.counter if spec.counter is not None else ("cl100k_base" if counts_tokens else "characters")
        return cast("CounterSource", source)

    def _counter_of(self, spec: ChunkingSpec, source: CounterSource) -> Counter:
        counter = make_counter(source, special_tokens=spec.special_tokens)
        overhead = getattr(counter, "overhead", 0)
        if self.budget.max_tokens is not None and self.budget.max_tokens <= overhead:
            raise BudgetError(
                f"max_tokens={self.budget.max_tokens} leaves no room: the model adds {overhead} tokens to every text"
            )
        if 0 < self.budget.overlap_tokens <= overhead:
            raise BudgetError(
                f"overlap_tokens={self.budget.overlap_tokens} holds no text: the model adds {overhead} tokens to every "
                f"text, also to what is repeated; ask for more than {overhead}, or for 0"
            )
        return counter

    def _described(self) -> str:
        """Say in one line how chunks are made."""
        budget = [f"{name}={value}" for name, value in msgspec.structs.asdict(self.budget).items() if value]
        edges = [
            f"{name}={value}"
            for name, value, usual in (
                ("special_tokens", getattr(self.counter, "overhead", 0), 0),
                ("overflow", self.overflow.value, "refuse"),
                ("trim", self.trim, False),
                ("blank", self.blank, "drop"),
                ("structure", getattr(self.structure, "__qualname__", self.structure), AUTO),
                ("context", self.context, "none"),
            )
            if value != usual
        ]
        counter = f"counter={self.counter.name}"
        return " ".join([_described(self.strategy), *budget, counter, *edges, f"boundaries={BOUNDARY_VERSION}"])

    def chunk(self, document: Document | str) -> list[Chunk]:
        """Chunk one document; a bare text has the document id `""`.

        Raises:
            ChunkingError: a word is over the budget and `Overflow.SPLIT` was not asked for.
            BudgetError: one code point alone is over the budget.
            CounterError: the counter failed.
        """
        chunks, warning = self.chunk_and_warning(document)
        issue(warning)
        return chunks

    def chunk_and_warning(self, document: Document | str) -> tuple[list[Chunk], CeilingWarning | None]:
        """Chunk one document, and give the warning that `chunk` issues, for a report of your own; None without one.

        Raises:
            ChunkingError, BudgetError, CounterError: as `chunk`.

        >>> chunks, warning = Chunker("words", max_tokens=9, ceiling=9).chunk_and_warning("It moves much water. " * 4)
        >>> warning.near, warning.tokens, warning.setting, warning.fitting
        (2, 9, 'max_tokens', 8)
        """
        document = document if isinstance(document, Document) else Document(text=document)
        if not document.text:
            return [], None
        chunks = list(self._method.chunks(document, WholeText(document.text)))
        return chunks, self._warning(chunks)

    def _warning(self, chunks: Sequence[Chunk]) -> CeilingWarning | None:
        return None if self._ceiling is None else self._ceiling.warning(chunks)

    def chunk_within(self, document: Document | str, larger: Sequence[Chunk] | None, *, level: int = 0) -> list[Chunk]:
        """Chunk one document so that each chunk lies inside exactly one of larger chunks of it, its `parent_id`.

        `level` is part of the ids, so that a text which is a chunk of several sizes has an id in each of them. Without
        larger chunks, None, these are the largest.

        Raises:
            ConfigurationError: chunks overlap by construction, this chunker repeats text, or the packer of a strategy
                of your own packs across `Page.regions`.
            SpanError: the larger chunks are not of this document, overlap, or leave out more than white space.
            ChunkingError, BudgetError, CounterError: as `chunk`.

        >>> text = "It moves water. It has one motor."
        >>> whole = Chunker(max_tokens=16).chunk(text)
        >>> [(part.text, part.parent_id == whole[0].id) for part in Chunker(max_tokens=5).chunk_within(text, whole)]
        [('It moves water. ', True), ('It has one motor.', True)]
        """
        document = document if isinstance(document, Document) else Document(text=document)
        if self.budget.overlaps or self._method.plan.own_overlap:
            raise ConfigurationError(
                f"chunks of {type(self.strategy).__name__} that overlap cannot lie inside larger ones: take "
                "overlap_tokens=0, and a strategy without an overlap of its own"
            )
        stops = () if larger is None else stops_around(document, larger)
        whole = WholeText(document.text)
        return list(self._watched(self._method.chunks(document, whole, stops=stops, level=level, larger=larger)))

    def chunk_keeping(self, document: Document, kept: Sequence[Kept]) -> tuple[list[Chunk], CeilingWarning | None]:
        """Chunk one document where these pieces of it are known, as `spanwise.rechunk` finds them.

        Only what lies between them is packed; a piece that cannot stay as it is, is packed with it. The warning is that
        of `chunk_and_warning`.

        Raises:
            ConfigurationError: this chunker keeps none; `unkept` says why.
            ChunkingError, BudgetError, CounterError: as `chunk`.
        """
        if self.unkept:
            raise ConfigurationError(self.unkept)
        chunks = list(self._method.chunks(document, WholeText(document.text), kept=kept))
        return chunks, self._warning(chunks)

    @property
    def unkept(self) -> str:
        """Why no chunk can be kept when a document changes; empty where they can."""
        name = type(self.strategy).__name__
        if self._method.plan.own_overlap:
            return f"windows of {name} overlap by construction, so that each depends on the one before"
        return (
            ""
            if keeps(self._method.plan.packer)
            else f"{name} packs whole texts: what it knows of a part it knows of no other"
        )

    def stream(
        self,
        pieces: Iterable[str],
        *,
        id: str = "",  # noqa: A002  the name of the field of a document
        media_type: str = "text/plain",
        metadata: Mapping[str, object] | None = None,
    ) -> Iterator[Chunk]:
        r"""Chunk a text that comes in pieces; yields the chunks of the whole text while it is still coming.

        A chunk is given once it can no longer change: about 250,000 characters later at the latest, more only where
        the budget is that large. Memory holds that much of the text, the open headings, and one id per chunk.
        The format is decided on the first 65,536 characters, and so is whether pages are counted.

        Raises:
            ConfigurationError: the strategy or the format needs the whole text; says which.
            ChunkingError, BudgetError, CounterError: as `chunk`, after the chunks before the fault.

        >>> chunker = Chunker("sentences", max_tokens=8)
        >>> [chunk.text for chunk in chunker.stream(["It moves wa", "ter. It has", " one motor."])]
        ['It moves water. ', 'It has one motor.']
        """
        document = Document(text="", id=id, media_type=media_type, metadata=metadata or {})
        if not self._method.resumes:
            raise ConfigurationError(
                f"{type(self.strategy).__name__} cannot stream: it looks at whole sections or texts, or takes "
                "headings= or structure= functions, which do; collect the pieces and call chunk(), or take "
                "structural or recursive"
            )
        return self._watched(self._method.chunks(document, Pieces(pieces), must_resume=True))

    def _watched(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        return chunks if self._ceiling is None else self._ceiling.watched(chunks)

    def format_of(self, document: Document | str) -> str:
        """Say in which format a document is read: as told, by its media type, or by its look."""
        document = document if isinstance(document, Document) else Document(text=document)
        return self._method.reads(document.text[:LOOK_AHEAD], document).name

    def chunk_many(self, documents: Iterable[Document | str], *, workers: int = 1) -> Iterator[list[Chunk]]:
        """Chunk documents one after another; yields the chunks of each, in order.

        With `workers` over 1 so many processes share the work, and a few batches of documents are in memory at a time.
        Each imports the program again, so a script keeps what it does below `if __name__ == "__main__":`. Strategies,
        counters and functions are of modules that can be imported.

        Raises:
            ConfigurationError: `workers` is no whole number over 0, or this chunker cannot be sent to a process.
            WorkerError: a process died of a document; names it.
            ChunkingError, BudgetError, CounterError: as `chunk`, after the documents before.

        >>> [len(chunks) for chunks in Chunker("words", max_characters=5).chunk_many(["one", "two three"])]
        [1, 2]
        """
        if type(workers) is not int or workers < 1:
            raise ConfigurationError(f"workers must be a whole number of at least 1, got {shown(workers)}")
        if workers == 1:
            return map(self.chunk, documents)
        return self._shared(documents, workers)

    def _shared(self, documents: Iterable[Document | str], workers: int) -> Iterator[list[Chunk]]:
        from spanwise.workers import Died, in_batches, in_order  # noqa: PLC0415  multiprocessing is slow to import

        batches = in_batches(documents, lambda document: len(text_of(document)))
        for results in in_order(Batch(self).chunked, batches, workers):
            for jobs, answer in results:
                if isinstance(answer, Died):
                    raise died_of(jobs[0], answer.how)
                for job, (rows, warning) in zip(jobs, answer.chunked, strict=False):
                    issue(warning)
                    yield chunks_of(rows, text_of(job))
                if answer.error is not None:
                    raise answer.error

    def verify(self, document: Document | str, chunks: Iterable[object], *, again: bool = True) -> list[Violation]:
        """Check chunks against every promise, as this chunker should have kept them; `[]` where all hold.

        `again=False` does not ask that chunking again gives the same chunks, which those of `rechunk` need not.
        """
        document = document if isinstance(document, Document) else Document(text=document)
        listed = list(chunks)
        passages: list[Seen] = []
        mine = spans_of(self._method.chunks(document, WholeText(document.text), passages))
        violations = verify(
            document,
            listed,
            max_tokens=self.budget.max_tokens,
            max_characters=self.budget.max_characters,
            counter=self.counter,
            overlap_tokens=None if self._method.plan.own_overlap else self.budget.overlap_tokens,
            overlap_characters=None if self._method.plan.own_overlap else self.budget.overlap_characters,
            trim=self.trim,
            blank=self.blank,
            whole_words=self._method.refuses,
            apart=[offset for passage in passages for offset in passage.part_starts],
            word_ends=[offset for passage in passages for offset in passage.structural_starts],
        )
        given = spans_of(listed)
        if again and mine != given:
            place = next((at for at, pair in enumerate(zip(mine, given, strict=False)) if pair[0] != pair[1]), 0)
            message = f"chunking again gave {len(mine)} chunks, other ones from chunk {place} on"
            violations.append(Violation(promise="P8", kind="answer", message=message, index=place))
        return violations

    def reading_of(self, document: Document | str) -> Reading:
        """Read a document: its structure, and the outline of its headings with those that the strategy adds."""
        document = document if isinstance(document, Document) else Document(text=document)
        structure = self._method.reads(document.text[:LOOK_AHEAD], document).structure(document.text)
        return Reading(document.text, structure, self._method.plan.headings.outline(document.text, structure.headings))


def _prepared(strategy: Strategy, spec: ChunkingSpec) -> Chunker:
    chunker = Chunker.__new__(Chunker)
    chunker._prepare(strategy, spec)  # noqa: SLF001  its own constructor
    return chunker


def _plan_of(strategy: Strategy) -> Plan:
    plan: object = strategy.plan()
    if not isinstance(plan, Plan):
        raise ConfigurationError(f"plan() of {type(strategy).__name__} must give a spanwise.Plan, got {shown(plan)}")
    return plan


def _described(strategy: Strategy) -> str:
    """Describe a strategy the same in every process: its class and options, functions by their names."""
    name = type(strategy).__qualname__
    if not isinstance(strategy, msgspec.Struct):
        return name
    options = msgspec.structs.asdict(strategy).items()
    return f"{name}({', '.join(f'{option}={_named(value)}' for option, value in options)})"


def _named(value: object) -> str:
    """Give the name of a function or an embedder, which is the same everywhere, or the repr of anything else."""
    return str(getattr(value, "__qualname__", None) or getattr(value, "name", None) or repr(value))


def _strategy_of(strategy: object, spec: ChunkingSpec) -> Strategy:
    if isinstance(strategy, str):
        return build_strategy(spec)
    made = strategy() if isinstance(strategy, type) else strategy
    if not isinstance(made, Strategy):
        raise ConfigurationError(f"a strategy is a name, or something with a plan(), got {shown(strategy)}")
    return made


def chunk(
    document: Document | str,
    strategy: str | type[Strategy] | Strategy = "structural",
    *,
    max_tokens: int | None = None,
    max_characters: int | None = None,
    overlap_tokens: int = 0,
    overlap_characters: int = 0,
    counter: CounterSource | None = None,
    special_tokens: int | bool = 0,
    overflow: Overflow | str = Overflow.REFUSE,
    trim: bool = False,
    blank: Blank = "drop",
    structure: StructureSource = AUTO,
    context: Context = "none",
    ceiling: int | None = None,
    warn_at: float | None = None,
    ceiling_counter: CounterSource | None = None,
) -> list[Chunk]:
    """Chunk one text or document in one call; the options are those of `Chunker`.

    >>> [chunk.text for chunk in chunk("It moves water. It has one motor.", "sentences", max_tokens=8)]
    ['It moves water. ', 'It has one motor.']
    """
    chunker = Chunker(
        strategy,
        max_tokens=max_tokens,
        max_characters=max_characters,
        overlap_tokens=overlap_tokens,
        overlap_characters=overlap_characters,
        counter=counter,
        special_tokens=special_tokens,
        overflow=overflow,
        trim=trim,
        blank=blank,
        structure=structure,
        context=context,
        ceiling=ceiling,
        warn_at=warn_at,
        ceiling_counter=ceiling_counter,
    )
    return chunker.chunk(document)
