"""Lines of plain text, and what the readers of it ask about them."""

from __future__ import annotations

import re
from bisect import bisect_right
from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING

from spanwise.formats.line_feeds import has_lines
from spanwise.patterns import lazy_pattern
from spanwise.sections import Heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.formats.glances import Glance

__all__ = ["WORDS", "Lines", "is_code", "is_title_case", "judged_parts", "title_of"]

_LONGEST_TITLE = 300
_FAR = 4_096  # characters: a line further off than this is not what follows a title
_BOM = "\ufeff"


class Lines:
    """The lines of a text, all ended alike, at the offsets of the text."""

    __slots__ = ("_bom", "even", "lines", "size", "starts")

    def __init__(self, text: str) -> None:
        self._bom = text.startswith(_BOM)
        even = "\n" + text[1:] if self._bom else text  # a BOM is no part of a line
        even = even.replace("\r\n", " \n") if "\r" in even else even
        for end in "\r\x0b\x0c\x85\u2028\u2029":
            if end in even:
                even = even.replace(end, "\n")
        self._take(even)

    def _take(self, even: str) -> None:
        self.even = even
        self.lines = even.split("\n")
        self.starts = [0, *accumulate(map((1).__add__, map(len, self.lines)))]
        self.size = self.starts[-1] = len(even)

    def changed(self, even: str) -> Lines:
        """Give the lines of another text of the same length with the same line ends."""
        lines = copy(self)
        lines._take(even)  # noqa: SLF001  its own kind
        return lines

    def line_at(self, offset: int) -> int:
        """Give the number of the line that holds an offset."""
        return min(bisect_right(self.starts, offset), len(self.lines)) - 1

    def is_blank(self, line: int) -> bool:
        """Say whether a line has no ink; lines before the first and after the last have none."""
        if not 0 <= line < len(self.lines):
            return True
        words = self.lines[line]
        return not words or words.isspace()

    def ink_after(self, line: int) -> int | None:
        """Give the first line with ink after a line, if it is near."""
        far = self.starts[line] + _FAR
        for following in range(line + 1, len(self.lines)):
            if self.starts[following] > far:
                return None
            if not self.is_blank(following):
                return following
        return None

    def heading(self, first: int, last: int, level: int, title: str) -> Heading:
        """Make the heading that fills the lines from `first` to `last`."""
        return Heading(self.begin(first), self.starts[last + 1], level, title_of(title))

    def begin(self, line: int) -> int:
        """Give where a line begins; a BOM belongs to the first."""
        start = self.starts[line]
        return 0 if start == 1 and self._bom else start


_CODE = lazy_pattern(
    r"^(?:(?:async )?def \w+\([^\n]*|class \w+(?:[(:{][^\n]*| (?:extends|implements|\{)[^\n]*)|"
    r"import [\w.]+(?: as \w+|, [\w.]+)*+;?"
    r"|import [{*\"'][^\n]*|from [\w.]+ import [^\n]*|#!/[^\n]*|# ?(?:include|define|ifn?def|endif)\b[^\n]*|"
    r"package [\w.]+;?"
    r"|func [^\n]*\{|(?:public|private|protected|static|export|const|let|var|function|using|struct|typedef|fn|pub|"
    r"use|mod|impl) "
    r"[^\n]*[;{(]|@\w+(?:\([^\n]*\))?|if __name__[^\n]*|[}\])]+[;,]?|</?[a-z][\w-]*(?:>|\s[\w-]+=)[^\n]*)$",
    re.MULTILINE,
)


def is_code(even: str) -> bool:
    """Say whether many lines begin, at the margin, as those of programs and markup do."""
    found = len(_CODE.findall(even))
    if found and even.lstrip()[:4].startswith(('"""', "'''", 'r"""', "#!/")):
        return True
    return found >= 3 and 60 * found >= even.count("\n")


def title_of(words: str) -> str:
    """Bring a title into one line of at most 300 characters."""
    return " ".join(words.split())[:_LONGEST_TITLE].rstrip()


_SMALL_WORDS = frozenset(
    str.split(
        "a an and as at by for from in into of on or per nor but the to with without under upon via vs between "
        "among its other this these such de la le les des du et à au aux en sur der die das dem den des und von "
        "vom zu zur zum für im am bei mit del y e el los las por para con di della dei delle il lo i van het een "
        "of da do dos das"
    )
)
WORDS = lazy_pattern(r"[^\W\d_][\w'’.\-/&]*+")
"""What counts as a word of a title."""


def is_title_case(words: str) -> bool:
    """Say whether every word but the small ones begins with a capital."""
    if words.isupper():
        return True
    found = WORDS.findall(words)
    return bool(found) and all(word[0].isupper() or word in _SMALL_WORDS for word in found) and found[0][0].isupper()


_JUDGED = 16_384  # characters of the beginning that decide, unless much more begins in the same way later


def judged_parts(glance: Glance, beginning: re.Pattern[str], few: int, many: int) -> Iterator[Glance]:
    """Give the parts of a text in which so many lines begin in a way that a closer look is worth it."""
    telling = glance.telling + "\n"
    if not has_lines(telling, beginning, few):
        return
    if len(glance.lined) < _JUDGED or has_lines(glance.lined[:_JUDGED], beginning, few):
        yield glance.part(_JUDGED)
    if len(glance.text) > _JUDGED and has_lines(telling, beginning, many):
        yield glance
