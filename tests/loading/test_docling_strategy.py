"""What Docling's HybridChunker makes of a document is what the strategy makes of it, as spans."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from oracles import DATA
from spanwise.formats.docling_marks import Marks, marked
from spanwise.formats.docling_source import marked_source
from spanwise.formats.docling_text import DoclingText
from spanwise.strategies import docling_parts
from texts import LAW, chunked_texts, docgen_documents

if TYPE_CHECKING:
    from docling_core.types.doc import DoclingDocument

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CHANGELOG.md", *(f"docs/formats/{path.name}" for path in (ROOT / "docs/formats").glob("*.md"))]
FILES = DATA / "docling"


class Cl100k(BaseTokenizer):  # type: ignore[misc]  # an extra, whose types are not looked at
    """The tokenizer as a user of Docling alone would write it."""

    most: int

    def count_tokens(self, text: str) -> int:
        return spanwise.counter("cl100k_base").count(text)

    def get_max_tokens(self) -> int:
        return self.most

    def get_tokenizer(self) -> Any:
        return self.count_tokens


def of_docling_alone(document: DoclingDocument, max_tokens: int, *, merge_peers: bool = True) -> str:
    """What Docling alone would embed, chunk by chunk."""
    tokenizer = Cl100k(most=max_tokens)
    chunker = HybridChunker(tokenizer=tokenizer, merge_peers=merge_peers, omit_header_on_overflow=True)
    return "\n".join(chunker.contextualize(chunk) for chunk in chunker.chunk(document))


def of_strategy(document: spanwise.Document, max_tokens: int, *, merge_peers: bool = True) -> str:
    """The same, out of the metadata of the chunks."""
    chunks = spanwise.chunk(document, spanwise.Docling(merge_peers=merge_peers), max_tokens=max_tokens)
    texts = [cast("str", chunk.metadata["docling_text"]) for chunk in chunks]
    return "\n".join(text for place, text in enumerate(texts) if place == 0 or text != texts[place - 1])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("max_tokens", [24, 64, 512])
@pytest.mark.parametrize("name", ["manual.docx", "manual.html", "manual.pdf", "manual.json"])
def test_the_chunks_of_a_loaded_document_are_those_of_docling(name: str, max_tokens: int) -> None:
    """With the same counter and budget, whether small neighbours are merged or not."""
    document = spanwise.load(FILES / name)
    assert isinstance(document.loaded, DoclingText)
    for merge_peers in (True, False):
        expected = of_docling_alone(document.loaded.document, max_tokens, merge_peers=merge_peers)
        assert of_strategy(document, max_tokens, merge_peers=merge_peers) == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", PAGES[:4])
def test_the_chunks_of_markdown_are_those_of_docling(page: str) -> None:
    """The marks in the words change nothing that Docling says of them."""
    text = (ROOT / page).read_text(encoding="utf-8")
    expected = of_docling_alone(docling_parts._parsed(text), 128)
    assert of_strategy(spanwise.Document(text=text), 128) == expected


@pytest.mark.parametrize("page", PAGES)
def test_pages_of_markdown_keep_all_promises(page: str) -> None:
    """Real files; what a chunk begins with is what Docling's chunk begins with."""
    document = spanwise.Document.from_file(ROOT / page)
    chunker = spanwise.Chunker("docling", max_tokens=200)
    chunks = chunker.chunk(document)
    assert chunker.verify(document, chunks) == []
    assert len({chunk.metadata["docling_text"] for chunk in chunks}) > len(chunks) // 2


_PARAGRAPHS = st.lists(st.sampled_from(["The same again.", "One motor.", "Two hoses, one motor."]), min_size=1)


@LAW
@given(_PARAGRAPHS)
def test_repeated_paragraphs_are_told_apart(paragraphs: list[str]) -> None:
    """Each chunk holds the very paragraphs that Docling's chunk holds, in order."""
    document = spanwise.Document(text="\n\n".join(paragraphs))
    for chunk in spanwise.chunk(document, "docling", max_tokens=12):
        assert chunk.text.split() == cast("str", chunk.metadata["docling_text"]).split()


