"""How fast is chunking, beside other chunkers and beside reading the text once? One run, one core, medians.

Each figure is the median of five processes that have not seen the text, taken in turn: all tools once, then all again.
The other chunkers run in an environment of their own, which is made from requirements-speed-peers.txt at the first run.
Slow ones get the first megabyte of each text. Rates are bytes of UTF-8 in a second, without loading.
Run: python benchmarks/speed.py [--rounds 5] [--budgets 512 128] [--encodings cl100k_base o200k_base] [--peers FOLDER]
     [--only WORD] [--json FILE] [--plot FILE.svg]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import venv
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import NamedTuple

from sample_texts import speed_texts
from speed_runner import SEPARATOR, TOOLS

HERE = Path(__file__).resolve().parent
RUNNER = HERE / "speed_runner.py"
RANKS = HERE.parent / "src/spanwise/counting/vocabularies"
SLOW = (
    "Chonkie Token",
    "Chonkie Sentence",
    "LangChain",
    "semchunk",
    "LlamaIndex",
    "semantic-text-splitter",
    "tokenizers",
)
ALL, SOME = 1 << 40, 1_000_000
FOR_CL100K_ALONE = ("WordPiece", "characters", "Fast")


class Run(NamedTuple):
    """One tool at one budget in one encoding."""

    tool: str
    encoding: str
    budget: int


class Rate(NamedTuple):
    """Megabytes a second: unseen text and text seen before, each a median, and the least and most of the first."""

    unseen: float
    seen: float
    least: float
    most: float


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budgets", type=int, nargs="+", default=[512, 128])
    parser.add_argument("--encodings", nargs="+", default=["cl100k_base", "o200k_base"])
    parser.add_argument("--peers", type=Path, default=HERE.parent / ".speed-peers", help="environment of the others")
    parser.add_argument("--only", default="", help="tools with this word in their names")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    peers = _environment(given.peers)
    with tempfile.TemporaryDirectory() as folder:
        files = _written(Path(folder))
        _tiktoken_cache(Path(folder))
        runs = [
            Run(tool, encoding, budget)
            for encoding in given.encodings
            for budget in given.budgets
            for tool in TOOLS
            if given.only in tool
            and (encoding == given.encodings[0] or not any(word in tool for word in FOR_CL100K_ALONE))
        ]
        rates = _measured(runs, files, peers, given.rounds)
    _print(rates, list(files), given.rounds)
    if given.json:
        rows = [{**run._asdict(), "text": text, **rate._asdict()} for (run, text), rate in rates.items()]
        given.json.write_text(json.dumps({"machine": _machine(), "rows": rows}, indent=1) + "\n", encoding="utf-8")
    if given.plot:
        given.plot.write_text(_drawn(rates, next(iter(files))), encoding="utf-8")


def _environment(folder: Path) -> str:
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        requirements = str(HERE / "requirements-speed-peers.txt")
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", requirements], check=True)
    return str(python)


def _written(folder: Path) -> dict[str, str]:
    """Write the texts to files, so that no process makes them."""
    files = {}
    for name, documents in speed_texts().items():
        path = folder / f"{name}.txt"
        path.write_bytes(SEPARATOR.join(documents).encode())
        files[name] = str(path)
    return files


def _tiktoken_cache(folder: Path) -> None:
    """Let tiktoken find the rank files where it keeps those that it downloads: under the digest of the address."""
    for encoding in ("cl100k_base", "o200k_base"):
        address = f"https://openaipublic.blob.core.windows.net/encodings/{encoding}.tiktoken"
        name = hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
        (folder / name).write_bytes((RANKS / f"{encoding}.tiktoken").read_bytes())
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)


def _measured(runs: list[Run], files: dict[str, str], peers: str, rounds: int) -> dict[tuple[Run, str], Rate]:
    seconds: dict[tuple[Run, str], list[tuple[float, float]]] = defaultdict(list)
    for turn in range(rounds):
        for place, run in enumerate(runs):
            at = f"round {turn + 1} of {rounds}, {place + 1} of {len(runs)}"
            print(f"\r{at}: {run.tool:40}", end="", file=sys.stderr)
            most = SOME if run.tool.startswith(SLOW) else ALL
            own = run.tool.startswith(("spanwise", "gigatoken", "sentence cuts", "tokenizers"))
            command = [
                sys.executable if own else peers,
                str(RUNNER),
                run.tool,
                run.encoding,
                str(run.budget),
                str(most),
            ]
            done = subprocess.run([*command, *files.values()], stdout=subprocess.PIPE, text=True, check=True)
            for line in done.stdout.splitlines():
                row = json.loads(line)
                unseen, seen = (row["bytes"] / 1e6 / each for each in row["seconds"])
                seconds[run, row["file"]].append((unseen, seen))
    print(file=sys.stderr)
    return {
        key: Rate(
            median(unseen for unseen, _ in pairs),
            median(seen for _, seen in pairs),
            min(unseen for unseen, _ in pairs),
            max(unseen for unseen, _ in pairs),
        )
        for key, pairs in seconds.items()
    }


def _machine() -> dict[str, str]:
    model = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "unknown"
    )
    packages = {name: version(name) for name in ("spanwise", "gigatoken", "numpy")}
    return {"processor": model, "cores": str(os.cpu_count()), "python": platform.python_version(), **packages}


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def _print(rates: dict[tuple[Run, str], Rate], texts: list[str], rounds: int) -> None:
    print(", ".join(f"{name} {value}" for name, value in _machine().items()) + "\n")
    for encoding, budget in dict.fromkeys((run.encoding, run.budget) for run, _ in rates):
        print(f"{encoding}, {budget} tokens, MB/s on unseen text, medians of {rounds} (least to most):\n")
        print(f"| tool | {' | '.join(texts)} |\n|---|{'---|' * len(texts)}")
        for tool in dict.fromkeys(run.tool for run, _ in rates):
            cells = [rates.get((Run(tool, encoding, budget), text)) for text in texts]
            if any(cells):
                shown = (
                    f"{rate.unseen:.2f} ({rate.least:.2f} to {rate.most:.2f})" if rate else "fails" for rate in cells
                )
                print(f"| {tool} | {' | '.join(shown)} |")
        print()


def _drawn(rates: dict[tuple[Run, str], Rate], text: str) -> str:
    """Draw bars of one text at the first budget, on a scale of powers of ten."""
    from math import log10

    first = next(iter(rates))[0]
    bars = [
        (run.tool, rate.unseen)
        for (run, each), rate in rates.items()
        if each == text and (run.encoding, run.budget) == (first.encoding, first.budget)
    ]
    bars.sort(key=lambda bar: -bar[1])
    least, scale, left, high = 0.1, 140, 250, 22
    width, height = left + int(scale * 4) + 60, high * (len(bars) + 2)
    style = 'font-family="sans-serif" font-size="13"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {style}>']
    title = f"{text}: MB/s on unseen text, {first.budget} tokens of {first.encoding} (each line: ten times as fast)"
    parts.append(f'<rect width="100%" height="100%" fill="white"/><text x="8" y="16">{title}</text>')
    for power in range(5):
        x = left + power * scale
        parts.append(f'<line x1="{x}" x2="{x}" y1="{high}" y2="{height}" stroke="#ccc"/>')
    for place, (tool, rate) in enumerate(bars):
        y = high * (place + 1) + 4
        length = max(1.0, scale * log10(max(rate, least) / least))
        colour = "#1f6f8b" if tool.startswith("spanwise") else "#c2c2c2" if "alone" in tool else "#e0a458"
        parts.append(
            f'<text x="{left - 6}" y="{y + 13}" text-anchor="end">{tool}</text>'
            f'<rect x="{left}" y="{y}" width="{length:.0f}" height="{high - 6}" fill="{colour}"/>'
            f'<text x="{left + length + 4:.0f}" y="{y + 13}">{rate:.1f}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    main()
