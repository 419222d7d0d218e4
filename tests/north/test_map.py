"""The map: proposed from the graph, exact, ratified by a person, held against the tree."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.dom import minidom

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.kernel import Conflict, Forbidden, InvalidInput, Json, NotFound, Scope, Unavailable
from numen.ledger import Kind
from numen.north import GapCode, NorthRequest, Packet
from numen.north.blocks import Block, BlockState, Coherence, Sorted, check_glob, faults, holders, slug
from numen.north.communities import MOST, communities, globs, home
from numen.north.picture import drawn
from tests.north.repos import FILES, commit, git, repository, write
from tests.north.rooms import AGENT, KEY, MOMENT, OWNER, STRANGER, House

CORE = '"""Core."""\n\n\ndef core() -> int:\n    """One."""\n    return 1\n'
WEB = '"""Web."""\n\nfrom core.base import core\n\n\ndef page() -> int:\n    """Core."""\n    return core()\n'
LONE = '"""Alone."""\n\n\ndef alone() -> int:\n    """Two."""\n    return 2\n'
TWO = {
    "core/__init__.py": "",
    "core/base.py": CORE,
    "web/__init__.py": "",
    "web/page.py": WEB,
    "tools/lone.py": LONE,
}

paths = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d.py", "e.py"]), min_size=1, max_size=4).map("/".join),
    unique=True,
    max_size=24,
).map(sorted)


@pytest.fixture
def two(tmp_path: Path, local: House) -> Path:
    """A repository in which the web uses the core."""
    root = repository(tmp_path / "repo", TWO)
    local.ingest(root)
    return root


def block(identifier: str, *parts: str, sockets: tuple[str, ...] = ()) -> Block:
    return Block(identifier, identifier, "", "folder", BlockState.RATIFIED, parts, sockets, "main", MOMENT)


def packet(house: House, root: Path, scope: Scope = OWNER) -> Packet:
    return house.north.packet(scope, NorthRequest("page core", "ada", root))


@pytest.mark.promise("map.proposed")
@settings(max_examples=60)
@given(paths, st.data())
def test_every_file_is_in_exactly_one_community_and_its_globs_hold_just_its_files(
    files: list[str], data: st.DataObject
) -> None:
    place = st.integers(0, max(len(files) - 1, 0))
    ties = data.draw(st.lists(st.tuples(place, place, st.integers(1, 9)), max_size=30)) if files else []
    most = data.draw(st.integers(1, 6))
    found = communities(files, ties, most)
    assert sorted(file for members in found for file in members) == list(range(len(files)))
    assert len(found) <= most
    assert found == communities(files, list(ties), most)
    for members in found:
        inside = {files[number] for number in members}
        parts = globs(sorted(inside), sorted(set(files) - inside))
        table = Sorted.of((part, 0) for part in parts)
        assert {path for path in files if table.holders(path)} == inside
        assert all(check_glob(part) for part in parts)
        assert all(path.startswith(home(sorted(inside))) for path in inside) or len(inside) > 1


@pytest.mark.promise("map.proposed")
def test_what_belongs_together_is_one_block_and_what_does_not_is_two() -> None:
    files = [f"{folder}/{name}.py" for folder in ("one", "two") for name in "abcde"]
    ties = [(a, b, 3) for side in (0, 5) for a in range(side, side + 5) for b in range(a + 1, side + 5)]
    found = communities(files, [*ties, (0, 5, 1)])
    assert [sorted({files[one].split("/")[0] for one in members}) for members in found] == [["one"], ["two"]]


@pytest.mark.promise("map.fast")
@pytest.mark.slow
@pytest.mark.timeout(60)
def test_three_thousand_files_are_sorted_into_communities_within_three_seconds() -> None:
    """As many files as Django has, and ten times the references of its code."""
    files = sorted(f"app{a}/part{b}/module{c}.py" for a in range(10) for b in range(15) for c in range(20))
    ties = [
        (a, (a * 7 + step * step) % len(files), 1 + step % 3) for a in range(3000) for step in range(1, 14)
    ]
    began = time.perf_counter()
    found = communities(files, ties)
    assert time.perf_counter() - began <= 3
    assert 1 < len(found) <= MOST


@pytest.mark.promise("map.globs")
@pytest.mark.parametrize(
    ("glob", "held", "not_held"),
    [
        ("src/**", ["src/a.py", "src/b/c.py"], ["srcs/a.py", "a.py"]),
        ("src/*", ["src/a.py"], ["src/b/c.py", "src"]),
        ("**", ["a.py", "b/c.py"], []),
        ("*", ["a.py"], ["b/c.py"]),
        ("src/*.py", ["src/a.py"], ["src/a.pyi", "src/b/a.py"]),
        ("**/test_?.py", ["test_a.py", "x/y/test_b.py"], ["x/test_ab.py"]),
        ("a/**/z.py", ["a/z.py", "a/b/c/z.py"], ["b/z.py"]),
    ],
)
def test_a_glob_holds_what_it_says(glob: str, held: list[str], not_held: list[str]) -> None:
    table = Sorted.of([(glob, 0)])
    assert [path for path in [*held, *not_held] if table.holders(path)] == held


@pytest.mark.promise("map.globs")
def test_a_glob_full_of_stars_is_tried_in_little_time() -> None:
    began = time.perf_counter()
    assert not Sorted.of([("*a" * 150 + "b", 0), ("**/x/" * 60 + "y", 0)]).holders("a" * 4000 + "/x" * 2000)
    assert time.perf_counter() - began < 2


@pytest.mark.promise("map.ratified-by-a-person")
def test_a_proposal_is_no_map_until_a_person_ratifies_it_and_then_the_card_counts_it(
    local: House, two: Path
) -> None:
    assert packet(local, two).map is None
    proposed = local.propose(two)
    assert {one.state for one in proposed.blocks} == {BlockState.CANDIDATE}
    before = packet(local, two)
    assert before.map is not None
    assert (before.map.ratified_blocks, before.map.coherence) == (0, Coherence.OK)
    assert before.human_view is not None
    assert "map" not in before.human_view.lines[0]
    ratified = local.ratify(two)
    count = len(ratified.blocks)
    after = packet(local, two)
    assert after.map is not None
    assert after.map.ratified_blocks == count
    assert after.human_view is not None
    assert f"map {count} block" in after.human_view.lines[0]
    assert after.as_json()["map"] == {"ratified_blocks": count, "coherence": "ok"}
    assert [e.kind for e in local.ledger.tail(OWNER)].count(Kind.MAP_CHANGED) == 2


@pytest.mark.promise("map.ratified-by-a-person")
@pytest.mark.parametrize("scope", [AGENT, KEY, STRANGER])
def test_no_agent_ratifies_or_drops_not_even_one_that_speaks_for_the_owner(
    local: House, two: Path, scope: Scope
) -> None:
    local.propose(two)
    with pytest.raises(Forbidden):
        local.ratify(two, scope=scope)
    with pytest.raises(Forbidden):
        local.maps.drop(scope, local.brain(two), None, ())
    assert local.view(two).ratified == 0


@pytest.mark.promise("map.proposed")
def test_a_new_proposal_leaves_what_was_ratified_alone_and_covers_the_rest(local: House, two: Path) -> None:
    first = local.propose(two).blocks[0]
    local.ratify(two, first.id)
    write(two, {"later/new.py": LONE})
    local.ingest(two)
    again = local.propose(two)
    assert again.blocks[0].id == first.id
    assert again.unmapped == 0
    assert again.files is not None
    assert sum(again.files) == len(TWO) + 1
    with pytest.raises(NotFound):
        local.ratify(two, "nobody")


@pytest.mark.promise("map.coherence")
def test_a_ratified_block_that_lost_its_files_raises_the_cell_and_says_so_once(
    local: House, two: Path
) -> None:
    local.propose(two)
    local.ratify(two)
    gone = next(
        one for one in local.view(two).blocks if "tools/lone.py" in str(one.globs) or "tools" in one.id
    )
    git(two, "rm", "-q", "-r", "tools")
    commit(two, "Take the tools away")
    local.ingest(two)
    shown = packet(local, two)
    [said] = [gap.text for gap in shown.gaps if gap.code is GapCode.MAP_MISMATCH]
    assert gone.id in said
    assert shown.human_view is not None
    assert shown.human_view.state == "coherence"
    assert shown.human_view.lines[0].startswith("numen ╷╷╷╷│")
    assert shown.verdict.state == "full_trust"
    drifted = [one.id for one in local.view(two).blocks if one.state is BlockState.DRIFTED]
    assert drifted == [gone.id]
    with pytest.raises(Conflict):
        local.ratify(two, gone.id)
    local.maps.drop(OWNER, local.brain(two), None, [gone.id])
    assert local.view(two).coherence is Coherence.OK


@pytest.mark.promise("map.coherence")
def test_a_block_that_begins_to_use_another_differs_from_the_map_until_a_person_agrees(
    local: House, two: Path
) -> None:
    doc = {
        "schema": "numen-map-v1",
        "brain": {"branch": "main"},
        "blocks": [
            {"id": one, "name": one, "purpose": "", "kind": "folder", "state": "candidate",
             "membership": [f"{one}/**"], "sockets": []}
            for one in ("core", "web")
        ],
    }  # fmt: skip
    local.maps.read(OWNER, local.brain(two), local.graph.open(OWNER, two), doc)
    ratified = {one.id: one.sockets for one in local.ratify(two).blocks}
    assert ratified == {"core": (), "web": ("core",)}
    write(
        two,
        {
            "core/back.py": WEB.replace("core.base import core", "web.page import page").replace(
                "core()", "page()"
            )
        },
    )
    local.ingest(two)
    assert [fault.text for fault in local.view(two).faults] == ["it now uses web"]
    local.ratify(two, "core")
    assert local.view(two).faults == ()


@pytest.mark.promise("map.coherence")
def test_a_file_in_two_ratified_blocks_is_told() -> None:
    one, other = block("one", "a/**"), block("two", "a/b.py")
    assert [f.text for f in faults([one, other], ["a/b.py"], ["a/b.py"], [])] == ["a/b.py is in two too"]
    assert faults([one, replace(other, state=BlockState.CANDIDATE)], ["a/b.py"], ["a/b.py"], []) == ()
    assert holders([one, other], ["a/b.py", "c.py"]) == [[0, 1], []]


@pytest.mark.promise("map.file")
def test_a_map_that_is_exported_and_imported_is_the_same_and_asks_to_be_ratified(
    local: House, two: Path, tmp_path: Path
) -> None:
    local.propose(two)
    whole = local.ratify(two).as_json()
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(two), str(clone))
    local.ingest(clone)
    brain, snapshot = local.brain(clone), local.graph.open(OWNER, clone)
    taken = local.maps.read(OWNER, brain, snapshot, whole)
    assert [one.globs for one in taken.blocks] == [one.globs for one in local.view(two).blocks]
    assert taken.ratified == 0
    again = local.ratify(clone).as_json()
    assert again["blocks"] == whole["blocks"]


@pytest.mark.promise("map.file")
def test_a_map_made_for_another_branch_is_not_taken_by_accident(local: House, two: Path) -> None:
    local.propose(two)
    whole = local.ratify(two).as_json()
    git(two, "checkout", "-q", "-b", "other")
    brain, snapshot = local.brain(two), local.graph.open(OWNER, two)
    with pytest.raises(Conflict, match="made on branch main"):
        local.maps.read(OWNER, brain, snapshot, whole)
    assert local.view(two).other_branch == "main"
    assert local.maps.read(OWNER, brain, snapshot, whole, any_branch=True).blocks


GOOD: dict[str, Any] = {
    "id": "core",
    "name": "Core",
    "purpose": "",
    "kind": "folder",
    "state": "ratified",
    "membership": ["core/**"],
    "sockets": [],
}


def file_of(*rows: Mapping[str, Any]) -> Json:
    return {"schema": "numen-map-v1", "brain": {"branch": "main"}, "blocks": [dict(row) for row in rows]}


@pytest.mark.promise("map.file")
@pytest.mark.parametrize(
    "doc",
    [
        None,
        [],
        {},
        {"schema": "numen-map-v2", "brain": {}, "blocks": []},
        {"schema": "numen-map-v1", "brain": 3, "blocks": []},
        {"schema": "numen-map-v1", "brain": {"branch": 3}, "blocks": []},
        {"schema": "numen-map-v1", "brain": {"branch": "main"}, "blocks": {}},
        file_of({**GOOD, "id": "../core"}),
        file_of({**GOOD, "id": "core", "secret": 1}),
        file_of(GOOD, GOOD),
        file_of({**GOOD, "membership": []}),
        file_of({**GOOD, "membership": "core/**"}),
        file_of({**GOOD, "membership": ["/etc/**"]}),
        file_of({**GOOD, "membership": ["../other/**"]}),
        file_of({**GOOD, "membership": ["a/../../b"]}),
        file_of({**GOOD, "membership": ["a\0b"]}),
        file_of({**GOOD, "membership": [3]}),
        file_of({**GOOD, "sockets": ["nobody"]}),
        file_of({**GOOD, "kind": "blob"}),
        file_of({**GOOD, "state": "blessed"}),
        file_of({**GOOD, "name": "a\nb"}),
        file_of({**GOOD, "purpose": "x" * 301}),
        file_of(*({**GOOD, "id": f"b{number}"} for number in range(201))),
    ],
)
def test_a_hand_edited_map_that_is_none_is_refused_and_changes_nothing(
    local: House, two: Path, doc: Json
) -> None:
    with pytest.raises(InvalidInput) as caught:
        local.maps.read(OWNER, local.brain(two), local.graph.open(OWNER, two), doc)
    assert caught.value.not_done == "The map was not changed."
    assert local.view(two).blocks == ()


@pytest.mark.promise("map.file", "map.ratified-by-a-person")
def test_a_file_that_says_ratified_ratifies_nothing(local: House, two: Path) -> None:
    taken = local.maps.read(OWNER, local.brain(two), local.graph.open(OWNER, two), file_of(GOOD))
    assert [one.state for one in taken.blocks] == [BlockState.CANDIDATE]


@pytest.mark.promise("map.coherence")
def test_without_an_index_it_is_not_told_whether_the_map_holds(local: House, two: Path) -> None:
    local.propose(two)
    local.ratify(two)
    view = local.maps.view(OWNER, local.brain(two), None, "It is cut short.")
    assert (view.coherence, view.unmapped, view.why) == (None, None, "It is cut short.")
    assert view.ratified == len(view.blocks)
    with pytest.raises(Unavailable):
        local.survey.snapshot(OWNER, local.brain(repository(two.parent / "fresh")))


def test_ids_of_blocks_are_plain_and_never_twice() -> None:
    assert slug("Src/Größe & Co", []) == "src-gr-e-co"
    assert slug("a", ["a", "a-2"]) == "a-3"
    assert slug("木", []) == "block"


@pytest.mark.promise("map.picture")
def test_the_picture_is_sound_xml_that_fetches_and_runs_nothing(local: House, tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", {**FILES, "a&b <c>/x.py": CORE, 'q"q/y.py': LONE})
    local.ingest(root)
    local.propose(root)
    svg = drawn(local.ratify(root))
    assert minidom.parseString(svg).documentElement is not None
    assert "<script" not in svg
    assert "href" not in svg
    assert "style" not in svg
    assert "<c>" not in svg
    assert svg.count("<circle") == len(local.view(root).blocks)
