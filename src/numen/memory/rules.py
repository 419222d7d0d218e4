"""Whose a row is, what may be seen, what is the same claim, what becomes of one: values in, a verdict out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from numen.kernel import Audience, InvalidInput, Scope, Via, canonical_bytes, digest, iso
from numen.memory.types import (
    LONGEST_CLAIM,
    LONGEST_SESSION,
    Claim,
    ClaimState,
    Confidence,
    Freshness,
    Message,
    NewClaim,
    Origin,
    Outcome,
    Reason,
    Role,
)
from numen.secrets.rules import OWNER as OWNER
from numen.secrets.rules import whose as whose

SELF = "self"
"""The subject of a claim about the person whose it is."""

WORDS = "words"
"""The author of a claim that was taken from what a person said."""

FENCE_OPEN = "<numen-memory>"
FENCE_CLOSE = "</numen-memory>"

RECALLABLE = frozenset({Origin.PERSON, Origin.AGENT, Origin.WEB})
"""Origins whose words are recalled: bookkeeping of tools and of the system is not."""

MANY = frozenset({"allergy", "diet", "dislikes", "has", "knows", "likes", "occupation", "uses"})
"""Predicates that hold for several values at once: another value replaces none."""

_ABOUT_ME = re.compile(
    r"\b(?:remember|know|recognis?e|recognize|forgotten?) me\b|\bwho (?:am i|i am)\b|\babout me\b"
    r"|\b(?:erinnerst|kennst) du (?:dich an )?mich\b|\bwer (?:bin ich|ich bin)\b|\büber mich\b"
    r"|\b(?:te souviens-tu|tu te souviens) de moi\b|\bqui (?:suis-je|je suis)\b|\bsur moi\b"
    r"|\bte acuerdas de mí\b|\bqui[eé]n soy\b|\b(?:sobre|de) mí\b"
)
_FENCED = re.compile(rf"{re.escape(FENCE_OPEN)}.*?{re.escape(FENCE_CLOSE)}\n?", re.DOTALL)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ARTICLES = frozenset(
    "a an the der die das ein eine einen einem einer dem den des le la les un une el los las una".split()
)
_RANK = {one: place for place, one in enumerate(Confidence)}


def whose_of(person: str, scope: Scope) -> str:
    """Whose rows are a person's, by their contact id: the owner's own have the owner's name."""
    return whose(scope) if person == scope.viewer else person


def visible(scope: Scope, row_whose: str, audience: Audience) -> bool:
    """Whether `scope` may see a row: the owner all, anyone else their own and everyone's."""
    return scope.is_owner or audience is Audience.EVERYONE or row_whose == whose(scope)


def is_person(scope: Scope) -> bool:
    """Whether the owner acts in person, and no agent for them."""
    return scope.is_owner and scope.via in {Via.CLI, Via.PAGE}


def is_proven(claim: Claim, stands: Freshness) -> bool:
    """Whether a claim was verified, and what it rests on was looked at now and is as it was."""
    return claim.confidence is Confidence.VERIFIED and stands is Freshness.FRESH


def fenced(text: str) -> str:
    """Recalled words as they go into a prompt: between marks by which they are known when they come back."""
    return f"{FENCE_OPEN}\n{unfenced(text)}\n{FENCE_CLOSE}"


def unfenced(text: str) -> str:
    """`text` without what was recalled into it, marks and all."""
    return _FENCED.sub("", text) if FENCE_OPEN in text else text


def is_touched(text: str) -> bool:
    """Whether recalled words may still be in `text`: part of a fence stands there."""
    return FENCE_OPEN in text or FENCE_CLOSE in text


def origin_of(message: Message) -> Origin:
    """Where the words of a message come from, where nothing says so: from its side of the conversation."""
    if message.origin is not None:
        return message.origin
    return Origin.PERSON if message.role is Role.USER else Origin.AGENT


def asks_for_self(question: str) -> bool:
    """Whether a question asks what is known of the one who asks it."""
    return _ABOUT_ME.search(unicodedata.normalize("NFKC", question).casefold()) is not None


def check_name(what: str, name: str) -> str:
    """`name` itself. Raises `InvalidInput` if it is empty or too long."""
    if not name or len(name) > LONGEST_SESSION:
        raise InvalidInput(
            f"The {what} has to have 1 to {LONGEST_SESSION} characters.",
            not_done="Nothing was kept.",
            next_step="Send the host's own id.",
        )
    return name


def message_digest(role: Role, text: str) -> str:
    """What tells one message's content from another's."""
    return digest(canonical_bytes([role, text]))


