"""A route that is no verb: one path of the wire over one service call, with the one form of every error."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, TypeVar, cast

from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, ValidationError

from numen.app import App
from numen.kernel import Forbidden, InvalidInput, Json, canonical_bytes
from numen.settings import nearest
from numen.surfaces.desk import Desk
from numen.surfaces.errors import foreseen
from numen.surfaces.http.guard import refusal
from numen.surfaces.outlet import passed
from numen.surfaces.verbs import Caller

MEDIA_TYPE = "application/json"
_CONVERTER = re.compile(r":\w+(?=\})")
_PART = re.compile(r"\{(\w+)\}")

B = TypeVar("B", bound="Body")


class Body(BaseModel):
    """A body of a request: unknown names are refused, none is turned into another type."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that was let in: by whom, with which parts of the path and of the query, and its body."""

    caller: Caller
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes = field(repr=False)

    def read(self, model: type[B]) -> B:
        """The body as a `model`. Raises `InvalidInput` that names the field, never what stood in it."""
        try:
            return model.model_validate(arguments(self.body))
        except ValidationError as error:
            raise _refusal(error, model) from None


class Plain(APIRoute):
    """A route that FastAPI describes. Its answer takes the request as it is: nothing is worked out for it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The answer itself."""
        return cast("Callable[[Request], Coroutine[Any, Any, Response]]", self.endpoint)


Answer: TypeAlias = "Callable[[App, Asked], Json]"
"""What a route does, in a worker thread."""


@dataclass(frozen=True, slots=True)
class Takes:
    """An answer with what it reads of a request, for the description of the interface."""

    answer: Answer
    body: type[Body] | None = None
    query: tuple[str, ...] = ()

    def __call__(self, app: App, asked: Asked) -> Json:
        """As the answer itself."""
        return self.answer(app, asked)


def add_route(
    app: FastAPI,
    desk: Desk,
    method: str,
    path: str,
    summary: str,
    answer: Answer,
    *,
    writes: bool,
    gives_values: bool = False,
) -> None:
    """Answer `method path` with `answer`; where it writes, not under `--read-only`.

    `gives_values`: the answer holds values that were granted to whoever asked, and passes no threshold.
    """

    async def answered(request: Request) -> Response:
        try:
            if writes and desk.read_only:
                raise Forbidden(
                    "This server was started with --read-only.",
                    not_done="Nothing was written.",
                    next_step="Start it without --read-only.",
                )
            asked = Asked(
                cast("Caller", request.state.caller),
                {name: str(value) for name, value in request.path_params.items()},
                dict(request.query_params),
                await request.body(),
            )
            said = await desk.soon(partial(_said, desk, answer, asked, clean=not gives_values))
            passed(request)
            return Response(said, media_type=MEDIA_TYPE)
        except Exception as error:  # noqa: BLE001 - the edge: every fault becomes words, none a traceback
            return refusal(foreseen(error))

    app.state.takes[_CONVERTER.sub("", path), method.lower()] = (
        answer if isinstance(answer, Takes) else Takes(answer)
    )
    app.add_api_route(
        path,
        answered,
        methods=[method],
        summary=summary,
        operation_id=f"{method.lower()} {path}",
        response_class=Response,
        openapi_extra={"security": [{"key": []}]},
        responses={200: {"content": {MEDIA_TYPE: {}}}, 401: {"description": "No key, or an unknown one."}},
    )


def described(takes: Mapping[tuple[str, str], Takes], schema: dict[str, Any]) -> None:
    """Tell in `schema`, an OpenAPI document, what the requests of each (path, method) hold."""
    components = schema.setdefault("components", {}).setdefault("schemas", {})
    for (path, method), one in takes.items():
        operation = schema["paths"][path][method]
        named = [("path", name, True) for name in _PART.findall(path)]
        named += [("query", name, False) for name in one.query]
        operation["parameters"] = [
            {"name": name, "in": place, "required": required, "schema": {"type": "string"}}
            for place, name, required in named
        ]
        if one.body is not None:
            model = one.body.model_json_schema(ref_template="#/components/schemas/{model}")
            components |= model.pop("$defs", {})
            operation["requestBody"] = {"required": True, "content": {MEDIA_TYPE: {"schema": model}}}


def _said(desk: Desk, answer: Answer, asked: Asked, *, clean: bool) -> bytes:
    """The bytes of an answer, which has passed the threshold in the thread that made it."""
    said = answer(desk.app, asked)
    return canonical_bytes(desk.threshold.clean_json(said) if clean else said)


def arguments(data: bytes) -> Mapping[str, object]:
    """The JSON object in a body. Raises `InvalidInput` if it is none."""
    try:
        given = cast("object", json.loads(data))
    except (ValueError, RecursionError):
        raise InvalidInput("The body is not JSON.", not_done="Nothing was done.") from None
    if not isinstance(given, dict):
        raise InvalidInput("The body is not a JSON object.", not_done="Nothing was done.")
    return cast("Mapping[str, object]", given)


def _refusal(error: ValidationError, model: type[Body]) -> InvalidInput:
    errors = error.errors(include_url=False, include_input=False)
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    name = ".".join(str(part) for part in first["loc"])
    what, next_step = f"`{name}`: {first['msg'].removeprefix('Value error, ')}.", ""
    if first["type"] == "extra_forbidden":
        near = nearest(name, model.model_fields)
        what = "The body has a field that is not known here."
        next_step = f"Did you mean `{near}`?" if near else f"It takes: {', '.join(model.model_fields)}."
    return InvalidInput(what, not_done="Nothing was done.", next_step=next_step)
