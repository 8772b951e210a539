"""CSV and its like: where records begin, which quotes count, and which first record is a header."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from typing import TYPE_CHECKING, Literal
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from record_costs import growth
from spanwise.formats import csv_text
from spanwise.formats.csv_text import read_csv
from spanwise.structure import LOOK_AHEAD
from structure_laws import check_structure
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from spanwise.structure import Structure

# Where it need not quote, the standard library quotes only those line ends that it writes itself.
WAYS: list[tuple[str, Literal[0, 1]]] = [
    ("\r\n", csv.QUOTE_MINIMAL),
    ("\r\n", csv.QUOTE_ALL),
    ("\n", csv.QUOTE_ALL),
    ("\r", csv.QUOTE_ALL),
]
DELIMITERS = [",", ";", "\t", "|"]
FIELDS = st.text(st.sampled_from('ab ",;|\t\n\r1.#é中😀\x0c'), max_size=6)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(FIELDS, min_size=width, max_size=width), min_size=1, max_size=6)
)


def written(rows: list[list[str]], delimiter: str, line_end: str, quoting: Literal[0, 1]) -> list[str]:
    """Write rows one at a time."""
    texts = []
    for row in rows:
        file = io.StringIO(newline="")
        csv.writer(file, delimiter=delimiter, lineterminator=line_end, quoting=quoting).writerow(row)
        texts.append(file.getvalue())
    return texts


def records(text: str, structure: Structure) -> list[str]:
    """List the records of a text."""
    return [text[start:end] for start, end in pairwise([*(structure.blocks or ()), len(text)])]


def header(text: str) -> str | None:
    """Give what stands above the rows of the table; None where there is no table."""
    tables = read_csv(text).tables
    return text[: tables[0].rows] if tables else None


@given(
    TABLES,
    st.sampled_from(DELIMITERS),
    st.sampled_from(WAYS),
)
@LAW
def test_a_record_begins_where_a_row_was_written(
    rows: list[list[str]], delimiter: str, way: tuple[str, Literal[0, 1]]
) -> None:
    """Rows written one at a time by the standard library; the delimiter is given, as sniffing may err on noise."""
    line_end, quoting = way
    texts = written(rows, delimiter, line_end, quoting)
    assume(all(text.strip("\r\n") for text in texts))  # a blank line is no record
    assume(not texts[0].startswith("#"))
    text = "".join(texts)
    with patch.object(csv_text, "_delimiter_of", lambda *_: csv_text._Delimiter(delimiter)):
        structure = read_csv(text)
    check_structure(text, structure)
    assert records(text, structure) == texts
    contents = {record.removesuffix(line_end) for record in texts}
    units = {text[start:end] for start, end in structure.units}
    assert {content for content in contents if len(content) >= 4} <= units
    if quoting == csv.QUOTE_ALL:
        quoted = {'"' + field.replace('"', '""') + '"' for row in rows for field in row}
        assert units - contents == {field for field in quoted if len(field) >= 4} - contents


@given(
    st.sampled_from(DELIMITERS),
    st.integers(2, 5).flatmap(
        lambda width: st.lists(
            st.lists(
                st.sampled_from(["a", "b c", "x, y", "1;2", "é|", "tab\there", '"q"', "two\nlines", ""]),
                min_size=width,
                max_size=width,
            ),
            min_size=3,
            max_size=8,
        )
    ),
)
@LAW
def test_the_delimiter_is_told_from_the_first_records(delimiter: str, rows: list[list[str]]) -> None:
    """Whatever stands in the fields: what does not divide all records alike does not divide them at all."""
    texts = written(rows, delimiter, "\n", csv.QUOTE_MINIMAL)
    text = "".join(texts)
    assume(all(record.strip("\n") for record in texts))
    others = [other for other in DELIMITERS if other != delimiter]
    assume(not any(csv_text._share_alike(text, 0, csv_text._Delimiter(other)) == 1.0 for other in others))
    assert csv_text._delimiter_of(text, 0) is csv_text._delimiter(delimiter)


PIECES = st.sampled_from(
    [
        '"',
        '""',
        ",",
        ";",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "a",
        "1",
        " ",
        '"x"',
        '"a\nb",',
        "#",
        "# note\n",
        "\ufeff",
        "sep=;\n",
        "\x00",
        "\ud800",
        "name,age\n",
        '"never closed, ',
    ]
)
BROKEN = st.one_of(chunked_texts(), st.lists(PIECES, max_size=40).map("".join))


@given(BROKEN)
@LAW
def test_whatever_the_text_it_is_read(text: str) -> None:
    """Malformed text never raises, and what is said of it keeps the form of every structure."""
    structure = read_csv(text)
    check_structure(text, structure)
    assert structure.strong == ()


@given(BROKEN, st.integers(0, 200))
@LAW
def test_what_is_said_depends_on_little_that_follows(text: str, end: int) -> None:
    """The beginning of a text is read as in the whole text, up to the look-ahead before where it ends.

    Tried with fields of at most 12 characters and a sample of 10 rather than 65,528 and 32,768.
    """
    assume(end >= 40)
    known = min(end, len(text)) - 20
    with (
        patch.object(csv_text, "_LONGEST_FIELD", 12),
        patch.object(csv_text, "_SAMPLE_SIZE", 10),
        patch.object(csv_text, "LOOK_AHEAD", 20),
    ):
        whole, part = read_csv(text), read_csv(text[:end])
    assert [at for at in part.blocks or () if at < known] == [at for at in whole.blocks or () if at < known]
    assert [unit for unit in part.units if unit.start < known] == [unit for unit in whole.units if unit.start < known]
    assert [table[:2] for table in part.tables] == [table[:2] for table in whole.tables]


def test_records_are_blocks_and_the_first_is_the_header() -> None:
    """A quoted field may hold line ends (RFC 4180, section 2, rule 6); it and its record are units."""
    text = 'id,note\r\n1,"two\r\nlines, ""quoted"""\r\n2,one\r\n'
    structure = read_csv(text)
    assert records(text, structure) == ["id,note\r\n", '1,"two\r\nlines, ""quoted"""\r\n', "2,one\r\n"]
    assert [text[start:end] for start, end in structure.units] == [
        "id,note",
        '1,"two\r\nlines, ""quoted"""',
        '"two\r\nlines, ""quoted"""',
        "2,one",
    ]
    assert header(text) == "id,note\r\n"
    assert structure.tables[0].end == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "name;age\nAnna;3\n",
        "name\tage\nAnna\t3",
        "\ufeffname|age\r\nAnna|3\r\n",
        '"first, last",age\n"Smith, Anna",3\n',
        ",name,age\n0,Anna,3\n",
        "price, in €;name\n1,5;tea\n2,5;milk\n",
    ],
)
def test_a_first_record_that_names_columns_is_the_header(text: str) -> None:
    """Whatever divides it; the column of row labels may have no name."""
    lines = text.splitlines(keepends=True)
    assert header(text) == lines[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name,age",
        "1,2\n3,4\n",
        "name,age\nAnna\n",
        "name,name\na,b\n",
        "name,\na,b\n",
        "apple\npear\n",
        "Anna,2024-01-31\nBert,2024-02-01\n",
        "Anna,anna@example.org\nBert,bert@example.org\n",
        "Anna,https://example.org/\nBert,https://example.org/b\n",
        "good text,positive\nmore of it,positive\n",
        "a,-1.5e-3\nb,2\n",
        "a,true\nb,false\n",
        f"{'a question ' * 20},answer\nsome,text\n",
        "First, a line of prose.\nThen a second one.\n",
    ],
)
def test_any_other_first_record_is_none(text: str) -> None:
    """Alone, with data, of another width, with a name twice or none, one column, repeated below, too long, prose."""
    assert header(text) is None


