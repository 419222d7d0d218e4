"""A homelab's control plane as an MCP server: health, dependencies, inventory, and ways to change things.

    python examples/homelab/server.py [STATE.json] [--http PORT]

Its state is one JSON file, so what was restarted stays restarted. Only `request_execution`,
`acknowledge_event` and `set_maintenance` change anything; each says what it is and how one looks afterwards
whether it was done.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

State = dict[str, Any]

SERVICES: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "dns": ("pi", "high", "running", ()),
    "database": ("nas", "high", "running", ()),
    "cache": ("box", "low", "degraded", ()),
    "proxy": ("pi", "high", "running", ("dns",)),
    "auth": ("box", "high", "running", ("database", "proxy")),
    "wiki": ("box", "low", "running", ("database", "cache", "auth")),
    "git": ("box", "medium", "running", ("database", "cache", "auth")),
    "photos": ("nas", "low", "running", ("database", "auth")),
    "monitor": ("pi", "low", "running", ("dns",)),
    "backup": ("nas", "medium", "running", ("database", "photos")),
}
"""Each service: its host, its risk class, how it stands at first, and what it needs."""

HOSTS = {"pi": ("arm64", 4), "box": ("x86_64", 32), "nas": ("x86_64", 16)}
EVENTS = (
    ("cache", "warning", "evictions above 90 % for 10 minutes"),
    ("cache", "warning", "latency p95 480 ms"),
    ("backup", "info", "nightly run finished"),
)
AFTER = {"restart": "running", "start": "running", "stop": "stopped"}

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
SEEN_EXECUTION = {
    "numen/read_back": {
        "tool": "inspect_service",
        "args": {"service": "$service"},
        "expect": {"/id": "$service", "/last_action": "$action"},
    }
}
SEEN_EVENT = {
    "numen/read_back": {
        "tool": "inspect_event",
        "args": {"event": "$event"},
        "expect": {"/acknowledged": True},
    }
}
SEEN_MAINTENANCE = {
    "numen/read_back": {
        "tool": "inspect_service",
        "args": {"service": "$service"},
        "expect": {"/maintenance": "$on"},
    }
}


class Lab:
    """The house as it stands, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> State:
        """The state; the first one where there is none yet."""
        if self._path.exists():
            return json.loads(self._path.read_text("utf-8"))
        services = {
            name: {
                "id": name,
                "host": host,
                "risk": risk,
                "state": state,
                "needs": list(needs),
                "restarts": 0,
                "last_action": None,
                "maintenance": False,
            }
            for name, (host, risk, state, needs) in SERVICES.items()
        }
        events = {
            f"e{n}": {"id": f"e{n}", "service": service, "level": level, "text": text, "acknowledged": False}
            for n, (service, level, text) in enumerate(EVENTS, 1)
        }
        return {"services": services, "events": events, "executions": []}

    def change(self, apply: Callable[[State], Any]) -> Any:
        """Apply a change and keep it, whole or not at all."""
        state = self.read()
        told = apply(state)
        draft, name = tempfile.mkstemp(dir=self._path.parent)
        with os.fdopen(draft, "w", encoding="utf-8") as file:
            json.dump(state, file)
        os.replace(name, self._path)
        return told


def served(lab: Lab) -> MCPServer:
    """The server over a house."""
    server = MCPServer("homelab", instructions="A homelab's control plane. Look before you change anything.")
    _health(server, lab)
    _inventory(server, lab)
    _history(server, lab)
    _changes(server, lab)
    return server


def _health(server: MCPServer, lab: Lab) -> None:
    @server.tool(annotations=READS, structured_output=False)
    def get_health_summary() -> str:
        """How the house stands: every service that is not running, and how many are."""
        services = lab.read()["services"].values()
        unwell = [_short(one) for one in services if one["state"] != "running"]
        return _told({"status": "degraded" if unwell else "healthy", "unwell": unwell,
                      "running": len(services) - len(unwell)})  # fmt: skip

    @server.tool(annotations=READS, structured_output=False)
    def get_blast_radius(service: str) -> str:
        """What depends on a service, at first hand and through others."""
        services = lab.read()["services"]
        _known(services, service)
        direct = sorted(name for name, one in services.items() if service in one["needs"])
        reached, left = set(direct), list(direct)
        while left:
            at = left.pop()
            new = {name for name, one in services.items() if at in one["needs"]} - reached
            reached |= new
            left += new
        return _told({"service": service, "direct": direct, "indirect": sorted(reached - set(direct))})

    @server.tool(annotations=READS, structured_output=False)
    def get_dependencies(service: str) -> str:
        """What a service needs to run."""
        services = lab.read()["services"]
        return _told({"service": service, "needs": _known(services, service)["needs"]})

    @server.tool(annotations=READS, structured_output=False)
    def get_risk_class(service: str, action: Literal["restart", "stop", "start"]) -> str:
        """How risky an action is on a service, and why."""
        one = _known(lab.read()["services"], service)
        return _told({"service": service, "action": action, "risk": one["risk"],
                      "why": f"{service} is of the class {one['risk']}"})  # fmt: skip


