"""How a file is treated, from its path and its first bytes. The rules follow github-linguist's."""

from __future__ import annotations

import re

from numen.graph.provenance import (
    is_generated,
    is_generated_path,
    is_minified,
    is_minified_path,
    is_vendored_path,
)
from numen.graph.types import FileClass

LARGEST = 1 << 20
"""Bytes over which a file is not read (the north contract: 1 MiB)."""

WORDED = frozenset((FileClass.SOURCE, FileClass.TEST, FileClass.DOCUMENT, FileClass.CONFIG))
"""Classes whose words are searched. The others are counted and kept out of every arm."""

SKIPPED_FOLDERS = frozenset(
    "node_modules bower_components __pycache__ .git .hg .svn .tox .nox .venv venv .mypy_cache .pytest_cache "
    ".ruff_cache .hypothesis .eggs .gradle .idea .next .nuxt .svelte-kit .parcel-cache .turbo .terraform "
    "target dist build out coverage htmlcov .cache".split()
)
"""Folders that are not entered outside git: what they hold is made by a tool."""

LANGUAGES: dict[str, str] = {
    "py": "python", "pyi": "python", "pyw": "python", "js": "javascript", "mjs": "javascript",
    "cjs": "javascript", "jsx": "javascript", "ts": "typescript", "mts": "typescript", "cts": "typescript",
    "tsx": "tsx", "go": "go", "rs": "rust", "java": "java", "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp",
    "cxx": "cpp", "c++": "cpp", "hh": "cpp", "hpp": "cpp", "hxx": "cpp", "h++": "cpp", "ipp": "cpp",
    "inl": "cpp", "tpp": "cpp", "cs": "csharp", "csx": "csharp",
    "csproj": "msbuild", "props": "msbuild", "targets": "msbuild", "rb": "ruby", "rake": "ruby",
    "gemspec": "ruby", "ru": "ruby", "php": "php", "md": "markdown", "markdown": "markdown",
    "mdx": "markdown", "mdown": "markdown", "rst": "rst", "rest": "rst", "kt": "kotlin",
    "kts": "kotlin", "swift": "swift",
    "scala": "scala", "m": "objective-c", "mm": "objective-c", "sh": "shell", "bash": "shell",
    "zsh": "shell", "ps1": "powershell", "lua": "lua", "pl": "perl", "pm": "perl", "r": "r", "jl": "julia",
    "dart": "dart", "ex": "elixir", "exs": "elixir", "erl": "erlang", "hs": "haskell", "ml": "ocaml",
    "clj": "clojure", "groovy": "groovy", "zig": "zig", "nim": "nim", "sql": "sql", "proto": "proto",
    "vue": "vue", "svelte": "svelte", "html": "html", "htm": "html", "css": "css", "scss": "scss",
    "less": "less", "tf": "terraform", "graphql": "graphql", "y": "yacc", "l": "lex", "s": "assembly",
    "asm": "assembly", "json": "json", "yml": "yaml", "yaml": "yaml", "toml": "toml", "ini": "ini",
    "cfg": "ini", "xml": "xml", "txt": "text", "adoc": "asciidoc", "org": "org", "tex": "tex",
}  # fmt: skip
"""Language by extension, in lower case."""

_NAMES = {
    "makefile": "make", "gnumakefile": "make", "dockerfile": "docker", "cmakelists.txt": "cmake",
    "rakefile": "ruby", "gemfile": "ruby", "jenkinsfile": "groovy", "sconstruct": "python",
    "wscript": "python",
}  # fmt: skip
_INTERPRETERS = {
    "python": "python",
    "node": "javascript",
    "ruby": "ruby",
    "sh": "shell",
    "bash": "shell",
    "php": "php",
}
_CPP_WORDS = re.compile(
    rb"^[ \t]*(?:#[ \t]*include[ \t]*<(?:string|vector|map|list|array|set|memory|utility|functional|atomic"
    rb"|mutex|thread|algorithm|type_traits|unordered_\w+|[io]?o?stream|c(?:std\w+|string|assert|math))>"
    rb"|#[ \t]*define[ \t]+\w+[ \t]+(?:inline[ \t]+)?namespace\b"
    rb"|template[ \t]*<|class[ \t]+\w+|(?:inline[ \t]+|using[ \t]+)?namespace\b|using[ \t]+\w+[ \t]*="
    rb"|(?:public|private|protected)[ \t]*:|constexpr[ \t]|virtual[ \t])|\bstd::\w",
    re.MULTILINE,
)
_DOCUMENTS = frozenset(("markdown", "rst", "text", "asciidoc", "org", "tex"))
_CONFIGS = frozenset(("json", "yaml", "toml", "ini", "xml", "text", "make", "docker", "cmake", "msbuild"))

