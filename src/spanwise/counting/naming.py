"""Which counter is meant by a name, a path, an object or a function?"""

from __future__ import annotations

import os
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

from spanwise.errors import ConfigurationError, near, shown

from .callables import Function
from .lengths import LENGTHS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .counter import Counter

__all__ = ["counter", "is_tokenizer"]

_ENCODINGS = ("cl100k_base", "o200k_base")
_LIBRARIES = frozenset({"tiktoken", "tokenizers", "transformers"})


def counter(source: object, *, special_tokens: int | bool = 0) -> Counter:
    """Give the counter that a name, a path, a tokenizer or a function stands for.

    Args:
        source: One of
            the encodings "cl100k_base" and "o200k_base", which the package carries;
            "characters", "words" or "bytes";
            the path of a tokenizer.json, or of the folder that holds it;
            an Encoding of tiktoken, a Tokenizer of tokenizers, a tokenizer of transformers;
            a function from text to a number;
            a counter, which is given back.
        special_tokens: How many tokens the model adds to every text, such as [CLS] and [SEP]; they are part of every
            count. True asks the tokenizer.

    Raises:
        ConfigurationError: The name is unknown, the file is missing or no tokenizer, the object cannot count, or
            `special_tokens` is given for something that has none.
        MissingExtraError: The tokenizer.json is of a kind that needs the extra `hf`.

    >>> counter("cl100k_base").count("Hello, world!")
    4
    >>> counter("words").count("Hello, world!")
    2
    >>> counter(len).name
    'len'
    >>> counter("cl100k")
    Traceback (most recent call last):
    spanwise.errors.ConfigurationError: unknown counter 'cl100k', did you mean 'cl100k_base'? Known: cl100k_base, \
o200k_base, characters, words, bytes; or give the path of a tokenizer.json, a tokenizer or a function
    """
    _check_special_tokens(special_tokens)
    if isinstance(source, str):
        return _named(source, special_tokens=special_tokens)
    if isinstance(source, PathLike):
        return _from_file(source, special_tokens=special_tokens)
    if is_tokenizer(source):
        return _from_tokenizer(source, special_tokens=special_tokens)
    if isinstance(getattr(source, "name", None), str) and callable(getattr(source, "count", None)):
        _refuse_special_tokens(source, special_tokens=special_tokens)
        return cast("Counter", source)
    if callable(source):
        return _from_function(source, special_tokens=special_tokens)
    raise ConfigurationError(
        f"{shown(source)} is no counter: give {_CHOICES}; for an object with count_tokens, tokenize or the like use"
        " spanwise.tokens_via"
    )


_CHOICES = f"{', '.join((*_ENCODINGS, *LENGTHS))}; or give the path of a tokenizer.json, a tokenizer or a function"


def is_tokenizer(source: object) -> bool:
    """Say whether an object is a tokenizer of a library that is known here; no library is imported."""
    return not isinstance(source, type) and not _LIBRARIES.isdisjoint(_libraries(source))


def _libraries(source: object) -> set[str]:
    return {kind.__module__.partition(".")[0] for kind in type(source).__mro__}


def _check_special_tokens(special_tokens: object) -> None:
    if not isinstance(special_tokens, int) or special_tokens < 0:
        raise ConfigurationError(f"special_tokens is {shown(special_tokens)}; it must be at least 0, or True")


def _named(name: str, *, special_tokens: int | bool) -> Counter:
    if name in _ENCODINGS:
        from .bytepair import carried  # noqa: PLC0415 - numpy and gigatoken are loaded only where they count

        return carried(name, 0 if special_tokens is True else int(special_tokens))
    if name in LENGTHS:
        _refuse_special_tokens(name, special_tokens=special_tokens)
        return LENGTHS[name]
    if name.endswith(".json") or "/" in name or os.sep in name or os.path.exists(name):  # noqa: PTH110  Path raises for what is too long to be a path
        return _from_file(name, special_tokens=special_tokens)
    known = (*_ENCODINGS, *LENGTHS)
    raise ConfigurationError(f"unknown counter {name!r}{near(name, known) or '.'} Known: {_CHOICES}")


def _refuse_special_tokens(source: object, *, special_tokens: int | bool) -> None:
    if special_tokens:
        raise ConfigurationError(
            f"special_tokens={special_tokens} is for tokenizers and functions; {shown(source)} counts what it counts"
        )


def _from_function(function: Callable[[str], int], *, special_tokens: int | bool) -> Counter:
    if special_tokens is True:
        raise ConfigurationError(
            f"special_tokens=True asks a tokenizer, and the function {shown(function)} cannot say; give the number"
        )
    return Function(function, overhead=int(special_tokens))


def _from_file(path: str | PathLike[str], *, special_tokens: int | bool) -> Counter:
    from .tokenizer_file import from_tokenizer_file  # noqa: PLC0415 - numpy is loaded only where it counts

    return from_tokenizer_file(path, special_tokens=special_tokens)


def _from_tokenizer(source: Any, *, special_tokens: int | bool) -> Counter:
    libraries = _libraries(source)
    if "tiktoken" in libraries:
        from .tiktoken import TiktokenEncoding  # noqa: PLC0415 - numpy is loaded only where it counts

        return TiktokenEncoding(source, overhead=0 if special_tokens is True else int(special_tokens))
    backend = getattr(source, "backend_tokenizer", None) if "transformers" in libraries else source
    overhead = _added_by(source) if special_tokens is True else int(special_tokens)
    name = str(getattr(source, "name_or_path", "") or type(source).__qualname__)
    if backend is None:
        return Function(_SlowTokenizer(source), name, overhead)
    from .huggingface import HuggingFace  # noqa: PLC0415 - numpy is loaded only where it counts

    return HuggingFace(backend.to_str(), name, overhead)


def _added_by(source: Any) -> int:
    """Ask a tokenizer of tokenizers or transformers how many tokens it adds to one text."""
    return int(source.num_special_tokens_to_add(False))  # noqa: FBT003 - the name of the argument differs


class _SlowTokenizer:
    """Counts with a tokenizer of transformers that is written in Python."""

    __slots__ = ("_encode",)

    def __init__(self, tokenizer: Any) -> None:
        self._encode: Callable[..., Any] = tokenizer.encode

    def __call__(self, text: str) -> int:
        return len(self._encode(text, add_special_tokens=False))
