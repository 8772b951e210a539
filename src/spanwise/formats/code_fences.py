"""Fenced code in Markdown whose fence names a language: cut as source code of that language is, if it must be cut."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from spanwise.formats.code import not_too_deep, read_code
from spanwise.formats.code_languages import language_of
from spanwise.structure import Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.structure import Structure

__all__ = ["with_fences"]

_OPENING = re.compile(r"[ \t]*+(`{3,}+|~{3,}+)[ \t]*+\{?+\.?+([\w+#\-]++)[^\r\n]*+(?:\r\n?+|\n)")
_CLOSING = re.compile(r"[ \t]*+(`{3,}+|~{3,}+)\s*+\Z")


def with_fences(text: str, structure: Structure) -> Structure:
    """Add what is in the fences to the structure of a Markdown text: units, and blocks instead of lines.

    Definitions in a fence are no sections: the headings of the document are.
    """
    units = [(unit.start, -unit.end) for unit in structure.units]
    fences: list[Unit] = []
    blocks: list[int] = []
    strong: list[int] = []
    for unit in structure.units:
        opening = _OPENING.match(text, unit.start, unit.end)
        language = None if opening is None or (fences and unit.start < fences[-1].end) else language_of(opening[2])
        if opening is None or language is None:
            continue
        fences.append(unit)
        begin, end = opening.end(), unit.end
        last_line = max(text.rfind("\n", begin, end - 1), text.rfind("\r", begin, end - 1)) + 1
        if last_line > begin and _CLOSING.match(text, last_line, end):
            end = last_line
        code = read_code(text[begin:end], language)
        units += [(begin + inner.start, -(begin + inner.end)) for inner in code.units]
        blocks += [begin + start for start in code.blocks or () if start]  # the fence stays with the first
        strong += [begin + start for start in code.strong if start]
    starts, ends = not_too_deep(sorted(set(units)))
    return msgspec.structs.replace(
        structure,
        units=tuple(map(Unit, starts, ends)),
        blocks=_joined(structure.blocks or (), fences, blocks),
        strong=_joined(structure.strong, fences, strong),
    )


def _joined(starts: Sequence[int], fences: Sequence[Unit], inside: Sequence[int]) -> tuple[int, ...]:
    """Put what begins inside fences in the place of the lines there."""
    kept: list[int] = []
    waiting = iter(fences)
    fence = next(waiting, None)
    for start in starts:
        while fence is not None and fence.end <= start:
            fence = next(waiting, None)
        if fence is None or start <= fence.start:
            kept.append(start)
    return tuple(sorted({*kept, *inside}))
