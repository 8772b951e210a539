"""Every error names the value, the place and the repair, is what a caller would expect, and crosses processes."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING

import pytest

import spanwise
from spanwise import errors
from spanwise.errors import near, shown
from spanwise.settings.resolve import placed
from spanwise.strategies.batches import died_of

if TYPE_CHECKING:
    from collections.abc import Callable


def failing(text: str) -> int:
    raise ValueError(f"no idea about {len(text)}")


def spec_of(**options: object) -> spanwise.Chunker:
    return spanwise.Chunker.from_spec(spanwise.ChunkingSpec(**options))  # type: ignore[arg-type]


_REFUSALS: list[tuple[type[Exception], str, Callable[[], object]]] = [
    (
        errors.ChunkingError,
        (
            r"document 'pump', 3:29: the word 'abcdefghijklmnopqrstuvwxyz' of 26 characters holds 8 tokens, .* "
            r'over max_tokens=1; raise the budget, or ask for overflow="split"'
        ),
        lambda: spanwise.chunk(
            spanwise.Document(id="pump", text="a, abcdefghijklmnopqrstuvwxyz"),
            "words",
            max_tokens=1,
            counter=lambda text: len(text) // 3,
        ),
    ),
    (
        errors.BudgetError,
        r"document '', 1: the character '😀' \(U\+1F600\) alone is 2 tokens, over max_tokens=1; ask for at least 2",
        lambda: spanwise.chunk("a😀", "characters", max_tokens=1),
    ),
    (
        errors.BudgetError,
        "overlap_tokens=8 is not smaller than max_tokens=8: a chunk could hold nothing new; ask for at most 7",
        lambda: spanwise.Chunker("words", max_tokens=8, overlap_tokens=8),
    ),
    (
        errors.BudgetError,
        "overlap_characters=9 is not smaller than max_characters=8",
        lambda: spanwise.Chunker("words", max_characters=8, overlap_characters=9),
    ),
    (errors.BudgetError, "max_tokens=0 is less than 1", lambda: spanwise.Chunker(max_tokens=0)),
    (
        errors.BudgetError,
        "max_tokens=2 leaves no room: the model adds 2 tokens to every text",
        lambda: spanwise.Chunker(max_tokens=2, special_tokens=2),
    ),
    (
        errors.ConfigurationError,
        "overlap_tokens=-1 is less than 0",
        lambda: spanwise.Chunker("words", overlap_tokens=-1),
    ),
    (errors.ConfigurationError, "max_tokens must be a whole number, got 1.5", lambda: spanwise.Chunker(max_tokens=1.5)),  # type: ignore[arg-type]
    (
        errors.ConfigurationError,
        "max_tokens must be a whole number, got True",
        lambda: spanwise.Chunker(max_tokens=True),
    ),
    (
        errors.ConfigurationError,
        "Structural has no overlap: .* leave overlap_tokens and .* at 0, or take recursive or sentences",
        lambda: spanwise.Chunker("structural", overlap_tokens=8),
    ),
    (
        errors.ConfigurationError,
        "SentenceWindow overlaps by construction: set overlap_sentences=",
        lambda: spanwise.Chunker("sentence-window", overlap_tokens=8),
    ),
    (
        errors.ConfigurationError,
        "overflow must be 'refuse' or 'split', got 'splt'",
        lambda: spanwise.Chunker(overflow="splt"),
    ),
    (errors.ConfigurationError, "blank must be 'drop' or 'keep', got None", lambda: spanwise.Chunker(blank=None)),  # type: ignore[arg-type]
    (errors.ConfigurationError, "trim must be true or false, got 1", lambda: spanwise.Chunker(trim=1)),  # type: ignore[arg-type]
    (
        errors.ConfigurationError,
        r"a strategy is a name, or something with a plan\(\), got 7",
        lambda: spanwise.Chunker(7),  # type: ignore[arg-type]
    ),
    (
        errors.ConfigurationError,
        "min_fill must be a number between 0 and 1, got 35",
        lambda: spanwise.Structural(min_fill=35),
    ),
    (
        errors.ConfigurationError,
        "headings must be a function from a text to offsets, got 'Clause'",
        lambda: spanwise.Structural(headings="Clause"),  # type: ignore[arg-type]
    ),
    (
        errors.ConfigurationError,
        "within_sections must be True or False, got 'no'",
        lambda: spanwise.Structural(within_sections="no"),  # type: ignore[arg-type]
    ),
    (
        errors.ConfigurationError,
        "nested must be True or False, got 'no'",
        lambda: spanwise.Sections(nested="no"),  # type: ignore[arg-type]
    ),
    (
        errors.ConfigurationError,
        "merge must be True or False, got 3",
        lambda: spanwise.Sections(merge=3),  # type: ignore[arg-type]
    ),
    (
        errors.ConfigurationError,
        "language must be the code of a language such as 'en' or 'de', got 3",
        lambda: spanwise.Sentences(language=3),  # type: ignore[arg-type]
    ),
    (
        errors.ConfigurationError,
        "language must be the code of a language .*, got ''",
        lambda: spanwise.SentenceWindow(language=""),
    ),
    (
        errors.ConfigurationError,
        "separators must be a sequence of strings, got ';'",
        lambda: spanwise.Recursive(separators=";"),  # type: ignore[arg-type]
    ),
    (
        errors.ConfigurationError,
        "overlap_sentences=2 is not smaller than sentences=2",
        lambda: spanwise.SentenceWindow(sentences=2, overlap_sentences=2),
    ),
    (
        errors.ConfigurationError,
        "sentences must be a whole number of at least 1, got 0",
        lambda: spanwise.SentenceWindow(sentences=0),
    ),
    (
        errors.ConfigurationError,
        "strategy 'structural' has no option 'min_fil', did you mean 'min_fill'[?] It has min_fill, headings, within",
        lambda: spec_of(strategy="structural", options={"min_fil": 0.5}),
    ),
    (
        errors.ConfigurationError,
        "strategy 'words' has no option 'size'[.] It has none[.]",
        lambda: spec_of(strategy="words", options={"size": 5}),
    ),
    (
        errors.ConfigurationError,
        "option 'min_fill' of strategy 'structural': .* got 'half'",
        lambda: spec_of(strategy="structural", options={"min_fill": "half"}),
    ),
    (
        errors.UnknownStrategyError,
        "unknown strategy 'sentense', did you mean 'sentence' or 'sentences'[?] Known: character, characters,",
        lambda: spanwise.Chunker("sentense"),
    ),
    (
        errors.CounterError,
        r"the counter 'failing' raised ValueError: 'no idea about 4'.*characters 0 to 4",
        lambda: spanwise.chunk("text", max_tokens=8, counter=failing),
    ),
    (
        errors.BudgetError,
        "overlap_tokens=2 holds no text: the model adds 2 tokens to every text, also to what is repeated",
        lambda: spanwise.Chunker("words", max_tokens=9, overlap_tokens=2, special_tokens=2),
    ),
    (
        errors.CounterError,
        "answered 1.5; it must answer a whole number",
        lambda: spanwise.chunk("text", max_tokens=8, counter=lambda _: 1.5),  # type: ignore[arg-type]
    ),
]


@pytest.mark.parametrize(("error", "message", "make"), _REFUSALS, ids=[message[:40] for _, message, _ in _REFUSALS])
def test_a_message_shows_value_place_and_repair(
    error: type[Exception], message: str, make: Callable[[], object]
) -> None:
    """Whoever reads it knows what was given, where, and what to do."""
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(("error", "message", "make"), _REFUSALS, ids=[message[:40] for _, message, _ in _REFUSALS])
def test_an_error_crosses_processes(error: type[Exception], message: str, make: Callable[[], object]) -> None:
    """Pickled and read again it is of the same class, with the same message and attributes."""
    with pytest.raises(error, match=message) as raised:
        make()
    again = pickle.loads(pickle.dumps(raised.value))  # noqa: S301  our own
    assert type(again) is type(raised.value)
    assert str(again) == str(raised.value)
    assert vars(again) == vars(raised.value)


@pytest.mark.parametrize(
    "error",
    [
        spanwise.SpanwiseError("broken"),
        spanwise.ConfigurationError("broken"),
        spanwise.UnknownStrategyError("a", ["b", "c"]),
        placed(spanwise.UnknownStrategyError("a", ["b"]), "spanwise.toml [default] strategy"),
        spanwise.BudgetError("broken"),
        spanwise.DocumentError("broken"),
        spanwise.SpanError("broken"),
        spanwise.ChunkingError("broken", document_id="a", start=1, end=2),
        spanwise.CounterError("broken"),
        spanwise.MissingExtraError("tokenizers", "hf", "WordPiece"),
        died_of(spanwise.Document(id="a", text=""), "signal 9"),
    ],
    ids=lambda error: f"{type(error).__name__} {error}"[:40],
)
@pytest.mark.parametrize("again", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])  # noqa: S301
def test_every_error_can_be_pickled_and_copied(error: Exception, again: Callable[[Exception], Exception]) -> None:
    """Also those whose constructors take more than a message, and with what was noted on them."""
    error.add_note("in the nightly run")
    made = again(error)
    assert (type(made), str(made), made.args, vars(made)) == (type(error), str(error), error.args, vars(error))
    assert getattr(made, "msg", None) == getattr(error, "msg", None)


def test_no_message_ends_twice() -> None:
    """What follows a question begins a sentence."""
    assert str(spanwise.UnknownStrategyError("wrods", ["words"])) == (
        "unknown strategy 'wrods', did you mean 'words'? Known: words."
    )
    assert str(spanwise.UnknownStrategyError("x", ["words"])) == "unknown strategy 'x'. Known: words."


@pytest.mark.parametrize(
    ("error", "also"),
    [
        (errors.ConfigurationError, ValueError),
        (errors.UnknownStrategyError, KeyError),
        (errors.UnknownStrategyError, errors.ConfigurationError),
        (errors.BudgetError, errors.ConfigurationError),
        (errors.DocumentError, ValueError),
        (errors.SpanError, ValueError),
        (errors.ChunkingError, ValueError),
        (errors.CounterError, RuntimeError),
        (errors.MissingExtraError, ImportError),
    ],
)
def test_an_error_is_what_a_caller_would_expect(error: type[Exception], also: type[Exception]) -> None:
    """Each is a SpanwiseError and the built-in of its kind."""
    assert issubclass(error, errors.SpanwiseError)
    assert issubclass(error, also)


def test_a_refused_word_names_its_place() -> None:
    """Document, start and end as attributes, in code points."""
    document = spanwise.Document(id="pump", text="😀 " + "x" * 40)
    with pytest.raises(spanwise.ChunkingError) as raised:
        spanwise.chunk(document, "words", max_tokens=4)
    assert (raised.value.document_id, raised.value.start, raised.value.end) == ("pump", 2, 42)


def test_a_refused_word_of_a_long_text_names_its_place_in_all_of_it() -> None:
    """Not that in the passage which was packed."""
    with pytest.raises(spanwise.ChunkingError, match="document '', 400000:400060: ") as raised:
        spanwise.chunk("a b " * 100_000 + "x" * 60, "words", max_characters=40)
    assert (raised.value.start, raised.value.end) == (400_000, 400_060)


def test_a_character_that_is_over_the_budget_is_named_instead_of_its_word() -> None:
    """No other overflow would help."""
    with pytest.raises(spanwise.BudgetError, match=r"2: the character .* alone is 4 tokens.*ask for at least 4"):
        spanwise.chunk("a \U00012345\U00012345 b", "words", max_tokens=2)


def test_a_missing_extra_names_what_to_install() -> None:
    """As a command to copy."""
    assert 'pip install "spanwise[hf]"' in str(spanwise.MissingExtraError("tokenizers", "hf", "WordPiece"))


def test_an_unknown_name_is_shown_without_the_quotes_of_a_key_error() -> None:
    """KeyError would show the repr of the message."""
    assert str(spanwise.UnknownStrategyError("wrods", ["words"])).startswith(
        "unknown strategy 'wrods', did you mean 'words'"
    )


def test_near_names_are_named() -> None:
    """The two nearest, or none."""
    assert near("recursiv", ["recursive", "words"]) == ", did you mean 'recursive'?"
    assert near("xyz", ["recursive", "words"]) == ""


def test_long_values_are_shortened() -> None:
    """Both ends are shown."""
    assert shown("a" * 100) == "'" + "a" * 39 + "…" + "a" * 14 + "'"
    assert shown([1, 2]) == "[1, 2]"


def test_what_cannot_be_shown_is_named_by_its_kind() -> None:
    """A number of more digits than Python writes."""
    assert shown(10**5000) == "<int too large to show>"
