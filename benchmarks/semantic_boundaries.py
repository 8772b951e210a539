"""Does `semantic` cut where the subject changes? Against documents joined at known places, and beside other chunkers.

All have the same vectors and a budget that is never reached, so that only what they call a change of subject counts.
Settings are chosen on one half of the documents, by F1 near; the figures are of the other half. "Exact" is a cut at the
very place, as are precision and recall; "near" is one at most one sentence from it; each true place is found once. Pk
(Beeferman et al. 1999) and WindowDiff (Pevzner and Hearst 2002) look at sentences half a mean part apart: the share of
pairs wrongly told to be of one part or of two, and of those with a wrong number of cuts between; less is better. An
article has changes of subject of its own, so that no method reaches precision 1.
Run: python benchmarks/semantic_boundaries.py [--peers PYTHON] [--kinds]
PYTHON is that of an environment with requirements-semantic-peers.txt, which takes ten minutes; `--kinds` adds F1 for
each kind of document.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from bisect import bisect_left
from collections import defaultdict
from itertools import groupby
from pathlib import Path
from statistics import fmean as mean
from typing import TYPE_CHECKING, NamedTuple

from joined_documents import KINDS, Joined, joined_documents
from static_vectors import wordllama_vectors

import spanwise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NO_BUDGET = 100_000
BREAKPOINTS = ("percentile", "standard-deviation", "interquartile", "gradient", "optimal")


class Outcome(NamedTuple):
    """Where one method with one choice of settings cuts each document."""

    method: str
    settings: str
    default: bool
    seconds: float
    starts: list[list[int]]
    """For each document the offsets at which its chunks but the first begin."""


class Score(NamedTuple):
    """How well the cuts of some documents meet the true ones."""

    precision: float
    recall: float
    exact: float
    """F1 of cuts at the very place."""
    near: float
    """F1 of cuts at most one sentence away."""
    pk: float
    window_diff: float


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Does `semantic` cut where the subject changes?")
    parser.add_argument("--peers", metavar="PYTHON", help="Python of an environment with the peers")
    parser.add_argument("--kinds", action="store_true", help="add F1 for each kind of document")
    arguments = parser.parse_args()
    documents = joined_documents()
    outcomes = [_evenly(documents), *_ours(documents)]
    if arguments.peers:
        outcomes += _peers(arguments.peers, documents)
    shown = list(_shown(outcomes, documents))
    test = [document for document in documents if document.half == "test"]
    sentences = sum(len(document.sentences) for document in test)
    boundaries = sum(len(document.boundaries) for document in test)
    print(f"{len(test)} documents, {sentences:,} sentences, {boundaries} changes of subject; `l2_supercat_256`.\n")
    columns = ("method", "precision", "recall", "F1 exact", "F1 near", "Pk", "WindowDiff", "seconds")
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for name, outcome in shown:
        score = _score(outcome, documents, "test")
        print(f"| {name} | {' | '.join(f'{value:.3f}' for value in score)} | {outcome.seconds:.1f} |")
    if arguments.kinds:
        print(f"\nF1, near:\n\n| method | {' | '.join(KINDS)} |\n|---|{'---|' * len(KINDS)}")
        for name, outcome in shown:
            cells = (f"{_score(outcome, documents, 'test', kind).near:.3f}" for kind in KINDS)
            print(f"| {name} | {' | '.join(cells)} |")


def _shown(outcomes: Sequence[Outcome], documents: Sequence[Joined]) -> Iterator[tuple[str, Outcome]]:
    """Name each method at its defaults, and at the settings that are best on the documents for tuning."""
    for method, group in groupby(outcomes, key=lambda outcome: outcome.method):
        tried = list(group)
        yield from ((method, outcome) for outcome in tried if outcome.default)
        if len(tried) > 1:
            best = max(tried, key=lambda outcome: _score(outcome, documents, "tuning").near)
            yield f"{method}, best of {len(tried)}: {best.settings or 'its defaults'}", best


# Who cuts


def _evenly(documents: Sequence[Joined]) -> Outcome:
    """Cut each document into as many equal runs of sentences as it has parts: what is known without reading."""
    starts = []
    for document in documents:
        parts = len(document.subjects)
        starts.append([document.sentences[len(document.sentences) * part // parts] for part in range(1, parts)])
    return Outcome("as many parts, of equal size", "", default=True, seconds=0, starts=starts)


def _ours(documents: Sequence[Joined]) -> Iterator[Outcome]:
    """Cut with `semantic`: at its defaults, then with each kind of breakpoint and three widths of the windows."""
    vectors = wordllama_vectors()
    amounts: list[dict[str, object]] = [{"breakpoint": "optimal", "amount": amount} for amount in (1.75, 2.0, 2.5, 3.0)]
    windows: list[dict[str, object]] = [
        {"breakpoint": kind, "buffer": buffer} for kind in BREAKPOINTS for buffer in (1, 2, 3)
    ]
    for chosen in [{}, *amounts, *windows]:
        strategy = spanwise.Semantic(vectors, min_fill=0, **chosen)  # type: ignore[arg-type]  # options by name
        chunker = spanwise.Chunker(strategy, max_tokens=NO_BUDGET)
        begin = time.perf_counter()
        found = [list(chunker.chunk(document.text)) for document in documents]
        seconds = time.perf_counter() - begin
        starts = [[chunk.start for chunk in chunks[1:]] for chunks in found]
        yield Outcome("spanwise semantic", _written(chosen), not chosen, seconds, starts)


def _peers(python: str, documents: Sequence[Joined]) -> Iterator[Outcome]:
    script = Path(__file__).with_name("semantic_peers.py")
    texts = json.dumps([document.text for document in documents])
    answer = subprocess.run([python, str(script)], input=texts, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    for line in answer.stdout.splitlines():
        row = json.loads(line)
        yield Outcome(row["method"], _written(row["settings"]), row["default"], row["seconds"], row["starts"])


def _written(settings: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items())


# How well


def _score(outcome: Outcome, documents: Sequence[Joined], half: str, kind: str = "") -> Score:
    """Count over all documents of one half; Pk and WindowDiff are the means of the documents'."""
    counts: dict[str, int] = defaultdict(int)
    errors: list[tuple[float, float]] = []
    for document, starts in zip(documents, outcome.starts, strict=True):
        if document.half != half or kind not in ("", document.kind):
            continue
        true = [bisect_left(document.sentences, boundary) for boundary in document.boundaries]
        places = _places(document, starts)
        counts["cuts"] += len(places)
        counts["true"] += len(true)
        counts["exact"] += _matched(places, true, 0)
        counts["near"] += _matched(places, true, 1)
        errors.append(_window_errors(places, true, len(document.sentences)))
    cuts, boundaries = counts["cuts"], counts["true"]
    return Score(
        counts["exact"] / max(cuts, 1),
        counts["exact"] / boundaries,
        2 * counts["exact"] / (cuts + boundaries),
        2 * counts["near"] / (cuts + boundaries),
        mean(pk for pk, _ in errors),
        mean(window_diff for _, window_diff in errors),
    )


