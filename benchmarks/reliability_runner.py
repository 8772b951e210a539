"""Runs one chunker over the cases of `reliability.py` and prints what it makes of them, without judging it.

It is run by `reliability.py`, with spanwise in its own environment and the other chunkers in theirs. A case that takes
more CPU time or memory than it may ends this process, and the next one goes on behind it.
Run: python reliability_runner.py TOOL CASES.json FIRST_CASE
"""

from __future__ import annotations

import json
import logging
import os
import resource
import sys
import time
import warnings
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CPU_SECONDS", "TOOLS", "WITHOUT_OVERLAP"]

CPU_SECONDS, MEMORY = 12, 4 << 30
ENCODING = "cl100k_base"
WARMING = "One sentence loads what is loaded late. Another one.\n\nAnd a paragraph; 東京です。 ไทย\n"


def main() -> None:
    """Print a line when the tool is loaded, and one for each case: CPU seconds and chunks, or the error."""
    tool, file, first = sys.argv[1:]
    told = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what the libraries print is no result
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    work = json.loads(Path(file).read_text(encoding="ascii"))
    made = lru_cache(maxsize=None)(TOOLS[tool])
    for budget, overlap in {tuple(case[1:]) for case in work["cases"]}:
        _outcome(made(budget, overlap), WARMING * 40, keep=False)
    print("ready", file=told, flush=True)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, budget, overlap in work["cases"][int(first) :]:
        print(
            json.dumps(_outcome(made(budget, overlap), work["texts"][name], keep=work["keep"])), file=told, flush=True
        )


def _outcome(split: Any, text: str, *, keep: bool) -> dict[str, object]:
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + CPU_SECONDS, most))
    begin = time.process_time()
    try:
        chunks = split(text)
    except BaseException as error:  # noqa: BLE001  some raise, and a panic of Rust is no Exception
        return {"fails": f"{type(error).__name__}: {ascii(str(error))[1:-1]}"[:150]}
    return {"seconds": time.process_time() - begin, "chunks": chunks if keep else len(chunks)}


def _spanwise(strategy: str) -> Callable[[int, int], Any]:
    def tool(budget: int, overlap: int) -> Any:
        import spanwise

        chunker = spanwise.Chunker(
            strategy, max_tokens=budget, overlap_tokens=overlap, counter=ENCODING, overflow="split"
        )
        return lambda text: [(chunk.text, chunk.start, chunk.end) for chunk in chunker.chunk(text)]

    return tool


def _langchain(kind: str) -> Callable[[int, int], Any]:
    def tool(budget: int, overlap: int) -> Any:
        import langchain_text_splitters

        given: dict[str, Any] = {"chunk_size": budget, "chunk_overlap": overlap, "add_start_index": True}
        given["disallowed_special"] = ()  # else it raises where the name of a special token stands in the text
        splitter = getattr(langchain_text_splitters, kind)
        if kind == "TokenTextSplitter":
            create = splitter(encoding_name=ENCODING, **given).create_documents
        else:
            create = splitter.from_tiktoken_encoder(ENCODING, **given).create_documents

        def split(text: str) -> list[tuple[str, int, int]]:
            found = [(document.page_content, document.metadata["start_index"]) for document in create([text])]
            return [(text, start, start + len(text)) for text, start in found]

        return split

    return tool


def _llama_index(budget: int, overlap: int) -> Any:
    import tiktoken
    from llama_index.core import Document
    from llama_index.core.node_parser import SentenceSplitter

    encode = tiktoken.get_encoding(ENCODING).encode_ordinary
    parse = SentenceSplitter(chunk_size=budget, chunk_overlap=overlap, tokenizer=encode).get_nodes_from_documents
    return lambda text: [
        (node.get_content(), node.start_char_idx, node.end_char_idx) for node in parse([Document(text=text)])
    ]


def _semantic_text_splitter(kind: str) -> Callable[[int, int], Any]:
    def tool(budget: int, overlap: int) -> Any:
        import semantic_text_splitter

        split = getattr(semantic_text_splitter, kind).from_tiktoken_model("gpt-4", budget, overlap).chunk_indices
        return lambda text: [(chunk, start, start + len(chunk)) for start, chunk in split(text)]

    return tool


def _semchunk(budget: int, overlap: int) -> Any:
    import semchunk
    import tiktoken

    encode = tiktoken.get_encoding(ENCODING).encode_ordinary
    split = semchunk.chunkerify(lambda text: len(encode(text)), budget)

    def spans(text: str) -> list[tuple[str, int, int]]:
        chunks, offsets = split(text, offsets=True, overlap=overlap or None)
        return [(chunk, start, end) for chunk, (start, end) in zip(chunks, offsets, strict=True)]

    return spans


def _chonkie(kind: str) -> Callable[[int, int], Any]:
    def tool(budget: int, overlap: int) -> Any:
        import chonkie
        import tiktoken

        given = {} if kind == "RecursiveChunker" else {"chunk_overlap": overlap}
        chunker = getattr(chonkie, kind)(tokenizer=tiktoken.get_encoding(ENCODING), chunk_size=budget, **given)
        return lambda text: [(chunk.text, chunk.start_index, chunk.end_index) for chunk in chunker.chunk(text)]

    return tool


STRATEGIES = ("structural", "recursive", "sentences", "words", "tokens", "sections")
TOOLS: dict[str, Callable[[int, int], Any]] = {
    **{f"spanwise {strategy}": _spanwise(strategy) for strategy in STRATEGIES},
    "semantic-text-splitter Text": _semantic_text_splitter("TextSplitter"),
    "semantic-text-splitter Markdown": _semantic_text_splitter("MarkdownSplitter"),
    "semchunk": _semchunk,
    "LangChain Recursive": _langchain("RecursiveCharacterTextSplitter"),
    "LangChain Token": _langchain("TokenTextSplitter"),
    "LlamaIndex Sentence": _llama_index,
    "Chonkie Recursive": _chonkie("RecursiveChunker"),
    "Chonkie Token": _chonkie("TokenChunker"),
    "Chonkie Sentence": _chonkie("SentenceChunker"),
}
WITHOUT_OVERLAP = ("spanwise structural", "Chonkie Recursive")

if __name__ == "__main__":
    main()
