"""Each language against labels that were checked by hand, where clones of the labelled repositories are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.languages import LABELS, Index, measured

REPOSITORIES = os.environ.get("NUMEN_REPOSITORIES", "")
BAR = 0.95
"""Decision 28: how many of the exact and import-resolved edges must be right."""

LANGUAGES = sorted(path.stem for path in LABELS.glob("*.json"))


@pytest.fixture(scope="module")
def indexes() -> dict[str, Index]:
    return {}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.promise("languages.labels")
@pytest.mark.skipif(
    not REPOSITORIES, reason="NUMEN_REPOSITORIES names no folder with clones of the labelled repositories"
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_edges_that_are_called_sure_are_right(language: str, indexes: dict[str, Index]) -> None:
    result = measured(language, Path(REPOSITORIES), indexes)
    if not result.definitions.all:
        pytest.skip(f"no clone at the labelled commit: {'; '.join(result.skipped)}")
    assert result.sure.value is not None
    assert result.sure.value >= BAR, "\n".join(result.faults)
    assert result.definitions.value is not None
    assert result.definitions.value >= BAR, "\n".join(result.faults)
