"""Nested sizes: every level keeps every promise, and each chunk lies inside exactly one of the next larger level."""

from __future__ import annotations

import importlib
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import spanwise
from law_cases import Case, cases
from oracles import DATA
from spanwise.packing.page import Piece
from spanwise.segmenting.graphemes import Graphemes
from spanwise.strategies.passages import AHEAD, PASSAGE
from strategy_rows import ROWS
from texts import LAW, docgen_documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from spanwise.chunks import Chunk
    from spanwise.packing.page import Page

_METHOD = importlib.import_module("spanwise.strategies.method")
NESTING = sorted(name for name, row in ROWS.items() if not row.own_overlap)
STRATEGIES = pytest.mark.parametrize("name", NESTING)
CONTEXTS: list[Literal["none", "section", "table", "both"]] = ["none", "none", "section", "table", "both"]


class Nesting(NamedTuple):
    """One text chunked at several sizes."""

    case: Case
    tokens: tuple[int, ...] | None
    characters: tuple[int, ...] | None
    context: Literal["none", "section", "table", "both"] = "none"

    def levels(self) -> tuple[list[Chunk], ...]:
        chunker = self.case.chunker()
        return spanwise.chunk_levels(
            self.case.document,
            self.case.strategy,
            max_tokens=self.tokens,
            max_characters=self.characters,
            counter=chunker.counter,
            overflow=self.case.overflow,
            trim=self.case.trim,
            blank=self.case.blank,
            structure=self.case.structure,
            context=self.context,
        )

    def tried(self) -> tuple[list[Chunk], ...]:
        """Chunk; a text that is refused is left to the law of refusal."""
        try:
            return self.levels()
        except (spanwise.ChunkingError, spanwise.BudgetError):
            assume(False)  # noqa: FBT003  Hypothesis's own signature
            raise

    def chunker_case(self, level: int) -> Case:
        """Give the case of one level alone."""
        return self.case._replace(
            max_tokens=self.tokens[level] if self.tokens else None,
            max_characters=self.characters[level] if self.characters else None,
        )

    def violations(self, levels: Sequence[list[Chunk]]) -> list[spanwise.Violation]:
        """Verify every level at its own size."""
        return [
            violation
            for level, chunks in enumerate(levels)
            for violation in spanwise.verify(
                self.case.document,
                chunks,
                max_tokens=self.tokens[level] if self.tokens else None,
                max_characters=self.characters[level] if self.characters else None,
                counter=self.case.chunker().counter,
                trim=self.case.trim,
                blank=self.case.blank,
                whole_words=self.case.refuses,
                word_ends=self.case.structural_starts,
                level=level,
            )
        ]


_SIZES = st.lists(
    st.one_of(st.integers(1, 12), st.integers(4, 40), st.integers(1, 512)), min_size=2, max_size=3, unique=True
).map(lambda sizes: tuple(sorted(sizes)))


@st.composite
def nestings(
    draw: st.DrawFn,
    name: str,
    *,
    trim: bool | None = None,
    blank: Literal["drop", "keep"] | None = None,
    overflow: str | None = None,
) -> Nesting:
    """Draw a case of one strategy, and sizes for its levels."""
    case = draw(cases(name, overlap=False, trim=trim, blank=blank, overflow=overflow))
    tokens = draw(_SIZES) if case.max_tokens else None
    characters = draw(_SIZES) if case.max_characters else None
    if tokens and characters:
        least = min(len(tokens), len(characters))
        tokens, characters = tokens[:least], characters[:least]
    return Nesting(case, tokens, characters, draw(st.sampled_from(CONTEXTS)))


def assert_nested(levels: Sequence[list[Chunk]]) -> None:
    """Each chunk lies inside exactly one of the next larger level, which its `parent_id` names."""
    for small, large in pairwise(levels):
        for chunk in small:
            holding = [other for other in large if other.start < chunk.end and chunk.start < other.end]
            assert [(other.id, other.start <= chunk.start, chunk.end <= other.end) for other in holding] == [
                (chunk.parent_id, True, True)
            ]
    assert all(chunk.parent_id is None for chunk in levels[-1])


