"""Where does a sentence end? After sentencex, put right where it errs, block by block.

`sentencex` knows the full stops and abbreviations of some 300 languages. It is given one block at a time, so a
sentence ends at the latest where its block ends, and of a long block one cell with its surroundings, so that a look-up
costs the same wherever it is. Cells begin where the text around says so, so that an edit changes no cut far from it.
The cuts depend on the text alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING

import regex

from spanwise.errors import ConfigurationError, shown
from spanwise.patterns import lazy_pattern
from spanwise.segmenting.blocks import Block, Blocks
from spanwise.segmenting.graphemes import is_boundary
from spanwise.segmenting.words import is_word_cut
from spanwise.whitespace import SPACE, WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.segmenting.reading import Reading
    from spanwise.segmenting.segmenter import Cuts
    from spanwise.segmenting.structured import ReadBlocks

__all__ = ["Sentences"]

_WHOLE_MOST = 800  # a block of at most so many characters is given to sentencex in one piece
_CELL = 256  # where the text does not say where cells begin
_SURROUNDINGS_BEFORE = 192  # what a cell is shown of its block so that quotes and abbreviations at its edges are known
_SURROUNDINGS_AFTER = 96
_BRACKETED_MOST = 200  # a longer bracket is no aside within a sentence; without a bound a stray one would bar all cuts
_REMEMBERED = 8
_JUDGED_MOST = 4  # of a cell at once; where none of them decides, all are judged and remembered

_MARKS = (". ", "。")
_MARK = 2  # characters of the longest of them
_AROUND = 24  # characters after a full stop by which it is compared with others
_APART = 128  # two borders are further apart
_STOPS_MOST = 256
_SPARSE = 512  # so long after a border the grid begins again

_LANGUAGE = lazy_pattern(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)


class Sentences:
    """Cuts between sentences; the white space after a sentence belongs to it.

    A sentence never goes on across a hard line start: a blank line, a heading, a list item, a table row, a line of
    a log or of code; in prose that is wrapped by hand it does. `language` is a code such as `en` or `pt-BR`; of
    languages without rules of their own the general ones are used. `last` gives no cut inside a list item or a
    table row that begins after `start`, since those are units. A quotation is part of its sentence, unless
    `in_quotations` asks for the sentences in it too, as for the long strings of JSON and the cells of CSV.

    Raises:
        ConfigurationError: `language` does not look like a language code.

    Example:
        >>> from spanwise.segmenting.segmenter import segments_of
        >>> segments_of(Sentences(), "Dr. Smith paid $3.14. He left.")
        ['Dr. Smith paid $3.14. ', 'He left.']
        >>> segments_of(Sentences(in_quotations=True), '{"text": "It runs. It stops."}')
        ['{"text": "It runs. ', 'It stops."}']
    """

    __slots__ = ("_rules", "in_quotations", "language")

    name = "sentence"

    def __init__(self, language: str = "en", *, in_quotations: bool = False) -> None:
        match = _LANGUAGE.fullmatch(str(language))
        if match is None:
            raise ConfigurationError(
                f"language is {shown(language)}, which is no language code. Give one such as 'en', 'de' or 'pt-BR'."
            )
        self.language = language
        self.in_quotations = in_quotations
        self._rules = _Rules(match[1].lower(), in_quotations=in_quotations)

    def __repr__(self) -> str:
        return f"Sentences({self.language!r}{', in_quotations=True' if self.in_quotations else ''})"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Sentences, in_quotations=self.in_quotations), (self.language,)

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text; nothing is sought before it is asked for."""
        return _SentenceCuts(Blocks(text), self._rules)

    def cuts_in(self, reading: Reading) -> Cuts:
        """Get ready for a text that was read: sentences end with the blocks of its structure."""
        return _SentenceCuts(reading.blocks, self._rules)


