"""`numen secret ...`: what is sealed, and its use, in the owner's own terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from numen.app import App, build, load
from numen.kernel import Forbidden, InvalidInput, Json, Scope, Unavailable, canonical_bytes, iso
from numen.settings import load as load_settings
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.household import local_door
from numen.surfaces.screen import bare

if TYPE_CHECKING:
    from numen.secrets import Entry

Ref = Annotated[str, Parameter(help="The reference, such as S-ABCDEFGH.")]
AsJson = Annotated[bool, Parameter(name="--json", help="Print JSON.")]

SIGNALLED = 128
"""What a shell adds to the number of the signal that ended a program."""

NOT_FOUND = 127
"""What a shell reports for a program that is not there (POSIX.1-2017, 2.8.2)."""


def list_(*, json: AsJson = False) -> None:
    """Show what is sealed: references, labels, states, uses, and whose it is; never a value."""
    with _owner() as (app, scope):
        entries = app.secrets.entries(scope)
    if json:
        write_json(canonical_bytes({"schema": "numen-secrets-v1", "entries": [_row(one) for one in entries]}))
        return
    for one in entries:
        uses = f"{one.uses} use{'' if one.uses == 1 else 's'}"
        whose = "" if one.whose == load("secrets").OWNER else f"  of {one.whose}"
        why = f"  ({one.why})" if one.why else ""
        say(f"{one.ref}  {one.state:<11}  {iso(one.created_at)[:10]}  {uses:<7}  {one.label}{whose}{why}")
    if not entries:
        say("Nothing is sealed.")


def seal(
    file: Annotated[Path | None, Parameter(help="The text; by default what comes on stdin.")] = None, /
) -> int:
    """Seal a text: print it with references in place of the values in it. Exit code 1 if one was withheld."""
    text = _text_of(file)
    with _owner() as (app, scope):
        sealed = app.secrets.seal(scope, text)
    sys.stdout.write(sealed.text)
    if sealed.withheld:
        sys.stderr.write(f"{sealed.withheld} not sealed, and withheld: {sealed.why}\n")
    return 1 if sealed.withheld else 0


def show(
    ref: Ref,
    /,
    *,
    file: Annotated[bool, Parameter(help="Put it in a private file that lasts while this runs.")] = False,
) -> None:
    """Show a value on this terminal, or in a private file that goes with this command."""
    if not file and not sys.stdout.isatty():
        raise Forbidden(
            "A value is shown on a terminal only, and this output is none.",
            not_done="Nothing was shown.",
            next_step="Run it in a terminal, or with --file; `numen secret exec` gives it to a program.",
        )
    with _owner() as (app, scope):
        value = _value(app, scope, ref, "reveal")
        if not file:
            terminal = bare()
            terminal.write(value + "\n")
            return
        bindings = load("secrets").Bindings(app.settings.home, app.clock)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # before there is a file to take away
        with bindings.revealed(ref, value) as path:
            say(f"{path}\nThe file goes when this command ends (Ctrl-C), in 30 minutes at the latest.")
            sys.stdout.flush()
            signal.sigtimedwait([], load("secrets").REVEAL_LIFE.total_seconds())


def use(
    ref: Ref,
    path: Annotated[Path, Parameter(help="A file that holds the reference, or an environment file.")],
    /,
    *,
    name: Annotated[str | None, Parameter(help="Write NAME=value into an environment file.")] = None,
) -> None:
    """Put a value into a file: where its reference stands, or under a name in an environment file (0600)."""
    secrets = load("secrets")
    with _owner() as (app, scope):
        value = _value(app, scope, ref, "use")
        if name is None:
            secrets.fill_file(path, ref, value)
        else:
            secrets.set_variable(path, name, value)
    say(f"{ref} was written to {path}.")


def release(ref: Ref, /) -> None:
    """Say that a value of yours is no secret: from now on it stays as it is where it is said."""
    with _owner() as (app, scope):
        entry = app.secrets.release(scope, ref)
    say(f"{entry.ref} ({entry.label}) is {entry.state}.")


def forget(ref: Ref, /) -> None:
    """Take a value away for good; its reference stays."""
    with _owner() as (app, scope):
        entry = app.secrets.forget(scope, ref)
    say(f"{entry.ref} ({entry.label}) is {entry.state}.")


def rekey(
    *,
    key_in: Annotated[
        Literal["file", "keyring"] | None, Parameter(help="Where the key goes; by default where it is.")
    ] = None,
    lost_key: Annotated[
        bool, Parameter(help="Go on without a key that is lost; its values stay shut.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Make a new key, put every value under it, and drop the old one."""
    with _owner() as (app, scope):
        place = None if key_in is None else load("secrets").Place(key_in)
        done = app.secrets.rekey(scope, place=place, lost_key=lost_key)
    if json:
        answer: dict[str, Json] = {
            "schema": "numen-rekey-v1",
            "key": done.after,
            "moved": done.moved,
            "left": list(done.left),
        }
        write_json(canonical_bytes(answer))
        return
    say(f"{done.moved} value{'' if done.moved == 1 else 's'} moved to the new key {done.after[:8]}.")
    if done.left:
        say(f"These could not be opened and stay as they are: {', '.join(done.left)}.")


