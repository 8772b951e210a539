"""What an embedder is: something that gives each text a vector, so that texts about the same lie near each other."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Protocol, cast

from spanwise.counting.answers import FATAL
from spanwise.errors import EmbedderError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float64]

__all__ = ["Embedder", "Embedding", "as_array", "unit_vectors"]


class Embedder(Protocol):
    """Gives each text a vector; texts about the same lie near each other."""

    @property
    def name(self) -> str:
        """How chunks and messages name this embedder."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        """Give one vector for each text, as an array of shape (texts, dimensions)."""


class Embedding:
    """Embeds with any function from a list of texts to one vector each.

    >>> Embedding(lambda texts: [[len(text), 1.0] for text in texts], "lengths").embed(["ab", "c"]).tolist()
    [[2.0, 1.0], [1.0, 1.0]]
    """

    __slots__ = ("_function", "name")

    def __init__(self, function: Callable[[list[str]], object], name: str) -> None:
        self._function = function
        self.name = name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give one vector for each text; batches of one call are the caller's."""
        return as_array(self._function(list(texts)))

    def __reduce__(self) -> tuple[object, ...]:
        return Embedding, (self._function, self.name)

    def __repr__(self) -> str:
        return f"Embedding({self.name!r})"


def as_array(answer: object) -> Vectors:
    """Make an array of what an embedder answered: an array, rows, or one vector after another.

    Raises:
        TypeError, ValueError: it is none of these, or holds what is no real number.
    """
    import numpy as np  # noqa: PLC0415  loaded only where something is embedded

    if isinstance(answer, Awaitable):
        getattr(answer, "close", lambda: None)()
        raise TypeError("the embedder is asynchronous; give a synchronous one")
    if not hasattr(answer, "__array__") and not isinstance(answer, list | tuple):
        answer = list(cast("Iterable[object]", answer))
    array = np.asarray(answer)
    if array.dtype.kind == "c":
        raise TypeError("vectors of complex numbers say nothing of nearness")
    return array.astype(np.float64)


def _is_panic(error: BaseException) -> bool:
    """Say whether a program in Rust has panicked, which is no Exception."""
    return "panic" in type(error).__name__.lower()


def unit_vectors(embedder: Embedder, texts: Sequence[str], document_id: str, dimensions: int | None = None) -> Vectors:
    """Embed texts in one call, each vector made as long as 1; one of zeros stays.

    Raises:
        EmbedderError: the embedder raised, or gave something else than one vector of finite numbers, of as many
            `dimensions` as before, for each text; names the document.
    """
    import numpy as np  # noqa: PLC0415  loaded only where something is embedded

    try:
        vectors = as_array(embedder.embed(texts))
    except FATAL:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and not _is_panic(error):
            raise  # the program is told to stop
        raise EmbedderError(
            f"document {document_id!r}: the embedder {embedder.name!r} raised {type(error).__name__}: "
            f"{shown(str(error), 200)} for {len(texts)} texts, the first {shown(texts[0])}",
            document_id=document_id,
        ) from error
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
        raise EmbedderError(
            f"document {document_id!r}: the embedder {embedder.name!r} gave an array of shape {vectors.shape} for "
            f"{len(texts)} texts; it must give one vector for each, so an array of shape ({len(texts)}, dimensions)",
            document_id=document_id,
        )
    if dimensions is not None and vectors.shape[1] != dimensions:
        raise EmbedderError(
            f"document {document_id!r}: the embedder {embedder.name!r} gave vectors of {vectors.shape[1]} dimensions "
            f"for the text {shown(texts[0])}, and of {dimensions} for those before",
            document_id=document_id,
        )
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(bad):
        raise EmbedderError(
            f"document {document_id!r}: the embedder {embedder.name!r} gave a vector with a number that is not finite "
            f"for the text {shown(texts[int(bad[0])])}",
            document_id=document_id,
        )
    largest = np.abs(vectors).max(axis=1, keepdims=True)  # first, so that no square is too large or too small
    vectors = vectors / np.where(largest > 0, largest, 1.0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    units: Vectors = vectors / lengths
    return units
