"""What the tests start as processes of their own is this code too, wherever else a spanwise is installed."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["PYTHONPATH"] = str(Path(__file__).parent / "src")
