"""Chunks end where the subject drifts: laws, oracles, costs, examples."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from law_cases import cases
from oracles import DATA
from spanwise.embedding.embedder import Embedding
from spanwise.packing.breakpoints import best_groups, breakpoints, depths, window_distances
from texts import LAW

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = ["percentile", "standard-deviation", "interquartile", "gradient", "optimal"]
SUBJECTS = ("pump", "cat", "bread", "tax")


def about(texts: Sequence[str]) -> list[list[int]]:
    """Embed a text by how often it names each subject."""
    return [[text.count(subject) for subject in SUBJECTS] for text in texts]


def alike(texts: Sequence[str]) -> list[list[float]]:
    """Give each text the same vector."""
    return [[1.0, 0.0] for _ in texts]


def told(*subjects: str, each: int = 4) -> str:
    """Tell of each subject in so many sentences."""
    return "".join(f"Now the {subject} has its turn {number}. " for subject in subjects for number in range(each))


class Asked:
    """An embedder that remembers what it was asked."""

    name = "asked"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.calls.append(list(texts))
        return np.array(about(texts), dtype=np.float64)


# --- laws ------------------------------------------------------------------------------------------------------


@LAW
@given(data=st.data())
def test_where_nothing_drifts_it_is_recursive(data: st.DataObject) -> None:
    """One group is cut as `recursive` cuts, with the same overlap."""
    case = data.draw(cases("recursive"))
    semantic = case._replace(strategy=spanwise.Semantic(alike, breakpoint="percentile"))
    recursive = case._replace(strategy=spanwise.Recursive())
    assert spans(semantic.chunks()) == spans(recursive.chunks())


def spans(chunks: Sequence[spanwise.Chunk]) -> list[tuple[int, int, int]]:
    return [(chunk.start, chunk.end, chunk.overlap) for chunk in chunks]


@LAW
@given(data=st.data())
def test_optimal_groups_are_the_best_of_all(data: st.DataObject) -> None:
    """The oracle tries every way to part a few members that the budget allows."""
    members = data.draw(st.integers(1, 7))
    rows = st.lists(st.integers(-3, 3), min_size=2, max_size=2)
    vectors = np.array(data.draw(st.lists(rows, min_size=members, max_size=members)), dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    within = sorted(data.draw(st.integers(place + 1, members)) for place in range(members))
    within = [max(end, place + 1) for place, end in enumerate(within)]
    similarities = vectors @ vectors.T
    spread = 1 - float(np.linalg.norm(vectors.mean(axis=0)) ** 2)

    def worth(cuts: Sequence[int]) -> float:
        total = 0.0
        for start, stop in pairwise([0, *cuts, members]):
            if stop > within[start]:
                return -math.inf
            total += similarities[start:stop, start:stop].sum() / (stop - start) - 1.5 * spread
        return total

    ways = [[cut + 1 for cut in range(members - 1) if way >> cut & 1] for way in range(2 ** (members - 1))]
    assert worth(best_groups(vectors, within, 1.5)) == pytest.approx(max(map(worth, ways)), abs=1e-6)


@LAW
@given(
    st.lists(st.floats(0, 2).map(lambda number: round(number, 3)), min_size=1, max_size=40), st.sampled_from(KINDS[:4])
)
def test_breakpoints_are_peaks(values: list[float], kind: str) -> None:
    """For any number of distances: none of them is below a neighbour; equal distances have no breakpoint."""
    distances = np.array(values)
    found = breakpoints(distances, kind, 90.0 if kind in {"percentile", "gradient"} else 1.0)
    assert len(set(values)) > 1 or found == []
    around = np.pad(distances, 1, mode="edge")
    for place in found:
        below = [around[place] > distances[place], around[place + 2] > distances[place]]
        assert not all(below) if kind == "gradient" else not any(below)


@LAW
@given(st.lists(st.integers(0, 4), min_size=1, max_size=20))
def test_the_depth_of_a_peak_is_measured_from_its_valleys(values: list[int]) -> None:
    """The oracle looks at all places on each side up to the first that is higher."""
    found = depths(np.array(values, dtype=np.float64))
    for place, value in enumerate(values):
        left = next((at for at in range(place - 1, -1, -1) if values[at] > value), -1)
        right = next((at for at in range(place + 1, len(values)) if values[at] > value), len(values))
        assert found[place] <= 2 * value - min(values[left + 1 : place + 1]) - min(values[place:right])
        is_peak = (not place or values[place - 1] < value) and (place + 1 == len(values) or values[place + 1] <= value)
        assert is_peak or found[place] == 0
    assert max(values) == min(values) or found.max() > 0


@LAW
@given(data=st.data())
def test_distances_are_those_of_the_windows_beside_a_gap(data: st.DataObject) -> None:
    """The oracle takes the means of both windows, whatever the batches."""
    size, width, batch = (data.draw(st.integers(1, most)) for most in (14, 4, 5))
    rows = st.lists(st.integers(-2, 2), min_size=2, max_size=2)
    vectors = np.array(data.draw(st.lists(rows, min_size=size, max_size=size)), dtype=np.float64)
    batches = [vectors[start : start + batch] for start in range(0, size, batch)]
    found = np.concatenate(list(window_distances(batches, width)))
    expected = []
    for gap in range(1, size):
        left, right = vectors[max(gap - width, 0) : gap].sum(axis=0), vectors[gap : gap + width].sum(axis=0)
        lengths = float(np.linalg.norm(left) * np.linalg.norm(right))
        expected.append(1 - float(left @ right) / lengths if lengths else 0.0)
    assert found.tolist() == pytest.approx(expected, abs=1e-5)


# --- costs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 5, 1000])
@pytest.mark.parametrize("kind", KINDS)
def test_each_sentence_is_embedded_once_and_in_batches(kind: str, batch: int) -> None:
    """Windows are means of vectors, so that no text is paid for twice."""
    asked = Asked()
    text = told("pump", "cat", "bread")
    spanwise.chunk(text, spanwise.Semantic(asked, breakpoint=kind, batch_size=batch))
    assert [len(call) for call in asked.calls] == [min(batch, 12 - start) for start in range(0, 12, batch)]
    assert "".join("".join(call) for call in asked.calls) == text


@pytest.mark.parametrize("text", ["", " \n", "One.", "One is here. Two is here."])
def test_fewer_than_three_segments_are_never_embedded(text: str) -> None:
    """There is nothing to compare."""
    asked = Asked()
    spanwise.chunk(text, spanwise.Semantic(asked))
    assert asked.calls == []


@pytest.mark.parametrize("strategy", [spanwise.Semantic(about), spanwise.Sentences(stable=True)])
@pytest.mark.parametrize("most", [64, 100_000])
def test_a_counter_without_a_map_counts_each_sentence_once(strategy: spanwise.Strategy, most: int) -> None:
    """However large the budget: besides, each chunk is looked for and confirmed as elsewhere."""
    asked = []

    def words(text: str) -> int:
        asked.append(len(text))
        return len(text.split())

    text = told(*SUBJECTS, each=100)
    spanwise.chunk(text, strategy, max_tokens=most, counter=words)
    assert sum(asked) < 7 * len(text)


def test_a_strategy_that_embeds_nothing_loads_nothing() -> None:
    """The default is resolved when the first text comes."""
    chunker = spanwise.Chunker("semantic")
    assert chunker.spec.startswith("Semantic(embedder='wordllama', ")


# --- examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("buffer", [0, 1])
def test_a_chunk_ends_where_the_subject_changes(kind: str, buffer: int) -> None:
    """Every kind of breakpoint finds a clean change."""
    text = told("pump", "cat", each=6)
    strategy = spanwise.Semantic(about, breakpoint=kind, buffer=buffer, min_fill=0)
    chunks = spanwise.chunk(text, strategy)
    assert text.index("Now the cat") in {chunk.start for chunk in chunks}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sentences", [3, 4, 5])
def test_short_documents_have_breakpoints_too(kind: str, sentences: int) -> None:
    """A gradient needs two distances; where there are fewer it is level."""
    text = told(*SUBJECTS, "pump", each=1)
    text = text[: [place for place, letter in enumerate(text) if letter == "."][sentences - 1] + 1]
    chunks = spanwise.chunk(text, spanwise.Semantic(about, breakpoint=kind, buffer=0, min_fill=0))
    assert spanwise.reconstruct(chunks) == text


def test_a_group_over_the_budget_is_cut_at_its_sentences() -> None:
    """Never 48,811 tokens where 2,048 were asked for; with overlap inside the group, none across groups."""
    text = told("pump", "cat", each=40)
    chunker = spanwise.Chunker(
        spanwise.Semantic(about, breakpoint="percentile", min_fill=0), max_tokens=64, overlap_tokens=16
    )
    chunks = chunker.chunk(text)
    assert chunker.verify(text, chunks) == []
    assert [chunk for chunk in chunks if "pump" in chunk.text and "cat" in chunk.text] == []
    change = text.index("Now the cat")
    assert [chunk.start for chunk in chunks[1:] if not chunk.overlap] == [change]


def test_the_best_groups_fit_the_budget() -> None:
    """They end at sentences, at every change of subject, and are nearly full where the subject goes on."""
    text = told("pump", "cat", each=40)
    chunker = spanwise.Chunker(spanwise.Semantic(about), max_tokens=64)
    chunks = chunker.chunk(text)
    assert chunker.verify(text, chunks) == []
    assert text.index("Now the cat") in {chunk.start for chunk in chunks}
    assert all(chunk.text.endswith(". ") for chunk in chunks)
    assert len(chunks) == len(spanwise.chunk(text, "sentences", max_tokens=64))


def test_a_small_group_joins_the_neighbour_that_is_nearer() -> None:
    """No chunk of one word between two subjects, and no chunk over the budget for it either."""
    text = told("pump", each=6) + "A cat at the pump. A cat by the pump. " + told("bread", each=6)
    apart = spanwise.Semantic(about, breakpoint="standard-deviation", amount=0, buffer=0, min_fill=0)
    assert "A cat at the pump. A cat by the pump. " in [chunk.text for chunk in spanwise.chunk(text, apart)]
    joined = spanwise.Semantic(about, breakpoint="standard-deviation", amount=0, buffer=0, min_fill=0.2)
    chunks = spanwise.chunk(text, joined, max_tokens=100)
    assert [chunk.start for chunk in chunks] == [0, text.index("Now the bread")]


def test_headings_tables_and_items_are_not_parted() -> None:
    """A heading goes with its text however far its subject is from it; an item is one segment."""
    text = "# Bread\n\n" + told("pump", each=3) + "\n\n- The cat sleeps. The tax is due. The pump runs.\n- A cat.\n"
    document = spanwise.Document(text=text, media_type="text/markdown")
    strategy = spanwise.Semantic(about, breakpoint="standard-deviation", amount=0, buffer=0, min_fill=0)
    starts = {chunk.start for chunk in spanwise.chunk(document, strategy)}
    assert text.index("Now") not in starts
    assert not starts & {text.index("The tax"), text.index("The pump")}


def test_a_text_that_says_nothing_is_no_breakpoint() -> None:
    """A vector of zeros has no direction, so it is not far from anything."""
    text = told("pump", each=3) + "Nothing here. " + told("pump", each=3)
    strategy = spanwise.Semantic(about, breakpoint="standard-deviation", amount=0, buffer=0, min_fill=0)
    assert len(spanwise.chunk(text, strategy)) == 1


def test_an_embedder_that_fails_names_the_document() -> None:
    """One clear error; nothing is given out before it."""
    chunker = spanwise.Chunker(spanwise.Semantic(Embedding(lambda _: [[1.0]], "short")))
    with pytest.raises(spanwise.EmbedderError, match="document 'handbook': the embedder 'short' gave an array"):
        chunker.chunk(spanwise.Document(id="handbook", text=told("pump")))


def test_the_spec_names_the_embedder_the_same_in_every_process() -> None:
    """Never by the address of an object."""
    assert "embedder=about," in spanwise.Chunker(spanwise.Semantic(about)).spec
    assert "embedder=asked," in spanwise.Chunker(spanwise.Semantic(Asked())).spec


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"breakpoint": "percentil"}, "got 'percentil', did you mean 'percentile'?"),
        (
            {"breakpoint": "percentile", "amount": 101},
            "amount of breakpoint 'percentile' must be a number between 0 and 100, got 101",
        ),
        ({"breakpoint": "optimal", "amount": True}, "got True"),
        ({"buffer": -1}, "buffer must be a whole number of at least 0, got -1"),
        ({"batch_size": 0}, "batch_size must be a whole number of at least 1, got 0"),
        ({"min_fill": 2}, "min_fill must be a number between 0 and 1, got 2"),
        ({"embedder": 7}, "7 cannot embed"),
        ({"embedder": "openai"}, "unknown embedder 'openai'"),
    ],
)
def test_options_that_cannot_work(options: dict[str, object], message: str) -> None:
    """Each message shows the value."""
    with pytest.raises(spanwise.ConfigurationError) as caught:
        spanwise.Semantic(**options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_the_default_finds_where_articles_meet() -> None:
    """Some paragraphs of a speech, then some of medicine: the change is found to the sentence."""
    parts = []
    for name in ("state_of_the_union", "pubmed"):
        corpus = (DATA / "corpora" / f"{name}.txt").read_text(encoding="utf-8")
        start = corpus.index(".\n", 4_000) + 2
        parts.append(corpus[start : corpus.index(".\n", start + 2_500) + 2].lstrip())
    chunks = spanwise.chunk("".join(parts), spanwise.Semantic(), max_tokens=2_000)
    assert len(parts[0]) in {chunk.start for chunk in chunks}


def test_groups_have_room_for_the_context_of_their_own_section() -> None:
    """Not for that of the beginning: chunks are as few as `recursive` makes."""
    heading = "A long heading of many words that says what stands here and more of it"
    body = " ".join(f"Sentence {number} about pumps and water here." for number in range(80))
    document = spanwise.Document(text=f"Intro.\n\n# {heading}\n\n{body}", media_type="text/markdown")
    counts = [
        len(spanwise.chunk(document, strategy, max_tokens=100, context="section"))
        for strategy in (spanwise.Semantic(alike), spanwise.Recursive())
    ]
    assert counts[0] <= counts[1] + 1


@pytest.mark.parametrize("kind", KINDS)
def test_vectors_of_another_width_are_refused(kind: str) -> None:
    """With the document and both widths, whatever the batches."""
    strategy = spanwise.Semantic(lambda texts: [[1.0] * (1 + (len(texts) < 8))] * len(texts), kind, batch_size=8)
    message = "vectors of 2 dimensions for the text 'Now the bread has its turn 0. ', and of 1 for those before"
    with pytest.raises(spanwise.EmbedderError, match=message):
        spanwise.chunk(told("pump", "cat", "bread", each=4)[:-60], strategy)


@pytest.mark.parametrize("scale", [1e160, 1e-170, 5e-324])
def test_vectors_may_be_of_any_length(scale: float) -> None:
    """No square of them is too large or too small."""
    text = told("pump", "cat")
    strategy = spanwise.Semantic(lambda texts: np.array(about(texts)) * scale, min_fill=0)
    assert text.index("Now the cat") in {chunk.start for chunk in spanwise.chunk(text, strategy)}
