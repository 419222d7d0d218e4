"""Which servers there are, how each is reached, and what has changed about their tools."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from numen.kernel import InvalidInput, Json, NotFound, Scope, canonical_bytes, digest
from numen.ledger import Kind
from numen.people import NotOwner
from numen.resident import rules, server_tables
from numen.resident.means import Means
from numen.resident.types import Tool
from numen.store import WriteConnection

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
"""A server's name: it stands before each of its tools, so it has no underscore."""

_FIELDS = frozenset({"command", "args", "env", "cwd", "url", "headers", "timeout"})
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """How a server is reached: a `command` on stdio, or a `url` (streamable HTTP).

    `env` names variables of this process that it is given; `headers` names, by header, the variable that
    holds its value. No value stands here, so none is kept. `timeout` is seconds for one call.
    """

    name: str
    command: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    cwd: str | None = None
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout: float = 60.0

    def as_json(self) -> dict[str, Json]:
        """As it is kept and shown."""
        told: dict[str, Json] = {"timeout": self.timeout}
        if self.url is not None:
            return told | {"url": self.url, "headers": dict(self.headers)}
        return told | {"command": self.command[0], "args": self.command[1:], "env": self.env, "cwd": self.cwd}


@dataclass(frozen=True, slots=True)
class Drift:
    """What is different about a server's tools since it was seen last."""

    server: str
    vanished: Sequence[str]
    came: Sequence[str]
    changed: Sequence[str]

    @property
    def words(self) -> str:
        """In a sentence."""
        parts = [
            f"{len(names)} {'tool' if len(names) == 1 else 'tools'} {what} ({', '.join(names)})"
            for what, names in (("vanished", self.vanished), ("came", self.came), ("changed", self.changed))
            if names
        ]
        return f"{self.server}: {'; '.join(parts)}."


class Servers:
    """The servers of a store."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def add(self, scope: Scope, name: str, spec: Mapping[str, Json]) -> ServerSpec:
        """Keep how a server is reached, in place of what was kept. Raises `NotOwner`, `InvalidInput`."""
        _owner_only(scope)
        read = spec_of(name, spec)
        with self._means.store.transaction() as connection:
            server_tables.set_server(connection, name, read.as_json(), self._means.now())
            self._record(scope, connection, name, "added")
        return read

    def remove(self, scope: Scope, name: str) -> None:
        """Forget a server. Raises `NotOwner`, `NotFound`."""
        _owner_only(scope)
        with self._means.store.transaction() as connection:
            if not server_tables.drop_server(connection, name):
                raise NotFound(f"There is no server {name!r}.", not_done="Nothing was removed.")
            self._record(scope, connection, name, "removed")

    def list(self) -> tuple[ServerSpec, ...]:
        """Every server, by name."""
        with self._means.store.reading() as connection:
            kept = server_tables.all_servers(connection)
        return tuple(spec_of(name, spec) for name, spec in kept.items())

    def seen(self, server: str, tools: Sequence[Tool]) -> Drift | None:
        """Keep what a server's tools look like; what is different, None where nothing is, or at first."""
        now = {one.tool: _look(one) for one in tools}
        with self._means.store.reading() as connection:
            before = server_tables.inventory(connection, server)
        if before == now:
            return None
        with self._means.store.transaction() as connection:
            server_tables.set_inventory(connection, server, now)
        return Drift(server, *rules.drift(before, now)) if before else None

    def _record(self, scope: Scope, connection: WriteConnection, name: str, how: str) -> None:
        told: dict[str, Json] = {"server": digest(name.encode()), "how": how}
        self._means.record(scope, connection, "servers", Kind.SERVER_CHANGED, "servers", told)


def spec_of(name: str, given: Mapping[str, Json]) -> ServerSpec:
    """The spec that `given` says. Raises `InvalidInput`, saying what is wrong with it."""
    if NAME.fullmatch(name) is None:
        raise _wrong("A server's name has small letters, digits and hyphens, at most 32.")
    unknown = given.keys() - _FIELDS
    if unknown:
        raise _wrong(f"{min(unknown)!r} is not known of servers; {', '.join(sorted(_FIELDS))} are.")
    url, command = given.get("url"), given.get("command")
    if (url is None) is (command is None):
        raise _wrong("A server has either a command or a url.")
    timeout = given.get("timeout", 60.0)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= 3600:
        raise _wrong("timeout is seconds, above 0 and at most 3600.")
    if url is not None:
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise _wrong("url begins with http:// or https://.")
        headers = cast("Mapping[str, Json]", given.get("headers") or {})
        for header, variable in headers.items():
            _check_variable(f"the header {header}", variable)
        named = {header: str(variable) for header, variable in headers.items()}
        return ServerSpec(name, url=url, headers=named, timeout=float(timeout))
    env = _texts(given, "env")
    for variable in env:
        _check_variable("env", variable)
    cwd = given.get("cwd")
    if not isinstance(command, str) or not command or not (cwd is None or isinstance(cwd, str)):
        raise _wrong("command and cwd are texts.")
    return ServerSpec(name, (command, *_texts(given, "args")), env, cwd, timeout=float(timeout))


def _look(tool: Tool) -> str:
    return digest(canonical_bytes([tool.tool, tool.description, tool.schema, dict(tool.hints)]))


def _texts(given: Mapping[str, Json], name: str) -> tuple[str, ...]:
    value = given.get(name) or ()
    if (
        isinstance(value, str)
        or not isinstance(value, Sequence)
        or not all(isinstance(x, str) for x in value)
    ):
        raise _wrong(f"{name} is a list of texts.")
    return tuple(cast("Sequence[str]", value))


def _check_variable(where: str, variable: Json) -> None:
    if not isinstance(variable, str) or _VARIABLE.fullmatch(variable) is None:
        raise _wrong(f"{where} takes the name of an environment variable, never the value itself.")


def _wrong(why: str) -> InvalidInput:
    return InvalidInput(why, not_done="The server was not added.")


def _owner_only(scope: Scope) -> None:
    if not scope.is_owner:
        raise NotOwner("Only the owner connects servers.", not_done="Nothing was changed.")
