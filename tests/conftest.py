"""Running the command: in this process through click, and as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
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
