"""Which names before a speech are those of speakers? What chats, interviews and plays have in common."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from spanwise.formats.line_feeds import INK_AHEAD
from spanwise.patterns import lazy_pattern
from spanwise.structure import LOOK_AHEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ROLE",
    "Turn",
    "are_in_fixed_order",
    "ends_of",
    "is_no_person",
    "lines_of",
    "recurring_near_by",
    "share_of_sentences",
    "share_with_text",
]

MOST_WORDS = 8
ROLE = lazy_pattern(
    r"(?P<asks>user|human|q|question|interviewer)|(?P<answers>assistant|ai|a|answer|interviewee)"
    r"|(?P<speaks>speaker[ _](?:[0-9]+|[a-z]))|(?P<guides>system)",
    re.IGNORECASE,
)
"""Names that speak in transcripts, whatever else the text says."""

_NO_PERSON = lazy_pattern(
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
_ENDS_SENTENCE = lazy_pattern(r"[.?!…。？！:;—-][\"”’»)\]*_]*$")
_INK_LINE = lazy_pattern(r"\n" + INK_AHEAD)
_FIXED = 0.8


class Turn(NamedTuple):
    """Where a turn begins, who speaks, and when, as written; in line-fed text it goes on after `after`."""

    start: int
    speaker: str
    time: str
    after: int
    is_nick: bool = False


def is_no_person(speaker: str) -> bool:
    """Say whether a name is a word that stands before notes and fields, or too long for a name."""
    words = speaker.lower().split()
    while words and words[-1].strip(".#").replace(".", "").isdigit():
        words.pop()
    return not words or (_NO_PERSON.fullmatch(words[0]) and ROLE.fullmatch(speaker) is None) or len(words) > MOST_WORDS


def ends_of(turns: Sequence[Turn], size: int) -> list[int]:
    """Give where each turn ends: where the next begins."""
    return [turn.start for turn in turns[1:]] + [size for _ in turns[-1:]]


def recurring_near_by(turns: Sequence[Turn]) -> set[int]:
    """List where those turns begin whose speaker speaks again within half of the look ahead."""
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


def lines_of(lined: str, start: int = 0, end: int | None = None) -> int:
    """Count the lines that hold something."""
    return len(_INK_LINE.findall(lined, start, len(lined) if end is None else end))


def share_with_text(lined: str, turns: Sequence[Turn]) -> float:
    """Give how many turns hold something."""
    ends = ends_of(turns, len(lined))
    return sum(bool(lined[turn.after : end].strip()) for turn, end in zip(turns, ends, strict=True)) / len(turns)


def share_of_sentences(lined: str, turns: Sequence[Turn]) -> float:
    """Give how many turns end as sentences do."""
    ends = ends_of(turns, len(lined))
    said = [lined[turn.after : end].strip()[-8:] for turn, end in zip(turns, ends, strict=True)]
    return sum(_ENDS_SENTENCE.search(words) is not None for words in said) / len(turns)


def are_in_fixed_order(turns: Sequence[Turn]) -> bool:
    """Say whether one name nearly always follows another: in records it does, in talk of several rarely."""
    following: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for turn, after in pairwise(turns):
        following[turn.speaker][after.speaker] += 1
    return sum(max(counts.values()) for counts in following.values()) >= _FIXED * (len(turns) - 1)
