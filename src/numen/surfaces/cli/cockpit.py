"""`numen cockpit`, `mission`, `map`, `drift`, `trust`, `presence`: the house, on the owner's own terminal."""

from __future__ import annotations

import json as reading
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, cast

from cyclopts import Parameter

from numen.kernel import InvalidInput, Json, canonical_bytes
from numen.surfaces.cli.show import Fields, Sheet
from numen.surfaces.cli.terminal import answered, parsed, say, write_json

Repo = Annotated[str | None, Parameter(help="A path in the repository; by default where you stand.")]
AsJson = Annotated[bool, Parameter(name="--json", help="Print the bytes that every door gives.")]
Name = Annotated[str, Parameter(help="The mission's name: letters, digits, - and _.")]
Ids = Annotated[str, Parameter(help="Blocks, by their ids.")]

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes of a map's file that are read (ours: two hundred blocks take less than one tenth of it)."""


def cockpit(
    *,
    select: Annotated[
        str | None, Parameter(help="3: a slot; 3.2: its second item; 3.2.1: a part of that.")
    ] = None,
    seen_store_version: Annotated[str | None, Parameter(help="Of your last answer.")] = None,
    repo: Repo = None,
    json: AsJson = False,
) -> None:
    """Show the menu: what waits, map, missions, health, trust, memories, drift, who is at work."""
    answer = answered("cockpit", {"select": select, "seen_store_version": seen_store_version, "repo": repo})
    if json:
        write_json(answer)
        return
    said, page = parsed(answer), Sheet()
    for entry in _rows(said, "entries"):
        page.line(f"{entry['slot']}  {entry['label']}" + _why(entry))
    if "entries" not in said:
        page.line(f"{said['label']}" + _why(said))
        for name in ("item", "part"):
            if name in said:
                _tell(page, cast("Fields", said[name]))
        for name in ("items", "parts"):
            for row in _rows(said, name):
                page.line(f"{said['select']}.{row['n']}  {row['title']}  {_facts(row)}".rstrip())
        if said.get("dropped"):
            page.line(f"{said['dropped']} more did not fit.")
    if said.get("state_moved"):
        page.line("The state moved since your last answer.")


def missions(*, tray: bool = False, repo: Repo = None, json: AsJson = False) -> None:
    """Show missions, the one that moved last first."""
    answer = answered("mission", {"action": "tray" if tray else "list", "repo": repo})
    if json:
        write_json(answer)
        return
    found = _rows(parsed(answer), "missions")
    for one in found:
        say(f"{one['phase']:<10}  {one['mission']}  {one['title']}  head {one['head']}")
    if not found:
        say("Nothing waits for you." if tray else "There are no missions here.")


def tray(*, repo: Repo = None, json: AsJson = False) -> None:
    """Show what waits for you to land it."""
    missions(tray=True, repo=repo, json=json)


def mission_show(
    mission: Name,
    /,
    *,
    before: Annotated[int | None, Parameter(help="Show the letters before this number.")] = None,
    repo: Repo = None,
    json: AsJson = False,
) -> None:
    """Show a mission with its last letters, newest first."""
    answer = answered("mission", {"action": "show", "mission": mission, "before": before, "repo": repo})
    if json:
        write_json(answer)
        return
    said = parsed(answer)
    say(f"{said['mission']}  {said['title']}  {said['phase']}, head {said['head']}")
    for letter in _rows(said, "last"):
        say(f"{letter['n']:>4}  {letter['phase']}  {letter['at']}  {letter['agent']}")
        for name in ("text", "gate", "receipt"):
            if name in letter:
                say(f"      {letter[name]}")


