"""One look at a text serves all guesses of its format, and leaves out no line that could tell."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats import clauses, underlined
from spanwise.formats.glances import Glance
from spanwise.formats.heading_words import HEADING_WORDS, one_of
from texts import LAW

WORDS = st.sampled_from([*HEADING_WORDS, *map(str.upper, HEADING_WORDS), *map(str.title, HEADING_WORDS), "ſection"])
LINES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", " ", "\t", "* ", "\ufeff", " " * 12]),
    st.one_of(WORDS, st.sampled_from(["the", "It", "1.", "1.1", "IV.", "====", "ABC", "é", ""]), st.text(max_size=6)),
    st.sampled_from(["", " ", ". ", "\t", "\r"]),
    st.sampled_from(["", "5", "One", "moves water", "A"]),
)
MAY_BEGIN = (clauses._MAY_NUMBER, underlined._MAY_TITLE)


@LAW
@given(st.lists(LINES, max_size=20).map("\n".join))
def test_no_line_that_may_begin_a_heading_is_left_out(text: str) -> None:
    glance = Glance(text)
    for beginning in MAY_BEGIN:
        lines = [
            re.sub(r"(?s)(?<=.)\n.*", "", glance.lined[found.start() :])
            for found in beginning.finditer(glance.lined + "\n")
        ]
        kept = [
            re.sub(r"(?s)(?<=.)\n.*", "", glance.telling[found.start() :])
            for found in beginning.finditer(glance.telling + "\n")
        ]
        assert kept == lines


def test_prose_tells_nothing() -> None:
    assert not Glance("It moves water.\nthe pump has one motor.\n\nNobody knows why.\n").telling.strip()


@LAW
@given(st.one_of(WORDS, st.text(max_size=8)))
def test_words_are_found_in_letters_of_either_case(word: str) -> None:
    either = re.compile("|".join(map(re.escape, HEADING_WORDS)), re.IGNORECASE)
    assert (re.fullmatch(one_of(HEADING_WORDS), word) is None) == (either.fullmatch(word) is None)
