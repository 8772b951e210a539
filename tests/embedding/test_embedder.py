"""Which embedder is meant, and what is said of one that fails; with real models and a real client."""

from __future__ import annotations

import json
import logging
import pickle
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import numpy as np
import openai
import pytest
from model2vec import StaticModel
from tokenizers import Tokenizer, models, pre_tokenizers

import spanwise
from spanwise.embedding.embedder import unit_vectors
from spanwise.embedding.static_vectors import StaticVectors

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = ["The pump moves water.", "A pump moves water fast.", "The cat sleeps all day.", ""]


def test_the_static_vectors_know_what_is_alike() -> None:
    """Two sentences about pumps are nearer than one about a cat; the empty text has no direction."""
    vectors = unit_vectors(spanwise.embedder("wordllama"), TEXTS, "")
    assert vectors.shape == (4, 256)
    assert vectors[0] @ vectors[1] > 0.6
    assert vectors[0] @ vectors[2] < 0.3
    assert not vectors[3].any()


def test_the_static_vectors_are_those_of_their_package() -> None:
    """The oracle is the package's own code, over the same files."""
    code = """
import json, sys, warnings, logging
from pathlib import Path
import wordllama
from wordllama.inference import WordLlamaInference
from safetensors.numpy import load_file
from tokenizers import Tokenizer
folder = Path(wordllama.__file__).parent
table = load_file(folder / "weights/l2_supercat_256.safetensors")["embedding.weight"]
own = WordLlamaInference(table, Tokenizer.from_file(str(folder / "tokenizers/l2_supercat_tokenizer_config.json")))
print(json.dumps(own.embed(json.loads(sys.argv[1])).tolist()))
"""
    done = subprocess.run(  # noqa: S603  this interpreter
        [sys.executable, "-c", code, json.dumps(TEXTS)], capture_output=True, check=True, text=True
    )
    assert np.allclose(StaticVectors().embed(TEXTS), np.array(json.loads(done.stdout)), atol=1e-6)


def test_the_static_vectors_touch_neither_the_network_nor_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package would configure the root logger when it is imported, and look for files in the network."""
    monkeypatch.setattr(socket, "socket", _refused)
    handlers = list(logging.getLogger().handlers)
    StaticVectors().embed(["one", "\ud800 half", "x" * 200_000])
    assert logging.getLogger().handlers == handlers
    assert "wordllama" not in sys.modules


def _refused(*_: object) -> object:
    raise AssertionError("a socket was opened")


def test_the_static_vectors_cross_process_borders() -> None:
    """They are loaded again where they are needed."""
    again = pickle.loads(pickle.dumps(StaticVectors()))  # noqa: S301  of this test's own making
    assert np.array_equal(again.embed(TEXTS), StaticVectors().embed(TEXTS))


def model() -> StaticModel:
    """Make a model of model2vec with three words."""
    words = Tokenizer(models.WordLevel({"[UNK]": 0, "pump": 1, "cat": 2}, unk_token="[UNK]"))  # noqa: S106  no password
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    return StaticModel(np.eye(3, 4, dtype=np.float32), words, normalize=False)


def test_a_model_with_encode() -> None:
    """model2vec; sentence-transformers has the same method."""
    embedder = spanwise.embedder(model())
    assert embedder.name == "StaticModel.encode"
    assert embedder.embed(["pump", "cat cat"]).tolist() == [[0, 1, 0, 0], [0, 0, 1, 0]]


class Chain:
    """Of the form of LangChain's embeddings."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text))] for text in texts]


class Index:
    """Of the form of LlamaIndex's embeddings."""

    def get_text_embedding_batch(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text))] for text in texts]


class Generating:
    """Of the form of fastembed's models, which give one vector after another."""

    def embed(self, texts: list[str]) -> Iterator[np.ndarray]:
        yield from (np.array([len(text)], dtype=np.float16) for text in texts)


@pytest.mark.parametrize("source", [Chain(), Index(), Generating(), Chain().embed_documents])
def test_others_by_their_form(source: object) -> None:
    """By the method that they have, or the method itself."""
    assert spanwise.embedder(source).embed(["a", "bc"]).tolist() == [[1.0], [2.0]]


def test_an_embedder_is_given_back() -> None:
    """What has a name and embeds is one."""
    static = StaticVectors()
    assert spanwise.embedder(static) is static


