"""The examples of the README and the docs, run from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

ROOT = Path(__file__).parent.parent
RECIPES = ROOT / "docs" / "recipes.md"  # tests/engines runs those whose package is installed
PAGES = ["README.md"] + [
    str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md")) if page != RECIPES
]


@pytest.mark.parametrize("page", PAGES)
def test_every_example_gives_what_the_page_says(page: str) -> None:
    """Examples of one page share their names, as a reader who pastes them one after another would have them."""
    for example in Sybil(parsers=[PythonCodeBlockParser()]).parse(ROOT / page).examples():
        example.evaluate()


def test_the_readme_has_examples() -> None:
    """Else the test above would show nothing."""
    assert len(list(Sybil(parsers=[PythonCodeBlockParser()]).parse(ROOT / "README.md").examples())) > 4
