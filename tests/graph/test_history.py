"""Past commits speak for the files they changed, whatever those files were called then."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from numen.graph.history import FIX, REVERT, History, read_history
from numen.graph.terms import term_key

IDENTITY = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": os.devnull,
}  # fmt: skip
BODY = "".join(f"line {i} of a file that is long enough to be known again\n" for i in range(40))


class Repository:
    """A git repository whose clock goes one hour a commit."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.hour = 0
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        at = f"{1_700_000_000 + 3600 * self.hour} +0000"
        env = {**os.environ, **IDENTITY, "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=env, capture_output=True, text=True, check=True
        )
        return done.stdout

    def commit(self, message: str, **files: str | None) -> str:
        for name, text in files.items():
            path = self.root / name.replace("__", "/")
            path = path.with_suffix(".py")
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        return self.record(message)

    def record(self, message: str) -> str:
        self.hour += 1
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "tree")


def read(repository: Repository) -> History:
    history = read_history(repository.root)
    assert history is not None
    return history


def commits_of(history: History, path: str) -> list[str]:
    number = list(history.paths).index(path)
    return [history.subjects[commit] for commit in history.commits[history.touched == number].tolist()]


@pytest.mark.promise("history.renames")
def test_a_renamed_file_keeps_its_history(repository: Repository) -> None:
    repository.commit("Teach the parser about tabs", old=BODY)
    repository.git("mv", "old.py", "middle.py")
    repository.record("Move it")
    (repository.root / "src").mkdir()
    repository.git("mv", "middle.py", "src/new.py")
    repository.record("Move it again")
    repository.commit("Count spaces", src__new=BODY + "more\n")
    history = read(repository)
    assert list(history.paths) == ["src/new.py"]
    assert commits_of(history, "src/new.py") == [
        "Count spaces", "Move it again", "Move it", "Teach the parser about tabs",
    ]  # fmt: skip


def test_a_rename_on_another_branch_is_followed(repository: Repository) -> None:
    repository.commit("First", old=BODY)
    repository.git("branch", "side")
    repository.git("mv", "old.py", "new.py")
    repository.record("Move it")
    repository.git("checkout", "-q", "side")
    repository.commit("Work under the old name", old=BODY + "more\n")
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-edit", "side")
    assert commits_of(read(repository), "new.py") == ["Work under the old name", "Move it", "First"]


def test_files_that_are_gone_take_no_votes(repository: Repository) -> None:
    repository.commit("Add both", kept=BODY, gone="x = 1\n")
    repository.commit("Drop one", gone=None)
    history = read(repository)
    assert list(history.paths) == ["kept.py"]
    assert list(history.subjects) == ["Add both"]
    assert history.widths.tolist() == [2]


def test_two_renames_in_a_circle_end(repository: Repository) -> None:
    repository.commit("Both", a=BODY, b=BODY.upper())
    for old, new in (("a", "c"), ("b", "a"), ("c", "b")):
        repository.git("mv", f"{old}.py", f"{new}.py")
        repository.record(f"{old} to {new}")
    assert commits_of(read(repository), "a.py") == ["b to a", "Both"]


def test_messages_are_searched_without_trailers_and_commit_verbs(repository: Repository) -> None:
    repository.commit(
        "Fix streaming uploads (#12)\n\nChunks were lost.\n\nSigned-off-by: Quentin <q@example.org>", a="1"
    )
    messages = read(repository).messages
    assert messages.lookup(term_key("stream"))[1].tolist() == [2]
    assert messages.lookup(term_key("chunk"))[1].tolist() == [1]
    for absent in ("fix", "quentin", "12", "sign"):
        assert messages.df(term_key(absent)) == 0


def test_fixes_and_reverts_are_counted(repository: Repository) -> None:
    repository.commit("Start", a="1", b="1")
    repository.commit("Fixes a crash", a="2")
    repository.commit('Revert "Fixes a crash"\n\nThis reverts commit 0123456789ab.', a="3")
    history = read(repository)
    assert history.flags.tolist() == [FIX | REVERT, FIX, 0]
    assert history.changes.tolist() == [3, 1]
    assert history.fixes.tolist() == [2, 0]
    assert history.reverts.tolist() == [1, 0]
    assert history.last_changed.tolist() == [1_700_000_000 + 3 * 3600, 1_700_000_000 + 3600]


def test_files_that_change_together_are_paired(repository: Repository) -> None:
    for i in range(4):
        repository.commit(f"Both {i}", a=f"{i}", b=f"{i}")
    repository.commit("One", a="alone", c="new")
    assert read(repository).co_changes() == [("a.py", "b.py", 4, 1.0)]


def test_odd_names_and_messages_are_read_whole(repository: Repository) -> None:
    odd = ["with space.py", "tab\tand\nline.py", "ümlaut 検索.py", "-dash.py", "\x01marker.py", "M"]
    for name in odd:
        (repository.root / name).write_text("x\n")
    repository.record("\x01Odd \x01 names\n\nM\n\x01body")
    history = read(repository)
    assert list(history.paths) == sorted(odd)
    assert len(history.subjects) == 1


def test_a_name_that_is_not_utf8_is_kept(repository: Repository) -> None:
    raw = os.fsencode(repository.root) + b"/caf\xe9.py"
    Path(os.fsdecode(raw)).write_text("x\n")
    repository.record("Latin")
    assert list(read(repository).paths) == [os.fsdecode(b"caf\xe9.py")]


def test_a_folder_of_a_repository_has_its_own_paths(repository: Repository) -> None:
    repository.commit("Both", top="1", sub__inner="1")
    repository.commit("Top only", top="2")
    history = read_history(repository.root / "sub")
    assert history is not None
    assert list(history.paths) == ["inner.py"]
    assert list(history.subjects) == ["Both"]


def test_no_git_and_no_commit_are_no_history(tmp_path: Path, repository: Repository) -> None:
    (tmp_path / "plain").mkdir()
    assert read_history(tmp_path / "plain") is None
    assert read_history(repository.root) is None


def test_a_shallow_clone_says_so_and_its_border_is_no_vote(tmp_path: Path, repository: Repository) -> None:
    for i in range(4):
        repository.commit(f"Change {i}", a=f"{i}", **{f"f{i}": "x"})
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "-q", "--depth", "2", f"file://{repository.root}", str(clone)], check=True
    )
    history = read_history(clone)
    assert history is not None
    assert history.shallow
    assert list(history.subjects) == ["Change 3"]


def test_a_hook_s_environment_does_not_lead_astray(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit("Here", a="1")
    other = Repository(tmp_path / "other")
    other.commit("There", b="1")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    assert list(read(repository).paths) == ["a.py"]


@pytest.mark.promise("history.same-head-same-history")
def test_saved_and_read_again_it_is_the_same(repository: Repository) -> None:
    repository.commit("Start the parser", a=BODY, b="1")
    repository.commit("Fix the parser", a=BODY + "x")
    first, again = read(repository).to_arrays(), read(repository).to_arrays()
    back = History.from_arrays(first).to_arrays()
    assert list(first) == list(again) == list(back)
    for name, column in first.items():
        assert np.array_equal(column, again[name])
        assert np.array_equal(column, back[name])


def test_paths_bind_to_the_files_of_a_snapshot(repository: Repository) -> None:
    repository.commit("Start", a="1", b="1", c="1")
    assert read(repository).bind(["a.py", "aa.py", "c.py"]).tolist() == [0, -1, 2]
