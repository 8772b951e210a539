"""What fuzzing has found stays found out: each finding is a numbered file that its target takes again."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

FUZZ = Path(__file__).resolve().parents[2] / "fuzz"
FINDINGS = sorted(file.name for file in (FUZZ / "regressions").glob("[0-9]*-*"))
TARGETS = ("markdown", "html", "json", "settings", "command")


@pytest.fixture
def targets(monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    """Give the targets by name."""
    monkeypatch.syspath_prepend(str(FUZZ))
    monkeypatch.setitem(sys.modules, "atheris", None)  # it would look into what it imports
    return {name: import_module(f"fuzz_{name}") for name in TARGETS}


@pytest.mark.parametrize("name", FINDINGS)
def test_what_was_found_is_no_more(targets: dict[str, ModuleType], name: str) -> None:
    """Each file by the target that stands in its name."""
    targets[name.partition("-")[2]].check((FUZZ / "regressions" / name).read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_every_target_takes_its_first_seeds(targets: dict[str, ModuleType], name: str) -> None:
    """So that what is fuzzed still runs."""
    seeds = targets[name].seeds()
    assert len(seeds) > 3
    for seed in seeds[:2]:
        targets[name].check(seed)
