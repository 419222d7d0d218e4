"""An intent as it comes in: read strictly, numbers bounded, unknown names refused with the nearest."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from numen.delegate.extraction import strict
from numen.delegate.types import BackendName, Expected, Intent, InvalidIntent, Reuse, Worker
from numen.kernel import Json

LONGEST_INTENT = 1_048_576
"""Bytes of an intent that are read (ours: a thousand long paths)."""

NOWHERE = Path(os.devnull)
"""The project of an intent that names none."""

_PLAIN = r"^[^\x00-\x1f\x7f]*$"
_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
_MODEL = r"^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$"
_TAG = re.compile(r"[^\W_-][\w.:/-]{0,63}")
_DEEP = 16

Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=20_000)]
Line: TypeAlias = Annotated[str, Field(min_length=1, max_length=4096, pattern=_PLAIN)]
Profile: TypeAlias = Annotated[str, Field(pattern=_NAME)]
Model: TypeAlias = Annotated[str, Field(pattern=_MODEL)]
Tag: TypeAlias = Annotated[str, Field(min_length=1, max_length=64)]
Session: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=128, pattern=r"^[^\x00-\x1f\x7f-][^\x00-\x1f\x7f]*$")
]
BackendWord: TypeAlias = Literal["hermes", "command", "openai", "local", "fake"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class FallbackPart(_Part):
    """`payload.fallback[]`: who does it where the first cannot; what is not said is as the first's."""

    backend: BackendWord | None = None
    model: Model | None = None
    hermes_profile: Profile | None = None


class Payload(_Part):
    """`payload`: autobot's fields, and what was added to them."""

    hermes_profile: Profile = "cstar-hub"
    model: Model = "MiniMax-M3"
    expected_output: Literal["markdown", "json", "plain"] = "markdown"
    max_chars: int = Field(4000, ge=1, le=1_000_000)
    session_name: Session | None = None
    write_to: Line | None = None
    append_with_separator: str | None = Field(None, max_length=1000)
    tags: list[Tag] = Field(default_factory=list[str], max_length=32)
    timeout_seconds: int = Field(300, ge=1, le=86_400)
    idle_seconds: int | None = Field(None, ge=1, le=86_400)
    backend: BackendWord = "hermes"
    output_schema: dict[str, object] | None = None
    max_output_tokens: int | None = Field(None, ge=1, le=1_000_000)
    budget_usd: float | int | None = Field(None, ge=0, le=10_000, allow_inf_nan=False)
    request_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$")] | None = None
    reuse: Literal["none", "inflight"] | Annotated[int, Field(ge=1, le=31_536_000)] = "none"
    fallback: list[FallbackPart] = Field(default_factory=list[FallbackPart], max_length=5)
    if_sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64}|absent)$")] | None = None
    tree: Tag | None = None
    priority: int = Field(0, ge=-100, le=100)

    @field_validator("tags", "tree")
    @classmethod
    def _tags(cls, given: list[str] | str | None) -> list[str] | str | None:
        for one in [given] if isinstance(given, str) else given or []:
            if not _TAG.fullmatch(one):
                raise ValueError(
                    "a tag has letters, digits and ._:/- only, and begins with a letter or a digit"
                )
        return given


class Given(_Part):
    """The whole intent (seed: intent JSON schema)."""

    intent: Text
    project_root: Line
    target_paths: list[Line] = Field(default_factory=list[str], max_length=1000)
    payload: Payload = Field(default_factory=lambda: Payload.model_validate({}))

    @field_validator("intent")
    @classmethod
    def _said(cls, given: str) -> str:
        if not given.strip() or "\0" in given or any("\ud800" <= one <= "\udfff" for one in given):
            raise ValueError("it says nothing, or holds what is no character")
        return given


def read(data: bytes) -> Intent:
    """The intent in `data`. Raises `InvalidIntent` for anything that is not one, naming the field."""
    return intent_of(parsed(data))


