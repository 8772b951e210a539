"""Which tokens are a chunk's: judged by the tokenizers' own offsets; how windows are put together: token by token."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

import spanwise
from oracles import DATA, hard_texts, tiktoken_encoding
from texts import LAW, WHITE_SPACE, chunked_texts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

WORDPIECE = DATA / "minilm-wordpiece.tokenizer.json"


@lru_cache(maxsize=1)
def model_tokenizer() -> Tokenizer:
    """Give the tokenizer as a model uses it: with [CLS] and [SEP], but without a limit, and special text as text."""
    described = json.loads(WORDPIECE.read_text(encoding="utf-8"))
    return Tokenizer.from_str(json.dumps({**described, "truncation": None, "padding": None, "added_tokens": []}))


@lru_cache(maxsize=1)
def wordpiece() -> spanwise.Counter:
    return spanwise.counter(WORDPIECE, special_tokens=2)


def first_ink(text: str, start: int, end: int) -> int:
    """Give the first character of a token that is no white space, or its first."""
    return next((offset for offset in range(start, end) if text[offset] not in WHITE_SPACE), start)


def expected(firsts: list[int], begins: list[int], chunks: list[spanwise.Chunk]) -> list[list[int]]:
    """Look at every token for each chunk."""
    spans = []
    for chunk in chunks:
        own = [token for token, first in enumerate(firsts) if chunk.start <= first < chunk.end]
        if not own and firsts:
            own = [max([token for token, begin in enumerate(begins) if begin <= chunk.start], default=0)]
        spans.append([own[0], own[-1] + 1] if own else [0, 0])
    return spans


def chunks_of(text: str, size: int) -> list[spanwise.Chunk]:
    return spanwise.chunk(text, "characters", max_characters=size, overflow="split", blank="keep")


@LAW
@given(text=chunked_texts(), size=st.integers(1, 60))
def test_the_tokens_of_a_chunk_are_those_that_begin_in_it_by_the_tokenizers_own_offsets(text: str, size: int) -> None:
    """WordPiece: of the one encoding of the whole document, without [CLS] and [SEP], which have no place in it."""
    seen = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    offsets = list(model_tokenizer().encode(seen, add_special_tokens=False).offsets)
    begins = [start for start, _ in offsets]
    chunks = chunks_of(text, size)
    assert spanwise.token_spans(text, chunks, wordpiece()).tolist() == expected(begins, begins, chunks)


@LAW
@given(text=hard_texts(), size=st.integers(1, 60))
def test_the_tokens_of_a_chunk_are_those_whose_first_ink_it_holds_by_tiktoken(text: str, size: int) -> None:
    """Byte pairs: a blank belongs to the word after it, and several tokens to one character."""
    encoding = tiktoken_encoding("cl100k_base")
    seen = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    # where each byte's character is, so that a token begins in the character that its first byte is of
    places = [offset for offset, character in enumerate(seen) for _ in character.encode()]
    tokens = [encoding.decode_single_token_bytes(token) for token in encoding.encode_ordinary(seen)]
    ends = np.cumsum([0, *map(len, tokens)]).tolist()
    begins = [places[start] for start, _ in pairwise(ends)]
    whole_ends = [places[end] if end < len(places) else len(seen) for _, end in pairwise(ends)]
    firsts = [first_ink(seen, begin, end) for begin, end in zip(begins, whole_ends, strict=True)]
    chunks = chunks_of(text, size)
    assert spanwise.token_spans(text, chunks, "cl100k_base").tolist() == expected(firsts, begins, chunks)


@LAW
@given(text=chunked_texts(), size=st.integers(1, 60), name=st.sampled_from(["cl100k_base", "wordpiece", "characters"]))
def test_the_tokens_of_chunks_that_tile_the_document_tile_its_tokens(text: str, size: int, name: str) -> None:
    """None is left out, and of two neighbours both have a token only where one has none of its own."""
    counter = wordpiece() if name == "wordpiece" else spanwise.counter(name)
    spans = spanwise.token_spans(text, chunks_of(text, size), counter).tolist()
    tokens = counter.count(text) - getattr(counter, "overhead", 0)
    reached = 0
    for first, last in spans:
        assert max(reached - 1, 0) <= first <= reached
        assert first < last or not tokens
        reached = max(reached, last)
    assert reached == tokens or not spans


def test_spans_of_a_long_document_are_those_of_its_one_encoding() -> None:
    """Also where the counter makes its map piece by piece to be fast."""
    text = (DATA / "corpora" / "state_of_the_union.txt").read_text(encoding="utf-8")
    chunks = spanwise.chunk(text, max_tokens=200, counter=wordpiece())
    spans = spanwise.token_spans(text, chunks, wordpiece())
    offsets = model_tokenizer().encode(text, add_special_tokens=False).offsets
    for chunk, (first, last) in zip(chunks, spans.tolist(), strict=True):
        assert chunk.start <= offsets[first][0]
        assert offsets[last - 1][1] <= chunk.end
    assert spans[0, 0] == 0
    assert spans[-1, 1] == len(offsets)
    assert (spans[1:, 0] == spans[:-1, 1]).all()


def test_the_word_after_a_border_is_of_the_chunk_that_holds_it() -> None:
    """Though its token begins with the blank that ends the chunk before."""
    text = "It moves water. It has one motor."
    chunks = spanwise.chunk(text, "sentences", max_tokens=6)
    assert [chunk.text for chunk in chunks] == ["It moves water. ", "It has one motor."]
    encoding = tiktoken_encoding("cl100k_base")
    tokens = [encoding.decode([token]) for token in encoding.encode_ordinary(text)]
    spans = spanwise.token_spans(text, chunks, spanwise.counter(encoding)).tolist()
    assert [tokens[first:last] for first, last in spans] == [
        ["It", " moves", " water", "."],
        [" It", " has", " one", " motor", "."],
    ]


def test_half_a_word_without_a_token_of_its_own_has_the_one_it_is_part_of() -> None:
    """So that it has a vector; the other half has the same."""
    chunks = spanwise.chunk("water", "characters", max_characters=3)
    assert spanwise.token_spans("water", chunks, "cl100k_base").tolist() == [[0, 1], [0, 1]]


def test_no_chunks_and_no_text_have_no_tokens() -> None:
    """Nor does white space in a vocabulary that drops it."""
    assert spanwise.token_spans("", [], "cl100k_base").shape == (0, 2)
    blank = spanwise.chunk("  ", "characters", max_characters=1, blank="keep")
    assert spanwise.token_spans("  ", blank, wordpiece()).tolist() == [[0, 0], [0, 0]]


def test_a_counter_that_does_not_know_where_tokens_end_is_refused() -> None:
    """A bare function can count, but cannot say which tokens are whose."""
    with pytest.raises(spanwise.ConfigurationError, match="the counter 'len' does not know where its tokens end: give"):
        spanwise.token_spans("It hums.", [], len)


def test_chunks_of_another_document_are_refused() -> None:
    """Their tokens would be others."""
    with pytest.raises(spanwise.SpanError, match="is no span of document ''"):
        spanwise.token_spans("It hums.", spanwise.chunk("It is blue."), "cl100k_base")


def test_an_iterator_of_chunks_is_taken_as_a_list_is() -> None:
    """Each has its tokens; what is no chunk has none."""
    text = "It moves water. It has one motor."
    chunks = spanwise.chunk(text, max_tokens=5)
    assert spanwise.token_spans(text, iter(chunks), "cl100k_base").tolist() == [[0, 4], [4, 9]]
    with pytest.raises(spanwise.ConfigurationError, match=r"chunks\[0\] must be a Chunk, got 'It moves'"):
        spanwise.token_spans(text, ["It moves"], "cl100k_base")  # type: ignore[list-item]


# --- the mean of the vectors -----------------------------------------------------------------------------------


@LAW
@given(data=st.data(), tokens=st.integers(0, 30), width=st.integers(1, 4))
def test_a_chunk_has_the_mean_of_its_tokens(data: st.DataObject, tokens: int, width: int) -> None:
    """A row for each chunk, whatever the type of the vectors; the zero vector where there is no token."""
    vectors = np.arange(tokens * width, dtype=np.float32).reshape(tokens, width) / 7
    ranges = st.tuples(st.integers(0, tokens), st.integers(0, tokens)).map(sorted)
    spans = data.draw(st.lists(ranges, max_size=6))
    pooled = spanwise.late_pool(vectors, spans)
    assert pooled.shape == (len(spans), width)
    for row, (first, last) in zip(pooled.tolist(), spans, strict=True):
        rows = vectors[first:last].astype(float).tolist()
        mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)] if rows else [0.0] * width
        assert row == pytest.approx(mean)


@pytest.mark.parametrize(
    ("vectors", "spans", "message"),
    [
        ([[1.0], [2.0]], [[0, 1], [1, 3]], r"the tokens 1:3 of chunk 1 are not among 2 vectors: give one vector"),
        ([[1.0]], [[1, 0]], r"the tokens 1:0 of chunk 0"),
        ([1.0, 2.0], [[0, 1]], r"token_vectors has the shape \(2,\): give one row for each token"),
        ([[1.0]], [0, 1], r"spans has the shape \(2,\): give what token_spans gives"),
        ([[1.0]], [[0, 1, 1]], r"spans has the shape \(1, 3\): give what token_spans gives"),
        ([[1.0]], np.array([[0, 2**64 - 1]], np.uint64), r"of chunk 0 are not among 1 vectors"),
        (
            [[1.0]],
            [[0, 2**70]],
            r"spans holds numbers of the type float64: \[\[0, 1180591620717411303424\]\]; give whole numbers",
        ),
        (
            [[1.0]],
            [[0.0, 0.5]],
            r"spans holds numbers of the type float64: \[\[0.0, 0.5\]\]; give whole numbers, as token_spans does",
        ),
        ([[1.0]], [["0", "1"]], r"spans is no array of real numbers, it holds values of the type <U1, first '0'"),
        ([[1.0]], [[0, 1], [1]], r"spans is no array of numbers: .*; got \[\[0, 1\], \[1\]\]"),
        ([[1.0]], None, r"spans is no array of numbers: it holds None"),
        ([["a"]], [[0, 1]], r"token_vectors is no array of real numbers, it holds values of the type <U1, first 'a'"),
        ([[1 + 2j]], [[0, 1]], r"token_vectors is no array of real numbers, it holds complex numbers, first \(1\+2j\)"),
        ([[1.0], [1.0, 2.0]], [[0, 1]], r"token_vectors is no array of numbers: .*; got \[\[1.0\], \[1.0, 2.0\]\]"),
        ([[1.0, None]], [[0, 1]], r"token_vectors is no array of numbers: it holds None at 0, 1; give"),
        (np.zeros((1, 1), [("a", "i8")]), [[0, 1]], r"token_vectors is no array of real numbers, .*, first \(0,\)"),
        (None, [[0, 1]], r"token_vectors is no array of numbers: it holds None"),
    ],
)
def test_vectors_that_do_not_match_are_refused(vectors: ArrayLike, spans: ArrayLike, message: str) -> None:
    """As where the vectors of [CLS] and [SEP] were left out of one but not of the other."""
    with pytest.raises(spanwise.ConfigurationError, match=message):
        spanwise.late_pool(vectors, spans)


# --- windows ---------------------------------------------------------------------------------------------------


@st.composite
def windowings(draw: st.DrawFn) -> tuple[int, int, int]:
    window = draw(st.integers(1, 30))
    return draw(st.integers(0, 120)), window, draw(st.integers(0, window - 1))


@LAW
@given(sizes=windowings())
def test_windows_cover_the_tokens(sizes: tuple[int, int, int]) -> None:
    """None is larger than asked, each shares at least what was asked with the one before, none is needless."""
    tokens, window, overlap = sizes
    windows = spanwise.token_windows(tokens, window=window, overlap=overlap).tolist()
    assert {token for start, end in windows for token in range(start, end)} == set(range(tokens))
    assert all(end - start == min(window, tokens) for start, end in windows)
    for (_, before), (start, end) in pairwise(windows):
        assert before - start >= overlap
        assert end > before
    assert len(windows) == (0 if not tokens else max(1, -(-(tokens - overlap) // (window - overlap))))


@LAW
@given(sizes=windowings())
def test_a_token_has_its_vector_from_where_it_has_most_context(sizes: tuple[int, int, int]) -> None:
    """Of all windows that hold it, the one whose nearer end is furthest; the ends of the document are no ends."""
    tokens, window, overlap = sizes
    windows = spanwise.token_windows(tokens, window=window, overlap=overlap)
    vectors = [
        np.array([[place, token] for token in range(start, end)]) for place, (start, end) in enumerate(windows.tolist())
    ]

    def context(place: int, token: int) -> float:
        start, end = windows[place].tolist()
        return min(float("inf") if start == 0 else token - start, float("inf") if end == tokens else end - 1 - token)

    joined = spanwise.join_windows(vectors, windows)
    assert len(joined) == tokens
    for token, (place, same) in enumerate(joined.tolist()):
        assert same == token
        holding = [other for other, (start, end) in enumerate(windows.tolist()) if start <= token < end]
        assert context(place, token) == max(context(other, token) for other in holding)


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"window": 4, "overlap": 4}, spanwise.BudgetError, "overlap=4 is not smaller than window=4.* at most 3"),
        (
            {"window": 0, "overlap": 0},
            spanwise.ConfigurationError,
            "window must be a whole number of at least 1, got 0",
        ),
        ({"window": 4, "overlap": -1}, spanwise.ConfigurationError, "overlap must be a whole number of at least 0"),
    ],
)
def test_windows_that_cannot_be_are_refused(options: dict[str, int], kind: type[Exception], message: str) -> None:
    """The message says what can."""
    with pytest.raises(kind, match=message):
        spanwise.token_windows(10, **options)


@pytest.mark.parametrize(
    ("vectors", "windows", "message"),
    [
        ([[[1]]], [[0, 1], [1, 2]], "1 arrays of vectors for 2 windows"),
        (
            [[[1]], [[1]]],
            [[0, 1], [1, 3]],
            r"window 1 have the shape \(1, 1\), it has the tokens 1:3: give one row for",
        ),
        ([[[1]], [[1]]], [[0, 1], [2, 3]], "window 1 has the tokens 2:3 after 1 are covered"),
        ([[[1]] * 2], [[1, 3]], "window 0 has the tokens 1:3 after 0 are covered"),
        ([[[1]] * 3], [[-1, 2]], "window 0 has the tokens -1:2, but must begin at 0: give what token_windows gives"),
        (
            [[[1]] * 6, [[1]] * 3, [[1]] * 7],
            [[0, 6], [5, 8], [2, 9]],
            "window 2 has the tokens 2:9, but must begin after 5, where the one before does: give",
        ),
        ([[[1]] * 2, [[1]] * 2], [[2, 4], [0, 2]], "window 0 has the tokens 2:4 after 0 are covered"),
        ([[[1]], [[1, 2]]], [[0, 1], [1, 2]], "vectors of window 1 have 2 numbers each, those of window 0 1: give"),
        ([[[1]], [[1j]]], [[0, 1], [1, 2]], "vectors of window 1 is no array of real numbers, it holds complex"),
        ([[[1], [1, 2]]], [[0, 2]], r"vectors of window 0 is no array of numbers: .*got \[\[1\], \[1, 2\]\]"),
        ([[["a"]]], [[0, 1]], "vectors of window 0 is no array of real numbers, .* first 'a'"),
        ([[[1]]], [0, 1, 2], r"windows has the shape \(3,\): give what token_windows gives"),
        (
            [[[1]]],
            [[0.0, 1.0]],
            r"windows holds numbers of the type float64: \[\[0.0, 1.0\]\]; give whole numbers, as token_windows does",
        ),
        (None, [[0, 1]], "window_vectors must be one array for each window, got None"),
    ],
)
def test_windows_that_do_not_fit_together_are_refused(
    vectors: list[ArrayLike], windows: ArrayLike, message: str
) -> None:
    """Nothing is filled in for tokens that no window holds."""
    with pytest.raises(spanwise.ConfigurationError, match=message):
        spanwise.join_windows(vectors, windows)


@LAW
@given(
    ranges=st.lists(
        st.tuples(st.integers(-1, 9), st.integers(-1, 9)).filter(lambda ends: ends[0] <= ends[1]), max_size=4
    )
)
def test_windows_are_refused_or_joined_to_one_row_for_each_token(ranges: list[tuple[int, int]]) -> None:
    """Whatever windows there are: each row is its token's own, and none is left out or there twice."""
    vectors = [np.arange(start, end)[:, np.newaxis] for start, end in ranges]
    try:
        joined = spanwise.join_windows(vectors, ranges)
    except spanwise.ConfigurationError:
        assert (
            ranges[0][0] != 0
            or any(
                end <= reached or not before < start <= reached for (before, reached), (start, end) in pairwise(ranges)
            )
            or ranges[0][1] <= 0
        )
    else:
        assert joined.ravel().tolist() == list(range(max((end for _, end in ranges), default=0)))


def test_vectors_of_windows_are_taken_from_an_iterator() -> None:
    """As a model gives them, one window after the other."""
    windows = spanwise.token_windows(3, window=2, overlap=1)
    assert spanwise.join_windows(([[float(place)]] * 2 for place in range(2)), windows).tolist() == [
        [0.0],
        [0.0],
        [1.0],
    ]


def test_a_long_document_is_read_in_windows_and_pooled() -> None:
    """From text to one vector for each chunk, with a model that gives each token its own id."""
    text = (DATA / "corpora" / "chatlogs.txt").read_text(encoding="utf-8")
    chunks = spanwise.chunk(text, max_tokens=64, counter=wordpiece())
    ids = model_tokenizer().encode(text, add_special_tokens=False).ids
    spans = spanwise.token_spans(text, chunks, wordpiece())
    windows = spanwise.token_windows(spans[-1, 1], window=254, overlap=64)
    vectors = [np.array(ids[start:end], dtype=np.float64)[:, np.newaxis] for start, end in windows.tolist()]
    pooled = spanwise.late_pool(spanwise.join_windows(vectors, windows), spans)
    assert pooled.ravel().tolist() == pytest.approx(
        [sum(ids[first:last]) / (last - first) for first, last in spans.tolist()]
    )
