"""`verify` sees each promise that is broken, and nothing where all are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest

import spanwise
from spanwise import ConfigurationError, Document, verify

if TYPE_CHECKING:
    from spanwise import Chunk, Violation

TEXT = "The pump moves water. It has one motor.\n\nUnplug it first. Never run it dry.\n"
DOCUMENT = Document(id="pump", text=TEXT)


def made(**options: Any) -> list[Chunk]:
    return spanwise.chunk(DOCUMENT, "sentences", max_tokens=7, **options)


def kinds(violations: list[Violation]) -> list[tuple[str, str, int]]:
    return [(violation.promise, violation.kind, violation.index) for violation in violations]


def span(start: int, end: int, **fields: object) -> dict[str, object]:
    return {"text": TEXT[start:end], "start": start, "end": end, **fields}


def test_true_chunks_break_nothing() -> None:
    """Chunks of four sentences, with and without overlap."""
    assert verify(DOCUMENT, made(), max_tokens=7) == []
    assert verify(DOCUMENT, made(overlap_tokens=2), max_tokens=7, overlap_tokens=2) == []


def test_a_text_that_is_not_there_breaks_p1() -> None:
    """The offsets are what is compared; the text is never searched for."""
    violations = verify(TEXT, [span(0, 40), {"text": TEXT[40:], "start": 41, "end": len(TEXT)}])
    assert kinds(violations) == [("P1", "slice", 1)]
    assert "is not the document's text there" in violations[0].message


def test_a_negative_start_breaks_p1() -> None:
    """Also where Python would slice from the end."""
    assert kinds(verify("abc", [{"text": "b", "start": -2, "end": -1}])) == [("P1", "slice", 0)]


def test_a_chunk_over_the_budget_breaks_p2() -> None:
    """The message names the count and the budget."""
    violations = verify(DOCUMENT, [span(0, len(TEXT))], max_tokens=7)
    assert kinds(violations) == [("P2", "budget", 0)]
    assert "20 tokens are over max_tokens=7" in violations[0].message


def test_characters_have_a_budget_too() -> None:
    """Counted in code points."""
    violations = verify(DOCUMENT, [span(0, len(TEXT))], max_characters=70)
    assert "76 characters are over max_characters=70" in violations[0].message


def test_a_false_count_breaks_p2() -> None:
    """Where a chunk states its tokens, they are counted."""
    chunks = [msgspec.structs.replace(chunk, tokens=chunk.tokens + 1) for chunk in made()]
    violations = verify(DOCUMENT, chunks, max_tokens=7)
    assert {(violation.promise, violation.kind) for violation in violations} == {("P2", "budget")}
    assert "it states 7 tokens and has 6" in violations[0].message


def test_context_and_text_are_counted_as_one() -> None:
    """What is put before a chunk takes room in its budget."""
    chunks = [msgspec.structs.replace(made()[0], context="Handbook > Pump\n"), *made()[1:]]
    violations = verify(DOCUMENT, chunks, max_tokens=7)
    assert kinds(violations) == [("P2", "budget", 0)]


def test_a_missing_chunk_breaks_p3() -> None:
    """The message quotes what is not covered."""
    violations = verify(DOCUMENT, [made()[0], *made()[2:]], max_tokens=7)
    assert kinds(violations) == [("P3", "cover", 1)]
    assert violations[0].message == "nothing covers 22:41: 'It has one motor.\\n\\n'"
    assert (violations[0].start, violations[0].end) == (22, 41)


def test_a_missing_end_breaks_p3() -> None:
    """Also where no chunk is there at all."""
    assert kinds(verify(DOCUMENT, made()[:-1], max_tokens=7)) == [("P3", "cover", 2)]
    assert kinds(verify(DOCUMENT, [])) == [("P3", "cover", 0)]


def test_white_space_may_be_missing_unless_it_is_kept() -> None:
    """P3 with blank="keep" and without trim is exact."""
    chunks = [span(0, 39), span(41, 75)]
    assert verify(TEXT, chunks) == []
    assert verify(TEXT, chunks, blank="keep", trim=True) == []
    assert kinds(verify(TEXT, chunks, blank="keep")) == [("P3", "cover", 1), ("P3", "cover", 1)]


@pytest.mark.parametrize("left_out", ["\ufeff", "\u200b", "\x1c", "\x00"])
def test_what_is_no_white_space_may_not_be_missing(left_out: str) -> None:
    """P3: BOM, zero-width space and control characters are text."""
    assert kinds(
        verify(f"a{left_out}b", [{"text": "a", "start": 0, "end": 1}, {"text": "b", "start": 2, "end": 3}])
    ) == [("P3", "cover", 1)]


def test_chunks_out_of_order_break_p4() -> None:
    """Starts and ends strictly increase."""
    violations = verify(TEXT, [span(0, 76), span(41, 60)], overlap_tokens=None)
    assert ("P4", "order", 1) in kinds(violations)


def test_an_empty_chunk_breaks_p4() -> None:
    """No chunk is empty."""
    assert ("P4", "order", 1) in kinds(verify(TEXT, [span(0, 40), span(40, 40), span(40, 76)]))


def test_a_cut_inside_a_character_breaks_p5() -> None:
    """The message shows the character and its span."""
    text = "ae\u0301b"
    violations = verify(text, [{"text": text[:2], "start": 0, "end": 2}, {"text": text[2:], "start": 2, "end": 4}])
    assert {(violation.promise, violation.kind) for violation in violations} == {("P5", "characters")}
    assert "2 is inside the character 'e\u0301' at 1:3, which fits" in violations[0].message


def test_a_character_over_the_budget_may_be_cut() -> None:
    """P5: then it is cut between code points."""
    text = "👨\u200d👩\u200d👧"
    chunks = [{"text": text[:3], "start": 0, "end": 3}, {"text": text[3:], "start": 3, "end": 5}]
    assert verify(text, chunks, max_characters=3) == []
    assert {violation.promise for violation in verify(text, chunks, max_characters=5)} == {"P5"}


def test_a_cut_between_return_and_line_feed_breaks_p5() -> None:
    """CR LF is one line end."""
    chunks = [{"text": "a\r", "start": 0, "end": 2}, {"text": "\nb", "start": 2, "end": 4}]
    assert {violation.promise for violation in verify("a\r\nb", chunks)} == {"P5"}


def test_an_overlap_that_was_not_asked_for_breaks_p6() -> None:
    """Unless overlaps are not judged."""
    chunks = [span(0, 40), span(30, 76)]
    assert kinds(verify(TEXT, chunks)) == [("P6", "overlap", 1)]
    assert verify(TEXT, chunks, overlap_tokens=None) == []


def test_a_longer_overlap_than_was_asked_breaks_p6() -> None:
    """In tokens or in characters."""
    chunks = [span(0, 40), span(30, 76)]
    assert verify(TEXT, chunks, overlap_characters=10) == []
    assert kinds(verify(TEXT, chunks, overlap_characters=9)) == [("P6", "overlap", 1)]
    assert kinds(verify(TEXT, chunks, overlap_tokens=1, counter="cl100k_base")) == [("P6", "overlap", 1)]


def test_a_missing_overlap_breaks_p6() -> None:
    """Where the last character before the cut would fit."""
    assert kinds(verify(DOCUMENT, made(), max_tokens=20, overlap_tokens=2)) == [("P6", "overlap", n) for n in (1, 2, 3)]


def test_a_false_overlap_breaks_p6() -> None:
    """`chunk.overlap` says in code points how much is repeated."""
    chunks = [made()[0], msgspec.structs.replace(made()[1], overlap=1), *made()[2:]]
    violations = verify(DOCUMENT, chunks, max_tokens=7)
    assert kinds(violations) == [("P6", "overlap", 1)]
    assert "it states 1 repeated characters and has 0" in violations[0].message


def test_a_cut_inside_a_word_breaks_p7_where_words_are_whole() -> None:
    """Only where it is asked."""
    chunks = [span(0, 6), span(6, len(TEXT))]
    assert verify(TEXT, chunks) == []
    assert {(violation.promise, violation.kind) for violation in verify(TEXT, chunks, whole_words=True)} == {
        ("P7", "word")
    }


def test_a_chunk_that_begins_inside_a_word_breaks_p7_too() -> None:
    """Where the text before it is in no chunk; where an overlap begins is no cut."""
    chunks = [span(0, 4), span(6, len(TEXT))]
    assert ("P7", "word", 1) in kinds(verify(TEXT, chunks, whole_words=True))


def test_a_chunker_sees_other_boundaries_than_its_own() -> None:
    """P8: the same document and choices give the same chunks."""
    chunker = spanwise.Chunker("sentences", max_tokens=20)
    assert chunker.verify(DOCUMENT, chunker.chunk(DOCUMENT)) == []
    assert ("P8", "answer", 0) in kinds(chunker.verify(DOCUMENT, made()))


def test_a_chunker_sees_a_blank_chunk_that_it_would_leave_out() -> None:
    """P8: also where that is the last one."""
    text = "word" + " " * 4
    kept = spanwise.Chunker("words", max_characters=4, blank="keep").chunk(text)
    assert [chunk.text for chunk in kept] == ["word", "    "]
    assert kinds(spanwise.Chunker("words", max_characters=4).verify(text, kept)) == [("P8", "answer", 0)]


def test_an_id_of_another_text_breaks_p9() -> None:
    """Ids are made again from the document's id, the text and its occurrence."""
    chunks = [msgspec.structs.replace(made()[0], id="0" * 32), *made()[1:]]
    assert kinds(verify(DOCUMENT, chunks, max_tokens=7)) == [("P9", "id", 0)]
    renamed = Document(id="other", text=TEXT)
    assert {violation.promise for violation in verify(renamed, made(), max_tokens=7)} == {"P9"}


