"""Any file as settings: it makes chunkers, or one error that says what is wrong with it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from runner import fuzz, instrumented

with instrumented():
    import spanwise

TEXTS = (
    b'[default]\nmax_tokens = 128\noverlap_tokens = 8\nstrategy = "words"\n',
    b'[collections.handbook]\nstrategy = "structural"\noptions = { min_fill = 0.5 }\noverflow = "split"\ntrim = true\n',
    b'[collections."user notes"]\nstrategy = "lines"\nmax_characters = 2000\ncounter = "a.json"\n',
    b'[default]\nceiling = 512\nwarn_at = 0.9\nceiling_counter = "o200k_base"\ncontext = "both"\nstructure = "html"\n',
    b'[default]\nstrategy = "delimiter"\noptions.delimiters = ["---", "\\n"]\nblank = "keep"\nspecial_tokens = 2\n',
)
WORDS = (
    *(b"[default]\n", b"[collections.a]\n", b"strategy = ", b"options = { ", b" }", b"max_tokens = ", b"counter = "),
    *(
        b"[",
        b"[[",
        b"{",
        b'"""',
        b"'''",
        b"a.a.a.",
        b"inf",
        b"nan",
        b"1979-05-27",
        b"0x",
        b"9" * 30,
        b"\\u0000",
        b"\xff",
    ),
)


def check(data: bytes) -> None:
    """Read any bytes as a settings file, and make every chunker it tells of."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "spanwise.toml")
        path.write_bytes(data)
        try:
            registry = spanwise.ChunkerRegistry.from_file(path)
        except spanwise.SpanwiseError:
            return
        for collection in ("handbook", "user notes", "a", "another"):
            try:
                registry.chunker_for(collection).chunk("One sentence. And another.")
            except spanwise.SpanwiseError:
                continue


def seeds() -> list[bytes]:
    """Give files of each kind."""
    return list(TEXTS)


if __name__ == "__main__":
    fuzz("settings", check, seeds(), WORDS)
