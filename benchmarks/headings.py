"""Are the right headings found? Precision and recall on labelled documents and on real files of installed packages.

Three tables. Documents that people wrote, labelled by hand before any detector was tuned (heading_labels/RULES.md says
how). Markdown and reStructuredText files that are installed here, judged by markdown-it-py and docutils where they are
installed. Prose and logs, in which every heading is wrong.
Run: python benchmarks/headings.py [--list] [FOLDER ...]
`--list` names every heading that is wrong or missing; FOLDER is searched for more real files.
"""

from __future__ import annotations

import gzip
import re
import sys
import sysconfig
from bisect import bisect_right
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from email import message_from_string
from importlib import import_module
from importlib.metadata import distributions
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import fmean as mean
from typing import TYPE_CHECKING, NamedTuple

import spanwise
from spanwise.formats.reading import structure_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spanwise.sections import Heading
    from spanwise.structure import Structure

LABELS = Path(__file__).resolve().parent / "heading_labels"
KINDS = ("legal", "rfc", "man", "plain", "chat", "log", "prose")
GUARDS = ("log", "prose")
LONGEST_FILE = 300_000
MOST_OF_PACKAGE = 40
MEDIA_TYPES = {
    ".md": "text/markdown",
    ".md.gz": "text/markdown",
    ".rst": "text/x-rst",
    ".rst.gz": "text/x-rst",
    ".rst.txt": "text/x-rst",
    ".txt": "text/plain",
    ".txt.gz": "text/plain",
}
GOAL_PRECISION, GOAL_RECALL = 0.98, 0.90


class Label(NamedTuple):
    """One line of a label file."""

    line: int
    depth: int
    """From 1; 0 is a turn of a talk."""
    title: str
    optional: bool


class Score(NamedTuple):
    """What was found in one document, or in several."""

    labelled: int = 0
    found: int = 0
    right: int = 0
    nested: int = 0
    """How many of the right ones stand under the right heading, out of `nestable`."""
    nestable: int = 0

    def plus(self, other: Score) -> Score:
        """Add another score."""
        return Score(*(mine + its for mine, its in zip(self, other, strict=True)))

    def cells(self) -> str:
        """Write the score as cells of a table."""
        counts = f"{self.labelled} | {self.found} | {self.right}"
        nested = f"{self.nested}/{self.nestable}" if self.nestable else "-"
        return f"{counts} | {_share(self.right, self.found)} | {_share(self.right, self.labelled)} | {nested} |"


class Verdict(NamedTuple):
    """The score of one document, and its mistakes in words."""

    score: Score
    mistakes: list[str]


HEADER = "labelled | found | right | precision | recall | under the right heading |"
RULE = "---|" * 6


def main(arguments: Sequence[str]) -> None:
    """Print the three tables."""
    listed = "--list" in arguments
    folders = [Path(argument) for argument in arguments if not argument.startswith("-")]
    mistakes = _print_labelled()
    mistakes += _print_real_files(folders)
    _print_guards()
    if listed:
        print("\n## Mistakes\n")
        print("\n".join(mistakes))


# The labelled documents


def _print_labelled() -> list[str]:
    print(f"## Labelled documents\n\n| document | format | {HEADER}\n|---|---|{RULE}")
    totals: dict[str, Score] = defaultdict(Score)
    scores: list[Score] = []
    mistakes: list[str] = []
    for path in (path for kind in KINDS for path in sorted((LABELS / kind).glob("*.txt"))):
        kind, name = path.parent.name, f"{path.parent.name}/{path.stem}"
        document = spanwise.Document(text=path.read_bytes().decode(), media_type="text/plain", id=name)
        structure = structure_of(document.text, document.media_type)
        labels = _labels(path.with_suffix(".tsv"))
        verdict = _judged(document.text, structure.headings, labels)
        print(f"| {name} | {structure.format} | {verdict.score.cells()}")
        mistakes += [f"{name}: {mistake}" for mistake in verdict.mistakes]
        scores.append(verdict.score)
        for group in (kind, "all", *(() if kind in ("chat", *GUARDS) else ("all but chat, log and prose",))):
            totals[group] = totals[group].plus(verdict.score)
    for group in (*KINDS, "all but chat, log and prose", "all"):
        print(f"| **{group}** | | {totals[group].cells()}")
    _print_goal("labelled documents", totals["all"])
    _print_goal("labelled documents but chat, log and prose", totals["all but chat, log and prose"])
    precision = mean(score.right / score.found for score in scores if score.found)
    recall = mean(score.right / score.labelled for score in scores if score.labelled)
    print(f"\nMean over documents, each counted the same: precision {precision:.4f}, recall {recall:.4f}.")
    return mistakes


