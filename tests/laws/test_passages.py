"""Long texts are packed passage by passage, at the size that is used; nothing is lost where one ends."""

from __future__ import annotations

import importlib
from typing import Protocol, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from spanwise.segmenting.reading import Reading
from spanwise.strategies.passages import AHEAD, PASSAGE, Pieces, _last, next_passage
from spanwise.structure import Structure, Unit
from texts import LAW, boundaries_of, chunked_texts

_RECORD = "2024-01-01 12:00:01 INFO a record of the log\n"
_TRACE = "    at some.module.function(file.py:123)\n"
_LINES = {
    "log": (_TRACE, _RECORD),
    "markdown": ("Some words of a paragraph without an end\n", "# Title\n\nText below.\n\n- an item\n"),
    "chat": ("it goes on and on, says he\n", "[10:02] Alice: Has anyone seen it?\n"),
    "csv": ('1,"two words",3\n', 'id,name,"a\nfield"\n'),
    "json_lines": ('{"a": [1, 2, 3]}\n', '{"b": {"c": "d"}}\n'),
    "subtitles": ("spoken words\n", "\n1\n00:00:01,000 --> 00:00:02,000\nSpoken.\n"),
    "plain": ("Words that go on without a stop and\n", "A paragraph.\n\nAnother one.\n"),
}


_SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "strategy",
    ["lines", "structural", *(pytest.param(name, marks=_SLOW) for name in ("words", "recursive", "sentence-window"))],
)
@pytest.mark.parametrize("structure", sorted(_LINES))
@pytest.mark.parametrize("before", [-40, 3_000, *(pytest.param(before, marks=_SLOW) for before in (-3_000, 40))])
def test_what_begins_near_the_end_of_a_passage_loses_nothing(strategy: str, structure: str, before: int) -> None:
    """A text that looks one way up to there, and another from there on; the first start may lie behind the place."""
    going_on, new = _LINES[structure]
    long = (going_on * (PASSAGE // len(going_on) + 200))[: PASSAGE + before]
    document = spanwise.Document(text=f"{long}\n{new * 200}")
    chunker = spanwise.Chunker(strategy, max_characters=3_000, structure=structure, overflow="split")
    assert chunker.verify(document, chunker.chunk(document)) == []


@LAW
@given(
    text=chunked_texts().filter(bool),
    starts=st.lists(st.integers(0, 400), max_size=6),
    place=st.integers(0, 400),
    least=st.integers(0, 400),
)
def test_a_passage_begins_between_the_one_before_and_what_was_packed(
    text: str, starts: list[int], place: int, least: int
) -> None:
    """Whatever the structure says, and whether or not it begins with something new."""
    boundaries = boundaries_of(text)
    place = max(offset for offset in boundaries if offset <= place)
    least = max(offset for offset in boundaries if offset <= min(least, place))
    strong = tuple(sorted({start for start in starts if 0 < start < len(text)}))
    for structure in (
        Structure(),
        Structure(blocks=tuple(sorted({0, *strong})), strong=strong, units=(Unit(0, len(text)),)),
    ):
        start, _ = next_passage(Reading(text, structure), place, least)
        assert least <= start <= place


class _Counted(str):
    """A piece that counts the characters that are copied out of it."""

    copied = 0
    __slots__ = ()

    def __getitem__(self, place: object) -> str:
        part = str.__getitem__(self, cast("slice", place))
        _Counted.copied += len(part)
        return part


def test_a_stream_of_one_large_piece_is_copied_about_once() -> None:
    """Not what is left of it again and again."""
    piece = _Counted("It moves water. It has one motor.\n\n" * 60_000)
    _Counted.copied = 0
    for _ in spanwise.Chunker("words", max_characters=4_000, structure="plain").stream([piece]):
        pass
    assert _Counted.copied < 1.2 * len(piece)


@LAW
@given(
    text=st.text(max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=8),
    asked=st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), max_size=6),
)
def test_pieces_give_what_the_whole_text_gives(text: str, cuts: list[int], asked: list[tuple[int, int]]) -> None:
    """Any slice, as long as the beginnings do not go back."""
    ends = sorted(min(cut, len(text)) for cut in cuts)
    source = Pieces(text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True))
    for start, size in sorted(asked):
        assert source.take(start, size) == text[start : start + size]


def test_a_piece_must_be_a_text() -> None:
    """Bytes would have to be decoded first, and only the caller knows how."""
    with pytest.raises(spanwise.ConfigurationError, match=r"pieces must be strings, got b'text'"):
        list(spanwise.Chunker().stream([b"text"]))  # type: ignore[list-item]


class _Cuttable(Protocol):
    PASSAGE: int
    AHEAD: int


@pytest.mark.parametrize(
    "text",
    [
        "\u0600\U0001f1eb\U0001f1f7\U0001f1ef\U0001f1f5",
        "\u0600\U0001f1eb\U0001f1f7\U0001f1ef\U0001f1f5\U0001f1e9\U0001f1ea x",
        "a" + "\u0301" * 40 + "\U0001f1ef\U0001f1f5\U0001f1e9\U0001f1ea",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f1ef\U0001f1f5\U0001f1e9\U0001f1ea word",
    ],
)
@pytest.mark.parametrize("strategy", ["words", "tokens", "characters", "structural", "recursive", "sentence-window"])
@pytest.mark.parametrize("passages", [(PASSAGE, AHEAD), (40, 20), (12, 6)])
def test_what_follows_a_cluster_that_was_cut_is_whole(
    monkeypatch: pytest.MonkeyPatch, text: str, strategy: str, passages: tuple[int, int]
) -> None:
    """Flags are paired from the true end of the cluster before them, not from where that had to be cut."""
    module = cast("_Cuttable", importlib.import_module("spanwise.strategies.method"))
    monkeypatch.setattr(module, "PASSAGE", passages[0])
    monkeypatch.setattr(module, "AHEAD", passages[1])
    for most in (4, 6, 7, 8, 12):
        chunker = spanwise.Chunker(strategy, max_tokens=most, overflow="split")
        for repeated in (text, text * 5):
            assert chunker.verify(repeated, chunker.chunk(repeated)) == [], most


def test_a_cluster_without_an_end_is_streamed_like_other_text() -> None:
    """Passages go on inside it, so that they need not grow."""
    sizes = []
    source = Pieces(["\u0301" * 65_536] * 16)
    take = source.take

    class Watching:
        def take(self, start: int, size: int) -> str:
            sizes.append(size)
            return take(start, size)

    chunker = spanwise.Chunker("words", max_characters=400, structure="plain", overflow="split")
    for _ in chunker._method.chunks(spanwise.Document(text=""), Watching()):
        pass
    assert max(sizes) <= PASSAGE + AHEAD + 1


def test_pieces_that_are_held_and_not_asked_for_are_not_given() -> None:
    """What was looked at ahead is kept for later."""
    source = Pieces(["a" * 70_000, "b" * 70_000])
    assert len(source.take(0, 100_000)) == 100_000
    assert source.take(0, 10) == "a" * 10


def test_a_passage_does_not_begin_inside_a_character() -> None:
    """The offset before it is taken, if one is near."""
    assert _last("a\u0301b", [0, 1], 0, 2) == 0
    assert _last("a\u0301b", [1], 0, 2) is None
