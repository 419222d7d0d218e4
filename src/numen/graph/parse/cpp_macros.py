"""Macros that stand where C++ has no word: they are blanked out, byte for byte, before the file is parsed.

What a macro stands for is in another file, or nowhere. By the custom of all large code bases its name is in
capitals with an underscore, and its place tells what it is: two words side by side, one alone on a line, one
with arguments after a declarator. Lines of the preprocessor, comments and strings are left as they are.
"""

from __future__ import annotations

import re

_NAME = rb"\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b"
_ARGUMENTS = rb"\((?:[^()\n;{}]|\([^()\n;{}]*\)){0,200}\)"
_SKIPPED = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'|^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*",
    re.DOTALL | re.MULTILINE,
)
_HEAD = re.compile(
    rb"\b(?:class|struct|union)\s+(" + _NAME + rb"|[A-Z][A-Z0-9]{2,})(?:\s*" + _ARGUMENTS + rb")?"
    rb"(?=\s+[A-Za-z_][\w:]*\s*(?:<[^;{}]*?>\s*)?(?:final\s*)?(?::[^:]|\{))"
)
_EXTERN = re.compile(rb"\bextern\s+template\b[^;{}]*;")
_MACRO = re.compile(rb"(" + _NAME + rb")(?:[ \t]*" + _ARGUMENTS + rb")?")
_KEYWORDS = frozenset(
    b"return else throw new case delete do goto co_return co_await co_yield and or not sizeof typename "
    b"operator define using namespace typedef enum class struct union".split()
)
_STATEMENTS = frozenset((b"if", b"while", b"for", b"switch", b"catch", b"constexpr"))
_WORD = re.compile(rb"[A-Za-z_~]")
_BEFORE = re.compile(rb"([A-Za-z_]\w*)\s*$")


def blanked(source: bytes) -> bytes:
    """`source` with spaces where macros stand that a parser of C++ would stumble over; same length."""
    text = bytearray(source)
    hidden = bytearray(_SKIPPED.sub(_spaces, source))
    for found in _EXTERN.finditer(bytes(hidden)):
        _blank(text, hidden, *found.span())
    for found in _HEAD.finditer(bytes(hidden)):
        _blank(text, hidden, found.start(1), _end_of_macro(hidden, found.start(1)))
    for found in _MACRO.finditer(bytes(hidden)):
        start, end = found.span()
        has_arguments = b"(" in found.group(0)
        if hidden[max(0, start - 16) : start].rstrip().endswith((b" if", b"\nif")):  # `if CONSTEXPR (...)`
            _blank(text, hidden, start, start + len(found.group(1)))
        elif has_arguments and _is_constraint(hidden, start, end):
            _blank(text, hidden, start, end)
            text[start : start + 3] = hidden[start : start + 3] = b"int"
        elif _is_extra(hidden, start, end, has_arguments=has_arguments):
            _blank(text, hidden, start, end)
    return bytes(text)


def _spaces(found: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", found.group(0))


def _blank(text: bytearray, hidden: bytearray, start: int, end: int) -> None:
    for one in (text, hidden):
        one[start:end] = re.sub(rb"[^\n]", b" ", bytes(one[start:end]))


def _end_of_macro(hidden: bytearray, start: int) -> int:
    found = re.compile(rb"\w+(?:\s*" + _ARGUMENTS + rb")?").match(bytes(hidden[start : start + 400]))
    return start + found.end() if found is not None else start


def _is_constraint(view: bytearray, start: int, end: int) -> bool:
    """Whether the macro at `start` stands for the last parameter of a template."""
    if not view[end : end + 100].lstrip().startswith(b">"):
        return False
    before = bytes(view[max(0, start - 400) : start])
    head = before.rfind(b"template")
    return head >= 0 and before.rstrip().endswith((b",", b"<")) and not re.search(rb"[;{}]", before[head:])


def _is_extra(view: bytearray, start: int, end: int, *, has_arguments: bool) -> bool:
    """Whether the macro at `start` stands where C++ has no word."""
    after = bytes(view[end : end + 400].lstrip())
    line_start = view.rfind(b"\n", 0, start) + 1
    before = bytes(view[max(0, start - 400) : start].rstrip())
    first, last = after[:1], before[-1:]
    begins = last in (b";", b"{", b"}", b":", b">", b"") or not view[line_start:start].strip()
    alone = not view[line_start:start].strip() and not view[end : end + 200].split(b"\n", 1)[0].strip()
    if alone and last in (b";", b"{", b"}", b"", b">") and first not in (b"{", b"(", b",", b"=", b"."):
        return True
    if not has_arguments:
        if first == b"{" and last in (b";", b"{", b"}") and begins:
            return True
        word = _BEFORE.search(before)
        if first in (b";", b"{", b"=") and last not in (b"=", b"(", b",") and _is_after_declarator(before):
            return last == b")" or (word is not None and word.group(1) in (b"const", b"override"))
        return _WORD.match(after) is not None and last not in (b"=", b"(", b",") and _two_words(after)
    if first in (b";", b"{", b"=", b":") or after.startswith((b"const", b"override", b"noexcept", b"->")):
        return _is_after_declarator(before) and last not in (b"=", b"(", b",", b">", b";", b"{", b"}")
    return begins and _WORD.match(after) is not None and _two_words(after)


def _two_words(after: bytes) -> bool:
    """Whether what follows is a word of a declaration, not an operator spelt as a word."""
    return not after.startswith((b"and ", b"or ", b"not "))


def _is_after_declarator(before: bytes) -> bool:
    """Whether `before` ends with a declarator: a name or a list of parameters, and no statement's head."""
    if before.endswith(b")"):
        depth = 0
        for i in range(len(before) - 1, -1, -1):
            depth += (before[i] == 41) - (before[i] == 40)
            if not depth:
                word = _BEFORE.search(before[:i])
                return word is not None and word.group(1) not in _STATEMENTS | _KEYWORDS
        return False
    word = _BEFORE.search(before)
    return before.endswith(b"]") or (word is not None and word.group(1) not in _KEYWORDS | _STATEMENTS)


_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(?:[^\n\\]|\\\r?\n|\\.)*", re.MULTILINE
)


def unconditional(source: bytes, *, both: bool) -> bytes:
    """`source` without conditions of the preprocessor; of the branches only the first, or all if `both`."""
    text = bytearray(source)
    taken: list[bool] = []
    since = -1  # where a branch that is left out begins
    for found in _DIRECTIVE.finditer(source):
        word = found.group(1)
        if word.startswith(b"if"):
            taken.append(since < 0)
        elif not taken:
            continue
        elif word == b"endif":
            if taken.pop() and since >= 0:
                _hide(text, since, found.start())
                since = -1
        elif taken[-1] and since < 0 and not both:
            since = found.end()
        _hide(text, found.start(), found.end())
    return bytes(text)


def _hide(text: bytearray, start: int, end: int) -> None:
    text[start:end] = re.sub(rb"[^\n]", b" ", bytes(text[start:end]))
