"""stdout and stderr of a process: what is written there passes the threshold, whoever writes it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from types import ModuleType

    from numen.surfaces.threshold import Threshold

THRESHOLD = "numen.surfaces.threshold"
"""Imported when something is written, not before: help is to come at once (decision 24)."""


class Screen:
    """A stream for people: each line is cleaned before it goes out, and the rest when it is flushed."""

    def __init__(self, stream: TextIO, shown: Shown) -> None:
        self.stream = stream
        self.shown = shown
        self._line = ""

    def write(self, text: str) -> int:
        """Take `text`; whole lines go out."""
        lines, newline, self._line = (self._line + text).rpartition("\n")
        if newline:
            self.stream.write(self.shown.clean(lines) + newline)
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """As `write`, for each."""
        for line in lines:
            self.write(line)

    def write_body(self, body: bytes) -> None:
        """A whole body of JSON, cleaned part by part so that it stays JSON, and a newline, at once."""
        self.flush()
        self.stream.buffer.write(self.shown.body(body) + b"\n")
        self.stream.buffer.flush()

    def flush(self) -> None:
        """Let out what is held."""
        rest, self._line = self._line, ""
        if rest:
            self.stream.write(self.shown.clean(rest))
        self.stream.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


class Shown:
    """The one threshold of a process's streams: the home's own, until the process adopts another."""

    def __init__(self) -> None:
        self.threshold: Threshold | None = None
        self._own: Threshold | None = None

    def clean(self, text: str) -> str:
        """`text` without values. Where even the settings cannot be read: without what looks like one."""
        if not text or text.isspace():
            return text
        room = importlib.import_module(THRESHOLD)
        try:
            return self._threshold(room).clean(text)
        except Exception:  # noqa: BLE001 - the edge: whatever refuses, no value gets out for it
            return cast("str", room.withheld(text))

    def body(self, body: bytes) -> bytes:
        """As `clean`, for a body of JSON: the very same bytes where no value is in it."""
        room = importlib.import_module(THRESHOLD)
        try:
            return self._threshold(room).body(body)
        except Exception:  # noqa: BLE001 - the edge: whatever refuses, no value gets out for it
            return cast("bytes", room.withheld_body(body))

    def _threshold(self, room: ModuleType) -> Threshold:
        if self.threshold is None:
            self.threshold = self._own = cast("Threshold", room.at_home())
        return self.threshold

    def close(self) -> None:
        """Let go what was opened for this alone."""
        if self._own is not None:
            self._own.close()


@contextmanager
def screened(*, stdout: bool = True) -> Generator[None]:
    """Both streams of this process screened, stdout only where asked."""
    shown = Shown()
    out = Screen(sys.stdout, shown)
    err = Screen(sys.stderr, shown)
    with redirect_stderr(cast("TextIO", err)), redirect_stdout(cast("TextIO", out) if stdout else sys.stdout):
        try:
            yield
        finally:
            with suppress(OSError, ValueError):  # the reader has gone
                out.flush()
                err.flush()
            shown.close()


def adopt(threshold: Threshold) -> None:
    """Have what is written here pass this threshold from now on."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, Screen):
            stream.shown.threshold = threshold


def bare() -> TextIO:
    """stdout itself: for words that are ours alone, and a value that its owner has shown to themselves."""
    sys.stdout.flush()
    return sys.stdout.stream if isinstance(sys.stdout, Screen) else sys.stdout
