"""Does a plain text look like Markdown, HTML or JSON?

Asked about the beginning of a text whose media type says nothing. A comment of a script or of a configuration file
begins like a Markdown heading, and its strings hold links and fences: so these signs count only where what stands
around them is prose rather than code.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from spanwise.patterns import lazy_pattern

if TYPE_CHECKING:
    from spanwise.formats.glances import Glance

__all__ = ["looks_like_html", "looks_like_json", "looks_like_json_lines", "looks_like_markdown"]

_FENCES = (
    ("```", lazy_pattern(r"\n[ ]{0,3}`{3}[^`\n]{0,100}+(?=\n)")),
    ("~~~", lazy_pattern(r"\n[ ]{0,3}~{3,}[\w \t-]{0,40}+(?=\n)")),
)
_LINK = lazy_pattern(r"\[[^\[\]\n]{1,200}+\]\((?:https?:|mailto:|[./#\w])[^\s()]{0,500}+\)")
_DELIMITER_ROW = lazy_pattern(r"\n[ ]{0,3}\|?[ \t]*+:?-{2,100}+:?[ \t]*+\|[-: \t|]{0,2000}+(?=\n|\Z)")
_BOLD = lazy_pattern(r"(?<![*\w])\*\*(?=\w)[^*\n]{1,200}+(?<=\S)\*\*(?![*\w])")
_HEADING = lazy_pattern(r"\n[ ]{0,3}(\#{1,6})[ \t]++([^\s#][^\n]*+)")
_STARTS_BLOCK = lazy_pattern(r"(?:\A|\n[ \t]*|\n[ ]{0,3}\#[^\n]*)\Z")
_KEYWORD = (
    r"(?:import|from|def|class|if|for|while|set|export|echo|sudo|cd|pip|apt|git|return|function|var|let|const|include"
    r"|use|server|location|alias|source|exec|mkdir|rm|cp|mv|docker|npm)\b"
)
_ASSIGNMENT = r"[\w.\-\[\]\"'/]{1,80}+[ \t]*+[:=]{1,2}[ \t]*+\S"
_CODE_BELOW = lazy_pattern(rf"\n[ \t]*+(?:{_ASSIGNMENT}|{_KEYWORD}|[$@}}\])]|[^\n]{{0,300}}[;{{\\][ \t]*+(?:\n|\Z))")
_CODE = lazy_pattern(
    r"[ \t]*+(?:[-+*][ ]+)?(?:[\w.\-\[\]\"'/]{1,80}+[ \t]*+(?:[-+*/|]?=|[<>~!]=|:=)"
    r"|[\w.\-\"'/]{1,80}+:(?=[ ]*+[^\sA-Z]|[ ]*+\Z)(?!.*[.!?]\Z)"  # a field, not "Note: it moves water."
    rf"|{_KEYWORD}(?!.*[.!?]\Z)|[$@}}\])&|^\\]|[/.~][\w.*/-]|[*!]{{1,2}}[./]|(?:[\d*@][\w*/,-]*+[ \t]+){{2}}"
    r"|[\d:][\w.:]*+[ \t]+[\w.-]+\Z|[A-Za-z]\w*+[ \t]+(?:\d+|[\"'/.\[]\S*|[^\s:/_]*[:/_]\S+)(?<![.!?])\Z"
    r"|[A-Z]{3,}+[ ]+[.\[\"'/~$]"
    r"|(?:\S+[ \t]+){2,3}[^\s/_]*[/_]\S*(?<![.!?])\Z|.{0,300}[;{\\(]\Z|\S+\Z(?<![\w.!?:])|\S+,\S+\Z)"
    r"|.{0,200}[ ]-{1,2}[a-z]"
)
_PROSE = lazy_pattern(
    r"[ ]{0,3}(?:[>*+-][ ]+|\d{1,4}[.)][ ]+)*+(?:\[[ xX]\][ ])?[*_`\"'“(\[]*+(?:"
    r"[^\W\d_].*[.!?:…。！？][)\]\"'”*_`]*\Z|(?=[^\W\d_]|\S*`)\S*+[ ]+(?=\S*[^\W\d_])\S++[ ]+\S++[ ]+\S"
    r"|[A-ZÀ-ÞΑ-ΫЀ-Я]\S*[ ]+\S*[^\W\d_]|[^\W\d_\x00-\u2e7f])"
)
_COMMAND = lazy_pattern(
    r"(?:include|define|undef|if|ifn?def|elif|else|endif|pragma)\b(?![^\n]*[.!?]\Z)"
    r"|[a-z][\w.-]*(?:[ ]\S++)*?[ ](?:-{1,2}[a-z]|/\w|[|<>$])"
)
_CLOSED_BY = {"```": "```", "~~~": "~~~", "<!-": "-->"}
_NEITHER = ("#", "|", "<", "[", "    ", "\t", "http://", "https://")
_LEAST_BOLD = 3
_MOST_JUDGED = 200  # lines with hashes
_MOST_LINES = 40  # of those around them
_HEAD = 4_096
_HTML = lazy_pattern(r"\s*+(?:<!--.{0,5000}?-->\s*+)?<(?:!doctype[ \t]+html|html)[\s>]", re.IGNORECASE | re.DOTALL)
_JSON = lazy_pattern(
    r'\ufeff?\s*+(?:\{\s*+(?:"(?:[^"\\\n]|\\.){0,300}+"\s*+:|\}\s*\Z)|\[\s*+(?:["{\[]|\]\s*\Z|-?\d+\s*+,))'
)
_JSON_RECORD = lazy_pattern(
    r'\ufeff?\s*+\{\s*+"(?:[^"\\\n]|\\.){0,300}+"\s*+:[^\n]*\}[ \t\r]*\n[ \t]*\{[^\n]*(?:\n|\Z)'
)


def looks_like_markdown(glance: Glance) -> bool:
    """Say whether a text holds Markdown headings, fences, tables or links, and is not code."""
    prefix = glance.text
    if prefix.startswith("#!"):
        return False
    # One character is sought twenty times faster than two.
    has_fence = ("`" in prefix and "```" in prefix) or ("~" in prefix and "~~~" in prefix)
    has_table = "|" in prefix and "--" in prefix
    has_link = "[" in prefix and "](" in prefix
    has_bold = "*" in prefix and "**" in prefix
    if not (has_fence or has_table or has_link or has_bold or "#" in prefix):
        return False
    lined = "\n" + prefix.removeprefix("\ufeff")
    if "\r" in lined:
        lined = lined.replace("\r\n", "\n").replace("\r", "\n")
    apart = 1
    if not (
        (has_fence and any(literal in lined and fence.search(lined) for literal, fence in _FENCES))
        or (has_table and _DELIMITER_ROW.search(lined))
        or (has_link and _LINK.search(lined))
        or (has_bold and sum(1 for _ in islice(_BOLD.finditer(lined), _LEAST_BOLD)) == _LEAST_BOLD)
    ):
        headings, apart = _headings(lined) if "#" in lined else (0, 0)
        if headings == 0:
            return False
    return not _is_diff(lined) and _prose_above_code(lined) >= (0 if apart else 1)


def _is_diff(lined: str) -> bool:
    """Say whether a hunk of a diff stands outside any fence."""
    hunk = lined.find("\n@@ -")
    return hunk >= 0 and not any(lined.find("\n" + literal, 0, hunk) >= 0 for literal, _ in _FENCES)


def _prose_above_code(lined: str) -> int:
    """Count the first lines outside fences: how many more are prose than code; comments and markup are neither."""
    code = prose = 0
    within = ""
    for line in islice(filter(None, map(str.rstrip, lined[:_HEAD].split("\n"))), _MOST_LINES):
        mark = line.lstrip(" ")[:3]
        if within:
            within = "" if within == mark or (within == "-->" and within in line) else within
        elif mark in _CLOSED_BY:
            within = "" if mark == "<!-" and "-->" in line else _CLOSED_BY[mark]
        elif "](" in line or "][" in line:
            prose += 1
        elif line.startswith(_NEITHER):
            continue
        elif _CODE.match(line) is not None:
            code += 1
        elif _PROSE.match(line) is not None:
            prose += 1
    return prose - code


def _headings(lined: str) -> tuple[int, int]:
    """Count the headings, and those above a blank line; there are none where as many lines with hashes are comments."""
    headings = apart = comments = 0
    for match in islice(_HEADING.finditer(lined), _MOST_JUDGED):
        if _is_heading(lined, match):
            headings += 1
            apart += lined[match.end() + 1 : match.end() + 2] in ("", "\n")
        else:
            comments += 1
    return (headings, apart) if headings > comments else (0, 0)


def _is_heading(lined: str, match: re.Match[str]) -> bool:
    """Say whether a line with hashes is a heading rather than a comment: of a script it stands right above code."""
    before, end = match.start(), match.end()
    if _STARTS_BLOCK.search(lined, max(0, before - 400), before) is None or _COMMAND.match(match[2]) is not None:
        return False
    if lined[end + 1 : end + 2] in ("", "\n"):
        return True
    following = _HEADING.match(lined, end)
    if following is not None:  # comments of several lines have the same number of hashes
        return following[1] != match[1]
    return lined[end + 1] != "#" and _CODE_BELOW.match(lined, end) is None


def looks_like_html(glance: Glance) -> bool:
    """Say whether a text begins as an HTML page does."""
    return glance.text.find("<", 0, 6_000) >= 0 and _HTML.match(glance.text) is not None


def looks_like_json(glance: Glance) -> bool:
    """Say whether a text begins as a JSON object or array does, and is not JSON Lines."""
    return _JSON.match(glance.text) is not None and not looks_like_json_lines(glance)


def looks_like_json_lines(glance: Glance) -> bool:
    """Say whether the first two lines are JSON objects."""
    return _JSON_RECORD.match(glance.text) is not None
