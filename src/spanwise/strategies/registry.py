"""Names to strategies: built in, from entry points, and your own."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, cast

import msgspec

from spanwise.errors import ConfigurationError, UnknownStrategyError, near, shown
from spanwise.strategies.strategy import Strategy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from spanwise.strategies.spec import ChunkingSpec

    Build = Callable[[ChunkingSpec], Strategy]

__all__ = ["StrategyInfo", "build_strategy", "canonical_name", "register", "strategies"]

ENTRY_POINTS = "spanwise.strategies"

_BUILT_IN = {  # name: (module and class, aliases)
    "characters": ("characters:Characters", ("character",)),
    "tokens": ("tokens:Tokens", ("token",)),
    "words": ("words:Words", ("word", "fixed")),
    "lines": ("lines:Lines", ("line",)),
    "sentences": ("sentences:Sentences", ("sentence",)),
    "paragraphs": ("paragraphs:Paragraphs", ("paragraph",)),
    "delimiter": ("delimiter:Delimiter", ()),
    "recursive": ("recursive:Recursive", ("recursive-character", "token-based")),
    "structural": ("structural:Structural", ("structure",)),
    "sections": ("sections:Sections", ("section", "markdown", "markdown-aware")),
    "code": ("code:Code", ("code-blocks", "code-aware")),
    "hybrid": ("hybrid:Hybrid", ()),
    "semantic": ("semantic:Semantic", ()),
    "sentence-window": ("sentence_window:SentenceWindow", ()),
    "docling": ("docling:Docling", ("docling-hybrid",)),
}
_ALIASES = {alias: name for name, (_, aliases) in _BUILT_IN.items() for alias in aliases}
_registered: dict[str, Build] = {}


class StrategyInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What `strategies()` says of one strategy."""

    name: str
    aliases: tuple[str, ...] = ()
    summary: str = ""
    options: Mapping[str, object] = {}
    overlap: bool = True


def canonical_name(name: str) -> str:
    """Give a name as it is registered: lower case, `_` as `-`."""
    return name.strip().lower().replace("_", "-")


def register(name: str, build: Build) -> None:
    r"""Register a strategy under a name, for this process; it replaces a built-in of that name.

    `build` takes the `ChunkingSpec` and gives a `Strategy`. For worker processes, register in a module that they
    import, or by an entry point of the group `spanwise.strategies`.

    Raises:
        ConfigurationError: the name is empty or `build` cannot be called.

    >>> import spanwise
    >>> spanwise.register("short-lines", lambda spec: spanwise.Lines())
    >>> [chunk.text for chunk in spanwise.chunk("a\nb", "short_lines", max_characters=2)]
    ['a\n', 'b']
    """
    check_registration(name, build)
    _registered[canonical_name(name)] = build


def check_registration(name: object, build: object) -> None:
    """Check a name and what is registered under it."""
    if not isinstance(name, str) or not name.strip():
        raise ConfigurationError(f"a strategy's name is a string that is not blank, got {shown(name)}")
    if not callable(build):
        raise ConfigurationError(f"build for {name!r} must be callable with a ChunkingSpec, got {shown(build)}")


def build_strategy(spec: ChunkingSpec, builders: Mapping[str, Build] | None = None) -> Strategy:
    """Make the strategy that a spec names; `builders` come before what is registered for the process.

    Raises:
        UnknownStrategyError: nothing has this name.
        ConfigurationError: an option that the strategy does not have, or a value of the wrong kind.
    """
    name = canonical_name(spec.strategy)
    build = _registered_build(name, builders or {})
    if build is None and name not in _BUILT_IN and name not in _ALIASES:
        build = _from_entry_point(name)
        if build is None:
            raise UnknownStrategyError(
                spec.strategy, {*_BUILT_IN, *_ALIASES, *_registered, *(builders or {}), *_plugins()}
            )
    if build is None:
        return _with_options(_class_of(_ALIASES.get(name, name)), name, spec.options)
    strategy = build(spec)
    if not isinstance(strategy, Strategy):
        raise ConfigurationError(f"the build registered as {name!r} gave {shown(strategy)}, which has no plan()")
    return strategy


def _registered_build(name: str, builders: Mapping[str, Build]) -> Build | None:
    """Give what is registered under a name, or under the name that it is an alias of: an alias follows its name."""
    names = (name, _ALIASES.get(name, name))
    return next((table[each] for table in (builders, _registered) for each in names if each in table), None)


def _class_of(name: str) -> type[Strategy]:
    module, _, cls = _BUILT_IN[name][0].partition(":")
    return cast("type[Strategy]", getattr(import_module(f"spanwise.strategies.{module}"), cls))


def _with_options(cls: type[Strategy], name: str, options: Mapping[str, object]) -> Strategy:
    known = [field.name for field in msgspec.structs.fields(cast("type[msgspec.Struct]", cls))]
    for option in options:
        if option not in known:
            listed = ", ".join(known) or "none"
            hint = near(option, known) or "."
            raise ConfigurationError(f"strategy {name!r} has no option {option!r}{hint} It has {listed}.")
    fields = {field.name: field for field in msgspec.structs.fields(cast("type[msgspec.Struct]", cls))}
    values = {option: _option(name, fields[option], value) for option, value in options.items()}
    return cls(**values)


def _option(strategy: str, field: msgspec.structs.FieldInfo, value: object) -> object:
    if callable(value):
        return value
    try:
        return cast("object", msgspec.convert(value, field.type))
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        problem = error if isinstance(error, msgspec.ValidationError) else "a value has no lone surrogates"
        raise ConfigurationError(
            f"option {field.name!r} of strategy {strategy!r}: {problem}, got {shown(value)}"
        ) from None


def _plugins() -> dict[str, object]:
    from importlib.metadata import entry_points  # noqa: PLC0415  slow, and seldom needed

    return {canonical_name(point.name): point for point in entry_points(group=ENTRY_POINTS)}


def _from_entry_point(name: str) -> Build | None:
    point = _plugins().get(name)
    return cast("Build", point.load()) if point is not None else None  # type: ignore[attr-defined]


def strategies() -> list[StrategyInfo]:
    """List the strategies there are: built in, registered, and from entry points.

    >>> import spanwise
    >>> [info.name for info in spanwise.strategies()][:3]
    ['characters', 'tokens', 'words']
    """
    infos = [_info(name) for name in _BUILT_IN if name not in _registered]
    infos += [
        StrategyInfo(name=name, aliases=_aliases_of(name), summary=_first_line(build))
        for name, build in _registered.items()
    ]
    return infos + [_plugin_info(name) for name in _plugins() if name not in _registered and name not in _BUILT_IN]


def _aliases_of(name: str) -> tuple[str, ...]:
    _, aliases = _BUILT_IN.get(name, ("", ()))
    return tuple(alias for alias in aliases if alias not in _registered)


def _info(name: str) -> StrategyInfo:
    cls = _class_of(name)
    fields = msgspec.structs.fields(cast("type[msgspec.Struct]", cls))
    return StrategyInfo(
        name=name,
        aliases=_aliases_of(name),
        summary=_first_line(cls),
        options={field.name: field.default for field in fields},
        overlap=cls().plan().overlaps,
    )


def _plugin_info(name: str) -> StrategyInfo:
    try:
        summary = _first_line(_from_entry_point(name))
    except Exception as error:  # noqa: BLE001  one broken package must not hide the strategies of all others
        summary = f"cannot be loaded: {type(error).__name__}: {error}"
    return StrategyInfo(name=name, summary=summary)


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]