def mission_post(
    mission: Name,
    phase: Annotated[
        Literal["judging", "executing", "gate", "review", "merge_wait", "landed", "failed", "archived"],
        Parameter(help="Where the mission stands now."),
    ],
    /,
    *,
    text: Annotated[str | None, Parameter(help="What there is to say.")] = None,
    title: Annotated[str | None, Parameter(help="Of a mission that is opened.")] = None,
    head: Annotated[
        str | None, Parameter(help="The letter that yours follows; none opens a mission.")
    ] = None,
    gate_command: Annotated[str | None, Parameter(help="merge_wait: what was run.")] = None,
    gate_exit: Annotated[int | None, Parameter(help="merge_wait: how it ended.")] = None,
    gate_hash: Annotated[str | None, Parameter(help="merge_wait: what it was run on.")] = None,
    receipt: Annotated[str | None, Parameter(help="landed: the commit that landed.")] = None,
    agent_id: Annotated[str | None, Parameter(help="Who writes.")] = None,
    repo: Repo = None,
    json: AsJson = False,
) -> None:
    """Post a letter: open a mission, or say where it stands now."""
    gate = {"command": gate_command, "exit_status": gate_exit, "artifact_hash": gate_hash}
    given = {name: value for name, value in gate.items() if value is not None}
    answer = answered(
        "mission",
        {
            "action": "post",
            "mission": mission,
            "phase": phase,
            "text": text,
            "title": title,
            "head": head,
            "gate": given or None,
            "receipt": receipt,
            "agent_id": agent_id,
            "repo": repo,
        },
    )
    if json:
        write_json(answer)
    else:
        said = parsed(answer)
        say(f"{said['mission']}  {said['phase']}, head {said['head']}")


def map_show(*, repo: Repo = None, json: AsJson = False) -> None:
    """Show the map, and where it differs from the tree."""
    _map("map", {"action": "show", "repo": repo}, json)


def propose(*, repo: Repo = None, json: AsJson = False) -> None:
    """Propose blocks for the code that no ratified block holds."""
    _map("map_change", {"action": "propose", "repo": repo}, json)


def ratify(
    *ids: Ids,
    name: Annotated[str | None, Parameter(help="What the one block is called.")] = None,
    purpose: Annotated[str | None, Parameter(help="What the one block is for.")] = None,
    repo: Repo = None,
    json: AsJson = False,
) -> None:
    """Say that blocks are true of the system as they stand; without ids, all that were proposed."""
    asked = {"action": "ratify", "ids": list(ids) or None, "name": name, "purpose": purpose, "repo": repo}
    _map("map_change", asked, json)


def drop(*ids: Ids, repo: Repo = None, json: AsJson = False) -> None:
    """Take blocks out of the map; without ids, all of them."""
    _map("map_change", {"action": "drop", "ids": list(ids) or None, "repo": repo}, json)


def export(place: Annotated[Path, Parameter(help="The file to write.")], /, *, repo: Repo = None) -> None:
    """Write the map down as a file, the only one that there is."""
    answer = answered("map", {"action": "show", "repo": repo})
    place.write_bytes(answer + b"\n")
    say(f"{place}: {len(_rows(parsed(answer), 'blocks'))} blocks")


def import_(
    place: Annotated[Path, Parameter(help="A file that was exported, or written by hand.")],
    /,
    *,
    any_branch: Annotated[bool, Parameter(help="Also the map of another branch.")] = False,
    repo: Repo = None,
    json: AsJson = False,
) -> None:
    """Take a map in; its blocks are candidates until you ratify them."""
    asked = {"action": "import", "file": _read(place), "any_branch": any_branch or None, "repo": repo}
    _map("map_change", asked, json)


def picture(
    place: Annotated[Path, Parameter(help="The SVG file to write.")] = Path("numen-map.svg"),
    /,
    *,
    open_: Annotated[bool, Parameter(name="--open", help="Show it in the browser.")] = False,
    repo: Repo = None,
) -> None:
    """Draw the map as SVG."""
    said = parsed(answered("map", {"action": "picture", "repo": repo}))
    place.write_text(str(said["svg"]), encoding="utf-8")
    say(f"{place.resolve()}")
    if open_ and not webbrowser.open(place.resolve().as_uri()):
        say("No browser opened; open the file yourself.")


