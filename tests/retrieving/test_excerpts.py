"""What is read in the end: exact stretches of the document, nothing said twice, nothing joined that does not touch."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import spanwise
from strategy_rows import ROWS
from texts import LAW, WHITE_SPACE, chunked_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.chunks import Chunk

STRATEGIES = sorted(ROWS)


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Load what strategies import late before texts are drawn: some of it touches `random`, which is watched there."""
    for row in ROWS.values():
        spanwise.chunk("One. Two. Three. Four.", row.samples[0])


@st.composite
def retrieved(draw: st.DrawFn) -> tuple[dict[str, spanwise.Document], list[Chunk]]:
    """Draw some chunks of one or two documents in any order, with overlap or of two sizes, some of them twice."""
    documents, chunks = {}, []
    for name in draw(st.sampled_from(["a", "ab"])):
        documents[name] = document = spanwise.Document(id=name, text=draw(chunked_texts()))
        for size in draw(st.lists(st.integers(4, 60), min_size=1, max_size=2)):
            strategy = draw(st.sampled_from(STRATEGIES))
            chunker = spanwise.Chunker(
                ROWS[strategy].samples[0],
                max_characters=size,
                overlap_characters=draw(st.integers(0, size - 1)) if ROWS[strategy].overlaps else 0,
                overflow="split",
                trim=draw(st.booleans()),
            )
            chunks += chunker.chunk(document)
    assume(chunks)
    return documents, draw(st.lists(st.sampled_from(chunks), min_size=1, max_size=30))


def covered(document_id: str, pieces: Sequence[Chunk | spanwise.Excerpt]) -> set[int]:
    return {offset for piece in pieces if piece.document_id == document_id for offset in range(piece.start, piece.end)}


@LAW
@given(found=retrieved(), known=st.booleans())
def test_excerpts_say_once_what_the_chunks_say(
    found: tuple[dict[str, spanwise.Document], list[Chunk]],
    known: bool,  # noqa: FBT001  drawn by Hypothesis
) -> None:
    """Each is a slice of its document; together they cover what the chunks cover, and white space between them."""
    documents, chunks = found
    excerpts = spanwise.merge_runs(chunks, documents.values() if known else ())
    for excerpt in excerpts:
        text = documents[excerpt.document_id].text
        assert excerpt.text == text[excerpt.start : excerpt.end]
        of_document = [chunk for chunk in chunks if chunk.document_id == excerpt.document_id]
        inside = [chunk for chunk in of_document if excerpt.start <= chunk.start < excerpt.end]
        assert set(excerpt.chunk_ids) == {chunk.id for chunk in inside}
        first = min(inside, key=lambda chunk: (chunk.start, -chunk.end))
        assert excerpt.section == first.section
        assert excerpt.lines == (first.lines[0], max(chunk.lines[1] for chunk in inside))
    for name, document in documents.items():
        wanted, got = covered(name, chunks), covered(name, excerpts)
        assert sum(excerpt.end - excerpt.start for excerpt in excerpts if excerpt.document_id == name) == len(got)
        assert wanted <= got
        assert known or wanted == got
        assert {document.text[offset] for offset in got - wanted} <= WHITE_SPACE


@LAW
@given(found=retrieved(), known=st.booleans())
def test_excerpts_are_in_order_and_do_not_touch(
    found: tuple[dict[str, spanwise.Document], list[Chunk]],
    known: bool,  # noqa: FBT001  drawn by Hypothesis
) -> None:
    """By document as they first appear, then by offset; between two there is text that no chunk holds."""
    documents, chunks = found
    excerpts = spanwise.merge_runs(chunks, documents.values() if known else ())
    appear = list(dict.fromkeys(chunk.document_id for chunk in chunks))
    places = [(appear.index(excerpt.document_id), excerpt.start) for excerpt in excerpts]
    assert places == sorted(places)
    for before, excerpt in pairwise(excerpts):
        if before.document_id == excerpt.document_id:
            between = documents[excerpt.document_id].text[before.end : excerpt.start]
            assert between
            assert not known or not set(between) <= WHITE_SPACE


