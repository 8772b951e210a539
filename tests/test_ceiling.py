"""A warning where chunks come near the most tokens that the embedder reads."""

from __future__ import annotations

import pickle
import warnings
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from law_cases import COUNTERS, judged, thirds
from oracles import DATA
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDPIECE = DATA / "minilm-wordpiece.tokenizer.json"
SOURCES: dict[str, object] = {"wordpiece": WORDPIECE, "thirds": thirds}
ADDED = {"wordpiece": 2}
"""[CLS] and [SEP], which the model adds to every text."""

TEXT = "# Pumps\n\n" + "It moves water, and has one motor. " * 30
STRATEGIES = ["structural", "sections", "recursive", "sentences", "words", "sentence-window"]


def told_by(run: Callable[[], object]) -> list[spanwise.CeilingWarning]:
    """Run something and give its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run()
    told = [one.message for one in caught if isinstance(one.message, spanwise.CeilingWarning)]
    assert len(told) == len(caught)
    return told


def texts() -> st.SearchStrategy[str]:
    return st.lists(chunked_texts(), min_size=1, max_size=3).map("\n\n# Title\n\n".join)


def documents() -> st.SearchStrategy[spanwise.Document]:
    return texts().map(lambda text: spanwise.Document(id="laws", text=text, media_type="text/markdown"))


@LAW
@given(
    document=documents(),
    strategy=st.sampled_from(STRATEGIES),
    counter=st.sampled_from(COUNTERS),
    own=st.sampled_from([None, *COUNTERS]),
    ceiling=st.integers(1, 64),
    percent=st.integers(1, 100),
    most=st.integers(4, 64),
    context=st.sampled_from(["none", "section", "both"]),
)
def test_there_is_a_warning_exactly_when_a_chunk_is_near(  # noqa: PLR0917  drawn by name
    document: spanwise.Document,
    strategy: str,
    counter: str,
    own: str | None,
    ceiling: int,
    percent: int,
    most: int,
    context: str,
) -> None:
    """By the judge of the ceiling's counter, over what is embedded; the chunks are those that are made without it."""
    spec = spanwise.ChunkingSpec(
        strategy=strategy,
        counter=SOURCES.get(counter, counter),
        max_tokens=most,
        overflow=spanwise.Overflow.SPLIT,
        context=context,  # type: ignore[arg-type]
    )
    plain = spanwise.Chunker.from_spec(spec).chunk(document)
    watched = spanwise.Chunker(
        strategy,
        counter=SOURCES.get(counter, counter),  # type: ignore[arg-type]
        max_tokens=most,
        overflow="split",
        context=context,  # type: ignore[arg-type]
        ceiling=ceiling,
        warn_at=percent / 100,
        ceiling_counter=None if own is None else SOURCES.get(own, own),  # type: ignore[arg-type]
    )
    made: list[spanwise.Chunk] = []
    told = told_by(lambda: made.extend(watched.chunk(document)))
    assert made == plain
    added = 0 if own is None else ADDED.get(own, 0)
    sizes = [judged(own or counter, chunk.index_text) + added for chunk in plain]
    near = [size for size in sizes if size >= Fraction(percent, 100) * ceiling]
    assert [(one.near, one.over, one.tokens) for one in told] == (
        [(len(near), sum(size > ceiling for size in near), max(near))] if near else []
    )
    for one in told:
        largest = plain[sizes.index(max(near))]
        assert (one.index, one.start, one.end) == (largest.index, largest.start, largest.end)


@LAW
@given(document=documents(), strategy=st.sampled_from(STRATEGIES), ceiling=st.integers(4, 64), most=st.integers(4, 64))
def test_the_budget_that_is_named_keeps_away_from_the_ceiling(
    document: spanwise.Document, strategy: str, ceiling: int, most: int
) -> None:
    """In one counter, always."""

    def chunk(most: int) -> Callable[[], object]:
        chunker = spanwise.Chunker(
            strategy, max_tokens=most, overflow="split", counter=thirds, context="section", ceiling=ceiling
        )
        return lambda: chunker.chunk(document)

    for one in told_by(chunk(most)):
        assert one.fitting is not None
        assert one.fitting < most
        try:
            assert told_by(chunk(one.fitting)) == []
        except spanwise.BudgetError:
            assert one.fitting < max(map(thirds, document.text))


