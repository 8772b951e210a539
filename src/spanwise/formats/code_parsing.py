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
import numpy.typing as npt

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


def _steps(opening: bytes, closing: bytes) -> npt.NDArray[np.int8]:
    """Give for each byte by how much it changes the depth of brackets."""
    steps = np.zeros(256, dtype=np.int8)
    steps[list(opening)], steps[list(closing)] = 1, -1
    return steps


_BRACKETS = _steps(b"([{", b")]}")
_NO_BRACKETS = bytes(code for code in range(256) if code not in b"([{)]}")
_ANGLES = _steps(b"<", b">")
_NO_ANGLES = bytes(code for code in range(256) if code not in b"<>;{}")
_ENDS_ANGLES = np.isin(np.arange(256), list(b";{}"))
"""What is in no type, so that the signs for less and more before it are known to be no brackets."""

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
    brackets = source.translate(None, _NO_BRACKETS)
    if len(brackets) > _DEEPEST_BRACKETS:
        depths = np.cumsum(_BRACKETS[np.frombuffer(brackets, dtype=np.uint8)], dtype=np.int64)
        if np.max(depths - np.minimum.accumulate(np.minimum(depths, 0))) > _DEEPEST_BRACKETS:
            return True
    if source.count(b"<") <= _DEEPEST_BRACKETS:
        return False
    codes = np.frombuffer(source.translate(None, _NO_ANGLES), dtype=np.uint8)
    depths = np.append(0, np.cumsum(_ANGLES[codes], dtype=np.int64))
    last_end = np.maximum.accumulate(np.where(_ENDS_ANGLES[codes], np.arange(1, len(codes) + 1), 0))
    return bool(np.max(depths[1:] - depths[last_end]) > _DEEPEST_BRACKETS)


def _longest_line(source: bytes) -> int:
    ends = np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == ord("\n"))
    return int(np.max(np.diff(ends, prepend=-1, append=len(source))))
