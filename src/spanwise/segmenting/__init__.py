"""Where may a text be cut? One file for each kind of cut.

segmenter.py    what a segmenter is, and the segments between its cuts
graphemes.py    never inside a user-perceived character
words.py        between words, and after white space
lines.py        after every line end
hard_lines.py   after line ends that do not just wrap prose
blocks.py       where no sentence goes on: paragraphs, list items, table rows
sentences.py    after sentences
paragraphs.py   at blank lines
delimiters.py   after a literal string
headings.py     before Markdown headings
"""
