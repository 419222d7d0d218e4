"""The owner and the key of this machine, set up by whoever starts Numen first on their own account."""

from __future__ import annotations

import getpass
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from numen.app import App, load
from numen.kernel import NotFound, Scope

if TYPE_CHECKING:
    from numen.people import Household
    from numen.people.types import Door


def local_door() -> Door:
    """The door of whoever runs this process on this machine."""
    return load("people").Local(os.getuid(), sys.stdin.isatty())


def settle(app: App, owner: str | None = None) -> Household:
    """Set the household up, or find it as it is; without a name the owner is called what the account is.

    Raises `Forbidden` where the home belongs to another account, `Conflict` where the owner is someone else.
    """
    scope = app.people.resolve(local_door())
    return app.people.init(scope, owner or _standing_name(app, scope))


def _standing_name(app: App, scope: Scope) -> str:
    """The owner's name as it is known, else the account's, else a plain word."""
    if scope.is_owner:
        with suppress(NotFound):
            return app.people.owner(scope).display_name
    with suppress(KeyError, OSError):
        return getpass.getuser()
    return "owner"
