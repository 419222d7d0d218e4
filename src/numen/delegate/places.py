"""Files reached part by part below a root, with no link on the way: what cannot be led elsewhere (openat)."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Refused(Exception):
    """A place that is not to be read or written; `why` is one word of a reason."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Below:
    """A place below a root: the root as it really is, and the parts of the way."""

    root: Path
    parts: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The whole path."""
        return self.root.joinpath(*self.parts)


def below(given: str, start: Path, roots: Iterable[Path]) -> Below:
    """Where `given` lies: `~` is the home, a relative path begins at `start`.

    Raises `Refused` for a path with `..` in it, and for one that is in none of `roots`.
    """
    if "\0" in given:
        raise Refused("no_path")
    path = PurePath(os.path.expanduser(given))
    if ".." in path.parts:
        raise Refused("dotdot")
    whole = path if path.is_absolute() else PurePath(start) / path
    for root in roots:
        real = Path(os.path.realpath(root))
        for spelled in (root, real):
            if whole.is_relative_to(spelled):
                parts = whole.relative_to(spelled).parts
                if not parts:
                    raise Refused("directory")
                return Below(real, parts)
    raise Refused("outside_roots")


@contextmanager
def folder(root: Path, parts: Sequence[str], *, make: bool = False) -> Generator[int]:
    """The folder at `parts` below `root`, open; made part by part (0700) where asked.

    Raises `Refused` for a link or something else on the way, and where it is missing.
    """
    opened = _opened(lambda: os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    try:
        for part in parts:
            inner = _entered(opened, part, make=make)
            os.close(opened)
            opened = inner
        yield opened
    finally:
        os.close(opened)


@contextmanager
def regular(place: Below) -> Generator[int]:
    """The file there, open for reading. Raises `Refused` unless it is a regular file, and readable."""
    with folder(place.root, place.parts[:-1]) as parent:
        found = kind(parent, place.parts[-1])
        if found is None:
            raise Refused("missing")
        descriptor = _opened(
            lambda: os.open(
                place.parts[-1],
                os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY,
                dir_fd=parent,
            )
        )
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused("not_a_file")
        yield descriptor
    finally:
        os.close(descriptor)


def kind(parent: int, name: str) -> os.stat_result | None:
    """What is there under that name, None where nothing is. Raises `Refused` unless it is a regular file."""
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(reason(error)) from error
    if stat.S_ISLNK(found.st_mode):
        raise Refused("symlink")
    if stat.S_ISDIR(found.st_mode):
        raise Refused("directory")
    if not stat.S_ISREG(found.st_mode):
        raise Refused("not_a_file")
    return found


def reason(error: OSError) -> str:
    """An error of the machine as one word of a reason."""
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return "missing"
        case errno.ELOOP:
            return "symlink"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "no_permission"
        case errno.ENOSPC | errno.EDQUOT:
            return "disk_full"
        case errno.ENAMETOOLONG:
            return "no_path"
        case _:
            return errno.errorcode.get(error.errno or 0, "error").lower()


def _entered(opened: int, part: str, *, make: bool) -> int:
    try:
        return os.open(part, _FOLDER, dir_fd=opened)
    except FileNotFoundError as error:
        if not make:
            raise Refused("missing") from error
    except NotADirectoryError as error:
        found = os.stat(part, dir_fd=opened, follow_symlinks=False)
        raise Refused("symlink" if stat.S_ISLNK(found.st_mode) else "missing") from error
    except OSError as error:
        raise Refused(reason(error)) from error
    try:
        os.mkdir(part, 0o700, dir_fd=opened)
    except FileExistsError:
        pass
    except OSError as error:
        raise Refused(reason(error)) from error
    return _entered(opened, part, make=False)


def _opened(open_: Callable[[], int]) -> int:
    try:
        return open_()
    except OSError as error:
        raise Refused(reason(error)) from error
