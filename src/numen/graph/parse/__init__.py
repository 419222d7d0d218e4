"""The languages that are read at full depth. A family is one file here and one row in `FAMILIES`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from numen.graph.parse import (
    c,
    c_units,
    cpp,
    cpp_names,
    cpp_units,
    csharp,
    csharp_names,
    csharp_units,
    ecmascript,
    ecmascript_names,
    ecmascript_units,
    generic,
    golang,
    golang_names,
    golang_units,
    java,
    java_names,
    java_units,
    markup,
    php,
    php_names,
    php_units,
    python,
    python_units,
    ruby,
    ruby_names,
    ruby_units,
    rust,
    rust_names,
    rust_units,
)
from numen.graph.parse.facts import Alias, Facts, Units, file_definition

__all__ = ["FAMILIES", "Facts", "Family", "family_of", "read"]


@dataclass(frozen=True, slots=True)
class Family:
    """Languages that can import each other.

    `parse` takes (path, UTF-8 source, whether it is a test). `units` takes the sorted paths of the family
    and the aliases that manifests declare, as (folder, alias). `comments` begin a line of comment.
    `common` are names that built-in types have: an attribute of that name says nothing about this tree.
    `includes` says that files see all of what they include, and what that declares; `constructs` that objects
    are made by calling their class (elsewhere a call of a class is a conversion).
    """

    name: str
    languages: frozenset[str]
    parse: Callable[[str, bytes, bool], Facts]
    units: Callable[[Sequence[str], Sequence[tuple[str, Alias]]], Units] | None = None
    comments: tuple[str, ...] = ()
    common: frozenset[str] = frozenset()
    manifests: frozenset[str] = frozenset()
    manifest: Callable[[str, bytes], Facts] | None = None
    includes: bool = False
    constructs: bool = True


FAMILIES: tuple[Family, ...] = (
    Family("markdown", frozenset(("markdown",)), markup.markdown),
    Family("rst", frozenset(("rst",)), markup.rst),
    Family(
        "python",
        frozenset(("python",)),
        python.parse,
        units=python_units.PythonUnits,
        comments=("#",),
        common=python.COMMON,
    ),
    Family(
        "ecmascript",
        frozenset(("javascript", "typescript", "tsx")),
        ecmascript.parse,
        units=ecmascript_units.EcmascriptUnits,
        comments=("//", "/*", "*"),
        common=ecmascript_names.COMMON,
        manifests=ecmascript_units.MANIFESTS,
        manifest=ecmascript_units.manifest,
    ),
    Family(
        "csharp",
        frozenset(("csharp", "msbuild")),
        csharp.parse,
        units=csharp_units.CsharpUnits,
        comments=("//", "/*", "*"),
        common=csharp_names.COMMON,
    ),
    Family(
        "cpp",
        frozenset(("cpp",)),
        cpp.parse,
        units=cpp_units.CppUnits,
        comments=("//", "/*", "*"),
        common=cpp_names.COMMON,
    ),
    Family(
        "php",
        frozenset(("php",)),
        php.parse,
        units=php_units.PhpUnits,
        comments=("//", "#", "/*", "*"),
        common=php_names.COMMON,
    ),
    Family(
        "ruby",
        frozenset(("ruby",)),
        ruby.parse,
        units=ruby_units.RubyUnits,
        comments=("#",),
        common=ruby_names.COMMON,
    ),
    Family(
        "go",
        frozenset(("go",)),
        golang.parse,
        units=golang_units.GoUnits,
        comments=("//", "/*", "*"),
        common=golang_names.COMMON,
        manifests=golang_units.MANIFESTS,
        manifest=golang_units.manifest,
        constructs=False,
    ),
    Family(
        "rust",
        frozenset(("rust",)),
        rust.parse,
        units=rust_units.RustUnits,
        comments=("//", "/*", "*"),
        common=rust_names.COMMON,
        manifests=rust_units.MANIFESTS,
        manifest=rust_units.manifest,
        constructs=False,
    ),
    Family(
        "java",
        frozenset(("java",)),
        java.parse,
        units=java_units.JavaUnits,
        comments=("//", "/*", "*"),
        common=java_names.COMMON,
    ),
    Family(
        "c",
        frozenset(("c",)),
        c.parse,
        units=c_units.CUnits,
        comments=("//", "/*", "*"),
        includes=True,
        constructs=False,
    ),
    *(
        Family(
            language,
            frozenset((language,)),
            partial(generic.parse, language),
            comments=generic.COMMENTS,
        )
        for language in generic.available()
    ),
)
"""Every family; its place in this tuple is its number in the index."""

NO_FAMILY = 255
"""The number of a file that is read as text only."""

_BY_LANGUAGE = {language: i for i, family in enumerate(FAMILIES) for language in family.languages}


def family_of(language: str) -> int:
    """The number of the family that reads `language`, or `NO_FAMILY`."""
    return _BY_LANGUAGE.get(language, NO_FAMILY)


def read(path: str, language: str, source: bytes, is_test: bool) -> Facts:
    """The facts of one file of text, given as UTF-8. A language without a family is a file and no more."""
    number = family_of(language)
    if number != NO_FAMILY:
        return FAMILIES[number].parse(path, source, is_test)
    name = path.rpartition("/")[2]
    for family in FAMILIES:
        if name in family.manifests and family.manifest is not None:
            return family.manifest(path, source)
    return Facts([file_definition(path, source.count(b"\n") + (not source.endswith(b"\n")))])
