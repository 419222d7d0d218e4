"""`numen remember`, `recall`, `forget`, `numen memory ...`: what is known, on the owner's own terminal."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Literal, cast

from cyclopts import Parameter

from numen.app import App, build
from numen.kernel import InvalidInput, Json, Scope, canonical_bytes
from numen.settings import load as load_settings
from numen.surfaces.cli.terminal import answered, parsed, say, write_json
from numen.surfaces.household import local_door
from numen.surfaces.screen import adopt
from numen.surfaces.threshold import Threshold

Texts = tuple[str, ...]
Repo = Annotated[str | None, Parameter(help="A path in the repository; by default where you stand.")]
AsJson = Annotated[bool, Parameter(name="--json", help="Print the bytes that every door gives.")]


def remember(
    text: Annotated[str, Parameter(help="One sentence that somebody could check.")],
    /,
    *,
    subject: Annotated[str | None, Parameter(help="Whom or what it is about; self is you.")] = None,
    predicate: Annotated[str | None, Parameter(help="As lives_in; a newer value supersedes.")] = None,
    value: Annotated[str | None, Parameter(help="The value of the predicate.")] = None,
    confidence: Annotated[
        Literal["verified", "stated", "inferred", "unknown"] | None, Parameter(help="How well it is founded.")
    ] = None,
    evidence: Annotated[Texts, Parameter(help="path#L1-L9, a URL, or a turn's id; may be repeated.")] = (),
    tier: Annotated[
        Literal["project", "medulla"] | None, Parameter(help="project: of this repository alone.")
    ] = None,
    everyone: Annotated[bool, Parameter(help="Guests may see it.")] = False,
    repo: Repo = None,
    json: AsJson = False,
) -> int:
    """Keep a sentence with its evidence. Exit code 1 if it was refused."""
    answer = answered(
        "remember",
        {
            "text": text,
            "subject": subject,
            "predicate": predicate,
            "value": value,
            "confidence": confidence,
            "evidence": list(evidence) or None,
            "tier": tier,
            "everyone": everyone or None,
            "repo": repo,
        },
    )
    said = parsed(answer)
    if json:
        write_json(answer)
    elif said["outcome"] == "refused":
        say(f"refused: {said['reason']}")
    else:
        other = f" {said['other']}" if "other" in said and said["outcome"] != "duplicate_of" else ""
        say(f"{said['outcome']}{other}  {said['claim']}")
    return 1 if said["outcome"] == "refused" else 0


def recall(
    query: Annotated[str, Parameter(help="A question, in words.")],
    /,
    *,
    tier: Annotated[
        Literal["project", "medulla"] | None, Parameter(help="Claims of this tier alone.")
    ] = None,
    budget_tokens: Annotated[int | None, Parameter(help="Largest answer, in units of four bytes.")] = None,
    repo: Repo = None,
    json: AsJson = False,
) -> None:
    """Show what was said or is known: quotes with who, when and evidence, or nothing."""
    answer = answered("recall", {"query": query, "tier": tier, "budget_tokens": budget_tokens, "repo": repo})
    if json:
        write_json(answer)
        return
    said = parsed(answer)
    for row in cast("Sequence[Mapping[str, Json]]", said["rows"]):
        say(f"{row['who']}, {str(row['when'])[:10]}: {row['quote']}")
        rests = ", ".join(map(str, cast("Sequence[Json]", row["evidence"]))) or "nothing"
        say(f"    {row['id']}  {row.get('state', 'active')}, {row['freshness']}, rests on {rests}")
    if said["held_back"]:
        say(f"{said['held_back']} more held back; give a larger --budget-tokens.")
    if not said["rows"]:
        searched = cast("Mapping[str, Json]", said["searched"])
        say(f"Nothing here answers that ({searched.get('items', 0)} rows searched).")
    for name in cast("Sequence[str]", said["degraded"]):
        say(f"not asked: {name}")


def forget(
    *ids: Annotated[str, Parameter(help="Ids of rows or turns, as recall shows them.")],
    old_text: Annotated[str | None, Parameter(help="Words that stand in what is to go.")] = None,
    person: Annotated[str | None, Parameter(help="A contact's id.")] = None,
    session: Annotated[str | None, Parameter(help="A conversation.")] = None,
    before: Annotated[str | None, Parameter(help="Said before this ISO time with a zone.")] = None,
    dry_run: Annotated[bool, Parameter(help="Only tell what would go.")] = False,
    json: AsJson = False,
) -> None:
    """Erase rows and all that was made of them, for good."""
    answer = answered(
        "forget",
        {
            "ids": list(ids) or None,
            "old_text": old_text,
            "person": person,
            "session": session,
            "before": before,
            "dry_run": dry_run or None,
        },
    )
    if json:
        write_json(answer)
        return
    said = parsed(answer)
    if said["again"]:
        say("It had been forgotten before.")
        return
    sorts = ("turns", "claims", "commitments", "opinions")
    counts = ", ".join(f"{said[name]} {name}" for name in sorts)
    say(f"{'would forget' if dry_run else 'forgot'} {counts}")
    if said["left"]:
        say(f"{said['left']} rows are still there: do it again.")


def promote(
    claim: Annotated[str, Parameter(help="The claim's id, as recall shows it.")],
    /,
    *,
    json: AsJson = False,
) -> None:
    """Let a project's claim go with you everywhere; where it came from stays with it."""
    with _owner() as (app, scope):
        moved = app.memory.promote(scope, claim)
        body = {"schema": "numen-promote-v1", "claim": moved.id, "tier": moved.tier, "brain": moved.brain}
        _tell(body, json)


def export(
    place: Annotated[Path, Parameter(help="A file for jsonl, a folder for markdown.")],
    /,
    *,
    form: Annotated[Literal["jsonl", "markdown"], Parameter(name="--as", help="The form.")] = "jsonl",
    json: AsJson = False,
) -> None:
    """Write memory down: everything as JSONL, or the claims as Markdown, a file a subject."""
    with _owner() as (app, scope):
        _tell(app.portability.write(scope, place, form).as_json(), json)


def import_(
    place: Annotated[Path, Parameter(help="A file or folder that was exported.")], /, *, json: AsJson = False
) -> None:
    """Take an export in. What is there stays, and what was forgotten stays forgotten."""
    with _owner() as (app, scope):
        _tell(app.portability.read(scope, place).as_json(), json)


def verify(*, json: AsJson = False) -> int:
    """Check that memory agrees with itself. Exit code 1 if it does not."""
    with _owner() as (app, scope):
        found = app.portability.verify(scope)
        _tell(found.as_json(), json)
    return 1 if found.faults else 0


def stats(*, json: AsJson = False) -> None:
    """Show how much is kept, by sort and state."""
    with _owner() as (app, scope):
        _tell(app.portability.stats(scope), json)


@contextmanager
def _owner() -> Generator[tuple[App, Scope]]:
    with closing(build(load_settings())) as app:
        adopt(Threshold(app))
        scope = app.people.resolve(local_door())
        if not scope.is_owner:
            raise InvalidInput("This home is another account's.", not_done="Nothing was done.")
        yield app, scope


def _tell(body: Mapping[str, Json], as_json: bool) -> None:
    if as_json:
        write_json(canonical_bytes(dict(body)))
        return
    for name, value in body.items():
        if name == "schema":
            continue
        if isinstance(value, Mapping):
            parts = ", ".join(f"{count} {key}" for key, count in cast("Mapping[str, Json]", value).items())
            say(f"{name:<12} {parts}")
        elif isinstance(value, list):
            for line in value:
                say(f"{name:<12} {line}")
        else:
            say(f"{name:<12} {value}")
