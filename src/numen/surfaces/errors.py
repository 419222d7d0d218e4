"""What an error looks like from outside: one place for HTTP, one for JSON-RPC, one for the exit code."""

from __future__ import annotations

import errno
import traceback
from typing import ClassVar

from numen.kernel import InvalidInput, Json, NumenError, Unavailable, canonical_bytes

INVALID_PARAMS = -32602
"""JSON-RPC 2.0, section 5.1: invalid method parameters."""

CYCLE_FAILED = -32000
"""A turn that came to no answer (cycle contract, Transport)."""


class Defect(NumenError):
    """Something that Numen did not foresee: a fault of ours, named by its type and place."""

    code: ClassVar[str] = "internal"


class TooLarge(NumenError):
    """The request body is larger than this server reads."""

    code: ClassVar[str] = "too_large"
    http_status: ClassVar[int] = 413
    exit_code: ClassVar[int] = 2


class Misdirected(NumenError):
    """The request names a host or an origin that is not this server: what DNS rebinding looks like."""

    code: ClassVar[str] = "misdirected"
    http_status: ClassVar[int] = 421
    exit_code: ClassVar[int] = 1


def foreseen(error: Exception) -> NumenError:
    """`error` as one that can be shown: itself, or what it means to a person, without a traceback."""
    if isinstance(error, NumenError):
        return error
    if isinstance(error, OSError):
        return _from_machine(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].name}:{frames[-1].lineno}" if frames else ""
    return Defect(
        f"Numen met a fault of its own: {type(error).__name__}{place}.",
        not_done="The call was not answered; nothing is known to be lost.",
        next_step="Please report this line and what you asked for.",
    )


def detail(error: NumenError) -> dict[str, Json]:
    """The one body of an error: the same over HTTP, in an MCP tool result and on `--json` stdout."""
    return {"detail": dict(error.as_mapping())}


def body(error: NumenError) -> bytes:
    """`detail` as canonical JSON."""
    return canonical_bytes(detail(error))


def http_status(error: NumenError) -> int:
    """The status that the error is sent with."""
    return error.http_status


def jsonrpc_code(error: NumenError) -> int | None:
    """The code of a protocol error, or None where the error is a tool's result that the model should read."""
    if error.code == "cycle_failed":
        return CYCLE_FAILED
    return INVALID_PARAMS if isinstance(error, InvalidInput) else None


def exit_code(error: NumenError) -> int:
    """What a command ends with."""
    return error.exit_code


def _from_machine(error: OSError) -> NumenError:
    place = f" ({error.filename})" if isinstance(error.filename, str) else ""
    reason = error.strerror or str(error) or type(error).__name__
    next_step = (
        "Free some space, then try again." if error.errno == errno.ENOSPC else "Mend that, then try again."
    )
    return Unavailable(
        f"The machine refused: {reason}{place}.",
        not_done="The call was not finished; what was there before still stands.",
        next_step=next_step,
    )
