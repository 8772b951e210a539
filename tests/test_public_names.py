"""What `spanwise` offers can be imported, says what it is, and comes with an example."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import spanwise

_SOURCE = Path(spanwise.__file__)
PUBLIC = re.findall(r"^from \S+ import \w+ as (\w+)$", _SOURCE.read_text(encoding="utf-8"), re.MULTILINE)
MODULES = [
    info.name for info in pkgutil.walk_packages(spanwise.__path__, "spanwise.") if not info.name.endswith("__main__")
]
_WITHOUT_EXAMPLE = {"CodeWarning", "Counter", "Embedder", "Strategy", "Plan", "Overflow", "Violation"}
"""Protocols and plain values; errors have none either."""


def test_the_names_of_the_design_are_there() -> None:
    """Those that users are told of."""
    told = {
        "chunk",
        "Chunker",
        "ChunkerRegistry",
        "ChunkingSpec",
        "Document",
        "Chunk",
        "counter",
        "tokens_via",
        "reconstruct",
    }
    assert told | {"verify", "strategies", "register", "Overflow", "Structural", "Sentences", "Recursive"} <= set(
        PUBLIC
    )


def test_everything_that_is_imported_is_public() -> None:
    """What is imported in another form would be an accident."""
    imports = re.findall(r"^from \S+ import (?!annotations)(.+)$", _SOURCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(imports) == len(PUBLIC) == len(set(PUBLIC))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_documented(name: str) -> None:
    """One line that a user would say, ended by a full stop or a blank line."""
    thing = getattr(spanwise, name)
    first, _, rest = (inspect.getdoc(thing) or "").partition("\n")
    assert first
    assert rest == "" or rest.startswith("\n") or first.endswith(("`", ".", "a", ",")), first
    assert not first.startswith(f"{name}(")


@pytest.mark.parametrize(
    "name", [name for name in PUBLIC if not name.endswith("Error") and name not in _WITHOUT_EXAMPLE]
)
def test_a_public_name_has_an_example(name: str) -> None:
    """A runnable one, in its docstring."""
    assert ">>>" in (inspect.getdoc(getattr(spanwise, name)) or "")


@pytest.mark.parametrize("module", MODULES)
def test_all_names_of_a_module_exist(module: str) -> None:
    """`__all__` names what is there, and the module says which question it answers."""
    loaded = importlib.import_module(module)
    for name in getattr(loaded, "__all__", ()):
        assert hasattr(loaded, name), name
    assert loaded.__doc__ or not Path(str(loaded.__file__)).read_text(encoding="utf-8").strip()


def test_the_package_is_typed() -> None:
    """Type checkers read its annotations."""
    assert _SOURCE.with_name("py.typed").exists()
