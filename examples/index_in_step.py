"""Keep a vector index in step with a folder of documentation, and compute only the vectors that have to be new.

    pip install ".[semantic]" lancedb
    python examples/index_in_step.py           # the docs of spanwise, in three versions
    python examples/index_in_step.py FOLDER    # another folder of documentation, which is copied first

At each version `spanwise chunk --changes` says what is new, and LanceDB, a store in a folder, takes it in. Vectors are
those of `spanwise.embedder()`, which works offline. After each version the store is compared with one that is filled
from nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lancedb
import pyarrow as pa

import spanwise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DOCS = Path(__file__).parent.parent / "docs"
EMBEDDER = spanwise.embedder()
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("vector", pa.list_(pa.float32(), len(EMBEDDER.embed(["a"])[0]))),
        ("text", pa.string()),
        ("record", pa.string()),
    ]
)


def chunk(folder: Path, chunks: Path, changes: Path) -> None:
    """Chunk what has changed since the run before."""
    command = [
        sys.executable,
        "-m",
        "spanwise",
        "chunk",
        str(folder),
        "-o",
        str(chunks),
        "--changes",
        str(changes),
        "-q",
    ]
    subprocess.run([*command, "--max-tokens", "128", "--context", "section"], check=True)  # noqa: S603  our own command


def lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON Lines."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def rows(records: Sequence[dict[str, Any]], vectors: Iterable[Any]) -> pa.Table:
    """Give records with their vectors as the store holds them."""
    columns = {
        "id": [record["id"] for record in records],
        "vector": [list(map(float, vector)) for vector in vectors],
        "text": [record["text"] for record in records],
        "record": [json.dumps(record) for record in records],
    }
    return pa.table(columns, schema=SCHEMA)


def vectors_of(records: Sequence[dict[str, Any]]) -> list[Any]:
    """Embed what was to be indexed: the section path, then the text."""
    return list(EMBEDDER.embed([record["context"] + record["text"] for record in records])) if records else []


def apply(changes: Sequence[dict[str, Any]], store: Any) -> int:
    """Do with a store what the changes say; give how many vectors were computed."""
    last = {change["id"]: change for change in changes}  # in order, so the last word on an id holds
    deleted = [key for key, change in last.items() if change["op"] == "delete"]
    if deleted:
        store.delete(among(deleted))
    new = [change["record"] for change in last.values() if change["op"] == "upsert" and change["embed"]]
    kept = [change["record"] for change in last.values() if change["op"] == "upsert" and not change["embed"]]
    known = vectors_in(store, [record["id"] for record in kept])
    taken_in = rows([*new, *kept], [*vectors_of(new), *(known[record["id"]] for record in kept)])
    if taken_in.num_rows:
        store.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(taken_in)
    return len(new)


def among(ids: Sequence[str]) -> str:
    """Write the condition that an id, which is hexadecimal, is one of these."""
    return "id IN ({})".format(", ".join(f"'{key}'" for key in ids))


def vectors_in(store: Any, ids: Sequence[str]) -> dict[str, Any]:
    """Look up vectors by the ids of their chunks."""
    if not ids:
        return {}
    found = store.search().where(among(ids)).limit(len(ids)).to_arrow()
    return dict(zip(found["id"].to_pylist(), found["vector"].to_pylist(), strict=True))


def content(store: Any) -> list[dict[str, Any]]:
    """Give all that a store holds, in one order."""
    found: list[dict[str, Any]] = store.to_arrow().sort_by("id").to_pylist()
    return found


def edit(folder: Path, version: int) -> str:
    """Make the next version of a folder as people do, and say what was done."""
    pages = sorted(folder.rglob("*.md"))
    if version == 1:
        return "as it is"
    if version == 2:
        page = max(pages, key=lambda page: page.stat().st_size)
        parts = page.read_text(encoding="utf-8").split("\n\n")
        middle = len(parts) // 2
        parts[middle:middle] = ["This was added later, in the middle of the page, and moves all that follows."]
        page.write_text("\n\n".join(parts), encoding="utf-8")
        return f"a paragraph was added to {page.name}"
    gone, renamed = pages[0], pages[-1]
    gone.unlink()
    renamed.rename(renamed.with_name(f"new-{renamed.name}"))
    title = pages[1].read_text(encoding="utf-8")
    pages[1].write_text(title.replace("# ", "# More about ", 1), encoding="utf-8")
    return f"{gone.name} was removed, {renamed.name} got another name, {pages[1].name} another title"


def main(arguments: Sequence[str]) -> None:
    """Print for each version how many vectors were computed, of how many that the store holds."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        shutil.copytree(arguments[0] if arguments else DOCS, work / "docs")
        chunks, changes = work / "chunks.jsonl", work / "changes.jsonl"
        connection = lancedb.connect(work / "index")
        store = connection.create_table("chunks", schema=SCHEMA)
        for version in (1, 2, 3):
            done = edit(work / "docs", version)
            chunk(work / "docs", chunks, changes)
            computed = apply(lines(changes), store)
            every = lines(chunks)
            fresh = connection.create_table(f"fresh-{version}", rows(every, vectors_of(every)))
            if content(store) != content(fresh):
                raise SystemExit(f"version {version}: the store is not what one filled from nothing would be")
            print(f"version {version}: {computed} vectors computed for {len(every)} chunks, in step; {done}")
        question = EMBEDDER.embed(["How do I chunk only what has changed?"])[0]
        best = store.search(list(map(float, question))).limit(1).to_list()[0]
        print("best found:", json.loads(best["record"])["document_id"], repr(best["text"][:60]))


if __name__ == "__main__":
    main(sys.argv[1:])
