"""Conversations as they flow: one reader for each session, however many follow it.

Those who follow one session on behalf of the same person share its reader, its output filter and the bytes it
makes. Who comes late, or comes back with a cursor, catches up alone and then joins.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast

from numen.kernel import Json, Scope, canonical_bytes
from numen.surfaces.desk import Desk
from numen.surfaces.threshold import Flow

if TYPE_CHECKING:
    from numen.resident.stream import Tail
    from numen.resident.types import Cursor, Streamed

HEARTBEAT = 15.0
"""Seconds of silence after which a line is sent that says nothing (resident contract, HTTP)."""

AT_ONCE = 500
"""Events that one look gives at most (the resident's own limit)."""

MOST_BEHIND = 1_000
"""Events that wait for a slow follower before it is let go; it comes back with its cursor (ours)."""

BEAT = b": \n\n"

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Of every stream: no proxy is to keep or gather it."""

Key: TypeAlias = "tuple[str, str, bool, str]"


@dataclass(frozen=True, slots=True)
class Sent:
    """One event as it leaves. `at` is where it stands in the conversation, `kind` and `data` what it says."""

    at: Cursor
    kind: str
    data: dict[str, Json]
    line: bytes


@dataclass(slots=True)
class Sift:
    """Makes what leaves of what happened: text in pieces passes one filter from its first character on.

    `skip` characters of the text that is being said were seen already: they pass the filter and do not leave,
    so that no cursor, whoever made it up, cuts a value in two.
    """

    desk: Desk
    skip: int = 0
    _flow: Flow | None = None
    _n: int = 0
    _drop: int = 0

    def all(self, told: Iterable[Streamed]) -> Sequence[Sent]:
        """What leaves of these events."""
        return [sent for one in told if (sent := self.take(one)) is not None]

    def take(self, one: Streamed) -> Sent | None:
        """The event as it leaves; None where all of it waits."""
        kind, data = str(one.kind), dict(one.data)
        threshold = self.desk.threshold
        at = one.at
        if kind == "text":
            data["delta"] = self._text(str(data["delta"]), final=bool(data.get("final")))
            held = 0 if self._flow is None else self._flow.held
            at = replace(at, n=max(0, at.n - held))
            if not data["delta"] and not data.get("final"):
                return None
        elif kind in {"text_reset", "done"}:
            self._reset()
        if kind != "text":
            data = cast("dict[str, Json]", threshold.clean_json(data))
        head = f"id: {at}\nevent: {kind}\ndata: ".encode()
        return Sent(one.at, kind, data, head + canonical_bytes(data) + b"\n\n")

    def _text(self, piece: str, *, final: bool) -> str:
        if self._flow is None:
            self._flow = self.desk.threshold.flow()
        known = max(0, min(len(piece), self.skip - self._n))
        if known:
            self._flow.feed(piece[:known])
            self._drop = self._flow.held  # seen already, though the filter lets it out only now
        self._n += len(piece)
        out = self._flow.feed(piece[known:])
        if final:
            out += self._flow.finish()
        out, self._drop = out[self._drop :], max(0, self._drop - len(out))
        if final:
            self._reset()
        return out

    def _reset(self) -> None:
        self._flow, self._n, self._drop, self.skip = None, 0, 0, 0


@dataclass(eq=False, slots=True)
class Follower:
    """Someone who follows: what waits for them, which is whole from `floor` on."""

    floor: Cursor | None
    waiting: deque[Sent] = field(default_factory=deque[Sent])
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    lost: bool = False


class Channel:
    """The one reader of a session for one person, for as long as anybody follows."""

    def __init__(self, desk: Desk, scope: Scope, session: str) -> None:
        self._desk = desk
        self._scope = scope
        self._session = session
        self._cursor: Cursor | None = None
        self._followers: set[Follower] = set()
        self._task: asyncio.Task[None] | None = None

    def join(self) -> Follower:
        """Someone who is given what comes from now on."""
        follower = Follower(self._cursor)
        self._followers.add(follower)
        return follower

    def leave(self, follower: Follower) -> bool:
        """Let go of a follower; whether nobody is left, and the reader ends."""
        self._followers.discard(follower)
        if not self._followers and self._task is not None:
            self._task.cancel()
        return not self._followers

    def caught_up(self, cursor: Cursor, sift: Sift) -> None:
        """Somebody is at `cursor`: from there on this reads for all, if it does not already."""
        if self._task is None:
            self._cursor = cursor
            for follower in self._followers:
                follower.floor = cursor
            self._task = asyncio.create_task(self._read(cursor, sift))

    async def _read(self, cursor: Cursor, sift: Sift) -> None:
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        streams = self._desk.app.resident.streams
        wake = partial(_soon, loop, news)
        try:
            with streams.follow(self._scope, self._session, cursor, wake=wake) as tail:
                while True:
                    news.clear()
                    for sent in await self._desk.soon(partial(_next, tail, sift)):
                        self._give(sent)
                    seen, self._cursor = self._cursor, tail.cursor
                    if seen is None or tail.cursor.seq - seen.seq < AT_ONCE:
                        await news.wait()
        finally:
            for follower in self._followers:
                follower.lost = True
                follower.wake.set()

    def _give(self, sent: Sent) -> None:
        for follower in self._followers:
            follower.lost = follower.lost or len(follower.waiting) >= MOST_BEHIND
            follower.waiting.append(sent)
            follower.wake.set()


class Followings:
    """Every conversation that somebody follows."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._channels: dict[Key, Channel] = {}

    @property
    def count(self) -> int:
        """Conversations that are followed now."""
        return len(self._channels)

    async def follow(
        self, scope: Scope, session: str, cursor: Cursor, allowed: Callable[[], object]
    ) -> AsyncGenerator[Sent | None]:
        """What came after `cursor` and what comes, without a gap and without a double; None is a heartbeat.

        `allowed` is called with every heartbeat, in a worker thread, and raises when this may go on no more.
        It ends where the follower is too slow. Raises `NotFound` for a session that `scope` may not see.
        """
        key = (session, scope.viewer, scope.is_owner, scope.room.digest())
        channel = self._channels.setdefault(key, Channel(self._desk, scope, session))
        follower = channel.join()
        try:
            sift, place, seen = Sift(self._desk, skip=cursor.n), replace(cursor, n=0), None
            while place != seen or (follower.floor is not None and place < follower.floor):
                seen = place
                told, place = await self._desk.soon(partial(self._after, scope, session, place, sift))
                for sent in told:
                    yield sent
            channel.caught_up(place, sift)
            async for sent in self._rest(follower, allowed):
                if sent is None or sent.at > place:
                    yield sent
        finally:
            if channel.leave(follower):
                self._channels.pop(key, None)

    def _after(self, scope: Scope, session: str, place: Cursor, sift: Sift) -> tuple[Sequence[Sent], Cursor]:
        told, place = self._desk.app.resident.streams.after(scope, session, place)
        return sift.all(told), place

    async def _rest(self, follower: Follower, allowed: Callable[[], object]) -> AsyncGenerator[Sent | None]:
        loop = asyncio.get_running_loop()
        checked = loop.time()
        while not follower.lost:
            follower.wake.clear()
            while follower.waiting:
                yield follower.waiting.popleft()
            if loop.time() - checked >= HEARTBEAT:
                await self._desk.soon(allowed)
                checked = loop.time()
                yield None
            with suppress(TimeoutError):
                async with asyncio.timeout(checked + HEARTBEAT - loop.time()):
                    await follower.wake.wait()


def _soon(loop: asyncio.AbstractEventLoop, news: asyncio.Event) -> None:
    loop.call_soon_threadsafe(news.set)


def _next(tail: Tail, sift: Sift) -> Sequence[Sent]:
    return sift.all(tail.pending())