def source_mark(row_whose: str, source: str, part: int) -> str:
    """The tombstone of one message of a turn, by the turn's name outside."""
    return digest(canonical_bytes(["source", row_whose, source, part]))


def all_mark(row_whose: str, source: str) -> str:
    """The tombstone of a turn of which every message was forgotten."""
    return digest(canonical_bytes(["turn", row_whose, source]))


def words_mark(row_whose: str, session: str, role: Role, text: str) -> str:
    """The tombstone of words in a session: a checkpoint repeats them, and is no new saying of them."""
    return digest(canonical_bytes(["words", row_whose, session, role, text]))


def view_mark(number: int, made_at: datetime) -> str:
    """The tombstone of a view: its number, and when it was made, for every store begins at 1."""
    return id_mark(f"opinion {number} {iso(made_at)}")


def id_mark(identifier: str) -> str:
    """The tombstone of a row, by its id."""
    return digest(canonical_bytes(["id", identifier]))


def folded(text: str) -> str:
    """`text` without regard to case, width, accents' encoding, punctuation and spacing."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def holds(text: str, words: str) -> bool:
    """Whether `words` stand in `text` as whole words, however they are typed."""
    return f" {folded(words)} " in f" {folded(text)} "


def claim_digest(text: str) -> str:
    """Equal for the same sentence, however it is typed."""
    return digest(folded(text).encode("utf-8", "surrogatepass"))


def near_digest(text: str) -> str:
    """Equal for sentences of the same words, articles and order aside; a number or a `not` is a word."""
    words = sorted(set(folded(text).split()) - _ARTICLES)
    return digest(" ".join(words).encode("utf-8", "surrogatepass"))


def same_promise(what: str, who: str, due_at: datetime | None) -> str:
    """Equal for the same promise: what, who and by when."""
    return digest(canonical_bytes([folded(what), who, None if due_at is None else iso(due_at)]))


def refusal(claim: NewClaim, sealed: str, withheld: int) -> Reason | None:
    """Why a claim cannot be kept, None where it can. `sealed` is its text as it would be kept."""
    if withheld:
        return Reason.WITHHELD
    if is_touched(claim.text) and not folded(unfenced(claim.text)):
        return Reason.RECALLED
    if not folded(sealed):
        return Reason.EMPTY
    return Reason.TOO_LONG if len(sealed) > LONGEST_CLAIM else None


@dataclass(frozen=True, slots=True)
class Standing:
    """What becomes of a new claim beside those that are there, and of the one that it meets."""

    outcome: Outcome
    state: ClaimState = ClaimState.ACTIVE
    other: Claim | None = None
    other_state: ClaimState | None = None


def standing(new: NewClaim, sealed: str, near: Iterable[Claim], rivals: Iterable[Claim]) -> Standing:
    """How a new claim stands to `near` ones (of the same words) and `rivals` (same subject and predicate).

    The same words, or the same value, are a duplicate. Another value of the same subject and predicate takes
    the older one's place where it is founded at least as well; else both stand, and each says so.
    """
    for other in near:
        if _same_thing(new, other):
            return Standing(Outcome.DUPLICATE_OF, other=other)
    if not (new.subject and new.predicate):
        return Standing(Outcome.CREATED)
    value = folded(new.value or sealed)
    found = list(rivals)
    for other in found:
        if folded(other.value or other.text) == value:
            return Standing(Outcome.DUPLICATE_OF, other=other)
    if new.predicate in MANY or not found:
        return Standing(Outcome.CREATED)
    other = found[-1]
    if _RANK[new.confidence] <= _RANK[other.confidence]:
        return Standing(Outcome.SUPERSEDES, other=other, other_state=ClaimState.SUPERSEDED)
    return Standing(
        Outcome.CONFLICTS_WITH, ClaimState.CONFLICTED, other=other, other_state=ClaimState.CONFLICTED
    )


def _same_thing(new: NewClaim, other: Claim) -> bool:
    """Whether claims of the same words speak of the same: one that says nothing more speaks of any."""
    if not new.subject and not new.predicate:
        return True
    if new.value and other.value and folded(new.value) != folded(other.value):
        return False
    return (folded(new.subject), new.predicate) == (folded(other.subject), other.predicate)


def fitting(sizes: Sequence[int], budget: int) -> int:
    """How many of the first items of these sizes fit into `budget` together; one does always."""
    used = 0
    for count, size in enumerate(sizes):
        used += size
        if used > budget:
            return max(count, 1)
    return len(sizes)
