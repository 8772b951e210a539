"""An edited document keeps its chunks but those around the edits."""

from __future__ import annotations

import msgspec
import pytest

import spanwise
from spanwise import Chunker, Document, Rechunked, diff, rechunk
from spanwise.strategies.passages import PASSAGE

PARTS = [f"## Part {part}\n\nIt says what part {part} does. It goes on for a while.\n\n" for part in range(30)]
CHUNKER = Chunker(max_tokens=40)


def texts(chunks: Rechunked | list[spanwise.Chunk] | tuple[spanwise.Chunk, ...]) -> list[str]:
    return [chunk.text for chunk in chunks]


def test_one_edit_makes_one_new_chunk() -> None:
    """All others keep text, boundaries and id."""
    old = CHUNKER.chunk("".join(PARTS))
    new = rechunk(old, "".join(PARTS).replace("part 7 does", "part seven did"), CHUNKER)
    difference = diff(old, new)
    assert (len(difference.added), len(difference.removed), new.kept) == (1, 1, len(old) - 1)
    assert "part seven did" in difference.added[0].text
    assert (new.drift, new.anew) == (1.0, "")


def test_the_result_is_a_sequence_of_chunks() -> None:
    """It can be indexed, sliced, counted, compared and verified as a list can."""
    old = CHUNKER.chunk("".join(PARTS))
    new = rechunk(old, "".join(PARTS), CHUNKER)
    assert new == old
    assert (new[0], new[-1], len(new), list(new[:2])) == (old[0], old[-1], len(old), old[:2])
    assert old[3] in new
    assert spanwise.verify("".join(PARTS), new, max_tokens=40) == []
    assert repr(new) == "<Rechunked: 15 chunks, kept=15, drift=1.00>"


def test_several_edits_at_once() -> None:
    """At both ends and in the middle; what lies between is not touched."""
    old = CHUNKER.chunk("".join(PARTS))
    edited = ["A new beginning.\n\n", *PARTS]
    edited[11] = edited[11].replace("while", "moment")
    edited.append("The end.\n")
    new = rechunk(old, "".join(edited), CHUNKER)
    assert spanwise.verify("".join(edited), new, max_tokens=40) == []
    assert len(diff(old, new).added) <= 5
    assert new[0].text.startswith("A new beginning.")
    assert new[-1].text.endswith("The end.\n")


def test_a_moved_section_keeps_its_chunks() -> None:
    """Its place, lines and index are new, its ids are not."""
    old = CHUNKER.chunk("".join(PARTS))
    new = rechunk(old, "".join([*PARTS[10:20], *PARTS[:10], *PARTS[20:]]), CHUNKER)
    assert new.kept == len(old)
    assert texts(new) != texts(old)
    assert [chunk.index for chunk in new] == list(range(len(new)))


def test_a_renamed_top_heading_is_on_every_chunk_below_it() -> None:
    """Section, sections and context come from the new document; ids of chunks below stay."""
    chunker = Chunker(max_tokens=60, context="section")
    text = "# Pumps\n\n" + "".join(PARTS)
    old = chunker.chunk(text)
    new = rechunk(old, text.replace("# Pumps", "# Valves"), chunker)
    assert {chunk.section[0] for chunk in new} == {"Valves"}
    assert all(path[0] == "Valves" for chunk in new for path in chunk.sections)
    assert all(chunk.context.startswith("Valves") for chunk in new)
    difference = diff(old, new)
    assert (len(difference.added), len(difference.changed)) == (1, len(old) - 1)


def test_what_no_longer_fits_with_its_context_is_packed_anew() -> None:
    """A longer heading leaves less room, and no chunk is over the budget for it."""
    chunker = Chunker("sentences", max_tokens=24, context="section")
    text = "# A\n\n" + "".join(f"Sentence number {number} says a little of it. " for number in range(40))
    old = chunker.chunk(text)
    edited = text.replace("# A", "# One two three four")
    new = rechunk(old, edited, chunker)
    assert spanwise.verify(edited, new, max_tokens=24, counter="cl100k_base") == []
    assert all(chunk.context for chunk in new)
    assert new.kept < len(old) // 2


def test_lines_offsets_metadata_are_those_of_the_new_document() -> None:
    """What was kept is told apart from what moved by `diff`."""
    old = CHUNKER.chunk(Document(text="".join(PARTS), metadata={"version": 1}))
    document = Document(text="Above.\n\n" + "".join(PARTS), metadata={"version": 2})
    new = rechunk(old, document, CHUNKER)
    for chunk in new:
        assert chunk.text == document.text[chunk.start : chunk.end]
        assert chunk.lines[0] == 1 + document.text.count("\n", 0, chunk.start)
        assert chunk.metadata == {"version": 2}
    assert len(diff(old, new).moved) == new.kept > 10


