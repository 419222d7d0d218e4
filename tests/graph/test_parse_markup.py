"""Headings are nodes, nested as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph.edges import indexed, outline


@pytest.mark.promise("graph.sections")
def test_markdown_headings_are_sections(tmp_path: Path) -> None:
    text = """# Guide

Words.

## Setup ##

```sh
# not a heading
```

### Deep
Title
=====
## Setup
- - -
| a |
|---|
"""
    assert outline(indexed(tmp_path, {"a.md": text}), "a.md") == [
        "section Guide 1-11",
        "section Guide > Setup 5-11",
        "section Guide > Setup > Deep 11-11",
        "section Title 12-17",
        "section Title > Setup 14-17",
    ]


@pytest.mark.promise("graph.sections")
def test_rst_headings_are_sections_by_the_order_of_their_marks(tmp_path: Path) -> None:
    text = """=====
Guide
=====

Setup
=====

Words.

Deep
----

Setup
=====
- item
"""
    assert outline(indexed(tmp_path, {"a.rst": text}), "a.rst") == [
        "section Guide 2-15",
        "section Guide > Setup 5-12",
        "section Guide > Setup > Deep 10-12",
        "section Guide > Setup#2 13-15",
    ]
