"""`numen doctor`: what is wrong with the home and with where one stands, each with what mends it; a read."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from numen.app import App, build
from numen.app import load as load_room
from numen.kernel import Json, NotFound, NumenError, Scope, canonical_bytes
from numen.settings import FILE_NAME, IDENTITY_NAME, Settings, home, load, load_identity
from numen.surfaces import papers
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.household import local_door
from numen.surfaces.running import NAME as RUNNING

OTHERS = stat.S_IRWXG | stat.S_IRWXO

PRIVATE = (FILE_NAME, IDENTITY_NAME, papers.STOCK_NAME, RUNNING, "api.key", "vault.key", "numen.db")
"""Files that only their owner may read."""


class State(StrEnum):
    """How it stands with one thing."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, what was found, and the command that mends it."""

    about: str
    state: State
    what: str
    mend: str = ""


def doctor(*, json: Annotated[bool, Parameter(name="--json", help="Print JSON.")] = False) -> int:
    """Say what is wrong with the home, and what mends it. Exit code 1 if something is."""
    findings = tuple(examined(home()))
    if json:
        rows: list[Json] = [
            {"about": one.about, "state": one.state, "what": one.what, "mend": one.mend or None}
            for one in findings
        ]
        write_json(canonical_bytes({"schema": "numen-doctor-v1", "findings": rows}))
    else:
        for one in findings:
            say(f"{one.state:<4}  {one.about:<9}  {one.what}" + (f"  ({one.mend})" if one.mend else ""))
    return 1 if any(one.state is State.BAD for one in findings) else 0


def examined(place: Path) -> Iterator[Finding]:
    """Everything that is looked at, in the order in which it would have to be mended."""
    if not place.is_dir():
        yield Finding("home", State.BAD, f"{place} is not there.", "numen init")
        return
    yield from _files(place)
    try:
        settings = load()
    except NumenError as error:
        yield _refused("settings", error)
        return
    yield Finding("settings", State.GOOD, "every key is known")
    try:
        load_identity(place)
    except NumenError as error:
        yield _refused("identity", error)
        return
    if settings.database_url is None and not (place / "numen.db").exists():
        yield Finding("store", State.BAD, "There is none yet.", "numen init")
        return
    yield from _inside(settings)


def _files(place: Path) -> Iterator[Finding]:
    open_files = [
        path for path in (place / name for name in PRIVATE) if path.exists() and path.stat().st_mode & OTHERS
    ]
    for path in open_files:
        yield Finding("files", State.BAD, f"Others may read {path}.", f"chmod 600 {path}")
    if not open_files:
        yield Finding("files", State.GOOD, "only you may read them")


def _inside(settings: Settings) -> Iterator[Finding]:
    try:
        with closing(build(settings)) as app:
            scope = app.people.resolve(local_door())
            yield Finding("store", State.GOOD, "it opens")
            yield from _owner(app, scope)
            yield from _keys(app)
            yield from _vault(app, scope)
            yield from _here(app, scope)
    except NumenError as error:
        yield _refused("store", error)


def _owner(app: App, scope: Scope) -> Iterator[Finding]:
    try:
        owner = app.people.owner(scope)
    except NotFound:
        yield Finding("owner", State.BAD, "The store knows no owner.", "numen init")
        return
    named = app.settings.owner.contact_id
    if named is None:
        yield Finding("owner", State.WARN, f"{FILE_NAME} does not name the owner.", "numen init")
    elif named != owner.id:
        yield Finding("owner", State.BAD, f"{FILE_NAME} names {named}, the store {owner.id}.", "numen init")
    else:
        yield Finding("owner", State.GOOD, f"{owner.display_name}, {owner.id}")
    declared = papers.declared(load_identity(app.settings.home))
    if declared is None:
        yield Finding(
            "handles", State.WARN, f"{IDENTITY_NAME} names none.", "numen init --handle PLATFORM:ID"
        )
        return
    kept = {str(one.handle) for one in app.directory.inspect(scope, owner.id).handles}
    said = {str(one) for one in declared}
    if kept == said:
        yield Finding("handles", State.GOOD, ", ".join(sorted(said)) or "none")
    for handle in sorted(said ^ kept):
        what = (
            f"{handle} is in {IDENTITY_NAME} and not yet in the store."
            if handle in said
            else (f"{handle} is the owner's in the store and not in {IDENTITY_NAME}.")
        )
        yield Finding("handles", State.WARN, what, "numen init")


def _keys(app: App) -> Iterator[Finding]:
    try:
        secret = load_room("keyfile").read(app.settings.home)
        if secret is None:
            yield Finding("key", State.BAD, "There is no api.key.", "numen init")
            return
        key = app.people.authenticate(secret)
    except NumenError as error:
        yield Finding("key", State.BAD, error.what, "numen init")
        return
    yield Finding("key", State.GOOD, key.id)
    declared = papers.declared(load_identity(app.settings.home)) or ()
    missing = {one.gateway for one in declared} - key.owner_platforms
    for platform in sorted(missing):
        grant = " ".join(f"--owner-platform {one}" for one in sorted(key.owner_platforms | missing))
        yield Finding(
            "platforms",
            State.WARN,
            f"You have a handle on {platform}, and turns of yours from there are refused.",
            f"numen credentials {key.id} {grant}",
        )
    if not missing:
        yield Finding("platforms", State.GOOD, ", ".join(sorted(key.owner_platforms)))


def _vault(app: App, scope: Scope) -> Iterator[Finding]:
    try:
        health = app.secrets.health(scope)
    except NumenError as error:
        yield _refused("vault", error)
        return
    kept = f"{health.kept} value{'' if health.kept == 1 else 's'} sealed"
    if health.why:
        what = f"{health.unavailable} of {kept} cannot be opened: {health.why}"
        yield Finding("vault", State.BAD, what, "put vault.key back, or numen secret rekey --lost-key")
    elif health.key_id is None:
        yield Finding("vault", State.GOOD, "nothing was sealed yet")
    else:
        yield Finding("vault", State.GOOD, f"{kept}, the key is in the {health.place}")


def _here(app: App, scope: Scope) -> Iterator[Finding]:
    """Disk, clock, git and versions; and the index, where one stands in a repository."""
    brain = app.graph.locate(Path.cwd())
    for one in app.health.examined(scope, brain):
        if one.about != "store" and (brain.is_git or one.about != "index"):
            yield Finding(one.about, State(one.condition), one.what, one.mend)


def _refused(about: str, error: NumenError) -> Finding:
    return Finding(about, State.BAD, error.what, error.next_step)
