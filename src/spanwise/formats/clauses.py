"""Headings of legal and numbered text: articles, sections, paragraphs, numbered clauses.

There is no standard for numbering, so these rules are ours. A label makes a heading only together with a title or a
legal keyword, and only where the document goes on as an outline would: what follows a heading is text or a finer label,
what follows a list entry is the next entry.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from spanwise.formats.heading_words import LEGAL_WORDS, one_of
from spanwise.formats.line_feeds import has_lines
from spanwise.formats.plain_lines import WORDS, Lines, is_code, is_title_case, judged_parts, title_of
from spanwise.formats.underlined import (
    Title,
    capital_titles,
    centred_titles,
    lines_of_text,
    looks_like_underlined,
    may_name_sections,
    underlined_titles,
)
from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading
from spanwise.structure import Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanwise.formats.glances import Glance

__all__ = ["looks_like_clauses", "read_clauses"]


class _Rank(IntEnum):
    """Which kind of label stands above which, where no document says otherwise."""

    ANNEX = 10
    BOOK = 20
    PART = 30
    CHAPTER = 40
    SUBCHAPTER = 42
    SECTION_ABOVE_ARTICLES = 45
    SUBSECTION_ABOVE_ARTICLES = 47
    ARTICLE = 50
    SECTION = 55
    PARAGRAPH = 56
    NUMBER = 60  # and 61, 62 … for 1.1, 1.1.1
    ROMAN = 57
    LETTER = 80
    SMALL_LETTER = 90


_KEYWORDS = {word: _Rank[rank.upper()] for rank, words in LEGAL_WORDS.items() for word in words.split()}
_NUMBERED_THROUGH = {_Rank.ANNEX, _Rank.SECTION_ABOVE_ARTICLES, _Rank.SECTION, _Rank.PARAGRAPH}
"""Kinds that stand with 3.1 where they have several numbers: "Section 3.1"."""

_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|fourth|fifth|sixth|"
    "seventh|eighth|"
    "ninth|tenth|premier|première|primero|primera|segundo|segunda|tercero|tercera|cuarto|cuarta|quinto|quinta|"
    "sexto|sexta|"
    "séptimo|séptima|octavo|octava|noveno|novena|décimo|décima|unique|único|única"
)
_KEYWORD = "|".join(sorted(map(re.escape, _KEYWORDS), key=len, reverse=True))
_LABEL = lazy_pattern(
    rf"""^(?P<indent>[ \t]{{0,60}}+)(?=[A-ZÀ-Þ§(\d]|[a-z]{{1,4}}[.)])
    (?:
      (?P<keyword>(?i:{_KEYWORD}))(?:\.?[ \t]{{1,3}}+|(?<=§)[ \t]{{0,3}}+)
      (?:No\.?[ \t]|Nr\.?[ \t]|n°[ \t]?)?
      (?P<value>\d{{1,4}}+(?:[.\-]\d{{1,3}}+){{0,5}}+[a-z]?|[A-Z](?:\.\d{{1,3}}+){{1,5}}+|
        [IVXLCDM]{{1,9}}+|[A-Z]|(?i:{_NUMBER_WORDS}))(?:er|º|ª|°)?(?![\w'’])
    | (?P<lone>(?i:annex|appendix|schedule|exhibit|annexe|anexo|anlage|anhang))(?=[ \t]?[:–—-])
    | (?P<number>(?:[A-Z]\.)?\d{{1,3}}+(?:\.\d{{1,3}}+){{0,6}}+)
      (?:(?P<stop>[.)]?)(?=[ \t])|(?P<tight>\.)(?=[A-ZÀ-Þ][^\W\d_]))
    | (?P<roman>[IVXLC]{{1,7}}+)[.)](?=[ \t])
    | (?P<letter>[A-Z])[.)](?=[ \t])
    | (?P<small>\([a-z]{{1,4}}\)|\([A-Z]\)|\(\d{{1,2}}\))(?=[ \t])
    | (?P<item>[a-z]|[ivx]{{2,4}}+)[.)](?=[ \t])
    )""",
    re.MULTILINE | re.VERBOSE,
)
_AFTER_LABEL = lazy_pattern(r"[ \t]*+(?P<mark>\.[ \t]*[-–—]{1,2}|[.:)]|[-–—]{1,2})?[ \t]*+")


class _Form(IntEnum):
    """How a label stands in its line."""

    BARE = 0  # nothing but the label
    ALONE = 1  # the label and a title, nothing else in the paragraph's line
    RUN_IN = 2  # label and title, then text in the same line
    NO_TITLE = 3  # label, then text


class _Label(NamedTuple):
    """A label that begins a line."""

    row: int
    start: int  # of the label, in its line
    kind: str
    rank: int
    numbers: tuple[int, ...]
    end: int  # of the label with its mark, in its line
    marked: bool  # a mark stands between label and title
    worded: bool  # it has a keyword: "Section 3.1"

    @property
    def is_strong(self) -> bool:
        """A keyword or several numbers: not how lists in prose are numbered."""
        return self.worded or len(self.numbers) > 1

    @property
    def is_item(self) -> bool:
        """A letter as entries of lists have it: (a), (ii), b."""
        return self.kind in {"small", "item"}

    @property
    def series(self) -> str:
        """With which labels it is counted: of its kind; letters, which nest in letters, only as far in as it."""
        return f"{self.kind} {self.start}" if self.is_item else self.kind


def _labels(lines: Lines) -> dict[int, _Label]:
    found: dict[int, _Label] = {}
    for match in _LABEL.finditer(lines.even):
        row = lines.line_at(match.start())
        start = lines.starts[row]
        after = _AFTER_LABEL.match(lines.lines[row], match.end() - start)
        marked = (after is not None and after["mark"] is not None) or match["stop"] == "." or match["tight"] is not None
        end = after.end() if after is not None else match.end() - start
        kind, rank, numbers = _kind(match)
        marked = marked or match["roman"] is not None or match["letter"] is not None
        found[row] = _Label(
            row,
            match.end("indent") - start,
            kind,
            rank,
            numbers,
            end,
            marked,
            rank < _Rank.ROMAN or match["keyword"] is not None,
        )
    return found


def _kind(match: re.Match[str]) -> tuple[str, int, tuple[int, ...]]:
    if match["lone"]:
        return "keyword annex", _Rank.ANNEX, (0,)
    rank = _KEYWORDS[match["keyword"].lower()] if match["keyword"] else _Rank.NUMBER
    numbers = _values(match["value"] or match["number"] or "0")
    if match["number"] or (rank in _NUMBERED_THROUGH and len(numbers) > 1):
        series = "lettered" if (match["value"] or match["number"])[0].isalpha() else "number"
        return f"{series} {len(numbers)}", _Rank.NUMBER + len(numbers) - 1, numbers
    if match["keyword"]:
        return f"keyword {rank}", rank, numbers
    if match["small"] or match["item"]:
        letter = (match["small"] or match["item"]).strip("()")
        return "small" if match["small"] else "item", _Rank.SMALL_LETTER, (ord(letter) - 96 if len(letter) == 1 else 0,)
    if match["roman"] and match["roman"] not in {"C", "D", "L", "M"}:
        return "roman", _Rank.ROMAN, (_roman(match["roman"]),)
    return "letter", _Rank.LETTER, (ord((match["letter"] or match["roman"])[0]) - 64,)


def _values(label: str) -> tuple[int, ...]:
    parts = re.findall(r"\d+", label)
    if parts:
        return (*((ord(label[0]) - 64,) if label[0].isalpha() else ()), *map(int, parts))
    if re.fullmatch("[IVXLCDM]+", label):
        return (_roman(label),)
    return (ord(label) - 64,) if len(label) == 1 else (-1,)


_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def _roman(label: str) -> int:
    values = [_ROMAN[letter] for letter in label]
    return sum(
        value if value >= following else -value for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def _is_reference(label: str, rest: str) -> bool:
    """Say whether what follows a label makes it a reference: "Section 3 of …", "§ 5 Absatz 2"."""
    if rest[0] in ",;)" or _REFERRING.match(rest) is not None:
        return True
    return rest[0].islower() and not label.endswith(("  ", "\t"))


# --- titles -----------------------------------------------------------------------------------------------------------

_SENTENCE_WORDS = frozenset(
    str.split(
        "shall will must may can is are was were be has have had agrees agree means mean includes include does "
        "do did should would could not ist sind hat haben wird werden kann können darf muss soll gilt est sont "
        "ont peut doit es son tiene tendrá deberá podrá you we i he she they it this that these those if where "
        "when unless each any every no neither"
    )
)
_SUBJECTS = frozenset(str.split("you we i he she they"))
"""In what has no full stop they begin a sentence, or what is said of the words before them: "Data we collect"."""

_QUESTION = lazy_pattern(
    r"(?:What|Who|How|Why|Which|Whose|When|Where|Was|Wer|Wie|Warum|Welche[rnms]?|Wann|Wo|Comment|Pourquoi|Qui|Quelles?)"
    r" [^.,;:?]++\??"
)
"""A title that tells what it answers: "How we use your data"."""

_REFERRING = lazy_pattern(
    r"(?:of|and|or|to|in|by|as|is|are|shall|above|below|hereof|et seq|through|thru|Abs|Absatz|Satz|Nr|Nummer|"
    r"Buchst|lit|"
    r"paragraph|para|al|alinéa|du|de la|von|vom|des|der|und|bis|ff?|del?|para|y|o)\b",
)
_SENTENCE_END = lazy_pattern(
    r"(?<![A-Z])(?<!\b[A-Z][a-z])(?<!\bNo)(?<!\b[Vv]s)(?<!\bInc)(?<!\bLtd)(?<!\bCorp)[.:](?=\s)|"
    r"[.:][ \t]?[-–—]{1,2}|(?<=\w) [–—] (?=[A-Z])"
)
_DASHED_END = lazy_pattern(r"[.:][ \t]?[-–—]{1,2}[ \t]*$")
_CAPITAL_END = lazy_pattern(r"(?<=[A-Z]{2})[.:](?=\s)|[.:][ \t]?[-–—]{1,2}")
_LONGEST_ALONE = 120
_FAR = 16_384  # characters: a label further off says nothing about this one
_FAR_PARTED = 32_768  # characters from the first clause to the first title that parts it from others
_LONGEST_ITEM = 8  # words of the title of a letter
_LONGEST_TERM = 6  # words of a term that is defined
_LONGEST_LONE = 160  # characters of "APPENDIX: How to …" in two lines
_LEAST_WRAPPED = 50  # characters of a title that goes on in the next line
_MISSED = 2  # how far the number of a sibling may go on
_LONGEST_RUN_IN = 100


def _is_phrase(words: str) -> bool:
    """Say whether words name something rather than say something: short, begun with a capital, no verb we know."""
    found = WORDS.findall(words)
    if not found or not (found[0][0].isupper() or not found[0][0].islower()) or len(found) > 12:
        return False
    if words.isupper():
        return len(found) <= 14
    if _QUESTION.fullmatch(words):
        return True
    begun = found[0] in {"No", "NO"}
    told = [word.lower().rstrip(".") for word in found[begun:]]
    if words[-1] != "." and told[0] not in _SUBJECTS:
        told = [word for word in told[:-1] if word not in _SUBJECTS] + told[-1:]
    return _SENTENCE_WORDS.isdisjoint(told)


_NO_TITLE_END = tuple(",;-–—&(")
_NO_TITLE_INSIDE = lazy_pattern(r"(?<!\b[A-Z])[.!?] +\S|[=|{}<>\\]|\S {4,}+\S|\t|://|\.{3}|…|\(\)|^[^\w\"“'‘«„(\[<]")


_UNFINISHED = frozenset(
    str.split("the a an of and or by with from der die das des und oder de du la le les et ou el y o")
)
"""With these no title ends; a line that does goes on."""


def _continues(line: str) -> bool:
    """Say whether a line goes on with the sentence above it: it begins with a small letter, and is no address."""
    return line[0].islower() and (" " in line or not ("@" in line or "/" in line))


def _may_stand_alone(words: str) -> bool:
    if not words or len(words) > _LONGEST_ALONE or words[-1] in _NO_TITLE_END or _NO_TITLE_INSIDE.search(words):
        return False
    if words.rsplit(" ", 1)[-1] in _UNFINISHED:
        return False
    return _WORD_OF_TWO.search(words) is not None and (";" not in words or is_title_case(words.rstrip(".")))


_WORD_OF_TWO = lazy_pattern(r"[^\W\d_]{2}")
_ABBREVIATIONS = frozenset(
    {
        "Dr",
        "Mr",
        "Mrs",
        "Ms",
        "St",
        "No",
        "Nr",
        "Fig",
        "Art",
        "Sec",
        "Prof",
        "Hr",
        "Fr",
        "vs",
        "cf",
        "Inc",
        "Ltd",
        "Co",
        "Jr",
        "Sr",
        "Abs",
        "Vol",
        "Ch",
        "App",
        "Ex",
        "Op",
        "Rev",
    }
)


def _run_in_end(line: str, start: int) -> int | None:
    """Give where a run-in title ends, its full stop or colon included, if one begins at `start`."""
    window = line[start : start + _LONGEST_RUN_IN + 2]
    found = _CAPITAL_END.search(window) or _SENTENCE_END.search(window)
    if found is not None and found[0].startswith(" "):  # a dash may stand in a title that ends at its full stop
        stop = _SENTENCE_END.search(window, found.end())
        if stop is not None and stop[0][0] == "." and is_title_case(window[: stop.start()]):
            found = stop
    if found is None or not line[start + found.end() :].strip():
        return None
    words = window[: found.start()].strip()
    if words in _ABBREVIATIONS or not _WORD_OF_TWO.search(words) or _NO_TITLE_INSIDE.search(words):
        return None
    return start + found.end()


# --- contents pages ---------------------------------------------------------------------------------------------------

_CONTENTS = lazy_pattern(
    r"^[ \t]*+(?:table of contents|contents|inhaltsverzeichnis|inhalt|table des matières|sommaire|índice|indice|"
    r"índice general"
    r"|arrangement of (?:sections|clauses|articles|rules|regulations)|inhaltsübersicht|inhoudsopgave"
    r"|tabla de contenido)[ \t]*+:?[ \t]*+$",
    re.IGNORECASE | re.MULTILINE,
)
_LEADER = lazy_pattern(
    r"^[ \t]*+\S[^\n]*?(?:\.{3}|(?:[ ]\.){3}|…|\.[ ]\.[ ]\.|_{4}|[ ]{3}|\t)[ .…_\t]*+(?:[A-Z]-)?(?:\d{1,4}|"
    r"[ivxlc]{1,7})[ \t]*$"
)
_LONGEST_CONTENTS = 32_768  # characters: what is longer has no end that can be seen from its beginning


def _leader_rows(lines: Lines) -> set[int]:
    rows: set[int] = set()
    for row, line in enumerate(lines.lines):
        if 4 < len(line) < 240 and line.rstrip()[-1:] in _PAGE_ENDS and _LEADER.match(line):
            rows.add(row)
    return rows


_PAGE_ENDS = tuple("0123456789ivxlc")


def _contents(lines: Lines, leaders: set[int], labels: dict[int, _Label]) -> list[tuple[int, int]]:
    """Find the contents pages: the row of their title and the row after their last entry."""
    pages: list[tuple[int, int]] = []
    for found in _CONTENTS.finditer(lines.even):
        row = lines.line_at(found.start())
        end = _contents_end(lines, row, leaders, labels)
        if end > row + 1:
            pages.append((row, end))
    return pages


def _contents_end(lines: Lines, title: int, leaders: set[int], labels: dict[int, _Label]) -> int:
    """Give the row after the last entry: the first entry come again, or a line that is no entry, ends the page."""
    last, first, words, led = title, "", "", False
    row, far = title, lines.starts[title] + _LONGEST_CONTENTS
    while (following := lines.ink_after(row)) is not None and lines.starts[following] < far:
        row = following
        words = _entry(lines.lines[row])
        if row in leaders:
            led = True
        elif (
            _CONTENTS.match(lines.lines[row])
            or (
                (first and words == first)
                or len(words) > _LONGEST_ALONE
                or (led and not _wraps_into(lines, row, leaders))
            )
            or (not led and ((row not in labels and words[-1:] in ".;,:") or (first and words.startswith(first + " "))))
        ):
            break
        first, last = first or words, row
    return last + 1 if led or (following is not None and words == first and last > title) else title


def _entry(line: str) -> str:
    """Give the words of an entry as the heading would have them."""
    return re.sub(
        r"(?<![\s.…_])[\s.…_]*+(?:\d{1,4}|[ivxlc]{1,7})?$", "", " ".join(line.split())[: _LONGEST_ALONE * 2], count=1
    ).casefold()


def _wraps_into(lines: Lines, row: int, leaders: set[int]) -> bool:
    return row + 1 in leaders and not lines.is_blank(row + 1)


# --- titles without a number ------------------------------------------------------------------------------------------

_LONE_WORDS = (
    "preamble|recitals|background|introduction|foreword|preface|definitions|amendments|signatures|appendix|annex|annexes"
    "|appendices|schedules|exhibits|attachments|acknowledge?ments|references|changelog|präambel|vorbemerkung|anhang|anlagen?"
    "|schlussbestimmungen|préambule|définitions|annexes?|considérants|preámbulo|definiciones|anexos?|preambolo|allegati"
)
_BEFORE_THE_FIRST = lazy_pattern(
    r"(?:preamble|recitals|whereas|background|introduction|foreword|preface|abstract|summary|witnesseth|präambel"
    r"|vorbemerkung|vorwort|pr[ée]ambule|avant-propos|considérants|preámbulo|considerandos|preambolo|premessa|notice)\b",
    re.IGNORECASE,
)
"""What stands before the first clause and holds none."""

_LONE = lazy_pattern(
    rf"^[ \t]{{0,40}}+(?=[A-ZÀ-Þ])(?:(?P<word>(?i:{_LONE_WORDS}))[.:]?[ \t]*+|(?P<phrase>[^\n]{{8,100}}+))$",
    re.MULTILINE,
)
_LEAST_PROSE = 60  # characters of a line of prose


def _lone_titles(lines: Lines, labels: dict[int, _Label]) -> list[Title]:
    """Find the lines with a paragraph of their own that are titles: by their words, or by the prose around them."""
    titles: list[Title] = []
    for found in _LONE.finditer(lines.even):
        row = lines.line_at(found.start())
        if row in labels or not lines.is_blank(row - 1) or not lines.is_blank(row + 1):
            continue
        words = lines.lines[row].strip()
        below = lines.ink_after(row)
        if below is not None and (found["word"] or _is_lone_phrase(lines, row, below, words, labels)):
            titles.append(Title(row, row, words, "lone"))
    return titles


def _is_lone_phrase(lines: Lines, row: int, below: int, words: str, labels: dict[int, _Label]) -> bool:
    if words[-1] in ".:!?" or len(words.split()) < 3 or not _may_stand_alone(words) or lines.lines[row][0] in " \t":
        return False
    if not is_title_case(words) or not _is_phrase(words) or _NO_NAME.search(words):
        return False
    following = lines.lines[below].strip()
    if below in labels:
        return labels[below].is_strong or labels[below].numbers[0] <= 1
    return len(following) >= _LEAST_PROSE and following[0].isupper() and not is_title_case(following)


_NO_NAME = lazy_pattern(r"\d{2}|(?i:^end of )|\bby\b|©|\([Cc]\)|@")
"""What stands in lines with a date, an author, an address, or the end of something."""

# --- which labels are headings ----------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """A heading before its level is known."""

    row: int
    last: int
    start: int
    end: int
    title: str
    label: _Label | None
    style: str = ""
    """How a title is set: underlined and so on."""


class _Outline:
    """Decides line by line which labels are headings."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.labels = _labels(lines)
        self.leaders = _leader_rows(lines)
        self.pages = _contents(lines, self.leaders, self.labels)
        self.listed = {row for start, end in self.pages for row in range(start, end)} | self.leaders
        self.ruled = {
            title.first if title.style.startswith("under") else title.first + 1: title
            for title in underlined_titles(lines)
        }
        self.unnumbered = {title.first: title for title in _lone_titles(lines, self.labels)}
        self.unnumbered.update((title.first, title) for title in [*capital_titles(lines), *centred_titles(lines)])
        self._label_rows = sorted(self.labels)
        self.taken = -1
        self._seen: dict[str, tuple[int, ...]] = {}
        self._accepted: dict[str, tuple[int, ...]] = {}
        self._is_worded = False  # whether the last heading has a keyword
        self._accepted_at: dict[str, int] = {}  # where in its line the label last accepted begins
        self._refused = -1  # the row of the label last refused

    def found(self) -> list[_Found]:
        rows = sorted(({*self.labels, *self.ruled, *self.unnumbered}) - self.listed)
        found: list[_Found] = []
        for row in rows:
            if row <= self.taken:
                continue
            heading = self._heading(row)
            if heading is not None:
                found.append(heading)
                self.taken = heading.last
                self._is_worded = heading.label is not None and heading.label.worded
        return found

    def holds_clauses(self, headings: list[_Label]) -> bool:
        """Say whether clauses that begin with text are counted through below some headings: 1.1 and 1.2 below 1."""
        titled = {label.row for label in headings if label.kind == "number 1"}
        expected: tuple[int, ...] = ()
        counted = 0
        for row, label in self.labels.items():
            if row in titled:
                expected = (*label.numbers, 1)
            elif label.numbers == expected and row not in self.listed:
                counted += self._begins_clause(label)
                expected = (*expected[:-1], expected[-1] + 1)
        return counted >= _LEAST_DEEP

    def _begins_clause(self, label: _Label) -> bool:
        """Say whether a sentence begins in the line of a label, and not the entry of a table."""
        rest = self.lines.lines[label.row][label.end :].strip()
        return self._has_text(label) and not (rest[0].islower() or rest[0].isdigit() or _NO_TITLE_INSIDE.match(rest))

    def _heading(self, row: int) -> _Found | None:
        label = self.labels.get(row)
        title = self.ruled.get(row)
        if label is not None and (title is not None or self._begins(label)):
            heading = self._ruled(title, label) if title is not None else self._labelled(label)
            self._remember(label, accepted=heading is not None)
            if heading is not None or label.kind != "letter":
                return heading
        title = title or self.unnumbered.get(row)
        if title is None or _CONTENTS.match(title.words):
            return None
        return self._ruled(title, None)

    def _ruled(self, title: Title, label: _Label | None) -> _Found:
        starts = self.lines.starts
        return _Found(
            title.first,
            title.last,
            self.lines.begin(title.first),
            starts[title.last + 1],
            title.words,
            label,
            title.style,
        )

    def _remember(self, label: _Label, *, accepted: bool) -> None:
        self._seen[label.series] = label.numbers
        if accepted:
            self._accepted[label.series] = label.numbers
            self._accepted_at[label.series] = label.start
        else:
            self._refused = label.row

    def _labelled(self, label: _Label) -> _Found | None:
        line = self.lines.lines[label.row]
        rest = line[label.end :].strip()
        if label.worded:
            return self._keyworded(label, line, rest)
        if not rest or not self._goes_on(label) or self._ends_list(label):
            return None
        if label.is_item:
            return self._item(label, line, rest)
        return self._numbered(label, line, rest)

    def _begins(self, label: _Label) -> bool:
        """Say whether a paragraph begins at a label, or a sentence has ended before it."""
        above = label.row - 1
        if self.lines.is_blank(above) or above == self.taken:
            return True
        before = self.lines.lines[above].rstrip()
        if not label.is_strong:
            return self._is_tight(label)
        return before[-1] in '.;:!?”"*=-' and len(before) < 2_000

    def _is_tight(self, label: _Label) -> bool:
        """Say whether a number right below the end of a paragraph has a title, and the next number is further down.

        A title ends before its line is full, or at a full stop and a dash; right below the title of the document
        stands the first number alone.
        """
        row, lines = label.row, self.lines.lines
        is_first = label.numbers == (1,)
        follows = self._follows(label) and self._accepted_at[label.kind] == label.start
        if label.kind != "number 1" or not (is_first or follows):
            return False
        above = lines[row - 1].rstrip()
        if above[-1] not in ".;:!?”)" and not (is_first and _may_stand_alone(above.strip())):
            return False
        end = _run_in_end(lines[row], label.end)
        if end is not None and _DASHED_END.search(lines[row][:end]):
            return True
        if self._is_above_its_first(label):
            return True
        return self._has_text_below(label) and (follows or self._is_counted_on(label)) and self._ends_early(row)

    def _is_above_its_first(self, label: _Label) -> bool:
        """Say whether nothing stands between a label and the first one below it: 4.1 below 4."""
        row = self.lines.ink_after(label.row)
        return row in self.labels and self.labels[row].numbers == (*label.numbers, 1)

    def _has_text_below(self, label: _Label) -> bool:
        """Say whether a sentence or a finer label begins in the next line."""
        row = label.row + 1
        if self.lines.is_blank(row) or _continues(self.lines.lines[row].strip()):
            return False
        return row not in self.labels or self.labels[row].rank > label.rank

    def _is_counted_on(self, label: _Label) -> bool:
        """Say whether the label after the first is the second, or the first below it."""
        following = self._next_label(label)
        return following is not None and following.numbers in {(2,), (1, 1)}

    def _goes_on(self, label: _Label) -> bool:
        """Say whether a number is the next of its kind, or the first."""
        *outer, number = label.numbers
        if label.is_item:
            return True
        before, accepted = self._seen.get(label.kind), self._accepted.get(label.kind)
        if any(
            known and known[:-1] == tuple(outer) and 0 < number - known[-1] <= _MISSED for known in (before, accepted)
        ):
            return True
        if number <= 1:
            return True
        if outer:
            parent = self._seen.get(f"{label.kind.split()[0]} {len(outer)}")
            begins = parent == tuple(outer) or label.kind == "lettered 2"
            return (begins and number <= 2) or not self._seen  # an excerpt begins anywhere
        return before is None and label.kind.startswith("number")

    def _follows(self, label: _Label) -> bool:
        """Say whether the label before it, or the one before that, was accepted: what its siblings are it is, too."""
        before = self._accepted.get(label.series)
        return (
            before is not None and before[:-1] == label.numbers[:-1] and 0 < label.numbers[-1] - before[-1] <= _MISSED
        )

    def _begins_section(self, label: _Label) -> bool:
        """Say whether a label is the first of its kind right below a heading."""
        above = label.row - 1
        while above > self.taken and self.lines.is_blank(above) and above > label.row - 4:
            above -= 1
        return above == self.taken and label.numbers == (1,)

    def _ends_list(self, label: _Label) -> bool:
        """Say whether the entry right above was refused: with nothing between them they are entries of one list."""
        above = self.labels.get(self._refused)
        if above is None or above.kind != label.kind or self._has_text(above):
            return False
        return self.lines.ink_after(above.row) == label.row

    def _is_body_next(self, label: _Label) -> bool:
        """Say whether text or a finer heading follows, not the next entry of a list."""
        row = label.row
        for _ in range(8):
            following = self.lines.ink_after(row)
            if following is None or following in self.leaders:
                return False
            below = self.labels.get(following)
            if below is None or below.is_item:
                return True
            is_entry = below.rank < label.rank and below.numbers == (1,) and not below.is_strong
            if below.rank <= label.rank and not is_entry:
                return False
            if self._has_text(below):
                return True
            if is_entry:
                return False
            row, label = following, below
        return False

    def _has_text(self, label: _Label) -> bool:
        """Say whether text stands in the line of a label, not a title alone."""
        line = self.lines.lines[label.row]
        rest = line[label.end :].strip()
        if not rest or not _may_stand_alone(rest) or not _is_phrase(rest):
            return bool(rest)
        return rest[-1] == "." and len(rest.split()) > 4 and not is_title_case(rest)

    # --- by kind ---

    def _keyworded(self, label: _Label, line: str, rest: str) -> _Found | None:
        if not rest:
            return self._bare(label)
        if not label.marked and _is_reference(line[: label.end], rest):
            return None
        if self._is_lone(label, rest) or (_may_stand_alone(rest) and self._is_alone(label, rest)):
            return self._line(label)
        if self._wraps(label, rest):
            return self._titled(label, rest)
        end = _run_in_end(line, label.end)
        if end is not None and self._is_run_in(label, line[label.end : end]):
            return self._span(label, end)
        before_text = label.marked and self.lines.is_blank(label.row - 1) and line[label.end - 1] != "-"
        return self._span(label, len(line[: label.end].rstrip())) if before_text and rest[0].isupper() else None

    def _is_lone(self, label: _Label, rest: str) -> bool:
        """Say whether a line has a paragraph of its own, and begins "APPENDIX:" or ends as no sentence does."""
        if not (self.lines.is_blank(label.row - 1) and self.lines.is_blank(label.row + 1)):
            return False
        if label.numbers == (0,):
            return len(rest) <= _LONGEST_ALONE
        return label.marked and len(rest) <= _LONGEST_RUN_IN and rest[-1] not in (*_NO_TITLE_END, ".", ":")

    def _bare(self, label: _Label) -> _Found | None:
        row, lines = label.row, self.lines
        if not lines.is_blank(row - 1) and row - 1 != self.taken and not self._is_next_after_sentence(label):
            return None
        below = lines.ink_after(row)
        if below is None:
            return None
        subtitle = lines.lines[below].strip()
        if not _may_stand_alone(subtitle) or below in self.labels or below in self.listed or subtitle[-1] == ":":
            return self._line(label)
        apart = lines.is_blank(below + 1) or (below + 1 in self.labels and subtitle[-1] != ".")
        if below > row + 1:
            is_title = below == row + 2 and apart and self._is_title_apart(subtitle, below)
        else:
            is_title = (apart and _is_phrase(subtitle)) or (is_title_case(subtitle) and subtitle[-1] != ".")
        if not is_title:
            return self._line(label)
        words = f"{lines.lines[row].strip()} {subtitle}"
        return _Found(row, below, lines.begin(row), lines.starts[below + 1], words, label)

    def _is_title_apart(self, subtitle: str, row: int) -> bool:
        """Say whether a paragraph of one line below a bare label is its title: a phrase, and what it names follows."""
        if (
            subtitle[-1] in ".?!"
            or subtitle[0] == "("
            or subtitle.isnumeric()
            or row in self.ruled
            or not _is_phrase(subtitle)
        ):
            return False
        following = self.lines.ink_after(row)
        return following is not None and following not in self.leaders and following not in self.ruled

    def _is_next_after_sentence(self, label: _Label) -> bool:
        """Say whether a label right below the end of a sentence is the next of its kind, or the first."""
        lines = self.lines.lines
        below = lines[label.row + 1].lstrip() if label.row + 1 < len(lines) else ""
        if lines[label.row - 1].rstrip()[-1:] not in (".", ";") or below[:1].islower():
            return False
        return label.numbers == (1,) or self._follows(label)

    def _is_alone(self, label: _Label, rest: str) -> bool:
        """Say whether a line with a strong label is a title: it ends with its line and is no sentence."""
        row, lines = label.row, self.lines
        cased = is_title_case(rest.rstrip(".:"))
        if not cased and not _is_phrase(rest):
            return False
        if rest[-1] == "." and not cased and len(rest.split()) > 6:
            return False
        if lines.is_blank(row + 1):
            return True
        below = self.labels.get(row + 1)
        if below is not None:
            return below.rank > label.rank
        following = lines.lines[row + 1].strip()
        if following[0].islower() or (rest.isupper() and following.isupper()):
            return False
        return cased or (len(rest) < 50 and len(rest) < len(following))

    def _is_run_in(self, label: _Label, part: str) -> bool:
        words = part.strip().rstrip(" .:–—-")
        if words.isupper():
            return len(words.split()) <= 14
        if is_title_case(words):
            return len(words.split()) <= 12
        dashed = _DASHED_END.search(part) is not None
        told = label.is_strong or self._follows(label) or dashed
        return told and len(words.split()) <= 7 and _is_phrase(words) and (dashed or part.rstrip()[-1] == ".")

    def _numbered(self, label: _Label, line: str, rest: str) -> _Found | None:
        if rest[0].islower():
            return self._line(label) if self._is_term(label, rest) else None
        if label.kind == "letter":
            return self._lettered(label, line, rest)
        if _may_stand_alone(rest) and self._is_numbered_title(label, rest) and self._is_body_next(label):
            return self._titled(label, rest)
        return self._numbered_run_in(label, line)

    def _is_term(self, label: _Label, rest: str) -> bool:
        """Say whether a number names a term that is defined below it, as standards have it: "3.1 pump"."""
        row, lines = label.row, self.lines
        if len(label.numbers) < 2 or label.marked or len(rest.split()) > _LONGEST_TERM or not _may_stand_alone(rest):
            return False
        if (
            not (lines.is_blank(row - 1) and lines.is_blank(row + 1))
            or rest[-1] in ".:"
            or not self._is_body_next(label)
        ):
            return False
        outer = self._accepted.get(f"number {len(label.numbers) - 1}")
        return _is_phrase(rest[0].upper() + rest[1:]) and outer == label.numbers[:-1]

    def _lettered(self, label: _Label, line: str, rest: str) -> _Found | None:
        if self._is_annex(label):
            annex = label._replace(kind="lettered 1", rank=_Rank.ANNEX)
            return self._line(annex) if _may_stand_alone(rest) else None
        if (len(rest) > 2 and rest[1] == ".") or not self.lines.is_blank(label.row - 1):
            return None
        if _may_stand_alone(rest) and self._is_numbered_title(label, rest) and self._is_body_next(label):
            return self._line(label)
        is_told = self._follows(label) or self._begins_section(label)
        return self._numbered_run_in(label, line) if is_told else None

    def _numbered_run_in(self, label: _Label, line: str) -> _Found | None:
        end = _run_in_end(line, label.end)
        if end is None or not self._is_run_in(label, line[label.end : end]) or self._is_list_word(label, line, end):
            return None
        return self._span(label, end)

    def _is_list_word(self, label: _Label, line: str, end: int) -> bool:
        """Say whether a run-in title is one that lists in prose have as well: a word or two and a remark."""
        words = line[label.end : end].strip().rstrip(".:–—- ")
        if label.is_strong or words.isupper() or self._follows(label) or _DASHED_END.search(line[:end]):
            return False
        following = self.lines.ink_after(label.row)
        next_label = self.labels.get(following) if following is not None else None
        is_short = next_label is not None and next_label.kind == label.kind and len(line) < 100
        if label.numbers == (1,) and following != label.row + 1 and not self._is_opened_by_colon(label):
            is_short = False
        return is_short or (line[label.end : end].rstrip()[-1] != "." and not label.marked)

    def _is_opened_by_colon(self, label: _Label) -> bool:
        above = label.row - 1
        while above > label.row - 3 and self.lines.is_blank(above):
            above -= 1
        return above >= 0 and self.lines.lines[above].rstrip()[-1:] == ":"

    def _is_numbered_title(self, label: _Label, rest: str) -> bool:
        cased = is_title_case(rest.rstrip(".:"))
        if self._wraps(label, rest):
            return self._is_apart(label)
        told = label.marked or label.is_strong or rest.isupper() or self._follows(label)
        if rest[-1] == "!" or not (told or self._holds_finer(label) or self._is_first_of_titles(label)):
            return False
        return (cased or self._may_be_uncased(label, rest)) and self._ends_above(label, rest, cased=cased)

    def _may_be_uncased(self, label: _Label, rest: str) -> bool:
        """Say whether a title may have small letters here: after the heading before it, or with several numbers."""
        if label.kind in {"roman", "letter"} or not _is_phrase(rest):
            return False
        if label.is_strong:
            return len(rest.split()) <= {".": 6, ":": 3}.get(rest[-1], 12)
        number = label.numbers[-1]
        follows = self._follows(label)
        if not follows and number > 1:
            return False
        if self._is_worded and self._begins_section(label):
            return len(rest.split()) <= _LONGEST_ITEM
        return rest[-1] not in ".:?" or follows or _QUESTION.fullmatch(rest) is not None

    def _ends_above(self, label: _Label, rest: str, *, cased: bool) -> bool:
        """Say whether a title ends with its line: the next line is blank, a finer label or a new sentence."""
        row, lines = label.row, self.lines
        apart = self._is_apart(label)
        if lines.is_blank(row + 1):
            return apart
        following = lines.lines[row + 1].strip()
        capitals = rest.isupper() and following.isupper()
        if row + 1 in self.labels:
            return not (capitals and len(rest) > 40)
        if not apart or capitals:
            return False
        early = self._ends_early(row)
        if _continues(following):
            return cased and early and label.is_strong and self._indent(row + 1) > self._indent(row)
        return (cased or label.is_strong or early) and len(rest) < max(60, len(following))

    def _is_apart(self, label: _Label) -> bool:
        above = label.row - 1
        return label.is_strong or self.lines.is_blank(above) or above == self.taken or self._is_tight(label)

    def _titled(self, label: _Label, rest: str) -> _Found:
        """Take a title with its line, and with the next one where it goes on there."""
        row, lines = label.row, self.lines
        if not self._wraps(label, rest):
            return self._line(label)
        words = f"{lines.lines[row].strip()} {lines.lines[row + 1].strip()}"
        return _Found(row, row + 1, lines.begin(row), lines.starts[row + 2], words, label)

    def _wraps(self, label: _Label, rest: str) -> bool:
        """Say whether a title goes on in a second line, which ends its paragraph."""
        row, lines = label.row, self.lines
        if not label.is_strong or row + 1 in self.labels or lines.is_blank(row + 1) or not lines.is_blank(row + 2):
            return False
        below = lines.lines[row + 1].strip()
        words = f"{rest} {below}"
        if label.numbers == (0,):
            return lines.is_blank(row - 1) and len(words) <= _LONGEST_LONE and words[-1] not in ".,;:"
        if (
            not _LEAST_WRAPPED <= len(rest) <= _LONGEST_ALONE
            or len(below) >= len(rest)
            or _NO_TITLE_INSIDE.search(words)
        ):
            return False
        if words[-1] in ".,;:":
            return is_title_case(words.rstrip("."))
        capitals = sum(word[0].isupper() for word in words.split())
        return self._follows(label) and 5 * capitals >= 3 * len(words.split())

    def _indent(self, row: int) -> int:
        line = self.lines.lines[row]
        return len(line) - len(line.lstrip())

    def _ends_early(self, row: int) -> bool:
        """Say whether the first word of the next line would have had room in a line: its author ended it."""
        lines = self.lines.lines
        word = lines[row + 1].split(None, 1)[0]
        width = max(len(line.rstrip()) for line in (*lines[max(0, row - 4) : row], *lines[row + 1 : row + 5]))
        return len(lines[row].rstrip()) + 1 + len(word) <= width

    def _next_label(self, label: _Label) -> _Label | None:
        """Give the next label with several numbers or of the same kind, if it is near."""
        place = bisect_right(self._label_rows, label.row)
        for row in self._label_rows[place : place + 30]:
            following = self.labels[row]
            if self.lines.starts[row] - self.lines.starts[label.row] > _FAR:
                return None
            if len(following.numbers) > 1 or following.kind == label.kind:
                return following
        return None

    def _is_first_of_titles(self, label: _Label) -> bool:
        """Say whether the number after the first has a title in a line of its own as well, below some text."""
        following = self._next_label(label)
        if label.numbers != (1,) or following is None or following.numbers != (2,) or following.marked:
            return False
        rest = self.lines.lines[following.row][following.end :].strip()
        is_title = _may_stand_alone(rest) and rest[-1] not in ".:?" and rest[0].isupper() and _is_phrase(rest)
        return is_title and self.lines.ink_after(label.row) != following.row

    def _holds_finer(self, label: _Label) -> bool:
        """Say whether the first clause below a label has its number: 4.1 below 4."""
        following = self._next_label(label)
        return following is not None and following.numbers[:-1] == label.numbers and following.kind != "lettered 2"

    def _is_annex(self, label: _Label) -> bool:
        """Say whether a letter names an annex: A before A.1, and B after it."""
        following = self._next_label(label)
        if following is not None and following.kind == "lettered 2" and following.numbers[:-1] == label.numbers:
            return True
        return (label.numbers[0] - 1,) == self._accepted.get("lettered 2", ())[:-1] and self.lines.is_blank(
            label.row + 1
        )

    def _item(self, label: _Label, line: str, rest: str) -> _Found | None:
        """Read the letter of a clause that has a title, "(a) Late Payment. The …", and is no mere entry of a list."""
        follows = self._follows(label)
        if rest[0].islower() or not (label.numbers[0] <= 1 or follows or label.kind == "small"):
            return None
        if self._is_item_title(label, rest, follows=follows):
            return self._line(label)
        end = _run_in_end(line, label.end)
        if (
            end is None
            or not (self.lines.is_blank(label.row - 1) or label.row - 1 == self.taken)
            or line[end - 1] != "."
        ):
            return None
        words = line[label.end : end].strip().rstrip(".")
        cased = is_title_case(words) or (follows and len(words.split()) > 1)
        has_title = cased and len(words) > 3 and len(words.split()) <= 8 and _is_phrase(words)
        return self._span(label, end) if has_title and line[end:].strip()[:1].isupper() else None

    def _is_item_title(self, label: _Label, rest: str, *, follows: bool) -> bool:
        """Say whether a letter has a line of its own with a title: the first clause of those it holds follows.

        After a sibling that has a title, text may follow as well.
        """
        lines = self.lines
        if rest[-1] != "." or not (_may_stand_alone(rest) and _is_phrase(rest)) or len(rest.split()) > _LONGEST_ITEM:
            return False
        following = lines.ink_after(label.row)
        if following is None or not lines.is_blank(label.row - 1):
            return False
        below = self.labels.get(following)
        if below is None:
            return follows and lines.lines[following].strip()[0].isupper()
        return below.kind != label.kind and below.numbers == (1,) and self._has_text(below)

    # --- spans ---

    def _line(self, label: _Label) -> _Found:
        row, lines = label.row, self.lines
        return _Found(row, row, lines.begin(row), lines.starts[row + 1], lines.lines[row], label)

    def _span(self, label: _Label, end: int) -> _Found:
        row, lines = label.row, self.lines
        return _Found(row, row, lines.begin(row), lines.starts[row] + end, lines.lines[row][:end], label)


