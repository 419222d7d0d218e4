"""What `seek` and `impact` answer, and how an answer is fitted to a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from numen.graph.types import Certainty, EdgeKind, Freshness, Hit, Node
from numen.kernel import Json, canonical_text, tokens

Body = dict[str, Json]

SPAN_LINES = 12
"""Lines of text that a full result shows; `lines` says how many there are."""


@dataclass(frozen=True, slots=True)
class Found:
    """One result of `seek`: a ranked node, whether its file is still the indexed one, and its first lines."""

    hit: Hit
    text: str

    def full(self) -> Body:
        """Everything: place, signature, score, why, freshness and text."""
        body = self.compact() | {"kind": self.hit.node.kind.value, "why": list(self.hit.why)}
        body |= {"freshness": self.hit.freshness.value}
        if self.hit.node.signature:
            body["signature"] = self.hit.node.signature
        return body | {"text": self.text} if self.text else body

    def brief(self) -> Body:
        """The full form without text and signature."""
        body = self.full()
        return {name: part for name, part in body.items() if name not in ("text", "signature")}

    def compact(self) -> Body:
        """Where, and how good. What is not fresh says so even here."""
        node = self.hit.node
        body: Body = {"id": node.id, "lines": f"{node.start}-{node.end}", "score": self.hit.score}
        if self.hit.freshness in (Freshness.CHANGED, Freshness.MISSING):
            body["freshness"] = self.hit.freshness.value
        return body


@dataclass(frozen=True, slots=True)
class SeekAnswer:
    """The ranked results of one query. `match` is `strong`, `weak` or `none`; `none` has no results.

    `note` says why there is none: an empty index, a folder without files, and no match are three things.
    """

    query: str
    match: str
    found: tuple[Found, ...]
    searched: int
    note: str = ""
    budget_tokens: int | None = None

    def as_json(self) -> Body:
        """The answer, in the fullest form whose every result fits the budget, else as many as fit.

        `dropped` counts results that were found and not shown, `form` says how much of each is shown.
        """
        head: Body = {"query": self.query, "match": self.match, "searched": self.searched}
        if self.note:
            head["note"] = self.note
        for form, rows in (
            ("full", [one.full() for one in self.found]),
            ("brief", [one.brief() for one in self.found]),
            ("compact", [one.compact() for one in self.found]),
        ):
            body = head | {"form": form, "results": rows}
            if self.budget_tokens is None or _cost(body) <= self.budget_tokens:
                return body
        return _fitted(
            [one.compact() for one in self.found],
            lambda rows, dropped: {
                "match": self.match,
                "form": "compact",
                "results": rows,
                "dropped": dropped,
            },
            self.budget_tokens or 0,
        )


@dataclass(frozen=True, slots=True)
class Reached:
    """One node that is affected (or depended on), `hop` steps away.

    `via` is the node one step nearer, `kind` and `edge` what joins them, and `certainty` the least sure
    step on the whole way.
    """

    node: Node
    hop: int
    kind: EdgeKind
    via: str
    edge: Certainty
    certainty: Certainty
    is_test: bool

    def reason(self) -> str:
        """The step in words: `calls Flask.run`."""
        name = self.via.partition("::")[2] or self.via
        return f"{self.kind.value} {name}"

    def as_json(self) -> Body:
        """The wire form; `test` only where it is one, `via` only where the step ends short of the target."""
        body: Body = {
            "id": self.node.id,
            "lines": f"{self.node.start}-{self.node.end}",
            "hop": self.hop,
            "certainty": self.certainty.label,
            "reason": self.reason(),
        }
        if self.hop > 1:
            body["via"] = self.via
        return body | {"test": True} if self.is_test else body


@dataclass(frozen=True, slots=True)
class ImpactAnswer:
    """What depends on a symbol, or what it depends on; tests first, then near before far.

    `state` is `found`, `ambiguous` (then `candidates` are the ids that the name may mean, and nothing was
    followed) or `unknown` (then they are the nearest names). `uncertain` counts uses of the symbol's name
    that could not be tied to one definition: they may be affected and are in no row.
    """

    symbol: str
    state: str
    direction: str
    depth: int
    targets: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    reached: tuple[Reached, ...] = ()
    changed_with: tuple[tuple[str, float], ...] = ()
    uncertain: int = 0
    budget_tokens: int | None = None

    def as_json(self) -> Body:
        """The answer with as many rows as the budget allows; `dropped` counts the rest."""
        if self.state != "found":
            words = {"ambiguous": "several things have this name; ask with one of these ids"}
            note = words.get(self.state, "nothing has this name; these are the nearest")
            return self._offer(note)
        head: Body = {
            "symbol": self.symbol,
            "state": self.state,
            "direction": self.direction,
            "targets": list(self.targets[:5]),
            "counts": {
                "tests": sum(one.is_test for one in self.reached),
                "direct": sum(one.hop == 1 for one in self.reached),
                "all": len(self.reached),
                "uncertain": self.uncertain,
            },
        }
        if self.changed_with:
            head["changed_with"] = [{"path": path, "share": share} for path, share in self.changed_with]
        order = _by_turns([one.is_test for one in self.reached])
        rows = [self.reached[i].as_json() for i in order]
        place = {id(row): i for row, i in zip(rows, order, strict=True)}

        def made(kept: list[Json], dropped: int) -> Body:
            return head | {"rows": sorted(kept, key=lambda row: place[id(row)]), "dropped": dropped}

        return _fitted(rows, made, self.budget_tokens)

    def _offer(self, note: str) -> Body:
        rows: list[Json] = list(self.candidates)
        head: Body = {"symbol": self.symbol, "state": self.state, "note": note}
        return _fitted(
            rows, lambda kept, dropped: head | {"candidates": kept, "dropped": dropped}, self.budget_tokens
        )


def _by_turns(tests: Sequence[bool]) -> list[int]:
    """Places of a list, a test and another by turns, so that a short answer shows both."""
    first = [i for i, is_test in enumerate(tests) if is_test]
    others = [i for i, is_test in enumerate(tests) if not is_test]
    both = [i for pair in zip(first, others, strict=False) for i in pair]
    return both + first[len(others) :] + others[len(first) :]


def _fitted(rows: Sequence[Json], made: Callable[[list[Json], int], Body], limit: int | None) -> Body:
    """The answer `made` of the longest beginning of `rows` that costs at most `limit`; at least one row."""
    low, high = min(1, len(rows)), len(rows)
    if limit is None or _cost(made(list(rows), 0)) <= limit:
        return made(list(rows), 0)
    while low < high:
        middle = (low + high + 1) // 2
        if _cost(made(list(rows[:middle]), len(rows) - middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    return made(list(rows[:low]), len(rows) - low)


def _cost(body: Body) -> int:
    return tokens(canonical_text(body))
