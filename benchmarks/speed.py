"""How fast is chunking, beside other chunkers and beside reading the text once? One core, medians, and the goals.

Each figure is the median of five processes that have not seen the text, taken in turn: all tools once, then all again.
A ratio is that of two tools in the same turn. The other chunkers run in an environment of their own, which is made
from requirements-speed-peers.txt at the first run. Slow tools get the first megabyte of each text. Rates are bytes of
UTF-8 in a second of processor time, without loading.

Run: python benchmarks/speed.py [--rounds 5] [--budgets 512 128] [--encodings cl100k_base o200k_base] [--peers FOLDER]
     [--only WORD ...] [--most BYTES] [--json FILE] [--plot FILE.svg] [--page docs/performance.md]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from drawing import Bar, bars
from report import machine, put_into, table
from sample_texts import speed_texts
from speed_runner import SEPARATOR, TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
RUNNER = HERE / "speed_runner.py"
REQUIREMENTS = HERE / "requirements-speed-peers.txt"
RANKS = HERE.parent / "src/spanwise/counting/vocabularies"
SLOW = (
    "Chonkie Token",
    "Chonkie Sentence",
    "LangChain",
    "semchunk",
    "LlamaIndex",
    "semantic-text-splitter",
    "WordPiece",
)
ALL, SOME = 1 << 40, 1_000_000
FOR_CL100K_ALONE = ("WordPiece", "characters", "Fast")
DRAWN = "english"


class Run(NamedTuple):
    """One tool at one budget in one encoding."""

    tool: str
    encoding: str
    budget: int


class Pass(NamedTuple):
    """Megabytes a second over a text that the process has not seen, and over the same text again."""

    unseen: float
    seen: float


class Goal(NamedTuple):
    """A tool is at least so many times as fast as another, or takes at most so many times its time."""

    tools: tuple[str, ...]
    over: str
    at_least: float = 0
    at_most: float = 0
    which: str = "unseen"
    budget: int = 0
    texts: tuple[str, ...] = ()
    over_text: str = ""

    def measured(self, passes: Sequence[Pass], others: Sequence[Pass]) -> list[float]:
        """Give the ratio of each turn: of rates, or of times where the goal is a time."""
        pairs = zip(passes, others, strict=False)
        ratios = [float(getattr(own, self.which) / getattr(other, self.which)) for own, other in pairs]
        return ratios if self.at_least else [1 / ratio for ratio in ratios]

    def missed_by(self, ratio: float) -> float:
        """Give by which factor a ratio misses the goal; at most 1 where it meets it."""
        return self.at_least / ratio if self.at_least else ratio / self.at_most

    def __str__(self) -> str:
        what = (
            f"at least {self.at_least:g} times as fast as"
            if self.at_least
            else f"at most {self.at_most:g} times the time of"
        )
        return f"{what} {self.over or f'itself on {self.over_text}'}, {self.which}"


FAST = ("spanwise structural", "spanwise recursive", "spanwise words", "spanwise tokens")
LOOKING = ("spanwise sentences", "spanwise sections")
GOALS = (
    Goal(FAST, "Chonkie Recursive", at_least=8),
    Goal(FAST, "LangChain Recursive", at_least=20),
    Goal(FAST, "semantic-text-splitter Text", at_least=50),
    Goal(LOOKING, "Chonkie Recursive", at_least=2.5),
    Goal(LOOKING, "sentence cuts and two counts", at_most=1.4),
    Goal(FAST[:1], "gigatoken alone", at_most=3, budget=512),
    Goal(FAST[:1], "gigatoken alone", at_most=5, budget=512, which="seen"),
    Goal(FAST[:1], "gigatoken alone", at_most=4, budget=128),
    Goal(FAST[:1], "gigatoken alone", at_most=8, budget=128, which="seen"),
    Goal(FAST, "", at_least=0.5, texts=("many",), over_text="prose"),
    Goal(("spanwise words, characters",), "Chonkie Fast, bytes", at_least=0.5, texts=("prose", "many", "python")),
    Goal(("spanwise structural, WordPiece", "spanwise words, WordPiece"), "tokenizers alone, WordPiece", at_most=1.3),
)


class Outcome(NamedTuple):
    """What was measured, by run and text: a pass for each turn, or why there is none."""

    passes: dict[tuple[Run, str], list[Pass]]
    failures: dict[tuple[Run, str], str]


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budgets", type=int, nargs="+", default=[512, 128])
    parser.add_argument("--encodings", nargs="+", default=["cl100k_base", "o200k_base"])
    parser.add_argument("--peers", type=Path, default=HERE.parent / ".speed-peers", help="environment of the others")
    parser.add_argument("--only", nargs="+", default=[""], help="tools with one of these words in their names")
    parser.add_argument("--most", type=int, default=ALL, help="bytes of each text, for a quick look")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--page", type=Path, help="a page with marks for speed; the plot is put beside it")
    given = parser.parse_args()
    peers = environment(given.peers)
    with tempfile.TemporaryDirectory() as folder:
        files = _written(Path(folder))
        tiktoken_cache(Path(folder))
        runs = [
            Run(tool, encoding, budget)
            for encoding in given.encodings
            for budget in given.budgets
            for tool in TOOLS
            if any(word in tool for word in given.only)
            and (encoding == given.encodings[0] or not any(word in tool for word in FOR_CL100K_ALONE))
        ]
        outcome = _measured(runs, files, peers, given.rounds, given.most)
    versions = {**machine(), **peer_versions(peers)}
    most = "" if given.most == ALL else f" A quick look: the first {given.most:,} bytes of each text alone."
    about = f"{', '.join(f'{name} {value}' for name, value in versions.items())}. Rounds: {given.rounds}.{most}"
    shown = f"{about}\n\n{_tables(outcome, list(files))}"
    print(shown)
    if given.json:
        rows = [{**run._asdict(), "text": text, "passes": passes} for (run, text), passes in outcome.passes.items()]
        given.json.write_text(json.dumps({"machine": versions, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    if given.page:
        put_into(given.page, "speed", shown)
    plot = given.plot or (given.page and given.page.with_name("speed.svg"))
    if plot:
        plot.write_text(_drawn(outcome), encoding="utf-8")


def environment(folder: Path) -> str:
    """Give the Python of the other chunkers, and make their environment where there is none."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(REQUIREMENTS)], check=True)
    return str(python)


