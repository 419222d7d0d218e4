"""Which files hold credentials, by the names that programs give them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from numen.gate import programs
from numen.gate.shell import Word
from numen.gate.types import EffectClass, Finding

_SECRET = re.compile(
    r"(?:^|/)(?:\.ssh/(?!known_hosts|config$)[^/]*|\.gnupg(?:/.*)?|\.aws/(?:credentials|config)|\.netrc|\.pgpass|\.my\.cnf|"
    r"\.kube/config|\.docker/config\.json|\.npmrc|\.pypirc|\.git-credentials|\.config/gh/hosts\.ya?ml|"
    r"\.config/gcloud/.*|\.azure/.*|\.vault-token|\.terraform\.d/credentials.*|\.env(?:\.(?!example|sample|template|dist)[\w.-]+)?|"
    r"id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)|api\.key|vault\.key|"
    r"credentials(?:\.json|\.ya?ml|\.xml)?|secrets?\.(?:json|ya?ml|toml|env)|service[-_]account[^/]*\.json|"
    r"\.htpasswd|wallet\.dat|Login Data|cookies\.sqlite|logins\.json|key[34]\.db)$"
    r"|^/etc/(?:shadow|gshadow|sudoers(?:\.d/.*)?|ssl/private/.*|ssh/ssh_host_.*_key)$"
    r"|^/proc/[^/]+/(?:environ|mem)$|^/run/secrets/|^/var/run/secrets/"
)
_PREFIXES = re.compile(r"^(?:-[a-zA-Z]*|--?[\w-]+=|\w+=|@|file://|[^/=@]*=@|<)+(?=[@~/.\w])")
_PUBLIC = re.compile(r"\.pub$|\.pem\.pub$|\.example$|\.sample$|\.template$")


def is_secret(path: str) -> bool:
    """Whether a file of that name holds credentials, as far as names tell."""
    return _SECRET.search(path) is not None and _PUBLIC.search(path) is None


def touched(program: str, arguments: Sequence[Word]) -> Iterator[Finding]:
    """The credential files in the arguments of a program that shows or takes what is in them."""
    if program in programs.LISTS or program in {"git", "numen"}:
        return
    for place, one in enumerate(arguments):
        text = one.text if one.text is not None else one.tail or one.head
        if program in {"grep", "egrep", "fgrep", "rg"} and place == _pattern(arguments):
            continue
        for path in {text, _PREFIXES.sub("", text), text.rpartition("@")[2], text.rpartition("=")[2]}:
            if path and is_secret(path):
                yield Finding(EffectClass.CREDENTIAL, "a credential's file", path)
                break


def _pattern(arguments: Sequence[Word]) -> int:
    """Where the pattern of a search stands."""
    return next((at for at, one in enumerate(arguments) if not (one.text or one.head).startswith("-")), -1)
