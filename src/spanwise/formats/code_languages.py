"""Which programming languages are known, and what do their syntax trees call things?

One row for each language: adding one is adding a row, its wheel to the extra `code`, and a file to `tests/data/code`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spanwise.structure import LOOK_AHEAD

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LANGUAGES", "Language", "language_names", "language_of", "language_of_media_type"]

_NO_FIELDS: Mapping[str, str] = {}


class Language(NamedTuple):
    """One language: how it is called, where its grammar is, and which nodes of its trees mean what."""

    name: str
    module: str
    suffixes: tuple[str, ...]
    """Suffixes of files, which are names of the language too."""
    definitions: Mapping[str, str]
    """Kinds of nodes that have a name, and where it is: in a field, `>` in the first child of some kinds, `=` as is."""
    comments: frozenset[str] = frozenset({"comment"})
    """Kinds that belong to what follows: comments, and decorators or attributes that stand before a definition."""
    wrappers: frozenset[str] = frozenset()
    """Kinds that stand around a definition and begin with it: exports, decorated definitions, templates."""
    imports: frozenset[str] = frozenset()
    valued: Mapping[str, str] = _NO_FIELDS
    """Definitions that are such only where this field holds one of `values`."""
    values: frozenset[str] = frozenset()
    bodied: frozenset[str] = frozenset()
    """Definitions that are such only with a body."""
    scopes: Mapping[str, str] = _NO_FIELDS
    """Definitions that stand outside the type they belong to, and the field that names it."""
    keywords: tuple[bytes, ...] = ()
    """Words without which nothing is defined, so that short statements without them need not be looked into."""
    aliases: tuple[str, ...] = ()
    grammar: str = "language"
    """The function of the module that gives the grammar."""
    longest_line: int = 1 << 30
    """Bytes; the grammars of some languages take forever on longer ones."""


def _kinds(kinds: str) -> frozenset[str]:
    return frozenset(kinds.split())


def _named(kinds: str, **others: str) -> dict[str, str]:
    """Give the kinds whose field `name` holds the name, and others."""
    return dict.fromkeys(kinds.split(), "name") | others


_FUNCTIONS = _kinds("arrow_function function_expression generator_function class")
_JAVASCRIPT = _named(
    "function_declaration generator_function_declaration class_declaration class method_definition variable_declarator",
    assignment_expression="left",
    pair="key",
    field_definition="property",
)
_TYPESCRIPT = _named(
    "abstract_class_declaration interface_declaration enum_declaration type_alias_declaration internal_module module "
    "function_signature abstract_method_signature public_field_definition"
)
_JAVASCRIPT_WRAPPERS = _kinds(
    "export_statement lexical_declaration variable_declaration expression_statement ambient_declaration"
)
_JAVASCRIPT_COMMENTS = _kinds("comment html_comment decorator")
_JAVASCRIPT_VALUES = {"variable_declarator": "value", "assignment_expression": "right", "pair": "value"}
_C = _named(
    "struct_specifier union_specifier enum_specifier preproc_function_def",
    function_definition="declarator",
    type_definition="declarator",
)
_C_BODIED = _kinds("struct_specifier union_specifier enum_specifier class_specifier")
_KEYS = ">bare_key|dotted_key|quoted_key"
_C_VALUED = {"type_definition": "type"}

LANGUAGES = (
    Language(
        "python",
        "tree_sitter_python",
        ("py", "pyi", "pyw"),
        _named("function_definition class_definition"),
        comments=_kinds("comment decorator"),
        wrappers=_kinds("decorated_definition"),
        imports=_kinds("import_statement import_from_statement future_import_statement"),
        keywords=(b"def", b"class"),
        aliases=("python3", "sage"),
    ),
    Language(
        "javascript",
        "tree_sitter_javascript",
        ("js", "jsx", "mjs", "cjs"),
        _JAVASCRIPT,
        comments=_JAVASCRIPT_COMMENTS,
        wrappers=_JAVASCRIPT_WRAPPERS,
        imports=_kinds("import_statement"),
        valued=_JAVASCRIPT_VALUES | {"field_definition": "value"},
        values=_FUNCTIONS,
        aliases=("node", "ecmascript"),
    ),
    Language(
        "typescript",
        "tree_sitter_typescript",
        ("ts", "mts", "cts"),
        _JAVASCRIPT | _TYPESCRIPT,
        comments=_JAVASCRIPT_COMMENTS,
        wrappers=_JAVASCRIPT_WRAPPERS,
        imports=_kinds("import_statement import_alias"),
        valued=_JAVASCRIPT_VALUES | {"public_field_definition": "value"},
        values=_FUNCTIONS,
        grammar="language_typescript",
    ),
    Language(
        "tsx",
        "tree_sitter_typescript",
        ("tsx",),
        _JAVASCRIPT | _TYPESCRIPT,
        comments=_JAVASCRIPT_COMMENTS,
        wrappers=_JAVASCRIPT_WRAPPERS,
        imports=_kinds("import_statement import_alias"),
        valued=_JAVASCRIPT_VALUES | {"public_field_definition": "value"},
        values=_FUNCTIONS,
        grammar="language_tsx",
    ),
    Language(
        "go",
        "tree_sitter_go",
        ("go",),
        _named("function_declaration method_declaration type_spec type_alias"),
        wrappers=_kinds("type_declaration"),
        imports=_kinds("import_declaration"),
        scopes={"method_declaration": "receiver"},
        aliases=("golang",),
    ),
    Language(
        "rust",
        "tree_sitter_rust",
        ("rs",),
        _named(
            "function_item function_signature_item struct_item enum_item union_item trait_item mod_item "
            "macro_definition",
            impl_item="type",
        ),
        comments=_kinds("line_comment block_comment attribute_item inner_attribute_item"),
        imports=_kinds("use_declaration extern_crate_declaration"),
    ),
    Language(
        "java",
        "tree_sitter_java",
        ("java",),
        _named(
            "class_declaration interface_declaration enum_declaration record_declaration method_declaration "
            "annotation_type_declaration constructor_declaration compact_constructor_declaration"
        ),
        comments=_kinds("line_comment block_comment"),
        imports=_kinds("import_declaration"),
    ),
    Language(
        "kotlin",
        "tree_sitter_kotlin",
        ("kt", "kts"),
        _named(
            "class_declaration object_declaration function_declaration type_alias",
            companion_object="=Companion",
            secondary_constructor="=constructor",
        ),
        comments=_kinds("line_comment block_comment multiline_comment comment"),
        imports=_kinds("import import_header import_list"),
    ),
    Language(
        "c",
        "tree_sitter_c",
        ("c", "h"),
        _C,
        imports=_kinds("preproc_include"),
        bodied=_C_BODIED,
        valued=_C_VALUED,
        values=_kinds("struct_specifier union_specifier enum_specifier"),
    ),
    Language(
        "cpp",
        "tree_sitter_cpp",
        ("cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "cu", "cuh"),
        _C | _named("class_specifier namespace_definition concept_definition alias_declaration"),
        wrappers=_kinds("template_declaration"),
        imports=_kinds("preproc_include using_declaration"),
        bodied=_C_BODIED,
        valued=_C_VALUED,
        values=_kinds("struct_specifier union_specifier enum_specifier class_specifier"),
    ),
    Language(
        "csharp",
        "tree_sitter_c_sharp",
        ("cs", "csx"),
        _named(
            "namespace_declaration class_declaration struct_declaration interface_declaration enum_declaration "
            "record_declaration method_declaration constructor_declaration destructor_declaration property_declaration "
            "delegate_declaration local_function_statement",
            operator_declaration="operator",
            indexer_declaration="=this[]",
        ),
        imports=_kinds("using_directive"),
        aliases=("c#", "c_sharp"),
    ),
    Language(
        "ruby",
        "tree_sitter_ruby",
        ("rb", "rake", "gemspec"),
        _named("method singleton_method class module"),
    ),
    Language(
        "php",
        "tree_sitter_php",
        ("php", "phtml"),
        _named(
            "function_definition class_declaration interface_declaration trait_declaration enum_declaration "
            "method_declaration namespace_definition"
        ),
        imports=_kinds("namespace_use_declaration"),
        bodied=_kinds("namespace_definition"),
        grammar="language_php",
    ),
    Language(
        "swift",
        "tree_sitter_swift",
        ("swift",),
        _named(
            "function_declaration class_declaration protocol_declaration protocol_function_declaration",
            init_declaration="=init",
            deinit_declaration="=deinit",
            subscript_declaration="=subscript",
        ),
        comments=_kinds("comment multiline_comment"),
        imports=_kinds("import_declaration"),
        longest_line=10_000,
    ),
    Language(
        "scala",
        "tree_sitter_scala",
        ("scala", "sc"),
        _named(
            "class_definition object_definition trait_definition enum_definition function_definition "
            "function_declaration package_object given_definition"
        ),
        comments=_kinds("comment block_comment"),
        imports=_kinds("import_declaration"),
        longest_line=10_000,
    ),
    Language(
        "bash",
        "tree_sitter_bash",
        ("sh", "bash", "zsh", "ksh"),
        _named("function_definition"),
        aliases=("shell", "shellscript"),
    ),
    Language(
        "sql",
        "tree_sitter_sql",
        ("sql",),
        dict.fromkeys(
            (f"create_{thing}" for thing in ("table", "view", "materialized_view", "function", "procedure", "type")),
            ">object_reference",
        ),
        comments=_kinds("comment marginalia"),
        wrappers=_kinds("statement"),
        aliases=("postgresql", "mysql", "sqlite"),
    ),
    Language(
        "css",
        "tree_sitter_css",
        ("css",),
        {"rule_set": ">selectors", "keyframes_statement": ">keyframes_name"},
        imports=_kinds("import_statement"),
    ),
    Language(
        "toml",
        "tree_sitter_toml",
        ("toml",),
        {"table": _KEYS, "table_array_element": _KEYS},
    ),
    Language(
        "lua",
        "tree_sitter_lua",
        ("lua",),
        _named("function_declaration"),
    ),
)

_BY_NAME = {name: language for language in LANGUAGES for name in (language.name, *language.aliases, *language.suffixes)}
_CPP = _BY_NAME["cpp"]
_LOOKS_LIKE_CPP = re.compile(
    r"^[ \t]*+(?:namespace\b|template[ \t]*+<|class[ \t]++\w|using[ \t]++\w|(?:public|private|protected)[ \t]*+:)"
    r"|\bstd::",
    re.MULTILINE,
)


def language_names() -> list[str]:
    """List the languages that are known."""
    return [language.name for language in LANGUAGES]


def language_of(name: str) -> Language | None:
    """Find a language by its name, another name of it, or the suffix of its files."""
    return _BY_NAME.get(name.strip().lower().lstrip("."))


def language_of_media_type(media_type: str, prefix: str) -> tuple[str, Language | None]:
    """Give the name that a media type has for a language, and the language if it is known; `prefix` begins the text.

    >>> language_of_media_type("text/x-py", "")[1].name, language_of_media_type("text/x-cobol", "")
    ('python', ('cobol', None))
    """
    kind = media_type.partition(";")[0].strip().lower()
    name = kind.partition("/")[2].removeprefix("x-").removesuffix("-source").removesuffix("src")
    language = language_of(name)
    if name == "h" and _LOOKS_LIKE_CPP.search(prefix, 0, LOOK_AHEAD):
        language = _CPP  # headers of both languages have the same suffix
    return name, language
