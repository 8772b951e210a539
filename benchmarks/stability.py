"""How many chunks are new after one sentence was edited, and how many more are there after many edits?

Documents: the longer pages of documentation that are installed on this machine (Markdown, reStructuredText and the
descriptions of Python packages), in the order of their digests. Each edit inserts, deletes or replaces one sentence.

Run: python benchmarks/stability.py [--files 24] [--edits 12] [--peers]
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sysconfig
from collections import Counter
from email import message_from_string
from importlib.metadata import distributions
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING

import spanwise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TOKENS = 256
CHAIN = 120
SIZES = range(20_000, 200_000)
FOLDERS = (sysconfig.get_path("purelib"), "/usr/share/doc", "/usr/share")
GOALS = {"median": 1, "p95": 2, "max": 3, "ratio": 1.06}

_SENTENCE = re.compile(r"(?<=[.!?][ \n])[A-Z](?:[^.!?\n|<>]|\n(?=\w)){20,240}[.!?][ \n]")
_WORDS = "the pump moves water when its motor runs and a valve opens before pressure rises again"


def main() -> None:
    """Print a Markdown table, then what many edits add up to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=24)
    parser.add_argument("--edits", type=int, default=12, help="how many edits of each file, each of the original")
    parser.add_argument("--peers", action="store_true", help="also those of other libraries that are installed")
    chosen = parser.parse_args()
    documents = pages()[: chosen.files]
    size = sum(map(len, documents))
    print(
        f"{len(documents)} files, {size:,} characters, {chosen.edits} edits of each; {TOKENS} tokens of cl100k_base.\n"
    )
    print("| | new chunks per edit: median | mean | p95 | max | fill |")
    print("|---|---|---|---|---|---|")
    chunker = spanwise.Chunker(max_tokens=TOKENS, overflow="split")
    new, fills = _rechunked(chunker, documents, chosen.edits)
    _print_row("rechunk, structural", new, fills)
    verdict = _p95(new) <= GOALS["p95"] and max(new) <= GOALS["max"] and median(new) <= GOALS["median"]
    for name in ("recursive", "sentences", "words"):  # which fill chunks better
        other = spanwise.Chunker(name, max_tokens=TOKENS, overflow="split")
        _print_row(f"rechunk, {name}", *_rechunked(other, documents, chosen.edits))
    for name in ("structural", "recursive", "sentences"):
        for options in ({}, {"stable": True}):
            spec = spanwise.ChunkingSpec(
                strategy=name, options=options, max_tokens=TOKENS, overflow=spanwise.Overflow.SPLIT
            )
            texts = _texts_of(spanwise.Chunker.from_spec(spec))
            _print_row(f"{name}{', stable' * bool(options)}", *_fresh(texts, documents, chosen.edits))
            flat = [" ".join(document.split()) for document in documents]
            _print_row(f"{name}{', stable' * bool(options)}, text in one line", *_fresh(texts, flat, chosen.edits))
    if chosen.peers:
        for name, split in peers():
            _print_row(name, *_fresh(split, documents, chosen.edits))
    print(
        f"\nrechunk: median {GOALS['median']}, p95 {GOALS['p95']}, max {GOALS['max']}: {'met' if verdict else 'MISSED'}"
    )
    ratio = many_edits(chunker, documents)
    print(f"after {CHAIN} edits: {ratio:.3f} times the chunks of a fresh run: {_met(ratio <= GOALS['ratio'])}")


def pages() -> list[str]:
    """Read the pages, each once, in the order of their digests."""
    texts: set[object]
    texts = {message_from_string(each.read_text("METADATA") or "").get_payload() for each in distributions()}
    for folder in FOLDERS:
        for path in [*Path(folder).rglob("*.md"), *Path(folder).rglob("*.rst")]:
            try:
                if path.stat().st_size in SIZES:
                    texts.add(path.read_bytes().decode())
            except (OSError, UnicodeDecodeError):
                continue
    long = [
        text
        for text in texts
        if isinstance(text, str) and len(text) in SIZES and len(_SENTENCE.findall(text)) >= CHAIN // 4
    ]
    return sorted(long, key=lambda text: hashlib.sha256(text.encode()).digest())


