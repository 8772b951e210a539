"""Counting as a tokenizer does that does not know the newest letters."""

from __future__ import annotations

from spanwise.counting.new_letters import OlderTables, holds_new


def test_what_is_joined_is_joined_on_with_what_is_before_it() -> None:
    """Byte pairs: `bc` has the lowest rank, then `a` and `bc` make a token; `d` stays alone."""
    tokens = dict(enumerate([b"a", b"b", b"c", b"d", b"bc", b"abc"]))
    assert OlderTables("(?s).+", tokens).count("abcd") == 2


def test_letters_of_unicode_17_are_new() -> None:
    """A letter of Beria Erfe is, one of Greek is not; nor is a lone surrogate."""
    assert holds_new("a \U00016ea0")
    assert not holds_new("alpha α \ud800")
