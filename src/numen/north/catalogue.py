"""Why one would call a verb: the one text for suggestions, menus and help."""

from __future__ import annotations

from collections.abc import Mapping

WHY: Mapping[str, str] = {
    "north": "orient: which tree, how fresh, where to start",
    "seek": "find more places by words or names",
    "impact": "see who is affected before you change it",
    "ingest": "build or refresh the index",
    "recall": "ask the memories in other words",
}
"""Verb -> what one gets from calling it."""
