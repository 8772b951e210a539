"""Runs that follow runs: what is unchanged is not chunked again, and a run that was killed has not happened."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanwise as library
from oracles import DATA, EXAMPLES
from spanwise import Document
from spanwise.corpus import Chunked, Job, Read, Unchanged, open_run, run
from spanwise.corpus import output as output_module
from spanwise.corpus import writing as writing_module
from spanwise.corpus.state import Fingerprints, load

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from conftest import Spanwise

FORMS = {"lines": "chunks.jsonl", "rows": "chunks.parquet"}
CHUNKER = library.Chunker("sentences", max_characters=30, overflow="split", context="section")
TEXTS = [
    "",
    " ",
    "It moves water. It has one motor.",
    "It moves much water. It has one motor. It has a valve.",
    "# A\n\nUnplug it first.",
    "# B\n\nUnplug it first.",
    "x " * 40,
]
CORPORA = st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(TEXTS), max_size=7)


def document(name: str, text: str) -> Document:
    return Document(id=name, text=text, media_type="text/markdown")


def run_over(
    folder: Path,
    form: str,
    texts: dict[str, str],
    *,
    changes: bool = True,
    state: bool = True,
    rechunks: bool = True,
) -> set[str]:
    """Chunk these texts into the folder, and say which of them were chunked."""
    chunked = set()
    documents = [document(name, text) for name, text in texts.items()]
    path = folder / FORMS[form]
    with open_run(
        path,
        form,
        spec=CHUNKER.spec,
        keeps_state=state,
        rechunks=rechunks,
        changes=folder / "changes.jsonl" if changes else None,
    ) as output:
        for outcome in run(CHUNKER, output.items(map(Read, documents)), form=form, marked=True):  # type: ignore[arg-type]
            output.add(outcome)
            if isinstance(outcome, Chunked):
                chunked.add(outcome.document_id)
    return chunked


def records(folder: Path, form: str) -> dict[str, Any]:
    """Read the output, by the ids of the chunks."""
    path = folder / FORMS[form]
    rows = lines(path) if form == "lines" else pq.read_table(path).to_pylist()
    assert len({row["id"] for row in rows}) == len(rows)
    return {row["id"]: row for row in rows}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def in_any_order(corpora: list[dict[str, str]], shuffled: random.Random) -> Iterator[dict[str, str]]:
    """Give each corpus in an order of its own, with row groups so small that they matter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing_module, "_GROUP_ROWS", 3)
        patch.setattr(output_module, "_STEPS_BACK", 100)
        for texts in corpora:
            order = list(texts.items())
            shuffled.shuffle(order)
            yield dict(order)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=EXAMPLES)
