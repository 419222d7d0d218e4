"""What a call of a tool does. The tool and its target decide, never the words of a task."""

from __future__ import annotations

import os.path
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from numen.gate import places
from numen.gate.commands import read_command
from numen.gate.types import Call, Effect, EffectClass, Finding, Policy
from numen.kernel import Json, canonical_bytes, digest

_BY_CLASS: Mapping[EffectClass, str] = {
    EffectClass.READ: """
    read_file search_files list_files list_dir glob grep web_search web_extract browser_snapshot
    browser_vision browser_get_images browser_console browser_scroll vision_analyze session_search
    skills_list skill_view
    process_list todo_list clarify north seek impact recall cockpit asks_list numen_memory_search
    numen_self_state kanban_show kanban_list protagine_memory_search""",
    EffectClass.INTERNAL: """
    todo memory remember note turn ingest mission forget numen_memory numen_remember
    numen_resolve_commitment kanban_comment kanban_complete kanban_block kanban_heartbeat kanban_create
    kanban_link protagine_resolve_commitment protagine_memory_forget""",
    EffectClass.EXEC: """
    execute_code process process_manage delegate_task delegate skill_manage cronjob cronjob_manage""",
    EffectClass.EXTERNAL: """
    browser_navigate browser_click browser_type browser_press browser_back browser_dialog computer_use
    image_generate text_to_speech""",
    EffectClass.CREDENTIAL: "browser_vault_fill numen_secret protagine_secret",
}
_TOOLS = {name: cls for cls, names in _BY_CLASS.items() for name in names.split()}