def _inventory(server: MCPServer, lab: Lab) -> None:
    @server.tool(annotations=READS, structured_output=False)
    def list_services() -> str:
        """Every service: its host, its risk class and how it stands."""
        return _told([_short(one) for one in lab.read()["services"].values()])

    @server.tool(annotations=READS, structured_output=False)
    def inspect_service(service: str) -> str:
        """Everything about one service."""
        return _told(_known(lab.read()["services"], service))

    @server.tool(annotations=READS, structured_output=False)
    def list_hosts() -> str:
        """Every machine of the house."""
        return _told([{"id": name, "arch": arch, "memory_gb": gb} for name, (arch, gb) in HOSTS.items()])

    @server.tool(annotations=READS, structured_output=False)
    def inspect_host(host: str) -> str:
        """One machine and what runs on it."""
        arch, gb = _known(HOSTS, host)
        runs = [one["id"] for one in lab.read()["services"].values() if one["host"] == host]
        return _told({"id": host, "arch": arch, "memory_gb": gb, "services": runs})


def _history(server: MCPServer, lab: Lab) -> None:
    @server.tool(annotations=READS, structured_output=False)
    def list_events(open_only: bool = True) -> str:
        """What was noticed in the house."""
        events = lab.read()["events"].values()
        return _told([one for one in events if not (open_only and one["acknowledged"])])

    @server.tool(annotations=READS, structured_output=False)
    def inspect_event(event: str) -> str:
        """One event."""
        return _told(_known(lab.read()["events"], event))

    @server.tool(annotations=READS, structured_output=False)
    def get_logs(service: str, lines: int = 20) -> str:
        """The last lines that a service wrote."""
        one = _known(lab.read()["services"], service)
        return "\n".join(f"{n:04} {service} {one['state']}: tick" for n in range(max(1, min(lines, 2000))))

    @server.tool(annotations=READS, structured_output=False)
    def list_executions() -> str:
        """What was done in the house, latest last."""
        return _told(lab.read()["executions"])


def _changes(server: MCPServer, lab: Lab) -> None:
    @server.tool(annotations=CHANGES, meta=SEEN_EXECUTION, structured_output=False)
    def request_execution(service: str, action: Literal["restart", "stop", "start"], reason: str = "") -> str:
        """Do something with a service. High risk is queued for the house's operator and not done."""

        def apply(state: State) -> State:
            one = _known(state["services"], service)
            done = one["risk"] != "high"
            if done:
                one |= {"state": AFTER[action], "last_action": action}
                one["restarts"] += action == "restart"
            execution = {
                "id": f"x{len(state['executions']) + 1}",
                "service": service,
                "action": action,
                "risk": one["risk"],
                "status": "done" if done else "queued",
                "reason": reason,
            }
            state["executions"].append(execution)
            return execution

        return _told(lab.change(apply))

    @server.tool(annotations=CHANGES, meta=SEEN_EVENT, structured_output=False)
    def acknowledge_event(event: str) -> str:
        """Say that an event was seen."""
        return _told(lab.change(lambda state: _with(_known(state["events"], event), acknowledged=True)))

    @server.tool(annotations=CHANGES, meta=SEEN_MAINTENANCE, structured_output=False)
    def set_maintenance(service: str, on: bool) -> str:
        """Say that a service is being worked on, so that nobody is told of its troubles."""
        return _told(lab.change(lambda state: _with(_known(state["services"], service), maintenance=on)))


def _short(one: State) -> State:
    return {name: one[name] for name in ("id", "host", "risk", "state")}


def _with(one: State, **values: object) -> State:
    one |= values
    return one


def _known(things: dict[str, Any], name: str) -> Any:
    if name not in things:
        raise ValueError(f"There is no {name!r}; there are {', '.join(sorted(things))}.")
    return things[name]


def _told(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def main() -> None:
    """Serve a house on stdio, or with `--http` on a port of 127.0.0.1."""
    parser = argparse.ArgumentParser()
    parser.add_argument("state", nargs="?", type=Path, default=Path("homelab.json"))
    parser.add_argument("--http", type=int)
    given = parser.parse_args()
    server = served(Lab(given.state.absolute()))
    if given.http is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=given.http)


if __name__ == "__main__":
    main()
