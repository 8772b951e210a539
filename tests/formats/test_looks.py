"""Does a text look like Markdown? Where it is written so, and not where a comment or a string only begins so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import DATA
from record_costs import growth
from spanwise.formats.glances import Glance
from spanwise.formats.looks import looks_like_html, looks_like_json, looks_like_json_lines, looks_like_markdown
from spanwise.formats.reading import format_of
from spanwise.structure import Structure
from texts import LAW, chunked_texts

_MARKDOWN = {
    "a heading": "# Pump\n",
    "a heading and a sentence": "# Pump\n\nIt moves water.\n",
    "a heading right above its text": "# Pump\nmoves water from here to there\n",
    "headings alone": "# Pump\n\n## Install\n\n## Use\n",
    "words alone": "# A\n\ntext\n\n## B\n\nmore\n",
    "a list with links": "Seeds\n\n- [Beans](https://example.org/beans)\n- [Peas](peas.md)\n",
    "a list of words": "# Seeds\n\n- beans\n- peas\n",
    "a list with numbers": "# Steps\n\n1. Open the valve\n2. Close it\n",
    "a fence": "Run this:\n\n```sh\nmake all\n```\n",
    "a fence alone": "```py\nx = 1\n```\n",
    "a fence of tildes": "Run this:\n\n~~~\nmake all\n~~~\n",
    "a table": "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "emphasis": "The **pump** moves **water** and **air**.\n",
    "a badge": "# seeds\n\n[![build](https://ci.example/b.svg)](https://ci.example)\n\nCounts seeds.\n\n## Install\n",
    "more code than text": (
        "# Install\n\nRun it:\n\n```sh\nmake\nmake install\n./run --once\n```\n\n## Use\n\nRun it.\n"
    ),
    "a link by reference": "# Notes\n\nSee [the plan][1].\n\n[1]: https://example.org\n",
    "notes with colons": "# Pump\n\nNote: it moves water.\nWeight: 3 kg\n",
    "a comment of HTML": "<!-- x: 1\ny: 2 -->\n\n# Pump\n\nIt moves water.\n",
    "another script": "# 水泵\n\n它输送水\n",
}
_OTHERS = {
    "robots.txt": (
        "# robots.txt for example.org\n\nUser-agent: *\nDisallow: /private/\n\nSitemap: https://example.org/map\n"
    ),
    "crontab": (
        "# m h dom mon dow command\n\n0 5 * * 1 tar -zcf /var/b.tgz /home/\n"
        "*/10 * * * * /bin/check\n@daily /bin/clean\n"
    ),
    "requirements.txt": "# testing\npytest>=7\nhypothesis\n\n# linting\nruff==0.4\nmypy ~= 1.10\n-r base.txt\n",
    ".gitignore": "# Compiled\n__pycache__/\n*.py[cod]\n\n# Builds\nbuild/\ndist/\n\n# Environments\n.venv\nenv\n",
    "a diff": (
        "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n # Pump\n \n"
        "-It moves water.\n+It moves water, [as shown](https://example.org).\n"
    ),
    "mail with a root prompt": (
        "Hello Kes,\n\non the server run\n\n# cd /srv/seeds\n# ./count --all\n\nand tell me.\n\nOlm\n"
    ),
    "mail with one command": "Hello Kes,\n\non the server run\n\n# count --all\n\nand tell me.\n\nOlm\n",
    "YAML": "# The service\n\nname: seeds\nreplicas: 2\n\n# Where it listens\n\nports:\n  - 80\n  - 443\n",
    "a list of YAML": "# fruits\n- apple\n- pear\n",
    "Python": (
        "# Count the seeds\n\nimport sys\n\n# Read them\n"
        "\nseeds = sys.stdin.read()\nfor seed in seeds:\n    print(seed)\n"
    ),
    "Python with a link": (
        '"""Count the seeds, as [the manual](https://example.org) says."""\n\nimport sys\n\n\ndef count(text):\n'
        "    return len(text)\n\n\ndef main():\n    print(count(sys.stdin.read()))\n"
    ),
    "a shell": (
        "# Install what is needed\n\napt-get update\napt-get install -y make\n\n# Build\n\nmake all\n./run --once\n"
    ),
    "a script that says so": "#!/bin/sh\n\n# Build\n\nAll of this is said.\n",
    "a preprocessor": "#include <stdio.h>\n#define N 3\n\nint main(void)\n{\n  return 0;\n}\n",
    "a preprocessor with blanks": (
        "# ifndef SEEDS_H\n# define SEEDS_H\n\n# include <stdio.h>\n\nint count(void);\n\n# endif\n"
    ),
    "ini": "# Main settings\n\n[server]\nport = 80\n\n# Logging\n\n[log]\nlevel = info\n",
    "nginx": "# Seeds\n\nserver {\n    listen 80;\n}\n",
    "Apache": '# Seeds\n\nServerRoot "/etc/apache2"\nListen 80\nLoadModule mime_module modules/mod_mime.so\n',
    "sshd_config": (
        "# Package generated\n# See sshd_config(5) for details\n\n# What ports we listen for\n"
        "Port 22\n\nHostKey /etc/ssh/key\n"
    ),
    "hosts": "# The following lines are desirable for IPv6\n\n127.0.0.1 localhost\n::1 ip6-localhost\n",
    "Dockerfile": '# Base\n\nFROM python:3.12\nWORKDIR /app\nCOPY . .\n\n# Run\n\nCMD ["python", "app.py"]\n',
    "Makefile": "# Build everything\n\nall: seeds\n\nseeds: seeds.c\n\tcc -o seeds seeds.c\n",
    "TOML": '# Project\n\n[project]\nname = "seeds"\n',
    "Ruby": "# Count\n\nrequire 'set'\n\ndef count(a)\n  a.size\nend\n",
    "R": "# Load\n\nlibrary(dplyr)\n\nx <- read.csv('a.csv')\n\n# Plot\n\nplot(x)\n",
    "SQL": "# Seeds\n\nSELECT name FROM seeds;\n",
    "Perl": "# Count\n\nuse strict;\nmy $n = 0;\nprint $n;\n",
    "CSV": "# seeds\n\nname,count\nbean,3\npea,4\n",
    "names": "# Version 2024050100\nAAA\nAARP\nABB\n",
    "variables": "# Settings\n\nDEBUG=1\nexport NAME=x\n",
    "a hash in prose": "We use C# and issue #1.\n\n#hashtag here\n",
    "a chat with emphasis": (
        "[10:02] Kes: **hello** and **welcome**\n[10:03] Olm: **hi**\n[10:04] Kes: **so** it goes\n"
    ),
}


