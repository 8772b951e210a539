"""`spanwise diff` through click."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import spanwise as library

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Spanwise

PUMPS = "# Pumps\n\nIt moves water. It has one motor.\n\n## Seals\n\nUnplug first. Then turn.\n"


@pytest.fixture(autouse=True)
def _documents(folder: Path) -> None:
    """Put two versions of a handbook where the command runs."""
    for version, motors in (("may", "one motor"), ("june", "two motors")):
        (folder / version).mkdir()
        (folder / version / "pumps.md").write_bytes(PUMPS.replace("one motor", motors).encode())


@pytest.mark.parametrize(("old", "new"), [("may", "june"), ("may/pumps.md", "june/pumps.md")])
def test_a_table_of_what_is_different(spanwise: Spanwise, old: str, new: str) -> None:
    """Two folders with the same paths in them, or two single documents, are versions of one another."""
    result = spanwise("diff", old, new, "--max-tokens", "14")
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["added", "removed"]
    assert "# Pumps⏎It moves water. It has two motors." in lines[2]
    assert lines[-1] == "1 added · 0 changed · 1 moved · 1 removed · 0 kept"
    assert max(map(len, lines)) <= 80
    assert (result.stderr, result.exit_code) == ("", 1)
    assert "## Seals" in spanwise("diff", old, new, "--max-tokens", "14", "-v").stdout


def test_nothing_that_differs_is_status_0(spanwise: Spanwise, folder: Path) -> None:
    """Wherever the same document lies."""
    (folder / "copy").mkdir()
    (folder / "copy" / "pumps.md").write_bytes(PUMPS.encode())
    result = spanwise("diff", "may", "copy")
    assert (result.stdout, result.exit_code) == ("0 added · 0 changed · 0 moved · 0 removed · 1 kept\n", 0)
    assert spanwise("diff", "may", "copy", "--json").stdout == ""


def test_chunks_that_were_written_are_compared_with_documents(spanwise: Spanwise) -> None:
    """A line of JSON for each thing to do: the records to embed, those to update, the ids to delete."""
    options = ("--strategy", "sentences", "--max-tokens", "8")
    spanwise("chunk", "may", "-o", "chunks.jsonl", *options)
    result = spanwise("diff", "chunks.jsonl", "june", *options, "--json")
    done = [json.loads(line) for line in result.stdout.splitlines()]
    chunker = library.Chunker("sentences", max_tokens=8)
    old, new = (
        chunker.chunk(library.Document.from_file(f"{version}/pumps.md", id="pumps.md")) for version in ("may", "june")
    )
    difference = library.diff(old, new)
    assert [line["record"] for line in done if line["change"] in {"added", "changed"}] == difference.upserts()
    assert [line["record"] for line in done if line["change"] == "moved"] == difference.metadata_updates()
    assert [line["id"] for line in done if line["change"] == "removed"] == difference.deletes()
    assert (len(done) > 3, result.exit_code) == (True, 1)
    assert spanwise("diff", "chunks.jsonl", "may", *options).exit_code == 0


def test_one_side_may_be_standard_input(spanwise: Spanwise) -> None:
    """As a version of the document on the other side; but not both."""
    result = spanwise("diff", "may/pumps.md", "-", stdin=PUMPS.encode())
    assert result.exit_code == 0
    assert spanwise("diff", "-", "-", stdin=b"").exit_code == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "a"', "bad.jsonl, line 2: no JSON"),
        ("[1]", "bad.jsonl, line 2: a chunk is an object with text, start and end, got [1]"),
        ('{"text": "a"}', "bad.jsonl, line 2: 'id' is missing; the record of a chunk has id, document_id, start, "),
        ('{"id": "i", "document_id": "d", "start": 0.5}', "line 2: 'start' must be a whole number, got 0.5"),
        (
            '{"id": "i", "document_id": "d", "start": 0, "end": 2, "text": "a", "tokens": 1}',
            "line 2: the span 0:2 does not describe a text of 1 code points: 'a'",
        ),
        (
            '{"id": "i", "document_id": "d", "start": 0, "end": 1, "text": "a", "tokens": 1, "section": [1]}',
            "line 2: 'section' must be a list of strings, got [1]",
        ),
    ],
)
def test_a_line_that_is_no_chunk_is_named(spanwise: Spanwise, folder: Path, line: str, message: str) -> None:
    """With its file, its number and what to do; status 2."""
    spanwise("chunk", "may", "-o", "bad.jsonl")
    with (folder / "bad.jsonl").open("a") as file:
        file.write(line + "\n")
    result = spanwise("diff", "bad.jsonl", "june")
    assert message in result.stderr
    assert "write the file again with spanwise chunk … -o FILE.jsonl" in result.stderr
    assert (result.stdout, result.exit_code) == ("", 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.jsonl", "june"), "nothing.jsonl: cannot be read: No such file"),
        (("nothing.md", "june"), "no such file or folder: 'nothing.md'"),
        (("may", "june", "--max-tokens", "8", "--strategy", "nothing"), "unknown strategy 'nothing'"),
    ],
)
def test_trouble_is_status_2(spanwise: Spanwise, arguments: tuple[str, ...], message: str) -> None:
    """As of diff: so that a script can tell it from a difference."""
    result = spanwise("diff", *arguments)
    assert message in result.stderr
    assert result.exit_code == 2


def test_a_document_that_cannot_be_chunked_is_trouble(spanwise: Spanwise, folder: Path) -> None:
    """A word over the budget is no difference."""
    (folder / "june" / "pumps.md").write_text("x" * 900)
    result = spanwise("diff", "may", "june", "--max-characters", "40")
    assert "which is over max_characters=40" in result.stderr
    assert result.exit_code == 2
