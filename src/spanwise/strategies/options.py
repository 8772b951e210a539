"""Is the value of an option what the strategy takes?"""

from __future__ import annotations

from spanwise.errors import ConfigurationError, shown

__all__ = ["check_language", "check_share", "check_switch", "check_whole"]


def check_share(name: str, value: object) -> None:
    """Check that an option is a share between 0 and 1."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise ConfigurationError(f"{name} must be a number between 0 and 1, got {shown(value)}")


def check_switch(name: str, value: object) -> None:
    """Check that an option is true or false; a word such as "no" would count as true."""
    if not isinstance(value, bool):
        raise ConfigurationError(f"{name} must be True or False, got {shown(value)}")


def check_whole(name: str, value: object, least: int) -> None:
    """Check that an option is a whole number of at least so much."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ConfigurationError(f"{name} must be a whole number of at least {least}, got {shown(value)}")


def check_language(name: str, value: object) -> None:
    """Check that an option can be the code of a language."""
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationError(f"{name} must be the code of a language such as 'en' or 'de', got {shown(value)}")
