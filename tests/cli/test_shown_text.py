"""How text of documents is shown without being obeyed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.cli.visible import one_line, visible

ANY_TEXT = st.text(
    st.characters(exclude_categories=[]) | st.sampled_from("\x1b\x9b\u202e\u2066\r\n\t\u2028\ufeff\ud800")
)
JOINERS = "\u200c\u200d"


@given(text=ANY_TEXT)
def test_nothing_that_a_terminal_obeys_or_hides_is_left(text: str) -> None:
    """No controls, format characters, surrogates or line separators, but the joiners that scripts need."""
    left = [c for c in visible(text) if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and c not in JOINERS]
    assert left == []


@given(text=ANY_TEXT)
def test_one_line_is_one_line(text: str) -> None:
    """Whatever the text."""
    assert len(one_line(text).splitlines()) <= 1


@given(text=st.text(st.characters(categories=["L", "N", "P", "S", "Mn", "Mc"]) | st.just(" ")))
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    """In every script."""
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", "␛[2Jgone"),
        ("\x9b31m", "\\u009b31m"),
        ("a\u202ecod.exe", "a\\u202ecod.exe"),
        ("a\nb\tc\rd\x00e\x7f", "a⏎b␉c␍d␀e␡"),
        ("\ud800\ufeff\U000e0041", "\\ud800\\ufeff\\U000e0041"),
        ("می\u200cخواهم 👩\u200d🚒", "می\u200cخواهم 👩\u200d🚒"),
        ("[red]markup[/red]", "[red]markup[/red]"),
    ],
)
def test_each_kind_of_character_has_a_sign(text: str, shown: str) -> None:
    """Controls as pictures, the rest by number."""
    assert visible(text) == shown


def test_line_breaks_may_stay() -> None:
    """For whole chunks, with those of Windows as plain ones; a lone CR could overwrite its line."""
    assert visible("a\r\nb\tc\rd", line_breaks=True) == "a\nb\tc␍d"
