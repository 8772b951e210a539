"""`spanwise chunk` through click."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import pytest

import spanwise as library
from oracles import DATA
from spanwise.packing.fill import Fill
from spanwise.strategies import registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Spanwise
    from spanwise.packing.page import Page, Piece

PUMPS = "# Pumps\n\nIt moves water. It has one motor.\n\n## Seals\n\nUnplug first. Then turn.\n"


@pytest.fixture(autouse=True)
def handbook(folder: Path) -> Path:
    """Put a document where the command runs."""
    path = folder / "handbook.md"
    path.write_bytes(PUMPS.encode())
    return path


def records(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def test_the_table_shows_each_chunk_and_a_summary(spanwise: Spanwise) -> None:
    """Index, lines, tokens, section and first words, in 80 columns."""
    result = spanwise("chunk", "handbook.md", "--max-tokens", "14")
    rows = [re.split(r"\s{2,}", line.strip()) for line in result.stdout.splitlines()]
    assert rows[0] == ["handbook.md", "markdown", "2 chunks"]
    assert rows[1] == ["#", "lines", "tokens", "section", "first words"]
    assert rows[3] == ["0", "1–4", "13", "Pumps", "# Pumps⏎It moves water. It has one motor."]
    assert rows[4][:4] == ["1", "5–7", "11", "Pumps › Seals"]
    assert result.stdout.splitlines()[-1] == "1 document · 2 chunks · tokens 11 min, 12 median, 13 max · fill 93% of 14"
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert (result.stderr, result.exit_code) == ("", 0)


def test_json_lines_are_the_records_of_the_library(spanwise: Spanwise, folder: Path) -> None:
    """To a file and to standard output alike; messages go to standard error."""
    document = library.Document.from_file("handbook.md")
    expected = [chunk.record() for chunk in library.chunk(document, "sentences", max_tokens=8)]
    options = ("chunk", "handbook.md", "--strategy", "sentences", "--max-tokens", "8")
    shown = spanwise(*options, "--format", "jsonl")
    written = spanwise(*options, "-o", "chunks.jsonl")
    assert records(shown.stdout) == records((folder / "chunks.jsonl").read_text()) == expected
    assert "1 document · 5 chunks" in shown.stderr
    assert (written.stdout, written.exit_code) == ("", 0)


@pytest.mark.parametrize("arguments", [("-o", "-"), ("--output=-", "--format", "jsonl")])
def test_a_dash_as_output_is_standard_output(spanwise: Spanwise, folder: Path, arguments: tuple[str, ...]) -> None:
    """As JSON Lines; no file of that name is made."""
    result = spanwise("chunk", "handbook.md", *arguments)
    assert result.stdout == spanwise("chunk", "handbook.md", "--format", "jsonl").stdout
    assert (len(records(result.stdout)), result.exit_code) == (1, 0)
    assert [path.name for path in folder.iterdir()] == ["handbook.md"]


@pytest.mark.parametrize("encoding", ["undefined", "utf-9", "", "hex"])
def test_what_is_no_text_encoding_is_refused(spanwise: Spanwise, encoding: str) -> None:
    """Before anything is read; some codecs refuse even the empty text."""
    result = spanwise("chunk", "handbook.md", "--encoding", encoding)
    assert f"--encoding: Python knows no text encoding {encoding!r}" in result.stderr
    assert (result.stdout, result.exit_code) == ("", 2)


def test_every_option_reaches_the_chunker(spanwise: Spanwise) -> None:
    """As the spec of the chunks says."""
    result = spanwise(
        *("chunk", "handbook.md", "--format", "jsonl", "-q", "--strategy", "recursive", "--max-characters", "30"),
        *("--overlap-characters", "5", "--counter", "o200k_base", "--option", 'separators=["\\n\\n", ". "]'),
        *("--overflow", "split", "--trim", "--blank", "keep"),
    )
    chunker = library.Chunker(
        library.Recursive(separators=("\n\n", ". ")),
        max_characters=30,
        overlap_characters=5,
        counter="o200k_base",
        overflow="split",
        trim=True,
        blank="keep",
    )
    expected = chunker.chunk(library.Document.from_file("handbook.md"))
    assert records(result.stdout) == [chunk.record() for chunk in expected]


def test_characters_are_called_characters(spanwise: Spanwise) -> None:
    """The unit of the sizes is that of the counter."""
    result = spanwise("chunk", "handbook.md", "--max-characters", "40")
    assert "characters" in result.stdout
    assert "tokens" not in result.stdout


def test_verbosity_shows_the_beginning_then_the_whole_text(spanwise: Spanwise) -> None:
    """By -v, -vv or the variable; the settings are named with their sources."""
    once, twice = (spanwise("chunk", "handbook.md", flag).stdout for flag in ("-v", "-vv"))
    assert "settings: strategy structural (default)" in once
    assert "  # Pumps⏎It moves water. It has one motor.⏎## Seals⏎Unplug first. Then turn." in once
    assert "  ## Seals\n" in re.sub(r" +\n", "\n", twice)


def test_the_variable_sets_the_verbosity_that_an_argument_beats(
    spanwise: Spanwise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SPANWISE_VERBOSITY is 0 to 2."""
    twice = spanwise("chunk", "handbook.md", "-vv").stdout
    monkeypatch.setenv("SPANWISE_VERBOSITY", "2")
    assert spanwise("chunk", "handbook.md").stdout == twice
    assert spanwise("chunk", "handbook.md", "-v").stdout != twice


