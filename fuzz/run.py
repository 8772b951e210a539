"""Run all fuzz targets one after another, each in a process of its own; the status is 1 where one finds something.

Run: python fuzz/run.py --seconds 20      before a change goes in
     python fuzz/run.py --seconds 3600    by hand, before a release; with `pip install atheris`
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

TARGETS = ("markdown", "html", "json", "settings", "command")


def main() -> None:
    """Run them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=20, help="of each target")
    parser.add_argument("--targets", nargs="+", choices=TARGETS, default=TARGETS)
    parser.add_argument("--seed", type=int, help="for the same inputs again; else they are others each time")
    given = parser.parse_args()
    seed = [] if given.seed is None else ["--seed", str(given.seed)]
    found = [target for target in given.targets if _finds(target, ["--seconds", str(given.seconds), *seed])]
    if found:
        sys.exit(f"found something: {', '.join(found)}")


def _finds(target: str, arguments: list[str]) -> bool:
    file = Path(__file__).with_name(f"fuzz_{target}.py")
    return subprocess.run([sys.executable, str(file), *arguments], check=False).returncode != 0


if __name__ == "__main__":
    main()
