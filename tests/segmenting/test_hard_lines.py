"""Line ends that the author meant, beside those that only wrap prose."""

from __future__ import annotations

from hypothesis import given

from spanwise.segmenting.hard_lines import HardLines
from spanwise.segmenting.lines import Lines
from spanwise.segmenting.segmenter import cuts_of, segments_of
from texts import LAW, chunked_texts

WRAPPED = (
    "The pump moves water from the tank to the basin, and the filter on its\n"
    "inlet keeps sand away. It has to be rinsed once a week, more often when\n"
    "the water is muddy or the pump has been running for more than ten hours\n"
    "a day.\n"
)


def test_wrapped_prose_has_no_hard_line_end() -> None:
    """The next word did not fit the line."""
    assert segments_of(HardLines(), WRAPPED) == [WRAPPED]


def test_list_items_and_rows_begin_hard_lines() -> None:
    """Markers, numbers and table bars say that something begins; what is indented below an item goes on."""
    text = "- one\n  goes on\n- two\n1. three\n| a | b |\n| c | d |\n"
    assert segments_of(HardLines(), text) == [
        "- one\n  goes on\n",
        "- two\n",
        "1. three\n",
        "| a | b |\n",
        "| c | d |\n",
    ]


def test_records_of_a_log_are_lines() -> None:
    """Entries that begin alike are not prose."""
    text = "2024-01-01 INFO the pump was started by the timer of the basin\n2024-01-01 WARN the filter is blocked\n"
    assert segments_of(HardLines(), text) == text.splitlines(keepends=True)


def test_verse_is_lines() -> None:
    """Short lines that each begin with a capital letter."""
    text = "Shall I compare thee\nThou art more lovely\nRough winds do shake\nAnd summer's lease\n"
    assert segments_of(HardLines(), text) == text.splitlines(keepends=True)


@LAW
@given(text=chunked_texts())
def test_hard_line_ends_are_line_ends(text: str) -> None:
    """No cut where no line ends."""
    assert set(cuts_of(HardLines(), text)) <= set(cuts_of(Lines(), text))
