"""Benchmarks tell linear growth from more, met goals from missed ones, and touch their place in a page alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from growth import Growth, Point
from hypothesis import given
from hypothesis import strategies as st
from reliability import Case, Span, tally, violations
from report import put_into
from speed import Goal, Pass

from texts import LAW

if TYPE_CHECKING:
    from pathlib import Path


@LAW
@given(st.floats(0.5, 3), st.floats(0.3, 3))
def test_the_exponent_of_a_power_is_found(exponent: float, factor: float) -> None:
    """And a doubling costs two to that power."""
    points = [Point(100_000 * 2**step, factor * 2 ** (step * exponent), 0) for step in range(6)]
    growth = Growth("made", "words", points)
    assert growth.exponent("seconds") == pytest.approx(exponent)
    assert growth.worst("seconds")[0] == pytest.approx(2**exponent)
    assert growth.is_over("seconds") == (2**exponent > 2.1 or exponent > 1.15)


def test_one_dear_doubling_is_over_the_goal_and_what_is_small_says_nothing() -> None:
    """The place is that of the larger text."""
    growth = Growth("made", "words", [Point(1, 0.01, 0), Point(2, 0.19, 0), Point(4, 0.4, 0), Point(8, 1.6, 0)])
    assert growth.worst("seconds") == (4, 3)
    assert growth.is_over("seconds")
    assert growth.exponent("peak") is None


@pytest.mark.parametrize(
    ("goal", "ratio", "missed_by"),
    [(Goal((), "other", at_least=8), 4.0, 2.0), (Goal((), "other", at_most=1.5), 0.25, 1 / 6)],
)
def test_a_goal_is_of_rates_or_of_times(goal: Goal, ratio: float, missed_by: float) -> None:
    """Four times the rate is a quarter of the time."""
    (measured,) = goal.measured([Pass(40, 0)], [Pass(10, 0)])
    assert measured == ratio
    assert goal.missed_by(measured) == pytest.approx(missed_by)


def test_a_table_is_put_between_its_marks_alone(tmp_path: Path) -> None:
    """As often as one likes; a page without the marks is an error that shows them."""
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- speed -->\nold\n<!-- /speed -->\nb\n", encoding="utf-8")
    for _ in range(2):
        put_into(page, "speed", "new\n")
    assert page.read_text(encoding="utf-8") == "a\n<!-- speed -->\n\nnew\n\n<!-- /speed -->\nb\n"
    with pytest.raises(ValueError, match="<!-- /start -->"):
        put_into(page, "start", "new")


@pytest.mark.parametrize(
    ("spans", "violated"),
    [
        ([Span("one ", 0, 4), Span("e\u0301 two", 4, 10)], []),
        ([Span("one", 0, 3), Span("e\u0301", 4, 6), Span("two", 7, 10)], []),
        ([Span("one ", 0, 4), Span("e\u0301 two", None, None)], ["slice", "cover"]),
        ([Span("one ", 0, 4), Span("e\u0301 two", -1, 5)], ["slice", "cover"]),
        ([Span("one e\u0301 two", 0, 10)], ["budget"]),
        ([Span("one ", 0, 4), Span("two", 7, 10)], ["cover"]),
        ([Span("e\u0301 two", 4, 10), Span("one ", 0, 4)], ["order"]),
        ([Span("one ", 0, 4), Span("", 4, 4), Span("e\u0301 two", 4, 10)], ["order"]),
        ([Span("one e", 0, 5), Span("\u0301 two", 5, 10)], ["characters"]),
    ],
)
def test_chunks_of_others_are_judged(spans: list[Span], violated: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each violation by itself, and white space that is left out is none."""
    monkeypatch.setattr("reliability.count", len)
    assert violations("one e\u0301 two", spans, 8) == violated


def test_a_case_that_failed_counts_as_nothing_else() -> None:
    """Only by its error."""
    outcomes: list[dict[str, Any]] = [{"chunks": []}, {"fails": "ValueError: no"}]
    told = tally({"a": "text"}, [Case("a", 4, 0), Case("a", 4, 1)], outcomes)
    assert (told.ran, told.violated, told.failed) == (1, {"cover": 1}, {"ValueError": 1})
