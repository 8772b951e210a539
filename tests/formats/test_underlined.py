"""Plain text: underlined titles, titles in capitals, chapter lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.glances import Glance
from spanwise.formats.underlined import looks_like_underlined, read_underlined
from structure_laws import check_look_ahead, check_structure
from texts import LAW

DATA = Path(__file__).parents[1] / "data"

pieces = st.sampled_from(
    [
        "Title",
        "A longer title",
        "=====",
        "==============",
        "-----",
        "~~~~~",
        "TITLE ONE",
        "CHAPTER II",
        "Chapter 3. The Fall",
        "words that go on.",
        "NASA",
        "-" * 60,
        "| a | b |",
        "\ufeff",
        "�",
        "\x00",
        "漢字",
        "Part IV",
        "*****",
        "1.2.3 (2020)",
    ]
)
ends = st.sampled_from(["\n", "\n\n", "\r\n", "\r", "\n   ", "\n\n\n", "\f", " ", "\n" + " " * 30])
texts = st.lists(st.builds(str.__add__, pieces, ends), max_size=40).map("".join)


def outline(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read_underlined(text).headings]


PROSE = "The seller keeps the pumps of the city clean, and the city owns them and pays for them each month."


# --- laws ---


@given(texts)
def test_every_structure_describes_its_text(text: str) -> None:
    check_structure(text, read_underlined(text))


@LAW
@given(texts, st.sampled_from(["words and words.\n", "\n", "TITLE\n\n", "=====\n"]), texts)
def test_what_comes_much_later_changes_nothing(head: str, filler: str, tail: str) -> None:
    """Headings depend on at most 65,536 characters after them."""
    check_look_ahead(read_underlined, head, filler, tail)


@given(st.lists(st.sampled_from("=-~^"), min_size=1, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_levels_are_told_by_first_appearance(rules: list[str], end: str) -> None:
    text = "".join(f"Title {place}{end}{rule * 7}{end}{end}Words.{end}{end}" for place, rule in enumerate(rules))
    order = list(dict.fromkeys(rules))
    assert outline(text) == [(order.index(rule) + 1, f"Title {place}") for place, rule in enumerate(rules)]


@given(st.sampled_from(["\n", "\n\n"]), st.integers(1, 12), st.integers(1, 3))
def test_titles_in_capitals_are_the_same_with_and_without_a_blank_line_below(gap: str, count: int, long: int) -> None:
    names = [f"RISK FACTORS {chr(65 + place)}" for place in range(count)]
    text = "".join(f"{name}{gap}{' '.join([PROSE] * long)}\n\n" for name in names)
    assert [title for _, title in outline(text)] == names
    assert looks_like_underlined(Glance(text)) == (count >= 3)


# --- examples ---


def test_a_heading_is_its_title_and_its_rules() -> None:
    text = "Before.\n\nTitle\n-----\nAfter.\n\n=====\nBoxed\n=====\n\nEnd.\n"
    spans = [text[heading.start : heading.end] for heading in read_underlined(text).headings]
    assert spans == ["Title\n-----\n", "=====\nBoxed\n=====\n"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("INTRODUCTION\n\nText here.\n\nTHE NEXT PART\n\nMore.\n", ["INTRODUCTION", "THE NEXT PART"]),
        ("CHAPTER I\n\nIt was.\n\nCHAPTER II\n\nIt is.\n", ["CHAPTER I", "CHAPTER II"]),
        ("CHAPTER I.\nDown the Rabbit-Hole\n\nAlice was.\n", ["CHAPTER I. Down the Rabbit-Hole"]),
        ("Chapter 3. The Fall\n\nIt fell.\n", ["Chapter 3. The Fall"]),
        ("Kapitel 2: Der Fall\n\nEr fiel.\n", ["Kapitel 2: Der Fall"]),
        ("Release notes\n=============\n\n1.2.3\n-----\n\n- fixed\n", ["Release notes", "1.2.3"]),
        ("Overview\n" + "=" * 72 + "\n\nText.\n", ["Overview"]),
        ("ÜBER UNS\n\nText.\n", ["ÜBER UNS"]),
        (" " * 32 + "Preamble\n\n  The text begins further left.\n", ["Preamble"]),
        (f"{'THE GNU LICENSE':^74}\n{'TERMS OF COPYING':^74}\n\n  Text.\n", ["THE GNU LICENSE TERMS OF COPYING"]),
    ],
)
def test_titles(text: str, found: list[str]) -> None:
    assert [title for _, title in outline(text)] == found


def test_chapters_stand_in_parts_and_titles_in_chapters() -> None:
    text = "PART ONE\n\nA.\n\nCHAPTER I\n\nB.\n\nTHE STORM\n\nC.\n\nCHAPTER II\n\nD.\n\nPART TWO\n\nE.\n"
    assert outline(text) == [(1, "PART ONE"), (2, "CHAPTER I"), (3, "THE STORM"), (2, "CHAPTER II"), (1, "PART TWO")]


@pytest.mark.parametrize(
    "text",
    [
        "I AM NOT HAPPY WITH YOU\n\nText.\n",
        "STOP!\n\nText.\n",
        "NASA\n\nFBI\n\nCIA\n\nNSA\n\nThese are acronyms.\n",
        "NASA  Space\nFBI   Police\n",
        "THIS LINE GOES ON\nIN THE NEXT ONE\nAND THE NEXT\n\nText.\n",
        "A LAST LINE\n",
        "1. FIRST ENTRY\n\nText.\n",
        "OK\n\nText.\n",
        "        ACCEPT\n\nText.\n",
        " " * 32 + "and so it ends\n\nText.\n",
        "Name   Age\n----------\nAnn    3\n",
        "Name | Age\n----------\nAnn  | 3\n",
        "A paragraph of two lines\nthat ends here\n--------------\n",
        "He said so.\n\n----------\n\nText.\n",
        "Some words, and so,\n-------------------\n",
        "- item\n------\n",
        "Best regards\n-- \nAnn\n",
        "Chapter 3 of this book explains it.\n\nText.\n",
        "Chapter 1\nChapter 2\nChapter 3\n",
        "CHAPTER I\n\nCHAPTER II\n\nCHAPTER III\n\nText.\n",
        "book 3 was better\n\nText.\n",
        "THE SHORE\nWe came down at first light\nand found the boats gone.\n",
        "THE SOFTWARE IS PROVIDED AS IT STANDS\nWITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, TO ANYBODY.\n",
        f"[TIP]\n{PROSE}\n",
        "ACME LTD\n12 High Street\nBern\n\nDear Ann,\n",
        "".join(f"{name}\n{PROSE}\n\n" for name in ["LADY ANN", "BOB", "LADY ANN", "BOB"]),
    ],
)
def test_what_is_no_title(text: str) -> None:
    assert outline(text) == []
    assert not looks_like_underlined(Glance(text))


# --- detector ---


def test_the_edition_of_a_text_is_no_title() -> None:
    text = (
        "A TALE OF PUMPS\n\nTHE MILLENNIUM EDITION 3.0\n\nIt began.\n\nPREFACE TO THE SECOND EDITION\n\nIt went on.\n"
    )
    assert [heading.title for heading in read_underlined(text).headings] == [
        "A TALE OF PUMPS",
        "PREFACE TO THE SECOND EDITION",
    ]


def test_titles_that_come_late_are_known() -> None:
    late = "Words that stand in front of all titles and say a lot.\n\n" * 400
    assert looks_like_underlined(
        Glance(late + "".join(f"Title {number}\n-------\n\nText.\n\n" for number in range(10, 20)))
    )
    assert not looks_like_underlined(Glance(late))


def test_text_with_titles_is_known() -> None:
    assert looks_like_underlined(Glance("One\n===\n\nText here.\nMore of it.\n\nTwo\n===\n\nText.\nMore.\n"))
    assert looks_like_underlined(Glance("CHAPTER I\n\n" + "It was so.\n" * 9 + "\nCHAPTER II\n\n" + "It is so.\n" * 9))


def test_a_title_above_the_first_hides_no_others() -> None:
    sections = "".join(f"{name}\n\n{PROSE} {PROSE}\n\n" for name in ["LETTER TO OWNERS", "RISK FACTORS", "BUSINESS"])
    assert looks_like_underlined(Glance(sections))
    assert looks_like_underlined(Glance(f"ANNUAL REPORT 2025\n\n{sections}"))


@pytest.mark.parametrize(
    "text",
    [
        "One\n===\n\nText.\n",
        "HELLO\n\nhi there\n\nBYE\n\nsee you\n",
        "a,b\n1,2\n" * 50,
        "2024-01-01 INFO started\n-----------------------\n" * 3,
        '"""Module.\n\nNotes\n-----\nText.\n\nMore\n----\n"""\n\nimport os\n',
        "".join(f"{name}\n{PROSE}\n\n" for name in ["BERN", "BASEL", "CHUR", "GENEVA"]),
        "",
    ],
)
def test_other_texts_are_not_taken_for_it(text: str) -> None:
    assert not looks_like_underlined(Glance(text))


@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.name)
def test_prose_is_not_taken_for_it(corpus: Path) -> None:
    assert not looks_like_underlined(Glance(corpus.read_text("utf-8")[:65_536]))


CENTRE = " " * 26


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a line in small letters below a centred title in capitals is no part of it
        (f"{PROSE}\n\n{CENTRE}GENERAL PUBLIC NOTE\n{CENTRE}   Version of June\n\n{PROSE}\n", ["GENERAL PUBLIC NOTE"]),
        # nothing stands further left below it
        (f"{PROSE}\n\n{' ' * 29}The Law of Pumps\n\n{' ' * 20}{PROSE}\n", []),
        # sentences after the number of a chapter, or a line of a contents page
        (f"{PROSE}\n\nAct I. It is. So.\n\n{PROSE}\n", []),
        (f"{PROSE}\n\nChapter I ... 4\n\n{PROSE}\n", []),
        # a rule above that is much longer or shorter than that below
        (f"{PROSE}\n\n********\nScope\n*****\n\n{PROSE}\n", []),
    ],
)
def test_what_makes_no_title(text: str, expected: list[str]) -> None:
    assert [title for _, title in outline(text)] == expected


def test_a_rule_much_longer_than_words_may_be_of_common_marks_alone() -> None:
    """And below words that end as titles do."""
    assert outline(f"{PROSE}\n\nScope\n{'=' * 60}\n\n{PROSE}\n") == [(1, "Scope")]
    assert outline(f"{PROSE}\n\nScope\n{'^' * 60}\n\n{PROSE}\n") == []
    assert outline(f"{PROSE}\n\nScope.\n{'=' * 60}\n\n{PROSE}\n") == []
