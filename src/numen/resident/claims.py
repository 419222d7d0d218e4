"""What an answer says was done, held against the receipts of what was.

Only plain English claims in the past are read: "I restarted it", "it has been deleted", "Done: sent". Another
language, or a claim in other words, passes unmarked; a marked one is never taken out of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from numen.kernel import canonical_text
from numen.resident.rules import DONE_CALLS
from numen.resident.types import Called

_DEEDS = """
add:added apply:applied approve:approved archive:archived assign:assigned back:backed book:booked
cancel:cancelled cancel:canceled change:changed clean:cleaned clear:cleared close:closed commit:committed
configure:configured copy:copied create:created delete:deleted deploy:deployed disable:disabled
edit:edited email:emailed enable:enabled execute:executed fix:fixed forward:forwarded grant:granted
install:installed kill:killed launch:launched merge:merged migrate:migrated modify:modified move:moved
notify:notified order:ordered patch:patched pay:paid post:posted publish:published purge:purged push:pushed
reboot:rebooted remove:removed rename:renamed replace:replaced reset:reset resize:resized restart:restarted
restore:restored revoke:revoked rollback:rolled rotate:rotated run:ran save:saved scale:scaled
schedule:scheduled send:sent set:set shut:shut start:started stop:stopped submit:submitted
terminate:terminated transfer:transferred trigger:triggered uninstall:uninstalled unlock:unlocked
update:updated upgrade:upgraded upload:uploaded wipe:wiped write:wrote write:written
"""
DEEDS = {past: stem for pair in _DEEDS.split() for stem, past in [pair.split(":")]}
"""Words for having changed something, and their stems. Reading and looking are none of them."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_PASTS = "|".join(sorted(DEEDS, key=len, reverse=True))
_ADVERB = r"(?:(?:just|now|also|already|successfully|then|have|both)\s+)*"
_CLAIM = re.compile(
    rf"\b(?:I|we)(?:'ve|\u2019ve)?\s+{_ADVERB}(?P<active>{_PASTS})\b"
    rf"|\b(?:has|have|was|were)\s+{_ADVERB}(?:been\s+)?{_ADVERB}(?P<passive>{_PASTS})\b"
    rf"|^\W*(?:done|success|ok)\W+(?:\S+\s+){{0,4}}?(?P<bare>{_PASTS})\b"
    rf"|^\W*(?:successfully\s+)(?P<adverb>{_PASTS})\b",
    re.IGNORECASE,
)
_UNSAID = re.compile(
    r"\b(?:not|never|n't|cannot|if|once|when|after|until|would|could|unless|whether|before|ago|last|"
    r"yesterday|earlier|previously)\b|n['\u2019]t\b|\?\s*$",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W_]{3,}")


def unproven(answer: str, calls: Sequence[Called]) -> list[str]:
    """The sentences of `answer` that claim a deed for which no receipt says that it was done.

    A receipt bears a claim whose verb its tool or its arguments name, or that names one of its arguments'
    values. What only read bears nothing; neither does a call that failed, was denied, or is uncertain.
    """
    done = [one for one in calls if not one.reads and one.state in DONE_CALLS]
    return [
        sentence
        for sentence in map(str.strip, _SENTENCE.split(answer))
        if (deed := claimed(sentence)) is not None and not any(_bears(one, deed, sentence) for one in done)
    ]


def claimed(sentence: str) -> str | None:
    """The deed that a sentence says was done, as its stem; None where it says none."""
    match = _CLAIM.search(sentence)
    if match is None or _UNSAID.search(sentence):
        return None
    past = next(word for word in match.groupdict().values() if word)
    return DEEDS[past.casefold()]


def marks(sentences: Sequence[str]) -> str:
    """What is put behind an answer, so that no claim without a receipt stands alone; empty if none does."""
    return "".join(f"\n\n[no receipt: {sentence}]" for sentence in sentences)


def _bears(call: Called, deed: str, sentence: str) -> bool:
    told = f"{call.name} {canonical_text(call.args)}".casefold()
    if deed in told:
        return True
    said = {word.casefold() for word in _WORDS.findall(sentence)}
    return any(word in said for word in _WORDS.findall(canonical_text(list(call.args.values())).casefold()))
