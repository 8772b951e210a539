"""Texts that are hard to chunk, and the means to look at them that share no code with the package."""

from __future__ import annotations

from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, cast

import regex
from hypothesis import Phase, settings
from hypothesis import strategies as st

from oracles import DATA, EXAMPLES

__all__ = ["LAW", "WHITE_SPACE", "boundaries_of", "chunked_texts", "docgen", "docgen_documents", "joined"]

LAW = settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
"""How a law is tried. SPANWISE_EXAMPLES asks for more examples, a few thousand for a long search."""

WHITE_SPACE = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

_PIECES = (
    # words, sentences and what divides them
    "a",
    "b",
    "word ",
    " word",
    "longerword ",
    "The cat sat. ",
    "The cat sat. ",
    "Why? ",
    "Dr. Smith paid $3.14. ",
    '"Yes." ',
    "x" * 40,
    "camelCase",
    "don't ",
    "e.g. ",
    "3.14",
    ". ",
    "! ",
    ".",
    ",",
    "...",
    "-",
    "/",
    "://",
    "_",
    "&amp;",
    "|",
    "'",
    "(",
    ")",
    # white space and line ends
    " ",
    "  ",
    "   ",
    "\n",
    "\n\n",
    "\n\n\n",
    "\r\n",
    "\r\n\r\n",
    "\r",
    "\t",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x85",
    "\u00a0",
    "\u2028",
    "\u2029",
    "\u3000",
    " \n \n",
    "\u200b",
    "\ufeff",
    "\x00",
    "\u00ad",
    "\u2060",
    # scripts
    "中文",
    "。",
    "中文字符很多。",
    "日本語です。",
    "「はい」",
    "ภาษาไทย",
    "नमस्ते",
    "हिन्दी है। ",
    "مرحبا. ",
    "한국어 ",
    "각",
    "ελληνικά ",
    # clusters
    "é",
    "e\u0301",
    "\u0301",
    "a" + "\u0301" * 12,
    " \u0301",
    "\n\u0301",
    "😀",
    "👨\u200d👩\u200d👧",
    "👍🏽",
    "🇩🇪",
    "🇫🇷🇯🇵🇺🇸",
    "\U0001f1e9",
    "1️⃣",
    "\u200d",
    "क्षत्रिय",
    "\u0600",
    "𠮷",
    "𝒳",
    # what tokenizers take for special
    "<|endoftext|>",
    "<|im_start|>",
    "[CLS]",
    "[UNK]",
    "</s>",
    # Markdown
    "# Title\n",
    "\n# Title\n\n",
    "\n## Section\n",
    "\n### Deep ###\n\n",
    "\nTitle\n=====\n",
    "\nwrapped\ntitle\n---\n",
    "\n```py\n# no\n```\n",
    "\n```\n",
    "\n~~~\n",
    "\n- item one\n- item two\n",
    "- i\n",
    "\n1. first\n2. second\n",
    "\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "\n> quoted\n",
    "\n<div>\n# no\n</div>\n\n",
    "<!-- # no -->",
    "\n    # code\n",
    "---\ntitle: x\n---\n",
    "#",
    "## ",
    "\n---\n",
)

_SURROGATES = ("\ud800", "\udfff", "\ude00\ud83d", "\ud83d\ude00")


def chunked_texts(*, most: int = 24) -> st.SearchStrategy[str]:
    """Texts made of hard pieces, some of them repeated, some of any character at all."""
    pieces = st.one_of(
        st.sampled_from(_PIECES),
        st.sampled_from(_PIECES),
        st.sampled_from(_PIECES + _SURROGATES),
        st.text(st.characters(exclude_categories=["Cn", "Co", "Cs"]), min_size=1, max_size=5),
    )
    few = st.lists(pieces, max_size=most)
    repeated = st.builds(lambda some, often: some * often, st.lists(pieces, min_size=1, max_size=3), st.integers(2, 30))
    around = st.builds(lambda before, inner, after: before + inner + after, few, repeated, few)
    return st.one_of(few, few, around).map(joined)


def joined(pieces: list[str]) -> str:
    """Join pieces to one text."""
    return "".join(pieces)


def boundaries_of(text: str) -> list[int]:
    """List the offsets between grapheme clusters, 0 and the end among them, by one pass over the whole text."""
    return [0, *(match.end() for match in regex.finditer(r"\X", text))]


def docgen_documents() -> dict[str, str]:
    """Give the generated documents of `data/docgen.py` by name."""
    return cast("dict[str, str]", docgen().docs())


@cache
def docgen() -> Any:
    """Load `data/docgen.py`, which stands among the data and is no module of the tests."""
    spec = spec_from_file_location("docgen", DATA / "docgen.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(DATA / "docgen.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
