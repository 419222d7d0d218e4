"""What is handed over, what comes back, and what lies between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from numen.kernel import Conflict, Forbidden, InvalidInput, Json


class Status(StrEnum):
    """Whether an answer came (seed: result envelope)."""

    OK = "ok"
    DEGRADED = "degraded"


class State(StrEnum):
    """Where a delegation stands."""

    QUEUED = "queued"
    RUNNING = "running"
    SETTLED = "settled"


class Expected(StrEnum):
    """The form that the answer is to have (seed: `payload.expected_output`)."""

    MARKDOWN = "markdown"
    JSON = "json"
    PLAIN = "plain"


class BackendName(StrEnum):
    """Who does the work."""

    HERMES = "hermes"
    COMMAND = "command"
    OPENAI = "openai"
    LOCAL = "local"
    FAKE = "fake"


class Source(StrEnum):
    """Where the counts of tokens come from."""

    REPORTED = "reported"
    COUNTED = "counted"
    ESTIMATED = "estimated"


class Step(StrEnum):
    """What a delegation has passed; a process may end after any of them, and nothing is lost."""

    READ = "read"
    HASHED = "hashed"
    LOCKED = "locked"
    RESERVED = "reserved"
    PREPARED = "prepared"
    SPAWNED = "spawned"
    REPLIED = "replied"
    CHECKED = "checked"
    PLANNED = "planned"
    WRITTEN = "written"
    LINED = "lined"
    ENVELOPED = "enveloped"


@dataclass(frozen=True, slots=True)
class Worker:
    """Who is to do it: a backend, its model, and the profile where it has profiles."""

    backend: BackendName
    model: str
    profile: str


@dataclass(frozen=True, slots=True)
class Reuse:
    """Whether another's answer to the same intent serves: one that is being made, or one not too old."""

    inflight: bool = False
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Intent:
    """A bounded task, as a host hands it over, every field checked. Money is in millionths of a dollar."""

    intent: str
    project_root: Path
    target_paths: tuple[str, ...] = ()
    worker: Worker = Worker(BackendName.HERMES, "MiniMax-M3", "cstar-hub")
    expected: Expected = Expected.MARKDOWN
    max_chars: int = 4000
    session_name: str | None = None
    write_to: str | None = None
    separator: str | None = None
    if_sha256: str | None = None
    tags: tuple[str, ...] = ()
    timeout_seconds: int = 300
    idle_seconds: int | None = None
    output_schema: Mapping[str, Json] | None = None
    max_output_tokens: int | None = None
    budget_micros: int | None = None
    request_id: str | None = None
    reuse: Reuse = Reuse()
    fallback: tuple[Worker, ...] = ()
    tree: str | None = None
    priority: int = 0

    @property
    def workers(self) -> tuple[Worker, ...]:
        """Those who may do it, in order."""
        return (self.worker, *self.fallback)


@dataclass(frozen=True, slots=True)
class Material:
    """A file as it goes into the prompt: what it holds after sealing and cutting, and what it was."""

    path: str
    sha256: str | None
    size: int
    text: str = field(repr=False)
    redactions: int = 0

    def as_json(self) -> Mapping[str, Json]:
        """As an envelope tells it."""
        return {
            "path": self.path,
            "sha256": self.sha256,
            "bytes": self.size,
            "sent_bytes": len(self.text.encode("utf-8", "replace")),
            "redactions": self.redactions,
        }


@dataclass(frozen=True, slots=True)
class Missing:
    """A material that does not go into the prompt, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """What came of the target paths."""

    materials: tuple[Material, ...] = ()
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, and where the counts come from."""

    input: int
    output: int
    cached: int = 0
    source: Source = Source.ESTIMATED

    def as_json(self) -> Mapping[str, Json]:
        """As an envelope tells it."""
        return {
            "input": self.input,
            "output": self.output,
            "cached": self.cached,
            "source": self.source,
        }

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.source if self.source is other.source else Source.ESTIMATED,
        )


class How(StrEnum):
    """How a process came to its end."""

    EXITED = "exited"
    DEADLINE = "deadline"
    IDLE = "idle"
    CANCELLED = "cancelled"
    TOO_LARGE = "too_large"
    NOT_STARTED = "not_started"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process tree ended. `exit` is the first process's, below 0 a signal; `left` outlived it all."""

    how: How
    exit: int | None
    millis: int
    left: int = 0
    why: str = ""


class Fault(StrEnum):
    """Why an attempt failed, as far as it decides what is done next."""

    CAPACITY = "capacity"
    AVAILABILITY = "availability"
    REQUEST = "request"
    OUTPUT = "output"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Failed:
    """An attempt without an answer: the envelope's reason, and of which kind it is."""

    reason: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Reply:
    """What a backend gave. `usage` is None where it does not tell."""

    text: str = field(repr=False)
    usage: Usage | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One attempt: who does it, where its files are, and until when. `prompt` is also in `prompt_file`."""

    worker: Worker
    prompt: str = field(repr=False)
    prompt_file: Path
    folder: Path
    project_root: Path
    seconds: float
    max_output_tokens: int | None = None
    session_name: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A process to be run: `stdin` is a file or nothing, `keep` names variables that it may see beyond the
    allow-list, `set` gives others."""

    argv: tuple[str, ...]
    stdin: Path | None = None
    keep: tuple[str, ...] = ()
    set: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: Path | None = None


class Backend(Protocol):
    """A way to have work done: one process, started, bounded and ended by the runner."""

    def refusal(self, worker: Worker) -> Failed | None:
        """Why this worker cannot do anything now, None where nothing is known against it."""
        ...

    def command(self, job: Job) -> Command:
        """The process that does the job."""
        ...

    def read(self, job: Job, ended: Ended, stdout: bytes, stderr: bytes) -> Reply | Failed:
        """What the process said, or why it failed; called only for one that ended by itself."""
        ...


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of a backend, as an envelope tells it."""

    worker: Worker
    kind: str
    reason: str | None
    millis: int
    exit: int | None
    usage: Usage | None = None
    ran: bool = False
    """Whether something was reserved for it, and it was started."""

    def as_json(self) -> Mapping[str, Json]:
        """As an envelope tells it."""
        return {
            "backend": self.worker.backend,
            "model": self.worker.model,
            "kind": self.kind,
            "reason": self.reason,
            "duration_ms": self.millis,
            "exit": self.exit,
            "usage": None if self.usage is None else self.usage.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Caps:
    """What delegations may cost; None is no limit. Money is in millionths of a dollar, days are of UTC."""

    call_micros: int | None = None
    day_micros: int | None = None
    tag_micros: Mapping[str, int] = field(default_factory=dict[str, int])
    tree_micros: int | None = None
    day_calls: int | None = None
    day_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Habits:
    """What the owner's settings say of delegating. `roots` may be read, `write_roots` written."""

    caps: Caps = Caps()
    roots: tuple[Path, ...] = ()
    write_roots: tuple[Path, ...] = ()
    hermes_home: Path = Path("~/.hermes")
    material_tokens: int = 200_000


class InvalidIntent(InvalidInput):
    """The intent cannot be carried out as it stands; nothing was spent."""

    code = "invalid_intent"


class LockHeld(Conflict):
    """The same intent is being worked on."""

    code = "lock_held"


class BudgetRefused(Forbidden):
    """A budget has no room for the call; nothing was spent."""

    code = "budget_refused"
    http_status = 402
    exit_code = 3


class Nested(Forbidden):
    """A delegated task may not delegate (seed, invariant 1)."""

    code = "nested_delegation_forbidden"
