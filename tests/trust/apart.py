"""Work in a process of its own with limits, so that what runs away ends alone, and says how."""

from __future__ import annotations

import resource
from multiprocessing import Pipe, get_context
from signal import SIGXCPU
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

__all__ = ["apart"]


def apart(function: Callable[..., Any], *arguments: object, cpu_seconds: int = 60, memory: int = 3 * 10**9) -> Any:
    """Give what a function of a test module says; a process over its limits, or one that raises, fails the test."""
    receiving, sending = Pipe(duplex=False)
    # spawned, since a process that has threads cannot be forked safely
    process = get_context("spawn").Process(target=_within, args=(sending, cpu_seconds, memory, function, arguments))
    process.start()
    sending.close()
    try:
        answer, fault = receiving.recv()
    except EOFError:
        process.join()
        over = process.exitcode == -SIGXCPU
        answer, fault = None, f"over {cpu_seconds} CPU seconds" if over else f"exit status {process.exitcode}"
    process.join()
    if fault:
        pytest.fail(f"{function.__name__}{arguments!r:.200}: {fault}")
    return answer


def _within(
    sending: Connection, cpu_seconds: int, memory: int, function: Callable[..., Any], arguments: tuple[object, ...]
) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 2))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    try:
        sending.send((function(*arguments), ""))
    except BaseException as error:  # noqa: BLE001  whatever ends the work is its outcome, also running out of memory
        sending.send((None, f"{type(error).__name__}: {error}"[:2000]))
