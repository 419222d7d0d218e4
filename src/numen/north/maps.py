"""The map of a brain: proposed from the graph, ratified by a person, held against the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from numen.graph import BrainId, Graph, Snapshot
from numen.kernel import Clock, Conflict, Forbidden, InvalidInput, Json, NotFound, Scope, Via, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.north import tables
from numen.north.blocks import (
    LONGEST_NAME,
    LONGEST_PURPOSE,
    Block,
    BlockState,
    Coherence,
    Fault,
    faults,
    holders,
    living,
    refused,
    slug,
)
from numen.north.communities import communities, globs, home
from numen.north.mapfile import MAP_SCHEMA, read_file
from numen.north.uses import Uses, uses_of
from numen.store import ReadConnection, Store, WriteConnection

STREAM = "map"


@dataclass(frozen=True, slots=True)
class MapView:
    """A map beside the tree as it was indexed.

    `files` are, for each block, how many files of code it holds; `unmapped` how many no block holds. Where
    the index cannot be read those are None, and so is `coherence`, and `why` says so.
    """

    brain: BrainId
    blocks: tuple[Block, ...]
    faults: tuple[Fault, ...] = ()
    files: tuple[int, ...] | None = None
    unmapped: int | None = None
    why: str = ""

    @property
    def ratified(self) -> int:
        """How many blocks a person ratified, drifted ones among them."""
        return sum(block.state is not BlockState.CANDIDATE for block in self.blocks)

    @property
    def coherence(self) -> Coherence | None:
        """Whether the ratified blocks are true of the tree; None where that cannot be told."""
        if self.files is None:
            return None
        return Coherence.MISMATCH if self.faults else Coherence.OK

    @property
    def other_branch(self) -> str | None:
        """The branch that the map was made on, where it is not the one that is checked out."""
        made = {block.branch for block in self.blocks} - {None, self.brain.branch}
        return min(branch for branch in made if branch) if made and self.brain.branch else None

    def as_json(self) -> dict[str, Json]:
        """The wire form, which is also that of a file."""
        rows: list[Json] = []
        for number, block in enumerate(self.blocks):
            row = block.as_json()
            row["faults"] = [fault.text for fault in self.faults if fault.block == block.id]
            rows.append(row if self.files is None else row | {"files": self.files[number]})
        body: dict[str, Json] = {
            "schema": MAP_SCHEMA,
            "brain": {"id": self.brain.id, "root": str(self.brain.root), "branch": self.brain.branch},
            "ratified": self.ratified,
            "coherence": self.coherence,
            "unmapped": self.unmapped,
            "blocks": rows,
        }
        if self.other_branch is not None:
            body["made_on"] = self.other_branch
        return body | {"why": self.why} if self.why else body


class Maps:
    """The maps of all brains. Anyone who may see a tree sees its map; only the owner changes one."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock, graph: Graph) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._graph = graph
        self._uses: dict[str, tuple[int, Uses]] = {}
        self._views: dict[str, tuple[object, MapView]] = {}

    def view(self, scope: Scope, brain: BrainId, snapshot: Snapshot | None, why: str = "") -> MapView:
        """The map beside `snapshot`; where there is none to hold it against, `why` says the reason."""
        with self._store.reading() as connection:
            rows = tables.block_rows(connection, brain.id)
        return self._held(brain, rows, snapshot, why)

    def sign(
        self, scope: Scope, connection: ReadConnection, brain: BrainId, snapshot: Snapshot | None
    ) -> MapView | None:
        """As `view` in a read that is open; None where no map was ever made."""
        rows = tables.block_rows(connection, brain.id)
        return self._held(brain, rows, snapshot, "") if rows else None

    def propose(self, scope: Scope, brain: BrainId, snapshot: Snapshot) -> MapView:
        """Propose blocks for the files of code that no ratified block holds; older proposals go.

        What it proposes are candidates: nobody is told that the system is so until a person says it.
        """
        _owner_only(scope)
        uses = self._uses_of(snapshot)
        now = self._now()

        def proposed(kept: Sequence[Block]) -> list[Block]:
            ratified = [block for block in kept if block.state is not BlockState.CANDIDATE]
            held = holders(ratified, uses.files)
            free = [number for number, found in enumerate(held) if not found]
            return [*ratified, *_candidates(uses, free, ratified, brain.branch, now)]

        return self._changed(scope, brain, snapshot, "proposed", proposed)

    def ratify(
        self,
        scope: Scope,
        brain: BrainId,
        snapshot: Snapshot,
        ids: Sequence[str],
        *,
        name: str | None = None,
        purpose: str | None = None,
    ) -> MapView:
        """Say that blocks are true of the system, as they stand now; of none named, all candidates.

        A drifted block that is ratified again is taken as it now is: globs that match nothing are dropped,
        and what it uses are its sockets. `name` and `purpose` are those of one block. Raises `Forbidden`
        unless a person does it, `NotFound` for an id that the map does not have, `Conflict` where nothing
        would be left of a block.
        """
        _person_only(scope)
        if (name is not None or purpose is not None) and len(ids) != 1:
            raise InvalidInput("A name or purpose is of one block.", not_done="Nothing was ratified.")
        _check_words(name, purpose)
        uses, now = self._uses_of(snapshot), self._now()

        def ratified(kept: Sequence[Block]) -> list[Block]:
            _check_known(kept, ids)
            chosen = set(ids) or {block.id for block in kept if block.state is BlockState.CANDIDATE}
            met = living(kept, snapshot.files.paths)
            after: list[Block] = []
            for block in kept:
                if block.id in chosen:
                    block = replace(
                        block,
                        name=block.name if name is None else name.strip(),
                        purpose=block.purpose if purpose is None else purpose.strip(),
                        globs=_living(block, met),
                        state=BlockState.RATIFIED,
                        branch=brain.branch,
                        ratified_at=now,
                    )
                after.append(block)
            return _wired(after, uses, chosen)

        return self._changed(scope, brain, snapshot, "ratified", ratified)

    def drop(self, scope: Scope, brain: BrainId, snapshot: Snapshot | None, ids: Sequence[str]) -> MapView:
        """Take blocks out of the map; of none named, all. Raises as `ratify` does."""
        _person_only(scope)

        def left(kept: Sequence[Block]) -> list[Block]:
            _check_known(kept, ids)
            return [block for block in kept if ids and block.id not in ids]

        return self._changed(scope, brain, snapshot, "dropped", left)

    def read(
        self, scope: Scope, brain: BrainId, snapshot: Snapshot | None, file: Json, *, any_branch: bool = False
    ) -> MapView:
        """Take a file that was exported, or written by hand, in place of the candidates.

        Its blocks are candidates, whatever the file says of them: a person ratifies, no file does. Blocks
        that are ratified here stay. Raises `InvalidInput` that says what is wrong with the file, and
        `Conflict` for the map of another branch unless `any_branch`.
        """
        _owner_only(scope)
        branch, blocks = read_file(file, self._now())
        if branch != brain.branch and not any_branch:
            raise Conflict(
                f"This map was made on {_branch(branch)}, and here is {_branch(brain.branch)}.",
                not_done="The map was not changed.",
                next_step="Switch branches, or take it all the same with --any-branch.",
            )

        def taken(kept: Sequence[Block]) -> list[Block]:
            ratified = [block for block in kept if block.state is not BlockState.CANDIDATE]
            known = {block.id for block in ratified}
            return [*ratified, *(block for block in blocks if block.id not in known)]

        return self._changed(scope, brain, snapshot, "imported", taken)

    def _held(self, brain: BrainId, rows: tables.BlockRows, snapshot: Snapshot | None, why: str) -> MapView:
        """As `_beside`, drawn anew only where the map or the index moved: north asks at every call."""
        if snapshot is None:
            return self._beside(brain, tables.blocks_in(rows), None, why)
        key = (brain, snapshot.generation, rows)
        held = self._views.get(brain.id)
        if held is None or held[0] != key:
            held = (key, self._beside(brain, tables.blocks_in(rows), snapshot, why))
            self._views[brain.id] = held
        return held[1]

    def _beside(
        self, brain: BrainId, kept: tuple[Block, ...], snapshot: Snapshot | None, why: str
    ) -> MapView:
        if snapshot is None:
            return MapView(brain, kept, why=why or "The index cannot be read.")
        uses = self._uses_of(snapshot) if kept else Uses((), (), ())
        held = holders(kept, uses.files) if kept else []
        counts = [0] * len(kept)
        for found in held:
            for number in found:
                counts[number] += 1
        wrong = faults(kept, snapshot.files.paths, uses.files, uses.named()) if kept else ()
        names = {fault.block for fault in wrong}
        shown = tuple(
            replace(block, state=BlockState.DRIFTED) if block.id in names else block for block in kept
        )
        unmapped = sum(not found for found in held) if kept else len(self._uses_of(snapshot).files)
        return MapView(brain, shown, wrong, tuple(counts), unmapped)

    def _uses_of(self, snapshot: Snapshot) -> Uses:
        held = self._uses.get(snapshot.brain.id)
        if held is None or held[0] != snapshot.generation:
            held = (snapshot.generation, uses_of(snapshot))
            self._uses[snapshot.brain.id] = held
        return held[1]

    def _changed(
        self,
        scope: Scope,
        brain: BrainId,
        snapshot: Snapshot | None,
        how: str,
        change: Callable[[Sequence[Block]], list[Block]],
    ) -> MapView:
        with self._store.transaction() as connection:
            tables.lock_map(connection)
            before = tables.blocks_of(connection, brain.id)
            after = change(before)
            tables.put_blocks(connection, brain.id, after)
            self._record(scope, connection, brain, how, before, after)
        return self._beside(brain, tuple(after), snapshot, "")

    def _record(
        self,
        scope: Scope,
        connection: WriteConnection,
        brain: BrainId,
        how: str,
        before: Sequence[Block],
        after: Sequence[Block],
    ) -> None:
        ratified = sum(block.state is not BlockState.CANDIDATE for block in after)
        told: dict[str, Json] = {
            "brain": brain.id,
            "how": how,
            "before": len(before),
            "blocks": len(after),
            "ratified": ratified,
        }
        call = self._store.ids.new("map")
        self._ledger.record(scope, connection, Event(call, Kind.MAP_CHANGED, STREAM, call, told))

    def _now(self) -> datetime:
        return from_iso(iso(self._clock.now()))


