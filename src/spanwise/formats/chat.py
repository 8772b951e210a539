"""Who says what: turns of chats, interviews, plays and meetings written as plain text.

A turn begins with a line that names its speaker, in one of six ways, and goes up to the next turn. Which way a text
uses, and which names without a time are speakers, is decided on its first 65,536 characters.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from spanwise.formats.line_feeds import INK_AHEAD, line_fed
from spanwise.sections import Heading
from spanwise.structure import LOOK_AHEAD, Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanwise.structure import Reader

__all__ = ["chat_reader", "looks_like_chat", "read_chat"]

_BLANK = r"[ \t\xa0\u2009\u202f\u3000]"
_MARKS = r"[\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]{0,40}+"  # exports begin lines with marks of direction
_MONTH = r"(?:Jan|Feb|M[aä]r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])[a-z]{0,6}\.?"
_DATE = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?!\d)"
    rf"|\d{{1,2}}\.?\ {_MONTH},?\ \d{{4}}|{_MONTH}\ \d{{1,2}},?\ \d{{4}})"
)
_HALF = rf"(?:{_BLANK}?[AaPp]\.?\ ?[Mm](?!\w)\.?)?"
_ZONE = rf"(?:{_BLANK}?(?:UTC|GMT)(?!\w)|Z(?!\w))?(?:[+-]\d{{2}}:?\d{{2}})?"
_CLOCK = rf"(?:[上下午前後오전후]{{2}}\ ?)?\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?!\d)(?:[.,]\d{{1,6}})?{_HALF}{_ZONE}"
_STAMP = (
    rf"(?:{_DATE}(?:T|,?{_BLANK}{{1,3}}(?:klo|um|at|om|à|kl\.)?{_BLANK}?)(?:{_CLOCK}|\d{{1,2}}\.\d{{2}}(?:\.\d{{2}})?)"
    rf"|(?:\d{{1,2}}\ {_MONTH}|{_MONTH}\ {{1,2}}\d{{1,2}}),?{_BLANK}{{1,3}}{_CLOCK}"  # logs of IRC leave out the year
    rf"|{_CLOCK}(?:,?{_BLANK}{{1,3}}{_DATE})?)"
)
_START = rf"\n{_MARKS}{_BLANK}{{0,8}}+"
_NICK = r"<(?P<nick>[@+%&~!\ ]?[^\s<>/\"=!]{1,32})(?:![^\s<>]{1,200}+)?>(?=[ \t\n]|\Z)"
_NAME = rf"(?:{_NICK}|(?P<speaker>[^\s:<>][^:\n]{{0,79}}+):\*{{0,2}}+(?=\s|\Z))"
_CLOCK_NEAR = r"(?=[^:\n]{1,140}+:\d\d)"  # one quick look spares most lines the slow one


class _Way(NamedTuple):
    """One way to begin a turn."""

    name: str
    pattern: re.Pattern[str]


def _way(name: str, *parts: str) -> _Way:
    return _Way(name, re.compile(_START + "".join(parts)))


_TIMED = (
    _way(
        "bracket",
        rf"\*{{0,2}}[\[(](?P<time>{_STAMP}|{_DATE})[\])]\*{{0,2}}{_BLANK}{{0,4}}[-–—:]?{_BLANK}{{0,4}}",
        _NAME,
    ),
    _way(
        "stamp",
        rf"(?=\d|\w+\ ?\d)(?P<time>{_STAMP})(?:{_BLANK}{{1,8}}(?:[-–—|]{_BLANK}{{1,4}})?|[-–—|]{_BLANK}{{0,4}})",
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
)
_NICKS = _Way("nick", re.compile(rf"\n{_MARKS}{_NICK}"))
_LABELS = _way(
    "label",
    _BLANK + r"{0,40}+(?:\*\*|__)?(?P<speaker>[^\W_][\w .,'’&()/#@+-]{0,49}+)(?:\*\*|__)?(?::\*{0,2}(?=\s|\Z)|：)",
)

_LOG_LEVEL = re.compile(
    r"(?:\S*[.])?(?i:trace|debug|info|notice|warn|warning|error|err|crit|critical|alert|fatal|severe|emerg|panic"
    r"|log|statement|detail|hint)[0-9]?$|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|SEVERE)\b"
)
_NO_SPEAKER = re.compile(r"[\[\]{}\"“”„=|\\]|//|^\W*+$")
_MOST_WORDS = 8
_DIALOGUE = re.compile(
    r"(?P<asks>user|human|q|question|interviewer)|(?P<answers>assistant|ai|a|answer|interviewee)"
    r"|(?P<speaks>speaker [0-9]+)|(?P<guides>system)",
    re.IGNORECASE,
)
"""Names that speak in transcripts, whatever else the text says."""
_NO_PERSON = re.compile(
    # What stands before a colon in notes, headers, records and reports, so that none of them is taken for a talk.
    "abstract|action|address|after|aim|amendment|annex|answer-to|appendix|args|arguments|article|"
    "attachment|attention|author|authors|background|bcc|before|benefits|bug|bugs|build|by|caption|"
    "case|category|cause|caution|cc|changes|chapter|city|class|clause|code|comment|comments|company|"
    "con|conclusion|cons|contact|context|copyright|country|created|credits|danger|data|date|deadline|"
    "default|definition|delivered-to|depends|deprecated|description|details|directory|distribution|"
    "documentation|duration|edit|effect|email|encoding|end|error|errors|event|example|examples|"
    "exception|exercise|expected|explanation|fact|failure|false|features|fig|figure|file|filename|"
    "files|fix|footnote|for|format|from|function|given|goal|header|height|hint|history|homepage|"
    "hours|how-to|id|idea|important|impact|includes|index|info|information|input|instruction|"
    "instructions|introduction|issue|issues|item|job|key|keywords|kind|label|language|lemma|length|"
    "level|licence|license|line|link|links|list|location|log|mailto|maintainer|math|message|message-"
    "id|method|methods|mode|model|motivation|must|name|names|nb|next|note|notes|number|objective|"
    "options|order|organization|origin|output|outputs|package|page|parameters|part|path|phone|place|"
    "platform|point|points|post-condition|pre-condition|price|priority|problem|procedure|product|"
    "project|prompt|proof|property|pros|purpose|raises|rationale|reason|received|recommendation|ref|"
    "reference|references|related|release|remark|remarks|reply-to|reports|requirements|resolution|"
    "response|result|results|return|returns|review|rule|scenario|schedule|section|see|sent|seq|"
    "service|severity|since|size|solution|source|sources|start|state|status|step|steps|subject|"
    "summary|symptom|symptoms|syntax|table|tag|tags|task|tel|test|tests|then|theorem|tip|title|to|"
    "todo|topic|total|true|type|types|update|updated|url|usage|use|value|values|variable|vendor|"
    "version|versions|warning|warnings|week|what|when|where|who|why|width|workaround|year|yields"
)
_ENDS_SENTENCE = re.compile(r"[.?!…。？！:;—-][\"”’»)\]*_]*$")
_FIRST_LINES = 10
_HEAD = 4_096  # characters that hold the first lines
_INK_LINE = re.compile(r"\n" + INK_AHEAD)
_TO_THE_SECOND = re.compile(r"\d{4}.*\d:\d\d:\d\d")
_IDENTIFIER = re.compile(r"[a-z0-9_/-]+|[\w$/-]+(?:[.:][\w$/-]+)+")
_MARKUP = re.compile(
    "a|abbr|address|article|aside|b|base|blockquote|body|br|button|center|code|dd|div|dl|dt|em|"
    "fieldset|figure|font|footer|form|frame|h1|h2|h3|h4|h5|h6|head|header|hr|html|i|iframe|img|"
    "input|label|legend|li|link|main|meta|nav|ol|option|p|pre|s|script|section|select|small|"
    "span|strong|style|sub|summary|sup|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|"
    "video"
)


class _Turn(NamedTuple):
    """Where a turn begins, who speaks, and when, as written; in line-fed text it goes on after `after`."""

    start: int
    speaker: str
    time: str
    after: int


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
    way = _prevailing(lined)
    if way is None:
        return lambda text: Structure(format="chat")  # noqa: ARG005  there is no turn in whatever text
    early = _turns(way, lined)
    if way is _LABELS:
        return partial(_read, way, partial(_spoken, _speakers(early)))
    counts = Counter(turn.speaker for turn in early)
    known = frozenset(speaker for speaker, count in counts.items() if count > 1)
    return partial(_read, way, partial(_without_notices, known))


def _read(way: _Way, chosen: Callable[[list[_Turn]], list[_Turn]], text: str) -> Structure:
    turns = chosen(_turns(way, line_fed(text)))
    ends = _ends(turns, len(text))
    return Structure(
        format="chat",
        headings=tuple(
            Heading(turn.start, turn.start, 1, f"{turn.speaker}, {turn.time}" if turn.time else turn.speaker, end)
            for turn, end in zip(turns, ends, strict=True)
        ),
        units=tuple(Unit(turn.start, end) for turn, end in zip(turns, ends, strict=True)),
    )


def looks_like_chat(prefix: str) -> bool:
    """Say whether the beginning of a text is a chat, an interview or a transcript and nothing else."""
    if not any(mark in prefix for mark in ":：<"):
        return False
    head = line_fed(prefix[:_HEAD])
    if not any(way.pattern.search(head) for way in (*_TIMED, _NICKS, _LABELS)):
        return False  # the first turn is among the first lines
    lined = line_fed(prefix)
    way = _prevailing(lined)
    if way is None:
        return False
    turns = _turns(way, lined)
    if way is _LABELS:
        return _is_dialogue(lined, turns)
    if way is _NICKS:
        return _is_relay_chat(lined, turns)
    return _is_timed_chat(lined, way, turns)


def _ends(turns: list[_Turn], size: int) -> list[int]:
    """Give where each turn ends: where the next begins."""
    return [turn.start for turn in turns[1:]] + [size for _ in turns[-1:]]


def _turns(way: _Way, lined: str) -> list[_Turn]:
    """List the lines that begin as turns do, if what stands for the speaker can be a name."""
    turns = []
    for match in way.pattern.finditer(lined):
        parts = match.groupdict()
        nick = parts.get("nick")
        speaker = nick.lstrip("@+%&~! ") if nick else _plain_name(parts.get("speaker") or "")
        if speaker and (nick or way is _LABELS or _is_name(speaker)):
            turns.append(_Turn(match.start(), speaker, " ".join((parts.get("time") or "").split()), match.end()))
    return turns


def _plain_name(written: str) -> str:
    name = " ".join(written.strip("*_ \t\u200e\u200f\ufeff\u202a\u202c").split())
    if name.startswith("From ") and " to " in name:  # how meetings are exported: From Alice to Everyone
        name = name[5 : name.index(" to ")]
    return name


def _is_name(speaker: str) -> bool:
    return (
        _NO_SPEAKER.search(speaker) is None
        and _LOG_LEVEL.match(speaker) is None
        and speaker.count(" ") < _MOST_WORDS
        and not speaker.endswith((" at", " by", " from", " on", " since", " until"))
    )


def _prevailing(prefix: str) -> _Way | None:
    """Give the way in which most turns of a prefix begin; with a time before without one."""
    ways = [_NICKS] if "\n<" in prefix else []
    if re.search(r"\d[-:./]\d\d", prefix):
        ways = [*_TIMED, *ways]
    counted = [(len(_turns(way, prefix)), way) for way in ways]
    count, best = max(counted, key=lambda pair: pair[0], default=(0, _LABELS))
    found = _turns(_LABELS, prefix)
    labels = len(_spoken(_speakers(found), found))
    if count > 1 and count * 4 >= labels:
        return best
    if labels:
        return _LABELS
    return best if count else None


def _without_notices(known: frozenset[str], turns: list[_Turn]) -> list[_Turn]:
    """Leave out what a program says about one of the known: "Alice changed the subject to: Lunch"."""
    notices = {speaker for speaker in {turn.speaker for turn in turns} - known if _begins_with_a_name(speaker, known)}
    return [turn for turn in turns if turn.speaker not in notices]


def _begins_with_a_name(speaker: str, known: frozenset[str]) -> bool:
    words = speaker.split(" ")
    return any(
        words[count][:1].islower() and " ".join(words[:count]) in known
        for count in range(1, min(len(words), _MOST_WORDS))
    )


def _speakers(early: list[_Turn]) -> _Speakers:
    """Say who speaks: who recurs early, written as most of those are."""
    counts = Counter(turn.speaker for turn in early)
    recurring = {
        speaker: count
        for speaker, count in counts.items()
        if (count > 1 or _DIALOGUE.fullmatch(speaker)) and not _is_no_person(speaker)
    }
    if not recurring:  # the text is too short for a name to come twice
        return _Speakers(frozenset(speaker for speaker in counts if not _is_no_person(speaker)), "")
    written: Counter[str] = Counter()
    for speaker, count in recurring.items():
        written[_letters(speaker)] += count
    letters = written.most_common(1)[0][0]
    names = (speaker for speaker in recurring if _letters(speaker) == letters or _DIALOGUE.fullmatch(speaker))
    return _Speakers(frozenset(names), letters)


def _spoken(speakers: _Speakers, found: list[_Turn]) -> list[_Turn]:
    """Of the lines that begin with a name and a colon, list those of speakers: known ones, and new ones who recur."""
    others = [
        turn
        for turn in found
        if turn.speaker not in speakers.names
        and speakers.letters in {"", _letters(turn.speaker)}
        and not _is_no_person(turn.speaker)
    ]
    near = _recurring_near_by(others)
    return [turn for turn in found if turn.speaker in speakers.names or turn.start in near]


def _recurring_near_by(turns: list[_Turn]) -> set[int]:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for turn in turns:
        places[turn.speaker].append(turn.start)
    return {
        start
        for starts in places.values()
        for pair in pairwise(starts)
        if pair[1] - pair[0] <= LOOK_AHEAD // 2
        for start in pair
    }


def _is_no_person(speaker: str) -> bool:
    words = speaker.lower().split()
    while words and words[-1].strip(".#").replace(".", "").isdigit():
        words.pop()
    return (
        not words
        or (_NO_PERSON.fullmatch(words[0]) and _DIALOGUE.fullmatch(speaker) is None)
        or len(words) > _MOST_WORDS
    )


def _letters(speaker: str) -> str:
    if speaker.isupper():
        return "capitals"
    return "small" if speaker[0].islower() else "names"


def _lines_of(lined: str, start: int = 0, end: int | None = None) -> int:
    """Count the lines that hold something."""
    return len(_INK_LINE.findall(lined, start, len(lined) if end is None else end))


def _opens(lined: str, turns: list[_Turn], least: int, lines_a_turn: int) -> bool:
    """Say whether turns begin near the top, are as many as that, and recur often enough among the lines."""
    if len(turns) < least or _lines_of(lined, 0, turns[0].start + 1) > _FIRST_LINES:
        return False
    return len(turns) * lines_a_turn >= _lines_of(lined, turns[0].start)


def _is_timed_chat(lined: str, way: _Way, turns: list[_Turn]) -> bool:
    names = {turn.speaker for turn in turns}
    if not _opens(lined, turns, 3, 10) or len(turns) == len(names) or len(turns) * 4 < len(names) * 5:
        return False
    if len(turns) * 4 < len(way.pattern.findall(lined)) * 3:
        return False
    if way.name == "line":
        return _share_with_text(lined, turns) >= 0.8
    to_the_second = sum(_TO_THE_SECOND.search(turn.time) is not None for turn in turns) * 2 > len(turns)
    return not to_the_second or any(_IDENTIFIER.fullmatch(name) is None for name in names)


def _share_with_text(lined: str, turns: list[_Turn]) -> float:
    ends = _ends(turns, len(lined))
    return sum(bool(lined[turn.after : end].strip()) for turn, end in zip(turns, ends, strict=True)) / len(turns)


def _is_relay_chat(lined: str, turns: list[_Turn]) -> bool:
    names = {turn.speaker for turn in turns}
    if len(names) < 2 or not _opens(lined, turns, 3, 2) or len(turns) * 2 < len(names) * 3:
        return False
    pairs = sum(lined[turn.after : turn.after + 2].lstrip().startswith("<") for turn in turns)
    return "</" not in lined and not any(map(_MARKUP.fullmatch, names)) and pairs * 4 < len(turns)


def _is_dialogue(lined: str, found: list[_Turn]) -> bool:
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
    return _share_of_sentences(lined, turns) >= 0.5 and (len(names) == 2 or _predictability(turns) < 0.8)


def _are_roles(names: Counter[str]) -> bool:
    """Say whether those who speak are those of transcripts: who asks and who answers, or numbered speakers."""
    kinds = set()
    for name in names:
        match = _DIALOGUE.fullmatch(name)
        if match is None:
            return False
        kinds.add(match.lastgroup)
    return "speaks" in kinds or {"asks", "answers"} <= kinds


def _share_of_sentences(lined: str, turns: list[_Turn]) -> float:
    ends = _ends(turns, len(lined))
    said = [lined[turn.after : end].strip()[-8:] for turn, end in zip(turns, ends, strict=True)]
    return sum(_ENDS_SENTENCE.search(words) is not None for words in said) / len(turns)


def _predictability(turns: list[_Turn]) -> float:
    """Give how often the next label is the one that most often follows: in records nearly always, in talk rarely."""
    following: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for turn, after in pairwise(turns):
        following[turn.speaker][after.speaker] += 1
    return sum(max(counts.values()) for counts in following.values()) / (len(turns) - 1)