class _SentenceCuts:
    __slots__ = ("_blocks", "_borders", "_cells", "_length", "_rules", "_text")

    def __init__(self, blocks: Blocks | ReadBlocks, rules: _Rules) -> None:
        self._text = blocks.text
        self._length = len(blocks.text)
        self._rules = rules
        self._blocks = blocks
        self._cells: list[_Cell] = []
        self._borders = _Borders(blocks.text)

    def last(self, after: int, upto: int, start: int) -> int:
        if upto >= self._length:
            return max(self._length, after)
        if upto <= after:
            return after
        block = self._blocks.at(upto)
        begin = block.start
        floor = max(after, begin)
        if begin == upto or (block.kind != "plain" and begin > start):
            return floor
        short = self._is_short(block)
        while upto > floor:
            if not short:
                upto = _lowered(self._text, floor, upto)
                if upto == floor:
                    break
            cell = self._cell(block, upto - 1, short=short)
            cut = cell.last(floor, upto)
            if cut:
                return cut
            upto = cell.begin
        return floor

    def next(self, after: int, upto: int) -> int:
        upto = min(upto, self._length)
        if upto <= after:
            return after
        block = self._blocks.at(after)
        short = self._is_short(block)
        if not short and upto - after < _NEAR and _lowered(self._text, after, upto) == after:
            end = self._blocks.end(block, upto + 1)
            return end if after < end <= upto else after
        position = after
        while position < upto:
            cell = self._cell(block, position, short=short)
            cuts = cell.cuts()
            place = bisect_right(cuts, after)
            if place < len(cuts):
                return cuts[place] if cuts[place] <= upto else after
            if cell.closes:
                return cell.end if cell.end <= upto else after
            position = cell.end
        return after

    def _is_short(self, block: Block) -> bool:
        """Say whether a block is read in one piece."""
        most = block.start + _WHOLE_MOST
        if block.end < 0 and block.searched <= most:
            self._blocks.end(block, most + 1)
        return 0 <= block.end <= most

    def _cell(self, block: Block, offset: int, *, short: bool) -> _Cell:
        """Give the cell of the block that holds an offset."""
        cells = self._cells
        for known in cells:
            if known.begin <= offset < known.end:
                return known
        if short:
            begin, end = block.start, block.end
            low, high = block.content, end
        else:
            begin, end = self._borders.around(block.start, offset)
            high = self._blocks.end(block, end + _SURROUNDINGS_AFTER)
            end = min(end, high)
            low = max(block.content, begin - _SURROUNDINGS_BEFORE)
        ends = _Ends(self._rules, self._text, low, high)
        found = _Cell(self._text, block.start, (begin, end), ends, closes=end == block.end)
        if len(cells) >= _REMEMBERED:
            del cells[0]
        cells.append(found)
        return found


class _Borders:
    """Where cells of a long block begin and end; of the full stops last looked at some hundreds are remembered."""

    __slots__ = ("_from", "_length", "_start", "_stops", "_text", "_to")

    def __init__(self, text: str) -> None:
        self._text = text
        self._length = len(text)
        self._start = -1
        self._from = self._to = 0
        self._stops: list[int] = []

    def around(self, start: int, offset: int) -> tuple[int, int]:
        """Give the cell that holds an offset: between borders, or on a grid where there is none for long."""
        text, grid = self._text, offset - (offset - start) % _CELL
        low = max(grid - _SPARSE, start)
        listed = offset + _CELL
        if len(self._stops) > _STOPS_MOST:
            self._start = -1
        self._list(start, low, listed)
        stops = self._stops
        place = bisect_right(stops, offset)
        begin, end = grid, grid + _CELL
        for before in range(place - 1, -1, -1):
            if stops[before] < low:
                break
            if _is_border(text, stops, before):
                begin = stops[before]
                first = begin + _SPARSE + 1
                end = first + (start - first) % _CELL
                break
        while True:
            while place < len(stops) and stops[place] < end and stops[place] <= listed:
                if _is_border(text, stops, place):
                    return begin, stops[place]
                place += 1
            if listed >= end:
                return begin, end
            listed += _CELL
            self._list(start, low, listed)

    def _list(self, start: int, low: int, high: int) -> None:
        """List the full stops of a block from `low` to `high`, and those by which they are told to be borders."""
        low = max(low - _APART - _MARK, start)
        high = min(high + _APART + _MARK, self._length)
        if start != self._start or not self._from <= low <= self._to:
            self._start, self._from, self._to = start, low, high
            self._stops = _full_stops(self._text, low, high)
        elif high > self._to:
            high = min(high + _CELL, self._length)
            more = _full_stops(self._text, self._to - 1, high)  # a mark of two characters may have been cut
            if more and more[0] == self._to:
                del more[0]
            self._stops += more
            self._to = high