def _candidates(
    uses: Uses, free: Sequence[int], ratified: Sequence[Block], branch: str | None, now: datetime
) -> list[Block]:
    """Blocks for the files at `free`, none of whose globs holds another file of code."""
    place = {number: new for new, number in enumerate(free)}
    files = [uses.files[number] for number in free]
    ties = [(place[a], place[b], count) for a, b, count in uses.ties if a in place and b in place]
    made: list[Block] = []
    taken = [block.id for block in ratified]
    for members in communities(files, ties):
        inside = [files[number] for number in members]
        own = set(inside)
        rest = [path for path in uses.files if path not in own]
        where = home(inside)
        name = where or "root"
        identifier = slug(name, taken)
        taken.append(identifier)
        parts = globs(inside, rest)
        kind = "folder" if len(parts) == 1 else "cluster"
        made.append(Block(identifier, name, "", kind, BlockState.CANDIDATE, parts, (), branch, now))
    return _wired([*ratified, *made], uses, {block.id for block in made})[len(ratified) :]


def _wired(blocks: Sequence[Block], uses: Uses, fresh: set[str]) -> list[Block]:
    """`blocks`, those of `fresh` with all that they use as sockets, the others with fresh ones added."""
    held = holders(blocks, uses.files)
    used: dict[str, set[str]] = {block.id: set() for block in blocks}
    for user, target in uses.needs:
        for a in held[user]:
            used[blocks[a].id].update(blocks[b].id for b in held[target] if a != b)
    wired: list[Block] = []
    for block in blocks:
        now = used[block.id] if block.id in fresh else {*block.sockets, *(used[block.id] & fresh)}
        wired.append(replace(block, sockets=tuple(sorted(now))))
    return wired


