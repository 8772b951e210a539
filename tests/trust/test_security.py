"""What nobody can make spanwise do with a document, a name or a settings file. SECURITY.md says it in words.

What a terminal is shown is tested in cli/test_shown_text.py, broken office files in loading/test_broken_files.py.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import spanwise as library
from spanwise import ChunkerRegistry, ConfigurationError, Document, SpanwiseError
from spanwise.corpus import MAX_BYTES, read_chunks
from spanwise.corpus.writing import open_output
from spanwise.errors import shown

if TYPE_CHECKING:
    from conftest import Spanwise

SOURCE = Path(library.__file__).parent
NOT_IMPORTED = {
    *("pickle", "marshal", "shelve", "dill", "yaml", "socket", "ssl", "urllib", "http", "ftplib", "requests", "httpx"),
    *("subprocess", "ctypes", "code", "xmlrpc", "xml", "webbrowser"),
}
ALLOWED = {
    # what goes to a worker process and comes back, over pipes that only these two hold; never a file
    ("workers.py", "pickle"),
    # the same between Ray and its workers, which pickles all that they tell each other; and asking whether anybody
    # listens at RAY_ADDRESS
    ("corpus/ray.py", "pickle"),
    ("corpus/ray.py", "socket"),
}
NOT_CALLED = {"eval", "exec", "compile", "__import__", "system", "popen"}
DEEP = 200_000


@cache
def trees() -> list[tuple[str, ast.Module]]:
    """Parse the source."""
    files = sorted(SOURCE.rglob("*.py"))
    return [(file.relative_to(SOURCE).as_posix(), ast.parse(file.read_text(encoding="utf-8"))) for file in files]


def test_nothing_that_runs_or_fetches_what_it_is_given_is_imported() -> None:
    """No pickle of a file, no YAML, no network, no commands, no XML with its entities."""
    imported = set()
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imported |= {(name, alias.name.partition(".")[0]) for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                imported.add((name, node.module.partition(".")[0]))
    assert {(name, module) for name, module in imported if module in NOT_IMPORTED} == ALLOWED


def test_no_text_is_run_as_code() -> None:
    """Neither by name nor as a method of os; `re.compile` is another."""
    called = set()
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called.add((name, node.func.id))
            elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("os.", "builtins.")):
                called.add((name, str(getattr(node.func, "attr", ""))))
    assert {(name, function) for name, function in called if function in NOT_CALLED} == set()


@pytest.mark.parametrize("output", ["out.jsonl", "../out.jsonl", "below/../out.jsonl", "{root}/out.jsonl"])
def test_what_is_written_is_the_file_that_is_named(spanwise: Spanwise, folder: Path, output: str) -> None:
    """Whatever the path to it, with its state beside it, and nothing else anywhere."""
    (folder / "below").mkdir()
    (folder / "a.md").write_text("It moves water.")
    written = Path(output.format(root=folder))
    before = files_below(folder.parent)
    result = spanwise("chunk", "a.md", "-o", str(written))
    target = Path(os.path.normpath(folder / written))
    assert result.exit_code == 0, result.stderr
    assert files_below(folder.parent) - before == {target, target.with_name(target.name + ".spanwise-state")}


def test_a_link_is_written_through_and_stays(spanwise: Spanwise, folder: Path) -> None:
    """The file that it leads to is replaced as a whole; its neighbours are left alone."""
    (folder / "real").mkdir()
    (folder / "real" / "old.jsonl").write_text("old\n")
    (folder / "link.jsonl").symlink_to(folder / "real" / "old.jsonl")
    (folder / "a.md").write_text("It moves water.")
    assert spanwise("chunk", "a.md", "-o", "link.jsonl", "--no-state").exit_code == 0
    assert (folder / "link.jsonl").is_symlink()
    assert json.loads((folder / "real" / "old.jsonl").read_text())["text"] == "It moves water."
    assert [file.name for file in (folder / "real").iterdir()] == ["old.jsonl"]


def test_a_path_that_holds_a_nul_writes_nothing(tmp_path: Path) -> None:
    """No system takes one, and no part of the name before it is taken for the name."""
    with pytest.raises((ValueError, SpanwiseError)), open_output(tmp_path / "out.jsonl\0.txt"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_document_id_is_never_a_path(spanwise: Spanwise, folder: Path) -> None:
    """It stands in the record as it is, and names no file."""
    ids = ["../../escaped", "/tmp/escaped", "a\0b", "CON", "C:\\escaped", "~", "\x1b[2J"]  # noqa: S108  it is not used
    rows = (json.dumps({"id": document_id, "text": "It moves water."}) for document_id in ids)
    (folder / "rows.jsonl").write_text("\n".join(rows))
    before = files_below(folder.parent)
    result = spanwise("chunk", "rows.jsonl", "--text-column", "text", "-o", "out.jsonl", "--changes", "changes.jsonl")
    assert result.exit_code == 0, result.stderr
    assert [chunk.document_id for chunk in read_chunks(folder / "out.jsonl")] == ids
    new = {"out.jsonl", "out.jsonl.spanwise-state", "changes.jsonl"}
    assert files_below(folder.parent) - before == {folder / name for name in new}
    assert "\x1b" not in result.stderr


def files_below(folder: Path) -> set[Path]:
    """List all files below a folder."""
    return {path for path in folder.rglob("*") if path.is_file()}


def test_64_megabytes_are_the_most_unless_more_is_asked_for(spanwise: Spanwise, folder: Path) -> None:
    """A file that says it is smaller, as those of /proc do, is read no further either."""
    assert MAX_BYTES == 64 * 2**20
    with (folder / "big.md").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    result = spanwise("chunk", "big.md")
    assert (result.exit_code, "larger than the limit of 67,108,864 bytes" in result.stderr) == (1, True)


@pytest.mark.parametrize("way", ["module", "script"])
def test_no_module_is_taken_from_the_folder_of_the_documents(folder: Path, way: str) -> None:
    """A `json.py` beside them is not imported by the command, nor by `python -I -m spanwise`."""
    for module in ("json", "numpy", "click", "regex", "rich", "tomllib", "spanwise", "sitecustomize", "pyromark"):
        (folder / f"{module}.py").write_text("raise SystemExit('taken from the folder of the documents')\n")
    (folder / "a.md").write_text("# Pump\n\nIt moves water.")
    # what the console script of a package does: its folder, and not the one here, comes first
    script = folder.parent / "spanwise-script.py"
    script.write_text("import sys\nfrom spanwise.cli.main import main\nmain()\n")
    paths = [str(SOURCE.parent), *{sysconfig.get_path("purelib"), *(p for p in sys.path if "site-packages" in p)}]
    isolated = f"import sys, runpy; sys.path += {paths!r}; sys.argv[0] = 'spanwise'; "
    command = {
        "module": [sys.executable, "-I", "-c", isolated + "runpy.run_module('spanwise', run_name='__main__')"],
        "script": [sys.executable, str(script)],
    }[way]
    ran = subprocess.run(  # noqa: S603  our own command
        [*command, "chunk", "a.md", "--format", "jsonl"],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        | ({"PYTHONPATH": os.pathsep.join(paths)} if way == "script" else {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["text"] == "# Pump\n\nIt moves water."


def test_entities_are_neither_read_nor_expanded() -> None:
    """What a document type declares stays text: no file is read, and a billion laughs are a few."""
    lol = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    text = f'<!DOCTYPE html [<!ENTITY l0 "lol">{lol}<!ENTITY f SYSTEM "file:///etc/passwd">]>\n<p>&l9; &f;</p>'
    for media_type in ("text/html", "application/xhtml+xml", "text/plain", "application/xml"):
        chunks = library.chunk(Document(text=text, media_type=media_type), max_characters=5_000)
        assert [chunk.text for chunk in chunks] == [text]
        assert all(len(chunk.plain or "") <= len(text) and "root:" not in (chunk.plain or "") for chunk in chunks)


@pytest.mark.parametrize("opening", ["[", '{"a":', "<div>", "<ul><li>", "> ", "- ", "(", "**", "\\begin{a}", "[["])
@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown", "text/html", "application/json"])
def test_what_lies_deep_in_one_another_is_chunked(opening: str, media_type: str) -> None:
    """Without recursion, as 10,000 characters."""
    text = opening * (10_000 // len(opening))
    chunks = library.chunk(Document(text=text, media_type=media_type), max_characters=2_000, overflow="split")
    assert sum(len(chunk.text) for chunk in chunks) >= len(text.strip())


def test_json_that_is_too_deep_is_text_or_refused(tmp_path: Path) -> None:
    """As a file, as a tokenizer, and as lines of chunks."""
    path = tmp_path / "deep.json"
    path.write_text('{"a":' * DEEP)
    assert len(library.load(path).text) == 5 * DEEP
    with pytest.raises(ConfigurationError, match=r"deep\.json' is no tokenizer\.json: it is not JSON"):
        library.counter(str(path))
    with pytest.raises(SpanwiseError, match=r"deep\.json, line 1: no JSON"):
        list(read_chunks(path))


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        (f"[default]\noptions = {{ a = {'[' * DEEP}", "too deep in one another to be read"),
        (f"[default]\nmax_tokens.{'.'.join('a' * 3_000)} = 1", "<dict too large to show>"),
        (f"[default]\nmax_tokens = {'9' * 5_000}", "not read: Exceeds the limit"),
        ('[default]\ncounter = "a\\u0000.json"', "cannot be read: embedded null byte"),
        (f'[default]\ncounter = "{"a" * 5_000}.json"', "cannot be read: .*File name too long"),
        (f'[default]\ncounter = "{"a" * 5_000}"', "unknown counter"),
    ],
)
def test_settings_that_no_one_means_are_one_error(tmp_path: Path, settings: str, fault: str) -> None:
    """Which names the file, whatever it holds."""
    path = tmp_path / "spanwise.toml"
    path.write_text(settings)
    with pytest.raises(ConfigurationError, match=fault) as raised:
        ChunkerRegistry.from_file(path).chunker_for("any")
    assert str(path) in str(raised.value)


def test_a_value_that_cannot_be_written_is_named_by_its_kind() -> None:
    """What is too deep, and a number of too many digits."""
    deep: list[object] = []
    for _ in range(3_000):
        deep = [deep]
    assert (shown(deep), shown(10**5_000)) == ("<list too large to show>", "<int too large to show>")
