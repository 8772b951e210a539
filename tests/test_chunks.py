"""A chunk describes itself truly, cannot be changed, and the document can be made from its chunks again."""

from __future__ import annotations

import copy
import json
import pickle
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise import Chunk, ConfigurationError, SpanError, chunk, reconstruct
from texts import LAW, chunked_texts


def chunk_of(text: str, start: int = 0, document_id: str = "") -> Chunk:
    return Chunk(text=text, start=start, end=start + len(text), tokens=1, document_id=document_id)


@pytest.mark.parametrize(("start", "end"), [(0, 3), (0, 5), (4, 4), (5, 1), (-4, 0), (-1, 3)])
def test_a_chunk_that_is_not_its_span_cannot_be_made(start: int, end: int) -> None:
    """P1: neither too short, too long, empty, backwards, nor before the beginning."""
    with pytest.raises(SpanError, match=f"the span {start}:{end} does not describe a text of 4 code points: 'text'"):
        Chunk(text="text", start=start, end=end, tokens=1)


def test_an_empty_chunk_cannot_be_made() -> None:
    """P4: no chunk is empty."""
    with pytest.raises(SpanError, match="0 code points"):
        Chunk(text="", start=3, end=3, tokens=0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"text": b"text"}, "text must be a string, got b'text'"),
        ({"text": ["t", "e", "x", "t"]}, "text must be a string, got"),
        ({"start": "0"}, "start must be a whole number of code points, got '0'"),
        ({"end": "4"}, "end must be a whole number of code points, got '4'"),
        ({"start": 0.0, "end": 4.0}, "start must be a whole number of code points, got 0.0"),
        ({"end": 4.0}, "end must be a whole number of code points, got 4.0"),
        ({"start": None}, "start must be a whole number of code points, got None"),
    ],
)
def test_a_span_of_the_wrong_kind_cannot_be_made(wrong: dict[str, object], message: str) -> None:
    """Bytes would be sliced by bytes, and 0.0 is no place in a text."""
    with pytest.raises(SpanError, match=message):
        Chunk(**{"text": "text", "start": 0, "end": 4, "tokens": 1, **wrong})  # type: ignore[arg-type]


def test_the_message_names_the_document_and_shortens_the_text() -> None:
    """A long text is shown by its ends."""
    with pytest.raises(SpanError, match=r"xxxx….*\(document 'handbook'\)"):
        Chunk(text="x" * 500, start=0, end=1, tokens=1, document_id="handbook")


@pytest.mark.parametrize("field", ["text", "start", "tokens", "metadata", "id"])
def test_a_chunk_cannot_be_changed(field: str) -> None:
    """Neither its fields nor what hangs on them."""
    with pytest.raises(AttributeError):
        setattr(chunk_of("text"), field, None)


def test_metadata_of_a_chunk_is_frozen_at_every_depth() -> None:
    """A dict that was given and is changed later changes no chunk."""
    tags = ["a", "b"]
    chunk = Chunk(text="text", start=0, end=4, tokens=1, metadata={"tags": tags, "at": {"page": 3}})
    tags.append("c")
    assert chunk.metadata["tags"] == ("a", "b")
    with pytest.raises(TypeError):
        chunk.metadata["at"]["page"] = 4  # type: ignore[index]


def test_equal_chunks_are_equal_and_can_be_kept_in_sets() -> None:
    """They are values."""
    assert chunk_of("text") == chunk_of("text") != chunk_of("text", 1)
    assert len({chunk_of("text"), chunk_of("text")}) == 1


@pytest.mark.parametrize("text", ["text", "e\u0301 \ud800 \x00 😀", "\ufeff"])
def test_a_chunk_crosses_processes_unchanged(text: str) -> None:
    """Pickled or copied it is equal, lone surrogates among its text."""
    chunk = Chunk(text=text, start=2, end=2 + len(text), tokens=1, section=("A", "B"), metadata={"page": 3})
    assert pickle.loads(pickle.dumps(chunk)) == chunk  # noqa: S301  our own
    assert copy.deepcopy(chunk) == chunk


def test_a_chunk_without_an_id_gets_that_of_its_text() -> None:
    """The first occurrence of the text in its document."""
    assert chunk_of("text").id == chunk_of("text", 9).id != chunk_of("text", document_id="b").id


def test_a_record_is_flat_and_can_be_written_as_json() -> None:
    """The section is joined as `heading_path`; metadata stands beside the fields, under another name where it must."""
    metadata = {"source": "a.md", "tags": ["x"], "text": "taken", "nested": {"page": 1}}
    chunk = Chunk(text="text", start=0, end=4, tokens=1, index=7, section=("A", "B"), lines=(2, 3), metadata=metadata)
    record = json.loads(json.dumps(chunk.record()))
    assert record["heading_path"] == "A > B"
    assert (record["chunk_index"], record["first_line"], record["last_line"]) == (7, 2, 3)
    assert (record["source"], record["tags"], record["nested"]) == ("a.md", ["x"], {"page": 1})
    assert (record["text"], record["metadata_text"]) == ("text", "taken")