def peer_versions(peers: str) -> dict[str, str]:
    """Name the versions of the other chunkers that are installed."""
    names = [line.partition("==")[0] for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines()]
    code = (
        "import json, sys; from importlib.metadata import version as v; print(json.dumps([v(n) for n in sys.argv[1:]]))"
    )
    done = subprocess.run([peers, "-c", code, *names], stdout=subprocess.PIPE, text=True, check=True)
    return dict(zip(names, json.loads(done.stdout), strict=True))


def _written(folder: Path) -> dict[str, str]:
    """Write the texts to files, so that no process makes them."""
    files = {}
    for name, documents in speed_texts().items():
        path = folder / f"{name}.txt"
        path.write_bytes(SEPARATOR.join(documents).encode())
        files[name] = str(path)
    return files


def tiktoken_cache(folder: Path) -> None:
    """Let tiktoken find the rank files where it keeps those that it downloads: under the digest of the address."""
    for encoding in ("cl100k_base", "o200k_base"):
        address = f"https://openaipublic.blob.core.windows.net/encodings/{encoding}.tiktoken"
        name = hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
        (folder / name).write_bytes((RANKS / f"{encoding}.tiktoken").read_bytes())
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)


def _measured(runs: list[Run], files: dict[str, str], peers: str, rounds: int, most: int) -> Outcome:
    outcome = Outcome(defaultdict(list), {})
    for turn in range(rounds):
        for place, run in enumerate(runs):
            at = f"round {turn + 1} of {rounds}, {place + 1} of {len(runs)}"
            print(f"\r{at}: {run.tool:40}", end="", file=sys.stderr)
            given = str(min(most, SOME if any(word in run.tool for word in SLOW) else ALL))
            own = run.tool.startswith(("spanwise", "gigatoken", "sentence cuts", "tokenizers"))
            tool = [sys.executable if own else peers, str(RUNNER), run.tool, run.encoding, str(run.budget), given]
            # small texts first: a memory of words that is given up at some size does so within a large one
            by_size = sorted(files.values(), key=lambda file: Path(file).stat().st_size)
            done = subprocess.run([*tool, *by_size], capture_output=True, text=True, check=False)
            missing = dict.fromkeys(files, f"the process ended with status {done.returncode}: {done.stderr[-150:]}")
            for row in map(json.loads, done.stdout.splitlines()):
                del missing[row["file"]]
                if "fails" in row:
                    missing[row["file"]] = row["fails"]
                else:
                    rates = Pass(*(row["bytes"] / 1e6 / seconds for seconds in row["seconds"]))
                    outcome.passes[run, row["file"]].append(rates)
            outcome.failures.update({(run, text): why for text, why in missing.items()})
    print(file=sys.stderr)
    return outcome