def edited(text: str, seed: int) -> str:
    """Insert, delete or replace one sentence."""
    order = random.Random(seed)  # noqa: S311  a benchmark's choices, no secret
    found = order.choice(list(_SENTENCE.finditer(text)))
    written = " ".join(order.choices(_WORDS.split(), k=order.randint(6, 20))).capitalize() + ". "
    kind = order.choice(["insert", "delete", "replace"])
    begin = found.start() if kind != "insert" else found.end()
    return text[:begin] + (written if kind != "delete" else "") + text[found.end() :]


def _rechunked(chunker: spanwise.Chunker, documents: Iterable[str], edits: int) -> tuple[list[int], list[float]]:
    new, fills = [], []
    for text in documents:
        old = chunker.chunk(text)
        for seed in range(edits):
            now = spanwise.rechunk(old, edited(text, seed), chunker)
            new.append(len(spanwise.diff(old, now).added))
            fills.append(mean(chunk.tokens / TOKENS for chunk in now[:-1]))
    return new, fills


def _fresh(
    split: Callable[[str], Sequence[str]], documents: Iterable[str], edits: int
) -> tuple[list[int], list[float]]:
    count = spanwise.counter("cl100k_base").count
    new, fills = [], []
    for text in documents:
        before = Counter(split(text))
        for seed in range(edits):
            after = split(edited(text, seed))
            new.append((Counter(after) - before).total())
        fills.append(mean(count(piece) / TOKENS for piece in after[:-1]))
    return new, fills


def _texts_of(chunker: spanwise.Chunker) -> Callable[[str], Sequence[str]]:
    return lambda text: [chunk.text for chunk in chunker.chunk(text)]


def many_edits(chunker: spanwise.Chunker, documents: Iterable[str]) -> float:
    """Give how many times the chunks of a fresh run there are when each document was edited many times."""
    kept = fresh = 0
    for text in documents:
        chunks: Sequence[spanwise.Chunk] = chunker.chunk(text)
        now = text
        for seed in range(CHAIN):
            now = edited(now, seed)
            chunks = spanwise.rechunk(chunks, now, chunker)
        kept += len(chunks)
        fresh += len(chunker.chunk(now))
    return kept / fresh


def peers() -> Iterator[tuple[str, Callable[[str], Sequence[str]]]]:
    """Yield other libraries that are installed, at the same budget."""
    count = spanwise.counter("cl100k_base").count
    for name, make in (
        ("LangChain", _langchain),
        ("LlamaIndex", _llama_index),
        ("semantic-text-splitter", _text_splitter),
        ("semchunk", _semchunk),
        ("Chonkie", _chonkie),
    ):
        try:
            yield name, make(count)
        except ImportError:
            print(f"| {name}: not installed | | | | | |")


def _langchain(count: Callable[[str], int]) -> Callable[[str], Sequence[str]]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=TOKENS, chunk_overlap=0, length_function=count)
    return lambda text: list(splitter.split_text(text))


def _llama_index(count: Callable[[str], int]) -> Callable[[str], Sequence[str]]:
    from llama_index.core.node_parser import SentenceSplitter

    splitter = SentenceSplitter(chunk_size=TOKENS, chunk_overlap=0, tokenizer=lambda text: [0] * count(text))
    return lambda text: list(splitter.split_text(text))


def _text_splitter(count: Callable[[str], int]) -> Callable[[str], Sequence[str]]:
    from semantic_text_splitter import MarkdownSplitter

    splitter = MarkdownSplitter.from_callback(count, TOKENS)
    return lambda text: list(splitter.chunks(text))


def _semchunk(count: Callable[[str], int]) -> Callable[[str], Sequence[str]]:
    from semchunk import chunkerify

    splitter = chunkerify(count, TOKENS)
    return lambda text: list(splitter(text))


def _chonkie(count: Callable[[str], int]) -> Callable[[str], Sequence[str]]:
    from chonkie import SentenceChunker  # the recursive one takes no function as its tokenizer

    splitter = SentenceChunker(count, chunk_size=TOKENS, chunk_overlap=0)
    return lambda text: [chunk.text for chunk in splitter.chunk(text)]


def _print_row(name: str, new: list[int], fills: list[float]) -> None:
    cells = f"{median(new):g} | {mean(new):.2f} | {_p95(new)} | {max(new)} | {mean(fills):.3f}"
    print(f"| {name} | {cells} |")


def _p95(values: list[int]) -> int:
    return sorted(values)[int(len(values) * 0.95)]


def _met(is_met: bool) -> str:  # noqa: FBT001  one word for one fact
    return "met" if is_met else "MISSED"


if __name__ == "__main__":
    main()
