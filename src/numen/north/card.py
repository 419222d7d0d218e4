"""The card: at most four lines of at most eighty characters that a person sees before anything else.

Its laws stand in the north contract, "The card", and decision 23.
"""

from __future__ import annotations

from dataclasses import dataclass

from numen.kernel import digest
from numen.north.types import CardState, HumanView, Reception, State

WORDMARK = "numen"
MAX_LINES = 4
MAX_COLUMNS = 80

CALM = "╷"
RAISED = "│"
_GUTTER = " " * (len(WORDMARK) + 1) + RAISED + " "
_INDENT = "  "
_ASCII = str.maketrans("╷│·—⊢∎", ".|.->#")


@dataclass(frozen=True, slots=True)
class CardFacts:
    """All that a card can say, already in the packet.

    `nodes` is None where the index cannot be read, which is not zero. `gap` is the text of the first gap,
    `bell` and `coherence` the sentences of those signals, None while they are quiet. `move` is the call
    that comes next, on one line.
    """

    state: State
    nodes: int | None
    focused: bool
    memories: int = 0
    blocks: int = 0
    gap: str = ""
    move: str = ""
    bell: str | None = None
    coherence: str | None = None
    reception: Reception | None = None
    ascii: bool = False


def compose(facts: CardFacts) -> HumanView:
    """The card for `facts`. Pure and total: every input gives a card that keeps the laws.

    `state_sig` is drawn from the state and the lines, so it covers everything that is rendered.
    """
    state = card_state(facts)
    lines = (_warning if state is CardState.MISMATCH else _mounted)(state, facts)
    if facts.ascii:
        lines = [line.translate(_ASCII) for line in lines]
    sig = digest("\n".join([state, *lines]).encode("utf-8", "surrogatepass"))[:12]
    return HumanView(state, sig, tuple(lines))


def card_state(facts: CardFacts) -> CardState:
    """The form of the card: the most urgent signal wins."""
    if facts.state is State.WRONG_REPO:
        return CardState.MISMATCH
    if facts.state in (State.NEEDS_INGEST, State.EMPTY):
        return CardState.NEEDS_INGEST
    if facts.bell is not None:
        return CardState.BELL
    if facts.coherence is not None:
        return CardState.COHERENCE
    return CardState.CLEAN if facts.state is State.FULL_TRUST else CardState.ATTENTION


def pulse(facts: CardFacts) -> str:
    """The five cells, their order fixed for ever: trust, graph, focus, bell, coherence."""
    unbound = facts.state in (State.NEEDS_INGEST, State.EMPTY)
    raised = (
        facts.state is not State.FULL_TRUST and not unbound,
        unbound,
        not unbound and not facts.focused,
        facts.bell is not None,
        facts.coherence is not None,
    )
    return "".join(RAISED if up else CALM for up in raised)


def wrap(text: str, columns: int = MAX_COLUMNS - len(_GUTTER)) -> list[str] | None:
    """`text` broken at its spaces into lines of at most `columns`, the later ones indented by two.

    None where it cannot be shown whole: a word that is too long, or a sign that is not printable.
    """
    if not text or not text.isprintable():
        return None
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if len(longer) <= columns:
            line = longer
            continue
        if not line:
            return None
        lines.append(line)
        line = _INDENT + word
        if len(line) > columns:
            return None
    return [*lines, line]


def _mounted(state: CardState, facts: CardFacts) -> list[str]:
    """The wordmark with pulse and identity, then the lines that the state calls for."""
    lines = [_identity(facts)]
    said = {
        CardState.NEEDS_INGEST: [facts.gap, _next(facts)],
        CardState.BELL: [facts.bell or ""],
        CardState.COHERENCE: [facts.coherence or ""],
        CardState.ATTENTION: [facts.gap],
    }
    for text in said.get(state, []):
        _hang(lines, text)
    return lines


def _warning(_state: CardState, facts: CardFacts) -> list[str]:
    """The card of a mismatch is the warning: no pulse and no number, for they would be another tree's."""
    lines: list[str] = []
    if facts.reception is None:
        _hang(lines, facts.gap)
    else:
        _hang(lines, facts.reception.sentence)
        _hang(lines, f"bound: {facts.reception.bound}")
        _hang(lines, f"yours: {facts.reception.yours}")
    _hang(lines, _next(facts))
    head = lines[0].removeprefix(_GUTTER) if lines else State.WRONG_REPO.value
    return [f"{WORDMARK} {RAISED} {head}", *lines[1:]]


def _hang(lines: list[str], text: str) -> None:
    """Add `text` under the gutter, or leave it out whole where it does not fit."""
    wrapped = wrap(text)
    if wrapped is not None and len(lines) + len(wrapped) <= MAX_LINES:
        lines += [_GUTTER + line for line in wrapped]


def _identity(facts: CardFacts) -> str:
    """Line 1: zero segments are left out, except where the zero is the message."""
    line = f"{WORDMARK} {pulse(facts)}  {_trust(facts.state)}"
    for segment in _segments(facts):
        if len(line) + len(segment) + 3 <= MAX_COLUMNS:
            line += f" · {segment}"
    return line


def _segments(facts: CardFacts) -> list[str]:
    if facts.nodes is None:
        return ["index unreadable"]
    if facts.state in (State.NEEDS_INGEST, State.EMPTY):
        return [f"{facts.nodes:,} nodes"]
    counts = (
        (facts.nodes, _count(facts.nodes, "node", "nodes")),
        (facts.memories, _count(facts.memories, "memory", "memories")),
        (facts.blocks, "map " + _count(facts.blocks, "block", "blocks")),
    )
    return [said for count, said in counts if count > 0]


def _count(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _trust(state: State) -> str:
    return "full trust" if state is State.FULL_TRUST else state.value


def _next(facts: CardFacts) -> str:
    return f"next: {facts.move}" if facts.move else ""
