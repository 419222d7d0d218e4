"""What a database's error means for a person: what happened, what was not done, what to do next."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from numen.kernel import NumenError, Unavailable
from numen.store.types import Place, WrongFile

_NOTHING = "Nothing was changed."

_SQLITE = (
    ("SQLITE_FULL", "full"),
    ("SQLITE_READONLY", "readonly"),
    ("SQLITE_CANTOPEN", "cannot_open"),
    ("SQLITE_PERM", "cannot_open"),
    ("SQLITE_BUSY", "busy"),
    ("SQLITE_LOCKED", "busy"),
    ("SQLITE_NOTADB", "not_a_store"),
    ("SQLITE_CORRUPT", "damaged"),
    ("SQLITE_IOERR", "input_output"),
)

_POSTGRES = (
    ("53100", "full"),
    ("53300", "crowded"),
    ("25006", "readonly"),
    ("42501", "no_permission"),
    ("55P03", "busy"),
    ("40", "busy"),
    ("08", "unreachable"),
    ("57P", "unreachable"),
    ("XX", "damaged"),
)

_SENTENCES = {
    "full": ("The disk that holds the store is full: {place}.", "Free some space and try again."),
    "readonly": ("The store can only be read: {place}.", "Give this account the right to write there."),
    "cannot_open": ("The store cannot be opened: {place}.", "Check that the directory exists and is yours."),
    "busy": ("Another process kept the store for too long: {place}.", "Try again in a moment."),
    "not_a_store": (
        "The file is not a Numen store: {place}.",
        "Move it away, or set NUMEN_HOME to another directory.",
    ),
    "damaged": ("The store is damaged: {place}.", "Restore it from a backup; the damaged one was left."),
    "input_output": ("The disk failed under the store: {place}.", "Check the disk, then try again."),
    "no_permission": ("The database user may not do this: {place}.", "Grant it the right to create tables."),
    "crowded": ("The database server takes no more connections: {place}.", "Try again in a moment."),
    "unreachable": (
        "The database cannot be reached: {place}{reason}.",
        "Start the server, or check NUMEN_DATABASE_URL.",
    ),
    "driver": ("The PostgreSQL driver is not installed.", "Install it: pip install 'numen[postgres]'."),
}

_ERRNO = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EROFS: "readonly",
    errno.EACCES: "cannot_open",
    errno.EPERM: "cannot_open",
    errno.EIO: "input_output",
}


@contextmanager
def explained(place: Place) -> Generator[None]:
    """Errors of the database inside become a `NumenError` that names `place`.

    An `IntegrityError` passes: it says something about the rows, which only the domain can explain.
    """
    try:
        yield
    except IntegrityError:
        raise
    except PoolTimeout as error:
        raise fault("crowded", place) from error
    except sqlite3.Error as error:
        name = None if isinstance(error, sqlite3.IntegrityError) else name_of(error)
        if name is None:
            raise
        raise fault(name, place) from error
    except DBAPIError as error:
        name = name_of(error.orig)
        if name is None:
            raise
        raise fault(name, place, _reason(error.orig) if name == "unreachable" else "") from error


@contextmanager
def opening(place: Place) -> Generator[None]:
    """Like `explained`, and errors of the file system and a missing driver are of `place` too."""
    try:
        with explained(place):
            yield
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise fault("driver", place) from error
    except OSError as error:
        raise fault(_ERRNO.get(error.errno or 0, "cannot_open"), place) from error


def fault(name: str, place: Place, reason: str = "") -> NumenError:
    """The error that the fault `name` is shown as; `reason` is what the server said."""
    what, next_step = _SENTENCES[name]
    kind = WrongFile if name in {"not_a_store", "damaged"} else Unavailable
    return kind(what.format(place=place.shown, reason=reason), not_done=_NOTHING, next_step=next_step)


def name_of(error: BaseException | None) -> str | None:
    """Which of the known faults a driver's `error` is, None if it is none of them (then it is a defect)."""
    sqlite = getattr(error, "sqlite_errorname", None)
    if isinstance(sqlite, str):
        return next((name for prefix, name in _SQLITE if sqlite.startswith(prefix)), None)
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        return next((name for prefix, name in _POSTGRES if state.startswith(prefix)), None)
    return "unreachable" if type(error).__name__ == "OperationalError" else None


def _reason(error: BaseException | None) -> str:
    """The server's own words, of which the driver gives no code; they hold no password."""
    said = str(error).rpartition("FATAL:")[2].strip().partition("\n")[0].rpartition(" failed: ")[2]
    return f": {said.rstrip('.')}" if said else ""
