"""Why one would call a verb: the one text for suggestions, menus and help."""

from __future__ import annotations

from collections.abc import Mapping

WHY: Mapping[str, str] = {
    "north": "orient: which tree, how fresh, where to start",
    "seek": "find more places by words or names",
    "impact": "see who is affected before you change it",
    "ingest": "build or refresh the index",
    "cockpit": "look over what waits, what moved, who is at work",
    "mission": "hand work over that waits for a person",
    "recall": "ask the memories in other words",
}
"""Verb -> what one gets from calling it."""
