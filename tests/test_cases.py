"""Every case of `data/cases`, judged by its own checker.

What the strategies do not hold yet is listed with its reason; a listed check that starts to hold fails its test, so
that the list stays true. Time and memory are measured elsewhere.
"""

from __future__ import annotations

import runpy
import shutil
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

import spanwise
from oracles import DATA, tiktoken_encoding
from spanwise.documents import media_type_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

_CASES = DATA / "cases"


class Way(NamedTuple):
    """How a case is chunked, and which of its checks do not hold yet, for what reason."""

    strategy: str | spanwise.Strategy
    not_yet: tuple[str, ...] = ()
    reason: str = ""
    context: Literal["none", "section", "table", "both"] = "none"


WAYS = {
    "case-01-repeated-line-offsets": Way("sentences"),
    "case-02-token-overlap-offset-minus-one": Way("tokens"),
    "case-03-multibyte-token-slices": Way("tokens"),
    "case-04-emoji-zwj-and-combining-marks": Way("recursive"),
    "case-05-special-token-text": Way("sentences"),
    "case-06-fenced-code-with-hashes": Way("sections"),
    "case-07-setext-headings": Way("sections"),
    "case-09-markdown-invisible-characters-kept": Way("sections"),
    "case-10-markdown-table-rows-and-header": Way("sections", context="table"),
    "case-12-front-matter-and-html-blocks": Way("sections"),
    "case-14-python-decorators-docstrings-nesting": Way("code"),
    "case-16-tsx-components": Way("code"),
    "case-18-html-headings-tables-inline": Way("structural"),
    "case-19-json-nested-empty-and-long-values": Way("sections"),
    "case-20-japanese-sentences": Way("sentences"),
    "case-22-crlf-bom-tab-formfeed": Way("recursive"),
    "case-23-huge-unbroken-string": Way("recursive"),
    "case-24-whitespace-flood": Way("recursive"),
    "case-25-four-megabyte-prose": Way("recursive"),
    "case-26-empty-document": Way("recursive"),
    "case-28-abbreviations-decimals-initials": Way(spanwise.SentenceWindow(sentences=1, overlap_sentences=0)),
    "case-29-legal-numbered-clauses-and-toc": Way("sections"),
    "case-30-chat-transcript-turns": Way("structural"),
    "case-32-overlap-honoured": Way("recursive"),
    "case-34-budget-counted-in-isolation": Way("recursive"),
    "case-36-heading-not-orphaned": Way("sections"),
    "case-37-edit-keeps-chunk-ids-markdown": Way("sections"),
    "case-39-duplicate-paragraph-ids": Way("recursive"),
    "case-43-han-text-without-stops": Way("recursive"),
}


@lru_cache(maxsize=1)
def checker() -> ModuleType:
    """Load `check.py`, with tiktoken's encoding made from the carried ranks so that nothing is downloaded."""
    spec = spec_from_file_location("check", _CASES / "check.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(_CASES / "check.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    module._enc["cl100k_base"] = tiktoken_encoding("cl100k_base")
    return module


def document_of(name: str, case: dict[str, Any], text: str | None, folder: Path) -> spanwise.Document:
    """Give the input of a case; one that is made is made in a folder of its own."""
    if text is None:
        script = shutil.copy(_CASES / name / case["input"], folder)
        runpy.run_path(str(script))
        text = (folder / "input.txt").read_bytes().decode("utf-8")
        return spanwise.Document(id=name, text=text)
    return spanwise.Document(id=name, text=text, media_type=media_type_of(case["input"]))


def chunking(
    way: Way, parameters: dict[str, Any], document: spanwise.Document
) -> Callable[[str], list[dict[str, Any]]]:
    """Make the function from a text to chunks as the checker reads them."""
    unit = "tokens" if parameters["unit"] == "tokens" else "characters"
    sizes = {f"max_{unit}": parameters["size"], f"overlap_{unit}": parameters["overlap"]}
    chunker = spanwise.Chunker(way.strategy, context=way.context, **sizes)

    def chunks(text: str) -> list[dict[str, Any]]:
        made = chunker.chunk(spanwise.Document(id=document.id, text=text, media_type=document.media_type))
        return [
            {
                "text": chunk.text,
                "start": chunk.start,
                "end": chunk.end,
                "headings": list(chunk.section),
                "symbols": list(chunk.sections),
                "id": chunk.id,
                "context": chunk.context,
                "plain": chunk.plain,
                "page": chunk.page,
            }
            for chunk in made
        ]

    return chunks


def test_every_case_is_run() -> None:
    """A folder without a row here would not be judged."""
    assert set(WAYS) == {
        folder.name for folder in _CASES.iterdir() if folder.is_dir() and folder.name.startswith("case-")
    }


@pytest.mark.parametrize("name", sorted(WAYS))
def test_a_case_holds_but_for_what_is_listed(name: str, tmp_path: Path) -> None:
    """The checks that fail are those that are listed, no fewer."""
    way = WAYS[name]
    case, text = checker().load_case(name)
    document = document_of(name, case, text, tmp_path)
    chunks = chunking(way, case["parameters"], document)
    messages = checker().check(case, document.text, chunks(document.text), rechunk=chunks)
    assert tuple(message.partition(":")[0] for message in messages) == way.not_yet, (messages, way.reason)
