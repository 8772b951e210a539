"""The frozen choices for one collection of documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from spanwise.documents import Metadata, frozen_options
from spanwise.errors import ConfigurationError, near, shown
from spanwise.formats.reading import AUTO, check_structure
from spanwise.packing.budget import Budget, Overflow, check_size

if TYPE_CHECKING:
    from os import PathLike

    from spanwise.counting import Counter

    CounterSource = str | PathLike[str] | Counter | Callable[[str], int]

__all__ = ["Blank", "ChunkingSpec", "Context"]

Blank = Literal["drop", "keep"]
Context = Literal["none", "section", "table", "both"]
_CONTEXTS = ("none", "section", "table", "both")


class ChunkingSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a collection is chunked: strategy, budget, counter and what happens at the edges.

    `options` are those of the strategy, frozen: lists become tuples. Neither `max_tokens` nor `max_characters` means
    512 tokens. Without a counter, tokens are those of cl100k_base, or characters where only characters are asked for.

    `ceiling` is the most tokens that the embedder reads; chunks whose `index_text` has `warn_at` (0.9375 by default) of
    it or more are told of by a `CeilingWarning`. No boundary depends on it. `ceiling_counter` is the embedder's own
    counter, by default the chunker's; a setting of its own, so that a file, a variable and the command can name it as
    they name `counter`. A tokenizer is asked how many special tokens its model adds, since they count too.

    Raises:
        ConfigurationError: a value of the wrong kind, or sizes that contradict each other.

    >>> ChunkingSpec(strategy="sentences", max_tokens=256, overlap_tokens=32).trim
    False
    """

    strategy: str = "structural"
    options: Mapping[str, object] = Metadata()
    max_tokens: int | None = None
    max_characters: int | None = None
    overlap_tokens: int = 0
    overlap_characters: int = 0
    counter: object = None  # a CounterSource; `counting.counter` says what it may be
    special_tokens: int | bool = 0
    overflow: Overflow = Overflow.REFUSE
    trim: bool = False
    blank: Blank = "drop"
    structure: object = AUTO  # a StructureSource; `formats.reading` says what it may be
    context: Context = "none"
    ceiling: int | None = None
    warn_at: float | None = None
    ceiling_counter: object = None  # a CounterSource

    def __post_init__(self) -> None:
        if not isinstance(self.strategy, str):
            raise ConfigurationError(f"strategy must be a name in a spec, got {shown(self.strategy)}")
        if not isinstance(self.options, Mapping):
            raise ConfigurationError(f"options must be a table of names and values, got {shown(self.options)}")
        msgspec.structs.force_setattr(self, "options", frozen_options(self.options))
        msgspec.structs.force_setattr(self, "overflow", checked_overflow(self.overflow))
        check_edges(self.trim, self.blank)
        check_structure(self.structure)
        _check_context(self.context)
        _check_ceiling(self)
        _ = self.budget

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> ChunkingSpec:
        """Read the choices from `SPANWISE_STRATEGY`, `SPANWISE_MAX_TOKENS` and so on; what is not set has its default.

        Raises:
            ConfigurationError: a variable of that prefix that nothing knows, or a value of the wrong kind.

        >>> ChunkingSpec.from_environment({"SPANWISE_MAX_TOKENS": "256"}).max_tokens
        256
        """
        from spanwise.settings.environment import spec_from_environment  # noqa: PLC0415  settings are a floor above

        return spec_from_environment(environment)

    @property
    def budget(self) -> Budget:
        """The sizes, checked against each other."""
        return Budget(
            max_tokens=self.max_tokens,
            max_characters=self.max_characters,
            overlap_tokens=self.overlap_tokens,
            overlap_characters=self.overlap_characters,
        )


def checked_overflow(value: object) -> Overflow:
    """Take an `Overflow` or its name."""
    try:
        return Overflow(str(value))
    except ValueError:
        raise ConfigurationError(f"overflow must be 'refuse' or 'split', got {shown(value)}") from None


def _check_context(context: object) -> None:
    if context not in _CONTEXTS:
        hint = near(context, _CONTEXTS) if isinstance(context, str) else ""
        raise ConfigurationError(f"context must be 'none', 'section', 'table' or 'both', got {shown(context)}{hint}")


def _check_ceiling(spec: ChunkingSpec) -> None:
    if spec.ceiling is None:
        for name in ("warn_at", "ceiling_counter"):
            value = getattr(spec, name)
            if value is not None:
                raise ConfigurationError(
                    f"{name}={shown(value)} says nothing without a ceiling: set ceiling to the most tokens that the "
                    "embedder reads, for instance 512"
                )
        return
    check_size("ceiling", spec.ceiling, 1)
    share: object = spec.warn_at
    if share is None:
        return
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share <= 1:
        raise ConfigurationError(
            f"warn_at must be a share of the ceiling over 0 and at most 1, for instance 0.94, got {shown(share)}"
        )


def check_edges(trim: object, blank: object) -> None:
    """Check the two choices about white space."""
    if not isinstance(trim, bool):
        raise ConfigurationError(f"trim must be true or false, got {shown(trim)}")
    if blank not in ("drop", "keep"):
        raise ConfigurationError(f"blank must be 'drop' or 'keep', got {shown(blank)}")
