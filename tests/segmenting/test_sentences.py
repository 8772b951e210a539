"""Sentences: the laws of their cuts, then what a reader would say."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
import regex
import sentencex
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import DATA
from spanwise.errors import ConfigurationError
from spanwise.segmenting import sentences as sentences_module
from spanwise.segmenting.blocks import Blocks
from spanwise.segmenting.segmenter import cuts_of, segments_of
from spanwise.segmenting.sentences import Sentences
from texts import LAW

if TYPE_CHECKING:
    import random

PIECES = [
    "The quick brown fox jumps over the lazy dog and goes on to the other bank of the river",
    "a", "A", "word ", "Mr. ", "e.g. ", "U.S. ", "3.14", "1. ", "No. 7 ", ". ", "! ", "?! ", "...", "… ", ".", ":",
    "\n", "\n\n", "\r\n", "\r", "\x85", "\u2028", "\u2029", "\f", "\v",
    " ", "   ", "\t", "\u3000", "\xa0",
    "- ", "* ", "a) ", "(1) A ", "2) B ", "• ", "[1]", "/x. ", ".” ", ".)", "\\n",
    "  ", "| x ", "# ", "```", "> ", "===\n", "---\n", "\n  indented on and on",
    '"', "'", "(", ")", "[", "]", "“", "”", "«", "»", "「", "」", "（", "）", "。", "！", "？",
    "と聞かれ", "漢字", "かな",
    "।", "؟ ", "։ ", "។", "။", "ไทย ", "\u0301", "\u200d", "👩", "👨‍👩‍👧",
    "🇩", "🇪", "\ud800", "\x00", "\ufeff", "\u0600",
    "ไทย" * 200, "漢字" * 200, "1" * 70 + ")",
    "x" * 300, " " * 200, "One two three. " * 40, "foo bar " * 200, "\n" * 50,
]  # fmt: skip
HARD_TEXTS = st.lists(st.sampled_from(PIECES), max_size=120).map("".join)
SEGMENTER = Sentences()


def all_cuts(text: str, segmenter: Sentences = SEGMENTER) -> list[int]:
    return list(cuts_of(segmenter, text))


def sentences(text: str, language: str = "en") -> list[str]:
    return [segment.strip() for segment in segments_of(Sentences(language), text)]


# --- laws ---


@given(HARD_TEXTS)
def test_cuts_increase_and_the_segments_tile_the_text(text: str) -> None:
    """Law: cuts strictly increase, lie in (0, length], and hold the length."""
    cuts = all_cuts(text)
    assert cuts == sorted({cut for cut in cuts if 0 < cut <= len(text)})
    assert cuts[-1:] == ([len(text)] if text else [])
    assert "".join(segments_of(SEGMENTER, text)) == text


@given(HARD_TEXTS)
def test_no_cut_divides_a_grapheme_cluster(text: str) -> None:
    """Law: every cut is a boundary of regex's own clusters, so none stands between CR and LF."""
    boundaries = {match.end() for match in regex.finditer(r"\X", text)}
    assert set(all_cuts(text)) <= boundaries


@given(HARD_TEXTS)
def test_white_space_belongs_to_the_sentence_before(text: str) -> None:
    """Law: after a cut inside a line no white space follows; indentation follows line starts only."""
    lines = {match.end() for match in regex.finditer(r"\r\n|[\n\v\f\r\x85\u2028\u2029]", text)}
    for cut in all_cuts(text)[:-1]:
        assert cut in lines or not regex.match(r"\p{White_Space}", text[cut])


@given(HARD_TEXTS, st.data())
@settings(max_examples=200)
def test_next_and_last_agree_wherever_they_are_asked(text: str, data: st.DataObject) -> None:
    """Law: `next`, and `last` with blocks free to be cut, read one set of cuts."""
    known = all_cuts(text)
    cuts = SEGMENTER.cuts(text)
    offsets = st.integers(0, len(text))
    for _ in range(20):
        after, upto = sorted((data.draw(offsets), data.draw(offsets)))
        between = [cut for cut in known if after < cut <= upto]
        assert cuts.next(after, upto) == (between[0] if between else after)
        block = Blocks(text).at(upto) if upto < len(text) else None
        start = block.start if block is not None and block.start <= after else after
        if block is None or block.kind == "plain" or block.start <= start:
            assert cuts.last(after, upto, start) == (between[-1] if between else after)
        else:
            assert cuts.last(after, upto, start) == max(after, block.start)


