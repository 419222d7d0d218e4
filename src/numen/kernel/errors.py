"""The one error tree: every error tells what happened, what was not done, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class NumenError(Exception):
    """Root of every error that Numen raises on purpose.

    `code` is stable and machine-readable; surfaces map it to an HTTP status, a JSON-RPC code and an exit
    code at one place each. The three sentences are for a person: `what` happened, what was `not_done`
    because of it, and the `next_step` that mends it.
    """

    code: ClassVar[str] = "internal"
    http_status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 70

    def __init__(self, what: str, *, not_done: str = "", next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.not_done = not_done
        self.next_step = next_step

    def sentences(self) -> str:
        """The error as one line of text: what, not done, next step; empty parts left out."""
        return " ".join(part for part in (self.what, self.not_done, self.next_step) if part)

    def as_mapping(self) -> Mapping[str, str]:
        """The wire form: `code`, `message`, and `not_done` and `next_step` where they are known."""
        parts = {"code": self.code, "message": self.what}
        if self.not_done:
            parts["not_done"] = self.not_done
        if self.next_step:
            parts["next_step"] = self.next_step
        return parts


class InvalidInput(NumenError):
    """The caller's words or arguments are not of the right form; nothing was done."""

    code = "invalid_input"
    http_status = 422
    exit_code = 2


class NotFound(NumenError):
    """The thing that was named does not exist."""

    code = "not_found"
    http_status = 404
    exit_code = 1


class Forbidden(NumenError):
    """The caller may not do this."""

    code = "forbidden"
    http_status = 403
    exit_code = 1


class Unauthorized(NumenError):
    """The caller did not show a valid key."""

    code = "unauthorized"
    http_status = 401
    exit_code = 1


class Conflict(NumenError):
    """Someone else was first, or the same id came with other content."""

    code = "conflict"
    http_status = 409
    exit_code = 4


class Unavailable(NumenError):
    """Something that is needed is not there now: a full disk, a locked store, a damaged file."""

    code = "unavailable"
    http_status = 503
    exit_code = 1


class StateUnavailable(Unavailable):
    """The id is older than this store, so its state cannot be known here (decision 3)."""

    code = "state_unavailable"


class Interrupted(NumenError):
    """A person stopped the work; what was there before still stands."""

    code = "interrupted"
    http_status = 499
    exit_code = 130
