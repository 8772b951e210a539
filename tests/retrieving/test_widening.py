"""Whole sentences around a chunk, the nearest first, never over the budget: judged by all cuts of the whole text."""

from __future__ import annotations

from typing import NamedTuple, SupportsIndex

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import spanwise
from law_cases import COUNTERS, Case, judged
from oracles import DATA
from spanwise.retrieving import widening
from spanwise.segmenting.segmenter import cuts_of
from spanwise.segmenting.sentences import Sentences
from spanwise.strategies.structural import Structural
from texts import LAW, WHITE_SPACE, boundaries_of, chunked_texts

TEXT = "It moves water. It has one motor. It hums. It is blue. It stands in the cellar."


class Hit(NamedTuple):
    """A chunk of a text, and how far to go."""

    text: str
    chunk: spanwise.Chunk
    before: int
    after: int


@st.composite
def hits(draw: st.DrawFn) -> Hit:
    text = draw(chunked_texts())
    strategy = draw(st.sampled_from(["sentences", "words", "lines", "characters"]))
    chunks = spanwise.chunk(
        text, strategy, max_characters=draw(st.integers(1, 60)), overflow="split", trim=draw(st.booleans())
    )
    assume(chunks)
    return Hit(text, draw(st.sampled_from(chunks)), draw(st.integers(0, 4)), draw(st.integers(0, 4)))


def is_blank(text: str) -> bool:
    return set(text) <= WHITE_SPACE


def starts_before(hit: Hit) -> list[int]:
    """List where the sentences before a chunk begin, the nearest first, of all cuts of the text."""
    found: list[int] = []
    known = hit.chunk.start
    for cut in reversed([0, *cuts_of(Sentences(), hit.text)]):
        if cut < known and not is_blank(hit.text[cut:known]):
            found.append(cut)
            known = cut
    return found[: hit.before]


def ends_after(hit: Hit) -> list[int]:
    found: list[int] = []
    known = hit.chunk.end
    for cut in cuts_of(Sentences(), hit.text):
        if cut > known and not is_blank(hit.text[known:cut]):
            found.append(cut)
            known = cut
    return found[: hit.after]


@LAW
@given(hit=hits())
def test_as_many_sentences_are_added_as_were_asked_for(hit: Hit) -> None:
    """Whole ones on either side, fewer only where the text ends; white space alone is no sentence."""
    wide = spanwise.widen(hit.chunk, hit.text, before=hit.before, after=hit.after)
    assert (wide.start, wide.end) == ([hit.chunk.start, *starts_before(hit)][-1], [hit.chunk.end, *ends_after(hit)][-1])
    assert wide.text == hit.text[wide.start : wide.end]
    assert wide.chunk_ids == (hit.chunk.id,)


@LAW
@given(hit=hits(), room=st.integers(0, 80), first=st.sampled_from([1, 16]))
def test_the_nearest_sentences_come_first_and_in_turn(hit: Hit, room: int, first: int) -> None:
    """One before, one after, while they fit; a side ends with the first that does not, however many are sought."""
    most = len(hit.chunk.text) + room
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(widening, "_FIRST", first)
        wide = spanwise.widen(
            hit.chunk, hit.text, before=hit.before, after=hit.after, max_tokens=most, counter="characters"
        )
    start, end = hit.chunk.start, hit.chunk.end
    sides = [starts_before(hit), ends_after(hit)]
    while any(sides):
        for side in (0, 1):
            if sides[side]:
                offset = sides[side].pop(0)
                wider = (offset, end) if side == 0 else (start, offset)
                if wider[1] - wider[0] <= most:
                    start, end = wider
                else:
                    sides[side] = []
    assert (wide.start, wide.end) == (start, end)


@LAW
@given(hit=hits(), room=st.integers(0, 30), counter=st.sampled_from(COUNTERS))
def test_nothing_is_over_the_budget(hit: Hit, room: int, counter: str) -> None:
    """By the judge, of the excerpt as it is given; and nothing is left out for which there surely is room."""
    most = judged(counter, hit.chunk.text) + room
    assume(most)
    wide = spanwise.widen(
        hit.chunk,
        hit.text,
        before=hit.before,
        after=hit.after,
        max_tokens=most,
        counter=Case(hit.text, "words", spanwise.Words(), counter, max_tokens=most).chunker().counter,
    )
    assert judged(counter, wide.text) <= most
    assert wide.start <= hit.chunk.start
    assert wide.end >= hit.chunk.end
    all_of_it = spanwise.widen(hit.chunk, hit.text, before=hit.before, after=hit.after)
    if len(all_of_it.text.encode("utf-8", "replace")) + 2 <= most:
        assert wide == all_of_it


