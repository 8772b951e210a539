"""Regular expressions that are compiled when they are first asked.

Each format has its own, some hundred in all, which together take a tenth of a second to compile; most texts need few.
"""

from __future__ import annotations

import re
from typing import cast

__all__ = ["LazyPattern", "lazy_pattern"]

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class LazyPattern:
    """Does what the compiled pattern does, and is it once its first method was asked for."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self.flags = flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    r"""Give a pattern that is compiled when it is first asked.

    >>> lazy_pattern(r"\d+").findall("1 and 23")
    ['1', '23']
    """
    return cast("re.Pattern[str]", LazyPattern(source, flags))
