"""Whether what a `cfg` guards is there in the usual build."""

from __future__ import annotations

LONGEST = 1000
"""Letters of a condition that is looked into."""


def holds(condition: str) -> bool:
    """Whether a `cfg` holds in the usual build on Linux, with every feature and in tests."""
    condition = condition.strip()
    if len(condition) > LONGEST:
        return True
    for word in ("not", "all", "any"):
        if condition.startswith(f"{word}("):
            parts = [holds(part) for part in _parts(condition[len(word) + 1 :].rpartition(")")[0])]
            return not all(parts) if word == "not" else all(parts) if word == "all" else any(parts)
    name, _, value = condition.partition("=")
    value = value.strip().strip('"')
    if name.strip() == "target_os":
        return value == "linux"
    if name.strip() == "target_family":
        return value == "unix"
    if name.strip() == "target_arch":
        return value == "x86_64"
    return condition not in ("windows", "miri", "loom", "fuzzing")


def _parts(text: str) -> list[str]:
    """`text` cut at the commas outside of parentheses."""
    parts: list[str] = []
    depth = start = 0
    for i, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part for part in parts if part.strip()]
