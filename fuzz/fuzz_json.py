"""Any text as JSON, and as the file of a document that was converted elsewhere."""

from __future__ import annotations

from promises import SETTINGS, check_promises
from runner import fuzz

TEXTS = (
    b'{"name": "pump", "parts": [1, 2.5e3, null, true, "a\\u00e9\\ud83d\\ude00"], "deep": {"a": {"b": [[[]]]}}}',
    b'[{"id": 1, "text": "One. Two.\\nThree."}, {"id": 2, "text": ""}, [], {}]',
    b'{"id": 1, "t": "One line."}\n{"id": 2, "t": "Another."}\r\n\n{"id": 3}\n',
    b'{"schema_name": "DoclingDocument", "name": "a", "texts": [], "body": {"self_ref": "#/body", "children": []}}',
)
WORDS = (
    b'{"',
    b'":',
    b"[",
    b"]",
    b"}",
    b",",
    b'\\"',
    b"\\u",
    b"\\ud800",
    b"null",
    b"-0",
    b"1e999",
    b"\n",
    b"//",
    b"NaN",
)


def check(data: bytes) -> None:
    """Chunk any text as JSON."""
    check_promises(data, "application/json")


def seeds() -> list[bytes]:
    """Give JSON of each kind, with each setting."""
    return [setting + text for setting in SETTINGS for text in TEXTS]


if __name__ == "__main__":
    fuzz("json", check, seeds(), WORDS)
