"""The loop: history -> model -> calls -> gate -> results -> ... -> text.

It holds nothing that the store does not: each turn of it reads where things stand and takes the next step,
so a turn that was killed anywhere goes on from there. What changes the world is claimed before it is tried
and never tried twice; what nobody can know is called uncertain.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from numen.gate import (
    AskState,
    Call,
    Decision,
    Effect,
    EffectClass,
    Gate,
    NotAllowed,
    Surroundings,
    call_digest,
)
from numen.gate.taint import sources
from numen.kernel import Clock, InvalidInput, Json, Scope
from numen.models import Card, Fault, Model, ModelError, ToolCall, Usage
from numen.resident import claims, prompt, rules
from numen.resident.filling import filled
from numen.resident.histories import History, Wanted
from numen.resident.hub import Tools
from numen.resident.means import input_of, stop_of
from numen.resident.speech import Speech, heard
from numen.resident.turns import Answer, Hold, Turns
from numen.resident.types import (
    Called,
    CallState,
    Ending,
    Given,
    Habits,
    Input,
    InputState,
    Line,
    NoticeCode,
    Spent,
    Tool,
    Turn,
    TurnState,
)
from numen.secrets import Secrets

T = TypeVar("T")

Price = Callable[[Card, Usage, datetime], int | None]
"""What an answer cost, in millionths of a dollar; None where that is not known."""

DAILY = "llm_tokens"
"""The gate's budget of tokens a day."""


class Stopped(Exception):
    """A person stopped the turn."""


