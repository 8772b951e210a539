"""What do the environment variables say?

`SPANWISE_` and the name of a field of `ChunkingSpec` in capitals; `SPANWISE_VERBOSITY` is for the command. A variable
that is empty counts as not set. Options of strategies cannot be set here: they would need types.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spanwise.errors import ConfigurationError, near
from spanwise.settings.keys import KINDS, Kind, accepts, from_word, refusal
from spanwise.settings.resolve import Resolved, layer_of_spec, resolve, spec_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanwise.strategies.spec import ChunkingSpec

__all__ = ["VARIABLES", "layer_of_environment", "spec_from_environment", "verbosity_from_environment"]

PREFIX = "SPANWISE_"
VERBOSITY = "SPANWISE_VERBOSITY"
_VERBOSITY_KIND = Kind(int, "0, 1 or 2")

VARIABLES: dict[str, str] = {f"{PREFIX}{key.upper()}": key for key in KINDS if key != "options"}
"""Each variable and the field that it sets."""


def layer_of_environment(environment: Mapping[str, str] | None = None) -> dict[str, Resolved]:
    """Read every variable that sets a field; `environment` is `os.environ` unless it is given.

    Raises:
        ConfigurationError: for a variable that begins with SPANWISE_ and is unknown, with the nearest known one, and
            for a value that the field does not take.

    Examples:
        >>> layer_of_environment({"SPANWISE_MAX_TOKENS": "256", "HOME": "/root"})
        {'max_tokens': Resolved(value=256, source='SPANWISE_MAX_TOKENS')}
    """
    layer: dict[str, Resolved] = {}
    for variable, word in sorted(_ours(environment).items()):
        if variable != VERBOSITY:
            key = VARIABLES[variable]
            layer[key] = Resolved(_read(variable, KINDS[key], word), variable)
    return layer


def verbosity_from_environment(environment: Mapping[str, str] | None = None) -> int:
    """Read how much the command shows: 0 (also where it is not set), 1 or 2.

    Raises:
        ConfigurationError: for anything else.

    Examples:
        >>> verbosity_from_environment({"SPANWISE_VERBOSITY": "2"})
        2
    """
    word = _ours(environment).get(VERBOSITY, "0")
    if word not in {"0", "1", "2"}:
        raise ConfigurationError(f"{VERBOSITY}: {refusal(_VERBOSITY_KIND, word)}")
    return int(word)


def spec_from_environment(
    environment: Mapping[str, str] | None = None, *, default: ChunkingSpec | None = None
) -> ChunkingSpec:
    """Make a spec of the SPANWISE_ variables; what they do not set is taken from `default`.

    A size in one unit replaces the size of `default` in the other (see `spanwise.settings.resolve`).

    Raises:
        ConfigurationError: naming the variable that is unknown or has a wrong value.

    Examples:
        >>> spec = spec_from_environment({"SPANWISE_STRATEGY": "sentences", "SPANWISE_MAX_TOKENS": "256"})
        >>> spec.strategy, spec.max_tokens
        ('sentences', 256)
    """
    weaker = layer_of_spec(default) if default is not None else {}
    resolved = resolve(layer_of_environment(environment), weaker)
    return spec_of(resolved)


def _ours(environment: Mapping[str, str] | None) -> dict[str, str]:
    """Keep the variables of spanwise that are not empty, and refuse those that are not known."""
    given = os.environ if environment is None else environment
    ours = {variable: word.strip() for variable, word in given.items() if variable.startswith(PREFIX)}
    known = [*VARIABLES, VERBOSITY]
    for variable in sorted(ours):
        if variable not in known:
            raise ConfigurationError(
                f"unknown environment variable {variable}{near(variable, known) or '.'} Known: {', '.join(known)}."
            )
    return {variable: word for variable, word in ours.items() if word}


def _read(variable: str, kind: Kind, word: str) -> object:
    value = from_word(kind, word)
    if not accepts(kind, value):
        raise ConfigurationError(f"{variable}: {refusal(kind, word)}")
    return value
