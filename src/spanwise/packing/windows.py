"""Windows of whole sentences that overlap by construction: they cover the document, they do not part it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.packing.fill import fill
from spanwise.packing.page import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.packing.page import Page

__all__ = ["Windows"]


class Windows:
    """Pack windows of `sentences` sentences, or of as many as fit, each beginning `overlap` sentences back."""

    def __init__(self, sentences: int | None, overlap: int) -> None:
        self.sentences = sentences
        self.overlap = overlap

    def resumes(self) -> bool:
        """Windows go from left to right."""
        return True

    def pack(self, page: Page, start: int = 0, after: Piece | None = None) -> Iterator[Piece]:
        """Yield the pieces of the page; a sentence that is over the budget is filled on its own."""
        starts, fresh = [start], start
        if after is not None and after.cluster is not None:
            fresh = after.cluster[1]
            yield from self._filled(page, start, fresh, after)
            starts = [fresh]
        elif after is not None and after.restart:
            starts = list(after.restart)
        while fresh < page.size:
            window = self._window(page, starts, fresh)
            if window is None:
                upto = self._ends(page, fresh, page.size, 1)[-1]
                yield from self._filled(page, fresh, upto)
                starts, fresh = [upto], upto
                continue
            piece, ends = window
            known = [begin for begin in starts if begin >= piece.start] + ends
            starts = known[-1 - self.overlap :] if self.overlap else known[-1:]
            begun = page.kept(piece.start, piece.end)[0]
            starts = [begin for begin in starts if page.kept(begin, max(begin, piece.end))[0] > begun] or [piece.end]
            yield piece._replace(restart=tuple(starts))
            fresh = piece.end

    @staticmethod
    def _filled(page: Page, start: int, stop: int, after: Piece | None = None) -> Iterator[Piece]:
        """Yield the pieces of a sentence that is over the budget; windows begin anew where it ends."""
        for piece in fill(page, start, stop, 0.0, after):
            yield piece if piece.end == stop else piece._replace(restart=(piece.end,))

    def _window(self, page: Page, starts: list[int], fresh: int) -> tuple[Piece, list[int]] | None:
        """Begin as far back as leaves room for new sentences; None where not even the next one fits alone."""
        page.begin(fresh)
        for start in starts:
            before = sum(1 for known in starts if start <= known < fresh)
            room = None if self.sentences is None else self.sentences - before
            most = page.budget.max_tokens
            slack = None if most is None else most + 8
            ends = self._ends(page, fresh, page.reach(start, slack), room)
            while ends:
                if page.fits(start, ends[-1]):
                    return Piece(start, fresh, ends[-1], page.count(start, ends[-1]), page.context), ends
                if page.budget.max_characters is None:  # else nothing may have been counted
                    page.doubt_map(page.count(start, ends[-1]))
                upto = min(ends.pop() - 1, page.reach(start, slack))
                while ends and ends[-1] > upto:
                    ends.pop()
        return None

    @staticmethod
    def _ends(page: Page, fresh: int, upto: int, most: int | None) -> list[int]:
        """List the next sentence ends in (fresh, upto], at most `most` of them."""
        sentences, cut = page.ladder[0], fresh
        ends: list[int] = []
        while most is None or len(ends) < most:
            following = sentences.next(cut, upto)
            if following <= cut:
                break
            ends.append(following)
            cut = following
        return ends