class _Answers(BaseHTTPRequestHandler):
    """Answers as a service for embeddings does, the last vector first."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = [
            {"object": "embedding", "index": place, "embedding": [float(len(text)), 1.0]}
            for place, text in reversed(list(enumerate(asked["input"])))
        ]
        answer = {
            "object": "list",
            "model": asked["model"],
            "data": data,
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(name="service")
def _served() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_client_in_the_style_of_openai(service: str) -> None:
    """The vectors stand in the order of the texts, whatever the order of the answer."""
    with openai.OpenAI(api_key="none", base_url=service) as client:
        embedder = spanwise.embedder(client, model="text-embedding-3-small")
        assert embedder.name == "text-embedding-3-small"
        assert embedder.embed(["a", "bcd"]).tolist() == [[1.0, 1.0], [3.0, 1.0]]


def test_a_client_without_a_model_or_that_is_asynchronous_is_refused() -> None:
    """Each message says the repair."""
    client = openai.AsyncOpenAI(api_key="none", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(
        spanwise.ConfigurationError, match=r'a client needs the name of its model: embedder\(client, model="…"\)'
    ):
        spanwise.embedder(client)
    with pytest.raises(spanwise.EmbedderError, match="the client is asynchronous; give a synchronous one"):
        unit_vectors(spanwise.embedder(client, model="m"), ["a"], "handbook")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("wordlama", "unknown embedder 'wordlama', did you mean 'wordllama'? Known: wordllama"),
        (7, "7 cannot embed: give 'wordllama', a function"),
        (StaticVectors, "is a class; give an object of it"),
    ],
)
def test_what_is_no_embedder_is_refused(source: object, message: str) -> None:
    """Each message shows the value and the repair."""
    with pytest.raises(spanwise.ConfigurationError) as caught:
        spanwise.embedder(source)
    assert message in str(caught.value)


def test_a_model_is_for_clients() -> None:
    """Others have their own."""
    with pytest.raises(spanwise.ConfigurationError, match="model='m' is for a client with"):
        spanwise.embedder("wordllama", model="m")


class Panic(BaseException):
    """What a panic in Rust looks like."""


def _raises(texts: list[str]) -> list[list[float]]:
    raise Panic(f"no room for {len(texts)}")


async def _asynchronous(texts: list[str]) -> list[list[float]]:
    return [[1.0] for _ in texts]


class Stopped(BaseException):
    """What tells a program to stop, in frameworks of their own."""


def _stopped(_: list[str]) -> list[list[float]]:
    raise Stopped


def test_what_tells_the_program_to_stop_is_no_failure() -> None:
    """It goes through as it is."""
    with pytest.raises(Stopped):
        unit_vectors(spanwise.embedder(_stopped), ["one"], "handbook")


class Named:
    """An embedder as the protocol says, that gives one vector after another."""

    name = "named"

    def embed(self, texts: list[str]) -> Iterator[list[float]]:
        yield from ([float(len(text)), 0.0] for text in texts)


def test_an_embedder_may_give_one_vector_after_another() -> None:
    """With or without a name."""
    assert unit_vectors(spanwise.embedder(Named()), ["a", "bc"], "").tolist() == [[1.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (_raises, "the embedder '_raises' raised Panic: 'no room for 2' for 2 texts, the first 'one'"),
        (lambda _: [[1.0]], "gave an array of shape (1, 1) for 2 texts"),
        (lambda texts: [1.0 for _ in texts], "gave an array of shape (2,) for 2 texts"),
        (lambda texts: [[] for _ in texts], "gave an array of shape (2, 0) for 2 texts"),
        (lambda _: [[1.0], [float("nan")]], "a vector with a number that is not finite for the text 'two'"),
        (lambda _: [["a"], ["b"]], "raised ValueError"),
        (lambda _: None, "raised TypeError"),
        (lambda _: [[1j], [2j]], "vectors of complex numbers"),
        (_asynchronous, "the embedder is asynchronous; give a synchronous one"),
    ],
)
def test_one_that_fails_gives_one_error_with_the_document(function: object, message: str) -> None:
    """Whatever it does: the message shows the document, the embedder and what it did."""
    with pytest.raises(spanwise.EmbedderError) as caught:
        unit_vectors(spanwise.embedder(function), ["one", "two"], "handbook")
    assert "document 'handbook': " in str(caught.value)
    assert message in str(caught.value)
    assert caught.value.document_id == "handbook"
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  of this test's own making
    assert (str(again), again.document_id) == (str(caught.value), "handbook")
