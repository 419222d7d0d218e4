"""aider's repo map as a process: run by the Python that aider is installed in, which need not know Numen.

`python peers_aider.py TREE --index` reads the tree once, as aider's first message does, and ends. Without
`--index` each line of stdin is JSON, `{"ask": words}`, and each line of stdout the answer: `text`, which is
what aider would put before its model, and `files`, those that the text shows, best first.

Words and names of files in a message are found by aider's own code. Sizes are those of aider's command line
for a model whose limits it does not know: 1,024 tokens, twice that while no file is in the chat. No model is
called. The map is sorted by name when it is shown; the order here is that of aider's ranking.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from aider.coders.base_coder import Coder
from aider.repomap import RepoMap

MAP_TOKENS = 1024
TIMES_WITHOUT_FILES = 2
WINDOW = 128_000


class Counter:
    """Stands where aider asks a model how many tokens a text has: bytes over four, as for everyone here."""

    def token_count(self, text: str) -> int:
        """Tokens of `text`."""
        return -(-len(text.encode()) // 4)


class Quiet:
    """Stands where aider talks to a person."""

    def read_text(self, path: str, **_: Any) -> str | None:
        """The text of a file, None where it is not text."""
        try:
            return Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeError):
            return None

    def tool_output(self, *_: Any, **__: Any) -> None:
        """Nothing is said."""

    tool_error = tool_warning = tool_output


class Ranked(RepoMap):
    """The map, which remembers in which order it ranked."""

    order: list[str]

    def get_ranked_tags(self, *arguments: Any, **named: Any) -> list[Any]:
        """What aider ranks; the names of its files are kept, best first."""
        tags = super().get_ranked_tags(*arguments, **named)
        self.order = list(dict.fromkeys(tag[0] for tag in tags))
        return tags


class Chat(Coder):
    """A chat in which nothing was said but one message, and no file was added."""

    def __init__(self, tree: Path) -> None:
        listed = subprocess.run(["git", "-C", str(tree), "ls-files", "-z"], capture_output=True, check=True)
        self.root = str(tree)
        self.tracked = [path for path in listed.stdout.decode().split("\0") if path]
        self.abs_fnames: set[str] = set()
        self.abs_read_only_fnames: set[str] = set()
        self.abs_root_path_cache: dict[str, str] = {}
        self.cur_messages: list[dict[str, str]] = []
        self.repo_map = Ranked(
            map_tokens=MAP_TOKENS,
            root=self.root,
            main_model=Counter(),
            io=Quiet(),
            max_context_window=WINDOW,
            map_mul_no_files=TIMES_WITHOUT_FILES,
        )

    def get_all_relative_files(self) -> list[str]:
        """What git tracks."""
        return sorted(self.tracked)

    def answer(self, words: str) -> dict[str, Any]:
        """The map for a message."""
        self.cur_messages = [{"role": "user", "content": words}]
        text = self.get_repo_map() or ""
        lines = text.splitlines()
        shown = {line.removesuffix(":") for line in lines if line}
        ranked = [path for path in self.repo_map.order if path in shown]
        return {"text": text, "files": ranked}


def main() -> None:
    """Index, or answer until stdin ends."""
    chat = Chat(Path(sys.argv[1]).resolve())
    # aider shows its progress on stdout, where the answers go.
    told, sys.stdout = sys.stdout, sys.stderr
    if "--index" in sys.argv:
        chat.answer("")
        return
    for line in sys.stdin:
        told.write(json.dumps(chat.answer(json.loads(line)["ask"])) + "\n")
        told.flush()


if __name__ == "__main__":
    main()
