"""Who wrote what to whom: messages, mailboxes and threads as plain text.

A message begins with its header block (RFC 5322), with the line that parts messages in a mailbox (RFC 4155), or where
a reply quotes it: after "On … wrote:" or "-----Original Message-----". A thread is read as a sequence: a quoted message
is a section like any other, and after it the message goes on in which it was quoted. What is quoted in a part of a
message (RFC 2046, 5.1) ends with that part.
"""

from __future__ import annotations

import binascii
import re
from bisect import bisect_right
from itertools import pairwise
from quopri import decodestring
from typing import TYPE_CHECKING, NamedTuple

from spanwise.formats.line_feeds import line_fed
from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading
from spanwise.structure import Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.formats.glances import Glance

__all__ = ["looks_like_email", "read_email"]

_LONGEST_TITLE = 300
_LONGEST_HEADER = 32_768
_LONGEST_WHOLE = 2_000  # characters: a longer quotation or signature is text like any other
_LONGEST_INTRODUCTION = 500
_DEEPEST_QUOTE = 16

_QUOTE = rf"(?P<quote>(?:>[ ]?){{0,{_DEEPEST_QUOTE}}}+)"
_FIELD_NAME = r"\*?(?P<name>[^\W\d_][\w-]{0,75}+(?:[ ][\w-]{1,20}+)?+)\*?[ \xa0]?:\*?(?=[\s]|\Z)"
_FIELDS = {
    "from": "from von de da van från",
    "date": "date datum sent gesendet envoyé fecha data inviato verzonden enviado skickat",
    "subject": "subject betreff objet asunto oggetto onderwerp assunto ämne",
    "other": "to an à para a aan till cc bcc kopie reply-to message-id received return-path in-reply-to references"
    " sender delivered-to mime-version content-type newsgroups",
}
_KIND_OF = {name: kind for kind, names in _FIELDS.items() for name in names.split()}
_PARTED = (
    r"(?P<parted>-{2,}[ ]?(?:Original|Forwarded|Ursprüngliche|Weitergeleitete|Message|Mensaje|Messaggio|Oorspronkelijk)"
    r"[^\n]{0,60}?-{2,}|Begin forwarded message:|_{20,})[ \t]*(?=\n|\Z)"
)
_REPLIED = lazy_pattern(
    r"\n\*?(?:From|Von|De|Da|Van|Från)[ \xa0]?:\*?[ \t\xa0][^\n]++\n"
    r"\*?(?:(?P<sent>Sent|Gesendet|Envoyé|Enviado|Inviato|Verzonden|Skickat)|Date|Datum|Fecha|Data)[ \xa0]?:\*?"
    r"[ \t\xa0](?=[^\n]{0,200}?\d)[^\n]++\n"
    r"\*?(?:To|An|À|Para|A|Aan|Till|Cc|Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Ämne)"
    r"[ \xa0]?:"
)
"""The header block that Outlook writes above what a reply quotes; one with "Sent" is written for nothing else."""
_FORWARDED = lazy_pattern(r"\n-{2,}[ ]?[A-ZÜ]")
_WROTE = r"(?:wrote|writes|schrieb|a[ ]écrit|escribió|ha[ ]scritto|schreef|escreveu)"
_MAILBOX = r"(?P<mailbox>From[ ][^\s]{1,300}+[ ][^\n]{0,60}?\d\d:\d\d[^\n]{0,30}?\d{4})"
_BEGIN = rf"\n\ufeff?{_QUOTE}(?:{_MAILBOX}|{_PARTED}|(?P<field>{_FIELD_NAME})"
_DATED = r"|(?P<dated>(?:On|Am|Le|El|Il|Op|Em)[ ](?=[^\n]{0,200}\d))"
_NAMED = rf"|(?P<named>[^\s>][^\n]{{1,120}}?[ ]{_WROTE}[ ]?:)[ \t]*(?=\n)"
_EVENT = lazy_pattern(_BEGIN + "|(?P<dated>(?!))|(?P<named>(?!)))")
_EVENT_OR_REPLY = lazy_pattern(_BEGIN + _DATED + _NAMED + ")")
_FIELD = lazy_pattern(_FIELD_NAME)
_WROTE_WORD = lazy_pattern(rf"\b{_WROTE}\b")
_INTRODUCED = lazy_pattern(rf"\b{_WROTE}\b(?:[^\n]{{0,120}}?|[^\n]{{0,80}}\n[> ]*+[^\n]{{1,120}}?):[ \t]*(?=\n|\Z)")
_BLANK_INSIDE = lazy_pattern(r"\n[> \t]*+(?=\n)")
_PREPOSITION = lazy_pattern(r"(?:On|Am|Le|El|Il|Op|Em) ")
_DATE_OR_TIME = lazy_pattern(
    r"\d{1,2}:\d\d(?::\d\d)?(?:[ \u202f]?[AaPp]\.?[Mm]\b\.?)?"
    r"(?:[ ](?:Uhr|UTC|GMT|[A-Z]{2,4}T|[+-]\d{4})\b)?(?:[ ]\([A-Z]{2,5}\))?"
    r"|\b\d{4}\b|\b\d{1,2}[-./]\d{1,2}[-./]\d{2,4}\b"
)
_QUOTED = lazy_pattern(r"\n\ufeff?>[^\n]*+(?:\n>[^\n]*+)*+")
_NOT_QUOTED = lazy_pattern(r"\n(?!>)")
_SIGNATURE = lazy_pattern(r"\n--[ \t]{0,2}(?=\n)")
_INK = lazy_pattern(r"\n(?P<quote>[> \t]{0,1000}+)(?=[^\s])")
_SHALLOWER = tuple(
    lazy_pattern(rf"\n(?!(?:>[ ]?){{{depth + 1}}})(?=[> \t]{{0,1000}}+[^\s])") for depth in range(_DEEPEST_QUOTE + 1)
)
"""By depth: the next line that holds something and is quoted no deeper than that."""
_PARTS = lazy_pattern(
    r"\n--(?P<delimiter>[^\s-][^\n]{0,71}?|-[^\n]{0,71}?)[ \t]*(?=\n|\Z)"
    r"|\b(?i:boundary)[ ]?=[ ]?(?:\"(?P<quoted>[^\"\n]{1,70})\"|(?P<bare>[^\"\s;]{1,70}))"
)
_ENCODED_WORD = lazy_pattern(
    r"=\?([A-Za-z0-9_.:-]{1,40})(?:\*[A-Za-z-]{1,20})?\?([BbQq])\?([^?\s]{0,200})\?=(?:\s+(?==\?))?"
)
# Other names are not looked up: Python keeps every name that it was ever asked for.
_CHARSET = lazy_pattern(
    r"utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|cp125\d|koi8-[ru]"
    r"|gb2312|gbk|gb18030|big5|shift_jis|iso-2022-jp|euc-jp|euc-kr",
    re.IGNORECASE,
)


