"""The store's own table: its epochs."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from numen.kernel import from_iso, iso
from numen.store.db import ReadConnection, WriteConnection, metadata

epochs = sa.Table(
    "epochs",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("epoch", sa.Text, nullable=False, unique=True),
    sa.Column("since", sa.Text, nullable=False),
)


def current_epoch(connection: ReadConnection) -> str | None:
    """The epoch in which ids are minted now, None in a store that was never opened."""
    return connection.scalar(sa.select(epochs.c.epoch).order_by(epochs.c.number.desc()).limit(1))


def epoch_since(connection: ReadConnection) -> datetime:
    """When the epoch began in which ids are minted now: what is older may have been lost."""
    since = connection.scalar(sa.select(epochs.c.since).order_by(epochs.c.number.desc()).limit(1))
    assert since is not None, "an open store has an epoch"
    return from_iso(since)


def begin_epoch(connection: WriteConnection, epoch: str, at: datetime) -> None:
    """From now on ids are minted in `epoch`."""
    number = connection.scalar(sa.select(sa.func.coalesce(sa.func.max(epochs.c.number), 0))) or 0
    connection.execute(epochs.insert().values(number=number + 1, epoch=epoch, since=iso(at)))
