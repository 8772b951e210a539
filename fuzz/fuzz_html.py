"""Any text as HTML."""

from __future__ import annotations

from pathlib import Path

from promises import SETTINGS, check_promises
from runner import fuzz

PAGES = Path(__file__).parent.parent / "tests/data/html"
WORDS = (
    *(
        b"<div>",
        b"</div>",
        b"<p>",
        b"<h1>",
        b"</h1>",
        b"<ul><li>",
        b"<table><tr><td>",
        b"<pre>",
        b"<script>",
        b"</script>",
    ),
    *(
        b"<style>",
        b"<textarea>",
        b"<title>",
        b"<!--",
        b"-->",
        b"--!>",
        b"<![CDATA[",
        b"]]>",
        b"<!DOCTYPE ",
        b"<!ENTITY ",
    ),
    *(
        b"&amp;",
        b"&#x0;",
        b"&#",
        b"<a href='",
        b' b="',
        b"/>",
        b"<?",
        b"<svg>",
        b"<template>",
        b"<br",
        b"\x00",
        b"\r\n",
    ),
)


def check(data: bytes) -> None:
    """Chunk any text as HTML."""
    check_promises(data, "text/html")


def seeds() -> list[bytes]:
    """Give pieces of real pages, each with other settings."""
    pages = [file.read_bytes() for file in sorted(PAGES.glob("*.html"))]
    pieces = [page[at : at + 900] for page in pages for at in range(0, min(len(page), 20_000), 900)]
    return [SETTINGS[number % len(SETTINGS)] + piece for number, piece in enumerate(pieces)]


if __name__ == "__main__":
    fuzz("html", check, seeds(), WORDS)