def _labels(path: Path) -> list[Label]:
    rows = [row.split("\t") for row in path.read_text(encoding="utf-8").splitlines()]
    return [
        Label(int(line), int(depth.strip("?").replace("@", "0")), title, depth.startswith("?"))
        for line, _, depth, title in rows
    ]


def _judged(text: str, headings: Sequence[Heading], labels: Sequence[Label]) -> Verdict:
    """Hold the headings that were found against the labels: same line, same title, each label once."""
    lines = text.split("\n")
    line_of = _line_counter(text)
    open_labels = {label.line: label for label in labels}
    matches: dict[int, Label] = {}
    mistakes = []
    for place, heading in enumerate(headings):
        line = line_of(heading.start)
        label = open_labels.get(line)
        if label is not None and _same_title(label, heading.title, lines[line - 1]):
            matches[place] = open_labels.pop(line)
        else:
            mistakes.append(f"{line}: wrong: {heading.title!r}")
    required = [label for label in labels if not label.optional]
    mistakes += [f"{label.line}: missing: {label.title!r}" for label in open_labels.values() if not label.optional]
    right = {place: label for place, label in matches.items() if not label.optional}
    nested = _nested(headings, right, required)
    nestable = sum(1 for label in right.values() if label.depth)
    found = len(headings) - (len(matches) - len(right))
    return Verdict(Score(len(required), found, len(right), nested, nestable), mistakes)


def _line_counter(text: str) -> Callable[[int], int]:
    ends = [match.start() for match in re.finditer("\n", text)]
    return lambda offset: bisect_right(ends, offset - 1) + 1


def _same_title(label: Label, title: str, line: str) -> bool:
    return any(
        _same_name(spelling, title, line) if label.depth == 0 else _same_words(spelling, title)
        for spelling in label.title.split(" || ")
    )


def _same_words(spelling: str, title: str) -> bool:
    """Compare without white space, case and a full stop at the end; a name below its label may be left out."""
    first, bar, _ = spelling.partition(" | ")
    if _bare(title) == _bare(first):
        return True
    return bool(bar) and _letters(title) == _letters(spelling)


def _same_name(name: str, title: str, line: str) -> bool:
    """Compare a speaker; beside it may stand what stands before the talk on its line: the time."""
    before, found, after = title.partition(name)
    stamp = set(re.findall(r"\w+", line.partition(name)[0]))
    return bool(found) and stamp.issuperset(re.findall(r"\w+", before + " " + after))


def _bare(title: str) -> str:
    return re.sub(r"\s+", "", title).rstrip(".:").casefold()


def _letters(title: str) -> str:
    return re.sub(r"[\W_]+", "", title).casefold()


def _nested(headings: Sequence[Heading], right: dict[int, Label], required: Sequence[Label]) -> int:
    """Count the right headings, turns apart, whose nearest labelled ancestor is the one of the label."""
    wanted = _parents([(label, label.depth, None, 0) for label in required if label.depth])
    got = _parents(
        [(right.get(place), heading.level, heading.until, heading.start) for place, heading in enumerate(headings)]
    )
    return sum(1 for label in right.values() if label.depth and wanted[label] == got[label])


def _parents(rows: Iterable[tuple[Label | None, int, int | None, int]]) -> dict[Label, Label | None]:
    parents: dict[Label, Label | None] = {}
    above: list[tuple[Label | None, int, int | None]] = []
    for label, level, until, start in rows:
        while above and (above[-1][1] >= level or (above[-1][2] is not None and above[-1][2] <= start)):
            above.pop()
        if label is not None:
            parents[label] = next((each for each, _, _ in reversed(above) if each is not None and each.depth), None)
        above.append((label, level, until))
    return parents


# Real files of installed packages


class RealFile(NamedTuple):
    """A file, or the description of a package."""

    name: str
    media_type: str
    text: str


class Judge(NamedTuple):
    """Another library that tells the headings of a text: their titles and depths, None where it cannot."""

    package: str
    headings: Callable[[str], list[tuple[str, int]] | None]


