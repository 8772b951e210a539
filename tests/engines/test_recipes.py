"""The recipes of docs/recipes.md, run from the page where their package is installed."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

from conftest import ENGINES

if TYPE_CHECKING:
    from sybil.example import Example

PAGE = Path(__file__).parent.parent.parent / "docs" / "recipes.md"
PACKAGES = {
    "": "pyarrow",
    "Polars": "polars",
    "Hugging Face datasets": "datasets",
    "Daft": "daft",
    "Spark": "pyspark",
    "Ray": "ray",
}
"""What the examples below each heading need; those above the first need what the tests need."""


def examples() -> dict[str, list[Example]]:
    """Give the examples below each heading."""
    headings = [(0, "")] + [
        (at, line.removeprefix("## "))
        for at, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines())
        if re.match("## ", line)
    ]
    found: dict[str, list[Example]] = {heading: [] for _, heading in headings}
    for example in Sybil(parsers=[PythonCodeBlockParser()]).parse(PAGE).examples():
        found[[heading for at, heading in headings if at < example.line][-1]].append(example)
    return found


def is_there(package: str) -> bool:
    """Say whether a package is installed; Spark needs Java too."""
    return ENGINES.get(package, True) and (package != "pyspark" or shutil.which("java") is not None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of the engines are not ours
@pytest.mark.parametrize("heading", [heading for heading, package in PACKAGES.items() if is_there(package)])
def test_a_recipe_gives_what_it_says(heading: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the lines above the first heading before it, as the page says."""
    for name, value in {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ADDRESS": "local",
        "DO_NOT_TRACK": "1",
        "DAFT_ANALYTICS_ENABLED": "0",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(tmp_path),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": os.pathsep.join([str(PAGE.parent.parent / "src"), os.environ.get("PYTHONPATH", "")]),
    }.items():
        monkeypatch.setenv(name, value)
    found = examples()
    for example in [*found[""], *(found[heading] if heading else [])]:
        example.evaluate()


def test_every_heading_has_a_package_and_an_example() -> None:
    """Else a recipe could go untested."""
    found = examples()
    assert found.keys() == PACKAGES.keys()
    assert all(found.values())