@given(corpora=st.lists(CORPORA, min_size=2, max_size=4), shuffled=st.randoms())
def test_runs_that_follow_each_other_write_what_one_would(
    form: str, corpora: list[dict[str, str]], shuffled: random.Random, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """LAW: without `rechunks`, byte for byte; only what has changed is chunked."""
    folder, fresh = tmp_path_factory.mktemp("runs"), tmp_path_factory.mktemp("fresh")
    before: dict[str, str] = {}
    for texts in in_any_order(corpora, shuffled):
        chunked = run_over(folder, form, texts, rechunks=False)
        run_over(fresh, form, texts, state=False, changes=False)
        assert (folder / FORMS[form]).read_bytes() == (fresh / FORMS[form]).read_bytes()
        assert chunked == {name for name, text in texts.items() if before.get(name) != text}
        before = texts


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=EXAMPLES)
@given(corpora=st.lists(CORPORA, min_size=2, max_size=4), shuffled=st.randoms())
def test_a_document_that_has_changed_keeps_the_chunks_of_what_has_not(
    form: str, corpora: list[dict[str, str]], shuffled: random.Random, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """LAW: its chunks are those of `rechunk`; the changes lead from the old output to the new one."""
    folder = tmp_path_factory.mktemp("runs")
    before: dict[str, str] = {}
    made: dict[str, Sequence[library.Chunk]] = {}
    index: dict[str, Any] = {}
    for texts in in_any_order(corpora, shuffled):
        chunked = run_over(folder, form, texts)
        assert chunked == {name for name, text in texts.items() if before.get(name) != text}
        old, made = made, {}
        for name, text in texts.items():
            now = document(name, text)
            made[name] = library.rechunk(old.get(name, ()), now, CHUNKER, max_drift=1.25)
            if name not in chunked:
                assert list(made[name]) == list(old[name])
        expected = [chunk for chunks in made.values() for chunk in chunks]
        found = records(folder, form)
        assert list(found) == [chunk.id for chunk in expected]
        if form == "lines":
            assert list(found.values()) == [chunk.record() for chunk in expected]
        for change in lines(folder / "changes.jsonl"):
            if change["op"] == "delete":
                del index[change["id"]]
            else:
                assert change["embed"] or index[change["id"]]["text"] == change["record"]["text"]
                index[change["id"]] = change["record"]
        assert index == found
        before = texts
    assert {path.name for path in folder.iterdir()} == {
        FORMS[form],
        f"{FORMS[form]}.spanwise-state",
        "changes.jsonl",
    }


@pytest.mark.parametrize("form", FORMS)
def test_a_run_over_unchanged_documents_writes_nothing(tmp_path: Path, form: str) -> None:
    """The output and its state stay the same files."""
    texts = {"a": TEXTS[2], "b": TEXTS[3], "blank": " "}
    run_over(tmp_path, form, texts)
    files = [tmp_path / FORMS[form], tmp_path / f"{FORMS[form]}.spanwise-state"]
    before = [path.stat().st_ino for path in files]
    assert run_over(tmp_path, form, texts) == set()
    assert [path.stat().st_ino for path in files] == before
    assert (tmp_path / "changes.jsonl").read_bytes() == b""


def test_text_media_type_metadata_and_spec_are_what_chunks_depend_on(tmp_path: Path) -> None:
    """A document is chunked again if one of them is another."""
    path = tmp_path / "chunks.jsonl"
    usual = Document(id="a", text="# A\n\ntext", metadata={"b": 1, "c": [1, {"d": None}]})

    def is_chunked(document: Document, spec: str = "spec") -> bool:
        with open_run(path, "lines", spec=spec) as output:
            (item,) = output.items([Read(document)])
            for outcome in run(CHUNKER, [item], form="lines", marked=True):
                output.add(outcome)
        return isinstance(item, Job)

    others = [
        Document(id="a", text="# A\n\ntext ", metadata=usual.metadata),
        Document(id="a", text=usual.text, media_type="text/html", metadata=usual.metadata),
        Document(id="a", text=usual.text, metadata={**usual.metadata, "b": "1"}),
        Document(id="a", text=usual.text, metadata={"c": usual.metadata["c"], "b": 1}),
    ]
    for other in others:
        is_chunked(usual)
        assert not is_chunked(usual)
        assert is_chunked(other)
    is_chunked(usual)
    assert is_chunked(usual, "another spec")


@pytest.mark.parametrize("harm", ["output", "state", "half a state", "no state", "no output"])
def test_a_state_that_is_not_of_the_output_is_not_believed(tmp_path: Path, harm: str) -> None:
    """Then everything is chunked again."""
    texts = {"a": TEXTS[2], "b": TEXTS[3]}
    run_over(tmp_path, "lines", texts)
    output, state = tmp_path / "chunks.jsonl", tmp_path / "chunks.jsonl.spanwise-state"
    expected = output.read_bytes()
    if harm == "output":
        output.write_bytes(expected.replace(b"water", b"winds"))
    elif harm == "state":
        state.write_bytes(state.read_bytes()[:-1] + b"\0")
    elif harm == "half a state":
        state.write_bytes(state.read_bytes()[:-9])
    else:
        (state if harm == "no state" else output).unlink()
    assert run_over(tmp_path, "lines", texts) == {"a", "b"}
    assert output.read_bytes() == expected


def test_an_output_that_was_copied_with_its_state_is_known_by_its_content(tmp_path: Path) -> None:
    """Times of files do not survive every copy."""
    texts = {"a": TEXTS[2]}
    (tmp_path / "one").mkdir()
    run_over(tmp_path / "one", "lines", texts)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    os.utime(tmp_path / "two/chunks.jsonl", (1, 1))
    assert run_over(tmp_path / "two", "lines", texts) == set()


def test_rows_in_another_order_are_chunked_anew_rather_than_read_again_and_again(tmp_path: Path) -> None:
    """Reading a row group for each of its documents would cost more; the output is the same."""
    texts = {f"d{at}": f"It moves water {at} times. It has one motor." for at in range(60)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing_module, "_GROUP_ROWS", 12)
        run_over(tmp_path, "rows", texts)
        order = list(texts)
        random.Random(1).shuffle(order)  # noqa: S311  no secret
        shuffled = {name: texts[name] for name in order}
        assert 0 < len(run_over(tmp_path, "rows", shuffled)) < 60
        (tmp_path / "fresh").mkdir()
        run_over(tmp_path / "fresh", "rows", shuffled)
    assert (tmp_path / "chunks.parquet").read_bytes() == (tmp_path / "fresh/chunks.parquet").read_bytes()
    assert (tmp_path / "changes.jsonl").read_bytes() == b""


OTHER_CASES = ("no links", "the first run", "no state before")


class Killed(BaseException):
    """The process ends here: what it would do next is not done."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "case",
    ["a later run", *(pytest.param(case, marks=pytest.mark.slow) for case in OTHER_CASES)],
)
def test_a_run_that_is_killed_at_any_rename_has_not_happened(
    tmp_path: Path, form: str, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LAW: the output is that of the old run or of the new one, and the next run gives what this would have given."""
    old, new = {"a": TEXTS[2], "b": TEXTS[3]}, {"a": TEXTS[4], "c": TEXTS[5]}
    if case == "no links":
        monkeypatch.setattr(os, "link", _no_links)

    def folder_before(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        if case != "the first run":
            run_over(folder, form, old, state=case != "no state before", changes=case != "no state before")
        return folder

    whole = folder_before("whole")
    outputs = [(whole / FORMS[form]).read_bytes()] if case != "the first run" else []
    run_over(whole, form, new)
    outputs.append((whole / FORMS[form]).read_bytes())
    for calls in range(30):
        folder = folder_before(str(calls))
        survived = is_survived(folder, form, new, calls)
        if case in {"a later run", "no state before"}:
            assert (folder / FORMS[form]).read_bytes() in outputs
        if not has_happened(folder, whole, form):
            assert not survived
            run_over(folder, form, new)
        assert (folder / FORMS[form]).read_bytes() == outputs[-1]
        assert (folder / "changes.jsonl").read_bytes() == (whole / "changes.jsonl").read_bytes()
        assert run_over(folder, form, new) == set()
        assert list(folder.glob(".*before")) == []
        if survived:
            break
    assert 3 < calls < 29


def test_a_run_that_cannot_put_its_files_in_place_leaves_the_old_ones(tmp_path: Path) -> None:
    """Here a folder stands where the changes are to go."""
    run_over(tmp_path, "lines", {"a": TEXTS[2]})
    before = (tmp_path / "chunks.jsonl").read_bytes()
    (tmp_path / "changes.jsonl").unlink()
    (tmp_path / "changes.jsonl").mkdir()
    with pytest.raises(library.SpanwiseError, match="Is a directory"):
        run_over(tmp_path, "lines", {"b": TEXTS[3]})
    assert (tmp_path / "chunks.jsonl").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 3
    assert run_over(tmp_path, "lines", {"a": TEXTS[2]}, changes=False) == set()


def has_happened(folder: Path, whole: Path, form: str) -> bool:
    """Say whether a run that was killed had all in place, so that only nobody was told."""
    states = [load(place / FORMS[form], form) for place in (folder, whole)]
    return states[0] == states[1] and not list(folder.glob(".*.spanwise-state-before"))


def _no_links(*_: object) -> None:
    raise OSError("this file system has no links")


def is_survived(folder: Path, form: str, texts: dict[str, str], calls: int) -> bool:
    """Run, and be killed before the call of the operating system of that number that changes a name of a file."""
    import pathlib

    left = calls

    def counted(function: Any) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return function(*arguments, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pathlib.Path, "replace", counted(pathlib.Path.replace))
        patch.setattr(pathlib.Path, "unlink", counted(pathlib.Path.unlink))
        patch.setattr(os, "link", counted(os.link))
        try:
            run_over(folder, form, texts)
        except Killed:
            return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_killed_at_any_moment_is_made_good_by_the_next(folder: Path, form: str, workers: int) -> None:
    """LAW: kill it with SIGKILL again and again, then run it: byte for byte what an undisturbed run gives."""
    name = FORMS[form]
    dice = random.Random(name)  # noqa: S311  no secret
    command = [sys.executable, "-m", "spanwise", "chunk", "docs.jsonl", "--text-column", "text", "-q", "-o", name]
    command += ["--changes", "changes.jsonl", "--max-tokens", "64", "--workers", str(workers)]

    def write(version: int, folder: Path) -> None:
        texts = [f"# {at}\n\n" + f"It moves water {at} times. " * 60 for at in range(600)]
        for at in range(0, 600, 1 + 7 * version):
            texts[at] += f"Version {version}."
        documents = [{"id": str(at), "text": text} for at, text in enumerate(texts) if at % 50 != version]
        (folder / "docs.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))

    (folder / "calm").mkdir()
    for version in range(3):
        for place in (folder, folder / "calm"):
            write(version, place)
        started = time.monotonic()
        subprocess.run(command, cwd=folder / "calm", check=True)  # noqa: S603  our own command
        length = time.monotonic() - started
        for _ in range(4):
            running = subprocess.Popen(command, cwd=folder)  # noqa: S603  our own command
            try:
                running.wait(length * dice.uniform(0.3, 1.1))
            except subprocess.TimeoutExpired:
                running.send_signal(signal.SIGKILL)
            if running.wait() == 0 or has_happened(folder, folder / "calm", form):
                break
        else:
            subprocess.run(command, cwd=folder, check=True)  # noqa: S603  our own command
        for file in (name, "changes.jsonl"):
            assert (folder / file).read_bytes() == (folder / "calm" / file).read_bytes()


def test_the_command_tells_what_is_unchanged_and_what_was_removed(spanwise: Spanwise, folder: Path) -> None:
    """And chunks only the rest; with --no-state nothing is remembered."""
    (folder / "docs").mkdir()
    for name in "abc":
        (folder / f"docs/{name}.md").write_text(f"# {name}\n\ntext")
    options = ("chunk", "docs", "-o", "chunks.jsonl", "--changes", "changes.jsonl")
    assert spanwise(*options).exit_code == 0
    assert [change["op"] for change in lines(folder / "changes.jsonl")] == ["upsert"] * 3
    (folder / "docs/a.md").write_text("# a\n\nother text")
    (folder / "docs/b.md").unlink()
    result = spanwise(*options)
    assert result.stderr.startswith(
        "1 document · 1 chunk · tokens 5 min, 5 median, 5 max\n"
        "unchanged since the run before: 1 document · 1 chunk\n"
        "changed since the run before: 1 document · 0 of 1 chunk kept\n"
        "removed since the run before: 1 document: b.md\n"
    )
    assert [(change["op"], change.get("document_id")) for change in lines(folder / "changes.jsonl")] == [
        ("delete", "a.md"),
        ("upsert", None),
        ("delete", "b.md"),
    ]
    assert [record["document_id"] for record in lines(folder / "chunks.jsonl")] == ["a.md", "c.md"]
    again = spanwise(*options, "--max-tokens", "99")
    assert again.stderr.startswith("2 documents")
    assert spanwise("chunk", "docs", "-o", "other.jsonl", "--no-state").exit_code == 0
    assert not (folder / "other.jsonl.spanwise-state").exists()


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
@pytest.mark.parametrize("output", FORMS.values())
def test_a_sentence_that_was_edited_costs_a_chunk_or_two(
    spanwise: Spanwise, folder: Path, output: str, workers: str
) -> None:
    """Which keeps every promise; --no-rechunk gives what a first run would."""
    sentences = [f"It moved {number} buckets of water on that day. " for number in range(400)]
    (folder / "a.txt").write_text("".join(sentences))
    options = ("chunk", "a.txt", "--max-tokens", "64", "--verify", "--workers", workers, "-o")
    assert spanwise(*options, output).exit_code == 0
    assert spanwise(*options, "fresh.jsonl").exit_code == 0
    sentences[40] = "It stood still, and nobody knows why it did. "
    sentences.insert(40, "A valve was stuck, as the log of the same day says at some length. ")
    (folder / "a.txt").write_text("".join(sentences))
    result = spanwise(*options, output, "--changes", "changes.jsonl")
    upserts = [change for change in lines(folder / "changes.jsonl") if change.get("embed")]
    assert (result.exit_code, len(upserts)) == (0, 2)
    assert "changed since the run before: 1 document · 79 of 81 chunks kept\n" in result.stderr
    assert spanwise(*options, output, "--no-rechunk").stderr.startswith("0 documents")
    assert spanwise(*options, "fresh.jsonl", "--no-rechunk").exit_code == 0
    whole = library.Chunker(max_tokens=64).chunk(Document(id="a.txt", text="".join(sentences)))
    assert [record["id"] for record in lines(folder / "fresh.jsonl")] == [chunk.id for chunk in whole]


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_office_file_for_docling_is_known_by_its_bytes(spanwise: Spanwise, folder: Path, workers: str) -> None:
    """What the loader keeps of it decides on chunks as its text does, and goes to worker processes."""
    pytest.importorskip("docling")
    (folder / "manual.docx").write_bytes((DATA / "docling" / "manual.docx").read_bytes())
    options = ("chunk", "manual.docx", "--strategy", "docling", "--workers", workers, "-o")
    assert spanwise(*options, "chunks.parquet").exit_code == 0
    assert spanwise(*options, "chunks.jsonl").exit_code == 0
    assert "unchanged since the run before: 1 document" in spanwise(*options, "chunks.jsonl").stderr
    assert lines(folder / "chunks.jsonl")[0]["docling_headings"] == ["Pump manual"]
    rows = pq.read_table(folder / "chunks.parquet").to_pylist()
    assert json.loads(rows[0]["metadata"])["docling_headings"] == ["Pump manual"]
    usual = Document(id="a", text="text")
    assert Fingerprints("spec").of(usual, b"one file") != Fingerprints("spec").of(usual, b"another")


def test_a_document_that_fails_is_no_longer_in_the_output_and_not_called_removed(
    spanwise: Spanwise, folder: Path
) -> None:
    """It is tried again by each run."""
    (folder / "a.md").write_text("text")
    (folder / "b.md").write_text("text")
    options = ("chunk", "a.md", "b.md", "-o", "chunks.jsonl", "--changes", "changes.jsonl", "--max-tokens", "9")
    spanwise(*options)
    (folder / "a.md").write_text("x1" * 500)
    for _ in range(2):
        result = spanwise(*options)
        assert (result.exit_code, "removed" in result.stderr) == (1, False)
        assert [record["document_id"] for record in lines(folder / "chunks.jsonl")] == ["b.md"]
    (folder / "a.md").write_text("text")
    assert spanwise(*options).exit_code == 0
    assert [change["op"] for change in lines(folder / "changes.jsonl")] == ["upsert"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--changes", "changes.jsonl"), "--changes tells what is new since the run before: it needs -o FILE"),
        (("--changes", "c.jsonl", "-o", "x.jsonl", "--no-state"), "it needs -o FILE and its state"),
        (
            ("--changes", "x.jsonl", "-o", "./x.jsonl"),
            "--changes x.jsonl: that is the output itself; name another file",
        ),
        (
            ("--changes", "nowhere/c.jsonl", "-o", "x.jsonl"),
            "cannot write 'nowhere/c.jsonl': No such file or directory",
        ),
    ],
)
def test_changes_need_an_output_with_a_state(
    spanwise: Spanwise, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Nothing is written."""
    (folder / "a.md").write_text("text")
    result = spanwise("chunk", "a.md", *arguments)
    assert message in result.stderr
    assert result.exit_code == 2
    assert [path.name for path in folder.iterdir()] == ["a.md"]


def test_what_is_taken_over_is_told_by_its_place(tmp_path: Path) -> None:
    """In the bytes of JSON Lines."""
    run_over(tmp_path, "lines", {"a": TEXTS[2], "b": TEXTS[3]})
    with open_run(tmp_path / "chunks.jsonl", "lines", spec=CHUNKER.spec) as output:
        (item,) = output.items([Read(Document(id="b", text=TEXTS[3], media_type="text/markdown"))])
        assert isinstance(item, Unchanged)
        output.add(item)
    assert item.position > 0
    assert {record["document_id"] for record in lines(tmp_path / "chunks.jsonl")} == {"b"}
    assert output.removed == ["a"]