def _places(document: Joined, starts: Sequence[int]) -> list[float]:
    """Give each cut as the number of the sentence before which it is, or that less a half if inside the one before."""
    places = []
    for start in starts:
        rest = document.text[start:]
        offset = start + len(rest) - len(rest.lstrip())
        number = bisect_left(document.sentences, offset)
        at_start = number < len(document.sentences) and document.sentences[number] == offset
        places.append(number if at_start else number - 0.5)
    return places


def _matched(places: Sequence[float], true: Sequence[int], tolerance: int) -> int:
    """Count the true places that have a cut of their own within the tolerance: the most pairs there can be."""
    pairs, unused = 0, iter(places)
    place = next(unused, None)
    for boundary in true:
        while place is not None and place < boundary - tolerance:
            place = next(unused, None)
        if place is not None and place <= boundary + tolerance:
            pairs += 1
            place = next(unused, None)
    return pairs


def _window_errors(places: Sequence[float], true: Sequence[int], sentences: int) -> tuple[float, float]:
    """Give Pk and WindowDiff; a cut inside a sentence counts as one after it."""
    cuts = sorted({int(place + 0.5) for place in places})
    span = max(1, round(sentences / (len(true) + 1) / 2))
    windows = range(sentences - span)
    between = [
        (bisect_left(found, start + span + 1) - bisect_left(found, start + 1))
        for found in (cuts, true)
        for start in windows
    ]
    pairs = list(zip(between[: len(windows)], between[len(windows) :], strict=True))
    return mean((ours > 0) != (theirs > 0) for ours, theirs in pairs), mean(ours != theirs for ours, theirs in pairs)


if __name__ == "__main__":
    main()
