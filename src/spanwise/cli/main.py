"""The entry point of the command, and what becomes of errors there."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

from spanwise.cli.chunk import chunk_command
from spanwise.cli.diff import diff_command
from spanwise.cli.report import complain
from spanwise.cli.strategies import strategies_command
from spanwise.errors import ConfigurationError, MissingExtraError, SpanwiseError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["commands", "main"]

_WRONG_CHOICE = 2
_INTERRUPTED = 130
_BROKEN_PIPE = 141  # what a shell reports for a program that SIGPIPE ended


class Failure(click.ClickException):
    """An error of spanwise, shown as one red line."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the line to standard error."""
        complain(f"error: {self.message}", file=file)


class WrongChoice(Failure):
    """An argument, a setting or a missing package: nothing could be done."""

    exit_code = _WRONG_CHOICE


class Commands(click.Group):
    """The group, which turns what a command raises into messages and exit statuses."""

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Read the arguments; --help and --version write already here."""
        with _reported():
            return super().make_context(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        with _reported():
            result = super().invoke(ctx)
            sys.stdout.flush()
        return result


@contextmanager
def _reported() -> Iterator[None]:
    """Turn errors into one line; nobody who presses Ctrl-C or closes a pipe wants to read a traceback."""
    try:
        yield
    except SpanwiseError as error:
        wrong_choice = isinstance(error, ConfigurationError | MissingExtraError)
        raise (WrongChoice if wrong_choice else Failure)(str(error)) from error
    except KeyboardInterrupt:
        raise click.exceptions.Exit(_INTERRUPTED) from None
    except BrokenPipeError:
        _leave_unwritten()
        raise click.exceptions.Exit(_BROKEN_PIPE) from None
    except OSError as error:  # what has a name (a document, an output) was reported where it was opened
        _leave_unwritten()
        raise Failure(f"cannot write {error.filename or 'to standard output'}: {error.strerror or error}") from error


def _leave_unwritten() -> None:
    """Let what is still buffered for standard output go nowhere: written at exit, it would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_COMPLETION = """\b
Completion of commands and options in the shell:
  bash   eval "$(_SPANWISE_COMPLETE=bash_source spanwise)"     in ~/.bashrc
  zsh    eval "$(_SPANWISE_COMPLETE=zsh_source spanwise)"      in ~/.zshrc
  fish   _SPANWISE_COMPLETE=fish_source spanwise | source      in ~/.config/fish/config.fish
"""


_HELP = """Cut documents into chunks for retrieval.

Every chunk is an exact piece of its document and never larger than you ask for, counted by the tokenizer that will
read it.

\b
Try:
  spanwise chunk handbook.md
  spanwise chunk docs/ --max-tokens 256 -o chunks.jsonl
  cat notes.txt | spanwise chunk -
  spanwise diff chunks.jsonl docs/
  spanwise strategies
"""


def _show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  slow to import

        try:
            click.echo(f"spanwise {version('spanwise')}")
        except PackageNotFoundError:
            click.echo("spanwise, not installed")
        context.exit()


@click.group(cls=Commands, help=_HELP, epilog=_COMPLETION, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def commands() -> None:
    """Cut documents into chunks for retrieval."""


commands.add_command(chunk_command)
commands.add_command(diff_command)
commands.add_command(strategies_command)


def main() -> None:
    """Run the command `spanwise`."""
    _check_streams()
    for stream in (sys.stdout, sys.stderr):
        # a terminal that cannot write a character shows its number instead of ending the run
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    commands(prog_name="spanwise")


def _check_streams() -> None:
    """Python has None in place of a stream that the caller closed."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  as long as the process
    if sys.stdout is None:
        complain("error: standard output is closed; send it to a file, or to /dev/null with > /dev/null")
        sys.exit(_WRONG_CHOICE)
