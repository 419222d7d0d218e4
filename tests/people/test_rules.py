"""Who is the owner, and which room is meant: the laws, on anything that may come in."""

from __future__ import annotations

import ast
import dataclasses
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numen
from numen.kernel import Forbidden, InvalidInput, RoomKey, Via
from numen.people import Http, Key, KeyScope, Local, Speaker, Stdio, rules
from numen.people.rules import Claim, Standing

OWNER = "contact_TEST_00000000000000000000000001"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOME_ACCOUNT = 1000

texts = st.one_of(
    st.text(max_size=8), st.sampled_from(["", OWNER, "owner", "stranger", "cli", ":", "\0", "*"])
)
speakers = st.none() | st.builds(Speaker, *([st.none() | texts] * 4))
claims = st.none() | st.builds(Claim, texts, texts, texts, texts)


def keys(*scopes: KeyScope) -> st.SearchStrategy[Key]:
    """Keys that have some of `scopes`."""
    platforms = st.frozensets(st.sampled_from(["cli", "api", "telegram", ""]))
    contacts = st.frozensets(st.sampled_from(["*", OWNER, "contact_1"]))
    granted = st.frozensets(st.sampled_from(scopes)) if scopes else st.just(frozenset[KeyScope]())
    return st.builds(
        Key, st.just("key_TEST_00000000000000000000000002"), texts, granted, platforms, contacts, st.just(NOW)
    )


def is_owner(standing: Standing) -> bool:
    return standing.is_owner or standing.viewer in {OWNER, "owner"}


@pytest.mark.promise("people.owner-by-credential")
@given(texts, st.sampled_from([None, OWNER]), claims, keys(KeyScope.CORRELATE) | st.none(), st.booleans())
def test_nobody_is_the_owner_without_a_credential_of_the_owner(
    session: str, owner: str | None, claim: Claim | None, key: Key | None, as_owner: bool
) -> None:
    """A foreign account, no key or one that neither is the owner's nor speaks for others, and any words."""
    for home in (HOME_ACCOUNT, None):
        assert not is_owner(rules.local_standing(Local(2000, True), home, owner))
        stdio = rules.stdio_standing(Stdio(2000, session, as_owner), key, home, owner, claim)
        http = rules.http_standing(Http(Via.HTTP, None, session), key, owner, claim)
        assert not is_owner(stdio)
        assert not is_owner(http)
        assert not stdio.believed
        assert not http.believed


@pytest.mark.promise("people.owner-by-credential")
@given(keys(*KeyScope), st.sampled_from([None, OWNER]), claims)
def test_a_key_makes_an_owner_only_by_its_scopes_and_platforms(
    key: Key, owner: str | None, claim: Claim | None
) -> None:
    for stdio in (True, False):
        try:
            standing = (
                rules.stdio_standing(Stdio(HOME_ACCOUNT, "s"), key, HOME_ACCOUNT, owner, claim)
                if stdio
                else rules.http_standing(Http(Via.HTTP, None), key, owner, claim)
            )
        except Forbidden:
            assert KeyScope.SPEAKS_FOR in key.scopes
            continue
        if not standing.is_owner and standing.viewer not in {owner, "owner"}:
            continue
        assert standing.is_owner
        if KeyScope.SPEAKS_FOR in key.scopes and (stdio or claim is not None):
            assert claim is not None
            assert claim.uid in {OWNER, "owner"}
            assert (claim.platform or claim.server.partition(":")[0]) in key.owner_platforms
        else:
            assert KeyScope.OWNER in key.scopes
            assert not stdio


@given(speakers)
def test_a_speaker_that_names_nobody_is_a_stranger_even_from_a_key_that_speaks_for_all(
    speaker: Speaker | None,
) -> None:
    key = Key("key_1", "k", frozenset(KeyScope), frozenset({"cli"}), frozenset({"*"}), NOW)
    claim = rules.claim_of(dataclasses.replace(speaker, uid=None) if speaker else Speaker())
    standing = rules.http_standing(Http(Via.MCP, None), key, OWNER, claim)
    assert (standing.viewer, standing.is_owner) == ("stranger", False)


@pytest.mark.promise("people.rooms-never-meet")
def test_ten_thousand_triples_never_share_a_room() -> None:
    """Short triples over separators, so that they would collide if parts could spill into each other."""
    draw = random.Random(20261201)
    alphabet = ["a", "b", "|", ":", "/", "\0", "é", "\udce4", " ", "stranger", "key_1"]

    def part() -> str:
        return "".join(draw.choices(alphabet, k=draw.randint(1, 4)))

    triples = {(part(), part(), part()) for _ in range(10_000)}
    standings = [
        Standing("contact_1", False, True, "key_1"),
        Standing("stranger", False, False, "stranger:a"),
        Standing("key_1", False, False, "key_1"),
    ]
    rooms = [
        rules.room_of(Claim(*triple, ""), standing, "fresh") for triple in triples for standing in standings
    ]
    assert len(triples) > 9_000
    assert len(set(rooms)) == len({room.digest() for room in rooms}) == 3 * len(triples)


@pytest.mark.promise("people.rooms-never-meet")
@given(texts, texts, texts, texts, st.booleans(), st.text(min_size=1), st.text(min_size=1))
def test_a_room_without_all_three_ids_is_one_that_nobody_had_before(
    uid: str, channel: str, server: str, caller: str, believed: bool, first: str, second: str
) -> None:
    standing = Standing("stranger", False, believed, caller)
    claim = Claim(uid, channel, server, "")
    rooms = [rules.room_of(claim, standing, fresh) for fresh in (first, second)]
    assert rules.is_anonymous(rooms[0]) is not (bool(uid) and bool(channel) and bool(server))
    if rules.is_anonymous(rooms[0]):
        assert rooms == [RoomKey("", "", first), RoomKey("", "", second)]
        assert rules.room_of(None, standing, first) == rooms[0]
    else:
        assert rooms[0] == rooms[1]


@pytest.mark.promise("people.bad-ids-refused")
@given(
    st.sampled_from(["uid", "channel", "server", "platform"]),
    st.one_of(
        st.integers(),
        st.booleans(),
        st.floats(),
        st.binary(),
        st.lists(st.text()),
        st.dictionaries(st.text(), st.text()),
    ),
)
def test_an_id_of_a_wrong_type_is_refused(part: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=part):
        rules.claim_of(Speaker(**{part: value}))


@pytest.mark.promise("people.bad-ids-refused")
def test_an_id_that_is_too_long_is_refused_and_the_longest_is_not() -> None:
    assert rules.claim_of(Speaker(uid="x" * rules.LONGEST_ID)) is not None
    with pytest.raises(InvalidInput, match="uid"):
        rules.claim_of(Speaker(uid="x" * (rules.LONGEST_ID + 1)))


@given(st.text(max_size=100))
def test_a_name_is_one_line_or_refused(name: str) -> None:
    try:
        kept = rules.check_name("a key", name)
    except InvalidInput:
        assert not name.strip() or len(name.strip()) > rules.LONGEST_NAME or not name.strip().isprintable()
    else:
        assert kept == name.strip()
        assert len(kept.splitlines()) == 1


@pytest.mark.promise("people.one-maker")
def test_only_people_makes_a_scope() -> None:
    """Every other room is handed its scope (architecture, rule 4)."""
    root = Path(numen.__file__).parent
    makers: list[str] = []
    for path in sorted(root.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        imports = [
            node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "numen.kernel"
        ]
        if any(name.name == "Scope" for node in imports for name in node.names):
            calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
            makers += [str(path.relative_to(root))] * calls.count("Scope")
    assert makers == ["people/service.py"]
