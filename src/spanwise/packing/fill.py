"""Fill the budget from left to right.

At each beginning the map says how far the budget reaches. The cut is chosen inside that reach, and the slice is
counted alone; where seams made it larger, the reach is shortened by the excess and the choice made again.

`min_fill` decides between strength and fullness: the strongest rung with a cut between that share of the reach and
the reach, the last cut of that rung. At 0 any cut of a coarser rung beats all of a finer one; where nothing lies in
the well-filled part, the last cut of any rung of the ladder is taken. Only where none fits at all is the text cut
finer, rung by rung: a unit is cut only when it alone is over the budget.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from spanwise.packing.overlap import overlap_start, shortened_overlap
from spanwise.packing.page import SEAM, Piece
from spanwise.sections import Outline
from spanwise.segmenting.graphemes import floor, next_boundary
from spanwise.segmenting.headings import HeadingEnds
from spanwise.whitespace import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spanwise.packing.page import Page
    from spanwise.segmenting.segmenter import Cuts
    from spanwise.segmenting.units import Units

__all__ = ["Fill", "Filling", "fill"]

_NO_HEADINGS = Outline()


class Fill:
    """Pack the whole page from left to right."""

    def __init__(self, min_fill: float = 0.0) -> None:
        self.min_fill = min_fill

    def pack(self, page: Page, start: int = 0, after: Piece | None = None) -> Iterator[Piece]:
        """Yield the pieces of the page."""
        filling = Filling(page, self.min_fill)
        for begin, stop, before in page.regions(start, after):
            yield from filling.pieces(begin, stop, before)

    def resumes(self) -> bool:
        """Filling goes from left to right."""
        return True


def fill(page: Page, start: int, stop: int, min_fill: float, after: Piece | None = None) -> Iterator[Piece]:
    """Yield the pieces of a region of the page, which is packed as if nothing stood around it but the piece before."""
    return Filling(page, min_fill).pieces(start, stop, after)


class _Tier:
    """Rungs that are tried together."""

    __slots__ = ("_is_too_long", "_keeps", "_text", "_units", "min_fill", "outline", "rungs")

    def __init__(
        self,
        page: Page,
        rungs: Sequence[Cuts],
        min_fill: float = 0.0,
        outline: Outline = _NO_HEADINGS,
        units: Units | None = None,
    ) -> None:
        self._text = page.text
        self.rungs = rungs
        self._units = units or None
        self._is_too_long = page.is_too_long
        self._keeps = bool(outline) or self._units is not None
        self.min_fill = min_fill
        self.outline = outline

    def best(self, start: int, fresh: int, reach: int, unit: int) -> int:
        """Choose a cut in (fresh, reach] for a chunk from `start`; `fresh` if there is none.

        A unit that begins after `unit` is not cut.
        """
        well_filled = floor(self._text, start + int((reach - start) * self.min_fill), fresh)
        for rung in self.rungs:
            cut = rung.last(well_filled, reach, unit)
            if cut > well_filled and self._keeps:
                cut = self._moved(cut, unit)
            if cut > well_filled:
                return cut
        if well_filled == fresh:
            return fresh
        return max(self._last(rung, fresh, well_filled, unit) for rung in self.rungs)

    def _last(self, rung: Cuts, after: int, upto: int, unit: int) -> int:
        cut = rung.last(after, upto, unit)
        if self._keeps and cut > after:
            cut = self._moved(cut, unit)
        return max(cut, after)

    def _moved(self, cut: int, unit: int) -> int:
        """Move a cut before what it would divide: a unit, or a heading and the text under it."""
        while True:
            moved = cut if self._units is None else self._units.loosened(cut, unit, self._is_too_long)
            moved = self.outline.loosened(moved)
            if moved == cut:
                return cut
            cut = moved

    def first(self, fresh: int, upto: int, unit: int) -> int:
        """Give the first cut in (fresh, upto] that cuts no unit which begins after `unit`; `fresh` if there is none."""
        begin = self.outline.text_from(fresh)
        cuts = [
            cut
            for rung in self.rungs
            if (cut := self._next(rung, begin, upto, unit)) > begin and rung.last(begin, cut, unit) == cut
        ]
        return min(cuts, default=fresh)

    def _next(self, rung: Cuts, after: int, upto: int, unit: int) -> int:
        cut = rung.next(after, upto)
        while cut > after:
            whole_to = self._whole_to(cut, unit)
            if whole_to == cut:
                return cut
            if whole_to > upto:
                return after
            before = floor(self._text, whole_to - 1, cut)
            following = rung.next(before, upto)
            cut = following if following > before else after
        return after

    def _whole_to(self, cut: int, unit: int) -> int:
        """Give the end of what a cut would divide, a unit, or a heading and the text under it; else the cut."""
        divided = None if self._units is None else self._units.divided(cut, unit, self._is_too_long)
        if divided is not None:
            return divided[1]
        moved = self.outline.loosened(cut)
        return cut if moved == cut else self.outline.text_from(moved) + 1


class Filling:
    """Fills regions of one page, one after another."""

    def __init__(self, page: Page, min_fill: float) -> None:
        self._page = page
        self._stop = self._ink_end = 0
        self._most = page.budget.max_tokens
        self._overlaps = page.budget.overlaps
        self._slack = None if self._most is None else self._most + SEAM
        outline, units = page.outline, page.units
        self._whole = [_Tier(page, page.ladder, min_fill, outline, units)]
        self._whole += [_Tier(page, (cuts,), 0.0, outline, units) for cuts in page.between]
        self._finer = [_Tier(page, (cuts,), units=units) for cuts in page.below]
        self._attached = [_Tier(page, (cuts,), 0.0, outline, units) for cuts in page.below]
        self._in_turn = (*self._whole, *self._finer)
        self._parting = [
            _Tier(page, (HeadingEnds(outline),)),
            _Tier(page, (*page.ladder, *page.between), units=units),
        ]

    def pieces(self, start: int, stop: int, after: Piece | None = None) -> Iterator[Piece]:
        """Yield the pieces of a region; all of them are taken before those of the next."""
        self._stop = stop
        self._ink_end = self._page.kept(start, stop)[1]  # white space after it, if it is trimmed, always fits
        previous = after
        while start < stop:
            piece = self._piece_from(previous, start)
            yield piece
            previous, start = piece, piece.end

    def _piece_from(self, previous: Piece | None, fresh: int) -> Piece:
        page = self._page
        page.begin(fresh)
        piece = self._next_piece(previous, fresh)
        return piece._replace(context=page.context) if page.context else piece

    def _next_piece(self, previous: Piece | None, fresh: int) -> Piece:
        page = self._page
        if previous is not None and previous.cluster is not None:
            return self._rest_of_cluster(fresh, previous.cluster)
        if not self._overlaps or previous is None or page.leaves_out(previous.fresh, previous.end):
            return self._piece(fresh, fresh)
        start = overlap_start(page, previous, fresh)
        piece = self._piece(start, fresh)
        if start < fresh and page.leaves_out(fresh, piece.end):  # the overlap left room for white space alone
            alone = self._piece(fresh, fresh)
            return (
                alone
                if page.leaves_out(fresh, alone.end)
                else self._with_overlap(start, fresh, alone.end, alone.tokens)
            )
        return piece

    def _piece(self, start: int, fresh: int) -> Piece:
        page = self._page
        for tier, unit in self._tiers(fresh):
            end = self._filled(tier, start, fresh, unit)
            if end is not None:
                return Piece(start, fresh, *end)
            end = self._whole_unit(tier, fresh, unit)
            if end is not None:
                return self._with_overlap(start, fresh, *end)
        if page.context:  # what fits without it is neither refused nor cut for it
            page.drop_context()
            return self._piece(start, fresh)
        forced = self._forced(fresh)
        piece = self._with_overlap(start, fresh, forced.end, forced.tokens)
        return piece._replace(cluster=forced.cluster)

    def _tiers(self, fresh: int) -> Iterable[tuple[_Tier, int]]:
        """Give what is tried in turn, each with where a unit may begin that is cut because it alone is too long."""
        text = self._page.outline.text_from(fresh)
        return zip(self._in_turn, repeat(fresh)) if text == fresh else self._tiers_of_heading(fresh, text)

    def _tiers_of_heading(self, fresh: int, text: int) -> Iterator[tuple[_Tier, int]]:
        within = text <= self._page.reach(fresh, self._most)
        if within:
            yield from zip(self._whole, repeat(fresh))
            if not self._holds_unit(text):  # which must be cut anyway: its first part goes with the heading
                yield from zip(self._whole, repeat(text))
                for attached, tier in zip(self._attached, self._finer, strict=True):
                    yield attached, text
                    if self._whole_unit(tier, text, text):  # but a word that fits alone is not cut for the heading
                        break
        yield from zip((*self._parting, *self._finer), repeat(fresh))

    def _holds_unit(self, fresh: int) -> bool:
        """Say whether the unit that begins here is within the budget alone."""
        before = fresh - 1  # so that a list item which begins here counts as a unit that is not to be cut
        return any(
            self._filled(tier, fresh, fresh, before) or self._whole_unit(tier, fresh, before) for tier in self._whole
        )

    def _filled(self, tier: _Tier, start: int, fresh: int, unit: int) -> tuple[int, int] | None:
        """Choose a cut after `fresh` for a chunk from `start`, and confirm.

        Step back by the excess where the slice alone is larger than the map said.
        """
        page, size, upto = self._page, self._most, self._stop
        while size is None or size > 0:
            reach = min(page.reach(start, size), upto)
            if reach <= fresh:
                return None
            cut = self._stop if reach >= self._ink_end else tier.best(start, fresh, reach, unit)
            if cut <= fresh:
                return None
            tokens = page.count(start, cut)
            if size is None or self._most is None or tokens <= self._most:
                return cut, tokens
            page.doubt_map(tokens)
            size -= max(1, tokens - self._most)
            upto = cut - 1
        return None

    def _whole_unit(self, tier: _Tier, fresh: int, unit: int, after: int | None = None) -> tuple[int, int] | None:
        """Take the next unit alone if it fits, though the map or the overlap said that it does not."""
        page = self._page
        after = fresh if after is None else after
        cut = tier.first(after, min(page.reach(fresh, self._slack), self._stop), unit)
        if cut <= after:
            return None
        return self._if_fits(fresh, cut)

    def _if_fits(self, start: int, end: int) -> tuple[int, int] | None:
        page = self._page
        return (end, page.count(start, end)) if page.fits(start, end) else None

    def _with_overlap(self, start: int, fresh: int, end: int, tokens: int) -> Piece:
        if start < fresh:
            start = shortened_overlap(self._page, start, fresh, end)
            if start < fresh:
                tokens = self._page.count(start, end)
        return Piece(start, fresh, end, tokens)

    def _forced(self, fresh: int) -> Piece:
        """Refuse a word that is over the budget, or cut a cluster that is between its code points."""
        page = self._page
        cluster = fresh, next_boundary(page.text, fresh, self._stop)
        if page.whole_words is not None and page.text[fresh] not in WHITE_SPACE:  # white space is no word
            end = page.whole_words.next(fresh, self._stop)
            end = self._stop if end == fresh else end
            found = self._if_fits(fresh, end)
            if found is None:
                raise page.too_long(fresh, end)
            return Piece(fresh, fresh, *found)
        page.drop_context()  # a cluster is not cut for it
        whole = self._if_fits(fresh, cluster[1])
        return self._part_of_cluster(fresh, cluster) if whole is None else Piece(fresh, fresh, *whole)

    def _rest_of_cluster(self, fresh: int, cluster: tuple[int, int]) -> Piece:
        """Go on inside a cluster that was cut: what follows is divided as its true beginning says."""
        within = cluster[1] <= self._page.reach(fresh, self._slack)
        for tier, unit in self._tiers(fresh) if within else ():
            found = self._filled(tier, fresh, cluster[0], unit) or self._whole_unit(tier, fresh, unit, cluster[0])
            if found is not None and found[0] > fresh:
                return Piece(fresh, fresh, *found)
        return self._part_of_cluster(fresh, cluster)

    def _part_of_cluster(self, fresh: int, cluster: tuple[int, int]) -> Piece:
        """Take what fits of a cluster that is over the budget, from its beginning or from `fresh` in it."""
        page = self._page
        page.drop_context()  # a cluster is not cut for it
        size = self._most
        stop = min(cluster[1], self._stop)
        end = min(max(fresh + 1, page.reach(fresh, size)), stop)
        while end > fresh:
            found = self._if_fits(fresh, end)
            if found is not None:
                return Piece(fresh, fresh, *found, cluster=cluster if end < cluster[1] else None)
            size = None if size is None else size - max(1, page.count(fresh, end) - (self._most or 0))
            end = min(end - 1, max(fresh + 1, page.reach(fresh, size)))
        raise page.over_budget(fresh)
