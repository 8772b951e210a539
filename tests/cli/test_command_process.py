"""The command as a process of its own: bytes, pipes, signals, exit statuses."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from conftest import heed_interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Process

WORDS = "It moves water. " * 400


def records(output: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def test_standard_input_is_read_without_newline_translation(process: Process) -> None:
    """Bytes in, the same text out, whatever the locale."""
    text = "one\r\ntwo\rthree\n\x00\ufeffé"
    result = process("chunk", "-", "--format", "jsonl", stdin=text.encode(), LC_ALL="C", PYTHONUTF8="0")
    (record,) = records(result.stdout)
    assert (record["text"], record["document_id"], result.returncode) == (text, "-", 0)


def test_newlines_of_windows_stay_in_files(process: Process, folder: Path) -> None:
    """Offsets are those of the text as it is on the disk."""
    (folder / "a.md").write_bytes(b"one\r\ntwo\r\n")
    (record,) = records(process("chunk", "a.md", "--format", "jsonl").stdout)
    assert (record["text"], record["end"]) == ("one\r\ntwo\r\n", 10)


def test_standard_input_that_is_no_text_is_reported(process: Process) -> None:
    """With the byte, and status 1."""
    result = process("chunk", "-", stdin=b"caf\xe9")
    assert result.stderr.startswith(b"-: not utf-8 text: byte 0xe9 at 3")
    assert result.returncode == 1


def test_a_terminal_that_cannot_show_a_character_does_not_end_the_run(process: Process, folder: Path) -> None:
    """A table in ASCII shows numbers."""
    (folder / "a.md").write_bytes("# É\n\nü ≈ 1\n".encode())
    result = process("chunk", "a.md", PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stdout.isascii()) == (0, True)
    assert b"\\xc9" in result.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_utf8_passes_through_as_escaped_surrogates(process: Process, folder: Path) -> None:
    """JSON Lines stay UTF-8, and messages readable."""
    with open(os.fsencode(folder) + b"/caf\xe9.md", "wb") as file:  # noqa: PTH123  a name of bytes
        file.write(b"text")
    result = process("chunk", ".", "--format", "jsonl", "--verify")
    result.stdout.decode("utf-8")
    assert b'"document_id":"caf\\udce9.md"' in result.stdout
    assert [record["document_id"] for record in records(result.stdout)] == ["caf\udce9.md"]
    assert result.returncode == 0


def test_no_color_codes_where_output_is_no_terminal(process: Process, folder: Path) -> None:
    """Neither in tables nor in errors; NO_COLOR holds also where color is forced."""
    (folder / "a.md").write_text("text")
    shown = process("chunk", "a.md", "-v")
    forced = process("chunk", "a.md", "-v", NO_COLOR="1", FORCE_COLOR="1")
    flagged = process("chunk", "a.md", "-v", "--no-color", FORCE_COLOR="1")
    assert b"\x1b" not in shown.stdout + forced.stdout + flagged.stdout + process("chunk", "b.md").stderr
    assert shown.stdout == flagged.stdout


def test_a_closed_pipe_ends_the_run_without_a_word(folder: Path) -> None:
    """`spanwise chunk … | head -1`."""
    (folder / "a.md").write_text(WORDS * 40)
    command = [sys.executable, "-m", "spanwise", "chunk", "a.md", "--format", "jsonl", "--max-tokens", "16"]
    running = subprocess.Popen(  # noqa: S603  our own command
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": ":".join(sys.path)}
    )
    assert running.stdout is not None
    assert running.stderr is not None
    with running:
        assert running.stdout.readline().startswith(b'{"id":')
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


def test_a_closed_pipe_ends_a_table_the_same_way(folder: Path) -> None:
    """By 141, as what wrote into the pipe would be ended elsewhere, and not by the 1 of rich."""
    (folder / "a.md").write_text(WORDS * 40)
    command = [sys.executable, "-m", "spanwise", "chunk", "a.md", "--max-tokens", "16"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(  # noqa: S603  our own command
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().startswith(b"a.md")
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


def in_shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, where `spanwise` is the command."""
    script = f'spanwise() {{ "{sys.executable}" -m spanwise "$@"; }}; {line}'
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(  # noqa: S603  our own line
        ["/bin/sh", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is of Linux")
@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("spanwise chunk a.md > /dev/full", "to standard output"),
        ("spanwise chunk a.md --format jsonl > /dev/full", "to standard output"),
        ("spanwise chunk a.md -o /dev/full --format jsonl", "'/dev/full'"),
        ("spanwise strategies > /dev/full", "to standard output"),
        ("spanwise --help > /dev/full", "to standard output"),
        ("spanwise chunk --help > /dev/full", "to standard output"),
    ],
)
def test_a_full_disk_is_one_line_and_status_1(folder: Path, line: str, place: str) -> None:
    """It says what could not be written and why."""
    (folder / "a.md").write_text(WORDS)
    result = in_shell(folder, line)
    assert (result.stderr, result.returncode) == (f"error: cannot write {place}: No space left on device\n", 1)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("spanwise chunk a.md >&-", "error: standard output is closed; send it to a file"),
        ("spanwise strategies >&-", "error: standard output is closed; send it to a file"),
        ("spanwise chunk - <&-", "error: standard input is closed, so - cannot be read; give a file or a pipe"),
        ('spanwise chunk "$NOT_SET"', "error: a path is empty, perhaps a variable that is not set"),
        ('spanwise chunk a.md ""', "error: a path is empty, perhaps a variable that is not set"),
    ],
)
def test_a_stream_or_a_path_that_is_not_there_is_one_line_and_status_2(folder: Path, line: str, message: str) -> None:
    """Nothing is chunked."""
    (folder / "a.md").write_text("text")
    result = in_shell(folder, line)
    assert result.stderr.startswith(message)
    assert (result.stderr.count("\n"), result.stdout, result.returncode) == (1, "", 2)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