class _Message(NamedTuple):
    """A message: where it begins, what it is called, how deep it is quoted, and where that ends."""

    start: int
    title: str
    depth: int
    end: int


class _Header(NamedTuple):
    """A header block: its end, the first value of each kind of field, and how many fields are those of letters."""

    end: int
    values: dict[str, str]
    known: int


class _Reader:
    """Finds the messages and header blocks of one text."""

    def __init__(self, text: str) -> None:
        self.size = len(text)
        self.lined = line_fed(text)
        self.messages: list[_Message] = []
        self.headers: list[Unit] = []
        self._ends: dict[int, tuple[int, int]] = {}
        event = _EVENT_OR_REPLY if _WROTE_WORD.search(text) else _EVENT
        position = 0
        while (found := event.search(self.lined, position)) is not None:
            position = self._read_event(found)
        if "oundary" in text or "OUNDARY" in text:
            self.messages = _ended_with_parts(self.lined, self.messages)

    def _read_event(self, event: re.Match[str]) -> int:
        """Read what begins with this line, and give where to go on."""
        if event["mailbox"] or event["parted"]:
            return self._read_after_line(event)
        if event["dated"] or event["named"]:
            return self._read_introduction(event)
        if not _follows_blank_line(self.lined, event.start()) and not _REPLIED.match(self.lined, event.start()):
            return event.end()
        header = self._header(event.start(), event["quote"].count(">"))
        if header.known > 2 and "from" in header.values:
            self._add_header(event, header)
        return max(header.end, event.end())

    def _read_after_line(self, event: re.Match[str]) -> int:
        """Read the header block after a line that parts messages."""
        depth = event["quote"].count(">")
        following = _INK.search(self.lined, event.end(), event.end() + _LONGEST_INTRODUCTION)
        if following is None or following["quote"].count(">") != depth or (depth and event["mailbox"]):
            return event.end()
        if depth and _NOT_QUOTED.search(self.lined, event.end(), following.end()):
            return event.end()
        header = self._header(following.start(), depth)
        if header.known and (event["mailbox"] or (header.known > 1 and "from" in header.values)):
            self._add_header(event, header)
        return max(header.end, event.end())

    def _header(self, start: int, depth: int) -> _Header:
        """Read fields line by line: a name, a colon and a value; folded lines begin blank (RFC 5322, 2.2.3)."""
        values: dict[str, str] = {}
        names: set[str] = set()
        kind, end = "", start
        for line, stop in self._lines(start, depth):
            field = _FIELD.match(line)
            if field is not None:
                name = field["name"].lower()
                names.add(name)
                kind = _KIND_OF.get(name, "")
                kind = "" if kind in values else kind
            elif end == start or line[0] not in " \t":
                break
            if kind:
                value = line[field.end() :] if field else line
                values[kind] = (values.get(kind, "") + value)[: 4 * _LONGEST_TITLE]
            end = stop
        return _Header(end, values, len(names & _KIND_OF.keys()))

    def _lines(self, start: int, depth: int) -> Iterator[tuple[str, int]]:
        """Yield the lines from `start` that hold something and are quoted that deep, each with its end."""
        lined, limit = self.lined, min(len(self.lined), start + _LONGEST_HEADER)
        while start < limit:
            stop = lined.find("\n", start + 1, limit)
            if stop < 0:
                if limit < len(lined):
                    return
                stop = limit
            line = _unquoted(lined[start + 1 : stop], depth)
            if not line.strip():
                return
            yield line, stop
            start = stop

    def _add_header(self, event: re.Match[str], header: _Header) -> None:
        depth = event["quote"].count(">")
        self.headers.append(Unit(event.start(), min(header.end, self.size)))
        values = {kind: _decoded(value) for kind, value in header.values.items()}
        title = _title(values.get("subject", ""), values.get("from", ""), values.get("date", ""))
        self._add(event.start(), title or "Message", depth, header.end, depth - 1)

    def _read_introduction(self, event: re.Match[str]) -> int:
        """Read "On … wrote:", up to three lines of it, and find where what it introduces ends."""
        lined, depth = self.lined, event["quote"].count(">")
        end = event.end() if event["named"] else self._end_of_introduction(event)
        following = _INK.search(lined, end, end + _LONGEST_INTRODUCTION) if end else None
        if following is None:
            return event.end()
        deeper = following["quote"].count(">") > depth
        lines = lined[event.start() + 1 : end].split("\n")
        title = _introduced(" ".join(_unquoted(line, depth) for line in lines)) if deeper or event["dated"] else ""
        if not title:
            return event.end()
        self._add(event.start(), title, depth + deeper, end, depth if deeper else depth - 1)
        return end

    def _end_of_introduction(self, event: re.Match[str]) -> int:
        """Give where the line ends that says "wrote:"; 0 if there is none near."""
        lined, start = self.lined, event.start()
        limit = start
        for _ in range(3):
            feed = lined.find("\n", limit + 1, start + _LONGEST_INTRODUCTION)
            limit = feed if feed >= 0 else min(start + _LONGEST_INTRODUCTION, len(lined))
        closing = _INTRODUCED.search(lined, event.end(), min(limit + 1, len(lined)))
        if closing is None or _BLANK_INSIDE.search(lined, start + 1, closing.end()):
            return 0
        return closing.end()

    def _add(self, start: int, title: str, depth: int, after: int, within: int) -> None:
        """Add a message that ends, after `after`, with the first line that is quoted no deeper than `within`."""
        end = self.size
        if within >= 0:
            searched, found = self._ends.get(within, (0, -1))
            if not searched <= after <= found:
                match = _SHALLOWER[within].search(self.lined, after)
                found = match.start() if match else self.size
                self._ends[within] = (after, found)
            end = found
        self.messages.append(_Message(start, title, depth, end))


