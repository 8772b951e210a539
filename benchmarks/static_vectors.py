"""Vectors for the benchmarks that need some: of wordllama, whose weights are in its wheel, so nothing is downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["wordllama_vectors"]


def wordllama_vectors() -> Callable[[Sequence[str]], Any]:
    """Give a function from texts to a float32 array, one row of length 1 for each: `l2_supercat`, 256 numbers."""
    import numpy as np
    import wordllama

    # Its loader looks for the tokenizer in a folder `tokenizer` of the package, where it is in `tokenizers`; as a
    # cache the same folder is read right.
    folder = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load("l2_supercat", cache_dir=folder, dim=256, disable_download=True)
    return lambda texts: np.asarray(model.embed(list(texts), norm=True), dtype=np.float32)
