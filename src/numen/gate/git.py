"""What a command of git does: most of it reads, some of it sends, and some takes work away for good."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from numen.gate import programs
from numen.gate.shell import Word
from numen.gate.types import EffectClass, Finding

_FORCED = re.compile(r"--force\S*|-[a-zA-Z]*f[a-zA-Z]*|--delete|-d|--mirror|--prune|[+:].*")


def git(arguments: Sequence[Word]) -> Iterator[Finding]:
    """What `git ARGUMENTS` does."""
    rest = list(arguments)
    while rest and (rest[0].text or rest[0].head).startswith("-"):
        option = rest.pop(0).text
        if option == "-C" and rest:
            rest.pop(0)
        elif option not in {"--no-pager", "-P", "--bare", "--no-optional-locks", "--version", "--help"}:
            yield Finding(EffectClass.EXEC, "git is told to run otherwise than it does")
    if not rest:
        yield Finding(EffectClass.READ, "git tells about itself")
        return
    name = rest[0].text
    texts = [one.text for one in rest[1:]]
    if name is None:
        yield Finding(EffectClass.EXEC, "what git does is known only when it runs", bounded=False)
    elif name in programs.SECRETS_IN["git"]:
        yield Finding(EffectClass.CREDENTIAL, "git shows credentials", name)
    elif _is_gone(name, texts):
        yield Finding(EffectClass.IRREVERSIBLE, f"git {name} takes work away for good", _shown(texts))
    elif name in programs.GIT_SENDS or (
        name == "archive" and any((one or "").startswith("--remote") for one in texts)
    ):
        yield Finding(EffectClass.EXTERNAL, f"git {name} reaches another machine", _shown(texts))
    elif name in {"remote", "submodule"} and texts[:1] in (["show"], ["update"], ["prune"], ["add"]):
        yield Finding(EffectClass.EXTERNAL, f"git {name} may reach another machine", _shown(texts))
    elif _is_reading(name, texts):
        yield Finding(EffectClass.READ, f"git {name} reads")
    else:
        yield Finding(EffectClass.EXEC, f"git {name} changes the repository", _shown(texts))


def _is_reading(name: str, texts: Sequence[str | None]) -> bool:
    for text in texts:
        if text is None or (name == "grep" and text.startswith("-O")):
            return False
        if text.startswith("--") and any(
            unsafe.startswith(text[2:].partition("=")[0]) for unsafe in programs.GIT_UNSAFE if len(text) > 2
        ):
            return False
    if name in programs.GIT_READS:
        return True
    lists = programs.GIT_LISTS.get(name)
    if lists is None:
        return name == "symbolic-ref" and len(texts) == 1
    if not texts:
        return name not in programs.GIT_NEEDS_WORD
    if name == "config":
        return any(
            text in {"--get", "--get-all", "--list", "-l", "--get-regexp", "list", "get"} for text in texts
        )
    if name in {"branch", "tag"}:
        options = [text for text in texts if text is not None and text.startswith("-")]
        named = len(options) < len(texts)
        known = all(
            text.partition("=")[0] in lists | {"--sort", "--format", "--contains", "--points-at"}
            for text in options
        )
        return known and (
            not named
            or bool(
                {"-l", "--list", "--merged", "--contains", "--no-merged", "--points-at"}
                & {text.partition("=")[0] for text in options}
            )
        )
    return texts[0] in lists or texts[0] == "-v"


def _is_gone(name: str, texts: Sequence[str | None]) -> bool:
    """Whether commits, files or branches go that git does not keep."""
    given = [text or "?" for text in texts]
    match name:
        case "push":
            return any(_FORCED.fullmatch(text) for text in given)
        case "reset":
            return any(text.startswith(("--hard", "--merge")) for text in given)
        case "clean":
            return not any(re.fullmatch(r"-[a-zA-Z]*n[a-zA-Z]*|--dry-run", text) for text in given)
        case "branch":
            return any(re.fullmatch(r"-D|-[a-z]*D[a-z]*|--delete|-d", text) for text in given)
        case "checkout" | "switch":
            return any(text in {"--", ".", "-f", "--force", "--discard-changes"} for text in given)
        case "restore":
            return not any(text in {"--staged", "-S"} for text in given) or "--worktree" in given
        case "stash" | "reflog" | "worktree":
            return given[:1] in (["drop"], ["clear"], ["expire"], ["delete"], ["remove"])
        case "gc":
            return any(text.startswith("--prune") for text in given)
        case "update-ref" | "tag":
            return any(text in {"-d", "--delete"} for text in given)
        case _:
            return name in {"filter-branch", "filter-repo", "prune"}


def _shown(texts: Sequence[str | None]) -> str | None:
    return " ".join(text or "…" for text in texts if not (text or "").startswith("-")) or None
