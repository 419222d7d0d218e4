"""The one place that reads configuration: `numen.yaml` and `identity.yaml` in the home, and `NUMEN_*`."""

from __future__ import annotations

import difflib
import ipaddress
import os
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Literal, Self, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from numen.kernel import Clock, FixedClock, InvalidInput, Json, SystemClock, from_iso
from numen.models import read_word

PREFIX = "NUMEN_"
FILE_NAME = "numen.yaml"
IDENTITY_NAME = "identity.yaml"

OUTSIDE_NAMES = frozenset(
    {
        "NUMEN_HOME",
        "NUMEN_SOAK",
        "NUMEN_TEST",
        "NUMEN_TEST_CLOCK",
        "NUMEN_KEY",
        "NUMEN_URL",
        "NUMEN_API_KEY",
        "NUMEN_BODY_THREAD",
        "NUMEN_MODEL_KEY",
        "NUMEN_DELEGATION",
    }
)
"""Names with our prefix that are not settings: where the home is, what the tests set, an agent's own key,
what the Hermes plugin reads in the same environment, the key of a model that is named by its URL, and the
mark of a delegated process."""


class Section(BaseModel):
    """A part of a file with keys of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


class OwnerSection(Section):
    """Who the owner is in the store; written by `numen init`."""

    contact_id: str | None = None


class Agent(Section):
    """Who the agent is, in the owner's words."""

    name: str = "Numen"
    timezone: str = "UTC"
    values: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = ()


class OwnHandle(Section):
    """Under which id the owner writes on a platform."""

    platform: str
    id: str


class Owner(Section):
    """Who the owner is, in their own words. Without `handles` nothing is said of them."""

    name: str | None = None
    handles: tuple[OwnHandle, ...] | None = None

    @field_validator("handles", mode="before")
    @classmethod
    def _listed(cls, given: object) -> object:
        """Also `platform: id` and `platform: [ids]`, and texts `platform:id`, which other clients read."""
        if isinstance(given, dict):
            mapping = cast("dict[object, object]", given)
            return [
                {"platform": platform, "id": one}
                for platform, ids in mapping.items()
                for one in (cast("list[object]", ids) if isinstance(ids, list) else [ids])
            ]
        if isinstance(given, list):
            return [_handle(one) for one in cast("list[object]", given)]
        return given


class Identity(Section):
    """`identity.yaml`: who the agent and the owner are."""

    agent: Agent = Field(default_factory=Agent)
    owner: Owner = Field(default_factory=Owner)


class Deny(Section):
    """What is never done: by the name of the tool, or by words that stand in its arguments."""

    tools: tuple[str, ...] = ()
    text: tuple[str, ...] = ()


class Budgets(Section):
    """How much is done without being asked for; null is no limit, money is in minor units."""

    tasks_per_hour: int | None = Field(default=4, ge=0)
    concurrent_tasks: int | None = Field(default=2, ge=0)
    owner_messages_per_day: int | None = Field(default=3, ge=0)
    outreach_per_day: int | None = Field(default=3, ge=0)
    outreach_gap_hours: int = Field(default=2, ge=0)
    contact_messages_per_day: int | None = Field(default=5, ge=0)
    contact_cooldown_hours: int = Field(default=24, ge=0)
    llm_tokens_per_day: int | None = Field(default=None, ge=0)
    money_per_day: int | None = Field(default=None, ge=0)


EffectName = Literal[
    "read", "internal", "owner_message", "contact_message", "external", "exec", "money", "credential",
    "irreversible", "bulk",
]  # fmt: skip


class Drives(Section):
    """How much each drive is listened to; 0 is not at all."""

    duty: float = Field(default=1.0, ge=0, le=1)
    social: float = Field(default=0.5, ge=0, le=1)
    curiosity: float = Field(default=0.5, ge=0, le=1)
    mastery: float = Field(default=1.0, ge=0, le=1)
    upkeep: float = Field(default=1.0, ge=0, le=1)


