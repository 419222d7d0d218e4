"""Going through the whole ledger to see whether it is what was recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from numen.kernel import Json
from numen.ledger import rules, tables
from numen.ledger.rules import Link
from numen.ledger.schemas import bodies_of
from numen.ledger.types import Fault, Kind, Verification
from numen.store import ReadConnection

_BATCH = 1000
_ALL = tables.Selection()


def verify_chain(connection: ReadConnection) -> Verification:
    """The first fault in the chain, else in the bodies; none if all is as it was recorded."""
    link = rules.START
    while rows := tables.after(connection, link.seq, _ALL, _BATCH):
        for row in rows:
            fault = rules.fault_of(row, link)
            if fault is not None:
                return _broken(connection, link, row, fault)
            link = Link(cast("int", row["seq"]), cast("str", row["hash"]))
        missing = _without_body(connection, rows)
        if missing is not None:
            return _verdict(link, Fault.BODY_MISSING, missing)
    fault = rules.head_fault(tables.head(connection) or rules.START, link)
    if fault is not None:
        return _verdict(link, fault, link.seq + (fault is Fault.MISSING))
    return _verify_bodies(connection, link)


def _broken(connection: ReadConnection, link: Link, row: tables.Row, fault: Fault) -> Verification:
    if fault is Fault.MISSING:
        return _verdict(link, fault, link.seq + 1)
    moved = row["prev_hash"] != link.hash and tables.has_hash(connection, row["prev_hash"])
    if fault is Fault.CHANGED and moved:
        fault = Fault.REORDERED
    return _verdict(link, fault, link.seq + 1)


def _without_body(connection: ReadConnection, rows: list[tables.Row]) -> int | None:
    """The first of `rows` that points at words without a trace."""
    wanted: dict[str, int] = {}
    for row in rows:
        for digest in bodies_of(Kind(str(row["kind"])), _payload(str(row["payload"]))):
            wanted.setdefault(digest, cast("int", row["seq"]))
    if not wanted:
        return None
    lost = wanted.keys() - tables.known_bodies(connection, wanted)
    return min((wanted[digest] for digest in lost), default=None)


def _verify_bodies(connection: ReadConnection, link: Link) -> Verification:
    gone = {
        str(payload["body"]): str(payload["reason"])
        for payload in map(_payload, tables.of_kind(connection, Kind.BODY_GONE))
    }
    seen = departed = 0
    for body in tables.all_bodies(connection):
        digest = str(body["digest"])
        fault = rules.body_fault(body, gone.get(digest))
        if fault is not None:
            return _verdict(link, fault, tables.mentioning(connection, digest))
        seen += 1
        departed += body["gone"] is not None
    return Verification(link.seq, seen, departed, link.hash)


def _verdict(link: Link, fault: Fault, seq: int | None) -> Verification:
    return Verification(link.seq, 0, 0, link.hash, fault, seq, rules.sentence(fault, seq))


def _payload(text: str) -> Mapping[str, Json]:
    return cast("Mapping[str, Json]", json.loads(text))
