"""The MCP server on stdio, driven in raw JSON-RPC lines: what a host really sees on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from numen.kernel import tokens
from numen.surfaces.verbs import VERBS
from tests.surfaces.processes import Lines, environment, make_repository, numen, speaking

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

TOOL_LIST_LIMIT = 2500
"""Tokens for the whole list of all twelve (decision 21)."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    assert numen(home, "init", "--yes", "--owner", "Ada").returncode == 0
    return home


@pytest.fixture(scope="module")
def lines(home: Path, place: Path) -> Iterator[Lines]:
    with speaking(home, place) as lines:
        lines.hello()
        yield lines


def titled(value: Any) -> bool:
    """Whether a schema has a title, as schemas made by a library do; a property may have that name."""
    parts: list[Any] = list(value.values()) if isinstance(value, dict) else []  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return any(map(titled, parts)) or (isinstance(value, dict) and isinstance(value.get("title"), str))  # pyright: ignore[reportUnknownMemberType]


def tool_list(lines: Lines) -> dict[str, Any]:
    return lines.ask("tools/list")["result"]


@pytest.mark.promise("mcp.tool-list-small")
def test_the_tool_list_is_small_counted_over_the_whole_result(lines: Lines) -> None:
    listed = tool_list(lines)
    size = tokens(json.dumps(listed, ensure_ascii=False, separators=(",", ":")))
    assert size <= TOOL_LIST_LIMIT
    assert len(listed["tools"]) <= 12


@pytest.mark.promise("mcp.schemas-are-objects")
def test_every_schema_is_a_top_level_object_without_titles_and_in_one_order(
    lines: Lines, home: Path, place: Path
) -> None:
    listed = tool_list(lines)
    assert [tool["name"] for tool in listed["tools"]] == [verb.name for verb in VERBS if verb.mcp]
    for tool in listed["tools"]:
        schema = tool["inputSchema"]
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert not {"anyOf", "oneOf", "allOf", "$ref", "$defs"} & set(schema)
        assert not titled(tool)
        assert "outputSchema" not in tool
        assert tool["description"]
    with speaking(home, place) as other:
        other.hello()
        assert json.dumps(tool_list(other)) == json.dumps(listed)


def test_read_only_tools_say_so_and_only_they(lines: Lines) -> None:
    listed = tool_list(lines)["tools"]
    reading = {tool["name"] for tool in listed if tool.get("annotations", {}).get("readOnlyHint")}
    assert reading == {"north", "seek", "impact", "cockpit", "recall"}
    assert {tool["name"] for tool in listed} > reading


@pytest.mark.promise("mcp.teaches-north-first")
def test_the_server_teaches_north_first_and_the_cadence_of_the_card(home: Path, place: Path) -> None:
    with speaking(home, place) as lines:
        hello = lines.hello()
    assert hello["protocolVersion"] == "2025-06-18"
    assert hello["serverInfo"]["name"] == "numen"
    assert hello["instructions"].startswith("Call `north`")
    assert "never the same `state_sig` twice in a session" in hello["instructions"]


@pytest.mark.promise("mcp.bad-arguments")
@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("nroth", {"task": "x"}, "Did you mean `north`?"),
        ("north", {}, "`north` needs the argument `task`."),
        ("north", {"tsak": "x", "task": "y"}, "Did you mean `task`?"),
        ("north", {"task": 7}, "`task`"),
        ("seek", {"query": "x", "k": 0}, "`k`"),
        ("seek", {"query": "x", "k": True}, "`k`"),
        ("impact", {"symbol": "x", "direction": "sideways"}, "`direction`"),
        ("ingest", {"full": "yes"}, "`full`"),
        ("north", {"task": "x", "_uid": 7}, "uid must be a text"),
        ("north", {"task": "x", "_server": "s" * 5000}, "server is longer"),
    ],
)
def test_bad_arguments_are_the_protocol_error_minus_32602_in_clear_words(
    lines: Lines, tool: str, arguments: dict[str, object], words: str
) -> None:
    error = lines.call(tool, **arguments)
    assert error["code"] == -32602
    assert words in error["message"]
    assert "Traceback" not in json.dumps(error)


def test_arguments_that_are_no_object_are_refused(lines: Lines) -> None:
    answer = lines.ask("tools/call", name="north", arguments=["task"])
    assert answer["error"]["code"] == -32602


@pytest.mark.promise("mcp.bad-lines")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{not json", -32700),
        (b"\xff\xfe\x00", -32700),
        (b'{"jsonrpc":"2.0"}', -32600),
        (b"[1,2,3]", -32600),
        (b'"north"', -32600),
        (b"[" * 100_000, -32700),
    ],
)
def test_a_line_that_is_no_message_is_answered_and_the_server_goes_on(
    lines: Lines, line: bytes, code: int
) -> None:
    lines.send(line)
    answer = lines.receive()
    assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert lines.ask("ping")["result"] == {}


def test_a_method_that_does_not_exist_is_minus_32601(lines: Lines) -> None:
    assert lines.ask("north/south")["error"]["code"] == -32601


@pytest.mark.promise("mcp.stranger-by-default")
def test_a_stranger_may_not_name_another_directory_and_is_not_told_whether_it_exists(
    lines: Lines, tmp_path: Path
) -> None:
    there, nowhere = tmp_path / "there", tmp_path / "nowhere"
    there.mkdir()
    answers = [lines.call("north", task="look", repo=str(path)) for path in (there, nowhere)]
    said = [json.loads(answer["content"][0]["text"])["detail"] for answer in answers]
    assert all(answer["isError"] for answer in answers)
    assert [detail["code"] for detail in said] == ["forbidden", "forbidden"]
    assert said[0]["message"].replace("there", "nowhere") == said[1]["message"]


@pytest.mark.promise("mcp.read-only")
def test_read_only_lists_and_serves_only_what_writes_nothing(home: Path, place: Path) -> None:
    with speaking(home, place, "--read-only", "--as", "owner") as lines:
        lines.hello()
        assert [tool["name"] for tool in tool_list(lines)["tools"]] == [
            verb.name for verb in VERBS if verb.mcp and verb.read_only
        ]
        refused = lines.call("ingest")
        assert refused["isError"] is True
        assert json.loads(refused["content"][0]["text"])["detail"]["code"] == "forbidden"


def test_an_unknown_key_in_the_environment_is_refused_in_words(home: Path, place: Path) -> None:
    with speaking(home, place, env=environment(home, NUMEN_KEY="numen_wrong")) as lines:
        lines.hello()
        refused = lines.call("north", task="look")
    assert json.loads(refused["content"][0]["text"])["detail"]["code"] == "unauthorized"
