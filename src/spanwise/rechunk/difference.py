"""What has to be done to a vector store so that it holds the new chunks?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from spanwise.chunks import Chunk  # noqa: TC001  msgspec reads the annotations
from spanwise.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Difference", "diff"]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """How the chunks of now differ from those of before; told apart by their ids.

    >>> import spanwise
    >>> difference = spanwise.diff(spanwise.chunk("It moves water."), spanwise.chunk("It has one motor."))
    >>> len(difference.added), len(difference.removed), len(difference.kept), bool(difference)
    (1, 1, 0, True)
    """

    kept: tuple[Chunk, ...] = ()
    """The same in every field: nothing to do."""
    changed: tuple[Chunk, ...] = ()
    """The same id with another context: embed it again."""
    moved: tuple[Chunk, ...] = ()
    """The same id and `index_text`, but another section, place or metadata: its vector stays."""
    added: tuple[Chunk, ...] = ()
    """New ids: embed them."""
    removed: tuple[Chunk, ...] = ()
    """Ids that are gone, as they were."""

    def __repr__(self) -> str:
        counts = (f"{len(getattr(self, kind))} {kind}" for kind in self.__struct_fields__)
        return f"<Difference: {', '.join(counts)}>"

    def __bool__(self) -> bool:
        return bool(self.changed or self.moved or self.added or self.removed)

    def upserts(self) -> list[dict[str, object]]:
        """List the records to embed and to write: of chunks that are new or have another context."""
        return [chunk.record() for chunk in (*self.changed, *self.added)]

    def metadata_updates(self) -> list[dict[str, object]]:
        """List the records whose fields are to be written without embedding anything."""
        return [chunk.record() for chunk in self.moved]

    def deletes(self) -> list[str]:
        """List the ids to delete."""
        return [chunk.id for chunk in self.removed]


def diff(old: Iterable[Chunk], new: Iterable[Chunk]) -> Difference:
    r"""Compare the chunks of before with those of now: what to embed, what to update, what to delete.

    Both may hold the chunks of many documents, in any order. Chunks are the same where their ids are, which say
    document id, text and occurrence. What a record cannot show is no difference, so that chunks that were written and
    read again can be compared. All but `removed` are chunks of `new`, in its order.

    Raises:
        ConfigurationError: an id occurs twice in one of the two.

    >>> import spanwise
    >>> old = spanwise.chunk("# Pump\n\nIt moves water.\n\n# Safety\n\nUnplug it first.\n", max_tokens=8)
    >>> new = spanwise.chunk("# Pumps\n\nIt moves water.\n\n# Safety\n\nUnplug it first.\n", max_tokens=8)
    >>> difference = diff(old, new)
    >>> [chunk.text for chunk in difference.added], [chunk.text for chunk in difference.moved]
    (['# Pumps\n\nIt moves water.\n\n'], ['# Safety\n\nUnplug it first.\n'])
    >>> difference.deletes() == [old[0].id]
    True
    """
    before, after = _by_id(old, "old"), _by_id(new, "new")
    kinds: dict[str, list[Chunk]] = {"kept": [], "changed": [], "moved": [], "added": []}
    for key, chunk in after.items():
        known = before.get(key)
        kinds["added" if known is None else _kind(known, chunk)].append(chunk)
    removed = tuple(chunk for key, chunk in before.items() if key not in after)
    return Difference(
        kept=tuple(kinds["kept"]),
        changed=tuple(kinds["changed"]),
        moved=tuple(kinds["moved"]),
        added=tuple(kinds["added"]),
        removed=removed,
    )


def _kind(before: Chunk, after: Chunk) -> str:
    if before.index_text != after.index_text:
        return "changed"
    return "kept" if before == after or before.record() == after.record() else "moved"


def _by_id(chunks: Iterable[Chunk], name: str) -> dict[str, Chunk]:
    known: dict[str, Chunk] = {}
    for chunk in chunks:
        other = known.setdefault(chunk.id, chunk)
        if other is not chunk:
            raise ConfigurationError(
                f"{name}: chunk {chunk.index} of document {chunk.document_id!r} has the id {chunk.id} of chunk "
                f"{other.index} of {other.document_id!r}: give each document once, and each an id of its own"
            )
    return known
