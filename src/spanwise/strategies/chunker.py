"""A strategy with its budget and counter, ready to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from spanwise.chunks import Chunk, id_maker
from spanwise.counting import counter as make_counter
from spanwise.counting import measure_of
from spanwise.documents import Document
from spanwise.errors import BudgetError, ConfigurationError, shown
from spanwise.packing.budget import Overflow
from spanwise.packing.page import Page
from spanwise.sections import Outline
from spanwise.segmenting.blocks import Blocks
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.headings import HeadingCuts
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.trimming import trimmed
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.registry import build_strategy
from spanwise.strategies.spec import Blank, ChunkingSpec, checked_overflow
from spanwise.strategies.strategy import Plan, Strategy
from spanwise.verify import Violation, spans_of, verify
from spanwise.whitespace import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from spanwise.counting import Counter
    from spanwise.segmenting.segmenter import Cuts, Segmenter
    from spanwise.strategies.registry import Build
    from spanwise.strategies.spec import CounterSource

__all__ = ["BOUNDARY_VERSION", "Chunker", "chunk"]

BOUNDARY_VERSION = 1
"""Raised whenever unchanged input would get other boundaries; part of `Chunk.spec`."""

_WITH_MARKDOWN_HEADINGS = ("text/markdown", "text/plain")


class Chunker:
    """A strategy with its budget and counter, ready to run over documents.

    `strategy` is a name, a strategy class, or a strategy with its options. Neither `max_tokens` nor `max_characters`
    means 512 tokens. `counter` is what `spanwise.counter` takes; without one, tokens are those of cl100k_base, or
    characters where only characters are asked for. `special_tokens` is how many tokens the model adds to every text.

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
        )
        self._prepare(_strategy_of(strategy, spec), spec)

    @classmethod
    def from_spec(cls, spec: ChunkingSpec, builders: Mapping[str, Build] | None = None) -> Chunker:
        """Make the chunker that a spec describes; `builders` are strategies known to one registry alone."""
        chunker = cls.__new__(cls)
        chunker._prepare(build_strategy(spec, builders), spec)  # noqa: SLF001  its own constructor
        return chunker

    def _prepare(self, strategy: Strategy, spec: ChunkingSpec) -> None:
        self.strategy = strategy
        self.budget = spec.budget
        self.overflow = spec.overflow
        self.trim = spec.trim
        self.blank: Blank = spec.blank
        self._plan = _plan_of(strategy)
        if self.budget.overlaps and not self._plan.overlaps:
            name = type(strategy).__name__
            raise ConfigurationError(
                f"{name} has no overlap: its chunks are units of thought; leave overlap_tokens and overlap_characters "
                "at 0, or take recursive or sentences"
                if not self._plan.own_overlap
                else f"{name} overlaps by construction: set overlap_sentences= of the strategy instead"
            )
        self.counter = self._counter_of(spec)
        self.spec = self._described()

    def _counter_of(self, spec: ChunkingSpec) -> Counter:
        counts_tokens = self.budget.max_tokens is not None or self.budget.overlap_tokens > 0
        source = spec.counter if spec.counter is not None else ("cl100k_base" if counts_tokens else "characters")
        counter = make_counter(cast("CounterSource", source), special_tokens=spec.special_tokens)
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
        document = document if isinstance(document, Document) else Document(text=document)
        if not document.text:
            return []
        outline = self._outline(document)
        page = self._page(document, outline)
        return list(self._chunks(document, outline, page))

    def chunk_many(self, documents: Iterable[Document | str]) -> Iterator[list[Chunk]]:
        """Chunk documents one after another; yields the chunks of each, in order."""
        for document in documents:
            yield self.chunk(document)

    def verify(self, document: Document | str, chunks: Iterable[object]) -> list[Violation]:
        """Check chunks against every promise, as this chunker should have kept them; `[]` where all hold."""
        document = document if isinstance(document, Document) else Document(text=document)
        listed = list(chunks)
        violations = verify(
            document,
            listed,
            max_tokens=self.budget.max_tokens,
            max_characters=self.budget.max_characters,
            counter=self.counter,
            overlap_tokens=None if self._plan.own_overlap else self.budget.overlap_tokens,
            overlap_characters=None if self._plan.own_overlap else self.budget.overlap_characters,
            trim=self.trim,
            blank=self.blank,
            whole_words=self._refuses,
            apart=self._outline(document).run_starts if self._plan.apart else (),
        )
        mine = spans_of(self.chunk(document))
        given = spans_of(listed)
        if mine != given:
            place = next((at for at, pair in enumerate(zip(mine, given, strict=False)) if pair[0] != pair[1]), 0)
            message = f"chunking again gave {len(mine)} chunks, other ones from chunk {place} on"
            violations.append(Violation(promise="P8", kind="answer", message=message, index=place))
        return violations

    def _outline(self, document: Document) -> Outline:
        return self._plan.headings.outline(document.text, markdown=document.media_type in _WITH_MARKDOWN_HEADINGS)

    @property
    def _refuses(self) -> bool:
        return self._plan.whole_words and self.overflow is Overflow.REFUSE

    def _page(self, document: Document, outline: Outline) -> Page:
        text, plan = document.text, self._plan
        below: tuple[Segmenter, ...] = plan.below
        if plan.whole_words and not self._refuses:
            below = (*below, Graphemes())
        blocks: list[Blocks] = []  # made when the first rung asks for them

        def bound(rung: Segmenter) -> Cuts:
            if rung is plan.headings:
                return HeadingCuts(outline, len(text))
            if not isinstance(rung, HardLines | Sentences):
                return rung.cuts(text)
            blocks[:] = blocks or [Blocks(text)]
            return rung.cuts_in(blocks[0])

        return Page(
            text,
            measure_of(self.counter, text),
            self.budget,
            ladder=[bound(rung) for rung in plan.ladder],
            between=[bound(rung) for rung in plan.between],
            below=[bound(rung) for rung in below],
            outline=outline if plan.headings_stay else Outline(),
            whole_words=Words().cuts(text) if self._refuses else None,
            snaps=lambda: (bound(Sentences(plan.language)), Blanks().cuts(text)),
            trim=self.trim,
            keep_blank=self.blank == "keep" and not self.trim,
            document_id=document.id,
        )

    def _chunks(self, document: Document, outline: Outline, page: Page) -> Iterator[Chunk]:
        text = document.text
        lines = _LineCounter(text)
        make_id = id_maker(document.id)
        seen: dict[str, int] = {}
        index, before = 0, 0
        for start, fresh, end, tokens in self._plan.packer.pack(page):
            if text[fresh] in WHITE_SPACE and page.leaves_out(fresh, end):
                continue
            first, last = page.kept(start, end) if self.trim else (start, end)
            content = text[first:last]
            chunk_id = make_id(content, 0)
            occurrence = seen.get(chunk_id, 0)  # the first id stands for the text: it is hashed once
            seen[chunk_id] = occurrence + 1
            yield Chunk(
                text=content,
                start=first,
                end=last,
                tokens=tokens,
                document_id=document.id,
                index=index,
                section=outline.path_at(_first_ink(text, fresh, end)) if outline else (),
                overlap=max(0, before - first),
                lines=lines.of(first, last),
                metadata=document.metadata,
                spec=self.spec,
                id=make_id(content, occurrence) if occurrence else chunk_id,
            )
            index, before = index + 1, last


class _LineCounter:
    """Counts lines as editors do: LF, CR LF and CR end one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._with_returns = "\r" in text
        self._start, self._first = 0, 1
        self._end, self._last = 0, 1

    def of(self, start: int, end: int) -> tuple[int, int]:
        """Give the first and last line of a span that begins after the one asked about before."""
        if start >= self._end:
            self._first = self._last + self._ends(self._end, start)
        else:
            self._first += self._ends(self._start, start)
        self._start, self._end = start, end - 1
        self._last = self._first + self._ends(start, end - 1)
        return self._first, self._last

    def _ends(self, start: int, end: int) -> int:
        ends = self._text.count("\n", start, end)
        if self._with_returns:
            ends += self._text.count("\r", start, end) - self._text.count("\r\n", start, end + 1)
        return ends


def _first_ink(text: str, start: int, end: int) -> int:
    if text[start] not in WHITE_SPACE:
        return start
    return trimmed(text, start, end)[0]


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
    values = (f"{option}={getattr(value, '__qualname__', None) or repr(value)}" for option, value in options)
    return f"{name}({', '.join(values)})"


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
    )
    return chunker.chunk(document)