@LAW
@given(hit=hits())
def test_lines_are_those_of_the_text(hit: Hit) -> None:
    """From 1; LF, CR LF and CR end one."""
    wide = spanwise.widen(hit.chunk, hit.text, before=hit.before, after=hit.after)
    (alone,) = spanwise.chunk(hit.text, "characters", max_characters=len(hit.text), blank="keep")
    assert alone.lines[0] <= wide.lines[0] <= hit.chunk.lines[0]
    assert hit.chunk.lines[1] <= wide.lines[1] <= alone.lines[1]
    assert wide.lines == (line_of(hit.text, wide.start), line_of(hit.text, wide.end - 1))


def line_of(text: str, offset: int) -> int:
    """Count the line ends before an offset, which end with the last of their characters."""
    before = text[:offset]
    ends = before.count("\n") + before.count("\r") - before.count("\r\n")
    return 1 + ends - (before.endswith("\r") and text[offset] == "\n")


@LAW
@given(hit=hits())
def test_a_character_is_cut_only_where_the_chunk_cuts_it(hit: Hit) -> None:
    """P5: what was added begins and ends between grapheme clusters."""
    wide = spanwise.widen(hit.chunk, hit.text, before=hit.before, after=hit.after)
    boundaries = {*boundaries_of(hit.text), hit.chunk.start, hit.chunk.end}
    assert {wide.start, wide.end} <= boundaries


class _Counted(str):
    """A text that counts the characters that are copied out of it."""

    copied = 0
    __slots__ = ()

    def __getitem__(self, place: SupportsIndex | slice) -> str:
        part = str.__getitem__(self, place)
        _Counted.copied += len(part)
        return part


