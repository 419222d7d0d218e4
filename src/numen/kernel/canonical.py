"""Canonical JSON and the one way tokens are counted (decision 6)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""What JSON can say. NaN and infinities are refused when written."""


def canonical_text(value: Json) -> str:
    """`value` as JSON with sorted keys, no spaces and no escaped letters; equal values give equal text.

    Raises `ValueError` for NaN and infinities, which JSON cannot say.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_bytes(value: Json) -> bytes:
    """`canonical_text` in UTF-8; a lone surrogate becomes its escaped form, so any text can be written."""
    return canonical_text(value).encode("utf-8", "backslashreplace")


def digest(data: bytes) -> str:
    """SHA-256 of `data` in hex, the one digest that Numen stores and shows."""
    return hashlib.sha256(data).hexdigest()


def tokens(text: str | bytes) -> int:
    """Size of `text` in budget tokens: ceil(UTF-8 bytes / 4). No tokenizer, so no download and no drift."""
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "backslashreplace"))
    return -(-size // 4)
