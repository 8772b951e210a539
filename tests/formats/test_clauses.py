"""Legal and numbered text: clauses with a title are headings; references, contents pages and lists are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.clauses import looks_like_clauses, read_clauses
from spanwise.formats.glances import Glance
from spanwise.sections import Outline
from structure_laws import check_look_ahead, check_structure
from texts import LAW

DATA = Path(__file__).parents[1] / "data"

pieces = st.sampled_from(
    [
        "1. Term",
        "1.1 Term. The",
        "2. TERM AND",
        "2.1",
        "(a) Late. The",
        "(i)",
        "Article III",
        "ARTICLE IV - FEES",
        "§ 3 Preis",
        "Section 2.05 of this",
        "Schedule A",
        "Chapter 2",
        "Part IV",
        "CONTENTS",
        "1. Term ..... 3",
        "I. ONE",
        "A. Two",
        "TITLE",
        "words that go on.",
        "Words",
        "=====",
        "-----",
        "* x *",
        "****",
        "\ufeff",
        "�",
        "\x00",
        "Annex 1",
        "0",
        "\t",
        "……",
    ]
)
ends = st.sampled_from(["\n", "\n\n", "\r\n", "\r", "\n   ", "\n\n   ", "\f", " ", "\n" + " " * 30])
texts = st.lists(st.builds(str.__add__, pieces, ends), max_size=40).map("".join)


def outline(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read_clauses(text).headings]


def titles(text: str) -> list[str]:
    return [heading.title for heading in read_clauses(text).headings]


def path_at(text: str, words: str) -> tuple[str, ...]:
    headings = read_clauses(text).headings
    return Outline(headings, [heading.end for heading in headings]).path_at(text.rindex(words))


# --- laws ---


@given(texts)
def test_every_structure_describes_its_text(text: str) -> None:
    check_structure(text, read_clauses(text))


@LAW
@given(texts, st.sampled_from(["words and words.\n", "\n", "2. Entry\n", "2.1 Entry\n\n", "Section 3\n"]), texts)
def test_what_comes_much_later_changes_nothing(head: str, filler: str, tail: str) -> None:
    """Headings depend on at most 65,536 characters after them."""
    check_look_ahead(read_clauses, head, filler, tail)


@given(texts)
def test_the_title_is_what_stands_at_its_place(text: str) -> None:
    """Nothing is made up: the words of a title are words of its span, in their order."""
    for heading in read_clauses(text).headings:
        words = " ".join(text[heading.start : heading.end].replace("*", " ").split())
        assert " ".join(heading.title.replace("*", " ").split()) in words


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.sampled_from(["Article {}", "§ {}", "{}. Scope"]))
def test_clauses_that_are_counted_through_have_one_depth(titled: list[bool], label: str) -> None:
    """Wherever titles without a number stand between them."""
    text = "".join(
        f"{'TITLE OF IT' * is_titled}\n\n{label.format(number)}\n\nIt is told here, and only here.\n\n"
        for number, is_titled in enumerate(titled, 1)
    )
    clauses = {heading.level for heading in read_clauses(text).headings if not heading.title.isupper()}
    parting = {heading.level for heading in read_clauses(text).headings if heading.title.isupper()}
    assert clauses == {1 + any(titled)}
    assert parting <= {1}


# --- examples ---

AGREEMENT = """SERVICE AGREEMENT

TABLE OF CONTENTS
1. DEFINITIONS ........................ 2
2. TERM AND TERMINATION ............... 3
   2.1 Term ........................... 3
   2.2 Termination .................... 4

1. DEFINITIONS

"Fees" means the amounts in Schedule A.

2. TERM AND TERMINATION

2.1 Term. This Agreement starts on the Effective Date and lasts 12 months.

2.2 Termination. Either party may end it:

(a) on 30 days' notice; or

(b) at once, if the other party:

    (i) is insolvent; or

    (ii) breaches clause 2.1.

ARTICLE III - LIABILITY

