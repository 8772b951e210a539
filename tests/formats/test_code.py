"""Source code: definitions are sections and units, with what belongs to them; what is no program is cut by columns."""

from __future__ import annotations

import re
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanwise
from spanwise.documents import media_type_of
from spanwise.formats import code_parsing
from spanwise.formats.code import code_reads, read_code
from spanwise.formats.code_languages import LANGUAGES, language_of
from spanwise.formats.code_lines import read_columns
from structure_laws import check_structure
from texts import LAW, chunked_texts

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parents[1] / "data" / "code"
FILES = {path.suffix[1:]: path.read_bytes().decode() for path in sorted(DATA.glob("[Ss]tore.*"))}
"""A real small file of each language, by its suffix."""

SECTIONS = {
    "c": ["LARGER", "pump", "store_t", "kind", "store_get", "store_getter"],
    "cpp": [
        "example.pumps",
        "example.pumps.Store",
        "example.pumps.Store.Store",
        "example.pumps.Store.get",
        "example.pumps.Store.operator[]",
        "example.pumps.Kind",
        "example.pumps.Pump.name",
    ],
    "cs": [
        "Example.Pumps",
        "Example.Pumps.Store",
        "Example.Pumps.Store.Size",
        "Example.Pumps.Store.Store",
        "Example.Pumps.Store.Get",
        "Example.Pumps.Kind",
    ],
    "css": [".pump, .store > li", ".pump"],
    "go": ["Pump", "Kind", "Store", "Store.Put", "Kind.String", "New"],
    "java": [
        "Store",
        "Store.Store",
        "Store.get",
        "Store.Kind",
        "Store.Listener",
        "Store.Listener.changed",
        "Store.Pump",
    ],
    "js": ["Store", "Store.get", "Store.onPut", "small", "first", "last", "Store.clear", "numbers"],
    "kt": [
        "Store",
        "Store.get",
        "Store.Companion",
        "Store.Companion.empty",
        "Registry",
        "Registry.first",
        "Listener",
        "Listener.changed",
    ],
    "lua": ["Store.get", "Store.put", "first"],
    "php": ["Store", "Store.get", "first"],
    "py": ["Pump", "Store", "Store.__init__", "Store.get", "Store.get.missing", "Store.put"],
    "rb": ["Pumps", "Pumps.Store", "Pumps.Store.get", "Pumps.Store.empty"],
    "rs": ["Pump", "Keep", "Keep.put", "Pump", "Pump.put", "pump", "tests", "tests.keeps"],
    "scala": ["Store", "Store.get", "Store", "Store.empty", "Keeping", "Keeping.clear"],
    "sh": ["get", "put"],
    "sql": ["plant.pumps", "names"],
    "swift": ["Store", "Store.init", "Store.get", "Store", "Store.first", "Keeping", "Keeping.clear"],
    "toml": ["store.size", "pumps"],
    "ts": [
        "Pump",
        "Maybe",
        "Kind",
        "Store",
        "Store.constructor",
        "Store.get",
        "Store.clear",
        "Tools",
        "Tools.first",
    ],
    "tsx": ["Props", "List", "Small"],
}
"""What each file defines, in its order, with `.` between the parts of qualified names."""

suffixes = st.sampled_from(sorted(FILES))
pieces = st.sampled_from(
    [
        *{line for text in FILES.values() for line in text.splitlines(keepends=True)},
        *"{}()[]<>'\"`#;,:\t",
        *(
            "/*",
            "*/",
            "//",
            "'''",
            '"""',
            "\r",
            "\r\n",
            "\f",
            "\0",
            "\ufeff",
            "\ud800",
            "e\u0301",
            "größe",
            "\u2028",
            "🇩🇪",
        ),
        "x = [1, 2]; " * 60,
        "a" * 600,
    ]
)
edits = st.tuples(st.floats(0, 1), st.integers(0, 60), pieces)


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, str]:
    """Draw the suffix of a language and a text that was a program of it, or of another."""
    text = FILES[draw(suffixes)]
    for place, gone, new in draw(st.lists(edits, max_size=6)):
        at = int(place * len(text))
        text = text[:at] + new + text[at + gone :]
    if draw(st.booleans()):
        text = text.replace("\n", draw(st.sampled_from(["\r\n", "\r", " "])))
    return draw(suffixes), text


