"""Trust and drift: counts from git that say what they rest on, and what moved, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from numen.kernel import InvalidInput, Unavailable
from numen.north.gitdiff import difference
from tests.north.repos import PARSER, SERVER, commit, git, repository, write
from tests.north.rooms import OWNER, House

TEST = '''"""Tests."""

from parser import parse_settings


def test_it() -> None:
    assert parse_settings("") == {}
'''


@pytest.fixture
def mended(tmp_path: Path, local: House) -> Path:
    """A repository whose parser was mended twice and undone once, and is tested."""
    root = repository(tmp_path / "repo")
    for number, message in enumerate(("Fix the parser", "fix: a crash", 'Revert "fix: a crash"', "More")):
        write(root, {"src/parser.py": PARSER + f"# {number}\n"})
        commit(root, message)
    write(root, {"src/test_parser.py": TEST})
    commit(root, "Tests")
    local.ingest(root)
    return root


@pytest.mark.promise("trust.counted")
def test_trust_counts_what_git_says_of_each_file_and_says_that_it_is_that(local: House, mended: Path) -> None:
    found = local.survey.trust(OWNER, local.brain(mended))
    assert [one.path for one in found.files] == ["src/parser.py", "src/server.py"]
    parser, server = found.files
    assert (parser.changes, parser.fixes, parser.reverts, parser.tested_by) == (5, 3, 1, 1)
    assert parser.fix_density == 0.6
    assert (server.changes, server.fixes, server.reverts, server.tested_by) == (1, 0, 0, 0)
    assert (found.mended, found.untested) == (1, 1)
    assert found.basis() == "Counted in 6 commits of git; it says nothing of the code itself."
    assert [one.path for one in local.survey.trust(OWNER, local.brain(mended), "src/server.py").files] == [
        "src/server.py"
    ]


@pytest.mark.promise("trust.counted")
def test_without_a_history_nothing_is_counted_and_that_is_said(local: House, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain", {"a.py": PARSER})
    local.ingest(plain)
    with pytest.raises(Unavailable, match="no git history"):
        local.survey.trust(OWNER, local.brain(plain))
    with pytest.raises(Unavailable, match="not indexed"):
        local.survey.trust(OWNER, local.brain(repository(tmp_path / "fresh")))


@pytest.mark.promise("drift.moved")
def test_drift_names_the_innermost_symbol_that_changed_and_who_depends_on_it(
    local: House, indexed: Path
) -> None:
    write(indexed, {"src/parser.py": PARSER.replace('"="', '":"'), "src/fresh.py": "def new():\n    pass\n"})
    (indexed / "docs/guide.md").unlink()
    local.ingest(indexed)
    found = local.survey.drift(OWNER, local.brain(indexed))
    assert (found.changed, found.added, found.removed) == (
        ("src/parser.py",),
        ("src/fresh.py",),
        ("docs/guide.md",),
    )
    assert [one.id for one in found.symbols] == ["src/parser.py::parse_settings", "src/fresh.py"]
    assert found.symbols[0].dependents == ("src/server.py", "src/server.py::start_server")
    assert found.symbols[0].is_exact


@pytest.mark.promise("drift.moved")
def test_a_file_that_moved_since_ingest_is_told_by_the_lines_of_the_index(
    local: House, indexed: Path
) -> None:
    write(indexed, {"src/parser.py": PARSER.replace('"="', '":"')})
    [one] = local.survey.drift(OWNER, local.brain(indexed)).symbols
    assert not one.is_exact


@pytest.mark.promise("drift.since")
def test_drift_goes_back_to_a_commit_a_tag_or_a_moment(local: House, mended: Path) -> None:
    brain = local.brain(mended)
    git(mended, "tag", "v1", "HEAD~1")
    for since in ("HEAD~1", "v1", git(mended, "rev-parse", "HEAD~1")):
        assert local.survey.drift(OWNER, brain, since).added == ("src/test_parser.py",)
    assert local.survey.drift(OWNER, brain, "2026-01-02T03:04:05Z").added == ()
    assert not local.survey.drift(OWNER, brain, None)


@pytest.mark.promise("drift.since")
@pytest.mark.parametrize(
    "since", ["nothing", "--output=/tmp/x", "-p", "HEAD~99", "1999-01-01", "a..b", "HEAD:src", "\0", "$(id)"]
)
def test_a_commit_that_is_none_is_refused_and_no_option_is_smuggled_in(
    local: House, indexed: Path, since: str
) -> None:
    with pytest.raises((InvalidInput, Unavailable)):
        local.survey.drift(OWNER, local.brain(indexed), since)
    assert git(indexed, "status", "--porcelain") == ""


@pytest.mark.promise("drift.safe")
def test_no_program_that_a_repository_names_is_run(local: House, indexed: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    git(indexed, "config", "filter.x.clean", f"touch {trace}; cat")
    write(indexed, {".gitattributes": "*.py filter=x\n", "src/server.py": SERVER + "\n"})
    with pytest.raises(Unavailable, match="names programs"):
        local.survey.drift(OWNER, local.brain(indexed))
    assert not trace.exists()
    slot = local.cockpit.menu(OWNER, indexed, "7")
    assert (slot["state"], slot["facts"]) == ("unreadable", {})


def test_names_that_git_has_to_quote_are_changes_of_the_file(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", {'a"b\n.py': "x = 1\n", "ä ö.py": "y = 1\n", "++ b.py": "z = 1\n"})
    write(root, {'a"b\n.py': "x = 2\n", "ä ö.py": "y = 2\n+++ b/never.py\n", "++ b.py": "z = 2\n"})
    found = difference(root, None)
    assert found.changed == ("++ b.py", 'a"b\n.py', "ä ö.py")
    assert found.lines["ä ö.py"] == [(1, 2)]
    assert set(found.lines) == {"ä ö.py", "++ b.py"}


def test_outside_of_git_what_moved_is_what_moved_since_ingest(local: House, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain", {"a.py": PARSER, "b.py": SERVER})
    local.ingest(plain)
    assert not local.survey.drift(OWNER, local.brain(plain))
    write(plain, {"a.py": PARSER + "\n"})
    found = local.survey.drift(OWNER, local.brain(plain))
    assert (found.since, found.changed) == (None, ("a.py",))
