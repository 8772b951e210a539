"""Any arguments for the command: it ends with a status that the help names, and never with a traceback."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from click.testing import CliRunner

from runner import fuzz, instrumented

with instrumented():
    from spanwise.cli.main import commands

STATUSES = {0, 1, 2}
LINES = (
    "chunk a.md --max-tokens 16 -v",
    "chunk a.md b.html c.jsonl --format jsonl --overlap-tokens 3 --verify",
    "chunk . -o out.jsonl --changes changes.jsonl",
    "chunk . -o out.parquet --context both --strategy sections",
    "chunk - --format jsonl --encoding utf-16 --max-characters 90 -q",
    "chunk *.md --option min_fill=0.5 --overflow split --trim --blank keep --structure html",
    "chunk c.jsonl --text-column text --id-column id -o out.jsonl --no-state",
    "chunk a.md --counter characters --ceiling 20 --warn-at 0.5 --ceiling-counter o200k_base",
    "chunk . --settings s.toml --collection a --max-bytes 40 --no-rechunk --no-color -vv",
    "diff a.md b.html",
    "diff out.jsonl .",
    "strategies --json",
    "--help",
    "--version",
)
WORDS = tuple(word.encode() for line in LINES for word in line.split())
SEPARATOR = "\x1f"
ALONE = ("--workers",)  # it would start as many processes as it is told to


def check(data: bytes) -> None:
    """Run the command with any arguments over a few files; what follows the first line is standard input."""
    line, _, given = data.partition(b"\n")
    # no path leads out of the folder, and no argument holds what a system cannot pass on
    words = line.decode("utf-8", "surrogateescape").replace("/", "_").replace("\0", "").split(SEPARATOR)
    arguments = [word for word in words if not word.startswith(ALONE) and ".." not in word]
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("a.md").write_text("# Pump\n\nIt moves water.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8")
            Path("b.html").write_text("<h1>Pump</h1><p>It moves water.", encoding="utf-8")
            Path("c.jsonl").write_text('{"id": 1, "text": "One. Two."}\n{"id": 2, "text": ""}\n', encoding="utf-8")
            Path("s.toml").write_text('[collections.a]\nstrategy = "words"\nmax_tokens = 9\n', encoding="utf-8")
            result = CliRunner().invoke(commands, arguments, input=given, prog_name="spanwise")
        finally:
            os.chdir(before)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in STATUSES, result.exit_code
    assert "Traceback" not in result.stderr


def seeds() -> list[bytes]:
    """Give the lines of the help and others."""
    return [SEPARATOR.join(line.split()).encode() + b"\nIt moves water." for line in LINES]


if __name__ == "__main__":
    fuzz("command", check, seeds(), WORDS)
