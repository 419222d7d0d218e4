"""DBOS, which keeps runs across crashes (decisions 8 to 10). Loaded with the first row that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dbos import DBOS, SetWorkflowID

from numen.work import rules
from numen.work.types import Attempt


class DbosDurable:
    """The one DBOS of this process."""

    def __init__(
        self, url: str, executor: str, bodies: Mapping[str, Attempt], queues: Mapping[str, int]
    ) -> None:
        DBOS(
            config={
                "name": "numen",
                "system_database_url": url,
                "application_version": rules.VERSION,
                "executor_id": executor,
                "log_level": "ERROR",
            }
        )
        self._queues = queues
        self._flows = {
            name: DBOS.workflow(name=f"numen.{name}")(_named(body)) for name, body in bodies.items()
        }

    def launch(self) -> None:
        """Begin, and recover what this executor had begun."""
        DBOS.launch()
        for name, at_once in self._queues.items():
            DBOS.register_queue(name, global_concurrency=at_once, on_conflict="always_update")

    def start(self, job: str, identifier: str, n: int) -> None:
        """Have a run carried out: at once, or by its queue."""
        with SetWorkflowID(_id(identifier, n)):
            if job in self._queues:
                DBOS.enqueue_workflow(job, self._flows[job], identifier, n)
            else:
                DBOS.start_workflow(self._flows[job], identifier, n)

    def resume(self, job: str, identifier: str, n: int) -> None:
        """Have a run carried out again that a dead executor had, or had not started yet."""
        if DBOS.get_workflow_status(_id(identifier, n)) is None:
            self.start(job, identifier, n)
        else:
            DBOS.resume_workflow(_id(identifier, n))

    def close(self) -> None:
        """End; what is not done stays open."""
        DBOS.destroy(destroy_registry=True)


def _id(identifier: str, n: int) -> str:
    return f"{identifier}:{n}"


def _named(body: Attempt) -> Callable[[str, int], str]:
    """A plain function, which is what can be registered."""

    def carry_out(identifier: str, n: int) -> str:
        return body(identifier, n)

    return carry_out
