"""Which structure is read: named, told by the media type, told by the look, or by the user's own function."""

from __future__ import annotations

import pytest

import spanwise
from oracles import DATA
from spanwise.formats.reading import format_names, format_of
from spanwise.structure import Structure, Unit


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
