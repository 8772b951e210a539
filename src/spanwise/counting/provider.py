"""How large is a text, according to the provider that will embed or read it?"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from spanwise.errors import ConfigurationError, CounterError, shown

from .callables import Function
from .naming import counter, is_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Sized

    from .counter import Counter

__all__ = ["tokens_via"]

_COUNTING = ("count_tokens", "count")
_TOKENIZING = ("tokenize", "encode")


def tokens_via(provider: Any) -> Counter:
    """Count with a provider's own tokenizer.

    The provider is any object with one of these methods, the first that it has: `count_tokens(text)` or `count(text)`
    that answer a number, `tokenize(text)` or `encode(text)` that answer a sequence of tokens. A tokenizer object of
    tiktoken, tokenizers or transformers is read as `spanwise.counting.counter` reads it.

    Raises:
        ConfigurationError: The object has none of these methods.

    >>> class Provider:
    ...     def tokenize(self, text): return text.split("-")
    >>> tokens_via(Provider()).count("a-b-c")
    3
    """
    if isinstance(provider, (str, bytes, PathLike, list, tuple)):  # their `count` and `encode` mean something else
        raise ConfigurationError(
            f"{shown(provider)} is no provider; for a name, a path or a function use counter=… itself"
        )
    if is_tokenizer(provider):
        return counter(provider)
    for method in (*_COUNTING, *_TOKENIZING):
        function = getattr(provider, method, None)
        if callable(function):
            name = f"{_name_of(provider)}.{method}"
            return Function(function if method in _COUNTING else LengthOf(function, name), name)
    methods = [name for name in dir(provider) if not name.startswith("_") and callable(getattr(provider, name, None))]
    raise ConfigurationError(
        f"{shown(provider)} cannot count: it needs a method count_tokens, count, tokenize or encode"
        f" and has {', '.join(methods) or 'none at all'}"
    )


class LengthOf:
    """Counts what a tokenizing function answers: ids, pieces, anything that has a length in tokens."""

    __slots__ = ("_function", "_name")

    def __init__(self, function: Callable[[str], Sized], name: str) -> None:
        self._function = function
        self._name = name

    def __call__(self, text: str) -> int:
        answer = self._function(text)
        if isinstance(answer, (Mapping, str, bytes, bytearray)):  # their length is one of keys or letters
            raise CounterError(
                f"the counter {self._name!r} answered {shown(answer)} of type {type(answer).__name__}; it must answer"
                " a sequence of tokens, or a number from a method count_tokens"
            )
        return len(answer)


def _name_of(provider: object) -> str:
    return str(getattr(provider, "__qualname__", type(provider).__qualname__))
