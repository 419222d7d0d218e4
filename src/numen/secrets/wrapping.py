"""A command or code around which the values of one call are set, where another program is to run it.

The command or code is never read and never changed: it follows as it was written, or whole as one literal.
What is set around it comes from private files (`Bindings.bound`), so no value is in any text that runs.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from numen.secrets.rules import variable

UNSET = 125
"""The exit code of a shell that could not read a value and then runs nothing, as env(1) has it."""


def for_shell(command: str, files: Mapping[str, str]) -> str:
    """`command` in a subshell in which each reference of `files` has its variable and the path of its file.

    A POSIX shell reads it. Outside of the subshell nothing is set. It holds the files' locks where flock(1)
    is installed, and removes them when it ends.
    """
    quoted = {ref: shlex.quote(path) for ref, path in files.items()}
    gone = shlex.quote("command rm -f -- " + " ".join(quoted.values()))
    lines = ["(", f"trap {gone} EXIT"]
    for number, (ref, path) in enumerate(quoted.items(), 3):
        name = variable(ref)
        if number <= _LAST_DIGIT:
            lines.append(f"exec {number}<{path} && {{ command flock -s {number} 2>/dev/null || :; }}")
        lines += [
            f"{name}=$(command cat -- {path} && printf .) || exit {UNSET}",
            f"{name}=${{{name}%.}} {name}_FILE={path}",
            f"export {name} {name}_FILE",
        ]
    return "\n".join((*lines, command, ")"))


def for_python(code: str, files: Mapping[str, str]) -> str:
    """`code` in an interpreter whose environment has, until it ends, what `for_shell` sets.

    The files are removed then. What the code defines stays defined, as it would without the values.
    """
    bound = {variable(ref): path for ref, path in files.items()}
    return _PYTHON.format(bound=bound, code=code)


_LAST_DIGIT = 9
"""POSIX.1-2017, 2.7: a shell needs to take descriptors of one digit only."""

_PYTHON = """\
def _numen_bound(run):
    import contextlib, fcntl, os
    with contextlib.ExitStack() as stack:
        for name, path in {bound!r}.items():
            file = stack.enter_context(open(path, "rb"))
            fcntl.flock(file, fcntl.LOCK_SH)
            stack.callback(lambda path=path: os.path.exists(path) and os.unlink(path))
            for key, value in ((name, os.fsdecode(file.read())), (name + "_FILE", path)):
                os.environ[key] = value
                stack.callback(os.environ.pop, key, None)
        run()
try:
    _numen_bound(lambda: exec(compile({code!r}, "<code>", "exec"), globals()))
finally:
    del _numen_bound
"""
