"""What is a text about? Vectors of texts, by the user's own model or by one that is read from its package.

- `embedder`: which embedder is meant by a name, a model, a client or a function.
- `Embedder`: what an embedder is.
- `StaticVectors`: the default, which works offline.
"""

from __future__ import annotations

from spanwise.embedding.embedder import Embedder
from spanwise.embedding.naming import embedder

__all__ = ["Embedder", "embedder"]
