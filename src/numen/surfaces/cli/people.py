"""`numen init`, `numen credentials`, `numen open`: who the owner is, what keys may do, a way to the page."""

from __future__ import annotations

import http.client
import json as json_text
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter
from rich.prompt import Confirm

from numen.app import App, build
from numen.app import load as load_room
from numen.kernel import InvalidInput, Json, NotFound, Scope, Unavailable, canonical_bytes, iso
from numen.settings import load
from numen.surfaces import papers
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.household import found, local_door
from numen.surfaces.running import address, url

if TYPE_CHECKING:
    from numen.people import Handle, Key

Texts = tuple[str, ...]

PATIENCE = 10
"""Seconds that a running Numen is given to answer (ours: it answers at once, unless the machine is busy)."""


def init(
    *,
    yes: Annotated[bool, Parameter(name=("--yes", "-y"), help="Do not ask.")] = False,
    owner: Annotated[str | None, Parameter(help="The owner's name; by default the account's.")] = None,
    handle: Annotated[
        Texts,
        Parameter(help="PLATFORM:ID under which the owner writes, as telegram:111; may be repeated."),
    ] = (),
    stock_client: Annotated[bool, Parameter(help="Also write protagine.yaml for the stock plugin.")] = False,
) -> None:
    """Make the home: the store, the owner, and the key with which programs on this machine call Numen.

    It may be run again: what is there stays, and what disagrees about the owner is mended.
    """
    settings = load()
    own = tuple(cast("Handle", load_room("handles").read(text)) for text in handle)
    if not yes and sys.stdin.isatty() and not Confirm.ask(f"Make the home of Numen in {settings.home}?"):
        raise KeyboardInterrupt
    with closing(build(settings)) as app:
        done = found(app, owner, own)
    household = done.household
    say(f"home     {settings.home}")
    say(f"owner    {done.owner_name}, {household.owner.id}{' (new)' if household.owner_is_new else ''}")
    say(f"handles  {', '.join(map(str, done.handles)) or 'none'}")
    say(f"key      {household.key_file}{' (new)' if household.key_is_new else ''}")
    say(f"speaks   as the owner on {', '.join(sorted(household.key.owner_platforms))}")
    say(f"         (to change that: numen credentials {household.key.id} --owner-platform ...)")
    if done.written:
        say(f"written  {', '.join(done.written)}")
    if stock_client:
        path = papers.write_stock(settings, household.owner.id)
        say(f"stock    {path}")
        say("         In the config of Hermes:")
        section = f"sidecar_url: {url(settings.host, settings.port)}, key_file: {household.key_file}"
        say(f"         plugins: {{enabled: [protagine], protagine: {{{section}}}}}")
        say("         memory: {provider: protagine-memory}")
    say("next     numen ingest PATH, then numen up")


def credentials(
    key: Annotated[str | None, Parameter(help="The id of a key; with --new, the name of one.")] = None,
    /,
    *,
    owner_platform: Annotated[
        Texts, Parameter(help="Where it speaks for the owner, all that it may from now on; may be repeated.")
    ] = (),
    contact: Annotated[
        Texts, Parameter(help="A contact that it speaks for, all that it may from now on; * is every one.")
    ] = (),
    new: Annotated[bool, Parameter(help="Issue a key; its secret is printed once.")] = False,
    speaks_for: Annotated[bool, Parameter(help="With --new: it is believed about who speaks.")] = False,
    nowhere: Annotated[bool, Parameter(help="It speaks for the owner on no platform any more.")] = False,
    revoke: Annotated[bool, Parameter(help="End the key for good.")] = False,
    json: Annotated[bool, Parameter(name="--json", help="Print JSON.")] = False,
) -> None:
    """Show the keys and what they may do; with a key, change that.

    A key speaks for the owner only on the platforms listed. A turn from another platform is refused, never
    kept under another person.
    """
    if key is None and (owner_platform or contact or new or revoke or nowhere or speaks_for):
        raise InvalidInput(
            "No key was named.", not_done="Nothing was changed.", next_step="`numen credentials` lists them."
        )
    platforms = () if nowhere else owner_platform or None
    with closing(build(load())) as app:
        scope = app.people.resolve(local_door())
        secret = _changed(app, scope, key, platforms, contact, new, speaks_for, revoke) if key else None
        keys = app.people.list_keys(scope)
    if json:
        rows: list[Json] = [_row(one) for one in keys]
        write_json(canonical_bytes({"schema": "numen-credentials-v1", "keys": rows, "secret": secret}))
        return
    for one in keys:
        _show(one)
    if secret is not None:
        say(f"The new key, told once: {secret}")


