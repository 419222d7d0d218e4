"""The household's papers, for their owner's eyes only: `numen.yaml`, `identity.yaml`, `protagine.yaml`.

What a person wrote stays as it is, comments too: a value is put in its place, and nothing else is touched.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import yaml

from numen.app import load
from numen.kernel import Conflict, InvalidInput, Unavailable
from numen.settings import FILE_NAME, IDENTITY_NAME, Identity, Settings, load_identity

if TYPE_CHECKING:
    from numen.people import Handle

STOCK_NAME = "protagine.yaml"
"""What the stock plugin reads beside its key (wire contract, 1.0)."""

STOCK_HEADER = (
    "# Written by `numen init --stock-client` for the stock plugin. `mind` and `secrets` are yours to\n"
    "# change; the rest follows numen.yaml and is written anew.\n"
)

_STOCK_MIND = {"enabled": True, "autonomy": "standard"}
_ZONES = "/zoneinfo/"


def declared(identity: Identity | None) -> tuple[Handle, ...] | None:
    """The owner's handles by `identity.yaml`, None where it says nothing. Raises `InvalidInput`."""
    if identity is None or identity.owner.handles is None:
        return None
    make = load("handles").make
    return tuple(cast("Handle", make(one.platform, one.id)) for one in identity.owner.handles)


def write_owner(settings: Settings, contact_id: str) -> bool:
    """Say in `numen.yaml` who the owner is in the store; False where it says so already."""
    path = settings.home / FILE_NAME
    text = _text(path)
    fresh = placed(text, ("owner", "contact_id"), json.dumps(contact_id))
    return _write(path, text, fresh)


def write_model(home: Path, use: str, name: str | None) -> bool:
    """Say in `numen.yaml` which model is used; False where it says so already."""
    path = home / FILE_NAME
    text = _text(path)
    fresh = placed(text, ("model", "use"), json.dumps(use))
    return _write(path, text, placed(fresh, ("model", "name"), json.dumps(name)))


def write_identity(home: Path, owner_name: str, own: Iterable[Handle]) -> bool:
    """Say in `identity.yaml` who the owner is, and `own` handles; False where it says so already.

    A file that is there keeps all else that it says.
    """
    path = home / IDENTITY_NAME
    known = load_identity(home)
    had = declared(known) or ()
    more = [one for one in own if one not in had]
    handles = [*had, *more]
    listed = "[" + ", ".join(_entry(one) for one in handles) + "]"
    if known is None:
        lines = [
            "# Who your agent is, and who you are. `agent` may have `values` and `boundaries`, a list each.",
            f"agent: {{name: {json.dumps(Identity().agent.name)}, timezone: {json.dumps(_zone())}}}",
            "owner:",
            f"  name: {_quoted(owner_name)}",
            "  # Under which ids you write on which platforms: whoever writes under them is you.",
            f"  handles: {listed}" if handles else "  handles: []",
        ]
        return _write(path, "", "\n".join(lines) + "\n")
    text = _text(path)
    fresh = text
    if more or known.owner.handles is None:
        fresh = placed(fresh, ("owner", "handles"), listed, [_entry(one) for one in more])
    if known.owner.name is None:
        fresh = placed(fresh, ("owner", "name"), _quoted(owner_name))
    return _write(path, text, fresh)


def write_stock(settings: Settings, contact_id: str) -> Path:
    """Write what the stock plugin reads beside the key. Raises `Conflict` over a file that is not Numen's."""
    path = settings.home / STOCK_NAME
    text = _text(path)
    if text and not text.startswith(STOCK_HEADER.partition("\n")[0]):
        raise Conflict(
            f"{path} was not written by Numen.",
            not_done="It was left as it is.",
            next_step="Move it away and run `numen init --stock-client` again.",
        )
    kept = _mapping(yaml.safe_load(text) if text else None)
    host = "127.0.0.1" if settings.host in {"0.0.0.0", "::", ""} else settings.host
    said = {
        "sidecar": {"host": host, "port": settings.port},
        "owner": {"contact_id": contact_id},
        "mind": kept.get("mind", _STOCK_MIND),
        **({"secrets": kept["secrets"]} if "secrets" in kept else {}),
    }
    _write(path, text, STOCK_HEADER + yaml.safe_dump(said, sort_keys=False, allow_unicode=True))
    return path


