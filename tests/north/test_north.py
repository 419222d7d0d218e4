"""North on real repositories: different situations are different answers, and nothing is written."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from numen.graph import Graph, Search
from numen.kernel import (
    Audience,
    FixedClock,
    InvalidInput,
    RoomKey,
    Scope,
    Unavailable,
    Via,
    canonical_text,
    tokens,
)
from numen.north import GapCode, MemoryRow, North, NorthRequest, Packet, State, SufficiencyState, Tier
from tests.north.repos import FILES, PARSER, commit, git, repository, write

OWNER = Scope("owner", True, RoomKey("owner", "cli", ""), Audience.OWNER, Via.CLI, False)
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
NOBODY = 65534
TASK = "parse_settings: settings, one name = value a line; comments are left out"


@dataclass
class Desk:
    """A home, and what asks in it."""

    home: Path
    clock: FixedClock = field(default_factory=lambda: FixedClock(NOW))

    def __post_init__(self) -> None:
        self.graph = Graph(self.home / "brains", self.clock)
        self.search = Search(self.graph)

    def north(self, task: str, path: Path, **asked: object) -> Packet:
        return North(self.graph, self.search, self.clock).packet(
            OWNER, NorthRequest(task, "ada", path, **asked)
        )

    def ingest(self, path: Path) -> None:
        self.graph.ingest(OWNER, path)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


@pytest.fixture
def repo(tmp_path: Path, desk: Desk) -> Path:
    """A repository that has been ingested."""
    root = repository(tmp_path / "repo")
    desk.ingest(root)
    return root


def codes(packet: Packet) -> list[GapCode]:
    return [gap.code for gap in packet.gaps]


def tree(*roots: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file under `roots`: its mode, its change time, its bytes."""
    found: dict[str, tuple[int, int, bytes]] = {}
    for root in roots:
        for path in sorted(root.rglob("*")):
            told = path.lstat()
            data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = (told.st_mode, told.st_mtime_ns, data)
    return found


@pytest.mark.promise("north.full-trust")
def test_a_fresh_index_of_the_callers_own_tree_is_trusted_and_says_where_to_start(
    desk: Desk, repo: Path
) -> None:
    packet = desk.north(TASK, repo, caller_root=str(repo / "src"))
    assert packet.verdict.state is State.FULL_TRUST
    assert packet.context is not None
    first = packet.context.focus[0]
    assert first.id == "src/parser.py::parse_settings"
    assert (first.path, first.kind, first.freshness) == ("src/parser.py", "function", "fresh")
    lines = PARSER.split("\n")
    assert lines[first.start - 1].startswith("def parse_settings")
    assert lines[first.end - 1].strip() == "return found"
    assert first.why
    assert packet.next_move == f"read src/parser.py:{first.start}-{first.end}"
    assert packet.sufficiency is not None
    assert packet.sufficiency.top_score == first.score
    assert packet.recovery is None
    assert packet.reception is None
    assert packet.at == "2026-01-02T03:04:05.000Z"


@pytest.mark.promise("north.brain")
def test_the_brain_names_root_branch_commit_and_whether_tracked_files_differ(desk: Desk, repo: Path) -> None:
    brain = desk.north(TASK, repo / "src").brain
    assert brain.root == str(repo)
    assert brain.branch == "main"
    assert brain.commit == git(repo, "rev-parse", "HEAD")
    assert brain.dirty is False
    (repo / "src/parser.py").write_text(PARSER + "\n", encoding="utf-8")
    assert desk.north(TASK, repo).brain.dirty is True
    assert desk.north(TASK, repo).brain.fingerprint == brain.fingerprint
    desk.ingest(repo)
    assert desk.north(TASK, repo).brain.fingerprint != brain.fingerprint
    git(repo, "checkout", "-q", "src/parser.py")
    desk.ingest(repo)
    again = desk.north(TASK, repo).brain
    assert (again.fingerprint, again.dirty) == (brain.fingerprint, False)


