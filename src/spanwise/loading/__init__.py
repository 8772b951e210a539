"""What is the text of a file that is none, and what is each part of it there?

Office and PDF files are read by Docling, an extra; no model is loaded and nothing is downloaded.
"""

from __future__ import annotations

from spanwise.loading.load import load
from spanwise.loading.office import is_office_name

__all__ = ["is_office_name", "load"]
