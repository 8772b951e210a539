"""Markdown: headings, blocks and units, at any size, whatever the text."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import spanwise
from oracles import DATA
from spanwise.formats import markdown, markdown_marks
from spanwise.formats.markdown import read_markdown
from spanwise.formats.markdown_events import seen_in
from spanwise.formats.markdown_marks import may_hold_marks
from spanwise.segmenting.headings import Headings
from structure_laws import check_structure
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanwise.structure import Structure

BLOCKS = (
    "# Title *one*",
    "## `code` & [link](there) ##",
    "A paragraph\nof two lines.",
    "A hard break  \nand\\\nanother.",
    "Setext *over*\ntwo lines\n===",
    "Short\n---",
    "***",
    "$$\n# no\n\na\n$$",
    "text\n$$\nx = b\n= c\n$$\nmore",
    "- item\n\n  $$\n  # no\n  $$\n\n- two",
    "::: note\n# Inside\n\ntext\n:::",
    ":::: a\n::: b\nx\n:::\n::::",
    "- a\n\n  ::: note\n  b\n  :::\n- c",
    "| a | b |\n|---|---|\n| 1 | `x` |\n| 2 | http://a.example/b |\n| 3 |",
    "- | a |\n  |---|\n  | b |",
    "[^1]: A note\n    # Within\n\n    goes on.",
    "See [^1] and www.example.org/(z).",
    "<!-- c\n\n# no -->",
    "<div>\n# no\n</div>",
    "<pre>\n# no\n\nx</pre>",
    "```py\n# no\n$$\n:::\n```",
    "~~~\nhttp://no.example\n~~~",
    "> quote\n> # Quoted\n>\n> - a\n> - b\n>   c",
    "> ```\n> # no\n> ```",
    "> Set\n> ext\n> ---",
    "- [ ] task **b**\n- [x] done",
    "1. a\n   - b\n\n     ```\n     # no\n     ```\n   - c\n2. d",
    "* a\n  # Item heading\n  c",
    "-\n  foo\n-   bar\n\n    baz",
    "***\n\n    # no\n\n    code",
    "日本 *強調* 😀 `x` [l](u) ![a *b*](c)",
    "- a\n - b\n  - c",
)
LINES = st.sampled_from(["\n", "\r\n", "\r"])
BEGINNINGS = st.sampled_from(
    ["", "", "\ufeff", "---\ntitle: x\n# no\n---\n", "+++\nx = 1\n# no\n+++\n", "\n\n", "\ufeff\n"]
)


@st.composite
def markdown_texts(draw: st.DrawFn, most: int = 12) -> str:
    """Documents of whole blocks, one blank line between them, with any line end."""
    blocks = draw(st.lists(st.sampled_from(BLOCKS), max_size=most))
    return (draw(BEGINNINGS) + "\n\n".join(blocks)).replace("\n", draw(LINES))


@st.composite
def pieces_of_markdown(draw: st.DrawFn) -> str:
    """Blocks cut short and thrown together, which is malformed more often than not."""
    pieces = draw(st.lists(st.tuples(st.sampled_from(BLOCKS), st.integers(0, 40), st.sampled_from(["", "\n", "\n\n"]))))
    return "".join(block[:length] + between for block, length, between in pieces)


@given(st.one_of(markdown_texts(), pieces_of_markdown(), chunked_texts()))
@example("")
@example("\ufeff")
@example("\ud800# a\n# \ud800\n")
@example("> # a\n- # b\n1. c\n   ===\n")
@LAW
def test_every_text_has_a_structure(text: str) -> None:
    """Whatever the text, reading it gives a structure that describes it."""
    check_structure(text, read_markdown(text))


@given(st.one_of(markdown_texts(), pieces_of_markdown(), chunked_texts()))
@LAW
def test_blocks_begin_where_lines_do(text: str) -> None:
    """A block begins at the beginning of a line; a CRLF is one line end, a lone CR is one too."""
    for start in read_markdown(text).blocks or ():
        assert start == 0 or text[start - 1] == "\n" or (text[start - 1] == "\r" and text[start] != "\n")


@given(st.one_of(markdown_texts(), pieces_of_markdown()))
@LAW
def test_headings_are_whole_lines(text: str) -> None:
    """A heading goes from the beginning of a line to before a line end, and its words stand in it."""
    for heading in read_markdown(text).headings:
        assert heading.start == 0 or text[heading.start - 1] in "\r\n"
        assert heading.end == len(text) or text[heading.end] in "\r\n"
        assert heading.title.split()[0] in text[heading.start : heading.end]


@given(markdown_texts())
@LAW
def test_what_is_no_heading_is_none(text: str) -> None:
    """In code, math, HTML and front matter a number sign opens no heading, and no fence is one."""
    for heading in read_markdown(text).headings:
        assert heading.title != "no"
        assert ":::" not in heading.title


@given(markdown_texts(most=40), st.sampled_from([200, 300, 500]))
@LAW
def test_windows_change_nothing(text: str, window: int) -> None:
    """A text read window by window has the structure that it has when read at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "WINDOW", len(text) + 1)
        whole = read_markdown(text)
        patch.setattr(markdown, "WINDOW", window)

        assert read_markdown(text) == whole


