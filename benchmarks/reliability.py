"""Which chunkers keep what they are asked? One battery for spanwise and others, judged by real counts of tiktoken.

Each chunker has the same documents at the same budgets, with and without overlap, in a process of its own; one judge
that belongs to none of them looks at the chunks. Then hard texts of up to a megabyte are timed. The other chunkers run
in the environment of `speed.py`. It takes some four minutes of a processor.

Run: python benchmarks/reliability.py [--most DOCUMENTS] [--only WORD ...] [--peers FOLDER] [--json FILE]
     [--page docs/reliability.md]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise
from math import log10
from pathlib import Path
from signal import SIGXCPU
from textwrap import fill
from typing import Any, NamedTuple

import regex
import tiktoken
from reliability_runner import CPU_SECONDS, ENCODING, TOOLS, WITHOUT_OVERLAP
from report import machine, put_into, table
from sample_texts import generators
from speed import environment, peer_versions, tiktoken_cache

HERE = Path(__file__).resolve().parent
BUDGETS, FUZZ_BUDGETS, FUZZED = (16, 64, 512), (4, 16), 200
HARD = ("prose", "longword", "newlines", "spaces", "cjk_nopunct", "nest_list")
SIZES, HARD_BUDGET = (100_000, 1_000_000), 512
CLEAR_SECONDS = 0.03
OVER = f">{CPU_SECONDS}"
SHOWN = ("slice", "budget", "cover", "order", "characters")


class Case(NamedTuple):
    """One document at one budget."""

    name: str
    budget: int
    overlap: int


class Span(NamedTuple):
    """What a chunker gave: a text, and where it says that it stands."""

    text: str
    start: int | None
    end: int | None

    def is_slice_of(self, text: str) -> bool:
        """Whether it stands there."""
        return self.start is not None and self.start >= 0 and text[self.start : self.end] == self.text


class Tally(NamedTuple):
    """How one chunker did: cases that ran, those with a violation by its kind, and those that failed by the error."""

    ran: int
    violated: Counter[str]
    failed: Counter[str]


def main() -> None:
    """Run the battery, then the hard texts, and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=FUZZED, help="documents of each kind, for a quick look")
    parser.add_argument("--only", nargs="+", default=[""], help="chunkers with one of these words in their names")
    parser.add_argument("--peers", type=Path, default=HERE.parent / ".speed-peers", help="environment of the others")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--page", type=Path, help="a page with marks for battery and hard")
    given = parser.parse_args()
    peers = environment(given.peers)
    texts, cases = battery(given.most)
    tools = [tool for tool in TOOLS if any(word in tool for word in given.only)]
    tallies, seconds = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        tiktoken_cache(Path(folder))
        for tool in tools:
            print(f"{tool}: ", end="", file=sys.stderr, flush=True)
            python = sys.executable if tool.startswith("spanwise") else peers
            mine = [case for case in cases if not case.overlap or tool not in WITHOUT_OVERLAP]
            outcomes = _outcomes([python, tool], Path(folder), texts, mine, keep=True)
            tallies[tool] = tally(texts, mine, outcomes)
            seconds[tool] = _timed([python, tool], Path(folder))
            print(f"{_cpu_seconds():.0f} CPU seconds in all", file=sys.stderr)
    about = {**machine(), **peer_versions(peers)}
    told = ", ".join(f"{name} {value}" for name, value in about.items())
    notes = f"{told}. {_cpu_seconds():.0f} CPU seconds in all, hard texts included."
    if given.most < FUZZED:
        notes += f" A quick look: {given.most} documents of each kind."
    shown = {"battery": f"{fill(notes, 124, break_on_hyphens=False)}\n\n{_tallied(tallies)}", "hard": _hard(seconds)}
    print("\n".join(shown.values()))
    if given.page:
        for name, text in shown.items():
            put_into(given.page, name, text)
    if given.json:
        rows = {tool: {**told._asdict(), "seconds": seconds[tool]} for tool, told in tallies.items()}
        given.json.write_text(json.dumps({"machine": about, "tools": rows}, indent=1) + "\n", encoding="utf-8")


def battery(most: int) -> tuple[dict[str, str], list[Case]]:
    """Give the documents by name, and each at its budgets, with no overlap and with 12 %: none at 4 tokens."""
    made = generators()
    kinds = ((made.docs(), BUDGETS), (made.fuzz(FUZZED), FUZZ_BUDGETS))
    texts = {name: text for documents, _ in kinds for name, text in list(documents.items())[:most]}
    cases = [
        Case(name, budget, overlap)
        for documents, budgets in kinds
        for name in list(documents)[:most]
        for budget in budgets
        for overlap in {0, round(0.12 * budget)}
    ]
    return texts, cases


