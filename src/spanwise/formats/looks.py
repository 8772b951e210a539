"""Does a plain text look like Markdown, HTML or JSON?

Asked about the beginning of a text whose media type says nothing. A comment of a script or of a configuration file
begins like a Markdown heading, so a heading counts only where something other than code follows it.
"""

from __future__ import annotations

import re
from itertools import islice

__all__ = ["looks_like_html", "looks_like_json", "looks_like_json_lines", "looks_like_markdown"]

_LINE_END = r"(?:\r\n|\n|\r)"
_HEADING = re.compile(rf"(?:\A\ufeff?|(?<=[\n\r]))[ ]{{0,3}}(\#{{1,6}})[ \t]++[^\s#][^\n\r]*+(?:{_LINE_END}|\Z)")
_BLANK_BEFORE = re.compile(rf"(?:\A\ufeff?|{_LINE_END}[ \t]*{_LINE_END}|\#[^\n\r]*{_LINE_END})\Z")
_CODE_LINE = re.compile(
    r"[ \t]*+(?:[\w.\-\[\]\"'/]{1,80}+[ \t]*+[:=]{1,2}[ \t]*+\S"
    r"|(?:import|from|def|class|if|for|while|set|export|echo|sudo|cd|pip|apt|git|return|function|var|let|const"
    r"|include|use|server|location|alias|source|exec|mkdir|rm|cp|mv|docker|npm)\b"
    r"|[$@}\])]|[^\n\r]{0,300}[;{\\][ \t]*+(?:[\n\r]|\Z))"
)
_MARKS = (
    ("```", re.compile(r"(?:\A|(?<=[\n\r]))[ ]{0,3}`{3}[^`\n\r]{0,100}+(?=[\n\r])")),
    ("~~~", re.compile(r"(?:\A|(?<=[\n\r]))[ ]{0,3}~{3,}[\w \t-]{0,40}+(?=[\n\r])")),
    ("--", re.compile(r"(?:\A|(?<=[\n\r]))[ ]{0,3}\|?[ \t]*+:?-{2,100}+:?[ \t]*+\|[-: \t|]{0,2000}+(?=[\n\r]|\Z)")),
    ("](", re.compile(r"\[[^\[\]\n\r]{1,200}+\]\((?:https?:|mailto:|[./#\w])[^\s()]{0,500}+\)")),
)
"""Fences, the delimiter row of a table, links; each is sought only where its literal is there."""

_BOLD = re.compile(r"(?<![*\w])\*\*(?=\w)[^*\n\r]{1,200}+(?<=\S)\*\*(?![*\w])")
_LEAST_BOLD = 3
_MOST_JUDGED = 200  # lines with hashes
_HTML = re.compile(r"\s*+(?:<!--.{0,5000}?-->\s*+)?<(?:!doctype[ \t]+html|html)[\s>]", re.IGNORECASE | re.DOTALL)
_JSON = re.compile(
    r'\ufeff?\s*+(?:\{\s*+(?:"(?:[^"\\\n]|\\.){0,300}+"\s*+:|\}\s*\Z)|\[\s*+(?:["{\[]|\]\s*\Z|-?\d+\s*+,))'
)
_JSON_RECORD = re.compile(r'\ufeff?\s*+\{\s*+"(?:[^"\\\n]|\\.){0,300}+"\s*+:[^\n]*\}[ \t\r]*\n[ \t]*\{[^\n]*(?:\n|\Z)')


def looks_like_markdown(prefix: str) -> bool:
    """Say whether a text holds Markdown headings, fences, tables or links."""
    if prefix.startswith("#!"):
        return False
    if any(literal in prefix and mark.search(prefix) is not None for literal, mark in _MARKS):
        return True
    if "#" in prefix and _has_headings(prefix):
        return True
    return "**" in prefix and sum(1 for _ in _BOLD.finditer(prefix)) >= _LEAST_BOLD


def _has_headings(prefix: str) -> bool:
    headings = comments = 0
    for match in islice(_HEADING.finditer(prefix), _MOST_JUDGED):
        if _is_heading(prefix, match):
            headings += 1
        else:
            comments += 1
    return headings > comments


def _is_heading(prefix: str, match: re.Match[str]) -> bool:
    """Say whether a line with hashes is a heading rather than a comment: of a script it stands right above code."""
    before, end = match.start(), match.end()
    if _BLANK_BEFORE.search(prefix, max(0, before - 400), before) is None:
        return False
    if end >= len(prefix) or prefix[end] in "\n\r":
        return True
    following = _HEADING.match(prefix, end)
    if following is not None:  # comments of several lines have the same number of hashes
        return following[1] != match[1]
    return prefix[end] != "#" and _CODE_LINE.match(prefix, end) is None


def looks_like_html(prefix: str) -> bool:
    """Say whether a text begins as an HTML page does."""
    return "<" in prefix[:6000] and _HTML.match(prefix) is not None


def looks_like_json(prefix: str) -> bool:
    """Say whether a text begins as a JSON object or array does, and is not JSON Lines."""
    return _JSON.match(prefix) is not None and not looks_like_json_lines(prefix)


def looks_like_json_lines(prefix: str) -> bool:
    """Say whether the first two lines are JSON objects."""
    return _JSON_RECORD.match(prefix) is not None
