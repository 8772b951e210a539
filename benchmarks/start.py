"""How long does it take to begin, and what does a second worker give?

`import spanwise`, and `spanwise chunk README.md` from the start of the interpreter to its end: medians of fresh
processes, after one that is not counted. So the files of Python are in the page cache and compiled; what a first run
after the start of a machine takes cannot be made again at will. Then `chunk_many` with one worker and with two over
the many documents of the speed texts, once and `--times` over, in turn, with the start of the workers: the clock says
what a caller waits, and is true on a machine that has nothing else to do; processor seconds say where the time goes.

Run: python benchmarks/start.py [--rounds 7] [--times 10] [--json FILE] [--page docs/performance.md]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from report import machine, put_into, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise import Chunker

README = Path(__file__).resolve().parent.parent / "README.md"
IMPORT = """
from time import perf_counter, process_time
clock, own = perf_counter(), process_time()
import spanwise
print(perf_counter() - clock, process_time() - own)
"""
CHUNK = [sys.executable, "-m", "spanwise", "chunk", str(README)]
GOALS = {"import spanwise": 0.15, "spanwise chunk README.md": 0.9}
GOAL_WORKERS = 1.7


class Begun(NamedTuple):
    """One fresh process: seconds of the clock, and of a processor."""

    clock: float
    processor: float


class Shared(NamedTuple):
    """One run of `chunk_many`: seconds of the clock, until the first answer, and of processors."""

    clock: float
    first: float
    own: float
    of_workers: float


def main() -> None:
    """Measure and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--page", type=Path, help="a page with marks for start and workers")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as compiled:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        begun = _begun(given.rounds)
        shared = _shared(max(1, given.rounds // 2), given.times)
    shown = {"start": _start_table(begun), "workers": _workers_table(shared)}
    load = f"load {os.getloadavg()[0]:.1f} at the end"
    print(", ".join(f"{name} {value}" for name, value in machine().items()), load, *shown.values(), sep="\n\n")
    if given.json:
        told = {"machine": machine(), "begin": begun, "workers": {str(key): runs for key, runs in shared.items()}}
        given.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    if given.page:
        for name, text in shown.items():
            put_into(given.page, name, text)


def _begun(rounds: int) -> dict[str, list[Begun]]:
    measures = {"import spanwise": _import, "spanwise chunk README.md": _command}
    return {name: [measure() for _ in range(rounds + 1)][1:] for name, measure in measures.items()}


def _import() -> Begun:
    told = subprocess.run([sys.executable, "-c", IMPORT], check=True, stdout=subprocess.PIPE, text=True).stdout
    return Begun(*map(float, told.split()))


def _command() -> Begun:
    (_, before), begin = _processor_seconds(), time.perf_counter()
    subprocess.run(CHUNK, check=True, stdout=subprocess.DEVNULL)
    return Begun(time.perf_counter() - begin, _processor_seconds()[1] - before)


def _shared(rounds: int, most: int) -> dict[tuple[int, int], list[Shared]]:
    """Run with each number of workers in turn; keys are how often the texts are taken, and workers."""
    from sample_texts import speed_texts

    import spanwise

    documents = speed_texts()["many"]
    chunker = spanwise.Chunker(max_tokens=512, counter="cl100k_base", overflow="split")
    sum(map(len, chunker.chunk_many(documents)))  # what is loaded late, and seen
    runs: dict[tuple[int, int], list[Shared]] = {(times, workers): [] for times in (1, most) for workers in (1, 2)}
    for _ in range(rounds):
        for (times, workers), done in runs.items():
            done.append(_run(chunker, documents * times, workers))
    return runs


def _run(chunker: Chunker, documents: list[str], workers: int) -> Shared:
    before, begin = _processor_seconds(), time.perf_counter()
    answers = chunker.chunk_many(documents, workers=workers)
    len(next(answers))
    first = time.perf_counter() - begin
    sum(map(len, answers))
    clock = time.perf_counter() - begin
    own, of_workers = (after - earlier for earlier, after in zip(before, _processor_seconds(), strict=True))
    return Shared(clock, first, own, of_workers)


def _processor_seconds() -> tuple[float, float]:
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime


def _start_table(begun: dict[str, list[Begun]]) -> str:
    rows = []
    for name, runs in begun.items():
        clock, processor = zip(*runs, strict=True)
        met = "yes" if median(clock) <= GOALS[name] else "no"
        rows.append([f"`{name}`", _spread(clock), _spread(processor), f"{GOALS[name]} s", met])
    heads = [f"median of {len(next(iter(begun.values())))} (least to most)", "seconds", "of them of a processor"]
    return table([*heads, "goal", "met"], rows)


def _workers_table(shared: dict[tuple[int, int], list[Shared]]) -> str:
    rows = []
    for (times, workers), runs in shared.items():
        alone = shared[times, 1]
        ratio = [one.clock / run.clock for one, run in zip(alone, runs, strict=True)]
        figures = [_spread([getattr(run, field) for run in runs]) for field in Shared._fields]
        rows.append([f"{22 * times} MB", str(workers), *figures, _spread(ratio) if workers > 1 else ""])
    heads = ["text", "workers", "seconds", "to the first chunks", "processor, this process", "processor, workers"]
    return table([*heads, f"times as fast (goal: {GOAL_WORKERS})"], rows)


def _spread(values: Sequence[float]) -> str:
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


if __name__ == "__main__":
    main()
