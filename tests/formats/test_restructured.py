"""reStructuredText: sections as docutils sees them, and the blocks that stay whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.formats.restructured import looks_like_restructured, read_restructured
from structure_laws import check_structure

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


@settings(max_examples=30)
@given(texts, st.sampled_from(["words and words\n", "\n", "    set in\n", "=====\n"]), texts)
def test_what_comes_much_later_changes_nothing(head: str, filler: str, tail: str) -> None:
    """Headings depend on at most 65,536 characters after them."""
    middle = head + "\n" + filler * (66_000 // len(filler))
    with_tail = [heading for heading in read_restructured(middle + tail).headings if heading.end <= len(head)]
    assert with_tail == [heading for heading in read_restructured(middle).headings if heading.end <= len(head)]


@given(texts)
def test_line_ends_make_no_difference(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    assert outline(plain) == outline(plain.replace("\n", "\r\n"))


# --- oracle ---


def written(text: str) -> str:
    """Give a title as it is written: the line beside its rules."""
    first, second, *_ = text.strip().splitlines()
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
        ".. note:: Look.\n\n   Inside.\n",
        "=== ===\na   b\n=== ===\n1   2\n=== ===\n",
        "+---+---+\n| a | b |\n+---+---+\n",
    ]


def test_directives_nest() -> None:
    text = ".. function:: f(x)\n\n   Text.\n\n   .. note::\n\n      Look::\n\n         x\n\n   More.\n\nEnd.\n"
    assert [unit.splitlines()[0].strip() for unit in units(text)] == [".. function:: f(x)", ".. note::", "x"]


# --- detector ---


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_of_documentation_are_known(page: Path) -> None:
    assert looks_like_restructured(page.read_text("utf-8")[:65_536])


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
    assert not looks_like_restructured(text)


@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.name)
def test_prose_is_not_taken_for_it(corpus: Path) -> None:
    assert not looks_like_restructured(corpus.read_text("utf-8")[:65_536])
