"""What does the command say beside the chunks: what failed, what was left out, how a run went?"""

from __future__ import annotations

import os
import shlex
import sys
import time
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from spanwise.cli.visible import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from spanwise.corpus.run import NearCeiling, Summary
    from spanwise.settings.resolve import Resolved

__all__ = ["ceiling_line", "complain", "settings_line", "summary_lines", "watched"]

_Item = TypeVar("_Item")
_PATIENCE_SECONDS = 1.0
_LONGEST_MESSAGE = 2000
_MOST_NAMED = 5
_REDRAWN_SECONDS = 0.1


def complain(message: str, *, color: bool = True, file: IO[Any] | None = None) -> None:
    """Write one red line to standard error; without color, or where NO_COLOR is set, a plain one."""
    plain = not color or bool(os.environ.get("NO_COLOR"))
    line = click.style(one_line(message, _LONGEST_MESSAGE), fg="red")
    click.echo(line, file=file, err=file is None, color=False if plain else None)


def summary_lines(summary: Summary, skipped: Mapping[str, int], unit: str, budget: int | None) -> list[str]:
    """Say in a few lines how a run went.

    Examples:
        >>> from spanwise.corpus.run import Summary
        >>> summary_lines(Summary(), {"hidden": 2}, "tokens", 512)
        ['0 documents · 0 chunks', 'left out: 2 hidden']
    """
    facts = [_counted(summary.documents, "document"), _counted(summary.chunks, "chunk")]
    if summary.tokens is not None:
        smallest, median, largest = summary.tokens
        facts.append(f"{unit} {smallest:,} min, {median:,} median, {largest:,} max")
    if summary.fill is not None:
        facts.append(f"fill {summary.fill:.0%}" + (f" of {budget:,}" if budget else ""))
    lines = [" · ".join(facts)]
    if summary.unchanged:
        unchanged = f"{_counted(summary.unchanged, 'document')} · {_counted(summary.unchanged_chunks, 'chunk')}"
        lines.append(f"unchanged since the run before: {unchanged}")
    if summary.changed:
        kept = f"{summary.kept_chunks:,} of {_counted(summary.changed_chunks, 'chunk')} kept"
        lines.append(f"changed since the run before: {_counted(summary.changed, 'document')} · {kept}")
    if summary.removed:
        named = ", ".join(map(visible, summary.removed[:_MOST_NAMED]))
        more = f" and {len(summary.removed) - _MOST_NAMED:,} more" if len(summary.removed) > _MOST_NAMED else ""
        lines.append(f"removed since the run before: {_counted(len(summary.removed), 'document')}: {named}{more}")
    if summary.formats.total() > 1:
        lines.append("read as: " + ", ".join(f"{count:,} {name}" for name, count in summary.formats.most_common()))
    reasons = {**skipped}
    for reason, count in summary.skipped.items():
        reasons[reason] = reasons.get(reason, 0) + count
    if reasons:
        lines.append("left out: " + ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items())))
    if summary.failures:
        lines.append(f"not chunked: {_counted(summary.failures, 'document')}")
    return lines


def ceiling_line(near: NearCeiling, counter: object) -> str:
    """Say how many chunks come near the ceiling, which is the largest, and what to change.

    `counter` is what --ceiling-counter names, or None.
    """
    largest = near.largest
    over = f", {near.over:,} over it" if near.over else ""
    flag = "--" + largest.setting.replace("_", "-")
    repair = f"try {flag} {near.fitting}" if near.fitting else f"lower {flag}"
    if largest.exact:
        named = f"--counter {shlex.quote(str(counter))} " if counter else ""
        repair += f", or {named}--max-tokens {largest.exact} to be sure"
    return (
        f"near the ceiling of {largest.ceiling:,}: {_counted(near.near, 'chunk')} of "
        f"{_counted(near.documents, 'document')}{over}; the largest has {largest.tokens:,} "
        f"({visible(largest.document_id)} #{largest.index}); {repair}"
    )


def settings_line(resolved: Mapping[str, Resolved]) -> str:
    """Say which settings hold and where each came from; defaults that nobody chose are left out but the strategy."""
    chosen = [
        f"{key.removeprefix('options.')} {value.value} ({value.source})"
        for key, value in resolved.items()
        if key == "strategy" or value.source != "default"
    ]
    return "settings: " + ", ".join(chosen)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def watched(outcomes: Iterable[_Item], total: Callable[[], int]) -> Iterator[_Item]:
    """Show a progress bar on standard error, where that is a terminal, once a run takes longer than a second.

    `total` says how many outcomes there will be, which can take long to find out for tables.
    """
    started = time.monotonic()
    bar = None
    try:
        for done, outcome in enumerate(outcomes, 1):
            yield outcome
            if bar is None and time.monotonic() - started > _PATIENCE_SECONDS:
                bar = _Bar(total())
            if bar is not None:
                bar.show(done)
    finally:
        if bar is not None:
            bar.stop()


class _Bar:
    def __init__(self, total: int) -> None:
        from rich.console import Console  # noqa: PLC0415  short runs need no bar
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

        self._progress = Progress(
            TextColumn("chunking"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            transient=True,
        )
        self._total = total
        self._task = self._progress.add_task("chunking", total=total, rate="")
        self._started: tuple[float, int] | None = None
        self._shown = 0.0
        self._progress.start()

    def show(self, done: int) -> None:
        now = time.monotonic()
        if self._started is None:
            self._started = now, done
        if now - self._shown < _REDRAWN_SECONDS:
            return
        self._shown = now
        began, before = self._started
        rate = f"{(done - before) / (now - began):,.0f}/s" if now > began else ""
        # a table may hold more than it said
        self._progress.update(self._task, completed=done, total=max(self._total, done), rate=rate)

    def stop(self) -> None:
        self._progress.stop()
