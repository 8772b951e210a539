"""Strategies by name: built in, registered for the process, from entry points."""

from __future__ import annotations

import pickle
import sys
from typing import TYPE_CHECKING

import pytest

import spanwise
from spanwise import Chunker, ChunkingSpec, ConfigurationError, UnknownStrategyError
from spanwise.strategies import registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ALIASES = {
    "character": "characters",
    "token": "tokens",
    "word": "words",
    "fixed": "words",
    "line": "lines",
    "sentence": "sentences",
    "paragraph": "paragraphs",
    "recursive-character": "recursive",
    "token-based": "recursive",
    "code-blocks": "code",
    "code-aware": "code",
    "docling-hybrid": "docling",
    "structure": "structural",
    "section": "sections",
    "markdown": "sections",
    "markdown-aware": "sections",
}


@pytest.fixture(autouse=True)
def _unchanged_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers ends with it."""
    monkeypatch.setattr(registry, "_registered", {})


@pytest.mark.parametrize("info", spanwise.strategies(), ids=lambda info: info.name)
def test_every_strategy_runs_with_its_defaults(info: registry.StrategyInfo) -> None:
    """Its name builds it, its summary says what it does, its options are its fields."""
    chunker = Chunker(info.name)
    assert chunker.chunk("It moves water.")[0].text == "It moves water."
    assert info.summary.endswith(".")
    assert all(getattr(chunker.strategy, option) == default for option, default in info.options.items())


@pytest.mark.parametrize("info", spanwise.strategies(), ids=lambda info: info.name)
def test_a_strategy_takes_an_overlap_where_it_says_so(info: registry.StrategyInfo) -> None:
    """Elsewhere asking for one is an error."""
    if info.overlap:
        assert Chunker(info.name, overlap_tokens=8).budget.overlap_tokens == 8
    else:
        with pytest.raises(ConfigurationError, match="overlap"):
            Chunker(info.name, overlap_tokens=8)


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_other_names_stand_for_the_same(alias: str, name: str) -> None:
    """The names by which people know them."""
    assert Chunker(alias).strategy == Chunker(name).strategy


def test_all_aliases_are_listed() -> None:
    """`strategies()` says which they are."""
    assert {alias: info.name for info in spanwise.strategies() for alias in info.aliases} == ALIASES


@pytest.mark.parametrize("name", ["sentence_window", "Sentence-Window", " sentence-window "])
def test_case_and_underscores_do_not_matter(name: str) -> None:
    """`_` and `-` are the same in names."""
    assert Chunker(name).strategy == spanwise.SentenceWindow()


def test_a_name_a_class_and_an_object_stand_for_the_same() -> None:
    """All three can be given."""
    given = ("sentences", spanwise.Sentences, spanwise.Sentences())
    assert len({Chunker(strategy).spec for strategy in given}) == 1


def test_an_unknown_name_is_a_key_error_that_lists_the_known() -> None:
    """Near matches first."""
    with pytest.raises(KeyError, match="unknown strategy 'structral', did you mean 'structural'"):
        Chunker("structral")
    with pytest.raises(UnknownStrategyError) as raised:
        Chunker("nothing like it")
    assert {info.name for info in spanwise.strategies()} | set(ALIASES) <= set(raised.value.known)


def test_a_registered_strategy_is_found_and_listed() -> None:
    """It is built from the spec."""

    def build(spec: ChunkingSpec) -> spanwise.Strategy:
        """Cut at a mark of your own."""
        return spanwise.Delimiter(str(spec.options["mark"]))

    spanwise.register("At_Mark", build)
    chunker = Chunker.from_spec(ChunkingSpec(strategy="at-mark", options={"mark": "|"}, max_characters=2))
    assert [chunk.text for chunk in chunker.chunk("a|b|c")] == ["a|", "b|", "c"]
    info = next(info for info in spanwise.strategies() if info.name == "at-mark")
    assert info.summary == "Cut at a mark of your own."


def test_a_registered_name_replaces_a_built_in() -> None:
    """And is listed once."""
    spanwise.register("words", lambda _: spanwise.Lines())
    assert Chunker("words").strategy == spanwise.Lines()
    assert [info.name for info in spanwise.strategies()].count("words") == 1


def test_an_alias_follows_its_name() -> None:
    """Whoever replaces `words` replaces `word` and `fixed`; an alias that is registered itself stands for itself."""
    spanwise.register("words", lambda _: spanwise.Lines())
    spanwise.register("fixed", lambda _: spanwise.Paragraphs())
    followed = {name: type(Chunker(name).strategy).__name__ for name in ("Words", "word", "fixed")}
    assert followed == {"Words": "Lines", "word": "Lines", "fixed": "Paragraphs"}
    infos = {info.name: info for info in spanwise.strategies()}
    assert (infos["words"].aliases, infos["fixed"].aliases) == (("word",), ())


def test_an_alias_follows_the_name_in_one_registry_too() -> None:
    """What is given to a registry goes before what is registered for the process, by either name."""
    spanwise.register("sentence", lambda _: spanwise.Words())
    chunkers = spanwise.ChunkerRegistry({"a": ChunkingSpec(strategy="sentence")})
    assert chunkers.chunker_for("a").strategy == spanwise.Words()
    chunkers.register("sentences", lambda _: spanwise.Lines())
    assert chunkers.chunker_for("a").strategy == spanwise.Lines()


def test_a_spec_is_frozen_with_its_options() -> None:
    """A dict that was given and is changed later changes no spec; functions may stand among the options."""
    given: dict[str, object] = {"separators": ["|"], "headings": len}
    spec = ChunkingSpec(options=given)
    given["separators"] = ["; "]
    assert spec.options == {"separators": ("|",), "headings": len}
    assert {spec: 1}[ChunkingSpec(options={"headings": len, "separators": ("|",)})] == 1
    assert pickle.loads(pickle.dumps(spec)) == spec  # noqa: S301  our own


class Changing:
    """Can be called and compared, and so has no hash."""

    def __call__(self) -> None:
        """Do nothing."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("value", [bytearray(b"a"), object(), {"a": [object()]}, Changing()])