_TITLE_END = lazy_pattern(r"(?:[.:][ \t]?)?[-–—]{1,2}$|(?<!\.)[.:]$")


def _without_mark(title: str) -> str:
    """Take from a title the full stop, colon or dash that ends it, but not the stop of an abbreviation."""
    title = title.rstrip()
    last = _LAST_WORD.search(title)
    if last is not None and (last[0][:-1] in _ABBREVIATIONS or "." in last[0][:-1]):
        return title
    return _TITLE_END.sub("", title).rstrip()


_LAST_WORD = lazy_pattern(r"[^\W\d_][\w.]{0,80}\.$")


# --- levels -----------------------------------------------------------------------------------------------------------


class _Open(NamedTuple):
    """A heading that stands open."""

    kind: str
    rank: int
    indent: int
    style: str = ""
    numbers: tuple[int, ...] = ()

    def is_set_in_beyond(self, indent: int) -> bool:
        """Say whether a label stands further in than the one that comes now, which then is none of what it holds."""
        return self.rank >= _Rank.NUMBER and self.indent >= indent + _LEAST_SET_IN


_APART = 3  # columns between labels of one kind that are not of one level
_LEAST_SET_IN = 2
_STYLED = 8  # ranks below it are those of the ways to underline a title, in the order of their first use


