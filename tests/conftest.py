"""Running the command: in this process through click, and as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

import oracles  # noqa: F401  its profile of Hypothesis holds for every test
from spanwise.cli.main import commands

if TYPE_CHECKING:
    from collections.abc import Callable

    Spanwise = Callable[..., Result]
    Process = Callable[..., subprocess.CompletedProcess[bytes]]


def heed_interrupts() -> None:
    """Undo what a script does to what it runs in the background: there interrupts would be ignored, and handed on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


WITHOUT_DOCLING = find_spec("docling") is None
"""Then what needs it is left out, and the first line of a run says so; `.ci/run` installs it and runs the rest."""

ENGINES = {
    package: find_spec(package) is not None for package in ("polars", "datasets", "daft", "pyspark", "ray", "lancedb")
}
"""Whether the packages of docs/recipes.md and of the examples are installed; the same holds for them."""

collect_ignore_glob = [
    *(["loading/*"] if WITHOUT_DOCLING else []),
    *(["engines/test_ray.py"] if not ENGINES["ray"] else []),
    *(["engines/test_index_in_step.py", "engines/test_lance.py"] if not ENGINES["lancedb"] else []),
]


def pytest_report_header() -> list[str]:
    """Say what is left out."""
    missing = ", ".join(package for package, there in ENGINES.items() if not there)
    return [
        'without what needs Docling: pip install ".[docling]"' if WITHOUT_DOCLING else "with Docling",
        f"without what needs {missing}: docs/recipes.md" if missing else "with every engine",
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs Docling where it is not installed."""
    out = [item for item in items if "docling" in item.nodeid.lower() or "/loading/" in item.nodeid]
    if WITHOUT_DOCLING and out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with no setting of the machine in sight."""
    monkeypatch.chdir(tmp_path)
    for variable in [name for name in os.environ if name.startswith("SPANWISE_") or name == "NO_COLOR"]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def spanwise(folder: Path) -> Spanwise:
    """Run the command with these arguments."""
    assert folder.is_dir()

    def run(*arguments: str, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(commands, arguments, input=stdin, prog_name="spanwise")

    return run


@pytest.fixture
def process(folder: Path) -> Process:
    """Run the command as a process of its own, bytes in and out."""

    def run(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "spanwise", *arguments]
        settings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
        return subprocess.run(  # noqa: S603  our own command
            command, input=stdin, capture_output=True, cwd=folder, env=settings, check=False, timeout=60
        )

    return run


# What the tests start as processes of their own is this code too, wherever else a spanwise is installed.
os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent.parent / "src")
