"""The promises P1 to P9 over every strategy, counter, budget and text, judged without the package where possible."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from bisect import bisect_left, bisect_right
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import spanwise
from law_cases import Case, cases
from spanwise.segmenting.segmenter import cuts_of
from spanwise.segmenting.words import Words
from spanwise.strategies import registry
from strategy_rows import ROWS
from texts import LAW, WHITE_SPACE, boundaries_of, chunked_texts

STRATEGIES = pytest.mark.parametrize("name", sorted(ROWS))
WITH_OVERLAP = pytest.mark.parametrize("name", sorted(name for name, row in ROWS.items() if row.overlaps))


def is_blank(text: str) -> bool:
    return all(character in WHITE_SPACE for character in text)


def word_cuts(text: str) -> list[int]:
    """List every word cut; the segmenter has laws of its own."""
    return [0, *cuts_of(Words(), text)]


def part_starts(case: Case) -> set[int]:
    """Give where parts begin, which repeat nothing of what is before: sections, and what `test_semantic` looks at."""
    if case.row.parted == "drift":
        return {chunk.start for chunk in case.chunks()}
    reading = case.reading
    return {*reading.outline.run_starts, *(offset for offset, _ in reading.closings())} if case.row.parted else set()


def test_every_strategy_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy that is built in or installed but not tried here has no laws; Docling's is tried where it is."""
    monkeypatch.setattr(registry, "_registered", {})  # examples in docstrings may have registered some
    assert {info.name for info in spanwise.strategies()} == {*ROWS, "docling"}


@STRATEGIES
@LAW
@given(data=st.data())
def test_a_chunk_is_its_slice_of_the_document(name: str, data: st.DataObject) -> None:
    """P1: `chunk.text == document.text[chunk.start:chunk.end]`."""
    case = data.draw(cases(name))
    for chunk in case.chunks():
        assert chunk.text == case.text[chunk.start : chunk.end]


@STRATEGIES
@LAW
@given(data=st.data())
def test_no_chunk_is_over_its_budget(name: str, data: st.DataObject) -> None:
    """P2: the text counted alone by the judge is what the chunk states, and within the budget."""
    case = data.draw(cases(name))
    for chunk in case.chunks():
        assert chunk.tokens == case.size_of(chunk.start, chunk.end)
        assert case.max_tokens is None or chunk.tokens <= case.max_tokens
        assert case.max_characters is None or len(chunk.text) <= case.max_characters


@STRATEGIES
@LAW
@given(data=st.data())
def test_chunks_tile_the_document(name: str, data: st.DataObject) -> None:
    """P3: where all white space is kept the chunks without what they repeat, joined, are the document."""
    case = data.draw(cases(name, trim=False, blank="keep", overflow="split"))
    chunks = case.chunks()
    assume(chunks)
    assert "".join(chunk.text[chunk.overlap :] for chunk in chunks) == case.text
    assert spanwise.reconstruct(chunks) == case.text


@STRATEGIES
@LAW
@given(data=st.data())
def test_only_white_space_is_left_out(name: str, data: st.DataObject) -> None:
    """P3: the document with the gaps filled differs from the document by white space alone."""
    case = data.draw(cases(name, overflow="split"))
    chunks = case.chunks()
    assume(chunks)
    made = spanwise.reconstruct(chunks, length=len(case.text), fill="\0")
    assert len(made) == len(case.text)
    for character, original in zip(made, case.text, strict=True):
        assert character == original or (character == "\0" and original in WHITE_SPACE)


@STRATEGIES
@LAW
@given(data=st.data())
def test_without_trim_only_whole_chunks_of_white_space_are_left_out(name: str, data: st.DataObject) -> None:
    """P3: keeping blanks only adds chunks whose new text is white space alone, and parts and sizes others as before."""
    case = data.draw(cases(name, trim=False, overflow="split", overlap=False))
    kept = case._replace(blank="keep").chunks()
    dropped = case._replace(blank="drop").chunks()
    if case.row.own_overlap:
        expected = [chunk for chunk in kept if not is_blank(chunk.text[chunk.overlap :])]
        assert [(chunk.start, chunk.end) for chunk in dropped] == [(chunk.start, chunk.end) for chunk in expected]
    else:
        expected = [chunk for chunk in kept if not is_blank(chunk.text)]
        assert [chunk.text for chunk in dropped] == [chunk.text for chunk in expected]