def assert_parents(levels: Sequence[list[Chunk]]) -> None:
    """Say the same of levels that tile a long document, where every other larger chunk need not be looked at."""
    for small, large in pairwise(levels):
        by_id = {chunk.id: chunk for chunk in large}
        for chunk in small:
            parent = by_id[str(chunk.parent_id)]
            assert parent.start <= chunk.start
            assert chunk.end <= parent.end


@STRATEGIES
@LAW
@given(data=st.data(), passages=st.sampled_from([(12, 6), (40, 20), (PASSAGE, AHEAD)]))
def test_levels_are_nested_and_keep_every_promise(name: str, data: st.DataObject, passages: tuple[int, int]) -> None:
    """P1 to P7 and P9 at the size of each level, each chunk inside exactly one larger chunk, no id twice."""
    nesting = data.draw(nestings(name))
    with pytest.MonkeyPatch.context() as patch:  # passages so small that a text of a law has many of them
        patch.setattr(_METHOD, "PASSAGE", passages[0])
        patch.setattr(_METHOD, "AHEAD", passages[1])
        levels = nesting.tried()
        assert nesting.violations(levels) == []
    assert_nested(levels)
    assert len(levels) == len(nesting.tokens or nesting.characters or ())
    ids = [chunk.id for chunks in levels for chunk in chunks]
    assert len(set(ids)) == len(ids)


@STRATEGIES
@LAW
@given(data=st.data())
def test_every_level_is_the_document_again(name: str, data: st.DataObject) -> None:
    """P3 and P7: with white space kept and words split, what fits is never refused, and joined is the document."""
    nesting = data.draw(nestings(name, trim=False, blank="keep", overflow="split"))
    smallest = nesting.chunker_case(0)
    assume(all(smallest.fits(offset, offset + 1) for offset in range(len(nesting.case.text))))
    levels = nesting.levels()
    for chunks in levels:
        assert spanwise.reconstruct(chunks) == nesting.case.text
    if nesting.context == "none":
        alone = nesting.chunker_case(-1).chunks()
        assert [without_id(chunk) for chunk in levels[-1]] == [without_id(chunk) for chunk in alone]


def without_id(chunk: Chunk) -> Chunk:
    return msgspec.structs.replace(chunk, id="any")


def sample_of(document: str, strategy: str) -> Nesting:
    """Give a generated document at three sizes."""
    case = Case(
        text=docgen_documents()[document], name=strategy, strategy=ROWS[strategy].samples[0], counter="cl100k_base"
    )
    return Nesting(case._replace(max_tokens=16, overflow="split"), (16, 64, 256), None)


SHORT = sorted(name for name, text in docgen_documents().items() if len(text) < 20_000)


@pytest.mark.parametrize("strategy", ["structural", "sections"])
def test_levels_of_generated_documents_keep_every_promise(strategy: str) -> None:
    """Markdown, tables, code, chats, hard strings: a sample of every kind."""
    for document in SHORT[::8]:
        nesting = sample_of(document, strategy)
        levels = nesting.levels()
        assert nesting.violations(levels) == [], document
        assert_nested(levels)


@pytest.mark.slow
@pytest.mark.parametrize("document", sorted(docgen_documents()))
@pytest.mark.parametrize("strategy", NESTING)
def test_levels_of_every_generated_document_keep_every_promise(strategy: str, document: str) -> None:
    """All kinds, with every strategy, however long."""
    nesting = sample_of(document, strategy)
    levels = nesting.levels()
    assert nesting.violations(levels) == []
    assert_parents(levels)


@pytest.mark.slow
@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.stem)
@pytest.mark.parametrize("strategy", NESTING)
def test_levels_of_the_corpora_keep_every_promise(strategy: str, corpus: Path) -> None:
    """Real texts of up to three passages."""
    text = corpus.read_text(encoding="utf-8")
    case = Case(text=text, name=strategy, strategy=ROWS[strategy].samples[0], counter="cl100k_base", overflow="split")
    nesting = Nesting(case._replace(max_tokens=100), (100, 200, 400), None)
    levels = nesting.levels()
    assert nesting.violations(levels) == []
    assert_parents(levels)


