"""Many documents: find and read them, chunk them, write their chunks."""

from __future__ import annotations

from spanwise.corpus.output import Output, open_run
from spanwise.corpus.reading import chunk_of, read_chunks
from spanwise.corpus.run import Chunked, Failed, Job, Outcome, Read, Skipped, Summary, Unchanged, read, run
from spanwise.corpus.sources import MAX_BYTES, Found, Source, find
from spanwise.corpus.writing import json_line, open_output, writing_to

__all__ = [
    "MAX_BYTES",
    "Chunked",
    "Failed",
    "Found",
    "Job",
    "Outcome",
    "Output",
    "Read",
    "Skipped",
    "Source",
    "Summary",
    "Unchanged",
    "chunk_of",
    "find",
    "json_line",
    "open_output",
    "open_run",
    "read",
    "read_chunks",
    "run",
    "writing_to",
]
