"""Any text as Markdown."""

from __future__ import annotations

import json
from pathlib import Path

from promises import SETTINGS, check_promises
from runner import fuzz

SPECIFICATION = Path(__file__).parent.parent / "tests/data/commonmark/spec-0.31.2.json"
WORDS = (
    *(b"# ", b"\n\n", b"===\n", b"---\n", b"```\n", b"~~~", b"- ", b"1. ", b"> ", b"    ", b"\t", b"| a |", b"|---|\n"),
    *(
        b"<div>",
        b"<!--",
        b"-->",
        b"[^1]: ",
        b"[a]: b\n",
        b"![",
        b"](",
        b"**",
        b"$$\n",
        b":::\n",
        b"\r\n",
        b"\r",
        b"\x00",
    ),
    *(b"\xef\xbb\xbf", "👨\u200d👩".encode(), "。".encode(), "e\u0301".encode(), b"<|endoftext|>", b"\xed\xa0\x80"),
)


def check(data: bytes) -> None:
    """Chunk any text as Markdown."""
    check_promises(data, "text/markdown")


def seeds() -> list[bytes]:
    """Give the examples of CommonMark, a dozen together, each with other settings."""
    examples = [example["markdown"] for example in json.loads(SPECIFICATION.read_text(encoding="utf-8"))]
    texts = ["\n\n".join(examples[at : at + 12]).encode() for at in range(0, len(examples), 12)]
    return [SETTINGS[number % len(SETTINGS)] + text for number, text in enumerate(texts)]


if __name__ == "__main__":
    fuzz("markdown", check, seeds(), WORDS)
