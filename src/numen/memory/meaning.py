"""Meanings as bytes: numbers of eight bits, with which nothing that could be measured was lost."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from numen.memory.finding import Meaning, Vectors

DIMENSIONS = 64
"""Numbers a vector has: 64 of the model's 384 directions lost nothing that could be measured."""

_SCALE = 127


def packed(vectors: Vectors) -> bytes:
    """Rows of unit length as bytes."""
    return np.rint(vectors * _SCALE).astype(np.int8).tobytes()


def unpacked(data: bytes) -> Vectors:
    """What was packed, of unit length again."""
    rows = np.frombuffer(data, np.int8).reshape(-1, DIMENSIONS).astype(np.float32)
    return unit(rows)


def unit(rows: NDArray[np.float32]) -> Vectors:
    """Rows scaled to unit length; one that is all zeros stays so."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))


def telling(meaning: Meaning, small: Collection[str]) -> Vectors:
    """The parts of a meaning whose token tells something: no punctuation and none of the `small` words.

    Where all are small, all parts.
    """
    keep = [
        i
        for i, token in enumerate(meaning.tokens)
        if (token[:1].isalnum() or token.startswith("##")) and token not in small
    ]
    return meaning.parts[keep] if keep else meaning.parts
