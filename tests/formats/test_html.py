"""A page is read as a browser reads it, and every span is one of its source."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from record_costs import growth
from spanwise.formats.html import read_html, visible
from spanwise.sections import Outline
from spanwise.structure import DEEPEST_UNIT, LOOK_AHEAD, Structure
from structure_laws import check_structure

DATA = Path(__file__).parent.parent / "data"
PAGES = sorted(DATA.joinpath("html").glob("*.html"))
CASE = DATA / "cases" / "case-18-html-headings-tables-inline" / "input.html"

TAGS = (
    "p", "div", "b", "a", "em", "code", "h1", "h2", "h3", "ul", "ol", "li", "dl", "dt", "dd", "table", "caption",
    "thead", "tbody", "tr", "td", "th", "section", "article", "nav", "main", "aside", "pre", "textarea",
    "blockquote", "figure", "details", "span", "br", "hr", "img", "svg", "math", "mi", "desc", "title", "script",
    "style", "template", "head", "body", "html", "iframe", "select", "option",
)  # fmt: skip
PIECES = st.one_of(
    st.sampled_from(TAGS).map("<{}>".format),
    st.sampled_from(TAGS).map("</{}>".format),
    st.sampled_from(
        ("word", "two  words", " ", "\n", "\n\n ", "\r\n", "&amp;", "&nbsp", "&#65;", "&bogus;",
         "&#" + "9" * 5000, "<", "é", "𝒳", "\x00", "\ud800", "\ufeff", "<!-- c -->", "<!--\n\nlines\n-->",
         "<!--", "<!doctype html>", "</>", "<a href='", '<a title=">">', "<div role=heading aria-level=3>",
         "<div role=region>", "<pre role=heading>", "<svg/>", "<title/>", "<![CDATA[ x ]]>", "]]>",
         "<!--<script>", "# no", "¶", "x" * 400)
    ),
)  # fmt: skip
SOURCES = st.lists(PIECES, max_size=25).map("".join)


def seen(text: str) -> str:
    return visible(text, 0, len(text), read_html(text).hidden)


def squashed(text: str) -> str:
    return "".join(text.split())


def titles(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read_html(text).headings]


def blocks_of(text: str) -> list[str]:
    blocks = (*(read_html(text).blocks or ()), len(text))
    return [text[start:end] for start, end in pairwise(blocks)]


def units_of(text: str) -> list[str]:
    """List the units that are more than one tag."""
    units = [text[unit.start : unit.end] for unit in read_html(text).units]
    return [unit for unit in units if not re.fullmatch(r"<[^<>]*>", unit)]


class Judge(HTMLParser):
    """What the standard library sees of a well-formed page: its text, and its headings."""

    UNSEEN = ("script", "style", "head", "template")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self._unseen = 0
        self._heading: list[str] | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._unseen += tag in self.UNSEEN
        if re.fullmatch("h[1-6]", tag):
            self._heading = []

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in self.UNSEEN
        if re.fullmatch("h[1-6]", tag) and self._heading is not None:
            self.headings.append((int(tag[1]), " ".join("".join(self._heading).split())))
            self._heading = None

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.text.append(data)
            if self._heading is not None:
                self._heading.append(data)


# --- laws


@given(SOURCES)
def test_a_structure_describes_its_text(text: str) -> None:
    """Whatever the text, well-formed or not."""
    structure = read_html(text)
    check_structure(text, structure)
    assert structure.format == "html"


@given(SOURCES, st.data())
def test_reading_in_parts_shows_what_reading_at_once_shows(text: str, data: st.DataObject) -> None:
    """White space apart, wherever no character reference is cut."""
    structure = read_html(text)
    inside = {place for unit in structure.units for place in range(unit.start + 1, unit.end) if text[unit.start] == "&"}
    cuts = data.draw(st.lists(st.integers(0, len(text)).filter(lambda cut: cut not in inside), max_size=4).map(sorted))
    parts = [
        visible(text, start, end, structure.hidden) for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)
    ]
    assert squashed("".join(parts)) == squashed(seen(text))


@given(SOURCES)
def test_every_block_but_the_first_and_code_begins_with_ink(text: str) -> None:
    """White space after a block is part of it; lines of code are blocks with their indentation."""
    structure = read_html(text)
    for start in (structure.blocks or ())[1:]:
        assert text[start] not in " \t\n\r\f" or text[start - 1] in "\n\r"


@settings(max_examples=50)
@given(SOURCES, SOURCES)
def test_what_is_said_of_the_beginning_does_not_depend_on_what_is_far_away(text: str, tail: str) -> None:
    """Behind more characters than a reader may look ahead, anything may follow."""
    padded = text + "word " * (LOOK_AHEAD // 5 + 1)
    assert beginning(padded, len(text)) == beginning(padded + tail, len(text))


def beginning(text: str, size: int) -> tuple[object, ...]:
    structure = read_html(text)
    return (
        [(heading.start, heading.end, heading.title) for heading in structure.headings if heading.end <= size],
        [start for start in structure.blocks or () if start < size],
        [start for start in structure.strong if start < size],
        [unit for unit in structure.units if unit.end <= size],
        [hidden for hidden in structure.hidden if hidden.end < size],
    )


# --- oracles


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_real_pages_show_what_the_standard_library_sees(page: Path) -> None:
    text = page.read_bytes().decode()
    judge = Judge(text)
    structure = read_html(text)
    check_structure(text, structure)
    assert squashed(seen(text)) == squashed("".join(judge.text))
    assert [(level, title.rstrip("#")) for level, title in judge.headings] == titles(text)


@pytest.mark.parametrize(
    "piece",
    ["a", " ", "\n", "<", "&", "<div>", "</div>", "<div></span>", "<b>", "<b><i></b></i>", "<ul><li>", "<li>",
     "<table><tr><td>", "<h1>", "<h1><div>", "<h2>a</h2><section>", "<section><h2>x</h2>t", "<dl><dt>a<dd>b",
     '<a x="', "<a =", "<!--", "<!-- -->", "<script><!--<script>", "</title", "<svg>", "<svg><![CDATA[",
     "<pre>\n\n", "<br>", "<div role=heading>", "&#9", "x\n"],
)  # fmt: skip
@pytest.mark.slow
def test_time_grows_with_the_text(piece: str) -> None:
    """Eight times the text takes about eight times the time; a square would be 64 times."""

    def read_and_show(text: str) -> Structure:
        structure = read_html(text)
        visible(text, 0, len(text), structure.hidden)
        return structure

    assert growth(read_and_show, piece) < 3


def test_nesting_a_hundred_thousand_deep_is_read() -> None:
    text = "<div>" * 100_000 + "<ul><li>" * 1_000 + "deep" + "</li></ul>" * 1_000 + "</div>" * 100_000
    structure = read_html(text)
    assert visible(text, 0, len(text), structure.hidden) == "deep"
    assert structure.blocks == (0,)
    items = [unit for unit in structure.units if text.startswith("<li>", unit.start) and unit.end - unit.start > 4]
    assert len(items) == DEEPEST_UNIT


# --- headings and sections


def test_a_heading_begins_with_the_tags_right_before_it() -> None:
    """Those of the section that it heads; an end tag belongs to what it ends."""
    page = "<body><pre>a\nb\n</pre>\n<section id=c>\n <h2>C</h2>\n<p>d</section><p>e"
    structure = read_html(page)
    (heading,) = structure.headings
    assert page[heading.start : heading.end] == "<section id=c>\n <h2>C</h2>"
    starts = structure.blocks or ()
    assert [page[start:end] for start, end in pairwise([*starts, len(page)])] == [
        "<body><pre>a\n",
        "b\n</pre>\n",
        "<section id=c>\n <h2>C</h2>\n",
        "<p>d</section>",
        "<p>e",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<h1>One</h1><H6 class=x>Six</H6>", [(1, "One"), (6, "Six")]),
        ("<h2>\n  Fish &amp;\n <em>chips</em>&nbsp;!</h2>", [(2, "Fish & chips !")]),
        ("<h2>a<br>b</h2>", [(2, "a b")]),
        ("<h2></h2><h3> <img src=x></h3>", []),
        ("<h2>" + "long " * 61 + "</h2>", []),
        ("<h2>Open<p>text", [(2, "Open")]),
        ("<h2>Open<h3>Next</h3>", [(2, "Open"), (3, "Next")]),
        ("<h2>Wrong</h3>text", [(2, "Wrong")]),
        ("<h2><div>Wrapped</div></h2>", [(2, "Wrapped")]),
        ("<div role=heading aria-level=3><span>Role</span></div>", [(3, "Role")]),
        ("<h2 role='heading' aria-level='4'>Said</h2>", [(4, "Said")]),
        ("<h2>Set up<a class='headerlink' href='#set-up'>¶</a></h2>", [(2, "Set up")]),
        ("<h2>Set up<span><a class=mark href=#set-up>#</a></span></h2>", [(2, "Set up")]),
        ("<h2>C#</h2>", [(2, "C#")]),
        ("<h2><svg><title>Icon</title><path d=''/></svg> Drawn</h2>", [(2, "Drawn")]),
        ("<!-- <h1>no</h1> --><script>'<h1>no</h1>'</script><p title='<h1>no</h1>'>", []),
        ("<template><h1>no</h1></template><textarea><h1>no</h1></textarea><title><h1>no</h1></title>", []),
    ],
)
def test_headings_have_the_title_that_is_seen(text: str, expected: list[tuple[int, str]]) -> None:
    assert titles(text) == expected


@pytest.mark.parametrize(
    ("text", "closes_after"),
    [
        ("<h2>A</h2><p>text</p>rest", None),
        ("<article><h2>A</h2><p>text</p></article>rest", "</article>"),
        ("<section><div><h2>A</h2></div>text</section>rest", "</section>"),
        ("<section><h2>A</h2></section>rest", None),
        ("<section><header><h2>A</h2></header>text</section>rest", "</section>"),
        ("<section><hgroup><div><nav><h2>A</h2></nav></div></hgroup>text</section>rest", "</section>"),
        ("<article><h2>A</h2><h3>B</h3></article>rest", None),
        ("<table><tr><td><h2>A</h2></td><td>text</td></tr></table>rest", None),
        ("<ul><li><h2>A</h2>text</li></ul>rest", "</li>"),
        ("<div role='complementary'><h2>A</h2>text</div>rest", "</div>"),
        ("<div><h2>A</h2>text</div>rest", None),
        ("<main><h2>A</h2><img src=x></main>rest", "</main>"),
        ("<section><h2>A</h2>text", None),
    ],
)
def test_a_section_closes_with_the_element_that_goes_on_after_its_heading(text: str, closes_after: str | None) -> None:
    heading = read_html(text).headings[0]
    assert heading.until == (None if closes_after is None else text.index(closes_after) + len(closes_after))


def test_an_item_without_end_tag_closes_its_section_where_the_next_begins() -> None:
    text = "<ul><li><h3>A</h3>a<li>b</ul>"
    assert read_html(text).headings[0].until == text.rindex("<li>")


def test_a_page_stands_under_its_headings() -> None:
    text = CASE.read_bytes().decode()
    headings = read_html(text).headings
    outline = Outline(headings, [heading.end for heading in headings])
    paths = {
        words: outline.path_at(text.index(words))
        for words in ("Intro", "pip   install", "nested", "Apple", "Last words")
    }
    assert paths == {
        "Intro": ("Guide",),
        "pip   install": ("Guide", "Install"),
        "nested": ("Guide", "Install", "Linux"),
        "Apple": ("Guide", "Prices"),
        "Last words": ("Guide", "Prices"),
    }


# --- blocks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("just text", ["just text"]),
        ("<p>a</p>\n<p>b</p>\n", ["<p>a</p>\n", "<p>b</p>\n"]),
        ("<div>\n <div><p>a</p></div>\n</div>\nb", ["<div>\n <div><p>a</p></div>\n</div>\n", "b"]),
        ("<p></p><p>a", ["<p></p><p>a"]),
        ("<p>a<p>b", ["<p>a", "<p>b"]),
        ("<p>a<b>b</b> c</p><b>d</b>", ["<p>a<b>b</b> c</p>", "<b>d</b>"]),
        ("<p>a</p></b><p>b", ["<p>a</p></b>", "<p>b"]),
        ("<ul><li>a<li>b</ul>c", ["<ul><li>a", "<li>b</ul>", "c"]),
        ("<table><tr><td>a<td>b<tr><td>c</table>", ["<table><tr><td>a<td>b", "<tr><td>c</table>"]),
        ("a<br>b", ["a<br>b"]),
        ("a<br><br>b", ["a<br><br>", "b"]),
        ("<p>a<!-- one\ntwo --> b</p>", ["<p>a<!-- one\ntwo --> b</p>"]),
        ("<p>a</p><!-- c --><p>b", ["<p>a</p>", "<!-- c --><p>b"]),
        ("<p>a</p><img src=x><p>b", ["<p>a</p>", "<img src=x>", "<p>b"]),
        ("<pre>\na\n\n  b\n<b>c</b></pre>", ["<pre>\na\n\n", "  b\n", "<b>c</b></pre>"]),
        ("<script>\na\n b</script>", ["<script>\na\n", " b</script>"]),
        ("", []),
        ("<p></p>", ["<p></p>"]),
    ],
)
def test_a_block_begins_at_its_first_tag_and_owns_its_last(text: str, expected: list[str]) -> None:
    assert blocks_of(text) == expected


def test_what_lies_in_a_list_a_table_or_code_does_not_begin_anew() -> None:
    text = "<p>a<ul><li>b<li>c</ul><table><tr><td>d<tr><td>e</table><pre>f\ng</pre>h"
    strong = read_html(text).strong
    assert [text[start : start + 6] for start in strong] == ["<p>a<u", "<ul><l", "<table", "<pre>f", "h"]


# --- units and tables


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>a <a href=x>b</a> &amp; <b>c</b> <span>d</span>", ["<a href=x>b</a>", "&amp;", "<b>c</b>"]),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", ["<li>a<ul><li>b</ul>", "<li>b", "<li>c"]),
        ("<ul><li>a<ul></li><li>b</ul>c</ul>", ["<li>a<ul></li><li>b</ul>c", "<li>b"]),
        ("<dl><dt>a<dd>b<dt>c</dl>", ["<dt>a<dd>b", "<dt>a", "<dd>b", "<dt>c"]),
        ("<table><tr><td>a</table>", ["<table><tr><td>a</table>", "<tr><td>a"]),
        ("<b>a<i>b</b>c</i>", ["<b>a<i>b</b>"]),
        ("<a><p>b</p></a>", []),
        ("<a>" + "b" * 2_000 + "</a>", []),
        ("<h1>a</h1><script>b</script><!-- <c> -->", ["<h1>a</h1>", "<script>b</script>", "<!-- <c> -->"]),
        ("<head><title>a</title><body>b", ["<head><title>a</title>", "<title>a</title>"]),
        ("<figure><img></figure><pre>a", ["<figure><img></figure>", "<pre>a"]),
        (
            "<pre>a <b>b</b>\n<i>c\nd</i>\n</pre>",
            ["<pre>a <b>b</b>\n<i>c\nd</i>\n</pre>", "<pre>a <b>b</b>\n", "<b>b</b>", "<i>c\n", "d</i>\n"],
        ),
        ("&lt &#65; &#x41; AT&T", ["&lt", "&#65;", "&#x41;", "&T"]),
    ],
)
def test_units_are_whole_elements(text: str, expected: list[str]) -> None:
    assert units_of(text) == expected


def test_every_tag_is_a_unit() -> None:
    text = "<p class='a > b'>text</p>"
    assert [text[unit.start : unit.end] for unit in read_html(text).units] == ["<p class='a > b'>", "</p>"]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("<table><thead><tr><td>h</thead><tbody><tr><td>a</table>", "<table><thead><tr><td>h</thead>"),
        ("<table><tr><th>h<th>i<tr><td>a<td>b</table>", "<table><tr><th>h<th>i"),
        ("<table><tr><th>h</tr><tr><th>i</tr><tr><th>x<td>a</table>", "<table><tr><th>h</tr><tr><th>i</tr>"),
        ("<table><caption>c</caption><thead><tr><th>h<tr><td>a", None),
        ("<table><thead><tr><th>h<tbody><tr><th>a</table>", "<table><thead><tr><th>h"),
        ("<table><tr><th>h<td>a<tr><td>b</table>", None),
        ("<table><tr><td>a<tr><th>h<tr><td>b</table>", None),
        ("<table><tr><td><table><tr><th>h<tr><td>a</table></table>", None),
        ("<table><tr><th>h</table>", None),
        ("<template><table><tr><th>h<tr><td>a</table></template>", None),
    ],
)
def test_the_header_of_a_table_is_what_comes_before_its_first_row(text: str, header: str | None) -> None:
    tables = read_html(text).tables
    assert [text[table.start : table.rows] for table in tables] == ([] if header is None else [header])
    assert [table.end for table in tables] == [len(text)] * len(tables)


# --- what is seen


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>one\n  two</p>\n\n<p> three </p>", "one two\n\nthree"),
        ("a<b>b</b> <i>c</i>", "ab c"),
        ("a <b> b</b>", "a b"),
        ("<ul>\n <li>a\n <li>b\n</ul>", "a\nb"),
        ("<table><tr><td>a</td>\n<td>b</td></tr>\n<tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("a<br>b<br><br><br>c", "a\nb\n\nc"),
        ("<pre>\n a\n\n  b\n</pre>\n<p>c", " a\n\n  b\n\nc"),
        ("&lt;b&gt; &#65;&#x42; &copy &nbsp;&bogus; AT&T", "<b> AB © \xa0&bogus; AT&T"),
        ("&#" + "9" * 5_000 + "; &#" + "0" * 5_000 + "65;", "\ufffd A"),
        ("a < b <3 <", "a < b <3 <"),
        ("<title>t</title><style>s</style><p>a<!-- c --><script>x</script>b", "ab"),
        ("a<template>no<p>no</template>b", "ab"),
        ("<svg><title>no</title><style>no</style><text>yes</text></svg>", "yes"),
        ("<svg><title/><path d=x></svg>after", "after"),
        ("<svg><g><p>out</p>", "out"),
        ("<svg><![CDATA[a < b]]></svg>", "a < b"),
        ("<head><meta x><p>body", "body"),
        ("<head><title>t</title>body", "body"),
        ("<textarea>\na  b</textarea>", "a  b"),
        ("<p>a</p>b<a href='unclosed", "a\n\nb<a href='unclosed"),
        ("", ""),
    ],
)
def test_visible_text_reads_as_the_page_does(text: str, expected: str) -> None:
    assert seen(text) == expected


def test_markup_that_is_cut_stays_hidden() -> None:
    text = "<p>one</p>\n<p class='x'>two</p>"
    hidden = read_html(text).hidden
    assert [visible(text, start, start + 12, hidden) for start in (0, 12, 20)] == ["one", "", "two"]


def test_a_structure_of_nothing_is_empty() -> None:
    assert read_html("") == Structure(format="html", blocks=())


def test_a_line_end_alone_is_nothing_that_is_preserved() -> None:
    """That right after the start tag is none."""
    assert seen("<pre>\n</pre><p>x") == "x"


def test_terms_of_one_definition_are_a_group() -> None:
    """A term after a definition begins the next one, also without a list around them."""
    groups = [unit for unit in units_of("<dl><dt>a<dt>b<dd>c<dt>d<dd>e</dl>") if unit.count("<dd>") == 1]
    assert groups[0] == "<dt>a<dt>b<dd>c"
    assert "<dt>d<dd>e" in groups


def test_an_end_tag_in_a_picture_ends_nothing_around_it() -> None:
    assert "<b>x<svg></b></svg>y</b>" in units_of("<p><b>x<svg></b></svg>y</b>")


def test_text_in_a_picture_or_formula_is_html_again_where_they_say_so() -> None:
    """Inside `foreignObject` and `mtext` (WHATWG 13.2.6.5); the description of a picture is not seen."""
    assert seen("<svg><desc>no</desc><foreignObject><p>yes</p></foreignObject></svg>").strip() == "yes"
    assert seen("<math><mtext><p>yes</mtext></math>").strip() == "yes"


def test_a_heading_in_a_heading_ends_that() -> None:
    text = "<div role=heading>a<h2>b</h2>c</div>d"
    assert titles(text) == [(2, "a"), (2, "b")]


def test_a_long_comment_between_paragraphs_is_a_block_of_its_own() -> None:
    text = "<p>x</p><!--" + "c " * 3_000 + "--><p>y"
    assert [block[:4] for block in blocks_of(text)] == ["<p>x", "<!--", "<p>y"]


def test_a_page_between_the_tags_of_a_heading_is_no_heading() -> None:
    assert titles("<h1>" + "c " * 200_000 + "</h1><h2>d</h2>") == [(2, "d")]
