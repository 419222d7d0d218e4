"""The owner and the key of this machine, set up by whoever starts Numen first on their own account.

The owner is one by all three: `identity.yaml` says whose handles they are, `numen.yaml` which contact, the
store knows both. Where they disagree the store is mended, or the start refused, with what mends it.
"""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from numen.app import App, load
from numen.kernel import Conflict, NotFound, Scope, Via
from numen.settings import FILE_NAME, IDENTITY_NAME, load_identity
from numen.surfaces import papers

if TYPE_CHECKING:
    from numen.people import Handle, Household
    from numen.people.types import Door


@dataclass(frozen=True, slots=True)
class Settled:
    """A household that was set up by a person: its owner's handles, and which files were written."""

    household: Household
    owner_name: str
    handles: tuple[Handle, ...]
    written: tuple[str, ...]


def local_door() -> Door:
    """The door of whoever runs this process on this machine."""
    return load("people").Local(os.getuid(), sys.stdin.isatty())


def page_door(session: str) -> Door:
    """The door of a browser that opened a link of this process."""
    return load("people").Browser(os.getuid(), session)


def mind_scope(app: App) -> Scope:
    """On whose behalf the mind of this home acts: its owner's, by a narrower door."""
    return replace(app.people.resolve(local_door()), via=Via.MIND, interactive=False)


def settle(app: App) -> Household:
    """Find the household as it is, or set it up under the account's name; at each start.

    Raises `NotOwner` where the home belongs to another account, `TwoOwners` where the files say one owner and
    the store another, `InvalidInput` for a file that cannot be read.
    """
    scope = app.people.resolve(local_door())
    identity = load_identity(app.settings.home)
    called = None if identity is None else identity.owner.name
    name = _known_name(app, scope) or called or _account()
    household = app.people.init(scope, name, contact_id=app.settings.owner.contact_id)
    if identity is not None:
        app.directory.reconcile(scope, load("people").Declared(called, papers.declared(identity)))
    if (app.settings.home / load("forgetting").FILE).exists():
        app.forgetting.reconcile(app.people.resolve(local_door()))
    return household


def found(app: App, owner: str | None, own: Sequence[Handle]) -> Settled:
    """Set the household up as its owner says, and write that down in the home. May be repeated.

    `own` handles become the owner's, from whoever has them, and this machine's key speaks for the owner on
    their platforms. Raises as `settle` does, and `Conflict` where the owner has another name.
    """
    scope = app.people.resolve(local_door())
    identity = load_identity(app.settings.home)
    declared = papers.declared(identity) or ()
    called = None if identity is None else identity.owner.name
    known = _known_name(app, scope)
    name = called or known or owner or _account()
    if owner is not None and owner.strip() != name:
        raise Conflict(
            f"The owner is {name}.",
            not_done="Nothing was changed.",
            next_step="Change owner.name in identity.yaml, or use another NUMEN_HOME for another person.",
        )
    handles = tuple(dict.fromkeys((*declared, *own)))
    asked = handles if known is None else own
    household = app.people.init(scope, known or name, [one.gateway for one in asked])
    app.directory.reconcile(scope, load("people").Declared(called, handles), insist=frozenset(own))
    written = {
        FILE_NAME: papers.write_owner(app.settings, household.owner.id),
        IDENTITY_NAME: papers.write_identity(app.settings.home, name, own),
    }
    return Settled(household, name, handles, tuple(name for name, fresh in written.items() if fresh))


def _known_name(app: App, scope: Scope) -> str | None:
    """What the owner is called in the store."""
    if scope.is_owner:
        with suppress(NotFound):
            return app.people.owner(scope).display_name
    return None


def _account() -> str:
    """The account's name, else a plain word."""
    with suppress(KeyError, OSError):
        return getpass.getuser()
    return "owner"
