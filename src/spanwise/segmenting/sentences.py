"""Where does a sentence end? After sentencex, put right where it errs, block by block.

`sentencex` knows the full stops and abbreviations of some 300 languages. It is given one block at a time, so a
sentence ends at the latest where its block ends, and of a long block one cell with its surroundings, so that a look-up
costs the same wherever it is. Cells begin where the text around says so, so that an edit changes no cut far from it.
The cuts depend on the text alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import regex

from spanwise.errors import ConfigurationError, shown
from spanwise.segmenting.blocks import Block, Blocks
from spanwise.segmenting.graphemes import is_boundary
from spanwise.segmenting.words import is_word_cut
from spanwise.whitespace import SPACE, WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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

_MARKS = (". ", "。")
_MARK = 2  # characters of the longest of them
_AROUND = 24  # characters after a full stop by which it is compared with others
_APART = 128  # two borders are further apart
_SPARSE = 512  # so long after a border the grid begins again

_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)


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

    __slots__ = ("_find", "in_quotations", "language")

    name = "sentence"

    def __init__(self, language: str = "en", *, in_quotations: bool = False) -> None:
        match = _LANGUAGE.fullmatch(str(language))
        if match is None:
            raise ConfigurationError(
                f"language is {shown(language)}, which is no language code. Give one such as 'en', 'de' or 'pt-BR'."
            )
        self.language = language
        self.in_quotations = in_quotations
        self._find = _finder(match[1].lower(), in_quotations=in_quotations)

    def __repr__(self) -> str:
        return f"Sentences({self.language!r}{', in_quotations=True' if self.in_quotations else ''})"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Sentences, in_quotations=self.in_quotations), (self.language,)

    def cuts(self, text: str) -> Cuts:
        """Get ready for one text; nothing is sought before it is asked for."""
        return _SentenceCuts(Blocks(text), self._find)

    def cuts_in(self, reading: Reading) -> Cuts:
        """Get ready for a text that was read: sentences end with the blocks of its structure."""
        return _SentenceCuts(reading.blocks, self._find)


class _SentenceCuts:
    __slots__ = ("_blocks", "_cells", "_find", "_length", "_text")

    def __init__(self, blocks: Blocks | ReadBlocks, find: Callable[[str], list[int]]) -> None:
        self._text = blocks.text
        self._length = len(blocks.text)
        self._find = find
        self._blocks = blocks
        self._cells: list[_Cell] = []

    def last(self, after: int, upto: int, start: int) -> int:
        if upto >= self._length:
            return max(self._length, after)
        if upto <= after:
            return after
        block = self._blocks.at(upto)
        floor = max(after, block.start)
        if block.start == upto or (block.kind != "plain" and block.start > start):
            return floor
        while upto > floor:
            begin, _, _, cuts = self._cell(block, upto - 1)
            place = bisect_right(cuts, upto)
            if place:
                return max(cuts[place - 1], floor)
            upto = begin
        return floor

    def next(self, after: int, upto: int) -> int:
        upto = min(upto, self._length)
        if upto <= after:
            return after
        block = self._blocks.at(after)
        position = after
        while position < upto:
            _, end, closes, cuts = self._cell(block, position)
            place = bisect_right(cuts, after)
            if place < len(cuts):
                return cuts[place] if cuts[place] <= upto else after
            if closes:
                return end if end <= upto else after
            position = end
        return after

    def _cell(self, block: Block, offset: int) -> _Cell:
        """Give the cell of the block that holds an offset."""
        for known in self._cells:
            if known.begin <= offset < known.end:
                return known
        found = self._found(block, offset)
        if len(self._cells) >= _REMEMBERED:
            del self._cells[0]
        self._cells.append(found)
        return found

    def _found(self, block: Block, offset: int) -> _Cell:
        text = self._text
        most = block.start + _WHOLE_MOST
        if block.end < 0 and block.searched <= most:
            self._blocks.end(block, most + 1)
        if 0 <= block.end <= most:
            begin, end = block.start, block.end
            low, high = block.content, end
        else:
            begin, end = self._bounds(block.start, offset)
            high = self._blocks.end(block, end + _SURROUNDINGS_AFTER)
            end = min(end, high)
            low = max(block.content, begin - _SURROUNDINGS_BEFORE)
        found = (low + cut for cut in self._find(text[low:high]))
        cuts = [cut for cut in found if begin < cut <= end and _may_cut(text, cut, block.start)]
        return _Cell(begin, end, end == block.end, cuts)

    def _bounds(self, start: int, offset: int) -> tuple[int, int]:
        """Give where a cell of a long block begins and ends: at borders, or on a grid where there is none for long."""
        text, grid = self._text, offset - (offset - start) % _CELL
        low, high = max(grid - _SPARSE, start), offset + _SPARSE + _CELL
        stops = _full_stops(text, max(low - _APART - _MARK, start), min(high + _APART + _MARK, self._length))
        place = bisect_right(stops, offset)
        before = place - 1
        while before >= 0 and stops[before] >= low and not _is_border(text, stops, before):
            before -= 1
        if before >= 0 and stops[before] >= low:
            begin = stops[before]
            first = begin + _SPARSE + 1
            end = first + (start - first) % _CELL
        else:
            begin, end = grid, grid + _CELL
        while place < len(stops) and stops[place] < end:
            if _is_border(text, stops, place):
                return begin, stops[place]
            place += 1
        return begin, end


class _Cell(NamedTuple):
    """A stretch of a block, whether the block ends with it, and the cuts in it, the end of the block apart."""

    begin: int
    end: int
    closes: bool
    cuts: list[int]


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
    ends = []
    for mark in _MARKS:
        at = text.find(mark, low, high)
        while at >= 0:
            ends.append(at + len(mark))
            at = text.find(mark, at + len(mark), high)
    return sorted(ends)


def _may_cut(text: str, cut: int, low: int) -> bool:
    """Say whether a cut is between clusters and, where no white space is before it, between words."""
    left, right = text[cut - 1], text[cut]
    if left in WHITE_SPACE or (left >= "\u2e80" and "\u2e80" <= right < "\ufe00"):
        return is_boundary(text, cut)
    return is_word_cut(text, cut, low)


# --- within a window -------------------------------------------------------------------------------------------

_CLOSING = "\"'”’»›)]}」』）】〕］｝》〉｣"
_WIDE_CLOSING = "」』）】〕］｝》〉｣"
_IDEOGRAPHIC_BRACKET = re.compile("[「『（【〔［《〈｢]")
_PARTNER = dict(zip("「『（【〔［《〈｢([", "」』）】〕］》〉｣)]", strict=True))
_TERMINATOR = regex.compile(r"\p{Sentence_Terminal}")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDE_SPACE = re.compile(r"[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_SPACES = re.compile(f"{SPACE}*+")
_OPENING = "\"'“‘«‹„([¿¡"

_UNKNOWN_TO_SENTENCEX = regex.compile(
    r"(?V1)[\p{Sentence_Terminal}--[.!?\u3002\uff0e\uff01\uff1f\uff61\u2024\ufe52\ufe56\ufe57]]++"
    rf"[{re.escape(_CLOSING)}]*+"
)
"""Terminators that are so in any context; sentencex lacks some (Khmer, Balinese, vertical forms)."""

_QUOTATIVE = re.compile("と(?=[聞言叫思問驚答訊尋語呼書])|という|といっ|とか|との|って|などと")
"""Japanese words that make a sentence a part of the next one: 「…？」と聞かれた."""

_HIRAGANA = re.compile("[ぁ-ゟ]")
_NUMBER_ALONE = re.compile(r"[(\[]?(?:[0-9]{1,3}|[A-Za-z]|[ivx]{1,5}|[IVX]{1,5})[.)]" + f"{SPACE}*+")
"""The number of a list item or clause: it stays with what it numbers."""

_BRACKET_ENDS = re.compile(r"\w{1,5}\)")
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


def _finder(language: str, *, in_quotations: bool = False) -> Callable[[str], list[int]]:
    joined = frozenset(f"{_JOINED['']} {_JOINED.get(language, '')}".split())
    ordinals = frozenset(_ORDINALS.get(language, "").split())

    def find(window: str) -> list[int]:
        """List where sentences end in a window, without its own end."""
        body = window.rstrip(WHITE_SPACE)
        if len(body) < 2:
            return []
        cuts = []
        end = cut = 0  # where the segment ends, and that end moved past what belongs to it
        for masked in _segments(language, _without_quotes(body) if in_quotations else body)[:-1]:
            segment = body[end : end + len(masked)] if in_quotations else masked
            end += len(masked)
            if _surely_ends(segment, body[end], joined):
                cut = end
                cuts.append(cut)
            elif end > cut:
                alone = end - len(segment) <= (cuts[-1] if cuts else 0) and _NUMBER_ALONE.fullmatch(segment) is not None
                cut = _past_end(body, end)
                if cut < len(body) and not alone and not _goes_on(body, cut, segment, joined, ordinals):
                    cuts.append(cut)
        if in_quotations:
            cuts = _before_escaped_lines(body, cuts)
        cuts = _with_missed(body, cuts, joined)
        return cuts if body.isascii() else _without_bracketed(body, cuts)

    return find


_ESCAPED_LINES = re.compile(r"(?<=[.!?…])(?:\\[nrt])+")
_QUOTE = re.compile(
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


def _segments(language: str, body: str) -> list[str]:
    """List what sentencex makes of a window."""
    import sentencex  # noqa: PLC0415 -- four megabytes that `import spanwise` need not load

    if not body.isascii():
        # sentencex 1.0.32 panics where a full stop follows white space of several bytes, and refuses lone surrogates.
        body = _WIDE_SPACE.sub(" ", body)
        if _LONE_SURROGATE.search(body) is not None:
            body = _LONE_SURROGATE.sub("\ufffd", body)
    segments: list[str] = sentencex.segment(language, body)
    # Were anything missing, offsets would be guesses.
    return segments if sum(map(len, segments)) == len(body) else []


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


def _goes_on(body: str, cut: int, segment: str, joined: frozenset[str], ordinals: frozenset[str]) -> bool:
    """Say whether a sentence goes on although sentencex cuts."""
    kept = segment.rstrip(WHITE_SPACE)
    if not kept or (_BRACKET_ENDS.match(body, cut) is not None and kept.rfind("(") > kept.rfind(")")):
        return True
    mark = kept[-1]
    if mark == ".":
        return _goes_on_after_stop(body, cut, kept, joined, ordinals)
    if mark in _WIDE_CLOSING or body[cut - 1] in _WIDE_CLOSING:
        return _HIRAGANA.match(body, cut) is not None
    return mark in "？！?!" and _QUOTATIVE.match(body, cut) is not None


def _goes_on_after_stop(body: str, cut: int, kept: str, joined: frozenset[str], ordinals: frozenset[str]) -> bool:
    following = body[cut]
    space = len(kept) - 1
    space = max(kept.rfind(" ", 0, space), kept.rfind("\n", 0, space))
    word = kept[space + 1 : -1].lstrip("([\"'“‘«„").lower()
    if word in joined or (following.isdigit() and word in _JOINED_TO_NUMBER):
        return True
    if ordinals and len(word) < 3 and word.isdigit():
        match = _WORD.match(body, cut)
        return match is not None and match[0].lower() in ordinals
    if following.islower() and (len(word) < 2 or "." in word):
        return True  # "av. J.-C. est": a name or an abbreviation, and no capital letter after it
    # "J.-C.", "a.b", ".😀": nothing is between the full stop and what follows, and that is no ideograph.
    return body[cut - 1] == "." and (following < "\x80" or not following.isalpha())


_WORD = re.compile(r"[^\W\d_]+")
_SKIPPED_END = re.compile(rf"(?:…[\"'”’»)\]]{{0,3}}|(?<=[\w/])\.[\"'”’»)\]]{{0,2}}){SPACE}++")


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
        while position < cut:
            opening = _IDEOGRAPHIC_BRACKET.search(body, position, cut)
            if opening is None:
                break
            position = opening.end()
            if opening.start() >= barred:
                closing = body.find(_PARTNER[opening[0]], position, position + _BRACKETED_MOST)
                barred = max(barred, closing)
        position = max(position, cut)
        if cut > barred:
            kept.append(cut)
    return kept
