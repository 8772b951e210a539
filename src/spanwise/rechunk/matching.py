"""Where do the chunks of an old text stand in a new one?

Chunk by chunk from both ends as long as they are the same. What lies between is sought by fingerprints of its first
characters, each chunk once, so that what was moved is found too and repeats are taken in their order; then on from
what was found, in both directions. Positions come from that, and each match is compared in full.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from spanwise.segmenting.trimming import trimmed
from spanwise.whitespace import INK, WHITE_SPACE, is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from spanwise.chunks import Chunk

__all__ = ["Old", "matches", "old_texts"]

_WIDTHS = (256, 128, 64, 32, 16, 8)
"""How many characters a fingerprint is made of: as many as three of four chunks have."""

_BLOCK = 1 << 20
_FACTOR = 0x9E3779B97F4A7C15
_TRIES = 4
_PATIENCE = 16
"""Comparisons that fail may look at so many times the characters of both texts, so that no input takes long."""

_FURTHEST = 4_096


class Old(NamedTuple):
    """What one chunk held that the one before did not, and how much white space was left out before it."""

    text: str
    gap: int


def old_texts(chunks: Sequence[Chunk], *, trim: bool) -> list[Old]:
    """List the new text of each chunk; with `trim` it begins with ink."""
    olds, end = [], 0
    for chunk in chunks:
        text = chunk.text[chunk.overlap :]
        fresh = chunk.start + chunk.overlap
        if trim:
            ink = trimmed(text, 0, len(text))[0]
            text, fresh = text[ink:], fresh + ink
        olds.append(Old(text, fresh - end))
        end = chunk.end
    return olds


def matches(olds: Sequence[Old], text: str) -> list[tuple[int, int]]:
    """List where old texts begin in the new one, and which they are: (offset, place), by offset; none overlap."""
    found: dict[int, int] = {}
    low = _from_start(olds, text, found)
    first = len(found)
    high = _from_end(olds, text, found, first, low)
    last = len(olds) - (len(found) - first)
    if first < last and low < high:
        middle = dict(_anchored(olds, text, (first, last), (low, high)))
        found.update(middle)
        _extended(olds, text, found, (first, last), (low, high))
    return sorted((offset, place) for place, offset in found.items())


def _from_start(olds: Sequence[Old], text: str, found: dict[int, int]) -> int:
    """Follow the old texts from the beginning; give where the last one that is the same ends."""
    end = 0
    for place, old in enumerate(olds):
        start = _after(text, end, old)
        if start is None:
            break
        found[place] = start
        end = start + len(old.text)
    return end


def _after(text: str, end: int, old: Old) -> int | None:
    """Give where an old text goes on after an offset, the white space apart that was left out before it."""
    if text.startswith(old.text, end + old.gap) and is_blank(text, end, end + old.gap):
        return end + old.gap
    if old.gap and old.text[0] not in WHITE_SPACE:
        ink = INK.search(text, end, end + _FURTHEST)
        if ink is not None and text.startswith(old.text, ink.start()):
            return ink.start()
    return None


def _from_end(olds: Sequence[Old], text: str, found: dict[int, int], first: int, low: int) -> int:
    """Follow the old texts from the end back; give where the first one that is the same begins."""
    high, gap = len(text), _FURTHEST  # how much was left out at the end is not known
    for place in range(len(olds) - 1, first - 1, -1):
        start = _before(text, low, high, olds[place].text, gap)
        if start is None:
            break
        found[place] = high = start
        gap = olds[place].gap
    return high


def _before(text: str, low: int, high: int, old: str, gap: int) -> int | None:
    """Give where an old text begins that ends before an offset, the white space apart that was left out after it."""
    ends = [high - gap] if gap != _FURTHEST else [high]
    if gap:
        near = text[max(low, high - _FURTHEST) : high]
        ink_end = high - len(near) + len(near.rstrip(WHITE_SPACE))
        ends.append(ink_end + len(old) - len(old.rstrip(WHITE_SPACE)))
    for end in ends:
        start = end - len(old)
        if low <= start and end <= high and text.startswith(old, start) and is_blank(text, end, high):
            return start
    return None


def _anchored(
    olds: Sequence[Old], text: str, places: tuple[int, int], span: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield places of old texts and where they stand in a span of the new one, each once, in the order of the span."""
    inner = range(*places)
    usual = sorted(len(olds[place].text) for place in inner)[len(inner) // 4]
    width = next((width for width in _WIDTHS if width <= usual), _WIDTHS[-1])
    waiting = [place for place in inner if len(olds[place].text) >= width]
    if not waiting or span[1] - span[0] < width:
        return
    prints = _prints("".join(olds[place].text[:width] for place in waiting), width)[::width]
    print_of = dict(zip(waiting, prints.tolist(), strict=True))
    by_print: defaultdict[int, list[int]] = defaultdict(list)
    for place in reversed(waiting):
        by_print[print_of[place]].append(place)  # the first one last, where it is taken from
    effort = _PATIENCE * (span[1] - span[0] + sum(len(olds[place].text) for place in waiting))
    free, expected = span[0], -1
    for offset, fingerprint in _candidates(text, span, width, prints):
        if offset < free:
            continue
        listed = by_print[fingerprint]
        while listed and listed[-1] not in print_of:
            listed.pop()
        tried = [expected] if print_of.get(expected) == fingerprint else []
        for place in (*tried, *(place for place in reversed(listed[-_TRIES:]) if place in print_of)):
            old = olds[place].text
            end = offset + len(old)
            if end > span[1] or text[end - width : end] != old[-width:]:
                continue
            if text.startswith(old, offset):
                yield place, offset
                del print_of[place]
                free, expected = end, place + 1
                break
            effort -= len(old)
        if effort < 0:
            return


def _candidates(text: str, span: tuple[int, int], width: int, prints: NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """Yield the offsets of a span at which one of the fingerprints is found, and which."""
    import numpy as np  # noqa: PLC0415  loaded only where something has changed

    sought = np.unique(prints)
    for begin in range(span[0], span[1], _BLOCK):
        piece = text[begin : min(begin + _BLOCK + width - 1, span[1])]
        if len(piece) < width:
            return
        here = _prints(piece, width)
        places = np.searchsorted(sought, here)
        places[places == len(sought)] = 0
        hits = np.flatnonzero(sought[places] == here)
        yield from zip((hits + begin).tolist(), here[hits].tolist(), strict=True)


def _prints(text: str, width: int) -> NDArray[np.uint64]:
    """Give the fingerprint of each `width` characters that follow one another: a polynomial, doubled step by step."""
    import numpy as np  # noqa: PLC0415  loaded only where something has changed

    prints = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    step, factor = 1, _FACTOR
    while step < width:
        prints = prints[:-step] * np.uint64(factor) + prints[step:]
        step, factor = 2 * step, factor * factor % 2**64
    return prints


def _extended(
    olds: Sequence[Old], text: str, found: dict[int, int], places: tuple[int, int], span: tuple[int, int]
) -> None:
    """Go on from what was found to neighbours that were too short to be sought."""
    anchors = sorted((found[place], place) for place in range(*places) if place in found)
    place, end = places[0] - 1, span[0]
    for offset, following in [*anchors, (span[1], places[1])]:
        end = _forward(olds, text, found, (place + 1, places[1]), (end, offset))
        _backward(olds, text, found, (places[0], following), (end, offset))
        place = following
        end = offset + (len(olds[place].text) if place < places[1] else 0)


def _forward(
    olds: Sequence[Old], text: str, found: dict[int, int], places: tuple[int, int], span: tuple[int, int]
) -> int:
    end = span[0]
    for place in range(*places):
        start = _after(text, end, olds[place]) if place not in found else None
        if start is None or start + len(olds[place].text) > span[1]:
            break
        found[place] = start
        end = start + len(olds[place].text)
    return end


def _backward(
    olds: Sequence[Old], text: str, found: dict[int, int], places: tuple[int, int], span: tuple[int, int]
) -> None:
    low, high = span
    gap = olds[places[1]].gap if places[1] < len(olds) else _FURTHEST
    for place in range(places[1] - 1, places[0] - 1, -1):
        start = _before(text, low, high, olds[place].text, gap) if place not in found else None
        if start is None:
            break
        found[place] = high = start
        gap = olds[place].gap
