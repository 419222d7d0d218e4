"""Whether a value may be used, and what stands for it: the laws, on anything that may come in."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from numen.kernel import Audience, RoomKey, Scope, Via
from numen.secrets import Demand, Outgoing, Purpose, Reference, State, ToolCall, rules
from numen.secrets.detector import Finding, find
from numen.secrets.rules import Moment, Outcome, Standing
from tests.secrets.vaults import AT

REF = "S-ABCDEFGH"
OTHER = "S-HGFEDCBA"
STANDS = str(Reference(REF, "password"))

standings = st.builds(
    Standing,
    st.sampled_from(["owner", "contact_TEST_1", "handle:telegram:1"]),
    st.sampled_from(State),
    st.none() | st.integers(-4000, 4000).map(lambda seconds: AT - timedelta(seconds=seconds)),
    st.sampled_from([None, "chat", "other"]),
)
outgoings = st.none() | st.builds(Outgoing, st.booleans(), st.frozensets(st.sampled_from([REF, OTHER])))
moments = st.builds(Moment, st.just(AT), st.booleans(), st.sampled_from([None, "chat"]), outgoings)
arguments = st.dictionaries(
    st.sampled_from(["message", "command", "code", "data", "target", "action", "content"]),
    st.sampled_from(
        [
            STANDS,
            f"it is {STANDS}",
            f"echo $NUMEN_SECRET_{REF[2:]}",
            "write",
            "plain",
            str(Reference(OTHER, "x")),
        ]
    ),
    max_size=4,
)
calls = st.none() | st.builds(
    ToolCall,
    st.sampled_from(["send_message", "terminal", "execute_code", "process", "write_file"]),
    arguments,
)
demands = st.builds(
    Demand,
    st.just((REF,)),
    st.sampled_from(Purpose),
    st.frozensets(st.sampled_from([REF, OTHER])),
    calls,
)


@pytest.mark.promise("secrets.owner-only")
@given(st.none() | standings, demands, moments)
def test_a_value_is_given_only_to_the_owner_and_only_their_own(
    standing: Standing | None, demand: Demand, moment: Moment
) -> None:
    verdict = rules.judge(REF, standing, demand, moment)
    if verdict.outcome is not Outcome.REFUSE:
        assert moment.by_owner
        assert standing is not None
        assert standing.whose == rules.OWNER
        assert standing.state is not State.FORGOTTEN
    else:
        assert verdict.why


@pytest.mark.promise("secrets.fill-needs-his-words")
@given(standings, demands, moments)
def test_a_fill_without_an_ask_stands_on_the_owners_latest_words_in_that_chat(
    standing: Standing, demand: Demand, moment: Moment
) -> None:
    demand = replace(demand, purpose=Purpose.FILL)
    verdict = rules.judge(REF, standing, demand, moment)
    if verdict.outcome is Outcome.GIVE:
        assert REF in demand.own_refs
        assert standing.said_at is not None
        assert timedelta() <= moment.now - standing.said_at <= timedelta(minutes=30)
        assert standing.said_in in {None, moment.chat}
    if verdict.outcome is not Outcome.REFUSE:
        assert demand.call is not None
        assert rules.held_by(demand.call, REF) is None


@given(standings, moments)
def test_a_message_carries_a_value_only_to_the_owner_or_where_they_dictated_it(
    standing: Standing, moment: Moment
) -> None:
    verdict = rules.judge(REF, standing, Demand((REF,), Purpose.SEND, message="m"), moment)
    allowed = moment.outgoing is not None and (moment.outgoing.to_owner or REF in moment.outgoing.dictated)
    assert verdict.outcome is not Outcome.ASK
    assert verdict.outcome is Outcome.REFUSE or allowed


@pytest.mark.promise("secrets.never-in-a-command")
@given(arguments, st.sampled_from(["terminal", "execute_code"]))
def test_a_reference_in_a_command_or_code_holds_the_call(args: dict[str, str], tool: str) -> None:
    held = rules.held_by(ToolCall(tool, args), REF)
    if any(REF in value for value in args.values()):
        assert held is not None
        assert "$NUMEN_SECRET_ABCDEFGH" in held


@pytest.mark.parametrize(
    ("tool", "args", "goes"),
    [
        ("send_message", {"target": "telegram:1", "message": f"it is {STANDS}"}, True),
        ("write_file", {"path": "x", "content": STANDS}, True),
        ("send_message", {"target": STANDS, "message": "hello"}, False),
        ("patch", {"old_string": STANDS, "new_string": "x"}, False),
        ("send_message", {"message": {"deep": [STANDS]}}, True),
        ("send_message", {STANDS: "x"}, False),
        ("process", {"action": "submit", "data": STANDS}, True),
        ("process", {"action": "submit", "data": f"{STANDS} "}, False),
        ("process", {"action": "kill", "data": STANDS}, False),
        ("process", {"action": "write", "data": str(Reference(OTHER, "x"))}, False),
        ("terminal", {"command": f"curl -u me:$NUMEN_SECRET_{REF[2:]}"}, True),
        ("terminal", {"command": f"cat ${{PROTAGINE_SECRET_{REF[2:]}_FILE}}"}, True),
        ("terminal", {"command": f"cat $NUMEN_SECRET_{REF[2:]}A"}, False),
        ("terminal", {"command": "ls"}, False),
        ("execute_code", {"code": f"os.environ['NUMEN_SECRET_{REF[2:]}']"}, True),
        ("execute_code", {"code": f"print('{STANDS}')"}, False),
        ("send_message", {"message": "hello"}, False),
    ],
)
def test_a_value_goes_into_words_and_whole_inputs_and_nowhere_else(
    tool: str, args: dict[str, object], goes: bool
) -> None:
    assert (rules.held_by(ToolCall(tool, args), REF) is None) is goes  # pyright: ignore[reportArgumentType]


@given(st.text(max_size=80), st.text(min_size=1, max_size=20))
def test_a_label_can_stand_in_a_reference_and_holds_nothing_of_the_value(label: str, value: str) -> None:
    made = rules.label_of(label, value, lambda words: bool(find(words)))
    assert rules.REFERENCE.fullmatch(str(Reference(REF, made)))
    assert made == "secret" or value.casefold() not in made.casefold()


@pytest.mark.parametrize("label", ["hunter2 password", "sk-ant-api03-" + "Ab1" * 20, "", "\n[", "x" * 99])
def test_a_label_that_looks_like_a_secret_is_not_taken(label: str) -> None:
    made = rules.label_of(label, "hunter2", lambda words: bool(find(words)))
    assert len(made) <= rules.LONGEST_LABEL
    assert not find(made)
    assert "hunter2" not in made


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, list[Finding]]:
    text = draw(st.text(alphabet="ab[] \n\U0001f600", max_size=40))
    ends = st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=6))
    return text, [Finding(min(pair), max(pair), "assignment", "token") for pair in pairs]


@given(cut_texts(), st.data())
def test_what_is_sealed_is_the_text_with_only_the_findings_replaced(
    given_text: tuple[str, list[Finding]], data: st.DataObject
) -> None:
    text, found = given_text
    kept = rules.apart(found)
    spans = [(one.start, one.end) for one in kept]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    stands = [data.draw(st.sampled_from([None, Reference(REF, "x"), Reference(OTHER, "y")])) for _ in spans]
    sealed = rules.spliced(text, spans, stands)
    back = sealed.text
    for (start, end), reference in zip(reversed(spans), reversed(stands), strict=True):
        if reference is not None:
            head, mark, tail = back.rpartition(str(reference))
            assert mark
            back = head + text[start:end] + tail
    assert back == text
    whole = [text[start:end] for (start, end), one in zip(spans, stands, strict=True) if one is None]
    assert [sealed.text[start:end] for start, end in sealed.released] == whole


WORDS_AND_SECRETS = st.lists(
    st.sampled_from(
        "password pin code is é e to 8D0E 3059 4821 Eggplant!33 K7F-2QX otp , . : = \n la my".split(" ")
    )
    | st.text(max_size=4),
    max_size=14,
).map(" ".join)


@given(WORDS_AND_SECRETS)
@example("password 8D0E é 3059")
@pytest.mark.promise("secrets.sealed-to-the-end")
def test_nothing_is_found_in_what_was_hidden(text: str) -> None:
    for clean in (rules.hidden(text, find), rules.withheld(text, find, "why").text):
        assert isinstance(clean, str)
        assert find(clean) == []


names = st.text(max_size=12) | st.sampled_from(["owner", "contact_TEST_1", "handle:telegram:1", "handle:\0"])


@given(names, st.text(max_size=12), st.text(max_size=12))
def test_no_stranger_is_taken_for_the_owner_or_for_a_contact(uid: str, channel: str, server: str) -> None:
    scope = Scope("stranger", False, RoomKey(uid, channel, server), Audience.EVERYONE, Via.HTTP, False)
    whose = rules.whose(scope)
    assert "\0" not in whose
    assert re.match("handle:|named:|room:", whose)


def test_a_reference_is_not_split_from_others_that_begin_like_it() -> None:
    assert rules.named_in(["$NUMEN_SECRET_ABCDEFGH $NUMEN_SECRET_ABCDEFGHX NUMEN_SECRET_ABCDEFGH_FILE"]) == [
        REF
    ]
    assert rules.refs_in({"a": [STANDS, STANDS], "b": str(Reference(OTHER, "x"))}) == [REF, OTHER]