class _Run:
    """Labels of one kind that are counted through, with the titles right above one of them."""

    __slots__ = ("is_parted", "last", "rows", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.last = 0
        self.rows: dict[int, _Label] = {}
        self.is_parted = False


def _parted(found: list[_Found]) -> dict[int, _Label]:
    """Find the titles that part clauses counted through, and these clauses: for each row, the label or that below."""
    open_runs: dict[str, _Run] = {}
    runs: list[_Run] = []
    titles: list[_Found] = []
    for heading in found:
        label = heading.label
        if label is None:
            titles += [heading] if _may_part(heading) else []
            continue
        above, titles = titles, []
        if not _Rank.ARTICLE <= label.rank <= _Rank.NUMBER or len(label.numbers) != 1:
            continue
        run, number = open_runs.get(label.kind), label.numbers[0]
        if run is None or not 0 < number - run.last <= _MISSED:
            run = open_runs[label.kind] = _Run(heading.start)
            runs.append(run)
            above = above[-1:]
        elif above:
            run.is_parted = run.is_parted or heading.start - run.start <= _FAR_PARTED
        if run.is_parted or not run.rows:
            run.rows.update((title.row, label) for title in above)
        run.rows[heading.row] = label
        run.last = number
    return {row: label for run in runs if run.is_parted for row, label in run.rows.items()}


def _may_part(title: _Found) -> bool:
    if title.style.startswith(("under", "over")):
        return False
    return _BEFORE_THE_FIRST.match(title.title.strip()) is None


class _Levels:
    """The levels of headings, by what stands open above them: their labels, how they are set, how far they stand in."""

    __slots__ = ("_open", "_parted", "_styles")

    def __init__(self, parted: dict[int, _Label]) -> None:
        self._open: list[_Open] = []
        self._parted = parted
        self._styles: list[str] = []

    def level(self, found: _Found, indent: int) -> int:
        """Give the level of the next heading."""
        self._close(lambda last: last.kind == "first")
        parted = self._parted.get(found.row)
        above = _Open("parting", self._rank(parted) - 1, indent) if parted is not None else None
        if found.label is not None:
            opened = self._labelled(found, found.label, indent)
            if above is not None and (above.kind, above.rank) not in {(known.kind, known.rank) for known in self._open}:
                self._open.append(above)  # what has no title above it stands as deep as if it had one
        elif above is not None:
            self._close(lambda last: last.rank >= above.rank)
            opened = above
        else:
            opened = self._titled(found, indent)
        self._open.append(opened)
        return len(self._open)

    def _close(self, is_closed: Callable[[_Open], bool]) -> None:
        while self._open and is_closed(self._open[-1]):
            self._open.pop()

    def _titled(self, found: _Found, indent: int) -> _Open:
        """What has no number stands above what has one, but for what stands before the first clause."""
        kind = "first" if _BEFORE_THE_FIRST.match(found.title.strip()) else "title"
        if not found.style.startswith(("under", "over")):
            self._close(lambda last: last.rank >= _STYLED)
            return _Open(kind, _STYLED, indent)
        beside = self._beside(lambda known: known.style == found.style)
        if beside is not None:
            return beside._replace(kind=kind)
        if found.style not in self._styles:
            self._styles.append(found.style)
        rank = min(self._styles.index(found.style), _STYLED - 1)
        self._close(lambda last: last.rank >= rank)
        return _Open(kind, rank, indent, found.style)

    def _labelled(self, found: _Found, label: _Label, indent: int) -> _Open:
        kind, rank = label.kind, self._rank(label)
        beside = self._sibling(label, indent)
        if beside is None and label.rank == _Rank.ANNEX and found.style:
            beside = self._beside(lambda known: known.style == found.style)
        if beside is not None:
            return beside._replace(kind=kind, style=found.style, numbers=label.numbers)
        if label.worded:
            self._close(lambda last: last.rank >= (_STYLED if rank == _Rank.ANNEX else rank))
        else:
            self._close(lambda last: last.is_set_in_beyond(indent))
            if label.numbers != (1,) or rank == _Rank.ANNEX:
                self._close(lambda last: last.rank >= rank and last.indent + _APART > indent)
        return _Open(kind, rank, indent, found.style, label.numbers)

    def _sibling(self, label: _Label, indent: int) -> _Open | None:
        """Find the open heading of the kind of a label that stands as far in, or has the number before its."""
        if label.worded:
            return self._beside(lambda known: known.kind == label.kind)
        return self._beside(
            lambda known: known.kind == label.kind and abs(known.indent - indent) < _APART
        ) or self._beside(
            lambda known: (
                known.kind == label.kind
                and known.numbers[:-1] == label.numbers[:-1]
                and 0 < label.numbers[-1] - known.numbers[-1] <= _MISSED
            )
        )

    def _beside(self, is_sibling: Callable[[_Open], bool]) -> _Open | None:
        """Close the innermost heading that is a sibling, with all it holds."""
        for place in reversed(range(len(self._open))):
            if is_sibling(self._open[place]):
                sibling = self._open[place]
                del self._open[place:]
                return sibling
        return None

    def _rank(self, label: _Label) -> int:
        ranks = {known.rank for known in self._open}
        above_articles = _Rank.ARTICLE not in ranks and ranks & {_Rank.PART, _Rank.CHAPTER}
        if label.rank == _Rank.SECTION and above_articles and label.kind.startswith("keyword"):
            return _Rank.SECTION_ABOVE_ARTICLES
        return label.rank


def read_clauses(text: str) -> Structure:
    """Read legal and numbered text: each titled clause, article, section or part is a heading, a contents page a unit.

    The title of a heading that runs into its text ("2.1 Term. This Agreement …") ends at its full stop; references to
    clauses, entries of a contents page and entries of lists are no headings.
    """
    lines = _unboxed(Lines(text))
    outline = _Outline(lines)
    found_headings = outline.found()
    levels = _Levels(_parted(found_headings))
    headings = [
        Heading(found.start, found.end, levels.level(found, _indent_of(lines.lines[found.row])), title)
        for found in found_headings
        if (title := title_of(_without_mark(found.title)))
    ]
    units = [Unit(lines.begin(start), lines.starts[end]) for start, end in outline.pages]
    return Structure(format="clauses", headings=tuple(headings), units=tuple(units))


def _indent_of(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


_BOXED = lazy_pattern(r"^\*( [^\n]*)\*$", re.MULTILINE)


def _unboxed(lines: Lines) -> Lines:
    """Read what stands in a box of asterisks as if there were none."""
    if "\n* " in lines.even and "****" in lines.even:
        return lines.changed(_BOXED.sub(r" \1 ", lines.even))
    return lines


_LEGAL = lazy_pattern(
    r"\b(?:agreement|licen[cs]e[de]?|shall|hereby|herein|hereof|liability|warrant(?:y|ies)|pursuant|party|parties|"
    r"clause|"
    r"contract|vertrag\w*|haftung|gesetz\w*|kündigung|absatz|contrat|présent\w*|alinéa|loi|contrato|cláusula|"
    r"presente|ley|"
    r"liable|privacy|policy|personal (?:data|information)|terms (?:of|and)|governing|confidential\w*|"
    r"datenschutz\w*|personenbezogen\w*|confidentialité|privacidad|"
    r"regulation|directive|statute|member states|copyright)\b",
    re.IGNORECASE,
)


_MARKDOWN = lazy_pattern(r"\n(?:#{1,6} \S|```|\[[^\]\n]+\]: )")


_LEAST_DIVISIONS = 2  # parts or chapters, which nothing else in prose begins like
_LEAST_PARAGRAPH = 40  # characters that stand below a heading on average
_LEAST_PARAGRAPHS = 4  # headings that make an outline with no word of the law
_LEAST_SENTENCE = 3  # words of a paragraph of one sentence
_LEAST_LABELS, _MANY_LABELS = 3, 12  # lines that may be labelled: so many let look at the beginning, or at all of it
_LEAST_NUMBERED, _LEAST_DEEP = 2, 2  # headings with one number, and such below them, that make an outline
_SHORT, _MOST_PER_TITLE = 4_096, 10  # characters of a short text, and its lines for each of its titles in capitals
_MAY_CAPITALS = lazy_pattern(r"\n(?=[^a-z\n]{2,140}+\n)[^\n]*[A-ZÀ-Þ]")
_MAY_NUMBER = lazy_pattern(
    rf"""\n(?:\*?[ \t]{{0,60}}+)(?:
      (?:[A-Z]\.)?\d{{1,3}}+(?:\.\d{{1,3}}+){{0,6}}+[.)]?[ \t]*+["“'‘«„(\[]?[^\Wa-z\d_]
    | (?:[IVXLC]{{1,7}}+|[A-Z])[.)][ \t]
    | (?=[A-ZÀ-Þ§]){one_of(_KEYWORDS)}(?:\.?[ \t]|(?<=§))[ \t]*+(?:N[or]\.?[ \t])?(?:[\dA-Z]|(?i:{_NUMBER_WORDS})\b)
    )""",
    re.VERBOSE,
)
"""What begins a line that may carry a number: little of it is in prose, which is then looked at no further."""


def looks_like_clauses(glance: Glance) -> bool:
    """Say whether a text is an outline of numbered clauses."""
    numbered = any(map(_is_outline, judged_parts(glance, _MAY_NUMBER, _LEAST_DIVISIONS, _MANY_LABELS)))
    return numbered or (len(glance.text) <= _SHORT and _has_capital_sections(glance))


def _has_capital_sections(glance: Glance) -> bool:
    """Say whether a short text is made of titles in capitals, each with prose right below it.

    What it begins with may be its own title, which has anything below it.
    """
    if not has_lines(glance.lined + "\n", _MAY_CAPITALS, _LEAST_DIVISIONS):
        return False
    lines = glance.lines
    titles = capital_titles(lines)
    inked = sum(not lines.is_blank(row) for row in range(len(lines.lines)))
    if not inked <= _MOST_PER_TITLE * len(titles) or is_code(lines.even) or looks_like_underlined(glance):
        return False
    if titles and not lines.even[: lines.starts[titles[0].first]].strip() and not _is_above_prose(lines, titles[0]):
        del titles[0]
    if len(titles) < _LEAST_DIVISIONS or not may_name_sections(lines, titles):
        return False
    return all(_is_above_prose(lines, title) for title in titles)


def _is_above_prose(lines: Lines, title: Title) -> bool:
    row = lines.ink_after(title.last)
    if row is None:
        return False
    paragraph = _paragraph(lines, row, len(lines.lines))
    return len(paragraph) >= _LEAST_PROSE and paragraph[0].isupper() and paragraph[-1] == "."


def _paragraph(lines: Lines, row: int, end: int) -> str:
    """Give what stands from a line to the next blank one, or to another line that ends it."""
    after = row + 1
    while after < end and not lines.is_blank(after):
        after += 1
    return " ".join(lines.lines[row:after]).strip()


def _is_outline(glance: Glance) -> bool:
    lines = _unboxed(glance.lines)
    if _MARKDOWN.search("\n" + lines.even) is not None:
        return False
    outline = _Outline(lines)
    found = [heading for heading in outline.found() if heading.label is not None and not heading.label.is_item]
    if len(found) < _LEAST_DIVISIONS or is_code(lines.even) or not _has_enough_text(lines, found):
        return False
    labels = [heading.label for heading in found if heading.label is not None]
    divisions = sum(label.worded and label.rank <= _Rank.SUBCHAPTER for label in labels)
    if len(labels) < _LEAST_LABELS or divisions == len(labels):
        return _LEAST_DIVISIONS <= divisions == len(labels) and not looks_like_underlined(glance)
    numbers = {label.numbers for label in labels if label.kind.startswith("number")}
    deep = sum(label.numbers[:-1] in numbers for label in labels)
    numbered = sum(label.kind == "number 1" for label in labels)
    articles = sum(_Rank.SECTION_ABOVE_ARTICLES <= label.rank <= _Rank.PARAGRAPH for label in labels)
    nests = numbered >= _LEAST_NUMBERED and (deep >= _LEAST_DEEP or divisions >= _LEAST_DIVISIONS)
    if nests or articles >= _LEAST_LABELS:
        return True
    legal = {word.lower() for word in _LEGAL.findall(glance.text)}
    is_counted = _is_counted_through(outline, labels)
    if is_counted and (outline.holds_clauses(labels) or _has_paragraphs(lines, found)):
        return True
    return len(legal) >= (2 if is_counted or numbered < len(labels) else 4)


def _has_enough_text(lines: Lines, found: list[_Found]) -> bool:
    """Say whether there is as much text as there are headings that hold any: not so in a contents page."""
    alone = [heading for heading in found if heading.end == lines.starts[heading.last + 1]]
    holding = sum(
        not _is_above(lines, heading, below) for heading, below in zip(found, [*found[1:], None], strict=True)
    )
    titles = sum(1 + (heading.last > heading.row) for heading in alone)
    return lines_of_text(lines) - titles >= holding - (len(found) - len(alone))


def _is_above(lines: Lines, heading: _Found, below: _Found | None) -> bool:
    """Say whether a finer heading stands right below one."""
    if below is None or below.label is None or heading.label is None or below.label.rank <= heading.label.rank:
        return False
    return lines.ink_after(heading.last) == below.row


def _is_counted_through(outline: _Outline, labels: list[_Label]) -> bool:
    """Say whether the headings are counted from the first on, and are most of the numbers that begin a line.

    Finer ones may stand between them, each below the one whose number it has.
    """
    clauses = [label for label in labels if label.kind == "number 1"]
    begun = [label for row, label in outline.labels.items() if row not in outline.listed and label.kind == "number 1"]
    if len(clauses) < _LEAST_LABELS or len(begun) > 2 * len(clauses):
        return False
    counted = min(clauses[0].numbers[0], 1) - 1
    for label in labels:
        if label.kind == "number 1":
            counted += 1
        if not label.kind.startswith("number") or label.numbers[0] != counted:
            return False
    return True


def _has_paragraphs(lines: Lines, found: list[_Found]) -> bool:
    """Say whether several headings have lines of their own and paragraphs below, and are no list that a colon opens."""
    above = lines.even[: found[0].start].rstrip()
    if len(found) < _LEAST_PARAGRAPHS or above.endswith(":"):
        return False
    if not all(heading.end == lines.starts[heading.last + 1] for heading in found):
        return False
    text = lines.size - found[0].start - sum(heading.end - heading.start for heading in found)
    return text >= _LEAST_PARAGRAPH * len(found) or all(
        _is_above_sentence(lines, last, below)
        for last, below in zip(
            [heading.last for heading in found],
            [*(heading.row for heading in found[1:]), len(lines.lines)],
            strict=True,
        )
    )


def _is_above_sentence(lines: Lines, heading: int, below: int) -> bool:
    """Say whether a paragraph at the margin that is a sentence stands between two headings."""
    row = lines.ink_after(heading)
    if row is None or row >= below or not lines.lines[row][0].isupper():
        return False
    paragraph = _paragraph(lines, row, below)
    return paragraph[-1] == "." and len(paragraph.split()) >= _LEAST_SENTENCE
