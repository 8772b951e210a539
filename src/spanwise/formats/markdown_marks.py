"""Marks that CommonMark does not know: front matter, display math, directives, bare addresses, notes."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from spanwise.structure import LOOK_AHEAD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = [
    "NOTE_CALL",
    "Fence",
    "Masked",
    "addresses",
    "definitions_for",
    "front_matter",
    "holds",
    "is_blank",
    "label_key",
    "masked",
    "math_across",
    "may_hold_marks",
    "paragraphs",
]

_RARE = 200  # times: what occurs oftener is no longer rare
_LONGEST_MATH = 16_384  # characters: what is longer is no formula

_YAML = re.compile(r"---[ \t]*+(?:\r\n|\n|\r)(?=(?:#[^\r\n]*+(?:\r\n|\n|\r))*+[\"'\w$][^\r\n:]*+:(?:[ \t\r\n]|\Z))")
_YAML_END = re.compile(r"[\r\n](?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_TOML = re.compile(
    r"\+\+\+[ \t]*+(?:\r\n|\n|\r)(?=(?:[ \t]*+(?:#[^\r\n]*+)?(?:\r\n|\n|\r))*+[ \t]*+(?:\[|[\"'\w][^\r\n=]*+=))"
)
_TOML_END = re.compile(r"[\r\n]\+\+\+[ \t]*(?:\r\n|\n|\r|\Z)")

# One class, a jump from line to line, and rare words: an alternation of all of them is many times slower.
_MARK = re.compile(r"[`*_\[<~$\x00-\x08\x0b\x0c\x0e-\x1f]")
_LINE_MARK = re.compile(r"\ufeff?(?: {4}| {0,3}+(?:[-+=:|>#\t]|\d{1,9}+[.)]))")
_MARK_AFTER_LF = re.compile(r"\n" + _LINE_MARK.pattern)
_RARE_MARKS = ("\t\n", "\t\r", "\t \n", "\t \r", "://", "www.", "  \n", "  \r", "\\\n", "\\\r")
_LONE_CR = re.compile(r"\r(?!\n)")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*+\r?\n)++")


_CONTAINERS = r"[ \t>]*+(?:(?:[-*+]|\d{1,9}+[.)])[ \t]++)*+"
_MATH_OR_CODE = re.compile(r"[\r\n]" + _CONTAINERS + r"(?P<mark>`{3,}+(?=[^`\r\n]*+(?:[\r\n]|\Z))|~{3,}+|\$\$(?!\$))")
_DIRECTIVE = re.compile(_CONTAINERS + r"(?P<fence>(?P<colons>:{3,}+)[ \t]*+(?P<name>[\w{\[][^\r\n]*+)?)(?=[\r\n]|\Z)")
_REST_OF_LINE = re.compile(r"[^\r\n]*+")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*+[\r\n]")

_IN_ADDRESS = r"[^\s<>\"`|\\^{}\u3000-\u303f\uff00-\uffef]{1,2048}+"
_ADDRESS = re.compile(rf"(?:://|www\.){_IN_ADDRESS}")
_SCHEME = re.compile(r"(?<![A-Za-z0-9])(?:https?|ftps?|file|ssh|git)\Z", re.IGNORECASE)
_AFTER_ADDRESS = "?!.,:;*_~'\"]"
NOTE_CALL = re.compile(r"\[\^[^\[\]\s]{1,200}+\]")
"""A call of a footnote, `[^1]`, whether or not the note was seen."""

_LABEL = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.){1,999}+)\]", re.DOTALL)


def may_hold_marks(text: str) -> bool:
    """Spare the reading where nothing is but paragraphs and blank lines."""
    return (
        _MARK.search(text) is not None
        or _LINE_MARK.match(text) is not None
        or _MARK_AFTER_LF.search(text) is not None
        or any(
            mark[0] in text and mark[-1] in text and mark in text for mark in _RARE_MARKS
        )  # one character is soonest
        or ("\r" in text and _LONE_CR.search(text) is not None)
    )


def is_blank(text: str) -> bool:
    """Say that a text, or its beginning, holds no ink; the byte order mark that may begin it is none."""
    return not text.removeprefix("\ufeff").strip(" \t\r\n")


def paragraphs(text: str) -> tuple[int, ...]:
    """Give where the paragraphs of a text without marks begin; the first is 0."""
    starts = [0, *(blank.end() for blank in _BLANK_LINES.finditer(text))] if text else []
    if len(starts) > 1 and is_blank(text[: starts[1]]):
        del starts[1]
    if len(starts) > 1 and not text[starts[-1] :].strip(" \t\r\n"):
        del starts[-1]
    return tuple(starts)


def front_matter(text: str, start: int) -> int:
    """Give where the front matter ends that begins at `start`; `start` itself if there is none.

    It is a block of lines between two rules (`---`, or `+++` for TOML) whose first entry looks like one: between
    two thematic breaks there may also be plain paragraphs (CommonMark 0.31, 4.1).
    """
    limit = start + LOOK_AHEAD
    for opening, closing in ((_YAML, _YAML_END), (_TOML, _TOML_END)):
        begun = opening.match(text, start, limit)
        if begun:
            ended = closing.search(text, begun.end() - 1, limit)
            if ended and (ended.end() < limit or limit >= len(text)):
                return ended.end()
    return start


class Fence(NamedTuple):
    """A line of colons that opens a container, if it has a name, or closes one."""

    colons: int
    opens: bool


class Masked(NamedTuple):
    """A text whose math and directive fences were replaced, place by place, by what CommonMark reads the same way."""

    text: str
    fences: dict[int, Fence]


def masked(text: str, start: int, *, has_math: bool) -> Masked:
    """Put display math, if any, into processing instructions, and rules in the place of directive fences after `start`.

    A processing instruction (CommonMark 0.31, 4.6, the third kind of HTML block) may hold anything, as math may; a
    thematic break ends a paragraph and underlines none, as the line of a directive does. Both are read in the same
    containers, and where they are code they stay code.
    """
    replaced: list[tuple[int, int, str]] = []
    formulas = [(opened, closed) for opened, closed in _math(text) if opened >= start] if has_math else []
    for opened, closed in formulas:
        replaced += (opened, opened + 2, "<?"), (closed, closed + 2, "?>")
    fences: dict[int, Fence] = {}
    if holds(text, ":::"):
        for match in _directives(text, start):
            begin, end = match.span("fence")
            formula = bisect_left(formulas, (begin, begin)) - 1
            if formula >= 0 and begin < formulas[formula][1]:
                continue  # in a formula nothing is a directive, though one that closes it may stand on such a line
            fences[begin] = Fence(len(match["colons"]), match["name"] is not None)
            replaced.append((begin, end, "***" + " " * (end - begin - 3)))
    return Masked(_replaced(text, sorted(replaced)), fences) if replaced else Masked(text, fences)


def _directives(text: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the fences of containers on the lines that begin at `start` or later."""
    place = text.find(":::", start)
    while place >= 0:
        begin = text.rfind("\n", 0, place) + 1
        match = _DIRECTIVE.match(text, begin) if begin >= start else None
        if match is not None:
            yield match
        place = text.find(":::", _end_of_line(text, place))


