"""How far does a budget reach in this text?

A measure is a counter bound to one text. What it says of a span alone is exact; how far a number of tokens reaches
is a guess that the caller confirms by counting.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from spanwise.errors import CounterError

from .answers import FATAL, checked, failure
from .lengths import Characters
from .seams import used

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from .counter import Counter, MappingCounter

__all__ = ["CharacterMeasure", "MappedMeasure", "Measure", "ProbedMeasure", "measure_of"]

_LONG = 1000
"""From how many characters on a span is faster looked up between seams than encoded."""

_NEAR = 32
"""How far from the ends of a long span a seam is looked for; less than half of it, so that the first is not after the
last."""


class Measure(Protocol):
    """A counter bound to one text. Offsets are code points of that text."""

    has_map: ClassVar[bool]
    """Whether `reach` is a look-up; else it asks the counter."""

    def count(self, start: int, end: int) -> int:
        """Count text[start:end] alone; exact.

        Raises:
            CounterError: The counter raised, or answered something that is no count; names the counter and the span.
        """

    def reach(self, start: int, size: int) -> int:
        """Guess the largest offset up to which the text from `start` has `size` tokens.

        Between `start` and the end of the text; `start` itself only where `size` leaves no room or the text ends.
        """

    def back(self, end: int, size: int) -> int:
        """Guess the smallest offset from which the text up to `end` has at most `size` tokens."""


def measure_of(counter: Counter, text: str) -> Measure:
    """Bind a counter to a text.

    A counter with a map is asked for it once, here: one pass over the text.

    Raises:
        CounterError: The counter could not make its map.

    >>> from spanwise.counting import counter
    >>> measure = measure_of(counter("cl100k_base"), "One sentence. Another one.")
    >>> measure.count(0, 13), measure.reach(0, 3), measure.back(26, 3)
    (3, 13, 13)
    """
    if isinstance(counter, Characters):
        return CharacterMeasure(text)
    # isinstance of a protocol looks at every member, which costs as much as counting a short text
    if hasattr(counter, "token_ends"):
        return MappedMeasure(cast("MappingCounter", counter), text)
    return ProbedMeasure(counter, text)


class CharacterMeasure:
    """Measures code points: offsets are counts."""

    __slots__ = ("_length",)
    has_map: ClassVar[bool] = True

    def __init__(self, text: str) -> None:
        self._length = len(text)

    def count(self, start: int, end: int) -> int:
        """Count the code points of a span."""
        return min(end, self._length) - start

    def reach(self, start: int, size: int) -> int:
        """Give the offset `size` code points on, or the end; exact."""
        return min(start + size, self._length) if size > 0 else start

    def back(self, end: int, size: int) -> int:
        """Give the offset `size` code points before, or 0; exact."""
        return max(end - size, 0) if size > 0 else end


class MappedMeasure:
    """Measures with the map of the text: `reach` and `back` are one look-up, `count` is one call of the counter.

    Where the counter states additive seams and the map is exact, `count` of a long span encodes only what is left
    of its first seam and right of its last: between them the tokens are those of the map.
    """

    __slots__ = (
        "_at",
        "_count",
        "_counter",
        "_known",
        "_length",
        "_name",
        "_overhead",
        "_seam",
        "_text",
        "_tokens",
        "_whole",
        "_window",
    )
    has_map: ClassVar[bool] = True

    def __init__(self, counter: MappingCounter, text: str) -> None:
        """Make the map."""
        self._counter = counter
        self._text = text
        self._length = len(text)
        self._name = counter.name
        self._count = counter.count
        self._overhead = counter.overhead
        ends = _answer_of(lambda whole: _flat(counter.token_ends(whole)), text, counter.name, 0, len(text))
        self._tokens = int(ends.size)
        self._at = memoryview(ends)  # bisect over it is quicker than searchsorted, which makes and casts arrays
        self._window = (0, 0)
        maps_exactly = used(getattr(counter, "maps_exactly", None))
        exact = maps_exactly is not None and maps_exactly(text)
        self._whole = self._tokens + self._overhead if exact else None
        self._seam: re.Pattern[str] | None = getattr(counter, "additive_seam", None) if exact else None
        self._known = (-1, -1)

    def probed(self) -> ProbedMeasure:
        """Give a measure of the same text that asks the counter instead, for a map that says nothing of the counts."""
        return ProbedMeasure(self._counter, self._text)

    def count(self, start: int, end: int) -> int:
        """Count a span alone; the whole text, where the map is exact, without counting it again."""
        if self._whole is not None and start == 0 and end >= self._length:
            return self._whole
        if self._seam is not None and end - start >= _LONG:
            return self._count_by_seams(self._seam, start, min(end, self._length))
        return self._encoded(start, end)

    def _count_by_seams(self, seam: re.Pattern[str], start: int, end: int) -> int:
        first = self._first_seam(seam, start) if start else (0, -1)
        last = seam.match(self._text, end - 1, end + 1) or seam.search(self._text, end - _NEAR, end)
        if first is None or last is None:
            return self._encoded(start, end)
        (left, before), right = first, last.end()
        upto = self._place(right)
        if not before or not upto:  # a map puts what the tokenizer drops before the first token with that token
            return self._encoded(start, end)
        if self._at[upto] == right:  # else `reach` has another token first
            self._known = (right, upto)
        tokens = upto - before + self._overhead
        if start < left:
            tokens += self._encoded(start, left) - self._overhead
        if right < end:
            tokens += self._encoded(right, end) - self._overhead
        return tokens

    def _first_seam(self, seam: re.Pattern[str], start: int) -> tuple[int, int] | None:
        """Give the first seam from `start` on, and the place in the map of the token that ends there."""
        if start == self._known[0]:  # mostly a span begins where the one before ended
            return self._known
        found = seam.search(self._text, max(start - 1, 0), start + _NEAR)
        return (found.end(), self._place(found.end())) if found else None

    def _encoded(self, start: int, end: int) -> int:
        try:
            tokens = self._count(self._text[start:end])
        except FATAL:
            raise
        except BaseException as error:
            raise _named(error, self._name, start, end) from error
        return tokens if type(tokens) is int and tokens >= 0 else checked(tokens, self._name)

    def reach(self, start: int, size: int) -> int:
        """Guess how far `size` tokens reach: the end of the last of them."""
        size -= self._overhead
        if size <= 0:
            return start
        known, place = self._known  # mostly a span begins where the one before ended
        first = place + 1 if start == known else self._first_token(start)
        last = first + size - 1
        if last >= self._tokens:
            return self._length
        self._window = (first - 1, last) if first else (0, last)
        end = self._at[last]
        if end <= start:  # tokens that end inside the character at `start` say nothing
            beyond = bisect_right(self._at, start)
            return self._at[beyond] if beyond < self._tokens else self._length
        return end

    def _first_token(self, start: int) -> int:
        """Give the place in the map of the first token that ends after `start`, or just there inside a character."""
        place = self._place(start)
        return place + 1 if place < self._tokens and self._at[place] == start else place

    def _place(self, offset: int) -> int:
        """Give how many tokens end before an offset."""
        (low, high), at = self._window, self._at
        if high and at[low] < offset <= at[high]:  # mostly it lies in what was reached last
            return bisect_left(at, offset, low + 1, high)
        return bisect_left(at, offset)

    def back(self, end: int, size: int) -> int:
        """Guess where the `size` tokens up to `end` begin."""
        size -= self._overhead
        if size <= 0:
            return end
        before = self._place(end) - size
        return min(self._at[before], end) if before >= 0 else 0


class ProbedMeasure:
    """Measures with a counter that has no map, by asking about windows of about the size of the budget.

    Deterministic: the guesses depend on the text, the counter, and what was asked about this text before.
    """

    __slots__ = ("_characters_per_token", "_count", "_length", "_name", "_proven", "_reached", "_recent", "_text")
    has_map: ClassVar[bool] = False

    def __init__(self, counter: Counter, text: str) -> None:
        self._text = text
        self._length = len(text)
        self._name = counter.name
        self._count = counter.count
        self._characters_per_token = 0.0
        self._proven = 0
        self._recent: deque[tuple[int, int, int]] = deque(maxlen=8)
        self._reached: deque[tuple[int, int, int]] = deque(maxlen=8)

    def count(self, start: int, end: int) -> int:
        """Count a span alone; one of the last eight asked about costs no call."""
        for known_start, known_end, tokens in self._recent:
            if known_start == start and known_end == end:
                return tokens
        tokens = checked(_answer_of(self._count, self._text[start:end], self._name, start, end), self._name)
        self._recent.append((start, end, tokens))
        if tokens > 0:
            self._characters_per_token = max(end - start, 1) / tokens
        return tokens

    def reach(self, start: int, size: int) -> int:
        """Find an offset up to which the text has at most `size` tokens, and few less where that is cheap.

        One of the last eight answers costs no call.
        """
        for known_start, known_size, end in self._reached:
            if known_start == start and known_size == size:
                return end
        room = self._length - start
        if size <= 0 or room <= 0:
            return start
        fitting = _Probe(size, room, self._first(start, size)).longest(
            lambda length: self.count(start, start + length), calls=4
        )
        self._proven = max(fitting, 1)
        self._reached.append((start, size, start + max(fitting, 1)))
        return start + max(fitting, 1)

    def back(self, end: int, size: int) -> int:
        """Find an offset from which the text up to `end` has at most `size` tokens, and few less."""
        if size <= 0 or end <= 0:
            return end
        probe = _Probe(size, end, self._first(max(end - 3 * size, 0), size))
        return end - probe.longest(lambda length: self.count(end - length, end), calls=3)

    def _first(self, start: int, size: int) -> int:
        """Give the length of the first window: as dense as the text was where it was last counted."""
        if not self._characters_per_token:
            sample = self._text[start : start + 3 * size]
            # Most vocabularies have a token for three to five bytes of UTF-8, in any script.
            return max(3 * size * len(sample) // max(len(sample.encode(errors="replace")), 1), 1)
        # A sparse stretch says little of what follows: never more than twice what has just been covered, so that
        # all windows together stay within a multiple of the text.
        most = max(2 * self._proven, 4 * size)
        return max(min(int(size * self._characters_per_token * 0.975), most), 1)


class _Probe:
    """A search for the longest window that has at most `size` tokens, by guessing in proportion and correcting."""

    __slots__ = ("_enough", "_first", "_fits", "_fits_tokens", "_over", "_over_tokens", "_room", "_size")

    def __init__(self, size: int, room: int, first: int) -> None:
        self._size = size
        self._enough = size - max(size // 20, 1)
        self._room = room
        self._first = min(first, room)
        self._fits = self._fits_tokens = 0
        self._over = room + 1
        self._over_tokens = 0

    def longest(self, count: Callable[[int], int], calls: int) -> int:
        """Give the longest window found to fit; 0 where not even one code point does.

        At most `calls` windows are counted, and more only while nothing fits or nothing has been too large: those
        halve or double, so they are few and short.
        """
        length = self._first
        while True:
            tokens = count(length)
            calls -= 1
            if tokens > self._size:
                self._over, self._over_tokens = length, tokens
            else:
                self._fits, self._fits_tokens = length, tokens
            if self._done(calls):
                return self._fits
            length = self._next(calls)

    def _done(self, calls: int) -> bool:
        if self._over - self._fits <= 1:
            return True
        if not self._over_tokens and self._fits_tokens <= self._size // 2:
            return False  # far from the budget still: keep on doubling
        if self._fits and self._fits_tokens >= self._enough:
            return True
        return calls <= 0 and self._fits > 0

    def _next(self, calls: int) -> int:
        if not self._over_tokens:
            wanted = self._fits * (self._size - 0.4 * (self._size - self._enough)) / max(self._fits_tokens, 0.1)
            return min(max(int(wanted), self._fits + 1), 2 * self._fits, self._room)
        if calls <= 0:
            return self._over // 2
        slope = (self._over - self._fits) / max(self._over_tokens - self._fits_tokens, 1)
        aim = (self._size + self._enough) / 2
        wanted = self._fits + (aim - self._fits_tokens) * slope
        return min(max(int(wanted), self._fits + 1), self._over - 1)


def _flat(ends: NDArray[Any]) -> NDArray[np.int64]:
    """Give a map as an array of one type; what is no flat array of numbers raises."""
    offsets: NDArray[np.int64] = ends.astype("int64", copy=False)
    if offsets.ndim != 1:
        raise ValueError(f"token_ends gave an array of {offsets.ndim} dimensions; it must be flat")
    return offsets


def _answer_of(ask: Callable[[str], Any], text: str, name: str, start: int, end: int) -> Any:
    """Ask a counter; whatever it raises becomes a CounterError that names the span, unless the program is to stop."""
    try:
        return ask(text)
    except FATAL:
        raise
    except BaseException as error:
        raise _named(error, name, start, end) from error


def _named(error: BaseException, name: str, start: int, end: int) -> CounterError:
    what = str(error) if isinstance(error, CounterError) else failure(name, error)
    return CounterError(f"{what} (for the characters {start} to {end})")
