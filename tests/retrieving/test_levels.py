"""Nested sizes: every level keeps every promise, and each chunk lies inside exactly one of the next larger level."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import spanwise
from law_cases import Case, cases
from strategy_rows import ROWS
from texts import LAW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.chunks import Chunk

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

    def chunker(self, level: int) -> spanwise.Chunker:
        """Give the chunker of one level alone."""
        return self.case._replace(
            max_tokens=self.tokens[level] if self.tokens else None,
            max_characters=self.characters[level] if self.characters else None,
        ).chunker()

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


@STRATEGIES
@LAW
@given(data=st.data())
def test_every_chunk_lies_inside_exactly_one_larger_chunk(name: str, data: st.DataObject) -> None:
    """Small inside middle inside large, and `parent_id` says inside which."""
    nesting = data.draw(nestings(name))
    levels = nesting.tried()
    assert_nested(levels)
    assert len(levels) == len(nesting.tokens or nesting.characters or ())


@STRATEGIES
@LAW
@given(data=st.data())
def test_every_level_keeps_every_promise(name: str, data: st.DataObject) -> None:
    """P1 to P7 and P9, each at the size of the level; what a larger chunk leaves out is left out inside it."""
    nesting = data.draw(nestings(name))
    assert nesting.violations(nesting.tried()) == []


@STRATEGIES
@LAW
@given(data=st.data())
def test_every_level_is_the_document_again(name: str, data: st.DataObject) -> None:
    """P3: where all white space is kept each level joined is the document."""
    nesting = data.draw(nestings(name, trim=False, blank="keep", overflow="split"))
    for chunks in nesting.tried():
        assert spanwise.reconstruct(chunks) == nesting.case.text


@STRATEGIES
@LAW
@given(data=st.data())
def test_the_largest_chunks_are_those_of_the_chunker(name: str, data: st.DataObject) -> None:
    """They differ from the chunks without levels by their ids alone."""
    nesting = data.draw(nestings(name))._replace(context="none")
    large = nesting.tried()[-1]
    alone = nesting.chunker(-1).chunk(nesting.case.document)
    assert [(chunk.start, chunk.end, chunk.tokens, chunk.section, chunk.lines) for chunk in large] == [
        (chunk.start, chunk.end, chunk.tokens, chunk.section, chunk.lines) for chunk in alone
    ]


@STRATEGIES
@LAW
@given(data=st.data())
def test_ids_of_all_levels_differ(name: str, data: st.DataObject) -> None:
    """P9: the place of the level is part of the id, also where a text is a chunk at every size."""
    nesting = data.draw(nestings(name, overflow="split"))
    ids = [chunk.id for chunks in nesting.tried() for chunk in chunks]
    assert len(set(ids)) == len(ids)


@STRATEGIES
@LAW
@given(data=st.data())
def test_what_fits_every_size_is_never_refused(name: str, data: st.DataObject) -> None:
    """P7: a text whose every code point is within the smallest size has levels, with words split if they must be."""
    nesting = data.draw(nestings(name, overflow="split"))
    smallest = nesting.case._replace(
        max_tokens=nesting.tokens[0] if nesting.tokens else None,
        max_characters=nesting.characters[0] if nesting.characters else None,
        trim=False,
    )
    assume(all(smallest.fits(offset, offset + 1) for offset in range(len(nesting.case.text))))
    assert nesting.levels()