@STRATEGIES
@LAW
@given(data=st.data())
def test_chunks_are_in_order(name: str, data: st.DataObject) -> None:
    """P4: no chunk is empty, starts and ends strictly increase, places count from 0."""
    case = data.draw(cases(name))
    chunks = case.chunks()
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert all(chunk.text for chunk in chunks)
    assert all(left.start < right.start and left.end < right.end for left, right in pairwise(chunks))


@STRATEGIES
@LAW
@given(data=st.data())
def test_a_blank_document_has_no_chunks_unless_blanks_are_kept(name: str, data: st.DataObject) -> None:
    """P4: the empty document gives `[]`, and so does the blank one unless blank="keep"."""
    blanks = st.text(st.sampled_from(sorted(WHITE_SPACE)), max_size=30)
    case = data.draw(cases(name, texts=blanks, trim=False, overflow="split"))
    chunks = case.chunks()
    if case.text and case.blank == "keep":
        fits = all(case.fits(offset, offset + 1) for offset in range(len(case.text)))
        assert bool(chunks) is fits
    else:
        assert chunks == []


@STRATEGIES
@LAW
@given(data=st.data())
def test_no_cut_is_inside_a_character(name: str, data: st.DataObject) -> None:
    """P5: both ends are cluster boundaries of the whole text, unless the cluster alone is over the budget."""
    case = data.draw(cases(name))
    boundaries = boundaries_of(case.text)
    for chunk in case.chunks():
        for offset in (chunk.start, chunk.end):
            place = bisect_left(boundaries, offset)
            if boundaries[place] != offset:
                assert not case.fits(boundaries[place - 1], boundaries[place])


@STRATEGIES
@LAW
@given(data=st.data())
def test_no_more_is_repeated_than_was_asked(name: str, data: st.DataObject) -> None:
    """P6: the repeated text counted alone is at most what was asked, and `chunk.overlap` says how long it is."""
    case = data.draw(cases(name))
    chunks = case.chunks()
    assert not chunks or chunks[0].overlap == 0
    for before, chunk in pairwise(chunks):
        shared = max(0, before.end - chunk.start)
        assert chunk.overlap == shared
        assert not shared or case.row.own_overlap or case.asked(chunk.start, before.end)


@WITH_OVERLAP
@LAW
@given(data=st.data())
def test_something_is_repeated_wherever_it_can_be(name: str, data: st.DataObject) -> None:
    """P6: there is overlap where the last cluster before is at most what was asked and fits with the new text."""
    case = data.draw(cases(name, overlap=True))
    assume(case.overlap_tokens or case.overlap_characters)
    boundaries = boundaries_of(case.text)
    parted = part_starts(case)
    for before, chunk in pairwise(case.chunks()):
        place = bisect_left(boundaries, before.end)
        whole = boundaries[place] == before.end
        if chunk.start == before.end and chunk.start not in parted and whole and boundaries[place - 1] > before.start:
            last = boundaries[place - 1]
            assert not (case.asked(last, before.end) and case.fits(last, chunk.end))


@WITH_OVERLAP
@LAW
@given(data=st.data())
def test_white_space_alone_is_repeated_only_where_nothing_more_can_be(name: str, data: st.DataObject) -> None:
    """P6: a repeated text is not white space alone where the last visible cluster could be repeated with it."""
    case = data.draw(cases(name, overlap=True))
    assume(case.overlap_tokens or case.overlap_characters)
    boundaries = boundaries_of(case.text)
    for before, chunk in pairwise(case.chunks()):
        if chunk.overlap and is_blank(chunk.text[: chunk.overlap]):
            ink = chunk.start
            while ink > before.start and case.text[ink - 1] in WHITE_SPACE:
                ink -= 1
            ink = boundaries[bisect_left(boundaries, ink) - 1] if ink > before.start else ink
            assert ink <= before.start or not (case.asked(ink, before.end) and case.fits(ink, chunk.end))