def test_repeats_that_share_an_id_break_p9() -> None:
    """The second occurrence has an id of its own."""
    document = Document(text="Again. Again. ")
    chunks = spanwise.chunk(document, "sentences", max_tokens=3)
    twice = [chunks[0], msgspec.structs.replace(chunks[1], id=chunks[0].id)]
    assert kinds(verify(document, twice, max_tokens=3)) == [("P9", "id", 1)]


class Foreign(NamedTuple):
    """A chunk as another library might give it."""

    text: str
    start: int
    end: int


def test_chunks_of_anyone_are_taken() -> None:
    """By attributes or by keys; ids and counts of others are not judged."""
    assert verify(TEXT, [Foreign(TEXT, 0, 76)]) == []
    assert verify(TEXT, [span(0, 76, id="x", overlap=0)]) == []


@pytest.mark.parametrize(
    "chunk", [{"text": "a"}, {"text": b"a", "start": 0, "end": 1}, "a", {"text": "a", "start": "0", "end": 1}]
)
def test_what_has_no_span_is_refused(chunk: object) -> None:
    """The message shows what is missing."""
    with pytest.raises(ConfigurationError, match=r"chunk 0 needs text \(str\), start and end \(int\), got"):
        verify("a", [chunk])


def test_white_space_with_a_mark_may_be_cut_where_it_is_over_the_budget() -> None:
    """It is one cluster and no word; alone it is two tokens."""
    chunks = spanwise.chunk(" \u0301", "lines", max_tokens=1)
    assert [(chunk.start, chunk.end) for chunk in chunks] == [(1, 2)]
    assert spanwise.Chunker("lines", max_tokens=1).verify(" \u0301", chunks) == []
