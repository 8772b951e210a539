"""Each item of a document on its own: a paragraph, a list, a table, with the headings above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.packing.parted import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.packing.page import Page

__all__ = ["ItemParts"]


class ItemParts:
    """Part at each cut of the first rung of the ladder that divides nothing."""

    def of(self, page: Page) -> _PageItems:
        """Get ready for one page."""
        return _PageItems(page)


class _PageItems:
    def __init__(self, page: Page) -> None:
        self._page = page

    def between(self, start: int, stop: int) -> Iterator[Part]:
        """Yield the items of a region."""
        page, rung = self._page, self._page.ladder[0]
        begin = cut = start
        while begin < stop:
            following = rung.next(cut, stop)
            cut = following if following > cut else stop
            page.begin(begin)
            if cut == stop or page.may_cut(cut):
                yield Part(begin, cut)
                begin = cut
