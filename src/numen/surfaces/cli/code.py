"""`numen north`, `numen seek`, `numen impact`: the three questions about a repository."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from numen.surfaces.cli.show import show_impact, show_packet, show_seek
from numen.surfaces.cli.terminal import answered, parsed, write_json

Task = Annotated[str, Parameter(help="What you are about to do, in words.")]
Repo = Annotated[str | None, Parameter(help="A path in the repository; by default where you stand.")]
Within = Annotated[str | None, Parameter(help="A path prefix to stay in, or light:: for memories alone.")]
Budget = Annotated[int | None, Parameter(help="Largest size of the answer, in units of four bytes.")]
AsJson = Annotated[bool, Parameter(name="--json", help="Print the bytes that every door gives.")]
Ascii = Annotated[bool, Parameter(name="--ascii", help="Draw the card in ASCII.")]


def north(
    task: Task,
    /,
    *,
    repo: Repo = None,
    agent_id: Annotated[str | None, Parameter(help="Who asks.")] = None,
    top_k: Annotated[int | None, Parameter(help="How many places to show, 1 to 50.")] = None,
    within: Within = None,
    tier: Annotated[
        str | None, Parameter(help="Whose memories: project, medulla, project+medulla, all-brains.")
    ] = None,
    caller_root: Annotated[str | None, Parameter(help="Where the caller works, if not here.")] = None,
    budget_tokens: Budget = None,
    json: AsJson = False,
    ascii: Ascii = False,  # noqa: A002 - the option's own name
) -> None:
    """Orient before touching a repository: the card, then where to start, what is known, and what is not."""
    answer = answered(
        "north",
        {
            "task": task,
            "repo": repo,
            "agent_id": agent_id,
            "top_k": top_k,
            "within": within,
            "tier": tier,
            "caller_root": caller_root,
            "budget_tokens": budget_tokens,
            "ascii": ascii or None,
        },
    )
    if json:
        write_json(answer)
    else:
        show_packet(parsed(answer))


def seek(
    query: Annotated[str, Parameter(help="Words or identifiers.")],
    /,
    *,
    repo: Repo = None,
    k: Annotated[int | None, Parameter(name=("-k", "--k"), help="How many, 1 to 50.")] = None,
    within: Within = None,
    budget_tokens: Budget = None,
    json: AsJson = False,
) -> None:
    """Find code by words or identifiers: ranked definitions with their text."""
    answer = answered(
        "seek", {"query": query, "repo": repo, "k": k, "within": within, "budget_tokens": budget_tokens}
    )
    if json:
        write_json(answer)
    else:
        show_seek(parsed(answer))


def impact(
    symbol: Annotated[str, Parameter(help="A node id (path::Name) or a name.")],
    /,
    *,
    repo: Repo = None,
    direction: Annotated[
        Literal["dependents", "dependencies"] | None, Parameter(help="Which way to follow.")
    ] = None,
    depth: Annotated[int | None, Parameter(help="How many hops.")] = None,
    budget_tokens: Budget = None,
    json: AsJson = False,
) -> None:
    """Show who depends on a symbol, with the certainty of each hop, tests first."""
    answer = answered(
        "impact",
        {
            "symbol": symbol,
            "repo": repo,
            "direction": direction,
            "depth": depth,
            "budget_tokens": budget_tokens,
        },
    )
    if json:
        write_json(answer)
    else:
        show_impact(parsed(answer))
