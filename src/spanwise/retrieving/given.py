"""Is what a caller gives what is needed? Iterators and the numbers of NumPy are taken; what is not is shown."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator
from numbers import Real
from typing import TYPE_CHECKING, SupportsIndex

from spanwise.chunks import Chunk
from spanwise.errors import ConfigurationError, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "array_of_numbers",
    "chunk_in",
    "chunks_in",
    "listed",
    "number_in",
    "python_number",
    "ranges_in",
    "whole_number",
]

_NO_NUMBERS = "cSUMm"
"""The kinds of arrays that NumPy would make numbers of, or numbers of another kind, without a word."""


def listed(name: str, values: object, what: str) -> list[object]:
    """List what comes as a list, an array or a generator; one number, one string or nothing is no list."""
    if not isinstance(values, Iterable) or isinstance(values, str | bytes) or getattr(values, "shape", None) == ():
        raise ConfigurationError(f"{name} must be {what}, got {shown(values)}")
    return list(values)


def chunks_in(name: str, chunks: object) -> list[Chunk]:
    """List chunks, and check that they are."""
    found: list[Chunk] = []
    for place, chunk in enumerate(listed(name, chunks, "chunks")):
        found.append(chunk_in(f"{name}[{place}]", chunk))
    return found


def chunk_in(name: str, chunk: object) -> Chunk:
    """Take a chunk, and nothing else."""
    if not isinstance(chunk, Chunk):
        raise ConfigurationError(f"{name} must be a Chunk, got {shown(chunk)}")
    return chunk


def whole_number(name: str, value: object, least: int, what: str = "") -> int:
    """Take a whole number, also one of NumPy's, such as the end of the last span."""
    number = _index(value)
    if number is None or number < least:
        raise ConfigurationError(f"{name} must be {what or f'a whole number of at least {least}'}, got {shown(value)}")
    return number


def python_number(value: object) -> object:
    """Make a whole number of NumPy's one of Python's; what is none stays, for whoever checks it."""
    number = _index(value)
    return value if number is None else number


def _index(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array of several numbers has the method, but is none
        return None


def number_in(name: str, value: object, least: float, most: float, what: str) -> float:
    """Take a finite number between two, also one of NumPy's."""
    number = _float(value)
    if number is None or not math.isfinite(number) or not least <= number <= most:
        raise ConfigurationError(f"{name} must be {what}, got {shown(value)}")
    return number


def _float(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def array_of_numbers(name: str, values: object) -> NDArray[np.generic]:
    """Make an array of real numbers, of the type in which they come."""
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    values = list(values) if isinstance(values, Iterator) else values
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"{name} is no array of numbers: {error}; got {shown(values)}") from error
    if array.dtype.kind in _NO_NUMBERS or array.dtype.names is not None:
        what = "complex numbers" if array.dtype.kind == "c" else f"values of the type {array.dtype}"
        first = f", first {shown(array.flat[0].item())}" if array.size else ""
        raise ConfigurationError(f"{name} is no array of real numbers, it holds {what}{first}: give real numbers")
    if array.dtype == object:  # such as whole numbers over 64 bits
        for place, value in np.ndenumerate(array):
            if _float(value) is None:
                where = f" at {', '.join(map(str, place))}" if place else ""
                raise ConfigurationError(
                    f"{name} is no array of numbers: it holds {shown(value)}{where}; give numbers that a float holds"
                )
        array = array.astype(np.float64)
    return array


def ranges_in(name: str, values: object, source: str) -> NDArray[np.int64]:
    """Make an array of half-open ranges, one row for each; `source` is the function that gives them."""
    import numpy as np  # noqa: PLC0415  `import spanwise` stays cheap

    ranges = array_of_numbers(name, values)
    if ranges.size == 0:
        return np.empty((0, 2), np.int64)
    if ranges.ndim != 2 or ranges.shape[1] != 2:
        raise ConfigurationError(f"{name} has the shape {ranges.shape}: give what {source} gives")
    if ranges.dtype.kind not in "iu":
        raise ConfigurationError(
            f"{name} holds numbers of the type {ranges.dtype}: {shown(values)}; give whole numbers, as {source} does"
        )
    if ranges.dtype == np.uint64:  # what is beyond the largest offset is beyond any text
        ranges = np.minimum(ranges, np.uint64(np.iinfo(np.int64).max))
    return ranges.astype(np.int64)
