"""Tokenizers of Hugging Face are counted as they encode, with nothing added, cut or filled up."""

from __future__ import annotations

import json
import pickle
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from oracles import DATA, hard_texts
from spanwise.counting import counter
from spanwise.counting.bytepair import BytePair
from spanwise.counting.counter import MappingCounter, countable
from spanwise.counting.huggingface import HuggingFace
from spanwise.errors import ConfigurationError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDPIECE = DATA / "minilm-wordpiece.tokenizer.json"

UNKNOWN = "<unk>"

LINES = [
    "Hello world, this is a small text to learn from: 12345.",
    "The quick brown fox doesn't jump over the lazy dog.",
    "こんにちは 世界",
    "naïve café déjà vu",
] * 20


def trained(model: Any, pre: Any, normalizer: Any = None, **options: Any) -> Tokenizer:
    tokenizer = Tokenizer(model)
    if pre is not None:
        tokenizer.pre_tokenizer = pre
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator(LINES, trainers.BpeTrainer(vocab_size=500, show_progress=False, **options))
    return tokenizer


def byte_level(pre: Any = None, normalizer: Any = None, *, model: Any = None) -> Tokenizer:
    return trained(
        model or models.BPE(),
        pre or pre_tokenizers.ByteLevel(add_prefix_space=False),
        normalizer,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )


def sentencepiece(pre: Any = None, normalizer: Any = None) -> Tokenizer:
    """As Llama 2 has it: blanks written as U+2581, unknown characters as bytes, <s> put before."""
    tokenizer = trained(
        models.BPE(unk_token=UNKNOWN, byte_fallback=True, fuse_unk=True),
        pre,
        normalizer or normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
        special_tokens=["<unk>", "<s>", *(f"<0x{byte:02X}>" for byte in range(256))],
    )
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    content = json.loads(tokenizer.to_str())
    content["added_tokens"] = [token for token in content["added_tokens"] if not token["content"].startswith("<0x")]
    return Tokenizer.from_str(json.dumps(content))


def unigram() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=200, special_tokens=["<s>", "</s>", "<unk>"], unk_token=UNKNOWN, show_progress=False
    )
    tokenizer.train_from_iterator(LINES, trainer)
    return tokenizer


def split(pattern: str, **options: Any) -> Any:
    return pre_tokenizers.Split(Regex(pattern), **{"behavior": "isolated", **options})


def in_bytes(**options: Any) -> Any:
    return pre_tokenizers.ByteLevel(**{"add_prefix_space": False, "use_regex": False, **options})


LLAMA = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)


def with_added(tokenizer: Tokenizer, *tokens: str, **options: bool) -> Tokenizer:
    tokenizer.add_tokens([AddedToken(token, **options) for token in tokens])
    return tokenizer


KINDS: dict[str, Callable[[], Tokenizer]] = {
    "byte level": byte_level,
    "byte level, prefix": lambda: byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True)),
    "byte level, composed": lambda: byte_level(None, normalizers.NFC()),
    "byte level, Llama 3": lambda: byte_level(pre_tokenizers.Sequence([split(LLAMA), in_bytes()])),
    "byte level, Llama 3 with prefix": lambda: byte_level(
        pre_tokenizers.Sequence([split(LLAMA), in_bytes(add_prefix_space=True)])
    ),
    "byte level, inverted": lambda: byte_level(
        pre_tokenizers.Sequence([split(LLAMA, behavior="removed", invert=True), in_bytes()])
    ),
    "byte level, no pattern": lambda: byte_level(in_bytes()),
    "byte level, own pattern": lambda: byte_level(pre_tokenizers.Sequence([split(r"\p{L}+|\p{N}"), in_bytes()])),
    "byte level, folded": lambda: byte_level(None, normalizers.Lowercase()),
    "byte level, added tokens": lambda: with_added(byte_level(), "foxy", "  ", "\n\n"),
    "byte level, added whole words": lambda: with_added(byte_level(), "word", single_word=True, lstrip=True),
    "sentencepiece": sentencepiece,
    "sentencepiece, Metaspace": lambda: sentencepiece(pre_tokenizers.Metaspace(), normalizers.NFC()),
    "sentencepiece, Gemma": lambda: sentencepiece(
        pre_tokenizers.Split(" ", "merged_with_previous"), normalizers.Replace(" ", "▁")
    ),
    "sentencepiece, words": lambda: sentencepiece(pre_tokenizers.Whitespace()),
    "letters": lambda: trained(models.BPE(unk_token=UNKNOWN), pre_tokenizers.Whitespace(), special_tokens=["<unk>"]),
    "unigram": unigram,
    "wordpiece": lambda: Tokenizer.from_file(str(WORDPIECE)),
}

