"""Every error that spanwise raises.

    SpanwiseError
    ├── ConfigurationError (ValueError)      a choice that cannot work
    │   ├── UnknownStrategyError (KeyError)  a strategy name that is not registered
    │   └── BudgetError                      a budget that cannot hold even one code point, or its overlap
    ├── DocumentError (ValueError)           a file that is not readable text
    ├── SpanError (ValueError)               a span that does not describe its text, or a gap between spans
    ├── ChunkingError (ValueError)           a document that cannot be chunked within the budget
    ├── CounterError (RuntimeError)          a counter that failed or answered nonsense
    ├── EmbedderError (RuntimeError)         an embedder that failed or answered nonsense
    ├── WorkerError (RuntimeError)           a worker process that died
    └── MissingExtraError (ImportError)      an optional package that is not installed

Messages show the value, the place and the repair.

What is done otherwise than asked, but within all promises, is a `CodeWarning`, and chunks that come near what an
embedder reads are a `CeilingWarning` (both UserWarning).
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class SpanwiseError(Exception):
    """The base of everything that spanwise raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:  # errors cross process borders, whatever their constructors take
        return _rebuilt, (type(self), self.args, vars(self))


def _rebuilt(kind: type[SpanwiseError], args: tuple[object, ...], attributes: dict[str, object]) -> SpanwiseError:
    error = kind.__new__(kind, *args)
    super(SpanwiseError, error).__init__(*args)  # the built-in's own: ImportError keeps its message apart
    vars(error).update(attributes)
    return error


class ConfigurationError(SpanwiseError, ValueError):
    """A choice that cannot work: an unknown key, a wrong type, settings that contradict each other."""


class UnknownStrategyError(ConfigurationError, KeyError):
    """A strategy name that nothing is registered under; lists the known names, the nearest first."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = sorted(known)
        super().__init__(f"unknown strategy {name!r}{near(name, self.known) or '.'} Known: {', '.join(self.known)}.")

    def __str__(self) -> str:  # KeyError would show the repr of the message
        return str(self.args[0])


class BudgetError(ConfigurationError):
    """A budget that cannot be kept: one code point alone is over it, or the overlap is not smaller."""


class DocumentError(SpanwiseError, ValueError):
    """A file that cannot be read as text."""


class SpanError(SpanwiseError, ValueError):
    """A span that does not describe its text, or spans that leave a gap."""


class ChunkingError(SpanwiseError, ValueError):
    """A document holds a word that is over the budget.

    `document_id`, `start` and `end` (code points) name the place.
    """

    def __init__(self, message: str, *, document_id: str, start: int, end: int) -> None:
        self.document_id = document_id
        self.start = start
        self.end = end
        super().__init__(message)


class CounterError(SpanwiseError, RuntimeError):
    """A counter raised, or gave something that is not a whole number of at least 0."""


class EmbedderError(SpanwiseError, RuntimeError):
    """An embedder raised, or gave something that is not one vector for each text; `document_id` names the document."""

    def __init__(self, message: str, *, document_id: str) -> None:
        self.document_id = document_id
        super().__init__(message)


class WorkerError(SpanwiseError, RuntimeError):
    """A worker process died while it chunked a document alone; `document_id` names it."""

    def __init__(self, message: str, *, document_id: str) -> None:
        self.document_id = document_id
        super().__init__(message)


class MissingExtraError(SpanwiseError, ImportError):
    """A package is needed that comes with an extra; the message says what to install."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        self.package = package
        self.extra = extra
        self.purpose = purpose
        super().__init__(f'{purpose} needs the package {package!r}: pip install "spanwise[{extra}]"')


class CodeWarning(UserWarning):
    """Source code is cut without its syntax: no grammar is installed, or the text is no program."""


class CeilingWarning(UserWarning):
    """Chunks of a document come near the most tokens that the embedder reads, or are over it; once per document.

    `near` and `over` say how many do; `tokens` of `ceiling` are those of the largest, whose place `index`, `start` and
    `end` (code points) name. `setting` is what to lower, and `fitting`, if it is known, to which value;
    that is an estimate where `exact` is given: the `max_tokens` that are sure to do with the counter of the ceiling.

    >>> import spanwise, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     chunks = spanwise.chunk("It moves much water. " * 4, "words", max_tokens=9, ceiling=9)
    >>> caught[0].message.tokens, caught[0].message.setting, caught[0].message.fitting
    (9, 'max_tokens', 8)
    """

    def __init__(
        self,
        message: str,
        *,
        document_id: str = "",
        near: int = 0,
        over: int = 0,
        tokens: int = 0,
        ceiling: int = 0,
        index: int = 0,
        start: int = 0,
        end: int = 0,
        setting: str = "max_tokens",
        fitting: int | None = None,
        exact: int | None = None,
    ) -> None:
        self.document_id = document_id
        self.near = near
        self.over = over
        self.tokens = tokens
        self.ceiling = ceiling
        self.index = index
        self.start = start
        self.end = end
        self.setting = setting
        self.fitting = fitting
        self.exact = exact
        super().__init__(message)


def near(word: str, known: Iterable[str]) -> str:
    """Say which known words are close to `word`, as the end of a sentence, or nothing.

    What follows begins a new sentence: `f"no {word!r}{near(word, known) or '.'} Known: …"`.
    """
    matches = get_close_matches(word, list(known), n=2, cutoff=0.6)
    return f", did you mean {' or '.join(repr(match) for match in matches)}?" if matches else ""


def shown(value: object, most: int = 60) -> str:
    """The repr of a value, shortened in the middle of long ones so that messages stay readable."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # too deep, or a number of more digits than Python writes
        text = f"<{type(value).__name__} too large to show>"
    return text if len(text) <= most else f"{text[: most - 20]}…{text[-15:]}"
