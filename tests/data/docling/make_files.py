"""Write the files of this folder: a manual as DOCX, HTML and PDF, and as the DoclingDocument of that PDF.

Run it with the extra `docling` installed. Texts are repeated on purpose.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import docx

import spanwise

FOLDER = Path(__file__).parent
WARNING = "Unplug it first."
LONG = [f"The pump moves {size} litres of water with {size} motors and two hoses." for size in range(3, 18)]


def write_docx() -> None:
    made = docx.Document()
    made.core_properties.created = made.core_properties.modified = dt.datetime(2026, 1, 1)
    made.add_heading("Pump manual", 0)
    made.add_paragraph(WARNING)
    made.add_heading("Safety", 1)
    made.add_paragraph(WARNING)
    made.add_paragraph(" ".join(LONG))
    made.add_paragraph(WARNING)
    table = made.add_table(rows=9, cols=3)
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells.cells):
            cell.text = ("part_name", "price", "use")[column] if row == 0 else ("hose", str(row), "moves water")[column]
    made.add_heading("Care", 1)
    for step in ("Stop it.", "Clean the hose.", "Stop it."):
        made.add_paragraph(step, style="List Bullet")
    made.add_paragraph(WARNING)
    made.save(str(FOLDER / "manual.docx"))


def write_html() -> None:
    (FOLDER / "manual.html").write_text(
        f"""<!DOCTYPE html>
<html><head><title>Pump</title><link rel="stylesheet" href="https://example.invalid/a.css"></head><body>
<h1>Pump manual</h1><p>{WARNING}</p>
<img src="https://example.invalid/pump.png" alt="The pump">
<h2>Safety</h2><p>{WARNING}</p><p>{" ".join(LONG[:6])}</p>
<ul><li>Stop it.</li><li>Clean <b>the</b> hose.</li></ul>
<table><tr><th>part</th><th>price</th></tr><tr><td>hose</td><td>4</td></tr></table>
<p>{WARNING}</p></body></html>
""",
        encoding="utf-8",
    )


def write_pdf() -> None:
    """Write two pages, each object by hand."""
    pages = (["Pump manual", WARNING, LONG[0], WARNING], ["Care", WARNING, "Stop it. Clean the hose.", WARNING])
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        content = f"BT /F1 12 Tf 72 720 Td 28 TL {shown} ET"
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        resources = "<< /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R /Resources {resources} >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    written, offsets = "%PDF-1.4\n", []
    for number, described in enumerate(objects, 1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{described}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    (FOLDER / "manual.pdf").write_bytes((written + end).encode("ascii"))


def write_json() -> None:
    kept = spanwise.load(FOLDER / "manual.pdf").loaded
    (FOLDER / "manual.json").write_text(kept.document.model_dump_json(exclude_none=True, indent=1), encoding="utf-8")


if __name__ == "__main__":
    write_docx()
    write_html()
    write_pdf()
    write_json()
