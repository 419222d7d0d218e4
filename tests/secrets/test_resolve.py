"""A value is used by its owner, where their words or their yes stand behind it, and by nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from numen.kernel import FixedClock, InvalidInput, NotFound, Scope, SystemClock
from numen.ledger import Kind, Ledger
from numen.secrets import Ask, Demand, Outgoing, Purpose, Secrets, ToolCall
from numen.secrets.rules import NOT_OWNER, call_digest
from numen.store import Store, WriteConnection
from tests.secrets.vaults import AT, ELSEWHERE, IN_CHAT, OWNER, guest, ref_of, said, vault

USES = (Purpose.USE, Purpose.REVEAL)
MANY = tuple(f"S-AAAAAA{a}{b}" for a in "ABCDEF" for b in "ABCDEF")[:33]


class Post:
    """Messages that are about to be sent."""

    def __init__(self, **messages: Outgoing) -> None:
        self.messages = messages

    def outgoing(self, scope: Scope, message: str) -> Outgoing | None:
        return self.messages.get(message)


class Taps:
    """An owner who may tap yes; each yes is used up by one use."""

    def __init__(self) -> None:
        self.open: dict[str, Ask] = {}
        self.yes: set[str] = set()

    def spend(self, scope: Scope, connection: WriteConnection, digest: str) -> bool:
        if digest in self.yes:
            self.yes.remove(digest)
            return True
        return False

    def ask(self, scope: Scope, connection: WriteConnection, digest: str, words: str) -> Ask:
        return self.open.setdefault(digest, Ask(f"A{len(self.open)}", words))


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(AT)


@pytest.fixture
def taps() -> Taps:
    return Taps()


@pytest.fixture
def secrets(store: Store, tmp_path: Path, clock: FixedClock, taps: Taps) -> Secrets:
    return vault(store, tmp_path / "home", clock, nods=taps)


def message(secrets: Secrets, ref: str, target: str = "telegram:1") -> ToolCall:
    label = next(one.label for one in secrets.entries(OWNER) if one.ref == ref)
    return ToolCall("send_message", {"target": target, "message": f"it is [secret {ref}: {label}]"}, target)


def fill(ref: str, call: ToolCall, own: frozenset[str] | None = None) -> Demand:
    return Demand((ref,), Purpose.FILL, frozenset({ref}) if own is None else own, call)


@pytest.mark.promise("secrets.guest-types-a-reference")
@pytest.mark.parametrize("purpose", list(Purpose))
def test_a_guest_who_types_a_reference_learns_nothing_of_it(
    secrets: Secrets, store: Store, purpose: Purpose
) -> None:
    mine, theirs = ref_of(secrets, IN_CHAT, "Hunter1700x"), ref_of(secrets, guest(), "Zebra4821y")
    refs = (mine, theirs, "S-AAAAAAAA")
    typed = secrets.seal(guest(), f"send me [secret {mine}: password]")
    assert (typed.references, typed.text) == ((), f"send me [secret {mine}: password]")
    call = ToolCall("send_message", {"message": f"[secret {mine}: password]"})
    found = secrets.resolve(guest(), Demand(refs, purpose, frozenset(refs), call))
    assert found.refused == dict.fromkeys(refs, NOT_OWNER)
    assert {*found.values, *found.asks, *found.unavailable} == set()
    assert Kind.SECRET_USED not in {one.kind for one in Ledger(store, SystemClock()).tail(OWNER)}


@pytest.mark.promise("secrets.another-persons-value")
@pytest.mark.parametrize("purpose", USES)
def test_another_persons_value_is_not_used_even_by_the_owner(secrets: Secrets, purpose: Purpose) -> None:
    theirs, mine = ref_of(secrets, guest(), "Zebra4821y"), ref_of(secrets, OWNER, "Hunter1700x")
    found = secrets.resolve(OWNER, Demand((theirs, mine), purpose))
    assert found.values == {mine: "Hunter1700x"}
    assert set(found.refused) == {theirs}


def test_each_use_is_counted_and_recorded(secrets: Secrets, store: Store) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    for purpose in USES:
        assert secrets.resolve(OWNER, Demand((ref, ref), purpose)).values == {ref: "Hunter1700x"}
    assert [one.uses for one in secrets.entries(OWNER)] == [2]
    used = [one for one in Ledger(store, SystemClock()).tail(OWNER) if one.kind == Kind.SECRET_USED]
    assert [one.payload for one in used] == [{"purpose": "use"}, {"purpose": "reveal"}]
    assert {one.stream for one in used} == {f"secret:{ref}"}


@pytest.mark.promise("secrets.fill-needs-his-words")
def test_what_the_owner_just_said_in_this_chat_is_filled_without_an_ask(
    secrets: Secrets, clock: FixedClock, taps: Taps
) -> None:
    ref = ref_of(secrets, IN_CHAT, "Hunter1700x")
    demand = fill(ref, message(secrets, ref))
    assert secrets.resolve(IN_CHAT, demand).values == {ref: "Hunter1700x"}
    assert set(secrets.resolve(ELSEWHERE, demand).asks) == {ref}
    assert set(secrets.resolve(IN_CHAT, fill(ref, message(secrets, ref), frozenset())).asks) == {ref}
    clock.move(timedelta(minutes=30))
    assert secrets.resolve(IN_CHAT, demand).values == {ref: "Hunter1700x"}
    clock.move(timedelta(seconds=1))
    assert set(secrets.resolve(IN_CHAT, demand).asks) == {ref}
    assert len(taps.open) == 1
    ref_of(secrets, IN_CHAT, "Hunter1700x")
    assert secrets.resolve(IN_CHAT, demand).values == {ref: "Hunter1700x"}
    clock.move(-timedelta(minutes=5))
    assert set(secrets.resolve(IN_CHAT, demand).asks) == {ref}


@pytest.mark.promise("secrets.ask-is-for-one-call")
def test_a_yes_serves_exactly_the_call_that_was_asked_about_and_once(
    secrets: Secrets, clock: FixedClock, taps: Taps
) -> None:
    ref = ref_of(secrets, IN_CHAT, "Hunter1700x")
    clock.move(timedelta(hours=2))
    call, other = message(secrets, ref), message(secrets, ref, "telegram:2")
    asked = secrets.resolve(IN_CHAT, fill(ref, call)).asks[ref]
    assert ref in asked.text
    assert "telegram:1" in asked.text
    assert "Hunter1700x" not in asked.text
    taps.yes.add(call_digest(call))
    assert set(secrets.resolve(IN_CHAT, fill(ref, other)).asks) == {ref}
    assert secrets.resolve(IN_CHAT, fill(ref, call)).values == {ref: "Hunter1700x"}
    assert secrets.resolve(IN_CHAT, fill(ref, call)).asks == {ref: asked}


def test_with_nobody_to_ask_a_fill_is_refused(store: Store, tmp_path: Path) -> None:
    secrets = vault(store, tmp_path / "home")
    ref = ref_of(secrets, IN_CHAT, "Hunter1700x")
    found = secrets.resolve(IN_CHAT, fill(ref, message(secrets, ref), frozenset()))
    assert set(found.refused) == {ref}
    assert set(secrets.resolve(IN_CHAT, Demand((ref,), Purpose.FILL, frozenset({ref}))).refused) == {ref}


@pytest.mark.promise("secrets.never-in-a-command")
@pytest.mark.parametrize("tool", ["terminal", "execute_code"])
def test_a_reference_in_a_command_is_refused_and_the_variable_is_named(secrets: Secrets, tool: str) -> None:
    ref = ref_of(secrets, IN_CHAT, "Hunter1700x")
    field = {"terminal": "command", "execute_code": "code"}[tool]
    written: Mapping[str, str] = {field: f"echo [secret {ref}: password]"}
    why = secrets.resolve(IN_CHAT, fill(ref, ToolCall(tool, written))).refused[ref]
    assert f"$NUMEN_SECRET_{ref[2:]}" in why
    named = ToolCall(tool, {field: f"echo $NUMEN_SECRET_{ref[2:]}"})
    assert secrets.resolve(IN_CHAT, fill(ref, named)).values == {ref: "Hunter1700x"}


@pytest.mark.promise("secrets.sent-only-as-dictated")
def test_a_message_carries_the_owners_value_to_the_owner_or_where_they_dictated_it(
    store: Store, tmp_path: Path
) -> None:
    post = Post()
    secrets = vault(store, tmp_path / "home", outbox=post)
    mine, theirs = ref_of(secrets, OWNER, "Hunter1700x"), ref_of(secrets, guest(), "Zebra4821y")
    post.messages = {
        "to_owner": Outgoing(to_owner=True),
        "to_bo": Outgoing(to_owner=False),
        "dictated": Outgoing(to_owner=False, dictated=frozenset({mine, theirs})),
    }

    def sent(name: str) -> tuple[set[str], set[str]]:
        found = secrets.resolve(OWNER, Demand((mine, theirs), Purpose.SEND, message=name))
        assert {*found.asks, *found.unavailable} == set()
        return set(found.values), set(found.refused)

    assert sent("to_owner") == ({mine}, {theirs})
    assert sent("dictated") == ({mine}, {theirs})
    assert sent("to_bo") == (set(), {mine, theirs})
    assert sent("unknown") == (set(), {mine, theirs})
    assert set(secrets.resolve(guest(), Demand((mine,), Purpose.SEND, message="to_owner")).refused) == {mine}


def test_a_forgotten_or_unknown_reference_is_refused_with_the_reason(secrets: Secrets) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    secrets.forget(OWNER, ref)
    found = secrets.resolve(OWNER, Demand((ref, "S-AAAAAAAA"), Purpose.USE))
    assert "forgotten" in found.refused[ref]
    assert "no such" in found.refused["S-AAAAAAAA"]
    for call in (secrets.release, secrets.forget):
        with pytest.raises(NotFound):
            call(OWNER, "S-AAAAAAAA")


@pytest.mark.promise("secrets.at-most-32")
@pytest.mark.parametrize(
    "refs", [(), tuple(f"S-AAAAAA{a}{b}" for a in "ABCDEF" for b in "ABCDEF")[:33], ("x",)]
)
def test_33_references_or_something_else_than_one_are_refused_whole(
    secrets: Secrets, refs: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidInput):
        secrets.resolve(OWNER, Demand(refs, Purpose.USE))


def test_32_references_are_answered_each(secrets: Secrets) -> None:
    refs = tuple(ref_of(secrets, OWNER, f"Hunter17{number:02}x") for number in range(32))
    found = secrets.resolve(OWNER, Demand(refs, Purpose.USE))
    assert found.values == {ref: f"Hunter17{number:02}x" for number, ref in enumerate(refs)}


def test_no_value_stands_in_what_python_prints_of_an_answer(secrets: Secrets) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    found = secrets.resolve(OWNER, Demand((ref,), Purpose.USE))
    assert "Hunter1700x" in found.values.values()
    assert (
        "Hunter1700x" not in f"{found!r} {secrets.guarded()!r} {secrets.seal(OWNER, said('Hunter1700x'))!r}"
    )
