"""The packers beside slow and obvious versions, and how full chunks are."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import spanwise
from law_cases import judged
from slow_packing import LADDERS, slow_spans
from spanwise.formats.reading import format_names
from spanwise.segmenting.graphemes import Graphemes
from spanwise.segmenting.lines import Lines
from spanwise.segmenting.paragraphs import Paragraphs
from spanwise.segmenting.segmenter import cuts_of
from spanwise.segmenting.sentences import Sentences
from spanwise.segmenting.words import Blanks
from texts import LAW, boundaries_of, chunked_texts

if TYPE_CHECKING:
    from spanwise.segmenting.segmenter import Segmenter

FORMATS = st.sampled_from(["plain", "markdown"])


@pytest.mark.parametrize("name", sorted(LADDERS))
@LAW
@given(
    text=chunked_texts(),
    most=st.one_of(st.integers(1, 40), st.integers(20, 200)),
    split=st.booleans(),
    structure=FORMATS,
)
@example(text=". \u200d\u200d", most=1, split=False, structure="plain")
def test_a_packer_gives_what_the_slow_one_gives(
    name: str,
    text: str,
    most: int,
    split: bool,  # noqa: FBT001  drawn
    structure: str,
) -> None:
    """The same spans, and the same texts refused."""
    strategy, ladder = LADDERS[name]
    if split and ladder.whole_words:
        ladder = ladder._replace(below=(*ladder.below, Graphemes()), whole_words=False)
    overflow = "split" if split else "refuse"
    chunker = spanwise.Chunker(strategy, max_characters=most, blank="keep", overflow=overflow, structure=structure)
    expected, refused = slow_spans(chunker.reading_of(text), ladder, most)
    if refused is not None:
        with pytest.raises(spanwise.ChunkingError) as raised:
            chunker.chunk(text)
        assert raised.value.start == refused
    else:
        assert [(chunk.start, chunk.end) for chunk in chunker.chunk(text)] == expected


UNITS: dict[str, tuple[spanwise.Strategy, Segmenter]] = {
    "sentences": (spanwise.Sentences(), Sentences()),
    "lines": (spanwise.Lines(), Lines()),
    "paragraphs": (spanwise.Paragraphs(), Paragraphs()),
}


@pytest.mark.parametrize("name", sorted(UNITS))
@LAW
@given(text=chunked_texts(), most=st.integers(4, 64))
def test_a_unit_that_fits_alone_is_never_cut(name: str, text: str, most: int) -> None:
    """By counting: where a chunk ends inside a sentence, line or paragraph, what is left of that is over the budget."""
    strategy, segmenter = UNITS[name]
    ends = list(cuts_of(segmenter, text))
    for chunk in spanwise.chunk(text, strategy, max_tokens=most, overflow="split", blank="keep", structure="plain"):
        following = ends[bisect_right(ends, chunk.start)]
        if chunk.end not in ends:
            assert chunk.end < following
            assert judged("cl100k_base", text[chunk.start : following]) > most


@pytest.mark.parametrize("structure", sorted(set(format_names()) - {"auto", "plain"}))
@pytest.mark.parametrize("strategy", ["structural", "recursive", "sentences", "paragraphs", "sections"])
@LAW
@given(text=chunked_texts(), most=st.integers(2, 120))
def test_a_unit_of_a_structure_that_fits_alone_is_never_cut(
    strategy: str, structure: str, text: str, most: int
) -> None:
    """Wherever in the chunk it begins, also where it ends inside a word."""
    chunker = spanwise.Chunker(strategy, max_characters=most, overflow="split", blank="keep", structure=structure)
    boundaries = set(boundaries_of(text))
    starts = [chunk.start for chunk in chunker.chunk(text)]
    for unit in chunker.reading_of(text).units:
        if unit.end - unit.start <= most and {unit.start, unit.end} <= boundaries:
            assert not [start for start in starts if unit.start < start < unit.end]


FINE: dict[str, tuple[spanwise.Strategy, Segmenter, int]] = {
    "words": (spanwise.Words(), Blanks(), 8),
    "tokens": (spanwise.Tokens(), Graphemes(), 8),
}


@pytest.mark.parametrize("name", sorted({**UNITS, **FINE}))
@LAW
@given(text=chunked_texts(), most=st.integers(4, 64), counter=st.sampled_from(["cl100k_base", "characters"]))
def test_no_chunk_could_be_longer_by_its_next_unit(name: str, text: str, most: int, counter: str) -> None:
    """Adding the next unit would be over the budget, by counting; the map may be a few tokens short of it."""
    strategy, segmenter = {**UNITS, **{key: row[:2] for key, row in FINE.items()}}[name]
    tolerance = 0 if counter == "characters" else 3
    ends = list(cuts_of(segmenter, text))
    chunks = spanwise.chunk(
        text, strategy, max_tokens=most, counter=counter, overflow="split", blank="keep", structure="plain"
    )
    for chunk in chunks[:-1]:
        if chunk.end in ends:
            longer = ends[bisect_right(ends, chunk.end)]
            assert judged(counter, text[chunk.start : longer]) > most - tolerance


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("# Title\n\nab cd ef gh ij.\n", 10, ["# Title\n\n", "ab cd ef ", "gh ij.\n"]),
        (f"# Title\n\n{'x' * 15} y.\n", 20, ["# Title\n\n", "x" * 15 + " y.\n"]),
        (f"# Title\n\n{'x' * 30} y.\n", 20, ["# Title\n\n" + "x" * 11, "x" * 19 + " ", "y.\n"]),
    ],
)
def test_a_word_that_fits_alone_is_not_cut_for_the_heading_above_it(text: str, most: int, expected: list[str]) -> None:
    """The first part of one that must be cut anyway goes with the heading."""
    chunks = spanwise.chunk(text, "sentences", max_characters=most, overflow="split", structure="markdown")
    assert [chunk.text for chunk in chunks] == expected


@pytest.mark.parametrize(
    ("cluster", "most"),
    [
        ("👨\u200d👩\u200d👧\u200d👦", 4),
        ("👨\u200d👩\u200d👧\u200d👦", 7),
        ("🐦\ufe0f\u200d🐻\ufe0f\u200d🐦", 9),
        ("e" + "\u0301" * 20, 5),
    ],
)
def test_a_part_of_a_character_is_as_long_as_fits(cluster: str, most: int) -> None:
    """One more code point would be over the budget, by counting."""
    chunks = spanwise.chunk(cluster, "characters", max_tokens=most, overflow="split")
    assert "".join(chunk.text for chunk in chunks) == cluster
    assert all(judged("cl100k_base", cluster[chunk.start : chunk.end + 1]) > most for chunk in chunks[:-1])


@pytest.mark.parametrize(("repeated", "starts"), [(0, "adg"), (1, "aceg"), (2, "abcdef")])
def test_a_window_repeats_as_many_sentences_as_were_asked(repeated: int, starts: str) -> None:
    """Each holds three; the first of the next one is what is left of it."""
    text = "".join(f"{letter.upper()} runs. " for letter in "abcdefgh")
    strategy = spanwise.SentenceWindow(sentences=3, overlap_sentences=repeated)
    chunks = spanwise.chunk(text, strategy, max_tokens=100)
    assert "".join(chunk.text[0].lower() for chunk in chunks) == starts
