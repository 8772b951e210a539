"""What does the user ask `spanwise chunk` for, and which chunker is that?"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from spanwise.corpus.state import real, state_path
from spanwise.corpus.suffixes import table_kind
from spanwise.errors import ConfigurationError, near

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanwise.settings.resolve import Resolved
    from spanwise.strategies.chunker import Chunker

__all__ = ["SETTINGS_FILE", "Request", "chunker_of", "option_of", "resolved_settings", "written_format"]

SETTINGS_FILE = "spanwise.toml"
_FLAGS = {
    "strategy": "--strategy",
    "max_tokens": "--max-tokens",
    "max_characters": "--max-characters",
    "overlap_tokens": "--overlap-tokens",
    "overlap_characters": "--overlap-characters",
    "counter": "--counter",
    "overflow": "--overflow",
    "trim": "--trim",
    "blank": "--blank",
    "structure": "--structure",
    "context": "--context",
    "ceiling": "--ceiling",
    "warn_at": "--warn-at",
    "ceiling_counter": "--ceiling-counter",
}
_TOGETHER = (
    ("max_tokens", "max_characters", "overlap_tokens", "overlap_characters"),
    ("ceiling", "warn_at", "ceiling_counter"),
)
"""Settings that are checked against each other."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `spanwise chunk`; None where the user did not say."""

    paths: tuple[str, ...]
    strategy: str | None = None
    max_tokens: int | None = None
    max_characters: int | None = None
    overlap_tokens: int | None = None
    overlap_characters: int | None = None
    counter: str | None = None
    option: tuple[tuple[str, object], ...]
    overflow: Literal["refuse", "split"] | None = None
    trim: bool | None = None
    blank: Literal["drop", "keep"] | None = None
    structure: str | None = None
    context: Literal["none", "section", "table", "both"] | None = None
    ceiling: int | None = None
    warn_at: float | None = None
    ceiling_counter: str | None = None
    collection: str | None = None
    settings: str | None = None
    text_column: str | None = None
    id_column: str | None = None
    output: str | None = None
    format: Literal["table", "jsonl", "parquet", "lance"] | None = None
    workers: int | None = None
    engine: Literal["local", "ray"] = "local"
    changes: str | None = None
    state: bool = False
    rechunk: bool = True
    verify: bool = False
    verbose: int
    quiet: bool
    encoding: str
    max_bytes: int
    no_color: bool

    @property
    def target(self) -> Literal["table", "jsonl", "parquet", "lance"]:
        """What is written: a table for the eye, or in which format."""
        usual: Literal["table", "parquet"] = "table" if self.engine == "local" else "parquet"
        return self.format or (None if self.output is None else written_format(self.output)) or usual

    @property
    def form(self) -> Literal["chunks", "lines", "rows"]:
        """As what chunks go out: shown in tables, as lines of JSON, or as rows of Arrow."""
        forms: dict[str, Literal["lines", "rows"]] = {"jsonl": "lines", "parquet": "rows", "lance": "rows"}
        return forms.get(self.target, "chunks")

    @property
    def keeps_state(self) -> bool:
        """Whether the output has a state beside it."""
        return self.output is not None and self.state and self.engine == "local" and self.target != "lance"

    @property
    def written(self) -> list[Path]:
        """The files that the run writes, which are no documents of it."""
        if self.engine == "ray":
            return list(Path(self.output or "").glob("part-*"))
        paths = [Path(path) for path in (self.output, self.changes) if path is not None]
        return [*paths, *([state_path(real(paths[0]))] if self.keeps_state else [])]

    @property
    def seeks_tables(self) -> bool:
        """Whether files of JSON Lines hold one document a line, and folders tables."""
        return self.engine == "ray" or self.text_column is not None or self.id_column is not None


def written_format(output: str) -> Literal["jsonl", "parquet", "lance"] | None:
    """Say by the suffix of a file or folder what is written to it; None where that says nothing.

    Examples:
        >>> written_format("chunks.jsonl"), written_format("chunks.parquet"), written_format("chunks.csv")
        ('jsonl', 'parquet', None)
        >>> written_format("index/chunks.lance/")
        'lance'
    """
    return "lance" if Path(output).suffix.lower() == ".lance" else table_kind(output) or None


def option_of(written: str) -> tuple[str, object]:
    """Read KEY=VALUE; the value is TOML (numbers, true, "text", lists) or else the text as it stands.

    Raises:
        ConfigurationError: there is no `=`, or no key before it.

    Examples:
        >>> option_of("min-fill=0.5"), option_of("language=python")
        (('min_fill', 0.5), ('language', 'python'))
    """
    key, equals, value = written.partition("=")
    if not key.strip() or not equals:
        raise ConfigurationError(f"--option {written!r} is not KEY=VALUE, for instance --option min_fill=0.5")
    try:
        parsed = tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        parsed = {}
    # a line feed in the value could begin another key
    return key.strip().replace("-", "_"), parsed["value"] if parsed.keys() == {"value"} else value


def resolved_settings(request: Request) -> dict[str, Resolved]:
    """Decide every setting: arguments beat the environment, that beats the file.

    Raises:
        ConfigurationError: for what the environment or the file holds.
    """
    from spanwise.settings.environment import layer_of_environment  # noqa: PLC0415  --help must not load the engine
    from spanwise.settings.resolve import OPTION, Resolved, resolve  # noqa: PLC0415

    call = {key: Resolved(getattr(request, key), flag) for key, flag in _FLAGS.items()}
    call = {key: value for key, value in call.items() if value.value is not None}
    call.update({f"{OPTION}{key}": Resolved(value, f"--option {key}") for key, value in request.option})
    return resolve(call, layer_of_environment(), *_layers_of_file(request))


def _layers_of_file(request: Request) -> tuple[Mapping[str, Resolved], ...]:
    from spanwise.settings.file import read_settings_file  # noqa: PLC0415

    path = request.settings or SETTINGS_FILE
    if request.settings is None and not Path(path).exists():
        if request.collection is not None:
            raise ConfigurationError(
                f"--collection {request.collection!r} needs a settings file, and there is no {path} here;"
                " name it with --settings FILE"
            )
        return ()
    file = read_settings_file(path)
    if request.collection is None:
        return file.layers(None)
    if request.collection not in file.collections:
        # stricter than ChunkerRegistry, which falls back to [default]: here the name was typed by hand
        known = ", ".join(sorted(file.collections)) or "none"
        hint = near(request.collection, file.collections) or "."
        raise ConfigurationError(f"{file.name}: no collection {request.collection!r}{hint} Known: {known}.")
    return file.layers(request.collection)


def chunker_of(resolved: Mapping[str, Resolved]) -> Chunker:
    """Make the chunker; where settings contradict each other, say which of them were not typed just now.

    Raises:
        ConfigurationError: for settings that cannot work.
    """
    from spanwise.settings.resolve import spec_of  # noqa: PLC0415
    from spanwise.strategies.chunker import Chunker  # noqa: PLC0415

    try:
        return Chunker.from_spec(spec_of(resolved))
    except ConfigurationError as error:
        elsewhere = [
            f"{key} {resolved[key].value} is set by {resolved[key].source}"
            for keys in _TOGETHER
            for key in keys
            if any(f"{name}=" in str(error) for name in keys) and resolved[key].source not in {"default", _FLAGS[key]}
        ]
        if not elsewhere:
            raise
        raise ConfigurationError("; ".join([str(error), *elsewhere])) from error