def read(suffix: str, text: str) -> spanwise.Structure:
    language = language_of(suffix)
    assert language is not None
    return read_code(text, language)


def names(suffix: str, text: str) -> list[str]:
    """List the qualified names of what a text defines; a scope that only stands in a name is none."""
    document = spanwise.Document(text=text, media_type=f"text/x-{suffix}")
    reading = spanwise.Chunker("code").reading_of(document)
    headings = reading.structure.headings
    last = {heading.start: place for place, heading in enumerate(headings)}
    found = []
    for place, heading in enumerate(headings):
        holds_next = place + 1 < len(headings) and headings[place + 1].start == heading.start
        if not heading.signature and holds_next:
            continue
        path = list(reading.outline.path_at(heading.start))
        found.append(".".join(path[: len(path) - (last[heading.start] - place)]))
    return found


def whole(suffix: str, text: str) -> list[str]:
    return [text[unit.start : unit.end] for unit in read(suffix, text).units]


def chunk(suffix: str, text: str, budget: int, **options: str) -> list[spanwise.Chunk]:
    document = spanwise.Document(text=text, media_type=f"text/x-{suffix}")
    return spanwise.Chunker("code", max_tokens=budget, **options).chunk(document)  # type: ignore[arg-type]


# --- laws ---


@settings(LAW, max_examples=LAW.max_examples * 5)
@given(programs())
def test_every_structure_describes_its_text(program: tuple[str, str]) -> None:
    """Whatever was done to a program, and in whatever language it is read."""
    suffix, text = program
    check_structure(text, read(suffix, text))


@LAW
@given(chunked_texts())
def test_what_is_no_program_has_a_structure_too(text: str) -> None:
    """In every language, and in none."""
    check_structure(text, read_columns(text))
    for language in LANGUAGES:
        check_structure(text, read_code(text, language))


@LAW
@given(programs(), st.integers(5, 120), st.sampled_from(["none", "section"]))
def test_all_promises_hold_for_broken_code(program: tuple[str, str], budget: int, context: str) -> None:
    """`verify` is empty and the text can be put together again."""
    suffix, text = program
    document = spanwise.Document(text=text, media_type=f"text/x-{suffix}")
    chunker = spanwise.Chunker("code", max_tokens=budget, overflow="split", context=context, blank="keep")  # type: ignore[arg-type]
    chunks = chunker.chunk(document)
    assert chunker.verify(document, chunks) == []
    assert "".join(piece.text for piece in chunks) == text


@LAW
@given(suffixes, st.sampled_from([16, 40, 90]))
def test_a_unit_that_fits_is_in_one_chunk(suffix: str, budget: int) -> None:
    """With its decorators, doc comments and the comments directly before it."""
    text = FILES[suffix]
    counter = spanwise.counter("cl100k_base")
    chunks = chunk(suffix, text, budget)
    for unit in read(suffix, text).units:
        if counter.count(text[unit.start : unit.end]) <= budget:
            assert any(piece.start <= unit.start and unit.end <= piece.end for piece in chunks)


@LAW
@given(suffixes)
def test_line_ends_and_a_byte_order_mark_change_no_names(suffix: str) -> None:
    """Only offsets move."""
    text = FILES[suffix]
    expected = names(suffix, text)
    assert names(suffix, text.replace("\n", "\r\n")) == expected
    assert names(suffix, text.replace("\n", "\r")) == expected
    assert names(suffix, "\ufeff" + text) == expected or suffix == "php"  # PHP shows what is before its tag


@LAW
@given(suffixes, st.sampled_from(["größe", "名前", "𝒩ame"]))
def test_offsets_are_code_points_whatever_is_before(suffix: str, word: str) -> None:
    """What takes more bytes than code points stands in a comment above everything."""
    text = FILES[suffix]
    sign = {"py": "#", "rb": "#", "sh": "#", "toml": "#", "lua": "--", "sql": "--", "css": "/*"}.get(suffix, "//")
    before = f"{sign} {word}{' */' if sign == '/*' else ''}\n\n"
    if suffix == "php":
        text, before = text.removeprefix("<?php\n"), f"<?php\n{before}"
    moved = read(suffix, before + text).headings
    wanted = read(suffix, (before + text).replace(word, "a" * len(word))).headings
    assert moved == wanted


