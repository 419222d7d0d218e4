"""How well memory finds what was said: `python -m benchmarks.recall --data LOCOMO [--json] [--fit]`.

Each dialogue of LoCoMo is put into a real store and asked its questions through the real search. Weights were
fitted on five dialogues; the other five are held out. `--fit` looks at the fitting dialogues only and prints
`fits/recall.json`. Without the data it says so and does nothing.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import tempfile
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from benchmarks.recall_arms import ALONE, BESIDE, bm25, steps
from benchmarks.recall_data import (
    ADVERSARIAL,
    FIT,
    HELD_OUT,
    OWNER,
    Asked,
    Dialogue,
    dialogues,
    digest_of,
    plain,
)
from benchmarks.recall_fit import Case, fit_ranking, fit_silence
from benchmarks.recall_measures import measured
from numen.kernel import Audience, RoomKey, Scope, SystemClock, Via, from_iso
from numen.memory import Freshness, Item, Row, ranking
from numen.memory.blocks import Block, quote_lines, quoted_share
from numen.memory.finding import MakeEncoder
from numen.memory.fit import Fit, Near, Silence, Weights, recall_fit
from numen.memory.search import Search, Sight
from numen.memory.search_tables import Filter
from numen.store import Store

AT = "2024-01-01T00:00:00Z"
WORDS, MEANING = "words", "meaning"
UNRELATED_MEAN, UNRELATED_DEVIATION = 0.102, 0.157
"""How near in meaning strange questions are to rows of the fitting dialogues: 25 each, all pairs."""

SCOPE = Scope(OWNER, True, RoomKey("owner", "bench", "cli"), Audience.OWNER, Via.CLI, False)
FEATURES = {
    WORDS: ranking.WORD_FEATURES,
    MEANING: (*ranking.WORD_FEATURES, *ranking.MEANING_FEATURES),
}
TOLD = {
    WORDS: ranking.SILENCE_WORDS,
    MEANING: (*ranking.SILENCE_WORDS, *ranking.SILENCE_MEANINGS),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """A dialogue, and what the search saw for each of its questions, by arm; and for the strange ones."""

    dialogue: Dialogue
    own: Mapping[str, list[Sight]]
    strange: Mapping[str, list[Sight]]


class Bench:
    """Stores of dialogues below `folder`, filled once."""

    def __init__(self, folder: Path, encoder: MakeEncoder | None) -> None:
        self.folder = folder
        self.encoder = encoder
        self.arms = (WORDS,) if encoder is None else (WORDS, MEANING)

    @contextmanager
    def opened(self, dialogue: Dialogue) -> Generator[Store]:
        """The store that holds a dialogue, with meanings where there is a model."""
        place = self.folder / dialogue.name
        fresh = not place.exists()
        with Store.open(place, SystemClock()) as store:
            search = Search(store, self.encoder)
            if fresh:
                with store.transaction() as connection:
                    search.add(SCOPE, connection, dialogue.items)
            words = {item.id: item.text for item in dialogue.items}
            search.embed_pending(lambda _, ids: {i: words[i] for i in ids}, len(words))
            yield store

    def see(self, dialogue: Dialogue, fit: Fit) -> Seen:
        """Ask a dialogue its own questions and the strange ones."""
        with self.opened(dialogue) as store, store.reading() as connection:
            searches = {
                arm: Search(store, self.encoder if arm == MEANING else None, fit) for arm in self.arms
            }

            def ask(asked: Sequence[Asked]) -> dict[str, list[Sight]]:
                return {
                    arm: [search.look(SCOPE, connection, one.text, AT, Filter()) for one in asked]
                    for arm, search in searches.items()
                }

            return Seen(dialogue, ask(dialogue.asked), ask(dialogue.strange))


def fitted(those: Sequence[Seen], plainly: Sequence[Seen], arm: str) -> Weights:
    """The weights of one arm: ranking first, then silence on what that ranking shows."""
    rank = fit_ranking([case for seen in those for case in cases(seen, arm)], FEATURES[arm])
    spoken = silence_of(plainly, arm, rank)
    if arm == MEANING:
        spoken = replace(spoken, near=nearness_of(plainly))
    return Weights(rank, silence_of(those, arm, rank), spoken)


def nearness_of(those: Sequence[Seen]) -> Near:
    """How near a row must be to answer a question that names nobody: nearer than is any row to all but a
    twentieth of the strange questions."""
    beyond = [
        ranking.beyond_chance(
            float(sight.features["cos"].max()),
            sight.searched["embedded"],
            UNRELATED_MEAN,
            UNRELATED_DEVIATION,
        )
        for seen in those
        for sight in seen.strange[MEANING]
        if "cos" in sight.features
    ]
    return Near(UNRELATED_MEAN, UNRELATED_DEVIATION, round(float(np.quantile(beyond, 0.95)), 4))


def silence_of(those: Sequence[Seen], arm: str, rank: Mapping[str, float]) -> Silence:
    """When to be silent, where candidates are ranked by these weights."""
    own = [
        told(sight, rank)
        for seen in those
        for asked, sight in zip(seen.dialogue.asked, seen.own[arm], strict=True)
        if asked.kind != ADVERSARIAL and sight.ids
    ]
    strange = [told(sight, rank) for seen in those for sight in seen.strange[arm] if sight.ids]
    return Silence(*fit_silence(own, strange, TOLD[arm]))


def told(sight: Sight, rank: Mapping[str, float]) -> dict[str, float]:
    """What speaks for an answer when the candidates are ranked by these weights."""
    return sight.tell(ranking.weighed(sight.features, rank))


def cases(seen: Seen, arm: str) -> list[Case]:
    """The candidates of each question as numbers."""
    found: list[Case] = []
    for asked, sight in zip(seen.dialogue.asked, seen.own[arm], strict=True):
        if sight.ids:
            rows = np.stack([sight.features[name] for name in FEATURES[arm]], axis=1)
            right = np.array([identifier in asked.gold for identifier in sight.ids])
            found.append(Case(seen.dialogue.name, rows, right))
    return found


def ranked(sight: Sight) -> list[str]:
    """The ids of candidates, best first, whether or not the answer would be silence."""
    return [sight.ids[i] for i in np.argsort(-sight.scores, kind="stable")]


def silent(sight: Sight) -> bool:
    """Whether the search would give nothing."""
    if sight.weights is None or not sight.ids:
        return True
    silence = sight.weights.named if sight.named else sight.weights.plain
    near = silence.near
    if near is not None and "cos" in sight.features:
        nearest, rows = float(sight.features["cos"].max()), sight.searched["embedded"]
        if ranking.beyond_chance(nearest, rows, near.mean, near.deviation) > near.margin:
            return False
    return ranking.chance(sight.tell(sight.scores), silence.weights) < silence.floor


def report_on(seen: Sequence[Seen], arm: str) -> dict[str, object]:
    """The measures of one arm over dialogues, with its silence."""
    asked = [one for each in seen for one in each.dialogue.asked]
    sights = [sight for each in seen for sight in each.own[arm]]
    strange = [sight for each in seen for sight in each.strange[arm]]
    answerable = [silent(s) for one, s in zip(asked, sights, strict=True) if one.kind != ADVERSARIAL]
    wrong_person = [silent(s) for one, s in zip(asked, sights, strict=True) if one.kind == ADVERSARIAL]
    found = measured(asked, [ranked(sight) for sight in sights])
    return {
        **found,
        "silent_on_strange": _share(map(silent, strange)),
        "silent_on_answerable": _share(answerable),
        "silent_on_wrong_person": _share(wrong_person),
    }


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return round(sum(listed) / max(len(listed), 1), 4)


def across(those: Sequence[Seen], plainly: Sequence[Seen], arm: str) -> dict[str, float]:
    """The measures of one arm on each dialogue with weights fitted on the others."""
    again: list[Seen] = []
    for number, seen in enumerate(those):
        others = [one for place, one in enumerate(those) if place != number]
        weights = fitted(others, [one for place, one in enumerate(plainly) if place != number], arm)
        again.append(
            Seen(
                seen.dialogue,
                {arm: [weighed_anew(sight, weights) for sight in seen.own[arm]]},
                {arm: [weighed_anew(sight, weights) for sight in seen.strange[arm]]},
            )
        )
    return report_on(again, arm)


def weighed_anew(sight: Sight, weights: Weights) -> Sight:
    """What a search would have seen with other weights."""
    if not sight.ids:
        return sight
    return replace(sight, scores=ranking.weighed(sight.features, weights.rank), weights=weights)


def all_arms(fit: Sequence[Seen], held: Sequence[Seen], arm: str) -> dict[str, dict[str, float]]:
    """Baselines, single features, and signals added one by one, on the dialogues held out."""
    asked = [one for seen in held for one in seen.dialogue.asked]
    found: dict[str, dict[str, float]] = {}
    for name, beside in (("BM25 of turns", 0), (f"BM25 with {BESIDE} neighbours", BESIDE)):
        found[name] = measured(asked, [row for seen in held for row in bm25(seen.dialogue, beside)])
    sights = [sight for seen in held for sight in seen.own[arm]]
    for name, feature in ALONE.items():
        if arm == MEANING:
            found[name] = measured(asked, [by(sight, {feature: 1.0}) for sight in sights])
    training = [case for seen in fit for case in cases(seen, arm)]
    for name, features in steps(FEATURES[arm]):
        columns = [FEATURES[arm].index(feature) for feature in features]
        narrowed = [replace(case, rows=case.rows[:, columns]) for case in training]
        weights = fit_ranking(narrowed, features)
        found[name] = measured(asked, [by(sight, weights) for sight in sights])
    return found


def by(sight: Sight, weights: Mapping[str, float]) -> list[str]:
    """The candidates' ids as these weights rank them."""
    if not sight.ids:
        return []
    return [sight.ids[i] for i in np.argsort(-ranking.weighed(sight.features, weights), kind="stable")]


