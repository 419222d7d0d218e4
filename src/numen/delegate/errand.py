"""One delegation on its way: gathered, reserved, done, checked, written, recorded; and taken up again."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import cast

from numen.delegate import artifact, envelopes, lines, output, prompt, rules, runner, spend, tables
from numen.delegate.accounts import Accounts, Means
from numen.delegate.envelopes import End, Named, Read
from numen.delegate.folders import Folder, Lock, intent_lock
from numen.delegate.materials import gathered
from numen.delegate.places import Below, Refused
from numen.delegate.tables import Row
from numen.delegate.types import (
    Attempt,
    BackendName,
    Expected,
    Failed,
    Fault,
    How,
    Intent,
    Job,
    Reply,
    State,
    Status,
    Step,
    Usage,
    Worker,
)
from numen.kernel import Json, Scope, from_iso, iso

_LOOK = 0.05
"""Seconds between two looks at a lock that another holds (ours)."""


class Errand:
    """One delegation. `row` is how it stands; its words lie in its folder."""

    def __init__(self, means: Means, scope: Scope, row: Row, intent: Intent) -> None:
        self._means = means
        self._scope = scope
        self._accounts = Accounts(means, scope)
        self.row = row
        self.intent = intent
        self.folder = Folder(intent.project_root, row.id)
        self._read = Read()
        self._attempts: list[Attempt] = []
        self._began = means.clock.monotonic()
        self._locks: list[Lock] = []
        self._again = False
        """Whether this takes up what another process began."""

    def run(self) -> Mapping[str, Json]:
        """Do it all; the envelope. Raises nothing that a host could have caused."""
        try:
            return self._run()
        finally:
            self._let_go()

    def resume(self) -> Mapping[str, Json] | None:
        """Bring to an end what a process that is gone began; None while something of it still runs.

        Nothing is spent: what a backend answered is used, and what it did not answer is not asked again.
        """
        try:
            if self.folder.exists():
                lock = self.folder.lock()
                if lock is None:
                    return None
                self._locks.append(lock)
            self._again = True
            return self._resumed()
        except Refused:
            return self._concluded(End(Status.DEGRADED, "orphaned_process"))
        finally:
            self._let_go()

    def reapply(self) -> Mapping[str, Json]:
        """Write an answer that was paid for and could not be written."""
        self._again = True
        self._read = self._was_read()
        number = self.folder.last_attempt()
        outcome = self._outcome(number, self._worker(number)) if number else None
        if not isinstance(outcome, Reply):
            return dict(self.row.envelope or {})
        checked = output.checked(self.intent, outcome.text)
        self._attempts = self._retold()
        if checked.why:
            return self._concluded(self._end(f"output_validation_failed:{checked.why}"))
        return self._written(checked.response)

    def refuse(self, reason: str) -> Mapping[str, Json]:
        """End it before anything was spent."""
        return self._concluded(self._end(reason))

    def _run(self) -> Mapping[str, Json]:
        means, intent = self._means, self.intent
        found = gathered(intent, means.habits, self._seal)
        means.passed(Step.READ)
        hashed = rules.intent_hash(intent, found)
        self.row = replace(
            self.row, intent_hash=hashed, intent_id=rules.intent_id(from_iso(self.row.created_at), hashed)
        )
        asked = prompt.assembled(intent, found, means.nonce)
        self._read = Read.of(found, rules.estimated(asked))
        means.passed(Step.HASHED)
        if intent.target_paths and not found.materials:
            return self.refuse(f"material_refused:{found.missing[0].why}")
        try:
            place = artifact.target(intent, means.habits)
            reused = self._locked()
            if reused is not None:
                return reused
            self.folder.keep("read.json", self._read.as_json())
        except Refused as refusal:
            return self.refuse(f"write_refused:{refusal.why}")
        except OSError as error:
            return self.refuse(f"write_refused:{artifact.reason(error)}")
        means.passed(Step.LOCKED)
        self._attempts = self._retold()
        return self._answered(asked, place)

    def _locked(self) -> Mapping[str, Json] | None:
        """Take both locks; an envelope where the answer of another serves, or none may be made."""
        root, reuse = self.intent.project_root, self.intent.reuse
        until = self._began + self.intent.timeout_seconds
        lock = intent_lock(root, self.row.intent_hash)
        waited = lock is None
        while lock is None:
            if not reuse.inflight or self._means.clock.monotonic() >= until:
                return self.refuse("lock_held")
            threading.Event().wait(_LOOK)
            lock = intent_lock(root, self.row.intent_hash)
        self._locks.append(lock)
        if waited or reuse.seconds:
            seconds = reuse.seconds or self.intent.timeout_seconds
            since = iso(self._means.clock.now() - timedelta(seconds=seconds))
            with self._means.store.reading() as connection:
                row = tables.answered(connection, self.row.intent_hash, since)
            if row is not None:
                return self._shared(row)
        own = self.folder.lock()
        assert own is not None, "a fresh id has a fresh folder"
        self._locks.append(own)
        return None

    def _shared(self, row: Row) -> Mapping[str, Json]:
        """The answer of another delegation of the same intent; this one is recorded and costs nothing."""
        theirs = Folder(self.intent.project_root, row.id).kept("envelope.json") or row.envelope or {}
        response = theirs.get("response")
        wrote_to = theirs.get("wrote_to")
        end = End(
            Status.OK,
            None,
            (),
            response if isinstance(response, str) else None,
            wrote_to if isinstance(wrote_to, str) else None,
            0,
            self._millis(),
        )
        return {**self._concluded(end), "reused": row.id}

    def _answered(self, asked: str, place: Below | None) -> Mapping[str, Json]:
        """Have it done: by the first who can, with one round of repair."""
        worker, tried, kind, words = self.intent.worker, 1, "call", asked
        while True:
            outcome = self._attempt(worker, kind, words)
            if isinstance(outcome, Reply):
                checked = output.checked(self.intent, outcome.text)
                if not checked.why:
                    self._means.passed(Step.CHECKED)
                    return self._written(checked.response, place)
                failed = _unfit(checked.why, outcome)
                if kind != "repair" and self.intent.expected is Expected.JSON and outcome.text.strip():
                    words, kind = prompt.repair(asked, rules.quoted(outcome.text), checked.why), "repair"
                    continue
            else:
                failed = outcome
            other = rules.after(failed, self.intent.workers, tried)
            if other is None:
                if rules.is_tried_again(failed, self.row.tries):
                    return self._put_off()
                return self._concluded(self._end(failed.reason))
            worker, tried, kind, words = other, tried + 1, "fallback", asked

    def _put_off(self) -> Mapping[str, Json]:
        """Back into the queue, until later; nothing is told yet."""
        later = self._means.clock.now() + timedelta(seconds=rules.wait_seconds(self.row.tries))
        self.row = replace(self.row, state=State.QUEUED, tries=self.row.tries + 1, moved_at=iso(later))
        self._accounts.enqueue(self.row)
        return {}

    def _attempt(self, worker: Worker, kind: str, words: str) -> Reply | Failed:
        """One call: reserved, run to its end, and told among the attempts."""
        means, intent = self._means, self.intent
        left = intent.timeout_seconds - (means.clock.monotonic() - self._began)
        backend = means.backends.get(worker.backend)
        if backend is None:
            refused: Failed | None = Failed(f"backend_not_installed:{worker.backend}", Fault.AVAILABILITY)
        else:
            refused = backend.refusal(worker)
        if left <= 0:
            refused = Failed(f"hermes_timeout_{intent.timeout_seconds}s", Fault.STOPPED)
        refused = refused or self._reserved(worker, kind, words)
        if backend is None or refused is not None:
            refused = refused or Failed("backend_not_installed", Fault.AVAILABILITY)
            self._attempts.append(Attempt(worker, kind, refused.reason, 0, None))
            return refused
        means.passed(Step.RESERVED)
        number = len(self.row.reserved)
        try:
            file = self.folder.write(f"prompt-{number}.txt", words)
            job = self._job(number, worker, words, left)
            command = backend.command(job)
            limits = runner.Limits(left, intent.idle_seconds)
            variables = rules.environment(means.environ, command.keep, command.set, self.row.id)
            means.passed(Step.PREPARED)
            running = runner.start(
                replace(command, stdin=command.stdin and file),
                self.folder.files(number),
                limits,
                variables,
                [one.descriptor for one in self._locks],
            )
        except OSError as error:
            failed = Failed(f"backend_not_started:{artifact.reason(error)}", Fault.AVAILABILITY)
            self._attempts.append(Attempt(worker, kind, failed.reason, 0, None, Usage(0, 0), ran=True))
            return failed
        means.passed(Step.SPAWNED)
        running.wait()
        outcome = self._outcome(number, worker)
        self._attempts.append(self._told(number, worker, kind, outcome))
        means.passed(Step.REPLIED)
        return outcome

    def _reserved(self, worker: Worker, kind: str, words: str) -> Failed | None:
        reserved = self._accounts.reserve(self.row, self.intent, worker, kind, words)
        if isinstance(reserved, Failed):
            if reserved.reason == "duplicate":
                self.row = replace(self.row, request_id=None)
            return reserved
        self.row = reserved
        return None

    def _resumed(self) -> Mapping[str, Json] | None:
        kept = self.folder.kept("envelope.json")
        self._read = self._was_read()
        self._attempts = self._retold()
        if kept is not None:
            return self._settled(kept)
        number = len(self.row.reserved)
        outcome = self._outcome(number, self._worker(number)) if number else Failed("", Fault.STOPPED)
        if isinstance(outcome, Failed):
            return self._concluded(self._end(outcome.reason or "orphaned_process"))
        checked = output.checked(self.intent, outcome.text)
        if checked.why:
            return self._concluded(self._end(_unfit(checked.why, outcome).reason))
        return self._written(checked.response)

    def _written(self, response: str, place: Below | None = None) -> Mapping[str, Json]:
        """Write the artifact, if one is wanted, and conclude."""
        means = self._means
        try:
            place = place or artifact.target(self.intent, means.habits)
            if place is not None:
                artifact.write(
                    self.intent,
                    place,
                    response,
                    self.folder.plan_file,
                    lambda: means.passed(Step.PLANNED),
                )
                means.passed(Step.WRITTEN)
        except (Refused, OSError) as error:
            why = error.why if isinstance(error, Refused) else artifact.reason(error)
            return self._concluded(self._end(f"write_refused:{why}", response))
        return self._concluded(self._end(None, response, None if place is None else str(place.path)))

    def _end(self, reason: str | None, response: str | None = None, wrote_to: str | None = None) -> End:
        attempts = tuple(self._attempts)
        millis = sum(one.millis for one in attempts) if self._again else self._millis()
        return End(
            Status.OK if reason is None else Status.DEGRADED,
            reason,
            attempts,
            response,
            wrote_to,
            spend.cost(attempts, self._means.prices),
            millis,
        )

    def _concluded(self, end: End) -> Mapping[str, Json]:
        """The line, the envelope, the settlement: in this order, each of them once."""
        means, named = self._means, self._named()
        told = envelopes.envelope(named, self._read, end, means.prices.version)
        entry = self._line(named, told)
        told["ledger_entry"] = entry
        means.passed(Step.LINED)
        if self.folder.exists():
            try:
                self.folder.keep("envelope.json", told)
            except OSError:
                told["artifacts"] = None
        means.passed(Step.ENVELOPED)
        return self._settled(told)

    def _line(self, named: Named, told: Mapping[str, Json]) -> str | None:
        """Add the line to the project's; None where the project cannot hold it."""
        if not self.intent.project_root.is_dir():
            return None
        record = envelopes.line(named, told, self._means.now())
        try:
            return str(
                lines.append(self.intent.project_root, record, once=self.row.id if self._again else None)
            )
        except (Refused, OSError):
            return None

    def _settled(self, told: Mapping[str, Json]) -> Mapping[str, Json]:
        self.row = self._accounts.settle(self.row, tuple(self._attempts), told)
        return told

    def _outcome(self, number: int, worker: Worker) -> Reply | Failed:
        """What came of an attempt, as its files tell it."""
        ended = runner.ended(self.folder.files(number))
        failed = rules.of_ended(ended, self.intent.timeout_seconds)
        if failed is not None:
            return failed
        if ended.left:
            return Failed("orphaned_process", Fault.STOPPED)
        backend = self._means.backends.get(worker.backend)
        if backend is None:
            return Failed("backend_not_installed", Fault.AVAILABILITY)
        out, err = self.folder.output(number)
        reply = backend.read(self._job(number, worker, "", 0.0), ended, out, err)
        if isinstance(reply, Reply) and not reply.text.strip():
            return Failed("empty_response", Fault.OUTPUT)
        return reply

    def _told(self, number: int, worker: Worker, kind: str, outcome: Reply | Failed) -> Attempt:
        """An attempt as the envelope tells it."""
        ended = runner.ended(self.folder.files(number))
        reason = outcome.reason if isinstance(outcome, Failed) else None
        usage = None
        if isinstance(outcome, Reply):
            asked = self.folder.text(f"prompt-{number}.txt")
            usage = rules.usage_of(asked, outcome.text, outcome.usage)
        elif ended.how is How.NOT_STARTED:
            usage = Usage(0, 0)
        return Attempt(worker, kind, reason, ended.millis, ended.exit, usage, ran=True)

    def _retold(self) -> list[Attempt]:
        """The attempts of a delegation that is taken up again, from their files."""
        return [
            self._told(
                number, self._worker(number), str(one["kind"]), self._outcome(number, self._worker(number))
            )
            for number, one in enumerate(self.row.reserved, 1)
        ]

    def _worker(self, number: int) -> Worker:
        backend, model, profile = cast("list[str]", self.row.reserved[number - 1]["worker"])
        return Worker(BackendName(backend), model, profile)

    def _job(self, number: int, worker: Worker, words: str, left: float) -> Job:
        return Job(
            worker,
            words,
            self.folder.path / f"prompt-{number}.txt",
            self.folder.path,
            self.intent.project_root,
            left,
            self.intent.max_output_tokens,
            self.intent.session_name,
        )

    def _was_read(self) -> Read:
        said = self.folder.kept("read.json")
        return Read() if said is None else Read(**cast("dict[str, object]", dict(said)))  # pyright: ignore[reportArgumentType]

    def _named(self) -> Named:
        worker = self._attempts[-1].worker if self._attempts else self.intent.worker
        return Named(
            self.row.id,
            self.row.intent_id,
            self.row.intent_hash,
            worker.model,
            worker.profile,
            worker.backend,
            self.intent.tags,
            str(self.intent.project_root),
            self.folder.shown if self.folder.exists() else None,
        )

    def _seal(self, text: str) -> tuple[str, int]:
        sealed = self._means.secrets.seal(self._scope, text)
        return sealed.text, len(sealed.references) + sealed.withheld

    def _millis(self) -> int:
        return round((self._means.clock.monotonic() - self._began) * 1000)

    def _let_go(self) -> None:
        for one in self._locks:
            one.release()


def _unfit(why: str, reply: Reply) -> Failed:
    """What an answer of the wrong form is called."""
    if not reply.text.strip() or why == "empty":
        return Failed("empty_response", Fault.OUTPUT)
    return Failed(f"output_validation_failed:{why}", Fault.OUTPUT)