def _print_real_files(folders: Sequence[Path]) -> list[str]:
    print(f"\n## Real files of installed packages\n\n| files | judge | number | {HEADER}\n|---|---|---|{RULE}")
    files = _real_files(folders)
    mistakes: list[str] = []
    totals: dict[str, Score] = {}
    for title, media_type, judge in (
        ("Markdown", "text/markdown", Judge("markdown_it", _markdown_headings)),
        ("reStructuredText", "text/x-rst", Judge("docutils", _restructured_headings)),
        ("plain text without errors in reStructuredText", "text/plain", Judge("docutils", _faultless_headings)),
    ):
        if find_spec(judge.package) is None:
            print(f"| {title} | {judge.package}: not installed | | | | | | | |")
            continue
        verdicts = dict(_agreements(files[media_type], judge))
        total = Score()
        for name, verdict in verdicts.items():
            total = total.plus(verdict.score)
            mistakes += [f"{name}: {mistake}" for mistake in verdict.mistakes]
        print(f"| {title} | {judge.package} | {len(verdicts)} of {len(files[media_type])} | {total.cells()}")
        if media_type != "text/plain":
            totals[title] = total
    for title, total in totals.items():
        _print_goal(title, total)
    print("\nPlain text has no goal: it may have headings that are none to docutils, such as lines in capitals.")
    return mistakes


def _real_files(folders: Sequence[Path]) -> dict[str, list[RealFile]]:
    """Collect the files by media type, no text twice, and not too many of one package."""
    found: dict[str, list[RealFile]] = defaultdict(list)
    seen: set[str] = set()
    of_package: Counter[tuple[str, str]] = Counter()
    for package, file in (*_files_below(folders), *_descriptions()):
        place = (package, file.media_type)
        if file.text not in seen and len(file.text) <= LONGEST_FILE and of_package[place] < MOST_OF_PACKAGE:
            seen.add(file.text)
            of_package[place] += 1
            found[file.media_type].append(file)
    return found


def _files_below(folders: Sequence[Path]) -> Iterator[tuple[str, RealFile]]:
    """Yield the package and the file: below the standard library, site-packages, and where systems keep manuals."""
    paths = sysconfig.get_paths()
    library = [Path(paths[name]) for name in ("purelib", "platlib", "stdlib")]
    manuals = [Path(paths["data"], "share", "doc"), Path("/usr/share/doc")]
    for root in dict.fromkeys([*folders, *library, *manuals]):
        for path in sorted(path for suffix in MEDIA_TYPES for path in root.rglob(f"*{suffix}")):
            if LABELS in path.parents or not path.is_file() or path.stat().st_size > LONGEST_FILE:
                continue
            try:
                read = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
                text = read.decode()
            except (OSError, UnicodeDecodeError, EOFError):
                continue
            name = path.relative_to(root)
            parts = [part for part in name.parts if part != "site-packages"]
            media_type = next(MEDIA_TYPES[suffix] for suffix in MEDIA_TYPES if path.name.endswith(suffix))
            yield parts[0], RealFile(name.as_posix(), media_type, text)


def _descriptions() -> Iterator[tuple[str, RealFile]]:
    for distribution in sorted(distributions(), key=lambda each: each.name):
        metadata = message_from_string(distribution.read_text("METADATA") or "")
        declared = str(metadata.get("Description-Content-Type") or "").partition(";")[0].strip()
        text = str(metadata.get_payload())
        if declared in ("text/markdown", "text/x-rst") and text.strip():
            yield distribution.name, RealFile(f"description of {distribution.name}", declared, text)


def _agreements(files: Sequence[RealFile], judge: Judge) -> Iterator[tuple[str, Verdict]]:
    for file in files:
        expected = judge.headings(file.text)
        if expected is not None:
            yield file.name, _agreement(structure_of(file.text, file.media_type), expected)


def _agreement(structure: Structure, expected: Sequence[tuple[str, int]]) -> Verdict:
    """Align two lists of headings by their titles; titles without letters, such as badges, count neither way."""
    wanted = [(letters, depth, title) for title, depth in expected if (letters := _letters(title))]
    got = [(letters, each.level, each.title) for each in structure.headings if (letters := _letters(each.title))]
    matcher = SequenceMatcher(None, [row[0] for row in wanted], [row[0] for row in got], autojunk=False)
    pairs = [(block.a + step, block.b + step) for block in matcher.get_matching_blocks() for step in range(block.size)]
    above_wanted, above_got = _paths(wanted), _paths(got)
    nested = sum(1 for mine, its in pairs if above_wanted[mine] == above_got[its])
    missing = set(range(len(wanted))) - {mine for mine, _ in pairs}
    wrong = set(range(len(got))) - {its for _, its in pairs}
    mistakes = [f"missing: {wanted[place][2]!r}" for place in sorted(missing)]
    mistakes += [f"wrong: {got[place][2]!r}" for place in sorted(wrong)]
    return Verdict(Score(len(wanted), len(got), len(pairs), nested, len(pairs)), mistakes)


