"""How is one document chunked? It is read, packed and given back passage by passage."""

from __future__ import annotations

import sys
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from spanwise.counting import measure_of
from spanwise.errors import ConfigurationError
from spanwise.formats.reading import AUTO, Reads, reader_of
from spanwise.packing.contexts import Contexts
from spanwise.packing.keeping import Keeping
from spanwise.packing.page import Page, Resuming
from spanwise.sections import Outline
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.reading import Reading
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks, Words
from spanwise.strategies.maker import ChunkMaker
from spanwise.strategies.passages import AHEAD, PASSAGE, Passage, next_in_cluster, next_passage
from spanwise.strategies.stops import stops_in
from spanwise.structure import LOOK_AHEAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanwise.chunks import Chunk
    from spanwise.counting import Counter
    from spanwise.documents import Document
    from spanwise.formats.reading import StructureSource
    from spanwise.packing.budget import Budget
    from spanwise.packing.keeping import Kept
    from spanwise.packing.page import Piece
    from spanwise.segmenting.segmenter import Segmenter
    from spanwise.strategies.passages import Source
    from spanwise.strategies.spec import Blank, Context
    from spanwise.strategies.strategy import Plan
    from spanwise.structure import Loaded

__all__ = ["Method", "Seen"]


class Method(NamedTuple):
    """All that decides how documents are chunked."""

    plan: Plan
    budget: Budget
    counter: Counter
    refuses: bool
    """Whether a word over the budget is an error."""
    resumes: bool
    """Whether a document can be packed passage by passage, and streamed."""
    trim: bool
    blank: Blank
    structure: StructureSource
    context: Context
    spec: str
    """What each chunk says of how it was made."""

    def chunks(
        self,
        document: Document,
        source: Source,
        seen: list[Seen] | None = None,
        *,
        must_resume: bool = False,
        stops: Sequence[Piece] = (),
        level: int = 0,
        larger: Sequence[Chunk] | None = None,
        kept: Sequence[Kept] | None = None,
    ) -> Iterator[Chunk]:
        """Read, pack and give back one passage after another."""
        prefix = source.take(0, LOOK_AHEAD)
        if not prefix:
            return
        reads = self.reads(prefix, document, must_resume=must_resume)
        resumes = self.resumes and reads.resumes
        spec = f"{self.spec} within=[{larger[0].spec}]" if larger else self.spec
        maker = ChunkMaker(document, spec, trim=self.trim, level=level, larger=larger)
        passage = Passage(size=PASSAGE)
        after: Piece | None = None
        while True:
            size = passage.lead + passage.size + AHEAD if resumes else sys.maxsize
            stretch = source.take(passage.start - passage.lead, size)
            is_last = not resumes or len(stretch) < size
            begin = len(passage.opening) + passage.lead
            origin = passage.start - begin
            reading = self._reading(passage, stretch, reads)
            page = self._page(document, reading, origin, stops)
            maker.turn_to(page, reading, begin=begin, line=passage.line)
            limit = page.size if is_last else page.size - AHEAD
            here, packed = None if after is None else after.moved(-origin), None
            begun = self._pieces(page, here) if kept is None else self._around(kept, reading, page, here, limit)
            for piece in begun:
                if piece.end > limit:
                    break
                packed = piece
                made = maker.chunk(piece)
                if made is not None:
                    yield made
            if seen is not None:
                seen.append(Seen.of(reading, page))
            if is_last:
                return
            if packed is None:
                passage = passage._replace(size=2 * passage.size)
                continue
            after = _carried(packed, page.size).moved(origin)
            start, opening = self._next_start(reading, packed, begin)
            if start > begin:
                passage = Passage(
                    start=start + origin,
                    opening=opening,
                    lead=0 if opening or not reading.text[start - 1].isascii() else 1,  # no half of a flag
                    above=reading.outline.open_at(start),
                    size=passage.size,
                    line=maker.line_at(start),
                    page=reading.page_at(start),
                )

    def reads(self, prefix: str, document: Document, *, must_resume: bool = False) -> Reads:
        """Say how a document is read that begins like this.

        Raises:
            ConfigurationError: its format is known only as a whole, and it must be read passage by passage.
        """
        media_type, loaded = document.media_type, cast("Loaded | None", document.loaded)
        reads = None
        if loaded is not None and self.structure == AUTO:
            reads = Reads(loaded.format, loaded.structure, resumes=False, counts_pages=False)
        elif self.plan.reads is not None and self.structure == AUTO:
            reads = self.plan.reads(prefix, media_type)
        if reads is None:
            reads = reader_of(prefix, media_type, self.structure)
        if must_resume and not reads.resumes:
            raise ConfigurationError(
                f"{reads.name} cannot be streamed, its structure is known only as a whole; collect the pieces and call "
                'chunk(), or stream it as text with structure="plain"'
            )
        return reads

    def _next_start(self, reading: Reading, packed: Piece, begin: int) -> tuple[int, str]:
        """Give where the next passage begins after a piece, and what is put before it."""
        if packed.cluster is not None:
            return next_in_cluster(packed.cluster[0], packed.end, begin), ""
        needed = min([packed.start if self.budget.overlaps else packed.end, *packed.restart])
        return next_passage(reading, max(needed, begin), begin)

    def _pieces(self, page: Page, after: Piece | None) -> Iterator[Piece]:
        packer = self.plan.packer
        if after is None or not isinstance(packer, Resuming):
            return packer.pack(page)
        return packer.pack(page, after.end, after)

    def _around(
        self, kept: Sequence[Kept], reading: Reading, page: Page, after: Piece | None, limit: int
    ) -> Iterator[Piece]:
        """Pack what lies between the kept pieces of a page."""
        plan = self.plan
        cuts_words_last = any(isinstance(rung, Words) for rung in (*plan.ladder, *plan.between, *plan.below))
        word_ends = partial(_structural_starts, reading) if cuts_words_last else None
        low, high = page.origin, page.origin + page.size
        here = kept[bisect_left(kept, low, key=_fresh_of) : bisect_left(kept, high, key=_fresh_of)]
        keeping = Keeping(page, plan.packer, limit, word_ends)
        return keeping.pieces([piece.moved(-low) for piece in here], 0 if after is None else after.end, after)

    def _reading(self, passage: Passage, stretch: str, reads: Reads) -> Reading:
        text = passage.opening + stretch if passage.opening else stretch
        structure = reads.structure(text, passage.page)
        begin = len(passage.opening) + passage.lead
        headings = [heading for heading in structure.headings if heading.start >= begin]
        return Reading(text, structure, self.plan.headings.outline(text, headings, passage.above))

    def _page(self, document: Document, reading: Reading, origin: int, stops: Sequence[Piece] = ()) -> Page:
        text, plan = reading.text, self.plan
        below: tuple[Segmenter, ...] = plan.below
        if plan.whole_words and not self.refuses:
            below = (*below, Graphemes())
        return Page(
            text,
            measure_of(self.counter, text),
            self.budget,
            ladder=reading.rungs(plan.ladder),
            between=reading.rungs(plan.between),
            below=reading.rungs(below),
            outline=reading.outline if plan.headings_stay else Outline(),
            units=reading.units if plan.headings_stay else (),
            contexts=self._contexts(reading),
            whole_words=Words().cuts(text) if self.refuses else None,
            snaps=lambda: (reading.cuts(Sentences(plan.language)), Blanks().cuts(text)),
            closings=reading.closings,
            trim=self.trim,
            keep_blank=self.blank == "keep" and not self.trim,
            document_id=document.id,
            origin=origin,
            stops=stops_in(stops, origin, len(text)) if stops else (),
            counter=self.counter,
            loaded=document.loaded,
        )

    def _contexts(self, reading: Reading) -> Contexts | None:
        if self.context == "none":
            return None
        return Contexts(
            reading.text,
            self.counter,
            self.budget,
            outline=reading.outline if self.context in {"section", "both"} else None,
            tables=reading.structure.tables if self.context in {"table", "both"} else (),
        )


def _carried(packed: Piece, size: int) -> Piece:
    """Give a piece as the next passage has to know it; a cluster that reaches the end of this one may not end there."""
    unknown = packed.cluster is not None and packed.cluster[1] == size
    return packed._replace(cluster=None) if unknown else packed


class Seen(NamedTuple):
    """What one passage allows: where parts begin that are packed on their own, and where its structure parts words."""

    part_starts: list[int]
    structural_starts: list[int]

    @classmethod
    def of(cls, reading: Reading, page: Page) -> Seen:
        """Gather them as offsets of the document."""
        starts = _structural_starts(reading)
        return cls([offset + page.origin for offset in page.part_starts], [offset + page.origin for offset in starts])


def _structural_starts(reading: Reading) -> list[int]:
    structure, outline = reading.structure, reading.outline
    starts = [*(structure.blocks or ()), *(unit.start for unit in structure.units)]
    return [*starts, *outline.run_starts, *outline.run_ends]


def _fresh_of(kept: Kept) -> int:
    return kept.fresh
