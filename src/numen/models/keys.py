"""Where a provider's key is found. A key is never logged, shown, or kept in an object that prints itself."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from numen.kernel import InvalidInput, Unavailable
from numen.store.files import make_directory, write_private

try:
    import keyring
    from keyring.errors import KeyringError
except ImportError:  # pragma: no cover - an extra
    keyring = None
    KeyringError = OSError

NAME = ".env"
"""Name of the file in `NUMEN_HOME`: one `NAME=value` a line."""

SERVICE = "numen-models"
"""Under which a keyring keeps the keys of providers."""

PATIENCE = 30.0
"""Seconds that a command may take to print a key (ours: a secret store may ask for a touch)."""

_OTHERS = 0o077


def find(home: Path, environ: Mapping[str, str], variable: str | None, command: Sequence[str]) -> str | None:
    """The key: of the command, where one is set, else by `variable` in the environment, `.env`, the keyring.

    Raises `InvalidInput` for a file that others may read, `Unavailable` where the command or keyring fails.
    """
    if command:
        return _from_command(command)
    if variable is None:
        return None
    return environ.get(variable) or read_file(home / NAME).get(variable) or _from_keyring(variable)


def read_file(path: Path) -> Mapping[str, str]:
    """The names and values in an environment file; nothing where there is none.

    Raises `InvalidInput` if others may read it, or a line is not `NAME=value`.
    """
    try:
        if stat.S_IMODE(path.stat().st_mode) & _OTHERS:
            raise InvalidInput(
                f"Others may read {path}.",
                not_done="Its keys were not used.",
                next_step=f"chmod 600 {path}, and change the keys if others were on this machine.",
            )
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(f"{path} cannot be read: {error}.", not_done="Its keys were not used.") from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("export ")
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.partition("=")
        if not equals or not name.strip().isidentifier():
            raise InvalidInput(
                f"Line {number} of {path} is not NAME=value.", not_done="Its keys were not used."
            )
        found[name.strip()] = _unquoted(value.strip())
    return found


def keep(home: Path, variable: str, key: str) -> Path:
    """Put a key into `.env`, in place of one of the same name; tells the file. Raises as `read_file`."""
    path = home / NAME
    read_file(path)
    try:
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        kept = [line for line in lines if line.strip().removeprefix("export ").partition("=")[0] != variable]
        if not home.exists():
            make_directory(home)
        write_private(path, "\n".join([*kept, f"{variable}={key}"]) + "\n")
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be written: {error.strerror}.", not_done="The key was not kept."
        ) from error
    return path


def _from_command(command: Sequence[str]) -> str:
    try:
        ran = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(
            f"The command that prints the model's key did not end well ({type(error).__name__}).",
            not_done="No model was asked.",
            next_step=f"Try it yourself: {command[0]}",
        ) from error
    key = ran.stdout.decode("utf-8", "replace").strip()
    if ran.returncode or not key:
        raise Unavailable(
            f"The command that prints the model's key gave none (exit code {ran.returncode}).",
            not_done="No model was asked.",
            next_step=f"Try it yourself: {command[0]}",
        )
    return key


def _from_keyring(variable: str) -> str | None:
    if keyring is None or keyring.get_keyring().priority < 1:
        return None
    try:
        return keyring.get_password(SERVICE, variable)
    except KeyringError as error:
        raise Unavailable(
            f"The keyring of this account cannot be read ({type(error).__name__}).",
            not_done="No model was asked.",
        ) from error


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
