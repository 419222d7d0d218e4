"""One truth for the owner: what the files declare against what the store knows, values in, a plan out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numen.people.types import Contact, Declared, Handle, Linked, TrustTier, TwoOwners

SHADOWS = frozenset({TrustTier.UNKNOWN, TrustTier.GROUP_GUEST})
"""The tiers of contacts that were made from a sender alone: nobody ever said who they are."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes the store say what the files say. `link` maps a handle to the contact it is taken from."""

    link: Mapping[Handle, str | None]
    unlink: Sequence[Handle]
    rename: str | None


def check_owner(named: str | None, owner: Contact | None) -> None:
    """Raise `TwoOwners` where the configuration names an owner who is not the store's."""
    if named is None or (owner is not None and owner.id == named):
        return
    known = "knows no owner" if owner is None else f"knows {owner.id}"
    raise TwoOwners(
        f"owner.contact_id in numen.yaml is {named}, and this store {known}.",
        not_done="Nothing was started or changed.",
        next_step="Point NUMEN_HOME or the database at the right store; or `numen init` writes this store's "
        "owner into numen.yaml.",
    )


def plan(
    owner: Contact,
    declared: Declared,
    had: Sequence[Linked],
    holders: Mapping[Handle, Contact],
    insist: frozenset[Handle],
) -> Plan:
    """What is to change for `owner`, who has the handles `had`; `holders` have those declared.

    A handle that a shadow contact has is the owner's by the owner's word. Raises `TwoOwners` where somebody
    who is known has it, unless the owner insists on it.
    """
    wanted = list(dict.fromkeys(declared.handles or ()))
    link: dict[Handle, str | None] = {}
    for handle in wanted:
        holder = holders.get(handle)
        if holder is not None and holder.id == owner.id:
            continue
        if holder is not None and holder.trust_tier not in SHADOWS and handle not in insist:
            raise TwoOwners(
                f"identity.yaml says that {handle} is the owner's, and it is {holder.display_name}'s.",
                not_done="Nothing was changed.",
                next_step=f"If it is yours, `numen init --handle {handle}`; else mend identity.yaml.",
            )
        link[handle] = None if holder is None else holder.id
    kept = {(handle.gateway, handle.folded) for handle in wanted}
    unlink = [
        one.handle
        for one in had
        if declared.handles is not None and (one.handle.gateway, one.handle.folded) not in kept
    ]
    rename = declared.name if declared.name not in {None, owner.display_name} else None
    return Plan(link, unlink, rename)
