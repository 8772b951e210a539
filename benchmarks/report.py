"""What the benchmarks print, and where it stands in a page: tables of Markdown, the machine, places between marks."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

__all__ = ["machine", "put_into", "table"]


def machine() -> dict[str, str]:
    """Name the processor, Python, and the packages that the figures depend on."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text(encoding="utf-8").splitlines() if about.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    packages = {name: version(name) for name in ("spanwise", "gigatoken", "numpy")}
    return {
        "processor": models[0] if models else platform.processor() or "unknown",
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        **packages,
    }


def table(heads: list[str], rows: list[list[str]]) -> str:
    r"""Write a table of Markdown.

    >>> table(["text", "MB/s"], [["prose", "40"]])
    '| text | MB/s |\n|---|---|\n| prose | 40 |\n'
    """
    return "".join(f"| {' | '.join(row)} |\n" for row in [heads, *rows]).replace("\n", f"\n|{'---|' * len(heads)}\n", 1)


def put_into(page: Path, name: str, text: str) -> None:
    """Put a text between the marks `<!-- name -->` and `<!-- /name -->` of a page.

    Raises:
        ValueError: the page has no such marks.
    """
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    before, marked, rest = page.read_text(encoding="utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not marked or not closed:
        raise ValueError(f"{page} has no place for {name}: put the lines {begin.strip()} and {end.strip()} into it")
    page.write_text(f"{before}{begin}\n{text.strip()}\n\n{end}{after}", encoding="utf-8")
