"""Laws of rechunk: whatever is edited, the promises hold, and what is not touched stays."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import spanwise
from law_cases import Case, cases
from strategy_rows import ROWS
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

QUICK = {"structural", "sections", "sentences"}


def some(names: Iterable[str]) -> pytest.MarkDecorator:
    """Try each strategy: a few of them always, all in the long battery."""
    marked = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in sorted(names)]
    return pytest.mark.parametrize("name", marked)


STRATEGIES = some(ROWS)
KEEPING = some(name for name, row in ROWS.items() if not spanwise.Chunker(row.samples[0]).unkept)
WORDS = "the pump moves water when its motor runs and a valve opens before pressure rises again"
RANDOM = st.randoms(use_true_random=True)


@st.composite
def edited(draw: st.DrawFn, text: str, *, most: int = 4) -> str:
    """Insert, delete, replace or move something, some times over."""
    for _ in range(draw(st.integers(1, most))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + draw(st.sampled_from([0, 1, 5, 40, 400])))))
        kind = draw(st.sampled_from(["replace", "insert", "delete", "move", "repeat"]))
        piece, text = text[start:end], text if kind in {"insert", "repeat"} else text[:start] + text[end:]
        if kind in {"replace", "insert"}:
            piece = draw(chunked_texts(most=4))
        if kind != "delete":
            place = draw(st.integers(0, len(text))) if kind in {"move", "repeat"} else start
            text = text[:place] + piece + text[place:]
    return text


def rechunked(case: Case, old: list[spanwise.Chunk]) -> spanwise.Rechunked | None:
    """Rechunk; None where the new text is refused, which the laws of chunking look at."""
    try:
        return spanwise.rechunk(old, case.document, case.chunker())
    except (spanwise.ChunkingError, spanwise.BudgetError):
        return None


def violations(case: Case, chunks: spanwise.Rechunked) -> list[spanwise.Violation]:
    """Judge chunks by all that can be seen in them."""
    row = case.row
    return spanwise.verify(
        case.document,
        chunks,
        max_tokens=case.max_tokens,
        max_characters=case.max_characters,
        counter=case.chunker().counter,
        overlap_tokens=None if row.own_overlap else case.overlap_tokens,
        overlap_characters=None if row.own_overlap else case.overlap_characters,
        trim=case.trim,
        blank=case.blank,
        whole_words=case.refuses,
        apart=[chunk.start for chunk in chunks] if row.parted else (),
        word_ends=case.structural_starts | set(case.reading.outline.run_starts),
    )


def digest(document_id: str, text: str, occurrence: int) -> str:
    """Make an id as the documentation says, with hashlib alone."""
    fields = ("spanwise-chunk-id-1", document_id, "0", str(occurrence), text)
    encoded = [field.encode("utf-8", "surrogatepass") for field in fields]
    return hashlib.sha256(b"".join(len(field).to_bytes(8, "big") + field for field in encoded)).hexdigest()[:32]


@STRATEGIES
@LAW
@given(data=st.data())
def test_after_any_edits_every_promise_holds(name: str, data: st.DataObject) -> None:
    """P1 to P7 and P9: `verify` finds nothing, and sections and lines are those of the new document."""
    case = data.draw(cases(name))
    old = case.chunks()
    assume(old)
    case = case._replace(text=data.draw(edited(case.text)))
    new = rechunked(case, old)
    assume(new is not None)
    assert new is not None
    assert violations(case, new) == []
    seen: dict[str, int] = {}
    for place, chunk in enumerate(new):
        occurrence = seen.get(chunk.text, 0)
        seen[chunk.text] = occurrence + 1
        assert chunk.id == digest("laws", chunk.text, occurrence)
        assert chunk.index == place
    assert new.kept == len({chunk.id for chunk in old} & {chunk.id for chunk in new})


@STRATEGIES
@LAW
@given(data=st.data())
def test_an_unchanged_document_has_the_same_chunks(name: str, data: st.DataObject) -> None:
    """Nothing is touched where nothing was edited."""
    case = data.draw(cases(name))
    old = case.chunks()
    assume(old)
    new = spanwise.rechunk(old, case.document, case.chunker())
    assert new == old
    assert not spanwise.diff(old, new)


def prose(order: random.Random, sentences: int) -> list[str]:
    """Make sentences that all differ."""
    return [
        " ".join(order.choices(WORDS.split(), k=order.randint(4, 12))).capitalize() + f" {order.randint(0, 10**6)}. "
        for _ in range(sentences)
    ]


@KEEPING
@LAW
@given(order=RANDOM, sample=st.integers(0, 4), change=st.sampled_from(["insert", "delete", "replace"]))
def test_what_is_not_near_an_edit_stays(name: str, order: random.Random, sample: int, change: str) -> None:
    """All chunks stay but the one that is edited and two on each side, and what is new is little more than that.

    Those with `stable=True` are chunked anew, which needs no old chunks.
    """
    samples = [each for each in ROWS[name].samples if not getattr(each, "stable", False)]
    chunker = spanwise.Chunker(samples[sample % len(samples)], max_tokens=60, structure="plain", overflow="split")
    before = prose(order, 60)
    after = list(before)
    place = order.randrange(60)
    after[place : place + (change != "insert")] = prose(order, 1) if change != "delete" else []
    old = chunker.chunk("".join(before))
    new = spanwise.rechunk(old, "".join(after), chunker)
    start = len("".join(before[:place]))
    end = start + (len(before[place]) if change != "insert" else 0)
    first = sum(chunk.end <= start for chunk in old)
    last = sum(chunk.start >= end for chunk in old)
    texts = [chunk.text for chunk in new]
    assert texts[: max(first - 2, 0)] == [chunk.text for chunk in old[: max(first - 2, 0)]]
    assert last <= 2 or texts[2 - last :] == [chunk.text for chunk in old[2 - last :]]
    assert len(spanwise.diff(old, new).added) <= len(new) - max(first - 2, 0) - max(last - 2, 0)
    assert len(new) <= len(old) + 3


@KEEPING
@LAW
@given(data=st.data())
def test_what_is_said_of_a_chunk_is_what_a_fresh_run_says(name: str, data: st.DataObject) -> None:
    """Sections, lines, pages, sizes and what is visible of a chunk that a fresh run makes too."""
    case = data.draw(cases(name, overflow="split"))
    old = case.chunks()
    assume(old)
    case = case._replace(text=data.draw(edited(case.text)))
    new = rechunked(case, old)
    assume(new is not None)
    assert new is not None
    fresh = {(chunk.start, chunk.end, chunk.overlap): chunk for chunk in case.chunks()}
    for chunk in new:
        other = fresh.get((chunk.start, chunk.end, chunk.overlap))
        if other is not None:
            assert msgspec.structs.replace(chunk, index=0, id="x") == msgspec.structs.replace(other, index=0, id="x")


@KEEPING
@LAW
@given(data=st.data())
def test_a_moved_block_keeps_its_chunks(name: str, data: st.DataObject) -> None:
    """Chunks inside a block that was moved as it is stand where it is now."""
    order = data.draw(RANDOM)
    chunker = spanwise.Chunker(ROWS[name].samples[0], max_tokens=60, structure="plain", overflow="split")
    sentences = prose(order, 60)
    start, end = sorted(data.draw(st.tuples(st.integers(0, 60), st.integers(0, 60))))
    rest = sentences[:start] + sentences[end:]
    place = data.draw(st.integers(0, len(rest)))
    old = chunker.chunk("".join(sentences))
    new = spanwise.rechunk(old, "".join([*rest[:place], *sentences[start:end], *rest[place:]]), chunker)
    assert new.kept >= len(old) - 3 * 5


@pytest.mark.slow
@KEEPING
@LAW
@given(data=st.data())
def test_many_edits_keep_every_promise(name: str, data: st.DataObject) -> None:
    """Thirty in a row, each with the chunks of the one before."""
    case = data.draw(cases(name, overflow="split"))
    chunks = case.chunks()
    assume(chunks)
    order = data.draw(RANDOM)
    pieces = data.draw(st.lists(chunked_texts(most=3), min_size=3, max_size=3))
    new: list[spanwise.Chunk] | spanwise.Rechunked = chunks
    for _ in range(30):
        start = order.randint(0, len(case.text))
        end = min(len(case.text), start + order.choice([0, 1, 8]))
        case = case._replace(text=case.text[:start] + order.choice(["", *pieces]) + case.text[end:])
        try:
            new = spanwise.rechunk(new, case.document, case.chunker())
        except spanwise.BudgetError:
            assume(False)  # noqa: FBT003  Hypothesis's own signature
    assert isinstance(new, spanwise.Rechunked)
    assert violations(case, new) == []