# --- every language ---


def test_every_language_has_a_file_here() -> None:
    """Adding a language is adding a row and a file."""
    suffixes_of = {language.name: language.suffixes for language in LANGUAGES}
    assert set(FILES) == set(SECTIONS)
    assert all(set(given) & set(FILES) for given in suffixes_of.values()), suffixes_of


@pytest.mark.parametrize("suffix", sorted(SECTIONS))
def test_definitions_are_sections(suffix: str) -> None:
    """By their qualified names, in the order of the file; what stands in a string is none."""
    assert names(suffix, FILES[suffix]) == SECTIONS[suffix]
    assert code_reads(FILES[suffix], media_type_of(f"store.{suffix}")) is not None


@pytest.mark.parametrize("suffix", sorted(set(FILES) - {"toml", "sql", "css", "rb"}))
def test_what_leads_a_definition_is_in_its_chunk(suffix: str) -> None:
    """A comment about pumps is with what it is about, also where everything is parted."""
    text = FILES[suffix]
    for piece in chunk(suffix, text, 40):
        last = piece.text.rstrip().splitlines()[-1]
        assert not re.match(r"\s*(?:#(?!!|include)|//(?!!)|--|@\w|#\[|\[\w)", last), piece.text


# --- examples ---


def test_a_method_of_go_is_in_its_type() -> None:
    chunks = chunk("go", FILES["go"], 60)
    (put,) = [piece for piece in chunks if "s.pumps[number] = pump" in piece.text]
    assert put.section == ("Store", "Put")
    assert put.text.startswith("// Put keeps a pump.\n//\n// It replaces the one before.\nfunc (s *Store[T]) Put(")


def test_a_method_of_java_has_its_doc_comment_and_annotation() -> None:
    chunks = chunk("java", FILES["java"], 40)
    (get,) = [piece for piece in chunks if "return pumps.get(number);" in piece.text]
    assert ("Store", "get") in get.sections
    assert "    /**\n     * Gives a pump.\n     */\n    @Override\n    public T get(" in get.text


def test_a_method_of_rust_has_its_attribute() -> None:
    chunks = chunk("rs", FILES["rs"], 75)
    (put,) = [piece for piece in chunks if "println!" in piece.text]
    assert ("Pump", "put") in put.sections
    assert "    /// Keeps it.\n    #[inline]\n    fn put(&mut self, number: u32) {\n" in put.text


def test_a_template_and_a_qualified_name_of_cpp() -> None:
    chunks = chunk("cpp", FILES["cpp"], 70)
    (store,) = [piece for piece in chunks if "template" in piece.text]
    assert (
        "/// Keeps pumps.\ntemplate <class T>\nclass Store : public Base {\n public:\n  Store() : size_(1) {}\n"
        in store.text
    )
    (name,) = [piece for piece in chunks if "to_string" in piece.text]
    assert name.section == ("example", "pumps", "Pump", "name")
    assert name.text.startswith("/// Gives the name.\n")


def test_imports_stay_together() -> None:
    text = 'x = """a long string of words before the imports"""\nimport a\n\nimport b\n# why\nimport c\n\n\ny = 1\n'
    assert [piece.text for piece in chunk("py", text, 20)] == [
        'x = """a long string of words before the imports"""\n',
        "import a\n\nimport b\n# why\nimport c\n\n\ny = 1\n",
    ]


def test_a_class_header_stays_with_its_first_member() -> None:
    text = "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n"
    assert [piece.text for piece in chunk("py", text, 18)] == [
        text[: text.index("    def two")],
        text[text.index("    def two") :],
    ]


