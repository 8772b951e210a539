"""`import spanwise` is cheap: heavy packages are loaded where they are used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

_HEAVY = (
    "numpy",
    "tree_sitter",
    "gigatoken",
    "awkward",
    "tokenizers",
    "tiktoken",
    "sentencex",
    "rich",
    "click",
    "pydantic",
    "pandas",
    "pyarrow",
)
_ALLOWED = {"spanwise", "msgspec", "regex", "typing_extensions", "tomllib"}
"""What is no part of Python's standard library, or would not be of an older one, and may be loaded."""


def loaded_by(statement: str) -> set[str]:
    """List the top-level packages that a fresh interpreter has loaded after a statement and had not before."""
    code = (
        "import json, sys; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  our own
    return set(json.loads(done.stdout))


def test_importing_loads_no_heavy_package() -> None:
    """Neither arrays nor tokenizers, models of sentences, nor terminals."""
    assert loaded_by("import spanwise") & set(_HEAVY) == set()


def test_importing_loads_the_standard_library_and_two_packages() -> None:
    """That is msgspec and regex, and what msgspec looks for."""
    assert loaded_by("import spanwise") - set(sys.stdlib_module_names) <= _ALLOWED


@pytest.mark.parametrize(
    "slow", ["asyncio", "multiprocessing", "concurrent", "importlib.metadata", "email", "unittest"]
)
def test_importing_loads_no_slow_part_of_the_standard_library(slow: str) -> None:
    """Each of them would cost as much as the whole package."""
    assert slow not in loaded_by("import spanwise")


def test_chunking_by_characters_loads_no_tokenizer() -> None:
    """Words and characters need no arrays, vocabularies or sentences."""
    statement = "import spanwise; spanwise.chunk('one two', 'words', max_characters=4)"
    assert loaded_by(statement) & set(_HEAVY) == set()


def test_chunking_by_tokens_loads_what_it_needs() -> None:
    """The tokenizer and its arrays, not tokenizers, tiktoken or a terminal's command."""
    loaded = loaded_by("import spanwise; spanwise.chunk('one two', 'words', max_tokens=4)")
    assert {"numpy", "gigatoken"} <= loaded
    assert not {"tokenizers", "tiktoken", "pydantic", "pandas", "sentencex"} & loaded


def test_importing_loads_few_modules() -> None:
    """Each costs about half a millisecond; `benchmarks/start.py` measures what all of them cost."""
    counted = "import sys; before = len(sys.modules); import spanwise; print(len(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", counted], capture_output=True, text=True, check=True)  # noqa: S603  our own
    assert int(done.stdout) < 250