def test_notes_before_the_records_go_with_the_header() -> None:
    """Lines that begin with `#`, and the one that names the delimiter."""
    text = 'sep=;\n# from "somewhere\n# 2024\nname;age\nAnna;3\n'
    assert header(text) == text[: text.index("Anna")]
    assert records(text, read_csv(text)) == text.splitlines(keepends=True)


def test_the_last_note_may_be_the_header() -> None:
    """As in tables of genomes."""
    text = "##format=1\n#CHROM\tPOS\tID\nchr1\t100\trs1\nchr2\t200\trs2\n"
    assert header(text) == text[: text.index("chr1")]


def test_blank_lines_belong_to_the_record_before() -> None:
    """They are no records, also where the text begins with them."""
    text = "\n\na,b\n\n\nc,d\n"
    assert records(text, read_csv(text)) == ["\n\na,b\n\n\n", "c,d\n"]


@pytest.mark.parametrize(
    "text",
    [
        'a,"b\nc,d\ne,f\n',
        'a,5" pipe\nc,6" pipe\n',
        'a,"b\nc,"d"\ne,f\n',
        'a,"b" c\nd,"e" f\n',
    ],
)
def test_a_quote_that_is_not_closed_is_text(text: str) -> None:
    """Never closed, inside a field, closed by a quote that opens another field, or followed by text."""
    assert records(text, read_csv(text)) == text.splitlines(keepends=True)


def test_a_quote_that_is_closed_far_away_is_text() -> None:
    """The closing quote is looked for up to the look-ahead."""
    near, far = ('a,"' + "x\n" * lines + '"\nb,c\n' for lines in (30_000, LOOK_AHEAD // 2))
    assert len(records(near, read_csv(near))) == 2
    assert len(records(far, read_csv(far))) == LOOK_AHEAD // 2 + 2


def test_blanks_may_stand_around_quotes() -> None:
    """As people write them, though RFC 4180 counts them to the field."""
    text = 'a, "b, c\nd" ,e\nf,g,h\n'
    assert records(text, read_csv(text)) == ['a, "b, c\nd" ,e\n', "f,g,h\n"]


GROWING = {
    "quotes": '"',
    "opened fields": ',"',
    "opened fields with text": ',"x',
    "empty fields": '"",',
    "doubled quotes": ',""x',
    "three quotes": '"""\n',
    "opened on each line": '"a,b\n',
    "newlines": "\n",
    "commas": ",",
    "notes": "#\n",
    "records": "a,b\n",
    "letters": "a",
    "blanks and quotes": ' "',
}


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.parametrize("before", ["", 'a,"'])
@pytest.mark.slow
def test_time_grows_with_the_text(name: str, before: str) -> None:
    """Eight times the text takes about eight times as long, whatever it repeats; a square would be 64 times."""
    assert growth(read_csv, GROWING[name], before) < 3


@pytest.mark.parametrize("above", ["# a note\n" * 5_000, f'"{"x," * LOOK_AHEAD}"\n'], ids=["notes", "a record"])
def test_what_fills_the_beginning_leaves_no_table(above: str) -> None:
    """A header is looked for in the first half of what decides, and no record of that ends in it."""
    assert header(above + "name,price\nnut,1\nbolt,2\n") is None
