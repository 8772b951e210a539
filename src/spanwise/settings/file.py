"""What does a settings file say?

`[default]` is what every collection starts from; the keys of both are the fields of `ChunkingSpec`::

    [default]
    max_tokens = 512

    [collections.handbook]
    strategy = "structural"
    options = { min_fill = 0.5 }

    [collections.repo]
    strategy = "lines"
    max_characters = 2000              # replaces the tokens of [default]
    counter = "models/tokenizer.json"  # a relative path starts at the folder of the file
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from spanwise.errors import ConfigurationError, near, shown
from spanwise.settings.keys import KINDS, accepts, refusal
from spanwise.settings.resolve import OPTION, Resolved

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

__all__ = ["SettingsFile", "read_settings_file"]

_TABLES = ("default", "collections")


class SettingsFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a file sets: its `[default]`, and each collection without what it inherits."""

    name: str
    default: Mapping[str, Resolved] | None = None
    collections: Mapping[str, Mapping[str, Resolved]] = {}

    def layers(self, collection: str | None) -> tuple[Mapping[str, Resolved], ...]:
        """Give the layers of a collection, the strong one first; None stands for the default alone."""
        own = () if collection is None else (self.collections[collection],)
        return *own, self.default or {}

    def place(self, collection: str | None) -> str:
        """Say where the settings of a collection stand, for messages."""
        return f"{self.name} [{_table_name(collection)}]"


def read_settings_file(path: str | os.PathLike[str]) -> SettingsFile:
    """Read `spanwise.toml`, and refuse what is not understood rather than leave it unheard.

    Raises:
        ConfigurationError: for a file that cannot be read or is not TOML (with line and column), for tables and keys
            that are unknown and values of a wrong type, with file, table, key, value and the nearest known name.
    """
    file = Path(path)
    content = _parsed(file)
    _check_known(str(file), "table", content, _TABLES)
    collections = _table(content.get("collections", {}), f"{file} [collections]")
    return SettingsFile(
        name=str(file),
        default=_layer(content["default"], file, None) if "default" in content else None,
        collections={name: _layer(table, file, name) for name, table in collections.items()},
    )


def _parsed(file: Path) -> dict[str, object]:
    try:
        # a byte order mark is what Windows editors write; TOML itself knows none
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot read the settings file: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{file}: not UTF-8 at byte {error.start}; save the file as UTF-8") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file}: not TOML: {_with_place(str(error), text)}") from error
    except RecursionError as error:
        raise ConfigurationError(f"{file}: its arrays or tables are too deep in one another to be read") from error
    except ValueError as error:  # a number of more digits than Python reads
        raise ConfigurationError(f"{file}: not read: {error}") from error


def _with_place(message: str, text: str) -> str:
    """Give line and column also where tomllib says only that the document ended."""
    lines = text.split("\n")
    end = f"(at line {len(lines)}, column {len(lines[-1]) + 1})"
    return message.replace("(at end of document)", end)


def _layer(table: object, file: Path, collection: str | None) -> dict[str, Resolved]:
    place = f"{file} [{_table_name(collection)}]"
    layer: dict[str, Resolved] = {}
    entries = _table(table, place)
    _check_known(place, "key", entries, tuple(KINDS))
    for key, value in entries.items():
        if not accepts(KINDS[key], value):
            raise ConfigurationError(f"{place} {key}: {refusal(KINDS[key], value)}")
        if key == "options":
            options = _table(value, place)
            layer.update({f"{OPTION}{o}": Resolved(v, f"{place} {OPTION}{o}") for o, v in options.items()})
        else:
            layer[key] = Resolved(_from_folder(key, value, file), f"{place} {key}")
    return layer


def _table(value: object, place: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ConfigurationError(f"{place}: {shown(value)} is not a table")
    return value


def _check_known(place: str, what: str, given: Mapping[str, object], known: tuple[str, ...]) -> None:
    for key, value in given.items():
        if key not in known:
            misplaced = "; it belongs into [default] or a collection." if key in KINDS else "."
            assigned = f"{key} = {shown(value)}" if what == "key" else repr(key)
            hint = near(key, known) or misplaced
            raise ConfigurationError(f"{place}: unknown {what} {assigned}{hint} Known: {', '.join(known)}.")


def _from_folder(key: str, value: object, file: Path) -> object:
    """Let a relative path of a tokenizer start at the folder of the file, wherever the program runs."""
    if key in {"counter", "ceiling_counter"} and isinstance(value, str) and value.endswith(".json"):
        return str(file.parent / value)
    return value


def _table_name(collection: str | None) -> str:
    """Write the name of a collection's table as TOML has it."""
    if collection is None:
        return "default"
    bare = collection.replace("-", "a").replace("_", "a")
    return f"collections.{collection}" if bare.isascii() and bare.isalnum() else f'collections."{collection}"'
