"""Which chunker does a collection have?"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import msgspec

from spanwise.errors import ConfigurationError, near, shown
from spanwise.settings.environment import layer_of_environment
from spanwise.settings.file import read_settings_file
from spanwise.settings.resolve import placed, resolve, spec_of
from spanwise.strategies.chunker import Chunker
from spanwise.strategies.registry import canonical_name, check_registration
from spanwise.strategies.spec import ChunkingSpec

if TYPE_CHECKING:
    import os

    from spanwise.counting.counter import Counter
    from spanwise.settings.file import SettingsFile
    from spanwise.strategies.registry import Build

__all__ = ["ChunkerRegistry"]


class ChunkerRegistry:
    """The chunkers of an application, by collection: documents of one collection are chunked alike.

    `default` is for collections that are not listed; without it they are an error. `counter` is the counter of every
    spec that names none. A chunker is made when it is first asked for, and kept.

    Raises:
        ConfigurationError: `collections` is no mapping of names to specs, or `default` is no spec.

    Examples:
        >>> from spanwise.strategies.spec import ChunkingSpec
        >>> chunkers = ChunkerRegistry({"notes": ChunkingSpec(strategy="sentences", max_tokens=128)})
        >>> chunkers.chunker_for("notes").budget.max_tokens
        128
    """

    def __init__(
        self,
        collections: Mapping[str, ChunkingSpec],
        *,
        default: ChunkingSpec | None = None,
        counter: str | Counter | None = None,
    ) -> None:
        _check_collections(collections)
        self._collections = {name: _counted(spec, counter) for name, spec in collections.items()}
        if default is not None:
            _check_spec("default", default)
        self._default = None if default is None else _counted(default, counter)
        self._builders: dict[str, Build] = {}
        self._chunkers: dict[str | None, Chunker] = {}
        self._file: SettingsFile | None = None

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        counter: str | Counter | None = None,
        builders: Mapping[str, Build] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Self:
        """Read the collections of a `spanwise.toml`; each inherits from `[default]` key by key.

        The file is checked as it is read, so strategies of your own that it names are given as `builders`. The
        environment is read only when it is given (`environment=os.environ`); then it beats the file.

        Raises:
            ConfigurationError: naming file, table, key and value, and the nearest known name.
        """
        file = read_settings_file(path)
        stronger = {} if environment is None else layer_of_environment(environment)
        own = {canonical_name(name): build for name, build in (builders or {}).items()}
        specs: dict[str | None, ChunkingSpec] = {}
        for name in (None, *file.collections):
            resolved = resolve(stronger, *file.layers(name))
            specs[name] = spec_of(resolved, own, file.place(name))
        default = specs.pop(None)
        registry = cls(
            {name: spec for name, spec in specs.items() if name is not None},
            default=default if file.default is not None else None,
            counter=counter,
        )
        registry._file = file
        for name, build in (builders or {}).items():
            registry.register(name, build)
        return registry

    @property
    def collections(self) -> Mapping[str, ChunkingSpec]:
        """The spec of each listed collection."""
        return MappingProxyType(self._collections)

    def register(self, name: str, build: Build) -> None:
        """Give this registry a strategy of its own, or another for a name that exists; others do not see it."""
        check_registration(name, build)
        self._builders[canonical_name(name)] = build
        self._chunkers.clear()

    def chunker_for(self, collection: str) -> Chunker:
        """Give the chunker of a collection, the same object at each call.

        Raises:
            ConfigurationError: for a collection that is not listed where there is no default, with the nearest name;
                for settings that cannot work, with the collection they belong to.
        """
        if not isinstance(collection, str):
            raise ConfigurationError(f"a collection is named by a string, got {shown(collection)}")
        # every collection that is not listed shares one chunker, so the store has a bound
        key = collection if collection in self._collections else None
        if key not in self._chunkers:
            spec = self._spec(collection)
            try:
                self._chunkers.setdefault(key, Chunker.from_spec(spec, self._builders))
            except ConfigurationError as error:
                raise placed(error, self._place(key)) from error
        return self._chunkers[key]

    def _spec(self, collection: str) -> ChunkingSpec:
        spec = self._collections.get(collection, self._default)
        if spec is None:
            known = ", ".join(sorted(self._collections)) or "none"
            hint = near(collection, self._collections) or "."
            raise ConfigurationError(f"no settings for collection {collection!r}, and no default{hint} Known: {known}.")
        return spec

    def _place(self, collection: str | None) -> str:
        if self._file is not None:
            return self._file.place(collection)
        return "the default" if collection is None else f"collection {collection!r}"


def _check_collections(collections: object) -> None:
    if not isinstance(collections, Mapping):
        raise ConfigurationError(
            f"collections must be a mapping of names to ChunkingSpec, got {shown(collections)};"
            " for a settings file use ChunkerRegistry.from_file"
        )
    for name, spec in collections.items():
        if not isinstance(name, str):
            raise ConfigurationError(f"a collection is named by a string, got {shown(name)}")
        _check_spec(f"collection {name!r}", spec)


def _check_spec(what: str, spec: object) -> None:
    if not isinstance(spec, ChunkingSpec):
        raise ConfigurationError(f"{what} must be a ChunkingSpec, got {shown(spec)}")


def _counted(spec: ChunkingSpec, counter: str | Counter | None) -> ChunkingSpec:
    return msgspec.structs.replace(spec, counter=counter) if spec.counter is None else spec
