"""The artifact: one file, written whole or not at all; an append is made once, however often it is tried."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from numen.delegate.places import Below, Refused, below, folder, kind, reason
from numen.delegate.types import Habits, Intent
from numen.kernel import canonical_bytes

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is appended to (ours: it is written anew each time)."""

ABSENT = "absent"
"""What `if_sha256` says where the file must not be there yet."""

_NEW = 0o644
_OURS = ((".git",), (".agents", "state"))


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a write is about to do, kept before it does it: so that it is known whether it did."""

    before: str | None
    size: int
    after: str

    @classmethod
    def read(cls, file: Path) -> _Plan | None:
        """The plan in the run's folder, None where there is none."""
        try:
            said = json.loads(file.read_bytes())
            return cls(said["before"], said["size"], said["after"])
        except (OSError, ValueError, KeyError):
            return None


def target(intent: Intent, habits: Habits) -> Below | None:
    """Where the artifact goes, None for nowhere. Raises `Refused` where it must not: before it is paid."""
    if intent.write_to is None:
        return None
    roots = (intent.project_root, habits.hermes_home / "memories", *habits.write_roots)
    place = below(intent.write_to, intent.project_root, roots)
    if any(place.parts[: len(ours)] == ours for ours in _OURS) or ".git" in place.parts:
        raise Refused("protected")
    try:
        with folder(place.root, place.parts[:-1]) as parent:
            found = kind(parent, place.parts[-1])
            if found is not None and intent.separator is not None and found.st_size > LARGEST:
                raise Refused("too_large")
            if not os.access(".", os.W_OK, dir_fd=parent, effective_ids=True):
                raise Refused("no_permission")
    except Refused as refusal:
        if refusal.why != "missing":
            raise
    return place


def write(
    intent: Intent, place: Below, response: str, plan_file: Path, planned: Callable[[], None] = lambda: None
) -> None:
    """Write `response` to `place`, or append it after the separator. Raises `Refused`, and nothing changed.

    May be repeated after any interruption: what stands there already is not written again.
    """
    with folder(place.root, place.parts[:-1], make=True) as parent, _alone(parent):
        name = place.parts[-1]
        found = kind(parent, name)
        old = b"" if found is None else _contents(parent, name)
        plan = _Plan.read(plan_file)
        if plan is not None and _is_done(plan, old, intent, response):
            return
        before = None if found is None else hashlib.sha256(old).hexdigest()
        if intent.if_sha256 is not None and intent.if_sha256 != (before or ABSENT):
            raise Refused("changed")
        new = _joined(old, intent.separator, response)
        plan = _Plan(before, len(old), hashlib.sha256(new).hexdigest())
        keep(plan_file, canonical_bytes({"before": plan.before, "size": plan.size, "after": plan.after}))
        planned()
        _replace(parent, name, new, _NEW if found is None else stat.S_IMODE(found.st_mode))


def keep(file: Path, data: bytes) -> None:
    """Write a file of ours whole or not at all, on the disk, for its owner alone. Raises `OSError`."""
    fresh = file.with_name(file.name + ".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(descriptor)
    os.replace(fresh, file)


def _joined(old: bytes, separator: str | None, response: str) -> bytes:
    said = response.encode("utf-8", "replace")
    if separator is None:
        return said + b"\n"
    if not old.strip():
        return old + said + b"\n"
    ending = b"" if old.endswith(b"\n") else b"\n"
    return old + ending + separator.encode("utf-8", "replace") + b"\n" + said + b"\n"


def _is_done(plan: _Plan, now: bytes, intent: Intent, response: str) -> bool:
    """Whether what was planned stands there: as it was left, or with more appended to it since."""
    if hashlib.sha256(now).hexdigest() == plan.after:
        return True
    if intent.separator is None:
        return False
    added = _joined(now[: plan.size], intent.separator, response)
    return now.startswith(added) and hashlib.sha256(added).hexdigest() == plan.after


def _contents(parent: int, name: str) -> bytes:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        with open(descriptor, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Refused(reason(error)) from error
    if len(data) > LARGEST:
        raise Refused("too_large")
    return data


def _replace(parent: int, name: str, data: bytes, mode: int) -> None:
    fresh = f".{name[:200]}.{os.getpid()}.new"
    try:
        descriptor = os.open(
            fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=parent
        )
    except OSError as error:
        raise Refused(reason(error)) from error
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        os.rename(fresh, name, src_dir_fd=parent, dst_dir_fd=parent)
        os.fsync(parent)
    except OSError as error:
        os.unlink(fresh, dir_fd=parent)
        raise Refused(reason(error)) from error


@contextmanager
def _alone(parent: int) -> Generator[None]:
    """One writer at a time in this folder, of whatever process."""
    descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=parent)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
