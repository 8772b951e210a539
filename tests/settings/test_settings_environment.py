"""What SPANWISE_ variables say, and what is refused."""

from __future__ import annotations

import pytest

from spanwise import ChunkingSpec, ConfigurationError
from spanwise.settings import layer_of_environment, spec_from_environment, verbosity_from_environment


def test_every_variable_sets_its_field() -> None:
    """One of each, with the type that the spec has."""
    spec = spec_from_environment(
        {
            "SPANWISE_STRATEGY": "sentences",
            "SPANWISE_MAX_TOKENS": "256",
            "SPANWISE_MAX_CHARACTERS": "2000",
            "SPANWISE_OVERLAP_TOKENS": "16",
            "SPANWISE_OVERLAP_CHARACTERS": "100",
            "SPANWISE_COUNTER": "o200k_base",
            "SPANWISE_OVERFLOW": "split",
            "SPANWISE_TRIM": "Yes",
            "SPANWISE_BLANK": "keep",
            "SPANWISE_SPECIAL_TOKENS": "2",
            "SPANWISE_CEILING": "512",
            "SPANWISE_WARN_AT": ".9",
            "SPANWISE_CEILING_COUNTER": "bytes",
            "SPANWISE_VERBOSITY": "1",
            "HOME": "/home/reader",
        }
    )
    expected = ChunkingSpec(
        strategy="sentences",
        max_tokens=256,
        max_characters=2000,
        overlap_tokens=16,
        overlap_characters=100,
        counter="o200k_base",
        overflow="split",  # type: ignore[arg-type]  # a name is taken too
        trim=True,
        blank="keep",
        special_tokens=2,
        ceiling=512,
        warn_at=0.9,
        ceiling_counter="bytes",
    )
    assert spec == expected


def test_the_process_environment_is_read_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """`spec_from_environment()` is what a service calls."""
    monkeypatch.delenv("SPANWISE_EXAMPLES", raising=False)  # how many examples a law is tried on
    monkeypatch.setenv("SPANWISE_MAX_TOKENS", "77")
    assert spec_from_environment().max_tokens == 77


def test_what_is_not_set_comes_from_the_default() -> None:
    """A size in the other unit replaces the default's."""
    default = ChunkingSpec(strategy="words", max_tokens=512, overlap_tokens=64, trim=True)
    spec = spec_from_environment({"SPANWISE_MAX_CHARACTERS": "800"}, default=default)
    assert spec == ChunkingSpec(strategy="words", max_characters=800, trim=True)


def test_an_empty_variable_counts_as_not_set() -> None:
    """Compose files and CI pass empty variables along."""
    assert layer_of_environment({"SPANWISE_MAX_TOKENS": "", "SPANWISE_TRIM": " "}) == {}


@pytest.mark.parametrize(("word", "value"), [("true", True), ("ON", True), ("1", True), ("no", False), ("0", False)])
def test_switches_take_the_usual_words(word: str, value: bool) -> None:  # noqa: FBT001
    """In any case of letters."""
    assert layer_of_environment({"SPANWISE_TRIM": word})["trim"].value is value


@pytest.mark.parametrize(
    ("variable", "word", "message"),
    [
        ("SPANWISE_MAX_TOKENS", "many", "SPANWISE_MAX_TOKENS: 'many' is not a whole number of at least 1"),
        ("SPANWISE_MAX_TOKENS", "0", "SPANWISE_MAX_TOKENS: '0' is not a whole number of at least 1"),
        ("SPANWISE_MAX_TOKENS", "512.0", "SPANWISE_MAX_TOKENS: '512.0' is not a whole number of at least 1"),
        ("SPANWISE_MAX_TOKENS", "9" * 5000, "SPANWISE_MAX_TOKENS: '999"),
        ("SPANWISE_OVERLAP_TOKENS", "-1", "SPANWISE_OVERLAP_TOKENS: '-1' is not a whole number of at least 0"),
        ("SPANWISE_OVERFLOW", "spilt", "'spilt' is not 'refuse' or 'split', did you mean 'split'?"),
        ("SPANWISE_WARN_AT", "480", "SPANWISE_WARN_AT: '480' is not a number over 0 and at most 1"),
        ("SPANWISE_WARN_AT", "0.9", "warn_at=0.9 says nothing without a ceiling"),
        ("SPANWISE_TRIM", "maybe", "SPANWISE_TRIM: 'maybe' is not true or false"),
        ("SPANWISE_STRATEGY", "sentnces", "SPANWISE_STRATEGY: unknown strategy 'sentnces', did you mean 'sentences'"),
        ("SPANWISE_MAX_TOKNES", "9", "unknown environment variable SPANWISE_MAX_TOKNES, did you mean 'SPANWISE_MAX_TO"),
        ("SPANWISE_VERBOSTY", "1", "unknown environment variable SPANWISE_VERBOSTY, did you mean 'SPANWISE_VERBOSITY'"),
    ],
)
def test_a_wrong_variable_is_named_with_value_and_repair(variable: str, word: str, message: str) -> None:
    """Nothing is ignored."""
    with pytest.raises(ConfigurationError) as caught:
        spec_from_environment({variable: word})
    assert message in str(caught.value)
    assert len(str(caught.value)) < 600


def test_verbosity_is_0_1_or_2() -> None:
    """And 0 where it is not set."""
    assert [verbosity_from_environment({"SPANWISE_VERBOSITY": word}) for word in ("", "0", "1", "2")] == [0, 0, 1, 2]
    with pytest.raises(ConfigurationError, match="SPANWISE_VERBOSITY: '3' is not 0, 1 or 2"):
        verbosity_from_environment({"SPANWISE_VERBOSITY": "3"})
