"""Work that several processes share: the same chunks, in order, whatever becomes of a process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from itertools import count, islice
from typing import TYPE_CHECKING

import pytest

import spanwise
from conftest import heed_interrupts
from spanwise import Chunker, ConfigurationError, Document, WorkerError
from spanwise.corpus import Chunked, Failed, Job, run
from spanwise.strategies.batches import Batch, chunks_of
from spanwise.workers import Died, in_batches, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SENTENCES = "It moves water. It has one motor. Unplug it first. "
DOCUMENTS = [Document(id=f"d{at}", text=SENTENCES * (1 + at % 7), metadata={"at": at}) for at in range(150)]


def deadly(text: str) -> int:
    """Count characters, and end the process at some texts."""
    if "deadly" in text:
        os._exit(3)
    if "killed" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    return len(text)


def test_workers_give_the_chunks_of_one_process_in_order() -> None:
    """LAW: with a strategy object, a function that counts, and options frozen in the spec."""
    chunker = Chunker(spanwise.Sentences(), max_tokens=40, counter=deadly)
    assert list(chunker.chunk_many(DOCUMENTS, workers=2)) == list(chunker.chunk_many(DOCUMENTS))
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_a_document_that_a_process_dies_of_is_named_and_the_others_are_chunked() -> None:
    """Where it is one of a batch, too; a run goes on, and `chunk_many` raises at its place."""
    texts = ["one"] * 100 + ["deadly", "two", "killed"] + ["three"] * 10
    documents = [Document(id=f"d{at}", text=text) for at, text in enumerate(texts)]
    chunker = Chunker("words", max_tokens=40, counter=deadly)
    outcomes = list(run(chunker, map(Job, documents), workers=2))
    failed = {outcome.document_id: str(outcome.error) for outcome in outcomes if isinstance(outcome, Failed)}
    told = [outcome.document_id for outcome in outcomes if isinstance(outcome, Chunked | Failed)]
    assert told == [document.id for document in documents]
    assert [outcome.records[0].text for outcome in outcomes if isinstance(outcome, Chunked)] == [
        text for text in texts if text not in {"deadly", "killed"}
    ]
    assert failed.keys() == {"d100", "d102"}
    assert "a worker process died (exit status 3) while it chunked the document 'd100'" in failed["d100"]
    assert "signal SIGKILL" in failed["d102"]
    chunked = []
    with pytest.raises(WorkerError, match="'d100'") as caught:
        chunked += list(chunker.chunk_many(documents, workers=2))
    assert caught.value.document_id == "d100"


def lengths(texts: Sequence[str]) -> list[int]:
    return [deadly(text) for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 1, 2, 7])
def test_no_other_batch_is_blamed_for_a_death(place: int) -> None:
    """A process has two batches at a time; the one that it did not die of is done again."""
    batches = [["deadly"] if at == place else ["alive"] for at in range(8)]
    answers = [answer for answered in in_order(lengths, batches, 2) for _, answer in answered]
    assert answers == [Died("exit status 3") if at == place else [5] for at in range(8)]


def slow_or_large(texts: Sequence[str]) -> list[str]:
    for text in texts:
        deadly(text)
        time.sleep(5 if text == "slow" else 0)
    return [text * 5_000_000 if text == "large" else text for text in texts]


@pytest.mark.slow
def test_a_process_may_die_while_it_sends_the_answer_before() -> None:
    """The pipe then ends inside a message."""
    for _ in range(4):
        answered = list(in_order(slow_or_large, [["large"], ["killed"]] * 3, 2))
        died = [isinstance(answer, Died) for answers in answered for _, answer in answers]
        assert died == [False, True] * 3


@pytest.mark.slow
def test_what_is_done_one_by_one_is_not_waited_for() -> None:
    """After a death, when nobody takes more."""

    def batches() -> Iterator[list[str]]:
        yield ["deadly", *["slow"] * 12]
        time.sleep(3)
        raise LookupError

    begun = time.monotonic()
    with pytest.raises(LookupError):
        list(in_order(slow_or_large, batches(), 2))
    assert time.monotonic() - begun < 30  # of 60
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_an_interpreter_exits_though_not_all_was_taken(tmp_path: Path) -> None:
    """Multiprocessing ends the processes and joins them: none may start again in between, however slow it is."""
    script = tmp_path / "script.py"
    script.write_text(
        "import logging, multiprocessing, time\n"
        "from spanwise.workers import in_order\n"
        "class Slow(logging.Handler):\n"
        "    def emit(self, record):\n"
        "        time.sleep(0.5 * ('terminate' in record.getMessage()))\n"
        "def work(seconds):\n"
        "    time.sleep(sum(seconds))\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.get_logger().setLevel(logging.INFO)\n"
        "    multiprocessing.get_logger().addHandler(Slow())\n"
        "    answers = in_order(work, [[1]] * 100, 2)\n"
        "    next(answers)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=30)  # noqa: S603
    assert done.stderr == ""


@pytest.mark.slow
def test_an_error_comes_at_its_place() -> None:
    """After the chunks of the documents before, as with one process."""
    chunker = Chunker("words", max_characters=5)
    chunked = chunker.chunk_many(["one", "two", "elephants", "four"], workers=2)
    assert [[chunk.text for chunk in next(chunked)] for _ in range(2)] == [["one"], ["two"]]
    with pytest.raises(spanwise.ChunkingError, match="elephants"):
        next(chunked)


def test_a_batch_ends_with_its_first_error() -> None:
    """What was chunked before it is not lost."""
    batch = Batch(Chunker("words", max_characters=5))
    answer = batch.chunked(["one", "elephants", "four"])
    assert [chunk.text for rows, _ in answer.chunked for chunk in chunks_of(rows, "one")] == ["one"]
    assert isinstance(answer.error, spanwise.ChunkingError)
    assert batch.chunked(["one"]).error is None


@pytest.mark.slow
def test_no_more_than_some_batches_are_read_ahead() -> None:
    """The documents may have no end; who takes no more ends the processes."""
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        for _ in count():
            taken += 1
            yield "It moves water."

    chunked = Chunker("words", max_characters=9).chunk_many(endless(), workers=2)
    assert len(list(islice(chunked, 300))) == 300
    assert taken < 300 + 10 * 64
    chunked.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


class Unknown:
    """A counter that another process cannot make."""

    name = "unknown"

    def count(self, text: str) -> int:
        return len(text)

    def __reduce__(self) -> tuple[object, ...]:
        return _here_only, (os.getpid(),)


def _here_only(process: int) -> Unknown:
    if os.getpid() != process:
        raise ImportError("no module named 'here'")
    return Unknown()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counter", "message"),
    [
        (
            lambda text: len(text) + 0,
            "this cannot be sent to worker processes: .*lambda.*; take functions and classes that",
        ),
        (
            Unknown(),
            "a worker process cannot load what it is to do: ImportError: no module named 'here'; put functions",
        ),
    ],
    ids=["lambda", "not importable there"],
)
def test_what_cannot_be_sent_is_refused_with_the_repair(counter: object, message: str) -> None:
    """Before a document is chunked."""
    chunker = Chunker("words", max_tokens=9, counter=counter)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=message):
        list(chunker.chunk_many(["one"], workers=2))


@pytest.mark.parametrize("workers", [0, -1, 1.5, None, True])
def test_workers_are_counted_from_one(workers: object) -> None:
    """Anything else is refused."""
    with pytest.raises(ConfigurationError, match="workers must be a whole number of at least 1"):
        Chunker().chunk_many([], workers=workers)  # type: ignore[arg-type]


def test_batches_are_some_dozens_or_fewer_heavy_ones() -> None:
    """In order, and none is empty."""
    jobs = ["a"] * 100 + ["b" * 2**19] * 3
    batches = list(in_batches(jobs, len))
    assert [job for batch in batches for job in batch] == jobs
    assert [len(batch) for batch in batches] == [64, 37, 1, 1]
    assert list(in_batches([], len)) == []


@pytest.mark.slow
def test_a_script_without_its_guard_is_told(tmp_path: Path) -> None:
    """Each worker imports it again, and would begin anew."""
    script = tmp_path / "script.py"
    script.write_text("import spanwise\nprint(len(list(spanwise.Chunker().chunk_many(['one'] * 3, workers=2))))\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
    assert "a worker process could not start (exit status 1): a script that asks for workers keeps what" in done.stderr
    script.write_text("if __name__ == '__main__':\n    " + script.read_text().replace("\n", "\n    "))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=60)  # noqa: S603
    assert done.stdout == "3\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_the_workers_too(folder: Path) -> None:
    """Status 130, no traceback, no unfinished file, no process left behind."""
    (folder / "docs.jsonl").write_text(f'{{"text": "{SENTENCES * 40}"}}\n' * 20_000)
    command = [sys.executable, "-m", "spanwise", "chunk", "docs.jsonl", "--text-column", "text", "-o", "out.jsonl"]
    with subprocess.Popen(  # noqa: S603  our own command
        [*command, "--workers", "2"],
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed_interrupts,  # noqa: PLW1509  one thread alone runs here
    ) as running:
        until = time.monotonic() + 30
        while not any(path.stat().st_size for path in folder.iterdir() if path.name != "docs.jsonl"):
            assert time.monotonic() < until  # the first chunks are not written yet
            time.sleep(0.01)
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(30) == 130
        assert running.stderr is not None
        assert running.stderr.read() == b""
    until = time.monotonic() + 10
    while _is_alive(running.pid):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert [path.name for path in folder.iterdir()] == ["docs.jsonl"]


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
