"""What a shell command does: the class of its worst part, and what is known of its target.

A command is `read` only where every part of it is proven to read; whatever is not proven is `exec`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from numen.gate import places, programs
from numen.gate.options import SPECIAL, method, shown
from numen.gate.shell import UNKNOWN, Command, Redirect, Script, Word, parse
from numen.gate.types import EffectClass, Finding

DEEPEST = 8
"""Scripts within scripts that are followed (ours)."""

_SILENT = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d+)|\d+|-")
_DESCRIPTOR = re.compile(r"\d+-?|-")
_LOWER_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_GONE_SQL = re.compile(
    r"\b(?:drop|delete\s+from|truncate|dropdatabase|drop_collection|deletemany|remove\s*\()", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was found in a command; `bounded` is False where a part of it is known only when it runs."""

    findings: tuple[Finding, ...]
    bounded: bool

    @property
    def worst(self) -> Finding:
        """The finding of the gravest class; of a command that does nothing, that it reads."""
        return max(
            self.findings, key=lambda one: one.cls.gravity, default=Finding(EffectClass.READ, "nothing")
        )


def read_command(text: str) -> Reading:
    """What `text` does. Never raises: what cannot be read is `exec`, and not bounded."""
    return _read_script(parse(text), 0)


def _read_script(script: Script, depth: int) -> Reading:
    findings: list[Finding] = []
    if script.opaque is not None:
        findings.append(Finding(EffectClass.EXEC, script.opaque, bounded=False))
    for command in script.commands:
        findings.extend(_Reader(script.functions, depth).read(command))
    return Reading(tuple(findings), all(one.bounded for one in findings))


@dataclass(frozen=True, slots=True)
class _Reader:
    functions: frozenset[str]
    depth: int

    def read(self, command: Command) -> Iterator[Finding]:
        """What one simple command does, what it is redirected to included."""
        yield from self._assigned(command)
        makes_nothing = command.name is None or command.name.text in {":", "true"}
        for redirect in command.redirects:
            yield from _redirected(redirect, empties=makes_nothing and not command.piped)
        if command.name is not None:
            yield from self._run(command.name, command.arguments, command)

    def _assigned(self, command: Command) -> Iterator[Finding]:
        for name, _ in command.assigned:
            own = command.name is None or command.name.text in {"local", "declare", "readonly", "typeset"}
            if own and _LOWER_NAME.fullmatch(name) and not name.endswith("_proxy"):
                continue
            if name in programs.HARMLESS_VARIABLES or name.startswith("LC_"):
                continue
            yield Finding(EffectClass.EXEC, f"{name or 'a variable'} may change what programs do", name)

    def _run(self, name: Word, arguments: Sequence[Word], command: Command) -> Iterator[Finding]:
        if name.text is None or name.loose:
            yield Finding(EffectClass.EXEC, "which program runs is known only when it runs", bounded=False)
            return
        program = name.text.rpartition("/")[2]
        if name.text in self.functions:
            return  # its body was read where it stands
        yield from places.touched(program, arguments)
        if "/" in name.text and not name.text.startswith(("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/")):
            yield Finding(EffectClass.EXEC, "a program of its own is run", name.text)
            return
        if program in programs.WRAPPERS:
            yield from self._wrapped(program, arguments, command)
        elif program in programs.INTERPRETERS:
            yield from self._interpreted(program, arguments, command)
        elif program == "eval":
            yield from self._script(_sentence(arguments))
        elif program == "find":
            yield from self._find(arguments)
        else:
            yield from _program(program, arguments, command)

    def _script(self, text: str | None) -> Iterator[Finding]:
        """A script inside of a command."""
        if text is None or self.depth >= DEEPEST:
            yield Finding(EffectClass.EXEC, "a script is run that is known only when it runs", bounded=False)
        else:
            yield from _read_script(parse(text), self.depth + 1).findings

    def _wrapped(self, program: str, arguments: Sequence[Word], command: Command) -> Iterator[Finding]:
        takes_value = programs.WRAPPERS[program]
        rest = list(arguments)
        if program == "command" and rest and rest[0].text in {"-v", "-V"}:
            yield Finding(EffectClass.READ, "it looks a program up")
            return
        while rest and (rest[0].text or rest[0].head).startswith("-"):
            option = rest.pop(0).text
            if option is None or (
                program in {"env", "sudo"} and option in {"-S", "--split-string", "-e", "--edit"}
            ):
                yield Finding(
                    EffectClass.EXEC, f"{program} is told something that cannot be read", bounded=False
                )
                return
            if option == "--":
                break
            if program in programs.OPENS_SHELL and option in {"-i", "-s", "--login", "--shell"}:
                yield Finding(EffectClass.EXEC, f"{program} opens a shell", bounded=False)
            if len(option) == 2 and option[1] in takes_value and rest:
                rest.pop(0)
        del rest[: programs.BEFORE_COMMAND.get(program, 0)]
        assigned: list[tuple[str, Word]] = []
        while program in {"env", "sudo", "doas"} and rest and _is_assignment(rest[0]):
            variable, _, value = (rest.pop(0).text or "").partition("=")
            assigned.append((variable, Word(value, value)))
        yield from self._assigned(Command(Word(program), assigned=tuple(assigned)))
        if not rest:
            yield from _bare(program)
            return
        if program == "watch":
            yield from self._script(_sentence(rest))
            return
        if program in {"xargs", "parallel"}:
            rest.append(UNKNOWN)
        inner = Command(
            rest[0], tuple(rest[1:]), piped=command.piped and program != "xargs", script=command.script
        )
        yield from (
            _Reader(self.functions, self.depth + 1).read(inner)
            if self.depth < DEEPEST
            else self._script(None)
        )

    def _interpreted(self, program: str, arguments: Sequence[Word], command: Command) -> Iterator[Finding]:
        texts = [one.text for one in arguments]
        if program in programs.VERSIONED and texts in (["--version"], ["-V"], ["--help"], ["-v"]):
            yield Finding(EffectClass.READ, "it tells its version")
            return
        if program in programs.SHELLS:
            for place, text in enumerate(texts):
                if text is not None and re.fullmatch(r"-[a-z]*c", text):
                    following = arguments[place + 1 :]
                    yield from self._script(
                        following[0].text if following and not following[0].loose else None
                    )
                    return
        runs_stdin = (
            not any(text is None or not text.startswith("-") or text == "-" for text in texts)
            or "-s" in texts
        )
        runs_stdin = runs_stdin or texts == ["-"] or texts == ["/dev/stdin"]
        if runs_stdin and command.script is not None and program in programs.SHELLS:
            yield from self._script(command.script)
            return
        known = not runs_stdin and all(one.text is not None for one in arguments[:1]) and not _has_code(texts)
        yield Finding(EffectClass.EXEC, f"{program} runs a program", shown(arguments), bounded=known)

    def _find(self, arguments: Sequence[Word]) -> Iterator[Finding]:
        words = list(arguments)
        yield Finding(EffectClass.READ, "find lists")
        while words:
            word = words.pop(0)
            text = word.text
            if text is None and (not word.head or word.head.startswith("-")):
                yield Finding(EffectClass.EXEC, "find is told something that cannot be read", bounded=False)
            elif text == "-delete":
                yield Finding(EffectClass.IRREVERSIBLE, "find deletes what it finds")
            elif text in {"-fprint", "-fprint0", "-fprintf", "-fls"}:
                yield Finding(EffectClass.EXEC, "find writes a file")
            elif text in {"-exec", "-execdir", "-ok", "-okdir"}:
                ends = next((at for at, one in enumerate(words) if one.text in {";", "+"}), len(words))
                run = [Word(None, "./") if "{}" in (one.text or "") else one for one in words[:ends]]
                del words[: ends + 1]
                if run and self.depth < DEEPEST:
                    yield from _Reader(self.functions, self.depth + 1).read(Command(run[0], tuple(run[1:])))
                else:
                    yield from self._script(None)


