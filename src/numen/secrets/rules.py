"""Whose value it is, how a reference looks, and whether a value may be used: values in, a verdict out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, cast

from numen.kernel import Json, Scope, canonical_bytes, digest
from numen.people.rules import STRANGER, is_anonymous
from numen.secrets.disguise import SHORT
from numen.secrets.types import (
    Demand,
    Find,
    Finding,
    Outgoing,
    Purpose,
    Reference,
    Sealed,
    Span,
    State,
    ToolCall,
)

OWNER = "owner"
"""Whose the owner's values are, whatever contact id the owner has."""

HANDLE = "handle:"
"""How the name of someone begins of whom only a handle is known (wire contract, 1.6)."""

REFERENCE = re.compile(r"\[secret (S-[A-Z2-7]{8}): ([A-Za-z0-9 _.@+-]{1,60})\]")
"""A reference in words (secrets contract, Reference)."""

REF = re.compile(r"S-[A-Z2-7]{8}")
"""The part of a reference that names the value."""

WITHHELD = "[secret withheld: the vault was unavailable; send it again]"
"""What stands for a value that could not be sealed."""

HIDDEN = "[secret withheld: it is not needed here]"
"""What stands for a value where words are only read: nothing is kept of them, so nothing is sealed."""

VARIABLE = "NUMEN_SECRET_"
"""How the environment variable of a value begins; the eight characters of its reference follow."""

FRESH = timedelta(minutes=30)
"""How long the owner's latest message stands behind a use (secrets contract, Resolve)."""

MOST_REFS = 32
"""References in one demand (wire contract, 1.6)."""

LONGEST_LABEL = 60
"""Characters of a label (secrets contract, Reference)."""

PROGRAMS: Mapping[str, str] = {"terminal": "command", "execute_code": "code"}
"""Tools that run a program, and the argument that holds it: no value ever goes there."""

INPUTS: Mapping[str, str] = {"process": "data", "process_manage": "data"}
"""Tools that type into a waiting process, and the argument that is the whole of what is typed."""

WORDS = frozenset({"message", "text", "content", "body", "caption", "comment", "new_string", "patch"})
"""Arguments that are the words of a message or of a write: a value may stand in them as text."""

_NOT_IN_LABEL = re.compile(r"[^A-Za-z0-9 _.@+-]+")
_LABEL_OF_LAST_RESORT = "secret"
_TYPED = frozenset({"write", "submit"})

NOT_OWNER = "Sealed values are used only for their owner, in the owner's own chat."
UNKNOWN = "There is no such reference."
NOT_HIS = "It is another person's value, which is never used."
GONE = "The value was forgotten."
NO_MESSAGE = "There is no such message to be sent."
NOT_DICTATED = "It goes only to the owner, or where the owner dictated it."
NO_CALL = "The call that it is wanted for was not shown."
NO_ASK = "The owner has to say the value again in this chat: there is nobody here who could ask."


class Outcome(StrEnum):
    """What happens to a reference of a demand."""

    GIVE = "give"
    REFUSE = "refuse"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome, and why it is not given."""

    outcome: Outcome
    why: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What counts about a value when it is wanted: whose it is, when and where the owner last said it."""

    whose: str
    state: State
    said_at: datetime | None
    said_in: str | None


@dataclass(frozen=True, slots=True)
class Moment:
    """When and for whom something is wanted: `chat` names the room, None where none was named."""

    now: datetime
    by_owner: bool
    chat: str | None
    outgoing: Outgoing | None = None


_GIVE = Verdict(Outcome.GIVE)


def whose(scope: Scope) -> str:
    """Whose a value said in `scope` is; a stranger's is a trusted caller's name for them, or the room's.

    Never holds NUL, so `whose NUL value` has one meaning.
    """
    if scope.is_owner:
        return OWNER
    if scope.viewer != STRANGER:
        return scope.viewer
    named = scope.room.uid
    if not named or not named.isprintable():
        return f"room:{scope.room.digest()}"
    return named if named.startswith(HANDLE) else f"named:{named}"


def chat_of(scope: Scope) -> str | None:
    """The name of the chat of a call, None where it named none."""
    return None if is_anonymous(scope.room) else scope.room.digest()


