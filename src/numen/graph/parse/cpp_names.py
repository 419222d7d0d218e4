"""The names in C++: of declarators, of types with what they wrap, of chains of accesses and calls."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.facts import MANY

COMMON = frozenset(
    "begin end cbegin cend rbegin rend size empty clear insert erase find count at front back push_back "
    "pop_back push_front pop_front emplace emplace_back emplace_front resize reserve capacity "
    "shrink_to_fit data swap assign append substr compare c_str length replace find_first_of "
    "find_last_of rfind starts_with ends_with get reset release use_count lock unlock try_lock wait "
    "notify_one notify_all join detach joinable load store exchange fetch_add fetch_sub "
    "compare_exchange_weak compare_exchange_strong value has_value value_or what str good fail eof open "
    "close is_open read write flush seekg tellg getline get_allocator first second push pop top "
    "key_comp max_size lower_bound upper_bound equal_range contains merge extract rehash bucket_count "
    "hash_function operator() operator[] operator== operator= operator!= operator< operator++ "
    "operator-- operator* operator-> operator bool ToString OnCall Times WillOnce WillRepeatedly Return "
    "With After RetiresOnSaturation SetUp TearDown".split()
)
"""Members of the standard library's types, and of the commonest test frameworks."""

_POINTERS = frozenset(
    "unique_ptr shared_ptr weak_ptr scoped_ptr scoped_refptr intrusive_ptr optional reference_wrapper atomic "
    "not_null observer_ptr auto_ptr".split()
)
_SEQUENCES = frozenset(
    "vector array deque list forward_list span set unordered_set multiset initializer_list queue stack "
    "priority_queue SmallVector".split()
)
_MAPS = frozenset(("map", "unordered_map", "multimap", "flat_hash_map", "flat_map"))
_CASTS = frozenset(("static_cast", "dynamic_cast", "reinterpret_cast", "const_cast", "down_cast"))
_MAKERS = frozenset(("make_unique", "make_shared", "make_ref_counted"))
_SAME = frozenset(("move", "forward", "ref", "cref", "as_const", "addressof"))
_OF_POINTER = frozenset(("reset", "release", "swap", "use_count", "has_value", "lock", "store", "load"))
_INSIDE = frozenset(("get", "value", "front", "back", "at"))
_DECLARATORS = frozenset(
    ("pointer_declarator", "reference_declarator", "array_declarator", "parenthesized_declarator",
     "init_declarator", "attributed_declarator")
)  # fmt: skip
_PLAIN = frozenset(
    ("identifier", "field_identifier", "type_identifier", "namespace_identifier", "operator_name",
     "destructor_name", "operator_cast")
)  # fmt: skip
ELEMENT = "[]"
"""Ends the name under which the elements of a container are held."""


def written(node: Node) -> str:
    """The words of a node, as they are in the text that was parsed."""
    return node.text.decode("utf-8", "replace") if node.text is not None else ""


def qualified(node: Node) -> list[str] | None:
    """The names of a qualified name, without template arguments; from the top it begins with an empty one."""
    if node.type in _PLAIN:
        return [" ".join(written(node).split())]
    if node.type == "qualified_identifier":
        scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
        before = qualified(scope) if scope is not None else [""]
        after = qualified(name) if name is not None else None
        return [*before, *after] if before is not None and after is not None else None
    if node.type in ("template_type", "template_function", "template_method", "dependent_name"):
        name = node.child_by_field_name("name") or (node.named_children[0] if node.named_children else None)
        return qualified(name) if name is not None else None
    return None


def last(node: Node) -> Node:
    """The last part of a qualified name."""
    while node.type == "qualified_identifier":
        inner = node.child_by_field_name("name")
        if inner is None:
            break
        node = inner
    return node


def declared(node: Node | None) -> tuple[Node | None, Node | None]:
    """The name that a declarator declares, and the function declarator on the way to it, if any."""
    function = None
    while node is not None and (node.type in _DECLARATORS or node.type == "function_declarator"):
        if node.type == "function_declarator":
            function = node
        inner = node.child_by_field_name("declarator")
        node = inner or next((c for c in node.named_children if c.type != "type_qualifier"), None)
    return node, function


def type_name(node: Node) -> str | None:
    """The class that a type names, as a dotted name: of a smart pointer its target. None for others."""
    kind = node.type
    if kind == "type_descriptor":
        inner = node.child_by_field_name("type")
        return type_name(inner) if inner is not None else None
    if kind == "type_identifier":
        return written(node)
    if kind == "qualified_identifier":
        name = node.child_by_field_name("name")
        scope = node.child_by_field_name("scope")
        if scope is not None and written(scope) in ("std", "boost", "absl") and name is not None:
            return type_name(name) if name.type == "template_type" else None
        if name is not None and name.type == "template_type" and (wrapped := _wrapped(name, _POINTERS)):
            return wrapped
        names = qualified(node)
        return ".".join(part for part in names if part) if names is not None else None
    if kind == "template_type":
        name = node.child_by_field_name("name")
        wrapped = _wrapped(node, _POINTERS)
        if wrapped is not None or name is None:
            return wrapped
        return written(name) if written(name) not in _SEQUENCES | _MAPS | _POINTERS else None
    if kind in ("struct_specifier", "class_specifier", "enum_specifier", "dependent_type"):
        name = node.child_by_field_name("name") or (node.named_children[0] if node.named_children else None)
        return type_name(name) if name is not None else None
    return None


