"""Whatever ends an ingest, the last good index stands and the next ingest makes it right."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from numen.graph import Graph, IndexCondition
from numen.kernel import SystemClock, Unavailable
from tests.graph.trees import OWNER, Tree

POINTS = ("locked", "read", "half", "written", "named", "current")

INGEST = """
import os, signal, sys
from pathlib import Path
from numen.graph import Graph
from numen.kernel import Interrupted, NumenError, SystemClock
from tests.graph.trees import OWNER

def passing(step):
    if step == sys.argv[3]:
        if sys.argv[4] == "wait":
            print("here", flush=True)
            signal.pause()
        os.kill(os.getpid(), getattr(signal, sys.argv[4]))

graph = Graph(Path(sys.argv[1]), SystemClock(), passing=passing)
try:
    print(graph.ingest(OWNER, sys.argv[2]).parsed)
except NumenError as error:
    print(error.code, error.sentences())
    sys.exit(error.exit_code)
"""


def start(tree: Tree, brains: Path, step: str = "none", how: str = "SIGKILL") -> subprocess.Popen[str]:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", INGEST, str(brains), str(tree.root), step, how]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def brains(tmp_path: Path) -> Path:
    return tmp_path / "brains"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    tree = Tree(tmp_path)
    tree.graph.ingest(OWNER, tree.root)
    return tree


def folder(brains: Path) -> Path:
    (only,) = brains.iterdir()
    return only


def dump(brains: Path, tree: Tree) -> list[str]:
    return list(Graph(brains, SystemClock()).dump(OWNER, tree.root))


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.crash-safe")
@pytest.mark.parametrize("point", POINTS)
def test_kill_9_anywhere_leaves_the_last_good_index_and_the_next_ingest_is_right(
    tree: Tree, brains: Path, point: str
) -> None:
    before = dump(brains, tree)
    tree.write("shop/money.py", "def rounded(amount):\n    return 7\n")
    process = start(tree, brains, point)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    after = dump(brains, tree)
    assert (after != before) == (point == "current")
    Graph(brains, SystemClock()).ingest(OWNER, tree.root)
    other = brains.parent / "other"
    Graph(other, SystemClock()).ingest(OWNER, tree.root)
    assert dump(brains, tree) == dump(other, tree)
    assert not list(folder(brains).glob("making-*"))
    assert len(list(folder(brains).glob("gen-*"))) <= 2


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.interrupted")
@pytest.mark.parametrize("point", ["locked", "read", "half"])
def test_ctrl_c_says_that_the_last_good_index_stands(tree: Tree, brains: Path, point: str) -> None:
    before = dump(brains, tree)
    tree.write("shop/money.py", "def rounded(amount):\n    return 7\n")
    process = start(tree, brains, point, "SIGINT")
    said, errors = process.communicate()
    assert (process.returncode, errors) == (130, "")
    assert said.startswith("interrupted The ingest was stopped.")
    assert "still stands" in said
    assert dump(brains, tree) == before


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.one-writer")
def test_a_second_ingest_waits_for_the_first(tree: Tree, brains: Path) -> None:
    tree.write("shop/money.py", "def rounded(amount):\n    return 7\n")
    first = start(tree, brains, "half", "wait")
    assert first.stdout is not None
    assert first.stdout.readline() == "here\n"
    second = start(tree, brains)
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(timeout=1.5)
    reader = Graph(brains, SystemClock())
    assert reader.open(OWNER, tree.root).generation == 1, "a reader does not wait"
    first.kill()
    first.communicate()
    assert second.communicate()[0] == "1\n"
    assert reader.open(OWNER, tree.root).nodes.index("shop/money.py::rounded") is not None


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.one-writer")
def test_many_ingests_at_once_give_one_right_index(tree: Tree, brains: Path) -> None:
    for i in range(3):
        tree.write(f"shop/extra_{i}.py", "from shop.money import rounded\nrounded(1)\n")
    processes = [start(tree, brains) for _ in range(3)]
    assert [process.communicate()[1] for process in processes] == ["", "", ""]
    other = brains.parent / "other"
    Graph(other, SystemClock()).ingest(OWNER, tree.root)
    assert dump(brains, tree) == dump(other, tree)


@pytest.mark.promise("ingest.readers-keep-theirs")
def test_a_reader_keeps_its_snapshot_while_others_are_published(tree: Tree, brains: Path) -> None:
    held = Graph(brains, SystemClock()).open(OWNER, tree.root)
    nodes = [held.nodes.node(i) for i in range(len(held.nodes))]
    for step in range(4):
        tree.write(
            "shop/money.py", f"def rounded(amount):\n    return {step}\n\n\ndef more_{step}():\n    pass\n"
        )
        tree.graph.ingest(OWNER, tree.root)
    assert [held.nodes.node(i) for i in range(len(held.nodes))] == nodes
    assert tree.graph.open(OWNER, tree.root).generation == 5
    assert sorted(path.name for path in folder(brains).glob("gen-*")) == ["gen-4", "gen-5"]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.readers-keep-theirs")
def test_readers_never_fail_while_generations_come_and_go(tree: Tree, brains: Path) -> None:
    over = threading.Event()
    failures: list[Exception] = []

    def read() -> None:
        while not over.is_set():
            try:
                snapshot = Graph(brains, SystemClock()).open(OWNER, tree.root)
                assert snapshot.nodes.index("shop/money.py::rounded") is not None
            except Exception as error:  # noqa: BLE001  whatever it is, it is a failure
                failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for step in range(30):
        tree.write("shop/money.py", f"def rounded(amount):\n    return {step}\n")
        tree.graph.ingest(OWNER, tree.root)
    over.set()
    for reader in readers:
        reader.join()
    assert failures == []


HARMS = (
    ("CURRENT", "garbage"), ("CURRENT", "empty"), ("CURRENT", "elsewhere"),
    ("gen-1/meta.json", "garbage"), ("gen-1/meta.json", "gone"), ("gen-1/arrays.bin", "gone"),
    ("gen-1/arrays.bin", "short"), ("gen-1/arrays.bin", "flipped"),
    ("gen-1/arrays.bin", "zeroed"), ("gen-1/arrays.bin", "empty"),
)  # fmt: skip


@pytest.mark.promise("ingest.damage-is-said")
@pytest.mark.parametrize(("name", "harm"), HARMS)
def test_a_damaged_index_is_refused_with_the_reason_and_the_repair(
    tree: Tree, brains: Path, name: str, harm: str
) -> None:
    good = dump(brains, tree)
    file = folder(brains) / name
    data = file.read_bytes()
    if harm == "gone":
        file.unlink()
    else:
        middle = len(data) // 2
        file.write_bytes(
            {
                "garbage": b"\xff\xfe nonsense",
                "empty": b"",
                "elsewhere": b"99",
                "short": data[:-3],
                "flipped": data[:-1] + bytes([data[-1] ^ 4]),
                "zeroed": data[:middle] + bytes(len(data) - middle),
            }[harm]
        )
    graph = Graph(brains, SystemClock())
    with pytest.raises(Unavailable) as damage:
        graph.open(OWNER, tree.root)
    assert damage.value.next_step == f"numen ingest {tree.root} --full"
    state = graph.state(OWNER, tree.root)
    assert state.condition is IndexCondition.DAMAGED
    assert str(tree.root) in state.reason
    graph.ingest(OWNER, tree.root)
    assert dump(brains, tree) == good


@pytest.mark.promise("ingest.private")
def test_what_is_saved_only_its_owner_may_read(tree: Tree, brains: Path) -> None:
    for path in (brains, *brains.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.disk-full")
def test_a_full_disk_is_said_and_changes_nothing(tree: Tree, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(small)]
    mounted = subprocess.run(mount, capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("no right to mount a small disk")
    try:
        graph = Graph(small / "brains", SystemClock())
        graph.ingest(OWNER, tree.root)
        before = dump(small / "brains", tree)
        words = " ".join(f"word{i}" for i in range(60_000))
        tree.write("words.txt", words)
        with pytest.raises(Unavailable) as full:
            graph.ingest(OWNER, tree.root)
        assert "disk is full" in full.value.what
        assert dump(small / "brains", tree) == before
        assert not list(folder(small / "brains").glob("making-*"))
        (tree.root / "words.txt").unlink()
        assert graph.ingest(OWNER, tree.root).files == 5
    finally:
        subprocess.run(["umount", "--lazy", str(small)], check=True)  # the index is still mapped


def test_a_home_that_is_a_file_is_refused_in_words(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(Unavailable) as refused:
        Graph(tmp_path / "home" / "brains", SystemClock()).ingest(OWNER, tree.root)
    assert str(tmp_path / "home" / "brains") in refused.value.what


@pytest.fixture
def wide(tmp_path: Path) -> Tree:
    """A tree that is large enough for workers."""
    body = "".join(f"def function_{i}(argument):\n    return argument + {i}\n\n\n" for i in range(400))
    return Tree(tmp_path / "wide", {f"package/module_{n}.py": body for n in range(120)})


def workers_here() -> list[psutil.Process]:
    """The ingest workers of this process; its other children, such as a database server, are left alone."""
    return [
        child
        for child in psutil.Process().children()
        if any("graph.worker" in part for part in child.cmdline())
    ]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.same-with-workers")
def test_workers_give_the_index_that_one_process_gives(wide: Tree, tmp_path: Path) -> None:
    dumps: list[list[str]] = []
    told: list[tuple[int, int, float]] = []
    for workers in (1, 3):
        graph = Graph(tmp_path / str(workers), SystemClock(), workers=workers)
        graph.ingest(OWNER, wide.root, progress=lambda *news: told.append(news))
        dumps.append(list(graph.dump(OWNER, wide.root)))
    assert dumps[0] == dumps[1]
    assert told[-1][:2] == (120, 120)
    assert all(rate >= 0 for _, _, rate in told)
    assert not workers_here()


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.dead-worker")
def test_a_worker_that_dies_is_said_and_changes_nothing(wide: Tree, tmp_path: Path) -> None:
    graph = Graph(tmp_path / "brains", SystemClock(), workers=2)

    def kill(done: int, total: int, rate: float) -> None:
        for worker in workers_here():
            worker.kill()

    with pytest.raises(Unavailable) as dead:
        graph.ingest(OWNER, wide.root, progress=kill)
    assert "worker" in dead.value.what
    assert graph.state(OWNER, wide.root).condition is IndexCondition.ABSENT
    assert graph.ingest(OWNER, wide.root).files == 120


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_worker_imports_nothing_from_the_folder_it_is_started_in(wide: Tree, brains: Path) -> None:
    trap = wide.root / "numpy.py"
    trap.write_text(f"open({str(wide.root / 'sprung')!r}, 'w')\n")
    shutil.copy(trap, wide.root / "tree_sitter.py")
    process = start(wide, brains)
    process.communicate()
    script = f"import os; os.chdir({str(wide.root)!r})\n" + INGEST
    env = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-P", "-c", script, str(brains), str(wide.root), "none", "none"]
    assert subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout == "0\n"
    assert not (wide.root / "sprung").exists()
