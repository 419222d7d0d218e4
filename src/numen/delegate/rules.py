"""The decisions of a delegation: values in, a value out; no I/O."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from numen.delegate.types import (
    Attempt,
    Ended,
    Expected,
    Failed,
    Fault,
    Gathered,
    How,
    Intent,
    Material,
    Status,
    Usage,
    Worker,
)
from numen.kernel import Json, canonical_bytes, digest, tokens

FLAG = "HERMES_AUTOBOT_DELEGATED"
"""The variable that a delegated process carries (seed, invariant 1)."""

TOKEN = "NUMEN_DELEGATION"
"""The run's id in the same process: what travels with it to every door."""

MATERIAL_CAP = 32 * 1024
"""Bytes of one material that are sent (seed: each capped at 32 KB)."""

DEFAULT_OUTPUT_TOKENS = 4096
"""Tokens that are reserved for an answer whose length is not bounded (ours; settled after the call)."""

PASSED = frozenset(
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME "
    "XDG_RUNTIME_DIR SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE HTTP_PROXY HTTPS_PROXY NO_PROXY "
    "http_proxy https_proxy no_proxy".split()
)
"""What a delegated process may see of our environment, beside `LC_*` and what its backend names."""

LEDGER = ".agents/state/autobot-cost-ledger.jsonl"
"""Where a project keeps its lines (seed)."""

MOST_TRIES = 5
"""Tries of a delegation in the queue (ours: the last comes some seven minutes after the first)."""

FIRST_WAIT = 30
"""Seconds before the second try (ours: a rate limit is mostly counted by the minute)."""

CUT = "\n[... {left} bytes are left out here ...]\n"
"""What stands where the middle of a material was left out."""

CODES = frozenset(
    "nested_delegation_forbidden lock_held duplicate profile_not_found no_key hermes_not_installed "
    "command_not_installed backend_not_installed backend_not_started empty_response output_validation_failed "
    "budget_refused gate_refused material_refused write_refused invalid_intent cancelled "
    "orphaned_process internal".split()
)
"""Reasons that are told by their name alone in the record (contract: Reasons)."""

_NUMBERED = {
    "hermes_timeout": "hermes_timeout",
    "hermes_exit": "hermes_exit",
    "command_exit": "command_exit",
    "model_exit": "model_exit",
    "no_minimax_key": "no_key",
}


def is_nested(environ: Mapping[str, str]) -> bool:
    """Whether this process was started by a delegation."""
    return environ.get(FLAG, "") not in {"", "0"} or bool(environ.get(TOKEN))


def environment(
    ours: Mapping[str, str], keep: Iterable[str], given: Mapping[str, str], run: str
) -> dict[str, str]:
    """What a delegated process sees: the allow-list, what its backend names, and the mark of a delegation."""
    allowed = PASSED | frozenset(keep)
    passed = {name: value for name, value in ours.items() if name in allowed or name.startswith("LC_")}
    return {**passed, **given, FLAG: "1", TOKEN: run}


def intent_hash(intent: Intent, gathered: Gathered) -> str:
    """What makes two delegations the same: the task, what is read, who does it, the form of the answer."""
    contract: dict[str, Json] = {
        "expected": intent.expected,
        "max_chars": intent.max_chars,
        "schema": intent.output_schema,
        "write_to": intent.write_to,
        "separator": intent.separator,
        "max_output_tokens": intent.max_output_tokens,
    }
    said: dict[str, Json] = {
        "intent": intent.intent,
        "project_root": str(intent.project_root),
        "materials": [
            [one.path, one.size, one.sha256, digest(one.text.encode())] for one in gathered.materials
        ],
        "missing": [one.path for one in gathered.missing],
        "workers": [[one.backend, one.model, one.profile] for one in intent.workers],
        "session": intent.session_name,
        "contract": contract,
    }
    return digest(canonical_bytes(said))


def asked_digest(asked: Mapping[str, Json]) -> str:
    """What tells whether a request came with the same content again."""
    return digest(canonical_bytes(asked))


def intent_id(at: datetime, intent_hash: str) -> str:
    """The name of a delegation as autobot forms it: `intent-2026-05-15-191428-a1b2c3`."""
    return f"intent-{at:%Y-%m-%d-%H%M%S}-{intent_hash[:6]}"