def _paths(rows: Sequence[tuple[str, int, str]]) -> list[str | None]:
    """Tell the title of the heading above each."""
    above: list[tuple[str, int]] = []
    parents: list[str | None] = []
    for title, level, _ in rows:
        while above and above[-1][1] >= level:
            above.pop()
        parents.append(above[-1][0] if above else None)
        above.append((title, level))
    return parents


def _markdown_headings(text: str) -> list[tuple[str, int]]:
    """Ask markdown-it-py for the headings that stand in no list and no quote; front matter is no Markdown."""
    parser = import_module("markdown_it").MarkdownIt("commonmark").enable("table")
    body = re.sub(r"\A---[ \t]*\n(?s:.*?)\n---[ \t]*\n", "\n", text)
    tokens = parser.parse(body)
    return [
        (_inline_text(inline.children or []), int(token.tag[1:]))
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0
    ]


def _inline_text(children: Iterable[object]) -> str:
    kept = ("text", "code_inline", "image", "text_special")
    return "".join(
        str(getattr(child, "content", "")) if getattr(child, "type", "") in kept else " " for child in children
    )


def _restructured_headings(text: str) -> list[tuple[str, int]] | None:
    headings, worst = _docutils_reading(text)
    return headings if worst < 4 else None


def _faultless_headings(text: str) -> list[tuple[str, int]] | None:
    """Take a plain text as reStructuredText when docutils has nothing to say against it and it has two sections."""
    headings, worst = _docutils_reading(text)
    return headings if worst < 2 and len(headings) > 1 else None


def _docutils_reading(text: str) -> tuple[list[tuple[str, int]], int]:
    """Ask docutils for titles with depths, and for the level of its gravest message (4 is severe)."""
    nodes = import_module("docutils.nodes")
    settings = {
        "report_level": 5,
        "halt_level": 6,
        "file_insertion_enabled": False,
        "raw_enabled": False,
        "doctitle_xform": False,
        "_disable_config": True,
        "input_encoding": "unicode",
        "warning_stream": False,
    }
    tree = import_module("docutils.core").publish_doctree(text, settings_overrides=settings)
    grave = [int(message["level"]) for message in (*tree.findall(nodes.system_message), *tree.transform_messages)]
    headings = []
    for section in tree.findall(nodes.section):
        depth, parent = 1, section.parent
        while parent is not None:
            depth, parent = depth + isinstance(parent, nodes.section), parent.parent
        title = re.sub(r":[\w:+.-]+:(?=`)", "", str(section[0].astext()))  # roles of Sphinx, unknown to docutils
        headings.append((title, depth))
    return headings, max(grave, default=0)


# Texts in which every heading is wrong


def _print_guards() -> None:
    print("\n## Texts without headings\n\n| document | characters | format | wrong headings |\n|---|---|---|---|")
    wrong: Counter[str] = Counter()
    for path in (path for kind in GUARDS for path in sorted((LABELS / kind).glob("*.txt"))):
        text = path.read_bytes().decode()
        structure = structure_of(text, "text/plain")
        score = _judged(text, structure.headings, _labels(path.with_suffix(".tsv"))).score
        wrong["all"] += score.found
        print(f"| {path.parent.name}/{path.stem} | {len(text):,} | {structure.format} | {score.found} |")
    print(f"\nWrong headings where there are none: {wrong['all']}.")


def _print_goal(name: str, score: Score) -> None:
    precision, recall = score.right / max(1, score.found), score.right / max(1, score.labelled)
    met = precision >= GOAL_PRECISION and recall >= GOAL_RECALL
    goal = f"precision {GOAL_PRECISION}, recall {GOAL_RECALL}"
    print(f"\n{name}: goal of {goal} {'met' if met else 'MISSED'} ({precision:.4f}, {recall:.4f}).")


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


if __name__ == "__main__":
    main(sys.argv[1:])
