"""Which words every project uses: `python -m benchmarks.localise_common REPO...` prints `fits/common.json`.

For each term, in how many of the repositories at least two commit messages say it. A word that all
projects use tells nothing about whether a question is about this one.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from benchmarks.localise_cases import commits, git, question
from numen.graph.terms import terms
from numen.kernel import digest

READ = 4000
"""Commits that are read of each repository, newest first."""

SAID = 2
"""Commits that must say a word for it to count in a repository."""

SHARED = 3
"""Repositories that must say a word for it to be in the table."""


def words_of(repository: Path) -> set[str]:
    """The terms that at least two commit messages of `repository` say."""
    said: Counter[str] = Counter()
    for commit in commits(repository, limit=READ):
        said.update(set(terms(question(commit.subject, commit.body))))
    return {term for term, count in said.items() if count >= SAID}


def table(repositories: list[Path]) -> dict[str, object]:
    """The fit file: how many repositories say each shared word."""
    counted: Counter[str] = Counter()
    for repository in repositories:
        counted.update(words_of(repository))
    heads = sorted(git(repository, "rev-parse", "HEAD").strip() for repository in repositories)
    shared = {term: count for term, count in sorted(counted.items()) if count >= SHARED}
    return {
        "value": {"repositories": len(repositories), "words": shared},
        "model": "counted",
        "data_digest": digest("\n".join(heads).encode()),
        "report": f"Terms in at least {SAID} of the newest {READ:,} commit messages of at least {SHARED} of "
        f"{len(repositories)} public repositories; the digest is over their sorted commits.",
    }


def main() -> None:
    """Read the command line, count, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.localise_common", description=__doc__)
    parser.add_argument("repositories", type=Path, nargs="+")
    print(json.dumps(table(parser.parse_args().repositories), indent=0, ensure_ascii=False, sort_keys=True))


if __name__ == "__main__":
    main()
