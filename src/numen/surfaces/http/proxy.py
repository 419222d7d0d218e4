"""Whom a proxy in front of Numen has let in, and from where Numen may be reached at all.

Both are judged by the peer of the transport: `X-Forwarded-For` and its kin are what anybody may write, and
are never read. A name that comes from elsewhere than a listed proxy is refused, and so is the request.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from starlette.datastructures import Headers

from numen.kernel import Forbidden, NumenError, Unauthorized

SECRET = "X-Numen-Proxy-Secret"
"""The header in which a proxy shows what it shares with Numen, where one is set."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing (RFC 9110, 9.2.1)."""

SAME = frozenset({"same-origin", "none"})
"""What `Sec-Fetch-Site` says of our own page, and of a person who typed the address."""

Network: TypeAlias = "ipaddress.IPv4Network | ipaddress.IPv6Network"


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a request is not let in: a code for the record, and what is answered."""

    code: str
    error: NumenError


@dataclass(frozen=True, slots=True)
class Proxies:
    """What is believed of a request's way here. Nothing is, by default."""

    trusted: Sequence[Network] = ()
    header: str = "X-Authentik-Username"
    owners: frozenset[str] = frozenset()
    secret: str | None = None
    mesh: Sequence[Network] = ()

    def admit(self, peer: str | None, method: str, headers: Headers) -> str | Refused | None:
        """The owner's name as a proxy gave it; why it is refused; or None: nobody is named, a key is needed.

        `peer` is the address at the other end of the transport, None where it has none.
        """
        if self.mesh and not _within(peer, self.mesh):
            return Refused(
                "mesh", Forbidden("This server is not reached from there.", not_done="Nothing was read.")
            )
        names = headers.getlist(self.header)
        shown = headers.getlist(SECRET)
        if not names and not shown:
            return None
        if not _within(peer, self.trusted):
            return _forged("peer", "A name came from where no proxy of this server is.")
        if self.secret is not None and not (
            len(shown) == 1 and hmac.compare_digest(shown[0].encode(), self.secret.encode())
        ):
            return _forged("secret", "The proxy did not show what it shares with this server.")
        if not names:
            return None
        if len(names) != 1 or not names[0].strip():
            return _forged("name", "The proxy named nobody, or more than one.")
        if names[0].strip() not in self.owners:
            return Refused(
                "owner", Forbidden("This home belongs to somebody else.", not_done="Nothing was read.")
            )
        if self._foreign(method, headers):
            return Refused(
                "origin",
                Forbidden("A page of another origin may not act here.", not_done="Nothing was done."),
            )
        return names[0].strip()

    def _foreign(self, method: str, headers: Headers) -> bool:
        """Whether another site may have made the browser send this: the proxy's cookie goes with it."""
        site = headers.get("sec-fetch-site")
        if site is not None and site not in SAME:
            return not (method in SAFE and headers.get("sec-fetch-mode") == "navigate")
        if method in SAFE or site is not None:
            return False
        return headers.get("origin") is None


def networks(listed: Iterable[str]) -> tuple[Network, ...]:
    """The networks of a list of CIDRs. Raises `ValueError` for what is none, and for the whole internet."""
    found = tuple(ipaddress.ip_network(one) for one in listed)
    for one in found:
        if one.prefixlen == 0:
            raise ValueError(f"{one} is every address there is")
    return found


def _within(peer: str | None, listed: Sequence[Network]) -> bool:
    try:
        address = ipaddress.ip_address((peer or "").partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return any((mapped or address) in network for network in listed)


def _forged(code: str, what: str) -> Refused:
    return Refused(code, Unauthorized(what, not_done="Nothing was read."))
