"""Print the n-th command of the README (its n-th `sh` block), so that what is checked is what is written there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

blocks = re.findall(r"^```sh\n(.*?)^```$", Path("README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
sys.stdout.write(blocks[int(sys.argv[1]) - 1])
