"""Small repositories to look at."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

PARSER = '''"""Reads settings."""


def parse_settings(text: str) -> dict[str, str]:
    """Settings, one `name = value` a line; comments are left out."""
    found = {}
    for line in text.splitlines():
        name, _, value = line.partition("=")
        if not line.startswith("#"):
            found[name.strip()] = value.strip()
    return found


class SettingsError(Exception):
    """A line that is no setting."""
'''
SERVER = '''"""Serves pages."""

from parser import parse_settings


def start_server(path: str) -> None:
    """Read the settings at `path` and listen on the port that they name."""
    settings = parse_settings(open(path).read())
    listen(int(settings["port"]))


def listen(port: int) -> None:
    """Wait for visitors on `port`."""
'''
FILES = {
    "src/parser.py": PARSER,
    "src/server.py": SERVER,
    "docs/guide.md": "# Guide\n\n## Choosing a port\n\nWrite `port = 80` into the settings.\n",
}

_CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git(folder: Path, *words: str) -> str:
    """What git says in `folder`."""
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *words]
    done = subprocess.run(command, cwd=folder, env=_CLEAN, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write(root: Path, files: Mapping[str, str]) -> Path:
    """`files` in `root`."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def commit(root: Path, message: str = "Begin") -> str:
    """Everything in `root` as a commit; gives its name."""
    git(root, "add", "-A")
    git(root, "commit", "--allow-empty", "-qm", message)
    return git(root, "rev-parse", "HEAD")


def repository(root: Path, files: Mapping[str, str] = FILES) -> Path:
    """A git repository at `root` with `files` in one commit."""
    write(root, files)
    git(root, "init", "-q")
    commit(root)
    return root
