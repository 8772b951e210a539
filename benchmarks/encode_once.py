"""What does chunking cost beside reading the text once? spanwise and tiktoken over the same 5 MB, side by side.

Each run is a process of its own that has not seen the text; loading the vocabulary is not counted. Needs tiktoken.
Run: python benchmarks/encode_once.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from sample_texts import five_megabytes

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 5
KINDS = ("corpora", "prose", "mix")
RIVALS = ("tiktoken", "structural", "recursive", "sentences", "words")


def main() -> None:
    """Print a Markdown table of medians and the ratio to one tiktoken pass."""
    print(f"cl100k_base, 512 tokens, 5 million characters, medians of {RUNS} processes each, taken in turn.\n")
    print("| text | what | seconds (min to max) | MB/s | share of one tiktoken pass |\n|---|---|---|---|---|")
    for kind in KINDS:
        times: dict[str, list[float]] = {rival: [] for rival in RIVALS}
        for _ in range(RUNS):
            for rival in RIVALS:
                times[rival].append(_measured(kind, rival))
        once = median(times["tiktoken"])
        for rival in RIVALS:
            middle = median(times[rival])
            spread = f"{middle:.3f} ({min(times[rival]):.3f} to {max(times[rival]):.3f})"
            print(f"| {kind} | {rival} | {spread} | {5 / middle:.1f} | {middle / once:.2f} |", flush=True)


def _measured(kind: str, rival: str) -> float:
    command = [sys.executable, __file__, kind, rival]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def run(kind: str, rival: str) -> None:
    """Time one pass in this process and print the seconds."""
    text = five_megabytes(kind)
    work = _tiktoken() if rival == "tiktoken" else _chunker(rival)
    work("One sentence to load what is loaded late. Another one.\n\nAnd a paragraph.")
    start = perf_counter()
    work(text)
    print(perf_counter() - start)


def _chunker(strategy: str) -> Callable[[str], object]:
    import spanwise

    return spanwise.Chunker(strategy, max_tokens=512, overflow="split").chunk


def _tiktoken() -> Callable[[str], object]:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    from oracles import tiktoken_encoding

    encode: Callable[[str], object] = tiktoken_encoding("cl100k_base").encode_ordinary
    return encode


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(*sys.argv[1:3])
    else:
        main()
