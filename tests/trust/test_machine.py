"""However a document is edited, every promise holds after every step, and unchanged text keeps its id.

`tests/laws/test_edits.py` tries one set of edits, or thirty in a row that are judged at the end. Here every step is
judged: insertions, deletions, moves, replacements, renamed headings and undone edits, each followed by chunking anew
or by `rechunk` from the chunks before or from those of any earlier version.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import spanwise
from oracles import EXAMPLES
from strategy_rows import ROWS
from texts import chunked_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FIRST = "# Pumps\n\nIt moves water. It has a motor.\n\n## Valves\n\n- one\n- two\n\nThe cat sat. The cat sat. 中文。\n"
PARAGRAPHS = (
    "It moves water. ",
    "\n\n## Seals\n\nThey wear out. ",
    "The cat sat. ",
    "\n- three\n",
    "\n\n| a | b |\n|---|---|\n",
)
QUICK = ("structural", "recursive")
NAMES = sorted(name for name, row in ROWS.items() if name != "docling" and not spanwise.Chunker(row.samples[0]).unkept)


class Editing(RuleBasedStateMachine):
    """One document, its chunks as they are now, and all that it was before."""

    strategy = "structural"

    @initialize(
        most=st.integers(4, 40), overlap=st.integers(0, 6), sample=st.integers(0, 6), text=chunked_texts(most=6)
    )
    def begin(self, most: int, overlap: int, sample: int, text: str) -> None:
        row = ROWS[self.strategy]
        self.chunker = spanwise.Chunker(
            row.samples[sample % len(row.samples)],
            max_tokens=most,
            overlap_tokens=min(overlap, most - 1) if row.overlaps else 0,
            overflow="split",
        )
        self.text = FIRST + text
        self.chunks: Sequence[spanwise.Chunk] = self.chunker.chunk(self.document)
        self.before: list[tuple[str, Sequence[spanwise.Chunk]]] = []
        self.kept_anew = True

    @property
    def document(self) -> spanwise.Document:
        return spanwise.Document(id="edited", text=self.text, media_type="text/markdown")

    def edited(self, text: str, *, from_version: int = 0) -> None:
        """Rechunk the edited text from the chunks before it, or from those of an earlier version."""
        versions = [(self.text, self.chunks), *reversed(self.before)]
        old = versions[from_version % len(versions)][1]
        self.before.append((self.text, self.chunks))
        self.text = text[:3_000]
        new = spanwise.rechunk(old, self.document, self.chunker)
        assert_ids_kept(old, new)
        difference = spanwise.diff(old, new)
        assert Counter(chunk.id for chunk in old) - Counter(chunk.id for chunk in difference.removed) == Counter(
            chunk.id for chunk in new
        ) - Counter(chunk.id for chunk in difference.added)
        self.chunks, self.kept_anew = new, False

    def place(self, share: float) -> int:
        return int(share * len(self.text))

    @rule(
        share=st.floats(0, 1),
        piece=st.one_of(st.sampled_from(PARAGRAPHS), chunked_texts(most=3)),
        back=st.integers(0, 3),
    )
    def insert(self, share: float, piece: str, back: int) -> None:
        place = self.place(share)
        self.edited(self.text[:place] + piece + self.text[place:], from_version=back)

    @rule(share=st.floats(0, 1), length=st.sampled_from([1, 5, 40, 400]))
    def delete(self, share: float, length: int) -> None:
        place = self.place(share)
        self.edited(self.text[:place] + self.text[place + length :])

    @rule(share=st.floats(0, 1), length=st.sampled_from([1, 5, 40]), piece=st.sampled_from(PARAGRAPHS))
    def replace(self, share: float, length: int, piece: str) -> None:
        place = self.place(share)
        self.edited(self.text[:place] + piece + self.text[place + length :])

    @rule(share=st.floats(0, 1), length=st.sampled_from([5, 40, 400]), to=st.floats(0, 1))
    def move(self, share: float, length: int, to: float) -> None:
        place = self.place(share)
        piece, rest = self.text[place : place + length], self.text[:place] + self.text[place + length :]
        target = int(to * len(rest))
        self.edited(rest[:target] + piece + rest[target:])

    @precondition(lambda self: any(line.startswith("#") for line in self.text.splitlines()))
    @rule(which=st.integers(0, 99), title=st.sampled_from(["Pumps", "Valves", "Motors and their parts", "🇩🇪", ""]))
    def rename_heading(self, which: int, title: str) -> None:
        lines = self.text.splitlines(keepends=True)
        headings = [at for at, line in enumerate(lines) if line.startswith("#")]
        at = headings[which % len(headings)]
        marks = len(lines[at]) - len(lines[at].lstrip("#"))
        lines[at] = f"{'#' * marks} {title}\n"
        self.edited("".join(lines))

    @precondition(lambda self: self.before)
    @rule()
    def undo(self) -> None:
        """The text of before, from the chunks of now: what is unchanged by both keeps its id through both."""
        text, chunks = self.before[-1]
        self.edited(text)
        assert_ids_kept(chunks, self.chunks)

    @rule()
    def rechunk_the_same(self) -> None:
        """Nothing is edited, so nothing is new."""
        again = spanwise.rechunk(self.chunks, self.document, self.chunker)
        assert list(again) == list(self.chunks)

    @rule()
    def chunk_anew(self) -> None:
        """A fresh run gives other boundaries at most, never another id to the same text."""
        fresh = self.chunker.chunk(self.document)
        assert_ids_kept(self.chunks, fresh)
        self.chunks, self.kept_anew = fresh, True

    @invariant()
    def every_promise_holds(self) -> None:
        """After each step, also that chunking again gives the same where the chunks are of a fresh run.

        Where the subject drifted, a kept chunk begins without overlap though it may drift elsewhere now.
        """
        kept_parts = ROWS[self.strategy].parted == "drift" and not self.kept_anew
        found = self.chunker.verify(self.document, self.chunks, again=self.kept_anew)
        assert [each for each in found if not (kept_parts and each.promise == "P6")] == []

    @invariant()
    def ids_are_told_apart(self) -> None:
        assert len({chunk.id for chunk in self.chunks}) == len(self.chunks)


def assert_ids_kept(old: Iterable[spanwise.Chunk], new: Iterable[spanwise.Chunk]) -> None:
    """A text that occurs as often as before or more often has all the ids that it had; else it loses some."""
    before, after = ids_by_text(old), ids_by_text(new)
    for text, ids in before.items():
        kept = after.get(text, [])
        assert set(kept) <= set(ids) or set(ids) <= set(kept)


def ids_by_text(chunks: Iterable[spanwise.Chunk]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for chunk in chunks:
        found.setdefault(chunk.text, []).append(chunk.id)
    return found


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
)
def test_every_step_of_editing_keeps_every_promise(name: str) -> None:
    """A few runs of fifteen steps; SPANWISE_EXAMPLES asks for more."""
    steps = settings(max_examples=max(EXAMPLES // 2, 1), stateful_step_count=15, deadline=None)
    run_state_machine_as_test(type("Editing", (Editing,), {"strategy": name}), settings=steps)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_long_editing_keeps_every_promise(name: str) -> None:
    """Forty runs of fifty steps."""
    steps = settings(max_examples=5 * EXAMPLES, stateful_step_count=50, deadline=None)
    run_state_machine_as_test(type("Editing", (Editing,), {"strategy": name}), settings=steps)
