"""No regular expression of the package takes more than linear time, whatever text it meets.

Run: python -m pytest -m slow tests/trust/test_patterns.py

Each compiled pattern is searched over texts made against it: what each of its parts matches, again and again, with and
without what stands before. 20 kB that take long are tried again as 80 kB; four times the text may cost six times the
time. A pattern that is only ever asked for a match at a place is tried as that.
"""

from __future__ import annotations

import ast
import re
import signal
import time
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from re import _constants as codes  # type: ignore[attr-defined]  # it has no public parser
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import regex

import spanwise
from spanwise.patterns import LazyPattern
from trust.apart import apart

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(spanwise.__file__).parent
COMPILED = (re.Pattern, LazyPattern, type(regex.compile("")))
SMALL, TIMES = 20_000, 4
CLEAR_SECONDS, MOST_SECONDS, MOST_TIMES = 0.01, 2.0, 8.0
GENERAL = [" ", "\t", "\n", "\r\n", "a", "1", ".", "a ", " \n", "a\n", "\n\n", "1.", "-", "|", "[", "<", '"', "é"]

BOUNDED = {"spanwise.formats.manual._NAME": 1_024, "spanwise.formats.clauses._LEADER": 240}
"""Patterns that are only ever asked about so many characters: these must take less than a tenth of a second."""

ASKED = {name: {"match"} for name in ("_YAML", "_TOML", "_MEMBER", "_ELEMENT", "_DOCUMENT")}
"""How patterns are asked that go through a table together with others."""


class Found(NamedTuple):
    """A pattern, where it stands, and how it is asked."""

    place: str
    pattern: Any
    methods: frozenset[str]


@pytest.mark.slow
def test_the_patterns_of_the_source_are_found() -> None:
    """As many as the source compiles, so that none escapes by where it is kept."""
    sources = [file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py")]
    compiled = sum(len(re.findall(r"\b(?:(?:re|regex)\.compile|lazy_pattern)\(", source)) for source in sources)
    assert len({found.pattern.pattern for module in modules() for found in patterns_of(module)}) >= 0.9 * compiled


@pytest.mark.slow
def test_a_pattern_that_is_quadratic_is_told() -> None:
    """What the search for a line's trailing blanks is, and what it is not where it may not begin within blanks."""
    assert worst_of(Found("here", re.compile(r"[ ]+$"), frozenset({"search"})))
    assert not worst_of(Found("here", re.compile(r"(?<![ ])[ ]++$"), frozenset({"search"})))


def modules() -> list[str]:
    """Name all modules of the package."""
    named = [info.name for info in walk_packages(spanwise.__path__, "spanwise.")]
    return ["spanwise", *(name for name in named if not name.endswith("__main__"))]


@pytest.mark.slow
@pytest.mark.parametrize("module", modules())
def test_the_patterns_of_a_module_take_linear_time(module: str) -> None:
    """Each over some dozens of texts made against it."""
    assert apart(faults_of, module, cpu_seconds=300) == []


def faults_of(module: str) -> list[str]:
    """List the patterns of a module that are more than linear, with the text that shows it."""
    return [fault for found in patterns_of(module) if (fault := worst_of(found))]


def patterns_of(module: str) -> list[Found]:
    """Find the patterns that a module keeps in its names, and those that stand in its calls."""
    loaded = import_module(module)
    source = Path(str(loaded.__file__)).read_text(encoding="utf-8")
    asked = methods_of_names()
    here = _methods_in(source)
    passed_on: set[str] = set().union(*(ways for name, ways in here.items() if name not in vars(loaded)))
    found: dict[str, Found] = {}
    for name, value in list(vars(loaded).items()):
        for place, pattern, method in _walked(name, value, module):
            # what is kept in a table is asked by the name that it is taken out with
            methods = frozenset(
                {method}
                if method
                else ASKED.get(name)
                or here.get(name)
                or (asked.get(name) if name[0] != "_" else None)
                or passed_on
                or {"search"}
            )
            found.setdefault(str(pattern.pattern) + str(pattern.flags), Found(f"{module}.{place}", pattern, methods))
    for call in _calls(source):
        of_module = getattr(call.func, "value", None)
        if isinstance(of_module, ast.Name) and of_module.id == "re" and call.args:
            written, method = call.args[0], str(getattr(call.func, "attr", ""))
            if isinstance(written, ast.Constant) and isinstance(written.value, str) and method != "compile":
                place = f"{module}:{call.lineno}"
                flags = re.MULTILINE if "MULTILINE" in ast.unparse(call) else re.NOFLAG
                found[place] = Found(place, re.compile(written.value, flags), frozenset({method}))
    return list(found.values())


def _walked(place: str, value: Any, module: str, depth: int = 0) -> Iterator[tuple[str, Any, str]]:
    """Look into tables, records and classes; a bound method of a pattern tells how it is asked."""
    if isinstance(value, COMPILED):
        yield place, value, ""
    elif isinstance(getattr(value, "__self__", None), COMPILED):
        yield place, value.__self__, value.__name__
    elif depth < 4:
        within: list[tuple[object, Any]] = []
        if isinstance(value, dict):
            within = list(value.items())
        elif isinstance(value, list | tuple | set | frozenset):
            within = list(enumerate(value))
        elif isinstance(value, type):
            within = list(vars(value).items()) if value.__module__ == module else []
        elif type(value).__module__.startswith("spanwise"):
            fields = getattr(type(value), "__struct_fields__", ())
            within = [*((name, getattr(value, name)) for name in fields), *getattr(value, "__dict__", {}).items()]
        for name, each in within:
            yield from _walked(f"{place}.{name}", each, module, depth + 1)


@cache
def methods_of_names() -> dict[str, set[str]]:
    """Say by which methods each name is asked anywhere in the source."""
    asked: dict[str, set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for name, methods in _methods_in(file.read_text(encoding="utf-8")).items():
            asked.setdefault(name, set()).update(methods)
    return asked


def _methods_in(source: str) -> dict[str, set[str]]:
    asked: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            name = getattr(node.value, "id", None) or getattr(node.value, "attr", None)
            if name is not None:
                asked.setdefault(str(name), set()).add(node.attr)
    return asked


def _calls(source: str) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))


