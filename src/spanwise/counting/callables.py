"""How large is a text, according to a function that the user brings?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from spanwise.errors import CounterError

from .answers import FATAL, checked, failure
from .counter import countable

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Function"]


class Function:
    """Counts with any function from text to a whole number.

    The function is given texts without lone surrogates. It has no map, so how far a budget reaches is found by
    asking it about a few windows of about the size of the budget.

    >>> def vowels(text): return sum(letter in "aeiou" for letter in text)
    >>> Function(vowels).count("countable")
    4
    """

    __slots__ = ("_function", "name", "overhead")

    def __init__(self, function: Callable[[str], int], name: str = "", overhead: int = 0) -> None:
        """Wrap a function.

        Args:
            function: Says how many tokens a text has, without what the model adds.
            name: How chunks and messages name the counter; the function's own name by default.
            overhead: Tokens that the model adds to every text.
        """
        self._function = function
        self.name = name or _name_of(function)
        self.overhead = overhead

    def count(self, text: str) -> int:
        """Count the text alone, with what the model adds.

        Raises:
            CounterError: The function raised, or answered something that is not a whole number of at least 0.
        """
        try:
            answer: object = self._function(countable(text))
        except (*FATAL, CounterError):  # a CounterError says already what is wrong
            raise
        except BaseException as error:
            raise failure(self.name, error) from error
        return checked(answer, self.name) + self.overhead

    def __reduce__(self) -> tuple[object, ...]:
        return Function, (self._function, self.name, self.overhead)

    def __repr__(self) -> str:
        return f"Function({self.name!r}, overhead={self.overhead})"


def _name_of(function: object) -> str:
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__qualname__", type(function).__qualname__))
