"""The MCP server: tools made from the verb table, both protocol generations, nothing kept between calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias, cast

import mcp_types as wire
from anyio import from_thread
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult

from numen import __version__
from numen.kernel import InvalidInput, Json, NumenError, canonical_bytes
from numen.surfaces.desk import Caller, Desk
from numen.surfaces.errors import foreseen, jsonrpc_code
from numen.surfaces.verbs import VERBS, AnyVerb, lookup

Context: TypeAlias = "ServerRequestContext[dict[str, object], object]"
WhoCalls: TypeAlias = "Callable[[Context], Awaitable[Caller]]"

INSTRUCTIONS = " ".join(
    (
        "Call `north` with your task before you touch a repository: it says whether it is the right one,",
        "whether the index is fresh, where to start, what is known, what is not, and what to do next.",
        "Obey its `verdict` and `next_move`.",
        "`seek` finds code by words; `impact` shows who depends on a symbol, before you change it;",
        "Say in `working_set` which paths you will change: whoever works there as well is told, as you are.",
        "Work that waits for a person goes to `mission`: post merge_wait with its gate.",
        "`ingest` builds or refreshes the index when `needs` or a gap asks for it.",
        "Show the person `human_view.lines` as they are, and never the same `state_sig` twice in a session.",
        "Call `north` again when the task changes or the code has moved.",
    )
)
"""What an agent is taught when it connects (north contract, "The card")."""


def make_server(desk: Desk, who_calls: WhoCalls) -> Server[dict[str, object]]:
    """A server whose tools are the verbs of the table that are for MCP, in the table's order.

    Bad arguments and unknown tools are the protocol error -32602; every other refusal is a tool result
    with `isError` and the same body as over HTTP, so that the model reads it.
    """

    async def list_tools(
        context: Context, params: wire.PaginatedRequestParams | None
    ) -> wire.ListToolsResult:
        del context, params
        return wire.ListToolsResult(tools=[_tool(verb) for verb in VERBS if verb.mcp and desk.serves(verb)])

    async def call_tool(context: Context, params: wire.CallToolRequestParams) -> wire.CallToolResult:
        try:
            _check_listed(params.name)
            caller = await who_calls(context)
            if lookup(params.name).steps:
                caller = replace(caller, step=partial(_step, context))
            data = await desk.answer_soon(params.name, params.arguments or {}, caller)
        except MCPError:
            raise
        except Exception as error:  # noqa: BLE001 - the edge: every fault becomes words, none a traceback
            return await desk.soon(partial(_refused, desk, foreseen(error)))
        return wire.CallToolResult(content=[wire.TextContent(text=data.decode("utf-8"))])

    async def cleaned(ctx: Context, call_next: CallNext) -> HandlerResult:
        """The protocol's own errors repeat what they were asked: a method that is none, for one."""
        try:
            return await call_next(ctx)
        except MCPError as error:
            said: dict[str, Json] = {"message": error.message, "data": cast("Json", error.data)}
            clean = await desk.soon(partial(desk.threshold.clean_json, said))
            fields = cast("dict[str, Json]", clean)
            raise MCPError(error.code, str(fields["message"]), fields["data"]) from None

    server = Server(
        "numen",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(cleaned)
    return server


def _step(context: Context, done: int, total: int, name: str) -> None:
    """Tell a client that asked of a step, from the thread that takes it; end where it was cancelled."""
    from_thread.check_cancelled()
    from_thread.run(context.session.report_progress, done, total, name)


def _check_listed(name: str) -> None:
    """Raise `InvalidInput` for a tool that is not listed, though another door may have it."""
    if not lookup(name).mcp:
        raise InvalidInput(
            f"There is no tool `{name}`.",
            not_done="Nothing was done.",
            next_step="The tools are: " + ", ".join(verb.name for verb in VERBS if verb.mcp) + ".",
        )


def _tool(verb: AnyVerb) -> wire.Tool:
    hint = wire.ToolAnnotations(read_only_hint=True) if verb.read_only else None
    return wire.Tool(
        name=verb.name, description=verb.summary, input_schema=dict(verb.schema()), annotations=hint
    )


def _refused(desk: Desk, error: NumenError) -> wire.CallToolResult:
    code = jsonrpc_code(error)
    said = desk.threshold.detail(error)
    if code is not None:
        raise MCPError(code=code, message=desk.threshold.clean(error.sentences()), data=said["detail"])
    return wire.CallToolResult(
        content=[wire.TextContent(text=canonical_bytes(said).decode("utf-8"))], is_error=True
    )
