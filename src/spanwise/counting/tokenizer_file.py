"""Which counter reads a tokenizer.json?

Byte-pair models go to gigatoken, which is fast; what it refuses, and WordPiece and Unigram, to `tokenizers`.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spanwise.errors import ConfigurationError, shown

from .bytepair import BytePair
from .huggingface import HuggingFace
from .seams import steps

if TYPE_CHECKING:
    from os import PathLike

    from gigatoken import Tokenizer

    from .counter import Counter

__all__ = ["from_tokenizer_file"]


def from_tokenizer_file(path: str | PathLike[str], *, special_tokens: int | bool = 0) -> Counter:
    """Read a tokenizer.json, or the one in a folder.

    The counter is named after the file and the first 12 hexadecimal digits of the SHA-256 of what it holds, never
    after its folder: chunks say by which counter they were made, and that must not differ between machines.

    Raises:
        ConfigurationError: The file is missing, or is no tokenizer.
        MissingExtraError: The model is not a byte-pair model, and `tokenizers` is not installed.
    """
    place = str(path)
    name, data = _read(Path(path))
    content = _parsed(data, place)
    overhead = added_tokens(content.get("post_processor")) if special_tokens is True else int(special_tokens)
    if is_known_byte_pair(content):
        plain = json.dumps(_without_special_text(content), ensure_ascii=False)
        origin = (_again, (str(Path(path).absolute()), name, overhead))
        try:
            return BytePair(name, overhead, lambda: _byte_pair(plain), origin)
        except (RuntimeError, ValueError):  # how gigatoken says that it does not know this kind of model
            pass
    try:
        return HuggingFace(data, name, overhead)
    except ImportError:
        raise
    except Exception as error:  # tokenizers raises bare Exception
        reason = shown(str(error), 200)
        raise ConfigurationError(f"{place!r} is no tokenizer.json that can be used: {reason}") from error


def added_tokens(processor: Any) -> int:
    """Say how many tokens the post-processor of a tokenizer.json adds to one text.

    >>> added_tokens({"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]})
    2
    """
    pending, added = [processor], 0
    while pending:
        one = pending.pop() or {}
        kind = one.get("type")
        if kind == "Sequence":
            pending.extend(one.get("processors") or [])
        elif kind in {"BertProcessing", "RobertaProcessing"}:
            added += 2
        elif kind == "TemplateProcessing":
            special = one.get("special_tokens") or {}
            names = [part["SpecialToken"]["id"] for part in one.get("single") or [] if "SpecialToken" in part]
            added += sum(len(special.get(name, {}).get("ids", [0])) for name in names)
    return added


def is_known_byte_pair(content: dict[str, Any]) -> bool:
    """Say whether a tokenizer.json is of the kinds that gigatoken was found to count exactly.

    It refuses much of the rest itself, but silently miscounts some: byte-level files without a pattern or without a
    pre-tokenizer, added tokens that take neighbouring blanks or only whole words, patterns that are not isolated.

    >>> is_known_byte_pair({"model": {"type": "WordPiece"}})
    False
    """
    model = content["model"]
    if model.get("type", "BPE") != "BPE" or any(model.get(key) for key in _ODD_MODEL):
        return False
    if any(token.get(key) for token in _ordinary_tokens(content) for key in ("lstrip", "rstrip", "single_word")):
        return False
    before = list(steps(content.get("pre_tokenizer"), "pretokenizers"))
    normalizers = list(steps(content.get("normalizer"), "normalizers"))
    if model.get("byte_fallback"):
        return all(_writes_blanks(one) for one in (*normalizers, *before))
    return all(one["type"] == "NFC" for one in normalizers) and _is_byte_level(before)


_ODD_MODEL = ("dropout", "continuing_subword_prefix", "end_of_word_suffix")


def _writes_blanks(one: dict[str, Any]) -> bool:
    """Say whether a step only writes blanks as U+2581, as SentencePiece does, or cuts at them."""
    if one["type"] in {"Prepend", "Metaspace"}:
        return True
    return one["type"] in {"Replace", "Split"} and one.get("pattern") == {"String": " "}


def _is_byte_level(before: list[dict[str, Any]]) -> bool:
    *patterns, last = before or [{"type": None}]
    if last["type"] != "ByteLevel":
        return False
    if not patterns:
        return bool(last.get("use_regex", True))
    if last.get("use_regex", True) or last.get("add_prefix_space"):
        return False
    return all(
        one["type"] == "Split" and one.get("behavior") == "Isolated" and not one.get("invert") for one in patterns
    )


def _again(path: str, name: str, overhead: int) -> Counter:
    """Make the counter of a file in another process, which may work in another folder."""
    made = from_tokenizer_file(path, special_tokens=overhead)
    if made.name != name:
        raise ConfigurationError(f"the tokenizer file {path!r} is {made.name} now and was {name}: it has changed")
    return made


def _byte_pair(data: str) -> Tokenizer:
    from gigatoken import Tokenizer  # noqa: PLC0415 - other models do not need it

    return Tokenizer.from_json(data)


def _without_special_text(content: dict[str, Any]) -> dict[str, Any]:
    """Leave out what makes the text of special tokens special, and what adds tokens to a text."""
    return {**content, "added_tokens": _ordinary_tokens(content), "post_processor": None}


def _ordinary_tokens(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [token for token in content.get("added_tokens") or [] if not token.get("special")]


def _read(path: Path) -> tuple[str, str]:
    """Give the name of the counter that a file makes, and what it holds."""
    file = path
    try:
        file = path / "tokenizer.json" if path.is_dir() else path
        content = file.read_bytes()
        return f"{file.name}@{sha256(content).hexdigest()[:12]}", content.decode("utf-8")
    except FileNotFoundError:
        raise ConfigurationError(f"there is no tokenizer file {str(file)!r}") from None
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, or a path that holds a NUL
        raise ConfigurationError(f"the tokenizer file {str(file)!r} cannot be read: {error}") from error


def _parsed(data: str, name: str) -> dict[str, Any]:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{name!r} is no tokenizer.json: it is not JSON ({error})") from error
    if not isinstance(content, dict) or not isinstance(content.get("model"), dict):
        raise ConfigurationError(f"{name!r} is no tokenizer.json: it has no model")
    return content
