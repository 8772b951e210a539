"""Digests of what spanwise makes of forty documents; `python tests/trust/golden.py --write` makes the file anew.

A digest is of all spans, ids and sections of a document by one way of chunking. The file holds the boundary version
that it was made with: a digest that changes has to raise `BOUNDARY_VERSION` (src/spanwise/strategies/chunker.py).
Run without `--write` it prints the digests of this interpreter as JSON.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "src")]

import spanwise
from spanwise.strategies.chunker import BOUNDARY_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable

DATA = Path(__file__).parents[1] / "data"
FILE = DATA / "golden.json"

FILES = (
    "corpora/state_of_the_union.txt",
    "corpora/wikitexts.txt",
    "corpora/chatlogs.txt",
    "corpora/finance.txt",
    "corpora/pubmed.txt",
    "plain/apache-2.0.txt",
    "plain/statistics.rst",
    "plain/xz.1",
    "plain/xz-file-format.txt",
    "html/rust-book-comments.html",
    "records/chat-slack.txt",
    "records/chat-irc.txt",
    "records/email-mailbox.txt",
    "records/log-java.txt",
    "records/log-access.txt",
    "code/store.py",
    "code/store.css",
    "cases/case-06-fenced-code-with-hashes/input.md",
    "cases/case-07-setext-headings/input.md",
    "cases/case-10-markdown-table-rows-and-header/input.md",
    "cases/case-12-front-matter-and-html-blocks/input.md",
    "cases/case-19-json-nested-empty-and-long-values/input.json",
    "cases/case-20-japanese-sentences/input.txt",
    "cases/case-29-legal-numbered-clauses-and-toc/input.txt",
)
MADE = (
    "markdown_long",
    "prose",
    "hardwrapped",
    "csv_crlf",
    "cjk_zh",
    "thai",
    "arabic",
    "hindi",
    "korean_nfd",
    "emoji_zwj",
    "flags",
    "zalgo",
    "lone_surrogate",
    "exotic_breaks",
    "nest_list_300",
    "special_tokens",
)
"""Documents of `docgen.py` that are the same on every Python: none that asks which code points are assigned."""

MEDIA_TYPES = {".md": "text/markdown", ".html": "text/html", ".json": "application/json", ".py": "text/x-python"}
NAMES = (
    "characters", "tokens", "words", "lines", "sentences", "paragraphs", "delimiter", "recursive", "structural",
    "sections", "code", "hybrid", "semantic", "sentence-window",
)  # fmt: skip
SPECS: dict[str, dict[str, Any]] = {
    **{f"{name} {most}": {"strategy": name, "max_tokens": most} for name in NAMES for most in (64, 512)},
    "recursive overlap": {"strategy": "recursive", "max_tokens": 128, "overlap_tokens": 24},
    "sentences overlap": {"strategy": "sentences", "max_tokens": 64, "overlap_tokens": 12, "counter": "o200k_base"},
    "words trim": {"strategy": "words", "max_tokens": 64, "overlap_tokens": 8, "trim": True},
    "paragraphs blank": {"strategy": "paragraphs", "max_characters": 300, "blank": "keep"},
    "structural context": {"strategy": "structural", "max_tokens": 128, "context": "section"},
    "sections context": {"strategy": "sections", "max_tokens": 128, "context": "both"},
    "structural plain": {"strategy": "structural", "max_tokens": 64, "structure": "plain"},
    "recursive stable": {"strategy": spanwise.Recursive(stable=True), "max_tokens": 64},
}


def documents() -> dict[str, spanwise.Document]:
    """Give the forty documents by name: the first 20,000 characters of each."""
    from texts import docgen_documents

    read = {name: (DATA / name).read_bytes().decode() for name in FILES}
    made = docgen_documents()
    texts = {**read, **{name: made[name] for name in MADE}}
    return {
        name: spanwise.Document(
            id=name, text=text[:20_000], media_type=MEDIA_TYPES.get(Path(name).suffix, "text/plain")
        )
        for name, text in texts.items()
    }


def digests(specs: Iterable[str], names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Chunk these documents in these ways; a digest for each, by way and document."""
    all_documents = documents()
    made: dict[str, dict[str, str]] = {}
    for spec in specs:
        chunker = spanwise.Chunker(overflow="split", **SPECS[spec])
        made[spec] = {name: digest(chunker.chunk(all_documents[name])) for name in names}
    return made


def digest(chunks: Iterable[spanwise.Chunk]) -> str:
    """Say in 16 hexadecimal digits which spans, sizes, ids, sections and contexts these are."""
    fields = [(c.start, c.end, c.overlap, c.tokens, c.id, list(c.section), c.context) for c in chunks]
    return hashlib.sha256(json.dumps(fields, ensure_ascii=True).encode()).hexdigest()[:16]


def golden() -> dict[str, Any]:
    """Read the file."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Any])


def differences(made: dict[str, dict[str, str]], kept: dict[str, Any]) -> list[str]:
    """List what differs from the file, as `way: document`."""
    return [
        f"{spec}: {name}"
        for spec, of_documents in made.items()
        for name, value in of_documents.items()
        if kept["digests"][spec][name] != value
    ]


def main() -> None:
    """Print the digests, or write them to the file."""
    made = digests(SPECS, documents())
    written = {"boundary_version": BOUNDARY_VERSION, "digests": made}
    if "--write" in sys.argv[1:]:
        FILE.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    else:
        sys.stdout.write(json.dumps(written))


if __name__ == "__main__":
    main()
