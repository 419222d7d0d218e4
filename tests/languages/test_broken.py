"""Whatever a file holds, reading it raises nothing and what is read hangs together, in every language."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.graph.parse import read
from numen.graph.rules import language_of
from tests.languages import test_c, test_cpp, test_csharp, test_go, test_java, test_php, test_ruby, test_rust

FILES: dict[str, dict[str, str]] = {
    "c": test_c.LIST,
    "cpp": test_cpp.SHOP,
    "csharp": test_csharp.SHOP,
    "go": test_go.SHOP,
    "java": test_java.SHOP,
    "php": test_php.SHOP,
    "ruby": test_ruby.SHOP,
    "rust": test_rust.SHOP,
}
PIECES = "(){}[]<>;:,.'\"\\$@#=&|!?~`\n\t \0é—"


@st.composite
def broken(draw: st.DrawFn, files: dict[str, str]) -> tuple[str, bytes]:
    """A file of the fixtures from which runs of letters were taken, doubled, or replaced by marks."""
    path = draw(st.sampled_from(sorted(files)))
    text = files[path]
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        size = draw(st.integers(1, 60))
        middle = draw(st.one_of(st.just(""), st.text(PIECES, max_size=4), st.just(text[at : at + size] * 2)))
        text = text[:at] + middle + text[at + size :]
    return path, text.encode()


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("languages.broken-files-are-named")
@pytest.mark.parametrize("language", sorted(FILES))
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_broken_file_is_read_as_far_as_it_goes(language: str, data: st.DataObject) -> None:
    path, source = data.draw(broken(FILES[language]))
    facts = read(path, language_of(path, source), source, is_test=True)
    definitions = facts.definitions
    assert definitions[0].parent == -1
    for number, one in enumerate(definitions[1:], 1):
        assert 0 <= one.parent < number
        assert 1 <= one.lead <= one.start <= one.end <= definitions[0].end
        assert one.name
        assert one.qualified
    assert len({one.qualified for one in definitions}) == len(definitions)
    assert all(0 <= one.source < len(definitions) for one in facts.references)
    assert all(0 <= one.scope < len(definitions) for one in facts.imports)


@pytest.mark.parametrize("language", sorted(FILES))
def test_deep_nesting_ends_in_no_error(language: str) -> None:
    tail = next(path.rpartition(".")[2] for path in FILES[language] if language_of(path) == language)
    text = "(" * 4000 + "a" + ".b()" * 4000 + "{" * 4000
    facts = read(f"a.{tail}", language, text.encode(), is_test=False)
    assert facts.definitions[0].end == 1
