"""The texts that the benchmarks run over: those of the tests, so that a clone alone can run them."""

from __future__ import annotations

import importlib.util
import os
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


def speed_texts() -> dict[str, list[str]]:
    """Make the texts of the speed benchmark, each a list of documents: no paragraph stands in two of them."""
    made = generators()
    order = random.Random(11)  # noqa: S311  a benchmark's order, no secret
    return {
        "technical": [technical(5_000_000)],
        "english": [english()],
        "prose": [str(made.huge("prose", 5_000_000, 5))],
        "many": many(str(made.huge("prose", 24_000_000, 6)), order),
        "chinese": [strewn(made.ZH, "。，；、", 350_000, order)],
        "thai": [strewn(made.THAI, " ", 350_000, order)],
        "python": [python_source(1_000_000)],
    }


def many(text: str, order: random.Random) -> list[str]:
    """Cut 2,000 documents of 2 to 20 kB out of a text."""
    documents, start = [], 0
    for _ in range(2_000):
        end = start + order.randint(2_000, 20_000)
        documents.append(text[start:end])
        start = end
    return documents


def technical(size: int) -> str:
    """Mix paragraphs of the corpora with sections, lists, tables and code of this project's own pages.

    Without the names of special tokens, which some chunkers refuse, and without the page that is made of the results.
    """
    root = DATA.parent.parent
    pages = [root / "README.md", root / "CHANGELOG.md", *sorted((root / "docs").rglob("*.md"))]
    pages.remove(root / "docs" / "performance.md")
    blocks = [f"## {part}" for page in pages for part in page.read_text(encoding="utf-8").split("\n## ")]
    blocks += [paragraph for text in corpora().values() for paragraph in text.split("\n\n")]
    return _shuffled([block for block in blocks if "<|" not in block], size)


def english() -> str:
    """Join the English texts that a clone carries, each paragraph once: 1.5 MB, which is all there is.

    Articles come first, since the beginning of a text decides in which format it is read.
    """
    texts = {**corpora(), **labelled("legal", "plain", "prose")}
    first = ("wikitexts", "state_of_the_union", "pubmed", "finance")
    left = [
        text for name, text in texts.items() if name not in (*first, "chatlogs") and name[-3:] not in (".de", ".fr")
    ]
    paragraphs = (block for text in [*(texts[name] for name in first), *left] for block in text.split("\n\n"))
    return "\n\n".join(dict.fromkeys(paragraph for paragraph in paragraphs if "<|" not in paragraph))


def python_source(size: int) -> str:
    """Read modules of the standard library, by name, up to so many bytes."""
    taken, length = [], 0
    for path in sorted(Path(os.__file__).parent.glob("*.py")):
        taken.append(path.read_text(encoding="utf-8", errors="replace"))
        length += len(taken[-1])
        if length >= size:
            break
    return "".join(taken)[:size]


def strewn(text: str, marks: str, size: int, order: random.Random) -> str:
    """Strew pieces of two to six characters of a text, with a mark after every few."""
    parts, length = [], 0
    while length < size:
        start = order.randrange(len(text) - 6)
        part = text[start : start + order.randint(2, 6)] + (order.choice(marks) if order.random() < 0.15 else "")
        parts.append(part)
        length += len(part)
    return "".join(parts)[:size]


def _shuffled(blocks: list[str], size: int) -> str:
    order = random.Random(7)  # noqa: S311  a benchmark's order, no secret
    shuffled: list[str] = []
    length = 0
    while length < size:
        order.shuffle(blocks)
        shuffled += blocks
        length += sum(map(len, blocks))
    return "\n\n".join(shuffled)[:size]


def five_megabytes() -> str:
    """Make 5 million characters of the paragraphs of the corpora, shuffled."""
    return _shuffled([paragraph for text in corpora().values() for paragraph in text.split("\n\n")], 5_000_000)