@pytest.mark.parametrize("piece", [TEXT + "\n\n", TEXT + " ", "word " * 50, "\n" * 80, "- item of it\n", "x" * 80])
@pytest.mark.parametrize("sentences", [2, 1_000_000])
def test_the_size_of_the_document_does_not_matter(piece: str, sentences: int) -> None:
    """What is looked at is around the chunk, in two megabytes as in a page, also where all that fits is asked for."""
    text = _Counted(piece * (2_000_000 // len(piece)))
    chunk = spanwise.Chunk(text=str(text[1_000_000:1_000_400]), start=1_000_000, end=1_000_400, tokens=1)
    _Counted.copied = 0
    wide = spanwise.widen(chunk, text, before=sentences, after=sentences, max_tokens=1_000, counter="cl100k_base")
    assert wide.start <= 1_000_000
    assert wide.text == str(text)[wide.start : wide.end]
    assert _Counted.copied < 400_000


def test_many_sentences_are_counted_a_few_times_only() -> None:
    """Not the whole again for each of them."""
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return len(text) // 4 + 1

    text = (TEXT + " ") * 2_000
    hit = spanwise.chunk(text, "sentences", max_tokens=24)[400]
    wide = spanwise.widen(hit, text, before=10_000, after=10_000, max_tokens=20_000, counter=count)
    assert count(wide.text) > 19_900
    assert counted < 10 * len(wide.text)


def test_a_counter_that_has_less_for_parts_is_asked_about_the_whole() -> None:
    """The sum of the parts is a guess; the excerpt is within the budget."""
    hit = spanwise.chunk(TEXT, "sentences", max_tokens=6)[2]
    wide = spanwise.widen(hit, TEXT, max_tokens=9, counter=lambda text: len(text) ** 2 // 100)
    assert wide.text == "It has one motor. It hums. "


def test_there_is_as_much_before_as_after() -> None:
    """Where both sides have short sentences, neither takes all the room."""
    text = "One. Two. Three. Four. Five."
    hit = spanwise.chunk(text, "sentences", max_characters=7)[2]
    wide = spanwise.widen(hit, text, max_tokens=len("Two. Three. Four. "), counter="characters")
    assert wide.text == "Two. Three. Four. "


def test_a_sentence_that_is_longer_than_what_is_looked_at_first_is_whole() -> None:
    """It begins where it begins, not where the stretch does; up to 32,768 characters."""
    long = "word " * 4_000 + "ends. "
    text = f"It moves water. {long}It hums. {long}It is blue."
    start = text.index("It hums")
    hit = spanwise.Chunk(text="It hums. ", start=start, end=start + 9, tokens=4)
    assert spanwise.widen(hit, text, before=1, after=0).text == f"{long}It hums. "
    assert spanwise.widen(hit, text, before=0, after=1).text == f"It hums. {long}"
    assert spanwise.widen(hit, text, before=2, after=2).text == text


def test_a_long_text_has_the_sentences_that_the_whole_has() -> None:
    """Read in a stretch around the chunk, or all of it."""
    text = (DATA / "corpora" / "state_of_the_union.txt").read_text(encoding="utf-8")
    reading = spanwise.Chunker(structure="plain").reading_of(text)
    for hit in spanwise.chunk(text, max_tokens=64)[::9]:
        assert spanwise.widen(hit, text) == spanwise.widen(hit, text, reading=reading)


def test_a_sentence_that_the_chunk_cuts_is_completed() -> None:
    """As one of those that are asked for."""
    hit = spanwise.chunk(TEXT, "words", max_tokens=3)[3]
    assert hit.text == "one "
    assert spanwise.widen(hit, TEXT, before=1, after=1).text == "It has one motor. "
    assert spanwise.widen(hit, TEXT, before=2, after=0).text == "It moves water. It has one "


def test_a_heading_and_an_item_end_a_sentence() -> None:
    """Though no stop ends them."""
    text = "# Pump\n\nIt moves water\n\n- one motor\n- two valves\n"
    hit = next(chunk for chunk in spanwise.chunk(text, "lines", max_tokens=8) if "motor" in chunk.text)
    assert spanwise.widen(hit, text, before=1, after=1).text.startswith("It moves water\n\n- one motor\n- two")


def test_a_reading_says_where_blocks_end_in_marked_up_text() -> None:
    """Cells of a table in HTML, which look like one line of text."""
    text = "<table><tr><td>It moves water</td><td>It hums</td><td>It is blue</td></tr></table>"
    document = spanwise.Document(text=text, media_type="text/html")
    chunker = spanwise.Chunker(Structural(min_fill=0), max_characters=28)
    hit = next(chunk for chunk in chunker.chunk(document) if "hums" in chunk.text)
    wide = spanwise.widen(hit, document, before=0, after=1, reading=chunker.reading_of(document))
    assert "blue" in wide.text
    assert len(wide.text) < len(spanwise.widen(hit, document, before=1, after=1).text)


def test_an_excerpt_knows_where_it_is_from() -> None:
    """Section, lines and id are those of the chunk, the lines widened with it."""
    document = spanwise.Document(id="pump", text=f"# Pump\n\n{TEXT}\n", media_type="text/markdown")
    hit = spanwise.chunk(document, "sentences", max_tokens=8)[2]
    wide = spanwise.widen(hit, document, before=9, after=9)
    assert (wide.document_id, wide.section, wide.lines, wide.text) == ("pump", ("Pump",), (1, 3), document.text)


def test_a_chunk_over_the_budget_is_refused() -> None:
    """With what it has and what would do."""
    hit = spanwise.chunk(TEXT)[0]
    with pytest.raises(
        spanwise.BudgetError,
        match=r"at 0:79 of document '' alone has 23 tokens, over max_tokens=20; ask for at least 23",
    ):
        spanwise.widen(hit, TEXT, max_tokens=20)


def test_what_cannot_be_widened_is_refused() -> None:
    """With the value and the repair."""
    hit = spanwise.chunk(TEXT)[0]
    with pytest.raises(spanwise.SpanError, match="is no span of document ''"):
        spanwise.widen(hit, "It hums.")
    with pytest.raises(spanwise.ConfigurationError, match="before must be a number of sentences, 0 or more, got -1"):
        spanwise.widen(hit, TEXT, before=-1)
    with pytest.raises(spanwise.BudgetError, match="max_tokens=0 is less than 1"):
        spanwise.widen(hit, TEXT, max_tokens=0)
    with pytest.raises(spanwise.ConfigurationError, match="the reading is not of document ''"):
        spanwise.widen(hit, TEXT, reading=spanwise.Chunker().reading_of("It hums."))


def test_what_is_given_is_looked_at_also_where_it_is_not_needed() -> None:
    """A counter without a budget, and what is no chunk and no reading."""
    hit = spanwise.chunk(TEXT)[0]
    with pytest.raises(spanwise.ConfigurationError, match="unknown counter 'nonsense'"):
        spanwise.widen(hit, TEXT, counter="nonsense")
    assert spanwise.widen(hit, TEXT, counter="words") == spanwise.widen(hit, TEXT)
    with pytest.raises(spanwise.ConfigurationError, match=r"reading must be what chunker.reading_of.* got 'x'"):
        spanwise.widen(hit, TEXT, reading="x")  # type: ignore[arg-type]
    with pytest.raises(spanwise.ConfigurationError, match="chunk must be a Chunk, got 'It"):
        spanwise.widen("It hums.", TEXT)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers() -> None:
    """As they come out of arrays of scores and sizes; shares and truths are none."""
    hit = spanwise.chunk(TEXT, "sentences", max_tokens=6)[2]
    one, budget = np.int64(1), np.uint8(14)
    assert spanwise.widen(hit, TEXT, before=one, after=one) == spanwise.widen(hit, TEXT, before=1, after=1)  # type: ignore[arg-type]
    assert spanwise.widen(hit, TEXT, max_tokens=budget) == spanwise.widen(hit, TEXT, max_tokens=14)  # type: ignore[arg-type]
    for value in (np.float64(1), np.bool_(1), np.array([1, 2])):
        with pytest.raises(spanwise.ConfigurationError, match="before must be a number of sentences, 0 or more, got"):
            spanwise.widen(hit, TEXT, before=value)  # type: ignore[arg-type]
        with pytest.raises(spanwise.ConfigurationError, match="max_tokens must be a whole number, got"):
            spanwise.widen(hit, TEXT, max_tokens=value)  # type: ignore[arg-type]