METHODS = {"search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn"}


def worst_of(found: Found) -> str:
    """Say how a pattern is more than linear; nothing where it is not."""
    for method, (before, unit, after) in product(sorted(_ways(found.methods)), attacks(found.pattern)):
        bound = BOUNDED.get(found.place)
        small = _text(found.pattern, before, unit, after, bound or SMALL)
        first = _seconds(found.pattern, method, small)
        if first < (CLEAR_SECONDS if bound is None else 10 * CLEAR_SECONDS):
            continue
        ratio = MOST_TIMES if bound or first >= MOST_SECONDS else _growth(found, method, (before, unit, after))
        if ratio > 1.5 * TIMES:
            told = f"{before!r} + {unit!r} * n + {after!r}"
            return f"{found.place} {method} {found.pattern.pattern!r:.300}: {ratio:.1f} times over {told}"
    return ""


def _growth(found: Found, method: str, attack: tuple[str, str, str]) -> float:
    """Give how many times as long the larger text takes, the least of three trials: a busy machine makes one slow."""
    small, large = (_text(found.pattern, *attack, size) for size in (SMALL, TIMES * SMALL))
    least = MOST_TIMES
    for _ in range(3):
        first = _seconds(found.pattern, method, small)
        least = min(least, _seconds(found.pattern, method, large, MOST_TIMES * first) / first)
        if least < 1.5 * TIMES:
            break
    return least


def _ways(methods: frozenset[str]) -> set[str]:
    return {method if method in {"match", "fullmatch"} else "search" for method in methods}


