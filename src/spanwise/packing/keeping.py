"""Keep the pieces that are known, and pack only what lies between them.

What lies between two kept pieces is a window, which is packed as a region of its own. Up to two neighbours on each
side are packed with it where that saves a piece: else each edit would leave a small piece behind, and many edits would
add up.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from spanwise.packing.drift import Drift
from spanwise.packing.fill import Fill
from spanwise.packing.item_parts import ItemParts
from spanwise.packing.overlap import overlap_start, shortened_overlap
from spanwise.packing.page import SEAM, Piece
from spanwise.packing.parted import Parted
from spanwise.packing.section_parts import SectionParts
from spanwise.segmenting.graphemes import floor, next_boundary
from spanwise.segmenting.words import Words, is_word_cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spanwise.packing.page import Packer, Page

__all__ = ["Keeping", "Kept", "keeps"]

_NEIGHBOURS = 2
"""How many pieces on each side of a window may be packed with it."""

_SHORT = 6
"""Of a window of more pieces, the last ones alone may be packed with its neighbours."""

_WIDENED = sorted(
    ((before, after) for before in range(_NEIGHBOURS + 1) for after in range(_NEIGHBOURS + 1) if before or after),
    key=sum,
)


class Kept(NamedTuple):
    """A piece that is known: where it began, where its new text begins and ends, its size alone, and its context."""

    start: int
    fresh: int
    end: int
    tokens: int
    context: str = ""
    follows: bool = False
    """Whether the piece before it is kept too, and was before it already; else what it repeated is no longer there."""

    def moved(self, by: int) -> Kept:
        """Give the same piece in a text where all offsets are `by` larger."""
        return self._replace(start=self.start + by, fresh=self.fresh + by, end=self.end + by)


def keeps(packer: Packer) -> bool:
    """Say whether a packer packs one region of a page on its own, and knows nothing of a piece but its span."""
    if isinstance(packer, Parted):
        return isinstance(packer.parting, SectionParts | ItemParts | Drift)
    return isinstance(packer, Fill)


class Keeping:
    """Packs what lies between kept pieces of one page.

    Pieces that end after `limit` will be packed again with the next page. `word_ends` lists where words end because
    the structure says so; None where words may be cut anywhere.
    """

    def __init__(
        self, page: Page, packer: Packer, limit: int, word_ends: Callable[[], Iterable[int]] | None = None
    ) -> None:
        self._page = page
        self._packer = packer
        self._limit = limit
        self._edges = _Edges(page, word_ends)
        self._parted = isinstance(packer, Parted)
        self._drifts = isinstance(packer, Parted) and isinstance(packer.parting, Drift)

    def pieces(self, kept: Sequence[Kept], start: int = 0, after: Piece | None = None) -> Iterator[Piece]:
        """Yield the pieces from `start` on, which is where `after` ends, the piece before on an earlier page.

        `kept` are those of the document in order, as offsets of the page.
        """
        page = self._page
        known = list(self._usable(kept, start))
        held: list[Piece] = []
        position, place = start, 0
        while position < page.size:
            if place < len(known) and known[place].fresh == position:
                before = held[-1] if held else after
                held.append(self._known(known[place], known[place - 1] if place else None, before))
                place += 1
            else:
                place = self._past_headings(known, place, position)
                stop = known[place].fresh if place < len(known) else page.size
                place = self._window(held, after, (position, stop), known, place)
            while len(held) > _NEIGHBOURS:
                after = held.pop(0)
                yield after
            position = held[-1].end
        yield from held

    def _usable(self, kept: Sequence[Kept], start: int) -> Iterator[Kept]:
        """Yield what can be kept here: between whole characters and words, and within the budget with its context."""
        page = self._page
        for place in range(bisect_left(kept, start, key=_fresh_of), len(kept)):
            piece = kept[place]
            if piece.end > page.size:
                return
            ends_run = place + 1 == len(kept) or not kept[place + 1].follows
            may_begin = self._edges.may_be_at(piece.fresh, beside_new=not piece.follows)
            if not self._edges.may_be_at(piece.end, beside_new=ends_run) or not may_begin:
                continue
            page.begin(piece.fresh)
            if page.context == piece.context:
                yield piece
            elif self._edges.are_inside(piece.fresh, piece.end):
                yield piece._replace(context="")
            elif page.fits(piece.fresh, piece.end):
                yield piece._replace(context=page.context, follows=False)  # there is other room for what it repeats
            elif not piece.context:  # it was left out before, too
                yield piece

    def _known(self, kept: Kept, before: Kept | None, previous: Piece | None) -> Piece:
        """Give a kept piece; where the one before it has changed, so does what it repeats."""
        page, start = self._page, kept.fresh
        stays = kept.start == kept.fresh
        if previous is not None and page.budget.overlaps and previous.end == kept.fresh:
            unchanged = kept.follows and before is not None and previous[:3] == before[:3]
            if unchanged and (kept.start < kept.fresh or not self._parted):
                start, stays = kept.start, True
            elif not self._begins_part(kept):  # nor need one that repeats nothing begin a part in the new text
                start = self._overlap(kept, previous)
                stays = stays and start == kept.fresh
        tokens = kept.tokens if stays else page.measure.count(*page.kept(start, kept.end))
        cluster = self._edges.inside.get(kept.end)
        return Piece(start, kept.fresh, kept.end, tokens, kept.context, cluster=cluster, alone=tokens)

    def _begins_part(self, kept: Kept) -> bool:
        if self._drifts:  # where a subject drifts is known of the piece alone
            return kept.start == kept.fresh
        return self._parted and kept.fresh in self._section_starts

    def _overlap(self, kept: Kept, previous: Piece) -> int:
        """Find where a kept piece begins when it repeats the end of another piece than before."""
        page = self._page
        if previous.cluster is not None or page.leaves_out(previous.fresh, previous.end):
            return kept.fresh
        page.begin(kept.fresh)
        if page.context != kept.context:
            page.drop_context()
        start = overlap_start(page, previous, kept.fresh)
        if start < kept.fresh and not page.fits(start, kept.end):
            start = shortened_overlap(page, start, kept.fresh, kept.end)
        return start

    @cached_property
    def _section_starts(self) -> frozenset[int]:
        page = self._page
        return frozenset([*page.outline.run_starts, *(start for start, _ in page.closings())])

    def _past_headings(self, known: Sequence[Kept], place: int, position: int) -> int:
        """Give up pieces before which a window would end with a heading, which stays with what follows it."""
        while place < len(known):
            stop = known[place].fresh
            if not position <= self._page.outline.loosened(stop) < stop:
                break
            place += 1
        return place

    def _window(
        self, held: list[Piece], after: Piece | None, span: tuple[int, int], known: Sequence[Kept], place: int
    ) -> int:
        """Pack a window, with neighbours where that saves a piece; give the place of the next kept piece."""
        page = self._page
        start, stop = span
        if page.leaves_out(start, stop):
            held.append(Piece(start, start, stop, 0))
            return place
        best = self._packed(start, stop, held[-1] if held else after)
        if len(best) > _SHORT:
            held += best
            best = []
        elif stop == page.size > self._limit:  # the end of the window is not on this page
            held += best
            return place
        fewest, widest, between = self._counted(best), (0, 0), best
        lefts, rights = self._whole_before(held, after), self._whole_after(known, place)
        for left, right in _WIDENED:
            if left > lefts or right > rights:
                continue
            around = [*held[len(held) - left :], *between]
            if not self._may_save(around, known[place : place + right], fewest + left + right - 1):
                continue
            begin = held[-left].fresh if left else start
            end = known[place + right - 1].end if right else stop
            previous = held[-left - 1] if left < len(held) else after
            packed = self._packed(begin if around else stop, end, previous)
            count = self._counted(packed) - left - right
            if count < fewest:
                fewest, widest, best = count, (left, right), packed
        if widest[0]:
            del held[-widest[0] :]
        held += best
        return place + widest[1]

    def _packed(self, start: int, stop: int, previous: Piece | None) -> list[Piece]:
        page = self._page
        if self._parted and start in self._section_starts and (previous is None or previous.cluster is None):
            previous = None
        page.only = (start, stop, previous)
        return list(self._packer.pack(page))

    def _counted(self, pieces: Sequence[Piece]) -> int:
        return sum(not self._page.leaves_out(piece.fresh, piece.end) for piece in pieces)

    def _whole_before(self, held: Sequence[Piece], after: Piece | None) -> int:
        """Count the last pieces that may be packed again: they hold ink and begin and end between characters."""
        count = 0
        for piece in reversed(held[-_NEIGHBOURS:]):
            before = held[-count - 2] if count + 2 <= len(held) else after
            cut = piece.cluster is not None or (before is not None and before.cluster is not None)
            if cut or self._page.leaves_out(piece.fresh, piece.end):
                break
            count += 1
        return count

    def _whole_after(self, known: Sequence[Kept], place: int) -> int:
        count, end = 0, known[place].fresh if place < len(known) else 0
        for piece in known[place : place + _NEIGHBOURS]:
            if piece.fresh != end or piece.end > self._limit or self._edges.are_inside(piece.fresh, piece.end):
                break
            count, end = count + 1, piece.end
        return count

    def _may_save(self, around: Sequence[Piece], after: Sequence[Kept], most: int) -> bool:
        """Say whether these pieces might be packed into at most so many, by their sizes."""
        if most < 1:
            return False
        budget = self._page.budget
        if budget.max_tokens is not None:
            tokens = sum(piece.tokens for piece in around) + sum(piece.tokens for piece in after)
            repeated = budget.overlap_tokens * (len(around) + len(after))
            return tokens - repeated <= most * (budget.max_tokens + SEAM)
        characters = sum(piece.end - piece.fresh for piece in around) + sum(kept.end - kept.fresh for kept in after)
        return budget.max_characters is None or characters <= most * budget.max_characters


class _Edges:
    """Says where a kept piece may begin or end in the new text; asked from left to right."""

    def __init__(self, page: Page, word_ends: Callable[[], Iterable[int]] | None) -> None:
        self._page = page
        self._word_ends = word_ends
        self._cuts = Words().cuts(page.text)
        self._asked = (0, True)
        self._low = 0
        self._cluster = (0, 0)
        self._too_long = False
        self.inside: dict[int, tuple[int, int]] = {}
        """The clusters that alone are over the budget, by the places in them where pieces end."""

    def are_inside(self, *offsets: int) -> bool:
        """Say whether one of the offsets is inside such a cluster."""
        return any(offset in self.inside for offset in offsets)

    def may_be_at(self, offset: int, *, beside_new: bool) -> bool:
        """Say whether a cut at an offset parts no character and no word that fits alone.

        Between two pieces that were neighbours before, words are looked at only where cutting them is refused: else
        the strategy may have had its own reasons.
        """
        if offset != self._asked[0]:
            self._asked = (offset, self._judged(offset, beside_new=beside_new))
        return self._asked[1]

    def _judged(self, offset: int, *, beside_new: bool) -> bool:
        text = self._page.text
        if offset >= self._cluster[1]:
            begin = floor(text, offset, self._low)
            if begin == offset:
                low, self._low = self._low, offset
                if self._word_ends is None or not (beside_new or self._page.whole_words is not None):
                    return True
                return is_word_cut(text, offset, low) or self._parts_word(offset, low)
            self._low, self._cluster = begin, (begin, next_boundary(text, begin))
            self._page.drop_context()
            self._too_long = not self._page.fits(*self._cluster)
        if self._too_long:
            self.inside[offset] = self._cluster
        return self._too_long

    @cached_property
    def _structural(self) -> frozenset[int]:
        return frozenset(self._word_ends() if self._word_ends is not None else ())

    def _parts_word(self, offset: int, low: int) -> bool:
        """Say whether the word here ends because the structure says so, or is over the budget."""
        if offset in self._structural:
            return True
        page, begin = self._page, max(self._cuts.last(low, offset - 1, low), low)
        most = page.budget.max_tokens
        reach = min(page.reach(begin, None if most is None else most + SEAM) + 1, page.size)
        end = self._cuts.next(offset, reach)
        page.drop_context()
        return end <= offset or not page.fits(begin, end)


def _fresh_of(kept: Kept) -> int:
    return kept.fresh
