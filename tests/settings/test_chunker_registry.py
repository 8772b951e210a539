"""Which chunker a collection has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import spanwise
from spanwise import BudgetError, ChunkerRegistry, ChunkingSpec, ConfigurationError, UnknownStrategyError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def build_lines(_spec: ChunkingSpec) -> spanwise.Strategy:
    return spanwise.Lines()


def test_a_chunker_is_made_once_and_kept() -> None:
    """Collections that are not listed share that of the default."""
    chunkers = ChunkerRegistry({"notes": ChunkingSpec(max_tokens=64)}, default=ChunkingSpec(max_tokens=32))
    assert chunkers.chunker_for("notes") is chunkers.chunker_for("notes")
    assert chunkers.chunker_for("other") is chunkers.chunker_for("yet another")
    assert chunkers.chunker_for("other").budget.max_tokens == 32


def test_a_collection_without_settings_and_default_is_an_error() -> None:
    """It lists the known ones and the near match."""
    chunkers = ChunkerRegistry({"handbook": ChunkingSpec(), "repo": ChunkingSpec()})
    with pytest.raises(ConfigurationError) as caught:
        chunkers.chunker_for("handbok")
    assert str(caught.value) == (
        "no settings for collection 'handbok', and no default, did you mean 'handbook'? Known: handbook, repo."
    )


def test_a_file_without_default_has_none(tmp_path: Path) -> None:
    """And one with an empty default has one."""
    path = tmp_path / "spanwise.toml"
    path.write_text("[collections.a]\nmax_tokens = 9\n")
    with pytest.raises(ConfigurationError, match="no settings for collection 'b'"):
        ChunkerRegistry.from_file(path).chunker_for("b")
    path.write_text("[default]\n")
    assert ChunkerRegistry.from_file(path).chunker_for("b").budget.max_tokens == 512


def test_the_counter_of_the_registry_is_for_specs_that_name_none() -> None:
    """A provider's own tokenizer is given once."""
    collections = {"own": ChunkingSpec(counter="bytes", max_tokens=9), "none": ChunkingSpec(max_tokens=9)}
    chunkers = ChunkerRegistry(collections, counter="words")
    assert [chunkers.chunker_for(name).counter.name for name in ("own", "none")] == ["bytes", "words"]


def test_a_registered_name_is_known_to_that_registry_alone() -> None:
    """It may replace a built-in there, also for chunkers that were made before."""
    collections = {"a": ChunkingSpec(strategy="structural", max_characters=4)}
    mine, others = ChunkerRegistry(collections), ChunkerRegistry(collections)
    before = mine.chunker_for("a").strategy
    mine.register("Structural", build_lines)
    assert mine.chunker_for("a").strategy == spanwise.Lines()
    assert others.chunker_for("a").strategy == before == spanwise.Structural()


def test_a_file_may_name_strategies_that_come_with_it(tmp_path: Path) -> None:
    """The file is checked as it is read, so they are given then."""
    path = tmp_path / "spanwise.toml"
    path.write_text('[collections.a]\nstrategy = "my-own"\noptions = { anything = 1 }\n')
    chunkers = ChunkerRegistry.from_file(path, builders={"my_own": build_lines})
    assert chunkers.chunker_for("a").strategy == spanwise.Lines()
    with pytest.raises(UnknownStrategyError, match=r"\[collections.a\] strategy: unknown strategy 'my-own'"):
        ChunkerRegistry.from_file(path)


def test_settings_that_cannot_work_name_their_collection() -> None:
    """The class of the error stays, so that callers can tell them apart."""
    chunkers = ChunkerRegistry(
        {
            "unknown": ChunkingSpec(strategy="nope"),
            "tight": ChunkingSpec(max_tokens=2, special_tokens=2),
        }
    )
    with pytest.raises(UnknownStrategyError, match=r"^collection 'unknown': unknown strategy 'nope'") as caught:
        chunkers.chunker_for("unknown")
    assert caught.value.name == "nope"
    with pytest.raises(BudgetError, match=r"^collection 'tight': max_tokens=2 leaves no room"):
        chunkers.chunker_for("tight")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ChunkerRegistry(3), "collections must be a mapping of names to ChunkingSpec, got 3; .*from_file"),  # type: ignore[arg-type]
        (lambda: ChunkerRegistry("spanwise.toml"), "collections must be a mapping .* got 'spanwise.toml'"),  # type: ignore[arg-type]
        (lambda: ChunkerRegistry({"a": 3}), "collection 'a' must be a ChunkingSpec, got 3"),  # type: ignore[dict-item]
        (lambda: ChunkerRegistry({3: ChunkingSpec()}), "a collection is named by a string, got 3"),  # type: ignore[dict-item]
        (lambda: ChunkerRegistry({}, default=3), "default must be a ChunkingSpec, got 3"),  # type: ignore[arg-type]
        (lambda: ChunkerRegistry({}, default=ChunkingSpec()).chunker_for(3), "named by a string, got 3"),  # type: ignore[arg-type]
        (lambda: ChunkerRegistry({}, default=ChunkingSpec()).chunker_for([]), r"named by a string, got \[\]"),  # type: ignore[arg-type]
    ],
)
def test_a_registry_is_made_of_names_and_specs(make: Callable[[], object], message: str) -> None:
    """The message shows what was given instead."""
    with pytest.raises(ConfigurationError, match=message):
        make()


def test_the_listed_specs_cannot_be_changed() -> None:
    """The registry is what the application decided."""
    chunkers = ChunkerRegistry({"a": ChunkingSpec()})
    with pytest.raises(TypeError):
        chunkers.collections["a"] = ChunkingSpec(trim=True)  # type: ignore[index]