@given(HARD_TEXTS, st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_the_order_of_questions_changes_no_answer(text: str, order: random.Random) -> None:
    """Law: what is remembered from one question never shows in the answer to another."""
    questions = [tuple(sorted(order.choices(range(len(text) + 1), k=3))) for _ in range(20)]
    cuts = SEGMENTER.cuts(text)
    for start, after, upto in questions:
        fresh = SEGMENTER.cuts(text)
        assert cuts.last(after, upto, start) == fresh.last(after, upto, start)
        assert cuts.next(after, upto) == SEGMENTER.cuts(text).next(after, upto)


@given(HARD_TEXTS, HARD_TEXTS)
@settings(max_examples=50)
def test_what_stands_above_a_blank_line_changes_no_cut_below_it(before: str, text: str) -> None:
    """Law: cuts are local, so that an edit leaves the sentences of other paragraphs as they are."""
    fence = "\n\nAn end.\n\n"
    alone, joined = fence + text, before + fence + text
    shift = len(joined) - len(alone)
    assert [cut + shift for cut in all_cuts(alone) if cut > len(fence)] == [
        cut for cut in all_cuts(joined) if cut > len(fence) + shift
    ]


# --- what a reader would say ---

CASE_28 = [
    "Dr. J. R. Smith of Acme Inc. paid $3.14 vs. €2,000.50 on Jan. 5, e.g. for v1.2.3 of the U.S. edition.",
    "He left.",
    "See Fig. 2 and Sec. 4.1.1 at example.com/a.b.",
    '"Really?" she asked.',
    '"Yes."',
    "Wait... what?!",
    "No. 7 won (cf. p. 12).",
    "Ph.D. students agreed, i.e. all of them.",
    "It was 5 p.m.",
    "Then it rained.",
]

ENGLISH = [
    ["Mr. and Mrs. Lee met Prof. Kim, Lt. Col. Wood and Rev. King.", "Gov. Hall came too."],
    ["J. R. R. Tolkien wrote it.", "So did C. S. Lewis."],
    ["We met on Sept. 3.", "The Sept. meeting was short.", "It was approx. 5 km away."],
    ["It weighs 5 kg.", "It is 3.5 ft. high.", "See pp. 3-5 and vol. 2."],
    ["Read https://example.org/a/b.html.", "Mail jane.doe@example.org.", "Use v1.2.3.", "Done."],
    ["He left (at last).", "(He had to.)", "Then she spoke.", "[See p. 3.]", "Fine."],
    ["Hello!!", "Really?!", "He never meant that....", "She left…", "He stayed."],
    ["“Why? When?” he asked.", "She said “No.” and left.", "‘Go!’", "He went."],
    ["I live in the U.K.", "He works for the U.S. Government.", "She has a Ph.D. in law."],
    ["Smith et al. agree.", "So do Pitt & Co. at noon.", "No.", "That is wrong."],
    ["A 7-inch (178 mm) Brooke rifle and a 6-inch (163 mm) one.", "It is 3 m (10 ft) Long."],
    ["It is so.[1]", "It was so before.[2]", "The end."],
]

OTHER_LANGUAGES = [
    ("de", ["Er kam am 3. März um 5 Uhr.", "Vgl. Abb. 3 auf S. 5, z. B. oben.", "Im 19. Jahrhundert war das so."]),
    ("de", ["„Gehst du?“, fragte Hr. Meier.", "»Ja.«", "Im Jahr 1990.", "Danach ging er."]),
    ("fr", ["M. Dupont et Mme. Rose viennent.", "« Tu viens ? » demanda-t-il.", "« Oui. »", "Il partit."]),
    ("es", ["El Sr. Pérez llegó.", "¿Vienes?", "¡Claro!", "Véase la pág. 5.", "«Sí.»", "Fin."]),
    ("pt", ["O Sr. Silva e a Dra. Lima vieram.", "Veja a pág. 5.", "Fim."]),
    ("ru", ["А. С. Пушкин писал.", "См. рис. 3 на стр. 5.", "«Да.»", "Он ушёл."]),
    ("hi", ["मैं घर गया।", "क्या वह डॉ. शर्मा है?", "ठीक॥", "अंत।"]),
    ("ar", ["ما اسمك؟", "اسمي علي.", "نعم!", "حسنا."]),
    ("ur", ["یہ ہے۔", "وہ ہے؟", "ہاں۔"]),
    ("hy", ["Բարև։", "Լավ։"]),
    ("am", ["ሰላም።", "እንዴት ነህ፧", "ደህና።"]),
    ("ko", ["안녕하세요.", '"네."', "그가 말했다."]),
    ("th", ["ประเทศไทย เป็นประเทศ ที่สวยงาม มาก"]),
]

SOLID = [
    ("ja", ["吾輩は機械である。", "「どこで組み立てられたか？」と聞かれても、とんと見当がつかぬ！", "終わり。"]),
    ("ja", ["価格は3.5万円（税込。送料別）です。", "『これは本。それは紙。』と言った。", "「はい！」", "「否！」"]),
    ("ja", ["本当か？と叫んだ。", "何だって！？", "彼は笑った（本当に！）。", "（注：これ。）", "次。"]),
    ("zh", ["他问：“你好吗？”", "她说：“好。”", "（是的。）", "他走了……真的？！", "是。"]),
    ("my", ["မင်္ဂလာပါ။", "နေကောင်းလား။"]),
    ("km", ["សួស្តី។", "អ្នក។"]),
    ("ja", ["半角｡", "全角．", "終"]),
]


def test_abbreviations_decimals_and_initials_do_not_end_a_sentence() -> None:
    """The case that most splitters fail: titles, amounts, versions, quotes."""
    assert sentences(" ".join(CASE_28)) == CASE_28


@pytest.mark.parametrize("expected", ENGLISH, ids=lambda expected: expected[0][:30])
def test_english_sentences_end_where_a_reader_ends_them(expected: list[str]) -> None:
    """Titles, months, units, addresses, versions, brackets, quotes, ellipses, references."""
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(("language", "expected"), OTHER_LANGUAGES)
def test_other_languages_have_their_own_abbreviations_and_marks(language: str, expected: list[str]) -> None:
    """`language` chooses the abbreviations; the marks of all scripts are known."""
    assert sentences(" ".join(expected), language) == expected


@pytest.mark.parametrize(("language", "expected"), SOLID)
def test_text_without_blanks_is_cut_after_its_marks_and_closing_brackets(language: str, expected: list[str]) -> None:
    """Nor before a quotative, nor inside brackets that close within the sentence; in English settings alike."""
    assert sentences("".join(expected), language) == expected
    assert sentences("".join(expected)) == expected


@pytest.mark.parametrize("blank", list("\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"))
def test_wide_white_space_before_a_full_stop_is_no_trouble(blank: str) -> None:
    """There sentencex 1.0.32 panics, with an exception that `except Exception` does not catch."""
    text = f"Vitamin A{blank}. It is one{blank}."
    assert "".join(segments_of(SEGMENTER, text)) == text


# --- line breaks ---

PROSE = """\
Permission is granted, free of charge, to any person who obtains a copy of it
and of the files that belong to it, to deal in them without restriction, as Mr.
Brown wished. The rights to use, copy and change them are included, and so are
those to sell them and to give them away, as they are,
provided that this notice stands in all copies.
"""


def test_a_sentence_goes_on_across_the_line_ends_of_wrapped_prose() -> None:
    """Hard-wrapped paragraphs, with a title at a line end and a line left short by an edit."""
    for end in ("\n", "\r\n", "\r", "\x85", "\u2028"):
        text = PROSE.replace("\n", end)
        assert [segment.split()[0] for segment in segments_of(SEGMENTER, text)] == ["Permission", "The"]


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-01 INFO server: Connection closed by peer\n2024-01-02 WARN server: It is very slow today\n",
        "ERROR Failed to connect to the host number 12\nERROR Failed to connect to the host number 13\nERROR End\n",
        "name,street,city\nSmith,Long Street 5,London\nBrown,Short Street 12,Paris\n",
        "def f(x):\n    return x\nclass A:\n    pass\n",
        "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate:\nRough winds do shake\n",
        "# A heading\nThe text\n## Another\n| a | b |\n| c | d |\n```\ncode\n```\n> quoted\n",
        "- an item\n* another\n+ a third\n1. a fourth\n2) a fifth\na) a sixth\n(b) a seventh\n• an eighth\n",
        "A page.\fthe next page\u2029the next paragraph\n\nafter a blank line\n \t\nand another",
    ],
)
def test_lines_that_are_entries_end_sentences(text: str) -> None:
    """Logs, records, code, verse, headings, rows, items, pages: a sentence ends with its line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    assert [segment.strip() for segment in segments_of(SEGMENTER, text)] == lines


def test_an_underlined_heading_keeps_its_line_and_ends_there() -> None:
    """Setext headings and those of reStructuredText."""
    assert segments_of(SEGMENTER, "A title\n=======\nthe text\n") == ["A title\n=======\n", "the text\n"]


def test_wrapped_ideographs_go_on() -> None:
    """Text without blanks is wrapped at a width of characters."""
    text = (
        "吾輩は猫である。名前はまだ無い。どこで生れたかとん\nと見当がつかぬ。何でも薄暗いじめじめした所でニャーニ\n"
        "ャー泣いていた事だけは記憶している。吾輩はここで始め\nて人間というものを見た。"
    )
    joined = [sentence.replace("\n", "") for sentence in segments_of(SEGMENTER, text)]
    assert joined == segments_of(SEGMENTER, text.replace("\n", ""))


def test_nothing_ends_inside_brackets_inside_brackets() -> None:
    """The outer ones close last."""
    assert segments_of(Sentences("ja"), "「彼は『いつ？』と聞いた。そして去った。」次です。") == [
        "「彼は『いつ？』と聞いた。そして去った。」",
        "次です。",
    ]


def test_sentences_show_and_keep_their_rules() -> None:
    """At the prompt, and on the way to a worker."""
    made = Sentences("de", in_quotations=True)
    assert repr(pickle.loads(pickle.dumps(made))) == repr(made) == "Sentences('de', in_quotations=True)"  # noqa: S301
    assert repr(Sentences()) == "Sentences('en')"


def test_ideographs_in_short_lines_are_no_wrapped_prose() -> None:
    """Too few stand in a line for a column of a book."""
    assert segments_of(SEGMENTER, "どこで生れたかとんと見当がつか\nぬ事だけは") == [
        "どこで生れたかとんと見当がつか\n",
        "ぬ事だけは",
    ]


# --- items and rows are units ---

LIST = "An introduction here.\n- One goes. It goes on,\n  and on. It ends.\n- Two. Three.\n| a. B | c. D |\nThe end."


def test_an_item_or_row_that_begins_later_is_not_cut_inside() -> None:
    """`last` falls back to the beginning of the item; `next` gives every cut."""
    cuts = SEGMENTER.cuts(LIST)
    first, second, row = LIST.index("- One"), LIST.index("- Two"), LIST.index("| a")
    assert cuts.last(0, second - 2, 0) == first
    assert cuts.last(first, second - 2, 0) == first
    assert cuts.last(first, second - 2, first) == LIST.index("It ends")
    assert cuts.last(first, second - 2, first + 3) == LIST.index("It ends")
    assert cuts.last(0, second, 0) == second
    assert cuts.last(0, row + 8, 0) == row
    assert cuts.next(first, len(LIST)) == LIST.index("It goes")
    assert cuts.last(0, len(LIST), 0) == len(LIST)


def test_an_answer_does_not_hang_on_what_was_forgotten() -> None:
    """Many blocks between two questions about a long one, whose end must be found again."""
    text = "Before.\n\n" + "One two three. " * 100 + "\n\n" + "A line.\n\n" * 20
    cuts = SEGMENTER.cuts(text)
    end = text.index("A line")
    assert cuts.next(end - 5, len(text)) == end
    for offset in range(end, len(text), 9):
        cuts.next(offset, len(text))
    assert cuts.last(0, end - 5, 0) < end
    assert cuts.next(end - 5, len(text)) == end


def test_nothing_between_gives_the_offset_back() -> None:
    """Both say `after` where there is no cut."""
    cuts = SEGMENTER.cuts("One two three. Four.")
    assert (cuts.last(3, 9, 0), cuts.next(3, 9), cuts.last(5, 5, 0), cuts.next(20, 20)) == (3, 3, 5, 20)


# --- long blocks, hard cost ---


def test_a_long_line_is_cut_alike_everywhere() -> None:
    """The cells of a long block show no seams."""
    text = "Dr. Smith paid $3.14 to Acme Inc. for it. He left (at last). " * 200
    lengths = {len(segment) for segment in segments_of(SEGMENTER, text)}
    assert lengths == {len("Dr. Smith paid $3.14 to Acme Inc. for it. "), len("He left (at last). ")}


@pytest.mark.parametrize(
    "piece",
    [
        "\n",
        " ",
        ".",
        ". ",
        '"',
        "“",
        "Mr. ",
        "a",
        "x\n",
        "- x\n",
        "  x\n",
        "| x |\n",
        "[",
        "「",
        "「あ。",
        "\r\n",
        "/. ",
        "#\n",
    ],
)
def test_cost_grows_with_the_text_alone(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight times the text looks at about eight times as many characters of windows and lines, whatever it repeats."""

    def looks(length: int) -> int:
        seen = 0
        original = Blocks._is_hard

        def counted(blocks: Blocks, start: int) -> bool:
            nonlocal seen
            seen += 1
            return original(blocks, start)

        read = sentences_module._segments

        def measured(language: str, body: str, *, odd: bool) -> list[str]:
            nonlocal seen
            seen += len(body)
            return read(language, body, odd=odd)

        with monkeypatch.context() as patched:
            patched.setattr(Blocks, "_is_hard", counted)
            patched.setattr(sentences_module, "_segments", measured)
            for _ in cuts_of(SEGMENTER, piece * (length // len(piece))):
                pass
        return seen

    assert looks(40_000) < 9 * looks(5_000) + 1_000


def test_ends_that_are_none_are_not_judged_again_at_each_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell full of abbreviations, asked at each offset: after a few questions its cuts are known."""
    text = "resp. Some " * 300
    judged = 0
    original = sentences_module._goes_on

    def counted(body: str, cut: int, segment: str, rules: sentences_module._Rules) -> bool:
        nonlocal judged
        judged += 1
        return original(body, cut, segment, rules)

    monkeypatch.setattr(sentences_module, "_goes_on", counted)
    cuts = SEGMENTER.cuts(text)
    for offset in range(1, len(text)):
        assert cuts.last(max(0, offset - 100), offset, 0) == max(0, offset - 100)
    assert 0 < judged < 2 * len(text)


# --- what is passed over ---

_PASSED_OVER = st.text("aZéßкΣかカ漢가ไทย07 ,'\"“”‘’%$&=+/@#*°±×–—-", max_size=200)


@given(_PASSED_OVER, st.sampled_from(["en", "de", "el", "hy", "ja", "my"]))
def test_nothing_ends_where_no_mark_stands_that_may_end_a_sentence(text: str, language: str) -> None:
    """Law: what is passed over without a look makes no end for sentencex, nor for the rules beside it."""
    assert sentences_module._may_end().search(text) is None
    assert sentencex.segment(language, text) == ([text] if text else [])
    assert sentences(text, language) == ([text.strip()] if text else [])


@pytest.mark.slow
def test_every_terminator_may_end_a_sentence() -> None:
    """Those of Unicode, and whatever one of the languages of sentencex takes for one."""
    terminators = regex.compile(r"\p{Sentence_Terminal}")
    for character in map(chr, [*range(0xD800), *range(0xE000, 0x20000)]):
        if sentences_module._may_end().match(character) is None:
            assert terminators.match(character) is None
            for language in ("en", "el", "hy", "my"):
                assert len(sentencex.segment(language, f"A word{character} Another")) == 1


# --- choices ---


def test_a_language_that_is_no_code_is_refused_with_the_repair() -> None:
    """Anything would do for sentencex, which falls back in silence."""
    for language in ("english", "", "e", "en us", "../en"):
        with pytest.raises(ConfigurationError, match="no language code"):
            Sentences(language)


def test_a_region_does_not_lose_the_rules_of_its_language() -> None:
    """What sentencex does not know, such as `de-AT`, it would treat like any language."""
    text = "Er kam z. B. am 3. März. Danach ging er."
    assert sentences(text, "de-AT") == sentences(text, "DE") == ["Er kam z. B. am 3. März.", "Danach ging er."]


@pytest.mark.parametrize("name", ["state_of_the_union", "pubmed", "wikitexts"])
@pytest.mark.parametrize("added", ["x", "A sentence. ", "An opened “quotation of some length "])
def test_an_edit_changes_no_cut_far_from_it(name: str, added: str) -> None:
    """In a block without lines cells begin where the text says so, not so many characters after the block begins."""
    corpus = (DATA / "corpora" / f"{name}.txt").read_text(encoding="utf-8")
    text = " ".join(corpus.split())[:40_000]
    far = 2_000
    before = [cut for cut in cuts_of(SEGMENTER, text) if cut > far]
    after = [cut - len(added) for cut in cuts_of(SEGMENTER, added + text) if cut - len(added) > far]
    assert len(before) > 100
    assert after == before


_FILLERS = [
    "word ",
    "2.5 ",
    "(1) ",
    "(iv) A ",
    "2) B ",
    "• ",
    "漢字",
    "ไทย",
    "some ",
    "Thing ",
    "(aside ",
    "aside) ",
    "why? ",
    "no! ",
    "“so ",
    "so” ",
    '"he ',
    'me" ',
    "[x ",
    "y] ",
]
_STOPS = [
    "end. ",
    "end. 1. ",
    "end.\u201d ",
    "(It ended.) ",
    "a/b. ",
    "end. “",
    "stop. ",
    ". (",
    "e.g. ",
    'done." ',
    "終。",
]


@LAW
@given(data=st.data())
def test_a_long_block_gives_the_same_cuts_whatever_is_asked(data: st.DataObject) -> None:
    """Its cells tile it: from any place the next cut and the last are those of all cuts, where stops are sparse too."""
    order = data.draw(st.randoms(use_true_random=False))
    parts = []
    for length in data.draw(st.lists(st.sampled_from([40, 150, 300, 560, 620, 700]), min_size=3, max_size=6)):
        filler = ""
        while len(filler) < length:
            filler += order.choice(_FILLERS)
        parts.append(filler + order.choice(_STOPS))
    text = "".join(parts)
    cuts = [0, *cuts_of(SEGMENTER, text)]
    for _ in range(20):
        after = order.randrange(len(text))
        upto = order.randrange(after, len(text) + 1)
        inside = [cut for cut in cuts if after < cut <= upto]
        assert SEGMENTER.cuts(text).next(after, upto) == min(inside, default=after)
        assert SEGMENTER.cuts(text).last(after, upto, len(text)) == max(inside, default=after)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It comes in two. a) One is red. b) One is blue.", ["It comes in two.", "a) One is red.", "b) One is blue."]),
        ("It ran (no. 5). b) It stopped.", ["It ran (no. 5).", "b) It stopped."]),
        ("Guns: 5) (of 7) Mk", ["Guns:", "5) (of 7) Mk"]),
        ("It is (see a. b) and c) more. It ran.", ["It is (see a. b) and c) more.", "It ran."]),
    ],
)
def test_a_letter_with_a_bracket_is_a_mark_unless_it_closes_one(text: str, expected: list[str]) -> None:
    """`b)` begins an item where no bracket is open before it."""
    assert sentences(text) == expected


@pytest.mark.parametrize(("most", "count"), [(200, 1), (201, 3)])
def test_lines_of_up_to_two_hundred_characters_are_wrapped_prose(most: int, count: int) -> None:
    """A longer line is a paragraph of its own."""
    line = "word " * 39
    lines = [line + "w" * (most - len(line))] * 3
    assert len(sentences("\n".join(lines))) == count
