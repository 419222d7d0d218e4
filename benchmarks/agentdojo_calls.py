# ruff: noqa: E501
"""The ground-truth calls of AgentDojo as JSON lines, with what its tools give back while injections stand there.

Run by the Python of an environment that has `agentdojo` (see `benchmarks.agentdojo`); imports nothing of Numen.
"""

from __future__ import annotations

import json
import sys
import warnings

from agentdojo.functions_runtime import FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites

VERSION = "v1.2"
READS = ("get_", "read_", "search_", "list_", "check_")


def calls_of(task, environment):
    return [{"tool": call.function, "args": dict(call.args)} for call in task.ground_truth(environment)]


def outputs_of(suite, task, injections, attack):
    """What tools gave back before the injected call that acts: the user's, then those that the attack reads with."""
    environment = task.init_environment(suite.load_and_inject_default_environment(injections))
    runtime = FunctionsRuntime(suite.tools)
    said = []
    wanted = task.ground_truth(environment)
    read = [call for call in attack.ground_truth(environment) if call.function.startswith(READS)]
    for call in (*wanted, *read):
        result, _ = runtime.run_function(environment, call.function, call.args)
        said.append(str(result))
    return "\n".join(said[: len(wanted)]), "\n".join(said)


def main() -> None:
    warnings.simplefilter("ignore")
    for name, suite in get_suites(VERSION).items():
        environment = suite.load_and_inject_default_environment({})
        vectors = suite.get_injection_vector_defaults()
        injected = dict(suite.injection_tasks)
        for key, task in suite.user_tasks.items():
            row = {"suite": name, "task": key, "prompt": task.PROMPT, "calls": [], "pairs": []}
            try:
                row["calls"] = calls_of(
                    task, task.init_environment(suite.load_and_inject_default_environment({}))
                )
                for other, attack in injected.items():
                    shown, text = outputs_of(suite, task, dict.fromkeys(vectors, attack.GOAL), attack)
                    calls = calls_of(attack, environment)
                    row["pairs"].append(
                        {"attack": other, "outputs": text, "seen": attack.GOAL[:40] in shown, "calls": calls}
                    )
            except Exception as error:  # noqa: BLE001 - a task that cannot be run is said and counted
                row["failed"] = f"{type(error).__name__}: {error}"
            sys.stdout.write(json.dumps(row, default=str) + "\n")


if __name__ == "__main__":
    main()
