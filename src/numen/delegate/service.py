"""What can be asked of delegation: run, plan, look, cancel, write again, and what it all cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from numen.delegate import intents, materials, output, prompt, rules, spend, tables
from numen.delegate.accounts import Means
from numen.delegate.errand import Errand
from numen.delegate.folders import Folder
from numen.delegate.runner import CANCEL
from numen.delegate.tables import Row
from numen.delegate.types import Gathered, Intent, InvalidIntent, State, Status
from numen.kernel import Conflict, Forbidden, Json, Scope, iso
from numen.secrets import hidden
from numen.secrets.types import Find

MOST_ROWS = 500
"""Delegations that are listed at once (ours)."""

BY = ("tag", "model", "day", "backend", "project", "code")
"""What a report is grouped by."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a host is given: the envelope, and the exit code that goes with it."""

    envelope: Mapping[str, Json]
    exit: int


class Delegate:
    """Bounded work, done by others. For the owner alone. `find` finds secrets without keeping them."""

    def __init__(self, means: Means, find: Find) -> None:
        self._means = means
        self._find = find

    def run(self, scope: Scope, given: bytes) -> Done:
        """Delegate what `given` asks for and wait for its end; an envelope in each case, recorded in each.

        Raises `Forbidden` for whoever is not the owner; nothing that an intent says raises.
        """
        _owner_only(scope)
        self.recover(scope)
        admitted = self.admit(scope, given)
        if isinstance(admitted, Done):
            return admitted
        errand = Errand(self._means, scope, *admitted)
        if rules.is_nested(self._means.environ):
            return _done(errand.refuse("nested_delegation_forbidden"))
        return _done(errand.run())

    def admit(self, scope: Scope, given: bytes) -> tuple[Row, Intent] | Done:
        """A fresh row for what `given` asks for, not kept yet; an envelope where nothing is to be done.

        Raises `Forbidden` for whoever is not the owner.
        """
        _owner_only(scope)
        try:
            asked = intents.parsed(given)
            intent = self._checked(intents.intent_of(asked))
        except InvalidIntent as error:
            return self._refused(scope, given, f"invalid_intent: {error.what}")
        again = self._asked_before(intent, asked)
        return again or (self._fresh(scope, intent, asked), intent)

    def refuse(self, scope: Scope, why: str) -> Done:
        """The envelope for what was to be an intent and cannot be read; recorded like every other."""
        _owner_only(scope)
        return self._refused(scope, b"", f"invalid_intent: {why}")

    def plan(self, scope: Scope, given: bytes) -> Mapping[str, Json]:
        """What would be sent, and what it would cost; nothing is sent, kept or spent.

        Raises `InvalidIntent`, and `Forbidden` for whoever is not the owner.
        """
        _owner_only(scope)
        intent = self._checked(intents.read(given))
        found = materials.gathered(intent, self._means.habits, self._hidden)
        words = prompt.assembled(intent, found, self._means.nonce)
        price = self._means.prices.of(intent.worker)
        call = spend.bound(intent, words, price)
        backend = self._means.backends.get(intent.worker.backend)
        against = None if backend is None else backend.refusal(intent.worker)
        usual = spend.Bound(rules.estimated(words), None) if price is None else call
        return {
            "schema": "numen-delegation-plan-v1",
            "intent_hash": rules.intent_hash(intent, found),
            "model": intent.worker.model,
            "backend": intent.worker.backend,
            "hermes_profile": intent.worker.profile,
            "prompt_bytes": len(words.encode("utf-8", "replace")),
            "est_prompt_tokens": rules.estimated(words),
            "max_output_tokens": call.tokens - rules.estimated(words),
            "cost_usd": None if usual.micros is None else usual.micros / spend.UNIT,
            "price_table": self._means.prices.version,
            "redactions": sum(one.redactions for one in found.materials),
            "materials": [one.as_json() for one in found.materials],
            "missing_targets": [{"path": one.path, "why": one.why} for one in found.missing],
            "write_to": intent.write_to,
            "refusal": self._refusal(intent, found, call) or (None if against is None else against.reason),
        }

    def reapply(self, scope: Scope, run: str) -> Done:
        """Write an answer that was paid for and could not be written; once, however often it is asked.

        Raises `NotFound` for an unknown run, `Conflict` while it runs.
        """
        _owner_only(scope)
        row = self.row(scope, run)
        if row.state is not State.SETTLED:
            self.recover(scope)
            row = self.row(scope, run)
        if row.state is not State.SETTLED:
            raise Conflict("It has not ended yet.", not_done="Nothing was written.")
        if row.status == Status.OK:
            return _done(self._whole(row))
        return _done(self._taken_up(scope, row).reapply())

    def intent(self, row: Row) -> Intent:
        """The intent of a row that was admitted."""
        return intents.intent_of(row.intent)

    def standing(self, scope: Scope, states: Collection[State]) -> Sequence[Row]:
        """Those in one of `states`, the most urgent first. Raises `Forbidden`."""
        _owner_only(scope)
        with self._means.store.reading() as connection:
            return tables.standing(connection, states)

    def row(self, scope: Scope, run: str) -> Row:
        """A delegation as it is kept. Raises `NotFound`, `Forbidden`."""
        _owner_only(scope)
        with self._means.store.reading() as connection:
            row = tables.of(connection, run)
        if row is None:
            raise self._means.store.absence(run, "delegation")
        return row

    def recover(self, scope: Scope) -> int:
        """Bring to an end what was left by processes that are gone; how many. Nothing is spent."""
        _owner_only(scope)
        rows = self.standing(scope, {State.RUNNING})
        return sum(self._taken_up(scope, row).resume() is not None for row in rows)

    def runs(self, scope: Scope, limit: int = 50) -> Sequence[Mapping[str, Json]]:
        """The last delegations, newest first, without words."""
        _owner_only(scope)
        with self._means.store.reading() as connection:
            rows = tables.latest(connection, min(max(1, limit), MOST_ROWS))
        return [row_json(row) for row in rows]

    def status(self, scope: Scope, run: str) -> Mapping[str, Json]:
        """How a delegation stands, without words. Raises `NotFound`."""
        _owner_only(scope)
        return row_json(self.row(scope, run))

    def result(self, scope: Scope, run: str) -> Done:
        """The envelope of a delegation that has ended. Raises `NotFound`, `Conflict` where it has not."""
        _owner_only(scope)
        row = self.row(scope, run)
        if row.state is not State.SETTLED:
            raise Conflict(
                f"It is {row.state}.", not_done="There is no result.", next_step="Ask again later."
            )
        return _done(self._whole(row))

    def cancel(self, scope: Scope, run: str) -> Mapping[str, Json]:
        """Stop a delegation: one that runs is ended with its whole process tree. Raises `NotFound`."""
        _owner_only(scope)
        row = self.row(scope, run)
        folder = Folder(Path(row.project_root), row.id)
        if row.state is State.RUNNING and folder.exists():
            folder.write(CANCEL, "")
        elif row.state is State.QUEUED:
            self._taken_up(scope, row).refuse("cancelled")
        return row_json(self.row(scope, run))

    def report(self, scope: Scope, by: Sequence[str], since: str = "") -> Mapping[str, Json]:
        """What was spent, and what the host was spared, grouped; a delegation of two tags counts for both."""
        _owner_only(scope)
        with self._means.store.reading() as connection:
            rows = tables.spent(connection, since)
        groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
        for row in rows:
            for key in _keys(row, by):
                groups[key].append(row)
        return {
            "schema": "numen-delegation-report-v1",
            "by": list(by),
            "price_table": self._means.prices.version,
            "rows": [{**dict(zip(by, key, strict=True)), **_sums(of)} for key, of in sorted(groups.items())],
            "total": _sums(rows),
        }

    def _checked(self, intent: Intent) -> Intent:
        """The intent, where its root is a folder and its schema a schema. Raises `InvalidIntent`."""
        if not intent.project_root.is_dir():
            raise intents.refused("project_root: there is no such folder")
        why = None if intent.output_schema is None else output.schema_problem(intent.output_schema)
        if why is not None:
            raise intents.refused(f"payload.output_schema: {why}")
        return intent

    def _refusal(self, intent: Intent, found: Gathered, call: spend.Bound) -> str | None:
        if intent.target_paths and not found.materials:
            return f"material_refused:{found.missing[0].why}"
        why = spend.refusal(intent, self._means.habits.caps, call, 0)
        return None if why is None else f"budget_refused:{why}"

    def _refused(self, scope: Scope, given: bytes, reason: str) -> Done:
        """The envelope of an intent that is none, recorded too; in its project, where it names one."""
        intent = intents.stand_in(given)
        errand = Errand(self._means, scope, self._fresh(scope, intent, {}), intent)
        return _done(errand.refuse(reason))

    def _asked_before(self, intent: Intent, asked: Mapping[str, Json]) -> Done | None:
        """The answer to a request that came before; a `duplicate` where it had other content, or runs."""
        if intent.request_id is None:
            return None
        with self._means.store.reading() as connection:
            row = tables.of_request(connection, intent.request_id)
        if row is None:
            return None
        if row.asked == rules.asked_digest(asked) and row.state is State.SETTLED:
            return _done({**self._whole(row), "reused": row.id})
        why = "it is being worked on" if row.state is not State.SETTLED else "it had other content"
        told = {**(row.envelope or {}), "status": "degraded", "degraded_reason": f"duplicate: {why}"}
        return Done({**told, "run_id": row.id, "intent_id": row.intent_id}, 4)

    def _fresh(self, scope: Scope, intent: Intent, asked: Mapping[str, Json]) -> Row:
        at = self._means.clock.now()
        hashed = rules.intent_hash(intent, Gathered())
        sealed = cast("Mapping[str, Json]", self._means.secrets.seal_all(scope, asked))
        return Row(
            self._means.store.ids.new("run"),
            rules.intent_id(at, hashed),
            hashed,
            intent.request_id,
            State.RUNNING,
            str(intent.project_root),
            sealed,
            rules.asked_digest(asked),
            intent.worker.model,
            intent.worker.backend,
            intent.tags,
            intent.priority,
            0,
            iso(at),
            iso(at),
        )

    def _taken_up(self, scope: Scope, row: Row) -> Errand:
        return Errand(self._means, scope, row, self.intent(row))

    def _whole(self, row: Row) -> Mapping[str, Json]:
        """The envelope with its words, where its folder still has them."""
        kept = Folder(Path(row.project_root), row.id).kept("envelope.json")
        return dict(row.envelope or {}) if kept is None else kept

    def _hidden(self, text: str) -> tuple[str, int]:
        found = self._find(text)
        return str(hidden(text, self._find)), len(found)