@STRATEGIES
@LAW
@given(data=st.data())
def test_a_word_is_cut_only_where_it_is_over_the_budget(name: str, data: st.DataObject) -> None:
    """P6 and P7: a cut inside a word means that the rest of the word alone is over the budget, whatever is repeated."""
    case = data.draw(cases(name))
    cuts, parted = word_cuts(case.text), case.structural_starts
    covered = 0
    for chunk in case.chunks() if case.row.cuts_words_last else []:
        place = bisect_left(cuts, chunk.end)
        trimmed = case.trim and is_blank(case.text[chunk.end : cuts[place]])
        if cuts[place] != chunk.end and chunk.end not in parted and not trimmed:
            fresh = chunk.start + chunk.overlap
            assert not case.refuses or case.text[cuts[place - 1]] in WHITE_SPACE  # which begins no word
            begin = max(fresh, case.reading.outline.text_from(fresh))  # a heading stays with what follows
            assert is_blank(case.text[begin : max(begin, cuts[place - 1])])
            assert not case.fits(max(covered, cuts[place - 1]), cuts[place])
        covered = chunk.end


@STRATEGIES
@LAW
@given(data=st.data())
def test_what_is_refused_cannot_be_chunked(name: str, data: st.DataObject) -> None:
    """P7: a refused word holds no cut and is over the budget; a refused budget is one that a code point exceeds."""
    case = data.draw(cases(name))
    _, error = case.tried()
    assert not isinstance(error, spanwise.BudgetError) or not all(
        case.fits(offset, offset + 1) for offset in range(len(case.text))
    )
    if isinstance(error, spanwise.ChunkingError):
        assert case.refuses
        assert error.document_id == "laws"
        assert not case.fits(error.start, error.end)
        cuts = word_cuts(case.text)
        assert bisect_right(cuts, error.start) == bisect_left(cuts, error.end)
        assert f"{error.start}:{error.end}" in str(error)


@STRATEGIES
@LAW
@given(data=st.data())
def test_nothing_is_refused_that_fits(name: str, data: st.DataObject) -> None:
    """P7: a text whose every word fits alone is chunked, and with SPLIT any text whose every code point fits."""
    case = data.draw(cases(name))
    if case.refuses:
        assume(all(case.fits(start, end) for start, end in pairwise(word_cuts(case.text))))
    assume(all(case.fits(offset, offset + 1) for offset in range(len(case.text))))
    case.chunker().chunk(case.text)


@STRATEGIES
@LAW
@given(data=st.data())
def test_what_was_chunked_before_changes_nothing(name: str, data: st.DataObject) -> None:
    """P8: a chunker that has chunked another text gives the same chunks as a new one."""
    case = data.draw(cases(name, overflow="split"))
    other = data.draw(chunked_texts())
    fresh = case.chunks()
    used = case.chunker()
    assume(fresh)
    try:
        used.chunk(other)
    except spanwise.BudgetError:
        assume(False)  # noqa: FBT003  Hypothesis's own signature
    assert used.chunk(spanwise.Document(id="laws", text=case.text)) == fresh


_IN_PROCESS = """
import json, sys
import spanwise
for line in sys.stdin:
    name, text = json.loads(line)
    chunker = spanwise.Chunker(name, max_tokens=12, overflow="split")
    chunks = chunker.chunk(text)
    print(json.dumps([(chunk.id, chunk.start, chunk.end, chunk.tokens, chunk.section, chunk.spec) for chunk in chunks]))
"""
_TEXT = (
    "# Títle\n\nThe cat sat. 中文字符很多。 Why?\n\n- one\n- two\n\n## Next\n\n"
    + "Dr. Smith paid 3.14 on the way home. " * 9
)