def test_a_short_document_has_an_id_at_each_size() -> None:
    """So that an index can hold all three; 100, 200 and 400 tokens by default, and the spec says within what."""
    levels = spanwise.chunk_levels("It moves water.")
    assert [[chunk.text for chunk in chunks] for chunks in levels] == [["It moves water."]] * 3
    assert [levels[level][0].id for level in range(3)] == [
        spanwise.chunk_id("", "It moves water.", level=level) for level in range(3)
    ]
    assert [re.findall(r"max_tokens=(\d+)", chunks[0].spec) for chunks in levels] == [
        ["100", "200", "400"], ["200", "400"], ["400"],
    ]  # fmt: skip


@pytest.mark.parametrize("strategy", ["words", "characters", "structural"])
@pytest.mark.parametrize("passages", [(PASSAGE, AHEAD), (21, 6), (12, 6)])
def test_what_follows_a_character_that_larger_chunks_cut_is_whole(
    monkeypatch: pytest.MonkeyPatch, strategy: str, passages: tuple[int, int]
) -> None:
    """Flags are paired from the true end of the character before them, not from where the larger chunk begins."""
    monkeypatch.setattr(_METHOD, "PASSAGE", passages[0])
    monkeypatch.setattr(_METHOD, "AHEAD", passages[1])
    flags = "\U0001f1eb\U0001f1f7\U0001f1ef\U0001f1f5\U0001f1e9\U0001f1ea\U0001f1ee\U0001f1f9"
    for text in ("\u0600" * 6 + flags, "\u0600" * 20 + flags, ("\u0600" * 13 + flags + " word ") * 4):
        for sizes in ((2, 7), (2, 5, 7), (5, 7), (3, 8), (2, 12), (4, 9)):
            levels = spanwise.chunk_levels(text, strategy, max_characters=sizes, overflow="split", blank="keep")
            assert_nested(levels)
            for level, (chunks, size) in enumerate(zip(levels, sizes, strict=True)):
                assert spanwise.verify(text, chunks, max_characters=size, blank="keep", level=level) == [], sizes


def test_white_space_that_larger_chunks_leave_out_is_in_no_smaller_one() -> None:
    """A chunk of it alone would lie inside no larger chunk."""
    text = "One line.   \n\n   Another line.   "
    large = spanwise.Chunker("sentences", max_tokens=5, trim=True).chunk(text)
    small = spanwise.Chunker("words", max_tokens=2, blank="keep").chunk_within(text, large)
    assert "".join(chunk.text for chunk in small) == "One line.Another line."
    assert_nested([small, large])


def test_a_blank_document_has_empty_levels() -> None:
    """There is nothing to find in it."""
    assert spanwise.chunk_levels(" \n ") == ([], [], [])
    assert spanwise.chunk_levels("") == ([], [], [])


def test_parents_are_found_at_every_size_of_characters() -> None:
    """Characters and tokens can be asked for together."""
    text = "It moves water. It has one motor. It hums. It is blue."
    levels = spanwise.chunk_levels(text, "sentences", max_tokens=(20, 40), max_characters=(18, 36))
    assert [[chunk.text for chunk in chunks] for chunks in levels] == [
        ["It moves water. ", "It has one motor. ", "It hums. ", "It is blue."],
        ["It moves water. It has one motor. ", "It hums. It is blue."],
    ]


@pytest.mark.parametrize(
    ("sizes", "kind", "message"),
    [
        ((200, 100), spanwise.BudgetError, r"max_tokens=\(200, 100\) does not ascend: 100 follows 200"),
        ((100, 100), spanwise.BudgetError, r"max_tokens=\(100, 100\) does not ascend"),
        ((0, 100), spanwise.BudgetError, r"max_tokens=0 is less than 1"),
        ((100,), spanwise.ConfigurationError, r"max_tokens=\(100,\) is no nesting: give at least two sizes"),
        (100, spanwise.ConfigurationError, r"max_tokens must be sizes such as \(100, 200, 400\).*got 100"),
        ((1.5, 2), spanwise.ConfigurationError, r"max_tokens must be sizes .* got \(1\.5, 2\)"),
        ("12", spanwise.ConfigurationError, r"max_tokens must be sizes .* got '12'"),
        (range(5, 6), spanwise.ConfigurationError, r"max_tokens=\(5,\) is no nesting"),
        (np.array([1.5, 2]), spanwise.ConfigurationError, r"max_tokens must be sizes .* got array\(\[1.5, 2. \]\)"),
        (np.array([0, 2]), spanwise.BudgetError, r"max_tokens=0 is less than 1"),
    ],
)
def test_sizes_that_do_not_nest_are_refused(sizes: object, kind: type[Exception], message: str) -> None:
    """The message shows the sizes and what to give instead."""
    with pytest.raises(kind, match=message):
        spanwise.chunk_levels("It moves water.", max_tokens=sizes)  # type: ignore[arg-type]