@pytest.mark.parametrize(
    "metadata",
    [{"metadata_text": 2, "text": 1}, {"text": 1, "metadata_text": 2}, {"text": 1, "metadata_metadata_text": 2}],
)
def test_a_record_loses_no_metadata_whatever_its_keys(metadata: dict[str, object]) -> None:
    """In either order, and the same names in both."""
    record = Chunk(text="text", start=0, end=4, tokens=1, metadata=metadata).record()
    added = {key: value for key, value in record.items() if key not in chunk_of("text").record()}
    first, second = ("metadata_text", "metadata_metadata_text")
    expected = {first: 2, second: 1} if "metadata_text" in metadata else {first: 1, second: 2}
    assert (record["text"], added) == ("text", expected)


def test_a_record_holds_what_a_reader_sees_only_where_that_is_not_the_text() -> None:
    """As `plain`, which a chunk of HTML has."""
    chunk = Chunk(text="<b>Stop</b>", start=0, end=11, tokens=5, visible="Stop")
    assert (chunk.plain, chunk.record()["plain"]) == ("Stop", "Stop")
    assert "plain" not in chunk_of("Stop").record()


def test_a_chunk_can_be_written_and_read_with_msgspec() -> None:
    """All fields are plain values."""
    chunk = chunk_of("text")
    assert msgspec.to_builtins(chunk, enc_hook=dict)["text"] == "text"


@LAW
@given(text=chunked_texts().filter(bool), data=st.data())
def test_any_cover_of_a_text_gives_the_text_again(text: str, data: st.DataObject) -> None:
    """`reconstruct` writes what chunks share once."""
    cuts = sorted({0, len(text), *data.draw(st.lists(st.integers(0, len(text)), max_size=6))})
    back = data.draw(st.integers(0, 3))
    starts = [0, *(max(left + 1, cut - back) for left, cut in pairwise(cuts[:-1]))]
    spans = list(zip(starts, cuts[1:], strict=True))
    chunks = [chunk_of(text[start:end], start) for start, end in spans]
    assert reconstruct(chunks) == text


def test_no_chunks_make_the_empty_text() -> None:
    """As the empty document has none."""
    assert reconstruct([]) == ""
    assert reconstruct([], length=3, fill=" ") == "   "


def test_a_gap_is_named() -> None:
    """The message says where and how to go on."""
    with pytest.raises(SpanError, match=r"nothing covers 4:6: .* give length= and fill="):
        reconstruct([chunk_of("text"), chunk_of("more", 6)])
    with pytest.raises(SpanError, match="nothing covers 0:6"):
        reconstruct([chunk_of("more", 6)])


def test_gaps_are_filled_where_length_and_fill_are_given() -> None:
    """At the beginning, in between and at the end."""
    chunks = [chunk_of("a", 1), chunk_of("b", 3)]
    assert reconstruct(chunks, length=6, fill=".") == ".a.b.."


@pytest.mark.parametrize(
    ("options", "message"),
    [({"fill": "ab"}, "one character, got 'ab'"), ({"length": 3}, "shorter than the chunks, which end at 4")],
)
def test_a_length_and_a_fill_must_make_sense(options: dict[str, str | int], message: str) -> None:
    """The message shows what was given."""
    with pytest.raises(ConfigurationError, match=message):
        reconstruct([chunk_of("text")], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        ([chunk_of("text"), chunk_of("more", 4), chunk_of("te", 1)], r"chunks out of order: 4:8, then 1:3"),
        ([chunk_of("text"), chunk_of("ex", 1)], r"chunks out of order: 0:4, then 1:3"),
        ([chunk_of("text"), chunk_of("xx more", 2)], r"chunks disagree about 2:4"),
        ([chunk_of("text"), chunk_of("more", 4, "b")], r"chunks of two documents: '' and 'b'"),
    ],
)
def test_chunks_that_do_not_belong_together_are_refused(chunks: list[Chunk], message: str) -> None:
    """Out of order, inside one another, of different texts, of several documents."""
    with pytest.raises(SpanError, match=message):
        reconstruct(chunks)


@pytest.mark.parametrize(("asked", "repeated"), [(5, "it "), (14, "Then it "), (30, "It goes on here. Then it ")])
def test_an_overlap_begins_at_a_sentence_else_at_a_word(asked: int, repeated: str) -> None:
    """At the first one within what was asked."""
    text = "It is one. It goes on here. Then it ends there now. And more of it."
    second = chunk(text, "words", max_characters=40, overlap_characters=asked)[1]
    assert second.text[: second.overlap] == repeated