class _Cell:
    """A stretch of a block and the cuts in it, the end of the block apart."""

    __slots__ = ("_block", "_cuts", "_ends", "_text", "begin", "closes", "end")

    def __init__(self, text: str, block: int, span: tuple[int, int], ends: _Ends, *, closes: bool) -> None:
        self._text = text
        self._block = block
        self.begin, self.end = span
        self.closes = closes
        """Whether the block ends with it."""
        self._ends = ends
        self._cuts: list[int] | None = None

    def last(self, floor: int, upto: int) -> int:
        """Give the last cut in (floor, upto], or 0; only the ends near `upto` are judged where they decide."""
        cuts = self._cuts
        if cuts is None:
            if self._ends.stand_alone:
                cut = self._judged(max(floor, self.begin), min(upto, self.end))
                if cut is not None:
                    return cut
            cuts = self.cuts()
        place = bisect_right(cuts, upto)
        return cuts[place - 1] if place and cuts[place - 1] > floor else 0

    def _judged(self, floor: int, upto: int) -> int | None:
        """Give the last cut in (floor, upto], 0 for none, or None where all ends must be judged first."""
        text, ends = self._text, self._ends
        low, places = ends.begin, ends.places
        # An end is moved past closing marks and white space alone, so none moves from before the floor to after it.
        least = floor - low if text[floor] not in _MOVED_PAST else -1
        most = bisect_right(places, upto - low)
        fewest = max(0, most - _JUDGED_MOST)
        for place in range(most - 1, fewest - 1, -1):
            if places[place] <= least:
                return 0
            cut = ends.judged(place)
            if cut is None:
                return None
            if cut:
                cut += low
                if cut <= floor:
                    return 0
                if cut <= upto and _may_cut(text, cut, self._block):
                    return cut
        return None if fewest else 0

    def cuts(self) -> list[int]:
        """List all cuts in the cell."""
        cuts = self._cuts
        if cuts is None:
            text, begin, end, block = self._text, self.begin, self.end, self._block
            low = self._ends.begin
            found = [low + cut for cut in self._ends.cuts()]
            cuts = self._cuts = [cut for cut in found if begin < cut <= end and _may_cut(text, cut, block)]
        return cuts


def _is_border(text: str, stops: list[int], place: int) -> bool:
    """Say whether a cell begins after a full stop: what follows it comes first by code points among its neighbours.

    So the same text has the same borders, wherever it stands.
    """
    stop = stops[place]
    following = text[stop : stop + _AROUND]
    at = place - 1
    while at >= 0 and stops[at] >= stop - _APART:
        if text[stops[at] : stops[at] + _AROUND] <= following:
            return False
        at -= 1
    at = place + 1
    while at < len(stops) and stops[at] <= stop + _APART:
        if text[stops[at] : stops[at] + _AROUND] < following:
            return False
        at += 1
    return True


def _full_stops(text: str, low: int, high: int) -> list[int]:
    """List where full stops end in a stretch: those with a blank after them, and those of Chinese and Japanese."""
    stretch = text[low:high]
    end = low
    stops = [end := end + len(piece) + 2 for piece in stretch.split(". ")]
    stops.pop()
    if not stretch.isascii() and "。" in stretch:
        end = low
        stops += [end := end + len(piece) + 1 for piece in stretch.split("。")]
        stops.pop()
        stops.sort()
    return stops


