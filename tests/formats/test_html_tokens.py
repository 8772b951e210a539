"""HTML is cut into tags and text as the standard says, and as another parser reads it."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.html_tokens import COMMENT, END, RAW, START, TEXT, Tokens, attributes_of
from spanwise.structure import LOOK_AHEAD

PAGES = sorted(Path(__file__).parent.parent.joinpath("data", "html").glob("*.html"))

ATTRIBUTES = st.sampled_from(
    ("", " a", " a=1", ' a="x > y"', " a='<b>'", ' a = "1" b', ' a=""', ' data-x="&amp;"', "\n  a='1'\n  b=2\n")
)
NAMES = st.sampled_from(("p", "DIV", "a", "h1", "li", "custom-tag", "br", "svg:x"))
WELL_FORMED = st.one_of(
    st.builds("<{}{}>".format, NAMES, ATTRIBUTES),
    st.builds("</{}>".format, NAMES),
    st.sampled_from(
        (
            "text",
            " ",
            "\n",
            "a < b",
            "x & y",
            "&amp;",
            "<!-- <p> -->",
            "<!doctype html>",
            "<?php ?>",
            "<script>a<b</script>",
        )
    ),
)
PIECES = st.one_of(
    WELL_FORMED,
    st.sampled_from(
        ("<", "</", "<!", "<a", '<a b="', "<a b='", "<!--", "<!-->", "<!--->", "--!>", "-->", "</>", "</ x>", "<a =b>",
         "<a/b>", "<title>", "</title>", "<style>", "</style", "<script>", "<!--<script>", "</script>", "<textarea>",
         "<plaintext>", "<![CDATA[", "]]>", '"', "'", ">", "=", "\x00", "\r\n", "\ud800", "é")
    ),
)  # fmt: skip


def tokens_of(text: str) -> list[tuple[str, str]]:
    return [(kind, text[start:end]) for kind, start, end, _ in Tokens(text)]


class Judge(HTMLParser):
    """Where the standard library sees tags, as (offset, name)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[int, str]] = []
        self._lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._note(tag)

    def handle_endtag(self, tag: str) -> None:
        self._note("/" + tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def _note(self, tag: str) -> None:
        line, column = self.getpos()
        self.tags.append((self._lines[line - 1] + column, tag))


def tags_of(text: str) -> list[tuple[int, str]]:
    signs = {START: "", END: "/"}
    return [(start, signs[kind] + name) for kind, start, _, name in Tokens(text) if kind in signs]


@given(st.lists(PIECES, max_size=20).map("".join))
def test_tokens_tile_the_text(text: str) -> None:
    """Nothing is lost and nothing is read twice, whatever the text."""
    tokens = list(Tokens(text))
    assert "".join(text[start:end] for _, start, end, _ in tokens) == text
    assert all(start < end for _, start, end, _ in tokens)


@given(st.lists(WELL_FORMED, max_size=20).map("".join))
def test_tags_stand_where_the_standard_library_sees_them(text: str) -> None:
    """On well-formed pieces in any order both find the same tags at the same offsets."""
    assert tags_of(text) == Judge(text).tags


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tags_of_real_pages_stand_where_the_standard_library_sees_them(page: Path) -> None:
    text = page.read_text("utf-8")
    assert len(tags_of(text)) > 100
    assert tags_of(text) == Judge(text).tags


@given(st.lists(PIECES, max_size=12).map("".join), st.lists(PIECES, max_size=12).map("".join))
def test_what_was_read_does_not_depend_on_what_follows_far_away(text: str, tail: str) -> None:
    """Tokens that end well before the end of the text are the same with another text behind."""
    padded = text + "x" * LOOK_AHEAD
    alone = [token for token in Tokens(padded) if token[2] <= len(text)]
    followed = [token for token in Tokens(padded + tail) if token[2] <= len(text)]
    assert alone == followed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b", [(TEXT, "a < b")]),
        ("1 <2", [(TEXT, "1 <2")]),
        ('<a title="x > y">z', [(START, '<a title="x > y">'), (TEXT, "z")]),
        ("<a b='\"'>", [(START, "<a b='\"'>")]),
        ('<a ="x>y">', [(START, '<a ="x>'), (TEXT, 'y">')]),
        ("<a b=>c", [(START, "<a b=>"), (TEXT, "c")]),
        ('<a "b>"', [(START, '<a "b>'), (TEXT, '"')]),
        ("</ b>", [(COMMENT, "</ b>")]),
        ("</>", [(COMMENT, "</>")]),
        ("</", [(TEXT, "</")]),
        ("<!-- a > b -->c", [(COMMENT, "<!-- a > b -->"), (TEXT, "c")]),
        ("<!-->c", [(COMMENT, "<!-->"), (TEXT, "c")]),
        ("<!--->c", [(COMMENT, "<!--->"), (TEXT, "c")]),
        ("<!--a>b--!>c", [(COMMENT, "<!--a>b--!>"), (TEXT, "c")]),
        ("<!-- a", [(COMMENT, "<!-- a")]),
        ("<![CDATA[a>b]]>", [(COMMENT, "<![CDATA[a>"), (TEXT, "b]]>")]),
        ("<title><b></title>", [(START, "<title>"), (RAW, "<b>"), (END, "</title>")]),
        ("<STYLE></p></Style >", [(START, "<STYLE>"), (RAW, "</p>"), (END, "</Style >")]),
        ("<script></scripty></script>", [(START, "<script>"), (RAW, "</scripty>"), (END, "</script>")]),
        (
            "<script><!-- <script></script> --></script>",
            [(START, "<script>"), (RAW, "<!-- <script></script> -->"), (END, "</script>")],
        ),
        ("<script><!--></script>", [(START, "<script>"), (RAW, "<!-->"), (END, "</script>")]),
        ("<plaintext></plaintext>", [(START, "<plaintext>"), (RAW, "</plaintext>")]),
    ],
)
def test_the_standard_decides_what_a_tag_is(text: str, expected: list[tuple[str, str]]) -> None:
    assert tokens_of(text) == expected


