"""The names in C#: of types, of chains of accesses and calls, and what is counted in lists of parameters."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.facts import MANY
from numen.graph.parse.reading import Reading

COMMON = frozenset(
    "ToString Equals GetHashCode GetType MemberwiseClone Finalize Add AddRange Remove RemoveAt RemoveAll "
    "Clear Contains ContainsKey TryGetValue TryAdd Insert IndexOf Count Length Select Where First "
    "FirstOrDefault Single SingleOrDefault Last LastOrDefault Any All OrderBy OrderByDescending ThenBy "
    "GroupBy Distinct Skip Take ToList ToArray ToDictionary Concat Union Except Intersect Aggregate Sum Min "
    "Max Average Zip Cast OfType Reverse Append Prepend Dispose DisposeAsync Close Open Read ReadAsync Write "
    "WriteAsync WriteLine Flush FlushAsync Seek Invoke BeginInvoke EndInvoke GetEnumerator MoveNext Reset "
    "CompareTo CompareExchange Exchange Increment Decrement Wait WaitAsync WaitOne Release Set ContinueWith "
    "ConfigureAwait GetAwaiter GetResult Start Stop Join Run Delay WhenAll WhenAny Cancel Register Split "
    "Replace Trim TrimStart TrimEnd StartsWith EndsWith Substring ToUpper ToLower ToUpperInvariant "
    "ToLowerInvariant Format Parse TryParse Peek Push Pop Enqueue Dequeue TryDequeue CopyTo Clone "
    "AppendLine AppendFormat GetValue SetValue GetMethod GetMethods GetProperty GetProperties GetField "
    "GetFields GetCustomAttribute GetCustomAttributes CreateInstance IsAssignableFrom Execute ExecuteAsync "
    "ShouldBe ShouldNotBe ShouldThrow Should Throws Equal True False Setup Returns Verify Build Create Log "
    "GetService GetRequiredService AddSingleton AddScoped AddTransient Configure".split()
)
"""Members of the runtime's types, of LINQ, of reflection, of test and of service frameworks."""

_WRAPPERS = frozenset(("Task", "ValueTask", "Lazy", "Nullable"))
SAME = frozenset(("ConfigureAwait", "AsTask", "Preserve"))
"""Methods of tasks that give the same result."""
_TRANSPARENT = frozenset(("parenthesized_expression", "await_expression", "postfix_unary_expression"))


def chain(reading: Reading, node: Node, *, is_called: bool = False) -> list[str] | None:
    """The names of an expression of accesses and calls; None where something else is in it."""
    kind = node.type
    if kind in ("identifier", "this", "base"):
        return [reading.text(node)]
    if kind == "generic_name":
        text = reading.text(node).partition("<")[0]
        arguments = node.named_children[-1]
        return [text if is_called else f"{text}`{arguments.named_child_count}"]
    if kind == "member_access_expression":
        holder, name = node.child_by_field_name("expression"), node.child_by_field_name("name")
        before = chain(reading, holder) if holder is not None else None
        if name is not None and reading.text(name) in SAME:
            return before
        after = chain(reading, name, is_called=is_called) if name is not None else None
        return [*before, *after] if before is not None and after is not None else None
    if kind == "invocation_expression":
        function = node.child_by_field_name("function")
        return chain(reading, function, is_called=True) if function is not None else None
    if kind == "conditional_access_expression":
        parts = [chain(reading, child, is_called=is_called) for child in node.named_children]
        return [name for part in parts for name in part or ()] if None not in parts else None
    if kind == "member_binding_expression":
        name = node.child_by_field_name("name")
        return chain(reading, name, is_called=is_called) if name is not None else None
    if kind in _TRANSPARENT and node.named_child_count == 1:
        return chain(reading, node.named_children[0])
    if kind in ("object_creation_expression", "cast_expression", "as_expression"):
        named = node.child_by_field_name("type") or node.child_by_field_name("right")
        said = type_name(reading, named) if named is not None else None
        return said.split(".") if said is not None else None
    return None


def type_name(reading: Reading, node: Node) -> str | None:
    """The class that a type names, as a dotted name with the count of its type arguments; None for others."""
    kind = node.type
    if kind == "identifier":
        return reading.text(node)
    if kind == "generic_name":
        name = reading.text(node.named_children[0])
        arguments = node.named_children[-1]
        if name in _WRAPPERS and arguments.named_child_count == 1:
            return type_name(reading, arguments.named_children[0])
        return f"{name}`{arguments.named_child_count or reading.text(arguments).count(',') + 1}"
    if kind == "qualified_name":
        holder, name = node.child_by_field_name("qualifier"), node.child_by_field_name("name")
        before = type_name(reading, holder) if holder is not None else None
        after = type_name(reading, name) if name is not None else None
        return f"{before}.{after}" if before is not None and after is not None else None
    if kind in ("nullable_type", "ref_type", "scoped_type"):
        inner = node.child_by_field_name("type")
        return type_name(reading, inner) if inner is not None else None
    if kind == "alias_qualified_name":
        name = node.child_by_field_name("name")
        return type_name(reading, name) if name is not None else None
    return None


def takes(reading: Reading, node: Node) -> tuple[int, int]:
    """How many arguments a method takes; an extension's first may be written before the dot."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return -1, -1
    rows = [child for child in parameters.named_children if child.type == "parameter"]
    needed = sum(not any(part.type == "=" for part in row.children) for row in rows)
    text = reading.text(parameters)
    if text.startswith("(this "):
        needed -= 1
    return needed, MANY if "params " in text else len(rows)


def given(node: Node) -> int:
    """How many arguments a call passes, -1 if it has no list of them."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None:
        arguments = next((child for child in node.children if child.type == "argument_list"), None)
    return (
        sum(child.type == "argument" for child in arguments.named_children) if arguments is not None else -1
    )


def has_code(node: Node) -> bool:
    """Whether a property or event does more than hold a value."""
    value = node.child_by_field_name("value")
    if value is not None and value.type == "arrow_expression_clause":
        return True
    accessors = node.child_by_field_name("accessors")
    rows = accessors.named_children if accessors is not None else []
    return any(row.child_by_field_name("body") is not None for row in rows)


def stop(node: Node) -> int:
    """The byte where a definition's signature ends."""
    for name in ("body", "accessors", "value"):
        inner = node.child_by_field_name(name)
        if inner is not None:
            return inner.start_byte
    return node.end_byte


def last_name(function: Node) -> Node | None:
    """The name that is called, whatever it is asked of."""
    name = function.child_by_field_name("name")
    if name is None and function.named_children:
        return (
            last_name(function.named_children[-1])
            if function.type == "conditional_access_expression"
            else None
        )
    return name