@LAW
@given(found=retrieved(), data=st.data())
def test_the_order_of_the_chunks_changes_no_excerpt(
    found: tuple[dict[str, spanwise.Document], list[Chunk]], data: st.DataObject
) -> None:
    """It only says which document is first; a chunk that is given twice is said once."""
    _, chunks = found
    other = data.draw(st.permutations(chunks + chunks[:3]))
    assert sorted(spanwise.merge_runs(other), key=repr) == sorted(spanwise.merge_runs(chunks), key=repr)


@LAW
@given(text=chunked_texts(), size=st.integers(4, 40), overlap=st.integers(0, 3))
def test_all_chunks_of_a_document_are_the_document(text: str, size: int, overlap: int) -> None:
    """Where nothing is left out; with white space left out, where the document is given."""
    kept = spanwise.chunk(
        text, "words", max_characters=size, overlap_characters=overlap, overflow="split", blank="keep"
    )
    assert [excerpt.text for excerpt in spanwise.merge_runs(kept, text)] == ([text] if text else [])
    dropped = spanwise.chunk(text, "words", max_characters=size, overflow="split", trim=True)
    whole = [text[dropped[0].start : dropped[-1].end]] if dropped else []
    assert [excerpt.text for excerpt in spanwise.merge_runs(dropped, text)] == whole


def chunks_of(text: str, name: str = "") -> list[Chunk]:
    return spanwise.chunk(spanwise.Document(id=name, text=text), "sentences", max_tokens=6, trim=True)


TEXT = "It moves water. It has one motor.\n\nIt hums. It is blue."


def test_white_space_between_chunks_is_joined_over_where_the_document_is_given() -> None:
    """Chunks that were trimmed touch only in the document."""
    chunks = chunks_of(TEXT)
    assert [excerpt.text for excerpt in spanwise.merge_runs(chunks)] == [chunk.text for chunk in chunks]
    (excerpt,) = spanwise.merge_runs(chunks, TEXT)
    assert excerpt == spanwise.Excerpt(
        text=TEXT, start=0, end=len(TEXT), chunk_ids=tuple(chunk.id for chunk in chunks), lines=(1, 3)
    )


def test_a_small_chunk_inside_a_large_one_adds_nothing() -> None:
    """Levels may be mixed; the ids of both are there."""
    small, large = spanwise.chunk_levels(TEXT, "sentences", max_tokens=(6, 40))
    (excerpt,) = spanwise.merge_runs([small[1], *large, small[0]])
    assert excerpt.text == TEXT
    assert excerpt.chunk_ids == (large[0].id, small[0].id, small[1].id)


def test_documents_come_in_the_order_in_which_they_are_found() -> None:
    """The best one first, whatever its name."""
    pump, fan = chunks_of(TEXT, "pump"), chunks_of("It moves air.", "fan")
    excerpts = spanwise.merge_runs([pump[1], fan[0], pump[0]])
    assert [excerpt.document_id for excerpt in excerpts] == ["pump", "pump", "fan"]


def test_chunks_of_two_versions_of_a_text_are_not_mixed() -> None:
    """Rather than to give a text that never was."""
    old = spanwise.chunk("It moves water. It hums.", "sentences", max_tokens=16)
    new = spanwise.chunk("It heats water. It hums.", "sentences", max_tokens=16)
    with pytest.raises(
        spanwise.SpanError, match="document '' are not of the same text, they disagree about 0:24: give"
    ):
        spanwise.merge_runs([*old, *new])
    with pytest.raises(spanwise.SpanError, match="is no span of document ''"):
        spanwise.merge_runs(old, "It heats water. It hums.")
    with pytest.raises(spanwise.ConfigurationError, match="two texts are given for document ''"):
        spanwise.merge_runs(old, ["It moves water.", "It heats water."])


def named(text: str, name: str = "pump", max_tokens: int = 6) -> list[Chunk]:
    return spanwise.chunk(spanwise.Document(id=name, text=text), "sentences", max_tokens=max_tokens)


def test_chunks_of_bare_texts_are_joined_only_with_their_text() -> None:
    """Two bare texts look like one: what is joined of them may stand in neither."""
    text, other = "It moves water. It has one motor.", "It heats water. It hums."
    chunks, others = named(text, ""), named(other, "")
    assert (chunks[0].end, others[1].start) == (16, 16)
    for found in ([chunks[0], others[1]], chunks):
        with pytest.raises(
            spanwise.SpanError, match=r"chunks at 0:16 and 16:\d+ are of one text.* give the text too.* document an id"
        ):
            spanwise.merge_runs(found)
    with pytest.raises(
        spanwise.SpanError, match=r"chunk 1 at 16:24 .* is no span of document '': .* each document an id"
    ):
        spanwise.merge_runs([chunks[0], others[1]], text)
    assert [excerpt.text for excerpt in spanwise.merge_runs(chunks, text)] == [text]
    assert [excerpt.text for excerpt in spanwise.merge_runs(chunks[1:] + chunks[1:])] == ["It has one motor."]


