"""One place reads configuration, and nothing misspelt is silently ignored."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import FixedClock, InvalidInput, SystemClock
from numen.settings import Settings, clock, load, nearest


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.upper().startswith("NUMEN_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NUMEN_HOME", str(tmp_path))


@pytest.mark.promise("settings.home-moves-all")
def test_the_home_is_where_numen_home_says_and_its_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "numen.yaml").write_text("port: 7001\nworkers: 3\n")
    settings = load()
    assert (settings.home, settings.port, settings.workers) == (tmp_path, 7001, 3)
    assert settings.host == "127.0.0.1"


def test_without_a_file_the_defaults_hold_and_nothing_is_created(tmp_path: Path) -> None:
    home = tmp_path / "not-yet"
    os.environ["NUMEN_HOME"] = str(home)
    assert load().port == 7777
    assert not home.exists()


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numen.yaml").write_text("port: 7001\nworkers: 3\nhost: '::1'\n")
    monkeypatch.setenv("NUMEN_PORT", "7002")
    monkeypatch.setenv("NUMEN_HOST", "127.0.0.2")
    settings = load(port=7003, host=None)
    assert (settings.port, settings.host, settings.workers) == (7003, "127.0.0.2", 3)


@pytest.mark.promise("settings.unknown-is-an-error")
@pytest.mark.parametrize(
    ("text", "wrong", "near"),
    [("prot: 1", "prot", "port"), ("data_base_url: x", "data_base_url", "database_url")],
)
def test_a_misspelt_key_in_the_file_is_an_error_that_names_the_nearest(
    tmp_path: Path, text: str, wrong: str, near: str
) -> None:
    (tmp_path / "numen.yaml").write_text(text)
    with pytest.raises(InvalidInput) as caught:
        load()
    assert wrong in caught.value.what
    assert str(tmp_path / "numen.yaml") in caught.value.what
    assert near in caught.value.next_step


@pytest.mark.promise("settings.unknown-is-an-error")
@pytest.mark.parametrize(
    ("name", "near"), [("NUMEN_PROT", "NUMEN_PORT"), ("NUMEN_DATABASE_URI", "NUMEN_DATABASE_URL")]
)
def test_a_misspelt_name_in_the_environment_is_an_error_that_names_the_nearest(
    monkeypatch: pytest.MonkeyPatch, name: str, near: str
) -> None:
    monkeypatch.setenv(name, "1")
    with pytest.raises(InvalidInput) as caught:
        load()
    assert name in caught.value.what
    assert near in caught.value.next_step


def test_what_is_like_nothing_is_answered_with_the_whole_list(tmp_path: Path) -> None:
    (tmp_path / "numen.yaml").write_text("zzzzzz: 1\n")
    with pytest.raises(InvalidInput, match="zzzzzz") as caught:
        load()
    assert "port" in caught.value.next_step


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("port: many", "port"),
        ("port: 70000", "port"),
        ("workers: 0", "workers"),
        ("database_url: mysql://x", "database_url"),
        ("home: /tmp", "home"),
        ("- a\n- b", "keys and values"),
        ("port: [", "YAML"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_with_its_key(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "numen.yaml").write_text(text)
    with pytest.raises(InvalidInput, match=word):
        load()


def test_a_bad_value_in_the_environment_is_refused_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMEN_PORT", "soon")
    with pytest.raises(InvalidInput, match="NUMEN_PORT"):
        load()


def test_the_names_behind_a_proxy_are_a_list_in_the_file_and_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numen.yaml").write_text("hosts: [numen.lan]\n")
    assert load().hosts == ("numen.lan",)
    monkeypatch.setenv("NUMEN_HOSTS", '["a.lan", "b.lan"]')
    assert load().hosts == ("a.lan", "b.lan")


def test_an_unreadable_file_is_said_to_be_unreadable(tmp_path: Path) -> None:
    (tmp_path / "numen.yaml").write_bytes(b"port: \xff\xfe")
    with pytest.raises(InvalidInput, match="cannot be read"):
        load()


@pytest.mark.promise("settings.test-clock")
def test_the_test_clock_is_honoured_only_in_a_test() -> None:
    moment = "2026-01-02T03:04:05Z"
    fixed = clock({"NUMEN_TEST": "1", "NUMEN_TEST_CLOCK": moment})
    assert isinstance(fixed, FixedClock)
    assert fixed.now() == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert isinstance(clock({}), SystemClock)
    with pytest.raises(InvalidInput, match="NUMEN_TEST"):
        clock({"NUMEN_TEST_CLOCK": moment})
    with pytest.raises(InvalidInput, match="moment"):
        clock({"NUMEN_TEST": "1", "NUMEN_TEST_CLOCK": "2026-01-02 noon"})


@pytest.mark.timeout(30)
@given(st.text(max_size=40))
def test_the_nearest_name_is_always_one_that_exists(word: str) -> None:
    known = set(Settings.model_fields)
    found = nearest(word, known)
    assert found is None or found in known
    assert nearest("port", known) == "port"
