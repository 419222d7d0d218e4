"""A model's answer while it comes: gathered whole, and kept in pieces for those who follow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import cast

from numen.models import Completion, Done, Fault, ModelError, Part, TextDelta, ToolCall

PIECE_SECONDS = 0.05
"""How long text is gathered into one piece (decision 12); the first word does not wait."""


class Speech:
    """Text on its way to the store: `keep` is given its place in the whole, and what was said since."""

    def __init__(self, keep: Callable[[int, str], None]) -> None:
        self._keep = keep
        self._text = ""
        self._kept = 0
        self._writer: asyncio.Task[None] | None = None

    @property
    def text(self) -> str:
        """All that was said."""
        return self._text

    def add(self, text: str) -> None:
        """Say a little more; it is kept soon, while the next words come."""
        self._text += text
        if self._writer is None or self._writer.done():
            pause = PIECE_SECONDS if self._kept else 0.0
            self._writer = asyncio.create_task(self._write(pause))

    async def done(self) -> None:
        """Wait for what is being kept; the rest is kept with the whole message."""
        if self._writer is not None:
            await self._writer

    async def _write(self, pause: float) -> None:
        await asyncio.sleep(pause)
        start, self._kept = self._kept, len(self._text)
        if self._kept > start:
            await asyncio.to_thread(self._keep, start, self._text[start : self._kept])


async def heard(stream: AsyncIterator[Part], speech: Speech) -> Completion:
    """The whole answer, its text kept in pieces as it comes. Raises `ModelError`."""
    calls: list[ToolCall] = []
    end: Done | None = None
    try:
        async with aclosing(cast("AsyncGenerator[Part]", stream)):
            async for part in stream:
                match part:
                    case TextDelta():
                        speech.add(part.text)
                    case ToolCall():
                        calls.append(part)
                    case Done():
                        end = part
                    case _:
                        pass
    finally:
        await speech.done()
    if end is None:
        raise ModelError(Fault.GARBLED, "The model's answer broke off.", emitted=True)
    return Completion(speech.text, tuple(calls), end.usage, end.finish)