@pytest.mark.promise("north.different-answers")
def test_what_was_never_ingested_needs_ingest_and_brings_the_call(desk: Desk, tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    packet = desk.north(TASK, root)
    assert packet.verdict.state is State.NEEDS_INGEST
    assert codes(packet)[0] is GapCode.INDEX_ABSENT
    assert (packet.context, packet.sufficiency, packet.needs) == (None, None, "needs_ingest")
    assert packet.recovery is not None
    assert (packet.recovery.tool, packet.recovery.args) == ("ingest", {"path": str(root)})
    assert packet.brain.fingerprint is None
    assert tokens(canonical_text(packet.as_json())) <= 250


@pytest.mark.promise("north.different-answers")
def test_a_repository_without_files_is_empty_and_not_merely_unindexed(desk: Desk, tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", {})
    desk.ingest(root)
    packet = desk.north(TASK, root)
    assert packet.verdict.state is State.EMPTY
    assert codes(packet)[0] is GapCode.INDEX_EMPTY
    assert (packet.context, packet.needs) == (None, "needs_ingest")
    assert tokens(canonical_text(packet.as_json())) <= 250


def test_dirty_is_told_anew_at_once_however_often_one_asked_before(desk: Desk, repo: Path) -> None:
    north = North(desk.graph, desk.search, desk.clock)

    def dirty() -> bool | None:
        return north.packet(OWNER, NorthRequest(TASK, "ada", repo)).brain.dirty

    tracked = next(path for path in sorted(repo.rglob("*.py")))
    text = tracked.read_text()
    for _ in range(2):
        assert [dirty() for _ in range(4)] == [False] * 4
        tracked.write_text(text + "# more\n")
        assert [dirty() for _ in range(3)] == [True] * 3
        tracked.write_text(text)
        assert dirty() is False
        desk.ingest(repo)
    (repo / "fresh.py").write_text("")
    assert dirty() is False
    subprocess.run(["git", "add", "fresh.py"], cwd=repo, check=True)
    assert dirty() is True
    subprocess.run(["git", "rm", "-q", "--cached", "fresh.py"], cwd=repo, check=True)
    assert dirty() is False


@pytest.mark.promise("north.different-answers")
def test_a_damaged_index_says_so_with_the_reason_and_is_never_shown_as_empty(desk: Desk, repo: Path) -> None:
    parts = list((desk.home / "brains").rglob("arrays.bin"))
    parts[0].write_bytes(parts[0].read_bytes()[:-64])
    packet = Desk(desk.home).north(TASK, repo)
    assert packet.verdict.state is State.NEEDS_INGEST
    assert codes(packet)[0] is GapCode.INDEX_DAMAGED
    assert packet.recovery is not None
    assert packet.recovery.args == {"path": str(repo), "full": True}
    text = canonical_text(packet.as_json())
    assert "0 nodes" not in text
    assert GapCode.INDEX_ABSENT not in text
    assert packet.human_view is None or "index unreadable" in packet.human_view.lines[0]


@pytest.mark.promise("north.different-answers")
def test_a_task_that_the_tree_knows_nothing_of_gets_no_focus_and_no_trust(desk: Desk, repo: Path) -> None:
    packet = desk.north("quantum chromodynamics lattice gluon propagators", repo)
    assert packet.verdict.state is State.DEGRADED
    assert codes(packet)[0] is GapCode.FOCUS_NONE
    assert packet.context is not None
    assert packet.context.focus == packet.context.anchors == ()
    assert packet.context.coverage.files == len(FILES)
    assert packet.sufficiency is not None
    assert packet.sufficiency.state is SufficiencyState.ABSENT
    assert packet.human_view is not None
    assert packet.human_view.lines[0].startswith("numen │╷│╷╷  degraded")


@pytest.mark.promise("north.stale")
def test_a_tree_that_moved_is_stale_with_counts_and_each_place_tells_its_own_freshness(
    desk: Desk, repo: Path
) -> None:
    write(repo, {"src/parser.py": "\n" + PARSER, "src/new.py": "x = 1\n"})
    (repo / "docs/guide.md").unlink()
    packet = desk.north("start_server reads parse_settings and Choosing a port", repo)
    assert packet.verdict.state is State.STALE
    assert packet.gaps[0].text == "Since ingest: 1 changed, 1 added, 1 removed."
    assert packet.recovery is not None
    assert packet.recovery.tool == "ingest"
    assert packet.next_move == "ingest"
    assert packet.context is not None
    seen = {place.path: place.freshness for place in (*packet.context.focus, *packet.context.anchors)}
    assert seen["src/server.py"] == "fresh"
    assert seen["src/parser.py"] == "changed"
    assert seen["docs/guide.md"] == "missing"
    desk.ingest(repo)
    assert desk.north(TASK, repo).verdict.state is State.FULL_TRUST


@pytest.mark.promise("north.stale")
def test_a_file_that_was_only_touched_does_not_make_the_tree_stale(desk: Desk, repo: Path) -> None:
    os.utime(repo / "src/parser.py")
    assert desk.north(TASK, repo).verdict.state is State.FULL_TRUST


@pytest.mark.promise("north.stale")
def test_a_commit_that_changes_no_file_is_a_note_and_no_reason_for_distrust(desk: Desk, repo: Path) -> None:
    commit(repo, "Say why")
    packet = desk.north(TASK, repo)
    assert packet.verdict.state is State.FULL_TRUST
    assert GapCode.HEAD_MOVED in codes(packet)


@pytest.mark.promise("north.stale")
def test_where_names_came_and_git_fails_the_tree_is_not_said_to_be_fresh(
    desk: Desk, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repo, {"src/new.py": "x = 1\n"})
    monkeypatch.setenv("PATH", str(repo / "nowhere"))
    packet = desk.north(TASK, repo)
    assert packet.verdict.state is State.DEGRADED
    assert codes(packet)[0] is GapCode.TREE_UNKNOWN
    assert packet.brain.dirty is None
    assert packet.context is not None
    assert packet.context.focus[0].freshness == "fresh"


@pytest.mark.promise("north.wrong-repo")
def test_a_caller_from_another_repository_is_warned_in_verdict_reception_and_card(
    desk: Desk, repo: Path, tmp_path: Path
) -> None:
    other = repository(tmp_path / "other")
    packet = desk.north(TASK, repo, caller_root=str(other / "src"))
    assert packet.verdict.state is State.WRONG_REPO
    assert packet.reception is not None
    assert (packet.reception.bound, packet.reception.yours) == (str(repo), str(other))
    assert packet.gaps[0].text == packet.reception.sentence
    assert packet.recovery is not None
    assert packet.recovery.args == {"path": str(other)}
    assert packet.human_view is not None
    assert packet.human_view.state == "mismatch"
    assert packet.human_view.lines[0] == f"numen │ {packet.reception.sentence}"
    assert not any(cell in "".join(packet.human_view.lines) for cell in ("╷", "nodes"))


@pytest.mark.promise("north.wrong-repo")
def test_a_clone_with_the_same_files_is_still_another_tree(desk: Desk, repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(repo), "clone")
    packet = desk.north(TASK, repo, caller_root=str(tmp_path / "clone"))
    assert packet.verdict.state is State.WRONG_REPO
    assert desk.north(TASK, tmp_path / "clone").verdict.state is State.NEEDS_INGEST


@pytest.mark.promise("north.within")
def test_within_keeps_to_a_path_and_says_when_nothing_lies_there(desk: Desk, repo: Path) -> None:
    inside = desk.north("settings and the port", repo, within="docs")
    assert inside.context is not None
    assert {place.path for place in inside.context.focus} == {"docs/guide.md"}
    absolute = desk.north("settings and the port", repo, within=str(repo / "docs"))
    assert absolute.context == inside.context
    nowhere = desk.north(TASK, repo, within="doc")
    assert nowhere.context is not None
    assert nowhere.context.focus == ()
    assert codes(nowhere)[0] is GapCode.WITHIN_UNMATCHED
    with pytest.raises(InvalidInput):
        desk.north(TASK, repo, within="../other")


@pytest.mark.promise("north.within")
def test_a_prefix_in_which_nothing_answers_is_not_trusted_because_the_rest_does(
    desk: Desk, repo: Path
) -> None:
    packet = desk.north("listen: wait for visitors", repo, within="docs")
    assert packet.context is not None
    assert packet.context.focus == ()
    assert codes(packet)[0] is GapCode.FOCUS_NONE
    assert packet.verdict.state is State.DEGRADED


@pytest.mark.promise("north.within")
def test_light_asks_the_memories_alone(desk: Desk, repo: Path) -> None:
    packet = desk.north(TASK, repo, within="light::")
    assert packet.context is not None
    assert packet.context.focus == ()
    assert GapCode.WITHIN_MEMORY_ONLY in codes(packet)
    assert packet.verdict.state is State.FULL_TRUST


@pytest.mark.promise("north.anchors")
def test_anchors_follow_the_task_and_never_repeat_a_file_of_the_focus(desk: Desk, repo: Path) -> None:
    one = desk.north("parse_settings", repo, top_k=1).context
    two = desk.north("start_server listen", repo, top_k=1).context
    assert one is not None
    assert two is not None
    assert one.anchors != two.anchors
    for context in (one, two):
        shown = [place.path for place in (*context.focus, *context.anchors)]
        assert len(shown) == len(set(shown))


@pytest.mark.promise("north.deterministic")
def test_equal_state_gives_equal_bytes_and_reading_changes_no_ranking(desk: Desk, repo: Path) -> None:
    first = canonical_text(desk.north(TASK, repo).as_json())
    for task in ("listen", "SettingsError", "Choosing a port"):
        desk.north(task, repo)
    assert canonical_text(desk.north(TASK, repo).as_json()) == first
    assert canonical_text(Desk(desk.home).north(TASK, repo).as_json()) == first


@pytest.mark.promise("north.read-only")
def test_north_writes_nothing_in_the_home_or_in_the_repository(
    desk: Desk, repo: Path, tmp_path: Path
) -> None:
    never = repository(tmp_path / "never")
    os.utime(repo / "src/server.py")
    before = tree(tmp_path)
    for path in (repo, never):
        desk.north(TASK, path, caller_root=str(never))
        Desk(desk.home).north(TASK, path)
    Desk(tmp_path / "no-home-yet").north(TASK, never)
    assert tree(tmp_path) == before


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """A home and an ingested repository, neither of which this process may write; root becomes nobody."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("HOME", folder)
        home, root = Path(folder) / "home", repository(Path(folder) / "repo")
        Desk(home).ingest(root)
        Desk(home).north(TASK, root)  # what Python loads late is loaded while it may be read
        everything = [Path(folder), *Path(folder).rglob("*")]
        is_root = os.geteuid() == 0
        for path in everything:
            if path.is_dir():
                path.chmod(0o500)
            if is_root:
                os.chown(path, NOBODY, NOBODY)
        if is_root:
            os.seteuid(NOBODY)
        try:
            yield home, root
        finally:
            if is_root:
                os.seteuid(0)
            for path in everything:
                if path.is_dir():
                    path.chmod(0o700)


@pytest.mark.promise("north.read-only")
def test_north_works_where_nothing_may_be_written(forbidden: tuple[Path, Path]) -> None:
    home, root = forbidden
    with pytest.raises(PermissionError):
        (home / "probe").touch()
    packet = Desk(home).north(TASK, root)
    assert packet.verdict.state is State.FULL_TRUST
    assert packet.context is not None
    assert packet.context.focus
    with pytest.raises(PermissionError):
        (root / "probe").touch()


@pytest.mark.promise("north.attack")
@pytest.mark.attack
def test_a_program_that_the_repository_names_is_not_run(desk: Desk, repo: Path, tmp_path: Path) -> None:
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n", encoding="utf-8")
    trap.chmod(0o755)
    git(repo, "config", "core.fsmonitor", str(trap))
    git(repo, "config", "core.pager", str(trap))
    desk.north(TASK, repo, caller_root=str(tmp_path))
    assert not sprung.exists()


@pytest.mark.promise("north.attack")
@pytest.mark.attack
@pytest.mark.parametrize("place", ["config", "included", "worktree"])
def test_a_filter_that_the_repository_names_is_not_run(
    desk: Desk, repo: Path, tmp_path: Path, place: str
) -> None:
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    (repo / ".git/info/attributes").write_text("* filter=trap\n", encoding="utf-8")
    if place == "config":
        git(repo, "config", "filter.trap.clean", str(trap))
    elif place == "included":
        (tmp_path / "more").write_text(f'[filter "trap"]\nclean = {trap}\n', encoding="utf-8")
        git(repo, "config", "include.path", str(tmp_path / "more"))
    else:
        git(repo, "config", "extensions.worktreeConfig", "true")
        git(repo, "config", "--worktree", "filter.trap.clean", str(trap))
    os.utime(repo / "src/parser.py")
    assert desk.north(TASK, repo).brain.dirty is None
    assert not sprung.exists()
    git(repo, "status")
    assert sprung.exists()  # the trap works: git itself walks into it


@pytest.mark.promise("north.brain")
def test_in_a_worktree_dirty_is_that_worktrees_own(desk: Desk, repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(repo, "worktree", "add", "-q", "-b", "side", str(other))
    (other / "src/parser.py").write_text(PARSER + "\n", encoding="utf-8")
    seen = desk.north(TASK, other).brain
    assert (seen.branch, seen.dirty) == ("side", True)
    assert desk.north(TASK, repo).brain.dirty is False


@pytest.mark.promise("north.outside-git")
def test_a_folder_outside_of_git_is_answered_and_its_missing_history_is_said(
    desk: Desk, tmp_path: Path
) -> None:
    root = write(tmp_path / "notes", FILES)
    desk.ingest(root)
    packet = desk.north(TASK, root)
    assert packet.verdict.state is State.FULL_TRUST
    assert (packet.brain.branch, packet.brain.commit, packet.brain.dirty) == (None, None, None)
    assert GapCode.HISTORY_NONE in codes(packet)


@pytest.mark.promise("north.input")
def test_a_path_at_which_there_is_nothing_is_refused(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        desk.north(TASK, tmp_path / "gone")


@dataclass
class Shelf:
    """Memories in a list: a source as app.py would wire one in."""

    rows: Sequence[MemoryRow] = ()
    broken: bool = False
    tiers: list[Tier] = field(default_factory=list)

    def count(self, scope: Scope, brain: str, tier: Tier) -> int:
        del scope, brain
        self.tiers.append(tier)
        if self.broken:
            raise Unavailable("The store is locked.")
        return 30

    def recall(self, scope: Scope, brain: str, task: str, tier: Tier, *, limit: int) -> Sequence[MemoryRow]:
        del scope, brain, task
        self.tiers.append(tier)
        return [row for row in self.rows if not row.node_id.endswith("near")][:limit]

    def near(self, scope: Scope, brain: str, paths: Sequence[str], *, limit: int) -> Sequence[MemoryRow]:
        del scope, brain, paths
        return [row for row in self.rows if row.node_id.endswith("near")][:limit]


def claim(at: str, stamp_ms: int | None) -> MemoryRow:
    return MemoryRow("A claim.", "light", 0.8, f"light::b::{at}", Tier.PROJECT, "b", stamp_ms=stamp_ms)


@pytest.fixture
def remembering(desk: Desk, repo: Path) -> Callable[[Shelf, str], Packet]:
    def ask(shelf: Shelf, tier: str = "project") -> Packet:
        north = North(desk.graph, desk.search, desk.clock, memory=shelf)
        return north.packet(OWNER, NorthRequest(TASK, "ada", repo, tier=tier, budget_tokens=3000))

    return ask


@pytest.mark.promise("north.memory-honesty")
def test_no_store_no_match_and_an_unreadable_store_are_three_answers(
    desk: Desk, repo: Path, remembering: Callable[..., Packet]
) -> None:
    empty, missed, unread = desk.north(TASK, repo), remembering(Shelf()), remembering(Shelf(broken=True))
    assert (empty.memory_exists, GapCode.MEMORY_EMPTY in codes(empty)) == (0, True)
    assert (missed.memory_exists, GapCode.MEMORY_NO_MATCH in codes(missed)) == (30, True)
    assert (unread.memory_exists, codes(unread)[0]) == (None, GapCode.MEMORY_UNREADABLE)
    assert "The store is locked." in unread.gaps[0].text
    assert unread.verdict.state is State.DEGRADED


@pytest.mark.promise("north.memory-order", "north.age-honesty")
def test_memories_come_newest_first_with_honest_ages_and_at_most_five(
    remembering: Callable[..., Packet],
) -> None:
    now = int(NOW.timestamp() * 1000)
    later = now + int(timedelta(days=1).total_seconds() * 1000)
    rows = [claim("future", later), claim("old", now - 9000), claim("none", None), claim("new", now - 10)]
    packet = remembering(Shelf([*rows, claim("zero", 0), claim("sixth", now), claim("x::near", now - 5)]))
    assert [(row.node_id.rpartition("::")[2], row.age_ms) for row in packet.memory] == [
        ("new", 10),
        ("old", 9000),
        ("future", None),
        ("none", None),
        ("zero", None),
    ]
    assert packet.context is not None
    assert [row.age_ms for row in packet.context.memory_nearby] == [5]


@pytest.mark.promise("north.tier-never-widens")
def test_an_unknown_tier_asks_for_this_project_alone_and_says_so(remembering: Callable[..., Packet]) -> None:
    shelf = Shelf()
    packet = remembering(shelf, "everything")
    assert set(shelf.tiers) == {Tier.PROJECT}
    assert GapCode.TIER_UNKNOWN in codes(packet)
    remembering(shelf, "all-brains")
    assert shelf.tiers[-1] is Tier.ALL


@pytest.mark.promise("north.moved-tree")
def test_a_tree_that_was_moved_or_replaced_is_not_taken_for_the_one_that_was_indexed(
    desk: Desk, repo: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "moved"
    shutil.move(repo, moved)
    assert desk.north(TASK, moved).verdict.state is State.NEEDS_INGEST
    repository(repo, {"other.py": "def other() -> None:\n    pass\n"})
    assert desk.north(TASK, repo).verdict.state in (State.STALE, State.NEEDS_INGEST)
