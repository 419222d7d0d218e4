"""The model that is configured, as the cycle asks it."""

from __future__ import annotations

from numen.cycle.types import Prompt, Thought
from numen.models import Message, Model, Options, Role


class ModelThinker:
    """Asks a model one prompt at a time, with nothing but that prompt."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = model.card.name
        """As it is shown and priced; what a fit names."""

    def think(self, prompt: Prompt, seed: int) -> Thought:
        """Its answer. Raises `ModelError`."""
        said = self._model.complete(
            [Message(Role.SYSTEM, prompt.system), Message(Role.USER, prompt.user)],
            options=Options(max_tokens=prompt.reply, seed=seed),
        )
        return Thought(said.text, said.usage.input, said.usage.output, str(said.usage.source))