def read_email(text: str) -> Structure:
    """Read the messages as sections; header blocks, signatures and short quotations stay whole."""
    reader = _Reader(text)
    size = len(text)
    headings = _headings(reader.messages)
    quotes = [Unit(match.start(), min(match.end(), size)) for match in _QUOTED.finditer(reader.lined)]
    signatures = [match.start() for match in _SIGNATURE.finditer(reader.lined)]
    borders = {heading.start for heading in headings} | {unit.start for unit in (*quotes, *reader.headers)}
    units = {unit for unit in quotes if unit.end - unit.start <= _LONGEST_WHOLE}
    units.update(reader.headers, _signatures(signatures, sorted(borders.union(signatures)), size))
    return Structure(
        format="email", headings=headings, units=tuple(sorted(units, key=lambda unit: (unit.start, -unit.end)))
    )


def looks_like_email(glance: Glance) -> bool:
    """Say whether a text begins as a message or a mailbox does, or quotes messages as replies do."""
    prefix, lined = glance.text, glance.lined
    replied = _REPLIED.search(lined) if ":" in prefix else None
    if "@" not in prefix and (replied is None or replied["sent"] is None):
        return False
    first = _INK.search(lined)
    if first is None:
        return False
    quoted = lined.count("\n>") if ">" in lined else 0
    is_quoted = quoted > 0 and quoted * 5 >= len(_INK.findall(lined))
    begins = replied is not None or _EVENT.match(lined, first.start()) is not None
    if not (is_quoted or begins or ("--" in lined and _FORWARDED.search(lined)) or "\nBegin forwarded" in lined):
        return False
    reader = _Reader(prefix)
    for header in reader.headers:
        reply = _REPLIED.search(lined, header.start, header.end)
        if reply is not None and reply["sent"] is not None:
            return True
        announced = header.start == first.start() or lined.startswith(("\n--", "\nBegin "), header.start)
        if (announced or reply is not None) and "@" in lined[header.start : header.end]:
            return True
    is_answered = any("@" in message.title and _DATE_OR_TIME.search(message.title) for message in reader.messages)
    return is_answered and is_quoted