class Loop:
    """Runs turns. `model` gives who thinks now, None for nobody; `tools` are the hub's."""

    def __init__(
        self,
        turns: Turns,
        tools: Tools,
        gate: Gate,
        secrets: Secrets,
        clock: Clock,
        model: Callable[[], Model | None],
        price: Price,
        habits: Habits,
    ) -> None:
        self._turns = turns
        self._tools = tools
        self._gate = gate
        self._clock = clock
        self._model = model
        self._price = price
        self._habits = habits
        self._secrets = secrets

    async def run(self, turn: str) -> TurnState:
        """Run a turn from where it stands until it is over, or waits for a person; where it stands then.

        Raises `Superseded` where somebody else has taken it.
        """
        hold = await asyncio.to_thread(self._turns.take, turn)
        while True:
            its, whole = await asyncio.to_thread(self._turns.view, hold)
            if its.state in rules.ENDED:
                return its.state
            try:
                if its.stop:
                    raise Stopped
                if not await self._step(hold, its, whole):
                    return its.state
            except Stopped:
                await self._stopped(hold)

    async def _step(self, hold: Hold, turn: Turn, whole: History) -> bool:
        """The next step; False where the turn waits for a person."""
        match turn.state:
            case TurnState.ASKING:
                return await asyncio.to_thread(self._turns.decided, hold, turn)
            case TurnState.PAUSED:
                return await asyncio.to_thread(self._turns.extend, hold, turn) is not TurnState.PAUSED
            case TurnState.ACTING:
                await self._act(hold, turn, whole)
            case _:
                await self._think(hold, turn, whole)
        return True

    async def _think(self, hold: Hold, turn: Turn, whole: History) -> None:
        """Ask the model, and keep its answer."""
        model = self._model()
        tools = await self._tools.tools() if model is None or model.card.takes_tools else ()
        for words in self._tools.news():
            await asyncio.to_thread(self._turns.notice, hold, NoticeCode.SERVERS, words)
        if model is None:
            await self._end(hold, turn, TurnState.DONE, Ending.NO_MODEL, prompt.no_model(tools))
            return
        over = rules.breach(turn.spent, self._habits.limits, turn.extensions)
        if over is not None:
            await asyncio.to_thread(self._turns.pause, hold, turn, over)
            return
        window = (model.card.window or self._habits.window) - self._habits.max_tokens
        lines, gone = rules.cut(rules.folded(whole.messages, whole.calls), window, turn.id)
        if gone and turn.spent.steps == 0:
            words = f"{gone} earlier lines are not shown to the model any more."
            await asyncio.to_thread(self._turns.notice, hold, NoticeCode.CUT, words)
        most = rules.left(turn.spent, self._habits.limits, turn.extensions, self._habits.max_tokens)
        reserved = sum(map(rules.size, lines)) + most
        if not await self._reserve(hold.scope, reserved):
            await self._end(hold, turn, TurnState.STOPPED, Ending.BUDGET, prompt.DAY_IS_OVER)
            return
        base = await asyncio.to_thread(self._turns.begin_step, hold, turn)
        turn = replace(turn, state=TurnState.THINKING, spent=replace(turn.spent, steps=turn.spent.steps + 1))
        speech = Speech(lambda n, text: self._turns.delta(hold, base, n, text))
        started = self._clock.monotonic()
        said = prompt.messages(self._habits.persona, lines)
        options = prompt.options(most, self._habits.temperature)
        try:
            stream = model.stream(said, prompt.specs(tools), options)
            answer = await self._unless_stopped(hold, heard(stream, speech))
        except ModelError as error:
            await self._correct(hold.scope, -reserved)
            await self._failed(hold, turn, error)
            return
        millis = round((self._clock.monotonic() - started) * 1000)
        used = answer.usage
        await self._correct(hold.scope, used.input + used.output - reserved)
        money = self._price(model.card, used, self._clock.now())
        before = [one for one in whole.calls if one.turn == turn.id]
        wanted = await asyncio.to_thread(self._wanted, hold.scope, answer.calls, tools, before)
        if wanted is None:
            await self._end(hold, turn, TurnState.STOPPED, Ending.REPEATS, prompt.REPEATS)
            return
        text = await self._sealed(hold.scope, answer.text)
        text += await self._marks(hold, text, whole.calls) if not wanted else ""
        spent = Spent(0, used.input, used.output, money, millis)
        await asyncio.to_thread(
            self._turns.answered, hold, turn, base, Answer(text, answer.text, wanted, spent, used.cached)
        )

    async def _act(self, hold: Hold, turn: Turn, whole: History) -> None:
        """Run the calls of a step: what reads side by side, what changes one by one, each if it may."""
        tools = {one.name: one for one in (*await self._tools.tools(), prompt.READ_RESULT)}
        lines = rules.folded(whole.messages, whole.calls)
        reading: list[tuple[Called, Tool]] = []
        for call in [one for one in whole.calls if one.turn == turn.id]:
            tool = tools.get(call.name)
            if call.state is CallState.EXECUTED and not call.reads and tool is not None:
                await self._look(hold, call, tool)
            if call.state not in rules.OPEN_CALLS:
                continue
            if call.state is CallState.CLAIMED:
                await self._recover(hold, call, tool)
            elif tool is None:
                why = f"There is no tool {call.name} now."
                after = CallState.DENIED if call.state is CallState.ASKED else CallState.FAILED
                await self._ended(hold, call, after, why)
            else:
                effect = self._effect(hold.scope, call, tool, lines)
                if effect.cls is EffectClass.READ:
                    reading.append((call, tool))
                else:
                    await self._read_all(hold, reading, whole)
                    await self._change(hold, call, tool, effect)
        await self._read_all(hold, reading, whole)
        await asyncio.to_thread(self._turns.acted, hold, turn)

    async def _read_all(self, hold: Hold, reading: list[tuple[Called, Tool]], whole: History) -> None:
        ended = await asyncio.gather(
            *(self._read(hold, call, tool, whole) for call, tool in reading), return_exceptions=True
        )
        reading.clear()
        for one in ended:
            if one is not None:
                raise one

    async def _read(self, hold: Hold, call: Called, tool: Tool, whole: History) -> None:
        """A call that changes nothing: it may be run again, so it needs no claim."""
        if tool is prompt.READ_RESULT:
            given = Given(prompt.page(call, whole.calls))
        else:
            given = await self._unless_stopped(hold, self._call(hold, call, tool, call.args))
        text = await self._sealed(hold.scope, given.text)
        after = CallState.EXECUTED if given.ok else CallState.FAILED
        await self._ended(hold, call, after, text, reads=True)

    async def _change(self, hold: Hold, call: Called, tool: Tool, effect: Effect) -> None:
        """A call that changes something: judged, claimed, run once, and looked at afterwards."""
        if call.state is CallState.ASKED and call.ask is not None:
            answer = await asyncio.to_thread(self._turns.answer_to, hold, call.ask)
            if answer is AskState.OPEN:
                return
            if answer is not AskState.YES:
                said = "The owner said no." if answer is AskState.NO else "Nobody answered in time."
                await self._ended(hold, call, CallState.DENIED, said)
                return
        verdict = await asyncio.to_thread(self._gate.judge, hold.scope, effect, hold.lineage)
        if verdict.decision is Decision.ASK and call.state is CallState.WANTED:
            await asyncio.to_thread(self._turns.asked, hold, call, verdict)
            return
        args, problem = await asyncio.to_thread(filled, self._secrets, hold.scope, call, tool)
        if verdict.decision is not Decision.ALLOW or problem:
            await self._ended(hold, call, CallState.DENIED, problem or verdict.reason)
            return
        try:
            await asyncio.to_thread(self._turns.claim, hold, call, effect)
        except NotAllowed as error:
            await self._ended(hold, call, CallState.DENIED, error.what)
            return
        call = replace(call, state=CallState.CLAIMED)
        started = self._clock.monotonic()
        try:
            given = await self._unless_stopped(hold, self._call(hold, call, tool, args))
        except Stopped:
            given = Given("It was stopped while it ran.", ok=False, certain=False)
        millis = round((self._clock.monotonic() - started) * 1000)
        text = await self._sealed(hold.scope, given.text)
        if not given.certain:
            await self._recover(hold, call, tool, text, millis)
            return
        after = CallState.EXECUTED if given.ok else CallState.FAILED
        await self._ended(hold, call, after, text, millis=millis)
        if given.ok:
            await self._look(hold, replace(call, state=after), tool)

    async def _recover(
        self, hold: Hold, call: Called, tool: Tool | None, text: str = "It was cut off.", millis: int = 0
    ) -> None:
        """A claimed call of which nobody knows how it ended: a look may tell, else it stays uncertain."""
        shown = None if tool is None else await self._is_shown(hold, call, tool)
        after = CallState.VERIFIED if shown else CallState.UNCERTAIN
        await self._ended(hold, call, after, text, millis=millis)

    async def _look(self, hold: Hold, call: Called, tool: Tool) -> None:
        """Whether a call did what it says, where its tool declares how that is seen."""
        if tool.read_back is None:
            return
        shown = await self._is_shown(hold, call, tool)
        after = CallState.VERIFIED if shown else CallState.CONTRADICTED
        await self._ended(hold, call, CallState.UNCERTAIN if shown is None else after)

    async def _is_shown(self, hold: Hold, call: Called, tool: Tool) -> bool | None:
        back = tool.read_back
        if back is None:
            return None
        by_name = {(one.server, one.tool): one for one in await self._tools.tools()}
        other = by_name.get((tool.server, back.tool))
        if other is None:
            return None
        args = rules.filled(back, call.args)
        looking = replace(call, name=other.name, args=args)
        if self._effect(hold.scope, looking, other, ()).cls is not EffectClass.READ:
            return None
        given = await self._call(hold, looking, other, args)
        return rules.is_shown(back, call.args, given.text) if given.ok else None

    async def _call(self, hold: Hold, call: Called, tool: Tool, args: Mapping[str, Json]) -> Given:
        async def ask(message: str, schema: Mapping[str, Json]) -> Input:
            sealed = await self._sealed(hold.scope, message)
            new = await asyncio.to_thread(self._turns.want_input, hold, call, sealed, schema)

            def answered() -> Input | None:
                its = self._turns.input_of(new.id)
                return None if its.state is InputState.OPEN else its

            return await self._until(input_of(hold.session), answered)

        return await self._tools.call(tool, args, ask)

    async def _unless_stopped(self, hold: Hold, work: Awaitable[T]) -> T:
        """What `work` gives. Raises `Stopped`, and cancels it, where somebody stops the turn meanwhile."""

        def stopped() -> bool | None:
            return self._turns.is_stopped(hold.turn) or None

        running = asyncio.ensure_future(work)
        stop = asyncio.ensure_future(self._until(stop_of(hold.session), stopped))
        try:
            await asyncio.wait({running, stop}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                return running.result()
            raise Stopped
        finally:
            for one in (running, stop):
                one.cancel()
            await asyncio.gather(running, stop, return_exceptions=True)

    async def _until(self, topic: str, found: Callable[[], T | None]) -> T:
        """The first thing that `found` finds, looked for now and whenever `topic` is touched."""
        flag, here = asyncio.Event(), asyncio.get_running_loop()
        watch = self._turns.watch(topic, partial(here.call_soon_threadsafe, flag.set))
        try:
            while (value := await asyncio.to_thread(found)) is None:
                await flag.wait()
                flag.clear()
            return value
        finally:
            watch.close()

    async def _stopped(self, hold: Hold) -> None:
        its, whole = await asyncio.to_thread(self._turns.view, hold)
        tools = {one.name: one for one in await self._tools.tools()}
        for call in whole.calls:
            if call.turn == its.id and call.state is CallState.CLAIMED:
                await self._recover(hold, call, tools.get(call.name))
        await self._end(hold, its, TurnState.STOPPED, Ending.STOPPED)

    async def _failed(self, hold: Hold, turn: Turn, error: ModelError) -> None:
        words = error.sentences()
        if error.kind is Fault.TOO_LONG:
            words += " A shorter question, or a new session, may help."
        await asyncio.to_thread(self._turns.notice, hold, NoticeCode.MODEL, words)
        await self._end(hold, turn, TurnState.FAILED, Ending.MODEL)

    def _effect(self, scope: Scope, call: Called, tool: Tool, lines: Sequence[Line]) -> Effect:
        """What a call does; arguments that a result holds and the owner did not say are tainted."""
        if tool is prompt.READ_RESULT:
            own = Call(tool.tool, call.args)
            return Effect(EffectClass.READ, own, call_digest(own), "it reads what this conversation holds")
        said = [one.text for one in lines if one.role == "user"] if scope.is_owner else []
        others: dict[str, str] = {}
        for one in lines:
            if one.role == "tool":
                name = f"what {one.name} gave"
                others[name] = f"{others.get(name, '')}\n{one.text}"
        around = Surroundings(hints=tool.hints, taint=sources(call.args, said, others))
        return self._gate.effect(Call(tool.tool, call.args, source=tool.server), around)

    def _wanted(
        self, scope: Scope, asked: Sequence[ToolCall], tools: Sequence[Tool], before: Sequence[Called]
    ) -> list[Wanted] | None:
        """The calls that a model asks for, with what is wrong about each; None if it goes in circles."""
        known = {one.name for one in tools} | {prompt.READ_RESULT.name}
        wanted: list[Wanted] = []
        for one in asked:
            try:
                args = self._secrets.seal_all(scope, one.parsed())
            except InvalidInput as error:
                wanted.append(Wanted(one.id, one.name, {}, error.sentences()))
                continue
            assert isinstance(args, Mapping)
            times = rules.repeats(before, one.name, args)
            if times >= 2 * rules.SAME:
                return None
            problem = None
            if times >= rules.SAME:
                problem = prompt.again(times)
            elif one.name not in known:
                problem = f"There is no tool {one.name}. Nothing was called."
            wanted.append(Wanted(one.id, one.name, args, problem))
        return wanted

    async def _marks(self, hold: Hold, text: str, calls: Sequence[Called]) -> str:
        """What is put behind an answer that claims what no receipt bears; it is noticed as well."""
        found = claims.unproven(text, calls)
        for sentence in found:
            await asyncio.to_thread(self._turns.notice, hold, NoticeCode.NO_RECEIPT, sentence)
        return claims.marks(found)

    async def _reserve(self, scope: Scope, tokens: int) -> bool:
        limit = self._habits.per_day
        return await asyncio.to_thread(self._gate.spend_budget, scope, DAILY, tokens, limit)

    async def _correct(self, scope: Scope, by: int) -> None:
        if self._habits.per_day is not None:
            await asyncio.to_thread(self._gate.correct_budget, scope, DAILY, by)

    async def _sealed(self, scope: Scope, text: str) -> str:
        return (await asyncio.to_thread(self._secrets.seal, scope, text)).text

    async def _ended(
        self,
        hold: Hold,
        call: Called,
        after: CallState,
        result: str | None = None,
        *,
        reads: bool = False,
        millis: int = 0,
    ) -> None:
        await asyncio.to_thread(self._turns.ended, hold, call, after, result, reads=reads, millis=millis)

    async def _end(
        self, hold: Hold, turn: Turn, after: TurnState, ending: Ending, text: str | None = None
    ) -> None:
        await asyncio.to_thread(self._turns.end, hold, turn, after, ending, text)
