"""RFC texts and man pages: headings at the margin; running lines and contents pages are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.glances import Glance
from spanwise.formats.manual import looks_like_manual, read_manual
from structure_laws import check_look_ahead, check_structure
from texts import LAW

DATA = Path(__file__).parents[1] / "data"

heads = st.sampled_from(["", "TAR(1)    Manual    TAR(1)\n\n", ".TH TAR 1\n", "Network Working Group    A. Author\n\n"])
pieces = st.sampled_from(
    [
        "NAME",
        "       tar - archive",
        "   Options",
        "1.  Introduction",
        "   1.  Introduction ........ 3",
        "Abstract",
        "3.2.1.  Header",
        "Author        Informational        [Page 7]",
        "RFC 1        Title        May 1990",
        "\x0c",
        "Table of Contents",
        "words.",
        '.SH "SEE ALSO"',
        ".SS",
        ".ig",
        "..",
        '.\\" comment',
        "\\fBbold\\fR",
        "Appendix A.  More",
        "A.1.  Less",
        "\x1b[1mNAME\x1b[0m",
        "N\x08NA\x08A",
        "�",
        "\x00",
        "\ufeff",
        "   set in",
    ]
)
ends = st.sampled_from(["\n", "\n\n", "\r\n", "\r", "\n       ", "\n\n   ", " "])
texts = st.builds(str.__add__, heads, st.lists(st.builds(str.__add__, pieces, ends), max_size=40).map("".join))


def outline(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read_manual(text).headings]


# --- laws ---


@given(texts)
def test_every_structure_describes_its_text(text: str) -> None:
    check_structure(text, read_manual(text))


@LAW
@given(texts, st.sampled_from(["   words and words.\n", "\n", "1.  Entry\n", "   1.  Entry .... 4\n"]), texts)
def test_what_comes_much_later_changes_nothing(head: str, filler: str, tail: str) -> None:
    """Headings depend on at most 65,536 characters after them."""
    check_look_ahead(read_manual, head, filler, tail)


# --- oracle ---


def test_a_rendered_page_has_the_headings_of_its_source() -> None:
    """The page was rendered by man-db: what it made of `.SH` and `.SS` is found again at the margin."""
    rendered = outline((DATA / "plain" / "xz.1.txt").read_text("utf-8"))
    source = outline((DATA / "plain" / "xz.1").read_text("utf-8"))
    assert rendered == source
    assert len(source) > 20
    assert source[:3] == [(1, "NAME"), (1, "SYNOPSIS"), (1, "COMMAND ALIASES")]
    assert (2, "Operation mode") in source


# --- examples ---

MEMO = """


Network Working Group                                          A. Author
Request for Comments: 9999                                     May 1999
Category: Informational


                     The Example Protocol

Status of this Memo

   This memo provides information for the Internet community.

Abstract

   It is about examples.

Table of Contents

   1.  Introduction . . . . . . . . . . . . . . . . . . . . . . .  2
     1.1.  Requirements . . . . . . . . . . . . . . . . . . . . .  2
   2.  Format ....................................................  3
   Appendix A.  Notes . . . . . . . . . . . . . . . . . . . . . .  4

1.  Introduction

   It has the following steps:

   1.  Connect.

   2.  Send.

1.1.  Requirements

   The key words are to be read as usual, see section
   2. of the text.



Author                       Informational                      [Page 2]
\f
RFC 9999                    Example Protocol                    May 1999


2.  Format of a Title That Is Longer Than One Line Can Hold in This
    Narrow Text

     +-------+-------+
     | a     | b     |
     +-------+-------+

2.1 Older style

   Text.

Appendix A.  Notes

   Text.

A.1.  More Notes

   Text.

Authors' Addresses

   A. Author
   Email: author@example.org
