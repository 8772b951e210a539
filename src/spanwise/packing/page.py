"""One document made ready for packing: its text, its cuts, its counter and the budget, asked about spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from spanwise.counting.measure import MappedMeasure
from spanwise.errors import BudgetError, ChunkingError, shown
from spanwise.segmenting.trimming import trimmed
from spanwise.segmenting.units import Units
from spanwise.whitespace import WHITE_SPACE, is_blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from spanwise.counting import Counter
    from spanwise.counting.measure import Measure
    from spanwise.packing.budget import Budget
    from spanwise.packing.contexts import Contexts
    from spanwise.packing.parted import Parts
    from spanwise.sections import Outline
    from spanwise.segmenting.segmenter import Cuts
    from spanwise.structure import Unit

__all__ = ["SEAM", "Packer", "Page", "Piece", "Resuming"]

SEAM = 8
"""How many tokens beyond the budget the map may show for what fits when counted alone."""

_PATIENCE = 8
"""How often a map may be far too low before the counter is asked instead."""


class Piece(NamedTuple):
    """What becomes a chunk: where it begins, where its new text begins, where it ends, its size, and its context.

    The size is that of the one string of context and text.
    """

    start: int
    fresh: int
    end: int
    tokens: int
    context: str = ""
    restart: tuple[int, ...] = ()
    """Earlier offsets that the packer needs to go on after this piece."""
    cluster: tuple[int, int] | None = None
    """The span of the grapheme cluster that is cut where the piece ends, if one is."""
    metadata: Mapping[str, object] | None = None
    """What is known of this piece alone."""
    alone: int | None = None
    """The size of its text without a context, where that is known."""

    def moved(self, by: int) -> Piece:
        """Give the same piece in a text where all offsets are `by` larger."""
        restart = tuple(offset + by for offset in self.restart)
        piece = self._replace(start=self.start + by, fresh=self.fresh + by, end=self.end + by, restart=restart)
        if self.cluster is None:
            return piece
        return piece._replace(cluster=(max(self.cluster[0] + by, 0), self.cluster[1] + by))


class Packer(Protocol):
    """Chooses which neighbouring segments form a chunk."""

    def pack(self, page: Page) -> Iterator[Piece]:
        """Yield the pieces of a page in order; starts and ends strictly increase and nothing is skipped."""


@runtime_checkable
class Resuming(Protocol):
    """A packer that goes from left to right, so that a long text can be packed page by page."""

    def pack(self, page: Page, start: int = 0, after: Piece | None = None) -> Iterator[Piece]:
        """Yield the pieces from `start` on, which is where `after` ends, the piece before on an earlier page."""

    def resumes(self) -> bool:
        """Say whether `start` and `after` are heeded."""


class Page:
    """A document's text with all that a packer asks: cuts by rung, sizes, and how far the budget reaches.

    `ladder` holds the rungs among which a packer chooses by strength, coarse to fine. Only where no cut of it fits,
    those of `between` are tried one after another, then those of `below`, for which headings need not stay with what
    follows them. `origin` is where the text of the page begins in the document, for messages. `stops` are pieces that
    end where each chunk has to end, in order, such as those of a larger level.
    """

    def __init__(
        self,
        text: str,
        measure: Measure,
        budget: Budget,
        *,
        ladder: Sequence[Cuts],
        between: Sequence[Cuts],
        below: Sequence[Cuts],
        outline: Outline,
        units: Sequence[Unit] = (),
        contexts: Contexts | None = None,
        whole_words: Cuts | None = None,
        snaps: Callable[[], Sequence[Cuts]] = tuple,
        closings: Callable[[], Sequence[tuple[int, int]]] = tuple,
        trim: bool = False,
        keep_blank: bool = False,
        document_id: str = "",
        origin: int = 0,
        stops: Sequence[Piece] = (),
        counter: Counter | None = None,
        loaded: object = None,
    ) -> None:
        self.text = text
        self.size = len(text)
        self.measure = measure
        self.budget = budget
        self.ladder = ladder
        self.between = between
        self.below = below
        self.outline = outline
        self.units = Units(text, units)
        self._contexts = contexts
        self.context = ""
        self._context_tokens = 0
        self.whole_words = whole_words
        self.trim = trim
        self.keep_blank = keep_blank
        self.document_id = document_id
        self.origin = origin
        self._stops = stops
        self.counter = counter
        """What counts texts that are none of this page, for a parting that makes some."""
        self.loaded = loaded
        """What the loader of the document keeps of its file."""
        self.only: tuple[int, int, Piece | None] | None = None
        """The one region to pack and the piece before it, where all around it is kept as it is."""
        self.parts: Parts | None = None
        """What the parting of a packer made of this page."""
        self.part_starts: list[int] = []
        """Where the parts begin that were packed each on its own, so far."""
        self._counted = (0, 0, 0)
        self._doubts = 0
        self._too_long: dict[tuple[int, int], bool] = {}
        self.closings = closings
        """Lists where text begins after sections that close by themselves, and their levels."""
        self._make_snaps = snaps
        self._snaps: Sequence[Cuts] | None = None

    @property
    def snaps(self) -> Sequence[Cuts]:
        """The rungs to which the beginning of an overlap snaps: sentence, word, cluster."""
        if self._snaps is None:
            self._snaps = self._make_snaps()
        return self._snaps

    def regions(self, start: int = 0, after: Piece | None = None) -> Iterator[tuple[int, int, Piece | None]]:
        """Yield the spans between stops from `start` on, each with the piece before it as far as packing heeds it."""
        if self.only is not None:
            yield self.only
            return
        for stop in (*self._stops, None):
            end = self.size if stop is None else min(stop.end, self.size)
            if end > start:
                yield start, end, after
            if end >= start:
                after = None if stop is None or stop.cluster is None else stop
                start = end

    def divides_unit(self, cut: int) -> bool:
        """Say whether a cut would divide a unit that fits alone, such as a record with keys in it."""
        return self.units.divided(cut, 0, self.is_too_long) is not None

    def may_cut(self, offset: int) -> bool:
        """Say whether a cut parts no heading from the text under it and divides no unit that fits alone."""
        return self.outline.loosened(offset) == offset and not self.divides_unit(offset)

    def begin(self, fresh: int) -> None:
        """Get ready for a chunk whose new text begins at `fresh`: from now on its context is part of every size."""
        self._too_long.clear()
        if self._contexts is not None:
            self.context = self._contexts.at(fresh)
            self._context_tokens = self._contexts.size(self.context)
            self._counted = (0, 0, 0)

    def drop_context(self) -> None:
        """Go on without a context for this chunk."""
        self._too_long.clear()
        self.context = ""
        self._context_tokens = 0
        self._counted = (0, 0, 0)

    def reach(self, start: int, tokens: int | None) -> int:
        """Guess how far a chunk from `start` may go in `tokens` tokens and the budget's characters."""
        end, most = self.size, self.budget.max_characters
        if most is not None:
            end = min(end, start + most - len(self.context))
        if tokens is None:
            return end
        reach = self.measure.reach(start, tokens - self._context_tokens)
        return min(end, reach)

    def doubt_map(self, tokens: int) -> None:
        """Note how large a span is that the map let pass: one far too low costs long counts, and is given up."""
        most = self.budget.max_tokens
        self._doubts += most is not None and tokens > 2 * most + SEAM
        if self._doubts == _PATIENCE and isinstance(self.measure, MappedMeasure):
            self.measure = self.measure.probed()

    def room(self, tokens: int) -> int:
        """Give how many of so many tokens are left for the text of the chunk that was begun."""
        return tokens - self._context_tokens

    def is_too_long(self, start: int, end: int) -> bool:
        """Say whether a span is over the budget: by the map where that is clear, else by counting."""
        most = self.budget.max_tokens
        if self.reach(start, None if most is None else most + SEAM) < end:
            return True
        if most is None or (end - start) * 2 <= most or self.reach(start, max(most - SEAM, 1)) >= end:
            return False
        if (start, end) not in self._too_long:
            self._too_long[start, end] = not self.fits(start, end)
        return self._too_long[start, end]

    def count(self, start: int, end: int) -> int:
        """Count what a chunk of this span would hold."""
        if self.trim:
            start, end = self.kept(start, end)
            if start == end:
                return 0
        if self._counted[0] == start and self._counted[1] == end:
            return self._counted[2]
        if self._contexts is not None and self.context:
            tokens = self._contexts.size(self.context + self.text[start:end])
        else:
            tokens = self.measure.count(start, end)
        self._counted = (start, end, tokens)
        return tokens

    def kept(self, start: int, end: int) -> tuple[int, int]:
        """Give what a chunk keeps of a span: all of it, or all but the white space at its ends."""
        return trimmed(self.text, start, end) if self.trim else (start, end)

    def leaves_out(self, fresh: int, end: int) -> bool:
        """Say whether a chunk with this new text is left out because that is white space alone."""
        return not self.keep_blank and self.text[fresh] in WHITE_SPACE and is_blank(self.text, fresh, end)

    def fits(self, start: int, end: int) -> bool:
        """Say whether a chunk of this span is within the budget."""
        budget = self.budget
        if budget.max_characters is not None:
            first, last = self.kept(start, end)
            if last - first + len(self.context) > budget.max_characters:
                return False
        return budget.max_tokens is None or self.count(start, end) <= budget.max_tokens

    def too_long(self, start: int, end: int) -> ChunkingError | BudgetError:
        """Make the error for a word that is over the budget, or for a code point in it that is."""
        place = f"document {self.document_id!r}, {start + self.origin}:{end + self.origin}"
        for character in sorted(set(self.text[start:end])):
            offset = self.text.index(character, start, end)
            if not self.fits(offset, offset + 1):
                return self.over_budget(offset)
        limits = " and ".join(
            f"max_{unit}={most}"
            for unit, most in (("tokens", self.budget.max_tokens), ("characters", self.budget.max_characters))
            if most is not None
        )
        return ChunkingError(
            f"{place}: the word {shown(self.text[start : min(end, start + 200)])} of {end - start} characters holds "
            f'{self.count(start, end)} tokens, which is over {limits}; raise the budget, or ask for overflow="split" '
            "to cut words between characters",
            document_id=self.document_id,
            start=start + self.origin,
            end=end + self.origin,
        )

    def over_budget(self, offset: int) -> BudgetError:
        """Make the error for one code point that alone is over the budget."""
        character = self.text[offset]
        tokens = self.measure.count(offset, offset + 1)
        return BudgetError(
            f"document {self.document_id!r}, {offset + self.origin}: the character {character!r} "
            f"(U+{ord(character):04X}) alone is {tokens} tokens, over max_tokens={self.budget.max_tokens}; "
            f"ask for at least {tokens}"
        )
