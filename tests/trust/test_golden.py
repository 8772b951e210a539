"""What was chunked before is chunked the same: spans, ids and sections of forty documents in 36 ways, by digest.

The same for every hash seed and every Python: those are the digests of `tests/data/golden.json`, made by
`tests/trust/golden.py`, which says how to make them anew.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from spanwise.strategies.chunker import BOUNDARY_VERSION
from trust.golden import FILE, SPECS, differences, digests, documents, golden

QUICK = ("structural 64", "recursive overlap", "sentences 64")
REPAIR = (
    "If that is a fault, mend it. If boundaries are to change: raise BOUNDARY_VERSION in "
    "src/spanwise/strategies/chunker.py, run `python tests/trust/golden.py --write`, and put a line in CHANGELOG.md "
    "that says which documents are cut otherwise."
)


def pythons() -> list[str]:
    """Give the interpreters to try: this one, and those of SPANWISE_PYTHONS, each with spanwise's requirements."""
    return [sys.executable, *os.environ.get("SPANWISE_PYTHONS", "").split()]


def test_the_file_is_of_these_boundaries() -> None:
    """It holds every way and document, and the boundary version that the code states."""
    kept = golden()
    assert kept["boundary_version"] == BOUNDARY_VERSION, f"{FILE} is of other boundaries. {REPAIR}"
    assert set(kept["digests"]) == set(SPECS)
    assert {len(of_documents) for of_documents in kept["digests"].values()} == {len(documents())} == {40}


@pytest.mark.parametrize(
    "spec", [spec if spec in QUICK else pytest.param(spec, marks=pytest.mark.slow) for spec in SPECS]
)
def test_digests_are_those_of_the_file(spec: str) -> None:
    """A few ways always, all in the long run: forty documents each."""
    changed = differences(digests([spec], documents()), golden())
    assert not changed, f"{len(changed)} of 40 documents are cut otherwise: {'; '.join(changed)}. {REPAIR}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1", "4242"])
@pytest.mark.parametrize("python", pythons())
def test_another_process_makes_the_same_digests(python: str, seed: str) -> None:
    """All of them, with other hash seeds, in every Python that is named in SPANWISE_PYTHONS."""
    done = subprocess.run(  # noqa: S603  our own script
        [python, str(FILE.parents[1] / "trust" / "golden.py")],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == golden(), REPAIR