def test_without_standard_error_the_chunks_are_written_all_the_same(folder: Path) -> None:
    """Nobody listens to messages."""
    (folder / "a.md").write_text("text")
    result = in_shell(folder, "spanwise chunk a.md nothing.md --format jsonl 2>&-")
    assert (result.stdout, result.returncode) == ("", 2)
    result = in_shell(folder, "spanwise chunk a.md --format jsonl 2>&-")
    assert ([record["text"] for record in records(result.stdout.encode())], result.returncode) == (["text"], 0)


@pytest.fixture
def waiting(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command that has written one document and waits for the next, which is a pipe."""
    (folder / "a.md").write_text(WORDS)
    (folder / "out.jsonl").write_text("before\n")
    os.mkfifo(folder / "pipe")
    command = [sys.executable, "-m", "spanwise", "chunk", "a.md", "pipe", "-o", "out.jsonl"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(  # noqa: S603  our own command
        command,
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,  # noqa: PLW1509  one thread alone runs here
    ) as running:
        until = time.monotonic() + 30
        while not list(folder.glob(".out.jsonl.*.part")):
            assert time.monotonic() < until
            time.sleep(0.01)
        yield running
        running.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="signals and named pipes")
def test_ctrl_c_leaves_the_output_as_it_was(folder: Path, waiting: subprocess.Popen[bytes]) -> None:
    """Status 130, no traceback, no unfinished file."""
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(30) == 130
    assert (folder / "out.jsonl").read_text() == "before\n"
    assert list(folder.glob(".*.part")) == []
    assert waiting.stderr is not None
    assert b"Traceback" not in waiting.stderr.read()


@pytest.mark.skipif(sys.platform == "win32", reason="signals and named pipes")
def test_a_run_that_is_killed_leaves_the_output_as_it_was(folder: Path, waiting: subprocess.Popen[bytes]) -> None:
    """What is unfinished is hidden from the next run."""
    waiting.kill()
    waiting.wait(30)
    assert (folder / "out.jsonl").read_text() == "before\n"


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
def test_a_pipe_is_read_as_a_document(folder: Path, waiting: subprocess.Popen[bytes]) -> None:
    """As `<(command)` of the shell gives one."""
    (folder / "pipe").write_bytes(b"from a pipe")
    assert waiting.wait(30) == 0
    assert {record["document_id"] for record in records((folder / "out.jsonl").read_bytes())} == {"a.md", "pipe"}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("--version",), 0),
        (("chunk", "--help"), 0),
        (("nonsense",), 2),
        (("chunk", "nowhere"), 2),
        (("strategies",), 0),
    ],
)
def test_exit_statuses(process: Process, arguments: tuple[str, ...], status: int) -> None:
    """0 all is well, 2 wrong arguments."""
    assert process(*arguments).returncode == status


def test_help_and_version_load_no_engine(process: Process) -> None:
    """They answer at once."""
    script = "import sys\nfrom spanwise.cli.main import commands\ntry:\n    commands(['chunk', '--help'])\n"
    script += "except SystemExit:\n    print(sorted({'rich', 'gigatoken', 'numpy', 'tokenizers'} & set(sys.modules)))"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)  # noqa: S603
    assert result.stdout.splitlines()[-1] == b"[]"
    assert process("--version").stdout.startswith(b"spanwise")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_json_lines_on_a_terminal_are_escaped(folder: Path) -> None:
    """The same values, and nothing that the terminal would obey."""
    import pty

    text = "\x9b31m\x7f\u202e\x1b[2J é"
    (folder / "a.md").write_text(text, encoding="utf-8")
    terminal, end = pty.openpty()
    command = [sys.executable, "-m", "spanwise", "chunk", "a.md", "--format", "jsonl", "-q"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(command, cwd=folder, env=environment, stdout=end, check=True)  # noqa: S603  our own command
    os.close(end)
    written = os.read(terminal, 10_000)
    os.close(terminal)
    assert not set(written) & {0x1B, 0x7F, *range(0x80, 0x100)}
    assert [record["text"] for record in records(written)] == [text]


def test_completion_knows_commands_and_strategies(process: Process) -> None:
    """Switched on as --help says."""
    words = {"_SPANWISE_COMPLETE": "bash_complete", "COMP_CWORD": "3"}
    result = process(**words, COMP_WORDS="spanwise chunk --strategy se")
    assert result.stdout.split() == [
        b"plain,sentences",
        b"plain,sections",
        b"plain,semantic",
        b"plain,sentence-window",
    ]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_a_long_run_shows_on_a_terminal_how_far_it_is_and_at_the_end_what_failed(folder: Path) -> None:
    """Documents of how many, how many in a second, and the time that is left; then each failure with its reason."""
    import pty

    documents = [{"text": None if at == 7 else WORDS} for at in range(9_000)]
    (folder / "docs.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))
    terminal, end = pty.openpty()
    command = [sys.executable, "-m", "spanwise", "chunk", "docs.jsonl", "--text-column", "text", "-o", "out.jsonl"]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "COLUMNS": "120",
        "NO_COLOR": "1",
        "TERM": "xterm",
    }
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=end) as running:  # noqa: S603  our own command
        os.close(end)
        shown = b"".join(iter(lambda: _read_until_closed(terminal), b""))
    os.close(terminal)
    assert re.search(rb"chunking .*\d+/9000 +[\d,]+/s +\d:\d\d:\d\d", shown)
    assert shown.splitlines()[-2:] == [
        b"not chunked: 1 document",
        b"docs.jsonl:8: 'text' is null, so there is no text",
    ]
    assert running.returncode == 1


def _read_until_closed(terminal: int) -> bytes:
    try:
        return os.read(terminal, 100_000)
    except OSError:  # as Linux says that nobody writes any longer
        return b""


def test_among_tables_failures_are_told_at_the_end(process: Process, folder: Path) -> None:
    """Each with its document and its reason."""
    for name in "abc":
        (folder / f"{name}.md").write_text("fine")
    (folder / "a.md").write_bytes(b"caf\xe9")
    command = [sys.executable, "-m", "spanwise", "chunk", "a.md", "b.md", "c.md"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    shown = subprocess.run(  # noqa: S603  our own command
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    ).stdout
    assert shown.splitlines()[-2] == b"not chunked: 1 document"
    assert shown.splitlines()[-1].startswith(b"a.md: not utf-8 text: byte 0xe9 at 3")
    assert process("chunk", "a.md").returncode == 1
