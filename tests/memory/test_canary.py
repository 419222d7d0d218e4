"""What one person said is shown to nobody else, on any path out."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.kernel import Audience, NumenError, Scope
from numen.memory import ClaimTier, NewClaim, Outcome
from numen.memory.context import Asking
from numen.memory.evidence import read
from numen.memory.forgetting import What
from numen.memory.forms import as_json
from numen.memory.views import Certainty, NewOpinion, Premise, PremiseKind
from tests.memory.rooms import OWNER, House, person, stranger, turn

FACTS = (
    "I live in {0}.",
    "My name is {0}.",
    "I'm allergic to {0}.",
    "I like {0}.",
    "Remind me to call {0} tomorrow at 9.",
    "No, I work at {0}, not Acme.",
    "The door code of the mill is known to {0}.",
)
RUNS = itertools.count()
"""The examples of one test share a house: each has words of its own."""

QUESTIONS = (
    "Do you remember me?",
    "Who lives where?",
    "What is the name?",
    "mill door",
    "allergic",
    "call tomorrow",
)


def canary(who: int, fact: int, run: int) -> str:
    """A word that stands nowhere else."""
    return f"Zq{run}w{who}x{fact}k"


def shown_to(house: House, scope: Scope, words: list[str], tmp_path: Path) -> str:
    """All that `scope` gets on every path, in one text."""
    parts: list[str] = []
    for question in (*QUESTIONS, *words):
        parts.append(json.dumps(house.memory.recall(scope, question, budget_tokens=100_000).as_json()))
        for run in (None, "cron"):
            told = house.context.assemble(scope, Asking(question, "s", 9744, run=run))
            parts.append(json.dumps(told.as_json()))
        tiers = ((ClaimTier.MEDULLA, None), (ClaimTier.PROJECT, None))
        parts += [one.text for one in house.projects.recall(scope, tiers, question, 50)]
    parts += [row.quote for row in house.memory.profile(scope)]
    parts += [json.dumps(as_json(row)) for row in house.portability.rows(scope)]
    parts += [one.what for one in house.commitments.pending(scope)]
    parts += [f"{one.subject} {one.stance}" for one in house.opinions.listed(scope)]
    parts.append(json.dumps(house.portability.stats(scope)))
    for form in ("jsonl", "markdown"):
        place = tmp_path / f"export-{abs(hash(scope))}-{form}"
        house.portability.write(scope, place, form)
        files = [place] if place.is_file() else sorted(place.glob("*.md"))
        parts += [file.read_text("utf-8") for file in files]
    return "\n".join(parts)


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.promise("memory.canary")
@settings(
    max_examples=20 if os.environ.get("NUMEN_SOAK") else 2,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(people=st.integers(2, 4), facts=st.integers(1, len(FACTS)))
def test_no_word_of_one_person_reaches_another_on_any_path(
    house: House, tmp_path: Path, people: int, facts: int
) -> None:
    run = next(RUNS)
    everyone = [*map(person, range(1, people + 1)), stranger(f"room{run}")]
    ids: dict[int, list[str]] = {}
    for who, scope in enumerate(everyone):
        for fact in range(facts):
            word = canary(who, fact, run)
            receipt = house.memory.keep(scope, turn(FACTS[fact].format(word), f"{run}-{who}-{fact}"))
            done = house.memory.remember(scope, NewClaim(f"{word} was here."))
            assert done.outcome is Outcome.CREATED
            ids.setdefault(who, []).extend([*receipt.turns, *receipt.claims, str(done.claim)])
    shared = f"Shared{run}"
    house.memory.remember(OWNER, NewClaim(f"{shared} is open.", audience=Audience.EVERYONE))
    mine = f"Zq{run}owners"
    house.memory.keep(OWNER, turn(f"I live in {mine}.", f"{run}-owner"))
    premise = Premise(PremiseKind.QUOTE, f"{run}-owner", f"{mine} is nice")
    house.opinions.hold(OWNER, NewOpinion(f"{mine}", "It is nice.", Certainty.STRONG, (premise,)))
    words = [canary(who, fact, run) for who in range(len(everyone)) for fact in range(facts)]
    for who, scope in enumerate(everyone):
        shown = shown_to(house, scope, words, tmp_path)
        foreign = [word for word in words if word in shown and not word.startswith(f"Zq{run}w{who}x")]
        asked = json.dumps(words)
        assert not foreign, f"{foreign} shown to {who}, who asked {asked}"
        assert mine not in shown
        assert canary(who, 0, run) in shown, "what is one's own is shown, so the test can fail"
        assert shared in shown
        for other, theirs in ids.items():
            if other != who:
                assert not house.memory.claims(scope, theirs)
                assert not house.memory.sources(scope, theirs)
                for one in theirs:
                    with pytest.raises(NumenError):
                        house.forgetting.forget(scope, What((one,)))
                    with pytest.raises(NumenError):
                        house.memory.remember(scope, NewClaim("It is so.", evidence=(read(one, None),)))
    owners = shown_to(house, OWNER, words, tmp_path)
    assert all(word in owners for word in words), "the owner's backup holds everybody's"
    profile = " ".join(row.quote for row in house.memory.profile(OWNER))
    assert mine in profile
    assert not any(word in profile for word in words), "nobody else is in the owner's own profile"
    person_block = [
        one for one in house.context.assemble(OWNER, Asking("And?")).sections if one.id == "numen-person"
    ]
    assert not any(word in one.body for one in person_block for word in words)
