"""Which structure is read: named, told by the media type, told by the look, or by the user's own function."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import DATA
from spanwise import Heading
from spanwise.formats.checking import checked
from spanwise.formats.reading import format_names, format_of, structure_of
from spanwise.structure import Hidden, Page, Structure, Table, Unit
from texts import LAW, chunked_texts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# Pump\n\nIt moves water.\n", "markdown"),
        ("# Title\nand text below it\n", "markdown"),
        ("See [the manual](https://example.org/manual).\n", "markdown"),
        ("```py\nx = 1\n```\n", "markdown"),
        ("<!doctype html>\n<p>Text.\n", "html"),
        ('{"a": [1, 2]}', "json"),
        ('{"a": 1}\n{"a": 2}\n', "json_lines"),
        ("1\n00:00:01,000 --> 00:00:02,000\nHello.\n\n2\n00:00:03,000 --> 00:00:04,000\nYes.\n", "subtitles"),
        ("Just a paragraph of prose. It goes on.\n", "plain"),
        ("#!/bin/sh\n# a script\nls\n", "plain"),
        ("# settings of the server\nport = 80\n\n# its name\nname = a\n", "plain"),
        ("# one\n# two\n# three\nrest\n", "plain"),
        ("We use C# and issue #1.\n\n#hashtag here\n", "plain"),
        ("[see below](this is no link)\n", "plain"),
        ("", "plain"),
    ],
)
def test_plain_text_is_read_as_what_it_looks_like(text: str, name: str) -> None:
    """Only where it is clear; a comment is no heading."""
    assert format_of(text) == name


@pytest.mark.parametrize("name", ["finance", "pubmed", "state_of_the_union"])
def test_prose_is_read_as_prose(name: str) -> None:
    """No detector fires on it."""
    assert format_of((DATA / "corpora" / f"{name}.txt").read_text(encoding="utf-8")) == "plain"


def test_the_media_type_decides_where_it_names_a_format() -> None:
    """Also where the text looks otherwise; a charset behind it changes nothing."""
    assert format_of("# not a heading", "text/csv") == "csv"
    assert format_of("text", "text/markdown; charset=utf-8") == "markdown"
    assert format_of("text", "application/xhtml+xml") == "html"
    assert format_of("text", "application/x-ndjson") == "json_lines"
    assert format_of("text", "application/ld+json") == "json"
    assert format_of("text", "application/vnd.geo+json;v=1") == "json"
    assert format_of("text", "image/svg+xml") == "plain"
    assert format_of("# comment\n\nx\n", "text/x-py") == "plain"


@pytest.mark.parametrize("name", sorted(set(format_names()) - {"auto"}))
def test_a_format_may_be_named(name: str) -> None:
    """With `_` or `-`; any text can be read as any format, and keeps every promise."""
    text = (DATA / "docgen.py").read_text(encoding="utf-8")[:4_000]
    for written in (name, name.replace("_", "-")):
        chunker = spanwise.Chunker(max_tokens=64, structure=written)
        assert chunker.format_of(text) == name
    assert chunker.verify(text, chunker.chunk(text)) == []


def test_an_unknown_format_is_refused() -> None:
    """With what there is, and the near match."""
    with pytest.raises(spanwise.ConfigurationError, match=r"structure must be .* got 'markdwon'.* 'markdown'"):
        spanwise.Chunker(structure="markdwon")


def test_a_function_may_read_the_structure() -> None:
    """Its headings give sections, its units stay whole."""

    def read(text: str) -> Structure:
        start = text.index("<")
        unit = Unit(start, text.index(">") + 1)
        return Structure(format="tags", headings=(spanwise.Heading(start, unit.end, 1, "Tag"),), units=(unit,))

    text = "one two three <four five six> seven eight nine"
    chunks = spanwise.chunk(text, "sentences", max_characters=24, structure=read)
    assert [(chunk.text, chunk.section) for chunk in chunks] == [
        ("one two three ", ()),
        ("<four five six> ", ("Tag",)),
        ("seven eight nine", ("Tag",)),
    ]
    assert "structure=" in chunks[0].spec


def test_a_function_must_give_a_structure() -> None:
    """The message names it and shows what it gave."""
    with pytest.raises(spanwise.ConfigurationError, match=r"must give a spanwise.Structure, got \[\]"):
        spanwise.chunk("text", structure=lambda _: [])  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"blocks": (1,)}, r"gave blocks=\(1,\), of which the first must be 0,"),
        ({"blocks": (0, 5, 3)}, r"blocks\[2\] at 3, which must be more than 5"),
        ({"blocks": (0, 90)}, r"blocks\[1\] at 90, which is outside it, for a text of 18 characters"),
        ({"strong": (-1,)}, r"strong\[0\] at -1, which is outside it"),
        ({"units": (Unit(3, 6), Unit(1, 2))}, r"units\[1\]=\(1, 2\), which must stand before \(3, 6\)"),
        ({"units": (Unit(1, 6), Unit(3, 9))}, r"units\[1\]=\(3, 9\), which crosses \(1, 6\)"),
        ({"units": (("a", 2),)}, r"a value of the wrong kind: Expected `int`, got `str`.*units"),
        ({"headings": (Heading(0, 90, 1, "x"),)}, r"headings\[0\] from 0 to 90, which is no span of it"),
        ({"headings": (Heading(0, 3, 0, "x"),)}, r"headings\[0\] of level 0, levels begin at 1"),
        (
            {"headings": (Heading(3, 5, 1, "x"), Heading(0, 2, 1, "y"))},
            r"headings\[1\] from 0, which must not begin before 5",
        ),
        ({"headings": (Heading(0, 5, 1, "x", 2),)}, r"headings\[0\] until 2, which is before its end at 5"),
        ({"tables": (Table(0, 9, 4),)}, r"tables\[0\]=\(0, 9, 4\), whose rows must begin inside it"),
        ({"pages": (Page(3, 1), Page(3, 2))}, r"pages\[1\] at 3, which must be more than 3"),
        ({"hidden": (Hidden(0, 3), Hidden(2, 4))}, r"hidden\[1\] from 2, which must not begin before 3"),
    ],
)
def test_a_structure_must_describe_its_text(fields: dict[str, Any], message: str) -> None:
    """The message shows the value, its place, and what it must be."""
    with pytest.raises(spanwise.ConfigurationError, match=message):
        spanwise.chunk("Hello there, pump.", structure=lambda _: Structure(**fields))


@LAW
@given(text=chunked_texts(), name=st.sampled_from(sorted(set(format_names()) - {"auto"})))
def test_a_built_in_reader_is_held_to_the_same(text: str, name: str) -> None:
    """What it finds describes its text, whatever that is."""
    found = structure_of(text, structure=name)
    assert checked(found, text, name) == found


def test_pages_are_those_between_form_feeds() -> None:
    """Of the first new text of a chunk; None where the text has no pages."""
    text = "First page.\n\fSecond page.\n\fThird page.\n"
    chunks = spanwise.chunk(text, "sentences", max_tokens=4)
    assert [(chunk.page, chunk.text.strip()) for chunk in chunks] == [
        (1, "First page."),
        (2, "Second page."),
        (3, "Third page."),
    ]
    assert chunks[1].record()["page"] == 2
    assert spanwise.chunk("No pages.")[0].page is None


def test_a_chunk_lists_all_its_sections() -> None:
    """`section` is that of its first text."""
    text = "# A\n\na\n\n## B\n\nb\n\n# C\n\nc\n"
    (chunk,) = spanwise.chunk(text)
    assert chunk.section == ("A",)
    assert chunk.sections == (("A",), ("A", "B"), ("C",))
    assert chunk.record()["heading_paths"] == ["A", "A > B", "C"]
