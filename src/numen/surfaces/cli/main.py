"""The frame of the command line: its commands by name, loaded when they are called, and how it ends."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Parameter, UnknownCommandError

from numen import __version__
from numen.kernel import InvalidInput, NumenError
from numen.surfaces.errors import body, exit_code, foreseen
from numen.surfaces.screen import screened

COMMANDS = (
    ("north", "numen.surfaces.cli.code:north", "Orient: where am I, where do I start, what do I not know?"),
    ("seek", "numen.surfaces.cli.code:seek", "Find code by words or identifiers."),
    ("impact", "numen.surfaces.cli.code:impact", "Show who depends on a symbol."),
    ("ingest", "numen.surfaces.cli.ingest:ingest", "Build or refresh the index of a repository."),
    ("remember", "numen.surfaces.cli.memory:remember", "Keep a sentence with its evidence."),
    ("recall", "numen.surfaces.cli.memory:recall", "Show what was said or is known."),
    ("forget", "numen.surfaces.cli.memory:forget", "Erase rows and all made of them, for good."),
    ("memory export", "numen.surfaces.cli.memory:export", "Write memory down, as JSONL or Markdown."),
    ("memory import", "numen.surfaces.cli.memory:import_", "Take an export in."),
    ("memory verify", "numen.surfaces.cli.memory:verify", "Check that memory agrees with itself."),
    ("memory stats", "numen.surfaces.cli.memory:stats", "Show how much is kept."),
    ("memory promote", "numen.surfaces.cli.memory:promote", "Let a claim go with you everywhere."),
    (
        "cockpit",
        "numen.surfaces.cli.cockpit:cockpit",
        "Show the menu: what waits, what moved, who is at work.",
    ),
    ("mission list", "numen.surfaces.cli.cockpit:missions", "Show missions."),
    ("mission tray", "numen.surfaces.cli.cockpit:tray", "Show what waits for you to land it."),
    ("mission show", "numen.surfaces.cli.cockpit:mission_show", "Show a mission with its last letters."),
    (
        "mission post",
        "numen.surfaces.cli.cockpit:mission_post",
        "Open a mission, or say where it stands now.",
    ),
    ("map show", "numen.surfaces.cli.cockpit:map_show", "Show the map, and where it differs from the tree."),
    ("map propose", "numen.surfaces.cli.cockpit:propose", "Propose blocks for code that no block holds."),
    ("map ratify", "numen.surfaces.cli.cockpit:ratify", "Say that blocks are true of the system."),
    ("map drop", "numen.surfaces.cli.cockpit:drop", "Take blocks out of the map."),
    ("map export", "numen.surfaces.cli.cockpit:export", "Write the map down as a file."),
    ("map import", "numen.surfaces.cli.cockpit:import_", "Take a map in, as candidates."),
    ("map picture", "numen.surfaces.cli.cockpit:picture", "Draw the map as SVG."),
    ("trust", "numen.surfaces.cli.cockpit:trust", "Show how often each file had to be mended."),
    ("drift", "numen.surfaces.cli.cockpit:drift", "Show what moved since a commit or a time."),
    ("presence", "numen.surfaces.cli.cockpit:presence", "Show who is at work in a repository now."),
    ("secret list", "numen.surfaces.cli.secret:list_", "Show what is sealed, never a value."),
    ("secret seal", "numen.surfaces.cli.secret:seal", "Print a text with references in place of its values."),
    ("secret show", "numen.surfaces.cli.secret:show", "Show a value on this terminal."),
    ("secret use", "numen.surfaces.cli.secret:use", "Put a value into a file."),
    ("secret exec", "numen.surfaces.cli.secret:exec_", "Run a program that reads values from variables."),
    ("secret release", "numen.surfaces.cli.secret:release", "Say that a value is no secret."),
    ("secret forget", "numen.surfaces.cli.secret:forget", "Take a value away for good."),
    ("secret rekey", "numen.surfaces.cli.secret:rekey", "Put every value under a new key."),
    ("secret scan", "numen.surfaces.cli.scan:scan", "Find secrets in a text; nothing is sealed."),
    ("delegate run", "numen.surfaces.cli.delegate:run", "Have a bounded task done by a cheaper agent."),
    ("delegate plan", "numen.surfaces.cli.delegate:plan", "Show what that would send and cost."),
    ("delegate status", "numen.surfaces.cli.delegate:status", "Show delegations, or how one stands."),
    ("delegate result", "numen.surfaces.cli.delegate:result", "Print the envelope of one that has ended."),
    ("delegate cancel", "numen.surfaces.cli.delegate:cancel", "Stop one, with all its processes."),
    ("delegate enqueue", "numen.surfaces.cli.delegate:enqueue", "Have a task done later."),
    ("delegate queue", "numen.surfaces.cli.delegate:queue", "Show what waits, and what was given up."),
    ("delegate drain", "numen.surfaces.cli.delegate:drain", "Carry out what waits."),
    ("delegate requeue", "numen.surfaces.cli.delegate:requeue", "Do again what was given up."),
    (
        "delegate compat-script",
        "numen.surfaces.cli.delegate:compat_script",
        "Print a script that delegates through Numen.",
    ),
    ("delegate reapply", "numen.surfaces.cli.delegate:reapply", "Write an answer that could not be written."),
    ("delegate extract", "numen.surfaces.cli.delegate:extract", "Print the JSON value in an answer."),
    ("ledger report", "numen.surfaces.cli.delegate:report", "Show what delegations cost."),
    ("ledger verify", "numen.surfaces.cli.home:verify", "Prove that the record was not changed."),
    ("init", "numen.surfaces.cli.people:init", "Make the home: the store, the owner, the key."),
    (
        "credentials",
        "numen.surfaces.cli.people:credentials",
        "Show keys and what they may do; change it.",
    ),
    ("gate explain", "numen.surfaces.cli.gate:explain", "Say how a call would be judged, and why."),
    ("asks", "numen.surfaces.cli.gate:asks", "Show what waits for your answer."),
    ("yes", "numen.surfaces.cli.gate:yes", "Allow what an ask asks for."),
    ("no", "numen.surfaces.cli.gate:no", "Refuse what an ask asks for."),
    ("grants", "numen.surfaces.cli.gate:grants", "Show, give and end what is allowed beforehand."),
    ("mind off", "numen.surfaces.cli.gate:off", "Switch off everything that acts by itself."),
    ("mind on", "numen.surfaces.cli.gate:on", "Let things be done again."),
    ("mind status", "numen.surfaces.cli.mind:mind_status", "Show whether the mind is on, and what waits."),
    ("mind log", "numen.surfaces.cli.mind:log", "Show what it meant to do, and what became of it."),
    ("mind why", "numen.surfaces.cli.mind:why", "Say why, and how it came to stand so."),
    ("mind rate", "numen.surfaces.cli.mind:rate", "Say what you think of something it did."),
    ("mind level", "numen.surfaces.cli.mind:level", "Show or set how much is done without asking."),
    ("mind tick", "numen.surfaces.cli.mind:tick", "Take one step now."),
    ("mind concerns", "numen.surfaces.cli.mind:concerns", "Show what is on its mind."),
    ("mind goals", "numen.surfaces.cli.mind:goals", "Show the goals, or set one."),
    ("mind opinions", "numen.surfaces.cli.mind:opinions", "Show the views that are held."),
    ("mind asks", "numen.surfaces.cli.gate:asks", "Show what waits for your answer."),
    ("mind yes", "numen.surfaces.cli.gate:yes", "Allow what an ask asks for."),
    ("mind no", "numen.surfaces.cli.gate:no", "Refuse what an ask asks for."),
    ("mind grants", "numen.surfaces.cli.gate:grants", "Show, give and end what is allowed beforehand."),
    ("inbox", "numen.surfaces.cli.mind:inbox", "Show what Numen had to tell you."),
    ("status", "numen.surfaces.cli.mind:status", "Show how this home stands."),
    ("people who", "numen.surfaces.cli.contacts:who", "Show whom Numen knows."),
    ("people inspect", "numen.surfaces.cli.contacts:inspect", "Show all that is known of one person."),
    ("people proposals", "numen.surfaces.cli.contacts:proposals", "Show handles that may be somebody's."),
    ("people optout", "numen.surfaces.cli.gate:optout", "Say whether words ask not to be written to."),
    ("people permit", "numen.surfaces.cli.contacts:permit", "Say whether a person may be written to."),
    (
        "people cadence",
        "numen.surfaces.cli.contacts:cadence",
        "Say how often a person likes to be written to.",
    ),
    ("people merge", "numen.surfaces.cli.contacts:merge", "Make one contact of two."),
    ("people link", "numen.surfaces.cli.contacts:link", "Give a contact a handle."),
    ("chat", "numen.surfaces.cli.chat:chat", "Talk, with tools at work and your nod where it is needed."),
    ("sessions", "numen.surfaces.cli.chat:sessions", "Show conversations, or one whole."),
    ("tools", "numen.surfaces.cli.chat:tools", "Show what can be called."),
    ("servers add", "numen.surfaces.cli.chat:add", "Connect a tool server."),
    ("servers list", "numen.surfaces.cli.chat:list_", "Show the tool servers."),
    ("servers test", "numen.surfaces.cli.chat:try_", "Try a tool server."),
    ("servers remove", "numen.surfaces.cli.chat:remove", "Forget a tool server."),
    ("agent rename", "numen.surfaces.cli.chat:rename", "Give an agent another name."),
    ("model use", "numen.surfaces.cli.model:use", "Choose who thinks."),
    ("model list", "numen.surfaces.cli.model:list_", "Show the model that is used, and where others are."),
    ("model test", "numen.surfaces.cli.model:try_", "Ask the model a question, and show what it took."),
    ("turn", "numen.surfaces.cli.cycle:turn", "Think a message through in its room."),
    ("cycle show", "numen.surfaces.cli.cycle:show", "Show who thinks, and the steps of a turn."),
    ("cycle selftest", "numen.surfaces.cli.cycle:selftest", "Run every organ of the cycle alone."),
    ("cycle replay", "numen.surfaces.cli.cycle:replay", "Go through a turn again, to the byte."),
    ("cycle fit", "numen.surfaces.cli.cycle:fit", "Measure how long the model is worth asking."),
    ("cycle keep", "numen.surfaces.cli.cycle:keep", "Keep the words of a room's turns, or erase them."),
    ("cycle soul", "numen.surfaces.cli.cycle:soul", "Write SOUL.md where the settings say."),
    ("doctor", "numen.surfaces.cli.doctor:doctor", "Say what is wrong with the home, and what mends it."),
    ("up", "numen.surfaces.up:up", "Serve HTTP, MCP and the page on this machine."),
    ("open", "numen.surfaces.cli.people:open_", "Print a fresh link to the page of a running Numen."),
    ("mcp", "numen.surfaces.mcp.stdio:mcp", "Serve MCP on stdin and stdout."),
)
"""(name, where it is, what it is for): names and summaries are given, so that help imports none of them."""

GROUPS = {
    "memory": "What is known, as a whole.",
    "mission": "Work that is handed over in letters.",
    "map": "The parts of a system, as a person sees them.",
    "secret": "Values that were said and must not be seen.",
    "gate": "What may be done.",
    "delegate": "Work that others do.",
    "mind": "What Numen does by itself.",
    "agent": "Who answers.",
    "model": "Who thinks.",
    "servers": "Whose tools can be called; also `numen mcp add|list|test|remove`.",
    "cycle": "How a message is thought through.",
    "people": "Whom Numen knows.",
    "ledger": "The record of what happened.",
}
"""What a command with commands of its own is for."""

MEANT = {"delegate": "run"}
"""The command that is meant where an option follows the name of a group."""

SERVERS = frozenset({"add", "list", "test", "remove"})
"""What `numen mcp` does with other servers; without a word it is one itself."""

HELP = frozenset({"--help", "-h"})

PIPE_CLOSED = 141
"""128 + SIGPIPE: what a shell reports for a program whose reader has gone."""

INTERRUPTED = 130
"""128 + SIGINT: what a shell reports for a program that Ctrl-C ended."""


def make_app() -> App:
    """The commands, none of them imported yet."""
    app = App(
        name="numen",
        help="Numen, a resident mind for agents: it orients them in code, and says what it does not know.",
        version=__version__,
        version_flags=["--version"],
        help_flags=sorted(HELP),
        help_format="plaintext",
        default_parameter=Parameter(negative="", show_default=False),
        print_error=False,
        exit_on_error=False,
        result_action="return_value",
    )
    groups = {
        name: App(name=name, help=summary, help_format="plaintext", version_flags=[])
        for name, summary in GROUPS.items()
    }
    for group in groups.values():
        app.command(group)
    for name, place, summary in COMMANDS:
        first, _, second = name.partition(" ")
        (groups[first] if second else app).command(place, name=second or first, help=summary)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave the process with its exit code.

    2: the command line is wrong. 1: refused or not there. 4: conflict. 70: a fault of ours. 130: Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:2] == ["delegate", "--compat-script"]:
        given[1] = "compat-script"
    if len(given) > 1 and given[0] in MEANT and given[1].startswith("-") and given[1] not in HELP:
        given.insert(1, MEANT[given[0]])

    if given[:1] == ["mcp"] and given[1:2] and given[1] in SERVERS:
        given[0] = "servers"
    ours = given[: given.index("--")] if "--" in given else given
    with screened(stdout=HELP.isdisjoint(ours)):  # help says nothing of the home, and is to come at once
        code = _ended(given)
    raise SystemExit(code)


def _ended(given: list[str]) -> int:
    try:
        result: object = make_app()(given)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except CycloptsError as error:
        return _tell(_usage(error), given)
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):
            return PIPE_CLOSED
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except Exception as error:  # noqa: BLE001 - the edge: every fault becomes three sentences
        return _tell(foreseen(error), given)


def _tell(error: NumenError, given: Sequence[str]) -> int:
    """The error's sentences on stderr, and with `--json` its one body on stdout."""
    sys.stderr.write(error.sentences() + "\n")
    if "--json" in given:
        sys.stdout.write(body(error).decode("utf-8") + "\n")
        sys.stdout.flush()
    return exit_code(error)


def _usage(error: CycloptsError) -> InvalidInput:
    error.verbose = False
    if isinstance(error, UnknownCommandError):
        return _unknown_command(error)
    text = " ".join(str(error).split())
    chain = " ".join(error.command_chain or ())
    return InvalidInput(
        text,
        not_done="Nothing was done.",
        next_step=f"`{f'numen {chain}'.strip()} --help` says what it takes.",
    )


def _unknown_command(error: UnknownCommandError) -> InvalidInput:
    """Said here, because the library would import every command to say it."""
    prefix = "".join(f"{part} " for part in error.command_chain or ())
    known = {
        name.removeprefix(prefix).partition(" ")[0] for name, _, _ in COMMANDS if name.startswith(prefix)
    }
    word = (error.unused_tokens or ["?"])[0]
    near = difflib.get_close_matches(word, sorted(known), n=1)
    return InvalidInput(
        f"There is no command `numen {prefix}{word}`.",
        not_done="Nothing was done.",
        next_step=f"Did you mean `numen {prefix}{near[0]}`?"
        if near
        else f"There are: {', '.join(sorted(known))}.",
    )
