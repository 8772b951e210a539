"""Equal windows of tokens."""

from __future__ import annotations

import msgspec

from spanwise.segmenting.graphemes import Graphemes
from spanwise.strategies.strategy import Plan

__all__ = ["Tokens"]


class Tokens(msgspec.Struct, frozen=True):
    """As many tokens as fit, exactly; a token's end inside a character moves to before the character.

    The reach of the budget ends where a token ends, so cutting at the last whole cluster in it gives token windows.

    >>> import spanwise
    >>> [chunk.text for chunk in spanwise.chunk("one two three four", "tokens", max_tokens=2)]
    ['one two', ' three four']
    """

    def plan(self) -> Plan:
        """Fill with clusters; the reach of the budget is a token's end."""
        return Plan(ladder=(Graphemes(),), whole_words=False)