def _program(program: str, arguments: Sequence[Word], command: Command) -> Iterator[Finding]:
    """A program that runs no other."""
    texts = [one.text for one in arguments]
    special = SPECIAL.get(program)
    if program in programs.VERSIONED and texts in (["--version"], ["--help"]):
        yield Finding(EffectClass.READ, "it tells its version")
    elif program in {"export", "declare", "typeset"} and not texts and not command.assigned:
        yield from _bare("env")
    elif special is not None:
        yield from special(arguments)
    elif program in programs.DESTROYS or program.startswith("mkfs"):
        yield Finding(EffectClass.IRREVERSIBLE, f"{program} destroys", shown(arguments))
    elif program in programs.CREDENTIALS:
        yield Finding(EffectClass.CREDENTIAL, f"{program} handles credentials", shown(arguments))
    elif program in programs.PAYS and any(text in programs.PAYS[program] for text in texts):
        yield Finding(EffectClass.MONEY, f"{program} moves money", shown(arguments))
    elif program in programs.SUBCOMMANDS or program in programs.SECRETS_IN:
        yield from _subcommands(program, arguments)
    elif program in programs.SQL:
        yield _sql(program, texts, command)
    elif program in programs.SENDS:
        yield Finding(EffectClass.EXTERNAL, f"{program} reaches other machines", shown(arguments))
    elif program in programs.READS:
        yield Finding(EffectClass.READ, f"{program} reads")
    elif program in programs.READS_UNLESS:
        yield _reads_unless(program, arguments)
    else:
        yield Finding(EffectClass.EXEC, f"{program} is not known to only read", program)


def _bare(program: str) -> Iterator[Finding]:
    if program in {"env", "export"}:
        yield Finding(EffectClass.CREDENTIAL, "it shows every variable, keys among them")
    elif program in programs.OPENS_SHELL:
        yield Finding(EffectClass.EXEC, f"{program} opens a shell", bounded=False)
    else:
        yield Finding(EffectClass.READ, f"{program} runs nothing")


