"""What is said from when to when: the cues of subtitles, SubRip (SRT) and WebVTT.

A cue is a line with two times and an arrow, the number or name in the line above it, and the text below it. It goes up
to the next one, so a blank line inside its text does not end it (WebVTT says it does; files of SubRip have them).
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from spanwise.formats.line_feeds import INK_AHEAD, line_fed
from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading
from spanwise.structure import LOOK_AHEAD, Structure, Unit

if TYPE_CHECKING:
    import re

    from spanwise.formats.glances import Glance
    from spanwise.structure import Reader

__all__ = ["looks_like_subtitles", "read_subtitles", "subtitles_reader"]

_TIME = r"(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = lazy_pattern(rf"\n\ufeff?[ \t]{{0,40}}+{_TIME}[ \t]{{0,40}}+-->[ \t]{{0,40}}+{_TIME}(?!\d)")
_SIGNATURE = lazy_pattern(r"\ufeff?WEBVTT(?=[ \t\r\n]|\Z)")
_BLOCK = lazy_pattern(r"(?:\A|(?<=\n)[ \t]*+)\n(?:NOTE|STYLE|REGION)(?=[ \t\n]|\Z)")
_NUMBER = lazy_pattern(r"\n\ufeff?[ \t]*+\d{1,9}[ \t]*+\Z")
_INK_LINE = lazy_pattern(r"\n" + INK_AHEAD)
_LONGEST_NAME = 500
_VOICE = lazy_pattern(r"\n[ \t-]{0,40}+<v(?:\.[^\s>]{1,80}+)?[ \t]{1,8}+(?P<voice>[^\s<>][^<>\n]{0,78}+)>")
_LABEL = lazy_pattern(r"\n(?P<voice>[^\W\d_][^\s:<>]{0,40}+(?: [^\s:<>]{1,40}+){0,3}+):[ \t]")
_LEAST_VOICES = 0.9
_FIRST_LINES = 4


def read_subtitles(text: str) -> Structure:
    """Read the cues, and of WebVTT the header, notes, styles and regions: each is a block and stays whole.

    A cue that names who speaks is a section: by the tag `<v Name>` (WebVTT, 4.2.2), or by "Name: " where nearly all do.
    That of the first one begins with the signature of WebVTT, since nobody speaks in what stands between.
    """
    return subtitles_reader(text[:LOOK_AHEAD])(text)


def subtitles_reader(prefix: str) -> Reader:
    """Give the reader for a text that begins so, which reads any passage of it that begins with a cue or a note."""
    lined = line_fed(prefix)
    return partial(_read, _SIGNATURE.match(prefix) is not None, _VOICE if "<v" in lined else _labels(lined))


def _labels(lined: str) -> re.Pattern[str] | None:
    """Say whether nearly all cues begin with the name of one of several who speak again."""
    voices = [_voice(_LABEL, lined, match.end()) for match in _TIMING.finditer(lined)]
    named = Counter(filter(None, voices))
    if len(named) < 2 or named.total() < _LEAST_VOICES * len(voices) or named.total() < len(named) * 2:
        return None
    return _LABEL


def _voice(pattern: re.Pattern[str], lined: str, timing_end: int) -> str:
    """Give who speaks in a cue, at the beginning of the line below its times."""
    below = lined.find("\n", timing_end, timing_end + _LONGEST_NAME)
    match = pattern.match(lined, below) if below >= 0 else None
    return " ".join(match["voice"].split()) if match else ""


def _read(is_webvtt: bool, pattern: re.Pattern[str] | None, text: str) -> Structure:  # noqa: FBT001  bound once
    lined = line_fed(text)
    cues = [
        (_first_line_of(lined, match.start(), named=is_webvtt), _voice(pattern, lined, match.end()) if pattern else "")
        for match in _TIMING.finditer(lined)
    ]
    starts = begins = [start for start, _ in cues]
    if is_webvtt:
        notes = [lined.rindex("\n", 0, match.end()) for match in _BLOCK.finditer(lined)]
        signature = [0] if _SIGNATURE.match(text) else []
        if signature and starts and starts[0] < LOOK_AHEAD // 2:
            begins = [0, *starts[1:]]
        starts = sorted({*starts, *notes, *signature})
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=False))
    return Structure(
        format="subtitles",
        headings=tuple(
            Heading(begin, begin, 1, voice, ends[start])
            for begin, (start, voice) in zip(begins, cues, strict=True)
            if voice
        ),
        blocks=tuple(starts if starts[:1] == [0] or not text else [0, *starts]),
        units=tuple(map(Unit, starts, ends.values())),
    )


def looks_like_subtitles(glance: Glance) -> bool:
    """Say whether a text begins with cues, or with the signature of WebVTT."""
    lined = glance.lined
    if ">" not in lined or "-->" not in lined:  # one character is sought twenty times faster than three
        return False
    timings = [match.start() for match in _TIMING.finditer(lined)]
    if not timings:
        return False
    if _SIGNATURE.match(glance.text):
        return True
    before = len(_INK_LINE.findall(lined, 0, timings[0] + 1))
    return before < _FIRST_LINES and len(timings) * 10 >= len(_INK_LINE.findall(lined))


def _first_line_of(lined: str, timing: int, *, named: bool) -> int:
    """Give where a cue begins: at its number, in WebVTT at its name after a blank line, else at its times."""
    above = lined.rfind("\n", max(0, timing - _LONGEST_NAME), timing)
    if above < 0:
        return timing
    line = lined[above + 1 : timing]
    if _NUMBER.match(lined[above:timing]):
        return above
    if named and line.strip() and "-->" not in line:
        before = lined[lined.rfind("\n", max(0, above - _LONGEST_NAME), above) + 1 : above]
        if not before.strip():
            return above
    return timing
