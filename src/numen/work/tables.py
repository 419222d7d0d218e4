"""The rows of runs and of those who run them. Every move is a compare-and-set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from numen.store.db import ReadConnection, WriteConnection, insert_new, metadata

runs = sa.Table(
    "work_runs",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("job", sa.Text, nullable=False),
    sa.Column("n", sa.Integer, nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("executor", sa.Text, nullable=False),
    sa.Column("ended", sa.Boolean, nullable=False),
    sa.Index("work_runs_open", "ended", "executor"),
)

executors = sa.Table(
    "work_executors",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("beats", sa.BigInteger, nullable=False),
)


def want(connection: WriteConnection, job: str, identifier: str, executor: str) -> int | None:
    """Note that a row is to be run by `executor`: its new number, or None while another run is open."""
    row = {"id": identifier, "job": job, "n": 1, "epoch": 0, "executor": executor, "ended": False}
    if insert_new(connection, runs, row):
        return 1
    changed = connection.execute(
        sa.update(runs)
        .where(runs.c.id == identifier, runs.c.ended)
        .values(n=runs.c.n + 1, ended=False, executor=executor)
        .returning(runs.c.n)
    ).scalar_one_or_none()
    return None if changed is None else int(changed)


def take(connection: WriteConnection, identifier: str, n: int, executor: str) -> int | None:
    """Begin an attempt at run `n`: its epoch, or None where that run is over."""
    epoch = connection.execute(
        sa.update(runs)
        .where(runs.c.id == identifier, runs.c.n == n, sa.not_(runs.c.ended))
        .values(epoch=runs.c.epoch + 1, executor=executor)
        .returning(runs.c.epoch)
    ).scalar_one_or_none()
    return None if epoch is None else int(epoch)


def end(connection: WriteConnection, identifier: str, epoch: int) -> bool:
    """End the attempt of that epoch; False where another one has begun since."""
    return bool(
        connection.execute(
            sa.update(runs).where(runs.c.id == identifier, runs.c.epoch == epoch).values(ended=True)
        ).rowcount
    )


def stands(connection: WriteConnection, identifier: str, epoch: int) -> bool:
    """Whether the attempt of that epoch is still the latest; none can begin before the transaction ends."""
    latest = sa.select(runs.c.epoch).where(runs.c.id == identifier).with_for_update()
    found = connection.execute(latest).scalar_one_or_none()
    return found == epoch


def open_of(connection: ReadConnection, executor: str) -> Sequence[tuple[str, str, int]]:
    """The job, id and number of every run that `executor` has not ended."""
    rows = connection.execute(
        sa.select(runs.c.job, runs.c.id, runs.c.n)
        .where(sa.not_(runs.c.ended), runs.c.executor == executor)
        .order_by(runs.c.id)
    )
    return [(job, identifier, n) for job, identifier, n in rows]


def inherit(connection: WriteConnection, identifier: str, n: int, dead: str, executor: str) -> bool:
    """Take a dead executor's run over; False where somebody else was first."""
    return bool(
        connection.execute(
            sa.update(runs)
            .where(runs.c.id == identifier, runs.c.n == n, runs.c.executor == dead, sa.not_(runs.c.ended))
            .values(executor=executor, epoch=runs.c.epoch + 1)
        ).rowcount
    )


def beat(connection: WriteConnection, executor: str) -> None:
    """Say that `executor` lives."""
    if not insert_new(connection, executors, {"id": executor, "beats": 1}):
        connection.execute(
            sa.update(executors).where(executors.c.id == executor).values(beats=executors.c.beats + 1)
        )


def beats(connection: ReadConnection) -> Mapping[str, int]:
    """How often each executor has said that it lives."""
    rows = connection.execute(sa.select(executors.c.id, executors.c.beats))
    return {row.id: row.beats for row in rows}


def bury(connection: WriteConnection, executor: str) -> None:
    """Forget an executor that is gone."""
    connection.execute(sa.delete(executors).where(executors.c.id == executor))
