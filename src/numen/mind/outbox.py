"""The outbox: each message is sent at most once, to whom it may be sent, at a time when it may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from numen.gate import NotAllowed
from numen.gate import Outcome as Ended
from numen.kernel import Conflict, Scope, iso
from numen.mind import rules, tables
from numen.mind.intentions import Intentions, Means, lineage, owner_only
from numen.mind.types import Intention, IntentionKind, Reason, State
from numen.people import Handle, MayContact, TrustTier
from numen.store import ReadConnection, WriteConnection

BODY, INBOX = "body", "inbox"
"""Through what a message goes."""

_ENDED = {State.SENT: Ended.DONE, State.FAILED: Ended.FAILED, State.UNCERTAIN: Ended.UNCERTAIN}


class NoTarget(Conflict):
    """No target was named, so nothing was claimed: the message stays as it is."""

    code = "no_target"


class NotYours(Conflict):
    """The message was claimed before, or is not to be sent now; do not send it."""

    code = "not_claimed"


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that may be sent now, and under which handles whom it is for can be written to."""

    intention: Intention
    to_owner: bool
    recipient: str
    handles: tuple[Handle, ...]


class Outbox:
    """What is to be sent."""

    def __init__(self, means: Means, intentions: Intentions) -> None:
        self._means = means
        self._intentions = intentions

    def offer(self, scope: Scope) -> tuple[Letter, ...]:
        """The messages that may be sent now, the weightiest and oldest first.

        Permission, opt-out and handles are read anew; quiet hours hold. Nothing while acting is off. Raises
        `NotOwner` for others.
        """
        owner_only(scope)
        if self._means.gate.is_off():
            return ()
        for one in self._standing(State.ASKED):
            self._intentions.judge(scope, one)
        offered: list[Letter] = []
        unwanted: list[Intention] = []
        for one in self._standing(State.APPROVED):
            with self._means.store.reading() as connection:
                letter = self._addressed(scope, connection, one)
                if letter is None:
                    unwanted.append(one)
                elif self._held(connection, letter) is None:
                    offered.append(letter)
        for one in unwanted:
            self._let_go(scope, one)
        return tuple(offered)

    def sending(self, scope: Scope, identifier: str, target: str | None) -> Intention:
        """Claim a message before it is sent; whoever gets it may send it, once.

        Raises `NoTarget`, which is no claim; `NotYours` for one that was claimed, is held by quiet hours or a
        budget, or whose recipient does not want it; `NotOwner`, `NotFound`, `StateUnavailable`.
        """
        owner_only(scope)
        if not target:
            with self._means.store.reading() as connection:
                self._intentions.of(connection, identifier)
            raise NoTarget("No target is named.", not_done="Nothing was claimed.")
        if self._means.gate.is_off():
            raise NotYours("Acting is switched off.", not_done="Nothing was claimed.")
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            one = self._intentions.of(connection, identifier)
            if one.kind is not IntentionKind.MESSAGE or one.state is not State.APPROVED:
                raise NotYours(f"This {one.kind} is {one.state}.", not_done="Nothing was claimed.")
            letter = self._addressed(scope, connection, one)
            if letter is not None:
                held = self._held(connection, letter)
                if held is not None:
                    raise NotYours(f"Quiet hours hold it until {iso(held)}.", not_done="Nothing was claimed.")
                return self._claim(scope, connection, one, BODY, f"It goes to {target}.")
        self._let_go(scope, one)
        raise NotYours("They do not want to be written to.", not_done="Nothing was claimed.")

    def sent(self, scope: Scope, identifier: str, after: State, error: str = "", ref: str = "") -> Intention:
        """What became of a claimed message. The same again changes nothing.

        Raises `NotYours` where it was not claimed or ended otherwise; `NotOwner`, `NotFound`.
        """
        owner_only(scope)
        words = self._means.secrets.seal(scope, error or ref).text
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            one = self._intentions.of(connection, identifier)
            if one.state is after and one.kind is IntentionKind.MESSAGE:
                return one
            if one.kind is not IntentionKind.MESSAGE or one.state is not State.SENDING:
                raise NotYours(f"This {one.kind} is {one.state}.", not_done="Nothing was changed.")
            return self._end(scope, connection, one, after, Reason.REPORTED, words)

    def give_up(self, scope: Scope) -> int:
        """Make uncertain what was claimed and never heard of; how many. It is never sent again."""
        at = self._means.now()
        late = [one for one in self._standing(State.SENDING) if at - one.moved_at >= rules.UNSETTLED]
        for one in late:
            with self._means.store.transaction() as connection:
                tables.lock_mind(connection)
                words = "Nobody said whether it was sent."
                self._end(scope, connection, one, State.UNCERTAIN, Reason.UNSETTLED, words)
        return len(late)

    def deliver(self, scope: Scope) -> int:
        """Put what is for the owner into the inbox, where no body is there to send it; how many."""
        count = 0
        for one in self._standing(State.APPROVED):
            if one.recipient not in {None, scope.viewer}:
                continue
            try:
                with self._means.store.transaction() as connection:
                    tables.lock_mind(connection)
                    claimed = self._claim(scope, connection, one, INBOX, "No body is there to send it.")
                    self._end(scope, connection, claimed, State.SENT, Reason.REPORTED, "It is in the inbox.")
                    count += 1
            except NotYours:
                continue
        return count

    def inbox(self, scope: Scope, limit: int = rules.LATEST) -> tuple[Intention, ...]:
        """What was put into the inbox, the newest first. Raises `NotOwner` for others."""
        owner_only(scope)
        with self._means.store.reading() as connection:
            return tables.delivered(connection, INBOX, limit)

    def _standing(self, state: State) -> Sequence[Intention]:
        with self._means.store.reading() as connection:
            known = tables.standing(connection, {state})
        return [one for one in known if one.kind is IntentionKind.MESSAGE]

    def _addressed(self, scope: Scope, connection: ReadConnection, one: Intention) -> Letter | None:
        """The message with its recipient as known now; None where they do not want it, or are gone."""
        to = one.recipient or scope.viewer
        contact = self._means.directory.known(connection, to)
        handles = self._means.directory.handles(connection, to)
        if to == scope.viewer:
            return Letter(one, True, to, handles)
        if (
            contact is None
            or contact.may_contact is MayContact.NEVER
            or contact.trust_tier is TrustTier.SILENCED
        ):
            return None
        return Letter(one, False, to, handles)

    def _held(self, connection: ReadConnection, letter: Letter) -> datetime | None:
        """Until when quiet hours hold a message, in the recipient's own clock."""
        if letter.intention.exact:
            return None
        zone = self._means.directory.zone(connection, letter.recipient)
        return rules.quiet_until(self._means.habits.quiet, zone, self._means.now())

    def _let_go(self, scope: Scope, one: Intention) -> None:
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            words = "They do not want to be written to, or are not known any more."
            self._intentions.move(scope, connection, one, State.CANCELLED, Reason.UNWANTED, words)

    def _claim(
        self, scope: Scope, connection: WriteConnection, one: Intention, via: str, words: str
    ) -> Intention:
        effect = self._intentions.effect(scope, one)
        try:
            claim = self._means.gate.claim_within(scope, connection, effect, lineage(one))
        except NotAllowed as error:
            raise NotYours(error.what, not_done="Nothing was claimed.") from error
        return self._intentions.move(
            scope, connection, one, State.SENDING, Reason.CLAIMED, words, claim=claim.id, via=via
        )

    def _end(
        self,
        scope: Scope,
        connection: WriteConnection,
        one: Intention,
        after: State,
        reason: Reason,
        words: str,
    ) -> Intention:
        moved = self._intentions.move(scope, connection, one, after, reason, words)
        if one.claim is not None:
            self._means.settle(scope, connection, one.claim, _ENDED[after])
        return moved