def _lowered(text: str, floor: int, upto: int) -> int:
    """Give a place in [floor, upto] after which, up to `upto`, surely no sentence ends; at little cost.

    A sentence ends after punctuation or an empty line, perhaps with quotes and white space between, or before what
    looks like the number of an item. After a backslash a letter may be white space.
    """
    end = text.find(" ", upto, upto + _WORD_MOST)  # the number of an item that begins before `upto` goes on so far
    if end < 0:
        end = upto + _WORD_MOST
        if text[upto:end].isascii():
            return upto
    size, place = _LOOK_BACK, floor
    while end > floor and place == floor:
        low = max(floor, end - size)
        for match in _may_end().finditer(text, low, end):
            place = match.end()
        end, size = low, size * 4
    if text[place - 1 : place] == "\\":
        place += 1
    if place < upto:
        run = _AFTER_END.match(text, place, upto)
        place = run.end() if run is not None else place
    return min(upto, place)


def _may_cut(text: str, cut: int, low: int) -> bool:
    """Say whether a cut is between clusters and, where no white space is before it, between words."""
    left, right = text[cut - 1], text[cut]
    if right < "\x80" and left == " ":
        return True
    if left in WHITE_SPACE or (left >= "\u2e80" and "\u2e80" <= right < "\ufe00"):
        return is_boundary(text, cut)
    return is_word_cut(text, cut, low)


# --- within a window -------------------------------------------------------------------------------------------

