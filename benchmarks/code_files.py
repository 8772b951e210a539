"""Are functions whole, do all promises hold on real source code, and how fast is it?

Run: python benchmarks/code_files.py [--most MEGABYTES] [FOLDER ...]

Over the Python standard library and the .js, .ts, .c, .h, .rs, .go and .java files found in the folders (by default
those of installed programs): `verify` at 64, 256 and 1,000 tokens, the share of functions that fit 400 tokens and are
whole in one chunk, with their decorators and the comments directly before them, and megabytes a second. Where they are
installed, semantic-text-splitter, LlamaIndex and astchunk chunk a sample of the same files; of them a function counts
as whole that is part of a text within 400 tokens, wherever it was. Needs the extra `code`.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
import sysconfig
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import spanwise
from spanwise.formats.code_languages import language_of_media_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BUDGETS = (64, 256, 1_000)
WHOLE_AT = 400
GOAL = 0.97
GOAL_SPEED = 3.0
SUFFIXES = ("js", "ts", "c", "h", "rs", "go", "java")
FOLDERS = ("/usr", "/opt", sys.prefix, sys.base_prefix)
LARGEST = 5_000_000  # bytes of one file
SAMPLE = 300_000  # characters of each language that the others chunk: some take a second for 100,000

FUNCTIONS = frozenset(
    [
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "function_definition",
        "function_item",
        "method_declaration",
        "constructor_declaration",
    ]
)
AROUND = frozenset(("export_statement", "template_declaration", "ambient_declaration"))
BEFORE = frozenset(("comment", "line_comment", "block_comment", "attribute_item", "decorator"))


class Source(NamedTuple):
    """A file: its document, and the language that it is read as."""

    document: spanwise.Document
    language: str


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    parser.add_argument("--most", type=float, default=5.0, help="megabytes of each suffix that are taken (5)")
    given = parser.parse_args()
    most = int(given.most * 1e6)
    kinds = {"py": list(_standard_library())}
    kinds |= {suffix: list(_found(given.folders, suffix, most)) for suffix in SUFFIXES}
    violations = ", ".join(map(str, BUDGETS))
    fit = f"functions that fit {WHOLE_AT}"
    print(f"| files | number | MB | violations at {violations} | {fit} | whole | MB/s (bare parse) | goal |")
    print("|---|---|---|---|---|---|---|---|")
    for suffix, sources in kinds.items():
        print(_row(suffix, sources), flush=True)
    print(f"\nThe same on a sample of at most {SAMPLE:,} characters of each, beside others:\n")
    for suffix, sources in kinds.items():
        for line in _beside_others(suffix, sources):
            print(line, flush=True)


def _standard_library() -> Iterator[Source]:
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if "site-packages" not in path.parts:
            yield from _source(path)


def _found(folders: list[str], suffix: str, most: int) -> Iterator[Source]:
    """Find the files of a suffix, each content once, up to so many bytes."""
    seen: set[str] = set()
    taken = 0
    for folder in folders:
        for path in sorted(Path(folder).rglob(f"*.{suffix}")):
            if taken >= most:
                return
            if not path.is_file() or path.stat().st_size > LARGEST:
                continue
            for source in _source(path):
                if source.document.text not in seen:
                    seen.add(source.document.text)
                    taken += len(source.document.text)
                    yield source


def _source(path: Path) -> Iterator[Source]:
    try:
        document = spanwise.Document.from_file(path)
    except (spanwise.DocumentError, OSError):
        return  # tests of Python hold files in other encodings, and what is no text
    _, language = language_of_media_type(document.media_type, document.text[:65_536])
    if document.text.strip() and language is not None:
        yield Source(document, language.name)


def _row(suffix: str, sources: list[Source]) -> str:
    if not sources:
        return f"| .{suffix} | 0 | | none found | | | | |"
    size = sum(len(source.document.text.encode("utf-8", "surrogatepass")) for source in sources)
    faults = []
    for budget in BUDGETS:
        chunker = spanwise.Chunker("code", max_tokens=budget, overflow="split")
        faults.append(sum(len(chunker.verify(each.document, chunker.chunk(each.document))) for each in sources))
    chunker = spanwise.Chunker("code", max_tokens=WHOLE_AT, overflow="split")
    begun = time.process_time()
    chunked = [chunker.chunk(source.document) for source in sources]
    speed = size / (time.process_time() - begun) / 1e6
    parsing = _parsing_speed(sources)
    whole = fit = 0
    for source, chunks in zip(sources, chunked, strict=True):
        for start, end in _fitting(source, chunker):
            fit += 1
            whole += any(chunk.start <= start and end <= chunk.end for chunk in chunks)
    share = whole / fit if fit else 1.0
    verdict = "met" if not any(faults) and share >= GOAL and (suffix != "py" or speed >= GOAL_SPEED) else "MISSED"
    violations = ", ".join(map(str, faults))
    figures = f"{len(sources)} | {size / 1e6:.1f} | {violations} | {fit} | {share:.2%} | {speed:.1f} ({parsing:.1f})"
    return f"| .{suffix} | {figures} | {verdict} |"


def _parsing_speed(sources: list[Source]) -> float:
    """Parse and do nothing else, to show how busy the machine is."""
    from tree_sitter import Parser

    texts = [(each.language, each.document.text.encode("utf-8", "replace")) for each in sources]
    parsers = {language: Parser(_grammar(language)) for language, _ in texts}
    begun = time.process_time()
    for language, text in texts:
        parsers[language].parse(text)
    return sum(len(text) for _, text in texts) / (time.process_time() - begun) / 1e6


def _fitting(source: Source, chunker: spanwise.Chunker) -> list[tuple[int, int]]:
    """List the functions that are within the budget alone, with what belongs to them."""
    text = source.document.text
    spans = _python_functions(text) if source.language == "python" else _functions(text, source.language)
    return [(start, end) for start, end in spans if chunker.counter.count(text[start:end]) <= WHOLE_AT]


def _python_functions(text: str) -> Iterator[tuple[int, int]]:
    """Find functions by Python's own parser, which knows nothing of comments."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = text.splitlines(keepends=True)
    if any(set(line[:-2]) & set("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029") for line in lines):
        return  # their lines are others than those of the parser
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            while first > 0 and lines[first - 1].lstrip().startswith("#"):
                first -= 1
            last = node.end_lineno or node.lineno
            yield starts[first], starts[last - 1] + len(lines[last - 1].rstrip())