def _ended_with_parts(lined: str, messages: list[_Message]) -> list[_Message]:
    """End each message that stands in a part of another with that part, and count it as deeper than the other."""
    made: list[_Message] = []
    ends: dict[int, int] = {}
    declared: set[str] = set()
    opened: dict[str, list[int]] = {}  # by boundary, from the outermost: which messages stand in the part
    for match in (*_PARTS.finditer(lined), None):  # pragma: no branch  the last one ends it
        while len(made) < len(messages) and (match is None or messages[len(made)].start < match.start()):
            message = messages[len(made)]
            if lined.startswith("\nFrom ", message.start):  # the next of a mailbox
                declared.clear()
                opened.clear()
            if opened:
                next(reversed(opened.values())).append(len(made))
            made.append(message._replace(depth=message.depth + len(opened) * (_DEEPEST_QUOTE + 1)))
        if match is None:
            break
        name = match["delimiter"]
        if name is None:
            declared.add(match["quoted"] or match["bare"])
            continue
        boundary = name if name in declared else name.removesuffix("--")
        while boundary in opened:
            ends.update(dict.fromkeys(opened.popitem()[1], match.start()))
        if boundary in declared and boundary == name:
            opened[boundary] = []
    return [message._replace(end=min(message.end, ends.get(n, message.end))) for n, message in enumerate(made)]


