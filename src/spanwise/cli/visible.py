"""How is text of a document shown in a terminal without the terminal obeying it?

Documents are not trusted: an escape sequence in one could move the cursor, a bidirectional control could show words
in another order than they are read.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["one_line", "visible"]

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421", 0x0A: "\u23ce", 0x09: "\u2409"}
_SHOWN_AS_THEY_ARE = "\u200c\u200d"  # joiners that hold words of Persian and of Indic scripts, and emoji, together
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_SUSPECT = re.compile(r"[^\x20-\x7e]")
_SPACES = re.compile(r"(?<![ \t])[ \t]*+(?:\r\n|[\r\n])[ \t\r\n]*")


def visible(text: str, *, line_breaks: bool = False) -> str:
    r"""Replace what a terminal would obey or hide: controls become pictures, format characters their numbers.

    With `line_breaks` line feeds and tabs stay, for text that is shown over several lines.

    Examples:
        >>> visible("red\x1b[31m\n"), visible("a\u202eb")
        ('red␛[31m⏎', 'a\\u202eb')
    """
    kept = "\n\t" if line_breaks else ""
    text = text.replace("\r\n", "\n") if line_breaks else text
    return _SUSPECT.sub(lambda match: match[0] if match[0] in kept else _shown(match[0]), text)


def _shown(character: str) -> str:
    code = ord(character)
    if code in _PICTURES:
        return _PICTURES[code]
    if unicodedata.category(character) in _HIDDEN and character not in _SHOWN_AS_THEY_ARE:
        return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
    return character


def one_line(text: str, most: int = 400) -> str:
    r"""Show the beginning of a text on one line; line breaks with the blanks around them become one sign.

    Examples:
        >>> one_line("# Pumps\n\n  Unplug first.\n")
        '# Pumps⏎Unplug first.'
    """
    beginning = text[:most].strip(" \t\r\n")
    return visible(_SPACES.sub("\n", beginning))