def element_name(node: Node) -> str | None:
    """The class of what a container holds, or of what a pointer to it points to; None for others."""
    inner = node
    while inner.type in ("qualified_identifier", "type_descriptor"):
        below = inner.child_by_field_name("name" if inner.type == "qualified_identifier" else "type")
        if below is None:
            return None
        inner = below
    if inner.type == "template_type":
        return _wrapped(inner, _SEQUENCES) or _wrapped(inner, _MAPS, -1)
    return None


def _wrapped(node: Node, wrappers: frozenset[str], which: int = 0) -> str | None:
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    if name is None or arguments is None or written(name) not in wrappers:
        return None
    rows = [child for child in arguments.named_children if child.type == "type_descriptor"]
    if which < 0 and len(rows) < 2:
        return None
    return type_name(rows[1 if which < 0 else 0]) if rows else None


def chain(node: Node) -> list[str] | None:
    """The names of an expression of accesses and calls; None where something else is in it."""
    kind = node.type
    if kind == "this":
        return ["this"]
    if kind in _PLAIN or kind in ("qualified_identifier", "template_function", "template_method"):
        names = qualified(node)
        return names if names is not None and names[0] not in ("std", "") else None
    if kind == "field_expression":
        return _field(node)
    if kind == "call_expression":
        return _call(node)
    if kind == "subscript_expression":
        inner = node.child_by_field_name("argument")
        names = chain(inner) if inner is not None else None
        return [*names[:-1], f"{names[-1]}{ELEMENT}"] if names is not None else None
    if kind in ("pointer_expression", "parenthesized_expression"):
        inner = node.child_by_field_name("argument") or (
            node.named_children[0] if node.named_children else None
        )
        return chain(inner) if inner is not None else None
    if kind in ("new_expression", "compound_literal_expression", "cast_expression"):
        inner = node.child_by_field_name("type")
        name = type_name(inner) if inner is not None else None
        return name.split(".") if name is not None else None
    return None


def _field(node: Node) -> list[str] | None:
    holder, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
    before = chain(holder) if holder is not None else None
    after = qualified(field) if field is not None else None
    if before is None or after is None or len(after) != 1:
        return None
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type == "." and after[0] in _OF_POINTER:
        return None  # it is asked of the pointer, whose type is known as that of what it points to
    return [*before, *after]


def _call(node: Node) -> list[str] | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None:
        return None
    named = last(function)
    if named.type == "template_function":
        name, rows = named.child_by_field_name("name"), named.child_by_field_name("arguments")
        if name is not None and rows is not None and written(name) in _CASTS | _MAKERS:
            said = type_name(rows.named_children[0]) if rows.named_children else None
            return said.split(".") if said is not None else None
    word = qualified(named)
    if word is not None and word[-1] in _SAME and arguments is not None and arguments.named_child_count == 1:
        return chain(arguments.named_children[0])
    if function.type == "field_expression":
        field = function.child_by_field_name("field")
        holder = function.child_by_field_name("argument")
        if (
            field is not None
            and holder is not None
            and written(field) in ("get", "front", "back", "at", "value")
        ):
            inner = chain(holder)
            if inner is None or written(field) in ("get", "value"):
                return inner
            return [*inner[:-1], f"{inner[-1]}{ELEMENT}"]
    return chain(function)


def takes(function: Node) -> tuple[int, int]:
    """How many arguments a function takes."""
    parameters = function.child_by_field_name("parameters")
    if parameters is None:
        return -1, -1
    least = most = 0
    for child in parameters.named_children:
        if child.type == "parameter_declaration":
            inner = child.child_by_field_name("type")
            if (
                inner is None
                or written(inner) != "void"
                or child.child_by_field_name("declarator") is not None
            ):
                least, most = least + 1, most + 1
        elif child.type == "optional_parameter_declaration":
            most += 1
        elif child.type == "variadic_parameter_declaration":
            most = MANY
    if "..." in [child.type for child in parameters.children] or parameters.has_error:
        most = MANY
    return (least, min(most, MANY)) if not parameters.has_error else (-1, -1)


def given(node: Node) -> int:
    """How many arguments a call passes, -1 if that is not known."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or arguments.has_error:
        return -1
    rows = [child for child in arguments.named_children if child.type != "comment"]
    return -1 if any(child.type == "parameter_pack_expansion" for child in rows) else len(rows)
