"""Sentences: the laws of their cuts, then what a reader would say."""

from __future__ import annotations

import random

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.errors import ConfigurationError
from spanwise.segmenting.blocks import Blocks
from spanwise.segmenting.segmenter import cuts_of, segments_of
from spanwise.segmenting.sentences import Sentences

PIECES = [
    "The quick brown fox jumps over the lazy dog and goes on to the other bank of the river",
    "a", "A", "word ", "Mr. ", "e.g. ", "U.S. ", "3.14", "1. ", "No. 7 ", ". ", "! ", "?! ", "...", "… ", ".", ":",
    "\n", "\n\n", "\r\n", "\r", "\x85", "\u2028", "\u2029", "\f", "\v", " ", "   ", "\t", "\u3000", "\xa0",
    "- ", "* ", "a) ", "  ", "| x ", "# ", "```", "> ", "===\n", "---\n", "\n  indented on and on",
    "\"", "'", "(", ")", "[", "]", "“", "”", "«", "»", "「", "」", "（", "）", "。", "！", "？", "と聞かれ", "漢字", "かな",
    "।", "؟ ", "։ ", "។", "။", "ไทย ", "\u0301", "\u200d", "👩", "👨‍👩‍👧", "🇩", "🇪", "\ud800", "\x00", "\ufeff", "\u0600",
    "x" * 300, " " * 200, "One two three. " * 40, "foo bar " * 200, "\n" * 50,
]  # fmt: skip
HARD_TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
SEGMENTER = Sentences()


def all_cuts(text: str, segmenter: Sentences = SEGMENTER) -> list[int]:
    return list(cuts_of(segmenter, text))


def sentences(text: str, language: str = "en") -> list[str]:
    return [segment.strip() for segment in segments_of(Sentences(language), text)]


# --- laws ---


@given(HARD_TEXTS)
def test_cuts_increase_and_the_segments_tile_the_text(text: str) -> None:
    """Law: cuts strictly increase, lie in (0, length], and hold the length."""
    cuts = all_cuts(text)
    assert cuts == sorted({cut for cut in cuts if 0 < cut <= len(text)})
    assert cuts[-1:] == ([len(text)] if text else [])
    assert "".join(segments_of(SEGMENTER, text)) == text


@given(HARD_TEXTS)
def test_no_cut_divides_a_grapheme_cluster(text: str) -> None:
    """Law: every cut is a boundary of regex's own clusters, so none stands between CR and LF."""
    boundaries = {match.end() for match in regex.finditer(r"\X", text)}
    assert set(all_cuts(text)) <= boundaries


@given(HARD_TEXTS)
def test_white_space_belongs_to_the_sentence_before(text: str) -> None:
    """Law: after a cut inside a line no white space follows; indentation follows line starts only."""
    lines = {match.end() for match in regex.finditer(r"\r\n|[\n\v\f\r\x85\u2028\u2029]", text)}
    for cut in all_cuts(text)[:-1]:
        assert cut in lines or not regex.match(r"\p{White_Space}", text[cut])


@given(HARD_TEXTS, st.data())
def test_next_and_last_agree_wherever_they_are_asked(text: str, data: st.DataObject) -> None:
    """Law: `next`, and `last` with blocks free to be cut, read one set of cuts."""
    known = all_cuts(text)
    cuts = SEGMENTER.cuts(text)
    offsets = st.integers(0, len(text))
    for _ in range(8):
        after, upto = sorted((data.draw(offsets), data.draw(offsets)))
        between = [cut for cut in known if after < cut <= upto]
        assert cuts.next(after, upto) == (between[0] if between else after)
        block = Blocks(text).at(upto) if upto < len(text) else None
        start = block.start if block is not None and block.start <= after else after
        if block is None or block.kind == "plain" or block.start <= start:
            assert cuts.last(after, upto, start) == (between[-1] if between else after)
        else:
            assert cuts.last(after, upto, start) == max(after, block.start)


@given(HARD_TEXTS, st.randoms(use_true_random=False))
def test_the_order_of_questions_changes_no_answer(text: str, order: random.Random) -> None:
    """Law: what is remembered from one question never shows in the answer to another."""
    questions = [tuple(sorted(order.choices(range(len(text) + 1), k=3))) for _ in range(10)]
    cuts = SEGMENTER.cuts(text)
    for start, after, upto in questions:
        fresh = SEGMENTER.cuts(text)
        assert cuts.last(after, upto, start) == fresh.last(after, upto, start)
        assert cuts.next(after, upto) == SEGMENTER.cuts(text).next(after, upto)


@given(HARD_TEXTS, HARD_TEXTS)
@settings(max_examples=50)
def test_an_edit_before_a_blank_line_and_five_lines_changes_no_cut_far_below(before: str, text: str) -> None:
    """Law: cuts of what stands below a far blank line do not depend on what stands above."""
    fence = "\n\nAn end.\n\n"
    alone, joined = fence + text, before + fence + text
    shift = len(joined) - len(alone)
    assert [cut + shift for cut in all_cuts(alone) if cut > len(fence)] == [
        cut for cut in all_cuts(joined) if cut > len(fence) + shift
    ]
