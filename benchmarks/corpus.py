"""How long does a corpus take, with one worker and with two, and when nothing has changed?

100,000 documents of 2,000 characters, Parquet to Parquet, each run as a process of its own. CPU seconds say
more than the clock where the machine has other work. The peak of memory is read from /proc, so this runs on Linux.

Run: python benchmarks/corpus.py [DOCUMENTS]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sample_texts import five_megabytes

DOCUMENTS = 100_000
SIZE = 2_000
ROWS = 10_000


def main() -> None:
    """Print a Markdown table."""
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "docs.parquet"
        _write(corpus, documents)
        machine = f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
        print(f"{documents:,} documents of {SIZE:,} characters, {machine}.\n")
        print("| run | seconds | CPU of the parent | CPU of workers | documents/s | peak memory of the parent |")
        print("|---|---|---|---|---|---|")
        for workers in (1, 2):
            output = Path(folder) / f"{workers}.parquet"
            for run in ("first", "second"):
                _measure(f"{run}, {workers} worker{'s' * (workers > 1)}", documents, corpus, output, workers)
        _measure("one of a hundred changed, 1 worker", documents, _changed(corpus), Path(folder) / "1.parquet", 1)
        same = (Path(folder) / "2.parquet").stat().st_size
        print(f"\nOutput: {same / 2**20:.0f} MB.")


def _write(path: Path, documents: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = five_megabytes()
    with pq.ParquetWriter(
        path, pa.schema([("id", pa.string()), ("text", pa.string()), ("year", pa.int64())])
    ) as writer:
        for start in range(0, documents, ROWS):
            numbers = range(start, min(start + ROWS, documents))
            places = [number * 7_919 % (len(text) - SIZE) for number in numbers]
            columns = {"id": [str(number) for number in numbers], "text": [text[at : at + SIZE] for at in places]}
            writer.write_table(pa.table({**columns, "year": list(numbers)}))


def _changed(path: Path) -> Path:
    """Write the corpus with another text in one of a hundred documents."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    texts = [text + " Changed." if at % 100 == 0 else text for at, text in enumerate(table["text"].to_pylist())]
    pq.write_table(table.set_column(1, "text", pa.array(texts)), path, row_group_size=ROWS)
    return path


_WATCHED = """
import resource, sys
from spanwise.cli.main import main
try:
    main()
finally:
    own, workers = (sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(own, workers, peak)
"""


def _measure(name: str, documents: int, corpus: Path, output: Path, workers: int) -> None:
    command = [sys.executable, "-c", _WATCHED, "chunk", str(corpus), "-o", str(output), "-q", "--workers", str(workers)]
    started = time.monotonic()
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    seconds = time.monotonic() - started
    own, shared, peak = float(told[0]), float(told[1]), int(told[2]) / 1024
    rate = documents / seconds
    print(f"| {name} | {seconds:.1f} | {own:.1f} | {shared:.1f} | {rate:,.0f} | {peak:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