class MindSection(Section):
    """How much the mind does by itself."""

    enabled: bool = True
    autonomy: Literal["off", "suggest", "standard", "trusted"] = "standard"
    deny: Deny = Field(default_factory=Deny)
    budgets: Budgets = Field(default_factory=Budgets)
    tools: Mapping[str, EffectName] = Field(default_factory=dict[str, EffectName])
    trusted_servers: tuple[str, ...] = ()
    quiet_hours: str | None = Field(
        default="22:00-08:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$"
    )
    drives: Drives = Field(default_factory=Drives)


class ProxySection(Section):
    """What stands in front of Numen, and from where it may be reached."""

    trusted: tuple[str, ...] = ()
    header: str = Field(default="X-Authentik-Username", pattern=r"^[A-Za-z0-9-]+$")
    owners: tuple[str, ...] = ()
    secret_variable: str | None = None
    mesh: tuple[str, ...] = ()

    @field_validator("trusted", "mesh")
    @classmethod
    def _listed(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for one in given:
            if ipaddress.ip_network(one).prefixlen == 0:
                raise ValueError(f"{one} is every address there is")
        return given

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.owners and not self.trusted:
            raise ValueError("owners are named by a proxy, and no address of one is listed in trusted")
        return self


class ModelPrice(Section):
    """Dollars for a million tokens; what was cached costs as other input where `cached` is not given."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)


class ModelSection(Section):
    """Who thinks."""

    use: str | None = None
    name: str | None = None
    max_tokens: int | None = Field(default=4096, ge=1)
    temperature: float | None = Field(default=0.2, ge=0, le=2)
    window: int | None = Field(default=None, ge=1)
    iterations: int = Field(default=15, ge=1, le=100)
    timeout: float = Field(default=120.0, gt=0)
    retries: int = Field(default=2, ge=0, le=10)
    exacto: bool = False
    private: bool = True
    key_variable: str | None = None
    key_command: tuple[str, ...] = ()
    prices: Mapping[str, ModelPrice] = Field(default_factory=dict[str, ModelPrice])


class TurnSection(Section):
    """What one turn of a conversation may use before it asks to go on; null is no limit."""

    tokens: int | None = Field(default=400_000, ge=1)
    dollars: float | None = Field(default=None, gt=0)
    seconds: int | None = Field(default=900, ge=1)


class CycleSection(Section):
    """How deep a turn is thought through, and what a room may spend on it."""

    capacity: int = Field(default=200_000, ge=1)
    per_hour: int = Field(default=100_000, ge=1)
    reply: int = Field(default=1024, ge=1)
    found: int = Field(default=1_500, ge=0)
    tools: int = Field(default=800, ge=0)
    calls: int = Field(default=3, ge=0)
    seconds: float = Field(default=120.0, gt=0)
    keep_days: int = Field(default=30, ge=1)
    lenses: bool = True
    keep_best: bool = True
    soul: Path | None = None


class DelegateBudgets(Section):
    """What delegations may cost, in dollars; null is no limit, days are of UTC."""

    usd_per_call: float | None = Field(default=None, ge=0)
    usd_per_day: float | None = Field(default=None, ge=0)
    usd_per_tag: Mapping[str, float] = Field(default_factory=dict[str, float])
    usd_per_tree: float | None = Field(default=None, ge=0)
    calls_per_day: int | None = Field(default=None, ge=0)
    tokens_per_day: int | None = Field(default=None, ge=0)

    def usd(self) -> Mapping[str, float | None]:
        """The limits of one sum each."""
        return {
            "usd_per_call": self.usd_per_call,
            "usd_per_day": self.usd_per_day,
            "usd_per_tree": self.usd_per_tree,
        }


class DelegateSection(Section):
    """Who else does work, and what it may read, write and cost."""

    command: tuple[str, ...] = ()
    command_environment: tuple[str, ...] = ()
    roots: tuple[Path, ...] = ()
    write_roots: tuple[Path, ...] = ()
    hermes_home: Path | None = None
    hermes_provider: str | None = "minimax"
    at_once: int = Field(default=2, ge=1, le=64)
    material_tokens: int = Field(default=200_000, ge=1, le=10_000_000)
    budgets: DelegateBudgets = Field(default_factory=DelegateBudgets)


class Settings(BaseSettings):
    """What a person may choose. The environment wins over the file, the file over the defaults.

    Made by `load`, which refuses a key that does not exist and names the nearest one that does.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    home: Path = Field(description="The folder that holds all state; set by NUMEN_HOME alone.")
    database_url: str | None = Field(
        None, description="postgresql://... for one store on many machines; by default a file in the home."
    )
    host: str = Field("127.0.0.1", description="The address that `numen up` listens on.")
    port: int = Field(7777, ge=0, le=65535, description="The port of `numen up`; 0 takes a free one.")
    hosts: tuple[str, ...] = Field(
        (), description="Other names under which a proxy calls it; a request for any other Host is refused."
    )
    body_limit: int = Field(
        8_388_608, ge=1024, description="The largest HTTP request body that is read, in bytes."
    )
    workers: int = Field(8, ge=1, le=64, description="How many service calls run at once in one process.")
    owner: OwnerSection = Field(
        default_factory=OwnerSection,
        description="`contact_id`: who the owner is in the store; written by `numen init`.",
    )

    mind: MindSection = Field(
        default_factory=MindSection,
        description="`enabled`, `autonomy` (off, suggest, standard, trusted), `deny`, `budgets`, `tools` "
        "(what a tool does, by its name), `trusted_servers` (whose annotations are believed), `quiet_hours` "
        "(22:00-08:00; null for none), `drives` (duty, social, curiosity, mastery, upkeep: 0 to 1).",
    )

    model: ModelSection = Field(
        default_factory=ModelSection,
        description="Who thinks: `use` (openrouter, openai, ollama, lmstudio, scripted, echo, or the URL of "
        "an OpenAI-compatible API), `name` (its id there), `max_tokens` (4096), `temperature` (0.2), "
        "`window` (tokens), `iterations` (calls of the model in a turn, 15), `timeout` (seconds without a "
        "word, 120), "
        "`retries` (2), `exacto` (OpenRouter: only hosts that call tools most exactly), `private` "
        "(OpenRouter: only hosts that keep nothing), `key_variable`, `key_command` (a list: a program that "
        "prints the key), `prices` (by model: `input`, `output`, `cached`, dollars for a million tokens). "
        "NUMEN_MODEL is short for it: PRESET, PRESET:MODEL, a URL, URL#MODEL, or a model's id.",
    )

    turn: TurnSection = Field(
        default_factory=TurnSection,
        description="`tokens`, `dollars`, `seconds` that one turn of a conversation may use before it asks.",
    )
    delegate: DelegateSection = Field(
        default_factory=DelegateSection,
        description="`command` (a program that reads a prompt on stdin and answers on stdout) and "
        "`command_environment` (variables that it may see), `roots` (read) and `write_roots` (written) "
        "beside the project and `hermes_home`, `hermes_provider` (minimax; null: as its profile says), "
        "`at_once` (how many of the queue run together), `material_tokens` (of one prompt), "
        "`budgets` (usd_per_call, usd_per_day, usd_per_tag, usd_per_tree, calls_per_day, tokens_per_day).",
    )

    proxy: ProxySection = Field(
        default_factory=ProxySection,
        description="What stands in front: `trusted` (CIDRs of proxies: who calls is what they say), "
        "`header` (where they write it, X-Authentik-Username), `owners` (the names that are the owner's), "
        "`secret_variable` (an environment variable: what the proxy shows in X-Numen-Proxy-Secret), `mesh` "
        "(CIDRs from which alone Numen is reached). Addresses are those of the transport.",
    )

    cycle: CycleSection = Field(
        default_factory=CycleSection,
        description="How a turn is thought through: `capacity` (tokens that a room can have, 200000), "
        "`per_hour` (of them that come back, 100000), `reply` (tokens of one answer of the model, 1024), "
        "`found` and `tools` (tokens of what is looked up, 1500, and of tools that are shown, 800), `calls` "
        "(tools that a turn may use, 3), `seconds` (after which it answers with what it has, 120), "
        "`keep_days` (of traces, 30), `lenses`, `keep_best`, `soul` (where SOUL.md is written; null is "
        "nowhere).",
    )

    @field_validator("database_url")
    @classmethod
    def _known_store(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("postgresql:", "postgresql+psycopg:", "sqlite:")):
            raise ValueError("it must start with postgresql: or sqlite:")
        return url or None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What the command line says, then the environment, then the file."""
        del env_settings, dotenv_settings, file_secret_settings
        file = InitSettingsSource(settings_cls, init_kwargs=dict(_read(home() / FILE_NAME)))
        return (init_settings, _Environment(settings_cls), file)


def home(environ: Mapping[str, str] | None = None) -> Path:
    """Where all state lives: `NUMEN_HOME`, else `~/.numen`. Absolute; nothing is created."""
    given = (os.environ if environ is None else environ).get("NUMEN_HOME")
    return Path(os.path.abspath(os.path.expanduser(given or "~/.numen")))


def load(**overrides: int | str | None) -> Settings:
    """The settings of this process; `overrides` are command-line options, None meaning "not given".

    Raises `InvalidInput` for a key in the file or a `NUMEN_` name in the environment that does not exist
    (naming the nearest), for a value of the wrong form, and for a file that cannot be read.
    """
    where = home()
    _check_names(
        (name for name in os.environ if name.upper().startswith(PREFIX)),
        {PREFIX + key.upper() for key in _keys()} | OUTSIDE_NAMES,
        "the environment",
    )
    path = where / FILE_NAME
    values = _read(path)
    _check_keys(values, Settings, str(path), _keys())
    try:
        given = {name: value for name, value in overrides.items() if value is not None}
        return Settings.model_validate({"home": where, **given})
    except ValidationError as error:
        raise _refusal(error, values, path) from error
    except SettingsError as error:
        raise InvalidInput(
            f"The environment has a value that cannot be read: {error}.",
            not_done="Nothing was started.",
            next_step="Give a list or a section as JSON, or put it into numen.yaml.",
        ) from error


def load_identity(where: Path) -> Identity | None:
    """`identity.yaml` in the home, or None where there is none.

    Raises `InvalidInput` as `load` does.
    """
    path = where / IDENTITY_NAME
    if not path.exists():
        return None
    values = _read(path)
    _check_keys(values, Identity, str(path), set(Identity.model_fields))
    try:
        return Identity.model_validate(values)
    except ValidationError as error:
        raise _refusal(error, values, path) from error


def clock(environ: Mapping[str, str] | None = None) -> Clock:
    """The machine's clock; under `NUMEN_TEST=1` the moment that `NUMEN_TEST_CLOCK` names (decision 6).

    Raises `InvalidInput` if that name is set without `NUMEN_TEST=1`, or is not a moment.
    """
    environ = os.environ if environ is None else environ
    moment = environ.get("NUMEN_TEST_CLOCK")
    if moment is None:
        return SystemClock()
    if environ.get("NUMEN_TEST") != "1":
        raise InvalidInput(
            "NUMEN_TEST_CLOCK is set, but NUMEN_TEST is not 1.",
            not_done="Nothing was started: a false clock would be written into the record.",
            next_step="Unset NUMEN_TEST_CLOCK.",
        )
    try:
        return FixedClock(from_iso(moment))
    except ValueError as error:
        raise InvalidInput(
            f"NUMEN_TEST_CLOCK is not a moment: {error}.",
            not_done="Nothing was started.",
            next_step="Give ISO 8601 with a zone, such as 2026-01-02T03:04:05Z.",
        ) from error


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, or None where nothing is near."""
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return found[0] if found else None


def _keys() -> set[str]:
    return set(Settings.model_fields) - {"home"}


def _read(path: Path) -> dict[str, Json]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"{path} cannot be read: {error}.", not_done="Nothing was started.", next_step="Mend the file."
        ) from error
    try:
        parsed = cast("object", yaml.load(text, _Strict))
    except yaml.YAMLError as error:
        raise InvalidInput(
            f"{path} is not YAML: {' '.join(str(error).split())}.",
            not_done="Nothing was started.",
            next_step="Mend the file.",
        ) from error
    if parsed is None:
        return {}
    if not isinstance(parsed, dict):
        raise InvalidInput(
            f"{path} does not hold keys and values.",
            not_done="Nothing was started.",
            next_step="Write one `key: value` a line.",
        )
    return {str(key): value for key, value in cast("dict[object, Json]", parsed).items()}


