"""Records of logs: each begins with its sign and owns what it wrote, stack traces and all."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import DATA
from record_costs import growth
from spanwise.formats.glances import Glance
from spanwise.formats.logs import log_reader, looks_like_log, read_log
from spanwise.structure import LOOK_AHEAD
from structure_laws import check_structure
from texts import LAW, chunked_texts, docgen_documents

if TYPE_CHECKING:
    from pathlib import Path

_RECORDS = DATA / "records"
_LOGS = sorted(_RECORDS.glob("log-*"))
_TRAPS = sorted((_RECORDS / "traps").iterdir())
_CORPORA = sorted((DATA / "corpora").iterdir())
_OTHERS = sorted({*_RECORDS.glob("chat-*"), *_RECORDS.glob("email-*"), *_RECORDS.glob("subtitles.*")})

_SIGNS = {
    "ISO 8601": "2024-05-01T10:02:{second}.123Z INFO garden: ",
    "Python": "2024-05-01 10:02:{second},123 ERROR garden: ",
    "brackets": "[2024-05-01 10:02:{second},123] WARN ",
    "a level first": "INFO 2024-05-01 10:02:{second} garden ",
    "a field first": 'time="2024-05-01T10:02:{second}Z" level=info msg=',
    "syslog": "May  1 10:02:{second} potting sshd[812]: ",
    "syslog with a priority": "<34>1 2024-05-01T10:02:{second}Z potting su - ID47 - ",
    "access": '192.0.2.7 - kes [01/May/2024:10:02:{second} +0000] "GET / HTTP/1.1" 200 12 ',
    "Apache errors": "[Wed May 01 10:02:{second}.123456 2024] [core:error] [pid 12] ",
    "glog": "I0501 10:02:{second}.123456  4211 server.cc:88] ",
    "kernel": "[ 42{second}.118273] usb 1-1: ",
    "Java": "May 01, 2024 10:02:{second} AM org.example.Garden run\nINFO: ",
    "Tomcat": "01-May-2024 10:02:{second}.123 INFO [main] ",
    "Spark": "24/05/01 10:02:{second} INFO Garden: ",
    "Android": "05-01 10:02:{second}.123  4211  4212 I Garden: ",
    "levels": "INFO:garden.bed{second}:",
    "levels in brackets": "[WARNING] ",
    "seconds since 1970": "17145577{second} garden ",
    "the time of day": "10:02:{second}.123 [main] DEBUG garden - ",
}
_MESSAGES = ("listening", "cannot plant: frost", "a=1, b=2", "x" * 300, "[4] 😀")
_OWNED = (
    "\tat org.example.garden.Bed.plant(Bed.java:88)",
    "Traceback (most recent call last):",
    '  File "a.py", line 3, in run',
    "ValueError: -2",
    "Caused by: java.io.IOException: sensor 4",
    "\t... 12 more",
    "",
    "a line of a dump",
    "2024 was dry",
    "10 rows",
)


@st.composite
def logs(draw: st.DrawFn, sign: str) -> tuple[str, list[int]]:
    """Make a log whose records all begin with one sign: its text, and where they begin."""
    text, starts = draw(st.sampled_from(["", "a banner\n", "\n"])), []
    for _ in range(draw(st.integers(2, 12))):
        starts.append(len(text))
        lines = [draw(st.sampled_from(_MESSAGES)), *draw(st.lists(st.sampled_from(_OWNED), max_size=5))]
        text += sign.format(second=draw(st.integers(10, 59))) + "\n".join(lines) + "\n"
    return text, starts


@pytest.mark.parametrize("sign", _SIGNS.values(), ids=_SIGNS.keys())
@LAW
@given(data=st.data())
def test_a_record_begins_with_its_sign_and_owns_all_lines_up_to_the_next(sign: str, data: st.DataObject) -> None:
    """Stack traces, dumps and blank lines among them; each line that is not blank is a block and a unit of its own."""
    text, starts = data.draw(logs(sign))
    structure = read_log(text)
    check_structure(text, structure)
    assert list(structure.strong) == starts
    begins = structure.blocks or ()
    records, of_lines = pairwise([*starts, len(text)]), pairwise([*begins, len(text)])
    assert sorted(structure.units) == sorted({*records, *of_lines})
    assert structure.headings == ()
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    assert list(structure.blocks or ()) == [
        line for line in lines[:-1] if line == 0 or text[line : text.index("\n", line)].strip()
    ]


@pytest.mark.parametrize("sign", _SIGNS.values(), ids=_SIGNS.keys())
@LAW
@given(data=st.data())
def test_line_ends_do_not_matter(sign: str, data: st.DataObject) -> None:
    """CR LF and CR end lines as LF does."""
    text, starts = data.draw(logs(sign))
    assert list(read_log(text.replace("\n", "\r\n")).strong) == [start + text.count("\n", 0, start) for start in starts]
    assert list(read_log(text.replace("\n", "\r")).strong) == starts


@pytest.mark.parametrize("sign", _SIGNS.values(), ids=_SIGNS.keys())
@LAW
@given(data=st.data())
def test_a_passage_is_read_as_the_whole_is(sign: str, data: st.DataObject) -> None:
    """From any line on that is a block, if the beginning of the whole is known."""
    text, _ = data.draw(logs(sign))
    whole = read_log(text)
    start = data.draw(st.sampled_from(whole.blocks or ()))
    passage = log_reader(text)(text[start:])
    assert [place + start for place in passage.strong] == [place for place in whole.strong if place >= start]
    assert [place + start for place in passage.blocks or ()] == [
        place for place in whole.blocks or () if place >= start
    ]


@LAW
@given(text=st.one_of(chunked_texts(), st.sampled_from(list(_SIGNS.values())).flatmap(logs).map(lambda made: made[0])))
def test_every_text_can_be_read(text: str) -> None:
    """And what is found keeps the laws of structures."""
    check_structure(text, read_log(text))
    assert looks_like_log(Glance(text)) in {True, False}


@pytest.mark.parametrize("path", _LOGS, ids=lambda path: path.name)
def test_what_is_far_below_changes_nothing_above(path: Path) -> None:
    """The records before an offset hang on the 65,536 characters after it at most."""
    text = path.read_bytes().decode()
    whole = text * (3 * LOOK_AHEAD // len(text))
    known = read_log(whole)
    for cut in range(1, len(whole) - LOOK_AHEAD, 30_011):
        cut_off = read_log(whole[: cut + LOOK_AHEAD])
        assert [start for start in cut_off.strong if start < cut] == [start for start in known.strong if start < cut]
        blocks = [start for start in cut_off.blocks or () if start < cut]
        assert blocks == [start for start in known.blocks or () if start < cut]


def first_words(name: str) -> list[str]:
    """Read a log, and give the first words of its records."""
    text = (_RECORDS / name).read_bytes().decode()
    structure = read_log(text)
    check_structure(text, structure)
    return [text[start : start + 24].strip() for start in structure.strong]


def test_records_of_well_known_logs() -> None:
    """The header of a glog file is none of them; what an exception caused belongs to the record that tells of it."""
    assert first_words("log-python.txt") == [
        "2024-05-01 10:02:03,123",
        "2024-05-01 10:02:03,391",
        "2024-05-01 10:02:04,007",
    ]
    assert first_words("log-java.txt") == [f"[2024-05-01 10:02:{rest}" for rest in ("03,123", "09,870", "10,001")]
    assert [words[:15] for words in first_words("log-syslog.txt")] == [
        "May  1 10:02:03",
        "May  1 10:02:03",
        "May  1 10:02:41",
        "May 11 10:05:00",
    ]
    assert [words.split()[0] for words in first_words("log-access.txt")] == ["192.0.2.7", "2001:db8::12", "192.0.2.9"]
    assert [words.split()[0] for words in first_words("log-glog.txt")] == ["I0501", "W0501", "E0501", "I0501"]
    levels = [words.split(":")[0] for words in first_words("log-levels.txt")]
    assert levels == ["INFO", "WARNING", "ERROR", "INFO", "DEBUG", "INFO"]


def test_a_weak_sign_counts_only_where_most_records_begin_so() -> None:
    """A level or a time of day inside a record of dates is a line of that record."""
    text = "2024-05-01 10:02:03 garden\nINFO: wet\n10:02:04 [main] dry\n2024-05-01 10:02:05 bye\n"
    assert list(read_log(text).strong) == [0, text.rindex("2024")]
    assert list(read_log("INFO: wet\nINFO: wet\n10:02:04 [main] dry\n").strong) == [0, 10]


def test_a_generated_log_with_traces() -> None:
    """Of the project's generator: every line with a timestamp begins a record, and no other."""
    text = next(text for name, text in docgen_documents().items() if "log" in name)
    expected, offset = [], 0
    for line in text.splitlines(keepends=True):
        if line.startswith("2024-"):
            expected.append(offset)
        offset += len(line)
    assert list(read_log(text).strong) == expected
    assert looks_like_log(Glance(text[:LOOK_AHEAD]))


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "\n",
        " ",
        " \n",
        "1 ",
        "1 - - [",
        "INFO",
        "INFO: a\n",
        "[ 1.123456] ",
        "\x1b[1m",
        "2024-05-01 10:02:03 a\n",
        "\tat a\n",
    ],
)
@pytest.mark.slow
def test_time_grows_with_the_text(piece: str) -> None:
    assert growth(read_log, piece) < 3


@pytest.mark.parametrize("path", _LOGS, ids=lambda path: path.name)
def test_logs_look_like_logs(path: Path) -> None:
    assert looks_like_log(Glance(path.read_bytes().decode()[:LOOK_AHEAD]))


@pytest.mark.parametrize("path", [*_TRAPS, *_CORPORA, *_OTHERS], ids=lambda path: path.name)
def test_nothing_else_looks_like_a_log(path: Path) -> None:
    """Prose, chats with times, columns of figures, changes with their authors."""
    assert not looks_like_log(Glance(path.read_bytes().decode()[:LOOK_AHEAD]))