Section 3.1 Cap. Liability is limited to the Fees.
"""


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("amounts in Schedule A", ("SERVICE AGREEMENT", "1. DEFINITIONS")),
        ("lasts 12 months", ("SERVICE AGREEMENT", "2. TERM AND TERMINATION", "2.1 Term")),
        ("is insolvent", ("SERVICE AGREEMENT", "2. TERM AND TERMINATION", "2.2 Termination")),
        ("limited to the Fees", ("SERVICE AGREEMENT", "ARTICLE III - LIABILITY", "Section 3.1 Cap")),
    ],
)
def test_words_stand_under_their_clause(words: str, path: tuple[str, ...]) -> None:
    assert path_at(AGREEMENT, words) == path


def test_a_run_in_title_ends_at_its_full_stop() -> None:
    spans = [AGREEMENT[heading.start : heading.end] for heading in read_clauses(AGREEMENT).headings]
    assert "2.1 Term." in spans
    assert "1. DEFINITIONS\n" in spans


def test_a_contents_page_is_a_unit_and_no_heading() -> None:
    (unit,) = read_clauses(AGREEMENT).units
    assert AGREEMENT[unit.start : unit.end].startswith("TABLE OF CONTENTS\n1. DEFINITIONS ...")
    assert AGREEMENT[unit.start : unit.end].endswith("2.2 Termination .................... 4\n")
    assert not any("..." in title for title in titles(AGREEMENT))


def test_a_contents_page_without_page_numbers_ends_where_its_first_entry_comes_again() -> None:
    text = (
        "CONTENTS\n\n1. Definitions\n2. Term\n2.1 Start\n3. Liability\n\n1. Definitions\n\nWords mean things.\n\n"
        "2. Term\n\n2.1 Start\n\nIt starts.\n\n3. Liability\n\nNone.\n"
    )
    assert outline(text) == [(1, "1. Definitions"), (1, "2. Term"), (2, "2.1 Start"), (1, "3. Liability")]
    (unit,) = read_clauses(text).units
    assert text[unit.start : unit.end] == "CONTENTS\n\n1. Definitions\n2. Term\n2.1 Start\n3. Liability\n"


def test_a_contents_page_of_an_act_repeats_its_parts_and_is_no_heading() -> None:
    entries = "PART I\n\nPRELIMINARY\n\n1. Short title.\n2. Interpretation.\n\nPART II\n\nBOARD\n\n3. Members.\n\n"
    act = entries.replace(".\n", ".\n\nIt is told here.\n\n")
    structure = read_clauses(f"ARRANGEMENT OF SECTIONS\n\n{entries}{act}")
    assert [(heading.level, heading.title) for heading in structure.headings] == [
        (1, "PART I PRELIMINARY"),
        (2, "1. Short title"),
        (2, "2. Interpretation"),
        (1, "PART II BOARD"),
        (2, "3. Members"),
    ]
    assert len(structure.units) == 1


def test_a_reference_to_a_clause_is_no_heading() -> None:
    text = (
        "2. TERM\n\nThe fee is due pursuant to\nSection 2.05 of this Agreement, the\nparties agree. As said in\n"
        "Section 3.1 Cap and\n"
        "Article IV the rules hold.\n\nSection 2.05 of this Agreement applies.\n\nArticle 5 shall not apply.\n\n"
        "Section 2.05, the cap, applies.\n\n3. OTHER\n\nNothing.\n"
    )
    assert titles(text) == ["2. TERM", "3. OTHER"]


@pytest.mark.parametrize(
    "text",
    [
        "How to wash.\n\n1. Wash hands.\n2. Dry them.\n3. Go home.\n\nThat is all.\n",
        "How to wash.\n\n1. Wash hands.\n\n2. Dry them.\n\n3. Go home.\n\nThat is all.\n",
        "Steps\n\n1. Install the package.\n\n   Run it.\n\n2. Configure it.\n\n   Edit the file.\n",
        "Fruit:\n\n1. Apples. They are red.\n2. Pears. They are green.\n3. Plums. They are blue.\n",
        "Books:\n\n1. The Name of the Rose\n\n2. War and Peace\n\n3. Middlemarch\n\nI like them all.\n",
        "He paid\n2.5 Million dollars for it, and in\n1984. Orwell wrote. The year\n1. January came.\n\n3.14 is pi.\n",
        "I. Newton was a man.\n\nA. Lincoln was another.\n\nC. S. Lewis\n\nwrote books.\n",
        "Part of the problem is money.\n\nChapter 11 bankruptcy was filed.\n\nSection 8 housing is scarce, he said.\n",
        "(a) on 30 days' notice; or\n\n(b) at once.\n\n(i) is insolvent\n\nEnd.\n",
        "To make tea do this.\n1. Boil water in a kettle.\n2. Warm the pot.\n3. Add tea.\nThen wait.\n",
        "To make tea:\n1. Boil Water\n2. Warm the Pot\n3. Add Tea\nThen wait for it.\n",
        "The house has rooms.\n1. The Hall of the old\nMarble. 2. The Stair\nof oak.\n3. It ends.\n",
        "It follows from\nArticle 7\nthat it holds.\nArticle 1\nof the treaty says so.\n",
        "Version 1.2.3 is out.\n\n1.2.4\n\n2.0 is next, we hope.\n",
    ],
)
def test_lists_and_prose_have_no_clauses(text: str) -> None:
    assert titles(text) == []
    assert not looks_like_clauses(Glance(text))


def test_articles_and_sections_nest_as_the_document_has_them() -> None:
    """A section is finer than the article that it stands in, but in European acts articles stand in sections."""
    american = "ARTICLE I\nTERMS\n\nSection 1.1 Scope. Wide.\n\nSection 1.2 Time. Long.\n\nARTICLE II\nEND\n\nText.\n"
    assert outline(american) == [
        (1, "ARTICLE I TERMS"),
        (2, "Section 1.1 Scope"),
        (2, "Section 1.2 Time"),
        (1, "ARTICLE II END"),
    ]
    european = "PART I\n\nArticle 1\n\nA.\n\nPART II\n\nSection 1\n\nArticle 2\n\nA.\n\nSection 2\n\nArticle 3\n\nA.\n"
    assert [level for level, _ in outline(european)] == [1, 2, 1, 2, 3, 2, 3]


def test_the_paragraphs_of_a_german_act_stand_in_its_sections_and_chapters() -> None:
    text = (
        "Teil 1\n\nKapitel 1\nAllgemeines\n\nAbschnitt 1\n\n§ 1 Geltungsbereich\n\nEs gilt.\n\n"
        "§ 2\nZweck\n\n(1) Es dient.\n\nAbschnitt 2 Zahlung\n\n§ 3 Preise\n\nSie gelten.\n\n"
        "Kapitel 2\nSchluss\n\n§ 4 Ende\n\nEs endet.\n"
    )
    assert outline(text) == [
        (1, "Teil 1"),
        (2, "Kapitel 1 Allgemeines"),
        (3, "Abschnitt 1"),
        (4, "§ 1 Geltungsbereich"),
        (4, "§ 2 Zweck"),
        (3, "Abschnitt 2 Zahlung"),
        (4, "§ 3 Preise"),
        (2, "Kapitel 2 Schluss"),
        (3, "§ 4 Ende"),
    ]


PARAGRAPH = "The seller keeps the pumps of the city clean, and the city owns and pays for them."

CLAUSE = (
    "The tenant shall hold the rooms from the first day of May and pay for them on the first working day of each "
    "month, by transfer to the account that the landlord has named in writing for it."
)


def numbered(titles: list[str], body: str, clauses: int = 0, gap: str = "\n\n", end: str = "\n\n") -> str:
    """Write titles, each with text below it, or with clauses that have no title."""
    return "".join(
        f"{number}. {title}{gap}"
        + ("".join(f"{number}.{inner} {body}{end}" for inner in range(1, clauses + 1)) or f"{body}{end}")
        for number, title in enumerate(titles, 1)
    )


TITLES = ["Purpose", "Scope", "Roles and Duties", "Access", "Response", "Review", "Notices", "End"]
TIGHT = {"gap": "\n", "end": "\n"}
LONE_CLAUSE = numbered(TITLES[:4], PARAGRAPH).replace("3. Roles", f"2.1 Exceptions\n\n{PARAGRAPH}\n\n3. Roles")

ACT = """WATER ACT 1999