def test_a_tag_that_the_text_ends_in_is_text_unless_it_is_long() -> None:
    assert tokens_of("x <a href='y") == [(TEXT, "x <a href='y")]
    assert tokens_of("x <a href='" + "y" * LOOK_AHEAD)[0] == (TEXT, "x ")
    assert [kind for kind, _ in tokens_of("<a href='" + "y" * LOOK_AHEAD)] == [START]


def test_foreign_text_has_character_data() -> None:
    tokens = Tokens("<![CDATA[a<b]]>c")
    tokens.foreign = True
    assert [(kind, tokens.text[start:end]) for kind, start, end, _ in tokens] == [
        (COMMENT, "<![CDATA["),
        (TEXT, "a<b"),
        (COMMENT, "]]>"),
        (TEXT, "c"),
    ]


def test_attributes_are_read_with_and_without_quotes() -> None:
    tag = "<div A=1 b = 'x y' c=\"z\" d a=2/>"
    assert attributes_of(tag, 0, len(tag) - 1) == {"a": "1", "b": "x y", "c": "z", "d": ""}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<svg><![CDATA[a]]>", [(COMMENT, "<![CDATA["), (TEXT, "a"), (COMMENT, "]]>")]),
        ("<svg><![CDATA[]]>", [(COMMENT, "<![CDATA["), (COMMENT, "]]>")]),
        ("<svg><![CDATA[a", [(COMMENT, "<![CDATA["), (TEXT, "a")]),
        ("<svg><![CDATA[", [(COMMENT, "<![CDATA[")]),
    ],
)
def test_character_data_of_a_picture_may_be_empty_or_without_an_end(text: str, expected: list[tuple[str, str]]) -> None:
    tokens = Tokens(text)
    found = []
    for kind, start, end, name in tokens:
        tokens.foreign = name == "svg" or tokens.foreign
        found.append((kind, text[start:end]))
    assert found[1:] == expected
