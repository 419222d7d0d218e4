"""The resident whole: its conversations, its servers, and who runs its turns."""

from __future__ import annotations

from collections.abc import Callable

from numen.models import Model
from numen.resident.loop import Loop, Price
from numen.resident.means import Means
from numen.resident.runner import Runner
from numen.resident.servers import Servers
from numen.resident.service import Sessions
from numen.resident.stream import Streams
from numen.resident.turns import Turns
from numen.resident.types import Habits


class Resident:
    """Everything that a surface needs. `model` gives who thinks now, None for nobody.

    Turns are run by the durable engine, as what each of its runs calls: `runner.run`.
    """

    def __init__(
        self, means: Means, habits: Habits, model: Callable[[], Model | None], price: Price, agent: str
    ) -> None:
        self.servers = Servers(means)
        """Which tool servers there are."""
        self.streams = Streams(means)
        """What conversations stream."""
        self.turns = Turns(means)
        self.runner = Runner(
            self.turns,
            self.servers,
            lambda hub: Loop(self.turns, hub, means.gate, means.secrets, means.clock, model, price, habits),
        )
        """Who runs turns."""
        self.sessions = Sessions(means, agent)
        """What a person does with conversations."""
