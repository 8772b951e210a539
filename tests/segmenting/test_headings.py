"""Markdown headings: where they are, where none is, and which sections hold an offset."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from spanwise import ConfigurationError
from spanwise.formats.reading import structure_of
from spanwise.sections import Heading, Outline
from spanwise.segmenting.headings import HeadingCuts, Headings
from spanwise.segmenting.segmenter import all_cuts
from texts import LAW, boundaries_of, chunked_texts


def outline(text: str) -> Outline:
    """Read the headings of a Markdown text as a chunker does."""
    return Headings().outline(text, structure_of(text, structure="markdown").headings)


def titles(text: str) -> list[tuple[int, str]]:
    """List level and title of each heading."""
    return [(heading.level, heading.title) for heading in outline(text).headings]


@pytest.mark.parametrize(
    ("line", "level", "title"),
    [
        ("# One", 1, "One"),
        ("###### Six", 6, "Six"),
        ("   ## Indented", 2, "Indented"),
        ("##\tTab", 2, "Tab"),
        ("## Closed ##", 2, "Closed"),
        ("## Closed ######   ", 2, "Closed"),
        ("## Not closed ## b", 2, "Not closed ## b"),
        ("## C#", 2, "C#"),
        ("## *Bold* `code` [link](http://e.x/y)", 2, "Bold code link"),
        ("# Títle 中文 👨\u200d👩\u200d👧", 1, "Títle 中文 👨\u200d👩\u200d👧"),
    ],
)
def test_one_to_six_hashes_and_a_blank_begin_a_heading(line: str, level: int, title: str) -> None:
    """ATX headings, CommonMark 4.2: closing hashes and markup are no part of the title."""
    assert titles(f"{line}\n\ntext\n") == [(level, title)]


@pytest.mark.parametrize(
    "line",
    [
        "#hashtag",
        "####### seven",
        "    # code",
        "\t# code",
        r"\# escaped",
        "text # not",
        "5 # no",
        "#",
        "##  ##",
        f"# {'long ' * 80}",
    ],
)
def test_other_hashes_begin_none(line: str) -> None:
    """No blank after it, seven of them, four blanks before, an escape, inside a line, no title, a paragraph."""
    assert titles(f"{line}\n\ntext\n") == []


def test_a_line_of_equals_signs_or_hyphens_underlines_a_heading() -> None:
    """Setext headings, CommonMark 4.3."""
    assert titles("Title\n===\n\nSub\n---\n\ntext\n\n---\n") == [(1, "Title"), (2, "Sub")]


def test_a_title_may_be_wrapped() -> None:
    """The whole paragraph above the underline is the title, and the heading begins with it."""
    found = outline("text\n\nA wrapped\ntitle\n=====\nmore\n").headings
    assert [(heading.start, heading.title) for heading in found] == [(6, "A wrapped title")]


@pytest.mark.parametrize(
    "text",
    [
        "- item\n---\n",
        "> quote\n---\n",
        "| a |\n|---|\n",
        "\n---\ntext\n",
        "text\n\n---\n",
        "# Title\n---\n",
        "    code\n---\n",
        "text\n- - -\n",
        "text\n== =\n",
    ],
)
def test_a_rule_is_no_underline(text: str) -> None:
    """After an item, a quote, a table row, a blank line, a heading or indented code hyphens divide."""
    assert [title for _, title in titles(text) if title != "Title"] == []


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n```\n",
        "```py\n# no\n\n# no\n```\n",
        "~~~\n# no\n```\n# no\n~~~\n",
        "````\n```\n# no\n````\n",
        "- ```\n  # no\n  ```\n",
        "```\n# never closed\n",
        "<!--\n# no\n-->\n",
        "<!-- a\n\n# no -->\n",
        "<div>\n# no\n</div>\n",
        "<pre>\n\n# no\n\n</pre>\n",
        "<script>\n# no\n\n# no\n</script>\n",
        "---\ntitle: a\n# no\n---\n",
        "+++\na = 1\n# no\n+++\n",
        "\ufeff---\n# no\na: b\n---\n",
        "text\n    # no\n",
    ],
)
def test_hashes_inside_other_blocks_begin_none(text: str) -> None:
    """Fences, comments, HTML blocks, front matter and indented code hold no headings, and end where they end."""
    assert titles(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n```\n# Yes\n",
        "<!-- # no -->\n# Yes\n",
        "<div>\n# no\n</div>\n\n# Yes\n",
        "---\na: b\n---\n# Yes\n",
        "\ufeff# Yes\n",
        "# Yes",
        "text\n# Yes\n",
        "text\r\n# Yes\r\n",
        "text\r# Yes\r",
        "- item\n# Yes\n",
    ],
)
def test_a_heading_follows_at_once(text: str) -> None:
    """After the end of a block, at either end of the text, after any line end, right below a paragraph."""
    assert titles(text) == [(1, "Yes")]


def test_sections_nest_by_level() -> None:
    """`path_at` gives the titles above an offset, outermost first; a heading is part of its section."""
    text = "before\n\n# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n\n# E\n"
    found = outline(text)
    assert found.path_at(0) == ()
    assert found.path_at(text.index("# A")) == ("A",)
    assert found.path_at(text.index("\nb\n")) == ("A", "B")
    assert found.path_at(text.index("\nc\n")) == ("A", "B", "C")
    assert found.path_at(text.index("\nd\n")) == ("A", "D")
    assert found.path_at(len(text)) == ("E",)


def test_a_level_may_be_jumped() -> None:
    """From 1 to 4 and back to 3: a section closes where one of its own or an outer level begins."""
    found = outline("# A\n\n#### B\n\n### C\n\n###### D\n\n## E\n")
    assert [found.path_at(heading.start) for heading in found.headings] == [
        ("A",),
        ("A", "B"),
        ("A", "C"),
        ("A", "C", "D"),
        ("A", "E"),
    ]


def test_headings_that_follow_one_another_are_not_parted() -> None:
    """A heading stays with what follows it, also where that is a heading."""
    text = "text\n\n# A\n\n## B\n\nb\n\n# C\n"
    assert list(all_cuts(HeadingCuts(outline(text), len(text)), len(text))) == [6, text.index("# C"), len(text)]


def test_a_cut_below_a_heading_moves_above_it() -> None:
    """`loosened` moves a cut that would part a heading from its text to before the heading."""
    text = "text\n\n# A\n\nbody"
    found = outline(text)
    assert [found.loosened(cut) for cut in (5, 6, 8, 10, 11, 12)] == [5, 6, 6, 6, 6, 12]


def test_a_function_may_give_more_headings() -> None:
    """Its offsets are added to those of Markdown, below their levels; the title is the line."""
    text = "# A\n\nClause 1\n\nIt lasts.\n"
    found = Headings(lambda text: [text.index("Clause")]).outline(text, outline(text).headings)
    assert found.path_at(20) == ("A", "Clause 1")


@pytest.mark.parametrize("offset", [-1, 4])
def test_a_function_must_give_offsets_of_the_text(offset: int) -> None:
    """The message shows the offset and the length of the text."""
    with pytest.raises(ConfigurationError, match=r"headings= gave .* no offset of this text of 4 code points"):
        Headings(lambda _: [offset]).outline("text")


@pytest.mark.parametrize("given", [None, 5, [2.0], [None], ["0"], [[1]]])
def test_a_function_must_give_whole_numbers(given: object) -> None:
    """The message shows what it gave."""
    with pytest.raises(ConfigurationError, match=r"headings= must give offsets, whole numbers, got "):
        Headings(lambda _: given).outline("text")  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("text", ["\ufeff# Pump\n", "\ufeffPump\n====\n"])
def test_a_bom_is_part_of_the_first_heading(text: str) -> None:
    """A chunk of a BOM alone would be nothing to read; the title is without it."""
    assert [(heading.start, heading.title) for heading in outline(text).headings] == [(0, "Pump")]


@pytest.mark.parametrize("text", ["a\n***\nb\n===\n", "a\n_ _ _\nb\n===\n"])
def test_a_thematic_break_is_no_part_of_a_title(text: str) -> None:
    """CommonMark 4.1."""
    assert titles(text) == [(1, "b")]


@pytest.mark.parametrize("text", ["<?php\n# no\n?>\n", "<![CDATA[\n# no\n]]>\n", "<!--\n# no\n-->\n"])
def test_hashes_in_instructions_and_comments_begin_none(text: str) -> None:
    """HTML blocks of kinds 2, 3 and 5, CommonMark 4.6."""
    assert titles(text + "# Yes\n") == [(1, "Yes")]


def test_a_function_must_not_give_an_offset_inside_a_character() -> None:
    """Sections are cut there."""
    with pytest.raises(ConfigurationError, match="gave 1, which is inside a character"):
        Headings(lambda _: [1]).outline("e\u0301")


def test_a_section_may_close_before_the_next_heading() -> None:
    """At its `until`, and with the section that holds it."""
    headings = [
        Heading(0, 2, 1, "A"),
        Heading(2, 4, 2, "B", until=10),
        Heading(4, 6, 3, "C", until=20),
        Heading(12, 14, 2, "D"),
    ]
    found = Outline(headings, [heading.end for heading in headings])
    assert [found.path_at(offset) for offset in (0, 3, 5, 9, 10, 11, 13, 99)] == [
        ("A",),
        ("A", "B"),
        ("A", "B", "C"),
        ("A", "B", "C"),
        ("A",),
        ("A",),
        ("A", "D"),
        ("A", "D"),
    ]
    assert found.paths_between(3, 13) == (("A", "B"), ("A", "B", "C"), ("A",), ("A", "D"))


def test_a_section_that_closes_gives_back_what_was_open_before() -> None:
    """An aside inside a section has a heading of the same level."""
    headings = [Heading(0, 4, 2, "Main"), Heading(10, 14, 2, "Note", until=20), Heading(12, 14, 3, "Deep", until=16)]
    found = Outline(headings, [heading.end for heading in headings])
    assert [found.path_at(offset) for offset in (5, 10, 13, 17, 20)] == [
        ("Main",),
        ("Note",),
        ("Note", "Deep"),
        ("Note",),
        ("Main",),
    ]


def test_sections_may_be_open_where_a_text_begins() -> None:
    """As on the second passage of a long text."""
    found = Outline([Heading(5, 9, 2, "C")], [9], above=((1, "A"), (2, "B")))
    assert [found.path_at(offset) for offset in (0, 4, 5)] == [("A", "B"), ("A", "B"), ("A", "C")]
    assert [found.open_at(offset) for offset in (0, 7)] == [((1, "A"), (2, "B")), ((1, "A"), (2, "C"))]


@LAW
@given(text=chunked_texts(), offset=st.integers(0, 400))
def test_headings_begin_and_end_between_characters(text: str, offset: int) -> None:
    """They are hard cuts of some strategies, and levels increase along every path."""
    found = outline(text)
    boundaries = set(boundaries_of(text))
    for heading in found.headings:
        assert {heading.start, heading.end} <= boundaries
    assert len(found.path_at(offset)) <= 6


@pytest.mark.parametrize(
    ("text", "structure"),
    [('{"a":[ \u0301"b"]}', "json"), ("<h1>A</h1> \u0301b" * 3, "html"), ("# A\n\n \ufe0fb c\n", "markdown")],
)
def test_the_text_below_a_heading_begins_between_clusters(text: str, structure: str) -> None:
    """A blank with a mark on it is one character with that."""
    chunker = spanwise.Chunker(max_characters=6, overflow="split", structure=structure)
    assert chunker.verify(text, chunker.chunk(text)) == []
