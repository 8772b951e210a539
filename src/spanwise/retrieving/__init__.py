"""How are chunks found and read again?

levels.py     the same document chunked at nested sizes
fusing.py     scores of larger chunks and of neighbours weighed in
excerpts.py   retrieved chunks joined to what is read
widening.py   the sentences around a retrieved chunk
one_text.py   whether chunks with one document id are of one text
given.py      whether what a caller gives is what is needed
late.py       which tokens of the whole document are a chunk's, for models that read it whole
"""