@given(markdown_texts(most=150), st.integers(0, 3000))
@LAW
def test_what_is_said_does_not_depend_on_what_follows_much_later(text: str, cut: int) -> None:
    """A text cut short is read like the whole, up to so much before the cut as reading looks ahead."""
    ahead = 600
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "WINDOW", ahead // 2)
        patch.setattr(markdown, "LOOK_AHEAD", ahead)
        patch.setattr(markdown_marks, "LOOK_AHEAD", ahead)
        patch.setattr(markdown_marks, "_LONGEST_MATH", ahead // 4)
        part, whole = read_markdown(text[:cut]), read_markdown(text)

    certain = cut - ahead
    assert _before(part, certain) == _before(whole, certain)


def _before(structure: Structure, place: int) -> tuple[object, ...]:
    """Give all that ends before a place."""
    blocks = structure.blocks or ()
    return (
        [
            heading if heading.until is None or heading.until < place else msgspec.structs.replace(heading, until=None)
            for heading in structure.headings
            if heading.end < place
        ],
        [start for start, end in pairwise(blocks) if end < place],
        [unit for unit in structure.units if unit.end < place],
        [table for table in structure.tables if table.end < place],
    )


@given(
    st.lists(st.sampled_from(["a", "word ", "It is. ", "1.5", " - ", "\n", "\n\n", "\r\n", " ", "\t", "é", "\ufeff"]))
)
@LAW
def test_text_without_marks_is_read_the_same_without_parsing(pieces: list[str]) -> None:
    """Paragraphs are where the parser would find them, though it is not asked."""
    text = "".join(pieces)
    if not may_hold_marks(text):
        assert read_markdown(text) == markdown._Reader(text).structure()


NASTY: dict[str, Callable[[int], str]] = {
    "brackets": lambda size: "[" * size,
    "quotes": lambda size: ">" * size,
    "stars": lambda size: "*" * size,
    "backticks": lambda size: "`" * size,
    "underscores": lambda size: "_a_" * (size // 3),
    "open links": lambda size: "[a](" * (size // 4),
    "open notes": lambda size: "# " + "[^" * (size // 2),
    "escaped brackets": lambda size: "[a]: /b\n\n[" + "\\[" * (size // 2),
    "images in links": lambda size: "![[](" * (size // 5),
    "tags": lambda size: "<div>" * (size // 5),
    "open tags": lambda size: "<" * size,
    "comments": lambda size: "<!--" * (size // 4),
    "list markers": lambda size: "- " * (size // 2),
    "dollars": lambda size: "$$\n" * (size // 3),
    "colons": lambda size: "::: a\n" * (size // 6),
    "addresses": lambda size: "http://" * (size // 7),
    "closing parentheses": lambda size: "http://a.example" + ")" * size,
    "blanks": lambda size: " " * size,
    "line feeds": lambda size: "\n" * size,
    "carriage returns": lambda size: "\r" * size,
    "one letter": lambda size: "a" * size,
    "surrogates": lambda size: "\ud800" * size,
    "headings": lambda size: "# a\n" * (size // 4),
    "one long heading": lambda size: "# " + "a " * (size // 2),
    "rules": lambda size: "---\n" * (size // 4),
    "front matter": lambda size: "---\na: b\n" + "# a\n" * (size // 4),
    "lines of tags": lambda size: "<div>\n" * (size // 6),
    "items": lambda size: "- a\n" * (size // 4),
    "one long item": lambda size: "- a\n\n" + "  # b\n\n" * (size // 7),
    "deeper items": lambda size: "".join("  " * depth + "- a\n" for depth in range(int(size**0.5))),
    "deeper quotes": lambda size: "".join("> " * (depth % 99) + "a\n" for depth in range(size // 100)),
    "one long quote": lambda size: "> a\n>\n" * (size // 6),
    "one long table": lambda size: "|a|b|\n|-|-|\n" + "|1|2|\n" * (size // 6),
    "wide table": lambda size: (
        "| a " * (size // 12) + "\n" + "| - " * (size // 12) + "\n" + "| b " * (size // 12) + "\n"
    ),
    "one long fence": lambda size: "```\n" + "# a\n" * (size // 4),
    "one long comment": lambda size: "<!--\n" + "# a\n" * (size // 4),
    "one long paragraph": lambda size: "a *b* `c`\n" * (size // 10),
    "one long line": lambda size: "a *b* `c` " * (size // 10),
    "definitions": lambda size: "[a]: b\n" * (size // 7),
    "big blocks after small ones": lambda size: ("a\n\n" * 2800 + "b\n" * 13000) * max(1, size // 34400),
}


@pytest.mark.parametrize("name", NASTY)
def test_no_text_is_parsed_often(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each window moves on by a quarter of its size, so that reading is linear; and nothing fails."""
    text = NASTY[name](50_000)
    parsed = []

    def counted(source: str) -> object:
        parsed.append(len(source))
        return seen_in(source)

    monkeypatch.setattr(markdown, "seen_in", counted)
    monkeypatch.setattr(markdown, "WINDOW", markdown.WINDOW // 4)

    check_structure(text, read_markdown(text))
    assert sum(parsed) <= 4.5 * len(text) + markdown.WINDOW


@pytest.mark.parametrize(
    ("opening", "line", "closing"),
    [
        ("```py\n", "# no\n", "```\n"),
        ("<!--\n", "# no\n\n", "-->\n"),
        ("<pre>\n", "# no\n\n", "</pre>\n"),
        ("<div>\n", "# no\n", "</div>\n"),
        ("    a\n", "    # no\n", "    z\n"),
        ("| a | b |\n|---|---|\n", "| 1 | 2 |\n", "| 8 | 9 |\n"),
        ("- a\n\n", "  text # no\n\n", "  z\n"),
        ("- ```\n", "  # no\n", "  ```\n"),
        ("1. > ~~~\n", "   > # no\n", "   > ~~~\n"),
        ("[^1]: a\n\n", "    text # no\n\n", "    z\n"),
    ],
)
def test_a_block_of_any_size_is_one_unit(opening: str, line: str, closing: str) -> None:
    """What fills many windows is read to its own end, and what comes after it is read as ever."""
    text = "# Before\n\n" + opening + line * (200_000 // len(line)) + closing + "\n# After\n\n*text*\n"
    structure = read_markdown(text)

    check_structure(text, structure)
    assert [heading.title for heading in structure.headings] == ["Before", "After"]
    assert (10, text.index("\n# After")) in structure.units
    assert (text.index("*text*"), len(text) - 1) in structure.units
    assert len(structure.blocks or ()) >= 200_000 // len(line)


def test_a_long_table_has_one_header_and_all_its_rows() -> None:
    rows = [f"| {number} | x |\n" for number in range(20_000)]
    head = "| a | b |\n|---|---|\n"
    text = "Before.\n\n" + head + "".join(rows) + "\nAfter.\n"
    structure = read_markdown(text)

    (table,) = structure.tables
    assert text[table.start : table.rows] == head
    assert text[table.rows : table.end] == "".join(rows)
    assert structure.strong == (0, 9, len(text) - 7)
    assert [text[start:end] for start, end in structure.units[1:]] == [head, *rows]


def test_a_long_list_is_new_once() -> None:
    items = [f"{number}. item\n" for number in range(1, 20_001)]
    text = "Before.\n\n" + "".join(items) + "\nAfter.\n"
    structure = read_markdown(text)

    assert [text[start:end] for start, end in structure.units] == items
    assert structure.strong == (0, 9, len(text) - 7)
    assert len(structure.blocks or ()) == 20_002


def blocks_of(text: str) -> list[str]:
    """List the blocks of a text, those that are strong with a star before them."""
    structure = read_markdown(text)
    check_structure(text, structure)
    blocks = structure.blocks or ()
    return ["*" * (start in structure.strong) + text[start:end] for start, end in pairwise([*blocks, len(text)])]


def units_of(text: str) -> list[str]:
    """List what stays whole in a text."""
    return [text[start:end] for start, end in read_markdown(text).units]


def titles_of(text: str) -> list[tuple[int, str]]:
    """List the headings of a text."""
    return [(heading.level, heading.title) for heading in read_markdown(text).headings]


def case(name: str) -> str:
    """Read the input of a case."""
    (folder,) = (DATA / "cases").glob(f"case-{name}-*")
    return (folder / "input.md").read_bytes().decode()


def test_hashes_in_code_are_no_headings() -> None:
    text = case("06")

    assert titles_of(text) == [(1, "Handbook"), (2, "Usage"), (2, "Limits")]
    assert (
        '~~~python\n# tilde fence comment\nprint("x")\n```\n# backticks do not close a tilde fence\n~~~\n'
        in units_of(text)
    )
    assert "  ```sh\n  # fenced inside a list item\n  make\n  ```\n" in units_of(text)
    assert "    # indented code, not a heading\n" in units_of(text)


def test_underlined_headings() -> None:
    text = case("07")

    assert titles_of(text) == [
        (1, "Field Guide"),
        (2, "Lichens"),
        (2, "Crustose with a wrapped title"),
        (2, "Mosses"),
    ]
    third = read_markdown(text).headings[2]
    assert text[third.start : third.end] == "Crustose\nwith a wrapped title\n---"


def test_offsets_count_code_points() -> None:
    text = case("09")

    assert titles_of(text) == [(1, "Notes")]
    assert '```make\nall:\n\tgcc -o out main.c\n\t\techo "two tabs"\n\n\u00a0\u00a0nbsp indented\n```\n' in units_of(
        text
    )
    assert "    indented   code   keeps   runs\n" in units_of(text)
    assert units_of("日本語、*強調* 👩🏽‍🔬 `コード` [é](u)。") == ["*強調*", "`コード`", "[é](u)"]


def test_a_table_has_a_header_and_rows() -> None:
    text = case("10")
    structure = read_markdown(text)

    (table,) = structure.tables
    assert text[table.start : table.rows] == "| id | name | colour | price |\n|---:|:-----|:------:|------:|\n"
    assert text[table.rows :].startswith("| 001 | part-037")
    assert text[: table.end].endswith("| 024 | part-080 | red \\| matte | 36.00 |\n")
    assert "| 024 | part-080 | red \\| matte | 36.00 |\n" in units_of(text)


def test_front_matter_and_html_hold_no_headings() -> None:
    text = case("12")

    assert titles_of(text) == [(1, "Release notes"), (2, "Inside details"), (2, "Footnotes")]
    assert units_of(text)[0] == text[: text.index("\n\n")] + "\n"
    assert "<!-- \n# commented out heading\n-->\n" in units_of(text)
    assert "<pre>\n# preformatted, not a heading\n</pre>\n" in units_of(text)
    assert "[^1]: The note says # nothing.\n" in units_of(text)


def test_headings_in_a_row() -> None:
    assert titles_of(case("36")) == [
        (1, "Pump manual"),
        (2, "Safety"),
        (2, "Cleaning"),
        (3, "Filter"),
        (3, "Housing"),
    ]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# One #", "One"),
        ("# One \\#", "One #"),
        ("#\tOne\ttwo", "One two"),
        ("# *One* __two__ ~~three~~", "One two three"),
        ("# `a*b` [c *d*](e) ![f](g)", "a*b c d f"),
        ("# A &amp; B \\* <b>c</b> <http://d.example>", "A & B * c http://d.example"),
        ("# $x$ and note[^1]", "x and note"),
        ("*One\ntwo*  \nthree\n===", "One two three"),
        ("> # One", "One"),
        ("- # One", "One"),
        ("\ufeff# One", "One"),
        ("# " + "x" * 300, "x" * 300),
    ],
)
def test_titles_are_plain(heading: str, title: str) -> None:
    structure = read_markdown(heading + "\n\nText.\n")

    assert [found.title for found in structure.headings] == [title]
    assert (structure.headings[0].start, structure.headings[0].end) == (0, len(heading))


@pytest.mark.parametrize("text", ["#", "# #", "#one", "# ![](x)", "# " + "x" * 301, "a\n b\n", "-\n---", "<h2>a</h2>"])
def test_no_heading(text: str) -> None:
    assert titles_of(text) == []


def test_link_definitions_make_titles() -> None:
    assert titles_of("# [a][b] and [c]\n\n[b]: /x\n[C]: /y\n") == [(1, "a and c")]


def test_blocks_of_lists_and_paragraphs() -> None:
    assert blocks_of("A\nwrapped\n\n- b\n  c\n\n  d\n  - e\n- f\n\nG  \nh\\\ni\n") == [
        "*A\nwrapped\n\n",
        "*- b\n  c\n\n",
        "  d\n",
        "  - e\n",
        "- f\n\n",
        "*G  \n",
        "h\\\n",
        "i\n",
    ]
    assert units_of("- b\n\n  - e\n\n    f\n\n- g\n\nh") == ["- b\n\n  - e\n\n    f\n", "  - e\n\n    f\n", "- g\n"]


def test_an_item_begins_with_its_marker() -> None:
    assert blocks_of("-\n  a\n- b\n  # c\n  d\n") == ["*-\n  a\n", "- b\n", "  # c\n", "  d\n"]


def test_each_line_of_code_is_a_block() -> None:
    assert blocks_of("a\n```\nb\n\nc\n```\nd\n\n    e\n    f\n") == [
        "*a\n",
        "*```\n",
        "b\n\n",
        "c\n",
        "```\n",
        "*d\n\n",
        "*    e\n",
        "    f\n",
    ]


def test_blank_lines_belong_to_the_block_before() -> None:
    assert blocks_of("\n \na\n\n \n\nb\n\n") == ["*\n \na\n\n \n\n", "*b\n\n"]


def test_link_definitions_are_blocks() -> None:
    assert blocks_of("a\n\n[b]: /c\n[d]:\n  /e\n\nf [b]\n") == ["*a\n\n", "*[b]: /c\n", "[d]:\n  /e\n\n", "*f [b]\n"]


def test_an_open_fence_ends_the_text() -> None:
    text = "a\n\n~~~\n# b\n\n# c\n"

    assert titles_of(text) == []
    assert units_of(text) == ["~~~\n# b\n\n# c\n", "~~~\n", "# b\n", "# c\n"]
    assert blocks_of(text) == ["*a\n\n", "*~~~\n", "# b\n\n", "# c\n"]


def test_directives_hold_what_they_hold() -> None:
    text = ":::: tip Title\n::: {note}\n- # A\n:::\n\nb\n::::\n\nc\n::: open\n"

    assert titles_of(text) == [(1, "A")]
    assert units_of(text)[:2] == [text[: text.index("\nc\n")], "::: {note}\n- # A\n:::\n"]
    assert "*b\n" in blocks_of(text)
    assert all("open" not in unit for unit in units_of(text))


def test_a_directive_line_is_no_heading() -> None:
    assert titles_of("::: note\nText\n:::\n===\n") == []


def test_math_is_whole() -> None:
    text = "Let\n$$\n# a\n\n- b\n= c\n$$ (1)\nand $x$, $$y$$.\n\n- d\n\n  $$\n  # e\n  $$\n"

    assert titles_of(text) == []
    assert [unit for unit in units_of(text) if unit.count("\n") != 1] == [
        "$$\n# a\n\n- b\n= c\n$$ (1)\n",
        "$x$",
        "$$y$$",
        "- d\n\n  $$\n  # e\n  $$\n",
        "  $$\n  # e\n  $$\n",
    ]


def test_dollars_in_code_are_code() -> None:
    assert titles_of("```\n$$\n```\n\n# a\n\n```\n$$\n```\n") == [(1, "a")]


def test_notes_are_whole() -> None:
    assert units_of("a[^n]\n\n[^n]: b\n\n    c\n\nd\n") == ["[^n]", "[^n]: b\n\n    c\n", "[^n]"]


def test_a_table_in_a_list_item() -> None:
    text = "- a\n\n  | b |\n  |---|\n  | c |\n- d\n"
    (table,) = read_markdown(text).tables

    assert text[table.start : table.rows] == "  | b |\n  |---|\n"
    assert text[table.rows : table.end] == "  | c |\n"
    assert blocks_of(text) == ["*- a\n\n", "  | b |\n  |---|\n", "  | c |\n", "- d\n"]


def test_a_heading_in_a_quote() -> None:
    text = "> A *b*\n> c\n> ---\n> d\n"
    (heading,) = read_markdown(text).headings

    assert (text[heading.start : heading.end], heading.level, heading.title) == ("> A *b*\n> c\n> ---", 2, "A b c")


@pytest.mark.parametrize(
    "matter",
    [
        "---\ntitle: a\n# b\n---\n",
        "---\n# c\ntitle:\n  - a\n...\n",
        '---\n"a b": c\n\nd: e\n---   \n',
        "+++\n# c\ntitle = 1\n+++\n",
        "+++\n\n[a]\n+++\n",
        "\ufeff---\r\na: b\r\n---\r\n",
    ],
)
def test_front_matter(matter: str) -> None:
    text = matter + "# One\n"

    assert titles_of(text) == [(1, "One")]
    assert units_of(text) == [matter, "# One\n"]


@pytest.mark.parametrize("text", ["---\nOne\n---\n", "a\n\n---\nOne: 1\n---\n", "---\n\nOne: 1\n---\n"])
def test_rules_are_no_front_matter(text: str) -> None:
    assert [title.split(":")[0] for _, title in titles_of(text)] == ["One"]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("see https://a.example/b?c=d. Yes", ["https://a.example/b?c=d"]),
        ("(http://a.example/b_(c))", ["http://a.example/b_(c)"]),
        (
            "www.a.example, <https://b.example> <c@d.example>",
            ["www.a.example", "<https://b.example>", "https://b.example", "<c@d.example>"],
        ),
        ("見よhttp://a.example/b。次", ["http://a.example/b"]),
        (
            "[a](http://b.example) `http://c.example`",
            ["[a](http://b.example)", "http://b.example", "`http://c.example`", "http://c.example"],
        ),
        ("a://b :// x", []),
        ("*a **b** c* ~~d~~ <i>e</i> <!-- f -->", ["*a **b** c*", "**b**", "~~d~~", "<i>", "</i>", "<!-- f -->"]),
    ],
)
def test_inline_units(text: str, units: list[str]) -> None:
    assert units_of(text) == units


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("# A\n\n> ### Note\n>\n> quoted\n\nafter\n", {"quoted": ("A", "Note"), "after": ("A",)}),
        ("- # T\n\n  in\n- # U\n\nafter\n", {"in": ("T",), "U": ("U",), "after": ()}),
        ("::: tip\n## Inside\n\nin\n:::\n\nafter\n", {"in": ("Inside",), "after": ()}),
        ("# A\n\n[^1]:\n    ## Deep\n\n    in\n\nafter\n", {"in": ("A", "Deep"), "after": ("A",)}),
    ],
)
def test_a_section_closes_where_what_holds_it_ends(text: str, sections: dict[str, tuple[str, ...]]) -> None:
    """A quote, an item, a container, a footnote; a heading with nothing under it there stays with nothing."""
    outline = Headings().outline(text, read_markdown(text).headings)
    assert {word: outline.path_at(text.index(word)) for word in sections} == sections
    for chunk in spanwise.chunk(text, "sentences", max_characters=14, structure="markdown", overflow="split"):
        assert chunk.text.strip() != "- # U" or chunk.section == ("U",)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ('a\n\n<a id="b"></a>\n## B\n', ['<a id="b"></a>\n## B']),
        ("<!-- c -->\n# B\n", ["<!-- c -->\n# B"]),
        ("a\r\n\r\n(t)=\r\n\r\n# B\r\n", ["(t)=\r\n\r\n# B"]),
        ("a\n\n<a name=x>\n<!-- y -->\n\n# B\n", ["<a name=x>\n<!-- y -->\n\n# B"]),
        ("a\n\n[](){#b}\n# B\n\nc\n", ["[](){#b}\n# B"]),
        ("a\n<!-- c -->\n# B\n", ["# B"]),
        ("a\n\n<!-- c -->\n\nb\n\n# B\n", ["# B"]),
        ("```\n\n<!-- c -->\n```\n# B\n", ["# B"]),
    ],
)
def test_a_heading_begins_with_the_anchors_right_above_it(text: str, spans: list[str]) -> None:
    """And with comments there: nobody sees them, and a link that leads to them leads to the heading."""
    assert [text[heading.start : heading.end] for heading in read_markdown(text).headings] == spans


LONG_LINE = "word " * 100


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG_LINE}\n",
        f"- {LONG_LINE}\n- b\n",
        f"> {LONG_LINE}\n",
        f"- a\n\n  > {LONG_LINE}\n",
        f"[^1]: {LONG_LINE}\n",
        f"1. a\n1. {'x' * 300}\n",
        "x\n\n$$\n" + "a + b\n" * 20 + "$$\n",
        "x" * 30 + "\n\n$$\n" + "a + b\n" * 20 + "$$\n",
        "$$ | b\n---|---\n" + "c | d\n" * 60,
    ],
    ids=["paragraph", "item", "quote", "quote in an item", "note", "no blank", "formula", "words above it", "table"],
)
def test_what_is_longer_than_a_window_changes_nothing(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window ends inside it, or goes on to its end; a heading comes after it."""
    text += "\n# After\n"
    whole = read_markdown(text)
    for module, name, size in (
        (markdown, "WINDOW", 64),
        (markdown, "LOOK_AHEAD", 128),
        (markdown_marks, "LOOK_AHEAD", 128),
    ):
        monkeypatch.setattr(module, name, size)
    assert read_markdown(text) == whole
    assert [heading.title for heading in whole.headings] == ["After"]


@pytest.mark.parametrize("around", [("    ", "\n"), ("```\n", "\n```\n"), ("<div>\n", "\n</div>\n")])
def test_a_long_line_of_code_is_no_unit_and_hides_no_heading(
    around: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window ends inside of it."""
    monkeypatch.setattr(markdown, "WINDOW", 64)
    monkeypatch.setattr(markdown, "LOOK_AHEAD", 128)
    text = f"{LONG_LINE.join(around)}\n# After\n"
    assert titles_of(text) == [(1, "After")]


def test_a_formula_in_a_title_is_seen() -> None:
    assert titles_of("# On `f` and $x$ and $$y$$ <b>now</b>\n") == [(1, "On f and x and y now")]


def test_addresses_begin_where_words_do() -> None:
    """And have more than a scheme."""
    text = "See awww.example.org, ssh://. and http://( or www.example.org.\n"
    marks = sorted(found.start() for found in re.finditer(r"://|www\.", text))
    found = [text[start:end] for start, end in markdown_marks.addresses(text, 0, marks)]
    assert found == ["www.example.org"]


def test_a_fence_that_nothing_opened_closes_nothing() -> None:
    assert units_of(":::\n\nText.\n") == []


def test_formulas_above_a_window_are_left_as_they_are() -> None:
    """They are read with it only to tell which dollars open and which close."""
    text = "$$\na\n$$\n$$\nb\n$$\n"
    assert markdown_marks.masked(text, text.index("$$\nb"), has_math=True).text == "$$\na\n$$\n<?\nb\n?>\n"


def test_a_line_that_closes_a_formula_is_no_directive() -> None:
    """Though it begins like one: what stands behind the formula is Markdown, and each place stays where it is."""
    text = "$$\nx\n::: name $$\n\n# Heading\n"
    assert markdown_marks.masked(text, 0, has_math=True).text == "<?\nx\n::: name ?>\n\n# Heading\n"
    assert [heading.title for heading in read_markdown(text).headings] == ["Heading"]


def test_quotes_too_deep_to_be_opened_again_are_read_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a window ends inside them; what comes after is read as ever."""
    monkeypatch.setattr(markdown, "WINDOW", 300)
    monkeypatch.setattr(markdown, "LOOK_AHEAD", 600)
    assert titles_of("> " * 100 + LONG_LINE * 2 + "\n\n# After\n") == [(1, "After")]


@pytest.mark.parametrize("words", ["  *b* c", "  `b` c", "\t\\\nx"])
def test_words_behind_a_heading_in_a_tight_item_are_a_block(words: str) -> None:
    """Whatever they begin with: there is no event for the paragraph."""
    assert (read_markdown(f"- # H\n{words}\n").blocks or ())[:2] == (0, 6)


def test_colons_in_a_line_are_no_directive() -> None:
    assert read_markdown("a ::: b\n\n# H\n").blocks == (0, 9)


def test_lone_surrogates_in_front_matter_are_read_over() -> None:
    assert titles_of("---\ntitle: \ud800\n---\n\n# A\n") == [(1, "A")]


def test_a_window_without_brackets_refers_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though definitions are known."""
    monkeypatch.setattr(markdown, "WINDOW", 16)
    assert titles_of("[a]: /x\n\n" + "Words.\n\n" * 8 + "# A\n") == [(1, "A")]
