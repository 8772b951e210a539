"""Pages: a form feed ends one, and the next begins after it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.pages import page_starts
from texts import LAW


def pages(text: str) -> list[str]:
    """List the pages of a text; it alone where it has none."""
    starts = [page.start for page in page_starts(text)] or [0]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


@given(st.lists(st.text(st.sampled_from("a \t中"), min_size=1, max_size=4), min_size=1, max_size=6))
@LAW
def test_pages_are_what_form_feeds_divide(texts: list[str]) -> None:
    """Each page owns the form feed that ends it, and they are numbered from 1."""
    text = "\f".join(texts)
    assert pages(text) == [page + "\f" for page in texts[:-1]] + texts[-1:]
    assert [page.number for page in page_starts(text)] == (list(range(1, len(texts) + 1)) if len(texts) > 1 else [])


@given(st.text(st.sampled_from("a\f\n\r"), max_size=12))
@LAW
def test_pages_begin_after_form_feeds_and_nowhere_else(text: str) -> None:
    """There is one for each form feed with something after it, and no page is empty or begins inside a line end."""
    starts = [page.start for page in page_starts(text)]
    assert bool(starts) == ("\f" in text)
    assert starts == sorted(set(starts))
    for start in starts[1:]:
        assert text[:start].rstrip("\r\n").endswith("\f")
        assert start < len(text)
        assert "\f" not in text[text[:start].rstrip("\r\n").__len__() : start]
        assert text[start - 1 : start + 1] != "\r\n"
    assert len(starts) <= text.count("\f") + 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ftwo", ["one\f", "two"]),
        ("one\n\f\ntwo", ["one\n\f\n", "two"]),
        ("one\r\n\f\r\n\r\ntwo", ["one\r\n\f\r\n", "\r\ntwo"]),
        ("one\r\f\rtwo", ["one\r\f\r", "two"]),
        ("one\f\ntwo", ["one\f", "\ntwo"]),
        ("one\n\ftwo", ["one\n\f", "two"]),
        ("one\f\ftwo", ["one\f", "\f", "two"]),
        ("one\n\f\f\ntwo", ["one\n\f", "\f\n", "two"]),
        ("\f\none", ["\f\n", "one"]),
    ],
)
def test_the_line_of_a_form_feed_goes_with_it(text: str, expected: list[str]) -> None:
    """Where it stands alone on its line; else the line end is of the next page."""
    assert pages(text) == expected


def test_a_text_without_form_feeds_has_no_pages() -> None:
    """Not one page either: nothing is known of them."""
    assert page_starts("") == ()
    assert page_starts("one\n\n\ntwo") == ()


@pytest.mark.parametrize("end", ["\f", "\n\f\n", "\n\f\r\n"])
def test_a_form_feed_at_the_end_opens_no_page(end: str) -> None:
    """As page by page extraction leaves one after the last page."""
    assert pages("one" + end) == ["one" + end]
    assert [page.number for page in page_starts("one\ftwo" + end)] == [1, 2]
