"""Which place a path or a URL means. Pure: nothing is opened."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from numen.kernel import InvalidInput
from numen.store.types import DATABASE, Dialect, Place

_FORMS = "Give a directory, sqlite:////absolute/path.db or postgresql://user@host/database."


def place_of(given: str | Path) -> Place:
    """The place that `given` names: a directory (the store is `numen.db` in it) or a database URL.

    Raises `InvalidInput` for a URL that is neither SQLite nor PostgreSQL, or names no file.
    """
    if isinstance(given, Path) or "://" not in given:
        return _file_place(Path(given).expanduser() / DATABASE)
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise InvalidInput(
            "The database URL cannot be read.", not_done="No store was opened.", next_step=_FORMS
        ) from None
    match url.drivername.partition("+")[0]:
        case "sqlite":
            if not url.database or url.database == ":memory:":
                raise InvalidInput(
                    "The database URL names no file, and a store must outlive its process.",
                    not_done="No store was opened.",
                    next_step=_FORMS,
                )
            return _file_place(Path(url.database).expanduser())
        case "postgresql" | "postgres":
            url = url.set(drivername="postgresql+psycopg")
            return Place(Dialect.POSTGRES, url.render_as_string(hide_password=False), str(url), None)
        case other:
            raise InvalidInput(
                f"A store cannot be kept in {other!r}.", not_done="No store was opened.", next_step=_FORMS
            )


def _file_place(file: Path) -> Place:
    file = file.absolute()
    url = URL.create("sqlite", database=str(file)).render_as_string(hide_password=False)
    return Place(Dialect.SQLITE, url, str(file), file)
