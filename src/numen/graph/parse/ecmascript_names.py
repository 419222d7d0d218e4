"""Names of JavaScript and TypeScript: what built-in objects answer to, what the grammar calls definitions."""

from __future__ import annotations

from numen.graph.types import NodeKind

COMMON = frozenset(
    "toString valueOf hasOwnProperty length push pop shift unshift slice splice concat join reverse "
    "sort indexOf lastIndexOf includes find findIndex findLast filter map flatMap flat reduce "
    "reduceRight forEach some every keys values entries fill at from of isArray assign freeze create "
    "defineProperty getPrototypeOf then catch finally resolve reject all race allSettled any get set "
    "has add delete clear next return throw call apply bind charAt charCodeAt codePointAt split replace "
    "replaceAll match matchAll search substring substr trim trimStart trimEnd padStart padEnd "
    "toLowerCase toUpperCase startsWith endsWith repeat normalize localeCompare test exec parse "
    "stringify now getTime toISOString toFixed floor ceil round max min abs log info warn error debug "
    "trace emit on off once addListener removeListener addEventListener removeEventListener "
    "dispatchEvent querySelector querySelectorAll getElementById appendChild removeChild setAttribute "
    "getAttribute remove append prepend focus blur click write read end pipe close open send json text "
    "status header toBe toEqual toHaveBeenCalled toHaveBeenCalledWith toThrow toMatch toMatchSnapshot "
    "toContain mockReturnValue mockImplementation it describe expect readFile writeFile readFileSync "
    "writeFileSync existsSync dirname basename extname relative toMatchInlineSnapshot".split()
)
"""Attributes of built-in objects, of the document, of promises, emitters, streams and test runners."""

KINDS = {
    "class_declaration": NodeKind.CLASS,
    "class": NodeKind.CLASS,
    "abstract_class_declaration": NodeKind.CLASS,
    "interface_declaration": NodeKind.INTERFACE,
    "enum_declaration": NodeKind.ENUM,
    "type_alias_declaration": NodeKind.TYPE,
    "internal_module": NodeKind.TYPE,
    "module": NodeKind.TYPE,
    "method_definition": NodeKind.METHOD,
    "method_signature": NodeKind.METHOD,
    "abstract_method_signature": NodeKind.METHOD,
}
"""The kind of a definition by the name of its node; a function where it is not here."""
