"""Is what a counter answered a count, and what is said when it failed?"""

from __future__ import annotations

from contextlib import suppress
from typing import SupportsIndex

from spanwise.errors import CounterError, shown

__all__ = ["FATAL", "checked", "failure"]

FATAL = (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError)
"""What is never turned into a CounterError: the program is to stop. All else is, since a panic in a Rust tokenizer
is no Exception but a BaseException."""


def checked(answer: object, name: str) -> int:
    """Give the answer of a counter as an int, or raise.

    NumPy integers are taken; bool is not, since a truth value is a mistake and no count.

    Raises:
        CounterError: The answer is no whole number of at least 0.

    >>> checked(12, "mine")
    12
    >>> checked(1.5, "mine")
    Traceback (most recent call last):
    spanwise.errors.CounterError: the counter 'mine' answered 1.5; it must answer a whole number of at least 0
    """
    if not isinstance(answer, bool) and isinstance(answer, SupportsIndex):
        with suppress(TypeError):  # an array of NumPy has the method, and raises
            tokens = answer.__index__()
            if tokens >= 0:
                return tokens
    raise CounterError(f"the counter {name!r} answered {shown(answer)}; it must answer a whole number of at least 0")


def failure(name: str, error: BaseException) -> CounterError:
    """Make the error that says that a counter raised, and what; chain it with `from error`."""
    return CounterError(f"the counter {name!r} raised {type(error).__name__}: {shown(str(error), 200)}")
