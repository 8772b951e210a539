"""Where can a text be cut so that no token changes, by what a tokenizer.json says of itself?

The steps that are known here treat a text character by character or word by word: docs/decisions/0015 has the proof.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["USED", "WordSeams", "steps", "used", "words_apart"]

Stated = TypeVar("Stated")

USED = True
"""Whether a count may rest on what is proven of seams. If not, every span is encoded anew, with the same counts: tests
compare."""


def used(stated: Stated) -> Stated | None:
    """Give what a counter states of seams, or None where it is not to be used."""
    return stated if USED else None


class WordSeams:
    """The places at which a tokenizer parts any text, by the characters that stand apart from their neighbours.

    >>> apart = WordSeams(" ")
    >>> [found.end() for found in apart.seam.finditer("one two")]
    [3, 4]
    >>> apart.words("one two")
    ['one ', 'two']
    """

    __slots__ = ("seam", "words")

    def __init__(self, apart: str) -> None:
        """Take the inside of a character class; the blank is one of them."""
        self.seam = re.compile(f"[{apart}]|[^{apart}](?=[{apart}])")
        self.words = re.compile(f"[^{apart}]+ ?|[{apart}]").findall
        """Divide a text at seams, at all of them but those before a blank."""


def words_apart(content: dict[str, Any]) -> WordSeams | None:
    """Say where a tokenizer.json parts any text into words, or None where that is not proven.

    >>> words_apart({"pre_tokenizer": {"type": "WhitespaceSplit"}, "model": {"type": "Unigram"}}).words("one two")
    ['one ', 'two']
    >>> words_apart({"pre_tokenizer": {"type": "Metaspace"}, "model": {"type": "Unigram"}})
    """
    normalizers = list(steps(content.get("normalizer"), "normalizers"))
    first, *others = [one.get("type") for one in steps(content.get("pre_tokenizer"), "pretokenizers")] or [None]
    if first not in _CUT_AT_SPACE or not _CUT_WORDS.issuperset(others):
        return None
    if not all(one.get("type") in _SPACE_STAYS for one in normalizers):
        return None
    if not _is_all_special(content) or not _passes_on(content.get("post_processor")):
        return None
    apart = _SPACE
    if first == "BertPreTokenizer" and all(one["type"] == "BertNormalizer" for one in normalizers):
        apart += _PUNCTUATION
        if any(one.get("handle_chinese_chars") for one in normalizers):
            apart += _IDEOGRAPHS
    return WordSeams(apart)


_SPACE = "\t\n\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""White space that every normalizer known here leaves white space: no control character, which some remove."""

_PUNCTUATION = r"!-/:-@\[-`{-~"

_IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff"
"""Not all that are set apart: those that no version of Unicode or of the package leaves out."""

_SPACE_STAYS = {"BertNormalizer", "Lowercase", "StripAccents", "NFC", "NFD", "NFKC", "NFKD"}
"""Normalizers that leave white space where it is, and that nothing passes by."""

_CUT_AT_SPACE = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit"}

_CUT_WORDS = {*_CUT_AT_SPACE, "Digits", "Punctuation"}
"""Pre-tokenizers that know of a word nothing but its characters: not, as Metaspace may, whether it begins the text."""


def steps(one: dict[str, Any] | None, key: str) -> Iterator[dict[str, Any]]:
    """Give the steps of a part of a tokenizer.json, which is one step or a sequence."""
    if one is None:
        return
    if one.get("type") == "Sequence":
        yield from one[key]
    else:
        yield one


def _is_all_special(content: dict[str, Any]) -> bool:
    """Say whether no added token is looked for in a text: the text of special ones is ordinary text here."""
    return all(token.get("special") for token in content.get("added_tokens") or [])


def _passes_on(processor: dict[str, Any] | None) -> bool:
    """Say whether the tokens of a text go once through the post-processor."""
    if processor is None or processor.get("type") == "BertProcessing":
        return True
    single = processor.get("single") or [] if processor.get("type") == "TemplateProcessing" else []
    return sum("Sequence" in part for part in single) == 1
