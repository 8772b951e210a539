"""Which embedder is meant by a name, a model, a client or a function?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from spanwise.embedding.embedder import Embedding
from spanwise.errors import ConfigurationError, near, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanwise.embedding.embedder import Embedder

__all__ = ["embedder"]

_CARRIED = "wordllama"
_METHODS = ("embed_documents", "get_text_embedding_batch", "encode", "embed")
"""LangChain; LlamaIndex; sentence-transformers and model2vec; fastembed and others of the same form."""


def embedder(source: object = _CARRIED, *, model: str | None = None) -> Embedder:
    """Give the embedder that a name, a model, a client or a function stands for.

    Args:
        source: One of
            "wordllama", static vectors that work offline (extra `semantic`);
            an embedder, which is given back;
            a model of sentence-transformers, model2vec, fastembed, LangChain or LlamaIndex: an object that has a
            method `encode`, `embed`, `embed_documents` or `get_text_embedding_batch`;
            a client in the style of OpenAI's, with `client.embeddings.create`, and `model=`;
            a function from a list of texts to one vector each.
        model: The name of the model that a client is to use.

    Raises:
        ConfigurationError: The name is unknown, the object cannot embed, or a client is given without `model`.
        MissingExtraError: "wordllama" needs the extra `semantic`.

    >>> lengths = embedder(lambda texts: [[len(text), 1.0] for text in texts])
    >>> lengths.embed(["ab"]).tolist()
    [[2.0, 1.0]]
    """
    create = getattr(getattr(source, "embeddings", None), "create", None)
    if create is not None:
        return _from_client(create, model)
    if model is not None:
        raise ConfigurationError(
            f"model={model!r} is for a client with embeddings.create; {shown(source)} has its own model"
        )
    if isinstance(source, str):
        return _named(source)
    if isinstance(source, type):
        raise ConfigurationError(f"{shown(source)} is a class; give an object of it")
    if isinstance(getattr(source, "name", None), str) and callable(getattr(source, "embed", None)):
        return cast("Embedder", source)
    for method in _METHODS:
        function = getattr(source, method, None)
        if callable(function):
            return Embedding(function, f"{type(source).__qualname__}.{method}")
    if callable(source):
        function = cast("Callable[[list[str]], object]", source)
        return Embedding(function, str(getattr(source, "__qualname__", type(source).__qualname__)))
    raise ConfigurationError(
        f"{shown(source)} cannot embed: give {_CARRIED!r}, a function from a list of texts to vectors, or an object "
        f"with one of the methods {', '.join(_METHODS)}"
    )


def _named(name: str) -> Embedder:
    if name != _CARRIED:
        raise ConfigurationError(
            f"unknown embedder {name!r}{near(name, [_CARRIED]) or '.'} Known: {_CARRIED}; or give a model, a client or "
            "a function"
        )
    from spanwise.embedding.static_vectors import StaticVectors  # noqa: PLC0415  loads arrays

    return StaticVectors()


def _from_client(create: Callable[..., Any], model: str | None) -> Embedder:
    if not model:
        raise ConfigurationError('a client needs the name of its model: embedder(client, model="…")')
    return Embedding(_Client(create, model), model)


class _Client:
    """Asks a client in the style of OpenAI's, whose answers come in the order of their `index`."""

    __slots__ = ("_create", "_model")

    def __init__(self, create: Callable[..., Any], model: str) -> None:
        self._create = create
        self._model = model

    def __call__(self, texts: list[str]) -> list[list[float]]:
        answer = self._create(model=self._model, input=texts)
        if hasattr(answer, "__await__"):
            answer.close()
            raise TypeError("the client is asynchronous; give a synchronous one")
        return [row.embedding for row in sorted(answer.data, key=lambda row: int(row.index))]
