"""Many documents: find and read them, chunk them one after another, write their chunks."""

from __future__ import annotations

from spanwise.corpus.reading import chunk_of, read_chunks
from spanwise.corpus.run import Chunked, Failed, Outcome, Skipped, Summary, run
from spanwise.corpus.sources import MAX_BYTES, Found, Source, find
from spanwise.corpus.writing import json_line, open_output

__all__ = [
    "MAX_BYTES",
    "Chunked",
    "Failed",
    "Found",
    "Outcome",
    "Skipped",
    "Source",
    "Summary",
    "chunk_of",
    "find",
    "json_line",
    "open_output",
    "read_chunks",
    "run",
]
