"""Cuts between the records of comma-separated text and its like; the first record as the header of a table.

Records are those of RFC 4180: fields in double quotes may hold delimiters, line ends and doubled quotes. The delimiter
is told from the first records: a tab, a bar, a semicolon or a comma, whichever gives them most often the same number
of fields.

A quote opens a field only where the field begins (blanks before it are let pass), and only if a quote that a delimiter
or a line end follows closes it near enough; any other quote is text. So one that is never closed takes nothing with it.

The first record is a header if it names columns: at least two, all different, no number, date or address among them,
and none that the record below repeats. The first name may be empty, as above the labels of rows. Lines that begin with
`#` before it go with it, and the last of them may be the header itself.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from spanwise.patterns import lazy_pattern
from spanwise.structure import LOOK_AHEAD, Structure, Table, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["read_csv"]

_LONGEST_FIELD = LOOK_AHEAD - 8
"""The closing quote of a longer field is not looked for."""

_SHORTEST_UNIT = 4  # characters: no cut falls inside what is shorter
_SAMPLE = 32  # records
_SAMPLE_SIZE = LOOK_AHEAD // 2  # characters
_LONGEST_NAME = 200  # characters: what is longer is no name of a column
_DELIMITERS = "\t|;,"  # the less a character is used in text, the earlier
_USUAL = ","

_LINE_END = r"[\r\n]++"  # blank lines go with the record before
_NOTE = lazy_pattern(rf"\ufeff?+(?:\#|sep=.(?=[\r\n]))[^\r\n]*+(?:{_LINE_END}|\Z)", re.IGNORECASE)
_UNQUOTED_REST = lazy_pattern(rf'([^"\r\n]*+)(?:{_LINE_END}|\Z)')
_DATA = lazy_pattern(
    r"""
    (?=\D*\d)[\W\d_]*+\Z            # a number, a date, an amount: digits and no letter
    |[-+]?[\d.,]++e[-+]?\d++\Z      # 1e-5
    |\d{4}-\d\d-\d\d                # a date with a time
    |[^@]*+@|[a-z]++://             # an address
    |(?:true|false|yes|no|null|none|nan|n/a)\Z
    """,
    re.IGNORECASE | re.VERBOSE,
)


class _Record(NamedTuple):
    """A record: from `start` to `content_end`, its line end up to `end`, and the quoted fields in it."""

    start: int
    content_end: int
    end: int
    quoted: Sequence[tuple[int, int]] = ()


class _Delimiter:
    """Reads records whose fields one character divides."""

    def __init__(self, character: str) -> None:
        mark = re.escape(character)
        rest = rf"([^{mark}\r\n]*+)(?:({mark})|({_LINE_END})|\Z)"
        quoted = rf'("[^"]*+(?:""[^"]*+)*+")(?=[ ]{{0,4}}+(?:{mark}|[\r\n]|\Z))'
        self._field = re.compile(rf"[ ]*+(?:{quoted})?+{rest}")
        self._text_field = re.compile(rf"((?!))?+{rest}")

    def field(self, text: str, start: int, stop: int) -> re.Match[str]:
        """Match a field with the delimiter or line end after it."""
        found = self._field.match(text, start, stop)
        if found is None or found.end(1) - found.start(1) > _LONGEST_FIELD:
            found = self._text_field.match(text, start, stop)
        assert found is not None  # noqa: S101  the pattern matches everywhere: each part of it may be empty
        return found

    def records(self, text: str, start: int, stop: int) -> Iterator[_Record]:
        """Yield the records that are not blank."""
        while start < stop:
            record = self._record(text, start, stop)
            if record.content_end > start:
                yield record
            start = record.end

    def _record(self, text: str, start: int, stop: int) -> _Record:
        position, quoted = start, []
        while (rest := _UNQUOTED_REST.match(text, position, stop)) is None:
            found = self.field(text, position, stop)
            if found[1] is not None:
                quoted.append(found.span(1))
            position = found.end()
            if found.lastindex != _DELIMITED:
                return _Record(start, found.end(_REST), position, quoted)
        return _Record(start, rest.end(1), rest.end(), quoted)

    def values(self, text: str, record: _Record) -> list[str]:
        """List the fields of a record, without their quotes."""
        position, found, values = record.start, None, []
        while found is None or found.lastindex == _DELIMITED:
            found = self.field(text, position, record.content_end)
            values.append((found[1][1:-1].replace('""', '"') if found[1] else found[_REST]).strip(" \t\ufeff"))
            position = found.end()
        return values


_REST, _DELIMITED = 2, 3
"""Groups of the pattern of a field."""


@lru_cache(maxsize=len(_DELIMITERS))
def _delimiter(character: str) -> _Delimiter:
    return _Delimiter(character)


def read_csv(text: str) -> Structure:
    """Read comma-separated text, or what a tab, a semicolon or a bar separates."""
    blocks, units = _notes(text), list[Unit]()
    begin = blocks.pop()
    delimiter = _delimiter_of(text, begin)
    table = _table(text, blocks, begin, delimiter)
    for record in delimiter.records(text, begin, len(text)):
        blocks.append(record.start)
        units += _units(record)
    blocks[:1] = [0] if text else []
    return Structure(format="csv", blocks=tuple(blocks), units=tuple(units), tables=(table,) if table else ())


def _notes(text: str) -> list[int]:
    """List where the lines before the records begin, and last where the records do.

    Such a line begins with `#`, or does nothing but name the delimiter.
    """
    starts = [0]
    while found := _NOTE.match(text, starts[-1]):
        starts.append(found.end())
    return starts


def _units(record: _Record) -> Iterator[Unit]:
    if _SHORTEST_UNIT <= record.content_end - record.start <= LOOK_AHEAD:
        yield Unit(record.start, record.content_end)
    for start, end in record.quoted:
        if end - start >= _SHORTEST_UNIT and (start, end) != (record.start, record.content_end):
            yield Unit(start, end)


def _sample(text: str, begin: int, delimiter: _Delimiter) -> list[_Record]:
    """List the first records that the sample holds whole."""
    stop = min(begin + _SAMPLE_SIZE, len(text))
    records = islice(delimiter.records(text, begin, stop), _SAMPLE)
    return [record for record in records if record.end < stop or stop == len(text)]


def _delimiter_of(text: str, begin: int) -> _Delimiter:
    best, best_share = _USUAL, 0.5  # what divides fewer than half of the records alike divides none
    for character in _DELIMITERS:
        if character in text[begin : begin + _SAMPLE_SIZE]:
            share = _share_alike(text, begin, _delimiter(character))
            if share > best_share:
                best, best_share = character, share
    return _delimiter(best)


def _share_alike(text: str, begin: int, delimiter: _Delimiter) -> float:
    """Say which share of the first records has the most usual number of fields; 0 if that is one field."""
    counts = Counter(len(delimiter.values(text, record)) for record in _sample(text, begin, delimiter))
    if not counts:
        return 0.0
    fields, often = counts.most_common(1)[0]
    return often / counts.total() if fields > 1 else 0.0


def _table(text: str, notes: list[int], begin: int, delimiter: _Delimiter) -> Table | None:
    """Give the table of all records below a header, if there is one."""
    if begin > _SAMPLE_SIZE:
        return None
    first, second = [*_sample(text, begin, delimiter)[:2], None, None][:2]
    if first is None:
        return None
    names = delimiter.values(text, first)
    if second is not None and _names_columns(names, delimiter.values(text, second)):
        return Table(0, first.end, len(text))
    if notes and text[notes[-1]] == "#":
        note = _Record(notes[-1] + 1, begin, begin)
        if _names_columns(delimiter.values(text, note), names):
            return Table(0, begin, len(text))
    return None


def _names_columns(names: list[str], below: list[str]) -> bool:
    return (
        len(names) == len(below) > 1
        and len(set(names)) == len(names)
        and all(names[1:])
        and not any(len(name) > _LONGEST_NAME or _DATA.match(name) for name in names)
        and not any(name == value for name, value in zip(names, below, strict=True))
    )