def _done(told: Mapping[str, Json]) -> Done:
    reason = cast("str | None", told.get("degraded_reason"))
    return Done(told, rules.exit_code(Status(str(told["status"])), reason))


def row_json(row: Row) -> Mapping[str, Json]:
    """A delegation as it is shown, without words."""
    return {
        "schema": "numen-delegation-row-v1",
        "run_id": row.id,
        "intent_id": row.intent_id,
        "state": row.state,
        "status": row.status,
        "degraded_reason": None if row.envelope is None else row.envelope.get("degraded_reason"),
        "model": row.model,
        "backend": row.backend,
        "tags": list(row.tags),
        "project_root": row.project_root,
        "priority": row.priority,
        "tries": row.tries,
        "created_at": row.created_at,
        "moved_at": row.moved_at,
        "cost_usd": None if row.micros is None else row.micros / spend.UNIT,
        "usage": {"input": row.input, "output": row.output},
        "host_tokens_avoided": row.avoided,
    }


def _keys(row: Row, by: Sequence[str]) -> list[tuple[str, ...]]:
    """The groups that a row belongs to."""
    keys: list[tuple[str, ...]] = [()]
    for name in by:
        values = {
            "tag": row.tags or ("",),
            "model": (row.model,),
            "day": (row.created_at[:10],),
            "backend": (row.backend,),
            "project": (row.project_root,),
            "code": (row.code or "",),
        }[name]
        keys = [(*key, value) for key in keys for value in values]
    return keys


def _sums(rows: Sequence[Row]) -> dict[str, Json]:
    """What a group comes to. `unpriced` counts those without a known price: they are in no sum of money."""
    return {
        "delegations": len(rows),
        "ok": sum(row.status == Status.OK for row in rows),
        "input_tokens": sum(row.input for row in rows),
        "output_tokens": sum(row.output for row in rows),
        "cost_usd": sum(row.micros or 0 for row in rows) / spend.UNIT,
        "unpriced": sum(row.micros is None for row in rows),
        "host_tokens_avoided": sum(row.avoided for row in rows),
    }


def _owner_only(scope: Scope) -> None:
    if not scope.is_owner:
        raise Forbidden("Only the owner may delegate.", not_done="Nothing was delegated or spent.")
