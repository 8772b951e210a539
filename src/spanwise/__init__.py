"""Exact, budgeted, structure-aware chunks of documents for retrieval.

    import spanwise
    chunks = spanwise.chunk(text)                         # structural, 512 tokens of cl100k_base

Every chunk is an exact span of its document, never over its budget by the real tokenizer, knows its section, and
keeps its id while its text is unchanged.
"""

from __future__ import annotations

from spanwise import arrow as arrow
from spanwise.chunks import Chunk as Chunk
from spanwise.chunks import chunk_id as chunk_id
from spanwise.chunks import reconstruct as reconstruct
from spanwise.counting import Counter as Counter
from spanwise.counting import counter as counter
from spanwise.counting import tokens_via as tokens_via
from spanwise.documents import Document as Document
from spanwise.embedding import Embedder as Embedder
from spanwise.embedding import embedder as embedder
from spanwise.errors import BudgetError as BudgetError
from spanwise.errors import CeilingWarning as CeilingWarning
from spanwise.errors import ChunkingError as ChunkingError
from spanwise.errors import CodeWarning as CodeWarning
from spanwise.errors import ConfigurationError as ConfigurationError
from spanwise.errors import CounterError as CounterError
from spanwise.errors import DocumentError as DocumentError
from spanwise.errors import EmbedderError as EmbedderError
from spanwise.errors import MissingExtraError as MissingExtraError
from spanwise.errors import SpanError as SpanError
from spanwise.errors import SpanwiseError as SpanwiseError
from spanwise.errors import UnknownStrategyError as UnknownStrategyError
from spanwise.errors import WorkerError as WorkerError
from spanwise.loading.load import load as load
from spanwise.packing.budget import Overflow as Overflow
from spanwise.rechunk import Difference as Difference
from spanwise.rechunk import Rechunked as Rechunked
from spanwise.rechunk import diff as diff
from spanwise.rechunk import rechunk as rechunk
from spanwise.retrieving.excerpts import Excerpt as Excerpt
from spanwise.retrieving.excerpts import merge_runs as merge_runs
from spanwise.retrieving.fusing import fuse_levels as fuse_levels
from spanwise.retrieving.fusing import fuse_neighbours as fuse_neighbours
from spanwise.retrieving.late import join_windows as join_windows
from spanwise.retrieving.late import late_pool as late_pool
from spanwise.retrieving.late import token_spans as token_spans
from spanwise.retrieving.late import token_windows as token_windows
from spanwise.retrieving.levels import chunk_levels as chunk_levels
from spanwise.retrieving.widening import widen as widen
from spanwise.sections import Heading as Heading
from spanwise.settings.registry import ChunkerRegistry as ChunkerRegistry
from spanwise.strategies.characters import Characters as Characters
from spanwise.strategies.chunker import Chunker as Chunker
from spanwise.strategies.chunker import chunk as chunk
from spanwise.strategies.code import Code as Code
from spanwise.strategies.delimiter import Delimiter as Delimiter
from spanwise.strategies.docling import Docling as Docling
from spanwise.strategies.hybrid import Hybrid as Hybrid
from spanwise.strategies.lines import Lines as Lines
from spanwise.strategies.paragraphs import Paragraphs as Paragraphs
from spanwise.strategies.recursive import Recursive as Recursive
from spanwise.strategies.registry import register as register
from spanwise.strategies.registry import strategies as strategies
from spanwise.strategies.sections import Sections as Sections
from spanwise.strategies.semantic import Semantic as Semantic
from spanwise.strategies.sentence_window import SentenceWindow as SentenceWindow
from spanwise.strategies.sentences import Sentences as Sentences
from spanwise.strategies.spec import ChunkingSpec as ChunkingSpec
from spanwise.strategies.strategy import Plan as Plan
from spanwise.strategies.strategy import Strategy as Strategy
from spanwise.strategies.structural import Structural as Structural
from spanwise.strategies.tokens import Tokens as Tokens
from spanwise.strategies.words import Words as Words
from spanwise.structure import Structure as Structure
from spanwise.verify import Violation as Violation
from spanwise.verify import verify as verify

__version__ = "0.1.0"
