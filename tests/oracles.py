"""Judges that share no code with the package, and texts that are hard to count."""

from __future__ import annotations

import base64
import os
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest import mock

import tiktoken
from hypothesis import settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public  # type: ignore[import-untyped]

import spanwise.counting

__all__ = ["DATA", "EXAMPLES", "hard_texts", "tiktoken_encoding"]

DATA = Path(__file__).with_name("data")

_VOCABULARIES = Path(spanwise.counting.__file__).with_name("vocabularies")

# Vocabularies are loaded in the first example of a test, which is then slow: time is judged elsewhere.
# Where CI is set the same examples are tried each time, so that a failure is of the change and not of the day.
# A short run tries few examples; SPANWISE_EXAMPLES asks for more.
EXAMPLES = int(os.environ.get("SPANWISE_EXAMPLES", "8"))
settings.register_profile("spanwise", deadline=None, derandomize="CI" in os.environ, max_examples=3 * EXAMPLES)
settings.load_profile("spanwise")

_HARD = (
    "a", " ", "  ", "\n", "\n\n", "\r\n", "\r", "\t", "\u3000", "\u00a0", "\u2028", "\ufeff", "\u200b", "\x00", "\x1c",
    "'s", "'S", "'\u017f", "'ll", "'LL", "'Ve", "\u212a", "e\u0301", "\u0301", "é", "ß", "İ", "ﬁ", "12", "12345", "٣٤",
    "½", "的", "中文字", "日本語。", "ภาษาไทย", "नमस्ते", "مرحبا", "한국어", "😀", "👨\u200d👩\u200d👧", "🇫🇷", "𝒳", "𠮷",
    "<|endoftext|>", "<|fim_prefix|>", "<|im_start|>", "[CLS]", "[UNK]", "<s>", "</s>", "<unk>", "<0x0A>", "▁",
    "```", "----", "====", "#", "/", "://", "_", "...", "().", "word", " word", " The", "camelCase", "HTTPServer",
    "x" * 40,
)  # fmt: skip


def hard_texts(*, surrogates: bool = True, most: int = 30) -> st.SearchStrategy[str]:
    """Texts of pieces that tokenizers have been seen to stumble on, and of any character.

    Unassigned code points are left out: what they are depends on the version of Unicode that a library knows.
    """
    pieces = [st.sampled_from(_HARD), st.text(st.characters(exclude_categories=["Cs", "Cn", "Co"]), max_size=6)]
    if surrogates:
        pieces.append(st.sampled_from(["\ud800", "\udfff", "\ude00\ud83d", "\ud83d\ude00"]))
    return st.lists(st.one_of(pieces), max_size=most).map("".join)


@lru_cache(maxsize=2)
def tiktoken_encoding(name: str) -> tiktoken.Encoding:
    """Give tiktoken's own encoding, with the pattern that tiktoken states and ranks from the carried file.

    Nothing is downloaded. No token is special, as in `encode_ordinary`.
    """
    with mock.patch.object(openai_public, "load_tiktoken_bpe", _carried_ranks):
        arguments: dict[str, Any] = getattr(openai_public, name)()
    return tiktoken.Encoding(
        name, pat_str=arguments["pat_str"], mergeable_ranks=arguments["mergeable_ranks"], special_tokens={}
    )


def _carried_ranks(address: str, expected_hash: str) -> dict[bytes, int]:  # noqa: ARG001 - tiktoken's own signature
    lines = (_VOCABULARIES / address.rpartition("/")[2]).read_bytes().splitlines()
    return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in lines)}
