"""How a person chooses who thinks: numen.yaml, NUMEN_MODEL, and the command."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from numen.app import build, choice
from numen.kernel import InvalidInput
from numen.models import NoModel
from numen.settings import load
from tests.models import endpoint as wire
from tests.models.endpoint import Answer
from tests.surfaces.processes import environment, numen


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("NUMEN_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NUMEN_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.promise("models.choice")
def test_one_word_in_the_environment_wins_over_the_file_and_keeps_the_rest(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "numen.yaml").write_text("model: {use: ollama, name: qwen3, temperature: 0.7}\n")
    assert choice(load()).title == "ollama:qwen3"
    monkeypatch.setenv("NUMEN_MODEL", "gemma3:4b")
    assert (choice(load()).title, choice(load()).temperature) == ("ollama:gemma3:4b", 0.7)
    monkeypatch.setenv("NUMEN_MODEL", "echo")
    assert build(load()).model.card.name == "echo"
    monkeypatch.setenv("NUMEN_MODEL", '{"use": "openai", "retries": 11}')
    with pytest.raises(InvalidInput, match="NUMEN_MODEL"):
        load()


def test_without_a_model_it_is_said_how_to_choose_one(home: Path) -> None:
    with pytest.raises(NoModel) as seen:
        _ = build(load()).model
    assert "numen model use" in seen.value.next_step


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_model_is_chosen_tried_and_listed_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "numen.yaml").write_text("# mine\nport: 7001\n")
    with wire.endpoint() as server:
        server.answers = [Answer([wire.text("ready"), wire.finish("stop")]), Answer([{}], 401)]
        chosen = numen(tmp_path, "model", "use", server.url, "--name", "m-1")
        assert chosen.returncode == 0, chosen.stderr
        assert b"none yet: set NUMEN_MODEL_KEY" in chosen.stdout
        written = (tmp_path / "numen.yaml").read_text()
        assert written.startswith("# mine\nport: 7001\n")
        env = environment(tmp_path, NUMEN_MODEL_KEY="sk-from-the-environment")
        tried = json.loads(numen(tmp_path, "model", "test", "--json", env=env).stdout)
        assert (tried["ok"], tried["answer"], tried["cost_micros"]) == (True, "ready", None)
        assert server.keys == ["Bearer sk-from-the-environment"]
        refused = numen(tmp_path, "model", "test", env=env)
        assert (refused.returncode, b"numen model test" in refused.stdout) == (1, True)
        shown = numen(tmp_path, "model", "list", "--all", "--json", env=env)
    said = json.loads(shown.stdout)
    assert said["used"] == {"use": server.url, "name": "m-1"}
    assert said["models"] == ["a-1", "b-2"]
