"""What is wrong with an office or PDF file that no reader reads, as far as its bytes say?"""

from __future__ import annotations

import re
import zlib
from io import BytesIO
from typing import Final
from zipfile import BadZipFile, ZipFile

__all__ = ["why_damaged"]

_MAIN_PARTS: Final = {"docx": "word/", "pptx": "ppt/", "xlsx": "xl/"}
_OLE: Final = b"\xd0\xcf\x11\xe0"
_ZIP: Final = b"PK"
_PDF_SEARCHED: Final = 1024  # the header may stand after other bytes, and the end before some
_READ_AT_ONCE: Final = 1 << 16
_ENTITY: Final = re.compile(rb"<!(?:DOCTYPE|ENTITY)\b")


def why_damaged(content: bytes, suffix: str) -> str | None:
    """Say it in words; None where it is not known.

    >>> why_damaged(b"", "docx"), why_damaged(b"It moves water.", "docx")
    ('the file is empty', 'it is no ZIP file, which every .docx is')
    """
    if not content:
        return "the file is empty"
    if suffix == "pdf":
        return _of_pdf(content)
    return _of_zip(content, suffix) if suffix in _MAIN_PARTS else None


def _of_pdf(content: bytes) -> str | None:
    if b"%PDF-" not in content[:_PDF_SEARCHED]:
        return "it is no PDF file: %PDF- does not stand at its beginning"
    if b"%%EOF" not in content[-_PDF_SEARCHED:]:
        return "the file is cut off: %%EOF does not stand at its end"
    return "it is encrypted" if b"/Encrypt" in content else None


def _of_zip(content: bytes, suffix: str) -> str | None:
    if content.startswith(_OLE):
        return "it is encrypted, or a file of an older Office: save it again without a password"
    if not content.startswith(_ZIP):
        return f"it is no ZIP file, which every .{suffix} is"
    try:
        with ZipFile(BytesIO(content)) as archive:
            return _of_parts(archive, suffix)
    except BadZipFile:
        return "the file is cut off: it begins as a ZIP file, but the list of its parts at the end is missing or broken"
    except (OSError, RuntimeError, NotImplementedError, ValueError):
        return "the ZIP file is damaged"


def _of_parts(archive: ZipFile, suffix: str) -> str | None:
    names = archive.namelist()
    other = next((kind for kind, folder in _MAIN_PARTS.items() if any(each.startswith(folder) for each in names)), None)
    if other is None:
        return f"it is a ZIP file, but not one of Office: it holds no folder {_MAIN_PARTS[suffix]}"
    if other != suffix and not any(each.startswith(_MAIN_PARTS[suffix]) for each in names):
        return f"it is a .{other} file: name it so"
    if "[Content_Types].xml" not in names:
        return "its part [Content_Types].xml is missing"
    for name in names:
        fault = _of_part(archive, name)
        if fault is not None:
            return fault
    return None


def _of_part(archive: ZipFile, name: str) -> str | None:
    """Look at the beginning of a part: no more is read of what may unpack to any size."""
    try:
        with archive.open(name) as part:
            head = part.read(_READ_AT_ONCE)
    except (BadZipFile, zlib.error, EOFError):
        return f"its part {name} is damaged"
    if name.endswith((".xml", ".rels")) and _ENTITY.search(head):
        return f"its part {name} defines entities, which are refused: they can read other files and fill the memory"
    return None
