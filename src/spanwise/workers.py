"""How is work shared between processes, so that answers come in order and a death costs one piece of work?

Processes are spawned, never forked: forking a process that has threads, as tokenizers start them, can hang, and Windows
and macOS have nothing else. Each process is asked by a thread of its own, so that a slow reader of the answers does not
keep the others waiting, and is sent its next batch ahead; no more than a few batches are under way at any time.

A process that dies takes its batches with it. The pieces of the one that it had first are then done one by one, in a
new process, so that the one which kills it is known and the others are not lost; the other is sent again.
"""

from __future__ import annotations

import atexit
import pickle
import signal
from collections import deque
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from multiprocessing import get_context, util  # noqa: F401  its end at exit comes after ours if it is imported before
from queue import Empty, SimpleQueue
from threading import RLock, Thread
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

import msgspec

from spanwise.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection

__all__ = ["Died", "in_batches", "in_order"]

_Job = TypeVar("_Job")
_Answer = TypeVar("_Answer")
_SENT_AHEAD = 2  # batches that a process was sent: one in work, and the next, so that it never waits for its parent
_UNDER_WAY = _SENT_AHEAD + 1  # batches per worker: those, and one that waits to be taken
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
    atexit.register(pool.close, under_way)  # where nobody took all, before the interpreter takes itself apart
    try:
        for jobs in batches:
            under_way.append(pool.submit(jobs))
            if len(under_way) > _UNDER_WAY * workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        atexit.unregister(pool.close)
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


class _Task(NamedTuple, Generic[_Job, _Answer]):
    """A batch, and where its answer is put."""

    jobs: Sequence[_Job]
    future: Future[list[tuple[Sequence[_Job], _Answer | Died]]]