def _headings(messages: list[_Message]) -> tuple[Heading, ...]:
    """Put the messages in a row; where a quotation ends, the message goes on that quotes it."""
    row: list[tuple[int, _Message]] = []
    around: list[_Message] = []
    for message in messages:
        _close(row, around, message.start)
        while around and around[-1].depth >= message.depth:
            around.pop()
        around.append(message)
        row.append((message.start, message))
    _close(row, around, None)
    ends = [min(message.end, start) for (_, message), (start, _) in pairwise(row)]
    ends += [message.end for _, message in row[-1:]]
    return tuple(Heading(start, start, 1, message.title, end) for (start, message), end in zip(row, ends, strict=True))


def _close(row: list[tuple[int, _Message]], around: list[_Message], start: int | None) -> None:
    """Close the messages that end up to `start`; what is around them goes on if there is text between."""
    while around and (start is None or around[-1].end <= start):
        end = around.pop().end
        if around and end != start and around[-1].end > end:
            row.append((end, around[-1]))


def _signatures(starts: list[int], borders: list[int], size: int) -> Iterator[Unit]:
    """Yield each signature (RFC 3676, 4.3) up to the next border, if it is short."""
    for start in starts:
        place = bisect_right(borders, start)
        end = borders[place] if place < len(borders) else size
        if end - start <= _LONGEST_WHOLE:
            yield Unit(start, end)


def _follows_blank_line(lined: str, start: int) -> bool:
    before = lined[max(0, start - 80) : start]
    feed = before.rfind("\n")
    return start == 0 or (feed >= 0 and not before[feed + 1 :].strip("> \t\xa0"))


def _unquoted(line: str, depth: int) -> str:
    """Take the marks of quotation off a line; give nothing if it has fewer."""
    line = line.removeprefix("\ufeff")
    for _ in range(depth):
        if not line.startswith(">"):
            return ""
        line = line[1:].removeprefix(" ")
    return line


def _title(subject: str, sender: str, date: str) -> str:
    """Say what a message is: its subject, who wrote it, when."""
    who = ", ".join(part for part in (sender, date) if part)
    title = " — ".join(part for part in (subject, who) if part)
    return " ".join(title.split())[:_LONGEST_TITLE].rstrip()


def _introduced(words: str) -> str:
    """Make the title of "On 1 May 2024 at 10:02, Alice wrote:", whichever of both comes first."""
    wrote = _WROTE_WORD.search(words)
    if wrote is None:
        return ""
    before, after = _PREPOSITION.sub("", words[: wrote.start()].strip(), count=1), words[wrote.end() :].strip(" \t:")
    dates = [match.end() for match in _DATE_OR_TIME.finditer(before.split("<")[0])]
    end = dates[-1] if dates else 0
    return _title("", before[end:].strip(" ,\t") or after, before[:end].strip(" ,\t"))


def _decoded(value: str) -> str:
    """Read encoded words (RFC 2047); one that cannot be read stays as it is written."""
    return " ".join(_ENCODED_WORD.sub(_decoded_word, value).split())


def _decoded_word(match: re.Match[str]) -> str:
    charset, encoding, payload = match.groups()
    if _CHARSET.fullmatch(charset) is None:
        return match.group()
    written = payload.encode("ascii", "replace")
    try:
        if encoding in "Qq":
            return decodestring(written, header=True).decode(charset, "replace")
        return binascii.a2b_base64(written + b"=" * (-len(written) % 4)).decode(charset, "replace")
    except (ValueError, LookupError):
        return match.group()
