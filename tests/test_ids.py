"""Ids come from what a chunk is, by a rule that anyone can compute, and never change."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import DATA
from spanwise import Document, chunk_id
from texts import LAW

VECTORS: list[dict[str, Any]] = json.loads((DATA / "chunk_ids.json").read_text(encoding="utf-8"))
ANY = st.text(st.characters(), max_size=8)


def computed(document_id: str, text: str, occurrence: int, level: int) -> str:
    """The rule as it is documented, with nothing of the package."""
    fields = ("spanwise-chunk-id-1", document_id, str(level), str(occurrence), text)
    encoded = [field.encode("utf-8", "surrogatepass") for field in fields]
    return hashlib.sha256(b"".join(len(field).to_bytes(8, "big") + field for field in encoded)).hexdigest()[:32]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"][:8])
def test_published_ids_never_change(vector: dict[str, Any]) -> None:
    """Stores hold them: a change would orphan every chunk."""
    text = vector["text"] * vector["times"]
    made = chunk_id(vector["document_id"], text, occurrence=vector["occurrence"], level=vector["level"])
    assert made == vector["id"] == computed(vector["document_id"], text, vector["occurrence"], vector["level"])


def test_published_ids_differ() -> None:
    """Every field counts."""
    assert len({vector["id"] for vector in VECTORS}) == len(VECTORS)


@LAW
@given(document_id=ANY, text=ANY, occurrence=st.integers(0, 10**6), level=st.integers(0, 9))
def test_an_id_is_what_the_rule_says(document_id: str, text: str, occurrence: int, level: int) -> None:
    """For any text, lone surrogates among it."""
    assert chunk_id(document_id, text, occurrence=occurrence, level=level) == computed(
        document_id, text, occurrence, level
    )


@LAW
@given(first=st.tuples(ANY, ANY), second=st.tuples(ANY, ANY))
def test_text_cannot_pass_for_a_part_of_the_document_id(first: tuple[str, str], second: tuple[str, str]) -> None:
    """Fields are told apart by their lengths."""
    assert (chunk_id(*first) == chunk_id(*second)) is (first == second)


def test_repeats_are_numbered() -> None:
    """Each occurrence of a text in a document has an id of its own."""
    chunks = spanwise.chunk(Document(id="d", text="Again. " * 3), "sentences", max_tokens=3)
    assert [chunk.text for chunk in chunks] == ["Again. "] * 3
    assert [chunk.id for chunk in chunks] == [computed("d", "Again. ", occurrence, 0) for occurrence in range(3)]


def test_an_id_does_not_depend_on_place_or_choices() -> None:
    """The same text at another offset, by another strategy and budget, has the same id."""
    here = spanwise.chunk("One here. Two here.", "sentences", max_tokens=4)
    there = spanwise.chunk("Zero.\n\nOne here. Two here.", "words", max_characters=10)
    assert (
        {chunk.id for chunk in here if chunk.text == "Two here."}
        == {chunk.id for chunk in there if chunk.text == "Two here."}
        != set()
    )


def test_editing_a_paragraph_leaves_other_ids_alone() -> None:
    """Most of a document need not be embedded again."""
    text = "".join(
        f"## Part {part}\n\nIt says what part {part} does. It goes on for a while.\n\n" for part in range(30)
    )
    before = {chunk.id for chunk in spanwise.chunk(text, max_tokens=40)}
    edited = text.replace("what part 7 does", "at some length and in many words what part seven of the whole does")
    after = {chunk.id for chunk in spanwise.chunk(edited, max_tokens=40)}
    assert len(before - after) <= 2


def test_a_chunk_that_was_trimmed_has_the_id_of_its_text() -> None:
    """The id is made after the ends have moved."""
    (chunk,) = spanwise.chunk("  text  ", trim=True)
    assert (chunk.text, chunk.id) == ("text", computed("", "text", 0, 0))
