"""How do chunks look in a terminal?"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from spanwise.cli.visible import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from spanwise.chunks import Chunk

__all__ = ["console_on", "print_changes", "print_chunks", "print_texts"]

_JOINT = " › "
_PREVIEW = 300
_CHANGES = {"added": "green", "changed": "yellow", "moved": "dim", "removed": "red"}


class _PlainConsole(Console):
    def on_broken_pipe(self) -> None:
        """Leave to the command what a closed pipe means; rich would end the process with status 1."""
        raise BrokenPipeError


def console_on(stream: TextIO | None = None, *, color: bool = True) -> Console:
    """Open a console that reads no markup in what it is given; NO_COLOR means no escape sequences at all."""
    plain = not color or bool(os.environ.get("NO_COLOR"))
    return _PlainConsole(
        file=stream or sys.stdout,
        color_system=None if plain else "auto",
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )


def print_chunks(console: Console, document_id: str, chunks: Sequence[Chunk], unit: str, read_as: str) -> None:
    """Print one row for each chunk, under the id and the format of the document, as wide as the terminal."""
    title = Text(visible(document_id), style="bold", overflow="fold")
    title.append(f"  {read_as}", style="not bold dim")
    title.append(f"  {len(chunks)} {'chunk' if len(chunks) == 1 else 'chunks'}", style="not bold dim")
    console.print(title)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column("#", justify="right", no_wrap=True, style="dim")
    table.add_column("lines", justify="right", no_wrap=True)
    table.add_column(unit, justify="right", no_wrap=True, style="cyan")
    sections = [_section(chunk.section, console.width // 3) for chunk in chunks]
    has_sections = any(sections)
    if has_sections:
        widest = max(len("section"), *map(cell_len, sections))
        table.add_column(
            "section", no_wrap=True, overflow="ellipsis", width=min(widest, console.width // 3), style="green"
        )
    table.add_column("first words", no_wrap=True, overflow="ellipsis", ratio=1)
    for chunk, path in zip(chunks, sections, strict=True):
        section = [Text(path)] if has_sections else []
        words = Text(one_line(chunk.text, console.width * 2))
        table.add_row(str(chunk.index), _lines(chunk), f"{chunk.tokens:,}", *section, words)
    console.print(table)
    console.print()


def print_texts(console: Console, chunks: Sequence[Chunk], unit: str, *, whole: bool) -> None:
    """Print the beginning of each chunk, or all of it with its own line breaks."""
    for chunk in chunks:
        facts = [f"#{chunk.index}", f"lines {_lines(chunk)}", f"{chunk.tokens:,} {unit}", chunk.id]
        if chunk.overlap:
            facts.insert(3, f"repeats {chunk.overlap:,} characters")
        if chunk.section:
            facts.append(visible(_JOINT.join(chunk.section)))
        console.print(Text(" · ".join(facts), style="bold cyan"))
        if whole and chunk.context:
            console.print(
                Padding(Text(visible(chunk.context, line_breaks=True), style="dim"), (0, 0, 0, 2), expand=False)
            )
        shown = visible(chunk.text, line_breaks=True) if whole else _preview(chunk.text)
        console.print(Padding(Text(shown, tab_size=4), (0, 0, 1, 2), expand=False))


def print_changes(console: Console, changes: Sequence[tuple[str, Sequence[Chunk]]]) -> None:
    """Print one row for each chunk that is different, with what became of it, in the order of documents and lines."""
    rows = sorted(
        ((chunk, change) for change, chunks in changes for chunk in chunks),
        key=lambda row: (row[0].document_id, row[0].start, row[1]),
    )
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column("change", no_wrap=True)
    has_names = any(chunk.document_id for chunk, _ in rows)
    if has_names:
        table.add_column("document", overflow="fold", max_width=console.width // 3)
    table.add_column("lines", justify="right", no_wrap=True)
    table.add_column("first words", no_wrap=True, overflow="ellipsis", ratio=1)
    for chunk, change in rows:
        name = [Text(visible(chunk.document_id))] if has_names else []
        words = Text(one_line(chunk.text, console.width * 2))
        table.add_row(Text(change, style=_CHANGES[change]), *name, _lines(chunk), words)
    console.print(table)
    console.print()


def _preview(text: str) -> str:
    return one_line(text, _PREVIEW) + ("…" if len(text) > _PREVIEW else "")


def _lines(chunk: Chunk) -> str:
    first, last = chunk.lines
    return str(first) if first == last else f"{first}–{last}"


def _section(section: Sequence[str], width: int) -> str:
    """Write the path of headings; what does not fit goes from the outside, since the innermost tells most."""
    headings = [visible(heading) for heading in section]
    path = _JOINT.join(headings)
    while cell_len(path) > width and len(headings) > 1:
        headings = headings[1:]
        path = _JOINT.join(["…", *headings])
    return path