@pytest.mark.parametrize("sizes", [range(5, 9, 3), np.array([5, 8]), [np.int64(5), np.uint8(8)], iter((5, 8))])
def test_sizes_come_in_a_range_or_an_array_too(sizes: Sequence[int]) -> None:
    """A range, an array, the numbers of NumPy; the spec says what Python's would."""
    text = "It moves water. It has one motor."
    assert spanwise.chunk_levels(text, max_tokens=sizes) == spanwise.chunk_levels(text, max_tokens=(5, 8))


def test_sizes_in_two_units_are_as_many() -> None:
    """One of each for every level."""
    with pytest.raises(spanwise.ConfigurationError, match="are not as many"):
        spanwise.chunk_levels("It moves water.", max_tokens=(1, 2), max_characters=(1, 2, 3))


def test_chunks_that_overlap_by_construction_have_no_levels() -> None:
    """A window that shares a sentence with the next one lies inside no single larger chunk."""
    with pytest.raises(spanwise.ConfigurationError, match="SentenceWindow that overlap cannot lie inside larger ones"):
        spanwise.chunk_levels("It moves water.", "sentence-window")
    with pytest.raises(spanwise.ConfigurationError, match="take overlap_tokens=0"):
        spanwise.Chunker("words", max_tokens=8, overlap_tokens=2).chunk_within("It moves water.", None)


def test_larger_chunks_are_of_the_document_and_cover_it() -> None:
    """Else no chunk would know its parent."""
    text = "It moves water. It has one motor."
    chunker = spanwise.Chunker("sentences", max_tokens=5)
    first, second = spanwise.Chunker("sentences", max_tokens=5).chunk(text)
    with pytest.raises(spanwise.SpanError, match="is no span of document 'pump'"):
        chunker.chunk_within(spanwise.Document(id="pump", text=text), [first, second])
    with pytest.raises(spanwise.SpanError, match="larger chunks must not overlap"):
        chunker.chunk_within(text, [first, first, second])
    with pytest.raises(spanwise.SpanError, match=r"nothing covers 16:33: 'It has one motor\.'"):
        chunker.chunk_within(text, [first])
    with pytest.raises(spanwise.SpanError, match=r"nothing covers 0:16: 'It moves water\. '"):
        chunker.chunk_within(text, [second])


class _OneByOne:
    """A strategy of a user whose packer does not know of regions."""

    def plan(self) -> spanwise.Plan:
        return spanwise.Plan(ladder=(Graphemes(),), packer=self)

    def pack(self, page: Page) -> Iterator[Piece]:
        for start in range(0, page.size, 4):
            end = min(start + 4, page.size)
            yield Piece(start, start, end, page.count(start, end))


def test_a_packer_that_packs_across_larger_chunks_is_found_out() -> None:
    """Rather than to give chunks that lie inside two larger ones."""
    large = spanwise.Chunker("characters", max_characters=6).chunk("abcdefgh")
    with pytest.raises(spanwise.ConfigurationError, match=r"4:8: the chunk crosses the end of the larger one at 0:6"):
        spanwise.Chunker(_OneByOne(), max_characters=4).chunk_within("abcdefgh", large)


def test_verify_knows_the_level_of_ids() -> None:
    """P9: an id of another level is none of this."""
    small, large = spanwise.chunk_levels("It moves water.", max_tokens=(8, 16))
    assert spanwise.verify("It moves water.", small, max_tokens=8) == []
    assert spanwise.verify("It moves water.", large, max_tokens=16, level=1) == []
    (violation,) = spanwise.verify("It moves water.", small, max_tokens=8, level=1)
    assert violation.promise == "P9"
    assert violation.message.endswith("is not that of occurrence 0 of its text in '' at level 1")
