"""How PHP names units: namespaces, and files that are required."""

from __future__ import annotations

from collections.abc import Iterable

from numen.graph.parse.facts import AROUND
from numen.graph.parse.namespaces import Namespaces

GLOBAL = "\\"
"""What an import names to reach the namespace without a name."""


class PhpUnits(Namespaces):
    """The namespaces of one tree, and the files that `require` names."""

    family = "php"
    separator = "\\"

    def find(self, path: str, module: str) -> str | None:
        """The namespace or the file that `module` names in the file at `path`."""
        if module == GLOBAL:
            return f"{self.family}:"
        if "." not in module:
            return super().find(path, module)
        return self.file(path, module)

    def children(self) -> Iterable[tuple[str, str, str]]:
        """Each namespace inside another; bare names are sought in the global one, not in those between."""
        for unit in sorted(self.units):
            above, name = self._above(unit)
            if name:
                yield above, name, unit
                yield unit, AROUND, f"{self.family}:"