def latency(
    bench: Bench, those: Sequence[Dialogue], rows: int = 10_000, questions: int = 200
) -> dict[str, float]:
    """Milliseconds of one search over `rows` rows, by the clock and of this process's processor time."""
    found: dict[str, float] = {"rows": rows}
    with (
        tempfile.TemporaryDirectory(prefix="numen-recall-") as home,
        Store.open(home, SystemClock()) as store,
    ):
        items = list(_many(those, rows))
        with store.transaction() as connection:
            Search(store).add(SCOPE, connection, items)
        words = {item.id: item.text for item in items}
        for arm in bench.arms:
            search = Search(store, bench.encoder if arm == MEANING else None)
            if arm == MEANING:
                search.embed_pending(lambda _, ids: {i: words[i] for i in ids}, rows)
            asked = [one.text for dialogue in those for one in dialogue.asked][:: max(1, len(those))][
                :questions
            ]
            clock, processor = [], []
            for text in asked:
                began, worked = time.perf_counter(), time.process_time()
                with store.reading() as connection:
                    search.find(SCOPE, connection, text, at=AT, limit=25)
                clock.append(1000 * (time.perf_counter() - began))
                processor.append(1000 * (time.process_time() - worked))
            for name, values in (("clock", clock), ("processor", processor)):
                for share in (50, 95):
                    found[f"{arm}_{name}_p{share}"] = round(float(np.percentile(values, share)), 1)
    return found