_BINARY = frozenset(
    "png jpg jpeg gif bmp ico webp tif tiff psd pdf zip gz tgz bz2 xz zst 7z rar tar jar war class whl "
    "egg so dylib dll exe o a lib obj pyc pyo wasm mo ttf otf woff woff2 eot mp3 mp4 ogg wav flac avi "
    "mov webm sqlite db mmdb dbf shp shx parquet npy npz pkl bin dat".split()
)
_TEST = re.compile(
    r"(?:^|/)(?:[Tt]ests?|__tests__|specs?|testing|testdata|test-data|fixtures?|__mocks__|e2e|playground)/"
    r"|(?:^|/)[\w.]+\.(?:Unit|Integration|Functional)?(?:Tests?|Specs)/"
    r"|(?:^|/)(?:tests?|conftest)\.\w+$|(?:^|/)tests?_[^/]*$|(?:_tests?|_spec|[.-](?:test|spec|e2e|bench))\.\w+$"
    r"|(?:^|/)(?:\w*(?:Tests?|TestCase|Spec)|\w*[a-z0-9]IT)\.(?:java|kt|cs|php|scala|swift)$",
)
_DOCUMENT = re.compile(
    r"(?:^|/)(?:docs?|documentation|man|examples?)/.*\.(?:txt|html?)$"
    r"|(?:^|/)(?:readme|changelog|changes|history|news|authors|contributing|copying|license|licence|notice|install"
    r"|todo|security|maintainers|upgrad(?:e|ing))(?:[.-]\w+)*$",
    re.IGNORECASE,
)


def extension(path: str) -> str:
    """What follows the last dot of the name, in lower case; empty if there is none."""
    name = path.rpartition("/")[2]
    head, dot, tail = name.rpartition(".")
    return tail.lower() if dot and head else ""


def language_of(path: str, head: bytes = b"") -> str:
    """The language of `path`, by name, then by extension, then by the interpreter line in `head`.

    A header is C++ where its words are: `.h` is used by both languages.
    """
    named = _NAMES.get(path.rpartition("/")[2].lower())
    if named is not None:
        return named
    tail = extension(path)
    if tail == "h" and _CPP_WORDS.search(head):
        return "cpp"
    if tail in LANGUAGES:
        return LANGUAGES[tail]
    if not tail and head.startswith(b"#!"):
        words = re.split(rb"[/\s]+", head.split(b"\n", 1)[0])
        for word in reversed(words):
            name = re.sub(rb"[\d.]+$", b"", word).decode("ascii", "replace")
            if name in _INTERPRETERS:
                return _INTERPRETERS[name]
    return "text"


def class_by_path(path: str) -> FileClass | None:
    """The class that the path alone settles: binary, vendored, generated or minified; else None."""
    if extension(path) in _BINARY:
        return FileClass.BINARY
    if is_minified_path(path):
        return FileClass.MINIFIED
    if is_vendored_path(path):
        return FileClass.VENDORED
    if is_generated_path(path):
        return FileClass.GENERATED
    return None


def is_test(path: str) -> bool:
    """Whether the path says that the file holds tests or what tests need."""
    return _TEST.search(path) is not None


def class_of(path: str, language: str, data: bytes) -> FileClass:
    """The class of a file that was read: what the path settles first, then what the bytes say."""
    settled = class_by_path(path)
    if settled is not None:
        return settled
    if is_binary(data):
        return FileClass.BINARY
    if is_minified(path, data):
        return FileClass.MINIFIED
    if language not in _DOCUMENTS and is_generated(path, data):
        return FileClass.GENERATED
    if is_test(path):
        return FileClass.TEST
    if language in ("markdown", "rst", "asciidoc", "org", "tex") or _DOCUMENT.search(path):
        return FileClass.DOCUMENT
    return FileClass.CONFIG if language in _CONFIGS else FileClass.SOURCE


def is_binary(data: bytes) -> bool:
    """Whether there is a NUL in the first 8,000 bytes (git's rule) and no mark of UTF-16 before it."""
    return b"\0" in data[:8000] and not data.startswith((b"\xff\xfe", b"\xfe\xff"))


def text_of(data: bytes) -> tuple[str, str | None]:
    """`data` as text, and a sentence when it was not plain UTF-8. It never fails.

    UTF-8 with or without a mark, UTF-16 by its mark, and Latin-1 for what is none of them.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), None
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        return data.decode("latin-1"), f"is not UTF-8 (byte {error.start}); read as Latin-1"
