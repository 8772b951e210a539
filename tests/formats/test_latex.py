r"""LaTeX: sectioning commands are headings; formulas, tables, figures and verbatim text stay whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from spanwise.formats.glances import Glance
from spanwise.formats.latex import looks_like_latex, read_latex
from structure_laws import check_look_ahead, check_structure
from texts import LAW

DATA = Path(__file__).parents[1] / "data"

pieces = st.sampled_from(
    [
        "\\section{One}",
        "\\section*{A $x$ {b}}",
        "\\chapter[short]{Long}",
        "\\subsection{",
        "\\paragraph{P}",
        "}",
        "{",
        "$",
        "$$",
        "\\[",
        "\\]",
        "\\begin{table}",
        "\\end{table}",
        "\\begin{verbatim}",
        "\\end{verbatim}",
        "\\begin{equation*}",
        "%",
        "\\end{equation*}",
        "\\verb|{|",
        "\\\\",
        "\\%",
        "\\{",
        "\\begin{itemize}",
        "\\end{itemize}",
        "\\item",
        "\\item[x] one",
        "\\begin{tabular}{ll}",
        "a & b \\\\",
        "\\midrule",
        "\\end{tabular}",
        "words",
        "\\label{a}",
        "\ufeff",
        "�",
        "\x00",
        "[x]",
        "\\",
    ]
)
ends = st.sampled_from(["", "\n", "\n\n", "\r\n", "\r", " "])
texts = st.lists(st.builds(str.__add__, pieces, ends), max_size=40).map("".join)


def outline(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read_latex(text).headings]


def units(text: str) -> list[str]:
    return [text[unit.start : unit.end] for unit in read_latex(text).units]


# --- laws ---


@given(texts)
def test_every_structure_describes_its_text(text: str) -> None:
    check_structure(text, read_latex(text))


@LAW
@given(texts, st.sampled_from(["words and words.\n", "\n", "$x$ ", "{", "\\section{X}\n"]), texts)
def test_what_comes_much_later_changes_nothing(head: str, filler: str, tail: str) -> None:
    """Headings depend on at most 65,536 characters after them."""
    check_look_ahead(read_latex, head, filler, tail)


@given(texts)
def test_what_is_verbatim_or_a_comment_is_no_heading(text: str) -> None:
    inside = text.replace("\\end{verbatim}", "")
    assert outline(f"\\begin{{verbatim}}\n{inside}\n\\end{{verbatim}}\n\\section{{Last}}\n") == [(3, "Last")]
    commented = "".join(f"% {line}\n" for line in text.splitlines())
    assert outline(commented) == []


@given(texts)
def test_line_ends_make_no_difference(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    ended = plain.replace("\n", "\r\n")
    assert outline(plain) == outline(ended)
    assert units(plain) == [unit.replace("\r\n", "\n") for unit in units(ended)]


# --- examples ---


@pytest.mark.parametrize(
    ("command", "level"),
    [("part", 1), ("chapter", 2), ("section", 3), ("subsection", 4), ("subsubsection", 5), ("paragraph", 6)],
)
@pytest.mark.parametrize("form", ["\\{}{{Title}}", "\\{}*{{Title}}", "\\{}[Short]{{Title}}", "\\{} {{Title}}"])
def test_levels_are_told_by_the_command(command: str, level: int, form: str) -> None:
    assert outline(form.format(command) + "\nText.\n") == [(level, "Title")]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\\section{A \\emph{big} {one}}", "A big one"),
        ("\\section{Caf\\'e \\& Bar}", "Café & Bar"),
        ("\\section{Two\n  lines}", "Two lines"),
        ("\\section{With a note\\footnote{here}}", "With a note"),
        ("\\section{\\texorpdfstring{$x^2$}{x squared} grows}", "x squared grows"),
        ("\\section{A~tie -- and $x$}", "A tie -- and x"),
        ("\\section[A {]} b]{Title}", "Title"),
        ("\\section{100\\% sure % a comment\n}", "100% sure"),
        ("\\section{The \\LaTeX{} book}", "The LaTeX book"),
    ],
)
def test_a_title_is_plain_text(text: str, title: str) -> None:
    assert outline(text) == [(3, title)]


def test_a_heading_owns_its_label_and_its_line() -> None:
    text = "Before.\n\\section{One}\\label{sec:one}\nText.\n"
    (heading,) = read_latex(text).headings
    assert text[heading.start : heading.end] == "\\section{One}\\label{sec:one}\n"


@pytest.mark.parametrize(
    "text",
    [
        "% \\section{No}\n",
        "\\verb|\\section{No}|\n",
        "\\begin{lstlisting}\n\\section{No}\n\\end{lstlisting}\n",
        "\\begin{verbatim}\n\\section{No}\n",
        "\\sectionmark{No}\n",
        "\\section\n",
        "\\section{never closed\n",
        "\\newcommand{\\x}[1]{\\section{#1}}\n",
        "\\\\section{No}\n",
        "\\section{}\n",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert outline(text) == []


def test_what_stays_whole() -> None:
    text = (
        "Let $x$ be.\n\\begin{figure}\n\\begin{tabular}{l}\na\n\\end{tabular}\n\\end{figure}\n\\[ y \\]\n"
        "$$ z $$ It costs \\$5 and \\$6.\n"
    )
    assert units(text) == [
        "$x$",
        "\\begin{figure}\n\\begin{tabular}{l}\na\n\\end{tabular}\n\\end{figure}",
        "\\begin{tabular}{l}\na\n\\end{tabular}",
        "\\[ y \\]",
        "$$ z $$",
    ]


@pytest.mark.parametrize("name", ["verbatim", "lstlisting", "minted", "Verbatim"])
def test_lines_of_verbatim_text_are_units(name: str) -> None:
    begin, end = f"\\begin{{{name}}}\n", f"\\end{{{name}}}"
    assert units(f"Text.\n{begin}a = 1;\n\n  b % c\n{end}\nText.\n") == [
        f"{begin}a = 1;\n\n  b % c\n{end}",
        begin,
        "a = 1;\n",
        "  b % c\n",
        end,
    ]


@pytest.mark.parametrize("name", ["itemize", "enumerate", "description"])
def test_items_are_units_and_nest(name: str) -> None:
    begin, end = f"\\begin{{{name}}}\n", f"\\end{{{name}}}\n"
    inner = "    \\item[x] two\n    goes on\n", "    \\item three\n"
    outer = f"  \\item one\n{begin}{''.join(inner)}\n{end}"
    assert units(f"{begin}{outer}\n  \\item four\n{end}") == [
        begin + outer,
        outer,
        begin + inner[0],
        *inner,
        "  \\item four\n",
    ]


def test_items_of_one_line() -> None:
    assert units("\\begin{itemize}\\item a \\item b\\end{itemize}") == [
        "\\begin{itemize}\\item a ",
        "\\item a ",
        "\\item b",
    ]


@pytest.mark.parametrize("name", ["proof", "theorem", "lemma*", "quote", "mine"])
def test_environments_of_prose_are_units(name: str) -> None:
    """Whatever they are called; the line that begins one belongs to the first line of its text too."""
    first = f"\\begin{{{name}}}[Pump]\\label{{p}}\nLet it move.\n"
    whole = f"{first}It moves water.\n\nAnd oil.\n\\end{{{name}}}"
    assert units(f"Text.\n\n{whole}\nText.\n") == [whole, first]


def test_an_environment_with_sections_is_no_unit() -> None:
    """Its sections are; and a document is none either."""
    assert units("\\begin{document}\nText.\n\\begin{multicols}{2}\n\\section{A}\nText.\n\\end{multicols}\n") == []


@pytest.mark.parametrize("budget", [20, 30, 40])
def test_no_chunk_ends_with_the_line_that_begins_an_environment(budget: int) -> None:
    text = "\\section{A}\n" + "".join(
        f"Words above it, {'and more ' * (n % 4)}here.\n"
        f"\\begin{{{name}}}\n{item}Let it move.\n\nIt does.\n\\end{{{name}}}\n"
        for n, (name, item) in enumerate([("proof", ""), ("quote", ""), ("itemize", "\\item "), ("mine", "")] * 4)
    )
    for chunk in spanwise.chunk(text, max_tokens=budget, structure="latex"):
        assert (
            not chunk.text.rstrip().endswith(("{proof}", "{quote}", "{itemize}", "{mine}"))
            or "\\end" in chunk.text[-15:]
        )


@pytest.mark.parametrize(
    "text",
    ["\\item alone\n", "\\begin{itemize}\n\\itemsep\n\\end{itemize}\n", "\\begin{itemize}\n\\item never ended\n"],
)
def test_what_is_no_item(text: str) -> None:
    assert units(text) == []


def test_rows_of_tables_are_units_with_the_rules_below_them() -> None:
    rows = [
        "\\begin{tabular}{ll}\n\\hline\nA & B \\\\ \\hline\n",
        "a & \\makecell{b\\\\c} \\\\[2pt]\n\\cline{1-2}\n",
        "d & e \\tabularnewline % why\n",
        "f & g\n\\end{tabular}",
    ]
    assert units("".join(rows)) == ["".join(rows), *rows]


@pytest.mark.parametrize("rule", ["\\midrule", "\\hline\n\\endhead"])
def test_the_header_of_a_table_is_known_by_the_rule_below_it(rule: str) -> None:
    header = f"\\begin{{longtable}}{{ll}}\nA & B \\\\\n{rule}\n"
    text = f"{header}a & b \\\\\nc & d \\\\\n\\end{{longtable}}"
    (table,) = read_latex(text).tables
    assert (text[table.start : table.rows], table.end) == (header, len(text))


def test_dollars_that_are_far_apart_are_no_formula() -> None:
    assert units("It costs 5$.\n\nAnd 6$ more.\n") == []
    assert units("$" + "a" * 300 + "$ and $b$\n") == ["$b$"]


@pytest.mark.parametrize("above", ["\\newpage\n", "\\clearpage\n\\appendix\n", "\\appendix % why\n\n", "\\label{b}\n"])
def test_what_breaks_the_page_or_labels_belongs_to_the_heading_below(above: str) -> None:
    text = f"\\section{{A}}\nText.\n\n{above}\\section{{B}}\nText.\n"
    _, heading = read_latex(text).headings
    assert text[heading.start : heading.end] == f"{above}\\section{{B}}\n"


def test_a_label_below_a_heading_is_its_own() -> None:
    """Also right above the next one."""
    text = "\\section{A}\n\\label{a}\n\\subsection{B}\nText.\n"
    assert [text[heading.start : heading.end] for heading in read_latex(text).headings] == [
        "\\section{A}\n\\label{a}\n",
        "\\subsection{B}\n",
    ]


# --- detector ---


def test_latex_is_known() -> None:
    assert looks_like_latex(Glance("\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n"))
    assert looks_like_latex(Glance("\\section{A}\n\\begin{itemize}\n\\end{itemize}\n\\section{B}\n"))
    assert looks_like_latex(Glance("\\section{A}\nText here $x$.\n\n\\section{B}\nMore text.\n"))
    assert looks_like_latex(Glance("\\section*{A}\\label{a}\nText.\n\n\\subsection[b]{B} % why\nMore text.\n"))


@pytest.mark.parametrize(
    "text",
    [
        "```\n\\section{A}\n\\section{B}\n```\n",
        "\\section{A} is one.\n\\section{B} is another.\n",
        "C:\\section{x}\\begin{y}\n",
        "Write \\section{A} and \\begin{x}.\n",
        "$x$ and $y$\n",
        "\\d+\\s*\n",
        "",
    ],
)
def test_other_texts_are_not_taken_for_it(text: str) -> None:
    assert not looks_like_latex(Glance(text))


@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.name)
def test_prose_is_not_taken_for_it(corpus: Path) -> None:
    assert not looks_like_latex(Glance(corpus.read_text("utf-8")[:65_536]))


def test_environments_deeper_than_units_are_no_units() -> None:
    """Of eighty tables in one another the outermost are, and what comes after them is read as ever."""
    text = "\\begin{tabular}{l}\n" * 80 + "x\n" + "\\end{tabular}\n" * 80 + "\\section{After}\n"
    found = units(text)
    assert max(unit.count("\\begin") for unit in found) == 80
    assert min(unit.count("\\begin") for unit in found) == 80 - 61
    assert outline(text) == [(3, "After")]


def test_a_row_does_not_end_in_the_space_below_a_row() -> None:
    """What stands in brackets right after the end of a row belongs to it."""
    text = "\\begin{tabular}{l}\na \\\\[ \\\\]\nb \\\\\n\\end{tabular}"
    assert units(text) == [text, "\\begin{tabular}{l}\na \\\\[ \\\\]\n"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\section[short {x} y]{Long}\n", ["Long"]),
        ("\\section[open{Long}\n", []),
        ("\\section[" + "x" * 500 + "]{Long}\n", []),
    ],
)
def test_a_short_title_ends_with_its_bracket(text: str, expected: list[str]) -> None:
    """Near by, and braces in it are skipped."""
    assert [title for _, title in outline(text)] == expected


def test_a_long_formula_may_be_cut() -> None:
    """A short one stays whole."""
    assert units("\\[ a + b \\]\n") == ["\\[ a + b \\]"]
    assert units("\\[" + "a + " * 5_000 + "\\]\n") == []


def test_a_program_that_writes_sections_is_not_taken_for_it() -> None:
    program = "import os\ndef f(x):\n    pass\nclass X:\n"
    assert not looks_like_latex(Glance(program + "\\section{A}\n\n\\section{B}\n\\begin{x}\n"))


def test_an_environment_ends_those_that_were_left_open_in_it() -> None:
    text = "\\begin{figure}\n\\begin{itemize}\n\\item x\n\\end{figure}"
    assert text in units(text)


def test_a_formula_ends_with_as_many_dollars_as_it_begins() -> None:
    assert units("$a $$b$$ c$\n") == ["$$b$$"]
    assert units("$$a$ b\n") == []