def label_of(label: str, value: str, is_secret: Callable[[str], bool]) -> str:
    """`label` as a reference may carry it: its characters, its length, and nothing of the value in it."""
    clean = " ".join(_NOT_IN_LABEL.sub(" ", label).split())[:LONGEST_LABEL].strip()
    written = str(Reference("S-AAAAAAAA", clean or _LABEL_OF_LAST_RESORT))
    if not clean or value.casefold() in clean.casefold() or is_secret(clean) or is_secret(written):
        return _LABEL_OF_LAST_RESORT
    return clean


def apart(found: Iterable[Finding]) -> list[Finding]:
    """The findings in text order; of two that overlap the earlier one, then the longer one."""
    kept: list[Finding] = []
    reached = 0
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if reached <= one.start < one.end:
            kept.append(one)
            reached = one.end
    return kept


def spliced(text: str, spans: Sequence[Span], stands: Sequence[Reference | None]) -> Sealed:
    """`text` with a reference in place of each span; None leaves the span as it is, as released."""
    parts: list[str] = []
    released: list[Span] = []
    reached = size = 0
    for (start, end), reference in zip(spans, stands, strict=True):
        new = text[start:end] if reference is None else str(reference)
        size += start - reached
        if reference is None:
            released.append((size, size + len(new)))
        size += len(new)
        parts += [text[reached:start], new]
        reached = end
    references = tuple(dict.fromkeys(one for one in stands if one is not None))
    return Sealed("".join((*parts, text[reached:])), references, tuple(released))


class Known(NamedTuple):
    """A value that was said before, of which kind, and its label."""

    value: str
    kind: str
    label: str


class Repeated(NamedTuple):
    """A `Finding` of a value that was said before."""

    start: int
    end: int
    kind: str
    label: str


def repeated(text: str, known: Iterable[Known]) -> list[Finding]:
    """Where values that were said before stand in `text` by themselves: those that no common word can be."""
    found: list[Finding] = []
    for value, kind, label in known:
        place = text.find(value) if len(value) >= SHORT and not value.isalpha() else -1
        while place >= 0:
            end = place + len(value)
            if not (text[place - 1 : place].isalnum() or text[end : end + 1].isalnum()):
                found.append(Repeated(place, end, kind, label))
            place = text.find(value, end)
    return found


def told(text: str, found: Iterable[Finding]) -> list[Known]:
    """What the findings in `text` make known: it is looked for wherever else it stands."""
    return [Known(text[one.start : one.end], one.kind, one.label) for one in found]


def beside(found: Iterable[Finding], released: Sequence[Span]) -> list[Finding]:
    """The findings, as `apart`, that touch no released value."""
    return [
        one for one in apart(found) if all(one.end <= start or end <= one.start for start, end in released)
    ]


def withheld(text: str, find: Find, why: str) -> Sealed:
    """`text` without its values, where they could not be sealed."""
    clean, count = _without(text, find, WITHHELD)
    return Sealed(clean, withheld=count, why=why)


def hidden(value: Json, find: Find) -> Json:
    """`value` without what `find` finds in the texts of it: for words that are read and not kept."""
    return changed(value, lambda text: _without(text, find, HIDDEN)[0])


