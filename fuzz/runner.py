"""One runner for all fuzz targets: it makes inputs, keeps each finding as a numbered file, and replays those files.

With `pip install atheris` the inputs are guided by the branches of spanwise that they reach; without, seeds are mixed
and cut at random. A target is a function of bytes that raises where something is wrong, or takes over ten CPU seconds.

Run: python fuzz/fuzz_markdown.py --seconds 60
     python fuzz/fuzz_markdown.py fuzz/regressions/0001-markdown
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

__all__ = ["REGRESSIONS", "Target", "fuzz", "instrumented"]

REGRESSIONS = Path(__file__).with_name("regressions")
GUIDED = find_spec("atheris") is not None
LONGEST, CPU_SECONDS = 2_048, 10

Target = "Callable[[bytes], None]"


def instrumented() -> AbstractContextManager[object]:
    """Import spanwise within this, so that Atheris sees its branches."""
    if not GUIDED:
        return nullcontext()
    import atheris

    return atheris.instrument_imports(include=["spanwise"])  # type: ignore[no-any-return]


def fuzz(name: str, target: Callable[[bytes], None], seeds: Sequence[bytes], words: Sequence[bytes] = ()) -> None:
    """Read the arguments, then replay files, or try inputs for as long as was asked."""
    parser = argparse.ArgumentParser(description=target.__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="files to replay")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    if given.files:
        for file in given.files:
            target(file.read_bytes())
        return
    print(f"{name}: {given.seconds} s, seed {given.seed}, {'guided' if GUIDED else 'at random'}", flush=True)
    signal.signal(signal.SIGPROF, _too_long)
    watched = _Watched(name, target)
    if GUIDED:
        _guided(watched, seeds, words, given.seconds, given.seed)
    until = time.monotonic() + given.seconds
    for data in _inputs(Random(given.seed), seeds, words):
        watched(data)
        if time.monotonic() > until:
            break
    print(f"{name}: {watched.tried:,} inputs, nothing found")


class _Watched:
    """A target with a limit of time, which keeps what it finds."""

    def __init__(self, name: str, target: Callable[[bytes], None]) -> None:
        self._name = name
        self._target = target
        self.tried = 0

    def __call__(self, data: bytes) -> None:
        self.tried += 1
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        try:
            self._target(data)
        except BaseException:
            number = 1 + max((int(file.name[:4]) for file in REGRESSIONS.glob("[0-9]*-*")), default=0)
            kept = REGRESSIONS / f"{number:04}-{self._name}"
            kept.write_bytes(data)
            print(f"{self._name}: found, kept as {kept}", file=sys.stderr)
            raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _too_long(*_: object) -> NoReturn:
    raise TimeoutError(f"over {CPU_SECONDS} CPU seconds")


def _guided(watched: _Watched, seeds: Sequence[bytes], words: Sequence[bytes], seconds: int, seed: int) -> NoReturn:
    """Let Atheris make the inputs; it ends the process."""
    import atheris

    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        for number, data in enumerate(seeds):
            (corpus / str(number)).write_bytes(data)
        dictionary = Path(folder, "words")
        escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in words)
        dictionary.write_text("".join(f'"{word}"\n' for word in escaped), encoding="ascii")
        limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=60", "-rss_limit_mb=3000"]
        quiet = ["-verbosity=0", f"-artifact_prefix={folder}/", f"-dict={dictionary}", f"-seed={seed}"]
        atheris.Setup([sys.argv[0], *limits, *quiet, str(corpus)], watched)
        atheris.Fuzz()
    raise SystemExit


def _inputs(random: Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> Iterator[bytes]:
    """Give the seeds, then mixtures of them without end."""
    yield from seeds
    pool = [*seeds]
    while True:
        data = bytearray(random.choice(pool))
        for _ in range(random.randint(1, 6)):
            at = random.randint(0, len(data))
            to = min(len(data), at + random.randint(0, 40))
            match random.randrange(6):
                case 0:
                    del data[at:to]
                case 1:
                    data[at:at] = data[at:to] * random.randint(1, 30)
                case 2 if words:
                    data[at:at] = random.choice(words) * random.choice([1, 1, 1, 2, 50])
                case 3:
                    other = random.choice(pool)
                    start = random.randint(0, len(other))
                    data[at:at] = other[start : start + random.randint(0, 200)]
                case 4 if at < len(data):
                    data[at] = random.randrange(256)
                case _:
                    data[at:to] = bytes(
                        random.choices(b" \n\t#*-|<>[]{}:\"'\\\x00\xff\xe2\x80\x8d", k=random.randint(1, 8))
                    )
        made = bytes(data[:LONGEST])
        if random.random() < 0.05:
            pool.append(made)
            del pool[len(seeds) : -500]
        yield made
