"""What does each HTML element do to the text in it?"""

from __future__ import annotations

from typing import Final

__all__ = [
    "BLOCK",
    "BREAKOUT",
    "CELL",
    "CONCEALED",
    "ELEMENTS",
    "FENCE",
    "FOREIGN",
    "HEADING",
    "HEAD_CONTENT",
    "INLINE_UNIT",
    "INTEGRATION",
    "LIST",
    "PARAGRAPH",
    "PICTURE",
    "PRESERVED",
    "ROLES",
    "SECTION",
    "STACKED",
    "TABLE",
    "UNIT",
    "UNSEEN_FOREIGN",
    "WEAK",
]

BLOCK: Final = 1 << 0
"""Opens a line of its own."""
PARAGRAPH: Final = 1 << 1
"""Stands apart from the text around it by a blank line."""
STACKED: Final = 1 << 2
"""Stays open until it is closed, so that others can lie in it."""
UNIT: Final = 1 << 3
"""Stays whole."""
SECTION: Final = 1 << 4
"""Closes the sections whose headings stand in it."""
WEAK: Final = 1 << 5
"""What lies in it is not at the outermost level."""
FENCE: Final = 1 << 6
"""An end tag in it closes nothing outside (WHATWG 13.2.4.2, scopes)."""
LIST: Final = 1 << 7
"""Holds items: an item in it does not end the item around it."""
TABLE: Final = 1 << 8
"""Holds rows and cells: those in it do not end those around it."""
CELL: Final = 1 << 9
"""Is set apart from the cell before by a tab."""
HEADING: Final = 1 << 10
INLINE_UNIT: Final = 1 << 11
"""Is short by nature and stays whole."""
PICTURE: Final = 1 << 12
"""Something a reader sees, though it is no text."""
PRESERVED: Final = 1 << 13
"""Shows its white space as it is written."""
CONCEALED: Final = 1 << 14
"""Shows nothing of what it holds."""
FOREIGN: Final = 1 << 15
"""What it holds is not HTML."""

_GROUPED: Final = BLOCK | STACKED
_LISTS: Final = _GROUPED | PARAGRAPH | WEAK | LIST
_ITEM: Final = _GROUPED | UNIT | SECTION
_ROWS: Final = _GROUPED
_CELLED: Final = STACKED | CELL | FENCE | LIST | SECTION

_ROWS_OF_ELEMENTS: Final = (
    ("html body header hgroup address center legend summary figcaption optgroup option", BLOCK),
    ("p", BLOCK | PARAGRAPH),
    ("hr", BLOCK | PARAGRAPH),
    ("div form fieldset search", _GROUPED),
    ("section article aside nav main footer dialog details", _GROUPED | PARAGRAPH | SECTION),
    ("blockquote", _GROUPED | PARAGRAPH | SECTION | WEAK),
    ("figure", _GROUPED | PARAGRAPH | WEAK | UNIT),
    ("h1 h2 h3 h4 h5 h6", BLOCK | PARAGRAPH | HEADING),
    ("ul ol menu dir dl", _LISTS),
    ("li dt dd", _ITEM),
    ("pre listing", _GROUPED | PARAGRAPH | WEAK | UNIT | PRESERVED),
    ("table", _GROUPED | PARAGRAPH | WEAK | UNIT | TABLE | FENCE | LIST),
    ("caption", _GROUPED | FENCE),
    ("thead tbody tfoot", _ROWS),
    ("tr", _ROWS | UNIT),
    ("td th", _CELLED),
    ("head", _GROUPED | UNIT | CONCEALED | WEAK),
    ("template", STACKED | TABLE | FENCE | LIST | CONCEALED | WEAK),
    ("datalist", STACKED | CONCEALED),
    ("select", STACKED | UNIT | PICTURE),
    ("svg math", STACKED | UNIT | PICTURE | FOREIGN),
    ("img video audio embed object canvas input meter progress", PICTURE),
    ("script style title", _GROUPED | UNIT | CONCEALED | WEAK),
    ("iframe", STACKED | UNIT | CONCEALED | PICTURE),
    ("noembed noframes", STACKED | UNIT | CONCEALED),
    ("textarea", STACKED | UNIT | PRESERVED | PICTURE),
    ("xmp plaintext", _GROUPED | PARAGRAPH | WEAK | UNIT | PRESERVED),
    ("a abbr b button cite code em i kbd label q samp strong sub sup time var", INLINE_UNIT),
)

ELEMENTS: Final = {name: traits for names, traits in _ROWS_OF_ELEMENTS for name in names.split()}
"""What is known of each element, by name; what is not here is text in a line."""

HEAD_CONTENT: Final = frozenset(
    [
        "base",
        "basefont",
        "bgsound",
        "link",
        "meta",
        "title",
        "noscript",
        "noframes",
        "style",
        "script",
        "template",
        "head",
        "html",
    ]
)
"""What may stand in `<head>`; anything else ends it (WHATWG 13.2.6.4.4)."""

UNSEEN_FOREIGN: Final = frozenset(
    ["title", "desc", "metadata", "style", "script", "defs", "annotation", "annotation-xml"]
)
"""What nobody sees of a picture or a formula."""

INTEGRATION: Final = frozenset(["foreignobject", "desc", "title", "annotation-xml", "mi", "mo", "mn", "ms", "mtext"])
"""Where HTML goes on inside a picture or a formula (WHATWG 13.2.6)."""

BREAKOUT: Final = frozenset(
    [
        "b",
        "big",
        "blockquote",
        "body",
        "br",
        "center",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "embed",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "hr",
        "i",
        "img",
        "li",
        "listing",
        "menu",
        "meta",
        "nobr",
        "ol",
        "p",
        "pre",
        "ruby",
        "s",
        "small",
        "span",
        "strong",
        "strike",
        "sub",
        "sup",
        "table",
        "tt",
        "u",
        "ul",
        "var",
    ]
)
"""What ends a picture or a formula that was not closed (WHATWG 13.2.6.5)."""

ROLES: Final = {
    **dict.fromkeys(
        [
            "alertdialog",
            "application",
            "article",
            "complementary",
            "contentinfo",
            "dialog",
            "document",
            "form",
            "main",
            "navigation",
            "note",
            "region",
            "search",
            "tabpanel",
        ],
        SECTION,
    ),
    "heading": HEADING,
}
"""What a role makes of an element that has one."""