_SHELL_TOOLS = frozenset({"terminal", "shell", "bash", "run_command", "run_terminal_cmd", "execute_command"})
_FILE_TOOLS = frozenset({"write_file", "patch", "edit_file", "create_file", "apply_patch", "str_replace"})
_MESSAGE_TOOLS = frozenset({"send_message", "send_email", "send_sms", "notify"})
_READERS = frozenset({"read_file", "search_files"})
_V4A = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_PATHS = ("path", "file_path", "filename", "file", "target_file")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known around a call: who the owner is, to whom it goes, where it may write, what is declared.

    `hints` are the annotations of an MCP server; they count only where `trusted` (mind contract, Gate).
    `taint` names where its arguments come from (see `taint.sources`).
    """

    owner: str | None = None
    recipients: tuple[str, ...] = ()
    workspace: str | None = None
    hints: Mapping[str, bool] = field(default_factory=dict[str, bool])
    taint: tuple[str, ...] = ()
    declared: EffectClass | None = None


def call_digest(call: Call) -> str:
    """What binds a nod to exactly this call (decision 13)."""
    return digest(
        canonical_bytes({"tool": call.tool, "args": call.args, "target": call.target, "source": call.source})
    )


def classify(call: Call, policy: Policy, around: Surroundings) -> Effect:
    """The effect of `call`. Never raises; what is not known is `exec`."""
    findings = tuple(_findings(call, policy, around))
    worst = max(findings, key=lambda one: one.cls.gravity)
    amount, currency = _money(call.args)
    return Effect(
        worst.cls,
        call,
        call_digest(call),
        worst.why,
        worst.target or call.target,
        around.recipients,
        amount if worst.cls is EffectClass.MONEY else None,
        currency if worst.cls is EffectClass.MONEY else None,
        all(one.bounded for one in findings),
        around.taint,
        worst.cls not in {EffectClass.IRREVERSIBLE, EffectClass.MONEY},
    )


def _findings(call: Call, policy: Policy, around: Surroundings) -> Iterator[Finding]:
    """Everything that the call does; at least one."""
    name = _plain_name(call)
    declared = policy.tools.get(call.tool) or policy.tools.get(name)
    if around.declared is not None:
        yield Finding(around.declared, "its caller says so")
    if declared is not None:
        yield Finding(declared, "the owner's settings declare it")
        yield from _message(call, around) if declared is EffectClass.CONTACT_MESSAGE else ()
    elif call.source is not None or call.tool.startswith("mcp__"):
        yield _hinted(call, policy, around)
    elif name in _SHELL_TOOLS:
        command = call.args.get("command", call.args.get("cmd"))
        if isinstance(command, str):
            reading = read_command(command)
            yield reading.worst
            yield from (one for one in reading.findings if not one.bounded)
        else:
            yield Finding(EffectClass.EXEC, "there is no command to read", bounded=False)
    elif name in _FILE_TOOLS:
        yield from _writes(call, around)
    elif name in _MESSAGE_TOOLS:
        yield from _message(call, around)
    elif name in _TOOLS:
        yield from _known(name, call)
    else:
        yield Finding(EffectClass.EXEC, "the tool is not known, and nobody has declared what it does")
    if around.recipients and name not in _MESSAGE_TOOLS:
        yield from _message(call, around)


def _plain_name(call: Call) -> str:
    return call.tool.rpartition(".")[2] if call.source is None else f"{call.source}.{call.tool}"


def _hinted(call: Call, policy: Policy, around: Surroundings) -> Finding:
    """A tool of an MCP server: what its annotations say, of a server that the owner trusts."""
    server = call.source or call.tool.split("__")[1]
    if server not in policy.trusted_servers:
        return Finding(EffectClass.EXEC, "the tool is of a server that is not marked trusted")
    if around.hints.get("readOnlyHint"):
        return Finding(EffectClass.READ, "its server says that it only reads")
    if around.hints.get("destructiveHint"):
        return Finding(EffectClass.IRREVERSIBLE, "its server says that it destroys")
    if around.hints.get("openWorldHint"):
        return Finding(EffectClass.EXTERNAL, "its server says that it reaches outside")
    return Finding(EffectClass.EXEC, "its server does not say what it does")


def _known(name: str, call: Call) -> Iterator[Finding]:
    yield Finding(_TOOLS[name], f"{name} is known", _path(call.args))
    if name in _READERS:
        path = _path(call.args)
        if path is not None and places.is_secret(path):
            yield Finding(EffectClass.CREDENTIAL, "a credential's file", path)
    if name == "execute_code":
        yield Finding(EffectClass.EXEC, "code may do anything", bounded=False)


def _writes(call: Call, around: Surroundings) -> Iterator[Finding]:
    """Files that are written: inside of the workspace it is internal."""
    paths = tuple(written(call))
    if not paths:
        yield Finding(EffectClass.EXEC, "no file is named that it writes", bounded=False)
    for path in paths:
        if places.is_secret(path):
            yield Finding(EffectClass.CREDENTIAL, "a credential's file", path)
        elif around.workspace is not None and is_inside(path, around.workspace):
            yield Finding(EffectClass.INTERNAL, "it writes inside of the workspace", path)
        else:
            yield Finding(EffectClass.EXEC, "it writes a file", path)


def written(call: Call) -> Iterator[str]:
    """The files that a writing call names, those in the headers of a patch included."""
    path = _path(call.args)
    if path is not None:
        yield path
    for value in call.args.values():
        if isinstance(value, str):
            yield from (match.strip() for match in _V4A.findall(value))


def writes_files(call: Call) -> bool:
    """Whether the tool is one that writes files that it names."""
    return _plain_name(call) in _FILE_TOOLS


def is_inside(path: str, folder: str) -> bool:
    """Whether `path` is in `folder`, links followed; a relative one is taken to start there."""
    real = os.path.realpath(os.path.join(folder, os.path.expanduser(path)))
    return os.path.commonpath([real, os.path.realpath(folder)]) == os.path.realpath(folder)


def _message(call: Call, around: Surroundings) -> Iterator[Finding]:
    target = call.target or _text(call.args, "target", "to", "recipient", "recipients")
    if (around.recipients and all(one == around.owner for one in around.recipients)) or (
        not around.recipients and target == "owner"
    ):
        yield Finding(EffectClass.OWNER_MESSAGE, "it goes to the owner", target)
    else:
        yield Finding(EffectClass.CONTACT_MESSAGE, "it goes to someone", target)


def _path(args: Mapping[str, Json]) -> str | None:
    return _text(args, *_PATHS)


def _text(args: Mapping[str, Json], *names: str) -> str | None:
    for name in names:
        value = args.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, Sequence) and not isinstance(value, str) and value:
            return ", ".join(map(str, cast("Sequence[Json]", value)))
    return None


def _money(args: Mapping[str, Json]) -> tuple[int | None, str | None]:
    """The amount in minor units, and the currency, where the arguments say them."""
    given = args.get("amount")
    known = isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given < 10**12
    currency = args.get("currency")
    return round(cast("float", given) * 100) if known else None, currency if isinstance(
        currency, str
    ) else None


def as_bulk(effect: Effect, reached: Collection[str], most: int) -> Effect:
    """`effect` as one of class bulk, where with it more than `most` people are written to by its lineage."""
    people = frozenset(effect.recipients) | frozenset(reached)
    if effect.recipients and len(people) > most and effect.cls.gravity < EffectClass.BULK.gravity:
        return replace(effect, cls=EffectClass.BULK, why=f"{len(people)} people are written to within a day")
    return effect
