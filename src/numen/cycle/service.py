"""The cycle: a turn of a room thought through with what the room can afford, recorded, told honestly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from numen.cycle import fit, identity, lenses, measuring, rules, tables, tape
from numen.cycle.bucket import OwnGauge, RoomBucket, full
from numen.cycle.identity import Character, Identity
from numen.cycle.organs import Bounds, Gauge, RoomOrgans, Tools
from numen.cycle.prompts import Composer
from numen.cycle.retrieval import Source
from numen.cycle.turning import Asked, Habits, Result, Thinker, Turning
from numen.cycle.types import Arm, Curve, Energy, Mark, Plan, Step, Tank, Turned, Why
from numen.gate import Gate
from numen.kernel import Clock, Conflict, InvalidInput, Json, Scope, canonical_bytes, digest
from numen.ledger import Event, Kind, Ledger
from numen.people import NotOwner, is_anonymous
from numen.store import Store

LONGEST = 65_536
"""Characters of an input (ours: a long letter; what is longer belongs into a file that is ingested)."""

SHOWN = 20
"""Turns that are listed (ours)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the owner chose (`cycle` in numen.yaml)."""

    tank: Tank
    reply: int
    seconds: float
    keep_days: int
    habits: Habits = field(default_factory=Habits)
    bounds: Bounds = field(default_factory=Bounds)
    soul: Path | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """With what the cycle works; what it needs of rooms above or beside it is handed in."""

    store: Store
    ledger: Ledger
    clock: Clock
    gate: Gate
    home: Path
    settings: Settings
    character: Callable[[], Character]
    """Who the agent is in the owner's words, as they stand now."""
    thinker: Callable[[], Thinker | None]
    """The model that is configured; None where there is none."""
    sources: Callable[[Path | None], Sequence[Source]]
    gauges: Callable[[Path | None], Sequence[Gauge]]


@dataclass(frozen=True, slots=True)
class Ask:
    """One turn: the words, and from which place on this machine. `pairs` is for measuring."""

    text: str = field(repr=False)
    place: Path | None = None
    pairs: int | None = None