PART I

PRELIMINARY

1. Short title.—This Act may be cited as the Water Act.

2. Interpretation.—(1) In this Act, water means water.

PART II

ADMINISTRATION

CHAPTER 1

THE BOARD

3. Establishment of Board

3.1 Members. There shall be three.

CHAPTER 2

FUNDS

4. Accounts

Accounts are kept.

SCHEDULE 1

Transitional provisions

1. Savings

What was lawful stays so.
"""


@pytest.mark.parametrize("text", [ACT, ACT.replace("\n\n", "\n").replace("1999\n", "1999\n\n")])
def test_an_act_has_parts_above_chapters_above_sections(text: str) -> None:
    """The name of a part stands in the line below its label, or a blank line further down."""
    if "\n\nPRELIMINARY" not in text:
        text = text.replace("Transitional", "\nTransitional").replace("provisions\n", "provisions\n\n")
    assert outline(text) == [
        (1, "WATER ACT 1999"),
        (2, "PART I PRELIMINARY"),
        (3, "1. Short title"),
        (3, "2. Interpretation"),
        (2, "PART II ADMINISTRATION"),
        (3, "CHAPTER 1 THE BOARD"),
        (4, "3. Establishment of Board"),
        (5, "3.1 Members"),
        (3, "CHAPTER 2 FUNDS"),
        (4, "4. Accounts"),
        (1, "SCHEDULE 1 Transitional provisions"),
        (2, "1. Savings"),
    ]


def test_the_title_of_an_article_may_have_a_paragraph_of_its_own() -> None:
    """What is a sentence, a label, or stands at the end of all is none."""
    text = (
        "CHAPTER II\n\nPrinciples\n\nArticle 6\n\nLawfulness of processing\n\n1. Processing shall be lawful.\n\n"
        "Article 7\n\nConsent\n\n1. Where it is based on consent, the controller shall show it.\n\n"
        "Article 8\n\nThe child is protected.\n\nSo are others.\n\nArticle 9\n\nSigned\n"
    )
    assert outline(text) == [
        (1, "CHAPTER II Principles"),
        (2, "Article 6 Lawfulness of processing"),
        (2, "Article 7 Consent"),
        (2, "Article 8"),
        (2, "Article 9"),
    ]
    tight = "CHAPTER I\nGeneral provisions\nArticle 1\nSubject matter\n1. It is told.\nArticle 2\nWide scope\n1. All.\n"
    assert titles(tight) == ["CHAPTER I General provisions", "Article 1 Subject matter", "Article 2 Wide scope"]


POLICY = """Privacy Policy

1. Information we collect

We collect your name and your address when you open an
account, and nothing else.

2. How we use information

We use it to send you what you bought, and to
answer you.

3. What are your rights?

You may ask us for your data, as said in
Section 2.05 of the rules.

4. Contact

