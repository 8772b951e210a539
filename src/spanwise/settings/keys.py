"""Which keys can be set outside Python, and what does each take?

The keys are the fields of `ChunkingSpec`, so that a setting has one name everywhere. A file gives typed values, the
environment gives words; both are held to the same kinds.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

from spanwise.errors import near, shown

__all__ = ["KINDS", "Kind", "accepts", "from_word", "refusal"]


class Kind(msgspec.Struct, frozen=True):
    """What a key takes: a type to hold a value to, and the words that say so."""

    type: object
    says: str
    choices: tuple[str, ...] = ()


_SIZE = Kind(Annotated[int, msgspec.Meta(ge=1)], "a whole number of at least 1")
_OVERLAP = Kind(Annotated[int, msgspec.Meta(ge=0)], "a whole number of at least 0")
_COUNTER = Kind(str, "the name of a counter or the path of a tokenizer.json")
_SWITCH = Kind(bool, "true or false")

KINDS: dict[str, Kind] = {
    "strategy": Kind(str, "the name of a strategy"),
    "options": Kind(dict[str, object], "a table of options of the strategy"),
    "max_tokens": _SIZE,
    "max_characters": _SIZE,
    "overlap_tokens": _OVERLAP,
    "overlap_characters": _OVERLAP,
    "counter": _COUNTER,
    "special_tokens": Kind(Annotated[int, msgspec.Meta(ge=0)] | bool, "true, false or a whole number of at least 0"),
    "overflow": Kind(Literal["refuse", "split"], "'refuse' or 'split'", ("refuse", "split")),
    "trim": _SWITCH,
    "blank": Kind(Literal["drop", "keep"], "'drop' or 'keep'", ("drop", "keep")),
    "structure": Kind(str, "the name of a format, or 'auto'"),
    "context": Kind(
        Literal["none", "section", "table", "both"],
        "'none', 'section', 'table' or 'both'",
        ("none", "section", "table", "both"),
    ),
    "ceiling": _SIZE,
    "warn_at": Kind(Annotated[float, msgspec.Meta(gt=0, le=1)], "a number over 0 and at most 1"),
    "ceiling_counter": _COUNTER,
}
"""Each field of `ChunkingSpec` that a file can set; a test compares the two."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[0-9]{0,18}\.[0-9]{1,18}")
_SWITCH_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def accepts(kind: Kind, value: object) -> bool:
    """Say whether a value is of a kind; nothing is converted, so `true` is no number and "8" is none either.

    Examples:
        >>> accepts(KINDS["max_tokens"], 512), accepts(KINDS["max_tokens"], True), accepts(KINDS["max_tokens"], 0)
        (True, False, False)
    """
    try:
        msgspec.convert(value, kind.type)
    except (msgspec.ValidationError, UnicodeEncodeError):  # the second for lone surrogates
        return False
    return True


def from_word(kind: Kind, word: str) -> object:
    """Read the word of an environment variable as a value; a word that is no such value is given back as it is.

    Switches take true, yes, on, 1 and false, no, off, 0 in any case.

    Examples:
        >>> from_word(KINDS["max_tokens"], "512"), from_word(KINDS["trim"], "Yes"), from_word(KINDS["counter"], "7")
        (512, True, '7')
    """
    if kind.type is str or kind.choices:
        return word
    if kind is _SWITCH and word in {"0", "1"}:
        return word == "1"
    if _WHOLE.fullmatch(word):
        return int(word)
    if _DECIMAL.fullmatch(word):
        return float(word)
    return _SWITCH_WORDS.get(word.lower(), word)


def refusal(kind: Kind, given: object) -> str:
    """Say why a value is not of a kind, with the nearest choice where there is one.

    Examples:
        >>> refusal(KINDS["overflow"], "spilt")
        "'spilt' is not 'refuse' or 'split', did you mean 'split'?"
    """
    hint = near(given, kind.choices) if isinstance(given, str) else ""
    return f"{shown(given)} is not {kind.says}{hint}"