class Cycle:
    """Thinks turns through. Holds nothing of any room between two turns: all of it is in the store."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def turn(
        self, scope: Scope, asked: Ask, tools: Tools, told: Callable[[Step], None] = lambda _: None
    ) -> Turned:
        """The answer to `asked` in the caller's room, as deep as the room can afford and the fit allows.

        `told` hears of each step and may end the turn by raising; what was spent is then counted. Raises
        `InvalidInput` for words that are missing or too many, `CycleFailed` where the model gave no answer.
        """
        question, settings = _normal(asked.text), self._means.settings
        thinker = self._means.thinker()
        curve = None if thinker is None else fit.read_curve(self._means.home, thinker.name)
        turn = self._means.store.ids.new("turn")
        room = scope.room.digest()
        bucket = RoomBucket(self._means.store, self._means.clock, settings.tank, room, settings.keep_days)
        kept = bucket.begin()
        bounds = replace(settings.bounds, pairs=asked.pairs)
        organs = RoomOrgans(
            scope,
            turn,
            self._means.sources(asked.place),
            [*self._means.gauges(asked.place), OwnGauge(self._means.store, bucket, settings.tank)],
            tools,
            self._means.gate,
            bucket,
            self._means.settings.tank,
            self._means.clock,
            curve,
            model=thinker is not None,
            bounds=bounds,
        )
        blank = self._blank(question, turn, room, kept.epoch, thinker)
        recorder = tape.Recorder(organs, thinker, blank)
        turning = self._turning(recorder, thinker, told)
        try:
            result = turning.run()
        except BaseException:
            self._end(scope, turn, bucket, turning.marks, turning.spent + organs.paid, None, "")
            raise
        words = tape.write(recorder.tape) if kept.keeps else None
        left = self._end(scope, turn, bucket, result.marks, result.spent + organs.paid, result, words or "")
        notes = (*self._notes(scope, result.plan, curve, thinker, left), *result.notes)
        return Turned(
            turn,
            result.content,
            result.plan,
            "" if thinker is None else thinker.name,
            is_anonymous(scope.room),
            notes,
            result.drift,
            result.routed,
            result.marks,
            left.level,
            self._means.settings.tank.capacity,
            self._means.clock.now(),
        )

    def boot(self, scope: Scope) -> tuple[Identity, str]:
        """Fix who thinks, if nobody did, and write `SOUL.md` where one is configured; what became of it."""
        _owner_only(scope, "fix who thinks")
        who = self._identity()
        path = self._means.settings.soul
        if path is None:
            return who, "not configured"
        return who, identity.write_soul(path, identity.soul(self._means.character(), who))

    def standing(self, scope: Scope) -> dict[str, Json]:
        """Who thinks (None before the first turn), with which model and fit, the room's energy, turns."""
        thinker = self._means.thinker()
        curve = None if thinker is None else fit.read_curve(self._means.home, thinker.name)
        now, tank = self._means.clock.now(), self._means.settings.tank
        room = scope.room.digest()
        with self._means.store.reading() as connection:
            known = tables.room(connection, room)
            rows = tables.latest(connection, None if scope.is_owner else room, SHOWN)
            who = tables.identity(connection)
        energy = Energy(tank.capacity, now) if known is None else rules.refilled(known.energy, tank, now)
        return {
            "schema": "numen-cycle-v1",
            "identity": None if who is None else who.as_json(),
            "model": None if thinker is None else thinker.name,
            "fit": None if curve is None else curve.data_digest,
            "energy": {"left": energy.level, "capacity": tank.capacity, "per_hour": tank.per_hour},
            "keeps_words": known is not None and known.keeps,
            "turns": [{"turn": row.id, "at": row.trace["at"], "calls": row.trace["calls"]} for row in rows],
        }

    def trace(self, scope: Scope, turn: str) -> dict[str, Json]:
        """All 23 steps of a turn and what each cost. Raises `NotFound` for one the caller may not see."""
        return dict(self._kept(scope, turn).trace)

    def replay(self, scope: Scope, turn: str) -> dict[str, Json]:
        """The turn once more, from what its room kept: `same` says whether every byte is.

        Raises `NotFound`, and `Conflict` where the room was not told to keep its words, or the turn would go
        another way today.
        """
        kept = self._kept(scope, turn)
        if kept.tape is None:
            raise Conflict(
                "The words of this turn were not kept.",
                not_done="It was not replayed.",
                next_step="`numen cycle keep on` keeps those of the room's next turns.",
            )
        result = tape.replay(tape.read(kept.tape), self._means.clock)
        before = digest(canonical_bytes(_essence(kept.trace["steps"], kept.trace["content"])))
        steps: list[Json] = [mark.as_json() for mark in result.marks]
        again = digest(canonical_bytes(_essence(steps, digest(result.content.encode("utf-8", "replace")))))
        return {"schema": "numen-replay-v1", "turn": turn, "same": before == again, "digest": again}

    def fit(
        self, scope: Scope, tasks: Sequence[measuring.Task], told: Callable[[measuring.Run], None]
    ) -> tuple[dict[str, Json], Path | None]:
        """Measure on `tasks` how long the configured model is worth asking; the fit, and where it is kept.

        A model that follows a script measures nothing: its fit has no report and is not kept. Raises
        `NotOwner`, and `Conflict` where no model is configured.
        """
        _owner_only(scope, "measure the model")
        thinker = self._means.thinker()
        if thinker is None:
            raise Conflict(
                "No model is configured.",
                not_done="Nothing was measured.",
                next_step="numen model use PRESET --name MODEL",
            )
        runs = measuring.measure(thinker, tasks, self._means.clock, self._means.settings.reply, told=told)
        made = measuring.fitted(thinker.name, tasks, runs)
        if thinker.name.partition(":")[0] in measuring.MECHANISM:
            return {**made, "report": None, "value": {}}, None
        return made, measuring.keep(self._means.home, made)

    def keep(self, scope: Scope, *, on: bool) -> int:
        """Keep the words of this room's turns from now on, for a replay; or no more, and erase those kept.

        How many turns lost their words. Raises `NotOwner`.
        """
        _owner_only(scope, "say what a room keeps")
        room = scope.room.digest()
        with self._means.store.transaction() as connection:
            tables.lock_room(connection, room)
            now = self._means.clock.now()
            known = tables.room(connection, room) or full(self._means.settings.tank, now)
            tables.put_room(connection, room, replace(known, keeps=on), now)
            erased = 0 if on else tables.drop_tapes(connection, room)
        if erased:
            self._means.store.scrub()
        return erased

    def _turning(
        self, recorder: tape.Recorder, thinker: Thinker | None, told: Callable[[Step], None]
    ) -> Turning:
        blank, clock = recorder.tape, self._means.clock
        began, seconds = clock.monotonic(), self._means.settings.seconds
        return Turning(
            Asked(blank.question, blank.seed, blank.draws),
            recorder,
            None if thinker is None else recorder,
            Composer(blank.preface, blank.mark, blank.reply),
            clock,
            self._means.settings.habits,
            told,
            lambda: clock.monotonic() - began > seconds,
        )

    def _blank(self, question: str, turn: str, room: str, epoch: int, thinker: Thinker | None) -> tape.Tape:
        habits = self._means.settings.habits
        return tape.Tape(
            question,
            int(digest(f"{room}:{epoch}".encode())[:7], 16),
            lenses.deal(room, epoch),
            identity.preface(self._means.character(), self._identity()),
            digest(turn.encode())[:16],
            self._means.settings.reply,
            habits.lenses,
            habits.keep_best,
            habits.calls,
            None if thinker is None else thinker.name,
        )

    def _end(
        self,
        scope: Scope,
        turn: str,
        bucket: RoomBucket,
        marks: Sequence[Mark],
        spent: int,
        result: Result | None,
        words: str,
    ) -> Energy:
        """Count what was spent, and keep and record the turn, in one transaction."""
        now = self._means.clock.now()
        trace: dict[str, Json] = {
            "schema": "numen-trace-v1",
            "turn": turn,
            "at": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "calls": sum(mark.calls for mark in marks),
            "tokens": spent,
            "content": None if result is None else digest(result.content.encode("utf-8", "replace")),
            "drift": None if result is None else result.drift.held,
            "checks": None if result is None else result.drift.checks,
            "steps": [mark.as_json() for mark in marks],
        }
        counts: dict[str, Json] = {
            "turn": turn,
            "passes": 0 if result is None else rules.passes(result.plan),
            "calls": sum(mark.calls for mark in marks),
            "input": sum(mark.input for mark in marks),
            "output": sum(mark.output for mark in marks),
            "ended": "answered" if result is not None else "broken_off",
        }
        with self._means.store.transaction() as connection:
            left = bucket.end(connection, spent)
            tables.put_turn(
                connection, turn, bucket.room, now, trace, failed=result is None, tape=words or None
            )
            event = Event(f"cycle.turned:{turn}", Kind.CYCLE_TURNED, "cycle", turn, counts)
            self._means.ledger.record(scope, connection, event)
        return left

    def _notes(
        self, scope: Scope, plan: Plan, curve: Curve | None, thinker: Thinker | None, left: Energy
    ) -> tuple[str, ...]:
        """What whoever reads the answer must know of how it came about."""
        notes: list[str] = []
        if is_anonymous(scope.room):
            notes.append("No room was named: this turn stands alone, and no other can see it.")
        if thinker is None:
            notes.append("No model is configured: this is what is known, and nobody thought about it.")
        elif plan.why is Why.NO_ENERGY:
            wait = rules.unlocks_in(left, self._means.settings.tank, self._means.settings.reply, left.at)
            notes.append(f"The room's energy is spent: ask again in about {int(wait.total_seconds()) + 1} s.")
        elif plan.why is Why.NO_FIT and curve is None:
            notes.append(f"One pass: nothing was measured with {thinker.name} (`numen cycle fit`).")
        elif plan.why is Why.ENERGY:
            notes.append(f"Cut to {plan.size if plan.arm is not Arm.SINGLE else 0} by the room's energy.")
        return tuple(notes)

    def _identity(self) -> Identity:
        with self._means.store.reading() as connection:
            known = tables.identity(connection)
        if known is not None:
            return known
        with self._means.store.transaction() as connection:
            tables.put_identity(connection, identity.fresh(self._means.clock.now()))
            known = tables.identity(connection)
        assert known is not None, "it was just fixed"
        return known

    def _kept(self, scope: Scope, turn: str) -> tables.Kept:
        with self._means.store.reading() as connection:
            kept = tables.turn(connection, turn)
        if kept is None or not (scope.is_owner or kept.room == scope.room.digest()):
            raise self._means.store.absence(turn, "turn")
        return kept


def _normal(text: str) -> str:
    """An input without what no one can read. Raises `InvalidInput` where there are no words, or too many."""
    clean = "".join(char for char in text if char in "\n\t" or char.isprintable() or char.isspace())
    clean = clean.encode("utf-8", "replace").decode("utf-8").strip()
    if not clean:
        raise InvalidInput("`input`: there are no words.", not_done="Nothing was thought through.")
    if len(clean) > LONGEST:
        raise InvalidInput(
            f"`input`: more than {LONGEST} characters.",
            not_done="Nothing was thought through.",
            next_step="Put it into a file, ingest it, and ask about it.",
        )
    return clean


def _essence(steps: Json, content: Json) -> list[Json]:
    """What must be the same in a replay: everything but how long it took."""
    assert isinstance(steps, list), "a trace lists its steps"
    rows: list[Json] = []
    for step in steps:
        assert isinstance(step, dict), "a step has fields"
        rows.append({name: value for name, value in step.items() if name != "millis"})
    return [rows, content]


def _owner_only(scope: Scope, what: str) -> None:
    if not scope.is_owner:
        raise NotOwner(f"Only the owner may {what}.", not_done="Nothing was changed.")
