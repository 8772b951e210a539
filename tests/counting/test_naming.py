"""A source of any kind gives its counter, or an error that says what would."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from spanwise.counting import counter
from spanwise.counting.lengths import Characters
from spanwise.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable


class Mine:
    name = "mine"

    def count(self, text: str) -> int:
        return len(text)


class Called:
    def __call__(self, text: str) -> int:
        return 2 * len(text)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base", "characters", "words", "bytes"])
def test_a_name_gives_one_counter_of_that_name(name: str) -> None:
    """Loaded once in a process."""
    assert counter(name).name == name
    assert counter(name) is counter(name)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base", "characters", "words", "bytes"])
def test_the_empty_text_has_no_tokens_but_those_that_are_added(name: str) -> None:
    """Nothing to count is nothing counted."""
    assert counter(name).count("") == 0


def test_a_counter_is_given_back() -> None:
    """Whoever has one may pass it anywhere."""
    mine = Mine()
    assert counter(mine) is mine
    assert isinstance(counter(Characters()), Characters)


def test_an_object_that_can_be_called_counts() -> None:
    """It is named after its class."""
    made = counter(Called())
    assert (made.name, made.count("abc")) == ("Called", 6)


@pytest.mark.parametrize(
    ("wrong", "right"), [("cl100k", "cl100k_base"), ("word", "words"), ("o200k-base", "o200k_base")]
)
def test_an_unknown_name_lists_the_known_and_the_nearest(wrong: str, right: str) -> None:
    """The message is the repair."""
    with pytest.raises(ConfigurationError, match=f"{wrong}.*did you mean.*{right}.*Known: cl100k_base.*tokenizer.json"):
        counter(wrong)


def test_a_name_that_is_like_no_other_still_lists_the_known() -> None:
    """Also the empty one."""
    for name in ("gpt-4o", ""):
        with pytest.raises(ConfigurationError, match=r"Known: cl100k_base, o200k_base, characters, words, bytes"):
            counter(name)


@pytest.mark.parametrize("kind", [str, Path])
def test_a_missing_file_is_named(kind: Callable[[str], object], tmp_path: Path) -> None:
    """As a string and as a path."""
    with pytest.raises(ConfigurationError, match=r"no tokenizer file .*nowhere\.json"):
        counter(kind(str(tmp_path / "nowhere.json")))


def test_a_folder_without_a_tokenizer_is_named(tmp_path: Path) -> None:
    """What was looked for is in the message."""
    with pytest.raises(ConfigurationError, match=r"tokenizer\.json"):
        counter(tmp_path)


@pytest.mark.parametrize("source", [None, 3, 4.5, [], object()])
def test_what_is_no_source_is_told_what_is(source: object) -> None:
    """And where providers go."""
    with pytest.raises(ConfigurationError, match=r"is no counter.*tokens_via"):
        counter(source)


@pytest.mark.parametrize("special_tokens", [-1, 1.5, "2", None])
def test_special_tokens_are_a_number_of_at_least_zero(special_tokens: Any) -> None:
    """Or True."""
    with pytest.raises(ConfigurationError, match="special_tokens is"):
        counter("cl100k_base", special_tokens=special_tokens)


@pytest.mark.parametrize("source", ["words", "characters", Mine()])
def test_lengths_and_counters_take_no_special_tokens(source: object) -> None:
    """They count what they count."""
    with pytest.raises(ConfigurationError, match="counts what it counts"):
        counter(source, special_tokens=2)


def test_a_function_cannot_be_asked_what_the_model_adds() -> None:
    """It must be given as a number."""
    with pytest.raises(ConfigurationError, match="give the number"):
        counter(len, special_tokens=True)


def test_an_encoding_adds_what_is_said() -> None:
    """Asked, it adds nothing."""
    assert counter("cl100k_base", special_tokens=2).count("hello") == 3
    assert counter("cl100k_base", special_tokens=True).count("hello") == 1


def test_a_slow_tokenizer_of_transformers_adds_nothing_unless_told() -> None:
    """Its encode adds special tokens by default."""

    class SlowTokenizer:
        __module__ = "transformers.models.old"

        def encode(self, text: str, *, add_special_tokens: bool = True) -> list[int]:
            return [0] * (len(text.split()) + 2 * add_special_tokens)

        def num_special_tokens_to_add(self, pair: bool) -> int:  # noqa: FBT001 - the signature there
            return 3 if pair else 2

    made = counter(SlowTokenizer())
    assert (made.name.rpartition(".")[2], made.count("two words")) == ("SlowTokenizer", 2)
    assert counter(SlowTokenizer(), special_tokens=True).count("two words") == 4


def test_a_counter_shows_its_name_and_what_the_model_adds() -> None:
    """In messages and at the prompt."""
    assert repr(counter("cl100k_base", special_tokens=3)) == "BytePair('cl100k_base', overhead=3)"
    assert repr(counter(len, special_tokens=3)) == "Function('len', overhead=3)"