def _text(pattern: Any, before: str, unit: str, after: str, size: int) -> Any:
    text = before + unit * (size // len(unit)) + after
    return text.encode() if isinstance(pattern.pattern, bytes) else text


def _seconds(pattern: Any, method: str, text: Any, most: float = MOST_SECONDS) -> float:
    """Take the CPU time, no more than asked; a search is for all that is found, as replacing and splitting are."""
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, most)
    begin = time.process_time()
    try:
        if method == "search":
            for _ in pattern.finditer(text):
                pass
        else:
            getattr(pattern, method)(text)
    except TimeoutError:
        return most
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - begin


def _too_long(*_: object) -> None:
    raise TimeoutError


def attacks(pattern: Any) -> list[tuple[str, str, str]]:
    """Give texts against a pattern: what stands before, what is repeated, and what makes the end fail."""
    written = pattern.pattern.decode() if isinstance(pattern.pattern, bytes) else pattern.pattern
    try:
        whole, parts = _sampled(
            parser.parse(written, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
        )
    except (re.error, ValueError):  # what only the other module understands
        whole, parts = "", [("", character) for character in dict.fromkeys(re.findall(r"[^\\?*+(){}^$]", written))][:12]
    units = dict.fromkeys([*GENERAL, *(whole[:length] for length in range(1, min(len(whole), 6) + 1)), whole])
    units.update(dict.fromkeys(unit for _, unit in parts))
    units.update(dict.fromkeys(before + unit for before, unit in parts))
    repeated = [("", unit, after) for unit in units if unit for after in ("", "\0")]
    return [*repeated, *((before, unit, "\0") for before, unit in dict.fromkeys(parts) if before and unit)]


def _sampled(parsed: Any) -> tuple[str, list[tuple[str, str]]]:
    """Give a text that about matches, and each repeated part with what stands before it."""
    text, parts = "", []
    for code, value in parsed:
        here, within = _sample_of(code, value)
        parts += [(text + before, unit) for before, unit in within]
        if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
            parts.append((text, here or "a"))
            if value[1] > 1:
                parts += [(text, other) for other in _members(value[2])]
        text += here
    return text, parts


def _sample_of(code: Any, value: Any) -> tuple[str, list[tuple[str, str]]]:
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
        text, parts = _sampled(value[2])
        return text * min(max(value[0], 1), 50), parts
    if code is codes.BRANCH:
        sampled = [_sampled(branch) for branch in value[1]]
        parts = [part for _, within in sampled for part in within] + [("", text) for text, _ in sampled if text]
        return sampled[0][0], parts
    if code in {codes.ASSERT, codes.ASSERT_NOT}:
        text, parts = _sampled(value[1])
        return "", [*parts, ("", text or "a")]
    if code in {codes.SUBPATTERN, codes.ATOMIC_GROUP}:
        return _sampled(value[3] if code is codes.SUBPATTERN else value)
    return _character(code, value), []


def _character(code: Any, value: Any) -> str:
    """Give a character that one step takes; a place, as `^`, takes none."""
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if code is codes.IN:
        return next(iter(_of_class(value)), "a")
    return "a" if code is codes.ANY else ""


def _members(parsed: Any) -> list[str]:
    """Give what a repeated class takes, some of each kind."""
    (code, value) = parsed[0] if len(parsed) == 1 else (None, None)
    return _of_class(value)[:6] if code is codes.IN else []


def _of_class(members: Any) -> list[str]:
    """Give characters that a class takes."""
    kinds = {codes.CATEGORY_SPACE: " \n\t", codes.CATEGORY_DIGIT: "1", codes.CATEGORY_WORD: "a_1"}
    others = {codes.CATEGORY_NOT_SPACE: "a.", codes.CATEGORY_NOT_DIGIT: "a ", codes.CATEGORY_NOT_WORD: " ."}
    taken = ""
    for code, value in members:
        if code is codes.LITERAL:
            taken += chr(value)
        elif code is codes.RANGE:
            taken += chr(value[0])
        elif code is codes.CATEGORY:
            taken += {**kinds, **others}.get(value, "")
    if members and members[0][0] is codes.NEGATE:
        return [character for character in "a .\n\t\"'[(<|-1" if character not in taken]
    return list(dict.fromkeys(taken))
