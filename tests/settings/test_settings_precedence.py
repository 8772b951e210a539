"""Which of several settings holds, as a table; one law for all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise import ChunkingSpec
from spanwise.settings import Resolved, resolve, spec_of
from spanwise.settings.keys import KINDS
from spanwise.settings.resolve import layer_of_call, layer_of_spec

PLAIN = {
    "max_tokens": st.integers(1, 900),
    "max_characters": st.integers(1, 900),
    "overlap_tokens": st.integers(0, 900),
    "overlap_characters": st.integers(0, 900),
    "trim": st.booleans(),
    "blank": st.sampled_from(["drop", "keep"]),
    "counter": st.sampled_from(["cl100k_base", "characters"]),
}
LAYERS = st.fixed_dictionaries({}, optional=PLAIN)


@pytest.mark.parametrize(
    ("call", "environment", "collection", "default", "expected"),
    [
        ({}, {}, {}, {}, {"max_tokens": (None, "default"), "strategy": ("structural", "default")}),
        ({"max_tokens": 1}, {"max_tokens": 2}, {"max_tokens": 3}, {"max_tokens": 4}, {"max_tokens": (1, "call")}),
        ({}, {"max_tokens": 2}, {"max_tokens": 3}, {"max_tokens": 4}, {"max_tokens": (2, "environment")}),
        ({}, {}, {"max_tokens": 3}, {"max_tokens": 4}, {"max_tokens": (3, "collection")}),
        ({}, {}, {}, {"max_tokens": 4}, {"max_tokens": (4, "file default")}),
        ({"trim": False}, {"trim": True}, {}, {}, {"trim": (False, "call")}),
        ({"overlap_tokens": 0}, {}, {"overlap_tokens": 9}, {}, {"overlap_tokens": (0, "call")}),
        # a budget in one unit replaces a weaker one in the other, and the overlap that was meant for it
        (
            {"max_characters": 800},
            {},
            {"max_tokens": 512, "overlap_tokens": 64},
            {},
            {"max_characters": (800, "call"), "max_tokens": (None, "default"), "overlap_tokens": (0, "default")},
        ),
        # the same unit: the overlap stays
        (
            {"max_tokens": 256},
            {},
            {"max_tokens": 512, "overlap_tokens": 64},
            {},
            {"overlap_tokens": (64, "collection")},
        ),
        # both units at once: nothing weaker in either, every weaker overlap stays
        (
            {"max_tokens": 256, "max_characters": 800},
            {"max_tokens": 100},
            {},
            {"overlap_tokens": 64},
            {"max_tokens": (256, "call"), "max_characters": (800, "call"), "overlap_tokens": (64, "file default")},
        ),
        # an overlap in one unit replaces a weaker one in the other, and no budget
        (
            {"overlap_characters": 100},
            {},
            {"max_tokens": 512, "overlap_tokens": 64},
            {},
            {
                "overlap_characters": (100, "call"),
                "overlap_tokens": (0, "default"),
                "max_tokens": (512, "collection"),
            },
        ),
        # options belong to a strategy
        (
            {"strategy": "recursive"},
            {},
            {"options": {"min_fill": 0.5}},
            {"strategy": "structural"},
            {"strategy": ("recursive", "call"), "options.min_fill": None},
        ),
        (
            {"options": {"min_fill": 0.9}},
            {},
            {"strategy": "structure", "options": {"within_sections": True}},
            {"strategy": "Structural", "options": {"min_fill": 0.5}},
            {"options.min_fill": (0.9, "call"), "options.within_sections": (True, "collection")},
        ),
    ],
)
def test_the_stronger_source_wins_and_is_named(
    call: dict[str, object],
    environment: dict[str, object],
    collection: dict[str, object],
    default: dict[str, object],
    expected: dict[str, tuple[object, str] | None],
) -> None:
    """Call beats environment beats collection beats the file's default."""
    layers = {"call": call, "environment": environment, "collection": collection, "file default": default}
    resolved = resolve(*(layer_of_call(values, source) for source, values in layers.items()))
    for key, value in expected.items():
        assert resolved.get(key) == (None if value is None else Resolved(*value))


@given(strong=LAYERS, weak=LAYERS)
def test_everything_the_strongest_source_sets_holds(strong: dict[str, object], weak: dict[str, object]) -> None:
    """Whatever weaker sources say, the strongest is obeyed in full."""
    resolved = resolve(layer_of_call(strong, "call"), layer_of_call(weak, "file"))
    assert {key: value.value for key, value in resolved.items() if value.source == "call"} == strong


@given(strong=LAYERS, weak=LAYERS)
def test_a_weaker_source_adds_no_second_limit(strong: dict[str, object], weak: dict[str, object]) -> None:
    """A budget in one unit is never tightened by one in the other that nobody asked for together with it."""
    resolved = resolve(layer_of_call(strong, "call"), layer_of_call(weak, "file"))
    sources = {resolved[key].source for key in ("max_tokens", "max_characters")} - {"default"}
    assert len(sources) <= 1


@given(layer=LAYERS, middle=LAYERS, weak=LAYERS)
def test_a_source_that_says_nothing_changes_nothing(
    layer: dict[str, object], middle: dict[str, object], weak: dict[str, object]
) -> None:
    """Empty layers may stand anywhere."""
    layers = [layer_of_call(values, str(place)) for place, values in enumerate((layer, middle, weak))]
    assert resolve(*layers) == resolve({}, layers[0], {}, layers[1], layers[2], {})


def test_every_field_of_the_spec_can_be_set_from_a_file() -> None:
    """A field added to the spec is either added to the settings or fails here."""
    assert set(KINDS) == set(ChunkingSpec.__struct_fields__)


def test_a_spec_survives_being_a_layer() -> None:
    """What differs from the default spec is all that a spec says."""
    spec = ChunkingSpec(strategy="words", max_characters=90, overlap_characters=9, trim=True, counter="bytes")
    assert spec_of(resolve(layer_of_spec(spec))) == spec