def _functions(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Find functions with names by tree-sitter, with the comments on the lines directly before them."""
    from tree_sitter import Parser

    source = text.encode("utf-8", "replace")
    points = _Points(source)
    waiting = [Parser(_grammar(language)).parse(source).root_node]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.named_children)
        if node.type in FUNCTIONS and node.child_by_field_name("body") is not None:
            first = node
            while first.parent is not None and first.parent.type in AROUND:
                first = first.parent
            end = first.end_byte
            while (before := first.prev_named_sibling) is not None and before.type in BEFORE:
                row = before.end_point.row - (before.end_point.column == 0)
                opens_line = not source[source.rfind(b"\n", 0, before.start_byte) + 1 : before.start_byte].strip()
                if first.start_point.row - row != 1 or not opens_line:
                    break
                first = before
            yield points.of(first.start_byte), points.of(end)


class _Points:
    """Code points of bytes, counted from the last one asked about."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._ascii = source.isascii()

    def of(self, place: int) -> int:
        return place if self._ascii else len(self._source[:place].decode())


def _grammar(language: str) -> Any:
    from tree_sitter import Language

    return Language(_pointer(language))


def _pointer(language: str) -> Any:
    module = importlib.import_module(f"tree_sitter_{'typescript' if language == 'tsx' else language}")
    make = getattr(module, "language", None) or getattr(module, f"language_{language}")
    return make()


def _beside_others(suffix: str, sources: list[Source]) -> Iterator[str]:
    """Compare on the files of middling size, spread over all of them."""
    sample, taken = [], 0
    for source in sources[:: max(1, len(sources) // 60)]:
        if 1_000 <= len(source.document.text) <= 60_000 and taken < SAMPLE:
            sample.append(source)
            taken += len(source.document.text)
    chunker = spanwise.Chunker("code", max_tokens=WHOLE_AT, overflow="split")
    functions = [_fitting(source, chunker) for source in sample]
    number = sum(map(len, functions))
    if not number:
        return
    languages = {source.language for source in sample}
    for name, make in {"spanwise": _spanwise, **PEERS}.items():
        try:
            splitters = {language: make(language) for language in languages}
        except Exception as error:  # noqa: BLE001  whatever is wrong with another's package, ours is measured
            print(f".{suffix} {name}: does not run here: {type(error).__name__}", file=sys.stderr)
            continue
        whole, begun = 0, time.process_time()
        for source, spans in zip(sample, functions, strict=True):
            text = source.document.text
            texts = [each for each in splitters[source.language](text) if chunker.counter.count(each) <= WHOLE_AT]
            whole += sum(any(text[start:end] in each for each in texts) for start, end in spans)
        seconds = time.process_time() - begun
        figures = f"{whole / number:.2%} ({taken / seconds / 1e6:.2f} MB/s)"
        yield f"- .{suffix}, {len(sample)} files, {number} functions: {name} {figures}"


def _spanwise(language: str) -> Callable[[str], list[str]]:
    chunker = spanwise.Chunker(spanwise.Code(language), max_tokens=WHOLE_AT, overflow="split")
    return lambda text: [chunk.text for chunk in chunker.chunk(text)]


def _semantic_text_splitter(language: str) -> Callable[[str], list[str]]:
    splitters = importlib.import_module("semantic_text_splitter")
    count = spanwise.counter("cl100k_base").count
    splitter = splitters.CodeSplitter.from_callback(_pointer(language), count, WHOLE_AT, trim=False)
    return lambda text: list(splitter.chunks(text))


def _llama_index(language: str) -> Callable[[str], list[str]]:
    """Its size is in characters: those of 400 tokens of code, and one in four more."""
    parsers = importlib.import_module("llama_index.core.node_parser")
    splitter = parsers.CodeSplitter(language=language, max_chars=1_500)
    return lambda text: list(splitter.split_text(text))


def _astchunk(language: str) -> Callable[[str], list[str]]:
    """Its size is in characters that are not blank."""
    if language not in {"python", "java", "typescript"}:
        raise ValueError(language)
    module = importlib.import_module("astchunk")
    builder = module.ASTChunkBuilder(max_chunk_size=1_200, language=language, metadata_template="none")
    return lambda text: [chunk.get("content") or chunk.get("context") or "" for chunk in builder.chunkify(text)]


PEERS = {"semantic-text-splitter": _semantic_text_splitter, "LlamaIndex": _llama_index, "astchunk": _astchunk}

if __name__ == "__main__":
    main()