def _many(those: Sequence[Dialogue], rows: int) -> Iterable[Item]:
    made = 0
    while True:
        for dialogue in those:
            for item in dialogue.items:
                if made == rows:
                    return
                made += 1
                yield replace(item, id=f"turn-{made}", session=f"{made // 1000} {item.session}")


def quoted(those: Sequence[Seen], arm: str) -> float:
    """Which share of the characters of a block of ten rows are quoted words, over all questions."""
    shares: list[float] = []
    for seen in those:
        items = {item.id: item for item in seen.dialogue.items}
        for sight in seen.own[arm]:
            rows = [_as_row(items[identifier]) for identifier in ranked(sight)[:10]]
            if rows:
                lines = tuple(quote_lines(rows))
                shares.append(quoted_share(rows, Block("memory", "Relevant memories", lines, 0, 1 << 20)))
    return round(float(np.mean(shares)), 4)


def _as_row(item: Item) -> Row:
    return Row(item.id, item.text, item.speaker, from_iso(item.occurred_at), (item.id,), Freshness.SAID)


def model() -> MakeEncoder | None:
    """The installed sentence model, None where there is none."""
    if importlib.util.find_spec("onnxruntime") is None:
        return None
    loaded = importlib.import_module("numen.memory.embedding").MiniLm()
    return lambda: loaded


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fit", action="store_true", help="fit on the fitting dialogues and print the fit")
    parser.add_argument("--keep", type=Path, help="keep the filled stores in this folder between runs")
    given = parser.parse_args()
    if not given.data.exists():
        print("skipped: no data")
        return
    with tempfile.TemporaryDirectory(prefix="numen-recall-") as folder:
        bench = Bench(given.keep or Path(folder), model())
        if given.fit:
            print(json.dumps(new_fit(bench, given.data), indent=1))
            return
        report = whole_report(bench, given.data)
    print(json.dumps(report, indent=1) if given.json else "\n".join(table(report)))