def _tables(outcome: Outcome, texts: list[str]) -> str:
    """Show for each encoding and budget the rates, what fails, and the goals."""
    parts = []
    runs = dict.fromkeys(run for run, _ in [*outcome.passes, *outcome.failures])
    for encoding, budget in dict.fromkeys((run.encoding, run.budget) for run in runs):
        here = [run for run in runs if (run.encoding, run.budget) == (encoding, budget)]
        rows = [[run.tool, *(_rates(outcome.passes.get((run, text))) for text in texts)] for run in here]
        parts.append(f"{encoding}, {budget} tokens: MB/s on unseen text (least to most), then on text seen before\n")
        parts.append(table(["tool", *texts], rows))
        parts += [
            f"- {run.tool} fails on {text}: {why}" for (run, text), why in outcome.failures.items() if run in here
        ]
        rows = _goal_rows(outcome, texts, encoding, budget)
        if rows:
            parts.append(f"\nGoals, {encoding}, {budget} tokens: ratios of the same turn (least to most)\n")
            parts.append(table(["spanwise", "goal", *texts, "met"], rows))
    return "\n".join(parts)


def _rates(passes: list[Pass] | None) -> str:
    if not passes:
        return "fails"
    return f"{_spread([each.unseen for each in passes])}, {_figure(median(each.seen for each in passes))}"


def _goal_rows(outcome: Outcome, texts: list[str], encoding: str, budget: int) -> list[list[str]]:
    """Give a row for each goal and tool: the ratios on each text, and where it is missed by how much."""
    rows = []
    for goal in GOALS:
        for tool in goal.tools if goal.budget in (0, budget) else ():
            ratios = {}
            for text in goal.texts or texts:
                passes = outcome.passes.get((Run(tool, encoding, budget), text), [])
                other = Run(goal.over or tool, encoding, budget)
                others = outcome.passes.get((other, goal.over_text or text), [])
                if passes and others:
                    ratios[text] = goal.measured(passes, others)
            if ratios:
                missed = {text: goal.missed_by(median(each)) for text, each in ratios.items()}
                over = ", ".join(f"{text} {factor:.1f}" for text, factor in missed.items() if factor > 1)
                cells = [_spread(ratios[text]) if text in ratios else "" for text in texts]
                rows.append(
                    [tool.removeprefix("spanwise "), str(goal), *cells, f"no, by times: {over}" if over else "yes"]
                )
    return rows


def _spread(values: list[float]) -> str:
    return _figure(median(values)) + (f" ({_figure(min(values))} to {_figure(max(values))})" if len(values) > 1 else "")


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _drawn(outcome: Outcome) -> str:
    """Draw bars of real English at the first budget."""
    first = next(iter(outcome.passes))[0]
    here = [
        (run.tool, median(each.unseen for each in passes))
        for (run, text), passes in outcome.passes.items()
        if text == DRAWN and (run.encoding, run.budget) == (first.encoding, first.budget)
    ]
    colours = {"spanwise": "#1f6f8b", "alone": "#c2c2c2", "sentence cuts": "#c2c2c2"}
    named = [
        Bar(tool, rate, next((colour for word, colour in colours.items() if word in tool), "#e0a458"))
        for tool, rate in here
    ]
    return bars(
        f"MB/s on unseen text, {first.budget} tokens of {first.encoding}, {DRAWN}; grey: it does not chunk", named
    )


if __name__ == "__main__":
    main()
