"""`numen model use|list|test`: who thinks."""

from __future__ import annotations

import getpass
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast

from cyclopts import Parameter

from numen.app import choice, load, opened_model
from numen.kernel import InvalidInput, Json, NumenError, canonical_bytes
from numen.surfaces.cli.gate import AsJson, owner
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.papers import write_model

QUESTION = "Answer with the word ready, and nothing else."
"""What `numen model test` asks."""


def use(
    what: Annotated[str, Parameter(help="A preset, PRESET:MODEL, or the URL of an OpenAI-compatible API.")],
    /,
    *,
    name: Annotated[str | None, Parameter(help="The model's id there.")] = None,
    key: Annotated[bool, Parameter(help="Ask for the provider's key, and keep it in .env (0600).")] = False,
) -> None:
    """Choose who thinks: it is written into numen.yaml, and asked with your next words."""
    with owner() as (app, _):
        said = load("models").read_word(what)
        chosen = replace(
            choice(app.settings),
            use=said.get("use") or what,
            name=name or cast("str | None", said.get("name")),
        )
        if chosen.preset.name == "scripted" and chosen.name:
            chosen = replace(chosen, name=str(Path(chosen.name).expanduser().resolve()))
        load("models_presets").complete(chosen)
        home = app.settings.home
        variable = chosen.key_variable or chosen.preset.variable
        if key:
            kept = load("models_keys").keep(home, _needed(variable, what), _asked(what))
            say(f"key      kept in {kept}")
        write_model(home, str(chosen.use), chosen.name)
        say(f"model    {chosen.title}")
        if variable and not load("models_keys").find(home, app.environ, variable, chosen.key_command):
            say(f"key      none yet: set {variable}, or run this with --key")


def list_(
    *,
    all_: Annotated[bool, Parameter(name="--all", help="Also every model that the provider has.")] = False,
    json: AsJson = False,
) -> None:
    """Show the model that is used, the presets, and the servers of models that run on this machine."""
    with owner() as (app, _):
        chosen = choice(app.settings)
        here = load("models_detection").running()
        has = getattr(opened_model(app.settings, chosen), "models", tuple)() if all_ else ()
    presets = load("models").PRESETS.values()
    if json:
        running: list[Json] = [{"use": one.use, "models": list(one.models)} for one in here]
        known: list[Json] = [{"use": one.name, "url": one.url, "summary": one.summary} for one in presets]
        used: Json = {"use": chosen.use, "name": chosen.name} if chosen.use else None
        body: dict[str, Json] = {
            "schema": "numen-models-v1",
            "used": used,
            "running": running,
            "presets": known,
        }
        write_json(canonical_bytes({**body, **({"models": list(has)} if all_ else {})}))
        return
    say(f"used     {chosen.title if chosen.use else 'none: numen model use PRESET --name MODEL'}")
    for one in here:
        say(f"here     {one.use}: {', '.join(one.models) or 'no model is loaded'}")
    for one in presets:
        say(f"preset   {one.name:<11}{one.summary}")
    for one in has:
        say(f"has      {one}")


def try_(*, json: AsJson = False) -> int:
    """Ask the model a question, and show what it answered and what that took. Exit code 1 if it did not."""
    messages = load("models")
    with owner() as (app, _):
        began = time.perf_counter()
        try:
            answer = app.model.complete([messages.Message(messages.Role.USER, QUESTION)])
        except messages.ModelError as error:
            return _failed(error, json)
        millis = round((time.perf_counter() - began) * 1000)
        card, cost = app.model.card, app.cost(app.model.card, answer.usage)
    usage = answer.usage
    if json:
        write_json(
            canonical_bytes(
                {
                    "schema": "numen-model-test-v1",
                    "ok": True,
                    "model": card.name,
                    "answer": answer.text,
                    "millis": millis,
                    "usage": {
                        "input": usage.input,
                        "output": usage.output,
                        "cached": usage.cached,
                        "source": str(usage.source),
                    },
                    "cost_micros": cost.micros,
                    "price": cost.source,
                }
            )
        )
        return 0
    say(f"model    {card.name}" + (f": {card.note}" if card.note else ""))
    say(f"answer   {' '.join(answer.text.split())[:200]}")
    say(f"took     {millis} ms, {usage.input} tokens in, {usage.output} out ({usage.source})")
    dollars = "unknown" if cost.micros is None else f"${cost.micros / 1_000_000:.6f}"
    say(f"cost     {dollars} ({cost.source})")
    return 0


def _failed(error: NumenError, json: bool) -> int:
    if json:
        write_json(canonical_bytes({"schema": "numen-model-test-v1", "ok": False, **error.as_mapping()}))
    else:
        say(error.sentences())
    return 1


def _needed(variable: str | None, what: str) -> str:
    if variable is None:
        raise InvalidInput(
            f"{what} takes no key.", not_done="Nothing was changed.", next_step="Leave --key out."
        )
    return variable


def _asked(what: str) -> str:
    """The key, typed unseen on a terminal, else the first line of stdin."""
    given = getpass.getpass(f"Key for {what}: ") if sys.stdin.isatty() else sys.stdin.readline()
    if not given.strip() or len(given.split()) != 1:
        raise InvalidInput("No key was given.", not_done="Nothing was changed.")
    return given.strip()
