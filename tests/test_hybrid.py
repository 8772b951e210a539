"""Items of a document, small neighbours under the same headings merged."""

from __future__ import annotations

import spanwise

TEXT = """# Pump

It moves water.

- It has one motor.
- It has two valves.

| part | price |
| --- | --- |
| seal | 3 |

## Safety

Unplug it first.

Wear gloves.
"""
DOCUMENT = spanwise.Document(id="pump", text=TEXT, media_type="text/markdown")


def texts(strategy: spanwise.Hybrid, most: int = 512) -> list[str]:
    chunker = spanwise.Chunker(strategy, max_tokens=most)
    chunks = chunker.chunk(DOCUMENT)
    assert chunker.verify(DOCUMENT, chunks) == []
    assert spanwise.reconstruct(chunks) == TEXT
    return [chunk.text for chunk in chunks]


def test_each_item_is_a_chunk_where_nothing_is_merged() -> None:
    """A paragraph with its headings, a list, a table."""
    assert [text.strip() for text in texts(spanwise.Hybrid(merge_peers=False))] == [
        "# Pump\n\nIt moves water.",
        "- It has one motor.\n- It has two valves.",
        "| part | price |\n| --- | --- |\n| seal | 3 |",
        "## Safety\n\nUnplug it first.",
        "Wear gloves.",
    ]


def test_neighbours_under_the_same_headings_are_merged() -> None:
    """As many items as fit, never across a heading."""
    pump, safety = texts(spanwise.Hybrid())
    assert safety == TEXT[TEXT.index("## Safety") :]
    assert pump == TEXT[: TEXT.index("## Safety")]
    assert [text.split()[0] for text in texts(spanwise.Hybrid(), 24)] == ["#", "|", "##"]


def test_the_section_is_on_each_chunk_and_the_context_is_not_in_the_text() -> None:
    """What Docling puts before the text stands in `section`, and in `context` if it is asked for."""
    chunks = spanwise.chunk(DOCUMENT, "hybrid", context="section")
    assert [chunk.section for chunk in chunks] == [("Pump",), ("Pump", "Safety")]
    assert [chunk.context for chunk in chunks] == ["Pump\n\n", "Pump > Safety\n\n"]
    assert [chunk.text for chunk in chunks] == texts(spanwise.Hybrid())


def test_what_is_left_of_a_long_item_is_merged_too() -> None:
    """An item over the budget is cut at its sentences; its last part goes with the next item."""
    long = " ".join(f"Sentence number {number} tells of the pump." for number in range(12))
    text = f"{long}\n\nA short one.\n"
    chunks = spanwise.chunk(text, "hybrid", max_tokens=64)
    assert len(chunks) == 2
    assert chunks[0].text.endswith(". ")
    assert chunks[1].text.endswith("A short one.\n")


def test_an_item_without_words_is_cut_between_characters() -> None:
    """Down to the character, as its row says: nothing is refused."""
    chunks = spanwise.chunk("x" * 400, "hybrid", max_tokens=16)
    assert "".join(chunk.text for chunk in chunks) == "x" * 400
    assert max(chunk.tokens for chunk in chunks) <= 16
