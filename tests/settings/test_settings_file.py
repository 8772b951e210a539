"""What a settings file says, and what each mistake in one is answered with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spanwise import ChunkerRegistry, ChunkingSpec, ConfigurationError, Overflow
from spanwise.settings import read_settings_file

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """
[default]
max_tokens = 128
overlap_tokens = 8
strategy = "words"

[collections.handbook]
strategy = "structural"
overlap_tokens = 0
options = { min_fill = 0.5 }

[collections.repo]
strategy = "lines"
max_characters = 2000
overflow = "split"
trim = true

[collections."user notes"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "spanwise.toml"
    path.write_bytes(text.encode())
    return path


def test_collections_inherit_from_default_key_by_key(tmp_path: Path) -> None:
    """And a budget in characters takes the place of the inherited tokens and their overlap."""
    collections = ChunkerRegistry.from_file(write(tmp_path, GOOD)).collections
    handbook = ChunkingSpec(strategy="structural", max_tokens=128, options={"min_fill": 0.5})
    repo = ChunkingSpec(strategy="lines", max_characters=2000, overflow=Overflow.SPLIT, trim=True)
    notes = ChunkingSpec(strategy="words", max_tokens=128, overlap_tokens=8)
    assert dict(collections) == {"handbook": handbook, "repo": repo, "user notes": notes}


def test_windows_newlines_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    """What a Windows editor saves is a settings file too."""
    path = write(tmp_path, "\ufeff" + GOOD.replace("\n", "\r\n"))
    assert set(ChunkerRegistry.from_file(path).collections) == {"handbook", "repo", "user notes"}


def test_the_environment_is_read_only_when_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that wants variables to beat its file says so."""
    monkeypatch.setenv("SPANWISE_MAX_TOKENS", "99")
    path = write(tmp_path, GOOD)
    assert ChunkerRegistry.from_file(path).collections["handbook"].max_tokens == 128
    beaten = ChunkerRegistry.from_file(path, environment={"SPANWISE_MAX_TOKENS": "77"})
    assert [beaten.collections[name].max_tokens for name in ("handbook", "repo")] == [77, 77]


def test_a_relative_tokenizer_starts_at_the_folder_of_the_file(tmp_path: Path) -> None:
    """Wherever the program runs; names of counters stay names."""
    path = write(tmp_path, '[collections.a]\ncounter = "models/tokenizer.json"\n[collections.b]\ncounter = "bytes"')
    collections = ChunkerRegistry.from_file(path).collections
    assert collections["a"].counter == str(tmp_path / "models" / "tokenizer.json")
    assert collections["b"].counter == "bytes"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[default\n", "not TOML: Expected ']' at the end of a table declaration (at line 1, column 9)"),
        ('[default]\ncounter = "a', "(at line 2, column 13)"),
        ("[defaults]\n", "unknown table 'defaults', did you mean 'default'? Known: default, collections."),
        ("max_tokens = 4\n", "unknown table 'max_tokens'; it belongs into [default] or a collection."),
        ("[default]\nmax_token = 3\n", "[default]: unknown key max_token = 3, did you mean 'max_tokens'"),
        ("[collections.a]\nmax-tokens = 3\n", "[collections.a]: unknown key max-tokens = 3, did you mean 'max_tokens'"),
        ('[default]\nmax_tokens = "3"\n', "[default] max_tokens: '3' is not a whole number of at least 1"),
        ("[default]\nmax_tokens = true\n", "[default] max_tokens: True is not a whole number of at least 1"),
        ("[default]\nmax_tokens = 0\n", "[default] max_tokens: 0 is not a whole number of at least 1"),
        ("[default]\nspecial_tokens = -1\n", "[default] special_tokens: -1 is not true, false or a whole number"),
        ('[default]\nblank = "kep"\n', "[default] blank: 'kep' is not 'drop' or 'keep', did you mean 'keep'?"),
        ("default = 3\n", "[default]: 3 is not a table"),
        ("collections = 3\n", "[collections]: 3 is not a table"),
        ("[default]\noptions = 3\n", "[default] options: 3 is not a table of options of the strategy"),
        ('[collections."a b"]\ntrim = 1\n', '[collections."a b"] trim: 1 is not true or false'),
        (
            '[collections.a]\nstrategy = "sentnces"\n',
            "[collections.a] strategy: unknown strategy 'sentnces', did you mean 'sentences'",
        ),
        (
            "[default]\noptions = { min_fil = 0.5 }\n[collections.a]\ntrim = true\n",
            "[default] options.min_fil: strategy 'structural' has no option 'min_fil', did you mean 'min_fill'?",
        ),
        (
            '[collections.a.options]\nwithin_sections = true\nmin_fill = "half"\n',
            "[collections.a] options.min_fill: option 'min_fill' of strategy 'structural'",
        ),
        (
            '[default]\nstrategy = "words"\nmax_tokens = 8\n[collections.a]\noverlap_tokens = 8\n',
            "[collections.a]: overlap_tokens=8 is not smaller than max_tokens=8",
        ),
    ],
)
def test_a_mistake_is_answered_with_file_table_key_and_value(tmp_path: Path, text: str, message: str) -> None:
    """As the file is read, not when the collection is first used."""
    path = write(tmp_path, text)
    with pytest.raises(ConfigurationError) as caught:
        ChunkerRegistry.from_file(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_missing_file_and_one_that_is_not_utf8_say_so(tmp_path: Path) -> None:
    """With the byte."""
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml: cannot read the settings file: No such file"):
        read_settings_file(tmp_path / "nowhere.toml")
    (tmp_path / "latin.toml").write_bytes(b'[default]\ncounter = "\xe9"')
    with pytest.raises(ConfigurationError, match="not UTF-8 at byte 21"):
        read_settings_file(tmp_path / "latin.toml")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text() | st.sampled_from(GOOD.splitlines()).flatmap(lambda line: st.text().map(lambda t: line + t)))
def test_any_text_is_read_or_refused_with_a_place(tmp_path: Path, text: str) -> None:
    """No file ends in another error."""
    path = tmp_path / "spanwise.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        read_settings_file(path)
    except ConfigurationError as error:
        assert str(error).startswith(str(path))  # noqa: PT017  most texts are refused, some are not