def test_a_namespace_stays_with_what_it_holds() -> None:
    """Its first line alone would be a poor chunk."""
    text = FILES["cpp"].replace(
        "};", "  void more(int words, int so, int that, int it, int is, int too, int long);\n};", 1
    )
    chunks = chunk("cpp", text, 60)
    (header,) = [piece for piece in chunks if "namespace example::pumps {" in piece.text]
    assert "class Store : public Base {\n public:\n  Store() : size_(1) {}\n" in header.text


def test_a_context_is_the_chain_of_signatures() -> None:
    """As the source has them, without decorators and bodies, within the budget."""
    chunks = chunk("py", FILES["py"], 60, context="section")
    (rest,) = [piece for piece in chunks if "def not_a_function" in piece.text]
    assert rest.context == "class Store:\n    def get(self, number):\n"
    assert all(piece.tokens <= 60 for piece in chunks)
    text = "// Put does.\nfunc (s *S) Put(k int) {\n" + "\tdo(s, k)\n" * 40 + "}\n"
    assert {piece.context for piece in chunk("go", text, 60, context="section")} == {"func (s *S) Put(k int)\n"}


def test_a_signature_over_several_lines_is_whole() -> None:
    text = "@decorator\ndef store(\n    number: int,\n    name: str,\n) -> None:\n    pass\n"
    (heading,) = read("py", text).headings
    assert heading.signature == "def store(\n    number: int,\n    name: str,\n) -> None:"


def test_a_comment_after_a_blank_line_leads_nothing() -> None:
    text = "x = 1  # of x\n# alone\n\ndef f():\n    pass\n"
    (heading,) = read("py", text).headings
    assert heading.start == text.index("def f")


def test_what_parses_of_broken_code_is_used() -> None:
    broken = "def one():\n    return (\n\ndef two():\n    return 2\n\n)))\n\n"
    text = broken + "class Three:\n    def four(self):\n        pass\n"
    assert {"Three", "Three.four"} <= set(names("py", text))


def test_a_line_that_is_too_long_is_cut_between_statements() -> None:
    text = "".join(f"function f{number}(a){{return a+{number}}}" for number in range(99)) + "\n"
    chunks = chunk("js", text, 64)
    assert all(piece.text.startswith("function f") and piece.text.rstrip().endswith("}") for piece in chunks)
    assert chunks[0].section == ("f0",)


def test_brackets_are_not_left_behind() -> None:
    """A line that only closes something is with what it closes."""
    text = "x = [\n" + "".join(f"    [\n        {number},\n    ],\n" for number in range(40)) + "]\n"
    assert not any(piece.text.lstrip().startswith("]") for piece in chunk("py", text, 48))


@pytest.mark.parametrize(
    ("media_type", "text", "name"),
    [
        ("text/x-py", "", "python"),
        ("text/x-python", "", "python"),
        ("application/javascript", "", "javascript"),
        ("text/x-h", "struct a;\n", "c"),
        ("text/x-h", "namespace a {\n}\n", "cpp"),
        ("text/css", "", "css"),
        ("application/toml", "", "toml"),
        ("text/markdown", "# A\n", "markdown"),
        ("text/plain", "words\n", "code"),
    ],
)
def test_the_media_type_tells_the_language(media_type: str, text: str, name: str) -> None:
    """But what is no code is read as what it is."""
    assert spanwise.Chunker("code").format_of(spanwise.Document(text=text, media_type=media_type)) == name


def test_a_language_that_is_named_beats_the_media_type() -> None:
    document = spanwise.Document(text="fn f() {}\n", media_type="text/markdown")
    assert spanwise.Chunker(spanwise.Code("rust")).format_of(document) == "rust"
    assert spanwise.Chunker(spanwise.Code("rust"), structure="plain").format_of(document) == "plain"


def test_a_language_is_a_name() -> None:
    with pytest.raises(spanwise.ConfigurationError, match="programming language"):
        spanwise.Code(language=" ")


# --- fences ---

ONE = "def one():\n    return [\n        1,\n    ]\n\n\n"
TWO = "def two():\n    return 2\n"


