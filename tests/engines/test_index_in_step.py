"""`examples/index_in_step.py`: a vector store that is kept in step by `--changes`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "index_in_step.py"


@pytest.mark.slow
def test_few_vectors_are_computed_and_the_store_is_what_a_fresh_one_would_be() -> None:
    """The example compares the two itself, and ends with an error where they differ."""
    done = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
    counts = re.findall(r"version \d: (\d+) vectors computed for (\d+) chunks, in step", done.stdout)
    (all_new, at_first), (few, then), (some, at_last) = [tuple(map(int, pair)) for pair in counts]
    assert all_new == at_first
    assert 1 <= few <= 6 < then
    assert few < some < at_last / 3
