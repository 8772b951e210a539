"""JSON and JSON Lines: where members and elements begin, which keys stand above them, and what stays whole."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import DATA
from record_costs import growth_of
from spanwise.formats import json_text
from spanwise.formats.json_text import read_json, read_json_lines
from spanwise.structure import DEEPEST_UNIT, LOOK_AHEAD
from structure_laws import check_structure
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanwise.structure import Structure

STRINGS = json.JSONDecoder()
BLANKS = " \t\r\n"
SEPARATORS = [(",", ":"), (", ", ": "), (" ,\t", " : "), (",\n", ":\n"), (" , ", ":")]

KEYS = st.text(
    st.one_of(st.sampled_from('ab "\\/\n\t\u2028é中😀\ud83d\x1f,:{}[]'), st.characters()), max_size=6
) | st.sampled_from(["id", "name", "tags", "a b", "", " ", "k" * 301])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), KEYS, st.sampled_from(["", "two words", "a\nb, [c]: {d}"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def written(value: object, indent: int | None, separators: tuple[str, str], *, ascii_only: bool) -> str:
    """Write a value as JSON; without indentation as the separators say, with it as everyone does."""
    return json.dumps(value, indent=indent, separators=separators if indent is None else None, ensure_ascii=ascii_only)


DOCUMENTS = st.builds(
    written, VALUES, st.sampled_from([None, 0, 2]), st.sampled_from(SEPARATORS), ascii_only=st.booleans()
)
ONE_LINE = st.builds(written, VALUES, st.none(), st.sampled_from(SEPARATORS[:3]), ascii_only=st.booleans()).filter(
    lambda line: "\n" not in line
)


class Item(NamedTuple):
    """A member, an element, or the document: what a slow reading knows of it."""

    begin: int
    """Of its line where only white space is before it there, else of itself."""
    key: tuple[int, int] | None
    value: tuple[int, int]
    ended: int
    """With the comma after it."""
    path: tuple[str, ...]
    """Keys around it, without its own; those that are blank or too long are no titles."""
    title: str
    first: bool
    depth: int
    filled: bool
    """Whether the value is a container with something in it."""


class SlowReading:
    """Reads valid JSON in the obvious way: by recursion, a character at a time, strings by the standard library."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.items: list[Item] = []
        start = self.blanks(0)
        self.item(start, (), first=True, depth=0, named=False)

    def blanks(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in BLANKS:
            at += 1
        return at

    def item(self, ink: int, path: tuple[str, ...], *, first: bool, depth: int, named: bool) -> int:
        """Read an item, note it before those in it, and give where it ends, its comma included."""
        text, place = self.text, len(self.items)
        at, key, title = ink, None, ""
        if named:
            name, at = STRINGS.raw_decode(text, ink)
            key = (ink, at)
            title = " ".join(name.split())
            title = title if len(title) <= 300 else ""
            at = self.blanks(at)
            assert text[at] == ":"
            at = self.blanks(at + 1)
        end, filled = self.value(at, (*path, title) if title else path, depth)
        comma = self.blanks(end)
        ended = comma + 1 if text[comma : comma + 1] == "," else end
        line = max(text.rfind("\n", 0, ink), text.rfind("\r", 0, ink)) + 1
        begin = line if not text[line:ink].strip(BLANKS) else ink
        self.items.insert(place, Item(begin, key, (at, end), ended, path, title, first, depth, filled))
        return ended

    def value(self, at: int, path: tuple[str, ...], depth: int) -> tuple[int, bool]:
        """Give where a value ends, and whether it is a container with something in it."""
        text = self.text
        if text[at] == '"':
            return STRINGS.raw_decode(text, at)[1], False
        if text[at] not in "[{":
            end = at
            while end < len(text) and text[end] not in BLANKS + ",]}":
                end += 1
            return end, False
        named, first = text[at] == "{", True
        at = self.blanks(at + 1)
        while text[at] not in "]}":
            at = self.blanks(self.item(at, path, first=first, depth=depth + 1, named=named))
            first = False
        return at + 1, not first


def path_at(structure: Structure, offset: int) -> tuple[str, ...]:
    """Give the titles of the sections that hold an offset, in the obvious way."""
    holding = [heading for heading in structure.headings if heading.start <= offset < (heading.until or 0)]
    assert [heading.level for heading in holding] == list(range(1, len(holding) + 1))
    return tuple(heading.title for heading in holding)


@given(DOCUMENTS)
@LAW
def test_every_value_stands_under_the_keys_around_it(text: str) -> None:
    """A slow reading by recursion finds the same key path for each value; keys that are blank or long name nothing."""
    structure = read_json(text)
    check_structure(text, structure)
    for item in SlowReading(text).items:
        expected = (*item.path, item.title) if item.filled and item.title else item.path
        if item.depth:  # the bracket around all is of the first section
            assert path_at(structure, item.value[0]) == expected
        assert path_at(structure, item.value[1] - 1) == expected


@given(DOCUMENTS)
@LAW
def test_a_block_begins_with_each_member_and_element_but_the_first_of_its_container(text: str) -> None:
    """At the start of its line where only white space is before it; those of the outermost container are strong."""
    items = [item for item in SlowReading(text).items if not item.first]
    structure = read_json(text)
    assert structure.blocks == (0, *(item.begin for item in items))
    assert structure.strong == (0, *(item.begin for item in items if item.depth == 1))


@given(DOCUMENTS)
@LAW
def test_members_and_values_are_units(text: str) -> None:
    """With the indentation before and the comma after; keys and scalars alone too. What is very short is none."""
    expected = set()
    for item in SlowReading(text).items:
        container = text[item.value[0]] in "[{"
        if container or item.key:
            expected.add((item.begin, item.ended))
        if container and item.value[1] - item.begin < 4:
            expected.remove((item.begin, item.ended))
        if item.key:
            expected.add(item.key)
        if not container:
            expected.add(item.value)
    whole_members = {(item.begin, item.ended) for item in SlowReading(text).items if item.key}
    expected = {(start, end) for start, end in expected if end - start >= 4 or (start, end) in whole_members}
    assert set(read_json(text).units) == expected


@given(DOCUMENTS)
@LAW
def test_a_section_is_its_key_up_to_its_closing_bracket(text: str) -> None:
    """Its heading goes from the line of its key, the first of all from the bracket around, to the opening bracket."""
    sections = [
        (
            0 if item.first and item.depth == 1 else item.begin,
            item.value[0] + 1,
            len(item.path) + 1,
            item.title,
            item.value[1],
        )
        for item in SlowReading(text).items
        if item.title and item.filled
    ]
    assert [
        (heading.start, heading.end, heading.level, heading.title, heading.until)
        for heading in read_json(text).headings
    ] == sections


@given(st.lists(ONE_LINE, max_size=5), st.sampled_from(["\n", "\r\n", "\n\n", " \n"]))
@LAW
def test_each_line_of_json_lines_is_read_alone(lines: list[str], ending: str) -> None:
    """Blocks, units and sections are those of each record, moved to where it stands; records are strong."""
    text = "".join(line + ending for line in lines)
    structure = read_json_lines(text)
    check_structure(text, structure)
    blocks, strong, units, headings, start = [], [], [], [], 0
    for line in lines:
        alone = read_json(line)
        strong.append(start)
        blocks += [start + block for block in alone.blocks or ()]
        units += [(start + begin, start + end) for begin, end in {(0, len(line)), *alone.units}]
        headings += [(start + heading.end, start + (heading.until or 0), heading.title) for heading in alone.headings]
        start += len(line + ending)
    assert (list(structure.blocks or ()), list(structure.strong)) == (blocks, strong)
    assert set(structure.units) == set(units)
    assert [(heading.end, heading.until, heading.title) for heading in structure.headings] == headings


PIECES = st.sampled_from(
    [
        *"{}[]:,\"/\\ \n'",
        "// c\n",
        "/* c */",
        '"key": ',
        '"a": {',
        "[{",
        "}]",
        "'single': 'quoted'",
        "name: ",
        "1, ",
        "NaN",
        "\r\n",
        '"two\nlines"',
        "\ufeff",
        "\x1e",
        "\x00",
        "\ud800",
        '"\\ud83d\\ude00": [',
        "\u00a0",
        "+1",
        "text ",
    ]
)
BROKEN = st.one_of(
    chunked_texts(),
    st.lists(PIECES, max_size=30).map("".join),
    st.builds(lambda text, at, piece: text[:at] + piece + text[at + 1 :], DOCUMENTS, st.integers(0, 200), PIECES),
    st.builds(lambda text, at: text[:at], DOCUMENTS, st.integers(0, 200)),
)


@given(BROKEN)
@LAW
def test_whatever_the_text_it_is_read(text: str) -> None:
    """Malformed JSON never raises, and what is said of it keeps the form of every structure."""
    for reader in (read_json, read_json_lines):
        check_structure(text, reader(text))


@given(BROKEN, st.integers(0, 300))
@LAW
def test_what_is_said_depends_on_little_that_follows(text: str, end: int) -> None:
    """The beginning of a text is read as in the whole text, up to the look-ahead before where it ends; closings apart.

    Tried with a look-ahead of 40 instead of 65,536 characters.
    """
    known = min(end, len(text)) - 40
    with patch.object(json_text, "_NEAR", 9):
        for reader in (read_json, read_json_lines):
            whole, part = reader(text), reader(text[:end])
            for field in ("blocks", "strong"):
                assert [at for at in getattr(part, field) if at < known] == [
                    at for at in getattr(whole, field) if at < known
                ]
            assert [unit for unit in part.units if unit.start < known] == [
                unit for unit in whole.units if unit.start < known
            ]
            assert [
                (heading.start, heading.end, heading.title) for heading in part.headings if heading.start < known
            ] == [(heading.start, heading.end, heading.title) for heading in whole.headings if heading.start < known]


def pieces(text: str, structure: Structure) -> list[str]:
    """List the blocks of a text."""
    starts = [*(structure.blocks or ()), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def sections(structure: Structure) -> list[tuple[int, str]]:
    """List level and title of each section."""
    return [(heading.level, heading.title) for heading in structure.headings]


def whole(text: str, structure: Structure) -> list[str]:
    """List the units of a text."""
    return [text[start:end] for start, end in structure.units]


def test_brackets_commas_and_indentation_stay_with_the_values() -> None:
    """An opening bracket with the first, a closing one with the last; a comma with the one before it."""
    text = '{\n  "a": {\n    "b": 1,\n    "c": [2, 3]\n  },\n  "d": null\n}\n'
    structure = read_json(text)
    assert pieces(text, structure) == [
        '{\n  "a": {\n    "b": 1,\n',
        '    "c": [2, ',
        "3]\n  },\n",
        '  "d": null\n}\n',
    ]
    assert structure.strong == (0, text.index('  "d"'))
    assert whole(text, structure) == [
        text.removesuffix("\n"),
        '  "a": {\n    "b": 1,\n    "c": [2, 3]\n  },',
        '    "b": 1,',
        '    "c": [2, 3]',
        '  "d": null',
        "null",
    ]
    assert sections(structure) == [(1, "a"), (2, "c")]


def test_the_elements_of_an_array_stand_under_its_key() -> None:
    """They have no names of their own; keys inside them go on with the path."""
    text = '{"rows": [{"id": 1, "at": {"x": 1}}, {"id": 2, "at": {"x": 2}}], "end": 0}'
    structure = read_json(text)
    assert sections(structure) == [(1, "rows"), (2, "at"), (2, "at")]
    assert path_at(structure, text.index('{"id": 2')) == ("rows",)
    assert path_at(structure, text.index('"x": 2')) == ("rows", "at")
    assert path_at(structure, text.index('"end"')) == ()


def test_an_array_of_records_has_no_section() -> None:
    """Each record is a block and a unit."""
    text = '[{"a": 1},\n {"a": 2}]'
    structure = read_json(text)
    assert structure.headings == ()
    assert pieces(text, structure) == ['[{"a": 1},\n', ' {"a": 2}]']
    assert whole(text, structure) == [text, '{"a": 1},', '"a": 1', ' {"a": 2}', '"a": 2']


def test_a_key_is_shown_as_it_reads() -> None:
    """Escapes decoded, white space collapsed; a key that is blank or over 300 characters begins no section."""
    text = r'{"a\n \u00e9\ud83d\ude00\/": {"": {" ": {"' + "k" * 301 + r'": {"last": [1]}}}}}'
    assert sections(read_json(text)) == [(1, "a é😀/"), (2, "last")]


def test_empty_containers_begin_no_section() -> None:
    """Neither `{}` nor `[ ]`, with a comment in it or without."""
    assert sections(read_json('{"a": {}, "b": [ ], "c": {/* none */}, "d": [[]]}')) == [(1, "d")]


def test_case_19_is_read_as_its_author_built_it() -> None:
    """Empty containers, long values, numbers and escapes stay what and where they are."""
    case = DATA / "cases" / "case-19-json-nested-empty-and-long-values"
    text = (case / "input.json").read_bytes().decode()
    structure = read_json(text)
    assert path_at(structure, 0) == ("projects",)
    assert path_at(structure, text.index("three")) == ("rows",)
    assert path_at(structure, text.index("Zoë")) == ("projects", "A", "A-3")
    units = whole(text, structure)
    assert '{"id": 2, "n": "two"},' in units
    assert '    "A": {"A-1": {}, "A-2": {}, "A-3": {"owner": "Zoë", "tags": []}},' in units
    assert {"2.50", "12345678901234567890", '"tags": []', '"empty": [],'} <= set(units)


def test_comments_go_with_what_they_are_about() -> None:
    """JSONC: a comment on its own line with what follows, one at the end of a line with what stands there."""
    text = '{\n  // about a\n  "a": 1, // still a\n  /* about\n     b */\n  "b": [2, /* two */\n  3,],\n}\n'
    structure = read_json(text)
    assert pieces(text, structure) == [
        '{\n  // about a\n  "a": 1, // still a\n',
        '  /* about\n     b */\n  "b": [2, /* two */\n',
        "  3,],\n}\n",
    ]
    assert sections(structure) == [(1, "b")]


def test_json5_is_let_pass() -> None:
    """Names without quotes, single quotes, a comma after the last value, signs, NaN, a string that goes over a line."""
    text = "{name: {'it\\'s': +1, b: NaN, c: .5, d: 'two \\\nlines',}, e: [Infinity,],}"
    structure = read_json(text)
    assert sections(structure) == [(1, "name"), (1, "e")]
    assert pieces(text, structure) == [
        "{name: {'it\\'s': +1, ",
        "b: NaN, ",
        "c: .5, ",
        "d: 'two \\\nlines',}, ",
        "e: [Infinity,],}",
    ]


def test_values_may_follow_one_another() -> None:
    """Concatenated JSON, and JSON text sequences (RFC 7464): each value is strong."""
    text = '{"a": 1}\n{"b": 2}\x1e{"c": 3}'
    structure = read_json(text)
    assert pieces(text, structure) == ['{"a": 1}\n', '{"b": 2}', '\x1e{"c": 3}']
    assert set(structure.strong) == set(structure.blocks or ())


@pytest.mark.parametrize("mistake", ["]", "? 1", '"b" 2', '"b": [}', ", 3", '"b": "not closed', "...", '"b": word'])
def test_after_a_mistake_each_line_is_a_block(mistake: str) -> None:
    """What was read before it stands; open sections end with the line of the mistake."""
    text = f'{{"a": {{"x": 1,\n"y": 2,\n{mistake},\n\n"more": {{\n"text": 1}}\n'
    structure = read_json(text)
    check_structure(text, structure)
    assert sections(structure)[0] == (1, "a")
    assert structure.headings[0].until == text.index("\n\n") + 1
    assert {text.index(line) for line in ('"y"', '"more"', '"text"')} <= set(structure.blocks or ())


def test_text_that_is_no_json_is_lines() -> None:
    """Prose that only is called JSON loses nothing."""
    text = "This is: not JSON.\nA line.\n\nAnother."
    structure = read_json(text)
    assert pieces(text, structure) == ["This is: not JSON.\n", "A line.\n\n", "Another."]
    assert structure.headings == ()


def test_a_truncated_text_keeps_its_path() -> None:
    """As a response that broke off: the last line is still of the open sections."""
    text = '{"a": {"b": [1, {"c": "and then'
    structure = read_json(text)
    assert path_at(structure, len(text) - 1) == ("a", "b")


def test_a_record_stands_under_no_key() -> None:
    """Not under its first one either: each is a document of its own."""
    text = '{"a": {"x": 1}}\n{"b": {"x": 2}}\n'
    structure = read_json_lines(text)
    assert [path_at(structure, start) for start in structure.strong] == [(), ()]
    assert path_at(structure, text.index('"b"')) == ("b",)


def test_a_mistake_in_a_record_is_no_matter_to_the_next() -> None:
    """The line is a record all the same; its sections end with it."""
    text = '{"a": {"x": 1}}\n{"b": {"x": \n\n{"c": {"x": 3}}\n'
    structure = read_json_lines(text)
    assert structure.strong == (0, 16, 30)
    assert [(heading.title, heading.until) for heading in structure.headings] == [("a", 14), ("b", 27), ("c", 44)]
    assert '{"b": {"x":' in whole(text, structure)


def test_an_unclosed_string_takes_no_more_than_is_near() -> None:
    """A string over lines is read if it ends within 32,768 characters; on one line it may have any length."""
    long = "x" * LOOK_AHEAD
    assert sections(read_json('{"a": "two\nlines", "b": [1]}')) == [(1, "b")]
    assert sections(read_json(f'{{"a": "{long}", "b": [1]}}')) == [(1, "b")]
    text = f'{{"a": "two\n{long}\nlines", "b": [1]}}'
    assert pieces(text, read_json(text)) == ['{"a": "two\n', f"{long}\n", 'lines", "b": [1]}']


def test_deep_nesting_is_text_below_a_depth() -> None:
    """Units and sections end at a depth that is bounded; blocks go on."""
    depth = 5_000
    text = '{"a":' * depth + '{"b":1,"c":2}' + "}" * depth
    structure = read_json(text)
    check_structure(text, structure)
    assert len(structure.headings) == len(structure.units) - 1 == DEEPEST_UNIT - 4
    assert structure.blocks == (0, text.index('"c"'))


GROWING = {
    "nested arrays": lambda size: "[" * size,
    "closed arrays": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "closed on lines": lambda size: "[" * (size // 3) + "\n]" * (size // 3),
    "nested objects": lambda size: '{"a":' * (size // 5),
    "numbers": lambda size: "[" + "1," * (size // 2) + "1]",
    "empties": lambda size: "[]" * (size // 2),
    "one string": lambda size: '"' + "a" * size,
    "quotes": lambda size: '"' * size,
    "backslashes": lambda size: '"' + "\\" * size,
    "newlines": lambda size: "\n" * size,
    "blanks": lambda size: " " * size,
    "slashes": lambda size: "/" * size,
    "open comments": lambda size: "[1/*" * (size // 4),
    "comments": lambda size: "[1/**/," * (size // 7),
    "commas far away": lambda size: ("[1" + "\n" * 500 + ",") * (size // 503),
    "lines": lambda size: "x\n" * (size // 2),
    "sections": lambda size: "{" + '"b":[1],' * (size // 8) + "}",
    "strings over lines": lambda size: '["a\n' * (size // 4),
}


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.parametrize("reader", [read_json, read_json_lines])
@pytest.mark.slow
def test_time_grows_with_the_text(name: str, reader: Callable[[str], Structure]) -> None:
    """Eight times the text takes about eight times as long, whatever it repeats; a square would be 64 times."""
    assert growth_of(reader, GROWING[name]) < 3


def test_two_hexadecimal_digits_are_a_character() -> None:
    """In the strings of JSON5 (section 5.1), where quotes may be single."""
    assert sections(read_json("{'a\\x41b': {'d': 2}}"))[0] == (1, "aAb")