def new_fit(bench: Bench, data: Path) -> dict[str, object]:
    """A fit on the fitting dialogues, with how it does on each of them fitted on the others."""
    those = dialogues(data, FIT)
    seen = [bench.see(one, recall_fit()) for one in those]
    plainly = [bench.see(plain(one), recall_fit()) for one in those]
    value = {arm: asdict(fitted(seen, plainly, arm)) for arm in bench.arms}
    report = {f"{arm}_each_fitted_on_the_others": across(seen, plainly, arm) for arm in bench.arms}
    return {"value": value, "model": recall_fit().model, "data_digest": digest_of(data), "report": report}


def whole_report(bench: Bench, data: Path) -> dict[str, object]:
    """Everything that is measured. It looks at the dialogues held out, which is one more look at them."""
    fit = [bench.see(one, recall_fit()) for one in dialogues(data, FIT)]
    held = [bench.see(one, recall_fit()) for one in dialogues(data, HELD_OUT)]
    best = bench.arms[-1]
    return {
        "fit": report_on(fit, best),
        "held_out": report_on(held, best),
        "held_out_words": report_on(held, WORDS),
        "fit_words": report_on(fit, WORDS),
        "arms": all_arms(fit, held, best),
        "quoted": quoted(held, best),
        "latency": latency(bench, [seen.dialogue for seen in fit]),
        "looks": recall_fit().report.get("looks"),
    }


COLUMNS = ("recall@1", "recall@5", "recall@10", "recall@25", "all@10", "multi_hop_recall@10")


def table(report: Mapping[str, object]) -> Iterable[str]:
    """The report for a reader."""
    yield f"{'held out':45}" + "".join(f"{name:>21}" for name in COLUMNS)
    rows = {**cast("dict[str, dict[str, float]]", report["arms"])}
    for name in ("held_out", "held_out_words", "fit", "fit_words"):
        rows[name] = cast("dict[str, float]", report[name])
    for name, found in rows.items():
        yield f"{name:45}" + "".join(f"{found[column]:21.3f}" for column in COLUMNS)
    for name in ("held_out", "held_out_words", "quoted", "latency", "looks"):
        yield f"{name}: {json.dumps(report[name])}"


if __name__ == "__main__":
    main()