def _living(block: Block, met: set[str]) -> tuple[str, ...]:
    """The globs of a block that match something: those of `met`."""
    kept = tuple(glob for glob in block.globs if glob in met)
    if not kept:
        raise Conflict(
            f"Nothing is left of the block {block.id}.",
            not_done="Nothing was ratified.",
            next_step=f"Take it out with `numen map drop {block.id}`.",
        )
    return kept


def _check_known(kept: Sequence[Block], ids: Sequence[str]) -> None:
    missing = sorted(set(ids) - {block.id for block in kept})
    if missing:
        raise NotFound(f"The map has no block {missing[0][:80]!r}.", not_done="The map was not changed.")


def _check_words(name: str | None, purpose: str | None) -> None:
    for what, text, most in (("name", name, LONGEST_NAME), ("purpose", purpose, LONGEST_PURPOSE)):
        if text is not None and (len(text) > most or not text.isprintable()):
            raise refused(f"The {what} is one line of at most {most} characters.")
    if name is not None and not name.strip():
        raise refused("The name is empty.")


def _owner_only(scope: Scope) -> None:
    if not scope.is_owner:
        raise Forbidden("Only the owner changes a map.", not_done="The map was not changed.")


def _person_only(scope: Scope) -> None:
    if not scope.is_owner or scope.via not in {Via.CLI, Via.PAGE}:
        raise Forbidden(
            "A person ratifies a map, on the command line or the page.",
            not_done="The map was not changed.",
            next_step="The owner can run `numen map ratify`.",
        )


def _branch(name: str | None) -> str:
    return f"branch {name}" if name else "no branch"