def test_quiet_shows_errors_alone(spanwise: Spanwise, folder: Path) -> None:
    """And writes JSON Lines all the same."""
    assert (spanwise("chunk", "handbook.md", "-q").output, spanwise("chunk", "handbook.md", "-q").exit_code) == ("", 0)
    assert spanwise("chunk", "handbook.md", "-q", "-o", "out.jsonl").output == ""
    assert len(records((folder / "out.jsonl").read_text())) == 1


def test_settings_come_from_call_environment_file_in_this_order(
    spanwise: Spanwise, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is ./spanwise.toml, or the one that is named."""
    (folder / "spanwise.toml").write_text("[default]\nmax_tokens = 40\n[collections.small]\nmax_tokens = 30\n")
    (folder / "other.toml").write_text("[default]\nmax_characters = 60\n")

    def budget(*arguments: str) -> str:
        result = spanwise("chunk", "handbook.md", "-v", *arguments)
        return result.stdout.splitlines()[-1].removeprefix("settings: strategy structural (default), ")

    assert budget() == "max_tokens 40 (spanwise.toml [default] max_tokens)"
    assert budget("--collection", "small") == "max_tokens 30 (spanwise.toml [collections.small] max_tokens)"
    assert budget("--settings", "other.toml") == "max_characters 60 (other.toml [default] max_characters)"
    monkeypatch.setenv("SPANWISE_MAX_TOKENS", "20")
    assert budget("--collection", "small") == "max_tokens 20 (SPANWISE_MAX_TOKENS)"
    assert budget("--max-characters", "50") == "max_characters 50 (--max-characters)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'PATH...'"),
        (("nope.md",), "no such file or folder: 'nope.md'"),
        (("handbook.md", "--max-tokens", "0"), "0 is not in the range x>=1"),
        (
            ("handbook.md", "--strategy", "sentnces"),
            "--strategy: unknown strategy 'sentnces', did you mean 'sentences'",
        ),
        (("handbook.md", "--option", "min_fil=1"), "--option min_fil: strategy 'structural' has no option 'min_fil'"),
        (("handbook.md", "--option", "min_fill"), "--option 'min_fill' is not KEY=VALUE"),
        (("handbook.md", "--option", "min_fill=x"), "--option min_fill: option 'min_fill' of strategy 'structural'"),
        (("handbook.md", "--counter", "cl100"), "unknown counter 'cl100'"),
        (
            ("handbook.md", "-o", "x.csv"),
            "-o x.csv: by the suffix of the file, only .jsonl and .ndjson (JSON Lines), .parquet and .lance",
        ),
        (("handbook.md", "-o", "x.jsonl", "--format", "table"), "-o writes records"),
        (("handbook.md", "--format", "parquet"), "--format parquet needs a file to write to: -o FILE.parquet"),
        (("handbook.md", "--id-column", "text"), "--id-column text: that is the column of the texts; name another"),
        (("handbook.md", "--text-column", "body"), "nothing here is one: .parquet, .jsonl or .ndjson"),
        (("handbook.md", "-o", "nowhere/x.jsonl"), "cannot write 'nowhere/x.jsonl': No such file or directory"),
        (("handbook.md", "-q", "-v"), "-q and -v contradict each other"),
        (("handbook.md", "--encoding", "utf-9"), "--encoding: Python knows no text encoding 'utf-9'"),
        (("handbook.md", "--settings", "nope.toml"), "nope.toml: cannot read the settings file"),
        (("handbook.md", "--collection", "a"), "--collection 'a' needs a settings file, and there is no spanwise.toml"),
        (
            ("handbook.md", "--strategy", "words", "--max-tokens", "4", "--overlap-tokens", "4"),
            "overlap_tokens=4 is not smaller than max_tokens=4",
        ),
    ],
)
def test_a_wrong_argument_is_one_line_and_status_2(
    spanwise: Spanwise, arguments: tuple[str, ...], message: str
) -> None:
    """It shows the value and the repair, and nothing is written."""
    result = spanwise("chunk", *arguments)
    assert message in result.stderr
    assert (result.stdout, result.exit_code) == ("", 2)
    assert "Traceback" not in result.stderr


def test_an_unknown_collection_is_refused_with_the_near_match(spanwise: Spanwise, folder: Path) -> None:
    """Although there is a default: the name was typed by hand."""
    (folder / "spanwise.toml").write_text("[default]\n[collections.handbook]\n")
    result = spanwise("chunk", "handbook.md", "--collection", "handbok")
    expected = "error: spanwise.toml: no collection 'handbok', did you mean 'handbook'? Known: handbook.\n"
    assert (result.stderr, result.exit_code) == (expected, 2)


def test_sizes_that_contradict_each_other_name_what_was_not_typed(
    spanwise: Spanwise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An overlap from the environment is easily forgotten."""
    monkeypatch.setenv("SPANWISE_OVERLAP_TOKENS", "60")
    result = spanwise("chunk", "handbook.md", "--strategy", "words", "--max-tokens", "50")
    assert result.stderr.endswith("; overlap_tokens 60 is set by SPANWISE_OVERLAP_TOKENS\n")
    assert result.exit_code == 2


def test_a_document_that_cannot_be_chunked_does_not_stop_the_others(spanwise: Spanwise, folder: Path) -> None:
    """Each is reported with its reason, and the status is 1."""
    (folder / "docs").mkdir()
    (folder / "docs/a.md").write_text("fine")
    (folder / "docs/b.md").write_text("fine " + "x1" * 500)
    (folder / "docs/c.md").write_bytes(b"caf\xe9")
    (folder / "docs/d.txt").write_bytes(b"\0\0")
    result = spanwise("chunk", "docs", "--max-tokens", "20", "--format", "jsonl")
    assert [record["document_id"] for record in records(result.stdout)] == ["a.md"]
    refused, unreadable, summary, left_out, failed = result.stderr.splitlines()
    assert "b.md" in refused
    assert unreadable.startswith("docs/c.md: not utf-8 text: byte 0xe9 at 3")
    assert unreadable.endswith("name its encoding, for instance --encoding cp1252")
    assert summary.startswith("1 document · 1 chunk")
    assert (left_out, failed) == ("left out: 1 binary", "not chunked: 2 documents")
    assert result.exit_code == 1


def test_encoding_and_size_are_as_asked(spanwise: Spanwise, folder: Path) -> None:
    """Files of Windows, and dumps that are no documents."""
    (folder / "old.txt").write_bytes("café\r\n".encode("cp1252"))
    result = spanwise("chunk", "old.txt", "--encoding", "cp1252", "--format", "jsonl", "-q")
    assert records(result.stdout)[0]["text"] == "café\r\n"
    refused = spanwise("chunk", "old.txt", "--max-bytes", "5")
    assert (refused.exit_code, refused.stderr) == (
        1,
        "old.txt: larger than the limit of 5 bytes; raise it with --max-bytes\n",
    )


def test_verify_says_that_promises_are_kept(spanwise: Spanwise) -> None:
    """With overlap and trim too."""
    result = spanwise(
        *("chunk", "handbook.md", "--strategy", "words", "--max-tokens", "9", "--overlap-tokens", "3"),
        *("--trim", "--verify"),
    )
    assert result.stdout.splitlines()[-1] == "every promise is kept"
    assert result.exit_code == 0


class Losing:
    """A packer of a user that forgets the end of each document."""

    def pack(self, page: Page) -> Iterator[Piece]:
        yield from list(Fill().pack(page))[:-1]


class Forgetful:
    """A strategy of a user, with that packer."""

    def plan(self) -> library.Plan:
        return library.Plan(ladder=library.Lines().plan().ladder, packer=Losing())


def test_verify_reports_a_broken_promise_with_status_1(
    spanwise: Spanwise, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strategies that users register can lose text; that is seen."""
    monkeypatch.setattr(registry, "_registered", {"forgetful": lambda _: Forgetful()})
    (folder / "a.txt").write_text("one\ntwo\n")
    result = spanwise("chunk", "a.txt", "--strategy", "forgetful", "--max-characters", "4", "--verify")
    assert result.exit_code == 1
    assert result.stderr.startswith("a.txt: breaks P3: ")
    assert "every promise" not in result.stdout


def test_document_text_is_shown_and_not_obeyed(spanwise: Spanwise, folder: Path) -> None:
    """Neither escape sequences nor rich's markup nor bidirectional controls, at any verbosity, in name or text."""
    (folder / "[bold]x[red].md").write_text(
        "# [red]A[/red]\x1b[31m\n\n:smile: [link=http://x]b\u202e[/]\x1b]0;title\x07\n"
    )
    for verbosity in ("--no-color", "-v", "-vv"):
        output = spanwise("chunk", "[bold]x[red].md", verbosity).stdout
        assert not set(output) & {"\x1b", "\x07", "\u202e"}
        assert "[red]A[/red]␛[31m" in output


def test_the_output_is_no_document_of_the_next_run(spanwise: Spanwise, folder: Path) -> None:
    """`spanwise chunk . -o chunks.jsonl` gives the same twice."""
    spanwise("chunk", ".", "-o", "chunks.jsonl")
    first = (folder / "chunks.jsonl").read_bytes()
    again = spanwise("chunk", ".", "-o", "chunks.jsonl")
    assert (folder / "chunks.jsonl").read_bytes() == first
    assert "left out: 2 written by the run" in again.stderr


def test_an_empty_and_a_blank_document_have_no_chunks(spanwise: Spanwise, folder: Path) -> None:
    """And are no failures."""
    (folder / "empty.md").touch()
    (folder / "blank.md").write_text("\n \n")
    result = spanwise("chunk", "empty.md", "blank.md")
    assert result.stdout.splitlines()[-1] == "read as: 2 markdown"
    assert result.exit_code == 0


def test_strategies_are_listed_as_table_and_json(spanwise: Spanwise) -> None:
    """With aliases, options and overlap."""
    table = spanwise("strategies")
    assert "options: min_fill=0.35" in table.stdout
    assert max(map(len, table.stdout.splitlines())) <= 80
    listed = json.loads(spanwise("strategies", "--format", "json").stdout)
    assert [entry["name"] for entry in listed] == [info.name for info in library.strategies()]
    structural = next(entry for entry in listed if entry["name"] == "structural")
    assert structural["options"]["min_fill"] == 0.35
    assert (structural["aliases"], structural["overlap"]) == (["structure"], False)


def test_help_explains_with_examples_and_completion(spanwise: Spanwise) -> None:
    """What a newcomer reads first."""
    assert "spanwise chunk docs/ -o chunks.jsonl" in spanwise("chunk", "--help").stdout
    assert "_SPANWISE_COMPLETE=bash_source spanwise" in spanwise("--help").stdout


def test_the_summary_tells_of_chunks_near_the_ceiling(spanwise: Spanwise, folder: Path) -> None:
    """One line for the run with the setting to change, the chunks and the exit status as without it."""
    (folder / "motors.md").write_text("It has only one motor that moves it all day long. " * 2)
    options = ("chunk", "handbook.md", "motors.md", "--max-tokens", "14")
    plain, told = spanwise(*options), spanwise(*options, "--ceiling", "16", "--warn-at", "0.8")
    assert told.stdout == plain.stdout + (
        "near the ceiling of 16: 3 chunks of 2 documents; the largest has 13 (handbook.md #0); try --max-tokens 12\n"
    )
    assert (told.stderr, told.exit_code) == ("", 0)
    over = spanwise(*options, "--ceiling", "9", "--ceiling-counter", "words", "--format", "jsonl")
    assert over.stdout == spanwise(*options, "--format", "jsonl").stdout
    assert "near the ceiling of 9: 3 chunks of 2 documents, 2 over it; the largest has 11 (motors.md #0)" in over.stderr
    assert "(motors.md #0); try --max-tokens 9, or --counter words --max-tokens 8 to be sure\n" in over.stderr
    assert "CeilingWarning" not in over.stderr
    quiet = spanwise(*options, "--ceiling", "1", "-q")
    assert (quiet.output, quiet.exit_code) == ("", 0)


def test_a_share_of_no_ceiling_is_refused_with_its_source(spanwise: Spanwise, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that was forgotten is named."""
    monkeypatch.setenv("SPANWISE_WARN_AT", "0.8")
    refused = spanwise("chunk", "handbook.md")
    assert "warn_at=0.8 says nothing without a ceiling" in refused.stderr
    assert "warn_at 0.8 is set by SPANWISE_WARN_AT" in refused.stderr
    assert refused.exit_code == 2
    assert spanwise("chunk", "handbook.md", "--ceiling", "512").exit_code == 0
    assert spanwise("chunk", "handbook.md", "--warn-at", "0").exit_code == 2


def test_an_office_file_that_is_named_is_read_by_docling(spanwise: Spanwise, folder: Path) -> None:
    """By its name or by a pattern; in a folder it is another kind of file."""
    (folder / "docs").mkdir()
    (folder / "docs/manual.docx").write_bytes((DATA / "docling" / "manual.docx").read_bytes())
    for argument in ("docs/manual.docx", "docs/*.docx"):
        written = records(spanwise("chunk", argument, "--format", "jsonl", "--strategy", "docling").stdout)
        assert [record["document_id"] for record in written] == ["docs/manual.docx"] * len(written)
        assert str(written[0]["text"]).startswith("# Pump manual\n")
        assert written[0]["docling_headings"] == ["Pump manual"]
    assert "other kind of file" in spanwise("chunk", "docs").output


def test_an_office_file_without_the_extra_names_it(
    spanwise: Spanwise, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the run goes on."""
    monkeypatch.setitem(sys.modules, "docling", None)
    (folder / "a.docx").write_bytes(b"PK")
    result = spanwise("chunk", "a.docx")
    assert result.exit_code == 1
    assert 'pip install "spanwise[docling]"' in result.output
