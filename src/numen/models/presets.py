"""Where models are found: the providers known by name, and what a person's word for one means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from numen.kernel import InvalidInput, Json


@dataclass(frozen=True, slots=True)
class Preset:
    """A provider."""

    name: str
    url: str | None
    """Its OpenAI-compatible API; None for what answers in this process."""
    variable: str | None
    """The environment variable that holds its key by custom; None where it takes none."""
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """How it calls the bound of an answer."""
    summary: str = ""


PRESETS: Mapping[str, Preset] = {
    one.name: one
    for one in (
        Preset(
            "openrouter",
            "https://openrouter.ai/api/v1",
            "OPENROUTER_API_KEY",
            summary="many providers' models by one key, none of which may keep what is said",
        ),
        Preset(
            "openai",
            "https://api.openai.com/v1",
            "OPENAI_API_KEY",
            "max_completion_tokens",
            "OpenAI's own API",
        ),
        Preset("ollama", "http://127.0.0.1:11434/v1", None, summary="Ollama on this machine"),
        Preset("lmstudio", "http://127.0.0.1:1234/v1", None, summary="LM Studio on this machine"),
        Preset("scripted", None, None, summary="answers from a recorded script, for demos and tests"),
        Preset("echo", None, None, summary="says what it was told, to try the rest without a model"),
    )
}
"""The providers known by name, with the addresses that their manuals give."""

NEEDS_NAME = frozenset({"openrouter", "openai", "ollama", "lmstudio", "url"})


@dataclass(frozen=True, slots=True)
class Choice:
    """Which model a person chose, and how it is asked. Holds no key."""

    use: str | None = None
    """A preset's name or a URL; None is no model."""
    name: str | None = None
    """The model's id there; of a scripted model, its file."""
    max_tokens: int | None = None
    temperature: float | None = None
    window: int | None = None
    timeout: float = 120.0
    """Seconds without a piece of the answer after which it is given up."""
    retries: int = 2
    """How often a question is asked again where nothing was answered yet."""
    exacto: bool = False
    """Whether OpenRouter takes only the hosts that call tools most exactly."""
    private: bool = True
    """Whether OpenRouter may use only hosts that keep nothing."""
    key_variable: str | None = None
    key_command: tuple[str, ...] = ()
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])

    @property
    def preset(self) -> Preset:
        """The provider. Raises `InvalidInput` where the word is no preset and no URL, or none is given."""
        if self.use is not None and self.use in PRESETS:
            return PRESETS[self.use]
        if self.use is not None and _is_url(self.use):
            return Preset("url", self.use.rstrip("/"), "NUMEN_MODEL_KEY")
        raise InvalidInput(
            f"{self.use!r} is not a provider of models.",
            not_done="No model was asked.",
            next_step=f"Take one of {', '.join(PRESETS)}, or the URL of an OpenAI-compatible API.",
        )

    @property
    def title(self) -> str:
        """The model as it is shown and priced: `preset:model`."""
        preset = self.preset
        if preset.name == "scripted":
            return f"scripted:{Path(self.name).stem}" if self.name else "scripted"
        return f"{preset.name}:{self.name}" if self.name else preset.name


def read_word(word: str) -> dict[str, Json]:
    """What `NUMEN_MODEL` says: `PRESET`, `PRESET:MODEL`, a URL, `URL#MODEL`, or the model's id alone.

    Gives the keys of the section `model` that it sets.
    """
    word = word.strip()
    if _is_url(word):
        url, _, name = word.partition("#")
        return {"use": url, "name": name} if name else {"use": url}
    head, _, rest = word.partition(":")
    if head in PRESETS:
        return {"use": head, "name": rest} if rest else {"use": head}
    return {"name": word}


def complete(choice: Choice) -> Choice:
    """The choice, if a model can be asked by it. Raises `InvalidInput` where something is missing."""
    preset = choice.preset
    if preset.name in NEEDS_NAME and not choice.name:
        raise InvalidInput(
            f"No model of {choice.use} is named.",
            not_done="No model was asked.",
            next_step="numen model use PRESET --name MODEL, or NUMEN_MODEL=PRESET:MODEL.",
        )
    if preset.name == "scripted" and not choice.name:
        raise InvalidInput(
            "A scripted model needs its script.",
            not_done="No model was asked.",
            next_step="NUMEN_MODEL=scripted:FILE.json",
        )
    return replace(choice, name=choice.name or "echo")


def _is_url(word: str) -> bool:
    return word.startswith(("http://", "https://")) and bool(urlsplit(word).hostname)
