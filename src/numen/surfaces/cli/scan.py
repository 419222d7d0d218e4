"""`numen secret scan`: where secrets stand in a text, without sealing any and without showing one."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, cast

from cyclopts import Parameter

from numen.app import load
from numen.kernel import InvalidInput, Json, Unavailable, canonical_bytes
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.screen import bare

STDIN = Path("-")


def scan(
    file: Annotated[
        Path, Parameter(help="The text; - is what comes on stdin.", allow_leading_hyphen=True)
    ] = STDIN,
    /,
    *,
    jsonl: Annotated[bool, Parameter(help="Read lines {text}, answer each with {spans, kinds}.")] = False,
    json: Annotated[bool, Parameter(name="--json", help="Print JSON.")] = False,
) -> int:
    """Find the secrets in a text: where each stands, of which kind, never the value. Exit code 1 if any.

    Nothing is sealed, kept or sent. With --jsonl the exit code is 0, or 2 if a line was not {text}.
    """
    if jsonl:
        return _scan_lines(file)
    text = _text(file)
    found = list(_found(text))
    if json:
        write_json(canonical_bytes({"schema": "numen-scan-v1", "found": [dict(row) for row in found]}))
        return 1 if found else 0
    name = "" if file == STDIN else f"{file}:"
    for row in found:
        say(
            f"{name}{row['line']}:{row['column']}: {row['kind']} ({row['label']}, {row['length']} characters)"
        )
    if not found:
        say("No secret was found.")
    return 1 if found else 0


def _found(text: str) -> Iterator[dict[str, Json]]:
    line, start_of_line = 1, 0
    for one in load("detector").find(text):
        line += text.count("\n", start_of_line, one.start)
        start_of_line = text.rfind("\n", 0, one.start) + 1
        yield {
            "span": [one.start, one.end],
            "line": line,
            "column": one.start - start_of_line + 1,
            "length": one.end - one.start,
            "kind": one.kind,
            "label": one.label,
        }


def _scan_lines(file: Path) -> int:
    """Answer each line as it comes, so that another program may wait for it."""
    find = load("detector").find
    wrong = 0
    for number, row in enumerate(_rows(file), 1):
        text = _field(row)
        if text is None:
            wrong += 1
            problem = InvalidInput(
                f"Line {number} is not an object with a text.", not_done="It was not scanned."
            )
            answer: dict[str, Json] = {"error": dict(problem.as_mapping())}
        else:
            found = find(text)
            answer = {"spans": [[one.start, one.end] for one in found], "kinds": [one.kind for one in found]}
        out = bare()  # places and kinds: none of the text
        out.write(canonical_bytes(answer).decode() + "\n")
        out.flush()
    return 2 if wrong else 0


def _field(row: str) -> str | None:
    try:
        fields: object = jsonlib.loads(row)
    except ValueError:
        return None
    text = cast("dict[str, object]", fields).get("text") if isinstance(fields, dict) else None
    return text if isinstance(text, str) else None


def _rows(file: Path) -> Iterator[str]:
    """The lines of the input that are not empty; on stdin each as soon as it is there."""
    rows = sys.stdin.buffer if file == STDIN else _text(file).encode("utf-8", "replace").split(b"\n")
    return (row.decode("utf-8", "replace") for row in rows if row.strip())


def _text(file: Path) -> str:
    """The whole input; bytes that are no UTF-8 count as one character each."""
    if file == STDIN:
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise Unavailable(
            f"{file} cannot be read: {error.strerror or error}.",
            not_done="Nothing was scanned.",
            next_step="Give a file, or - for what comes on stdin.",
        ) from error
