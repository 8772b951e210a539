"""Who speaks on the stage: acts, scenes and speeches of plays.

A speech begins with its speaker: in capitals, in italics or before a tab, alone on a line or before what is said. It
goes over the ends of lines and of verses up to the next one, so what is said in brackets on the stage belongs to the
speech above it. Acts are sections of level 1, scenes of level 2, and speeches stand below them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from spanwise.formats.line_feeds import line_fed
from spanwise.formats.speakers import (
    Turn,
    are_in_fixed_order,
    ends_of,
    is_no_person,
    lines_of,
    recurring_near_by,
)
from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading
from spanwise.structure import LOOK_AHEAD, Structure, Unit

if TYPE_CHECKING:
    import re

    from spanwise.formats.glances import Glance

__all__ = ["Play", "first_words", "looks_like_play", "play_of"]

_CAPITAL = "A-ZÀ-ÖØ-ÞΑ-ΫЀ-Я"
_WORD = rf"[{_CAPITAL}][{_CAPITAL}\d'’/-]{{0,30}}+(?![^\W_])"
_HONOUR = r"(?:(?:MRS?|MS|DR|ST|REV|PROF|CAPT|COL|GEN|SGT|LT|MME|MLLE|M)\.\ )?"
_NAME = rf"{_HONOUR}{_WORD}(?:,?\ (?:(?:and|of|the|to|or|de|von|et|und|&)\ )?{_WORD}){{0,5}}"
_HOW = r"(?:,?[ \t]{0,4}+(?:\[[^\n\[\]]{1,150}+\]|\([^\n()]{1,150}+\)|_[^\n_]{1,150}+_))?+"
_LEFT = r"\n[ \t]{0,60}+"
_CAPITALS = lazy_pattern(
    rf"{_LEFT}(?P<speaker>{_NAME}){_HOW}"
    r"(?:[.:]?[ \t]{0,200}+(?=\n[ \t]{0,200}+[^\s])|\t{1,8}+(?=\S)|[ ]{2,40}+(?=\S)"
    r"|\.(?:[—–-]{1,2}|[—–-]?[ ]{1,3})(?=[^\s]))"
)
_ITALICS = lazy_pattern(
    rf"{_LEFT}_(?P<speaker>[{_CAPITAL}][^\W\d_]{{0,20}}+(?:\.?\ [^\W\d_]{{1,20}}+){{0,3}}+)"
    rf"\.?_\.?{_HOW}\.?[ —]{{1,3}}(?=\S)"
)
_TABS = lazy_pattern(
    rf"\n(?P<speaker>[{_CAPITAL}][\w'’.,&/-]{{0,30}}+(?:\ [\w'’.,&/-]{{1,30}}+){{0,5}}+)[.:]?\t{{1,8}}+(?=[^\s|])"
)
_COLONS = lazy_pattern(rf"{_LEFT}(?P<speaker>{_NAME}){_HOW}:(?=\s)")
_WAYS = (_TABS, _CAPITALS, _ITALICS, _COLONS)  # of those with as many turns, the first

_NUMBER = (
    r"(?:[IVXLC]{1,7}|\d{1,2}|(?i:the )?(?i:first|second|third|fourth|fifth|sixth|seventh|last|one|two|three|four|five"
    r"|primus|secundus|tertius|quartus|quintus|prima|secunda|tertia|quarta|quinta|premi[eè]re?|deuxi[eè]me"
    r"|troisi[eè]me|quatri[eè]me|cinqui[eè]me|primero|segundo|tercero|primo|secondo|terzo))"
)
_REST = r"(?P<rest>(?![\w'’])[^\n]{0,200}+)(?=\n|\Z)"
_DIVISION = lazy_pattern(
    rf"{_LEFT}[\[(]?(?:"
    rf"(?P<act>(?:(?i:act(?:us|e|o)?|akt|atto|aufzug)[ ]{{1,3}}{_NUMBER}"
    r"|(?:THE\ )?[^\W\d_]{4,12}\ (?:ACT|ACTE|AKT|AUFZUG|Akt|Aufzug)"
    r"|(?P<whole>PROLOGUE|EPILOGUE|INDUCTION|Prologue|Epilogue|Induction)))"
    rf"|(?P<scene>(?i:sc[eè]n[ea]|sc(?:ae|oe)na|szene|escena|auftritt)[ ]{{1,3}}{_NUMBER}"
    r"|[^\W\d_]{4,12}\ (?:SCENE|SZENE|AUFTRITT|Szene|Auftritt))"
    r"|(?P<persons>(?i:the\ )?(?i:dramatis\ person(?:ae|æ|ã¦)|persons?\ (?:of|in)\ the\ (?:play|drama)"
    r"|characters?\ (?:of|in)\ the\ play|persons\ represented|personnages|personen)|CHARACTERS|CAST|Characters)"
    rf"){_REST}"
)
_GOES_ON_AS_TITLE = lazy_pattern(r"[ ]*+(?:[.:,;—–\])-]|\t| \d| [^\W\d_a-z])")
_STAGE = lazy_pattern("act|scene|exit|exeunt|enter|re-enter|curtain|end|finis|fin|contents|prologue|epilogue")
_NUMERAL = lazy_pattern(r"[IVXLCDM]+|.")
_LOWER_WORDS = lazy_pattern(r"[^\W\d_A-Z]{2}[^\n]{0,20}?[ ,—-][^\W\d_A-Z]")
_LOWER = lazy_pattern(r"[^\W\d_A-Z]")
_SAYS = lazy_pattern(r"[.?!…;:,—–-][\"”’')\]_]*$")
_MAY_SPEAK = lazy_pattern(
    r"\n[ \t\d]{0,60}+([QA](?=\.?[ \t])|"
    rf"(?:[{_CAPITAL}]\. )?[{_CAPITAL}][{_CAPITAL}'’-]{{1,30}}+(?![^\W_])|_[{_CAPITAL}][a-z]{{1,20}}+"
    rf"|[{_CAPITAL}][a-z]{{1,20}}+[\w ]{{0,20}}+(?=\t))"
)
_LEAST_TURNS = 8
_LINES_A_TURN = 12
_MOST_JUDGED = 400
_LEAST_LIST = 80
_LONGEST_LIST = 8_000  # characters up to the first act
_LIST_WITHOUT_END = 1_000  # characters where no act follows


class _Division(NamedTuple):
    """An act, a scene, or the list of those who play."""

    start: int
    end: int
    level: int
    title: str
    lists: bool


class Play(NamedTuple):
    """How the speeches of a play begin, who speaks early in it, and whether it has acts or scenes."""

    way: re.Pattern[str]
    names: frozenset[str]
    has_acts: bool
    turns: int

    def read(self, text: str) -> Structure:
        """Read the acts, scenes and speeches of a text, or of a passage of it that begins with a line."""
        lined = line_fed(text)
        divisions = _divisions(lined)
        turns = self.spoken(_off_lists(_candidates(self.way, lined), divisions))
        kept = _kept(divisions, turns)
        starts = sorted({*(turn.start for turn in turns), *(division.start for division in kept)})
        size = len(text)
        headings = [Heading(each.start, min(each.end, size), each.level, each.title) for each in kept]
        units = []
        for turn in turns:
            place = bisect_right(starts, turn.start)
            end = starts[place] if place < len(starts) else size
            headings.append(Heading(turn.start, turn.start, 3 if self.has_acts else 1, turn.speaker, end))
            units.append(Unit(turn.start, end))
        headings.sort(key=lambda heading: heading.start)
        return Structure(format="chat", headings=tuple(headings), units=tuple(units))

    def spoken(self, turns: list[Turn]) -> list[Turn]:
        """Leave out who is not known and does not speak again soon; before a tab stand none but speakers."""
        if self.way is _TABS:
            return turns
        near = recurring_near_by([turn for turn in turns if turn.speaker not in self.names])
        return [turn for turn in turns if turn.speaker in self.names or turn.start in near]


def play_of(lined: str) -> Play | None:
    """Say how the play is written that begins so; None if nobody speaks in it twice."""
    divisions = _divisions(lined)
    best: Play | None = None
    for way in _WAYS:
        turns = _off_lists(_candidates(way, lined), divisions)
        counts = Counter(turn.speaker for turn in turns)
        recurring = frozenset(name for name, count in counts.items() if count > 1)
        play = Play(way, recurring, has_acts=False, turns=0)
        spoken = play.spoken(turns) if recurring else []
        has_acts = any(not each.lists for each in _kept(divisions, spoken))
        if (has_acts or way is not _COLONS) and len(spoken) > (best.turns if best else 0):
            best = play._replace(has_acts=has_acts, turns=len(spoken))
    return best


def first_words(sample: str) -> list[str]:
    """List those words at the beginning of lines that may name who speaks: in capitals, in italics, before a tab."""
    return _MAY_SPEAK.findall(sample)


def looks_like_play(glance: Glance) -> bool:
    """Say whether the beginning of a text is a play: speeches by several who speak again, and hardly anything else."""
    lined = glance.lined
    play = play_of(lined)
    if play is None or play.turns < _LEAST_TURNS:
        return False
    everyone = _off_lists(_candidates(play.way, lined), _divisions(lined))
    turns = play.spoken(everyone)
    names = Counter(turn.speaker for turn in turns)
    if len(names) < 2 or len(turns) < len(names) * 2 or (len(everyone) - len(turns)) * 4 > len(turns):
        return False
    lines = lines_of(lined, turns[0].start)
    if len(turns) * _LINES_A_TURN < lines or lines_of(lined, 0, turns[0].start) > lines or not _is_speech(lined, turns):
        return False
    is_table = play.way is _TABS and len(turns) * 10 > lines * 9
    return play.has_acts or not (is_table or (len(names) > 2 and are_in_fixed_order(turns)))


def _is_speech(lined: str, turns: list[Turn]) -> bool:
    """Say whether most of what is said are sentences."""
    turns = turns[:_MOST_JUDGED]
    ends = ends_of(turns, len(lined))
    said = [lined[turn.after : end].strip() for turn, end in zip(turns[:-1], ends, strict=False)]
    words = sum(_LOWER_WORDS.search(speech, 0, 200) is not None for speech in said)
    closed = sum(_SAYS.search(speech[-8:]) is not None for speech in said)
    lower = sum(_LOWER.search(speech, 0, 200) is not None for speech in said)
    return words * 10 >= len(said) * 4 and lower * 10 >= len(said) * 8 and closed * 10 >= len(said) * 6


def _candidates(way: re.Pattern[str], lined: str) -> list[Turn]:
    """List the lines that begin as speeches do."""
    turns = []
    for match in way.finditer(lined):
        speaker = match["speaker"].rstrip(".,")
        if _can_speak(speaker):
            turns.append(Turn(match.start(), speaker, "", match.end()))
    return turns


def _can_speak(speaker: str) -> bool:
    first = speaker.split(" ", 1)[0].strip(".,").lower()
    return _STAGE.fullmatch(first) is None and not is_no_person(speaker) and _NUMERAL.fullmatch(speaker) is None


def _divisions(lined: str) -> list[_Division]:
    divisions = []
    for match in _DIVISION.finditer(lined):
        rest = match["rest"]
        is_alone = not rest.strip(" \t.:])")
        if not (is_alone if match["whole"] or match["persons"] else is_alone or _GOES_ON_AS_TITLE.match(rest)):
            continue
        level = 2 if match["scene"] or " scene " in f"{rest.lower()} " else 1
        title = " ".join(match[0].split())[:300].rstrip()
        title = title[1:].rstrip("]) ") if title[0] in "[(" else title
        end = match.start() + len(match[0].rstrip()) - 1
        divisions.append(_Division(match.start(), end, level, title, bool(match["persons"])))
    return divisions


def _off_lists(turns: list[Turn], divisions: list[_Division]) -> list[Turn]:
    """Leave out those who are only listed, and lines that are acts or scenes."""
    starts = [each.start for each in divisions]
    ends = [*starts[1:], *(each.start + LOOK_AHEAD for each in divisions[-1:])]
    kept = []
    for turn in turns:
        place = bisect_right(starts, turn.start) - 1
        if place >= 0:
            start = starts[place]
            longest = _LONGEST_LIST if ends[place] - start <= _LONGEST_LIST else _LIST_WITHOUT_END
            if start == turn.start or (divisions[place].lists and turn.start < start + longest):
                continue
        kept.append(turn)
    return kept


def _kept(divisions: list[_Division], turns: list[Turn]) -> list[_Division]:
    """Leave out what only a table of contents names: a scene without a speech, an act without either."""
    starts = [turn.start for turn in turns]
    kept: list[_Division] = []
    following: _Division | None = None
    for each in reversed(divisions):
        place = bisect_left(starts, each.start)
        border = each.start + LOOK_AHEAD // 2 if following is None else following.start
        is_near = border - each.start <= LOOK_AHEAD // 2
        speaks = place < len(starts) and starts[place] < min(border, each.start + LOOK_AHEAD // 2)
        opens = is_near and each.level == 1 and bool(kept) and kept[-1] is following and kept[-1].level == 2
        if speaks or opens or (each.lists and border - each.end > _LEAST_LIST):
            kept.append(each)
        following = each
    return kept[::-1]