def trust(
    within: Annotated[str | None, Parameter(help="A path prefix to stay in.")] = None,
    /,
    *,
    limit: Annotated[int | None, Parameter(help="How many files, 1 to 500.")] = None,
    repo: Repo = None,
    json: AsJson = False,
) -> None:
    """Show how often each file had to be mended, counted in git."""
    answer = answered("trust", {"scope": within, "limit": limit, "repo": repo})
    if json:
        write_json(answer)
        return
    said = parsed(answer)
    say(f"{'fixes':>6} {'of':>6} {'undone':>6} {'tests':>6}  file")
    for row in _rows(said, "rows"):
        counts = (row["fixes"], row["changes"], row["reverts"], row["tested_by"])
        say(" ".join(f"{count:>6}" for count in counts) + f"  {row['path']}")
    say(f"{said['basis']}")


def drift(
    *,
    since: Annotated[str | None, Parameter(help="A commit, a tag, or a moment as 2026-01-31.")] = None,
    limit: Annotated[int | None, Parameter(help="How many symbols, 1 to 200.")] = None,
    repo: Repo = None,
    json: AsJson = False,
) -> None:
    """Show what moved: symbols, who depends on them, memories that rest on them."""
    answer = answered("drift", {"since": since, "limit": limit, "repo": repo})
    if json:
        write_json(answer)
        return
    said = parsed(answer)
    counts = cast("Fields", said["counts"])
    where = f"since {str(said['since'])[:12]}" if said["since"] else "since it was indexed"
    say(f"{where}: {counts['changed']} changed, {counts['added']} added, {counts['removed']} removed")
    for row in _rows(said, "symbols"):
        say(f"{row['dependents']:>5} depend on  {row['id']}  {row['lines']}")
    for path in cast("Sequence[str]", said["removed"]):
        say(f"removed  {path}")
    for row in _rows(said, "memories"):
        say(f"its evidence moved  {row['claim']}")


def presence(*, repo: Repo = None, json: AsJson = False) -> None:
    """Show who is at work in a repository now."""
    answer = answered("presence", {"repo": repo})
    if json:
        write_json(answer)
        return
    found = _rows(parsed(answer), "presences")
    for row in found:
        paths = ", ".join(cast("Sequence[str]", row["working_set"]))
        what = "changes" if row["mutating"] else "reads"
        say(f"{row['agent_id']}  {what} {paths or row['worktree']}  {row.get('theme', '')}".rstrip())
    if not found:
        say("Nobody is at work here.")


def _map(verb: str, asked: Mapping[str, object], as_json: bool) -> None:
    answer = answered(verb, asked)
    if as_json:
        write_json(answer)
        return
    said = parsed(answer)
    for block in _rows(said, "blocks"):
        files = f"{block['files']:>5} files" if "files" in block else ""
        say(f"{block['state']:<9}  {files}  {block['id']}  {block['purpose'] or block['name']}")
        for fault in cast("Sequence[str]", block["faults"]):
            say(f"           {fault}")
    if not _rows(said, "blocks"):
        say("There is no map here; `numen map propose` makes one.")
    if "made_on" in said:
        say(f"It was made on branch {said['made_on']}.")
    if "why" in said:
        say(f"{said['why']}")


def _read(place: Path) -> Json:
    try:
        if place.stat().st_size > LARGEST_FILE:
            raise InvalidInput(f"{place} is too large for a map.", not_done="The map was not changed.")
        return cast("Json", reading.loads(place.read_bytes()))
    except OSError as error:
        raise InvalidInput(
            f"{place} cannot be read: {error.strerror}.", not_done="The map was not changed."
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{place} is not JSON.", not_done="The map was not changed.") from error


def _tell(page: Sheet, row: Fields) -> None:
    page.line(f"{row['title']}")
    for name, value in cast("Fields", row.get("facts") or {}).items():
        shown = value if isinstance(value, str) else canonical_bytes(value).decode("utf-8")
        page.line(f"      {name}: {shown}")


def _facts(row: Fields) -> str:
    facts = cast("Fields", row.get("facts") or {})
    return ", ".join(f"{name} {value}" for name, value in facts.items() if value not in (None, "", False))


def _why(row: Fields) -> str:
    return f"  ({row['why']})" if "why" in row else ""


def _rows(said: Fields, name: str) -> Sequence[Fields]:
    return cast("Sequence[Fields]", said.get(name) or ())
