"""Who says what: turns of chats, interviews, plays and meetings written as plain text.

A turn begins with a line that names its speaker, in one of several ways, and goes up to the next turn. Which way a text
uses, and which names without a time are speakers, is decided on its first 65,536 characters. Plays have a file of
their own.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from spanwise.formats.line_feeds import first_lines, line_fed
from spanwise.formats.plays import first_words, looks_like_play, play_of
from spanwise.formats.speakers import (
    ROLE,
    Turn,
    are_in_fixed_order,
    ends_of,
    is_no_person,
    lines_of,
    recurring_near_by,
    share_of_sentences,
    share_with_text,
)
from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading
from spanwise.structure import LOOK_AHEAD, Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from spanwise.formats.glances import Glance
    from spanwise.structure import Reader

__all__ = ["chat_reader", "looks_like_chat", "read_chat"]

_BLANK = r"[ \t\xa0\u2009\u202f\u3000]"
_MARKS = r"[\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]{0,40}+"  # exports begin lines with marks of direction
_MONTH = r"(?:Jan|Feb|M[aä]r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])[a-z]{0,6}\.?"
_DAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}\.?,?\ )?"
_DATE = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?!\d)"
    r"|\d{4}[年.]\ ?\d{1,2}[月.]\ ?\d{1,2}[日.]"
    rf"|\d{{1,2}}\.?[ -]{_MONTH},?[ -](?:\d{{4}}|\d{{2}})(?!\d|:)|{_MONTH}\ \d{{1,2}},?\ \d{{4}})"
)
_HALF = rf"(?:{_BLANK}?[AaPp]\.?\ ?[Mm](?!\w)\.?)?"
_ZONE = rf"(?:{_BLANK}?(?:UTC|GMT)(?!\w)|Z(?!\w))?(?:[+-]\d{{2}}:?\d{{2}})?"
_CLOCK = rf"(?:[上下午前後오전후]{{2}}\ ?)?\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?!\d)(?:[.,]\d{{1,6}})?{_HALF}{_ZONE}"
_STAMP = (
    rf"{_DAY}(?:{_DATE}(?:T|\]\ \[|,?{_BLANK}{{1,3}}(?:klo|um|at|om|à|kl\.)?{_BLANK}?)"
    rf"(?:{_CLOCK}|\d{{1,2}}\.\d{{2}}(?:\.\d{{2}})?)"
    rf"|(?:\d{{1,2}}\ {_MONTH}|{_MONTH}\ {{1,2}}\d{{1,2}}),?{_BLANK}{{1,3}}{_CLOCK}"  # logs of IRC leave out the year
    rf"|{_CLOCK}(?:,?{_BLANK}{{1,3}}{_DATE})?)"
)
_START = rf"\n{_MARKS}{_BLANK}{{0,8}}+"
_HOST = r"(?:![^\s<>]{1,200}+)"
_NICK = rf"<(?P<nick>[@+%&~!\ ]?[^\s<>/\"=!]{{1,40}}){_HOST}?>(?=[ \t\n]|\Z)"
_PROXIED = r"[<>]\ (?P<proxied>[^\s<>:!]{1,40}+)(?:![^\s<>]{1,200}?)?:(?=\s|\Z)"
_NAME = rf"(?:{_NICK}|{_PROXIED}|(?P<speaker>[^\s:<>][^:\n]{{0,79}}+):\*{{0,2}}+(?=\s|\Z))"
_CLOCK_NEAR = r"(?=[^:\n]{1,140}+:\d\d)"  # one quick look spares most lines the slow one


class _Way(NamedTuple):
    """One way to begin a turn."""

    name: str
    pattern: re.Pattern[str]


def _way(name: str, *parts: str) -> _Way:
    return _Way(name, lazy_pattern(_START + "".join(parts)))


_TIMED = (
    _way(
        "bracket",
        rf"\*{{0,2}}[\[(](?P<time>{_STAMP}|{_DATE})[\])]\*{{0,2}}{_BLANK}{{0,4}}[-–—:]?{_BLANK}{{0,4}}",
        _NAME,
    ),
    _way(
        "stamp",
        rf"(?=\d|\w+\ ?\d|\w+,?\ \d)(?P<time>{_STAMP})"
        rf"(?:,?{_BLANK}{{1,8}}(?:[-–—|]{_BLANK}{{1,4}})?|[-–—|]{_BLANK}{{0,4}})",
        _NAME,
    ),
    _way(
        "parenthesis",
        _CLOCK_NEAR,
        rf"(?P<speaker>[^\s:(\[][^:\n]{{0,79}}?){_BLANK}?[(\[](?P<time>{_STAMP})[)\]]\*{{0,2}}:\*{{0,2}}(?=\s|\Z)",
    ),
    _way(
        "line",
        _CLOCK_NEAR,
        rf"(?:\[(?=[^\n\]]{{1,80}}\]))?(?P<speaker>[^\s:(\[][^:\n\]]{{0,79}}?)\]?(?:{_BLANK}{{1,8}}|,{_BLANK}?"
        rf"|{_BLANK}?[—–•|·-]{_BLANK}{{1,4}})[(\[]?(?P<time>(?:(?:Today|Yesterday)(?:\ at)?\ )?{_STAMP})[)\]]?",
        rf"{_BLANK}{{0,4}}(?=\n|\Z)",
    ),
    _way(
        "names",
        rf"\[(?!{_DAY}{_DATE}\])(?P<speaker>[^\s\[\]:][^\[\]:\n]{{0,59}}+)\]{_BLANK}\[(?P<time>{_STAMP})\](?=[ \t])",
    ),
    _way(
        "columns",
        rf"(?P<time>{_STAMP})\t{{1,2}}+(?P<nick>[@+%&~]?[^\s<>=*@+%&~-][^\t\n]{{0,39}}+)\t",
    ),
    _way(
        "above",
        rf"(?P<above>\[)?(?P<time>{_STAMP})(?(above)\]){_BLANK}{{1,4}}",
        r"(?P<speaker>[^\W\d_][^:\n\t<>]{0,59}+)(?=\n[ \t]{0,40}+[^\s*])",
    ),
)
_NICKS = _Way("nick", lazy_pattern(rf"\n{_MARKS}(?:@\d{{9,10}}\ )?{_NICK}(?:\ \[(?P<time>{_CLOCK})\](?=\s))?"))
_LABELS = _way(
    "label",
    _BLANK + r"{0,40}+(?:\*\*|__)?(?P<speaker>[^\W_][\w .,'’&()/#@+-]{0,49}+)(?:\*\*|__)?(?::\*{0,2}(?=\s|\Z)|：)",
)
_EXAMINATION = _Way(
    "examination",
    lazy_pattern(
        r"\n[ \t]{0,40}+(?:\d{1,2}[ \t]{1,20}+)?(?P<speaker>[QA](?=\.[ \t]|[ \t]{2})"
        r"|[A-Z][A-Z'’-]{1,20}\.?(?:\ [A-Z'’-]{1,20}){1,4}+(?=:[ \t]))"
        r"[.:]?[ \t]{1,40}+(?=\S)"
    ),
)
_LISTED = lazy_pattern(r"\n[ \t]{0,40}+(?:\d{1,2}[ \t]{1,20}+)?B\.[ \t]{1,20}+[A-Z]")
_UNTIMED = (_NICKS, _LABELS, _EXAMINATION)
_ALL = (*_TIMED, *_UNTIMED)

_LOG_LEVEL = lazy_pattern(
    r"(?:\S*[.])?(?i:trace|debug|info|notice|warn|warning|error|err|crit|critical|alert|fatal|severe|emerg|panic"
    r"|log|statement|detail|hint)[0-9]?$|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|SEVERE)\b"
)
_NO_SPEAKER = lazy_pattern(r"[\[\]{}\"“”„=|\\]|//|^\W*+$")
_ODD_NICK = lazy_pattern(r"(?!\[.*\]\Z|.*\[[\d.:#]+\]\Z)[A-Za-z_`^|\\{}\[\]][\w`^|\\{}\[\]-]{0,39}")
"""What RFC 2812, 2.3.1, lets a nick be made of; in brackets as a whole, or with a number in them, stand processes."""
_RANKS = "@+%&~! "
_MOST_WORDS = 8
_FIRST_LINES = 10
_SAMPLE = 4_096
_LEAST_IN_SAMPLE = 2
_HAS_TIME = lazy_pattern(r"\d[-:./年]\ ?\d\d")
_MAY_HAVE_TIME = lazy_pattern(r"\d(?::\d\d|[-/.年]\ ?\d{1,2}[-/.月]|[ -][A-Z][a-zä]{2,8}[ ,-]{1,2}\d\d)")
_CLOCK_OR_DATE = lazy_pattern(f"{_CLOCK}|{_DATE}")  # one of them is in every stamp
_TO_THE_SECOND = lazy_pattern(r"\d{4}.{0,100}\d:\d\d:\d\d")
_WORDS = lazy_pattern(r"[^\W\d_][,:;.]? [^\W\d_]")
_BY_MESSENGER = lazy_pattern(r"\d, \d{1,2}:\d\d")  # a comma parts day and time, as hardly any list has it
_CALLED = lazy_pattern(r"[:,\s]")
_NOTICE_COLUMN = lazy_pattern(r"\t(?:-->|<--|--|=!=| \*)\t")
_TALK = lazy_pattern(
    # What people say to one another and lists of times, states and meanings hardly hold.
    r"[?!？！؟…](?!\w)|[\U0001f300-\U0001faff]|(?<!\w)[:;]-?[()DP](?!\w)|\bI(?:['’]\w|(?=,?\ [a-z]))"
    r"|n['’]t\b|['’](?:re|ll|ve|m)\b"
    r"|(?<![\w'’-])(?i:you|your|yours|we|us|me|my|our|let['’]s|hi|hello|hey|thanks|thank|yes|yeah|yep|nope|sorry|lol|brb"
    r"|ich|wir|mir|mich|dir|dich|dein|deine|nein|danke|hallo|je|j['’]\w+|tu|nous|vous|moi|toi|oui|merci|salut|bonjour"
    r"|yo|tú|nosotros|sí|gracias|hola|io|noi|voi|grazie|ciao|eu|você|vocês|obrigado|obrigada|olá|ik|jij|wij|jullie|bedankt"
    r"|jag|vi|tack|hej|ja|я|ты|вы|мы|да|нет|привет|спасибо)(?![\w-])"
    r"|[我你您吗呢吧啊哈嗯]|[ねよか](?![\u3040-\u30ff\u4e00-\u9fff])|(?:です|ます)|[요ㅋㅎ](?!\w)"
)
_LEAST_TALK = 10  # of so many turns one says such a thing
_FIRST_WORDS = 400  # characters
_BEFORE_WORDS = " \t\n*:"
_EVENT = lazy_pattern(
    r"(?:keynote|workshop|session|talk|lecture|lesson|panel|tutorial|seminar|registration|welcome|opening|closing"
    r"|breakfast|lunch|dinner|supper|coffee|break|pause|recess|meeting|ceremony|reception|concert|match|race"
    r"|film|movie|news|sports?|weather|series|show|quiz|documentary|drama|comedy|cartoons?|music"
    r"|train|bus|ferry|flight|gate|platform|stop|departures?|arrivals?|departs?|arrives?|check-(?:in|out)|boarding"
    r"|temperature|pressure|humidity|load|vortrag|mittagessen|nachrichten|wetter|abfahrt|ankunft)(?:[ ]\d+)?",
    re.IGNORECASE,
)
"""What names events in timetables; else it names people who speak, as far as is known."""
_IDENTIFIER = lazy_pattern(r"[a-z0-9_/-]+|[\w$/-]+(?:[.:][\w$/-]+)+")
_MARKUP = lazy_pattern(
    "a|abbr|address|article|aside|b|base|blockquote|body|br|button|center|code|dd|div|dl|dt|em|"
    "fieldset|figure|font|footer|form|frame|h1|h2|h3|h4|h5|h6|head|header|hr|html|i|iframe|img|"
    "input|label|legend|li|link|main|meta|nav|ol|option|p|pre|s|script|section|select|small|"
    "span|strong|style|sub|summary|sup|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|"
    "video"
)


class _Speakers(NamedTuple):
    """Who speaks where names stand without a time: their names, and how names are written ("" for in any way)."""

    names: frozenset[str]
    letters: str


def read_chat(text: str) -> Structure:
    """Read the turns: each is a unit and a section named by its speaker, and its time where there is one."""
    return chat_reader(text[:LOOK_AHEAD])(text)


def chat_reader(prefix: str) -> Reader:
    """Give the reader for a text that begins so, which reads any passage of it that begins with a line.

    Passages are read as the whole is if turns have times. Else who speaks first after the prefix is known by speaking
    again, before or after, and a passage does not tell of what stands before it.
    """
    lined = line_fed(prefix)
    way, early = _prevailing(lined, _ALL)
    if way is None or way in _UNTIMED:
        play = play_of(lined)
        said = _spoken(_speakers(early), early) if way is _LABELS else early
        if play is not None and (play.has_acts or play.turns > len(said)):
            return play.read
    if way is None:
        return lambda text: Structure(format="chat")  # noqa: ARG005  there is no turn in whatever text
    if way is _LABELS:
        return partial(_read, way, partial(_spoken, _speakers(early)))
    counts = Counter(turn.speaker for turn in early)
    known = frozenset(speaker for speaker, count in counts.items() if count > 1)
    return partial(_read, way, _only_nicks if _has_nicks(early) else partial(_without_notices, known))


def _read(way: _Way, chosen: Callable[[list[Turn]], list[Turn]], text: str) -> Structure:
    turns = chosen(_turns(way, line_fed(text)))
    ends = ends_of(turns, len(text))
    return Structure(
        format="chat",
        headings=tuple(
            Heading(turn.start, turn.start, 1, f"{turn.speaker}, {turn.time}" if turn.time else turn.speaker, end)
            for turn, end in zip(turns, ends, strict=True)
        ),
        units=tuple(Unit(turn.start, end) for turn, end in zip(turns, ends, strict=True)),
    )


def looks_like_chat(glance: Glance) -> bool:
    """Say whether the beginning of a text is a chat, an interview, a transcript or a play and nothing else."""
    start = max(0, (len(glance.text) - _SAMPLE) // 2)
    middle = line_fed(glance.text[start : start + _SAMPLE])
    ways = _ways_in(glance, middle)
    if ways and _is_chat(glance.lined, ways):
        return True
    words = first_words(middle)
    if words.count("Q") > 1 and "A" in words and _is_examination(glance.lined):
        return True
    return len(set(words)) < len(words) and looks_like_play(glance)


def _ways_in(glance: Glance, middle: str) -> list[_Way]:
    """List the ways in which one of the first lines begins; names alone have to stand in the midst of a text too."""
    if not (glance.has_digit or any(map(glance.head.__contains__, ":：<@"))):
        return []
    head = first_lines(glance.head, _FIRST_LINES + 1)
    has_time = _MAY_HAVE_TIME.search(head) is not None and _CLOCK_OR_DATE.search(head) is not None
    ways = [way for way in _TIMED if way.pattern.search(head)] if has_time else []
    if "\n<" in head or "\n@" in head:
        ways.append(_NICKS)
    first = _LABELS.pattern.search(head)
    if first is not None and (ROLE.fullmatch(first["speaker"]) or _has(_LABELS, middle, _LEAST_IN_SAMPLE)):
        ways.append(_LABELS)
    return ways


def _has(way: _Way, lined: str, least: int) -> bool:
    turns = (match["speaker"] for match in way.pattern.finditer(lined))
    return sum(1 for _ in islice((name for name in turns if not is_no_person(name)), least)) >= least


def _is_chat(lined: str, ways: list[_Way]) -> bool:
    """Say whether a text is a chat, given in which ways one of its first lines begins."""
    way, turns = _prevailing(lined, ways)
    if way is None:
        return False
    if way is _LABELS:
        return _is_dialogue(lined, turns)
    if way is _NICKS:
        return _is_relay_chat(lined, turns)
    return way is not _EXAMINATION and _is_timed_chat(lined, way, turns)


def _turns(way: _Way, lined: str) -> list[Turn]:
    """List the lines that begin as turns do, if what stands for the speaker can be a name."""
    turns = []
    for match in way.pattern.finditer(lined):
        parts = match.groupdict()
        nick = parts.get("nick") or parts.get("proxied") or ""
        speaker = nick.lstrip(_RANKS) or _plain_name(parts.get("speaker") or "")
        if speaker and (nick or way in _UNTIMED or _is_name(way, speaker)):
            time = " ".join((parts.get("time") or "").replace("] [", " ").split())
            turns.append(Turn(match.start(), speaker, time, match.end(), bool(nick)))
    return turns


def _plain_name(written: str) -> str:
    """Take off what is no part of a name: emphasis, marks of direction, and to whom something is said."""
    if written.startswith(("***", "* ", "-!-")):
        return ""
    name = " ".join(written.strip("* \t\u200e\u200f\ufeff\u202a\u202c").split())
    if name.endswith("__") and name[0] != "_" and " " in name:
        name = name.removesuffix("__")
    elif name.startswith("_") and name.endswith("_"):
        name = name.strip("_")
    if name.startswith("From "):  # how meetings are exported: From Alice to Everyone
        name = name.removeprefix("From ").partition(" to ")[0]
    return name


def _is_name(way: _Way, speaker: str) -> bool:
    if _LOG_LEVEL.match(speaker) is not None:
        return False
    if _NO_SPEAKER.search(speaker) is not None:
        return way.name in ("bracket", "stamp") and _ODD_NICK.fullmatch(speaker) is not None
    most = _MOST_WORDS if way.name != "above" else 4
    return speaker.count(" ") < most and not speaker.endswith((" at", " by", " from", " on", " since", " until"))


def _prevailing(lined: str, among: Sequence[_Way]) -> tuple[_Way | None, list[Turn]]:
    """Give the way in which most turns of a prefix begin, and these; with a time before without one."""
    ways = [way for way in among if way in _TIMED] if _HAS_TIME.search(lined) else []
    ways += [_NICKS] if _NICKS in among and ("\n<" in lined or "\n@" in lined) else []
    counted = [(way, _turns(way, lined)) for way in ways]
    best, turns = max(counted, key=lambda pair: len(pair[1]), default=(None, []))
    found = _turns(_LABELS, lined) if _LABELS in among else []
    labels = len(_spoken(_speakers(found), found))
    if len(turns) > 1 and len(turns) * 4 >= labels:
        return best, turns
    if _EXAMINATION in among and _is_examination(lined):
        return _EXAMINATION, _turns(_EXAMINATION, lined)
    if labels:
        return _LABELS, found
    return best if turns else None, turns


def _has_nicks(turns: list[Turn]) -> bool:
    return sum(turn.is_nick for turn in turns) * 2 > len(turns)


def _only_nicks(turns: list[Turn]) -> list[Turn]:
    """Leave out what a program says where nicks stand in angle brackets: "[10:02] *** Joins: kes"."""
    return [turn for turn in turns if turn.is_nick]


def _without_notices(known: frozenset[str], turns: list[Turn]) -> list[Turn]:
    """Leave out what a program says about one of the known: "Alice changed the subject to: Lunch"."""
    notices = {speaker for speaker in {turn.speaker for turn in turns} - known if _begins_with_a_name(speaker, known)}
    return [turn for turn in turns if turn.speaker not in notices]


def _begins_with_a_name(speaker: str, known: frozenset[str]) -> bool:
    words = speaker.split(" ")
    return any(
        words[count][:1].islower() and " ".join(words[:count]) in known
        for count in range(1, min(len(words), _MOST_WORDS))
    )


def _speakers(early: list[Turn]) -> _Speakers:
    """Say who speaks: who recurs early, written as most of those are."""
    counts = Counter(turn.speaker for turn in early)
    recurring = {
        speaker: count
        for speaker, count in counts.items()
        if (count > 1 or ROLE.fullmatch(speaker)) and not is_no_person(speaker)
    }
    if not recurring:  # the text is too short for a name to come twice
        return _Speakers(frozenset(speaker for speaker in counts if not is_no_person(speaker)), "")
    written: Counter[str] = Counter()
    for speaker, count in recurring.items():
        written[_letters(speaker)] += count
    letters = written.most_common(1)[0][0]
    names = (speaker for speaker in recurring if _letters(speaker) == letters or ROLE.fullmatch(speaker))
    return _Speakers(frozenset(names), letters)


def _spoken(speakers: _Speakers, found: list[Turn]) -> list[Turn]:
    """Of the lines that begin with a name and a colon, list those of speakers: known ones, and new ones who recur."""
    others = [
        turn
        for turn in found
        if turn.speaker not in speakers.names
        and speakers.letters in {"", _letters(turn.speaker)}
        and not is_no_person(turn.speaker)
    ]
    near = recurring_near_by(others)
    return [turn for turn in found if turn.speaker in speakers.names or turn.start in near]


def _letters(speaker: str) -> str:
    if speaker.isupper():
        return "capitals"
    return "small" if speaker[0].islower() else "names"


def _opens(lined: str, turns: list[Turn], least: int, lines_a_turn: int) -> bool:
    """Say whether turns begin near the top, are as many as that, and recur often enough among the lines."""
    if len(turns) < least or lines_of(lined, 0, turns[0].start + 1) > _FIRST_LINES:
        return False
    return len(turns) * lines_a_turn >= lines_of(lined, turns[0].start)


def _is_timed_chat(lined: str, way: _Way, found: list[Turn]) -> bool:
    turns = _only_nicks(found) if _has_nicks(found) else found
    names = {turn.speaker for turn in turns}
    if not _opens(lined, turns, 3, 10) or len(turns) == len(names) or len(turns) * 4 < len(names) * 5:
        return False
    if way.name == "columns":
        return _is_talk_in_columns(lined, turns)
    if _has_nicks(turns):
        return not all(map(_LOG_LEVEL.match, names))
    if len(turns) * 4 < len(way.pattern.findall(lined)) * 3 or not _people_talk(lined, turns):
        return False
    if way.name in ("line", "above"):
        return share_with_text(lined, turns) >= 0.8
    to_the_second = sum(_TO_THE_SECOND.search(turn.time) is not None for turn in turns) * 2 > len(turns)
    return not to_the_second or any(_IDENTIFIER.fullmatch(name) is None for name in names)


def _people_talk(lined: str, turns: list[Turn]) -> bool:
    """Say whether people speak to one another, rather than that a list says what happens or is meant."""
    names = {turn.speaker for turn in turns}
    things = sum(is_no_person(turn.speaker) or _EVENT.fullmatch(turn.speaker) is not None for turn in turns)
    if things * 2 >= len(turns):
        return False
    if all(_BY_MESSENGER.search(turn.time) for turn in turns) or _are_roles(names):
        return True
    ends = ends_of(turns, len(lined))
    said = (_first_paragraph(lined, turn.after, end) for turn, end in zip(turns, ends, strict=True))
    talk = sum(_TALK.search(words) is not None or _CALLED.split(words, maxsplit=1)[0] in names for words in said)
    return talk > 0 and talk * _LEAST_TALK >= len(turns)


def _first_paragraph(lined: str, start: int, end: int) -> str:
    """Give the first words of a turn; what stands apart below the last label may be said by nobody."""
    words = lined[start : min(end, start + _FIRST_WORDS)]
    if end < len(lined):
        words = words.lstrip(_BEFORE_WORDS)
    return words.partition("\n\n")[0].lstrip(_BEFORE_WORDS)


def _is_talk_in_columns(lined: str, turns: list[Turn]) -> bool:
    """Say whether the third column is what people say: words, hardly twice the same, of joining or to one another."""
    said = [_rest_of_line(lined, turn.after) for turn in turns]
    names = {turn.speaker for turn in turns}
    if sum("\t" in words for words in said) * 10 > len(said) or len(set(said)) * 10 < len(said) * 7:
        return False
    if sum(_WORDS.search(words) is not None for words in said) * 2 < len(said) or any(map(_LOG_LEVEL.match, names)):
        return False
    marks = _NOTICE_COLUMN.search(lined) is not None
    asks = sum(words.rstrip().endswith(("?", "!")) for words in said)
    calls = sum(_CALLED.split(words, maxsplit=1)[0] in names for words in said)
    return marks or (asks + calls) * 10 >= len(said)


def _rest_of_line(lined: str, start: int) -> str:
    end = lined.find("\n", start)
    return lined[start:] if end < 0 else lined[start:end]


def _is_relay_chat(lined: str, turns: list[Turn]) -> bool:
    names = {turn.speaker for turn in turns}
    if len(names) < 2 or not _opens(lined, turns, 3, 2) or len(turns) * 2 < len(names) * 3:
        return False
    pairs = sum(lined[turn.after : turn.after + 2].lstrip().startswith("<") for turn in turns)
    return "</" not in lined and not any(map(_MARKUP.fullmatch, names)) and pairs * 4 < len(turns)


def _is_examination(lined: str) -> bool:
    """Say whether a witness is examined: lines with Q and A take turns, and what Q says are questions."""
    turns = _turns(_EXAMINATION, lined)
    asked = [place for place, turn in enumerate(turns) if turn.speaker == "Q"]
    answers = sum(turn.speaker == "A" for turn in turns)
    if len(asked) < 3 or abs(len(asked) - answers) * 4 > len(asked) or _LISTED.search(lined):
        return False
    start = turns[asked[0]].start
    lines = lines_of(lined, start)
    if (len(asked) + answers) * 12 < lines or lines_of(lined, 0, start) > lines:
        return False
    ends = ends_of(turns, len(lined))
    questions = sum("?" in lined[turns[place].after : ends[place]] for place in asked)
    followed = sum(place + 1 < len(turns) and turns[place + 1].speaker != "Q" for place in asked)
    return questions * 2 >= len(asked) and followed * 4 >= len(asked) * 3


def _is_dialogue(lined: str, found: list[Turn]) -> bool:
    """Say whether names and colons alone make a dialogue: hardly another label, sentences, no fixed order."""
    turns = [turn for turn in _spoken(_speakers(found), found) if lined[turn.start + 1] not in " \t"]
    names = Counter(turn.speaker for turn in turns)
    others = len(found) - len(turns)
    if len(names) < 2:
        return False
    if _are_roles(names):
        return others < len(turns) and _opens(lined, turns, 2, 12)
    if (
        others * 4 > len(turns)
        or not _opens(lined, turns, 4, 4)
        or len(turns) < len(names) * 2
        or min(names.values()) < 2
    ):
        return False
    if any(_letters(name) == "small" for name in names) or any(name.count(" ") > 3 for name in names):
        return False
    if not _people_talk(lined, turns):
        return False
    return share_of_sentences(lined, turns) >= 0.5 and (len(names) == 2 or not are_in_fixed_order(turns))


def _are_roles(names: Iterable[str]) -> bool:
    """Say whether those who speak are those of transcripts: who asks and who answers, or numbered speakers."""
    kinds = set()
    for name in names:
        match = ROLE.fullmatch(name)
        if match is None:
            return False
        kinds.add(match.lastgroup)
    return "speaks" in kinds or {"asks", "answers"} <= kinds
