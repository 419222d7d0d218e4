"""An endpoint that answers with recorded bytes: what the tests of the client need a server to do wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """One answer: a status, headers, and what is written before the line is closed."""

    lines: Sequence[object] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hold: bool = False
    """Keep the line open after the lines, until the endpoint is closed."""


@dataclass
class Endpoint:
    url: str
    answers: list[Answer] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    closed: threading.Event = field(default_factory=threading.Event)


def text(content: str, finish: str | None = None) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": finish}]}


def call(index: int | None, ident: str | None, name: str | None, arguments: str) -> dict[str, object]:
    fragment = {"index": index, "id": ident, "function": {"name": name, "arguments": arguments}}
    return {"choices": [{"index": 0, "delta": {"tool_calls": [fragment]}, "finish_reason": None}]}


def finish(reason: str) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def usage(**counts: object) -> dict[str, object]:
    return {"choices": [], "usage": counts}


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """A server on a free port of loopback that gives its `answers` in order, the last one for ever."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"object": "list", "data": [{"id": "b-2"}, {"id": "a-1"}, {}, "x"]}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            here.keys.append(self.headers.get("authorization", ""))
            here.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            answer = here.answers[min(len(here.asked), len(here.answers)) - 1]
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header(
                "content-type", "text/event-stream" if answer.status == 200 else "application/json"
            )
            self.end_headers()
            for line in answer.lines:
                if answer.status != 200:
                    self.wfile.write(json.dumps(line).encode())
                elif isinstance(line, bytes):
                    self.wfile.write(line)
                else:
                    self.wfile.write(b"data: " + json.dumps(line).encode() + b"\n\n")
                self.wfile.flush()
            if answer.hold:
                here.closed.wait(30)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    here = Endpoint(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield here
    finally:
        here.closed.set()
        server.shutdown()
        thread.join()
        server.server_close()
