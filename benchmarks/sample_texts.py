"""The texts that the benchmarks run over: those of the tests, so that a clone alone can run them."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
LABELLED = Path(__file__).resolve().parent / "heading_labels"


def generators() -> ModuleType:
    """Load the seeded document generators."""
    spec = importlib.util.spec_from_file_location("docgen", DATA / "docgen.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(DATA / "docgen.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def corpora() -> dict[str, str]:
    """Read the five corpora: speeches, articles, finance reports, papers, chats."""
    return {path.stem: path.read_bytes().decode() for path in sorted((DATA / "corpora").glob("*.txt"))}


def labelled(*kinds: str) -> dict[str, str]:
    """Read the documents of `headings.py`, of these kinds: `legal`, `rfc`, `man`, `plain` and so on."""
    paths = [path for kind in kinds for path in sorted((LABELLED / kind).glob("*.txt"))]
    if not paths:
        raise FileNotFoundError(f"no documents of the kinds {kinds} are in {LABELLED}: run this in a clone")
    return {f"{path.parent.name}/{path.stem}": path.read_bytes().decode() for path in paths}


def prose() -> dict[str, str]:
    """Generate plain English-like prose in four layouts."""
    documents = generators().docs()
    return {name: documents[name] for name in ("prose", "prose_20k", "hardwrapped", "prose_doublespace")}


def five_megabytes(kind: str) -> str:
    """Make 5 million characters: `corpora` (their paragraphs, shuffled), `prose` or `mix` (all that is odd)."""
    size = 5_000_000
    if kind != "corpora":
        return str(generators().huge(kind, size))
    paragraphs = [paragraph for text in corpora().values() for paragraph in text.split("\n\n")]
    shuffled, length = [], 0
    order = random.Random(7)  # noqa: S311  a benchmark's order, no secret
    while length < size:
        order.shuffle(paragraphs)
        shuffled += paragraphs
        length += sum(map(len, paragraphs))
    return "\n\n".join(shuffled)[:size]
