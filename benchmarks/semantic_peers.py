"""Where do other semantic chunkers cut? Run by `semantic_boundaries.py` in an environment of their own.

Reads a JSON list of texts from the standard input, writes JSON lines: a method, its settings, whether those are its
defaults, the seconds it took for all texts, and for each text the offsets at which its chunks but the first begin.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from chonkie import SemanticChunker as ChonkieChunker
from chonkie.embeddings import BaseEmbeddings
from langchain_core.embeddings import Embeddings
from langchain_experimental.text_splitter import SemanticChunker as LangChainChunker
from llama_index.core import Document
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.node_parser import SemanticSplitterNodeParser
from static_vectors import wordllama_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

VECTORS = wordllama_vectors()
NO_BUDGET = 10_000_000

Settings = dict[str, Any]


class ChonkieVectors(BaseEmbeddings):
    """The vectors, for Chonkie."""

    dimension = 256

    def embed(self, text: str) -> Any:
        """Embed one text."""
        return VECTORS([text])[0]

    def embed_batch(self, texts: list[str]) -> list[Any]:
        """Embed many texts."""
        return list(VECTORS(texts)) if texts else []

    def get_tokenizer(self) -> str:
        """Count characters: with a budget that is never reached no count matters."""
        return "character"


class LangChainVectors(Embeddings):
    """The vectors, for LangChain."""

    def embed_documents(self, texts: list[str]) -> Any:
        """Embed many texts."""
        return VECTORS(texts)

    def embed_query(self, text: str) -> Any:
        """Embed one text."""
        return VECTORS([text])[0]


class LlamaIndexVectors(BaseEmbedding):
    """The vectors, for LlamaIndex."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return list(VECTORS([text])[0])

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return [row.tolist() for row in VECTORS(texts)]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def langchain(text: str, settings: Settings) -> list[str]:
    """Chunk with LangChain."""
    return list(LangChainChunker(LangChainVectors(), **settings).split_text(text))


def chonkie(text: str, settings: Settings) -> list[str]:
    """Chunk with Chonkie."""
    chunker = ChonkieChunker(ChonkieVectors(), chunk_size=NO_BUDGET, **settings)
    return [chunk.text for chunk in chunker.chunk(text)]


def llama_index(text: str, settings: Settings) -> list[str]:
    """Chunk with LlamaIndex."""
    splitter = SemanticSplitterNodeParser(embed_model=LlamaIndexVectors(embed_batch_size=1_000), **settings)
    return [node.text for node in splitter.get_nodes_from_documents([Document(text=text)])]


def _methods() -> Iterator[tuple[str, Callable[[str, Settings], list[str]], Settings]]:
    """Yield each method with its defaults, then with the settings among which its best are sought."""
    yield "LangChain SemanticChunker", langchain, {}
    breakpoints = [
        *product(["percentile"], [90, 93, 95, 97]),
        *product(["gradient"], [90, 95]),
        *product(["standard_deviation"], [1, 1.5, 2, 3]),
        *product(["interquartile"], [0.75, 1, 1.5]),
    ]
    for buffer, (kind, amount) in product(range(4), breakpoints):
        settings = {"buffer_size": buffer, "breakpoint_threshold_type": kind, "breakpoint_threshold_amount": amount}
        yield "LangChain SemanticChunker", langchain, settings
    yield "Chonkie SemanticChunker", chonkie, {}
    for window, threshold, least, smoothing in product([3, 8, 12], [0.5, 0.8, 0.9], [1, 5], [5, 11, 21]):
        settings = {"similarity_window": window, "threshold": threshold, "min_sentences_per_chunk": least}
        yield "Chonkie SemanticChunker", chonkie, {**settings, "filter_window": smoothing}
    yield "LlamaIndex SemanticSplitterNodeParser", llama_index, {}
    for buffer, percentile in product(range(4), [90, 93, 95, 97]):
        settings = {"buffer_size": buffer, "breakpoint_percentile_threshold": percentile}
        yield "LlamaIndex SemanticSplitterNodeParser", llama_index, settings


def starts_of(text: str, chunks: Sequence[str]) -> list[int]:
    """Give where chunks begin whose white space may differ from that of the text; in order, nothing left out.

    Raises:
        ValueError: The characters of the chunks, white space apart, are not those of the text.
    """
    inked = [offset for offset, character in enumerate(text) if not character.isspace()]
    position, starts = 0, []
    for chunk in chunks:
        ink = "".join(chunk.split())
        if not ink:
            continue
        if "".join(text[offset] for offset in inked[position : position + len(ink)]) != ink:
            raise ValueError(f"a chunk is not what the text has at {inked[position]}: {chunk[:80]!r}")
        starts.append(inked[position])
        position += len(ink)
    if position != len(inked):
        raise ValueError(f"the chunks end at {inked[position]} of {len(text)}")
    return starts[1:]


def main() -> None:
    """Write a line for each method and setting."""
    warnings.simplefilter("ignore")
    texts = json.load(sys.stdin)
    for name, chunk, settings in _methods():
        begin = time.perf_counter()
        found = [chunk(text, settings) for text in texts]
        seconds = time.perf_counter() - begin
        starts = [starts_of(text, chunks) for text, chunks in zip(texts, found, strict=True)]
        row = {"method": name, "settings": settings, "default": not settings, "seconds": seconds, "starts": starts}
        print(json.dumps(row, default=np.generic.item), flush=True)


if __name__ == "__main__":
    main()
