"""Definitions of source code as sections and units, from its syntax tree.

* A definition begins with its decorators, attributes, doc comments and the comments directly before it, and ends with
  its line. It is a section whose title is its name, and a unit.
* What goes over several lines and begins a line is a unit: a statement, a comment, an argument, an element. So code is
  cut between statements, and inside one only if it alone is over the budget; then the same holds for its parts.
* A comment is a unit with the statement after it; imports that follow one another are one.
* Each line begins a block, unless it closes brackets alone. What follows a blank line is strong, and so is what begins
  or ends a definition. In a line that is too long to have been written by hand, statements begin blocks as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from spanwise.errors import near, shown
from spanwise.formats.code_languages import language_names, language_of, language_of_media_type
from spanwise.formats.code_lines import LONG, CodeLines, read_columns, source_of
from spanwise.formats.code_names import names_of, signature_of
from spanwise.formats.code_parsing import parsed, warn_once
from spanwise.formats.reading import Reads, reader_of
from spanwise.sections import Heading
from spanwise.structure import DEEPEST_UNIT, Structure, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from spanwise.formats.code_languages import Language

__all__ = ["code_reads", "not_too_deep", "read_code"]

_DEEPEST_WALK = 400  # nodes around a node: what is deeper is text
_STRINGS = frozenset({"string", "string_literal", "raw_string_literal", "template_string", "heredoc_body", "heredoc"})
_SHORT = 200  # bytes: what is shorter than this is within any budget that anyone asks for
_LONGEST_KEYWORD = 6  # bytes: a definition begins with its own keyword
_NO_CHILDREN: list[Node] = []
_BODY = re.compile(r"(?:block|body|list|statements|compound_statement|body_statement|ERROR)\Z")
"""Kinds that are no units: what holds the statements of a definition or a branch stays with the line before it."""


def code_reads(prefix: str, media_type: str, language: str | None = None) -> Reads | None:
    """Decide how code is read: in the language that is named, or that its media type tells.

    None where another format is meant: Markdown, JSON, or what plain text looks like.
    """
    if language is not None:
        name, known = language, language_of(language)
    else:
        usual = reader_of(prefix, media_type)
        if usual.name == "markdown":
            return usual._replace(reader=partial(_read_with_fences, usual), resumes=False)
        if usual.reader is not None:
            return None
        name, known = language_of_media_type(media_type, prefix)
    if known is None:
        if name not in {"", "plain"}:
            hint = near(name, language_names())
            warn_once(
                f"{shown(name)} is cut at blank lines and at column zero, since spanwise has no grammar for it{hint}"
            )
        return Reads("code", read_columns, resumes=False, counts_pages="\f" in prefix)
    return Reads(known.name, partial(read_code, language=known), resumes=False, counts_pages="\f" in prefix)


def _read_with_fences(usual: Reads, text: str) -> Structure:
    from spanwise.formats.code_fences import with_fences  # noqa: PLC0415  it reads code itself

    return with_fences(text, usual.structure(text))


def read_code(text: str, language: Language) -> Structure:
    """Read source code; by its columns where it cannot be parsed."""
    source = source_of(text)
    root = parsed(source, language)
    if root is None:
        return read_columns(text)
    return _Walk(CodeLines(source), language).structure(root)


class _Definition(NamedTuple):
    start: int
    level: int
    end: int
    name: str
    signature: str
    body: int
    """Where its first lines end."""


class _Frame:
    """A node whose children are walked, and the span in which what they begin may lie."""

    __slots__ = (
        "begin",
        "children",
        "closed",
        "depth",
        "end",
        "imports",
        "lead",
        "lead_row",
        "level",
        "place",
        "row",
        "spans",
        "wrapped",
    )

    def __init__(self, children: Sequence[Node], *, begin: int, end: int, closed: int, spans: bool) -> None:
        self.children = children
        self.place = 0
        self.row = 0
        self.level = 1
        """The level of a definition among the children."""
        self.depth = 0
        self.begin = begin
        self.end = end
        self.closed = closed
        """Where the last span ends that is apart from what follows."""
        self.spans = spans
        """Whether the node itself is a span."""
        self.lead = -1
        """Where the comments begin that belong to what follows; -1 if there are none."""
        self.lead_row = -1
        """The line on which they end."""
        self.wrapped = -1
        """Where the node begins, with what leads it, if it stands around a definition that is still to come."""
        self.imports = (-1, -1)


class _Walk:
    """Collects what a tree says of its text, in bytes."""

    def __init__(self, lines: CodeLines, language: Language) -> None:
        self._lines = lines
        self._source = lines.source
        self._language = language
        self._spans: set[tuple[int, int]] = set()
        """Units as (start, -end), so that they are sorted as units are."""
        self._definitions: list[_Definition] = []
        self._inside: list[tuple[int, int]] = []
        """Strings and comments of several lines: a blank line in them is none."""
        self._leads: list[tuple[int, int]] = []
        """Where what leads a definition or a statement begins, and where that itself begins."""
        self._statements: list[int] = []
        """What begins inside long lines."""
        self._keywords = language.keywords
        self._bodies: dict[str, bool] = {}
        self._special = language.comments | language.imports | language.wrappers | language.definitions.keys()

    def structure(self, root: Node) -> Structure:
        """Walk the tree and give what was found."""
        self._walk(root)
        lines, definitions = self._lines, sorted(self._definitions)
        starts = [definition.start for definition in definitions]
        ends = [definition.end for definition in definitions]
        blocks, strong = lines.blocks(self._statements, [*starts, *ends], self._inside, self._leads)
        unit_starts, unit_ends = not_too_deep(sorted(self._spans))
        headings = zip(
            lines.points(starts),
            lines.points(self._heading_ends(definitions)),
            lines.points(lines.after_blanks(ends)),
            definitions,
            strict=True,
        )
        return Structure(
            format=self._language.name,
            headings=tuple(
                [Heading(start, stop, at.level, at.name, end, at.signature) for start, stop, end, at in headings]
            ),
            blocks=blocks,
            strong=strong,
            units=tuple(map(Unit, lines.points(unit_starts), lines.points(unit_ends))),
        )

    def _walk(self, root: Node) -> None:
        frames = [_Frame(root.named_children, begin=0, end=len(self._source), closed=0, spans=False)]
        while frames:
            frame = frames[-1]
            inner = self._next(frame)
            if inner is not None:
                frames.append(inner)
                continue
            if frame.imports[0] >= 0:
                self._end_imports(frame)
            frames.pop()
            if frames:
                frames[-1].closed = max(frames[-1].closed, frame.end if frame.spans else frame.closed)

    def _next(self, frame: _Frame) -> _Frame | None:
        """Take the next children of a node up to one in which there may be more; give its frame, None at the end."""
        starts, ends, is_long, special = self._lines.starts, self._lines.ends, self._lines.long, self._special
        children, row = frame.children, frame.row
        for place in range(frame.place, len(children)):
            node = children[place]
            start, end, kind = node.start_byte, node.end_byte, node.type
            if start >= ends[row]:
                row = bisect_right(starts, start, row) - 1
            if end > ends[row] or kind in special or is_long[row] or frame.lead_row >= 0 or frame.imports[0] >= 0:
                frame.place, frame.row = place + 1, row
                inner = self._child(frame, node, kind, start, end)
                if inner is not None:
                    return inner
        frame.place = len(children)
        return None

    def _child(self, frame: _Frame, node: Node, kind: str, start: int, end: int) -> _Frame | None:
        """Take the next child of a node; give a frame if there may be more in it."""
        language, lines = self._language, self._lines
        row = last = frame.row
        if end > lines.ends[row]:
            last = bisect_left(lines.starts, end, row) - 1
        if kind in language.comments:
            self._lead(frame, node, row, last)
            return None
        lead = -1
        if frame.lead_row >= 0:
            lead = frame.lead if row - frame.lead_row <= 1 else -1
            frame.lead, frame.lead_row = -1, -1
        if frame.wrapped >= 0 and (kind in language.definitions or kind in language.wrappers):
            lead, frame.wrapped = frame.wrapped, -1
        if kind in language.imports:
            begin = lines.starts[row] if lead < 0 else lead
            frame.imports = (begin if frame.imports[0] < 0 else frame.imports[0]), self._end(frame, end, last)
        elif frame.imports[0] >= 0:
            self._end_imports(frame)
        names = names_of(node, kind, language, self._source) if kind in language.definitions else ()
        if last == row and lead < 0 and not names and end - start <= LONG and kind not in language.wrappers:
            if start > lines.inks[row] and lines.long[row]:
                self._statements.append(start)
            return None
        return self._part(frame, node, names, lead=lead, last=last)

    def _part(self, frame: _Frame, node: Node, names: tuple[str, ...], *, lead: int, last: int) -> _Frame | None:
        """Take a child that is a definition, has a comment before it, or goes over several lines or a long one."""
        start, stop, kind, row = node.start_byte, node.end_byte, node.type, frame.row
        end = self._end(frame, stop, last)
        begin, spans = -1, False
        if names or not self._is_body(kind):
            own = self._begin(frame, start, row, is_definition=bool(names))
            begin, spans = (own if lead < 0 else lead), own >= 0
            if spans:
                self._spans.add((begin, -end))
                if begin < own:
                    self._leads.append((begin, own))
                if names:
                    self._define(node, names, (begin, own, end), frame.level)
        wraps = kind in self._language.wrappers
        is_leaf = (
            (last == row and stop - start <= LONG and not wraps)
            or kind in _STRINGS
            or self._is_plain(start + (len(names) and _LONGEST_KEYWORD), stop)
        )
        children = _NO_CHILDREN if is_leaf or frame.depth >= _DEEPEST_WALK else node.named_children
        if not children:
            if last > row:
                self._inside.append((start, stop))
            if spans and end > frame.closed:
                frame.closed = end
            return None
        if spans:
            inner = _Frame(children, begin=begin, end=end, closed=begin, spans=True)
            inner.level = frame.level + len(names)
            inner.wrapped = begin if wraps else -1
        else:
            inner = _Frame(children, begin=frame.begin, end=end, closed=frame.closed, spans=False)
            inner.level = frame.level
            inner.lead, inner.lead_row = (lead, row) if lead >= 0 else (-1, -1)
        inner.depth = frame.depth + 1
        inner.row = row
        return inner

    def _define(self, node: Node, names: tuple[str, ...], span: tuple[int, int, int], level: int) -> None:
        """Take a definition; the scopes in its name are sections around it, without a signature."""
        begin, own, end = span
        signature, body = signature_of(node, own, self._language, self._source)
        for outer, scope in enumerate(names[:-1]):
            self._definitions.append(_Definition(begin, level + outer, end, scope, "", begin))
        self._definitions.append(_Definition(begin, level + len(names) - 1, end, names[-1], signature, body))

    def _heading_ends(self, definitions: Sequence[_Definition]) -> list[int]:
        """Give where the headings of definitions end: where they begin, since a definition is no heading.

        But a namespace, or what else holds another definition with members from its first line on, is one: it stays
        with that.
        """
        ends = [definition.start for definition in definitions]
        for place in range(len(definitions) - 2):
            outer, inner, member = definitions[place : place + 3]
            is_chain = (
                outer.start < inner.start and member.start > inner.start and member.start < inner.end <= outer.end
            )
            if is_chain and outer.level < inner.level < member.level:
                between = self._source[outer.body : inner.start]
                ends[place] = inner.start if between.strip() in {b"", b"{"} else outer.start
        return ends

    def _begin(self, frame: _Frame, start: int, row: int, *, is_definition: bool) -> int:
        """Give where a span begins that begins with a node: with its line, or inside a long one; -1 if it cannot."""
        lines = self._lines
        if lines.inks[row] == start or (is_definition and not lines.long[row]):
            begin = max(lines.starts[row], frame.begin)
            if begin >= frame.closed:
                return begin
        return start if start >= frame.closed and lines.long[row] else -1

    def _end(self, frame: _Frame, end: int, row: int) -> int:
        """Give where a span ends that ends with a node: with its line, if nothing else begins there."""
        lines = self._lines
        stop = lines.ends[row]
        if end < stop:
            after = frame.children[frame.place] if frame.place < len(frame.children) else None
            shares = after is not None and after.start_byte < stop
            if after is not None and shares and after.type in self._language.comments:
                shares = after.end_byte > stop
            if not shares and not lines.long[row]:
                end = stop
            elif self._source[end : end + 1] in {b";", b","}:
                end += 1
        return min(end, frame.end)

    def _lead(self, frame: _Frame, node: Node, row: int, last: int) -> None:
        """Take a comment or a decorator: it leads what follows on the next line, if it begins its own."""
        lines, start = self._lines, node.start_byte
        begin = lines.starts[row]
        if lines.inks[row] == start:
            if frame.lead < 0 or row - frame.lead_row > 1:
                frame.lead = begin if begin >= frame.closed and begin >= frame.begin else -1
            frame.lead_row = last
            if last > row and begin >= frame.closed and begin >= frame.begin:
                self._spans.add((begin, -self._end(frame, node.end_byte, last)))
        elif row == frame.lead_row:
            frame.lead_row = last
        if last > row and not node.named_child_count:
            self._inside.append((start, node.end_byte))

    def _end_imports(self, frame: _Frame) -> None:
        begin, end = frame.imports
        frame.imports = (-1, -1)
        if begin >= max(frame.begin, 0) and end > begin:
            self._spans.add((begin, -end))

    def _is_plain(self, start: int, stop: int) -> bool:
        """Say whether a span is so short that its parts are not cut, and nothing is defined in it."""
        if stop - start > _SHORT or not self._keywords:
            return False
        find = self._source.find
        return all(find(word, start, stop) < 0 for word in self._keywords)

    def _is_body(self, kind: str) -> bool:
        if kind not in self._bodies:
            self._bodies[kind] = _BODY.search(kind) is not None
        return self._bodies[kind]


def not_too_deep(spans: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Give the starts and ends of spans (start, -end) but those too deep in others, or crossing one in broken code."""
    starts: list[int] = []
    ends: list[int] = []
    around: list[int] = []
    for start, negative in spans:
        end = -negative
        while around and around[-1] <= start:
            around.pop()
        if len(around) < DEEPEST_UNIT and end > start and (not around or end <= around[-1]):
            around.append(end)
            starts.append(start)
            ends.append(end)
    return starts, ends
