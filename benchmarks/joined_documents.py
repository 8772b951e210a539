"""Documents made by joining parts of texts that nobody here wrote, so that where the subject changes is known.

The parts come from the corpora of the tests and the labelled documents of `headings.py`. Within a document they are
joined as their own sentences are: by one blank where the document runs on, by a blank line where it has paragraphs.
Headings, tables and lists are left out, so that nothing but the sense tells where a part ends. What is chosen depends
on hashes of names alone: the documents are the same everywhere.
"""

from __future__ import annotations

import ast
import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from sample_texts import corpora, labelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["KINDS", "Joined", "joined_documents"]

KINDS = ("wiki", "papers", "finance", "technical", "legal", "mixed")
"""Five whose parts are all of one field, and one whose parts are each of another field than the part before."""
HALVES = ("tuning", "test")
LAYOUTS = ("running", "paragraphs")
PARTS = range(5, 16)
SENTENCES = range(8, 41)

Paragraph: TypeAlias = list[str]
"""Its sentences, none of which has a line end or white space around it."""


Item = TypeVar("Item")


class Joined(NamedTuple):
    """One document, with the truth about it."""

    name: str
    kind: str
    half: str
    """What settings may be chosen on (`tuning`), or what they are judged on (`test`)."""
    layout: str
    text: str
    sentences: tuple[int, ...]
    """Where each sentence begins."""
    boundaries: tuple[int, ...]
    """Where each part but the first begins: some of `sentences`."""
    subjects: tuple[str, ...]


class _Article:
    """A text of one subject, from which parts are taken in order."""

    def __init__(self, field: str, name: str, paragraphs: Sequence[Paragraph]) -> None:
        self.field, self.name, self._paragraphs, self._next = field, name, paragraphs, 0

    def left(self) -> int:
        return sum(len(paragraph) for paragraph in self._paragraphs[self._next :])

    def take(self, most: int) -> list[Paragraph]:
        """Take paragraphs up to `most` sentences; of the last one what is too much is passed over."""
        taken: list[Paragraph] = []
        while most > 0 and self._next < len(self._paragraphs):
            taken.append(self._paragraphs[self._next][:most])
            most -= len(taken[-1])
            self._next += 1
        return taken


def joined_documents() -> list[Joined]:
    """Make the documents: of each kind, in each layout, for each half, while texts last. No sentence is used twice."""
    articles = list(_articles())
    documents = [
        _document(f"{kind}-{layout}-{half}-{number}", kind, half, layout, articles)
        for number in (1, 2)
        for kind in KINDS
        for layout in LAYOUTS
        for half in HALVES
    ]
    return [document for document in documents if len(document.subjects) >= PARTS.start]


