"""Which files of a folder are documents?

A table of suffixes rather than a guess from the content: the answer for a file must not change when its text does.
Files that are named one by one are read whatever their suffix.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["TableKind", "is_text_name", "table_kind"]

TableKind = Literal["", "parquet", "jsonl"]
_TABLES: dict[str, TableKind] = {"parquet": "parquet", "jsonl": "jsonl", "ndjson": "jsonl"}

_PROSE = """
    adoc asciidoc creole eml htm html ipynb json jsonl log markdown md mdown mdx ndjson org pod qmd rmd rst srt tex text
    textile txt vtt wiki xhtml xml
"""
_DATA = """
    bib cfg conf csv dtd env gql graphql hcl ini json5 jsonc po pot properties proto rss svg tf toml tsv xsd xsl xslt
    yaml yml
"""
_CODE = """
    ada adb ads asm astro awk bas bash bat c cc clj cljs cmake cmd coffee cpp cr cs css cts cu cxx d dart diff el elm
    erl ex exs f f90 f95 fish fs fsx go gradle groovy h hh hpp hrl hs hxx java jl js jsx kt kts less lisp lua m mjs ml
    mli mm mts nim nix pas patch php pl pm ps1 py pyi pyx r rb rkt rs s sass scala scm scss sh sol sql st svelte swift
    tcl ts tsx v vb vhdl vim vue zig zsh
"""
_UNSUFFIXED = """
    authors changelog changes contributing copying dockerfile gemfile install license makefile news notice rakefile
    readme todo
"""
_SUFFIXES = frozenset(f"{_PROSE} {_DATA} {_CODE}".split())
_NAMES = frozenset(_UNSUFFIXED.split())


def is_text_name(name: str) -> bool:
    """Say whether a file with this name is a text by its suffix, or by its name where it has none.

    Examples:
        >>> is_text_name("Guide.MD"), is_text_name("LICENSE"), is_text_name("photo.jpeg")
        (True, True, False)
    """
    stem, _, suffix = name.rpartition(".")
    return suffix.lower() in _SUFFIXES if stem else name.lower() in _NAMES


def table_kind(name: str) -> TableKind:
    """Say what kind of table a file with this name can be, by its suffix; "" for any other file.

    Examples:
        >>> table_kind("docs.Parquet"), table_kind("docs.ndjson"), table_kind("docs.md")
        ('parquet', 'jsonl', '')
    """
    return _TABLES.get(name.rpartition(".")[2].lower(), "")
