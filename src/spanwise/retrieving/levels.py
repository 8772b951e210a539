"""The same document chunked at nested sizes: small inside middle inside large."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from spanwise.documents import Document
from spanwise.errors import BudgetError, ConfigurationError, shown
from spanwise.formats.reading import AUTO
from spanwise.packing.budget import Overflow
from spanwise.retrieving.given import listed, python_number
from spanwise.strategies.chunker import Chunker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanwise.chunks import Chunk
    from spanwise.formats.reading import StructureSource
    from spanwise.strategies.spec import Blank, Context, CounterSource
    from spanwise.strategies.strategy import Strategy

__all__ = ["chunk_levels"]

_DEFAULT_TOKENS = (100, 200, 400)


def chunk_levels(
    document: Document | str,
    strategy: str | type[Strategy] | Strategy = "structural",
    *,
    max_tokens: Iterable[int] | None = None,
    max_characters: Iterable[int] | None = None,
    counter: CounterSource | None = None,
    special_tokens: int | bool = 0,
    overflow: Overflow | str = Overflow.REFUSE,
    trim: bool = False,
    blank: Blank = "drop",
    structure: StructureSource = AUTO,
    context: Context = "none",
) -> tuple[list[Chunk], ...]:
    """Chunk one document at nested sizes: each small chunk lies inside one larger chunk, its `parent_id`.

    Gives one list for each size, the smallest first. Search the small chunks, which say one thing each, and let
    `fuse_levels` weigh in how well their surroundings match; or hand the parent to the model that reads.

    `max_tokens` or `max_characters` are the sizes, strictly ascending, in a list, a range or an array; both, if both
    are to hold. Neither means 100, 200 and 400 tokens. The other options are those of `Chunker`; there is no overlap,
    since no chunk that repeats another one lies inside a single larger one. The largest chunks are those of `Chunker`,
    and every level covers the document and keeps every promise. The place of a level, 0 for the smallest, is part of
    its ids, so that a text which is a chunk at several sizes has an id at each.

    Raises:
        BudgetError: sizes that do not ascend.
        ConfigurationError: fewer than two sizes, not as many in tokens as in characters, or a choice that cannot work.
        ChunkingError: a word is over the smallest budget and `Overflow.SPLIT` was not asked for.

    >>> import spanwise
    >>> small, large = spanwise.chunk_levels("It moves water. It has one motor.", max_tokens=(5, 16))
    >>> [chunk.text for chunk in small], [chunk.text for chunk in large]
    (['It moves water. ', 'It has one motor.'], ['It moves water. It has one motor.'])
    >>> [chunk.parent_id == large[0].id for chunk in small]
    [True, True]
    """
    document = document if isinstance(document, Document) else Document(text=document)
    sizes = _sizes(max_tokens, max_characters)
    levels: list[list[Chunk]] = []
    for level, (tokens, characters) in reversed(list(enumerate(sizes))):
        chunker = Chunker(
            strategy,
            max_tokens=tokens,
            max_characters=characters,
            counter=counter,
            special_tokens=special_tokens,
            overflow=overflow,
            trim=trim,
            blank=blank,
            structure=structure,
            context=context,
        )
        counter, special_tokens = chunker.counter, 0  # a tokenizer is loaded once
        levels.append(chunker.chunk_within(document, levels[-1] if levels else None, level=level))
    return tuple(reversed(levels))


def _sizes(max_tokens: object, max_characters: object) -> list[tuple[int | None, int | None]]:
    """Pair the budgets of the levels, the smallest first."""
    if max_tokens is None and max_characters is None:
        max_tokens = _DEFAULT_TOKENS
    tokens = _ascending("max_tokens", max_tokens)
    characters = _ascending("max_characters", max_characters)
    if tokens and characters and len(tokens) != len(characters):
        raise ConfigurationError(
            f"max_tokens={tokens} and max_characters={characters} are not as many: give both for each level"
        )
    count = len(tokens or characters)
    return list(zip(tokens or [None] * count, characters or [None] * count, strict=True))


def _ascending(name: str, sizes: object) -> tuple[int, ...]:
    if sizes is None:
        return ()
    what = f"sizes such as {_DEFAULT_TOKENS}, the smallest first"
    numbers = [python_number(size) for size in listed(name, sizes, what)]
    given = tuple(size for size in numbers if isinstance(size, int))
    if len(given) < len(numbers):
        raise ConfigurationError(f"{name} must be {what}, got {shown(sizes)}")
    if len(given) < 2:
        raise ConfigurationError(f"{name}={given} is no nesting: give at least two sizes; for one size take Chunker")
    for small, large in pairwise(given):
        if small >= large:
            raise BudgetError(f"{name}={given} does not ascend: {large} follows {small}; give the smallest size first")
    return given