def _document(name: str, kind: str, half: str, layout: str, articles: Sequence[_Article]) -> Joined:
    """Join parts, each of another article than the part before; of mixed documents, of another field too."""
    pieces: list[str] = []
    sentences, boundaries, subjects = [], [], []
    position, last = 0, None
    for number in range(_chosen(PARTS, name)):
        candidates = [
            article
            for article in articles
            if (kind in (article.field, "mixed") and article.left() >= SENTENCES.start and article is not last)
            and (kind != "mixed" or last is None or article.field != last.field)
        ]
        if not candidates:
            break
        if kind == "mixed":
            field = _chosen(sorted({article.field for article in candidates}), name, number, "field")
            candidates = [article for article in candidates if article.field == field]
        weighed = [article for article in candidates for _ in range(article.left() // SENTENCES.start)]
        last = _chosen(weighed, name, number, "article")
        subjects.append(last.name)
        most = min(_chosen(SENTENCES, name, number, turn) for turn in range(2))
        for place, paragraph in enumerate(last.take(most)):
            if pieces:
                gap = "\n\n" if layout == "paragraphs" else " "
                pieces.append(gap)
                position += len(gap)
            if number and not place:
                boundaries.append(position)
            for sentence in paragraph:
                if sentence is not paragraph[0]:
                    pieces.append(" ")
                    position += 1
                sentences.append(position)
                pieces.append(sentence)
                position += len(sentence)
    return Joined(name, kind, half, layout, "".join(pieces), tuple(sentences), tuple(boundaries), tuple(subjects))


def _chosen(items: Sequence[Item], *key: object) -> Item:
    """Choose one by the hash of a key: evenly, and the same everywhere."""
    digest = hashlib.sha256(repr(key).encode()).digest()
    return items[int.from_bytes(digest[:8], "big") % len(items)]


# The articles of each field


def _articles() -> Iterator[_Article]:
    texts = corpora()
    for field, found in (
        ("wiki", _wiki(texts["wikitexts"])),
        ("papers", _papers(texts["pubmed"])),
        ("finance", _finance(texts["finance"])),
        ("speech", [("state of the union", texts["state_of_the_union"].split("\n\n"))]),
        ("chat", _chats(texts["chatlogs"])),
        ("technical", _labelled("rfc", "man", "plain")),
        ("legal", _labelled("legal")),
    ):
        for name, blocks in found:
            paragraphs = [paragraph for block in blocks if (paragraph := _prose(block))]
            article = _Article(field, name, paragraphs)
            if article.left() >= SENTENCES.start:
                yield article


_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!e\.g\.)(?<!i\.e\.)(?<!al\.)(?<!Mr\.)(?<!\b[Nn]o\.)(?<!\s\d\.)(?<!\s\d\d\.)[\"'”’)]*(\s+)(?=\S)"
)
_SHORTEST = 120
_LETTERS = 0.75
"""Less of letters and blanks than this is a table, a formula or a list of references."""


def _prose(block: str) -> Paragraph | None:
    """Give the sentences of a paragraph; headings, tables, lists and lone short lines are none."""
    text = " ".join(block.split())
    if text.endswith("..") and not text.endswith("..."):
        text = text[:-1]  # so end the passages of the finance reports: it would tell where they end
    letters = sum(character.isalpha() or character == " " for character in text)
    if len(text) < _SHORTEST or text[-1] not in '.!?"”' or letters < _LETTERS * len(text) or "|" in text:
        return None
    ends = [match.span(1) for match in _SENTENCE_END.finditer(text)]
    starts = [0, *(after for _, after in ends)]
    return [text[start:end] for start, end in zip(starts, [*(before for before, _ in ends), len(text)], strict=True)]


_DETOKENISED = (
    (re.compile(r" @([-,.])@ "), r"\1"),
    (re.compile(r" ([,.;:?!)%]|'s\b|'t\b|n't\b|' )"), r"\1"),
    (re.compile(r"\( "), "("),
    (re.compile(r'" ([^"]*) "'), r'"\1"'),
)
"""WikiText sets blanks between words and signs; without them sentences end as in any other text."""


def _wiki(text: str) -> Iterator[tuple[str, list[str]]]:
    for article in re.split(r"(?m)^ = (?=[^=;]+ = $)", text)[1:]:
        title, _, body = article.partition(" = \n")
        for pattern, replacement in _DETOKENISED:
            body = pattern.sub(replacement, body)
        yield title, body.split("\n")


def _papers(text: str) -> Iterator[tuple[str, list[str]]]:
    for paper in re.split(r"(?m)^PMID: ", text)[1:]:
        body = re.split(r"(?m)^==== (?:Refs|Back)", paper.partition("==== Body")[2])[0]
        yield paper.partition("Accession ID: ")[2].partition("\n")[0], body.split("\n")


def _finance(text: str) -> Iterator[tuple[str, list[str]]]:
    for number, block in enumerate(text.split("\n\n")):
        yield f"report {number}", [block]


def _chats(text: str) -> Iterator[tuple[str, list[str]]]:
    for number, talk in enumerate(re.split(r"\n\n(?=\[\{)", text.strip())):
        turns = re.findall(r"""'content': ("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""", talk)
        yield f"chat {number}", [block for turn in turns for block in str(ast.literal_eval(turn)).split("\n\n")]


def _labelled(*kinds: str) -> Iterator[tuple[str, list[str]]]:
    for name, text in labelled(*kinds).items():
        if not name.endswith((".de", ".fr")):
            yield name, re.split(r"\r?\n[ \t]*\r?\n", text)
