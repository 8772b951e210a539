"""Every short string keeps every promise, and is chunked as the slow packer chunks it.

All strings of up to six signs over eight classes as plain text, and of up to five over the signs of Markdown as
Markdown: 299,593 and 37,449. Strings of up to two signs are tried in every way of chunking (strategy, budget, counter,
overlap, edges); a longer one in the one way that its CRC-32 picks, so that every way has its even share of them and
each run tries the same. `Chunker.verify`, which chunks again, judges every eighth of these; the judge written here
all of them. The short run takes strings of up to two signs, each in one way for every strategy.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import pytest

import spanwise
from law_cases import judged
from slow_packing import LADDERS, slow_spans
from spanwise.segmenting.graphemes import Graphemes
from texts import WHITE_SPACE, boundaries_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CLASSES = ("a", " ", "\n", "\r", ".", "\u0301", "👩\u200d🚀", "中")
MARKS = ("a", " ", "\n", "#", "-", "`", ">", "|")
LENGTHS = {"text/plain": 6, "text/markdown": 5}
SIGNS = {"text/plain": CLASSES, "text/markdown": MARKS}
STRATEGIES = ("structural", "recursive", "sentences", "paragraphs", "lines", "words", "tokens", "sections", "delimiter")
STRATEGY = {"delimiter": spanwise.Delimiter("a")}


class Way(NamedTuple):
    """One way of chunking."""

    strategy: str
    most: int
    counter: str
    overflow: str
    overlap: int = 0
    trim: bool = False
    blank: str = "keep"

    @property
    def allowed(self) -> bool:
        """An overlap is smaller than the budget, and not every strategy has one."""
        return not self.overlap or (self.overlap < self.most and self.strategy != "structural")


def ways() -> list[Way]:
    """List all ways: the slow packer has its say in the first two of each budget."""
    edges = (
        ("characters", "split", 0, False, "keep"),
        ("characters", "refuse", 0, False, "keep"),
        ("characters", "split", 1, False, "drop"),
        ("characters", "refuse", 2, True, "drop"),
        ("cl100k_base", "split", 0, True, "drop"),
        ("cl100k_base", "refuse", 1, False, "keep"),
    )
    all_ways = (Way(name, most, *edge) for name, most, edge in product(STRATEGIES, range(1, 5), edges))
    return [way for way in all_ways if way.allowed]


WAYS = ways()


@cache
def chunker_of(way: Way) -> spanwise.Chunker:
    counted = way.counter == "characters"
    return spanwise.Chunker(
        STRATEGY.get(way.strategy, way.strategy),
        counter=way.counter,
        max_characters=way.most if counted else None,
        max_tokens=None if counted else way.most,
        overlap_characters=way.overlap if counted else 0,
        overlap_tokens=0 if counted else way.overlap,
        overflow=way.overflow,
        trim=way.trim,
        blank="keep" if way.blank == "keep" else "drop",
    )


@lru_cache(maxsize=100_000)
def size_of(counter: str, text: str) -> int:
    return judged(counter, text)


def assert_holds(way: Way, document: spanwise.Document) -> None:
    """Chunk; what is refused could not be kept, what is given keeps its promises, and the slow packer agrees."""
    text, chunker = document.text, chunker_of(way)
    try:
        chunks = chunker.chunk(document)
    except spanwise.BudgetError:
        assert any(size_of(way.counter, character) > way.most for character in text)
        return
    except spanwise.ChunkingError as refusal:
        start, end = refusal.start, refusal.end
        assert way.overflow == "refuse"
        assert size_of(way.counter, text[start:end]) > way.most
        assert_packed_as_slowly(way, document, None, start)
        return
    assert_promises(way, text, chunks)
    assert (len(text) > 2 and number_of(text) % 8) or chunker.verify(document, chunks) == []
    assert_packed_as_slowly(way, document, chunks, None)


def assert_promises(way: Way, text: str, chunks: Sequence[spanwise.Chunk]) -> None:
    """P1 to P6, with nothing of the package: what `verify` finds is judged by what is found here."""
    covered = start = 0
    inside = set(range(len(text))) - set(boundaries_of(text))
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end] != ""
        assert chunk.tokens == size_of(way.counter, chunk.text) <= way.most
        assert (chunk.start, chunk.end) > (start, covered) or not covered
        gap, repeated = text[covered : chunk.start], text[chunk.start : covered]
        assert not gap or (way.blank == "drop" and set(gap) <= WHITE_SPACE)
        assert len(repeated) == chunk.overlap
        assert size_of(way.counter, repeated) <= way.overlap
        start, covered = chunk.start, chunk.end
        for offset in {start, covered} & inside:
            cluster = text[max(set(range(offset)) - inside) : min({*range(offset, len(text) + 1)} - inside)]
            assert size_of(way.counter, cluster) > way.most
    assert set(text[covered:]) <= (WHITE_SPACE if way.blank == "drop" else set())


def assert_packed_as_slowly(
    way: Way, document: spanwise.Document, chunks: Sequence[spanwise.Chunk] | None, refused: int | None
) -> None:
    """The same spans or the same word refused, where the slow packer knows the way."""
    if way.strategy not in LADDERS or way.counter != "characters" or way.overlap or way.blank == "drop":
        return
    ladder = LADDERS[way.strategy][1]
    if way.overflow == "split" and ladder.whole_words:
        ladder = ladder._replace(below=(*ladder.below, Graphemes()), whole_words=False)
    spans, stopped = slow_spans(chunker_of(way).reading_of(document), ladder, way.most)
    assert refused == stopped
    assert chunks is None or [(chunk.start, chunk.end) for chunk in chunks] == spans


def strings(signs: Sequence[str], shortest: int, longest: int, first: str = "") -> Iterator[str]:
    """Yield all strings of so many signs that begin so."""
    for length in range(shortest, longest + 1):
        for rest in product(signs, repeat=length - bool(first)):
            yield first + "".join(rest)


def number_of(text: str) -> int:
    """Give a number that no pattern of the signs shows in, the same on every machine."""
    return crc32(text.encode()) >> 4


def picked(text: str, ways: Sequence[Way] = WAYS) -> Way:
    """Give the one way in which a longer string is tried."""
    return ways[number_of(text) // 8 % len(ways)]


def ways_of(strategy: str) -> list[Way]:
    return [way for way in WAYS if way.strategy == strategy]


def test_every_way_has_its_share_of_the_strings() -> None:
    """Each has nearly as many as the next."""
    shares = dict.fromkeys(WAYS, 0)
    for text in strings(CLASSES, 5, 5):
        shares[picked(text)] += 1
    mean = 8**5 / len(WAYS)
    assert all(0.7 * mean < share < 1.3 * mean for share in shares.values())


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("media_type", sorted(SIGNS))
def test_strings_of_two_signs(media_type: str, strategy: str) -> None:
    """73 strings, each in one way of every strategy."""
    mine = ways_of(strategy)
    for text in strings(SIGNS[media_type], 0, 2):
        assert_holds(picked(text, mine), spanwise.Document(id="short", text=text, media_type=media_type))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("media_type", sorted(SIGNS))
def test_strings_of_two_signs_in_every_way(media_type: str, strategy: str) -> None:
    """73 strings at each budget, by each counter, with each overflow: some 27,000 cases in all."""
    for text in strings(SIGNS[media_type], 0, 2):
        document = spanwise.Document(id="short", text=text, media_type=media_type)
        for way in ways_of(strategy):
            assert_holds(way, document)


@pytest.mark.slow
@pytest.mark.parametrize("place", range(8))
@pytest.mark.parametrize("media_type", sorted(SIGNS))
def test_every_string(media_type: str, place: int) -> None:
    """All strings of three to six signs (Markdown: five) that begin with one sign: 37,440 (4,672), each in one way."""
    tried = 0
    for text in strings(SIGNS[media_type], 3, LENGTHS[media_type], first=SIGNS[media_type][place]):
        assert_holds(picked(text), spanwise.Document(id="short", text=text, media_type=media_type))
        tried += 1
    assert tried == {"text/plain": 37_440, "text/markdown": 4_672}[media_type]