def test_options_that_can_change_are_refused(value: object) -> None:
    """The message names the option."""
    with pytest.raises(ConfigurationError, match=r"options 'mark(.a)?' is .*, which can change"):
        ChunkingSpec(options={"mark": value})


class Halves:
    """A strategy needs no base class, only a plan."""

    def plan(self) -> spanwise.Plan:
        return spanwise.Words().plan()


def test_any_object_with_a_plan_is_a_strategy() -> None:
    """The engine keeps the promises around it."""
    chunker = Chunker(Halves(), max_characters=4)
    assert chunker.verify("one two", chunker.chunk("one two")) == []
    assert [chunk.text for chunk in Chunker(Halves, max_characters=4).chunk("one two")] == ["one ", "two"]


@pytest.mark.parametrize(
    ("name", "build", "message"),
    [
        ("", lambda _: spanwise.Words(), "a strategy's name is a string that is not blank, got ''"),
        (" ", lambda _: spanwise.Words(), "not blank"),
        (7, lambda _: spanwise.Words(), "got 7"),
        ("mine", "words", "build for 'mine' must be callable with a ChunkingSpec, got 'words'"),
    ],
)
def test_a_registration_is_checked(name: object, build: object, message: str) -> None:
    """At once, not when a document comes."""
    with pytest.raises(ConfigurationError, match=message):
        spanwise.register(name, build)  # type: ignore[arg-type]


def test_what_a_build_gives_is_checked() -> None:
    """It must have a plan."""
    spanwise.register("mine", lambda _: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(ConfigurationError, match=r"the build registered as 'mine' gave None, which has no plan\(\)"):
        Chunker("mine")


def heading_lines(text: str) -> list[int]:
    """Find no heading."""
    return [len(text)][:0]


def test_an_option_may_be_a_function() -> None:
    """It is handed on as it is."""
    spec = ChunkingSpec(strategy="structural", options={"headings": heading_lines})
    assert registry.build_strategy(spec) == spanwise.Structural(headings=heading_lines)


class Planless:
    """A strategy whose plan was forgotten."""

    def plan(self) -> spanwise.Plan:
        return None  # type: ignore[return-value]


def test_a_plan_is_checked() -> None:
    """The message names the class."""
    with pytest.raises(ConfigurationError, match=r"plan\(\) of Planless must give a spanwise\.Plan, got None"):
        Chunker(Planless())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": spanwise.Words()}, "strategy must be a name in a spec, got Words"),
        ({"options": ["separators"]}, r"options must be a table of names and values, got \['separators'\]"),
    ],
)
def test_a_spec_is_checked(options: dict[str, object], message: str) -> None:
    """It must be writable as a file."""
    with pytest.raises(ConfigurationError, match=message):
        ChunkingSpec(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["min_fill", "stable"])
def test_a_lone_surrogate_is_no_option(option: str) -> None:
    """As the bytes of a command that are no UTF-8 become."""
    with pytest.raises(ConfigurationError, match=rf"option '{option}' of strategy 'structural': .*surrogates"):
        Chunker.from_spec(ChunkingSpec(strategy="structural", options={option: "0\udce2"}))


_PLUGIN = '''
import spanwise


def build(spec):
    """Cut at semicolons, wherever this was installed."""
    return spanwise.Delimiter(";")
'''


@pytest.fixture
def _installed_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution as pip lays it out: its module beside a folder of metadata with an entry point."""
    metadata = tmp_path / "spanwise_semicolons-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: spanwise-semicolons\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[spanwise.strategies]\nSemi_Colons = spanwise_semicolons:build\nwords = spanwise_semicolons:build\n"
        "broken = spanwise_semicolons.nowhere:build\n"
    )
    (tmp_path / "spanwise_semicolons.py").write_text(_PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("spanwise_semicolons", None)


@pytest.mark.usefixtures("_installed_plugin")
def test_an_entry_point_is_found_under_its_name() -> None:
    """By `_` or `-`, and in `strategies()`, with what it says of itself."""
    assert [chunk.text for chunk in spanwise.chunk("a;b;", "semi-colons", max_characters=2)] == ["a;", "b;"]
    infos = {info.name: info for info in spanwise.strategies()}
    assert "semi-colons" in infos
    assert infos["semi-colons"].summary == "Cut at semicolons, wherever this was installed."


@pytest.mark.usefixtures("_installed_plugin")
def test_an_entry_point_that_cannot_be_loaded_hides_no_other() -> None:
    """It is listed with the reason."""
    infos = {info.name: info for info in spanwise.strategies()}
    assert infos["broken"].summary.startswith("cannot be loaded: ModuleNotFoundError: No module named")
    assert "semi-colons" in infos


@pytest.mark.usefixtures("_installed_plugin")
def test_an_entry_point_replaces_no_built_in() -> None:
    """Installing a package must not change what documents become."""
    assert Chunker("words").strategy == spanwise.Words()
    assert [info.name for info in spanwise.strategies()].count("words") == 1


@pytest.mark.usefixtures("_installed_plugin")
def test_an_unknown_name_lists_entry_points_too() -> None:
    """They are known names."""
    with pytest.raises(UnknownStrategyError, match="semi-colons"):
        Chunker("semi-colon-s")