def _outcomes(
    python_and_tool: list[str], folder: Path, texts: dict[str, str], cases: list[Case], *, keep: bool
) -> list[dict[str, Any]]:
    """Run a chunker over all cases; where its process ends, note that of the case, and go on behind it."""
    file = folder / "cases.json"
    file.write_text(json.dumps({"texts": texts, "cases": cases, "keep": keep}), encoding="ascii")
    python, tool = python_and_tool
    outcomes: list[dict[str, Any]] = []
    while len(outcomes) < len(cases):
        command = [python, str(HERE / "reliability_runner.py"), tool, str(file), str(len(outcomes))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        ready, *rows = done.stdout.splitlines() or [""]
        if ready != "ready":
            raise RuntimeError(f"{tool} does not start: {done.stderr[-500:]}")
        outcomes += map(json.loads, rows)
        if len(outcomes) < len(cases):
            over = done.returncode == -SIGXCPU
            outcomes.append({"fails": OVER if over else f"exit status {done.returncode}"})
    return outcomes


def tally(texts: dict[str, str], cases: list[Case], outcomes: list[dict[str, Any]]) -> Tally:
    """Count the cases with a violation of each kind, and the errors."""
    told = Tally(sum("chunks" in outcome for outcome in outcomes), Counter(), Counter())
    for case, outcome in zip(cases, outcomes, strict=True):
        if "fails" in outcome:
            told.failed[outcome["fails"].partition(":")[0]] += 1
        else:
            told.violated.update(
                violations(texts[case.name], [Span(*chunk) for chunk in outcome["chunks"]], case.budget)
            )
    return told


def violations(text: str, spans: list[Span], budget: int) -> list[str]:
    """Name what chunks violate: the keys of `SHOWN`."""
    right = [span for span in spans if span.is_slice_of(text)]
    places = [(span.start or 0, span.end or 0) for span in right]
    covered = bytearray(len(text) + 1)
    for start, end in places:
        covered[start:end] = b"\1" * (end - start)
    inside = inside_clusters(text)
    cut = [
        at for at in {offset for place in places for offset in place} & inside.keys() if covered[at - 1] and covered[at]
    ]  # what is left out on one side is not cut there
    rising = all(start < next_start and end < next_end for (start, end), (next_start, next_end) in pairwise(places))
    held = {
        "slice": len(right) == len(spans),
        "budget": all(count(span.text) <= budget for span in spans),
        "cover": all(character.isspace() or covered[at] for at, character in enumerate(text)),
        "order": rising and all(span.text for span in spans),
        "characters": all(count(inside[at]) > budget for at in cut),
    }
    return [name for name, holds in held.items() if not holds]


@lru_cache(maxsize=4)
def inside_clusters(text: str) -> dict[int, str]:
    """Say for each offset inside a grapheme cluster (CR LF is one) which cluster that is."""
    clusters = (match for match in regex.finditer(r"\X", text) if match.end() - match.start() > 1)
    return {at: match[0] for match in clusters for at in range(match.start() + 1, match.end())}


@cache
def encoding() -> tiktoken.Encoding:
    """Load the tokenizer that judges."""
    return tiktoken.get_encoding(ENCODING)


@lru_cache(maxsize=50_000)
def count(text: str) -> int:
    """Count the tokens of a text alone; the names of special tokens are text."""
    return len(encoding().encode_ordinary(text))


def _timed(python_and_tool: list[str], folder: Path) -> dict[str, list[float | str]]:
    """Time the hard texts at each size, or say why there is no time."""
    made = generators()
    texts = {
        f"{name} {size}": str(made.huge(name, size)).encode()[:size].decode(errors="ignore")
        for size in SIZES
        for name in HARD
    }
    outcomes = _outcomes(python_and_tool, folder, texts, [Case(name, HARD_BUDGET, 0) for name in texts], keep=False)
    seconds = dict(zip(texts, (outcome.get("seconds", outcome.get("fails", "")) for outcome in outcomes), strict=True))
    return {name: [seconds[f"{name} {size}"] for size in SIZES] for name in HARD}


def _cpu_seconds() -> float:
    """Say what this process and all that it started have taken."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _tallied(tallies: dict[str, Tally]) -> str:
    rows = [
        [
            tool,
            *(f"{told.violated[name]:,} / {told.ran:,}" for name in SHOWN),
            f"{told.failed.total():,} / {told.ran + told.failed.total():,}",
        ]
        for tool, told in tallies.items()
    ]
    failed = [
        f"- {tool} fails: {', '.join(f'{error} {times:,} times' for error, times in told.failed.most_common())}\n"
        for tool, told in tallies.items()
        if told.failed
    ]
    return f"{table(['chunker', *SHOWN, 'crash or hang'], rows)}\n{''.join(failed)}"


def _hard(seconds: dict[str, dict[str, list[float | str]]]) -> str:
    rows = [[tool, *(_grown(of_text[name]) for name in HARD)] for tool, of_text in seconds.items()]
    return table(["chunker", *HARD], rows)


def _grown(seconds: list[float | str]) -> str:
    """Show the times of both sizes and the exponent between them, at least the one that the limit implies."""
    smaller, larger = seconds
    shown = ", ".join(f"{each:.2f}" if isinstance(each, float) else each.partition(":")[0] for each in seconds)
    if isinstance(smaller, str) or smaller < CLEAR_SECONDS:
        return shown
    if isinstance(larger, float):
        return f"{shown} ({log10(larger / smaller):.1f})"
    at_least = log10(CPU_SECONDS / smaller) if larger == OVER else 0
    return f"{shown} (>{at_least:.1f})" if at_least > 1 else shown


if __name__ == "__main__":
    main()