@pytest.mark.parametrize("trim", [True, False])
def test_what_a_chunk_repeats_follows_its_predecessor(trim: bool) -> None:  # noqa: FBT001  pytest's own way
    """Where the chunk before has changed, so has the overlap, and with it the id."""
    chunker = Chunker("sentences", max_tokens=20, overlap_tokens=8, trim=trim)
    text = "".join(f"Sentence {number} is here. " for number in range(40))
    old = chunker.chunk(text)
    edited = text.replace("Sentence 20 is", "Sentence 20 was")
    new = rechunk(old, edited, chunker)
    verified = spanwise.verify(edited, new, max_tokens=20, counter="cl100k_base", overlap_tokens=8, trim=trim)
    assert verified == []
    assert sum("20 was" in chunk.text for chunk in new) == 2
    assert len(diff(old, new).added) <= 3


def test_an_edit_that_joins_characters_moves_the_boundary() -> None:
    """An accent put before a kept chunk belongs to the character before; the chunk before takes it."""
    chunker = Chunker("characters", max_characters=4)
    old = chunker.chunk("abcdefghijkl")
    new = rechunk(old, "abcd\u0301efghijkl", chunker)
    assert spanwise.verify("abcd\u0301efghijkl", new, max_characters=4) == []
    assert texts(new)[-1] == "ijkl"


def test_an_edit_that_joins_words_moves_the_boundary() -> None:
    """A letter put before a kept chunk is no chunk's end in the middle of a word."""
    chunker = Chunker("words", max_tokens=4)
    old = chunker.chunk("one two three four five six seven eight nine")
    assert old[1].text == "four five six "
    text = "one two three xfour five six seven eight nine"
    new = rechunk(old, text, chunker)
    assert spanwise.verify(text, new, max_tokens=4, counter="cl100k_base", whole_words=True) == []


def test_a_heading_stays_with_what_follows_it() -> None:
    """A heading that is put before a kept chunk does not end the chunk before it."""
    old = CHUNKER.chunk("".join(PARTS))
    place = old[5].start
    text = "".join(PARTS)
    new = rechunk(old, f"{text[:place]}# A new chapter\n\n{text[place:]}", CHUNKER)
    assert not any(chunk.text.rstrip().endswith("# A new chapter") for chunk in new)


@pytest.mark.parametrize("strategy", ["sections", "hybrid", spanwise.Structural(within_sections=True)])
def test_a_window_is_parted_as_the_whole_text_is(strategy: str | spanwise.Strategy) -> None:
    """What is left of two sections is not put together, though it would fit."""
    chunker = Chunker(strategy, max_tokens=60)
    text = "# Pumps\n\n" + "".join(PARTS)
    old = chunker.chunk(text)
    edited = text.replace("part 7 does. It goes on for a while.\n\n## Part 8", "part 7 did.\n\n## Chapter 8")
    new = rechunk(old, edited, chunker)
    assert texts(new) == texts(chunker.chunk(edited))


def test_where_headings_are_code_now_kept_chunks_repeat_the_one_before() -> None:
    """A section began there and repeated nothing; a fence that is opened before it makes it a part no more."""
    chunker = Chunker("sections", max_tokens=30, overlap_tokens=4)
    text = "".join(PARTS[:6])
    old = chunker.chunk(text)
    edited = "```\n" + text
    new = rechunk(old, edited, chunker)
    assert all(chunk.overlap == 0 for chunk in old)
    assert all(chunk.overlap > 0 for chunk in new[1:])
    assert chunker.verify(edited, new, again=False) == []


@pytest.mark.parametrize("blank", ["drop", "keep"])
def test_white_space_that_was_left_out_is_no_edit(blank: str) -> None:
    """Chunks of white space alone are left out, so the old text is known but for them."""
    chunker = Chunker("sentences", max_characters=30, blank="keep" if blank == "keep" else "drop")
    text = "One sentence here.\n" + " " * 100 + "Another one there. And one more of them."
    old = chunker.chunk(text)
    assert rechunk(old, text, chunker) == old
    assert diff(old, rechunk(old, text.replace("Another", "Any other"), chunker)).removed


def test_small_pieces_do_not_add_up() -> None:
    """Neighbours are packed with an edit where that saves a chunk."""
    sentences = [f"Sentence number {number} says a little. " for number in range(200)]
    chunker = Chunker("sentences", max_tokens=64)
    new: Rechunked | list[spanwise.Chunk] = chunker.chunk("".join(sentences))
    for number in range(0, 200, 2):
        sentences[number] = "No. "
        new = rechunk(new, "".join(sentences), chunker)
    assert isinstance(new, Rechunked)
    assert len(new) <= 1.25 * len(chunker.chunk("".join(sentences)))
    assert new.drift <= 1.3


