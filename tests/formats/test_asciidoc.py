"""AsciiDoc: titles by equals signs or rules, delimited blocks whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.asciidoc import looks_like_asciidoc, read_asciidoc
from spanwise.formats.glances import Glance
from structure_laws import check_look_ahead, check_structure
from texts import LAW

DATA = Path(__file__).parents[1] / "data"

pieces = st.sampled_from(
    [
        "= Title",
        "== Section",
        "=== Sub ===",
        "## Other",
        "----",
        "....",
        "====",
        "****",
        "____",
        "++++",
        "|===",
        "--",
        "////",
        "```ruby",
        "[source,ruby]",
        ".A title",
        "Title",
        "-----",
        "~~~~~",
        "words.",
        "[[id]]",
        ":toc:",
        "// comment",
        "* item",
        "** inner",
        ". step",
        "term:: said",
        "term::",
        "<1> callout",
        "+",
        "|a |b",
        "2+|c",
        ".2+|d",
        '[%header,format=csv,cols="2*,1"]',
        ",===",
        "\ufeff",
        "�",
        "\x00",
        "=====",
        "`x`",
        "*b*",
    ]
)
ends = st.sampled_from(["\n", "\n\n", "\r\n", "\r", "\n   ", " ", "\f"])
texts = st.lists(st.builds(str.__add__, pieces, ends), max_size=40).map("".join)


def outline(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read_asciidoc(text).headings]


def units(text: str) -> list[str]:
    return [text[unit.start : unit.end] for unit in read_asciidoc(text).units]


def tables(text: str) -> list[tuple[str, str]]:
    return [(text[table.start : table.rows], text[table.rows : table.end]) for table in read_asciidoc(text).tables]


# --- laws ---


@given(texts)
def test_every_structure_describes_its_text(text: str) -> None:
    check_structure(text, read_asciidoc(text))


@LAW
@given(texts, st.sampled_from(["words and words.\n", "\n", "== Entry\n", "----\n"]), texts)
def test_what_comes_much_later_changes_nothing(head: str, filler: str, tail: str) -> None:
    """Headings depend on at most 65,536 characters after them."""
    check_look_ahead(read_asciidoc, head, filler, tail)


@given(st.sampled_from(["----", "....", "++++", "////", "-----", "|===", "```", "====", "****", "____", "--"]), texts)
def test_nothing_in_a_block_is_a_title(delimiter: str, text: str) -> None:
    inside = "\n".join(line for line in text.splitlines() if line.rstrip() != delimiter)
    block = f"{delimiter}\n{inside}\n{delimiter}\n"
    assert outline(block) == []


@given(texts)
def test_line_ends_make_no_difference(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    ended = plain.replace("\n", "\r\n")
    assert outline(plain) == outline(ended)
    assert units(plain) == [unit.replace("\r\n", "\n") for unit in units(ended)]


# --- examples ---


def test_levels_are_told_by_the_signs() -> None:
    assert outline("= Book\nA. Author\n\n== One\n\n=== One one ===\n\n====== Deep\n\n## Markdown's\n") == [
        (1, "Book"),
        (2, "One"),
        (3, "One one"),
        (6, "Deep"),
        (2, "Markdown's"),
    ]


def test_titles_with_a_rule_below() -> None:
    text = "git-x(1)\n========\n\nNAME\n----\ngit-x - do x\n\nOptions\n~~~~~~~\n\nText.\n"
    assert outline(text) == [(1, "git-x(1)"), (2, "NAME"), (3, "Options")]
    assert [text[heading.start : heading.end] for heading in read_asciidoc(text).headings][1] == "NAME\n----\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[anchor]]\n== Title\n", ["Title"]),
        ("== [[anchor]]Title\n", ["Title"]),
        ("== The `code` and *strong* of link:x.html[here]\n", ["The code and strong of here"]),
        (".Block title\n----\n== code\n----\n\n== Title\n", ["Title"]),
        ("====\nExample\n\n== No\n====\n\n== Yes\n", ["Yes"]),
        ("|===\n| a\n\n== No\n|===\n== Yes\n", ["Yes"]),
        ("A paragraph\n== not a title\n", []),
        ("==No blank\n", []),
        ("======= Seven\n", []),
        ("// == Comment\n", []),
        ("  == Set in\n", []),
        ("----\nnever closed\n\n== No\n", []),
    ],
)
def test_titles(text: str, found: list[str]) -> None:
    assert [title for _, title in outline(text)] == found


def test_blocks_stay_whole_and_nest() -> None:
    text = "====\nText\n\n----\ncode\n----\n====\n\n....\nliteral\n....\n"
    assert [text[unit.start : unit.end] for unit in read_asciidoc(text).units] == [
        "====\nText\n\n----\ncode\n----\n====\n",
        "----\ncode\n----\n",
        "code\n",
        "....\nliteral\n....\n",
        "literal\n",
    ]


@pytest.mark.parametrize(
    "above",
    [
        "[[install]]\n",
        "[#install]\n",
        "[appendix]\n",
        "[[install]]\n\n",
        "[[install]]\n[.wide]\n// why\n",
        "[#install]\n.Named\n",
    ],
)
@pytest.mark.parametrize("title", ["== Install\n", "Install\n-------\n"])
def test_attributes_above_a_title_belong_to_its_heading(above: str, title: str) -> None:
    text = f"Before.\n\n{above}{title}\nAfter.\n"
    (heading,) = read_asciidoc(text).headings
    assert text[heading.start : heading.end] == above + title


@pytest.mark.parametrize("above", ["[source,ruby]\n", ".A title\n[source,ruby]\n", "[[a]]\n.A title\n\n"])
@pytest.mark.parametrize(
    "block", ["----\na = 1\n\n  b\n----\n", "....\na = 1\n\n  b\n....\n", "```rb\na = 1\n\n  b\n```\n"]
)
def test_attributes_above_a_block_belong_to_it_and_its_lines_are_units(above: str, block: str) -> None:
    assert units(f"Text.\n\n{above}{block}\nText.\n") == [above + block, "a = 1\n", "  b\n"]


def test_a_listing_goes_with_its_callouts() -> None:
    listing, callouts = "[source]\n----\na <1>\n----\n", "<1> One,\nat length\n<2> Two\n"
    assert units(f"{listing}{callouts}\nText.\n") == [
        listing + callouts,
        listing,
        "a <1>\n",
        "<1> One,\nat length\n",
        "<2> Two\n",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[NOTE]\nLook\nhere.\n\nText.\n", ["[NOTE]\nLook\nhere.\n"]),
        (".A pump\nimage::pump.png[]\n\nText.\n", [".A pump\nimage::pump.png[]\n"]),
        ("[source]\na = 1\nb = 2\n\nText.\n", ["[source]\na = 1\nb = 2\n", "a = 1\n", "b = 2\n"]),
        (" set in\n  more\n\nText.\n", [" set in\n  more\n", " set in\n", "  more\n"]),
        ("Text.\n", []),
    ],
)
def test_attributes_belong_to_a_paragraph(text: str, found: list[str]) -> None:
    assert units(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("* a\ngoes on\n* b\n\nText.\n", ["* a\ngoes on\n", "* b\n"]),
        ("* a\n** b\n*** c\n* d\n", ["* a\n** b\n*** c\n", "** b\n*** c\n", "*** c\n", "* d\n"]),
        (". a\n.. b\n. c\n", [". a\n.. b\n", ".. b\n", ". c\n"]),
        ("1. a\n2. b\n- c\n3. d\n", ["1. a\n", "2. b\n- c\n", "- c\n", "3. d\n"]),
        ("* a\n\n* b\n\nText.\n", ["* a\n", "* b\n"]),
        (
            "* a\n+\nmore\n+\n----\nx\n----\n* b\n",
            ["* a\n+\nmore\n+\n----\nx\n----\n", "----\nx\n----\n", "x\n", "* b\n"],
        ),
        ("* a\n** b\n\n+\nof a\n\nText.\n", ["* a\n** b\n\n+\nof a\n", "** b\n"]),
        ("a:: b\nc::\n  d\n\ne::\n\nf\n\nText.\n", ["a:: b\n", "c::\n  d\n", "e::\n\nf\n"]),
        ("a::\n* b\n* c\nd:: e\n", ["a::\n* b\n* c\n", "* b\n", "* c\n", "d:: e\n"]),
        (".Parts\n* a\n* b\n", [".Parts\n* a\n", "* b\n"]),
        ("* a\n\n----\nx\n----\n", ["* a\n", "----\nx\n----\n", "x\n"]),
        ("A paragraph with\n* a star\n", []),
        ("*bold* and\n.5 litres\n", []),
    ],
)
def test_items_are_units_with_what_goes_on_in_them(text: str, found: list[str]) -> None:
    assert units(text) == found


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("|===\n|Code |Meaning\n\n", ["|E1 |none\n", "|E2 |hot\n|===\n"]),
        ("[%header]\n|===\n|Code |Meaning\n", ["|E1 |none\n", "|E2 |hot\n|===\n"]),
        (
            '.Faults\n[options="header",cols="1,2"]\n|===\n|Code\n|Meaning\n\n',
            ["|E1\n|none\n", "|E2\n|hot\nor not\n|===\n"],
        ),
        ('[cols="2*,1",opts=header]\n|===\n|A |B |C\n', ["|1\n2+|2\n", "|3\n|4\n|5\n|===\n"]),
        ("[cols=2*]\n|===\n|A |B\n\n", [".2+|1\n|2\n|3\n", "|4 a\\|b\n|5\n|===\n"]),
        ("[%header,format=csv]\n|===\na,b\n", ['1,"x\ny"\n', "2,z\n|===\n"]),
        (",===\na,b\n\n", ["1,2\n", "2,3\n,===\n"]),
    ],
)
def test_tables_have_a_header_and_rows(header: str, rows: list[str]) -> None:
    text = header + "".join(rows)
    assert tables(text) == [(header, "".join(rows))]
    assert units(text) == [text, header.rstrip() + "\n", *rows]


@pytest.mark.parametrize(
    "text",
    ["|===\n|a |b\n|c |d\n|===\n", "[%noheader]\n|===\n|a |b\n\n|c |d\n|===\n", "|===\n\n|a |b\n\n|c |d\n|===\n"],
)
def test_tables_without_a_header(text: str) -> None:
    assert tables(text) == []
    assert len(units(text)) == 3


# --- detector ---


def test_asciidoc_is_known() -> None:
    assert looks_like_asciidoc(Glance("= Title\n:toc:\n\n== One\n\n[source,ruby]\n----\nputs 1\n----\n"))


@pytest.mark.parametrize("author", ["", "Ada <a@b.c>\n", "Ada Byron <a@b.c>\nv1.0, 2024-05-01\n"])
def test_a_title_above_two_sections_is_enough(author: str) -> None:
    """In a text too short for anything else that only AsciiDoc has."""
    text = f"= Title\n{author}\nIntro.\n\n== First\n\nText.\n\n== Second\n\nText.\n"
    assert looks_like_asciidoc(Glance(text))
    assert not looks_like_asciidoc(Glance(text.replace("== Second", "Second")))
    assert not looks_like_asciidoc(Glance(text.replace("= Title\n", "")))
    assert not looks_like_asciidoc(Glance(text.replace("== First", "== First ==").replace("== Second", "== Second ==")))
    assert not looks_like_asciidoc(
        Glance(text.replace("== First", "----\n== First").replace("== Second", "== Second\n----"))
    )


@pytest.mark.parametrize(
    "text",
    [
        " = Valkyria =\n\n = = Sub = = \n",
        "= Title\n\nText.\n",
        "# Title\n\n```\n= x\n```\n\n## Two\n",
        "Title\n=====\n\nText.\n\nTwo\n---\n",
        "== Wiki ==\n\nText with [[link]] and ''it''.\n\n== Two ==\n",
        "x = 1\n== y\n",
        "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n",
        "",
    ],
)
def test_other_texts_are_not_taken_for_it(text: str) -> None:
    assert not looks_like_asciidoc(Glance(text))


@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.name)
def test_prose_is_not_taken_for_it(corpus: Path) -> None:
    assert not looks_like_asciidoc(Glance(corpus.read_text("utf-8")[:65_536]))


def test_blocks_and_items_deeper_than_units_are_text() -> None:
    """What comes after them is read as ever."""
    blocks = ["=" * (4 + depth) + "\n" for depth in range(70)]
    text = "".join(blocks) + "text\n" + "".join(reversed(blocks)) + "\n== After\n"
    assert max(unit.count("\n") for unit in units(text)) == 2 * 70 + 1
    assert len(units(text)) == 64
    items = "".join(f"* x\n** x\n*** x\n+\n{block}" for block in blocks[:40])
    assert len(units(f"{items}* a\n** b\n")) <= 2 * 64


def test_two_cells_of_one_row_may_reach_into_the_next_rows() -> None:
    """Rows into which a cell reaches stay with the row that it begins in."""
    text = '[cols="3*"]\n|===\n.2+|a .2+|b |c\n|d\n|e |f |g\n|===\n'
    assert units(text)[1:] == ['[cols="3*"]\n|===\n.2+|a .2+|b |c\n|d\n', "|e |f |g\n|===\n"]


def test_a_title_of_an_anchor_alone_is_none() -> None:
    assert outline("== [[pumps]]\n\n== Valves [[valves]]\n") == [(2, "Valves")]


def test_a_list_in_a_block_ends_with_it() -> None:
    text = "====\n* x\n====\ny\n"
    assert units(text) == ["====\n* x\n====\n", "* x\n"]
