"""The process between Numen and a backend: it bounds it, ends its whole tree, and says how it ended.

It outlives a Numen that is killed: the answer still reaches its file, and the end is still written down. Run
as a file with the standard library alone, so that it starts at once: `python -I -S warden.py SPEC`.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    class Spec(TypedDict):
        """What `runner.start` asks for."""

        argv: list[str]
        cwd: str
        stdin: str
        stdout: str
        stderr: str
        ended: str
        cancel: str
        seconds: float
        idle: float
        grace: float
        most: int
        locks: list[int]


PR_SET_CHILD_SUBREAPER = 36
"""linux/prctl.h: descendants whose parent ends become ours, whatever session they moved to."""

TICK = 0.1
"""Seconds between two looks at the files, the deadline and the wish to cancel (ours)."""

ROUNDS = 50
"""How often what is left of the tree is killed again, 20 ms apart, before it is given up (ours)."""


def main(path: str) -> None:
    """Do what the file at `path` says: see `runner`."""
    with open(path, encoding="utf-8") as file:
        spec: Spec = json.load(file)
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda got, _frame: stopped.append(got))
    _adopt_orphans()
    began = time.monotonic()
    how, why, exit_code, left = "not_started", "", None, 0
    try:
        child = _started(spec)
    except OSError as error:
        why = error.strerror or "it could not be started"
    else:
        how, exit_code = _watched(spec, child, stopped, began)
        left = _ended(child, exit_code, spec["grace"])
        if exit_code is None:
            exit_code = _status.get(child)
    said = {
        "how": how,
        "exit": exit_code,
        "millis": round((time.monotonic() - began) * 1000),
        "left": left,
        "why": why,
    }
    _write(spec["ended"], json.dumps(said))


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _started(spec: Spec) -> int:
    """The process, in a session of its own, with nothing open but its three files."""
    actions: list[tuple[object, ...]] = [
        (os.POSIX_SPAWN_OPEN, 0, spec["stdin"], os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, spec["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, spec["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    os.chdir(spec["cwd"])
    for inherited in spec["locks"]:
        os.set_inheritable(inherited, False)
    return os.posix_spawnp(
        spec["argv"][0],
        spec["argv"],
        dict(os.environ),
        file_actions=actions,
        setsid=True,
        setsigdef=[signal.SIGPIPE, signal.SIGINT, signal.SIGHUP, signal.SIGTERM],
    )


def _watched(spec: Spec, child: int, stopped: list[int], began: float) -> tuple[str, int | None]:
    """How the process came to its end, and its exit code where it ended by itself."""
    seconds, idle, most = spec["seconds"], spec["idle"], spec["most"]
    files = (spec["stdout"], spec["stderr"])
    seen, changed = -1, began
    watch = _Watch(child)
    while True:
        code = watch.wait(min(TICK, max(0.0, began + seconds - time.monotonic())))
        now = time.monotonic()
        size = sum(os.path.getsize(one) for one in files if os.path.exists(one))
        if code is not None:
            return ("exited" if size <= most else "too_large"), code
        if size != seen:
            seen, changed = size, now
        if stopped or os.path.exists(spec["cancel"]):
            return "cancelled", None
        if size > most:
            return "too_large", None
        if now - began >= seconds:
            return "deadline", None
        if now - changed >= idle:
            return "idle", None


class _Watch:
    """Waits for one child without polling where the system can."""

    def __init__(self, child: int) -> None:
        self.child = child
        self.poll: select.poll | None = None
        if hasattr(os, "pidfd_open"):
            self.descriptor = os.pidfd_open(child)
            self.poll = select.poll()
            self.poll.register(self.descriptor, select.POLLIN)

    def wait(self, seconds: float) -> int | None:
        """The exit code (below 0 a signal) if it ends within `seconds`."""
        if self.poll is None:
            time.sleep(min(seconds, 0.02))
        else:
            self.poll.poll(seconds * 1000)
        return _reaped(self.child)


def _ended(child: int, exit_code: int | None, grace: float) -> int:
    """End what is left of the tree: asked first, then killed until nothing is there. How many are left."""
    rest = _tree(child)
    if not rest and exit_code is not None:
        return 0
    _signal(rest, signal.SIGTERM)
    until = time.monotonic() + grace
    while rest and time.monotonic() < until:
        time.sleep(0.01)
        _reap_all()
        rest = _tree(child)
    for _ in range(ROUNDS):
        if not rest:
            break
        _signal(rest, signal.SIGKILL)
        time.sleep(0.02)
        _reap_all()
        rest = _tree(child)
    return len(rest)


def _tree(child: int) -> list[int]:
    """Every living process below this one; elsewhere than on Linux those of the child's group."""
    if not os.path.isdir("/proc/self"):
        try:
            os.killpg(child, 0)
        except OSError:
            return []
        return [child]
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    state, parent = file.read().rpartition(b")")[2].split()[:2]
            except OSError:
                continue
            if state != b"Z":
                parents[int(name)] = int(parent)
    found: list[int] = []
    rest = [os.getpid()]
    while rest:
        above = rest.pop()
        below = [one for one, parent in parents.items() if parent == above]
        found += below
        rest += below
    return found


def _signal(processes: list[int], number: int) -> None:
    for one in processes:
        try:
            os.kill(one, number)
        except OSError:
            continue


_status: dict[int, int] = {}
"""Exit codes of children that were waited for."""


def _reaped(child: int) -> int | None:
    _reap_all()
    return _status.get(child)


def _reap_all() -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        _status[pid] = os.waitstatus_to_exitcode(status)


def _write(place: str, text: str) -> None:
    """Write the file whole or not at all, and on the disk."""
    descriptor = os.open(place + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, text.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(place + ".new", place)


if __name__ == "__main__":
    main(sys.argv[1])
