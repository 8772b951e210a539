"""The examples of the CommonMark and GitHub specifications, each read as a document."""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from typing import TypedDict, cast

import pyromark
import pytest

from oracles import DATA
from spanwise.formats import markdown
from spanwise.formats.markdown import read_markdown
from structure_laws import check_structure


class Example(TypedDict):
    """An example of a specification."""

    example: int
    markdown: str
    html: str


def examples(name: str) -> list[Example]:
    """Read the examples of a specification."""
    return cast("list[Example]", json.loads((DATA / "commonmark" / f"{name}.json").read_text(encoding="utf-8")))


COMMONMARK = examples("spec-0.31.2")
TABLES = examples("gfm-tables")
LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}


class Page(HTMLParser):
    """Reads the headings off a page, and how many rows its tables have."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.headings: list[tuple[int, str]] = []
        self.rows = 0
        self._words: list[str] | None = None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in LEVELS:
            self._words = []
        elif tag == "img" and self._words is not None:
            self._words.append(dict(attrs).get("alt") or "")
        self.rows += tag == "tr"

    def handle_endtag(self, tag: str) -> None:
        if tag in LEVELS and self._words is not None:
            self.headings.append((LEVELS[tag], " ".join("".join(self._words).split())))
            self._words = None

    def handle_data(self, data: str) -> None:
        if self._words is not None:
            self._words.append(data)


def parsed_headings(text: str) -> list[tuple[int, str]]:
    """Read the headings off the events of the parser, the whole text at once and without its ranges."""
    headings: list[tuple[int, str]] = []
    words: list[str] | None = None
    for event in pyromark.events(text, options=pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH):
        match event:
            case {"Start": {"Heading": _}}:
                words = []
            case {"End": {"Heading": level}} if words is not None:
                headings.append((int(str(level)[1]), " ".join("".join(words).split())))
                words = None
            case {"Text": shown} | {"Code": shown} if words is not None:
                words.append(str(shown))
            case "SoftBreak" | "HardBreak" if words is not None:
                words.append(" ")
            case _:
                pass
    return headings


@pytest.mark.parametrize("spec", COMMONMARK, ids=lambda spec: str(spec["example"]))
def test_headings_are_those_of_the_specification(spec: Example) -> None:
    text = spec["markdown"]
    structure = read_markdown(text)
    found = [(heading.level, heading.title) for heading in structure.headings]

    check_structure(text, structure)
    assert found == [heading for heading in parsed_headings(text) if heading[1]]
    if "<h" not in text:  # tags that an author wrote are no headings here
        assert found == [heading for heading in Page(spec["html"]).headings if heading[1]]


def test_the_specification_has_headings() -> None:
    """Guards the test above: it compares something."""
    assert sum(len(read_markdown(spec["markdown"]).headings) for spec in COMMONMARK) > 50


@pytest.mark.parametrize("spec", TABLES, ids=lambda spec: str(spec["example"]))
def test_tables_are_those_of_the_specification(spec: Example) -> None:
    text = spec["markdown"]
    structure = read_markdown(text)
    page = Page(spec["html"])

    check_structure(text, structure)
    assert len(structure.tables) == spec["html"].count("<table>")
    for table in structure.tables:
        rows = [
            unit for unit in structure.units if unit.start >= table.rows and text[unit.start : unit.end].endswith("\n")
        ]
        assert all(start in (structure.blocks or ()) for start in [table.start, *(row.start for row in rows)])
        assert text[table.start : table.rows].count("\n") == 2
        assert len([row for row in rows if row.end <= table.end]) == page.rows - 1


@pytest.mark.parametrize("seed", range(20))
def test_examples_in_any_order_are_read_in_windows_as_at_once(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All examples without link definitions, which are looked for near a reference alone."""
    texts = [spec["markdown"] for spec in COMMONMARK if "]:" not in spec["markdown"]]
    random.Random(seed).shuffle(texts)  # noqa: S311  no secret
    text = "\n\n".join(texts)
    monkeypatch.setattr(markdown, "WINDOW", len(text) + 1)
    whole = read_markdown(text)
    monkeypatch.setattr(markdown, "WINDOW", 400)

    check_structure(text, whole)
    assert read_markdown(text) == whole
