"""Do larger chunks and neighbours help to find small ones? Measured with BM25 on 472 questions.

    pip install ".[test]"
    python examples/levels_bm25.py                       # five documents and their questions, carried with the tests
    python examples/levels_bm25.py FOLDER chatlogs       # texts and questions.jsonl of your own, some of the texts

Every document is chunked at three nested sizes, each size has an index, and a question is put to all three. What is
retrieved are small chunks, the best first, until they have 1,000 tokens; recall is the share of the characters of a
question's reference excerpts that they cover.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import bm25s
import numpy as np

import spanwise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from spanwise import Chunk, Excerpt

CARRIED = Path(__file__).parent.parent / "tests" / "data" / "corpora"
RETRIEVED_TOKENS = 1_000


class Question(NamedTuple):
    """A question, the document that it is about, and where its answer stands there."""

    text: str
    document_id: str
    references: list[tuple[int, int]]


def read(folder: Path, names: Sequence[str] = ()) -> tuple[list[spanwise.Document], list[Question]]:
    """Read the texts of a folder, or some of them, and the questions about them."""
    texts = folder / "corpora" if (folder / "corpora").is_dir() else folder
    documents = [
        spanwise.Document.from_file(path, id=path.stem)
        for path in sorted(texts.glob("*.txt"))
        if not names or path.stem in names
    ]
    known = {document.id for document in documents}
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [
        Question(row["question"], row["corpus"], [(span["start"], span["end"]) for span in row["references"]])
        for row in map(json.loads, lines)
        if row["corpus"] in known
    ]
    return documents, questions


def chunk_all(documents: Sequence[spanwise.Document]) -> list[list[Chunk]]:
    """Chunk documents at 100, 200 and 400 tokens; the chunks of each size together, as in an index."""
    levels: list[list[Chunk]] = [[], [], []]
    for document in documents:
        for level, chunks in zip(levels, spanwise.chunk_levels(document, context="section"), strict=True):
            level.extend(chunks)
    return levels


def bm25_scores(chunks: Sequence[Chunk], questions: Sequence[Question]) -> NDArray[np.float64]:
    """Score every chunk for every question: a row for each question."""
    index = bm25s.BM25()
    index.index(bm25s.tokenize([chunk.index_text for chunk in chunks], show_progress=False), show_progress=False)
    asked = bm25s.tokenize([question.text for question in questions], return_ids=False, show_progress=False)
    return np.array([index.get_scores(words) for words in asked], dtype=np.float64)


def retrieved(scores: NDArray[np.float64], chunks: Sequence[Chunk]) -> Iterator[list[Excerpt]]:
    """Take the best chunks for each question while they have 1,000 tokens together, and join what touches."""
    for order in np.argsort(-scores, axis=1, kind="stable"):
        taken, tokens = [], 0
        for place in order:
            tokens += chunks[place].tokens
            if tokens > RETRIEVED_TOKENS:
                break
            taken.append(chunks[place])
        yield spanwise.merge_runs(taken)


def recall(question: Question, excerpts: Sequence[Excerpt]) -> float:
    """Give the share of the characters of a question's references that excerpts cover."""
    covered = sum(
        max(0, min(end, excerpt.end) - max(start, excerpt.start))
        for start, end in question.references
        for excerpt in excerpts
        if excerpt.document_id == question.document_id
    )
    return covered / sum(end - start for start, end in question.references)


def main(arguments: Sequence[str]) -> None:
    """Measure, and print one line for each way to score small chunks."""
    documents, questions = read(Path(arguments[0]) if arguments else CARRIED, arguments[1:])
    levels = chunk_all(documents)
    small = levels[0]
    scores = [bm25_scores(chunks, questions) for chunks in levels]
    fused = spanwise.fuse_levels(scores, levels)
    ways = {
        "small chunks alone": scores[0],
        "with neighbours": spanwise.fuse_neighbours(scores[0], small),
        "with larger chunks": fused,
        "with both": spanwise.fuse_neighbours(fused, small),
    }
    print(f"{len(questions)} questions about {len(documents)} documents, {len(small)} small chunks")
    print(f"{'':20} {'recall':>7} {'gain':>6} {'1st half':>9} {'2nd half':>9} {'excerpts':>9}")
    alone = None
    for name, of_way in ways.items():
        found = list(retrieved(of_way, small))
        recalls = 100 * np.array(
            [recall(question, excerpts) for question, excerpts in zip(questions, found, strict=True)]
        )
        alone = recalls.mean() if alone is None else alone
        halves = f"{recalls[::2].mean():9.1f} {recalls[1::2].mean():9.1f}"
        joined = np.mean([len(excerpts) for excerpts in found])
        print(f"{name:20} {recalls.mean():7.1f} {recalls.mean() - alone:+6.1f} {halves} {joined:9.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
