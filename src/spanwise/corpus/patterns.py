"""Which paths does a pattern such as `docs/**/*.md` mean?

Matched against the paths of our own walk, so that a quoted pattern meets the same rules on hidden files and loops of
links as a folder does; `glob` follows loops until the operating system stops it.
"""

from __future__ import annotations

import re

import msgspec

__all__ = ["Pattern", "is_pattern", "pattern_of"]

_WILD = re.compile(r"[*?\[]")


class Pattern(msgspec.Struct, frozen=True):
    """A pattern taken apart: the folder it starts in, what is below it, how deep, and whether it names a suffix."""

    root: str
    below: re.Pattern[str]
    depth: int | None
    names_suffix: bool

    def goes_below(self, folder: str) -> bool:
        """Say whether files in a folder (its path below the root, "" for the root) could match."""
        return self.depth is None or (folder.count("/") + 2 if folder else 1) <= self.depth


def is_pattern(argument: str) -> bool:
    """Say whether an argument has wildcards."""
    return _WILD.search(argument) is not None


def pattern_of(argument: str) -> Pattern:
    """Take a pattern apart: `*` and `?` stay within a name, `**` is any number of folders, `[a-z]` one of those.

    Examples:
        >>> pattern = pattern_of("docs/**/*.md")
        >>> pattern.root, bool(pattern.below.fullmatch("a/b/c.md")), bool(pattern.below.fullmatch("c.md"))
        ('docs', True, True)
    """
    parts = argument.replace("\\", "/").split("/") if "/" not in argument else argument.split("/")
    fixed = next(place for place, part in enumerate(parts) if is_pattern(part))
    root = "/".join(parts[:fixed]) or ("/" if fixed else ".")
    wild = parts[fixed:]
    pieces = ["(?:[^/]+/)*" if part == "**" else f"{_name(part)}/" for part in wild[:-1]]
    last = "(?:[^/]+/)*[^/]+" if wild[-1] == "**" else _name(wild[-1])
    return Pattern(
        root=root,
        below=re.compile("".join(pieces) + last, re.DOTALL),
        depth=None if "**" in wild else len(wild),
        names_suffix=re.search(r"\.[^.*?\[\]]+$", wild[-1]) is not None,
    )


def _name(part: str) -> str:
    """Translate one name of a pattern; a bracket that is never closed is an ordinary character."""
    pieces, place = [], 0
    while place < len(part):
        character = part[place]
        closing = part.find("]", place + 2) if character == "[" else -1
        if closing > 0:
            inner = part[place + 1 : closing].replace("\\", "\\\\").replace("[", "\\[")
            pieces.append(f"[{'^/' + inner[1:] if inner[0] in '!^' else inner}]")
            place = closing
        else:
            pieces.append({"*": "[^/]*", "?": "[^/]"}.get(character, re.escape(character)))
        place += 1
    return "".join(pieces)
