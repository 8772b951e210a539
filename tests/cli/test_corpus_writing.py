"""How records get into files."""

from __future__ import annotations

import errno
import json
import math
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise import ConfigurationError, SpanwiseError
from spanwise.corpus import json_line, open_output

if TYPE_CHECKING:
    from pathlib import Path

ANY_TEXT = st.text(st.characters(exclude_categories=[]))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=8,
)


@given(record=st.dictionaries(ANY_TEXT, VALUES))
def test_a_record_is_read_back_as_it_was_written(record: dict[str, object]) -> None:
    """One line each, whatever the text; lone surrogates too."""
    line = json_line(record)
    assert json.loads(line) == record
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    line.decode("utf-8")


@given(record=st.dictionaries(st.text(), st.text() | st.floats(allow_nan=False, allow_infinity=False)))
def test_the_way_around_surrogates_gives_the_same_values(record: dict[str, object]) -> None:
    """A surrogate in one field changes nothing in the others."""
    with_surrogate = json.loads(json_line({**record, "\ud800": "\udfff"}))
    assert {key: value for key, value in with_surrogate.items() if key != "\ud800"} == json.loads(json_line(record))


def test_what_json_cannot_hold_is_null_on_both_ways() -> None:
    """NaN is not JSON."""
    assert json_line({"a": math.nan}) == b'{"a":null}\n'
    assert json_line({"a": [math.nan], "b": "\ud800"}) == b'{"a":[null],"b":"\\ud800"}\n'


def test_a_file_appears_only_when_all_is_written(tmp_path: Path) -> None:
    """And nothing else stays in the folder."""
    path = tmp_path / "out.jsonl"
    with open_output(path) as stream:
        stream.write(b"one\n")
        assert not path.exists()
    assert path.read_bytes() == b"one\n"
    assert list(tmp_path.iterdir()) == [path]


def write_half(path: Path, error: type[BaseException]) -> None:
    with open_output(path) as stream:
        stream.write(b"half")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_existing_output_is_untouched_when_the_run_dies(tmp_path: Path, error: type[BaseException]) -> None:
    """The unfinished file is removed."""
    path = tmp_path / "out.jsonl"
    path.write_bytes(b"before\n")
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_bytes() == b"before\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_is_full_is_an_error_that_names_the_output(tmp_path: Path) -> None:
    """Whether that shows while writing or at the end."""
    path = tmp_path / "out.jsonl"
    path.write_bytes(b"before\n")

    def fill_disk() -> None:
        with open_output(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(SpanwiseError, match=r"cannot write '.*out\.jsonl': No space left on device"):
        fill_disk()
    assert path.read_bytes() == b"before\n"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_and_links_of_an_output_stay(tmp_path: Path) -> None:
    """What a link leads to is replaced, not the link."""
    path, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    path.touch(0o640)
    path.chmod(0o640)
    link.symlink_to(path)
    with open_output(link) as stream:
        stream.write(b"new\n")
    assert link.is_symlink()
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new\n", 0o640)


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """`-o /dev/null` must not make a file of it."""
    link = tmp_path / "null.jsonl"
    link.symlink_to("/dev/null")
    with open_output(link) as stream:
        stream.write(b"gone\n")
    assert link.is_char_device()


def test_a_folder_that_does_not_exist_is_a_clear_error(tmp_path: Path) -> None:
    """It names the output as it was given."""
    with pytest.raises(ConfigurationError, match=r"cannot write '.*nowhere/out\.jsonl': No such file or directory"):
        open_output(tmp_path / "nowhere" / "out.jsonl").__enter__()
