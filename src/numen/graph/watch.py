"""What the kernel says has moved in a tree, so that it need not be looked through at each question."""

from __future__ import annotations

import os
import select
import sys
import threading
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, cast

if sys.platform == "linux":
    import inotify_simple
else:  # other systems look through the tree each time
    inotify_simple = None

LOCAL = frozenset(("btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs", "zfs"))
"""File systems on which nobody changes a file without this kernel."""

MOST_FOLDERS = 20_000
"""Folders that are watched at most: each costs the kernel about 1 KB (inotify(7))."""

_MODIFY, _ATTRIB, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x4, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _UNMOUNT, _OVERFLOW, _IGNORED = 0x400, 0x800, 0x2000, 0x4000, 0x8000
_ONLYDIR, _DONT_FOLLOW = 0x0100_0000, 0x0200_0000
_CONTENTS = _MODIFY | _ATTRIB | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
_ASKED = _CONTENTS | _DELETE_SELF | _MOVE_SELF | _ONLYDIR | _DONT_FOLLOW
_LOST = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _OVERFLOW | _IGNORED


class _Event(Protocol):
    wd: int
    mask: int
    name: str


class _Kernel(Protocol):
    """What we use of `inotify_simple.INotify`."""

    closed: bool

    def add_watch(self, path: Path, mask: int) -> int: ...
    def read(self, timeout: int) -> Iterable[_Event]: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class Watch:
    """The folders of one tree. Nothing runs meanwhile: the kernel keeps the news until asked for them."""

    def __init__(self, root: Path, folders: Iterable[str]) -> None:
        """Watch `folders` below `root` ("" is the root). Raises `OSError` when the kernel will not."""
        if inotify_simple is None:
            raise OSError("this system has no inotify")
        self._kernel = cast("_Kernel", inotify_simple.INotify(nonblocking=True))
        weakref.finalize(self, self._kernel.close)
        self._lock = threading.Lock()
        self._touched: set[str] = set()
        self._lost = False
        self._told = 0
        try:
            self._folders = {
                self._kernel.add_watch(root / folder, _ASKED): f"{folder}/" if folder else ""
                for folder in folders
            }
        except OSError:
            self._kernel.close()
            raise

    def touched(self) -> frozenset[str] | None:
        """Every path that was touched and not forgotten since; None when that cannot be told."""
        with self._lock:
            if self._kernel.closed:
                return None
            for event in self._kernel.read(timeout=0):
                self._told += 1
                if event.mask & _LOST:
                    self._lost = True
                elif event.name:
                    self._touched.add(self._folders[event.wd] + event.name)
            return None if self._lost else frozenset(self._touched)

    def told(self) -> int | None:
        """How much was touched since the watch began: equal means that nothing was; None when not known."""
        return None if self.touched() is None else self._told

    def wait(self) -> None:
        """Return once something was touched that was not told yet, or at once when that cannot be told."""
        ready = select.poll()
        with self._lock:
            if self._kernel.closed or self._lost:
                return
            ready.register(self._kernel.fileno(), select.POLLIN)
        ready.poll()

    def forget(self, paths: frozenset[str]) -> None:
        """Take `paths` as looked at: they are told again only when they are touched again."""
        with self._lock:
            self._touched -= paths

    def close(self) -> None:
        """Give the folders back to the kernel."""
        with self._lock:
            self._kernel.close()


def watched(root: Path, folders: list[str]) -> Watch | None:
    """A watch over `folders` of the tree at `root`; None where it could miss a change or cannot be had."""
    if len(folders) > MOST_FOLDERS or not _is_local(root):
        return None
    try:
        return Watch(root, folders)
    except OSError:
        return None


def _is_local(root: Path) -> bool:
    """Whether `root` and everything mounted below it lies on file systems that this kernel alone writes."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            mounts = [line.split(" ") for line in file]
    except OSError:
        return False
    place = os.fspath(root)
    holding, kind = "", ""
    for fields in mounts:
        point = fields[4].replace("\\040", " ")
        type_ = fields[fields.index("-") + 1]
        if point == "/" or place == point or place.startswith(f"{point}/"):
            if len(point) >= len(holding):
                holding, kind = point, type_
        elif point.startswith(f"{place}/"):
            return False
    return kind in LOCAL
