"""How large may a chunk be, and what happens to a word that is larger?"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from spanwise.errors import BudgetError, ConfigurationError, shown

__all__ = ["Budget", "Overflow", "check_size"]

_DEFAULT_TOKENS = 512


class Overflow(StrEnum):
    """What to do with a word that alone is over the budget."""

    REFUSE = "refuse"
    """Raise a `ChunkingError` that names the document and the place."""
    SPLIT = "split"
    """Cut it between characters."""


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """The most a chunk may hold, in tokens, in characters (code points), or both; and how much it may repeat.

    Neither given means 512 tokens.

    Raises:
        ConfigurationError: a size is no whole number, or below its least.
        BudgetError: an overlap is not smaller than the budget in its unit.

    >>> Budget(max_characters=800, overlap_characters=100).max_tokens is None
    True
    """

    max_tokens: int | None = None
    max_characters: int | None = None
    overlap_tokens: int = 0
    overlap_characters: int = 0

    def __post_init__(self) -> None:
        if self.max_tokens is None and self.max_characters is None:
            msgspec.structs.force_setattr(self, "max_tokens", _DEFAULT_TOKENS)
        for name, least in (("max_tokens", 1), ("max_characters", 1), ("overlap_tokens", 0), ("overlap_characters", 0)):
            check_size(name, getattr(self, name), least)
        for unit in ("tokens", "characters"):
            most, overlap = getattr(self, f"max_{unit}"), getattr(self, f"overlap_{unit}")
            if most is not None and overlap >= most:
                raise BudgetError(
                    f"overlap_{unit}={overlap} is not smaller than max_{unit}={most}: a chunk could hold nothing new; "
                    f"ask for at most {most - 1}"
                )

    @property
    def overlaps(self) -> bool:
        """Whether chunks may repeat the end of the one before."""
        return bool(self.overlap_tokens or self.overlap_characters)


def check_size(name: str, value: object, least: int) -> None:
    """Check that a size is a whole number of at least `least`, or None."""
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise ConfigurationError(f"{name} must be a whole number, got {shown(value)}")
    if value < least:
        raise (BudgetError if least else ConfigurationError)(f"{name}={value} is less than {least}")
