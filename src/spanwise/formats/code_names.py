"""What is a definition called, and how does its first line go?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from spanwise.formats.code_languages import Language

__all__ = ["names_of", "signature_of"]

_LONGEST_NAME = 300
_LONGEST_SIGNATURE = 1_000  # characters: of a longer one the first line is taken
_IN_PARTS = frozenset(
    {
        "qualified_identifier",
        "nested_namespace_specifier",
        "scope_resolution",
        "qualified_name",
        "dot_index_expression",
        "method_index_expression",
        "member_expression",
    }
)
"""Names that say in which scope they are: `Store::put`, `M.put`, `Store.prototype.put`."""
_DECLARATORS = frozenset({"parenthesized_declarator", "reference_declarator"})
"""Those that hold another without a field for it."""
_PARTS = re.compile(r"::|[.:]")
_PLAIN = re.compile(r"[\w$.:#?~]+")
_ARGUMENTS = re.compile(r"<[^<>]*+>")
_NO_SCOPES = frozenset({"", "prototype", "module", "exports", "this", "self", "window", "globalThis"})
_NAMELIKE = frozenset({"type_identifier", "user_type", "scoped_type_identifier"})
_OPENING = " \t\r\n\f\v{(\\"
_DECORATOR = re.compile(r"[ \t]*(?:@|#\[|\[)[^\n]*\n")


def names_of(node: Node, kind: str, language: Language, source: bytes) -> tuple[str, ...]:
    """Give the names of a definition, the scopes first that its own name or its receiver tells; else none."""
    place = language.definitions.get(kind)
    if place is None or not _is_definition(node, kind, language):
        return ()
    if place[0] == "=":
        return (place[1:],)
    named = _named_node(node, place)
    if named is None:
        return ()
    name = _text(named, source)
    parts = _parts(name) if named.type in _IN_PARTS and len(name) <= _LONGEST_NAME else (name,)
    if kind in language.scopes:
        receiver = node.child_by_field_name(language.scopes[kind])
        scope = None if receiver is None else _first_type(receiver)
        parts = parts if scope is None else (_text(scope, source), *parts)
    return tuple(title for part in parts if (title := " ".join(part.split())[:_LONGEST_NAME].strip()))


def _is_definition(node: Node, kind: str, language: Language) -> bool:
    if kind in language.bodied:
        return node.child_by_field_name("body") is not None
    if kind in language.valued:
        value = node.child_by_field_name(language.valued[kind])
        return value is not None and value.type in language.values
    return True


def _named_node(node: Node, place: str) -> Node | None:
    """Find the name; a declarator of C has it at the end of a chain of declarators."""
    if place[0] == ">":
        kinds = place[1:].split("|")
        return next((child for child in node.named_children if child.type in kinds), None)
    named = node.child_by_field_name(place)
    while named is not None and place == "declarator":
        inner = named.child_by_field_name(place)
        if inner is None and named.type in _DECLARATORS:
            inner = named.named_child(0)
        if inner is None:
            break
        named = inner
    if named is not None and named.type in {"generic_type", "template_type"}:
        return named.child_by_field_name("type") or named.child_by_field_name("name") or named
    return named


def _first_type(receiver: Node) -> Node | None:
    """Find the name of the type of a receiver, among the few nodes that there are in one."""
    waiting, seen = [receiver], 0
    while waiting and seen < 32:
        node = waiting.pop()
        seen += 1
        if node.type in _NAMELIKE:
            return node
        waiting.extend(reversed(node.named_children[:8]))
    return None


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode(errors="replace")


def _parts(name: str) -> tuple[str, ...]:
    head, operator, tail = name.partition("operator")
    bare = _ARGUMENTS.sub("", head if operator else name)
    if not _PLAIN.fullmatch(bare.replace(" ", "")) and bare:
        return (name,)
    parts = [part for part in _PARTS.split(bare) if part not in _NO_SCOPES]
    if operator:
        parts.append(operator + tail)
    return tuple(parts) or (name,)


def signature_of(node: Node, start: int, language: Language, source: bytes) -> tuple[str, int]:
    """Give the first lines of a definition that begins at `start`, and where they end.

    They go up to the body, without comments, and without the decorators on lines before it.
    """
    stop = _stop_of(node, language, source)
    text = source[start : min(stop, start + 4 * _LONGEST_SIGNATURE)].decode(errors="ignore").rstrip(_OPENING)
    while (decorator := _DECORATOR.match(text)) is not None:
        text = text[decorator.end() :]
    if len(text) > _LONGEST_SIGNATURE:
        text = text.partition("\n")[0][:_LONGEST_NAME]
    return text.replace("\r\n", "\n"), stop


def _stop_of(node: Node, language: Language, source: bytes) -> int:
    """Give where the body begins or the comment before it; without a body, where the first line ends."""
    body = _body(node)
    if body is None:
        line_end = source.find(b"\n", node.start_byte, node.end_byte)
        return node.end_byte if line_end < 0 else line_end
    stop: int = body.start_byte
    inside = (child.start_byte for child in node.named_children if child.type in language.comments)
    return next((start for start in inside if node.start_byte < start < stop), stop)


def _body(node: Node) -> Node | None:
    body = node.child_by_field_name("body")
    if body is not None:
        return body
    for field in ("value", "right", "type"):
        value = node.child_by_field_name(field)
        body = None if value is None else value.child_by_field_name("body")
        if body is not None:
            return body
    last = node.named_child(node.named_child_count - 1) if node.named_child_count else None
    return last if last is not None and last.type.endswith(("body", "block")) else None