@LAW
@given(
    document=documents(),
    strategy=st.sampled_from(STRATEGIES),
    own=st.sampled_from(COUNTERS),
    ceiling=st.integers(4, 64),
    budget=st.fixed_dictionaries({}, optional={"max_tokens": st.integers(8, 64), "max_characters": st.integers(8, 99)}),
)
def test_chunks_in_the_tokens_of_the_embedder_keep_away_from_its_ceiling(
    document: spanwise.Document, strategy: str, own: str, ceiling: int, budget: dict[str, int]
) -> None:
    """Where another counter makes the chunks, how far to lower its budget is an estimate; this is not."""
    source = SOURCES.get(own, own)

    def chunk(**options: object) -> Callable[[], object]:
        chunker = spanwise.Chunker(
            strategy,
            overflow="split",
            context="both",
            ceiling=ceiling,
            ceiling_counter=source,  # type: ignore[arg-type]
            **options,  # type: ignore[arg-type]
        )
        return lambda: chunker.chunk(document)

    for one in told_by(chunk(**budget)):
        if one.exact is not None:
            try:
                assert told_by(chunk(counter=source, max_tokens=one.exact)) == []
            except spanwise.BudgetError:
                assert one.exact < max(judged(own, character) for character in document.text)


@LAW
@given(text=texts(), size=st.integers(1, 9), ceiling=st.integers(1, 64))
def test_a_stream_is_told_of_like_the_whole_text(text: str, size: int, ceiling: int) -> None:
    """Once, after its last chunk."""
    chunker = spanwise.Chunker(max_tokens=24, overflow="split", structure="markdown", ceiling=ceiling)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    whole = told_by(lambda: chunker.chunk(text))
    assert [str(one) for one in told_by(lambda: list(chunker.stream(pieces)))] == [str(one) for one in whole]