class _Environment(EnvSettingsSource):
    """The environment, in which a model is one word."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: object) -> object:
        """The keys that a word for a model sets; any other value as JSON."""
        if field_name == "model" and isinstance(value, str) and not value.lstrip().startswith("{"):
            return read_word(value) if value.strip() else {}
        return super().decode_complex_value(field_name, field, value)


class _Strict(yaml.SafeLoader):
    """YAML in which a key stands once: of two owners, the second would win unseen."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        """The mapping. Raises `yaml.constructor.ConstructorError` for a key that stands twice."""
        seen: set[object] = set()
        for key, _ in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            name = cast("object", key.value) if isinstance(key, yaml.ScalarNode) else None
            if name is not None and name in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {name!r} stands there twice", key.start_mark
                )
            seen.add(name)
        return cast("dict[Hashable, object]", super().construct_mapping(node, deep))


def _handle(given: object) -> object:
    if not isinstance(given, str):
        return given
    platform, _, address = given.replace(":", "=", 1).partition("=")
    return {"platform": platform, "id": address}


def _check_keys(values: Mapping[str, object], model: type[BaseModel], where: str, known: set[str]) -> None:
    """Refuse a key that `model` does not have, in its sections too."""
    _check_names(values, known, where)
    for name, value in values.items():
        section = _section(model.model_fields[name].annotation)
        if section is not None and isinstance(value, dict):
            inner = {str(key): one for key, one in cast("dict[object, object]", value).items()}
            _check_keys(inner, section, f"{name!r} of {where}", set(section.model_fields))


def _section(annotation: object) -> type[Section] | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, Section) else None


def _check_names(names: Iterable[str], known: set[str], where: str) -> None:
    for name in names:
        if name in known:
            continue
        near = nearest(name.upper() if name.upper().startswith(PREFIX) else name, known)
        raise InvalidInput(
            f"{name!r} in {where} is not a setting.",
            not_done="Nothing was started, so that no wish is silently ignored.",
            next_step=f"Did you mean {near!r}?" if near else f"The settings are: {', '.join(sorted(known))}.",
        )


def _refusal(error: ValidationError, values: Mapping[str, Json], path: Path) -> InvalidInput:
    first = error.errors(include_url=False, include_input=False)[0]
    key = str(first["loc"][0]) if first["loc"] else "?"
    name = PREFIX + key.upper()
    shown = ".".join(map(str, first["loc"])) or key
    where = name if name in os.environ else f"{shown!r} in {path}" if key in values else f"--{key}"
    if not first["loc"]:
        where = "The environment"
    return InvalidInput(
        f"{where} has a value that cannot be used: {first['msg'].removeprefix('Value error, ')}.",
        not_done="Nothing was started.",
        next_step="Mend the value.",
    )
