"""Print the lowest stated version of every run-time dependency and extra, as constraints for pip."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["project"]
requirements = [
    *project["dependencies"],
    *(extra for name in ("hf", "code", "corpus", "docling") for extra in project["optional-dependencies"][name]),
]
extras = re.compile(r"\[[^]]*\]")  # which constraints must not name
sys.stdout.write("".join(f"{extras.sub('', requirement).replace('>=', '==')}\n" for requirement in requirements))