def test_a_fence_over_the_budget_is_cut_at_its_definitions() -> None:
    """Its sections are the headings of the document."""
    text = f"# Pump\n\nRun it:\n\n```python\n{ONE}{TWO}```\n\nThat is all.\n"
    document = spanwise.Document(text=text, media_type="text/markdown")
    chunks = spanwise.Chunker("code", max_tokens=22).chunk(document)
    assert [piece.text for piece in chunks] == [
        f"# Pump\n\nRun it:\n\n```python\n{ONE}",
        f"{TWO}```\n\nThat is all.\n",
    ]
    assert {piece.section for piece in chunks} == {("Pump",)}


@LAW
@given(programs(), st.sampled_from(["", "   ", "> ", "- "]), st.sampled_from(["```", "~~~~"]), st.integers(5, 60))
def test_all_promises_hold_for_fences(program: tuple[str, str], before: str, marks: str, budget: int) -> None:
    """Closed or not, in quotes and items, in any language."""
    suffix, code = program
    text = f"# A\n\n{before}{marks}{suffix}\n{code}\n{before}{marks}\n\nText.\n"
    document = spanwise.Document(text=text, media_type="text/markdown")
    chunker = spanwise.Chunker("code", max_tokens=budget, overflow="split")
    check_structure(text, chunker.reading_of(document).structure)
    assert chunker.verify(document, chunker.chunk(document)) == []


# --- without a tree ---

COLUMNS = "int one() {\n  return 1;\n}\n\n// Two.\nint two() {\n  return 2;\n}\n"


@pytest.fixture
def _nothing_warned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_parsing, "_warned", set())