@pytest.mark.parametrize("text", _MARKDOWN.values(), ids=_MARKDOWN.keys())
def test_small_markdown_looks_like_markdown(text: str) -> None:
    """Whatever ends its lines, and after a byte order mark."""
    for written in (text, text.replace("\n", "\r\n"), text.replace("\n", "\r"), "\ufeff" + text):
        assert looks_like_markdown(Glance(written))
        assert format_of(written) == "markdown"


@pytest.mark.parametrize("text", _OTHERS.values(), ids=_OTHERS.keys())
def test_comments_and_strings_are_no_markdown(text: str) -> None:
    """As files without a name are read, from standard input or a program."""
    for written in (text, text.replace("\n", "\r\n")):
        assert format_of(written) != "markdown"


@pytest.mark.parametrize("name", ["finance", "pubmed", "state_of_the_union"])
def test_prose_is_prose(name: str) -> None:
    text = (DATA / "corpora" / f"{name}.txt").read_text(encoding="utf-8")
    assert not any(looks(Glance(text)) for looks in (looks_like_markdown, looks_like_html, looks_like_json))


@LAW
@given(before=st.sampled_from(list(_OTHERS.values())), text=st.sampled_from(list(_MARKDOWN.values())))
def test_markdown_in_a_fence_is_no_sign_of_its_own(before: str, text: str) -> None:
    """What stands in a fence is neither code nor prose: the prose around it decides."""
    fenced = "```\n" if "~~~" in text else "~~~\n"
    assert looks_like_markdown(Glance(f"It moves water.\n\n{fenced}{before}{fenced}\nIt is made of brass.\n"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<!DOCTYPE html><title>x</title>", "html"),
        ("\n <html lang=en>", "html"),
        ("<!-- saved --><html>", "html"),
        ("<p>a piece of it</p>", "plain"),
        ('{"a": 1}', "json"),
        ("[1, 2, 3]", "json"),
        ("{}", "json"),
        ('{"a": 1}\n{"a": 2}\n', "json_lines"),
        ("{a} and {b}", "plain"),
        ("[1] is a note", "plain"),
        ("", "plain"),
    ],
)
def test_html_and_json_begin_as_they_do(text: str, name: str) -> None:
    assert format_of(text) == name


@LAW
@given(text=chunked_texts())
def test_every_text_can_be_looked_at(text: str) -> None:
    """And what is JSON Lines is not JSON too."""
    assert looks_like_markdown(Glance(text)) in {True, False}
    assert looks_like_html(Glance(text)) in {True, False}
    assert not (looks_like_json(Glance(text)) and looks_like_json_lines(Glance(text)))


def _look(text: str) -> Structure:
    for looks in (looks_like_markdown, looks_like_html, looks_like_json, looks_like_json_lines):
        looks(Glance(text))
    return Structure()


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "\n",
        " ",
        "#",
        "# ",
        "# a\n",
        "**",
        "**a",
        "](",
        "[a](b",
        "```",
        "```\n",
        "|--",
        "--|\n",
        "<!--",
        '{"',
        '{"a":',
        "[[",
        "a -",
        "~~~a\n",
    ],
)
@pytest.mark.slow
def test_time_grows_with_the_text(piece: str) -> None:
    assert growth(_look, piece) < 3
    assert growth(_look, piece, before="a [b](/c) |--|\n") < 3


def test_a_reader_of_ones_own_has_its_name() -> None:
    """No text is looked at."""

    def own(text: str) -> Structure:
        raise AssertionError(text)

    assert format_of("# Pump\n", structure=own).endswith("own")
