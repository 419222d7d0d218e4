"""A value put in its place in a file that a person wrote."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.kernel import InvalidInput
from numen.surfaces.papers import placed

HANDLES = ("owner", "handles")
ENTRY = '{platform: sms, id: "1"}'

FORMS = {
    "": "[]",
    "agent: {name: Ada}": "[]",
    "owner:\n  name: Pat # me\n": "[]",
    "owner: {name: Pat} # me\n": "[]",
    "owner: {}\n": "[]",
    "owner:\n": "[]",
    "owner: # me\nagent: {}\n": "[]",
    "{agent: {name: Ada}} # me": "[]",
    "owner:\n  # where\n  handles: [] # none\nagent: {}\n": "[]",
    "owner: {handles: [{platform: a, id: b}], name: Pat}\n": "[{platform: a, id: b}]",
    "owner:\n  handles:\n  - platform: a\n    id: b # old\n\n  # then\n  name: P\n": "[{platform: a, id: b}]",
    "owner:\n    handles:\n      # first\n      - {platform: a, id: b}\n# end": "[{platform: a, id: b}]",
}


@pytest.mark.promise("init.keeps-what-was-written")
@pytest.mark.parametrize("text", FORMS)
def test_a_handle_is_added_however_the_file_is_written_and_no_line_is_lost(text: str) -> None:
    fresh = placed(text, HANDLES, f"[{ENTRY}]", [ENTRY])
    assert yaml.safe_load(fresh)["owner"]["handles"] == [*yaml.safe_load(FORMS[text]), yaml.safe_load(ENTRY)]
    for comment in ("# me", "# where", "# none", "# old", "# then", "# first", "# end"):
        assert fresh.count(comment) == text.count(comment)


names = st.sampled_from(["name", "handles", "agent", "port"]) | st.text("abcxyz", min_size=1, max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=4,
)


@pytest.mark.promise("init.keeps-what-was-written")
@settings(deadline=None, max_examples=40)  # the time is YAML's
@given(
    st.dictionaries(names, values, max_size=4),
    st.none() | st.dictionaries(names, values, max_size=3),
    st.booleans(),
)
def test_nothing_else_in_the_file_is_changed(
    rest: dict[str, object], owner: dict[str, object] | None, flow: bool
) -> None:
    rest.pop("owner", None)
    before = {**rest, **({} if owner is None else {"owner": owner})}
    text = yaml.safe_dump(before, default_flow_style=flow) if before else ""
    if isinstance((owner or {}).get("name"), list | dict):
        return
    after = yaml.safe_load(placed(text, ("owner", "name"), '"Pat"'))
    assert after == {**before, "owner": {**(owner or {}), "name": "Pat"}}


@pytest.mark.parametrize("text", ["owner: &x {}\nother: *x\n", "- a\n"])
def test_what_cannot_be_done_in_place_is_refused_with_the_line_to_write(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        placed(text, HANDLES, f"[{ENTRY}]", [ENTRY])
    assert ENTRY in refusal.value.next_step