"""


def test_the_headings_of_an_rfc() -> None:
    assert outline(MEMO) == [
        (1, "Status of this Memo"),
        (1, "Abstract"),
        (1, "Table of Contents"),
        (1, "1. Introduction"),
        (2, "1.1. Requirements"),
        (1, "2. Format of a Title That Is Longer Than One Line Can Hold in This Narrow Text"),
        (2, "2.1 Older style"),
        (1, "Appendix A. Notes"),
        (2, "A.1. More Notes"),
        (1, "Authors' Addresses"),
    ]


def test_a_contents_page_is_a_unit() -> None:
    unit, *entries = read_manual(MEMO).units
    assert len(entries) == 4
    assert MEMO[unit.start : unit.end].startswith("Table of Contents\n")
    assert MEMO[unit.start : unit.end].endswith("Notes . . . . . . . . . . . . . . . . . . . . . .  4\n")


@pytest.mark.parametrize(
    ("request_", "level", "title"),
    [
        (".SH NAME", 1, "NAME"),
        ('.SH "SEE ALSO"', 1, "SEE ALSO"),
        (".SH\nSEE ALSO", 1, "SEE ALSO"),
        (".SH SEE ALSO", 1, "SEE ALSO"),
        ('.SS "The \\fBbig\\fR one"', 2, "The big one"),
        (".SS Multi\\-line \\(em really", 2, "Multi-line — really"),
        (".Sh NAME", 1, "NAME"),
        (".Ss Keys", 2, "Keys"),
        ("'SH NAME", 1, "NAME"),
        ('.SS Say \\(dqhello\\(dq \\" a comment', 2, 'Say "hello"'),
    ],
)
def test_requests_of_roff(request_: str, level: int, title: str) -> None:
    assert outline(f".TH X 1\n.SH FIRST\ntext\n{request_}\ntext\n") == [(1, "FIRST"), (level, title)]


def test_what_roff_ignores_is_no_heading() -> None:
    text = '.TH X 1\n.SH NAME\nx\n.\\" .SH COMMENT\n.ig\n.SH IGNORED\n..\n.SH END\ny\n'
    assert outline(text) == [(1, "NAME"), (1, "END")]


def test_running_lines_of_a_rendered_page_are_no_headings() -> None:
    text = (
        "TAR(1)               GNU TAR Manual               TAR(1)\n\nNAME\n       tar - an archiver\n\n"
        "OPTIONS\n   Modes\n       -c     create\n\n   Others\n       -v     verbose\n\n"
        "TAR                      July 2022                 TAR(1)\n"
    )
    assert outline(text) == [(1, "NAME"), (1, "OPTIONS"), (2, "Modes"), (2, "Others")]


def test_bold_of_terminals_is_read() -> None:
    bold = "".join(f"{letter}\b{letter}" for letter in "NAME")
    assert outline(f"X(1)          Manual          X(1)\n\n{bold}\n       x - y\n") == [(1, "NAME")]


def test_entries_of_the_contents_are_units() -> None:
    entries = [
        "   1.  Introduction . . . . . . . . . . . . .  2\n",
        "     1.1.  A title that is so long that it\n           goes on below  . . . . . . . . . . .  2\n",
        "   2.  Without a number\n",
        "   Acknowledgements\n",
        "   Appendix A.  Notes  ......................  4\n",
    ]
    foot, head = "Author          Informational          [Page 1]", "RFC 9999          Example          May 1999"
    running = f"\n{foot}\n\x0c\n{head}\n\n"
    contents = f"Table of Contents\n\n{''.join(entries[:2])}{running}{''.join(entries[2:])}"
    text = f"Network Working Group                A. Author\n\n{contents}\n1.  Introduction\n\n   Text.\n"
    assert [text[unit.start : unit.end] for unit in read_manual(text).units] == [contents, *entries]


# --- detector ---


def test_manuals_are_known() -> None:
    assert looks_like_manual(Glance(MEMO))
    assert looks_like_manual(Glance((DATA / "plain" / "xz.1").read_text("utf-8")[:65_536]))
    assert looks_like_manual(Glance((DATA / "plain" / "xz.1.txt").read_text("utf-8")[:65_536]))


@pytest.mark.parametrize(
    "text",
    [
        "NAME\n\nMy name is Alice.\n",
        "Name\n    Alice - a person\n",
        ".gitignore\n.SH\n",
        "The Network Working Group met in May. It wrote RFC 1.\n",
        "RFC 2616 is old.\n\nWe read it.\n",
        "f(1)\n",
        "",
    ],
)
def test_other_texts_are_not_taken_for_them(text: str) -> None:
    assert not looks_like_manual(Glance(text))


@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.name)
def test_prose_is_not_taken_for_it(corpus: Path) -> None:
    assert not looks_like_manual(Glance(corpus.read_text("utf-8")[:65_536]))


def test_a_title_ends_where_the_contents_page_says() -> None:
    """In some RFC texts a sentence follows a title in its line."""
    text = (
        "Network Working Group                                     A. Author\n\nTable of Contents\n\n"
        "   1. Overview ................ 2\n   1.1. Overall conventions ... 2\n\n1. Overview\n\n   Text.\n\n"
        "   1.1. Overall conventions In the diagrams below, a box like this:\n\n         +---+\n\n      is a byte.\n"
    )
    heading = read_manual(text).headings[-1]
    assert (heading.level, heading.title) == (2, "1.1. Overall conventions")
    assert text[heading.end :].startswith(" In the diagrams below")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a request without words names nothing
        ('.TH PUMP 1\n.SH\n.SH NAME\npump\n.SH ""\n.PP\nx\n', [(1, "NAME")]),
        # lines that end as titles do not, or hold what no title holds
        ("1.  Intro\n\n   Text.\n\n2.  = x\n\n   Text.\n", [(1, "1. Intro")]),
        ("1 some words that end in a full stop and go on and on.\n\n   Text.\n", []),
        # a title of a contents page that has no entries
        ("CONTENTS\n\n1.  Intro\n\n   Text.\n", [(1, "CONTENTS"), (1, "1. Intro")]),
        # what leads to an example
        (
            "PUMP(1)   Commands   PUMP(1)\n\nNAME\n       pump - it\n\nSEE,\n       x\n\nUSE\n       It runs.\n",
            [(1, "NAME"), (1, "USE")],
        ),
    ],
)
def test_what_is_no_title_of_a_manual(text: str, expected: list[tuple[int, str]]) -> None:
    assert outline(text) == expected


def test_text_that_is_not_set_in_makes_no_title() -> None:
    """What it stands below is text, too."""
    page = "PUMP(1)   Commands   PUMP(1)\n\nNAME\n{}pump - it\n\nUSE\n       It runs.\n"
    assert outline(page.format("       ")) == [(1, "NAME"), (1, "USE")]
    assert outline(page.format("  ")) == [(1, "USE")]


def test_a_contents_page_may_end_with_the_text() -> None:
    assert outline("CONTENTS\n\n   1. Intro ..... 1\n") == [(1, "CONTENTS")]