def exec_(
    *command: Annotated[str, Parameter(help="The program and its arguments, after --.")],
    ref: Annotated[
        tuple[str, ...], Parameter(help="A reference to set; by default those that are named.")
    ] = (),
) -> int:
    """Run a program that reads values from $NUMEN_SECRET_<id>, or from the file $NUMEN_SECRET_<id>_FILE.

    They are set for this one program. Its arguments are passed on as they are: write the variable, in single
    quotes, never the value. The exit code is the program's.
    """
    if not command:
        raise InvalidInput("No program is named.", next_step="numen secret exec -- PROGRAM ARGUMENTS")
    secrets = load("secrets")
    refs = tuple(dict.fromkeys(ref or secrets.named_in(command)))
    if not refs:
        raise InvalidInput(
            "No reference is named.",
            not_done="The program was not started.",
            next_step="Name $NUMEN_SECRET_<id> in an argument, or give --ref S-ABCDEFGH.",
        )
    with _owner() as (app, scope):
        values = _values(app, scope, refs, "use")
        bindings = secrets.Bindings(app.settings.home, app.clock)
    with bindings.bound(values) as bound:
        return _run(command, {**os.environ, **bound.variables}, bound.descriptors)


@contextmanager
def _owner() -> Generator[tuple[App, Scope]]:
    """The services, and the owner of this home if that is who runs this. Raises `Forbidden` for others."""
    with closing(build(load_settings())) as app:
        scope = app.people.resolve(local_door())
        if not scope.is_owner:
            raise Forbidden("This home belongs to another account.", not_done="Nothing was read or changed.")
        yield app, scope


def _value(app: App, scope: Scope, ref: str, purpose: str) -> str:
    return _values(app, scope, (ref,), purpose)[ref]


def _values(app: App, scope: Scope, refs: Sequence[str], purpose: str) -> dict[str, str]:
    """All of them, or the error of the first that cannot be had."""
    secrets = load("secrets")
    demand = secrets.Demand(tuple(refs), secrets.Purpose(purpose))
    found = app.secrets.resolve(scope, demand)
    for missing, kind in ((found.refused, Forbidden), (found.unavailable, Unavailable)):
        for ref, why in missing.items():
            raise kind(f"{ref}: {why}", not_done="No value was used.", next_step="See numen secret list.")
    return dict(found.values)


def _run(command: Sequence[str], environment: dict[str, str], descriptors: tuple[int, ...]) -> int:
    """The program to its end. Ctrl-C is the program's to answer; other signals are passed on to it.

    The handlers stand before the program does, so no signal is missed; a program begins without them.
    """
    started: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def pass_on(number: int, _frame: object) -> None:
        if started:
            started[0].send_signal(number)
        else:
            early.append(number)

    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, pass_on)
    try:
        started.append(subprocess.Popen(command, env=environment, pass_fds=descriptors))
    except FileNotFoundError:
        sys.stderr.write(f"{command[0]}: there is no such program\n")
        return NOT_FOUND
    for number in early:
        started[0].send_signal(number)
    code = started[0].wait()
    return SIGNALLED - code if code < 0 else code


def _text_of(file: Path | None) -> str:
    data = sys.stdin.buffer.read() if file is None or str(file) == "-" else file.read_bytes()
    return data.decode("utf-8", "surrogateescape")


def _row(entry: Entry) -> Json:
    return {
        "ref": entry.ref,
        "label": entry.label,
        "state": entry.state,
        "created_at": iso(entry.created_at),
        "uses": entry.uses,
        "whose": entry.whose,
        "why": entry.why or None,
    }
