"""Vectors that need no download: those of the package `wordllama`, read from the files that it carries.

A text's vector is the mean of those of its tokens (Arora, Liang and Ma 2017 call it a tough baseline). The package's
own code is not used: its import configures the root logger, its `load` reaches for the network where a file is not
where it looks, and it pads each batch to its longest text, so that one long text takes gigabytes.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spanwise.counting.counter import countable
from spanwise.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

__all__ = ["StaticVectors"]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_TOKENS_AT_ONCE = 65_536  # rows of 1 kB that are gathered before they are summed


class StaticVectors:
    """Embeds with the static vectors of `wordllama` (256 dimensions); they are loaded when the first text comes.

    Raises:
        MissingExtraError: The package is not installed.
    """

    name = "wordllama"

    def __init__(self) -> None:
        self._folder = _folder()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give the mean of the vectors of each text's tokens; zeros where it has none."""
        table, tokenizer = _loaded(self._folder)
        vectors = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        for place, text in enumerate(texts):
            ids = np.asarray(tokenizer.encode(countable(text), add_special_tokens=False).ids, dtype=np.int64)
            for start in range(0, len(ids), _TOKENS_AT_ONCE):
                vectors[place] += table[ids[start : start + _TOKENS_AT_ONCE]].sum(axis=0)
            vectors[place] /= max(len(ids), 1)
        return vectors

    def __reduce__(self) -> tuple[object, ...]:
        return StaticVectors, ()

    def __repr__(self) -> str:
        return "StaticVectors()"


@lru_cache(maxsize=1)
def _loaded(folder: Path) -> tuple[NDArray[np.float32], Tokenizer]:
    from safetensors.numpy import load_file  # noqa: PLC0415  both come with the extra
    from tokenizers import Tokenizer  # noqa: PLC0415

    table: NDArray[np.float32] = load_file(folder / _WEIGHTS)["embedding.weight"].astype(np.float32)
    return table, Tokenizer.from_file(str(folder / _TOKENIZER))


def _folder() -> Path:
    """Find where the package lies, without importing it."""
    spec = find_spec("wordllama")
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        if (Path(place) / _WEIGHTS).is_file() and (Path(place) / _TOKENIZER).is_file():
            return Path(place)
    raise MissingExtraError("wordllama", "semantic", "embedding without a model of your own")
