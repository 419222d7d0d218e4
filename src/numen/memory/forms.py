"""The two forms in which memory travels: a JSON object a line, and Markdown with front matter. Pure."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias, TypeVar, cast

import yaml

from numen.kernel import Audience, InvalidInput, Json, from_iso, iso
from numen.memory.types import (
    Claim,
    ClaimState,
    ClaimTier,
    Commitment,
    CommitmentState,
    Confidence,
    Debtor,
    Due,
    Evidence,
    EvidenceKind,
    Origin,
    Resolution,
    Role,
    Turn,
)
from numen.memory.views import Certainty, Opinion, OpinionState, Premise, PremiseKind

Kept: TypeAlias = "Turn | Claim | Commitment | Opinion"
"""A row that travels."""

LONGEST_NAME = 60
"""Characters of a file's name that are taken from its title (ours)."""

E = TypeVar("E", bound=StrEnum)

_UNSAFE = re.compile(r"[^\w-]+")


def as_json(one: Kept) -> dict[str, Json]:
    """A row as it travels; its ids and times stay as they are."""
    match one:
        case Turn():
            body: dict[str, Json] = {
                "kind": "turn",
                "source": one.source,
                "part": one.part,
                "session": one.session,
                "position": one.position,
                "room": one.room,
                "role": one.role,
                "origin": one.origin,
                "speaker": one.speaker,
                "audience": one.audience,
                "text": one.text,
                "model": one.model,
                "occurred_at": iso(one.occurred_at),
                "recorded_at": iso(one.recorded_at),
            }
        case Claim():
            body = {"kind": "claim", "text": one.text, **_matter(one)}
        case Commitment():
            body = {
                "kind": "commitment",
                "what": one.what,
                "who": one.who,
                "to_whom": one.to_whom,
                "due_at": None if one.due_at is None else iso(one.due_at),
                "precision": one.precision,
                "timezone": one.timezone,
                "state": one.state,
                "outcome": one.outcome,
                "reason": one.reason,
                "resolved_by": one.resolved_by,
                "snoozed": one.snoozed,
                "turn": one.turn,
                "made_at": iso(one.made_at),
                "changed_at": iso(one.changed_at),
            }
        case Opinion():
            return {"kind": "opinion", **one.as_json()}
    return {"id": one.id, "whose": one.whose, **body}


def read_jsonl(text: str) -> list[Kept]:
    """The rows of an export. Raises `InvalidInput` naming the line that is none."""
    rows: list[Kept] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            given = cast("object", json.loads(line))
            if not isinstance(given, dict):
                raise _refused(f"Line {number} is no row of an export.")
            rows.append(_row(_Fields(cast("Mapping[str, object]", given))))
        except (ValueError, RecursionError, KeyError) as error:
            raise _refused(f"Line {number} is no row of an export: {type(error).__name__}.") from None
    return rows


def markdown(group: Sequence[Claim]) -> str:
    """Claims of one subject as a file: front matter of what a sentence does not say, then the words."""
    title = " ".join(group[0].subject.split()) or "Notes"
    parts = [f"# {title}\n"]
    for claim in group:
        said = {"id": claim.id, "whose": claim.whose, **_matter(claim)}
        matter = yaml.safe_dump(said, allow_unicode=True, sort_keys=False)
        parts.append(f"---\n{matter}---\n{_escaped(claim.text)}\n")
    return "\n".join(parts)


def read_markdown(text: str) -> list[Kept]:
    """The claims of such a file, words that a person mended included. Raises `InvalidInput`."""
    rows: list[Kept] = []
    rest = f"\n{text}".replace("\r\n", "\n").partition("\n---\n")[2]
    while rest:
        matter, found, after = rest.partition("\n---\n")
        words, _, rest = after.partition("\n---\n")
        try:
            given = cast("object", yaml.safe_load(matter))
        except yaml.YAMLError:
            given = None
        if not found or not isinstance(given, dict):
            raise _refused("The file holds front matter that cannot be read.")
        fields = {**cast("dict[str, object]", given), "text": _plain(words.strip("\n")), "kind": "claim"}
        try:
            rows.append(_row(_Fields(fields)))
        except (ValueError, KeyError) as error:
            raise _refused(f"The file holds a claim that cannot be read: {error}.") from None
    return rows


def file_names(titles: Sequence[str]) -> list[str]:
    """A file's name for each title: letters of any script stay, and two titles never share one."""
    names: list[str] = []
    taken: set[str] = set()
    for title in titles:
        base = _UNSAFE.sub("-", unicodedata.normalize("NFC", title)).strip("-_")[:LONGEST_NAME] or "notes"
        name, n = base, 1
        while name.casefold() in taken:
            n += 1
            name = f"{base}-{n}"
        taken.add(name.casefold())
        names.append(f"{name}.md")
    return names


