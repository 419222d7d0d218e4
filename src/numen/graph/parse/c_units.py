"""How C's includes name files: beside the file, below a folder that is searched, or by the end of a path."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from numen.graph.parse.c_names import STANDARD
from numen.graph.parse.facts import Alias


class CUnits:
    """The files of one tree that can be included."""

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]] = ()) -> None:
        self._files = frozenset(paths)
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def find(self, path: str, module: str) -> str | None:
        """The file that an include means in the file at `path`; `module` keeps its angles."""
        folder = path.rpartition("/")[0]
        is_angled = module.startswith("<")
        module = module.strip("<>")
        if not is_angled:
            beside = posixpath.normpath(posixpath.join(folder, module))
            if beside in self._files:
                return beside
        elif module.removesuffix(".h") in STANDARD or module.startswith(
            ("sys/", "linux/", "netinet/", "arpa/")
        ):
            return None
        module = posixpath.normpath(module)
        while module.startswith("../"):
            module = module[3:]
        found = [
            one
            for one in self._by_name.get(module.rpartition("/")[2], ())
            if one == module or one.endswith(f"/{module}")
        ]
        return nearest(path, found)

    def children(self) -> Iterable[tuple[str, str, str]]:
        """A file has no other inside it."""
        return ()


def nearest(path: str, found: Sequence[str]) -> str | None:
    """The one of `found` that shares most folders with `path`; None if several do."""
    if len(found) < 2:
        return found[0] if found else None
    folders = path.split("/")[:-1]

    def shared(other: str) -> int:
        count = 0
        for one, two in zip(folders, other.split("/")[:-1], strict=False):
            if one != two:
                break
            count += 1
        return count

    most = max(map(shared, found))
    best = [one for one in found if shared(one) == most]
    shallow = min(one.count("/") for one in best)
    best = [one for one in best if one.count("/") == shallow]
    return best[0] if len(best) == 1 else None
