"""The path of headings above a chunk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from spanwise.sections import Heading, Outline
from spanwise.strategies.maker import _first_seen
from spanwise.structure import Hidden
from texts import LAW

TEXT = """Before.

# Pump

It moves water.

## Safety

Unplug it first. Never run it dry.

## Cleaning

### Filter

Rinse it.

# Tank

It holds water.
"""


@pytest.mark.parametrize(
    "strategy", ["structural", "sections", "sentences", "recursive", "words", "paragraphs", "lines"]
)
def test_a_chunk_has_the_section_of_its_first_new_word(strategy: str) -> None:
    """Below its first headings; whatever the strategy, and whatever white space or overlap stands before that word."""
    outline = spanwise.Chunker("sections").reading_of(TEXT).outline
    overlap = 3 if strategy != "structural" else 0
    chunks = spanwise.chunk(TEXT, strategy, max_tokens=14, overlap_tokens=overlap)
    assert len(chunks) > 3
    for chunk in chunks:
        new = chunk.text[chunk.overlap :]
        first = chunk.start + chunk.overlap + len(new) - len(new.lstrip())
        assert chunk.section == outline.path_at(min(outline.text_from(first), chunk.end - 1))
        assert chunk.sections == outline.paths_between(first, chunk.start + len(chunk.text.rstrip()))


def test_sections_are_whole_where_they_fit() -> None:
    """A section with its subsections is one chunk, else it is parted at its children."""
    chunks = spanwise.chunk(TEXT, "sections", max_tokens=24)
    assert [(chunk.section, chunk.text.split("\n")[0]) for chunk in chunks] == [
        ((), "Before."),
        (("Pump",), "# Pump"),
        (("Pump", "Safety"), "## Safety"),
        (("Pump", "Cleaning", "Filter"), "## Cleaning"),
        (("Tank",), "# Tank"),
    ]


def test_everything_is_one_chunk_where_it_fits() -> None:
    """No cut is made that is not needed."""
    assert [chunk.text for chunk in spanwise.chunk(TEXT, "sections")] == [TEXT]


def test_sections_that_are_not_nested_are_parted_at_every_heading() -> None:
    """But never between headings that follow one another at once."""
    chunks = spanwise.chunk(TEXT, spanwise.Sections(nested=False))
    filtering = ("Pump", "Cleaning", "Filter")
    assert [chunk.section for chunk in chunks] == [(), ("Pump",), ("Pump", "Safety"), filtering, ("Tank",)]


def test_small_neighbours_are_merged_on_request() -> None:
    """Sections of one parent share a chunk while they fit."""
    merged = spanwise.chunk(TEXT, spanwise.Sections(merge=True), max_tokens=24)
    plain = spanwise.chunk(TEXT, spanwise.Sections(), max_tokens=24)
    assert len(merged) < len(plain)
    assert "".join(chunk.text for chunk in merged) == TEXT


def test_sections_that_fit_together_once_trimmed_are_merged() -> None:
    """All of them, so that nothing is left to part."""
    text = "# a\n\nx\n\n# b\n\ny\n" + "\n" * 50
    chunks = spanwise.chunk(text, spanwise.Sections(merge=True), max_characters=14, trim=True, structure="markdown")
    assert [chunk.text for chunk in chunks] == ["# a\n\nx\n\n# b\n\ny"]


def test_a_section_that_closes_by_itself_is_parted_from_what_follows() -> None:
    """A quote of Markdown, a `<section>` of a page: the text after it stands under the heading before."""
    quoted = "# Pump\n\nIt moves water.\n\n> ## Note\n>\n> It is loud.\n\nIt has one motor.\n"
    page = "<h1>Pump</h1><p>It moves water.<section><h2>Note</h2><p>It is loud.</section><p>It has one motor."
    for text, structure in ((quoted, "markdown"), (page, "html")):
        chunks = spanwise.chunk(text, "sections", max_characters=60, structure=structure)
        assert [chunk.section for chunk in chunks] == [("Pump",), ("Pump", "Note"), ("Pump",)]
        assert [chunk.sections for chunk in chunks] == [(chunk.section,) for chunk in chunks]


def test_no_chunk_ends_with_a_heading_that_fits_with_what_follows() -> None:
    """A heading stays with its text."""
    for size in range(11, 60):
        for strategy in ("structural", "sections", "recursive", "paragraphs", "sentences"):
            for chunk in spanwise.chunk(TEXT, strategy, max_tokens=size):
                assert not chunk.text.rstrip().split("\n")[-1].startswith("#"), (strategy, size)


levels = st.lists(st.integers(1, 6), max_size=20)


@LAW
@given(levels=levels, offset=st.integers(0, 250))
def test_a_path_holds_the_last_heading_of_each_outer_level(levels: list[int], offset: int) -> None:
    """Going back from the offset, a heading is above it if its level is less than all levels passed so far."""
    headings = [Heading(10 * place, 10 * place + 5, level, f"h{place}") for place, level in enumerate(levels)]
    outline = Outline(headings, [heading.end + 1 for heading in headings])
    path: list[str] = []
    least = 7
    for heading in reversed([heading for heading in headings if heading.start <= offset]):
        if heading.level < least:
            path.insert(0, heading.title)
            least = heading.level
    assert outline.path_at(offset) == tuple(path)


def test_the_first_word_is_looked_for_behind_all_that_is_not_seen() -> None:
    """Comments may follow one another; where nothing is seen, what is written counts."""
    text, hidden = " <!-- a --><!-- b --> c", [Hidden(1, 11), Hidden(11, 21)]
    assert _first_seen(text, 0, len(text), hidden) == text.index("c")
    assert _first_seen(text, 0, 21, hidden) == 1