Write to us.
"""


@pytest.mark.parametrize("text", [POLICY, POLICY.replace("\n\n", "\n"), POLICY.replace("\n\n", "\r\n")])
def test_titles_of_a_policy_stand_alone_with_or_without_blank_lines(text: str) -> None:
    """They may tell what they answer, and have words as sentences have them."""
    assert outline(text) == [
        (1, "1. Information we collect"),
        (1, "2. How we use information"),
        (1, "3. What are your rights?"),
        (1, "4. Contact"),
    ]


def test_numbers_without_a_full_stop_have_titles_where_the_next_has_one_below_text() -> None:
    standard = (
        "1 Scope\n\nThis document is about pumps.\n\n2 Normative references\n\nThere are none.\n\n"
        "3 Terms and definitions\n\n3.1 pump\n\nmachine that moves water\n\n3.2 hand pump\n\npump moved by hand\n\n"
        "4 Requirements\n\n4.1 General\n\nA pump has\n12 Bolts and\n2 Nuts.\n"
    )
    assert outline(standard) == [
        (1, "1 Scope"),
        (1, "2 Normative references"),
        (1, "3 Terms and definitions"),
        (2, "3.1 pump"),
        (2, "3.2 hand pump"),
        (1, "4 Requirements"),
        (2, "4.1 General"),
    ]
    assert titles("He had:\n\n1 Apple\n\n2 Pears\n\n3 Plums\n\nand ate them.\n\n3.1 plums\n\nwere left.\n") == []


def test_titles_without_a_number_stand_above_the_articles_they_hold_which_keep_their_depth() -> None:
    text = (
        "PART I\n\nArticle 1 Scope\n\nAll.\n\nArticle 2 Time\n\nNow.\n\nOBLIGATIONS OF THE PARTIES\n\n"
        "Article 3 Fees\n\nThey pay.\n\nArticle 4 Care\n\nThey care.\n\n"
        "PART II\n\nArticle 5 Law\n\nSwiss.\n\nFINAL PROVISIONS\n\nArticle 6 End\n\nIt ends.\n"
    )
    assert outline(text) == [
        (1, "PART I"),
        (3, "Article 1 Scope"),
        (3, "Article 2 Time"),
        (2, "OBLIGATIONS OF THE PARTIES"),
        (3, "Article 3 Fees"),
        (3, "Article 4 Care"),
        (1, "PART II"),
        (3, "Article 5 Law"),
        (2, "FINAL PROVISIONS"),
        (3, "Article 6 End"),
    ]
    contract = (
        "SALES CONTRACT\n\nGENERAL TERMS\n\n1. Scope\n\nAll.\n\n2. Time\n\nNow.\n\n"
        "SPECIAL TERMS\n\n3. Fees\n\nThey pay.\n\n3.1 Delay. None.\n\nSIGNATURES\n\nSigned by both.\n"
    )
    assert outline(contract) == [
        (1, "SALES CONTRACT"),
        (2, "GENERAL TERMS"),
        (3, "1. Scope"),
        (3, "2. Time"),
        (2, "SPECIAL TERMS"),
        (3, "3. Fees"),
        (4, "3.1 Delay"),
        (1, "SIGNATURES"),
    ]


def test_a_title_has_no_full_stop_whether_text_follows_in_its_line_or_below() -> None:
    text = (
        "1. Definitions.\n\nWords.\n\n2. Length of term.\n\nIt lasts.\n\n2.1. Start. It starts.\n\n"
        "3. Duties of Acme Inc.\n\nThey pay.\n\nArticle 4.\n\nIt ends.\n\nSection 4.1. Law.\n\nNone.\n"
    )
    assert titles(text) == [
        "1. Definitions",
        "2. Length of term",
        "2.1. Start",
        "3. Duties of Acme Inc.",
        "Article 4",
        "Section 4.1. Law",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            (
                "§ 1 Vertragsgegenstand\n\n(1) Der Verkäufer verkauft.\n\n§ 2 Kaufpreis\n\nGemäß\n§ 5 Absatz 2 gilt "
                "dies nicht.\n\n"
                "§ 3 Kündigung\n\nEs gilt § 4.\n"
            ),
            ["§ 1 Vertragsgegenstand", "§ 2 Kaufpreis", "§ 3 Kündigung"],
        ),
        (
            (
                "Article 1er - Objet\n\nLe présent contrat a pour objet la vente.\n\nArticle 2 : Durée\n\nIl est "
                "conclu pour un an,\n"
                "conformément à\nl'article 5.\n\nArticle 3. Prix. Le prix est de 5 euros.\n"
            ),
            ["Article 1er - Objet", "Article 2 : Durée", "Article 3. Prix"],
        ),
        (
            "CLÁUSULA PRIMERA. OBJETO. El presente contrato.\n\nArtículo 3. Duración. El contrato durará.\n",
            ["CLÁUSULA PRIMERA. OBJETO", "Artículo 3. Duración"],
        ),
        (
            (
                "I. INTRODUCTION\n\nText.\n\nA. Background\n\nText of it.\n\nB. Purpose\n\nText of it.\n\nII. "
                "ARGUMENT\n\nMore.\n"
            ),
            ["I. INTRODUCTION", "A. Background", "B. Purpose", "II. ARGUMENT"],
        ),
        (
            (
                "Article I.\n\nSection 1. All legislative Powers shall be vested in a Congress.\n\nSection 2. The "
                "House shall be.\n"
            ),
            ["Article I", "Section 1", "Section 2"],
        ),
        (
            "3.2 Fees. As follows.\n\n(a) Late Payment. The Buyer pays.\n\n(b) the Seller waits.\n",
            ["3.2 Fees", "(a) Late Payment"],
        ),
    ],
)
def test_kinds_of_labels(text: str, found: list[str]) -> None:
    assert titles(text) == found


def test_the_headings_of_the_mozilla_public_license() -> None:
    text = (DATA / "plain" / "mpl-2.0.txt").read_text("utf-8")
    expected = """
        Mozilla Public License Version 2.0|1. Definitions|1.1. "Contributor"|1.2. "Contributor Version"|
        1.3. "Contribution"|1.4. "Covered Software"|1.5. "Incompatible With Secondary Licenses"|1.6. "Executable Form"|
        1.7. "Larger Work"|1.8. "License"|1.9. "Licensable"|
        1.10. "Modifications"|1.11. "Patent Claims" of a Contributor
        |1.12. "Secondary License"|1.13. "Source Code Form"|1.14. "You" (or "Your")|2. License Grants and Conditions|
        2.1. Grants|2.2. Effective Date|
        2.3. Limitations on Grant Scope|2.4. Subsequent Licenses|2.5. Representation|2.6. Fair Use|2.7. Conditions|
        3. Responsibilities|3.1. Distribution of Source Form|3.2. Distribution of Executable Form|
        3.3. Distribution of a Larger Work|3.4. Notices|3.5. Application of Additional Terms|
        4. Inability to Comply Due to Statute or Regulation|5. Termination|6. Disclaimer of Warranty|
        7. Limitation of Liability|8. Litigation|9. Miscellaneous|10. Versions of the License|10.1. New Versions|
        10.2. Effect of New Versions|10.3. Modified Versions|
        10.4. Distributing Source Code Form that is Incompatible With Secondary Licenses|
        Exhibit A - Source Code Form License Notice|Exhibit B - "Incompatible With Secondary Licenses" Notice"""
    found = outline(text)
    assert [title for _, title in found] == [title.strip() for title in expected.split("|")]
    numbers = [title.split()[0].rstrip(".") for _, title in found]
    assert [level for level, _ in found] == [1 if number == "Mozilla" else 2 + number.count(".") for number in numbers]


def test_the_headings_of_the_apache_license() -> None:
    assert outline((DATA / "plain" / "apache-2.0.txt").read_text("utf-8")) == [
        (1, "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION"),
        (2, "1. Definitions"),
        (2, "2. Grant of Copyright License"),
        (2, "3. Grant of Patent License"),
        (2, "4. Redistribution"),
        (2, "5. Submission of Contributions"),
        (2, "6. Trademarks"),
        (2, "7. Disclaimer of Warranty"),
        (2, "8. Limitation of Liability"),
        (2, "9. Accepting Warranty or Additional Liability"),
        (1, "APPENDIX: How to apply the Apache License to your work"),
    ]


def test_a_numbered_specification_is_read_as_well() -> None:
    """Its contents page has no title and no page numbers: its entries have no text below them."""
    text = (DATA / "plain" / "xz-file-format.txt").read_text("utf-8")
    found = outline(text)
    assert len(found) == len(set(found)) == 52
    assert found[0] == (1, "The .xz File Format")
    assert (5, "5.3.3.1. Format of the Encoded Output") in found
    assert all(level == 1 + title.split()[0].count(".") for level, title in found if title[0].isdigit())


LETTERED = """Terms of the Public Archive

