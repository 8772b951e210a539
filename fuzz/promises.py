"""What every text, read as some format, has to come through: the promises, and the same chunks from a stream."""

from __future__ import annotations

from functools import lru_cache

from runner import instrumented

with instrumented():
    import spanwise

__all__ = ["SETTINGS", "check_promises"]

STRATEGIES = ("structural", "recursive", "sentences", "words", "sections", "hybrid", "paragraphs", "tokens")
STREAMED = ("structural", "recursive", "sentences", "words")
SETTINGS = (b"\x00\x10\x00", b"\x01\x40\x04", b"\x02\x08\x00", b"\x04\x20\x00", b"\x05\x20\x01")
"""How seeds begin: the strategy, the budget and the overlap that the rest is chunked with."""


def check_promises(data: bytes, media_type: str) -> None:
    """Chunk a text by the choices of its first three bytes; raise where a promise is broken."""
    strategy = STRATEGIES[data[0] % len(STRATEGIES)] if data else STRATEGIES[0]
    max_tokens = 4 + data[1] % 128 if len(data) > 1 else 16
    overlap = data[2] % max_tokens if len(data) > 2 else 0
    chunker = _chunker(strategy, max_tokens, overlap)
    text = data[3:].decode("utf-8", "surrogateescape")  # what is no UTF-8 becomes lone surrogates
    document = spanwise.Document(text=text, media_type=media_type)
    chunks = chunker.chunk(document)
    broken = chunker.verify(document, chunks)
    assert not broken, broken[:3]
    if strategy in STREAMED and media_type in {"text/markdown", "text/plain"}:
        streamed = list(chunker.stream([text[:7], text[7:90], text[90:]], media_type=media_type))
        assert streamed == chunks, "a stream gives other chunks"


@lru_cache(maxsize=64)
def _chunker(strategy: str, max_tokens: int, overlap: int) -> spanwise.Chunker:
    try:
        return spanwise.Chunker(strategy, max_tokens=max_tokens, overlap_tokens=overlap, overflow="split", blank="keep")
    except spanwise.ConfigurationError:  # some strategies have no overlap
        return _chunker(strategy, max_tokens, 0)