def placed(text: str, keys: tuple[str, str], value: str, more: Sequence[str] = ()) -> str:
    """YAML `text` with `value` (flow style) at `keys`, all else as it was; a list that is there gets `more`.

    Raises `InvalidInput` where the text is so written that this cannot be done in place.
    """
    outer, inner = keys
    wanted = _mapping(yaml.safe_load(text))
    section = _mapping(wanted.get(outer))
    old = section.get(inner)
    new = cast("object", yaml.safe_load(value))
    if isinstance(old, list) and more:
        new = [*cast("list[object]", old), *(cast("object", yaml.safe_load(one)) for one in more)]
    wanted[outer] = {**section, inner: new}
    fresh = _spliced(text, outer, inner, value, more)
    try:
        made = cast("object", yaml.safe_load(fresh))
    except yaml.YAMLError:
        made = None
    if made != wanted:
        raise InvalidInput(
            f"`{outer}.{inner}` could not be written in place.",
            not_done="The file was left as it is.",
            next_step=f"Write it yourself: `{outer}: {{{inner}: {value}}}`.",
        )
    return fresh


def _spliced(text: str, outer: str, inner: str, value: str, more: Sequence[str]) -> str:
    root = yaml.SafeLoader(text).get_single_node()
    section = _child(root, outer)
    if section is None and isinstance(root, yaml.MappingNode) and root.flow_style:
        start, comma = root.start_mark.index + 1, ", " if root.value else ""
        return f"{text[:start]}{outer}: {{{inner}: {value}}}{comma}{text[start:]}"
    if section is None:
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}{outer}:\n  {inner}: {value}\n"
    there = _child(section, inner)
    if isinstance(there, yaml.SequenceNode) and more:
        return _appended(text, there, more)
    if there is not None:
        start, end = there.start_mark.index, _end(there)
        return f"{text[:start]}{value}{text[end:]}"
    start = section.start_mark
    if isinstance(section, yaml.MappingNode) and not section.flow_style:
        indent = " " * start.column
        return f"{text[: start.index]}{inner}: {value}\n{indent}{text[start.index :]}"
    if isinstance(section, yaml.MappingNode):
        comma = ", " if section.value else ""
        return f"{text[: start.index + 1]}{inner}: {value}{comma}{text[start.index + 1 :]}"
    return f"{text[: start.index].rstrip()} {{{inner}: {value}}}{text[section.end_mark.index :]}"


def _appended(text: str, there: yaml.SequenceNode, more: Sequence[str]) -> str:
    end = _end(there)
    if there.flow_style:
        comma = ", " if there.value else ""
        return f"{text[: end - 1]}{comma}{', '.join(more)}{text[end - 1 :]}"
    lines = "".join(f"\n{' ' * there.start_mark.column}- {one}" for one in more)
    return f"{text[:end]}{lines}{text[end:]}"


def _end(node: yaml.Node) -> int:
    """Where the node's own text ends; a block is followed by comments that are not its own."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = cast("yaml.Node | tuple[yaml.Node, yaml.Node]", node.value[-1])
        return _end(last[1] if isinstance(last, tuple) else last)
    return node.end_mark.index


def _child(node: yaml.Node | None, name: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    pairs = cast("list[tuple[yaml.Node, yaml.Node]]", node.value)
    return next((value for key, value in pairs if key.value == name), None)


def _entry(handle: Handle) -> str:
    return f"{{platform: {handle.gateway}, id: {_quoted(handle.address)}}}"


def _quoted(text: str) -> str:
    """A YAML scalar in double quotes, which JSON's form is."""
    return json.dumps(text, ensure_ascii=False)


def _zone() -> str:
    """The machine's time zone by its name, where it can be told."""
    _, found, name = os.path.realpath("/etc/localtime").partition(_ZONES)
    return name if found else "UTC"


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        return {}
    return {str(key): one for key, one in cast("Mapping[object, object]", value).items()}


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _unavailable(path, error) from error


def _write(path: Path, before: str, text: str) -> bool:
    try:
        if text != before:
            load("keyfile").write_private(path, text)
        elif path.exists() and path.stat().st_mode & 0o177:
            path.chmod(0o600)
    except OSError as error:
        raise _unavailable(path, error) from error
    return text != before


def _unavailable(path: Path, error: OSError) -> Unavailable:
    return Unavailable(
        f"{path} could not be read or written: {error.strerror}.",
        not_done="It was left as it is.",
        next_step="Check that the directory is yours and has space.",
    )
