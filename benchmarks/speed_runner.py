"""Runs one tool over the texts of the speed benchmark, in a process that has not seen them, and prints the seconds.

It is run by `speed.py`, with spanwise in its own environment and the other chunkers in theirs, so it imports nothing
of either but what the tool needs. Run: python speed_runner.py TOOL ENCODING BUDGET MOST_BYTES FILE...
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WARMING = [
    (
        "One sentence loads what is loaded late. Another one.\n\nAnd a paragraph; 東京です。 ไทย\n\n"
        '# Heading\n\n1. An item (with 3.5 brackets).\n- Another: "a quotation."\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n'
        "SECTION 2. TITLE\n----------------\n\n```py\ndef f(x):\n    # comment\n    return x\n```\n"
    )
    * 20,
    "Dr. Smith paid $3.50 (about 3 p.m.) in 2019. “It holds,” she said… Does it?\nSection 2 says so [4].\n\n" * 60,
    "def f(x: int) -> int:\n    # A comment.\n    return x + 1  # or 2\n\n\n" * 60,
    "東京は大きい。「そうですか」と言った。" * 200,
    "สวัสดีครับ ประเทศไทย " * 200,
]
"""One of each kind of text, for what is loaded or compiled when a text first needs it."""

SEPARATOR = "\x1e"
"""Between the documents of a file that holds many."""


def main() -> None:
    """Print one JSON line for each file: its name, bytes, and CPU seconds for the first and for a second pass."""
    tool, encoding, budget, most, *files = sys.argv[1:]
    work = TOOLS[tool](encoding, int(budget))
    with suppress(Exception):  # which some raise for some texts, as is shown below
        _count(work(WARMING))
    for file in files:
        documents = _documents(Path(file), int(most))
        told: dict[str, object] = {"bytes": sum(len(document.encode()) for document in documents)}
        try:
            told["seconds"] = [_timed(work, documents) for _ in range(2)]
        except Exception as error:  # noqa: BLE001  some cannot chunk some texts, and that is shown
            told["fails"] = f"{type(error).__name__}: {error}"[:150]
        print(json.dumps({"file": Path(file).stem, **told}), flush=True)


def _timed(work: Any, documents: list[str]) -> float:
    begin = time.process_time()
    _count(work(documents))
    return time.process_time() - begin


def _documents(file: Path, most: int) -> list[str]:
    taken, size = [], 0
    for document in file.read_bytes().decode().split(SEPARATOR):
        part = document.encode()[: most - size].decode(errors="ignore")
        taken.append(part)
        size += len(part.encode())
        if size >= most:
            break
    return taken


def _count(outcomes: Iterable[Any]) -> int:
    return sum(len(outcome) for outcome in outcomes)


def _spanwise(strategy: str) -> Callable[[str, int], Any]:
    def tool(encoding: str, budget: int) -> Any:
        import spanwise

        chunker = spanwise.Chunker(strategy, max_tokens=budget, counter=encoding, overflow="split")
        return chunker.chunk_many

    return tool


def _spanwise_characters(_: str, budget: int) -> Any:
    import spanwise

    chunker = spanwise.Chunker("words", max_characters=4 * budget, overflow="split")
    return chunker.chunk_many


def _sentence_cuts(encoding: str, _: int) -> Any:
    """Find all sentence ends and count the text twice: what a strategy that looks at all its cuts costs at least."""
    import spanwise
    from spanwise.segmenting.segmenter import cuts_of
    from spanwise.segmenting.sentences import Sentences

    counter, sentences = spanwise.counter(encoding), Sentences()

    def work(documents: list[str]) -> Iterable[Any]:
        for document in documents:
            counter.count(document)
            counter.count(document)
            yield list(cuts_of(sentences, document))

    return work


def _wordpiece(strategy: str) -> Callable[[str, int], Any]:
    def tool(_: str, budget: int) -> Any:
        import spanwise

        chunker = spanwise.Chunker(strategy, max_tokens=budget, counter=_tokenizer_file(), overflow="split")
        return chunker.chunk_many

    return tool


def _tokenizers(_: str, budget: int) -> Any:
    """Encode with tokenizers alone, in pieces about as long as chunks, as they would be encoded to be embedded."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(_tokenizer_file())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    step = 4 * budget
    return lambda documents: (
        [len(tokenizer.encode(document[at : at + step]).ids) for at in range(0, len(document), step)]
        for document in documents
    )


