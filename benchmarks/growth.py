"""Does twice the text cost twice the time and twice the memory, whatever the text?

Texts of 100 kB, twice that and so on, each chunked by each strategy in a process of its own with a limit of CPU time
and of memory; the process says how much CPU time chunking took, and how far its memory rose above what it held with
the vocabulary loaded, text and chunks included. Where a doubling costs more than 2.1 times, both sizes are measured
again, up to three times, and the least counts. What is still over that is chunked once more under a profiler, which
names the function whose share grew. It runs on Linux, takes a quarter of an hour, and stops by itself.

Run: python benchmarks/growth.py [--most 102400000] [--texts prose chinese] [--strategies structural words] [--cpu 60]
     [--memory 8] [--minutes 60] [--json FILE] [--plot FILE.svg] [--page docs/performance.md]
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import pstats
import resource
import sys
import tempfile
import time
from itertools import pairwise
from math import log
from multiprocessing import Pipe, get_context
from pathlib import Path
from random import Random
from signal import SIGXCPU
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from drawing import Curve, curves
from report import machine, put_into, table
from sample_texts import generators, python_source, strewn

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from spanwise import Chunker

LEAST, MOST, MOST_OF_HARD = 100_000, 102_400_000, 6_400_000
STRATEGIES = ("structural", "recursive", "sentences", "words", "sections")
GOAL, GOAL_EXPONENT, GOAL_BYTES = 2.1, 1.15, 40
HUGE = (
    "longword",
    "randword",
    "newlines",
    "spaces",
    "nest_quote",
    "nest_brackets",
    "nest_list",
    "headings",
    "table",
    "minjs",
    "cjk",
    "cjk_nopunct",
    "nosep_commas",
    "repeat_para",
    "thai",
    "mix",
)
RECORDS = ("logs", "html", "jsn", "csvd", "chat", "zalgo")
CODE = {"python": "text/x-python", "minjs": "text/javascript", "nest_brackets": "text/x-python", "longword": "text/x-c"}
CLEAR_SECONDS, CLEAR_BYTES = 0.2, 16_000_000
"""What is less than this says nothing of growth: one pause, or one table that is made once, is as much."""


WARMING = "One sentence. Another one.\n\n# And a heading\n\nA paragraph; 東京です。 ไทย\n" * 40


class Point(NamedTuple):
    """One measurement: bytes of UTF-8, CPU seconds, bytes of memory."""

    size: int
    seconds: float
    peak: int


class Growth(NamedTuple):
    """How one strategy grows with one text, and why it was not measured further."""

    text: str
    strategy: str
    points: list[Point]
    ended: str = ""
    culprit: str = ""

    def exponent(self, what: str) -> float | None:
        """Fit `cost = factor * size ** exponent` by least squares over what is clear enough."""
        clear = self._clear(what)
        if len(clear) < 2:
            return None
        xs, ys = [log(size) for size, _ in clear], [log(cost) for _, cost in clear]
        mid_x, mid_y = sum(xs) / len(xs), sum(ys) / len(ys)
        return sum((x - mid_x) * (y - mid_y) for x, y in zip(xs, ys, strict=True)) / sum((x - mid_x) ** 2 for x in xs)

    def worst(self, what: str) -> tuple[float, int]:
        """Give the dearest doubling, as the cost of twice the text, and the place of its larger text; 0 without one."""
        clear = self._clear(what)
        offset = len(self.points) - len(clear)
        ratios = [(cost / before, place + offset) for place, ((_, before), (_, cost)) in enumerate(pairwise(clear), 1)]
        return max(ratios, default=(0.0, 0))

    def is_over(self, what: str) -> bool:
        """Whether this is more than linear growth explains."""
        return self.worst(what)[0] > GOAL or (self.exponent(what) or 0) > GOAL_EXPONENT

    def _clear(self, what: str) -> list[tuple[int, float]]:
        least = CLEAR_SECONDS if what == "seconds" else CLEAR_BYTES
        costs = [(point.size, float(getattr(point, what))) for point in self.points]
        unclear = [place for place, (_, cost) in enumerate(costs, 1) if cost < least]
        return costs[unclear[-1] if unclear else 0 :]


class Limits(NamedTuple):
    """What one process may take: CPU seconds and bytes of address space."""

    cpu: int
    memory: int


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=MOST, help="bytes of prose; other texts end at 6.4 MB")
    parser.add_argument("--texts", nargs="+", default=list(_texts()))
    parser.add_argument("--strategies", nargs="+", default=[*STRATEGIES, "code"])
    parser.add_argument("--cpu", type=int, default=60, help="CPU seconds of one process")
    parser.add_argument("--memory", type=float, default=8, help="GB of one process")
    parser.add_argument("--minutes", type=float, default=60, help="after which no new text is begun")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--page", type=Path, help="a page with marks for growth and memory")
    given = parser.parse_args()
    limits, until = Limits(given.cpu, int(given.memory * 1e9)), time.monotonic() + given.minutes * 60
    chunkers = {name: _warm(name) for name in given.strategies}
    gc.freeze()  # else each fork copies what a collection touches
    grown: list[Growth] = []
    for name in given.texts:
        if time.monotonic() > until:
            print(f"{name}: not begun, {given.minutes:g} minutes are over", file=sys.stderr)
            continue
        taken = {
            each: chunker
            for each, chunker in chunkers.items()
            if (name in CODE if each == "code" else name != "python")
        }
        with tempfile.TemporaryDirectory() as folder:
            grown += _grown(name, taken, Path(folder), given.most, limits)
        if given.json:  # after each text, so that a run that is broken off has told what it knows
            rows = [{**each._asdict(), "points": [point._asdict() for point in each.points]} for each in grown]
            given.json.write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1) + "\n", encoding="utf-8")
    shown = {"growth": _growth_tables(grown), "memory": _memory_table(grown)}
    print(", ".join(f"{name} {value}" for name, value in machine().items()), *shown.values(), sep="\n\n")
    if given.plot:
        given.plot.write_text(_drawn(grown), encoding="utf-8")
    if given.page:
        for name, text in shown.items():
            put_into(given.page, name, text)


def _texts() -> dict[str, Callable[[int], str]]:
    """Name the texts, each a function of its characters; but for the first three they are hard."""
    made = generators()
    return {
        "prose": lambda size: str(made.huge("prose", size)),
        "chinese": lambda size: strewn(made.ZH, "。，；、", size, Random(11)),  # noqa: S311  no secret
        "python": lambda size: (python_source(size) * (1 + size // 4_000_000))[:size],
        **{name: lambda size, name=name: str(made.huge(name, size)) for name in HUGE},  # type: ignore[misc]
        **{name: lambda size, name=name: str(getattr(made, name)(Random(3), size))[:size] for name in RECORDS},  # type: ignore[misc]  # noqa: S311
    }


def _warm(strategy: str) -> Chunker:
    """Make a chunker that has loaded all that is loaded late."""
    import spanwise

    chunker = spanwise.Chunker(strategy, max_tokens=512, counter="cl100k_base", overflow="split")
    for media_type in {"text/plain", *(CODE.values() if strategy == "code" else ())}:
        chunker.chunk(spanwise.Document(text=WARMING, media_type=media_type))
    return chunker


def _grown(name: str, chunkers: dict[str, Chunker], folder: Path, most: int, limits: Limits) -> list[Growth]:
    """Measure all sizes of one text."""
    most = most if name == "prose" else min(most, MOST_OF_HARD)
    grown = {strategy: Growth(name, strategy, []) for strategy in chunkers}
    files: list[Path] = []
    size = LEAST
    while size <= most and not all(growth.ended for growth in grown.values()):
        file = folder / f"{size}.txt"
        _apart(lambda file=file, size=size: _written(name, size, file), Limits(600, limits.memory))  # type: ignore[misc]
        files.append(file)
        for strategy, growth in grown.items():
            if not growth.ended:
                print(f"\r{name}, {size:,}, {strategy:10}", end="", file=sys.stderr)
                grown[strategy] = _and_one_more(growth, chunkers[strategy], file, limits)
        size *= 2
    done = []
    for strategy, growth in grown.items():
        again = _again(growth, chunkers[strategy], files, limits)
        done.append(_explained(again, chunkers[strategy], files, limits))
    print(file=sys.stderr)
    return done


def _written(name: str, size: int, file: Path) -> dict[str, Any]:
    """Write a text to a file, apart, so that what makes it leaves no memory behind for others to use."""
    file.write_bytes(_texts()[name](size).encode("utf-8", "surrogatepass"))
    return {}


def _and_one_more(growth: Growth, chunker: Chunker, file: Path, limits: Limits) -> Growth:
    *before, last = [point.seconds for point in growth.points] or [0.0]
    if last * max(2.0, last / before[-1] if before else 0) > limits.cpu:
        return growth._replace(ended=f"the next size would take over {limits.cpu} CPU seconds")
    measured = _measured(growth, chunker, file, limits)
    if isinstance(measured, str):
        return growth._replace(ended=measured)
    return growth._replace(points=[*growth.points, measured["point"]])


def _again(growth: Growth, chunker: Chunker, files: list[Path], limits: Limits) -> Growth:
    """Measure the dearest doublings again: a machine that is busy for a moment makes some, and the least counts."""
    for what in ("seconds", "peak"):
        for _ in range(3):
            ratio, place = growth.worst(what)
            if ratio <= GOAL:
                break
            points = list(growth.points)
            for each in (place - 1, place):
                measured = _measured(growth, chunker, files[each], limits)
                if not isinstance(measured, str):
                    new, old = measured["point"], points[each]
                    points[each] = Point(old.size, min(new.seconds, old.seconds), min(new.peak, old.peak))
            growth = growth._replace(points=points)
    return growth


def _explained(growth: Growth, chunker: Chunker, files: list[Path], limits: Limits) -> Growth:
    """Name the function whose own time grew most beyond twice, where the whole did."""
    if not growth.is_over("seconds"):
        return growth
    place = growth.worst("seconds")[1] or len(growth.points) - 1
    smaller, larger = (_measured(growth, chunker, files[each], limits, profiled=True) for each in (place - 1, place))
    if isinstance(smaller, str) or isinstance(larger, str):
        return growth
    before, after = smaller["functions"], larger["functions"]
    function = max(after, key=lambda name: after[name] - 2 * before.get(name, 0.0))
    share = f"{before.get(function, 0.0):.2f} s, then {after[function]:.2f} s"
    return growth._replace(culprit=f"{function}: {share} at {growth.points[place].size:,} bytes")


def _measured(
    growth: Growth, chunker: Chunker, file: Path, limits: Limits, *, profiled: bool = False
) -> dict[str, Any] | str:
    """Measure in a process of its own; a text says why there is no figure."""
    media_type = CODE[growth.text] if growth.strategy == "code" else "text/plain"
    return _apart(lambda: _chunked(chunker, file, media_type, profiled=profiled), limits)


def _apart(work: Callable[[], dict[str, Any]], limits: Limits) -> dict[str, Any] | str:
    """Do work in a forked process, which has all that this one has loaded; a text says how it ended without answer."""
    receiving, sending = Pipe(duplex=False)
    process = get_context("fork").Process(target=_within, args=(work, sending, limits))
    process.start()
    sending.close()
    try:
        if not receiving.poll(limits.cpu * 20):
            process.kill()
            return "it stood still"
        return cast("dict[str, Any] | str", receiving.recv())
    except EOFError:
        process.join()
        return f"over {limits.cpu} CPU seconds" if process.exitcode == -SIGXCPU else f"exit status {process.exitcode}"
    finally:
        process.join()


def _within(work: Callable[[], dict[str, Any]], sending: Connection, limits: Limits) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu, limits.cpu + 2))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    try:
        sending.send(work())
    except Exception as error:  # noqa: BLE001  whatever ends a measurement is its outcome
        sending.send(f"{type(error).__name__}: {error}"[:150])


def _chunked(chunker: Chunker, file: Path, media_type: str, *, profiled: bool) -> dict[str, Any]:
    """Chunk one text in this process and say what it took."""
    import spanwise

    chunker.chunk(spanwise.Document(text=WARMING, media_type=media_type))  # a fork copies what it first touches
    before = _memory("VmRSS")
    text = file.read_bytes().decode("utf-8", "surrogatepass")
    document = spanwise.Document(text=text, media_type=media_type)
    watch = cProfile.Profile(time.process_time)  # a clock would also see what others do
    begin = time.process_time()
    chunks = watch.runcall(chunker.chunk, document) if profiled else chunker.chunk(document)
    seconds = time.process_time() - begin
    point = Point(file.stat().st_size, seconds, _memory("VmHWM") - before)
    return {"point": point, "chunks": len(chunks), "functions": _own_times(watch) if profiled else {}}


def _own_times(watch: cProfile.Profile) -> dict[str, float]:
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = pstats.Stats(watch).stats  # type: ignore[attr-defined]
    named: dict[str, float] = {}
    for (file, line, function), (_, _, own, _, _) in stats.items():
        short = file.rpartition("src/")[2] if "src/" in file else Path(file).name
        named[f"{function} ({short}:{line})"] = own
    return named


def _memory(which: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(which))


def _growth_tables(grown: list[Growth]) -> str:
    """Show exponents and dearest doublings, and name what is over the goal."""
    strategies = list(dict.fromkeys(growth.strategy for growth in grown))
    texts = list(dict.fromkeys(growth.text for growth in grown))
    by = {(growth.text, growth.strategy): growth for growth in grown}
    parts = []
    for what, name in (("seconds", "CPU time"), ("peak", "Peak memory")):
        rows = [
            [text, *(_shown(by[text, strategy], what) if (text, strategy) in by else "" for strategy in strategies)]
            for text in texts
        ]
        parts.append(
            f"{name}: the exponent, and what the dearest doubling costs (goal: at most {GOAL} times)\n\n"
            + table(["text", *strategies], rows)
        )
    over = [
        f"- {growth.text}, {growth.strategy}: {name} {_shown(growth, what)} {growth.culprit}"
        for growth in grown
        for what, name in (("seconds", "CPU time"), ("peak", "memory"))
        if growth.is_over(what)
    ]
    over += [f"- {growth.text}, {growth.strategy}: ended, {growth.ended}" for growth in grown if growth.ended]
    return "\n".join([*parts, "Over the goal:" if over else "None is over the goal.", "", *over])


def _shown(growth: Growth, what: str) -> str:
    exponent = growth.exponent(what)
    return "small" if exponent is None else f"{exponent:.2f}, {growth.worst(what)[0]:.2f} times"


def _memory_table(grown: list[Growth]) -> str:
    """Show how many bytes of memory a byte of text takes, where the goal says so."""
    rows = []
    for text, about in (("prose", 10_000_000), ("prose", 100_000_000), ("chinese", 1_000_000)):
        here = {growth.strategy: growth.points for growth in grown if growth.text == text and growth.points}
        at = {
            strategy: min(points, key=lambda point: abs(log(point.size / about))) for strategy, points in here.items()
        }
        if not at or max(point.size for point in at.values()) < about / 2:
            continue
        worst = max(point.peak / point.size for point in at.values())
        size = max(point.size for point in at.values()) / 1e6
        figures = ", ".join(f"{strategy} {point.peak / point.size:.1f}" for strategy, point in at.items())
        met = "met" if worst <= GOAL_BYTES else f"not met: {worst:.1f}"
        rows.append([f"{text}, {size:.1f} MB", figures, met])
    heads = ["text", "bytes of memory for a byte of text", f"goal: at most {GOAL_BYTES}"]
    return table(heads, rows)


def _drawn(grown: list[Growth]) -> str:
    """Draw time against size: prose by name, all that is hard in grey."""
    drawn = [
        Curve(
            growth.strategy if growth.text in ("prose", "python") else "",
            [(point.size / 1e6, max(point.seconds, 1e-3)) for point in growth.points],
        )
        for growth in grown
        if growth.points
    ]
    return curves("CPU time against size; grey: hard texts; dashed: linear", drawn, "megabytes of text", "seconds")


if __name__ == "__main__":
    main()
