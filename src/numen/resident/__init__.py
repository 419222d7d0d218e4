"""How the conversation runs: sessions, turns, tools of many servers, receipts, and what is streamed.

`numen.resident.house` puts it together; it is apart because it loads the MCP client.
"""

from numen.resident.histories import History
from numen.resident.means import ASKS, TURNS, Means
from numen.resident.servers import Drift, Servers, ServerSpec, spec_of
from numen.resident.service import Said, Sessions
from numen.resident.stream import Streams, Tail
from numen.resident.types import (
    Agent,
    Called,
    CallState,
    Cursor,
    Ending,
    Habits,
    Input,
    InputState,
    Limits,
    Message,
    Session,
    Spent,
    Streamed,
    StreamKind,
    Tool,
    Turn,
    TurnState,
)

__all__ = [
    "ASKS",
    "TURNS",
    "Agent",
    "CallState",
    "Called",
    "Cursor",
    "Drift",
    "Ending",
    "Habits",
    "History",
    "Input",
    "InputState",
    "Limits",
    "Means",
    "Message",
    "Said",
    "ServerSpec",
    "Servers",
    "Session",
    "Sessions",
    "Spent",
    "StreamKind",
    "Streamed",
    "Streams",
    "Tail",
    "Tool",
    "Turn",
    "TurnState",
    "spec_of",
]
