"""A small MCP server that tests drive: it asks, it waits, it dies.

python -m tests.resident.lab [--http PORT] [--without TOOL]
"""

from __future__ import annotations

import argparse
import asyncio
import os
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Elicit, Resolve
from mcp_types import ToolAnnotations
from pydantic import BaseModel

READS = ToolAnnotations(read_only_hint=True)
server = MCPServer("lab")


class Sure(BaseModel):
    """What `wipe` asks for."""

    sure: bool


async def sure(what: str) -> Elicit[Sure]:
    """Ask a person."""
    return Elicit(f"Wipe {what}?", Sure)


@server.tool(annotations=READS, structured_output=False)
def add(a: int, b: int) -> str:
    """Adds."""
    return str(a + b)


@server.tool(structured_output=False)
async def wipe(what: str, answer: Annotated[Sure, Resolve(sure)]) -> str:
    """Wipes, if a person is sure."""
    return f"{what} {'wiped' if answer.sure else 'left'}"


@server.tool(structured_output=False)
async def hang() -> str:
    """Never answers."""
    await asyncio.Event().wait()
    return ""


@server.tool(structured_output=False)
def die() -> str:
    """Ends its process."""
    os._exit(1)


@server.tool(structured_output=False)
def fail() -> str:
    """Says that it failed."""
    raise ValueError("no such thing")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", type=int)
    parser.add_argument("--without")
    given = parser.parse_args()
    if given.without:
        server.remove_tool(given.without)
    if given.http is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=given.http)
