"""What the backend `fake` runs: `fake_program.py MODEL`, the prompt on stdin, the answer on stdout."""

from __future__ import annotations

import os
import sys
import time

JOB = "Your job: "


def main(model: str) -> int:
    """Answer as `model` says; the exit code."""
    prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    job = next((line.removeprefix(JOB) for line in prompt.splitlines() if line.startswith(JOB)), "")
    match model.partition("-")[0]:
        case "echo":
            answer = prompt
        case "json":
            answer = f'Here it is:\n```json\n{{"prompt_characters": {len(prompt)}, "ok": true}}\n```\n'
        case "empty":
            answer = ""
        case "garbled":
            answer = '{"ok": true, "cut": '
        case "once":  # wrong at first, right when it is told what was wrong
            answer = '{"ok": true}' if "That cannot be used" in prompt else "I would rather not."
        case "flood":
            answer = "x" * (9 * 1024 * 1024)
        case "fail":
            return int(model.partition("-")[2] or "1")
        case "busy":
            return 75
        case "hang":
            return _hang(model.partition("-")[2])
        case _:
            answer = f"# Done\n\n{job}\n\nRead {len(prompt)} characters."
    sys.stdout.write(answer)
    sys.stdout.flush()
    return 0


def _hang(how: str) -> int:
    """Say a part, then nothing more; with `fork` leave a process of another session behind that hangs too."""
    sys.stdout.write("A part of an answer")
    sys.stdout.flush()
    if how == "fork" and os.fork() == 0:
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