def holds(text: str, run: str) -> bool:
    """Say that a text holds a run of one character, which alone is sought many times faster than a run, if rare."""
    place = text.find(run[0])
    for _ in range(_RARE):
        if place < 0 or text.startswith(run, place):
            return place >= 0
        place = text.find(run[0], place + 1)
    return text.find(run, place) >= 0 if place >= 0 else False


def _replaced(text: str, replaced: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    done = 0
    for begin, end, instead in replaced:
        parts += text[done:begin], instead
        done = end
    return "".join([*parts, text[done:]])


def _math(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the dollars stand that open and close a formula of several lines."""
    text = "\n" + text  # so that a line end is before each line, which is found sooner than what follows one
    position, size = 0, len(text)
    while position < size and (mark := _MATH_OR_CODE.search(text, position)):
        begin, after = mark.span("mark")
        line_end = _end_of_line(text, after)
        if text[begin] == "$":
            closed = _math_end(text, after, line_end)
            if closed >= 0:
                yield begin - 1, closed - 1
            position = line_end if closed < 0 else _end_of_line(text, closed)
        else:
            closing = re.compile(rf"[\r\n][ \t>]*+{text[begin]}{{{after - begin},}}+[ \t]*+(?=[\r\n]|\Z)")
            found = closing.search(text, line_end)
            position = found.end() if found else size


def math_across(text: str, start: int, place: int) -> tuple[int, int] | None:
    """Give the span of the formula that begins before `place`, read from `start` on, and ends after it."""
    stretch = text[start : min(place + _LONGEST_MATH, start + LOOK_AHEAD)]
    for opened, closed in _math(stretch):
        if start + opened >= place:
            break
        if start + closed >= place:
            line = max(stretch.rfind("\n", 0, opened), stretch.rfind("\r", 0, opened)) + 1
            return start + line, start + _end_of_line(stretch, closed)
    return None


def _math_end(text: str, after: int, line_end: int) -> int:
    if "$" in text[after:line_end]:
        return -1  # a formula of one line, or dollars
    closed = text.find("$$", line_end, after + _LONGEST_MATH)
    if closed < 0 or (text[after:line_end].strip() and _BLANK_LINE.search(text, line_end, closed)):
        return -1
    begin = max(text.rfind("\n", 0, closed), text.rfind("\r", 0, closed)) + 1
    alone = not text[begin:closed].strip(" \t>") or not text[closed + 2 : _end_of_line(text, closed)].strip()
    return closed if alone else -1


def _end_of_line(text: str, position: int) -> int:
    found = _REST_OF_LINE.match(text, position)
    return found.end() if found else position


def addresses(text: str, start: int, marks: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the spans of web addresses that stand in the text as they are (GitHub Flavored Markdown, 6.9).

    `marks` are where `://` and `www.` stand, from `start` on.
    """
    after = start
    for mark in marks:
        match = _ADDRESS.match(text, mark) if mark >= after else None
        if match is None:
            continue
        after = match.end()
        begin, end = match.span()
        if text[begin] == ":":
            scheme = _SCHEME.search(text, max(start, begin - 6), begin)
            if scheme is None:
                continue
            begin = scheme.start()
        elif begin and text[begin - 1].isalnum():
            continue
        end = _address_end(text, begin, end)
        if end > match.start() + 4:
            yield begin, end


def _address_end(text: str, begin: int, end: int) -> int:
    """Leave to the sentence what ends it, and a closing parenthesis that was opened before the address."""
    excess = text.count(")", begin, end) - text.count("(", begin, end)
    while True:  # an address begins with a letter
        last = text[end - 1]
        if last == ")" and excess > 0:
            excess -= 1
        elif last not in _AFTER_ADDRESS:
            break
        end -= 1
    return end


def label_key(label: str) -> str:
    """Give what labels have in common that mean the same link (CommonMark 0.31, 4.7)."""
    return " ".join(label.split()).casefold()


def definitions_for(text: str, known: Collection[str]) -> str:
    """Write the definitions that a text refers to, of those known."""
    if not known or "[" not in text:
        return ""
    used = {label_key(match[1]) for match in _LABEL.finditer(text)}
    lines = [f"[{label}]: /\n" for label in known if label in used]
    return "".join(chain(lines, "\n")) if lines else ""