IN_GIGATOKEN = {
    "byte level",
    "byte level, prefix",
    "byte level, composed",
    "byte level, Llama 3",
    "byte level, added tokens",
    "sentencepiece",
    "sentencepiece, Gemma",
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tokenizers")


@lru_cache(maxsize=32)
def made_of(kind: str, folder: Path) -> tuple[Tokenizer, Any]:
    """Give the judge, and the counter made of the same file."""
    file = folder / f"{kind}.json"
    file.write_text(KINDS[kind]().to_str(), encoding="utf-8")
    judge = Tokenizer.from_file(str(file))
    judge.no_truncation()
    judge.no_padding()
    judge.encode_special_tokens = True
    return judge, counter(file)


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(text=hard_texts())
def test_a_file_counts_as_its_tokenizer_encodes(kind: str, folder: Path, text: str) -> None:
    """Whichever library reads it. The text of special tokens is ordinary text."""
    judge, made = made_of(kind, folder)
    assert made.count(text) == len(judge.encode(countable(text), add_special_tokens=False).ids)


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(text=hard_texts())
def test_the_map_of_a_file_has_one_end_for_each_token(kind: str, folder: Path, text: str) -> None:
    """The map law; where the text has tokens the last one ends with it."""
    _, made = made_of(kind, folder)
    ends = made.token_ends(text)
    assert ends.dtype == np.int64
    assert len(ends) == made.count(text)
    assert (np.diff(ends, prepend=0) >= 0).all()
    assert not len(ends) or ends[-1] == len(text)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_gigatoken_reads_what_it_counts_exactly_and_nothing_else(kind: str, folder: Path) -> None:
    """Some files it would read, and silently count otherwise."""
    assert isinstance(made_of(kind, folder)[1], BytePair if kind in IN_GIGATOKEN else HuggingFace)


@pytest.mark.parametrize("kind", ["sentencepiece", "unigram", "wordpiece", "byte level"])
def test_the_map_of_prose_is_close_to_the_truth(kind: str, folder: Path) -> None:
    """The tokens up to an end, counted alone, are nearly as many as the map says."""
    _, made = made_of(kind, folder)
    text = " ".join(LINES)
    ends = made.token_ends(text)
    for tokens in range(50, len(ends), 50):
        assert made.count(text[: ends[tokens - 1]]) == pytest.approx(tokens, abs=4)


def test_a_long_text_is_mapped_in_pieces(folder: Path) -> None:
    """Pieces cut before blanks have the tokens of the whole where blanks part words anyway."""
    _, made = made_of("unigram", folder)
    text = "Words, unaffordable and otherwise; " * 400
    assert not made.maps_exactly(text)
    assert len(made.token_ends(text)) == made.count(text)
    assert made.token_ends(text)[-1] == len(text)
    assert made.token_ends("x" * 9_000)[-1] == 9_000


def test_what_the_model_adds_is_asked_of_its_tokenizer(folder: Path) -> None:
    """[CLS] and [SEP] of WordPiece, <s> of a SentencePiece-style file."""
    assert counter(WORDPIECE, special_tokens=True).count("hello world") == 4
    assert counter(WORDPIECE, special_tokens=1).count("hello world") == 3
    assert counter(Tokenizer.from_file(str(WORDPIECE)), special_tokens=True).count("hello world") == 4
    made_of("sentencepiece", folder)
    plain, whole = (counter(folder / "sentencepiece.json", special_tokens=ask) for ask in (False, True))
    assert whole.count("hello") == plain.count("hello") + 1


@pytest.mark.parametrize(
    ("processor", "added"),
    [
        (processors.BertProcessing(("[SEP]", 1), ("[CLS]", 0)), 2),
        (processors.RobertaProcessing(("</s>", 1), ("<s>", 0)), 2),
        (processors.ByteLevel(), 0),
        (
            processors.Sequence(
                [processors.ByteLevel(), processors.TemplateProcessing("a $A b b", None, [("a", 0), ("b", 1)])]
            ),
            3,
        ),
    ],
)
def test_a_file_adds_what_tokenizers_says_it_adds(processor: Any, added: int, tmp_path: Path) -> None:
    """Read from the file without the package, judged by it."""
    tokenizer = byte_level()
    tokenizer.post_processor = processor
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert tokenizer.num_special_tokens_to_add(is_pair=False) == added
    assert counter(tmp_path, special_tokens=True).count("") == added


def test_a_tokenizer_object_is_copied_and_left_alone() -> None:
    """The caller's object goes on truncating and padding."""
    tokenizer = Tokenizer.from_file(str(WORDPIECE))
    made = counter(tokenizer)
    assert made.count("word " * 500) == 500
    assert made.count("[CLS]") == len(["[", "cl", "##s", "]"])
    assert len(tokenizer.encode("word").ids) == 128
    assert not tokenizer.encode_special_tokens


def test_a_fast_tokenizer_of_transformers_is_known_by_its_backend() -> None:
    """By its module alone: transformers is not imported."""

    class FastTokenizer:
        __module__ = "transformers.models.bert"
        name_or_path = "bert"
        backend_tokenizer = Tokenizer.from_file(str(WORDPIECE))

        def num_special_tokens_to_add(self, pair: bool) -> int:  # noqa: FBT001 - the signature there
            return 3 if pair else 2

    made = counter(FastTokenizer(), special_tokens=True)
    assert (made.name, made.count("hello world")) == ("bert", 4)


def test_dropout_is_off_so_that_counts_repeat() -> None:
    """Merges are left out at random only in training."""
    made = counter(byte_level(model=models.BPE(dropout=0.9)))
    assert len({made.count("Hello world, this is a text") for _ in range(30)}) == 1


@pytest.mark.parametrize("kind", ["wordpiece", "byte level"])
def test_a_counter_of_a_file_travels_to_a_worker(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also one of a relative path, to a worker in another folder."""
    made_of(kind, folder)
    monkeypatch.chdir(folder)
    made = counter(f"{kind}.json", special_tokens=2)
    monkeypatch.chdir(tmp_path)
    again = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own bytes
    assert isinstance(again, MappingCounter)
    assert (again.name, again.overhead, again.count("hi")) == (made.name, 2, made.count("hi"))


@pytest.mark.parametrize("kind", ["wordpiece", "byte level"])
def test_a_counter_is_named_after_what_the_file_holds(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Chunks say by which counter they were made: not where the file was, but which it was."""
    made_of(kind, folder)
    file = folder / f"{kind}.json"
    digest = sha256(file.read_bytes()).hexdigest()[:12]
    (tmp_path / "tokenizer.json").write_bytes(file.read_bytes())
    monkeypatch.chdir(folder)
    assert counter(f"{kind}.json").name == counter(file).name == f"{kind}.json@{digest}"
    assert counter(tmp_path).name == f"tokenizer.json@{digest}"


def test_a_worker_that_finds_another_file_says_so(folder: Path, tmp_path: Path) -> None:
    """Counting on with it would give other chunks."""
    made_of("byte level", folder)
    file = tmp_path / "tokenizer.json"
    file.write_bytes((folder / "byte level.json").read_bytes())
    pickled = pickle.dumps(counter(file))
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(ConfigurationError, match=r"' is tokenizer.json@.* now and was .*: it has changed"):
        pickle.loads(pickled)  # noqa: S301 - our own bytes


def test_a_file_that_needs_the_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The repair is in the message."""
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"spanwise\[hf\]"):
        counter(WORDPIECE)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "it is not JSON"),
        ("[]", "it has no model"),
        ('{"version": "1.0"}', "it has no model"),
        ('{"model": {"type": "WordPiece"}}', "cannot be used|can be used"),
        ('{"model": {"type": "BPE"}}', "cannot be used|can be used"),
    ],
)
def test_a_file_that_is_no_tokenizer_is_a_configuration_error(content: str, message: str, tmp_path: Path) -> None:
    """The message names the file."""
    file = tmp_path / "broken.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message) as caught:
        counter(file)
    assert "broken.json" in str(caught.value)


def test_a_file_that_is_no_text_is_a_configuration_error(tmp_path: Path) -> None:
    """A model in binary form is not a tokenizer.json."""
    file = tmp_path / "tokenizer.model"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match=r"tokenizer\.model.*cannot be read"):
        counter(file)


def test_a_tokenizer_shows_its_name_and_what_the_model_adds() -> None:
    """In messages and at the prompt."""
    made = HuggingFace(WORDPIECE.read_text(encoding="utf-8"), "mine", 2)
    assert repr(made) == "HuggingFace('mine', overhead=2)"