def test_above_a_limit_of_drift_all_is_made_anew() -> None:
    """And it says so."""
    old = [
        chunk for part in range(8) for chunk in Chunker("sentences", max_tokens=64).chunk(f"Part {part} of the text. ")
    ]
    text, start, moved = "", 0, []
    for chunk in old:
        moved.append(msgspec.structs.replace(chunk, start=start, end=start + len(chunk.text)))
        text, start = text + chunk.text, start + len(chunk.text)
    chunker = Chunker("sentences", max_tokens=64)
    kept = rechunk(moved, text, chunker, usual=60)
    assert (len(kept), kept.drift) == (8, 4.0)
    new = rechunk(moved, text, chunker, usual=60, max_drift=1.5)
    assert (list(new), new.anew) == (chunker.chunk(text), "drift 4.00 is over max_drift=1.5")
    assert new.drift == 1.0
    assert rechunk(new, text, chunker).usual == new.usual


@pytest.mark.parametrize(
    ("chunker", "document", "why"),
    [
        (Chunker(max_tokens=41), Document(text="One. Two."), "the chunks were made otherwise: "),
        (CHUNKER, Document(id="other", text="One. Two."), "the document id was '' and is 'other'"),
    ],
)
def test_why_all_is_new(chunker: Chunker, document: Document, why: str) -> None:
    """Another spec, another document id: the chunks of a fresh run, with the reason."""
    new = rechunk(CHUNKER.chunk("One."), document, chunker)
    assert new == chunker.chunk(document)
    assert new.anew.startswith(why)


def test_ids_of_a_level_are_not_taken_for_those_of_chunks_of_one_size() -> None:
    """They would all change, so nothing is gained by keeping boundaries."""
    chunks = CHUNKER.chunk("".join(PARTS))
    old = [msgspec.structs.replace(chunk, id=spanwise.chunk_id("", chunk.text, level=1)) for chunk in chunks]
    assert "is of a level" in rechunk(old, "".join(PARTS), CHUNKER).anew


def test_windows_that_overlap_are_made_anew() -> None:
    """Each depends on the one before; ids stay where texts do."""
    chunker = Chunker(spanwise.SentenceWindow(sentences=3))
    text = "".join(f"Sentence {number} is here. " for number in range(40))
    old = chunker.chunk(text)
    new = rechunk(old, text.replace("Sentence 39", "The last one"), chunker)
    assert new == chunker.chunk(text.replace("Sentence 39", "The last one"))
    assert "overlap by construction" in new.anew
    assert new.kept >= len(old) - 2
    with pytest.raises(spanwise.ConfigurationError, match="overlap by construction"):
        chunker.chunk_keeping(Document(text=text), [])


def test_there_may_be_nothing_before_or_after() -> None:
    """No chunks of before are none to keep; of an empty document there are none."""
    assert rechunk([], "One. Two.", CHUNKER).anew == "there were no chunks before"
    empty = rechunk(CHUNKER.chunk("One."), "", CHUNKER)
    assert (len(empty), empty.kept, empty.drift) == (0, 0, 1.0)


def test_a_long_text_is_packed_in_passages() -> None:
    """Edits beside the end of a passage and far from it."""
    chunker = Chunker(max_tokens=256)
    lines = [f"Line {line} of a long text that says this and that, and goes on.\n\n" for line in range(9000)]
    text = "".join(lines)
    assert len(text) > 2 * PASSAGE
    old = chunker.chunk(text)
    for place in (PASSAGE, PASSAGE - 3000, PASSAGE + 4000, 17):
        edited = f"{text[:place]} a few more words {text[place:]}"
        new = rechunk(old, edited, chunker)
        assert spanwise.verify(edited, new, max_tokens=256) == []
        assert len(diff(old, new).added) <= 2


CLUSTER = "e" + "\u0301" * 40  # longer than a chunk
IN_SECTION = {"structure": "markdown", "context": "section"}


@pytest.mark.parametrize(
    ("old", "new"),
    [("Eight", "Nine"), ("One", "None"), ("# A", "# B"), ("# A", "Hello.\n\n# A"), ("seven. E", "seven, e")],
)
def test_parts_of_a_character_are_kept_without_a_context(old: str, new: str) -> None:
    """As they were made: none of them is cut for one. They stay where they are parted, wherever the edit is."""
    chunker = Chunker("sentences", max_characters=25, overflow="split", **IN_SECTION)  # type: ignore[arg-type]
    text = f"# A\n\nOne. Two {CLUSTER} three. Four five six seven. Eight nine ten eleven.\n"
    before = chunker.chunk(text)
    after = rechunk(before, text.replace(old, new), chunker)
    assert chunker.verify(text.replace(old, new), after, again=False) == []
    assert next(chunk.text for chunk in before if "\u0301" in chunk.text) in texts(after)
    assert all(not chunk.context for chunk in after if CLUSTER[:20] in chunk.text)


