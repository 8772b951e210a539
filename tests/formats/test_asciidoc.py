"""AsciiDoc: titles by equals signs or rules, delimited blocks whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.formats.asciidoc import looks_like_asciidoc, read_asciidoc
from structure_laws import check_structure

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


# --- laws ---


@given(texts)
def test_every_structure_describes_its_text(text: str) -> None:
    check_structure(text, read_asciidoc(text))


@settings(max_examples=30)
@given(texts, st.sampled_from(["words and words.\n", "\n", "== Entry\n", "----\n"]), texts)
def test_what_comes_much_later_changes_nothing(head: str, filler: str, tail: str) -> None:
    """Headings depend on at most 65,536 characters after them."""
    middle = head + "\n" + filler * (66_000 // len(filler))
    with_tail = [heading for heading in read_asciidoc(middle + tail).headings if heading.end <= len(head)]
    assert with_tail == [heading for heading in read_asciidoc(middle).headings if heading.end <= len(head)]


@given(st.sampled_from(["----", "....", "++++", "////", "-----", "|===", "```", "====", "****", "____", "--"]), texts)
def test_nothing_in_a_block_is_a_title(delimiter: str, text: str) -> None:
    inside = "\n".join(line for line in text.splitlines() if line.rstrip() != delimiter)
    block = f"{delimiter}\n{inside}\n{delimiter}\n"
    assert outline(block) == []


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
        "....\nliteral\n....\n",
    ]


# --- detector ---


def test_asciidoc_is_known() -> None:
    assert looks_like_asciidoc("= Title\n:toc:\n\n== One\n\n[source,ruby]\n----\nputs 1\n----\n")


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
    assert not looks_like_asciidoc(text)


@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.name)
def test_prose_is_not_taken_for_it(corpus: Path) -> None:
    assert not looks_like_asciidoc(corpus.read_text("utf-8")[:65_536])
