"""How Docling is called: in silence, and with the right error where it cannot be."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import spanwise
from oracles import DATA

if TYPE_CHECKING:
    from pathlib import Path

FILES = DATA / "docling"
SCRIPT = """
import logging, os, spanwise, sys
before = dict(os.environ)
for path in sys.argv[1:]:
    assert spanwise.chunk(spanwise.load(path), "docling", max_tokens=64) or path.endswith("empty.html")
assert "docling" in sys.modules and dict(os.environ) == before
assert not any(logging.getLogger(name).handlers for name in ("", "docling", "bs4"))
"""


def test_nothing_is_printed_and_nothing_of_the_program_is_changed(tmp_path: Path) -> None:
    """Neither its environment nor its loggers."""
    empty = tmp_path / "empty.html"
    empty.write_bytes(b"")
    files = [str(empty), *(str(FILES / f"manual.{suffix}") for suffix in ("html", "docx"))]
    silent = {name: value for name, value in os.environ.items() if not name.startswith("TRANSFORMERS")}
    done = subprocess.run(  # noqa: S603  our own script
        [sys.executable, "-c", SCRIPT, *files], capture_output=True, text=True, check=False, env=silent
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_docling_logs_still_comes_to_the_log_of_the_program(caplog: pytest.LogCaptureFixture) -> None:
    """It is kept from the terminal alone."""
    with caplog.at_level(logging.DEBUG, logger="docling"):
        spanwise.load(FILES / "manual.html")
    assert any(record.name.startswith("docling") for record in caplog.records)


@pytest.mark.parametrize("missing", ["docling.backend.html_backend", "docling_core.transforms.chunker.hybrid_chunker"])
def test_a_docling_that_fails_to_import_is_not_said_to_be_missing(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says what failed, and it is the cause."""
    from spanwise.strategies import docling_parts

    docling_parts._chunker_class.cache_clear()
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(spanwise.ConfigurationError, match=rf"installed but fails to import: .*{missing}") as raised:
        spanwise.chunk(spanwise.load(FILES / "manual.html"), "docling")
    assert not isinstance(raised.value, spanwise.MissingExtraError)
    assert isinstance(raised.value.__cause__, ImportError)


@pytest.mark.parametrize("missing", ["docling", "docling_core"])
def test_a_docling_that_is_missing_is_said_to_be(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that brings it."""
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(spanwise.MissingExtraError, match=r"pip install \"spanwise\[docling\]\""):
        spanwise.load(FILES / "manual.html")
    with pytest.raises(spanwise.MissingExtraError, match=r"the strategy 'docling' needs the package"):
        spanwise.chunk("It moves water.", "docling")
