"""What happened when: records of log files, each with all the lines that it wrote.

A record begins with a line that has a timestamp where logs have one, and owns every line up to the next: stack
traces, dumps, blank lines. A full date with a time always begins one. Weaker signs, such as a level or a time of day,
count only where they are what most records of the first 65,536 characters begin with.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from spanwise.formats.chat import looks_like_chat
from spanwise.formats.heading_words import one_of
from spanwise.formats.line_feeds import INK_AHEAD, first_lines, line_fed
from spanwise.patterns import lazy_pattern
from spanwise.structure import LOOK_AHEAD, Structure, Unit

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from spanwise.formats.glances import Glance
    from spanwise.structure import Reader

__all__ = ["log_reader", "looks_like_log", "read_log"]

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_TIME = r"\d\d:\d\d:\d\d(?:[.,:]\d{1,9})?(?!\d)"
_LEVELS = str.split(
    "trace fine finer finest config debug info information notice warn warning error err crit critical alert emerg "
    "fatal severe panic success trc dbg inf wrn"
)
_LEVEL = f"(?:{'|'.join(_LEVELS).upper()})"
_STAMPS = (
    # ISO 8601 and its neighbours, with or without seconds
    r"\d{4}[-/.]\d\d[-/.]\d\d(?:[T_,:]|[ ]{1,2}|,[ ])\d\d:\d\d(?!\d)(?::\d\d(?:[.,:]\d{1,9})?)?"
    r"|\d{8}T\d{4}(?:\d\d)?Z?(?!\w)"
    # RFC 3164: May  1 10:02:03; the C library: Wed May  1 10:02:03.123456 2024; RFC 5322: Wed, 01 May 2024 10:02:03
    rf"|(?:{_DAY}[ ])?{_MONTH}[ ]{{1,2}}\d{{1,2}}(?:[ ]\d{{4}})?[ ]{_TIME}"
    rf"|{_DAY},[ ]\d{{1,2}}[ ]{_MONTH}[ ]\d{{4}}[ ]{_TIME}"
    # Java: May 01, 2024 10:02:03 AM; Tomcat: 01-May-2024 10:02:03.123; days first or last; two digits for the year
    rf"|{_MONTH}[ ]\d{{1,2}},[ ]\d{{4}},?[ ]\d{{1,2}}:\d\d:\d\d"
    rf"|\d{{1,2}}[-/ ]{_MONTH}[-/ ]\d{{4}}[ :]{_TIME}"
    rf"|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:\d{{4}}|\d\d),?[ ]\d{{1,2}}:\d\d:\d\d(?:[.,]\d{{1,9}})?"
    # Android: 05-01 10:02:03.123
    r"|\d\d-\d\d[ ]\d\d:\d\d:\d\d\.\d{3}(?!\d)"
)
_BEGIN = r"\n\ufeff?(?:\x1b\[[\d;]{0,12}m){0,8}+"
_FULL = (
    # after a level, the priority of RFC 5424, or the name of a field
    rf"(?:\[?{_LEVEL}\]?[ \t:|-]{{1,4}}|<\d{{1,3}}>(?:1[ ])?|(?:time|ts|timestamp|date|t|at)=)?[\[(\"]?(?:{_STAMPS})"
    r"(?:Z|[ ]?[+-]\d\d:?\d\d)?[\])\"]?"
    # the Common Log Format: host ident user [01/May/2024:10:02:03 +0000]
    rf"|[^\s\[]{{1,255}}+[ ][^\s\[]{{1,80}}+[ ][^\n\[]{{1,80}}+\[\d\d/{_MONTH}/\d{{4}}:\d\d:\d\d:\d\d"
    # glog: I0501 10:02:03.123456; the kernel: [   12.345678]
    rf"|[IWEFD]\d{{4}}[ ]{_TIME}|\[[ ]{{0,7}}\d{{1,8}}\.\d{{6}}\](?=[ ])"
)
_WEAK = (
    rf"(?:[\[(<](?i:{_LEVEL})[ ]{{0,4}}[\])>]|{_LEVEL}(?=[\s:|(\[-])|{_LEVEL.lower()}[ ]?(?=[:|]))",
    rf"\d{{1,9}}[ ](?:silly|verbose|{_LEVEL.lower()}|http|timing)(?=[ ])",
    rf"[\[(]?{_TIME}(?:[AaPp][Mm])?[\])]?(?=[\s|:,-])",
    r"(?:-[ ])?\[?1\d{9}(?:\d{3}|\.\d{1,9})?\]?(?=[\s:|])",
    rf"[\w./-]{{1,40}}+(?:\[\d{{1,9}}\])?:?[ ]\[?(?:{_STAMPS})",
    r"\d{6}[ ]{1,2}(?:\d{6}|\d{1,2}:\d\d:\d\d)(?=[ ])",
)
_RECORD = lazy_pattern(_BEGIN + f"(?:{_FULL})")
_WEAK_RECORDS = tuple(lazy_pattern(_BEGIN + pattern) for pattern in _WEAK)
_EITHER = tuple(lazy_pattern(_BEGIN + f"(?:{_FULL}|{pattern})") for pattern in _WEAK)
_NEED_LEVEL = (_EITHER[2], _EITHER[5])  # a time of day or bare figures may begin the lines of any table
_MAY_BE_STAMP = lazy_pattern(r"[0-9](?::[0-9]{2}|[0-9]{5})")
_MAY_BE_LEVEL = lazy_pattern(_BEGIN + rf"(?:[\[(<]?{one_of(_LEVELS)}\b|[0-9]{{1,9}}[ ][a-z])")
_INK_LINE = lazy_pattern(r"\n" + INK_AHEAD)
_TRACE = lazy_pattern(
    r"\n(?:[ \t]+[^\s]|Traceback |Caused by: |During handling |The above exception |\.\.\. \d|goroutine \d|panic: "
    r"|[\])}]|--- "
    r"|[\w$]{1,80}+(?:[.:]{1,2}[\w$]{1,80}+)*+(?:: |\n|\Z)|#\d+ )"
)
_COLUMNS = lazy_pattern(r"[,;\"]|\.\d")
_SAYS = lazy_pattern(r"[^\W\d_]{2}")
_LEVEL_OR_THREAD = lazy_pattern(rf"\W{{0,4}}(?:(?i:{_LEVEL})\b|\[[\w .:#-]{{1,60}}\])|.{{0,40}}\b{_LEVEL}\b")
_ADDRESS = lazy_pattern(r"<[^<>\s@]{1,80}@")
_CHANGE = lazy_pattern(r"\n(?:\t| {4,8})\* ")
_FIRST_LINES = 10


def read_log(text: str) -> Structure:
    """Read the records: each is a unit and begins at the outermost level; each line that is not blank is a block."""
    return log_reader(text[:LOOK_AHEAD])(text)


def log_reader(prefix: str) -> Reader:
    """Give the reader for a text that begins so, which reads any passage of it that begins with a line."""
    return partial(_read, _prevailing(line_fed(prefix)))


def _read(pattern: re.Pattern[str], text: str) -> Structure:
    lined = line_fed(text)
    starts = [match.start() for match in pattern.finditer(lined)]
    lines = [match.start() for match in _INK_LINE.finditer(lined)]
    if text and lines[:1] != [0]:
        lines.insert(0, 0)
    return Structure(
        format="log",
        blocks=tuple(lines),
        strong=tuple(starts),
        units=tuple(_records_and_lines(starts, lines, len(text))),
    )


def _records_and_lines(records: list[int], lines: list[int], size: int) -> Iterator[Unit]:
    """Yield each record, then the lines that it has, if it has several."""
    ends = iter([*records[1:], size])
    is_record = set(records)
    for start, end in pairwise([*lines, size]):
        if start in is_record:
            record_end = next(ends)
            yield Unit(start, record_end)
            if record_end == end:
                continue
        yield Unit(start, end)


def _prevailing(prefix: str) -> re.Pattern[str]:
    """Give what records of a prefix begin with: a full timestamp, or also the weaker sign that is commoner than it."""
    full = len(_RECORD.findall(prefix))
    counts = [len(pattern.findall(prefix)) for pattern in _WEAK_RECORDS]
    most = max(counts)
    return _EITHER[counts.index(most)] if most > full else _RECORD


def looks_like_log(glance: Glance) -> bool:
    """Say whether the beginning of a text is a log: most lines are records, or belong to one as stack traces do."""
    if not glance.has_digit and _MAY_BE_LEVEL.search(glance.head) is None:
        return False
    head = first_lines(glance.head, _FIRST_LINES + 1)
    if not (_MAY_BE_STAMP.search(head) or _MAY_BE_LEVEL.search(head)):
        return False
    if not any(pattern.search(head) for pattern in (_RECORD, *_WEAK_RECORDS)):
        return False  # the first record is among the first lines
    lined = glance.lined
    pattern = _prevailing(lined)
    records = {match.start(): match.end() for match in pattern.finditer(lined)}
    if len(records) < 3:
        return False
    lines = [match.start() for match in _INK_LINE.finditer(lined)]
    if lines.index(min(records)) > _FIRST_LINES or not _tell(lined, list(records.values()), pattern):
        return False
    owned = sum(start in records or _TRACE.match(lined, start) is not None for start in lines)
    if pattern is _RECORD:
        enough = max(len(records) * 2, owned * 5 // 4) >= len(lines)
    else:
        signs = {lined[start:end] for start, end in records.items()}
        enough = len(signs) > 1 and len(records) > 4 and min(len(records) * 2, owned * 10 // 9) >= len(lines)
    return enough and not looks_like_chat(glance)


def _tell(lined: str, ends: list[int], pattern: re.Pattern[str]) -> bool:
    """Say whether what stands after the timestamps is a message: no columns of figures, no author of a change."""
    rests = [_rest_of_line(lined, end) for end in ends]
    most = len(rests) // 2
    levels = sum(_LEVEL_OR_THREAD.match(rest) is not None for rest in rests) > most
    if pattern in _NEED_LEVEL and not levels:
        return False
    if len(_CHANGE.findall(lined)) > most:
        return False
    if sum(rest.startswith("\t") for rest in rests) > most and not levels:
        return False
    for not_a_message in (_COLUMNS.match, _ADDRESS.search):
        if sum(not_a_message(rest) is not None for rest in rests) > most:
            return False
    return sum(_SAYS.search(rest) is not None for rest in rests) > most


def _rest_of_line(lined: str, start: int) -> str:
    end = lined.find("\n", start)
    return lined[start:] if end < 0 else lined[start:end]