@LAW
@given(chunked_texts())
def test_the_copy_for_the_parser_is_the_text(text: str) -> None:
    """Without its marks, but for line ends and what is no UTF-8; each mark stands behind the letter that it names."""
    marks = Marks(text)
    copy = marked_source(text, marks)
    assert copy is not None
    plain, places = marks.taken_out(copy)
    assert plain == re.sub("[\ud800-\udfff]", "\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    offsets = [offset for _, offset in places]
    assert offsets == sorted(set(offsets))
    assert all(plain[place - 1] == text[offset] for place, offset in places)


@LAW
@given(st.lists(st.integers(0, 200_000_000), max_size=8), chunked_texts(), st.sampled_from(["", "\U000f0001"]))
def test_marks_are_read_as_they_were_written(numbers: list[int], text: str, own: str) -> None:
    """Wherever they stand, and whatever private characters the text has."""
    text += own
    marks = Marks(text)
    places = sorted(number % (len(text) + 1) for number in numbers)
    written = marked(text, zip(places, map(marks.mark, numbers), strict=True))
    assert marks.taken_out(written) == (text, list(zip(places, numbers, strict=True)))
    assert marks.without(written) == text
    assert marks.numbers(written) == numbers


def test_a_heading_stays_with_its_text_and_a_table_is_cut_between_rows() -> None:
    """A chunk begins with the headings above it, a later part of a table with a row."""
    rows = "".join(f"| bolt {number} | made of steel |\n" for number in range(12))
    text = f"# Stock\n\nAll there is.\n\n## Bolts\n\n| part | stuff |\n| --- | --- |\n{rows}\nDone.\n"
    chunks = spanwise.chunk(text, "docling", max_tokens=64)
    assert [chunk.text.partition("\n")[0] for chunk in chunks][:2] == ["# Stock", "## Bolts"]
    assert all(chunk.text.startswith("| bolt") for chunk in chunks[2:-1])
    assert chunks[1].metadata["docling_headings"] == ("Stock", "Bolts")


@pytest.mark.filterwarnings("ignore")
def test_a_long_table_is_cut_as_docling_cuts_it() -> None:
    """Though it is given in parts to the splitter, whose time grows with the square of what it is given."""
    text = "| part | price |\n| --- | --- |\n" + "".join(
        f"| bolt {number} | {number} cents |\n" for number in range(400)
    )
    assert of_strategy(spanwise.Document(text=text), 64) == of_docling_alone(docling_parts._parsed(text), 64)


def test_code_keeps_its_fences() -> None:
    """The fence before its first word and the one after its last go with it."""
    text = "One line here.\n\n```py\nstore = 1\n}\n```\n\n# Next one\n\nLast line here.\n"
    assert [chunk.text for chunk in spanwise.chunk(text, spanwise.Docling(merge_peers=False), max_tokens=32)] == [
        "One line here.\n\n",
        "```py\nstore = 1\n}\n```\n\n",
        "# Next one\n\nLast line here.\n",
    ]


@pytest.mark.parametrize(
    "text",
    ["> " * 500 + "deep", "<div>" * 500 + "deep", "# Heading alone", "\n\n***\n\n", "\ud800 lone", "\x00"],
)
def test_what_docling_says_nothing_of_is_one_part(text: str) -> None:
    """No text is lost."""
    assert spanwise.reconstruct(spanwise.chunk(text, "docling", blank="keep")) == text


def test_a_table_whose_header_fills_the_budget_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """With Docling's own default the splitter of tables would repeat such a header for ever."""
    monkeypatch.setattr(docling_parts, "_MOST_COUNTS", 1_000)
    text = "| word  |\n|---|\n| a |\n| 🇩🇪 |\n| --- |\n| word  |\n"
    chunks = spanwise.chunk(text, "docling", max_tokens=4)
    assert spanwise.reconstruct(chunks) == text
    assert "docling_text" in chunks[0].metadata


def test_what_counts_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the text is one part, of which Docling says nothing."""
    monkeypatch.setattr(docling_parts, "_MOST_COUNTS", 3)
    monkeypatch.setattr(docling_parts, "_COUNTS_PER_CHARACTER", 0)
    chunks = spanwise.chunk("One motor.\n\nTwo hoses.\n", "docling", max_tokens=8)
    assert [(chunk.text, "docling_text" in chunk.metadata) for chunk in chunks] == [
        ("One motor.\n\nTwo hoses.\n", False)
    ]


def test_the_error_of_a_counter_is_raised() -> None:
    """It is no trouble of the parser."""
    with pytest.raises(spanwise.CounterError):
        spanwise.chunk("One motor.", "docling", max_tokens=8, counter=lambda text: -len(text))


def test_characters_are_a_budget_too() -> None:
    """Docling then counts characters."""
    chunks = spanwise.chunk("One motor.\n\nTwo hoses.\n\nThree.", "docling", max_characters=24)
    assert [chunk.text for chunk in chunks] == ["One motor.\n\nTwo hoses.\n\n", "Three."]


def test_semchunk_keeps_no_count() -> None:
    """It would keep every one, with all that it counted, for ever."""
    import semchunk.semchunk as module

    before = len(module._memoized_token_counters)
    spanwise.chunk("One motor. " * 200, "docling", max_tokens=32)
    assert len(module._memoized_token_counters) == before


@pytest.mark.parametrize("unit", ["[", "[a](", "`a ", "_a", "word "])
def test_no_paragraph_that_is_parsed_is_longer_than_some_thousand_characters(unit: str) -> None:
    """The time that Docling's parser takes grows with the square of one: so does it not with the text."""
    marks = Marks(unit)
    copy = marks.without(marked_source(unit * 8_000, marks) or "")
    assert copy.replace("\n\n", "") == unit * 8_000
    assert max(map(len, copy.split("\n\n"))) <= 4_000


@pytest.mark.slow
@pytest.mark.parametrize("corpus", sorted((DATA / "corpora").glob("*.txt")), ids=lambda path: path.stem)
def test_corpora_keep_all_promises(corpus: Path) -> None:
    """Five documents of 170 to 700 kB."""
    document = spanwise.Document.from_file(corpus)
    chunker = spanwise.Chunker("docling", max_tokens=256)
    assert chunker.verify(document, chunker.chunk(document)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(docgen_documents()))
def test_generated_documents_keep_all_promises_as_markdown(name: str) -> None:
    """Whatever they are, read as Markdown."""
    document = spanwise.Document(text=docgen_documents()[name], media_type="text/markdown")
    chunker = spanwise.Chunker("docling", max_tokens=96)
    assert chunker.verify(document, chunker.chunk(document)) == []