The archive is open to everyone who accepts what is written below in this document.

Section 1 -- Access.

  a. Reading rights.

       1. Subject to these terms everyone may read.

       2. Exceptions and Limits. They are those of
          the law.

       3. No promise. Nothing here says that a page
          is there tomorrow.

       4. Copies of others.

            a. Offer of the Archive -- Copies. Whoever gets a copy gets
               this offer.

            b. No further limits. Nobody adds others.

  b. Other rights.

       1. Names are not licensed.

Section 2 -- End.

  a. For the avoidance of doubt, nothing ends.

  b. All of it goes on.
"""


def test_letters_with_a_title_are_headings_where_they_stand() -> None:
    """Letters that only count sentences are none; how far in a letter stands tells to which clause it belongs."""
    assert outline(LETTERED) == [
        (1, "Terms of the Public Archive"),
        (2, "Section 1 -- Access"),
        (3, "a. Reading rights"),
        (4, "2. Exceptions and Limits"),
        (4, "3. No promise"),
        (4, "4. Copies of others"),
        (5, "a. Offer of the Archive -- Copies"),
        (5, "b. No further limits"),
        (3, "b. Other rights"),
        (2, "Section 2 -- End"),
    ]


def test_annexes_with_letters_stand_beside_the_clauses() -> None:
    text = (
        "8. Delegates\n\n  8.1. Powers\n\n   They may act.\n\n  8.2. Appointment\n\n   They are appointed.\n\n"
        "A. Rules of Procedure\n\n   They hold here.\n\n  A.1. Proposal\n\n   One proposes.\n\n"
        "  A.2. Calling for a vote\n\n    1. The proposer may call for one.\n\nB. Use of language\n\n   It is plain.\n"
    )
    assert outline(text) == [
        (1, "8. Delegates"),
        (2, "8.1. Powers"),
        (2, "8.2. Appointment"),
        (1, "A. Rules of Procedure"),
        (2, "A.1. Proposal"),
        (2, "A.2. Calling for a vote"),
        (1, "B. Use of language"),
    ]


def test_sections_begin_anew_in_each_amendment() -> None:
    text = (
        "Preamble\n\nWe the people.\n\nArticle I\n\nSection 1\n\nAll powers.\n\nSection 2\n\nThe House.\n\n"
        "Amendments\n\nAmendment I\n\nNo law.\n\nAmendment II\n\nSection 1\n\nNo man.\n\nSection 2\n\nPower.\n"
    )
    assert outline(text) == [
        (1, "Preamble"),
        (1, "Article I"),
        (2, "Section 1"),
        (2, "Section 2"),
        (1, "Amendments"),
        (2, "Amendment I"),
        (2, "Amendment II"),
        (3, "Section 1"),
        (3, "Section 2"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "1.Definitions\n\nIn this Licence words mean things.\n\n2.Scope of the rights granted\n\nAll of them.\n",
            [(1, "1.Definitions"), (1, "2.Scope of the rights granted")],
        ),
        (
            "1 Words\n\n  1.1 'Licence' means this.\n\n2 Making and Conveying Products\n\n  2.1 You may make them.\n",
            [(1, "1 Words"), (1, "2 Making and Conveying Products")],
        ),
        (
            "§ 1 Rechte\n\nSie sind frei.\n\nAnhang: Wie unterstellen Sie ein Programm\ndieser neuen Lizenz\n\nSo.\n",
            [(1, "§ 1 Rechte"), (1, "Anhang: Wie unterstellen Sie ein Programm dieser neuen Lizenz")],
        ),
        (
            "1. Terms; Conditions\n\n1.1. Together, the members may:\n\nvote.\n\n1.2. Every use of the\ntext counts.\n",
            [(1, "1. Terms; Conditions")],
        ),
        (
            (
                "Preamble\n\nIt is free.\n\nTERMS AND CONDITIONS\n\n0. Definitions.\n\nWords.\n\n"
                "1. Source Code.\n\nIt is open.\n\nHOW TO APPLY THESE TERMS\n\nAttach them.\n"
            ),
            [
                (1, "Preamble"),
                (1, "TERMS AND CONDITIONS"),
                (2, "0. Definitions"),
                (2, "1. Source Code"),
                (1, "HOW TO APPLY THESE TERMS"),
            ],
        ),
    ],
)
def test_how_titles_stand(text: str, found: list[tuple[int, str]]) -> None:
    assert outline(text) == found


# --- detector ---


def test_a_number_right_above_its_first_clause_is_a_title_however_short_the_lines() -> None:
    found = [f"{number}. {title}" for number, title in enumerate(TITLES, 1)]
    assert titles(numbered(TITLES, "It is due.", 2, **TIGHT)) == found
    assert titles(numbered(TITLES, "It is due.", 2, end="\n")) == found


def test_a_clause_between_titles_that_are_counted_through_stands_below_the_one_before_it() -> None:
    assert outline(LONE_CLAUSE) == [
        (1, "1. Purpose"),
        (1, "2. Scope"),
        (2, "2.1 Exceptions"),
        (1, "3. Roles and Duties"),
        (1, "4. Access"),
    ]


def test_a_short_outline_is_known_if_its_numbers_nest() -> None:
    assert looks_like_clauses(
        Glance(
            "1. Packing\n\nIt packs.\n\nOften.\n\n2. Unpacking\n\n2.1 Introduction\n\nIt unpacks.\n\n"
            "2.2 More about tables\n\nThey are.\n"
        )
    )


@pytest.mark.parametrize(
    "text",
    [
        (
            "1. Services\n\nThe supplier provides them.\n\n2. Term\n\nThis agreement lasts a year.\n\n"
            "3. Governing law\n\nEnglish law governs this contract.\n"
        ),
        "2.1 Term. The term is one year.\n\n2.2 Fees. The parties shall pay.\n\n2.3 Law. It is that of Bern.\n",
        (
            "1. Services. The supplier provides them.\n\n2. Term. This agreement lasts a year.\n\n"
            "3. Governing Law. English law governs this contract.\n"
        ),
        (
            "Abschnitt 1\n\n§ 1 Geltungsbereich\n\nEs gilt.\n\n§ 2 Zweck\n\nEs dient.\n\n"
            "Abschnitt 2\n\n§ 3 Preise\n\nSie gelten.\n"
        ),
        "PART I\nPRELIMINARY\n\n1. Short title\n\nWater Act.\n\nPART II\nBOARD\n\n2. Members\n\nThree.\n",
        "CHAPTER I\n\nIt was a dark night and it rained.\n\nCHAPTER II\n\nThe next day was fine.\n",
        "CHAPTER 1\n\nIt rained all night.\n\nCHAPTER 2\n\nIt did not.\n\nCHAPTER 3\n\nIt did.\n",
        (
            "1. Acceptance of Terms\n\nYou accept these terms and conditions.\n\n2. Use\n\nYou may not:\n\n"
            "1. Copy the service.\n2. Sell it.\n\n3. Liability\n\nWe are not liable.\n"
        ),
        "Abschnitt 1 Ort\n\nBern.\n\nAbschnitt 2 Preis\n\nZehn.\n\nAbschnitt 3 Ende\n\nAus.\n",
        f"THE PARTIES\n\n{PARAGRAPH}\n\n{PARAGRAPH}\n\nTHE PRICE\n\n{PARAGRAPH}\n",
        "LEASE\n\n" + numbered(["TERM", "RENT", "USE"], CLAUSE, 2),
        "LEASE\n\n" + numbered(["TERM", "RENT", "USE"], CLAUSE, 2, **TIGHT),
        "LEASE\n\n" + numbered(TITLES, "It is due.", 2),
        "LEASE\n\n" + numbered(TITLES, "It is due.", 2, **TIGHT),
        numbered(TITLES[:6], "Staff follow this."),
        numbered(TITLES[:4], "This policy holds for all.", gap="\n"),
        LONE_CLAUSE,
        f"THE SALE\n\nTHE PARTIES\n\n{PARAGRAPH}\n\nTHE PRICE\n\n{PARAGRAPH}\n",
        ACT,
        POLICY,
        POLICY.replace("\n\n", "\n"),
        POLICY.replace("Privacy Policy", "Read This First"),
    ],
)
def test_a_short_document_is_known(text: str) -> None:
    assert looks_like_clauses(Glance(text))


@pytest.mark.parametrize(
    "text",
    [
        "1. Services\n2. Term\n3. Governing law\n4. Notices\n\nThis agreement is a contract.\n",
        "Section 1 Services\nSection 2 Term\nSection 3 Law\n\nSo the agreement of the parties is made up.\n",
        "To do, says the contract of the parties:\n\n1. Call Ann\n\nShe has the key.\n\n2. Pay the bill.\n\nAt once.\n",
        "Before tea:\n\n"
        + "".join(
            f"{number}. {title}\n\nThis is told in a long line that says how it is to be done at home.\n\n"
            for number, title in enumerate(("Boil water", "Warm the pot", "Add tea", "Pour water"), 1)
        ),
        "Chapter 1 tells of the law.\n\nChapter 2 tells of the parties.\n\nChapter 3 ends.\n",
        f"STOP SHOUTING\n\n{PARAGRAPH}\n\nBEST REGARDS\n\nBob\n",
        f"STOP SHOUTING\n{PARAGRAPH}\n\nI MEAN IT\n{PARAGRAPH}\n",
        f"STOP SHOUTING\n{PARAGRAPH}\n\nNOBODY LISTENS\n{PARAGRAPH}\n",
        f"NO ENTRY\n\n{PARAGRAPH}\n\n" + f"{PARAGRAPH}\n\n" * 20 + f"NO EXIT\n\n{PARAGRAPH}\n",
        numbered(TITLES[:3], "Goals"),
        numbered(TITLES[:3], "Goals", 2, **TIGHT) + "So much for what is in it.\n",
        numbered(["Shoes", "Hats", "Coats"], "12.50 each", 2, **TIGHT),
        "Chapter 1\nThe Book\nChapter 2\nThe End\n",
        "Read\nChapter 1\nand then\nChapter 2\nof the book.\n",
    ],
)
def test_a_short_list_is_not_taken_for_it(text: str) -> None:
    assert not looks_like_clauses(Glance(text))


def test_an_outline_that_begins_late_is_known() -> None:
    late = "Words that stand in front of all clauses and say a lot.\n\n" * 400
    clauses = "".join(f"{number}. Title of It\n\n{number}.1 More of It\n\nText.\n\n" for number in range(1, 9))
    assert looks_like_clauses(Glance(late + clauses))
    assert not looks_like_clauses(Glance(late))


@pytest.mark.parametrize("name", ["mpl-2.0.txt", "apache-2.0.txt", "cc0-1.0.txt", "xz-file-format.txt"])
def test_outlines_of_clauses_are_known(name: str) -> None:
    assert looks_like_clauses(Glance((DATA / "plain" / name).read_text("utf-8")))


@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.name)
def test_prose_is_not_taken_for_it(corpus: Path) -> None:
    assert not looks_like_clauses(Glance(corpus.read_text("utf-8")[:65_536]))


PAID = "The buyer pays the seller for each pump that was brought to the yard, within a month of the day."
FEES = "Fees That the Buyer Pays to the Seller for the Pump and for the"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"1. Payment – Late Fees. {PAID}\n", ["1. Payment – Late Fees"]),
        (f"1. Scope\n{PAID}\n2. Payment – The Due Date\n{PAID}\n", ["1. Scope", "2. Payment – The Due Date"]),
        (f"1. Scope\n{PAID}\n2. Payment – The Due Date. – {PAID}\n", ["1. Scope", "2. Payment – The Due Date"]),
    ],
)
def test_a_dash_may_stand_in_a_title_that_ends_at_its_full_stop_or_line(text: str, expected: list[str]) -> None:
    """It ends a title only where what follows is a sentence."""
    assert titles(text) == expected


def test_an_entry_of_a_contents_page_may_go_on_in_the_next_line() -> None:
    """Its page number is at the end of that."""
    contents = "Contents\n\n1. Scope ........ 1\n2. Duties of the seller and of\nthe buyer ........ 2\n"
    text = f"{contents}\n1. Scope\n\n{PAID}\n\n2. Duties of the seller and of the buyer\n\n{PAID}\n"
    assert titles(text) == ["1. Scope", "2. Duties of the seller and of the buyer"]
    structure = read_clauses(text)
    assert [text[unit.start : unit.end] for unit in structure.units] == [contents]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a sentence is no title: the number stands alone
        (f"Section 1. Duties of the seller and of the buyer.\n\n{PAID}\n", ["Section 1"]),
        # nor is it one where it goes on in a second line, unless that is written as titles are
        (f"Section 1. {FEES}\nwork in the yard.\n\n{PAID}\n", ["Section 1"]),
        (f"Section 1. {FEES}\nWork in the Yard.\n\n{PAID}\n", [f"Section 1. {FEES} Work in the Yard"]),
        # words with small letters below a number that goes on with nothing
        (f"3. Duties of the seller\n\n{PAID}\n\n4. Fees of the buyer\n\n{PAID}\n", []),
        # capitals that go on in the next line
        (f"1. Scope\n\n{PAID}\n\n2. THE FEES OF\nTHE BUYER AND OTHERS\n\n{PAID}\n", ["1. Scope"]),
        # a number without a full stop, and no other near by
        (f"1 Scope\n\n{PAID}\n", []),
        ("1 Scope\n\n" + f"{PAID}\n" * 200 + "\n2 Fees\n\n" + PAID, []),
        # a letter below which there is nothing, or what a letter does not hold
        ("1. Scope\n\n(a) Late Payment.\n", ["1. Scope"]),
        (f"1. Scope\n\n(a) Late Payment.\n\n{PAID}\n", ["1. Scope"]),
    ],
)
def test_what_only_looks_like_a_title_heads_nothing(text: str, expected: list[str]) -> None:
    assert titles(text) == expected


def test_only_eight_lines_are_looked_at_for_text_below_a_title() -> None:
    """Nine numbers, each finer than the one above it: the first heads nothing."""
    numbers = ["I.", "1.", *("1" + ".1" * depth for depth in range(1, 7)), "A."]
    text = "".join(f"{number} Pumps\n\n" for number in numbers) + PAID
    assert titles(text) == [f"{number} Pumps" for number in numbers[1:]]


def test_a_rule_of_the_kind_seen_before_has_its_level() -> None:
    """Titles under a rule of equals signs stand above those under one of hyphens, however many there are."""
    text = "".join(
        f"{title}\n{mark * len(title)}\n\n{PAID}\n\n"
        for title, mark in [("Fees", "="), ("Term", "-"), ("Yards", "-"), ("Pumps", "="), ("Parts", "-")]
    )
    assert outline(text) == [(1, "Fees"), (2, "Term"), (2, "Yards"), (1, "Pumps"), (2, "Parts")]


@pytest.mark.parametrize(
    "text",
    [
        # the last title in capitals heads nothing, or text in several lines that is no sentence
        "".join(f"{title}\n{PAID}\n\n" for title in ("OWNER PAYMENT", "TERM OF LEASE", "NOTICES"))
        + f"{'SCHEDULE OF PUMPS':>43}\n{'AND YARDS':>39}\n",
        "".join(f"{title}\nThe buyer pays for each\npump and each yard,\n\n" for title in ("FEES", "TERM", "NOTICES")),
        # a heading of Markdown among the numbers
        f"## Pumps\n\nScope\n=====\n\n1. Fees\n\n{PAID}\n\n1.1 Term\n\n{PAID}\n\n2. Law\n\n{PAID}\n\n2.1 A\n\n{PAID}\n",
        # short texts, one of which is no sentence
        "".join(f"{number}. Fees\n\nIt is so.\n\n" for number in (1, 2, 3)) + "4. Law\n\nof pumps\n",
    ],
)
def test_titles_without_sentences_below_them_are_not_taken_for_it(text: str) -> None:
    assert not looks_like_clauses(Glance(text))


def test_a_letter_above_numbers_without_text_is_an_entry() -> None:
    """It has neither text below it nor a finer number."""
    assert titles(f"A. Pumps\n\n1. Valves\n\n2. Pipes\n\n{PAID}\n\nB. Yards\n\n{PAID}\n") == ["B. Yards"]


def test_three_words_in_capitals_name_no_sections() -> None:
    """Also above paragraphs of several lines."""
    text = "".join(f"{title}\n{PAID}\n{PAID}\n\n" for title in ("PAYMENT", "TERM", "NOTICES"))
    assert not looks_like_clauses(Glance(text))
