"""Whatever is sent to a route, the answer is one of ours: never a 500, always the one form of an error."""

from __future__ import annotations

import os
from contextlib import suppress

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.schemas import APIOperation

from tests.surfaces.processes import environment, make_repository, numen, serving

REQUESTS = 60 if os.environ.get("NUMEN_SOAK") else 2
"""Of each kind, to each route."""


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.attack
@pytest.mark.timeout(600)
@pytest.mark.promise("http.any-request")
def test_any_request_is_answered_in_words(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = make_repository(tmp_path_factory.mktemp("repository"))
    home = tmp_path_factory.mktemp("home")
    assert numen(home, "init", "--yes", "--owner", "Ada", env=environment(home)).returncode == 0
    with serving(home, place) as server:
        key = {"Authorization": f"Bearer {server.key}"}
        schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/openapi.json", headers=key)
        asked = [_ask_all(one.ok(), key) for one in schema.get_all_operations()]
        assert len(asked) >= 70
        assert server.request("GET", "/healthz").status == 200


def _ask_all(operation: APIOperation, key: dict[str, str]) -> None:
    """Send what the description allows, and what it does not."""
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

        @settings(max_examples=REQUESTS, deadline=None, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy(generation_mode=mode))
        def answers(case: Case) -> None:
            answer = case.call(headers=key)
            assert answer.status_code < 500 or answer.status_code == 503, (
                f"{case.as_curl_command()}\n{answer.text}"
            )
            if answer.status_code >= 400:
                detail = answer.json()["detail"]
                assert detail["code"]
                assert detail["message"]

        with suppress(Unsatisfiable):  # nothing wrong can be sent to a route that takes nothing
            answers()
