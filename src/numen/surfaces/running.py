"""Where a running `numen up` of this home can be reached: a file in the home while it runs."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

from numen.app import load

NAME = "up.json"
"""Name of the file in `NUMEN_HOME`."""


@contextmanager
def announced(home: Path, host: str, port: int) -> Generator[None]:
    """Say where the server is, for as long as it runs; of two servers of one home, the last to start."""
    path = home / NAME
    said = json.dumps({"pid": os.getpid(), "host": host, "port": port})
    with suppress(OSError):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        load("keyfile").write_private(path, said + "\n")
    try:
        yield
    finally:
        with suppress(OSError):
            if path.read_text("utf-8").strip() == said:
                path.unlink()


def url(host: str, port: int) -> str:
    """The address of a server as a browser takes it."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def address(home: Path) -> tuple[str, int] | None:
    """Host and port of the server that said so last, None where none did. It may have been killed since."""
    try:
        said = cast("object", json.loads((home / NAME).read_text("utf-8")))
    except (OSError, ValueError):
        return None
    match said:
        case {"host": str(host), "port": int(port)}:
            return host, port
        case _:
            return None
