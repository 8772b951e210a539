"""The syntax tree of a text, within a time that grows with its length; None where there is none.

Grammars are written for programs, and some are slow, or worse, on what is none. So what nobody writes by hand is not
parsed at all: brackets thousands deep, and, for some languages, lines of many thousand characters. What takes forty
times as long as a program of its length is given up.
"""

from __future__ import annotations

import time
import warnings
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

import numpy as np

from spanwise.errors import CodeWarning

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Language as Grammar
    from tree_sitter import Node

    from spanwise.formats.code_languages import Language

__all__ = ["parsed", "warn_once"]

_LEAST_SECONDS = 2.0
_SECONDS_PER_BYTE = 10e-6  # a program takes a fortieth of it on a slow machine
_DEEPEST_BRACKETS = 1_000  # compilers stop at 200 to 500; some grammars try each bracket in two ways
_LONGEST = 1 << 30  # bytes: offsets of trees have 32 bits

_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"([{")] = 1
_STEPS[list(b")]}")] = -1

_warned: set[str] = set()


def warn_once(message: str) -> None:
    """Warn of something once in this process."""
    if message not in _warned:
        _warned.add(message)
        warnings.warn(message, CodeWarning, stacklevel=2)


def parsed(source: bytes, language: Language) -> Node | None:
    """Parse a source; None without the grammar, and where it is no program that is parsed in time."""
    grammar = _grammar_of(language.module, language.grammar)
    if grammar is None:
        warn_once(
            f"{language.name} is cut at blank lines and at column zero, since its grammar is not installed: "
            'pip install "spanwise[code]"'
        )
        return None
    if len(source) > _LONGEST or _is_too_deep(source) or _longest_line(source) > language.longest_line:
        return None
    tree = _timed(grammar, source)
    if tree is None:
        warn_once(f"{language.name} that took too long to parse is cut at blank lines and at column zero")
    return tree


@lru_cache(maxsize=64)
def _grammar_of(module: str, function: str) -> Grammar | None:
    try:
        import tree_sitter  # noqa: PLC0415  an extra, needed only here

        grammar = cast("Callable[[], object]", getattr(import_module(module), function))
        return tree_sitter.Language(grammar())
    except (ImportError, AttributeError, ValueError, TypeError):  # not there, or of another version
        return None


def _timed(grammar: Grammar, source: bytes) -> Node | None:
    """Parse within the limit."""
    from tree_sitter import Parser  # noqa: PLC0415  an extra, needed only here

    clock = time.perf_counter
    end = clock() + _LEAST_SECONDS + _SECONDS_PER_BYTE * len(source)

    def read(offset: int, _point: object) -> bytes:
        return source[offset:] if offset else source

    def is_late(_offset: int, _has_error: bool) -> bool:  # noqa: FBT001  as the parser calls it
        return clock() > end

    try:
        return Parser(grammar).parse(read, progress_callback=is_late).root_node
    except ValueError:  # this is how it says that it was stopped
        return None


def _is_too_deep(source: bytes) -> bool:
    """Say whether brackets are nested deeper than anyone nests them, those in strings and comments counted."""
    codes = np.frombuffer(source, dtype=np.uint8)
    steps = _STEPS[codes]
    steps = steps[steps != 0]
    depths = np.cumsum(steps, dtype=np.int64)
    if not len(depths):
        return False
    return bool(np.max(depths - np.minimum.accumulate(np.minimum(depths, 0))) > _DEEPEST_BRACKETS)


def _longest_line(source: bytes) -> int:
    ends = np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == ord("\n"))
    return int(np.max(np.diff(ends, prepend=-1, append=len(source))))
