"""The names in PHP: of classes as they are written, of types in code and in doc comments, of chains."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

THIS = "$this"
"""The object of the class around; `self` and `static` are taken for it too."""

COMMON = frozenset(
    "__construct __get __set __call __callStatic __toString __invoke __isset __unset __clone __destruct "
    "getMessage getCode getPrevious getFile getLine getTrace getTraceAsString count current key next rewind "
    "valid offsetGet offsetSet offsetExists offsetUnset getIterator getArrayCopy jsonSerialize format modify "
    "getTimestamp setTimezone diff add sub query prepare execute fetch fetchAll fetchColumn bindValue "
    "bindParam rowCount lastInsertId beginTransaction commit rollBack quote exec close open read write seek "
    "tell eof isReadable isWritable isSeekable getContents getSize getBody withBody getHeader getHeaders "
    "getHeaderLine hasHeader withHeader withAddedHeader withoutHeader getStatusCode withStatus "
    "getReasonPhrase getMethod withMethod getUri withUri getHost getPath getQuery getScheme getPort "
    "getRequestTarget getProtocolVersion getParsedBody getQueryParams getAttribute withAttribute handle "
    "process get set has all first last map filter each push pop shift merge keys values toArray toJson "
    "isEmpty contains find save update delete create log info warning error debug notice critical alert "
    "emergency dispatch listen assertSame assertEquals assertTrue assertFalse assertNull assertCount "
    "assertInstanceOf expectException createMock getMockBuilder method willReturn expects with setUp "
    "tearDown run name then otherwise wait resolve reject getState bind call invoke newInstance".split()
)
"""Methods of built-in classes, of the PSR interfaces, of collections, of promises and of test cases."""

_PRIMITIVE = frozenset(
    "int integer float double string bool boolean array callable iterable object mixed void null never false "
    "true resource numeric scalar".split()
)
_SELF = frozenset(("self", "static", "$this"))
_HOLDERS = {
    "member_access_expression": "object",
    "nullsafe_member_access_expression": "object",
    "member_call_expression": "object",
    "nullsafe_member_call_expression": "object",
    "scoped_call_expression": "scope",
    "scoped_property_access_expression": "scope",
}
_INNER = frozenset(("parenthesized_expression", "clone_expression"))
_SAID = r"@%s\s+(\??\\?[\w\\]+(?:\s*\|\s*\\?[\w\\]+)*)(?![\w<\[{&|])"
SAID_VAR = re.compile(_SAID % "var")
SAID_RETURN = re.compile(_SAID % "return")
SAID_PARAMETER = re.compile(_SAID % "param" + r"\s+(?:&|\.\.\.)?(\$\w+)")


def written(node: Node) -> str:
    """The words of a node."""
    return node.text.decode("utf-8", "replace") if node.text is not None else ""


def said_type(text: str) -> str | None:
    """The one class among the types of a doc comment (`Foo|null`), as it is written; None for others."""
    found = [one.strip().lstrip("?") for one in text.split("|")]
    classes = [one for one in found if one.lower() not in _PRIMITIVE]
    if len(classes) != 1:
        return None
    return THIS if classes[0] in _SELF else classes[0]


def type_of(node: Node) -> str | None:
    """The one class that a type names, as it is written; None for others."""
    if node.type in ("named_type", "optional_type") and node.named_children:
        return type_of(node.named_children[0])
    if node.type in ("name", "qualified_name", "relative_name", "namespace_name"):
        return said_type(written(node))
    if node.type in ("union_type", "type_list"):
        found = [type_of(child) for child in node.named_children if child.type != "primitive_type"]
        return found[0] if len(found) == 1 else None
    return None


def chain(node: Node, named: Callable[[str], str]) -> list[str] | None:
    """The names of an expression of accesses and calls; None where something else is in it.

    `named` gives the name under which a class or function is bound in the file.
    """
    kind = node.type
    if kind == "variable_name":
        return [written(node)]
    if kind in ("name", "qualified_name"):
        said = written(node)
        return [THIS if said in _SELF else named(said)]
    if kind == "relative_scope":
        return [THIS] if written(node) != "parent" else None
    if kind in _HOLDERS:
        holder, name = node.child_by_field_name(_HOLDERS[kind]), node.child_by_field_name("name")
        before = chain(holder, named) if holder is not None else None
        if before is None or name is None or name.type not in ("name", "variable_name"):
            return None
        if name.type == "variable_name" and kind != "scoped_property_access_expression":
            return None
        return [*before, written(name).lstrip("$")]
    if kind == "function_call_expression":
        function = node.child_by_field_name("function")
        is_named = function is not None and function.type in ("name", "qualified_name")
        return chain(function, named) if function is not None and is_named else None
    if kind in _INNER and node.named_child_count == 1:
        return chain(node.named_children[0], named)
    if kind == "object_creation_expression":
        made = node.named_children[0]
        return chain(made, named) if made.type in ("name", "qualified_name") else None
    if kind == "assignment_expression":
        right = node.child_by_field_name("right")
        return chain(right, named) if right is not None else None
    return None
