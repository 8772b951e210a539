"""`spanwise strategies`: list the ways to chunk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.strategies.registry import StrategyInfo

__all__ = ["strategies_command"]


@click.command(name="strategies")
@click.option("--format", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("--no-color", is_flag=True, help="No colors; so does the variable NO_COLOR.")
def strategies_command(format: Literal["table", "json"], no_color: bool) -> None:  # noqa: A002, FBT001  click's names
    """List the ways to chunk: their names, options with defaults, and whether chunks may overlap."""
    from spanwise.strategies.registry import strategies  # noqa: PLC0415  --help must not load the engine

    listed = strategies()
    if format == "json":
        click.echo(json.dumps([_record(info) for info in listed], indent=2, ensure_ascii=False))
    else:
        _print_table(listed, color=not no_color)


def _record(info: StrategyInfo) -> dict[str, object]:
    return {
        "name": info.name,
        "aliases": list(info.aliases),
        "options": {name: _plain(default) for name, default in info.options.items()},
        "overlap": info.overlap,
        "summary": info.summary,
    }


def _plain(value: object) -> object:
    """Give what JSON knows as it is, and the rest (a callable, an enumeration) as it is written."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    return repr(value)


def _print_table(listed: Sequence[StrategyInfo], *, color: bool) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from spanwise.cli.table import console_on  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column("strategy", no_wrap=True)
    table.add_column("overlap", no_wrap=True)
    table.add_column("what it does", ratio=1)
    for info in listed:
        name = Text(info.name, style="bold")
        for alias in info.aliases:
            name.append(f"\n{alias}", style="not bold dim")
        what = Text(info.summary)
        if info.options:
            options = ", ".join(_option(option, default) for option, default in info.options.items())
            what.append(f"\noptions: {options}", style="cyan")
        table.add_row(name, "yes" if info.overlap else "no", what)
    console_on(color=color).print(table)


def _option(name: str, default: object) -> str:
    """Write an option as --option takes it; one without a default stands alone."""
    return name if default is None else f"{name}={json.dumps(_plain(default), ensure_ascii=False)}"