class Asked:
    """A bare callable that remembers how often it was asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, text: str) -> int:
        self.calls += 1
        return thirds(text)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_is_counted_already_is_not_counted_again(strategy: str) -> None:
    """In the counter of the chunks, not one call more; in another, one for each chunk."""
    calls = []
    for ceiling in (None, 10_000):
        asked = Asked()
        spanwise.chunk(TEXT, strategy, max_tokens=64, counter=asked, ceiling=ceiling)
        calls.append(asked.calls)
    assert calls[0] == calls[1] > 0
    asked = Asked()
    chunks = spanwise.chunk(TEXT, strategy, max_tokens=64, ceiling=10_000, ceiling_counter=asked)
    assert asked.calls == len(chunks)
    asked = Asked()
    spanwise.chunk(TEXT, strategy, max_tokens=64, counter=asked, ceiling=10_000, ceiling_counter=asked)
    assert asked.calls == calls[0]


def test_the_warning_names_the_place_the_strategy_and_the_setting() -> None:
    """All that is needed to mend it, also where warnings are errors that cross processes."""
    with pytest.warns(spanwise.CeilingWarning) as caught:
        spanwise.chunk(spanwise.Document(id="pumps.md", text=TEXT), max_tokens=64, ceiling=64)
    warning = caught[0].message
    assert str(warning) == (
        "document 'pumps.md': 3 of 5 chunks near the embedder's ceiling (from 60 of 64 on, by cl100k_base); the "
        "largest is chunk 1 at 219:464 with 64. The strategy is Structural with max_tokens=64: set it to 59"
    )
    again = pickle.loads(pickle.dumps(warning))  # noqa: S301  our own
    assert (str(again), vars(again)) == (str(warning), vars(warning))
    assert caught[0].filename == __file__


def test_what_the_context_adds_is_told() -> None:
    """It is embedded with the text, so it counts."""
    document = spanwise.Document(text="# Pumps and motors\n\n" + "It moves water. " * 60, media_type="text/markdown")
    with pytest.warns(spanwise.CeilingWarning, match=r'with 64; context="section" is counted with it'):
        spanwise.chunk(document, max_tokens=64, context="section", ceiling=64, warn_at=1)


def test_an_embedder_of_its_own_counter_reads_less_than_was_thought() -> None:
    """Which is what the ceiling is for: chunks of 64 tokens of one vocabulary are over 64 of another."""
    with pytest.warns(
        spanwise.CeilingWarning,
        match="3 of 5 chunks .* 3 of them over it.*with 65.*set it to about 58; .*=57 and counter='",
    ):
        spanwise.chunk(TEXT, max_tokens=64, ceiling=64, ceiling_counter=str(WORDPIECE))
    assert told_by(lambda: spanwise.chunk(TEXT, max_tokens=58, ceiling=64, ceiling_counter=str(WORDPIECE))) == []


def test_a_ceiling_is_in_tokens_where_chunks_are_in_characters() -> None:
    """Characters that nobody chose as a unit are none of an embedder; those that were chosen are."""
    (told,) = told_by(lambda: spanwise.chunk(TEXT, max_characters=400, ceiling=64))
    assert (told.tokens, told.setting, told.fitting, told.exact) == (104, "max_characters", 223, 59)
    assert str(told).endswith("set it to about 223; max_tokens=59 instead stays below for certain")
    assert told_by(lambda: spanwise.chunk(TEXT, max_characters=227, ceiling=64)) == []
    (told,) = told_by(lambda: spanwise.chunk(TEXT, max_characters=400, counter="characters", ceiling=400, warn_at=0.9))
    assert (told.setting, told.fitting, told.exact) == ("max_characters", 359, None)


def test_each_document_is_told_of_once_at_the_line_that_asked() -> None:
    """However often it comes, and whichever way."""
    chunker = spanwise.Chunker(max_tokens=64, ceiling=64)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")  # which would leave out what it has seen before
        for _ in chunker.chunk_many([TEXT, "Short.", TEXT, ""]):
            pass
        list(chunker.stream(TEXT))
        chunker.chunk_within(TEXT, spanwise.Chunker(max_tokens=512).chunk(TEXT))
        chunker.verify(TEXT, chunker.chunk_and_warning(TEXT)[0])
    assert [(one.category, one.filename) for one in caught] == [(spanwise.CeilingWarning, __file__)] * 4


def test_a_registry_knows_the_ceiling_of_a_collection(tmp_path: Path) -> None:
    """From its file; the path of a tokenizer starts at the folder of the file."""
    (tmp_path / "embedder.json").write_bytes(WORDPIECE.read_bytes())
    settings = tmp_path / "spanwise.toml"
    settings.write_text(
        '[default]\nmax_tokens = 64\nceiling = 64\n[collections.own]\nceiling_counter = "embedder.json"\nwarn_at = 1\n'
    )
    registry = spanwise.ChunkerRegistry.from_file(settings)
    with pytest.warns(spanwise.CeilingWarning, match=r"from 60 of 64 on, by cl100k_base"):
        registry.chunker_for("other").chunk(TEXT)
    with pytest.warns(spanwise.CeilingWarning, match=r"from 64 of 64 on, by embedder.json@"):
        registry.chunker_for("own").chunk(TEXT)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ceiling": 0}, "ceiling=0 is less than 1"),
        ({"ceiling": "512"}, "ceiling must be a whole number, got '512'"),
        ({"ceiling": True}, "ceiling must be a whole number, got True"),
        ({"warn_at": 0.9}, "warn_at=0.9 says nothing without a ceiling: set ceiling"),
        ({"ceiling_counter": "words"}, "ceiling_counter='words' says nothing without a ceiling"),
        ({"ceiling": 512, "warn_at": 0}, "warn_at must be a share of the ceiling over 0 and at most 1.*got 0"),
        ({"ceiling": 512, "warn_at": 480}, "got 480"),
        ({"ceiling": 512, "warn_at": float("nan")}, "got nan"),
        ({"ceiling": 512, "warn_at": True}, "got True"),
        ({"ceiling": 512, "warn_at": "0.9"}, "got '0.9'"),
        (
            {"ceiling": 512, "ceiling_counter": "cl100k"},
            "ceiling_counter: unknown counter 'cl100k', did you mean 'cl100k_base'",
        ),
    ],
)
def test_a_ceiling_that_says_nothing_is_refused(options: dict[str, object], message: str) -> None:
    """With the value and the repair."""
    with pytest.raises(spanwise.ConfigurationError, match=message):
        spanwise.Chunker(**options)  # type: ignore[arg-type]
