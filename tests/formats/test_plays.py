"""Plays: acts, scenes and speeches, in the ways they are printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import DATA
from record_costs import growth
from spanwise.formats.chat import chat_reader, looks_like_chat, read_chat
from spanwise.formats.glances import Glance
from spanwise.formats.reading import format_of
from spanwise.structure import LOOK_AHEAD
from structure_laws import check_structure
from texts import LAW

_FORMS = {
    "before a tab": "{name}\t{said}\n\n",
    "before blanks": "{name}  {said}\n\n",
    "above what is said": "{name}.\n{said}\n\n",
    "above what is said, without a period": "{name}\n{said}\n\n",
    "before what is said": "{name}. {said}\n\n",
    "with how it is said": "{name} (_sitting_). {said}\n\n",
    "in the middle, as films": "                {name}\n      {said}\n\n",
    "with a colon": "{name}: {said}\n\n",
}
_NAMES = ("KES", "OLM", "FIRST GARDENER", "MRS. WREN", "DUKE OF PEAS")
_SAYS = (
    "The seeds are come, and all of them are here.",
    "All of them, do you say?",
    "All but the beans;\n\tthe beans are by the gate.",
    "Alas!\n\n\t[Enter a bird.]",
    "I saw the wren, which ate them\n\tbefore the sun was up.",
)
_ACTS = "ACT I\n\nSCENE I. A shed.\n\n"


def titles(text: str) -> list[tuple[int, str]]:
    """List level and title of each section."""
    structure = read_chat(text)
    check_structure(text, structure)
    return [(heading.level, heading.title) for heading in structure.headings]


@st.composite
def plays(draw: st.DrawFn, form: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Make a play: its text, and start, level and title of its sections."""
    text, sections = "", []
    for number in ("I", "II"):
        for level, line in ((1, f"ACT {number}"), (2, "SCENE I. A shed.")):
            sections.append((len(text), level, line))
            text += f"{line}\n\n"
        text += "\t[Enter KES and OLM.]\n\n"
        for name in (*_NAMES, *draw(st.permutations(_NAMES))):
            sections.append((len(text), 3, name))
            text += form.format(name=name, said=draw(st.sampled_from(_SAYS)))
    return text, sections


@pytest.mark.parametrize("form", _FORMS.values(), ids=_FORMS.keys())
@LAW
@given(data=st.data())
def test_a_speech_goes_up_to_the_next_section(form: str, data: st.DataObject) -> None:
    """Over the ends of its lines, with what is done meanwhile; speeches stand below scenes, scenes below acts."""
    text, sections = data.draw(plays(form))
    assert format_of(text) == "chat"
    structure = read_chat(text)
    check_structure(text, structure)
    assert [(heading.start, heading.level, heading.title) for heading in structure.headings] == sections
    ends = [start for start, _, _ in sections[1:]] + [len(text)]
    speeches = [(start, end) for (start, level, _), end in zip(sections, ends, strict=True) if level == 3]
    assert [(heading.start, heading.until) for heading in structure.headings if heading.level == 3] == speeches
    assert [tuple(unit) for unit in structure.units] == speeches


@pytest.mark.parametrize("form", _FORMS.values(), ids=_FORMS.keys())
@LAW
@given(data=st.data())
def test_a_passage_is_read_as_the_whole_is(form: str, data: st.DataObject) -> None:
    """From any section on, if the beginning of the whole is known: every name comes early."""
    text, sections = data.draw(plays(form))
    start = data.draw(st.sampled_from(sections))[0]
    passage = chat_reader(text)(text[start:])
    assert [(heading.start + start, heading.level, heading.title) for heading in passage.headings] == [
        section for section in sections if section[0] >= start
    ]


@pytest.mark.parametrize("form", _FORMS.values(), ids=_FORMS.keys())
def test_line_ends_do_not_matter(form: str) -> None:
    """CR LF and CR end lines as LF does."""
    text = _ACTS + "".join(form.format(name=name, said=said) for name in _NAMES for said in _SAYS)
    assert titles(text.replace("\n", "\r\n")) == titles(text) == titles(text.replace("\n", "\r"))


@pytest.mark.parametrize("form", _FORMS.values(), ids=_FORMS.keys())
def test_what_is_far_below_changes_nothing_above(form: str) -> None:
    """The sections before an offset hang on the 65,536 characters after it at most."""
    scene = _ACTS + "".join(form.format(name=name, said=said) for name in _NAMES for said in _SAYS)
    whole = scene * 40 + form.format(name="LATE", said=_SAYS[0]) + scene * 40 + form.format(name="LATE", said=_SAYS[0])
    known = read_chat(whole).headings
    for cut in range(1, len(whole) - LOOK_AHEAD, 20_011):
        headings = read_chat(whole[: cut + LOOK_AHEAD]).headings
        assert [(h.start, h.title) for h in headings if h.start < cut] == [
            (h.start, h.title) for h in known if h.start < cut
        ]


