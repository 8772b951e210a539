"""reStructuredText: sections as docutils sees them, and the blocks that stay whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.glances import Glance
from spanwise.formats.restructured import looks_like_restructured, read_restructured
from structure_laws import check_look_ahead, check_structure
from texts import LAW

DATA = Path(__file__).parents[1] / "data"
PAGES = sorted((DATA / "plain").glob("*.rst"))

pieces = st.sampled_from(
    [
        "Title",
        "A longer title",
        "=====",
        "==============",
        "-----",
        "~~~~",
        "::",
        ":header-rows: 1",
        ".. list-table::",
        ".. csv-table::",
        "* - cell",
        "- - - item",
        "term",
        '1, "2',
        "+===+===+",
        "+---+---+",
        "-a  option",
        "text::",
        ".. note:: Look",
        ".. _label:",
        ".. code-block:: python",
        "..",
        "- item",
        "1. item",
        ":field: value",
        "| line",
        ">>> 1",
        "``x``",
        "漢字",
        "\ufeff",
        "+---+---+",
        "| a | b |",
        "=== ===",
        "a   b",
        "�",
        "\x00",
        "words that go on",
    ]
)
ends = st.sampled_from(["\n", "\n\n", "\r\n", "\r", "\n   ", "\n\n   ", "\f", " "])
texts = st.lists(st.builds(str.__add__, pieces, ends), max_size=40).map("".join)


def outline(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read_restructured(text).headings]


def units(text: str) -> list[str]:
    return [text[unit.start : unit.end] for unit in read_restructured(text).units]


# --- laws ---


@given(texts)
def test_every_structure_describes_its_text(text: str) -> None:
    check_structure(text, read_restructured(text))


@LAW
@given(texts, st.sampled_from(["words and words\n", "\n", "    set in\n", "=====\n"]), texts)
def test_what_comes_much_later_changes_nothing(head: str, filler: str, tail: str) -> None:
    """Headings depend on at most 65,536 characters after them."""
    check_look_ahead(read_restructured, head, filler, tail)


@given(texts)
def test_line_ends_make_no_difference(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    ended = plain.replace("\n", "\r\n")
    assert outline(plain) == outline(ended)
    assert units(plain) == [unit.replace("\r\n", "\n") for unit in units(ended)]


# --- oracle ---


def written(text: str) -> str:
    """Give a title as it is written: the line beside its rules, below its targets."""
    first, second, *_ = text.strip().split("\n\n")[-1].splitlines()
    return " ".join((second if set(first) == {first[0]} else first).split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sections_are_those_of_docutils(page: Path) -> None:
    """Recorded with docutils 0.23, see SOURCE.md."""
    text = page.read_text("utf-8")
    sections = [
        tuple(section) for section in json.loads((DATA / "plain" / "sections.json").read_text("utf-8"))[page.name]
    ]
    found = [
        (heading.level, written(text[heading.start : heading.end])) for heading in read_restructured(text).headings
    ]
    assert found == sections
    assert len(found) >= 4


# --- examples ---


def test_the_level_of_a_rule_is_told_by_its_first_appearance() -> None:
    text = "====\nBook\n====\n\nOne\n---\n\nOne one\n=======\n\nTwo\n---\n\n====\nNext\n====\n"
    assert outline(text) == [(1, "Book"), (2, "One"), (3, "One one"), (2, "Two"), (1, "Next")]


def test_a_heading_is_its_title_and_its_rules() -> None:
    text = "Before.\n\n=====\nTitle\n=====\n\nAfter.\n"
    (heading,) = read_restructured(text).headings
    assert text[heading.start : heading.end] == "=====\nTitle\n=====\n"


@pytest.mark.parametrize(
    "text",
    [
        "Example::\n\n    Title\n    =====\n",
        "Example::\n\n  Title\n  =====\n\n  Other\n  -----\n",
        ".. code-block:: rst\n\n   Title\n   =====\n",
        ".. A comment with a\n\n   Title\n   =====\n",
        "===== =====\nName  Value\n===== =====\na     b\n-----------\nc     d\n===== =====\n",
        "+-------+\n| Title |\n+=======+\n| text  |\n+-------+\n",
        "A paragraph of\ntwo lines\n=========\n",
        "- item\n------\n",
        "Text.\n\n----------\n\nText.\n",
        "====\n\nText.\n",
        "A long title here\n===\n",
    ],
)
def test_what_is_no_section(text: str) -> None:
    assert outline(text) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (":mod:`heapq` --- Heap queue\n===========================\n", "heapq --- Heap queue"),
        ("The ``in`` *operator*\n=====================\n", "The in operator"),
        (":class:`~a.b.Name` and :rfc:`4122`\n==================================\n", "Name and RFC 4122"),
        ("`Link <https://example.org>`_ here\n==================================\n", "Link here"),
        ("1. First step\n=============\n", "1. First step"),
        ("漢字\n====\n", "漢字"),
        (".. _label:\n\nTitle\n=====\n", "Title"),
        (".. _label:\nTitle\n=====\n", "Title"),
        ("\ufeffTitle\n=====\n", "Title"),
    ],
)
def test_a_title_is_plain_text(text: str, title: str) -> None:
    assert outline(text) == [(1, title)]


def test_blocks_that_stay_whole() -> None:
    text = (
        "Like so::\n\n    a = 1\n\n    b = 2\n\nText.\n\n.. note:: Look.\n\n   Inside.\n\nText.\n\n"
        "=== ===\na   b\n=== ===\n1   2\n=== ===\n\n+---+---+\n| a | b |\n+---+---+\n\nEnd.\n"
    )
    assert units(text) == [
        "    a = 1\n\n    b = 2\n",
        "    a = 1\n",
        "    b = 2\n",
        ".. note:: Look.\n\n   Inside.\n",
        "=== ===\na   b\n=== ===\n1   2\n=== ===\n",
        "=== ===\na   b\n=== ===\n",
        "1   2\n=== ===\n",
        "+---+---+\n| a | b |\n+---+---+\n",
    ]


def tables(text: str) -> list[tuple[str, str]]:
    return [(text[table.start : table.rows], text[table.rows : table.end]) for table in read_restructured(text).tables]


@pytest.mark.parametrize(
    "above",
    [
        ".. _install:\n\n",
        ".. _install:\n",
        ".. _install:\n.. _`set up: how`:\n\n",
        ".. __:\n\n",
        ".. index:: pump\n   single: hose\n\n",
        ".. _install:\n\n.. rst-class:: wide\n\n",
    ],
)
@pytest.mark.parametrize("title", ["Install\n=======\n", "=======\nInstall\n=======\n"])
def test_what_points_at_a_heading_belongs_to_it(above: str, title: str) -> None:
    text = f"Before.\n\n{above}{title}\nAfter.\n"
    (heading,) = read_restructured(text).headings
    assert text[heading.start : heading.end] == above + title


@pytest.mark.parametrize(
    "above", [".. _site: https://example.org\n\n", ".. [1] A note.\n\n", ".. A comment.\n\n", ".. _a:\n\nText.\n\n"]
)
def test_other_explicit_markup_belongs_to_the_section_above(above: str) -> None:
    text = f"{above}Install\n=======\n"
    assert [heading.start for heading in read_restructured(text).headings] == [len(above)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- a\n  goes on\n- b\n", ["- a\n  goes on\n", "- b\n"]),
        ("* a\n\n  - b\n\n    more\n\n* c\n", ["* a\n\n  - b\n\n    more\n", "  - b\n\n    more\n", "* c\n"]),
        ("1. a\n2. b\n   c\n", ["1. a\n", "2. b\n   c\n"]),
        ("(a) x\n(b) y\n#. z\n", ["(a) x\n", "(b) y\n", "#. z\n"]),
        (
            "term\n  Said.\n\n  More.\nother : kind\n  Said.\n",
            ["term\n  Said.\n\n  More.\n", "other : kind\n  Said.\n"],
        ),
        (":Author: A\n:Notes: b\n   c\n", [":Author: A\n", ":Notes: b\n   c\n"]),
        ("-a        all\n--file=X  from\n          here\n", ["-a        all\n", "--file=X  from\n          here\n"]),
        ("- - a\n  - b\n", ["- - a\n  - b\n", "- - a\n", "  - b\n"]),
        ("- a::\n\n    x\n\n  b\n", ["- a::\n\n    x\n\n  b\n", "    x\n"]),
        ("A paragraph with\n- a dash\nin it.\n", []),
        ("A. Author wrote this\nin two lines.\n", []),
    ],
)
def test_items_are_units_with_what_goes_on_in_them(text: str, found: list[str]) -> None:
    assert units(text) == found


@pytest.mark.parametrize("opening", ["::\n\n", ".. code-block:: python\n\n"])
def test_lines_of_verbatim_blocks_are_units(opening: str) -> None:
    assert units(f"{opening}    a = 1\n\n      b\n\nEnd.\n")[1:] == ["    a = 1\n", "      b\n"]


def test_lines_of_sessions_are_units() -> None:
    assert units(">>> a\n1\n\nEnd.\n") == [">>> a\n1\n", ">>> a\n", "1\n"]


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("+---+---+\n| H | I |\n+===+===+\n", ["| a | b |\n| c |   |\n+---+---+\n", "| d | e |\n+---+---+\n"]),
        ("+---+---+\n| H     |\n+---+---+\n| I | J |\n+===+===+\n", ["| a | b |\n+   +---+\n|   | c |\n+---+---+\n"]),
        ("=== ===\nA   B\n=== ===\n", ["1   x\n    y\n", "2   z\n=== ===\n"]),
        ("=== ===\nA   B\n    b\n=== ===\n", ["1   x\n--- ---\n\n", "2   z\n=== ===\n"]),
        (
            ".. csv-table:: Faults\n   :header: Code, Meaning\n\n",
            ["   E1, none\n", '   E2, "hot\n   or cold"\n', '   E2, "hot\n', '   or cold"\n'],
        ),
        (".. csv-table::\n   :header-rows: 1\n\n   Code, Meaning\n", ["   E1, none\n"]),
        (
            ".. list-table:: Faults\n   :header-rows: 1\n\n   * - Code\n     - Meaning\n",
            ["   * - E1\n     - none\n", "   * - E1\n", "     - none\n"],
        ),
    ],
)
def test_tables_have_a_header_and_rows(header: str, rows: list[str]) -> None:
    text = header + "".join(row for row in rows if not any(row != other and row in other for other in rows))
    assert tables(text) == [(header, text[len(header) :])]
    assert [unit for unit in units(text) if text.index(unit) >= len(header)] == rows
    assert units(text)[:2] == [text, header]


@pytest.mark.parametrize(
    "text",
    [
        "+---+---+\n| a | b |\n+---+---+\n| c | d |\n+---+---+\n",
        "=== ===\n1   x\n2   z\n=== ===\n",
        ".. list-table::\n\n   * - a\n     - b\n",
        ".. csv-table::\n   :widths: 1, 2\n\n   a, b\n",
    ],
)
def test_tables_without_a_header(text: str) -> None:
    assert tables(text) == []
    assert len(units(text)) > 2


def test_directives_nest() -> None:
    text = ".. function:: f(x)\n\n   Text.\n\n   .. note::\n\n      Look::\n\n         x\n\n   More.\n\nEnd.\n"
    assert [unit.splitlines()[0].strip() for unit in units(text)] == [".. function:: f(x)", ".. note::", "x"]


# --- detector ---


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_of_documentation_are_known(page: Path) -> None:
    assert looks_like_restructured(Glance(page.read_text("utf-8")[:65_536]))


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=====\n\nA README that may be Markdown.\n\n```sh\nrun\n```\n",
        "# Title\n\nSome ``code`` and a ``word``.\n\nSetext\n======\n",
        'def f():\n    """Title\n\n    .. versionadded:: 2.0\n    """\n\nimport os\n\nclass A:\n    a\n\nimport re\n',
        "He paused .. and went on::\n\nWell ..\n",
        "",
    ],
)
def test_other_texts_are_not_taken_for_it(text: str) -> None:
    assert not looks_like_restructured(Glance(text))


@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.name)
def test_prose_is_not_taken_for_it(corpus: Path) -> None:
    assert not looks_like_restructured(Glance(corpus.read_text("utf-8")[:65_536]))


def test_items_deeper_than_units_are_text() -> None:
    """Of eighty items in one line the outermost are units, and the literal block below them is none of its own."""
    text = "- " * 80 + "x::\n\n" + " " * 170 + "y\n"
    assert set(units(text)) == {text}


def test_a_table_may_end_with_the_text() -> None:
    assert units("+---+\n| a |\n+---+") == ["+---+\n| a |\n+---+"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # directives beside a heading of Markdown, with two titles or one
        (".. note:: x\n\n.. note:: y\n\n# Title\n\nA\n=\n\nB\n=\n", True),
        (".. note:: x\n\n.. note:: y\n\n# Title\n\nA\n=\n", False),
        # roles and a literal block beside a title, and a program that has roles in it
        ("The ``x`` is\n\n:ref:`x` and::\n\n  x\n\nAbout\n=====\n\nText.\n", True),
        ("import os\ndef f(x):\n    ``x``\ndef g(x):\nclass X:\n", False),
    ],
)
def test_it_is_known_by_directives_or_roles_beside_titles(text: str, expected: bool) -> None:  # noqa: FBT001
    assert looks_like_restructured(Glance(text)) is expected


def test_a_simple_table_has_its_border_near() -> None:
    """What goes on for pages without one is no table."""
    assert units("=== ===\n1   2\n=== ===\n") == ["=== ===\n1   2\n=== ===\n"]
    assert units("=== ===\n" + "1   2\n" * 12_000 + "=== ===\n") == []