def _tokenizer_file() -> str:
    return str(Path(__file__).resolve().parent.parent / "tests/data/minilm-wordpiece.tokenizer.json")


def _gigatoken(encoding: str, _: int) -> Any:
    import gigatoken

    from spanwise.counting import bytepair

    vocabulary = bytepair.VOCABULARIES[encoding]
    ranks = Path(bytepair.__file__).parent / "vocabularies" / vocabulary.file
    tokenizer = gigatoken.Tokenizer.from_tiktoken(ranks, pretokenizer=vocabulary.pretokenizer, special_tokens={})
    return lambda documents: (tokenizer.backend.encode(document) for document in documents)


def _tiktoken(encoding: str, _: int) -> Any:
    import tiktoken

    encode = tiktoken.get_encoding(encoding).encode_ordinary
    return lambda documents: (encode(document) for document in documents)


def _langchain(encoding: str, budget: int) -> Any:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    make = RecursiveCharacterTextSplitter.from_tiktoken_encoder
    split = make(encoding, chunk_size=budget, chunk_overlap=0).split_text
    return lambda documents: (split(document) for document in documents)


def _semantic_text_splitter(kind: str) -> Callable[[str, int], Any]:
    def tool(encoding: str, budget: int) -> Any:
        import semantic_text_splitter

        model = {"cl100k_base": "gpt-4", "o200k_base": "gpt-4o"}[encoding]
        split = getattr(semantic_text_splitter, kind).from_tiktoken_model(model, budget, trim=False).chunk_indices
        return lambda documents: (split(document) for document in documents)

    return tool


def _semchunk(encoding: str, budget: int) -> Any:
    import semchunk

    split = semchunk.chunkerify(encoding, budget)
    return lambda documents: (split(document) for document in documents)


def _chonkie(kind: str) -> Callable[[str, int], Any]:
    def tool(encoding: str, budget: int) -> Any:
        import chonkie
        import tiktoken

        if kind == "FastChunker":
            split = chonkie.FastChunker(chunk_size=4 * budget).chunk
        else:
            given = {"chunk_overlap": 0} if kind != "RecursiveChunker" else {}
            chunker = getattr(chonkie, kind)(tokenizer=tiktoken.get_encoding(encoding), chunk_size=budget, **given)
            split = chunker.chunk
        return lambda documents: (split(document) for document in documents)

    return tool


def _llama_index(encoding: str, budget: int) -> Any:
    import tiktoken
    from llama_index.core.node_parser import SentenceSplitter

    encode = tiktoken.get_encoding(encoding).encode_ordinary
    split = SentenceSplitter(chunk_size=budget, chunk_overlap=0, tokenizer=encode).split_text
    return lambda documents: (split(document) for document in documents)


STRATEGIES = ("structural", "recursive", "words", "tokens", "sentences", "sections")
TOOLS: dict[str, Callable[[str, int], Any]] = {
    **{f"spanwise {strategy}": _spanwise(strategy) for strategy in STRATEGIES},
    "spanwise words, characters": _spanwise_characters,
    "spanwise structural, WordPiece": _wordpiece("structural"),
    "spanwise words, WordPiece": _wordpiece("words"),
    "sentence cuts and two counts": _sentence_cuts,
    "gigatoken alone": _gigatoken,
    "tokenizers alone, WordPiece": _tokenizers,
    "tiktoken alone": _tiktoken,
    "Chonkie Fast, bytes": _chonkie("FastChunker"),
    "Chonkie Recursive": _chonkie("RecursiveChunker"),
    "Chonkie Token": _chonkie("TokenChunker"),
    "Chonkie Sentence": _chonkie("SentenceChunker"),
    "LangChain Recursive": _langchain,
    "semchunk": _semchunk,
    "LlamaIndex Sentence": _llama_index,
    "semantic-text-splitter Text": _semantic_text_splitter("TextSplitter"),
    "semantic-text-splitter Markdown": _semantic_text_splitter("MarkdownSplitter"),
}

if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