@pytest.mark.parametrize("seed", ["1", "77"])
def test_another_process_gives_the_same_answer(seed: str) -> None:
    """P8: spans, ids and specs are the same in a fresh process with another hash seed."""
    given_lines = "\n".join(json.dumps([name, _TEXT]) for name in sorted(ROWS))
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", _IN_PROCESS],
        input=given_lines,
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    for name, line in zip(sorted(ROWS), done.stdout.splitlines(), strict=True):
        chunks = spanwise.Chunker(name, max_tokens=12, overflow="split").chunk(_TEXT)
        own = [[chunk.id, chunk.start, chunk.end, chunk.tokens, list(chunk.section), chunk.spec] for chunk in chunks]
        assert json.loads(line) == own


def digest(document_id: str, text: str, occurrence: int) -> str:
    """Make an id as the documentation says, with hashlib alone."""
    fields = [
        b"spanwise-chunk-id-1",
        document_id.encode(),
        b"0",
        str(occurrence).encode(),
        text.encode("utf-8", "surrogatepass"),
    ]
    return hashlib.sha256(b"".join(len(field).to_bytes(8, "big") + field for field in fields)).hexdigest()[:32]


@STRATEGIES
@LAW
@given(data=st.data())
def test_an_id_comes_from_the_text_and_its_occurrence_alone(name: str, data: st.DataObject) -> None:
    """P9: ids are hashes of document id, text and occurrence; no two chunks of a document share one."""
    case = data.draw(cases(name))
    chunks = case.chunks()
    seen: dict[str, int] = {}
    for chunk in chunks:
        occurrence = seen.get(chunk.text, 0)
        seen[chunk.text] = occurrence + 1
        assert chunk.id == digest("laws", chunk.text, occurrence)
    assert len({chunk.id for chunk in chunks}) == len(chunks)


@STRATEGIES
@LAW
@given(data=st.data())
def test_editing_one_place_leaves_ids_of_unchanged_texts_alone(name: str, data: st.DataObject) -> None:
    """P9: after an edit, a chunk whose text occurs as often before as it did keeps its id."""
    case = data.draw(cases(name, overflow="split"))
    edited = case._replace(text=case.text + "\n\n" + data.draw(chunked_texts(most=4)))
    before = {(chunk.text, chunk.id) for chunk in case.chunks()}
    counted: dict[str, int] = {}
    for chunk in edited.chunks():
        counted[chunk.text] = counted.get(chunk.text, 0) + 1
    after = {(chunk.text, chunk.id) for chunk in edited.chunks()}
    for text, identity in before:
        often = sum(1 for other, _ in before if other == text)
        if counted.get(text, 0) >= often:
            assert (text, identity) in after


@STRATEGIES
@LAW
@given(data=st.data())
def test_verify_agrees(name: str, data: st.DataObject) -> None:
    """All: the chunker's own verification finds nothing in its own chunks."""
    case = data.draw(cases(name))
    chunks = case.chunks()
    assume(chunks or not case.text)
    assert case.chunker().verify(spanwise.Document(id="laws", text=case.text), chunks) == []


@STRATEGIES
@LAW
@given(data=st.data())
def test_lines_are_those_an_editor_shows(name: str, data: st.DataObject) -> None:
    """LF, CR LF and CR end a line; a chunk states the lines of its first and its last character."""
    case = data.draw(cases(name))
    ends = [match.end() for match in re.finditer(r"\r\n|\r|\n", case.text)]
    for chunk in case.chunks():
        assert chunk.lines == (1 + bisect_right(ends, chunk.start), 1 + bisect_right(ends, chunk.end - 1))


@pytest.mark.parametrize("text", [".À.À", "fin.Être là.Étant", "\ufeff。\ufeff。"])
@pytest.mark.parametrize("name", ["sentences", "structural", "sections", "sentence-window"])
def test_no_sentence_ends_inside_a_word(name: str, text: str) -> None:
    """P7: UAX 29 joins letters across a full stop and format characters to what is before; a cut there cuts a word."""
    cuts = set(word_cuts(text))
    for size in range(5, 9):
        chunker = spanwise.Chunker(name, max_tokens=size)
        assert {chunk.end for chunk in chunker.chunk(text)} <= cuts