@pytest.mark.usefixtures("_nothing_warned")
def test_without_the_extra_code_is_cut_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Said once; comments stay with what is below them."""
    monkeypatch.setattr(code_parsing, "_grammar_of", lambda *_: None)
    with pytest.warns(spanwise.CodeWarning, match=r'pip install "spanwise\[code\]"'):
        chunks = chunk("c", COLUMNS, 18)
    assert [piece.text for piece in chunks] == [COLUMNS[:27], COLUMNS[27:]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chunk("c", COLUMNS, 18) == chunks


@pytest.mark.usefixtures("_nothing_warned")
def test_a_language_without_a_grammar_is_cut_by_columns() -> None:
    with pytest.warns(spanwise.CodeWarning, match="'cobol' is cut at blank lines"):
        chunks = chunk("cobol", COLUMNS, 18)
    assert [piece.text for piece in chunks] == [COLUMNS[:27], COLUMNS[27:]]


@pytest.mark.usefixtures("_nothing_warned")
def test_what_takes_too_long_to_parse_is_cut_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_parsing, "_LEAST_SECONDS", -1e9)
    with pytest.warns(spanwise.CodeWarning, match="took too long"):
        structure = read("py", FILES["py"])
    assert structure == read_columns(FILES["py"])


def test_brackets_a_thousand_deep_are_not_parsed() -> None:
    assert read("py", "[" * 1_001).format == "code"
    assert read("py", "x = " + "[" * 900 + "]" * 900 + "\n").format == "python"
    assert read("java", "a<\n" * 1_001).format == "code"
    assert read("java", "f(a < b);\n" * 1_001).format == "java"
    assert read("py", "'('\n" * 900 + "')'\n" * 900).format == "python"


def test_a_bare_text_needs_no_language() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [piece.text for piece in spanwise.chunk(COLUMNS, "code", max_tokens=18)] == [COLUMNS[:27], COLUMNS[27:]]


# --- large inputs ---

LARGE: dict[str, tuple[str, Callable[[int], str]]] = {
    "generated Python": (
        "py",
        lambda size: _repeated("class C{0}:\n    def m{0}(self):\n        return [{0}]\n\n", size),
    ),
    "one line of minified JavaScript": (
        "js",
        lambda size: _repeated("function f{0}(a){{if(a>{0}){{return g(a,[1,2])}}return h(a)}}", size),
    ),
    "a literal of one line": ("py", lambda size: "X = [" + _repeated("{0}, ", size) + "]\n"),
    "a literal with a line for each element": ("js", lambda size: "x = [\n" + _repeated("  {0},\n", size) + "];\n"),
    "brackets": ("py", lambda size: "[" * (size // 2) + "]" * (size // 2)),
    "blocks in blocks": ("js", lambda size: ("{" * 900 + "}" * 900 + "\n") * (size // 1801 + 1)),
    "a chain of branches": ("py", lambda size: "if a:\n  b\n" + _repeated("elif c{0}:\n  d\n", size)),
}


def _repeated(pattern: str, size: int) -> str:
    return "".join(pattern.format(number) for number in range(size // (len(pattern.format(10_000)))))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LARGE))
def test_time_grows_with_the_text(name: str) -> None:
    """Four times the text takes at most seven times as long, and no promise is broken."""
    suffix, make = LARGE[name]
    chunker = spanwise.Chunker(spanwise.Code(suffix), max_tokens=256, overflow="split")
    seconds = []
    for size in (250_000, 1_000_000):
        text = make(size)
        begun = time.process_time()
        chunks = chunker.chunk(text)
        seconds.append(time.process_time() - begun)
        assert "".join(piece.text for piece in chunks) == text
    assert seconds[1] < 7 * seconds[0] + 0.5


@pytest.mark.slow
def test_five_megabytes_are_chunked() -> None:
    suffix, make = LARGE["generated Python"]
    text = make(5_000_000)
    chunks = chunk(suffix, text, 400)
    assert spanwise.reconstruct(chunks) == text


@pytest.mark.slow
@pytest.mark.parametrize("suffix", sorted(FILES))
@pytest.mark.parametrize("flood", ["(", "<", "'", "`", "}", "#", "a ", "- ", "/*", "<<A\n", "){", "\\"])
def test_a_flood_of_one_sign_ends_in_time(suffix: str, flood: str) -> None:
    """Within twice the limit that a parse is given, and a second for the rest."""
    text = flood * (20_000 // len(flood))
    begun = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_structure(text, read(suffix, text))
    assert time.perf_counter() - begun < 2 * 2.2 + 1


def test_imports_at_the_end_of_a_file_stay_together() -> None:
    assert whole("py", "import os\nimport re\n") == ["import os\nimport re\n"]
    assert whole("php", "<?php\nuse A\\B;\nuse C;") == ["use A\\B;\nuse C;"]


def test_a_definition_on_the_last_line_of_another_begins_with_no_line() -> None:
    """Its line belongs to the one before."""
    assert whole("c", "int f() {\n} int g() {\n}\n") == ["int f() {\n}"]


def test_what_stands_beside_a_comment_leads_as_well() -> None:
    text = "/* a */ /* b */\nfunction f() {}\n"
    assert whole("js", text) == [text]


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        ("cpp", "bool A::operator==(const A& b) { return true; }\n", ["A.operator=="]),
        ("cpp", "void A<B<C>>::f() {}\n", ["A<B<C>>::f"]),  # what is no plain name stays as it is written
        ("go", "package a\nfunc (x struct{}) f() {}\n", ["f"]),  # no type has this method
    ],
)
def test_names_that_are_hard_to_read(suffix: str, text: str, expected: list[str]) -> None:
    assert names(suffix, text) == expected


def test_a_long_signature_is_its_first_line() -> None:
    """As far as a name may be long."""
    text = ".a " + ".b " * 900 + "{ color: red }\n"
    (heading,) = read("css", text).headings
    assert heading.title.startswith(".a .b .b ")
    assert len(heading.title) <= 300


def test_a_grammar_that_cannot_be_loaded_is_not_there() -> None:
    """The package is missing, or it is of another version, which has no such function."""
    assert code_parsing._grammar_of("tree_sitter_no_such_language", "language") is None
    assert code_parsing._grammar_of("tree_sitter_python", "no_such_function") is None


def test_imports_inside_a_long_line_begin_with_no_line() -> None:
    """So they are no span; a line of them alone is."""
    text = "fn z() {} mod a { use b; " + "fn f() { x(); } " * 300 + "}\n"
    assert not [unit for unit in whole("rs", text) if unit.lstrip().startswith("use")]
    assert "use b;\nuse c;\n" in whole("rs", "use b;\nuse c;\nfn f() {}\n")
