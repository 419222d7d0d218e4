"""Programs of which it depends on their arguments whether they read, write, send or destroy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from numen.gate import programs
from numen.gate.git import git
from numen.gate.shell import Word
from numen.gate.types import EffectClass, Finding

_AWK_ACTS = re.compile(r"system|getline|[|>]|@load|@include|printf?\s*.*>|close\s*\(|-i\b")
_SED_READS = re.compile(
    r"(?:(?:\d+|\$|/(?:\\.|[^/\\])*/)(?:,(?:\d+|\$|\+\d+|/(?:\\.|[^/\\])*/))?)?!?[pdq=]|s([/|#,:@])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[gpiI0-9]*"
)
_LOWER_NAME = re.compile(r"[a-z_][a-z0-9_]*")


def shown(words: Sequence[Word]) -> str | None:
    """What is known of the target."""
    known = [word.text if word.text is not None else f"{word.head}…" for word in words]
    return " ".join(text for text in known if not text.startswith("-")) or None


def _curl(arguments: Sequence[Word]) -> Iterator[Finding]:
    texts = [one.text for one in arguments]
    if texts in (["--version"], ["--help"]):
        yield Finding(EffectClass.READ, "it tells its version")
    elif method(texts) == "DELETE":
        yield Finding(EffectClass.IRREVERSIBLE, "it deletes on another machine", shown(arguments))
    else:
        yield Finding(EffectClass.EXTERNAL, "curl reaches another machine", shown(arguments))


def method(texts: Sequence[str | None]) -> str:
    for place, text in enumerate(texts):
        if text in {"-X", "--request", "--method"} and place + 1 < len(texts):
            return (texts[place + 1] or "?").upper()
        for prefix in ("-X", "--request=", "--method="):
            if text is not None and text.startswith(prefix) and len(text) > len(prefix):
                return text.removeprefix(prefix).upper()
    return ""


def _dd(arguments: Sequence[Word]) -> Iterator[Finding]:
    writes = [one for one in arguments if (one.text or one.head).startswith("of=") or one.text is None]
    if writes:
        yield Finding(EffectClass.IRREVERSIBLE, "dd writes over what is there", shown(writes))
    else:
        yield Finding(EffectClass.READ, "dd reads")


def _rsync(arguments: Sequence[Word]) -> Iterator[Finding]:
    if any((one.text or "").startswith(("--del", "--remove-source")) for one in arguments):
        yield Finding(EffectClass.IRREVERSIBLE, "rsync deletes", shown(arguments))
    remote = any(":" in (one.text or ":") and not (one.text or "").startswith("-") for one in arguments)
    cls = EffectClass.EXTERNAL if remote else EffectClass.EXEC
    yield Finding(cls, "rsync copies", shown(arguments))


def _awk(arguments: Sequence[Word]) -> Iterator[Finding]:
    options = [one for one in arguments if (one.text or one.head).startswith("-")]
    plain = all(re.fullmatch(r"-F.*|-v|--", one.text or "?") for one in options)
    texts = [one.text for one in arguments]
    code = next((text for text in texts if text is None or not re.match(r"-F.+|-", text)), None)
    if (
        plain
        and code is not None
        and not any(text is None for text in texts[:2])
        and not any(_AWK_ACTS.search(text) for text in texts if text is not None)
    ):
        yield Finding(EffectClass.READ, "awk reads")
    else:
        yield Finding(EffectClass.EXEC, "awk may run or write", bounded=code is not None)


def _sed(arguments: Sequence[Word]) -> Iterator[Finding]:
    scripts: list[str | None] = []
    rest = list(arguments)
    while rest:
        text = rest.pop(0).text
        if text in {"-e", "--expression"}:
            scripts.append(rest.pop(0).text if rest else None)
        elif text is not None and re.fullmatch(r"-[nrEzu]+|--quiet|--silent|--regexp-extended", text):
            continue
        elif not scripts or text is None or text.startswith("-"):
            scripts.append(None if text is None or text.startswith("-") else text)
    lines = [part.strip() for script in scripts for part in re.split(r"[;\n]", script or "?")]
    if scripts and all(_SED_READS.fullmatch(line) for line in lines if line):
        yield Finding(EffectClass.READ, "sed reads")
    else:
        yield Finding(EffectClass.EXEC, "sed may write", shown(arguments))


def _printenv(arguments: Sequence[Word]) -> Iterator[Finding]:
    if arguments and all(one.text in _PUBLIC_VARIABLES for one in arguments):
        yield Finding(EffectClass.READ, "it shows a variable")
    else:
        yield Finding(EffectClass.CREDENTIAL, "it shows variables, keys among them")


_PUBLIC_VARIABLES = programs.HARMLESS_VARIABLES | {
    "PATH",
    "HOME",
    "USER",
    "SHELL",
    "PWD",
    "EDITOR",
    "LOGNAME",
}


def _set(arguments: Sequence[Word]) -> Iterator[Finding]:
    if arguments and all(
        re.fullmatch(r"[-+][a-zA-Z]+|pipefail|errexit|nounset|xtrace", one.text or "?") for one in arguments
    ):
        yield Finding(EffectClass.READ, "it sets how the shell goes on")
    else:
        yield Finding(EffectClass.CREDENTIAL, "it shows every variable, keys among them")


def _declare(arguments: Sequence[Word]) -> Iterator[Finding]:
    if any(re.fullmatch(r"-[aAifnprtlu]*[fnpiuF][a-zA-Z]*", one.text or "?") for one in arguments):
        yield Finding(EffectClass.EXEC, "it changes or shows what names mean")
    else:
        yield Finding(EffectClass.READ, "it declares a variable")


def _alias(arguments: Sequence[Word]) -> Iterator[Finding]:
    if arguments:
        yield Finding(EffectClass.EXEC, "an alias changes what a word means", bounded=False)
    else:
        yield Finding(EffectClass.READ, "it lists aliases")


def _history(arguments: Sequence[Word]) -> Iterator[Finding]:
    if any((one.text or "-c").startswith("-") for one in arguments):
        yield Finding(EffectClass.IRREVERSIBLE, "it changes the shell's history")
    else:
        yield Finding(EffectClass.READ, "it lists the history")


def _crontab(arguments: Sequence[Word]) -> Iterator[Finding]:
    texts = [one.text for one in arguments]
    if texts == ["-l"]:
        yield Finding(EffectClass.READ, "it lists the jobs")
    elif "-r" in texts:
        yield Finding(EffectClass.IRREVERSIBLE, "it drops every job")
    else:
        yield Finding(EffectClass.EXEC, "it changes the jobs")


def _hermes(arguments: Sequence[Word]) -> Iterator[Finding]:
    texts = [one.text for one in arguments]
    if "send" in texts:
        target = next(
            (texts[at + 1] for at, text in enumerate(texts[:-1]) if text in {"--to", "-t", "--target"}), None
        )
        yield Finding(EffectClass.CONTACT_MESSAGE, "hermes sends a message", target or shown(arguments[1:2]))
    else:
        yield Finding(EffectClass.EXEC, "hermes is not known to only read")


def _unset(arguments: Sequence[Word]) -> Iterator[Finding]:
    if all(_LOWER_NAME.fullmatch(one.text or "?") for one in arguments):
        yield Finding(EffectClass.READ, "it drops a variable")
    else:
        yield Finding(EffectClass.EXEC, "it changes what programs see")


def _read_builtin(arguments: Sequence[Word]) -> Iterator[Finding]:
    names = [one for one in arguments if not (one.text or "?").startswith("-")]
    if all(_LOWER_NAME.fullmatch(one.text or "?") for one in names):
        yield Finding(EffectClass.READ, "it reads a line")
    else:
        yield Finding(EffectClass.EXEC, "it sets a variable that programs see")


def _tar(arguments: Sequence[Word]) -> Iterator[Finding]:
    first = arguments[0].text if arguments else None
    lists = first is not None and re.fullmatch(r"-?[tvfzjJ]*t[tvfzjJ]*", first) is not None
    others = all((one.text or "-").startswith("-") is False for one in arguments[1:])
    cls = EffectClass.READ if lists and others else EffectClass.EXEC
    yield Finding(cls, "tar lists" if cls is EffectClass.READ else "tar writes")


def _unzip(arguments: Sequence[Word]) -> Iterator[Finding]:
    lists = bool(arguments) and re.fullmatch(r"-[lvtz]+", arguments[0].text or "?") is not None
    yield Finding(EffectClass.READ if lists else EffectClass.EXEC, "unzip")


SPECIAL: Mapping[str, Callable[[Sequence[Word]], Iterator[Finding]]] = {
    "git": git,
    "curl": _curl,
    "dd": _dd,
    "rsync": _rsync,
    "awk": _awk,
    "gawk": _awk,
    "mawk": _awk,
    "sed": _sed,
    "gsed": _sed,
    "printenv": _printenv,
    "set": _set,
    "export": _declare,
    "declare": _declare,
    "typeset": _declare,
    "local": _declare,
    "readonly": _declare,
    "alias": _alias,
    "history": _history,
    "crontab": _crontab,
    "hermes": _hermes,
    "unset": _unset,
    "read": _read_builtin,
    "tar": _tar,
    "unzip": _unzip,
}
