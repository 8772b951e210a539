"""How Docling is called: without what it and its packages print, and with errors that say what is missing."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Final

from spanwise.errors import ConfigurationError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["calling_docling"]

_PACKAGES: Final = {"docling": "docling-slim", "docling_core": "docling-core"}
_LOGGERS: Final = ("docling", "bs4")
_NO_ADVICE: Final = "TRANSFORMERS_NO_ADVISORY_WARNINGS"
_importing = Lock()


@contextmanager
def calling_docling(purpose: str, *modules: str) -> Iterator[None]:
    """Import the named of the packages docling and docling_core, and keep quiet what is called meanwhile.

    Raises:
        MissingExtraError: one of them is not installed.
        ConfigurationError: they are, but something that they import is not, or fails.
    """
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtraError(_PACKAGES[module], "docling", purpose)
    handler = logging.NullHandler()  # what fails is said by an error alone
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headings over the budget, and of Markdown that it mends
            if "docling" in modules:
                _import_quietly()
            yield
    except ImportError as error:
        if isinstance(error, MissingExtraError):
            raise
        raise ConfigurationError(
            f"{purpose} needs Docling, which is installed but fails to import: {type(error).__name__}: {error}; "
            'pip install --upgrade "spanwise[docling]" brings packages that fit one another'
        ) from error
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


def _import_quietly() -> None:
    """Import what brings transformers, if that is installed, which else advises to install PyTorch."""
    if "docling.datamodel.document" in sys.modules:
        return
    with _importing:
        before = os.environ.get(_NO_ADVICE)
        os.environ[_NO_ADVICE] = "1"
        try:
            import docling.datamodel.document  # noqa: F401, PLC0415  an extra, and slow
        finally:
            if before is None:
                del os.environ[_NO_ADVICE]
            else:
                os.environ[_NO_ADVICE] = before
