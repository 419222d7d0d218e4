"""Whether an answer has the form that was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import jsonschema
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY

from numen.delegate import rules
from numen.delegate.extraction import extracted
from numen.delegate.types import Expected, Intent
from numen.kernel import Json, canonical_text

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer that may be used, or why it may not (one of the two)."""

    response: str = ""
    why: str = ""


def schema_problem(schema: Mapping[str, Json]) -> str | None:
    """Why a JSON Schema cannot be used, None for a sound one."""
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except (jsonschema.SchemaError, RecursionError) as error:
        return rules.brief(error.message if isinstance(error, jsonschema.SchemaError) else "nested too deep")
    return None


def checked(intent: Intent, answer: str) -> Checked:
    """What of `answer` is the response. `max_chars` is soft (seed)."""
    if intent.expected is not Expected.JSON:
        said = rules.without_fence(answer, intent.expected)
        return Checked(said) if said else Checked(why="empty")
    found, value = extracted(answer)
    if not found:
        return Checked(why="no_json")
    if intent.output_schema is not None:
        why = _misfit(intent.output_schema, value)
        if why is not None:
            return Checked(why=f"schema: {why}")
    return Checked(canonical_text(value))


def _misfit(schema: Mapping[str, Json], value: Json) -> str | None:
    """Where `value` does not fit `schema`; nothing is fetched that the schema points at."""
    try:
        validator = cast("Validator", jsonschema.Draft202012Validator(schema, registry=EMPTY_REGISTRY))
        first = min(
            validator.iter_errors(value), key=lambda one: list(map(str, one.absolute_path)), default=None
        )
    except (Unresolvable, RecursionError):
        return "the schema points outside of itself"
    if first is None:
        return None
    where = "/".join(map(str, first.absolute_path)) or "value"
    return rules.brief(f"{where}: fails `{first.validator}`")
