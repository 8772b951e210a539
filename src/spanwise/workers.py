"""How is work shared between processes, so that answers come in order and a death costs one piece of work?

Processes are spawned, never forked: forking a process that has threads, as tokenizers start them, can hang, and Windows
and macOS have nothing else. Each process is asked by a thread of its own, so that a slow reader of the answers does not
keep the others waiting; no more than a few batches are under way at any time.

A process that dies takes its batch with it. The pieces of that batch are then done one by one, in a new process, so
that the one which kills it is known and the others are not lost.
"""

from __future__ import annotations

import pickle
import signal
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import msgspec

from spanwise.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.connection import Connection

__all__ = ["Died", "in_batches", "in_order"]

_Job = TypeVar("_Job")
_Answer = TypeVar("_Answer")
_UNDER_WAY = 3  # batches per worker: one in work, one that waits for it, one that waits to be taken
_PATIENCE_SECONDS = 5.0
_MOST_JOBS = 64
_MOST_WEIGHT = 2**18  # characters: what a worker does in about a tenth of a second


class Died(msgspec.Struct, frozen=True):
    """A process died while it did one piece of work."""

    how: str
    """Its exit status or signal, in words."""


def in_order(
    function: Callable[[Sequence[_Job]], _Answer], batches: Iterable[Sequence[_Job]], workers: int
) -> Iterator[list[tuple[Sequence[_Job], _Answer | Died]]]:
    """Give for each batch what the function says of it, in order; `workers` processes do the work, or this one if 1.

    A batch whose process died comes back in pieces of one job each, one of them `Died`, if it is one job that kills.

    Raises:
        ConfigurationError: the function cannot be sent to another process, or processes cannot be started.
        Exception: what the function raises.
    """
    if workers == 1:
        for jobs in batches:
            yield [(jobs, function(jobs))] if jobs else []
        return
    pool: _Pool[_Job, _Answer] = _Pool(_sendable(function), workers)
    under_way: deque[Future[list[tuple[Sequence[_Job], _Answer | Died]]]] = deque()
    try:
        for jobs in batches:
            under_way.append(pool.submit(jobs))
            if len(under_way) > _UNDER_WAY * workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        pool.close(under_way)


def in_batches(jobs: Iterable[_Job], weight: Callable[[_Job], int]) -> Iterator[list[_Job]]:
    """Gather jobs into batches worth sending: some dozens, or fewer heavy ones.

    >>> list(in_batches(["a", "b" * 300_000, "c", "d"], len)) == [["a", "b" * 300_000], ["c", "d"]]
    True
    """
    batch: list[_Job] = []
    total = 0
    for job in jobs:
        batch.append(job)
        total += weight(job)
        if len(batch) == _MOST_JOBS or total > _MOST_WEIGHT:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def _sendable(function: object) -> bytes:
    try:
        return pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ConfigurationError(
            f"this cannot be sent to worker processes: {error}; take functions and classes that stand at the top "
            "level of a module, so that they can be imported, or workers=1"
        ) from error


class _Pool(Generic[_Job, _Answer]):
    def __init__(self, function: bytes, workers: int) -> None:
        self._function = function
        self._free: SimpleQueue[_Worker] = SimpleQueue()
        self._all: set[_Worker] = set()
        self._closed = False
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="spanwise-worker")
        for _ in range(workers):
            self._free.put(self._new_worker())

    def submit(self, jobs: Sequence[_Job]) -> Future[list[tuple[Sequence[_Job], _Answer | Died]]]:
        return self._threads.submit(self._done, jobs)

    def _done(self, jobs: Sequence[_Job]) -> list[tuple[Sequence[_Job], _Answer | Died]]:
        if not jobs:
            return []
        answer = self._answer(jobs)
        if not isinstance(answer, Died) or len(jobs) == 1:
            return [(jobs, answer)]
        return [([job], self._answer([job])) for job in jobs]

    def _answer(self, jobs: Sequence[_Job]) -> _Answer | Died:
        worker = self._free.get()
        try:
            answer = worker.ask(jobs)
        except BaseException:
            self._free.put(worker)
            raise
        if isinstance(answer, Died) and not self._closed:
            self._all.discard(worker)
            worker = self._new_worker()
        self._free.put(worker)
        return cast("_Answer | Died", answer)

    def _new_worker(self) -> _Worker:
        worker = _Worker(self._function)
        self._all.add(worker)
        return worker

    def close(self, under_way: Iterable[Future[Any]]) -> None:
        """End all, also what is in work: nobody waits for it."""
        self._closed = True
        for future in under_way:
            future.cancel()
        for worker in list(self._all):
            worker.end()
        self._threads.shutdown(wait=True)
        for worker in self._all:  # what a thread was starting just then
            worker.end()


class _Worker:
    """One process, and the pipe to it; it starts when it is first asked, since there may be nothing to do."""

    def __init__(self, function: bytes) -> None:
        context = get_context("spawn")
        self._connection, self._other_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(self._other_end, function), daemon=True)
        self._ready = False

    def ask(self, jobs: object) -> object:
        """Give the answer of the process, or how it died."""
        try:
            if not self._ready:
                self._start()
            self._connection.send(jobs)
            kind, answer = self._connection.recv()
        except (EOFError, ConnectionError, BrokenPipeError):
            return Died(self._how_it_died())
        if kind == "raised":
            raise cast("BaseException", answer)
        return answer

    def _start(self) -> None:
        self._process.start()
        self._other_end.close()
        try:
            kind, problem = self._connection.recv()
        except (EOFError, ConnectionError) as error:
            raise ConfigurationError(
                f"a worker process could not start ({self._how_it_died()}): a script that asks for workers keeps what "
                'it does below `if __name__ == "__main__":`, since each worker imports it again'
            ) from error
        if kind != "ready":
            raise ConfigurationError(
                f"a worker process cannot load what it is to do: {problem}; put functions and classes into a "
                "module that it can import, or take workers=1"
            )
        self._ready = True

    def _how_it_died(self) -> str:
        self._process.join(_PATIENCE_SECONDS)
        status = self._process.exitcode
        if status is None or status >= 0:
            return f"exit status {status}"
        try:
            return f"signal {signal.Signals(-status).name}"
        except ValueError:
            return f"signal {-status}"

    def end(self) -> None:
        """End the process; a thread that waits for it sees the end of the pipe."""
        if self._process.pid is None:
            return
        self._process.terminate()
        self._process.join(_PATIENCE_SECONDS)
        if self._process.is_alive():
            self._process.kill()


def _serve(connection: Connection, function: bytes) -> None:
    """Answer until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent ends us
    try:
        work = pickle.loads(function)  # noqa: S301  what our own parent process wrote
    except Exception as error:  # noqa: BLE001  whatever importing a user's module raises
        connection.send(("unfit", f"{type(error).__name__}: {error}"))
        return
    with suppress(EOFError, ConnectionError):  # the parent is gone, and nobody listens
        connection.send(("ready", None))
        while True:
            connection.send(_answered(work, connection.recv()))


def _answered(work: Callable[[object], object], jobs: object) -> tuple[str, object]:
    try:
        return "answer", work(jobs)
    except Exception as error:  # noqa: BLE001  raised again where it was asked for
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301  our own
        except Exception:  # noqa: BLE001  an exception that cannot travel: its words can
            return "raised", RuntimeError(f"{type(error).__name__}: {error}")
        return "raised", error
