"""The MCP server over streamable HTTP, as a part of the one HTTP server."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import cast

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from numen.kernel import Unauthorized
from numen.surfaces.desk import Desk
from numen.surfaces.mcp.server import Context, make_server
from numen.surfaces.outlet import passed
from numen.surfaces.verbs import Caller


class MountedMcp:
    """Each request is answered by itself, so a restart loses no session; its caller is the key's."""

    def __init__(self, desk: Desk) -> None:
        self._manager = StreamableHTTPSessionManager(
            make_server(desk, _key_holder),
            json_response=True,
            stateless=True,
            max_request_body_size=desk.app.settings.body_limit,
        )

    def run(self) -> AbstractAsyncContextManager[None]:
        """Open for as long as the server lives."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        await self._manager.asgi_app(scope, receive, send)


async def _key_holder(context: Context) -> Caller:
    """The caller that the guard has found and left in the request."""
    request = cast("Request | None", context.request)
    if request is None:
        raise Unauthorized("The request did not come through the guard.", not_done="Nothing was done.")
    passed(request)  # what a tool says or refuses has passed the threshold of the desk
    return cast("Caller", request.state.caller)
