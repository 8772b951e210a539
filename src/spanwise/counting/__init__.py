"""How large is a text?

A counter answers for a text alone; a measure is a counter bound to one text, asked about its spans.

    counter.py          what a counter is, and what a counter with a map is
    naming.py           from a name, a path, a tokenizer object or a function to a counter
    bytepair.py         byte-pair vocabularies: cl100k_base, o200k_base, BPE files (exact and fast)
    tokenizer_file.py   a tokenizer.json: which counter reads it
    huggingface.py      tokenizers.Tokenizer: WordPiece, Unigram and the rest
    tiktoken.py         a tiktoken Encoding that the caller made
    callables.py        any function from text to a number
    provider.py         an object that counts or tokenizes
    lengths.py          characters, words, bytes
    token_map.py        from token lengths in bytes to token ends in code points
    answers.py          is what was answered a count?
    seams.py            where a tokenizer.json parts any text into words
    measure.py          a counter bound to one text
"""

from __future__ import annotations

from .counter import Counter, MappingCounter
from .measure import Measure, measure_of
from .naming import counter
from .provider import tokens_via

__all__ = ["Counter", "MappingCounter", "Measure", "counter", "measure_of", "tokens_via"]