def cut(text: str, cap: int) -> str:
    """`text` with its head and tail in at most `cap` bytes and a mark between them; no character is split."""
    data = text.encode("utf-8", "replace")
    if len(data) <= cap:
        return text
    mark = CUT.format(left=len(data) - cap)
    room = max(0, cap - len(mark.encode()))
    head, tail = data[: room - room // 2], data[len(data) - room // 2 :]
    return head.decode("utf-8", "ignore") + mark + tail.decode("utf-8", "ignore")


def fitted(materials: Sequence[Material], budget: int) -> tuple[Material, ...]:
    """The materials in at most `budget` tokens together: the long ones are cut, all to the same length."""
    sizes = sorted(tokens(one.text) for one in materials)
    left, share = budget, budget
    for place, size in enumerate(sizes):
        share = left // (len(sizes) - place)
        if size > share:
            break
        left -= size
    else:
        return tuple(materials)
    return tuple(
        one if tokens(one.text) <= share else replace(one, text=cut(one.text, share * 4)) for one in materials
    )


def after(failed: Failed, workers: Sequence[Worker], tried: int) -> Worker | None:
    """Who is asked next, None where nobody is: another only for want of capacity or of the provider itself.

    Never one that the intent does not name (seed, invariant 3).
    """
    if failed.fault not in {Fault.CAPACITY, Fault.AVAILABILITY} or tried >= len(workers):
        return None
    return workers[tried]


def is_tried_again(failed: Failed, tries: int) -> bool:
    """Whether a delegation of the queue waits for another try; one in the foreground (no tries) does not."""
    return 0 < tries < MOST_TRIES and failed.fault in {Fault.CAPACITY, Fault.AVAILABILITY}


def wait_seconds(tries: int) -> int:
    """How long it waits after that many tries: half a minute, doubled each time."""
    return FIRST_WAIT * 2 ** max(0, tries - 1)


def of_ended(ended: Ended, timeout: int) -> Failed | None:
    """Why a process that was ended gave no answer, None for one that ended by itself."""
    match ended.how:
        case How.EXITED:
            return None
        case How.DEADLINE | How.IDLE:
            return Failed(f"hermes_timeout_{timeout}s", Fault.STOPPED)
        case How.CANCELLED:
            return Failed("cancelled", Fault.STOPPED)
        case How.TOO_LARGE:
            return Failed("output_validation_failed:too_large", Fault.OUTPUT)
        case How.NOT_STARTED:
            return Failed("backend_not_installed", Fault.AVAILABILITY)
        case How.LOST:
            return Failed("orphaned_process", Fault.STOPPED)


def without_fence(text: str, expected: Expected) -> str:
    """An answer that is one fence as a whole, without the fence; other answers as they are, ends trimmed."""
    said = text.removeprefix("\ufeff").strip()
    match = re.fullmatch(r"(`{3,}|~{3,})(\w*)\n(.*)\n\1", said, re.DOTALL)
    if match is None or match[1] in match[3]:
        return said
    named = {Expected.MARKDOWN: {"markdown", "md"}, Expected.PLAIN: {"", "text", "txt", "plain"}}
    return match[3].strip() if match[2].lower() in named.get(expected, set()) else said


def usage_of(prompt: str, reply: str, told: Usage | None) -> Usage:
    """What a call used: as its backend told it, else estimated."""
    return Usage(tokens(prompt), tokens(reply)) if told is None else told


def estimated(text: str) -> int:
    """Tokens of `text` as budgets count them (decision 6)."""
    return tokens(text)


def quoted(answer: str) -> str:
    """An answer as it goes into a repair round: its beginning and its end."""
    return cut(answer, MATERIAL_CAP)


def total(attempts: Sequence[Attempt]) -> Usage:
    """What all attempts used together."""
    used = [one.usage for one in attempts if one.usage is not None]
    if not used:
        return Usage(0, 0)
    whole = used[0]
    for one in used[1:]:
        whole = whole + one
    return whole


def code_of(reason: str | None) -> str:
    """The part of a reason that the record may hold: its name, without what follows it."""
    if reason is None:
        return "ok"
    name = reason.partition(":")[0]
    if name in CODES:
        return name
    return next((code for known, code in _NUMBERED.items() if name.startswith(known)), "other")


def exit_code(status: Status, reason: str | None) -> int:
    """What `numen delegate` ends with (contract: Exit)."""
    if status is Status.OK:
        return 0
    return {"invalid_intent": 2, "budget_refused": 3, "lock_held": 4, "duplicate": 4, "internal": 70}.get(
        code_of(reason), 1
    )


def brief(words: str, most: int = 300) -> str:
    """`words` on one line, cut: what a reason may say."""
    line = " ".join(words.split())
    return line if len(line) <= most else line[: most - 1] + "…"
