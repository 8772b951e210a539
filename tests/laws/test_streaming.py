"""A stream gives the chunks of the whole text, and a long text is packed passage by passage."""

from __future__ import annotations

import importlib
import tracemalloc
from itertools import chain, count, pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import spanwise
from law_cases import Case, cases
from strategy_rows import ROWS
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

_STREAMED = sorted(name for name, row in ROWS.items() if not row.parted)
_FORMATS = ["plain", "markdown", "chat", "log", "csv", "json_lines", "subtitles"]
_METHOD = importlib.import_module("spanwise.strategies.method")


@pytest.fixture(params=[(40, 20), (300, 100), (245_760, 4_096)], ids=["tiny", "small", "usual"])
def _passages(request: pytest.FixtureRequest) -> Iterator[None]:
    """Passages so small that a text of a law has many of them."""
    size, ahead = request.param
    patch = pytest.MonkeyPatch()
    patch.setattr(_METHOD, "PASSAGE", size)
    patch.setattr(_METHOD, "AHEAD", ahead)
    yield
    patch.undo()


def tried(case: Case, pieces: list[str] | None) -> tuple[list[spanwise.Chunk], str]:
    """Chunk a text whole or in pieces; give the chunks before an error, and what it says."""
    chunker = case.chunker()
    made: list[spanwise.Chunk] = []
    try:
        if pieces is None:
            made = chunker.chunk(case.document)
        else:
            made.extend(chunker.stream(pieces, id="laws"))
    except (spanwise.ChunkingError, spanwise.BudgetError) as error:
        return [], str(error)
    return made, ""


def longer_texts() -> st.SearchStrategy[str]:
    """Texts of several passages."""
    return st.lists(chunked_texts(), min_size=1, max_size=4).map("\n\n".join)


@pytest.mark.usefixtures("_passages")
@pytest.mark.parametrize("name", _STREAMED)
@LAW
@given(data=st.data())
def test_a_stream_gives_the_chunks_of_the_whole_text(name: str, data: st.DataObject) -> None:
    """Wherever the pieces end: inside CR LF, a cluster, a fence; chunks, ids, sections, lines, all of it."""
    case = data.draw(cases(name, texts=longer_texts()))._replace(structure=data.draw(st.sampled_from(_FORMATS)))
    assume(case.streams)
    cuts = data.draw(st.lists(st.integers(0, len(case.text)), max_size=12).map(sorted))
    pieces = [case.text[start:end] for start, end in pairwise([0, *cuts, len(case.text)])]
    assert tried(case, pieces) == tried(case, None)


@pytest.mark.usefixtures("_passages")
@pytest.mark.parametrize("name", _STREAMED)
@LAW
@given(data=st.data())
def test_a_text_of_many_passages_keeps_the_promises(name: str, data: st.DataObject) -> None:
    """P1 to P9, checked by `verify`, whatever the size of a passage."""
    case = data.draw(cases(name, texts=longer_texts()))._replace(structure=data.draw(st.sampled_from(_FORMATS)))
    chunks, _ = case.tried()
    if chunks:
        assert case.chunker().verify(case.document, chunks) == []


@pytest.mark.usefixtures("_passages")
@LAW
@given(text=longer_texts())
def test_lines_and_sections_do_not_hang_on_passages(text: str) -> None:
    """They are those that the whole text has, where the structure read in passages is the same."""
    for chunk in spanwise.chunk(text, "words", max_characters=20, overflow="split", structure="plain"):
        before = text[: chunk.start]
        first = 1 + before.count("\n") + before.count("\r") - before.count("\r\n")
        if before.endswith("\r") and text[chunk.start : chunk.start + 1] == "\n":
            continue
        assert chunk.lines[0] == first


def test_sections_go_on_from_passage_to_passage(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk far below its heading still knows it, on whichever passage it stands."""
    monkeypatch.setattr(_METHOD, "PASSAGE", 200)
    monkeypatch.setattr(_METHOD, "AHEAD", 100)
    text = "# Guide\n\n## Install\n\n" + "It takes a while to install all of it.\n\n" * 50 + "## Use\n\nPress start.\n"
    chunks = spanwise.chunk(spanwise.Document(text=text, media_type="text/markdown"), max_tokens=24)
    assert {chunk.section for chunk in chunks[1:-1]} == {("Guide", "Install")}
    assert chunks[-1].sections[-1] == ("Guide", "Use")


@pytest.mark.parametrize("strategy", [spanwise.Sections(), spanwise.Structural(headings=lambda _: [])])
def test_what_needs_the_whole_text_says_so(strategy: spanwise.Strategy) -> None:
    """Rather than to give other chunks than `chunk` does."""
    with pytest.raises(spanwise.ConfigurationError, match="cannot stream"):
        spanwise.Chunker(strategy).stream(["text"])
    with pytest.raises(spanwise.ConfigurationError, match="json cannot be streamed"):
        next(spanwise.Chunker().stream(["[1, 2]"], media_type="application/json"))


def test_an_endless_stream_gives_chunks() -> None:
    """Long before its end, and with little of it in memory."""
    taken = 0

    def pieces() -> Iterator[str]:
        nonlocal taken
        for number in count():
            taken += 1
            yield f"Sentence {number} of a text without an end.\n\n"

    chunks = spanwise.Chunker(max_tokens=64).stream(pieces())
    first = next(chunks)
    assert first.text.startswith("Sentence 0 of")
    assert taken < 10_000
    position = 0
    for chunk in chain([first], chunks):
        assert chunk.start == position
        position = chunk.end
        if position > 600_000:
            break


def peak_of(piece: str, pieces: int, structure: str) -> int:
    """Stream a text of equal pieces; give the most memory that it took, in bytes."""
    chunker = spanwise.Chunker(max_tokens=128, structure=structure)
    tracemalloc.start()
    for _ in chunker.stream(piece for _ in range(pieces)):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize(
    ("piece", "structure"),
    [
        ("It moves water. It is loud.\n\n", "plain"),
        pytest.param("- an item of a list\n", "markdown", marks=pytest.mark.slow),
    ],
)
def test_a_stream_needs_no_more_memory_for_a_longer_text(piece: str, structure: str) -> None:
    """Each passage is given back before the next one is read; equal chunks have one id in memory."""
    peak_of(piece, 100, structure)
    short = peak_of(piece, 700_000 // len(piece), structure)
    assert peak_of(piece, 2_100_000 // len(piece), structure) < short * 5 // 4 + 500_000
