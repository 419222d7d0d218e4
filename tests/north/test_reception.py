"""Reception: the caller's own tree is told from every other, however alike (north contract)."""

from __future__ import annotations

from pathlib import Path

import pytest

from numen.graph.brain import locate
from numen.graph.types import BrainId
from numen.kernel import InvalidInput
from numen.north.reception import origin, relation
from numen.north.types import Relation
from tests.north.repos import git, repository, write


def seen(path: Path) -> BrainId | None:
    try:
        return locate(path)
    except InvalidInput:
        return None


def judged(bound: Path, caller: Path) -> Relation | None:
    return relation(locate(bound), str(caller), seen)


@pytest.mark.promise("north.reception")
def test_the_tree_itself_and_what_lies_in_it_are_covered(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    assert judged(repo, repo) is None
    assert judged(repo, repo / "src") is None
    assert judged(repo / "src", repo / "docs") is None
    assert judged(repo, repo / "src" / "parser.py") is None


@pytest.mark.promise("north.reception")
def test_a_link_into_the_tree_is_covered_and_a_link_out_of_it_is_not(tmp_path: Path) -> None:
    repo, other = repository(tmp_path / "repo"), repository(tmp_path / "other")
    (tmp_path / "way-in").symlink_to(repo)
    (repo / "way-out").symlink_to(other)
    assert judged(repo, tmp_path / "way-in" / "src") is None
    assert judged(tmp_path / "way-in", repo) is None
    assert judged(repo, repo / "way-out") is Relation.OTHER


@pytest.mark.promise("north.reception")
def test_a_name_that_begins_alike_is_not_covered(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    assert judged(repo, repository(tmp_path / "repo-2")) is Relation.OTHER
    assert judged(repo, write(tmp_path / "repo-3", {"a.py": ""})) is Relation.OTHER


@pytest.mark.promise("north.reception")
def test_worktrees_of_one_repository_are_told_apart_even_inside_it(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    git(repo, "worktree", "add", "-q", "-b", "one", str(tmp_path / "one"))
    git(repo, "worktree", "add", "-q", "-b", "two", str(repo / "inner" / "two"))
    assert judged(repo, tmp_path / "one") is Relation.WORKTREE
    assert judged(tmp_path / "one", repo / "src") is Relation.WORKTREE
    assert judged(repo, repo / "inner" / "two") is Relation.WORKTREE
    assert judged(tmp_path / "one", tmp_path / "one" / "src") is None


@pytest.mark.promise("north.reception")
def test_clones_are_told_apart_from_their_origin_and_from_each_other(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    for name in ("one", "two"):
        git(tmp_path, "clone", "-q", str(repo), name)
    assert judged(repo, tmp_path / "one") is Relation.CLONE
    assert judged(tmp_path / "one", repo) is Relation.CLONE
    assert judged(tmp_path / "one", tmp_path / "two" / "src") is Relation.CLONE


@pytest.mark.promise("north.reception")
def test_addresses_of_one_origin_are_one_whatever_their_form(tmp_path: Path) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    git(one, "remote", "add", "origin", "git@Example.org:ada/lamp.git")
    git(two, "remote", "add", "origin", "https://example.org/ada/lamp")
    assert judged(one, two) is Relation.CLONE
    git(two, "remote", "set-url", "origin", "https://example.org/bob/lamp")
    assert judged(one, two) is Relation.OTHER
    assert origin("ssh://git@example.org:2222/ada/lamp.git/") == "example.org/ada/lamp"


@pytest.mark.promise("north.reception")
def test_a_submodule_and_a_repository_put_inside_are_not_the_tree(tmp_path: Path) -> None:
    repo, part = repository(tmp_path / "repo"), repository(tmp_path / "part")
    git(repo, "submodule", "--quiet", "add", str(part), "sub")
    repository(repo / "thrown-in")
    assert judged(repo, repo / "sub") is Relation.NESTED
    assert judged(repo, repo / "thrown-in" / "src") is Relation.NESTED
    assert judged(repo / "sub", repo) is Relation.OUTER


@pytest.mark.promise("north.reception")
def test_outside_of_git_a_folder_covers_what_lies_in_it(tmp_path: Path) -> None:
    notes = write(tmp_path / "notes", {"deep/a.md": "# A\n"})
    assert judged(notes, notes / "deep") is None
    assert judged(notes / "deep", notes) is Relation.OUTER
    assert judged(notes, repository(notes / "repo")) is Relation.NESTED


@pytest.mark.promise("north.reception")
def test_a_root_at_which_there_is_nothing_is_not_taken_for_the_tree(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    assert judged(repo, tmp_path / "gone") is Relation.OTHER
    assert judged(repo, tmp_path) is Relation.OUTER
    assert judged(repo, repo / "src" / "gone") is None