def test_parts_of_a_character_are_not_packed_again_with_an_edit_beside_them() -> None:
    """Though a chunk would be saved by that."""
    chunker = Chunker("characters", max_characters=10)
    old = chunker.chunk(f"word {CLUSTER[:26]}{CLUSTER[:26]}")
    new = rechunk(old, f"word {CLUSTER[:26]}e\u0301{CLUSTER[:26]}", chunker)
    assert texts(new)[:4] == texts(old)[:4] == ["word ", CLUSTER[:10], "\u0301" * 10, "\u0301" * 6]


@pytest.mark.parametrize("overlap", [0, 5])
def test_a_chunk_whose_context_was_left_out_is_kept_without_it(overlap: int) -> None:
    """A word that fits alone is not refused for its context, now as before, also where what it repeats is another."""
    chunker = Chunker("words", max_characters=25, overlap_characters=overlap, **IN_SECTION)  # type: ignore[arg-type]
    text = f"# A\n\nOne two. {'x' * 24} three four. Five six seven eight nine ten.\n"
    old = chunker.chunk(text)
    for edited in (text.replace("Five", "Six"), text.replace("One two", "Nine"), text.replace("# A", "# B")):
        new = rechunk(old, edited, chunker)
        assert chunker.verify(edited, new, again=False) == []
        assert [chunk.context for chunk in new if "x" * 24 in chunk.text] == [""]
        assert new.kept


def test_numbers_are_parted_where_the_structure_says_so() -> None:
    """`1,2` is one word (UAX 29, WB11), but two values of an array: cuts between them are kept."""
    chunker = Chunker("sentences", max_tokens=40, structure="json")
    text = f"[{','.join(str(number) for number in range(1000, 1200))}]"
    old = chunker.chunk(text)
    new = rechunk(old, text.replace("1100", "11000"), chunker)
    assert new.kept >= len(old) - 2


def test_groups_of_one_subject_repeat_nothing_of_the_one_before() -> None:
    """Where a chunk began a group it goes on to, though the chunk before it has changed."""
    chunker = Chunker("semantic", max_tokens=30, overlap_tokens=4)
    old = chunker.chunk("".join(PARTS[:12]))
    new = rechunk(old, "".join(PARTS[:12]).replace("part 5 does", "part five did"), chunker)
    assert new.kept == len(old) - 1


def test_an_edit_in_a_large_chunk_at_the_end_of_a_passage() -> None:
    """The window goes on in the next passage."""
    chunker = Chunker("sentences", max_tokens=4096)
    text = "".join(f"Line {line} of a long text that says this and that, and goes on. " for line in range(6000))
    old = chunker.chunk(text)
    new = rechunk(old, f"{text[:PASSAGE]}a few more words {text[PASSAGE:]}", chunker)
    assert chunker.verify(f"{text[:PASSAGE]}a few more words {text[PASSAGE:]}", new, again=False) == []
    assert new.kept >= len(old) - 2


@pytest.mark.parametrize(
    ("old", "message"),
    [
        (
            [spanwise.Chunk(text="a", start=0, end=1, tokens=1), spanwise.Chunk(text="a", start=0, end=1, tokens=1)],
            "out of order: 0:1, then 0:1",
        ),
        (
            [
                spanwise.Chunk(text="a", start=0, end=1, tokens=1, document_id="x"),
                spanwise.Chunk(text="a", start=1, end=2, tokens=1, document_id="y"),
            ],
            "chunks of two documents: 'x' and 'y'",
        ),
        ([spanwise.Chunk(text="a", start=0, end=1, tokens=1, parent_id="p")], "Chunker.chunk_within"),
    ],
)
def test_chunks_that_cannot_be_those_of_before_are_refused(old: list[spanwise.Chunk], message: str) -> None:
    """With the place and what to do."""
    with pytest.raises(spanwise.SpanwiseError, match=message):
        rechunk(old, "a", CHUNKER)


@pytest.mark.parametrize(("option", "value"), [("max_drift", 0.5), ("usual", 0)])
def test_a_limit_that_cannot_be_is_refused(option: str, value: float) -> None:
    """Drift is at least 1, a mean is more than nothing."""
    with pytest.raises(spanwise.ConfigurationError, match=f"{option}={value}"):
        rechunk(CHUNKER.chunk("a"), "a", CHUNKER, **{option: value})