def changed(value: Json, change: Callable[[str], str]) -> Json:
    """`value` with each text in it changed, names of fields included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Json]", value)
        return {change(name): changed(part, change) for name, part in fields.items()}
    if isinstance(value, Sequence):
        return [changed(part, change) for part in value]
    return value


def judge(ref: str, standing: Standing | None, demand: Demand, moment: Moment) -> Verdict:
    """Whether the value of `ref` is given (secrets contract, Resolve). Whatever is not allowed is refused."""
    if demand.purpose is Purpose.SEND:
        return _judge_sending(ref, standing, moment)
    if not moment.by_owner:
        return _refused(NOT_OWNER)
    refusal = _not_his(standing)
    if refusal is not None or standing is None:
        return refusal or _refused(UNKNOWN)
    if demand.purpose is not Purpose.FILL:
        return _GIVE
    if demand.call is None:
        return _refused(NO_CALL)
    held = held_by(demand.call, ref)
    if held is not None:
        return _refused(held)
    if ref in demand.own_refs and is_fresh(standing, moment):
        return _GIVE
    return Verdict(Outcome.ASK)


def is_fresh(standing: Standing, moment: Moment) -> bool:
    """Whether the owner said the value within `FRESH`, in this chat where it is known in which he said it.

    A clock that went back makes it not fresh: it is unknown then when it was said.
    """
    if standing.said_at is None or not timedelta() <= moment.now - standing.said_at <= FRESH:
        return False
    return standing.said_in is None or standing.said_in == moment.chat


def held_by(call: ToolCall, ref: str) -> str | None:
    """Why the value of `ref` cannot go into `call`, None if it can.

    As text it goes into words that a person reads or a file holds, and into a waiting process as the whole of
    its input. A command or code is never read for what it does: it names the variable, or the call waits.
    """
    written = [name for name, value in call.arguments.items() if ref in refs_in(value)]
    program = PROGRAMS.get(call.tool)
    if program is not None:
        if written:
            return f"A value never goes into a command or code: write ${variable(ref)} in its place."
        return (
            None if _names(call.arguments.get(program), ref) else f"The call does not name ${variable(ref)}."
        )
    if not written:
        return "The call does not hold the reference."
    whole = INPUTS.get(call.tool)
    if whole is not None:
        text = call.arguments.get(whole)
        match = REFERENCE.fullmatch(text) if isinstance(text, str) else None
        alone = written == [whole] and match is not None and match[1] == ref
        if alone and call.arguments.get("action") in _TYPED:
            return None
        return f"A waiting process takes a value only as its whole input, in {whole}."
    misplaced = [name for name in written if name not in WORDS]
    return f"{misplaced[0]} is not where a value goes in {call.tool}." if misplaced else None


def refs_in(value: Json) -> list[str]:
    """The references that stand anywhere in `value`, each once, in order."""
    found: dict[str, None] = {}
    for text in _texts(value):
        found.update((match[1], None) for match in REFERENCE.finditer(text))
    return list(found)


def named_in(texts: Iterable[str]) -> list[str]:
    """The references whose variables stand in `texts`, each once, in order."""
    pattern = re.compile(VARIABLE + r"([A-Z2-7]{8})(?![A-Z2-7])")
    return list(dict.fromkeys(f"S-{match[1]}" for text in texts for match in pattern.finditer(text)))


def variable(ref: str) -> str:
    """The environment variable that holds the value of `ref`."""
    return VARIABLE + ref.removeprefix("S-")


def call_digest(call: ToolCall) -> str:
    """What a yes is bound to: SHA-256 of the complete call, with references in it (decision 13)."""
    return digest(canonical_bytes({"tool": call.tool, "args": call.arguments, "target": call.target}))


def question(label: str, ref: str, call: ToolCall) -> str:
    """What the owner is asked: which value, and the destination in full."""
    into = call.target or canonical_bytes(call.arguments).decode()
    return f"Use {Reference(ref, label)} in {call.tool}: {into}?"


def _without(text: str, find: Find, stands: str) -> tuple[str, int]:
    """`text` with `stands` for each value, until no value shows, and for how many it stands."""
    count = 0
    known: list[Known] = []
    while found := apart([*find(text), *repeated(text, known)]):
        known += told(text, found)
        parts: list[str] = []
        reached = 0
        for one in found:
            parts += [text[reached : one.start], stands]
            reached = one.end
        text = "".join((*parts, text[reached:]))
        count += len(found)
    return text, count


def _judge_sending(ref: str, standing: Standing | None, moment: Moment) -> Verdict:
    if not moment.by_owner:
        return _refused(NOT_OWNER)
    if moment.outgoing is None:
        return _refused(NO_MESSAGE)
    refusal = _not_his(standing)
    if refusal is not None:
        return refusal
    return _GIVE if moment.outgoing.to_owner or ref in moment.outgoing.dictated else _refused(NOT_DICTATED)


def _not_his(standing: Standing | None) -> Verdict | None:
    if standing is None:
        return _refused(UNKNOWN)
    if standing.whose != OWNER:
        return _refused(NOT_HIS)
    return _refused(GONE) if standing.state is State.FORGOTTEN else None


def _refused(why: str) -> Verdict:
    return Verdict(Outcome.REFUSE, why)


def _names(program: Json, ref: str) -> bool:
    """Whether a program names the variable of `ref`, under the prefix of whichever client runs it."""
    name = re.compile(rf"(?<![A-Z0-9_])[A-Z]+_SECRET_{ref.removeprefix('S-')}(?![A-Z2-7])")
    return isinstance(program, str) and name.search(program) is not None


def _texts(value: Json) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in cast("Mapping[str, Json]", value).items():
            yield key
            yield from _texts(part)
    elif isinstance(value, Sequence):
        for part in value:
            yield from _texts(part)
