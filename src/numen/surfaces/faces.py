"""How people look at every door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numen.kernel import Json, iso

if TYPE_CHECKING:
    from numen.people import Contact, Linked
    from numen.people.changes import Changed


def contact_json(contact: Contact, *, whole: bool) -> dict[str, Json]:
    """A contact on the wire; not whole, who it is and nothing else (mind contract, People)."""
    said: dict[str, Json] = {
        "contact_id": contact.id,
        "display_name": contact.display_name,
        "trust_tier": contact.trust_tier,
    }
    if not whole:
        return said
    seen = contact.last_interaction_at
    return said | {
        "may_contact": contact.may_contact,
        "cadence_minutes": contact.cadence_minutes,
        "timezone": contact.timezone,
        "last_interaction_at": None if seen is None else iso(seen),
    }


def changed_json(done: Changed) -> dict[str, Json]:
    """What became of a change."""
    contact = done.contact
    said: dict[str, Json] = {
        "ok": True,
        "text": done.text,
        "status": done.status,
        "contact_id": contact.id,
        "may_contact": contact.may_contact,
        "cadence_minutes": contact.cadence_minutes,
    }
    said |= {} if done.code is None else {"code": done.code}
    return said | ({} if done.dropped is None else {"dropped": done.dropped})


def person_json(contact: Contact, *, whole: bool, handles: tuple[Linked, ...] = ()) -> dict[str, Json]:
    """A person; not whole, who they are and nothing else."""
    said = contact_json(contact, whole=whole)
    if not whole:
        return said
    owned: list[Json] = [{"gateway": one.handle.gateway, "address": one.handle.address} for one in handles]
    return said | {"digest": contact.digest, "handles": owned}
