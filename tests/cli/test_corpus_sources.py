"""Which documents arguments mean, what is left out, and how they are read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise import ConfigurationError, DocumentError
from spanwise.corpus import Source, find
from spanwise.corpus.patterns import pattern_of
from spanwise.corpus.sources import decoded, is_binary, read_bytes


def ids(*arguments: str) -> list[str]:
    return [source.id for source in find(arguments).sources]


def make(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def test_a_folder_is_walked_in_order_with_ids_from_there(folder: Path) -> None:
    """The id does not depend on where the folder is or where the command runs."""
    make("docs/b.md", "docs/a/z.txt", "docs/a/b/c.rst", "docs/c.py", "docs/README")
    expected = ["README", "a/b/c.rst", "a/z.txt", "b.md", "c.py"]
    assert ids("docs") == ids("docs/") == ids(str(folder / "docs")) == expected


def test_a_file_and_a_pattern_have_the_path_as_written(folder: Path) -> None:
    """So a quoted pattern gives the ids that the shell's expansion would."""
    make("docs/a.md", "docs/sub/deep/b.md", "docs/sub/c.txt")
    assert folder.is_dir()
    assert ids("docs/a.md", "docs/sub/deep/b.md") == ids("docs/**/*.md") == ["docs/a.md", "docs/sub/deep/b.md"]
    assert ids("docs/*.md") == ["docs/a.md"]
    assert ids("**/c.*") == ["docs/sub/c.txt"]
    assert ids("docs/[!b]*/?.txt") == ["docs/sub/c.txt"]


def test_a_file_that_is_named_is_read_whatever_its_suffix(folder: Path) -> None:
    """And also by a pattern that names the suffix; in a folder it is left out and counted."""
    make("docs/a.md", "docs/b.weird")
    assert folder.is_dir()
    assert ids("docs/b.weird") == ids("docs/*.weird") == ["docs/b.weird"]
    found = find(["docs"])
    assert ([source.id for source in found.sources], found.skipped) == (["a.md"], {"other kind of file": 1})


def test_what_is_left_out_is_counted_by_reason(folder: Path) -> None:
    """Nothing disappears without a word."""
    make("docs/a.md", "docs/.hidden.md", "docs/.git/config.toml", "docs/photo.jpeg", "docs/out.jsonl")
    (folder / "docs/broken.md").symlink_to("nowhere")
    (folder / "docs/loop").symlink_to(folder / "docs")
    (folder / "docs/z.md").symlink_to("a.md")
    os.mkfifo("docs/pipe.md")
    found = find(["docs"], without=[Path("docs/out.jsonl")])
    assert [source.id for source in found.sources] == ["a.md"]
    assert found.skipped == {
        "broken link": 1,
        "hidden": 2,
        "link to a folder already walked": 1,
        "not a regular file": 1,
        "other kind of file": 1,
        "written by the run": 1,
        "the same file again": 1,
    }


def test_links_out_of_the_folder_are_followed_once(folder: Path) -> None:
    """Two that lead to each other end."""
    make("docs/a.md", "shared/b.md")
    (folder / "docs/one").symlink_to(folder / "shared")
    (folder / "docs/two").symlink_to(folder / "shared")
    (folder / "shared/back").symlink_to(folder)
    assert ids("docs") == ["a.md", "one/b.md"]


def test_a_document_named_twice_is_chunked_once(folder: Path) -> None:
    """However it is named."""
    make("docs/a.md")
    assert ids("docs", "docs/a.md", "docs/../docs/a.md", str(folder / "docs")) == ["a.md"]


def test_two_files_with_one_id_are_refused(folder: Path) -> None:
    """Their chunks would have the same ids."""
    make("one/a.md", "two/a.md")
    assert folder.is_dir()
    with pytest.raises(ConfigurationError, match=r"two/a\.md and one/a\.md would both have the document id 'a\.md'"):
        find(["one", "two"])


def test_a_file_with_wildcards_in_its_name_is_itself(folder: Path) -> None:
    """It exists, so it is no pattern."""
    make("notes[1].md", "notes1.md")
    assert folder.is_dir()
    assert ids("notes[1].md") == ["notes[1].md"]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("handbok.md", "no such file or folder: 'handbok.md', did you mean 'handbook.md'?"),
        ("nowhere/a.md", "no such file or folder: 'nowhere/a.md'"),
        ("*.zzz", "no file matches '*.zzz'"),
        ("nowhere/*.md", "no file matches 'nowhere/*.md'"),
        ("a whole text in place of a path " * 200, "no such file or folder: 'a whole text"),
        ("a whole * text in place of a path " * 200, "no file matches 'a whole * text"),
    ],
)
def test_an_argument_that_means_nothing_is_refused(folder: Path, argument: str, message: str) -> None:
    """Before anything is chunked."""
    make("handbook.md")
    assert folder.is_dir()
    with pytest.raises(ConfigurationError) as caught:
        find([argument])
    assert message in str(caught.value)
    assert len(str(caught.value)) < 200


NAMES = st.text(st.sampled_from("ab.c[]!-é"), min_size=1, max_size=5).filter(lambda name: name not in {".", ".."})


@given(name=NAMES, folders=st.lists(NAMES, max_size=3))
def test_double_star_with_star_matches_every_path_below(name: str, folders: list[str]) -> None:
    """`root/**/*` is any number of folders and any name."""
    assert pattern_of("root/**/*").below.fullmatch("/".join([*folders, name]))


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_text_is_read_as_it_is(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """No line end is translated, a byte order mark and NUL stay."""
    path = tmp_path_factory.mktemp("texts", numbered=True) / "a.md"
    path.write_bytes(text.encode())
    source = Source("a.md", path)
    assert decoded(source, read_bytes(source)).text == text


@pytest.mark.parametrize(
    ("content", "encoding", "binary"),
    [
        (b"text", "utf-8", False),
        (b"te\0xt", "utf-8", True),
        (b"a" * 8191 + b"\0", "utf-8", True),
        (b"a" * 8192 + b"\0", "utf-8", False),
        ("text".encode("utf-16"), "utf-16", False),
        ("text".encode("utf-32-le"), "UTF-32LE", False),
    ],
)
def test_binary_is_a_nul_in_the_first_8_kilobytes(content: bytes, encoding: str, binary: bool) -> None:  # noqa: FBT001
    """Unless the encoding is one of wide units."""
    assert is_binary(content, encoding) is binary


def test_a_file_over_the_limit_is_refused(folder: Path) -> None:
    """At the limit it is read."""
    make("four")
    source = Source("four", folder / "four")
    assert read_bytes(source, max_bytes=4) == b"four"
    with pytest.raises(DocumentError, match=r"four: larger than the limit of 3 bytes; raise it with --max-bytes"):
        read_bytes(source, max_bytes=3)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="permissions bind users other than root")
def test_a_file_that_may_not_be_read_says_so(folder: Path) -> None:
    """In the words of the operating system."""
    make("secret")
    Path("secret").chmod(0)
    with pytest.raises(DocumentError, match="secret: cannot be read: Permission denied"):
        read_bytes(Source("secret", folder / "secret"))