class _Pool(Generic[_Job, _Answer]):
    """Processes, each with a thread here that asks it; both start when there is something to do."""

    def __init__(self, function: bytes, workers: int) -> None:
        self._function = function
        self._workers = workers
        self._tasks: SimpleQueue[_Task[_Job, _Answer] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._processes: list[_Worker] = []
        self._closed = False

    def submit(self, jobs: Sequence[_Job]) -> Future[list[tuple[Sequence[_Job], _Answer | Died]]]:
        task: _Task[_Job, _Answer] = _Task(jobs, Future())
        if not jobs:
            task.future.set_result([])
            return task.future
        self._tasks.put(task)
        if len(self._threads) < self._workers:
            self._processes.append(_Worker(self._function))
            thread = Thread(target=self._ask, args=(self._processes[-1],), name="spanwise-worker", daemon=True)
            self._threads.append(thread)
            thread.start()
        return task.future

    def _ask(self, worker: _Worker) -> None:
        """Keep one process busy: the next batch is on its way to it before the last is answered."""
        sent: deque[_Task[_Job, _Answer]] = deque()
        while not self._closed:
            task = self._next(wait=not sent)
            if task is not None and _is_sent(worker, task):
                sent.append(task)
                if len(sent) < _SENT_AHEAD:
                    continue
            if not sent:
                continue
            first, deaths = sent.popleft(), worker.deaths
            try:
                first.future.set_result(self._answers(worker, first.jobs, alone=not sent))
            except BaseException as error:  # noqa: BLE001  raised again where it was asked for
                first.future.set_exception(error)
            if worker.deaths > deaths:
                sent = deque(each for each in sent if _is_sent(worker, each))

    def _next(self, *, wait: bool) -> _Task[_Job, _Answer] | None:
        with suppress(Empty):
            while (task := self._tasks.get(wait)) is not None:
                if task.future.set_running_or_notify_cancel():
                    return task
        return None

    def _answers(
        self, worker: _Worker, jobs: Sequence[_Job], *, alone: bool
    ) -> list[tuple[Sequence[_Job], _Answer | Died]]:
        """Receive the answer to a batch; if the process died, do its jobs one by one.

        `alone` says that the process had no other batch, of which it may have died as well.
        """
        answer = worker.receive()
        if not isinstance(answer, Died) or self._closed or (alone and len(jobs) == 1):
            return [(jobs, cast("_Answer | Died", answer))]
        answers: list[tuple[Sequence[_Job], _Answer | Died]] = []
        for job in jobs:
            worker.send([job])
            answers.append(([job], cast("_Answer | Died", worker.receive())))
        return answers

    def close(self, under_way: Iterable[Future[Any]]) -> None:
        """End all, also what is in work: nobody waits for it."""
        self._closed = True
        for future in under_way:
            future.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for worker in self._processes:
            worker.end()
        for thread in self._threads:
            thread.join()


def _is_sent(worker: _Worker, task: _Task[_Job, _Answer]) -> bool:
    """Send a batch; what cannot be sent is told where its answer is waited for."""
    try:
        worker.send(task.jobs)
    except BaseException as error:  # noqa: BLE001  raised again where it was asked for
        task.future.set_exception(error)
        return False
    return True


class _Worker:
    """A process and the pipe to it; it starts when it is first sent something, and again after its death."""

    def __init__(self, function: bytes) -> None:
        self._function = function
        self.deaths = 0
        self._lock = RLock()  # between the thread that starts it and the one that ends it
        self._is_ended = False
        self._renew()

    def _renew(self) -> None:
        context = get_context("spawn")
        self._connection, self._other_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(self._other_end, self._function), daemon=True)
        self._ready = False

    def send(self, jobs: object) -> None:
        """Send work; that the process has died is told where its answer is received."""
        if not self._ready:
            try:
                self._start()
            except BaseException:
                self._renew()
                raise
        with suppress(ConnectionError):
            self._connection.send(jobs)

    def receive(self) -> object:
        """Give the answer to what was sent first, or how the process died."""
        try:
            message = self._connection.recv_bytes()
        except (EOFError, OSError):  # this one if it died while it sent
            died = Died(self._how_it_died())
            self.deaths += 1
            self._renew()
            return died
        kind, answer = pickle.loads(message)  # noqa: S301  our own
        if kind == "raised":
            raise cast("BaseException", answer)
        return answer

    def _start(self) -> None:
        with self._lock:
            if self._is_ended:
                raise CancelledError
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
        """End the process for good; a thread that waits for it sees the end of the pipe."""
        with self._lock:
            self._is_ended = True
            process = self._process
        if process.pid is None:
            return
        process.terminate()
        process.join(_PATIENCE_SECONDS)
        if process.is_alive():
            process.kill()


def _serve(connection: Connection, function: bytes) -> None:
    """Answer until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent ends us
    try:
        work = pickle.loads(function)  # noqa: S301  what our own parent process wrote
    except Exception as error:  # noqa: BLE001  whatever importing a user's module raises
        connection.send(("unfit", f"{type(error).__name__}: {error}"))
        return
    connection.send(("ready", None))
    answers: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_send_all, args=(connection, answers), daemon=True).start()
    with suppress(EOFError, ConnectionError):  # the parent is gone, and nobody listens
        while True:
            answers.put(_answered(work, connection.recv()))


def _send_all(connection: Connection, answers: SimpleQueue[bytes]) -> None:
    """Send answers while the next work is done: the parent may be slow to take them."""
    with suppress(ConnectionError):
        while True:
            connection.send_bytes(answers.get())


def _answered(work: Callable[[object], object], jobs: object) -> bytes:
    try:
        return pickle.dumps(("answer", work(jobs)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001  raised again where it was asked for
        try:
            answer = pickle.dumps(("raised", error))
            pickle.loads(answer)  # noqa: S301  our own
        except Exception:  # noqa: BLE001  an exception that cannot travel: its words can
            return pickle.dumps(("raised", RuntimeError(f"{type(error).__name__}: {error}")))
        return answer
