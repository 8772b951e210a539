"""Which of several settings holds, and where did it come from?

Sources are given from strong to weak: the call, the environment, the collection's table in the file, the file's
`[default]`. Each key is decided alone, with three rules for keys that mean nothing without each other:

1. *Budget.* A source that sets `max_tokens` or `max_characters` replaces both of every weaker source. Asking for
   800 characters where the file says 512 tokens means 800 characters, not both limits at once.
2. *Overlap.* The same for `overlap_tokens` and `overlap_characters`. And a source that sets the budget in one unit
   alone also replaces weaker overlaps in the other unit: they were chosen for a budget that no longer holds.
3. *Options* belong to a strategy. Where a stronger source names another strategy, options of weaker sources that were
   meant for theirs are left out.

Two sizes in one source both hold: they were written side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

import msgspec

from spanwise.errors import ConfigurationError
from spanwise.strategies.registry import build_strategy, canonical_name, strategies
from spanwise.strategies.spec import ChunkingSpec

if TYPE_CHECKING:
    from spanwise.strategies.registry import Build

__all__ = ["OPTION", "Layer", "Resolved", "layer_of_call", "layer_of_spec", "placed", "resolve", "spec_of"]

_Error = TypeVar("_Error", bound=ConfigurationError)

OPTION = "options."
"""Strategy options stand in a layer as `options.NAME`, so that each has a source of its own."""

_BUDGETS = frozenset({"max_tokens", "max_characters"})
_OVERLAPS = frozenset({"overlap_tokens", "overlap_characters"})


class Resolved(msgspec.Struct, frozen=True):
    """A value and where it came from: "call", "SPANWISE_MAX_TOKENS", "spanwise.toml [default] trim", "default"."""

    value: object
    source: str


Layer: TypeAlias = Mapping[str, Resolved]
"""What one source sets, by the names of the fields of `ChunkingSpec`, and `options.NAME`."""


def layer_of_call(values: Mapping[str, object], source: str = "call") -> dict[str, Resolved]:
    """Make a layer of arguments; None means that the caller did not say.

    Examples:
        >>> layer_of_call({"max_tokens": 256, "trim": None, "options": {"min_fill": 0.5}})
        {'max_tokens': Resolved(value=256, source='call'), 'options.min_fill': Resolved(value=0.5, source='call')}
    """
    layer: dict[str, Resolved] = {}
    for key, value in values.items():
        if key == "options":
            options = cast("Mapping[str, object]", value or {})
            layer.update({f"{OPTION}{name}": Resolved(choice, source) for name, choice in options.items()})
        elif value is not None:
            layer[key] = Resolved(value, source)
    return layer


def layer_of_spec(spec: ChunkingSpec, source: str = "default") -> dict[str, Resolved]:
    """Make a layer of a spec: what differs from `ChunkingSpec()`."""
    plain = ChunkingSpec()
    given = {key: getattr(spec, key) for key in spec.__struct_fields__}
    return layer_of_call({key: value for key, value in given.items() if value != getattr(plain, key)}, source)


def resolve(*layers: Layer) -> dict[str, Resolved]:
    """Decide every key by the strongest source that sets it; the layers go from strong to weak.

    Keys that no source sets stand with their default and the source "default".

    Examples:
        >>> file = layer_of_call({"max_tokens": 512, "overlap_tokens": 64}, "spanwise.toml [default]")
        >>> values = resolve(layer_of_call({"max_characters": 800}), file)
        >>> values["max_characters"], values["max_tokens"], values["overlap_tokens"].value
        (Resolved(value=800, source='call'), Resolved(value=None, source='default'), 0)
    """
    resolved: dict[str, Resolved] = {}
    settled: set[str] = set()
    for layer, keeps_options in zip(layers, _options_fit(layers), strict=True):
        for key, value in layer.items():
            if key not in resolved and key not in settled and (keeps_options or not key.startswith(OPTION)):
                resolved[key] = value
        settled |= _settled_by(layer)
    plain = ChunkingSpec()
    fields = [key for key in plain.__struct_fields__ if key != "options"]
    in_order = {key: resolved.pop(key, Resolved(getattr(plain, key), "default")) for key in fields}
    return in_order | resolved


def _settled_by(layer: Layer) -> set[str]:
    """Name the sizes of weaker sources that a layer replaces (rules 1 and 2)."""
    settled: set[str] = set()
    budgets = _BUDGETS & layer.keys()
    if budgets:
        settled |= _BUDGETS
    if len(budgets) == 1:
        settled.add("overlap_characters" if "max_tokens" in budgets else "overlap_tokens")
    if _OVERLAPS & layer.keys():
        settled |= _OVERLAPS
    return settled


def _options_fit(layers: tuple[Layer, ...]) -> list[bool]:
    """Say for each layer whether its options were meant for the strategy that holds (rule 3)."""
    strategy, meant = ChunkingSpec().strategy, []
    for layer in reversed(layers):
        if "strategy" in layer:
            strategy = str(layer["strategy"].value)
        meant.append(strategy)
    return [_same_strategy(name, strategy) for name in reversed(meant)]


def _same_strategy(name: str, other: str) -> bool:
    written, other_written = canonical_name(name), canonical_name(other)
    if written == other_written:
        return True
    names = {alias: info.name for info in strategies() for alias in info.aliases}
    return names.get(written, written) == names.get(other_written, other_written)


def spec_of(resolved: Layer, builders: Mapping[str, Build] | None = None, place: str = "") -> ChunkingSpec:
    """Make the spec of resolved values, and refuse at once a strategy or an option that cannot be.

    Nothing heavy is loaded for that. `builders` are strategies known to one registry alone; `place` is where the
    settings stand, for messages about more than one of them.

    Raises:
        UnknownStrategyError: at the place where the name was written.
        ConfigurationError: an option that the strategy does not have or take, at the place where it was written;
            values that contradict each other.
    """
    fields = {key: value.value for key, value in resolved.items() if not key.startswith(OPTION)}
    options = {key.removeprefix(OPTION): value.value for key, value in resolved.items() if key.startswith(OPTION)}
    try:
        spec = ChunkingSpec(**fields, options=options)  # type: ignore[arg-type]
    except ConfigurationError as error:
        raise placed(error, place) from error
    try:
        build_strategy(spec, builders)
    except ConfigurationError as error:
        raise placed(error, _culprit(error, spec, resolved, builders)) from error
    return spec


def _culprit(
    error: ConfigurationError, spec: ChunkingSpec, resolved: Layer, builders: Mapping[str, Build] | None
) -> str:
    """Find the setting that a strategy refuses: the option that alone is refused with the same words."""
    strategy = resolved["strategy"].source
    trials: dict[str, dict[str, object]] = {strategy: {}}
    trials |= {resolved[f"{OPTION}{name}"].source: {name: value} for name, value in spec.options.items()}
    for source, options in trials.items():
        try:
            build_strategy(msgspec.structs.replace(spec, options=options), builders)
        except ConfigurationError as alone:
            if str(alone) == str(error):
                return source
    return strategy


def placed(error: _Error, place: str) -> _Error:
    """Put the place in front of a message; class and attributes stay, so that callers can still tell errors apart.

    Examples:
        >>> placed(ConfigurationError("max_tokens must be a whole number"), "spanwise.toml [default]")
        ConfigurationError('spanwise.toml [default]: max_tokens must be a whole number')
    """
    if not place:
        return error
    copy = type(error).__new__(type(error), f"{place}: {error}")
    copy.__dict__.update(error.__dict__)
    copy.args = (f"{place}: {error}",)
    return copy
