"""Putting a value into a file that a program will read: where its reference stands, or under a name."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import stat
from pathlib import Path

from numen.kernel import InvalidInput, NotFound, Unavailable
from numen.secrets.rules import REFERENCE

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PRIVATE = 0o600
_OTHERS = 0o077


def fill_file(path: Path, ref: str, value: str) -> int:
    """Put `value` where `ref` stands in the file, whole or not at all; how many times it stood there.

    Others lose the right to read the file. Raises `NotFound` if it is not there or does not hold the
    reference, `InvalidInput` if it is no text, `Unavailable` if it cannot be read or written.
    """
    text = _read(path)
    places = sum(match[1] == ref for match in REFERENCE.finditer(text))
    if not places:
        raise NotFound(
            f"{path} does not hold {ref}.",
            not_done="The file was left as it is.",
            next_step="Write the reference, [secret REF: label], where the value goes; or give --name.",
        )
    _write(path, REFERENCE.sub(lambda match: value if match[1] == ref else match[0], text))
    return places


def set_variable(path: Path, name: str, value: str) -> None:
    """Make `NAME=value` a line of an environment file, as a shell reads it, in place of one of that name.

    The file is made where it is missing; others lose the right to read it. Raises `InvalidInput` for a name
    that no variable can have, and as `fill_file`.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            "A variable's name has letters, digits and _ only, and begins with no digit.",
            not_done="The file was left as it is.",
        )
    text = _read(path) if path.exists() else ""
    own = re.compile(rf"^(?:export[ \t]+)?{name}=")
    lines = [line for line in text.splitlines() if not own.match(line)]
    _write(path, "".join(f"{line}\n" for line in (*lines, f"{name}={shlex.quote(value)}")))


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.", not_done="No value was used.") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} is not a text in UTF-8.", not_done="It was left as it is.") from None
    except OSError as error:
        raise _failed(path, "read", error) from error


def _write(path: Path, text: str) -> None:
    """Put `text` in place of the file that `path` names, a link's target included."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        mode = stat.S_IMODE(target.stat().st_mode) & ~_OTHERS if target.exists() else _PRIVATE
        try:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE)
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
                os.fchmod(file.fileno(), mode)
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise _failed(path, "written", error) from error


def _failed(path: Path, verb: str, error: OSError) -> Unavailable:
    return Unavailable(f"{path} could not be {verb}: {error.strerror}.", not_done="It was left as it is.")