def open_(
    *,
    port: Annotated[int | None, Parameter(help="The port of the one meant, where several run.")] = None,
) -> None:
    """Print a fresh link to the page of the Numen that runs; it works once."""
    settings = load()
    where = address(settings.home)
    if port is not None:
        where = (settings.host if where is None else where[0], port)
    if where is None:
        raise _not_running()
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(where[0], where[0])
    secret = cast("str | None", load_room("keyfile").read(settings.home))
    if secret is None:
        raise NotFound("This home has no key.", not_done="No link was made.", next_step="Run numen init.")
    say(url(host, where[1]) + _fresh_link(host, where[1], secret))


def _fresh_link(host: str, port: int, secret: str) -> str:
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request("POST", "/v1/page/link", headers={"Authorization": f"Bearer {secret}"})
        answer = connection.getresponse()
        said = cast("object", json_text.loads(answer.read()))
    except (OSError, http.client.HTTPException, ValueError):
        raise _not_running() from None
    finally:
        connection.close()
    match said:
        case {"link": str(link)} if answer.status == http.client.OK:
            return link
        case _:
            raise Unavailable(
                f"What answers on port {port} is not this home's Numen.",
                not_done="No link was made.",
                next_step="Name the port of the right one: numen open --port PORT.",
            )


def _changed(
    app: App,
    scope: Scope,
    key: str,
    platforms: Texts | None,
    contacts: Texts,
    new: bool,
    speaks_for: bool,
    revoke: bool,
) -> str | None:
    """Do what was asked; the secret of a key that was issued."""
    if new:
        scopes = [load_room("people").KeyScope.SPEAKS_FOR] if speaks_for else []
        issued = app.people.issue_key(scope, key, scopes, owner_platforms=platforms or (), contacts=contacts)
        return issued.secret
    if revoke:
        app.people.revoke_key(scope, key)
    else:
        app.people.grant_key(scope, key, owner_platforms=platforms, contacts=contacts or None)
    return None


def _show(key: Key) -> None:
    ended = "" if key.revoked_at is None else f"  revoked {iso(key.revoked_at)[:10]}"
    say(f"{key.id}  {key.name}{ended}")
    if key.revoked_at is not None:
        return
    say(f"  may be       {', '.join(sorted(key.scopes)) or 'known by it, nothing more'}")
    say(f"  the owner on {', '.join(sorted(key.owner_platforms)) or 'no platform'}")
    everyone = load_room("people").EVERYONE in key.contacts
    say(f"  contacts     {'all' if everyone else ', '.join(sorted(key.contacts)) or 'none'}")


def _row(key: Key) -> Json:
    return {
        "id": key.id,
        "name": key.name,
        "scopes": sorted(map(str, key.scopes)),
        "owner_platforms": sorted(key.owner_platforms),
        "contacts": sorted(key.contacts),
        "created_at": iso(key.created_at),
        "revoked_at": None if key.revoked_at is None else iso(key.revoked_at),
    }


def _not_running() -> Unavailable:
    return Unavailable(
        "No Numen of this home answers.", not_done="No link was made.", next_step="Start it: numen up."
    )
