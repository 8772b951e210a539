"""Texts without a place to cut, or with nothing but such places, cost what any text costs.

Work is counted, not timed: the calls that Python makes, and the text that the counter is asked about. The long run has
each text as 1 MB, in a process of its own that may take so much CPU time and memory and no more, and fits the CPU time.

Run: python -m pytest -m slow tests/trust/test_pathological.py

Patterns and readers are sought out by texts made of their own literals: four sizes of each, and the exponent of what
they cost. `SPANWISE_EXAMPLES=500` tries more of them than the 40 of each format.
"""

from __future__ import annotations

import ast
import os
import sys
import time
from functools import cache
from math import log
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

import spanwise
from spanwise.formats.reading import format_names
from texts import docgen
from trust.apart import apart

if TYPE_CHECKING:
    from collections.abc import Callable

MADE = (
    *("longword", "randword", "newlines", "spaces", "nest_quote", "nest_brackets", "nest_list", "headings", "table"),
    *("minjs", "cjk_nopunct", "nosep_commas", "repeat_para"),
)
REPEATED = {
    "line ends of Windows": "\r\n",
    "brackets": "[",
    "images": "![",
    "stars": "*",
    "stars and letters": "*a_",
    "backticks": "`",
    "backticks of all lengths": "`a``b```c",
    "bars": "|",
    "tags": "<div>",
    "closed tags": "<b></b>",
    "open comments": "<!--",
    "open links": "[a](",
    "footnotes": "[^1]: a\n",
    "list items": "- a\n",
    "underlines": "a\n=\n",
    "short lines": "a\n",
    "no-break spaces": "\u00a0",
    "joined emoji": "👩\u200d",
    "flags": "🇩🇪",
    "marks": "\u0301",
    "zalgo": "a" + "\u0301\u0323" * 8,
    "full stops": ".",
    "full stops and blanks": ". ",
    "quotes": '"',
    "open quotes": "“a. ",
    "abbreviations": "Mr. ",
    "initials": "A. ",
    "Han": "字",
    "Han stops": "。",
    "braces": "{",
    "objects": '{"a":',
    "special tokens": "<|endoftext|>",
    "NUL": "\0",
    "lone surrogates": "\ud800",
    "backslashes": "\\",
    "equals signs": "=",
    "numbers": "1.",
    "base64": "TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24",
}
STRATEGIES = ("structural", "recursive", "sentences", "sections", "words")
QUICK = ("brackets", "nest_list", "zalgo", "stars and letters", "tags", "joined emoji", "table", "abbreviations")
EXPONENT, CLEAR_SECONDS = 1.2, 0.4
EXAMPLES = int(os.environ.get("SPANWISE_EXAMPLES", "40"))


def text_of(name: str, size: int) -> str:
    """Give a text by name."""
    if name in REPEATED:
        return (REPEATED[name] * (size // len(REPEATED[name]) + 1))[:size]
    return str(docgen().huge(name, size))


@pytest.mark.parametrize("name", QUICK)
def test_four_times_the_text_is_four_times_the_work(name: str) -> None:
    """An exponent of at most 1.2, counted."""
    less, more = work_of(text_of(name, 2_500)), work_of(text_of(name, 10_000))
    assert log(more / less) / log(4) <= EXPONENT


def work_of(text: str) -> int:
    """Count the calls of Python, and what the counter is asked about, with the promises kept."""
    work = 0
    lengths = spanwise.counter("characters")

    class Weighed:
        name = "weighed"
        overhead = 0

        def count(self, text: str) -> int:
            nonlocal work
            work += len(text) // 16
            return -(-lengths.count(text) // 4)

    def seen(*_: object) -> None:
        nonlocal work
        work += 1

    chunker = spanwise.Chunker(max_tokens=64, counter=Weighed(), overflow="split", blank="keep")
    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        chunks = chunker.chunk(text)
    finally:
        sys.setprofile(before)
    assert "".join(chunk.text for chunk in chunks) == text
    return work


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", [*MADE, *REPEATED])
def test_a_megabyte_of_anything_is_chunked_in_linear_time(name: str, strategy: str) -> None:
    """In a process with a limit of CPU time and memory; at each size every promise holds."""
    assert apart(exponent_of, name, strategy, cpu_seconds=120) <= EXPONENT


def exponent_of(name: str, strategy: str) -> float:
    """Fit the CPU time of 100 kB and 1 MB; 0 where even the larger takes no time to speak of."""
    chunker = spanwise.Chunker(strategy, max_tokens=512, overflow="split", blank="keep")
    for size in (10_000, 100_000, 1_000_000):
        text = text_of(name, size)
        assert chunker.verify(text, chunker.chunk(text)) == []
    return fitted(lambda size: text_of(name, size), chunker, (100_000, 1_000_000))


def fitted(text_of_size: Callable[[int], str], chunker: spanwise.Chunker, sizes: tuple[int, ...]) -> float:
    """Give the exponent of the CPU time between the first size and the last, the least of three trials."""
    exponents = []
    for _ in range(3):
        costs = []
        for size in (sizes[0], sizes[-1]):
            text = text_of_size(size)
            begin = time.process_time()
            chunker.chunk(text)
            costs.append(time.process_time() - begin)
        if costs[-1] < CLEAR_SECONDS:
            return 0.0
        exponents.append(log(costs[-1] / costs[0]) / log(sizes[-1] / sizes[0]))
        if exponents[-1] <= EXPONENT:
            break
    return min(exponents)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in format_names() if name != "auto"])
def test_no_format_is_superlinear_on_its_own_literals(name: str) -> None:
    """Random combinations of what the source itself looks for, repeated."""
    assert apart(superlinear_in, name, EXAMPLES, cpu_seconds=600) == []


def superlinear_in(format_name: str, examples: int) -> list[str]:
    """List the combinations over which a format costs more than the size to the power of 1.3, three times."""
    random = Random(11)  # noqa: S311  no secret
    words = literals()
    chunker = spanwise.Chunker(max_characters=1_000, structure=format_name, overflow="split", blank="keep")
    found = []
    for example in range(examples):
        unit = "".join(random.choices(words, k=random.randint(1, 4)))
        if example % 2:
            unit += random.choice(["\n", " ", "\n\n"])
        costs = [_cost(chunker, unit, 20_000)]
        if costs[0] < 0.04:  # 2 microseconds a character
            continue
        if all(_exponent(chunker, unit) > 1.3 for _ in range(3)):
            found.append(f"{unit!r}: {_exponent(chunker, unit):.2f}")
    return found


def _exponent(chunker: spanwise.Chunker, unit: str) -> float:
    """Fit the costs of four sizes."""
    points = [(log(size), log(max(_cost(chunker, unit, size), 1e-4))) for size in (10_000, 20_000, 40_000, 80_000)]
    mid_x, mid_y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    return float(sum((x - mid_x) * (y - mid_y) for x, y in points) / sum((x - mid_x) ** 2 for x, _ in points))


def _cost(chunker: spanwise.Chunker, unit: str, size: int) -> float:
    text = unit * (size // len(unit) + 1)
    begin = time.process_time()
    chunker.chunk(text)
    return time.process_time() - begin


@cache
def literals() -> tuple[str, ...]:
    """Give the short strings of the source that are no names and no messages, docstrings left out."""
    found: set[str] = set()
    for folder in ("formats", "segmenting"):
        for file in (Path(spanwise.__file__).parent / folder).glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) <= 12:
                    found.add(node.value)
    return tuple(sorted(each for each in found if not each.isidentifier()))