def _subcommands(program: str, arguments: Sequence[Word]) -> Iterator[Finding]:
    kinds = programs.SUBCOMMANDS.get(program, {})
    texts = [one.text for one in arguments]
    if any(text in programs.SECRETS_IN.get(program, ()) for text in texts):
        yield Finding(EffectClass.CREDENTIAL, f"{program} handles credentials", shown(arguments))
    if program == "gh" and method(texts) == "DELETE":
        yield Finding(EffectClass.IRREVERSIBLE, "gh deletes", shown(arguments))
    if any(text in kinds.get("gone", ()) for text in texts):
        yield Finding(EffectClass.IRREVERSIBLE, f"{program} takes something away for good", shown(arguments))
    first = next((text for text in texts if text is None or not text.startswith("-")), None)
    first = first or (texts[0] if texts else None)
    if first in kinds.get("read", ()) and all(text is not None for text in texts[:1]):
        yield Finding(EffectClass.READ, f"{program} {first} reads")
    elif first in kinds.get("send", ()):
        yield Finding(EffectClass.EXTERNAL, f"{program} reaches other machines", shown(arguments))
    else:
        yield Finding(EffectClass.EXEC, f"{program} is not known to only read here", shown(arguments))


def _reads_unless(program: str, arguments: Sequence[Word]) -> Finding:
    letters, names = programs.READS_UNLESS[program]
    most = programs.POSITIONALS.get(program)
    others = [one for one in arguments if not (one.text or one.head).startswith(("-", "+"))]
    if _may_hold(arguments, letters, names) or (most is not None and len(others) > most):
        return Finding(EffectClass.EXEC, f"{program} may write here", program)
    if program == "date" and any(not (one.text or "").startswith("+") for one in others if one.text):
        return Finding(EffectClass.EXEC, "date may set the clock", program)
    if program == "ip" and any(one.text in _IP_CHANGES for one in arguments):
        return Finding(EffectClass.EXEC, "ip changes the network", program)
    if program in {"less", "more"} and any(
        (one.text or one.head or "+").startswith("+") for one in arguments
    ):
        return Finding(EffectClass.EXEC, f"{program} runs a command of its own", program)
    return Finding(EffectClass.READ, f"{program} reads")


_IP_CHANGES = frozenset("add del delete change replace set flush append save restore exec".split())


def _may_hold(arguments: Iterable[Word], letters: str, names: Iterable[str]) -> bool:
    """Whether one of these options is, or may be, among the arguments."""
    for one in arguments:
        text = one.text
        if text is None or one.loose:
            if not one.head or one.head[0] in "-*?[" or (text is None and one.loose):
                return True
            continue
        if text == "--":
            return False
        if text.startswith("--"):
            given = text[2:].partition("=")[0]
            if any(name.startswith(given) for name in names):
                return True
        elif text.startswith("-") and any(letter in text[1:] for letter in letters):
            return True
    return False


def _redirected(redirect: Redirect, *, empties: bool) -> Iterator[Finding]:
    target = redirect.target.text
    if target is not None and target.startswith(("/dev/tcp/", "/dev/udp/")):
        yield Finding(EffectClass.EXTERNAL, "it talks to another machine", target)
        return
    if target is not None and places.is_secret(target):
        yield Finding(EffectClass.CREDENTIAL, "a credential's file", target)
    if redirect.operator in {"<", "<<<", "<&"}:
        if redirect.operator == "<<<" and target is None:
            yield Finding(EffectClass.READ, "it reads a text")
        return
    if target is None or redirect.target.loose:
        yield Finding(EffectClass.EXEC, "it writes to a place that is known only when it runs")
    elif (redirect.operator in {">&", "<&"} and _DESCRIPTOR.fullmatch(target)) or _SILENT.fullmatch(target):
        return
    elif target.startswith("/dev/"):
        yield Finding(EffectClass.IRREVERSIBLE, "it writes over a device", target)
    elif empties and ">>" not in redirect.operator:
        yield Finding(EffectClass.IRREVERSIBLE, "it empties a file", target)
    else:
        yield Finding(EffectClass.EXEC, "it writes a file", target)


def _sql(program: str, texts: Sequence[str | None], command: Command) -> Finding:
    said = " ".join(text for text in (*texts, command.script) if text is not None)
    if _GONE_SQL.search(said):
        return Finding(EffectClass.IRREVERSIBLE, f"{program} is told to take rows or tables away", program)
    known = all(text is not None for text in texts) and not command.piped
    return Finding(EffectClass.EXEC, f"{program} is told something", program, bounded=known)


def _is_assignment(word: Word) -> bool:
    return re.match(r"[A-Za-z_]\w*=", word.text or "") is not None


def _has_code(texts: Sequence[str | None]) -> bool:
    return any(
        text is not None and re.fullmatch(r"-[a-zA-Z]*[ceEr]|--eval|--execute|-", text) for text in texts
    )


def _sentence(words: Sequence[Word]) -> str | None:
    """The words as one script, or None where one of them is not known."""
    if any(word.text is None or word.loose for word in words):
        return None
    return " ".join(word.text or "" for word in words)