def test_who_is_only_listed_does_not_speak() -> None:
    """The persons of the play are a section of their own, not speeches; contents are no acts."""
    speeches = "KES\tThe seeds are come.\n\nOLM\tAll?\n\nKES\tAll but the beans.\n\nServant\tMy lord!\n\n"
    text = (
        "\tTHE SEEDS\n\nACT I\nSCENE I\tA shed.\nSCENE II\tThe gate.\n\n\tDRAMATIS PERSONAE\n\n"
        "KES\ta gardener, who has a garden of some size.\n\nOLM\this friend, a servant and other people.\n\n"
        f"ACT I\n\nSCENE I\tA shed.\n\n{speeches}SCENE II\tThe gate.\n\n{speeches}\tEPILOGUE\n\nKES\tGo home.\n"
    )
    assert titles(text) == [
        (1, "DRAMATIS PERSONAE"),
        (1, "ACT I"),
        (2, "SCENE I A shed."),
        *[(3, name) for name in ("KES", "OLM", "KES", "Servant")],
        (2, "SCENE II The gate."),
        *[(3, name) for name in ("KES", "OLM", "KES", "Servant")],
        (1, "EPILOGUE"),
        (3, "KES"),
    ]


def test_a_play_in_italics_and_one_without_acts() -> None:
    """The names of speakers are written without their marks; without an act speeches are outermost."""
    talk = "_Kes._ The seeds are come.\n\n_Olm._ All?\n\n_First Wren._ All but\nthe beans.\n\n"
    assert titles(talk * 2) == [(1, "Kes"), (1, "Olm"), (1, "First Wren")] * 2


@pytest.mark.parametrize(
    ("line", "title", "level"),
    [
        ("ACT I", "ACT I", 1),
        ("Act 2.", "Act 2.", 1),
        ("ACT THE THIRD", "ACT THE THIRD", 1),
        ("ZWEITER AKT", "ZWEITER AKT", 1),
        ("ACTE PREMIER", "ACTE PREMIER", 1),
        ("PROLOGUE", "PROLOGUE", 1),
        ("SCENE III.—A wood.", "SCENE III.—A wood.", 2),
        ("Scene 1", "Scene 1", 2),
        ("SCÈNE II", "SCÈNE II", 2),
        ("ACT II. SCENE I. A wood", "ACT II. SCENE I. A wood", 2),
        ("[Act 1, Scene 2]", "Act 1, Scene 2", 2),
    ],
)
def test_what_acts_and_scenes_are_called(line: str, title: str, level: int) -> None:
    speeches = "KES. The seeds are come.\n\nOLM. All?\n\n" * 4
    assert titles(f"{line}\n\n{speeches}")[0] == (level, title)


_SENTENCES = "The pump moves water.\nIt is made of brass.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        (DATA / "records/traps/play.txt").read_text(encoding="utf-8"),  # two names in four lines may be anything
        "".join(f"{name}\n{_SENTENCES}" for name in ("PUMP", "VALVE", "HOSE", "GATE") * 4),  # always in this order
        "".join(f"SECTION {number}\n{_SENTENCES}" for number in range(20)),
        "".join(f"{name}\n       text - of a manual\n\n" for name in ("NAME", "SYNOPSIS", "DESCRIPTION", "NAME") * 9),
        "NOTE. It is hot.\n\nWARNING. It is cold.\n\nNOTE. It is wet.\n\n" * 6,
        "SELECT\n  name\nFROM\n  seeds\nWHERE\n  count > 3\n\n" * 9,
        "MOV\tAX, 1\nADD\tAX, 2\nMOV\tBX, 3\nJMP\tend\n" * 9,
        "KES\t12\tgate\nOLM\t13\tshed\nKES\t14\tgate\n" * 9,
        "THE SOFTWARE IS PROVIDED AS IT IS.\nIN NO EVENT IS ANYBODY LIABLE.\n" * 9,
        "Act I is long. Scene 2 is short.\n\n" * 20,
    ],
)
def test_nothing_else_looks_like_a_play(text: str) -> None:
    """Lists, manuals, notes, programs and licences have words in capitals too."""
    assert not looks_like_chat(Glance(text))


@pytest.mark.parametrize(
    "piece", ["KES. ", "KES.\n", "KES\t", "A B ", "KES (", "_Kes._ a\n", "ACT I\n", "\n[", "KES  \n"]
)
@pytest.mark.slow
def test_time_grows_with_the_text(piece: str) -> None:
    assert growth(read_chat, piece, before=_ACTS + "KES. Yes, it is.\n\nOLM. Is it?\n\n" * 5) < 3


def test_an_act_that_goes_on_as_a_sentence_is_no_division() -> None:
    """What stands after its number is neither a title nor an end."""
    said = "KES. The pump is here.\n\nOLM. It drips.\n\n" * 3
    play = f"ACT I\n\nSCENE I. A shed.\n\n{said}ACT II\n\n{said}"
    assert [title for level, title in titles(play) if level == 1] == ["ACT I", "ACT II"]
    assert "ACT II of" not in str(titles(play.replace("ACT II", "ACT II of the play is")))
