"""What a vector store has to do so that it holds the new chunks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import spanwise
from spanwise import Chunk, Document, diff
from spanwise.corpus import chunk_of, json_line, read_chunks
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from pathlib import Path

CHUNKER = spanwise.Chunker("sentences", max_tokens=12)


def chunks_of(documents: dict[str, str]) -> list[Chunk]:
    return [chunk for name, text in documents.items() for chunk in CHUNKER.chunk(Document(id=name, text=text))]


DOCUMENTS = st.dictionaries(st.sampled_from("abc"), chunked_texts(most=8))


@LAW
@given(old=DOCUMENTS, new=DOCUMENTS)
def test_a_store_that_does_what_is_said_holds_the_new_chunks(old: dict[str, str], new: dict[str, str]) -> None:
    """Over many documents: delete, update and write, and what is there is what there should be."""
    try:
        before, after = chunks_of(old), chunks_of(new)
    except spanwise.ChunkingError:
        return
    difference = diff(before, after)
    store = {chunk.id: chunk.record() for chunk in before}
    for key in difference.deletes():
        del store[key]
    for record in difference.metadata_updates():
        assert store[str(record["id"])]["text"] == record["text"]
        store[str(record["id"])] = record
    for record in difference.upserts():
        store[str(record["id"])] = record
    assert store == {chunk.id: chunk.record() for chunk in after}
    kinds = (difference.kept, difference.changed, difference.moved, difference.added)
    assert sum(map(len, kinds)) == len(after)
    assert bool(difference) is (before != after)


def test_another_context_is_embedded_again() -> None:
    """The text is the same, what is indexed is not."""
    old = Chunk(text="Unplug first.", start=0, end=13, tokens=3, context="Pump\n\n")
    new = Chunk(text="Unplug first.", start=0, end=13, tokens=3, context="Pumps\n\n")
    assert diff([old], [new]).upserts() == [new.record()]
    assert (diff([old], [new]).deletes(), diff([old], [new]).metadata_updates()) == ([], [])


@pytest.mark.parametrize("change", [{"section": ("A",)}, {"lines": (2, 2)}, {"metadata": {"a": 1}}, {"page": 3}])
def test_another_place_is_not_embedded_again(change: dict[str, object]) -> None:
    """Section, lines, page and metadata are written alone."""
    old = Chunk(text="Unplug first.", start=0, end=13, tokens=3)
    new = chunk_of({**old.record(), **Chunk(text="Unplug first.", start=0, end=13, tokens=3, **change).record()})  # type: ignore[arg-type]
    assert (diff([old], [new]).moved, diff([old], [new]).upserts()) == ((new,), [])


def test_a_difference_is_shown_by_its_numbers() -> None:
    """Not by all its chunks."""
    old, new = chunks_of({"a": "It moves water."}), chunks_of({"a": "It moves water.", "b": "It has one motor."})
    assert repr(diff(old, new)) == "<Difference: 1 kept, 0 changed, 0 moved, 1 added, 0 removed>"


def test_an_id_that_occurs_twice_is_refused() -> None:
    """It would say nothing of which is meant."""
    chunk = Chunk(text="a", start=0, end=1, tokens=1, document_id="d")
    again = Chunk(text="a", start=2, end=3, tokens=1, document_id="d", index=1)
    with pytest.raises(spanwise.ConfigurationError, match="new: chunk 1 of document 'd' has the id"):
        diff([], [chunk, again])


@LAW
@given(text=chunked_texts())
@example(text="\U00010000\ud83d\ude00")
def test_chunks_that_were_written_and_read_are_the_same(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever the text and its headings: the records are, and `diff` says so."""
    chunker = spanwise.Chunker(max_tokens=20, overflow="split", context="section", structure="markdown")
    chunks = chunker.chunk(Document(id="d", text=text, metadata={"tags": ["a", "b"], "chunk_index": 7}))
    path = tmp_path_factory.mktemp("chunks") / "chunks.jsonl"
    path.write_bytes(b"".join(json_line(chunk.record()) for chunk in chunks))
    read = list(read_chunks(path))
    assert [chunk.record() for chunk in read] == [chunk.record() for chunk in chunks]
    assert not diff(chunks, read)
    assert spanwise.rechunk(read, Document(id="d", text=text), chunker).kept == len(chunks)


def test_halves_of_a_surrogate_pair_side_by_side_are_read_as_they_were(tmp_path: Path) -> None:
    """A whole one that another program has escaped is read as the character."""
    halves = Chunk(text="a\ud83d\ude00", start=0, end=3, tokens=3, document_id="d")
    whole = Chunk(text="a\U0001f600", start=3, end=5, tokens=2, document_id="d", index=1)
    path = tmp_path / "chunks.jsonl"
    path.write_bytes(json_line(halves.record()) + json.dumps(whole.record()).encode())
    assert [chunk.text for chunk in read_chunks(path)] == ["a\ud83d\ude00", "a\U0001f600"]
