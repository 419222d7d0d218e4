"""The names in Ruby: of constants, of chains of calls, and what a method gives by its last words."""

from __future__ import annotations

import re
from typing import NamedTuple

from tree_sitter import Node

from numen.graph.parse.facts import CLASS_SIDE

COMMON = frozenset(
    "new initialize to_s to_sym to_str to_a to_ary to_h to_hash to_i to_f to_proc inspect hash eql? "
    "equal? == === =~ <=> [] []= << call each each_with_index each_with_object each_pair each_key "
    "each_value each_slice map map! flat_map collect select select! filter filter_map reject reject! "
    "find detect find_all find_index inject reduce sum min max min_by max_by sort sort! sort_by "
    "sort_by! group_by partition zip first last take drop include? member? empty? any? all? none? one? "
    "count size length push pop shift unshift append prepend concat insert delete delete_if delete_at "
    "clear compact compact! flatten flatten! uniq uniq! reverse rotate sample shuffle join split strip "
    "lstrip rstrip chomp chop sub sub! gsub gsub! tr scan match match? start_with? end_with? upcase "
    "downcase capitalize swapcase format ljust rjust center encode force_encoding unpack pack bytes "
    "chars lines keys values key? has_key? value? fetch dig store merge merge! update slice except "
    "transform_values transform_keys invert default default= compare_by_identity dup clone freeze "
    "frozen? tap then itself is_a? kind_of? instance_of? respond_to? nil? send public_send __send__ "
    "method methods instance_variable_get instance_variable_set instance_eval instance_exec class_eval "
    "class_exec module_eval define_method extend include included extended inherited const_get "
    "const_missing open close read write puts print gets rewind eof? sync flush path name exist? "
    "mkdir_p rm_rf basename dirname expand_path extname synchronize lock unlock wait signal run start "
    "stop value raise rescue message backtrace set_backtrace exception perform get post put patch head "
    "options headers body status params env session request response get? post? valid? save save! "
    "create create! update_attributes destroy where order limit joins includes pluck all parse load "
    "dump generate to_json as_json to_xml to_yaml expects returns stubs with".split()
)
"""Methods of Ruby's own classes, of files, of Rack, of records and of test doubles."""

_SAME = frozenset(("dup", "clone", "tap", "freeze", "itself", "then"))
_SHAPED = frozenset(("Struct", "Class", "Module", "Data"))
_NAME = re.compile(r"\w+[?!]?")


class Chain(NamedTuple):
    """The names of an expression. Its first is a constant, `self`, an instance variable or a bare name.

    `is_class` says that it stands for a class itself, not for an object; `is_made` that it is a new object.
    """

    names: list[str]
    is_class: bool = False
    is_made: bool = False


def written(node: Node) -> str:
    """The words of a node."""
    return node.text.decode("utf-8", "replace") if node.text is not None else ""


def constant(node: Node) -> list[str] | None:
    """The names of a constant; one from the top (`::A`) is led by an empty name. None for others."""
    if node.type == "constant":
        return [written(node)]
    if node.type == "scope_resolution":
        scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
        before = constant(scope) if scope is not None else [""]
        return [*before, written(name)] if before is not None and name is not None else None
    return None


def chain(node: Node) -> Chain | None:
    """The names of an expression of constants, variables and calls; None where something else is in it."""
    kind = node.type
    if kind in ("constant", "scope_resolution"):
        names = constant(node)
        return Chain(names, is_class=True) if names is not None else None
    if kind in ("identifier", "instance_variable", "self"):
        word = written(node)
        return Chain(["self" if word in _SAME else word])
    if kind == "parenthesized_statements" and node.named_child_count == 1:
        return chain(node.named_children[0])
    if kind == "call":
        return _call(node)
    return None


def _call(node: Node) -> Chain | None:
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if method is None or method.type not in ("identifier", "constant"):
        return None
    name = written(method)
    if receiver is None:
        return Chain(["self" if name in _SAME else name])
    before = chain(receiver)
    if before is None:
        return None
    if name in _SAME:
        return before
    if name == "new" and before.is_class:
        return Chain(before.names, is_made=True)
    if name == "class" and before.names == ["self"]:
        return Chain(["self"], is_class=True)
    return Chain([*before.names, f"{CLASS_SIDE}{name}" if before.is_class else name])


def shaped(node: Node) -> tuple[Node | None, Node | None] | None:
    """For `Name = Struct.new(...) do ... end` and its like: the base class and the block; None for others."""
    right = node.child_by_field_name("right")
    if right is None or right.type != "call":
        return None
    receiver, method = right.child_by_field_name("receiver"), right.child_by_field_name("method")
    if receiver is None or method is None or written(receiver).lstrip(":") not in _SHAPED:
        return None
    if written(method) not in ("new", "define"):
        return None
    arguments = right.child_by_field_name("arguments")
    base = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    is_class = written(receiver).lstrip(":") == "Class"
    return (base if is_class else None), right.child_by_field_name("block")


def given_by(body: Node | None) -> Chain | None:
    """What a method gives by its last statement: a new object, itself or a variable; None if not known."""
    last = body.named_children[-1] if body is not None and body.named_children else None
    if body is not None and body.type not in ("body_statement", "block_body"):
        last = body
    while last is not None and last.type in ("assignment", "operator_assignment", "return", "argument_list"):
        last = last.child_by_field_name("right") or (last.named_children[-1] if last.named_children else None)
    found = chain(last) if last is not None else None
    return found if found is not None and (found.is_made or found.names == ["self"]) else None


def symbols(node: Node) -> list[str]:
    """The names that the symbols and strings in a list of arguments spell."""
    found: list[str] = []
    for child in node.named_children:
        if child.type in ("simple_symbol", "string"):
            text = written(child).lstrip(":").strip("'\"")
            if _NAME.fullmatch(text):
                found.append(text)
    return found
