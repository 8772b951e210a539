"""The words that headings of plain text begin with: "Article 5", "PART II", "Chapter One"."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CHAPTERS", "HEADING_WORDS", "LEGAL_WORDS", "PARTS", "one_of"]

LEGAL_WORDS = {
    "annex": "annex appendix schedule exhibit attachment addendum rider anhang anlage annexe anexo allegato",
    "book": "book volume buch band livre libro",
    "part": "part title subtitle teil titel titre partie parte título titolo",
    "chapter": "chapter kapitel chapitre capítulo capitulo capo hoofdstuk",
    "subchapter": "subchapter subpart",
    "section_above_articles": "abschnitt",
    "subsection_above_articles": "unterabschnitt",
    "article": "article art artikel artículo articulo articolo artigo amendment amendement enmienda",
    "section": "section sec clause cláusula clausula sección seccion sezione",
    "paragraph": "§ §§ paragraf",
}
"""What legal text calls its divisions, by their rank."""

PARTS = "volume|book|part|band|buch|teil|livre|partie|tome|libro|parte|tomo"
CHAPTERS = "chapter|letter|stave|canto|act|kapitel|chapitre|capítulo|capitulo|capitolo|hoofdstuk"

HEADING_WORDS = tuple(dict.fromkeys(" ".join(LEGAL_WORDS.values()).split() + f"{PARTS}|{CHAPTERS}".split("|")))
"""All of them."""

_ALSO = {"i": "ıİ", "k": "\u212a", "s": "ſ"}  # what counts as these letters where case is ignored


def one_of(words: Iterable[str]) -> str:
    """Give a pattern of words in letters of either case that parts them by the first: most lines begin with none."""
    rests: dict[str, list[str]] = defaultdict(list)
    for word in words:
        rests[word[0]].append(re.escape(word[1:]))
    parted = [f"[{each}{each.upper()}{_ALSO.get(each, '')}](?i:{'|'.join(rests[each])})" for each in rests]
    return f"(?:{'|'.join(parted)})"