@pytest.mark.parametrize(
    ("text", "other", "places", "message"),
    [
        ("It moves water. It hums.", "It moves air. It hums.", (0, 0), "disagree about 0:14"),
        ("It moves water. It hums.", "It is blue. It is loud.", (0, 1), "disagree about 12:16"),
        ("It moves.\nIt hums.", "It moves. It hums.", (0, 1), "begins in line 1 cannot follow what ends in line 1"),
        ("It moves. It hums.", "It moves much water. It hums.", (1, 1), "both are chunk 1"),
        ("It moves. It hums. It is blue.", "It moves water. It moves air.", (2, 1), "disagree about 19:29"),
        (
            "It moves. It hums. It is blue.",
            "International telecommunications. It hums.",
            (2, 1),
            "chunk 1 does not stand before chunk 2",
        ),
    ],
)
def test_what_proves_two_texts_is_refused(text: str, other: str, places: tuple[int, int], message: str) -> None:
    """Also where the documents have an id: two of its versions."""
    mixed = [named(text)[places[0]], named(other)[places[1]]]
    for found in (mixed, mixed[::-1]):
        with pytest.raises(spanwise.SpanError, match=f"of document 'pump' are not of the same text, .*{message}"):
            spanwise.merge_runs(found)


@LAW
@given(text=chunked_texts(), size=st.integers(4, 40), strategy=st.sampled_from(STRATEGIES), data=st.data())
def test_two_bare_texts_never_make_an_excerpt_that_stands_in_neither(
    text: str, size: int, strategy: str, data: st.DataObject
) -> None:
    """Either each excerpt is of one of them, or the mix is refused."""
    texts = [text, data.draw(chunked_texts() | st.just(text[::-1]))]
    chunker = spanwise.Chunker(ROWS[strategy].samples[0], max_characters=size, overflow="split")
    chunks = [chunk for of_one in texts for chunk in chunker.chunk(of_one)]
    assume(chunks)
    found = data.draw(st.lists(st.sampled_from(chunks), min_size=1, max_size=9))
    try:
        excerpts = spanwise.merge_runs(found)
    except spanwise.SpanError as error:
        assert "document an id" in str(error)  # noqa: PT017  a mix need not be found out where it does no harm
    else:
        for excerpt in excerpts:
            assert any(whole[excerpt.start : excerpt.end] == excerpt.text for whole in texts)


def test_chunks_are_taken_from_an_iterator_and_nothing_else_is_a_chunk() -> None:
    """The message says what stands where a chunk should."""
    chunks = named("It moves water. It hums.")
    assert spanwise.merge_runs(iter(chunks)) == spanwise.merge_runs(chunks)
    with pytest.raises(spanwise.ConfigurationError, match=r"chunks\[1\] must be a Chunk, got 'a'"):
        spanwise.merge_runs([chunks[0], "a"])  # type: ignore[list-item]
    with pytest.raises(spanwise.ConfigurationError, match="chunks must be chunks, got None"):
        spanwise.merge_runs(None)  # type: ignore[arg-type]
    with pytest.raises(spanwise.ConfigurationError, match="documents must be texts, got None"):
        spanwise.merge_runs(chunks, None)  # type: ignore[arg-type]


def test_an_excerpt_that_does_not_fit_its_text_cannot_be_made() -> None:
    """As a chunk."""
    with pytest.raises(spanwise.SpanError, match=r"the span 0:3 does not describe a text of 2 code points: 'ab'"):
        spanwise.Excerpt(text="ab", start=0, end=3)
    with pytest.raises(spanwise.SpanError, match="does not describe a text of 0 code points"):
        spanwise.Excerpt(text="", start=2, end=2)


def test_nothing_found_is_nothing_to_read() -> None:
    """No chunks, no excerpts."""
    assert spanwise.merge_runs([]) == []