class _Fields:
    """A row's fields, each of the type that it has to have; raises `KeyError` and `ValueError`."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self._given = given

    def text(self, name: str) -> str:
        value = self._given[name]
        if not isinstance(value, str):
            raise ValueError(name)
        return value

    def maybe(self, name: str) -> str | None:
        return None if self._given.get(name) is None else self.text(name)

    def number(self, name: str) -> int:
        value = self._given[name]
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ValueError(name)
        return value

    def maybe_number(self, name: str) -> int | None:
        return None if self._given.get(name) is None else self.number(name)

    def flag(self, name: str) -> bool:
        value = self._given.get(name, False)
        if not isinstance(value, bool):
            raise ValueError(name)
        return value

    def at(self, name: str) -> datetime:
        return from_iso(self.text(name))

    def maybe_at(self, name: str) -> datetime | None:
        return None if self._given.get(name) is None else self.at(name)

    def one(self, name: str, of: Callable[[str], E]) -> E:
        return of(self.text(name))

    def maybe_one(self, name: str, of: Callable[[str], E]) -> E | None:
        return None if self._given.get(name) is None else self.one(name, of)

    def many(self, name: str) -> Iterable[_Fields]:
        value = self._given.get(name, [])
        if not isinstance(value, list):
            raise ValueError(name)
        for one in cast("list[object]", value):
            if not isinstance(one, dict):
                raise ValueError(name)
            yield _Fields(cast("Mapping[str, object]", one))


def _row(given: _Fields) -> Kept:
    match given.text("kind"):
        case "turn":
            return _turn(given)
        case "claim":
            return _claim(given)
        case "commitment":
            return _commitment(given)
        case "opinion":
            return _opinion(given)
        case _:
            raise ValueError("kind")


def _turn(given: _Fields) -> Turn:
    return Turn(
        given.text("id"),
        given.text("whose"),
        given.text("source"),
        given.number("part"),
        "",
        given.text("session"),
        given.number("position"),
        given.text("room"),
        given.one("role", Role),
        given.one("origin", Origin),
        given.text("speaker"),
        given.one("audience", Audience),
        given.text("text"),
        given.maybe("model"),
        given.at("occurred_at"),
        given.at("recorded_at"),
    )


def _claim(given: _Fields) -> Claim:
    return Claim(
        given.text("id"),
        given.text("whose"),
        given.one("audience", Audience),
        given.text("text"),
        given.text("subject"),
        given.text("predicate"),
        given.text("value"),
        given.one("confidence", Confidence),
        given.one("state", ClaimState),
        given.one("tier", ClaimTier),
        given.text("brain"),
        given.text("author"),
        given.flag("taint"),
        given.flag("pinned"),
        given.at("created"),
        given.maybe_at("valid_from"),
        given.maybe_at("valid_to"),
        tuple(
            Evidence(
                one.one("kind", EvidenceKind),
                one.text("ref"),
                one.maybe("root") or "",
                one.maybe("digest") or "",
                one.maybe_at("at"),
            )
            for one in given.many("evidence")
        ),
    )


def _commitment(given: _Fields) -> Commitment:
    return Commitment(
        given.text("id"),
        given.text("whose"),
        given.text("what"),
        given.one("who", Debtor),
        given.text("to_whom"),
        given.maybe_at("due_at"),
        given.maybe_one("precision", Due),
        given.text("timezone"),
        given.one("state", CommitmentState),
        given.maybe_one("outcome", Resolution),
        given.text("reason"),
        given.maybe("resolved_by"),
        given.number("snoozed"),
        given.maybe("turn"),
        given.at("made_at"),
        given.at("changed_at"),
    )


def _opinion(given: _Fields) -> Opinion:
    return Opinion(
        given.number("number"),
        given.text("subject"),
        given.text("stance"),
        given.one("certainty", Certainty),
        tuple(
            Premise(one.one("kind", PremiseKind), one.text("ref"), one.text("text"))
            for one in given.many("premises")
        ),
        given.text("revise_if"),
        given.one("audience", Audience),
        given.one("state", OpinionState),
        given.maybe_number("revises"),
        given.text("reason"),
        given.at("made_at"),
        given.at("changed_at"),
    )


def _matter(one: Claim) -> dict[str, Json]:
    """What a claim's sentence alone does not say."""
    return {
        "subject": one.subject,
        "predicate": one.predicate,
        "value": one.value,
        "confidence": str(one.confidence),
        "state": str(one.state),
        "tier": str(one.tier),
        "brain": one.brain,
        "audience": str(one.audience),
        "author": one.author,
        "taint": one.taint,
        "pinned": one.pinned,
        "created": iso(one.created_at),
        "valid_from": None if one.valid_from is None else iso(one.valid_from),
        "valid_to": None if one.valid_to is None else iso(one.valid_to),
        "evidence": [
            {
                "kind": str(each.kind),
                "ref": each.ref,
                "root": each.root,
                "digest": each.digest,
                "at": None if each.at is None else iso(each.at),
            }
            for each in one.evidence
        ],
    }


def _escaped(text: str) -> str:
    """Words as they stand in the file: a line that would end them is led by a backslash."""
    return re.sub(r"^(\\*---)$", r"\\\1", text, flags=re.MULTILINE)


def _plain(text: str) -> str:
    return re.sub(r"^\\(\\*---)$", r"\1", text, flags=re.MULTILINE)


def _refused(what: str) -> InvalidInput:
    return InvalidInput(what, not_done="Nothing was taken in.", next_step="Give a file that Numen exported.")