def parsed(data: bytes) -> Mapping[str, Json]:
    """`data` as a JSON object. Raises `InvalidIntent`."""
    if len(data) > LONGEST_INTENT:
        raise refused(f"it is longer than {LONGEST_INTENT} bytes; name files in target_paths instead")
    try:
        given = strict(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise refused("it is not UTF-8") from None
    except ValueError as error:
        raise refused(f"it is not JSON ({error})") from None
    if not isinstance(given, Mapping):
        raise refused("it is not a JSON object")
    return cast("Mapping[str, Json]", given)


def intent_of(given: Mapping[str, Json]) -> Intent:
    """`given` as an intent. Raises `InvalidIntent`."""
    try:
        asked = Given.model_validate(given)
    except (ValidationError, RecursionError) as error:
        raise refused(_why(error)) from None
    root = Path(os.path.expanduser(asked.project_root))
    if not root.is_absolute():
        raise refused("project_root: it is not an absolute path")
    payload = asked.payload
    first = Worker(BackendName(payload.backend), payload.model, payload.hermes_profile)
    schema = cast("Mapping[str, Json] | None", payload.output_schema)
    if schema is not None and payload.expected_output != "json":
        raise refused("payload.output_schema: it needs expected_output json")
    if schema is not None and _depth(schema) > _DEEP:
        raise refused(f"payload.output_schema: it is nested deeper than {_DEEP}")
    if payload.append_with_separator is not None and payload.write_to is None:
        raise refused("payload.append_with_separator: it needs write_to")
    reuse = payload.reuse
    return Intent(
        intent=asked.intent,
        project_root=root,
        target_paths=tuple(dict.fromkeys(asked.target_paths)),
        worker=first,
        expected=Expected(payload.expected_output),
        max_chars=payload.max_chars,
        session_name=payload.session_name,
        write_to=payload.write_to,
        separator=payload.append_with_separator,
        if_sha256=payload.if_sha256,
        tags=tuple(dict.fromkeys(payload.tags)),
        timeout_seconds=payload.timeout_seconds,
        idle_seconds=payload.idle_seconds,
        output_schema=schema,
        max_output_tokens=payload.max_output_tokens,
        budget_micros=None if payload.budget_usd is None else round(payload.budget_usd * 1_000_000),
        request_id=payload.request_id,
        reuse=Reuse(True)
        if reuse == "inflight"
        else Reuse(True, reuse)
        if isinstance(reuse, int)
        else Reuse(),
        fallback=tuple(_fallback(one, first) for one in payload.fallback),
        tree=payload.tree,
        priority=payload.priority,
    )


def stand_in(data: bytes) -> Intent:
    """What stands for an intent that is none, so that it is recorded: in its project, where it names one."""
    try:
        named = parsed(data).get("project_root")
    except InvalidIntent:
        named = None
    if isinstance(named, str) and "\0" not in named and os.path.isabs(os.path.expanduser(named)):
        return Intent("", Path(os.path.expanduser(named)))
    return Intent("", NOWHERE)


def refused(why: str) -> InvalidIntent:
    """The error for an intent that is none."""
    return InvalidIntent(
        why, not_done="Nothing was delegated or spent.", next_step="Mend the intent, then send it again."
    )


def _fallback(given: FallbackPart, first: Worker) -> Worker:
    return Worker(
        first.backend if given.backend is None else BackendName(given.backend),
        given.model or first.model,
        given.hermes_profile or first.profile,
    )


def _why(error: ValidationError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    errors = error.errors(include_url=False, include_input=False, include_context=False)
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    where = [str(part) for part in first["loc"]]
    name = ".".join(where)
    if first["type"] != "extra_forbidden":
        return f"{name}: {first['msg'].removeprefix('Value error, ')}"
    model = FallbackPart if "fallback" in where else Payload if where[0] == "payload" else Given
    near = difflib.get_close_matches(where[-1], [*model.model_fields, *_elsewhere(model)], n=1)
    shown = where[-1] if where[-1].isprintable() and len(where[-1]) <= 64 else "?"
    hint = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(model.model_fields)}"
    return f"{'.'.join([*where[:-1], shown])}: there is no such field; {hint}"


def _elsewhere(model: type[BaseModel]) -> Iterator[str]:
    """Names that stand one level deeper: a payload's field written beside `intent`."""
    if model is Given:
        yield from (f"payload.{name}" for name in Payload.model_fields)


def _depth(value: Json) -> int:
    deepest, rest = 0, [(value, 1)]
    while rest:
        one, depth = rest.pop()
        deepest = max(deepest, depth)
        if isinstance(one, Mapping):
            rest.extend((part, depth + 1) for part in cast("Mapping[str, Json]", one).values())
        elif isinstance(one, list):
            rest.extend((part, depth + 1) for part in one)
    return deepest
