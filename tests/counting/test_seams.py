"""At an additive seam a text can be cut without changing a token on either side: proven here case by case.

Each pattern divides a text from left to right and looks at most one character ahead, so whether a piece runs across a
cut is decided by the kinds of characters around it. All strings of up to four characters over one of each kind are
tried, on both sides of every seam; then every code point; then texts that tokenizers stumble on.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
import regex
from hypothesis import assume, example, given
from hypothesis import strategies as st

from oracles import DATA, hard_texts, tiktoken_encoding
from spanwise.counting import bytepair, counter, measure, measure_of, token_map
from spanwise.counting.bytepair import VOCABULARIES, BytePair
from spanwise.counting.counter import countable
from spanwise.counting.measure import MappedMeasure
from texts import docgen_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENCODINGS = sorted(VOCABULARIES)
HARD = docgen_documents()

KINDS = "asB\u01c5\u02b0的\u03011½ \t\u3000\x85\r\n'/.\x1c😀\u200d\u0378"
"""One of each kind that the patterns tell apart: letters of each case, one that ends a contraction, marks, numbers,
blanks, line ends, the apostrophe, the slash, other signs, a control character that Python alone takes for a blank, a
code point that is not assigned."""


def texts_with_seams() -> st.SearchStrategy[str]:
    """Hard texts that have a seam every now and then, so that a map made in blocks can be exact."""
    ends = st.sampled_from([" ", "a ", "1\t", "\n.", "é\n的", "\r\n'", "/\n"])
    return st.lists(st.tuples(hard_texts(most=2), ends).map("".join), min_size=12, max_size=40).map("".join)


def byte_pair(name: str) -> BytePair:
    made = counter(name)
    assert isinstance(made, BytePair)
    return made


def seams(name: str, text: str) -> Iterator[int]:
    """Yield the offsets that are stated to be seams."""
    seam = VOCABULARIES[name].additive_seam
    return (found.end() for found in seam.finditer(text))


def pieces_of_pattern(name: str) -> Callable[[str], list[str]]:
    """Divide with the pattern that tiktoken states."""
    return cache(regex.compile(tiktoken_encoding(name)._pat_str).findall)


def tokens_of_gigatoken(name: str) -> Callable[[str], list[int]]:
    """Encode with the tokenizer that counts."""
    return cache(lambda text: byte_pair(name)._encode(text).tolist())


@pytest.mark.parametrize("divided_by", [pieces_of_pattern, tokens_of_gigatoken])
@pytest.mark.parametrize("name", ENCODINGS)
def test_both_sides_of_a_seam_are_divided_as_they_are_alone(
    name: str, divided_by: Callable[[str], Callable[[str], list[object]]]
) -> None:
    """Exhaustive: all strings of up to four characters over one of each kind."""
    divided, tried = divided_by(name), 0
    for length in range(2, 5):
        for text in map("".join, product(KINDS, repeat=length)):
            for cut in seams(name, text):
                tried += 1
                assert divided(text) == divided(text[:cut]) + divided(text[cut:]), (text, cut)
    assert tried > 50_000


@pytest.mark.parametrize("name", ENCODINGS)
def test_no_seam_of_these_kinds_is_left_out(name: str) -> None:
    """After a line feed, and before a blank or a tab, whatever is not stated to be a seam has a text against it."""
    divided = pieces_of_pattern(name)
    befores, afters = ("", ".", " ", "a"), ("", " ", "a", "\n")
    pairs = [("\n", after) for after in KINDS] + [(before, blank) for before in KINDS for blank in " \t"]
    for before, after in pairs:
        additive = all(
            divided(first + before + after + last) == divided(first + before) + divided(after + last)
            for first, last in product(befores, afters)
        )
        stated = 1 in seams(name, before + after)
        assert stated == additive or "\x1c" in (before, after), (before, after)  # Python alone calls it a blank


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_code_point_keeps_its_tokens_between_seams(name: str) -> None:
    """Also lone surrogates, and those that the next version of Unicode will assign."""
    made, size = byte_pair(name), 0x2000
    left = 4 * np.arange(size) + 2
    for start in range(0, sys.maxunicode + 1, size):
        characters = [chr(code) for code in range(start, start + size)]
        text = "".join(f".\n{character} " for character in characters)
        ends = made.token_ends(text)
        alone = np.array([made.count(character) for character in characters])
        first, last = ends.searchsorted(left), ends.searchsorted(left + 1)
        right = (ends[first] == left) & (ends[last] == left + 1) & (last - first == alone)
        stated = np.zeros(4 * size + 1, dtype=bool)
        stated[list(seams(name, text))] = True
        between = stated[left] & stated[left + 1]
        assert (right | ~between).all()
        assert all(characters[place].isspace() or characters[place] == "/" for place in np.flatnonzero(~between))


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=hard_texts())
@example(".\n//\n'S\r\n/ /.\n\n/")
def test_both_sides_of_a_seam_have_the_tokens_that_tiktoken_gives_them_alone(name: str, text: str) -> None:
    """The judge shares no code with what counts."""
    text = countable(text)
    for tokens in (tiktoken_encoding(name).encode_ordinary, tokens_of_gigatoken(name)):
        whole = tokens(text)
        for cut in seams(name, text):
            assert whole == tokens(text[:cut]) + tokens(text[cut:])


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_tokens_between_the_seams_of_a_long_text_are_those_of_tiktoken(name: str) -> None:
    """Generated and found documents: lists, tables, code, scripts, emoji."""
    tokens = tiktoken_encoding(name).encode_ordinary
    for text in HARD.values():
        long = countable(text[:20_000])
        between = [0, *seams(name, long), len(long)]
        assert tokens(long) == [token for start, end in pairwise(between) for token in tokens(long[start:end])]


@pytest.mark.parametrize("overhead", [0, 3])
@pytest.mark.parametrize("name", ENCODINGS)
@given(text=texts_with_seams(), size=st.integers(40, 100), data=st.data())
def test_a_span_looked_up_between_seams_has_as_many_tokens_as_one_encoded(
    name: str, overhead: int, text: str, size: int, data: st.DataObject
) -> None:
    """The law of P2, with maps made in blocks and seams looked for in spans of every length."""
    made = counter(name, special_tokens=overhead)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "_LONG", 6)
        patch.setattr(measure, "_NEAR", 3)
        patch.setattr(bytepair, "blocks", lambda whole, seam: token_map.blocks(whole, size, seam))
        measured, end = measure_of(made, text), 0
        for _ in range(5):
            start = data.draw(st.sampled_from([end, 0]) | st.integers(0, len(text)))
            end = data.draw(st.integers(start, len(text)))
            assert measured.count(start, end) == made.count(text[start:end])


@pytest.mark.parametrize("document", sorted(HARD))
@pytest.mark.parametrize("name", ENCODINGS)
def test_spans_of_long_documents_are_counted_as_tiktoken_counts_them(name: str, document: str) -> None:
    """Spans from anywhere to anywhere, one after the other and overlapping."""
    text = HARD[document][:60_000]
    measured, judge = measure_of(counter(name), text), tiktoken_encoding(name)
    for length in (1_000, 2_337, 4_096):
        for start in range(0, len(text), length - 100):
            end = min(start + length, len(text))
            assert measured.count(start, end) == len(judge.encode_ordinary(countable(text[start:end])))


@pytest.mark.parametrize("corpus", sorted(path.stem for path in (DATA / "corpora").glob("*.txt")))
@pytest.mark.parametrize("name", ENCODINGS)
def test_spans_across_the_blocks_of_a_map_are_counted_exactly(name: str, corpus: str) -> None:
    """The blocks are cut at seams, so the whole map is that of the whole text."""
    text = (DATA / "corpora" / f"{corpus}.txt").read_bytes().decode() * 3
    made = byte_pair(name)
    borders = [end for _, end in made._blocks(text)]
    assert made.maps_exactly(text)
    measured = measure_of(made, text)
    assert measured.count(0, len(text)) == len(made.token_ends(text)) == made.count(text)
    for border in borders:
        for before, after in product((0, 1, 700, 3_001), (0, 1, 650, 2_999)):
            start, end = max(border - before, 0), min(border + after, len(text))
            assert measured.count(start, end) == made.count(text[start:end])


@pytest.mark.parametrize("text", ["字" * 600_000, " " * 600_000, "\n" * 600_000, "\r\n " * 200_000, "x" * 600_000])
def test_a_map_with_a_border_that_is_no_seam_is_not_taken_for_the_count(text: str) -> None:
    """Where there is no seam in reach, everything is encoded as before."""
    made = byte_pair("cl100k_base")
    assert not made.maps_exactly(text)
    measured = measure_of(made, text)
    border = next(end for _, end in made._blocks(text))
    assert measured.count(border - 1_000, border + 999) == made.count(text[border - 1_000 : border + 999])


def test_what_lies_between_seams_is_not_encoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the ragged ends of a long span are; nothing at all between two seams."""
    text = "\n".join(f"Line {number} of a text: nobody has read it before." for number in range(2_000))
    measured = measure_of(counter("o200k_base"), text)
    assert isinstance(measured, MappedMeasure)
    asked: list[str] = []
    count = measured._count

    def watched(part: str) -> int:
        asked.append(part)
        return count(part)

    monkeypatch.setattr(measured, "_count", watched)
    first, last = text.index("Line 100 "), text.index("Line 900 ")
    assert measured.count(first, last) == count(text[first:last])
    assert asked == []
    assert measured.count(first + 2, last - 3) == count(text[first + 2 : last - 3])
    assert asked[0] == "ne"
    assert len(asked[1]) <= 32


@given(text=texts_with_seams(), size=st.integers(40, 100))
@pytest.mark.parametrize("name", ENCODINGS)
def test_a_map_in_blocks_that_is_called_exact_has_the_ends_of_the_whole(name: str, text: str, size: int) -> None:
    """Exact means the same ends, not only as many."""
    made, seam = byte_pair(name), VOCABULARIES[name].additive_seam
    spans = list(token_map.blocks(text, size, seam))
    assume(token_map.are_additive(text, spans, seam))
    parts = [made.token_ends(text[start:end]) + start for start, end in spans]
    assert np.concatenate(parts).tolist() == made.token_ends(text).tolist()


def test_a_tokenizer_without_a_proof_states_no_seam() -> None:
    """Nothing is additive until it is proven: such a map is exact where it was made at once."""
    assert token_map.are_additive("one two", [(0, 7)], None)
    assert not token_map.are_additive("one two", [(0, 3), (3, 7)], None)
    assert token_map.are_additive("one two", [(0, 3), (3, 7)], re.compile(r"\S(?= )"))
    assert not token_map.are_additive("one two", [(0, 4), (4, 7)], re.compile(r"\S(?= )"))