_CLOSING = "\"'”’»›)]}」』）】〕］｝》〉｣"
_WIDE_CLOSING = "」』）】〕］｝》〉｣"
_IDEOGRAPHIC_BRACKET = lazy_pattern("[「『（【〔［《〈｢]")
_PARTNER = dict(zip("「『（【〔［《〈｢([", "」』）】〕］》〉｣)]", strict=True))
_TERMINATOR = regex.compile(r"\p{Sentence_Terminal}")
_LONE_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_WIDE_SPACE = lazy_pattern(r"[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_SPACES = lazy_pattern(f"{SPACE}*+")
_OPENING = "\"'“‘«‹„([¿¡"
_MOVED_PAST = _CLOSING + WHITE_SPACE
_MOVED_PAST_OR_OPENS = _MOVED_PAST + "(["
_HARMLESS = (
    "0-9A-Za-zß-öø-ÿ\u0100-\u01ff\u0386\u0388-\u03ff\u0400-\u04ffぁ-ゖァ-ヺ\u0e00-\u0e4e\u3400-\u9fff가-힣"
    " ,'\"“”‘’%$&=+/@#*°±×–—-"
)
"""Characters by which no sentence ends; letters by ranges, since those are sought five times faster than by class."""

_WORD_MOST = 64
_LOOK_BACK = 96
_NEAR = 8192
_AFTER_END = lazy_pattern(rf"(?:{SPACE}|[\"'“”‘’])*+")
_KNOWN_TO_SENTENCEX = "。．！？｡․﹒﹖﹗"
_CLOSES_SENTENCE = lazy_pattern(f"[.!?{_KNOWN_TO_SENTENCEX}][)\\]]")
_ADDRESS_END = lazy_pattern(rf"[/@][^ \n/@]*\.[\"'”’»)\]]{{0,2}}{SPACE}")


@cache
def _may_end() -> re.Pattern[str]:
    """What may end a sentence; not the full stop of 2.5 or a.b. Compiled late, since that takes milliseconds."""
    return re.compile(rf"[^{_HARMLESS}](?<!\.(?=[0-9a-z]))")


@cache
def _peculiar() -> re.Pattern[str]:
    """What sentencex cannot read or misses, or what bars its ends; all characters beyond the basic plane."""
    rare = regex.findall(
        rf"(?V1)[\p{{Sentence_Terminal}}--[.!?{_KNOWN_TO_SENTENCEX}]]", "".join(map(chr, range(0x10000)))
    )
    return re.compile(rf"[{''.join(rare)}…「『（【〔［《〈｢\ud800-\udfff\U00010000-\U0010ffff{_WIDE_SPACE.pattern[1:]}")


_UNKNOWN_TO_SENTENCEX = regex.compile(
    r"(?V1)[\p{Sentence_Terminal}--[.!?\u3002\uff0e\uff01\uff1f\uff61\u2024\ufe52\ufe56\ufe57]]++"
    rf"[{re.escape(_CLOSING)}]*+"
)
"""Terminators that are so in any context; sentencex lacks some (Khmer, Balinese, vertical forms)."""

_QUOTATIVE = lazy_pattern("と(?=[聞言叫思問驚答訊尋語呼書])|という|といっ|とか|との|って|などと")
"""Japanese words that make a sentence a part of the next one: 「…？」と聞かれた."""

_HIRAGANA = lazy_pattern("[ぁ-ゟ]")
_NUMBER_ALONE = lazy_pattern(r"[(\[]?(?:[0-9]{1,3}|[A-Za-z]|[ivx]{1,5}|[IVX]{1,5})[.)]" + f"{SPACE}*+")
"""The number of a list item or clause: it stays with what it numbers."""

_BRACKET_ENDS = lazy_pattern(r"\w{1,5}\)")
"""What looks like the mark of a list item, `a)`, and ends a bracket where one is open: a gun of 7 inches (178 mm)."""

_JOINED = {
    "": "dr mr mrs ms prof st fig figs eq eqs vs cf viz approx resp ca al",
    "en": "messrs gen col capt lt sgt rev hon gov sen rep pres supt adm cmdr mt ft sec secs approx dept est incl "
    "e.g i.e hr mme mlle assoc",
    "fr": "m mm mme mmes mlle mlles dr mgr me pr st ste cf fig p pp art chap vol éd env ex av apr c.-à-d p.ex tél bd",
    "de": "z.b d.h u.a o.ä bzw ca dr prof hr fr nr abb abs art bd evtl ggf inkl s tab vgl z.t st dipl-ing sog geb gest "
    "i.d.r u.u m.e str kap mio mrd mind",
    "es": "sr sra srta sres dr dra d dña ud uds vd prof profa pág págs núm fig art cap vol ej p.ej av avda gral ing",
    "it": "sig sigg sig.ra sig.na dott dott.ssa prof prof.ssa ing avv on pag pagg p.es art cap fig vol",
    "pt": "sr sra srta dr dra prof profa pág págs núm fig art cap vol av eng p.ex",
    "nl": "dhr mevr mej mr dr drs ir ing prof bijv bv blz fig nr art o.a d.w.z m.b.t t.o.v i.v.m ca",
    "ru": "г гг ул т.е т.к т.н проф акад им стр рис табл см ср напр кв тов св",
    "pl": "np tj dr prof ul al św nr str ryc rys tab tzn tzw m.in inż mgr por",
    "sv": "bl.a t.ex dvs d.v.s ca nr fig kap jfr dr prof",
    "hi": "डॉ श्री श्रीमती प्रो",
    "mr": "डॉ श्री श्रीमती प्रा",
    "da": "bl.a f.eks dvs d.v.s ca nr fig kap jf dr prof hr",
}
"""Abbreviations after which a sentence goes on whatever follows: titles, references, "that is"."""

_JOINED_TO_NUMBER = frozenset(
    re.split(
        " ",
        "no nos nr nº p pp pg par para art ch chap vol vols v ver sec sect tab app ex ln fn n jan feb mar apr jun jul "
        "aug sep sept oct nov dec pág págs pag núm cap str abb bd s kap стр рис табл",
    )
)
"""Abbreviations after which a sentence goes on if a number follows."""

_ORDINALS = {
    "de": "januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert "
    "jahrhunderts jh auflage kapitel klasse weltkrieg weltkriegs lebensjahr stock geburtstag bezirk platz tag mal "
    "etage semester jahrtausend",
    "da": "januar februar marts april maj juni juli august september oktober november december århundrede",
    "no": "januar februar mars april mai juni juli august september oktober november desember århundre",
    "nb": "januar februar mars april mai juni juli august september oktober november desember århundre",
}
"""What follows an ordinal, which is written as a number with a full stop: 3. März."""


class _Rules:
    """What makes a sentence end in one language, or go on."""

    __slots__ = ("in_quotations", "joined", "language", "ordinals")

    def __init__(self, language: str, *, in_quotations: bool = False) -> None:
        self.language = language
        self.joined = frozenset(f"{_JOINED['']} {_JOINED.get(language, '')}".split())
        self.ordinals = frozenset(_ORDINALS.get(language, "").split())
        self.in_quotations = in_quotations


class _Ends:
    """Where sentences end in a window: the places that sentencex gives, each judged, and those that it misses."""

    __slots__ = ("_body", "_rules", "_segments", "begin", "places", "stand_alone")

    def __init__(self, rules: _Rules, text: str, low: int, high: int) -> None:
        self._rules = rules
        self.begin = low
        self._body = body = text[low:high].rstrip(WHITE_SPACE)
        self._segments: list[str] = []
        self.places: list[int] = []
        """Where the segments of sentencex end, without the end of the window."""
        self.stand_alone = True
        """Whether each cut is one of those places, moved, and hangs on those before it only where `judged` says so."""
        if len(body) < 2:
            return
        peculiar = not body.isascii() and _peculiar().search(body) is not None
        segments = _segments(rules.language, _without_quotes(body) if rules.in_quotations else body, odd=peculiar)
        places = list(accumulate(map(len, segments)))
        # Were anything missing, offsets would be guesses.
        if places and places.pop() == len(body):  # pragma: no branch  nothing of sentencex is known to lose text
            self._segments, self.places = segments, places
        self.stand_alone = not (
            peculiar
            or rules.in_quotations
            or self._brackets_a_sentence()
            or (("/" in body or "@" in body) and _ADDRESS_END.search(body) is not None)
        )

    def _brackets_a_sentence(self) -> bool:
        """Say at little cost whether a bracket may stand where a sentence begins, and close right after its end."""
        body = self._body
        if body[0] not in "([":
            for place in self.places:
                if body[place] in _MOVED_PAST_OR_OPENS:
                    break
            else:
                return False
        return _CLOSES_SENTENCE.search(body) is not None

    def judged(self, place: int) -> int | None:
        """Give the cut that one of the places makes, 0 for none, or None where that hangs on the places before it."""
        body, rules = self._body, self._rules
        end, segment = self.places[place], self._segments[place]
        if _surely_ends(segment, body[end], rules.joined):
            return end
        alone = (len(segment) < 8 or segment[7] in WHITE_SPACE) and _NUMBER_ALONE.fullmatch(segment) is not None
        if place and (alone or (segment[0] in _MOVED_PAST and not segment.strip(_MOVED_PAST))):
            return None
        cut = _past_end(body, end)
        return cut if cut < len(body) and not alone and not _goes_on(body, cut, segment, rules) else 0

    def cuts(self) -> list[int]:
        """List all cuts."""
        body, rules = self._body, self._rules
        cuts: list[int] = []
        start = cut = 0  # where the segment begins, and the end before it moved past what belongs to it
        for end, masked in zip(self.places, self._segments, strict=False):
            segment = body[start:end] if rules.in_quotations else masked
            if _surely_ends(segment, body[end], rules.joined):
                cut = end
                cuts.append(cut)
            elif end > cut:
                alone = start <= (cuts[-1] if cuts else 0) and _NUMBER_ALONE.fullmatch(segment) is not None
                cut = _past_end(body, end)
                if cut < len(body) and not alone and not _goes_on(body, cut, segment, rules):
                    cuts.append(cut)
            start = end
        if self.stand_alone:
            return cuts
        if rules.in_quotations:
            cuts = _before_escaped_lines(body, cuts)
        cuts = _with_missed(body, cuts, rules.joined)
        return cuts if body.isascii() else _without_bracketed(body, cuts)


_ESCAPED_LINES = lazy_pattern(r"(?<=[.!?…])(?:\\[nrt])+")
_QUOTE = lazy_pattern(
    r"""(?P<opening>[“‘«‹„(\[{]|(?:(?<=[\s(\[{:,=])|^)["'](?=\S))|["”’»›)\]}]|(?<!\w)'|""" + _ESCAPED_LINES.pattern
)
"""A mark of a quotation or bracket, or line ends as JSON and source code write them, after the end of a sentence."""


def _without_quotes(body: str) -> str:
    """Put a letter in the place of each mark that opens a quotation, and blanks in that of others."""
    return _QUOTE.sub(lambda match: "A" if match["opening"] else " " * len(match[0]), body)


def _before_escaped_lines(body: str, cuts: list[int]) -> list[int]:
    """Move cuts to before line ends written as JSON writes them, whose last letter is a word with what follows."""
    ends = {match.end(): match.start() for match in _ESCAPED_LINES.finditer(body)}
    return [ends.get(cut, cut) for cut in cuts] if ends else cuts


def _surely_ends(segment: str, following: str, joined: frozenset[str]) -> bool:
    """Say at little cost that a sentence ends as most do: a mark, one blank, a capital letter."""
    if not "A" <= following <= "Z" or segment[-1] not in " \n":
        return False
    mark = segment[-2:-1]
    if mark == ".":
        word = segment[segment.rfind(" ", 0, -2) + 1 : -2]
        return word.islower() and word.isalpha() and word not in joined
    return mark in {"!", "?"}


def _segments(language: str, body: str, *, odd: bool) -> list[str]:
    """List what sentencex makes of a window; `odd` where it may hold what sentencex cannot read."""
    import sentencex  # noqa: PLC0415 -- four megabytes that `import spanwise` need not load

    if odd:
        # sentencex 1.0.32 panics where a full stop follows white space of several bytes, and refuses lone surrogates.
        body = _LONE_SURROGATE.sub("\ufffd", _WIDE_SPACE.sub(" ", body))
    segments: list[str] = sentencex.segment(language, body)
    return segments


def _past_end(body: str, end: int) -> int:
    """Move an end past closing marks that stand right there, then past white space."""
    length = len(body)
    if body[end - 1] not in WHITE_SPACE:
        while end < length and body[end] in _CLOSING and (body[end] not in "\"'" or _closes(body, end)):
            end += 1
    if end < length and body[end] in WHITE_SPACE:
        match = _SPACES.match(body, end)
        end = match.end() if match is not None else end
    return end


def _closes(body: str, place: int) -> bool:
    """Say whether a straight quote closes: white space or the end follows it."""
    return place + 1 == len(body) or body[place + 1] in WHITE_SPACE


def _goes_on(body: str, cut: int, segment: str, rules: _Rules) -> bool:
    """Say whether a sentence goes on although sentencex cuts."""
    kept = segment.rstrip(WHITE_SPACE)
    if not kept or (_BRACKET_ENDS.match(body, cut) is not None and kept.rfind("(") > kept.rfind(")")):
        return True
    mark = kept[-1]
    if mark == ".":
        return _goes_on_after_stop(body, cut, kept, rules)
    if mark in _WIDE_CLOSING or body[cut - 1] in _WIDE_CLOSING:
        return _HIRAGANA.match(body, cut) is not None
    return mark in "？！?!" and _QUOTATIVE.match(body, cut) is not None


def _goes_on_after_stop(body: str, cut: int, kept: str, rules: _Rules) -> bool:
    following = body[cut]
    space = len(kept) - 1
    space = max(kept.rfind(" ", 0, space), kept.rfind("\n", 0, space))
    word = kept[space + 1 : -1].lstrip("([\"'“‘«„").lower()
    if word in rules.joined or (following.isdigit() and word in _JOINED_TO_NUMBER):
        return True
    if rules.ordinals and len(word) < 3 and word.isdigit():
        match = _WORD.match(body, cut)
        return match is not None and match[0].lower() in rules.ordinals
    if following.islower() and (len(word) < 2 or "." in word):
        return True  # "av. J.-C. est": a name or an abbreviation, and no capital letter after it
    # "J.-C.", "a.b", ".😀": nothing is between the full stop and what follows, and that is no ideograph.
    return body[cut - 1] == "." and (following < "\x80" or not following.isalpha())


_WORD = lazy_pattern(r"[^\W\d_]+")
_SKIPPED_END = lazy_pattern(rf"(?:…[\"'”’»)\]]{{0,3}}|(?<=[\w/])\.[\"'”’»)\]]{{0,2}}){SPACE}++")


def _with_missed(body: str, cuts: list[int], joined: frozenset[str]) -> list[int]:
    """Add ends that sentencex skips: after addresses, an ellipsis, a sentence in brackets, rare terminators."""
    more: list[int] = []
    if "/" in body or "@" in body or "…" in body:
        more.extend(_after_addresses(body, joined))
    if not body.isascii():
        more.extend(
            cut for match in _UNKNOWN_TO_SENTENCEX.finditer(body) if (cut := _past_end(body, match.end())) < len(body)
        )
    if "(" in body or "[" in body or "（" in body or "【" in body:
        more.extend(_after_brackets(body, cuts))
    return sorted({*cuts, *more}) if more else cuts


def _after_addresses(body: str, joined: frozenset[str]) -> Iterator[int]:
    floor = 0
    for match in _SKIPPED_END.finditer(body):
        start = match.start()
        if _begins(body, match.end()):
            if body[start] == "…":
                yield match.end()
            else:
                word = body[max(body.rfind(" ", floor, start), body.rfind("\n", floor, start), floor - 1) + 1 : start]
                if ("/" in word or "@" in word) and word.rpartition("/")[2].lower() not in joined:
                    yield match.end()
        floor = match.end()


def _after_brackets(body: str, cuts: list[int]) -> Iterator[int]:
    """Yield the ends of brackets that hold a whole sentence: they begin where one begins and close after its mark."""
    for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True):
        partner = _PARTNER.get(body[start])
        if partner is None or partner in "」』":
            continue
        closing = body.find(partner, start + 1, end)
        if closing > 0 and _TERMINATOR.match(body, closing - 1):
            cut = _past_end(body, closing + 1)
            if cut < end and (_begins(body, cut) if body[cut - 1] in WHITE_SPACE else _is_ideograph(body[cut])):
                yield cut


def _is_ideograph(character: str) -> bool:
    return character >= "\u2e80" and character.isalpha() and _HIRAGANA.match(character) is None


def _begins(body: str, place: int) -> bool:
    """Say whether a sentence may begin here: a letter that is not lower case, perhaps after opening marks."""
    for character in body[place : place + 3]:
        if character not in _OPENING:
            return character.isalpha() and not character.islower()
    return False


def _without_bracketed(body: str, cuts: list[int]) -> list[int]:
    """Drop cuts inside ideographic brackets that close soon: 「どこ？いつ？」, （税込。送料別）."""
    if not cuts or _IDEOGRAPHIC_BRACKET.search(body) is None:
        return cuts
    kept = []
    position = 0
    barred = 0
    for cut in cuts:
        while (opening := _IDEOGRAPHIC_BRACKET.search(body, position, cut)) is not None:
            position = opening.end()
            if opening.start() >= barred:
                closing = body.find(_PARTNER[opening[0]], position, position + _BRACKETED_MOST)
                barred = max(barred, closing)
        position = max(position, cut)
        if cut > barred:
            kept.append(cut)
    return kept
