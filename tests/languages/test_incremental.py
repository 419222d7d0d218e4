"""Incremental is exact in every language: small trees of one language, edited at random."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.graph import Graph
from numen.kernel import SystemClock
from tests.graph.test_ingest_exact import apply, full_dump
from tests.graph.trees import OWNER

NAMES = ("Alpha", "Beta", "Gamma", "run_all", "LoadSettings")
SPACES = ("One", "One.Two", "Three")

name = st.sampled_from(NAMES)
space = st.sampled_from(SPACES)


def built(form: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(form.format, *parts)


LINES: dict[str, tuple[Sequence[str], st.SearchStrategy[str]]] = {
    "cpp": (
        ("a.cc", "a.hpp", "sub/b.h", "sub/b.cc", "test/a_test.cc"),
        st.one_of(
            built('#include "{}"\n', st.sampled_from(("a.hpp", "b.h", "sub/b.h"))),
            built("namespace {} {{\n", st.sampled_from(("One", "One::Two", ""))),
            built("using namespace {};\n", st.sampled_from(("One", "Two"))),
            built("using One::{};\n", name),
            built(
                "class {} : public {} {{\n public:\n  {} {}(int a, {}* b = 0);\n  {} field_;\n}};\n",
                *[name] * 6,
            ),
            built("{} {}::{}(int a, {}* b) {{ field_.{}(1); b->{}(); return {}(a); }}\n", *[name] * 7),
            built("static {} {}() {{ auto x = {}::{}(); x.{}(); }}\n", *[name] * 5),
            built("template <class T> struct {} {{ T {}() {{ One::{}(); }} }};\n", *[name] * 3),
            built("using {} = {};\n", name, name),
            built("TEST({}, {}) {{ {}(2).{}(); }}\n", *[name] * 4),
            st.just("#define ONE_BEGIN_NAMESPACE namespace One {\n"),
            st.just("}\n"),
        ),
    ),
    "c": (
        ("a.c", "b.c", "a.h", "sub/c.h", "sub/a.c"),
        st.one_of(
            built("int {}(int x);\n", name),
            built("static int {}(int x);\n", name),
            built("int {}(int x) {{ return {}(x) + {}(1); }}\n", *[name] * 3),
            built("static inline int {}(void) {{ return {}(2); }}\n", name, name),
            built('#include "{}"\n', st.sampled_from(("a.h", "c.h", "sub/c.h", "b.c", "../a.h"))),
            built("#include <{}>\n", st.sampled_from(("a.h", "stdio.h"))),
            built("#define {}(x) {}(x)\n", name, name),
            built("#define {} {}\n", name, name),
            built("typedef struct {} {{ int a; }} {};\n", name, name),
            built('struct cmd table[] = {{ {{"a", {}}}, {{"b", &{}}} }};\n', name, name),
            st.just("#ifdef _WIN32\n"),
            st.just("#endif\n"),
            st.just("}\n"),
        ),
    ),
    "go": (
        ("a.go", "b.go", "one/c.go", "one/d_windows.go", "one/c_test.go", "go.mod"),
        st.one_of(
            st.just("module example.org/two\n"),
            built("package {}\n", st.sampled_from(("main", "one", "one_test"))),
            built(
                'import {} "example.org/two{}"\n',
                st.sampled_from(("", ".", "one")),
                st.sampled_from(("", "/one")),
            ),
            built("type {} struct {{\n\t{}\n\tfield []*{}\n}}\n", *[name] * 3),
            built("type {} interface {{\n\t{}() {}\n}}\n", *[name] * 3),
            built("type {} = {}\n", name, name),
            built(
                "func (x *{}) {}() (*{}, error) {{\n\ty, err := x.{}()\n\ty.{}()\n\treturn y, err\n}}\n",
                *[name] * 5,
            ),
            built("func {}() {} {{\n\treturn one.{}().{}()\n}}\n", *[name] * 4),
            built(
                "func Test{}(t *testing.T) {{\n\tfor _, e := range {}().field {{ e.{}() }}\n}}\n", *[name] * 3
            ),
            built("var {} = {}()\n", name, name),
            built("func init() {{ {}.{}(); one.{}.{}() }}\n", *[name] * 4),
        ),
    ),
    "java": (
        ("One.java", "Two.java", "sub/Three.java", "src/test/java/FourTest.java"),
        st.one_of(
            built("package {};\n", st.sampled_from(("one", "one.two"))),
            built("import one.{};\nimport static one.two.{}.{};\n", *[name] * 3),
            built("import one.two.*;\n"),
            built("class {} extends {} implements {} {{\n", *[name] * 3),
            built("private final List<{}> field = {}.{}();\n", *[name] * 3),
            built("{} {}({} x) {{ x.{}().{}(); return field.get(0).{}(); }}\n", *[name] * 6),
            built("void {}() {{ {}(1); super.{}(); new {}() {{ void {}() {{ {}(); }} }}; }}\n", *[name] * 6),
            built("void {}(int a, {}... b) {{ for ({} c : b) {{ c.{}(); }} }}\n", *[name] * 4),
            built("enum {} {{ A {{ void {}() {{ {}(); }} }}; }}\n", *[name] * 3),
            st.just("}\n"),
        ),
    ),
    "rust": (
        ("src/lib.rs", "src/one.rs", "src/one/two.rs", "src/bin/b.rs", "Cargo.toml"),
        st.one_of(
            st.just('[package]\nname = "three"\n'),
            built("mod {};\n", st.sampled_from(("one", "two"))),
            built("pub use self::two::{} as {};\n", name, name),
            built(
                "use {}::{};\n", st.sampled_from(("crate", "crate::one", "super", "three::one", "one")), name
            ),
            built("use crate::one::*;\n"),
            built("pub struct {} {{ field: Vec<Option<{}>>, other: {} }}\n", *[name] * 3),
            built("impl {} for {} {{\n", name, name),
            built(
                "pub fn {}(&self) -> Result<{}, ()> {{ self.field.get(0)?.{}(); Self::{}() }}\n", *[name] * 4
            ),
            built("fn {}(x: &{}) {{ if let Some(y) = x.{}() {{ y.{}(); }} assert!({}()); }}\n", *[name] * 5),
            built("trait {}: {} {{ fn {}(&self) {{ self.{}() }} }}\n", *[name] * 4),
            built("macro_rules! {} {{ () => {{ {}() }}; }}\n", name, name),
            built("fn {}() {{ {}!({}()); let z = crate::one::{}::{}(); z.{}() }}\n", *[name] * 6),
            built("mod inner {{ use super::*; #[test] fn {}() {{ {}() }} }}\n", name, name),
            built("enum {} {{ {}({}) }}\n", *[name] * 3),
            built("static {}: {} = 0;\n", name, name),
            st.just("}\n"),
        ),
    ),
    "csharp": (
        ("a.cs", "b.cs", "sub/c.cs", "tests/T.cs", "sub/a.csproj", "Directory.Build.props"),
        st.one_of(
            built("using {};\n", space),
            built("global using {};\n", space),
            built('<Using Include="{}" />\n', space),
            built("using {} = {}.{};\n", name, space, name),
            built("namespace {} {{\n", space),
            built(
                "public class {} : {} {{\n  {} field;\n  {} {}() {{ return field.{}(); }}\n}}\n", *[name] * 6
            ),
            built("partial class {} {{\n  void {}(int x = 1) {{ {}(1); {}.{}(); }}\n}}\n", *[name] * 5),
            built("static class {} {{\n  static {} {}(this {} it) {{ return it.{}(); }}\n}}\n", *[name] * 5),
            built("class {}<T> : {}<T> {{ public {}({} a) : base(a) {{ new {}(a).{}(); }} }}\n", *[name] * 6),
            built("interface {} {{ {} {} {{ get; }} }}\n", *[name] * 3),
            st.just("}\n"),
            st.just("// words\n"),
        ),
    ),
    "php": (
        ("a.php", "b.php", "sub/c.php", "tests/ATest.php"),
        st.one_of(
            built("<?php\nnamespace {};\n", st.sampled_from(("One", "One\\Two"))),
            built("use One\\{};\n", name),
            built("use One\\Two\\{} as {};\n", name, name),
            built("class {} extends {} {{ use {}; private {} $field;\n", *[name] * 4),
            built("function {}({} $x): {} {{ $x->{}(); return $this->field->{}(); }}\n", *[name] * 5),
            built(
                "static function {}() {{ $y = new {}(); $y->{}()->{}(); return self::{}(); }}\n", *[name] * 5
            ),
            built("trait {} {{ public function {}() {{ return parent::{}(); }} }}\n", *[name] * 3),
            built("/** @return {} */\nfunction {}() {{ \\One\\{}::{}(); }}\n", *[name] * 4),
            built("require 'sub/{}.php';\n", st.sampled_from(("a", "c"))),
            st.just("}\n"),
        ),
    ),
    "ruby": (
        ("a.rb", "lib/b.rb", "lib/one/c.rb", "test/test_a.rb"),
        st.one_of(
            built("require '{}'\nrequire_relative '{}'\n", *[st.sampled_from(("b", "one/c", "a"))] * 2),
            built("module {}\n", name),
            built("class {} < {}\n  include {}\n  attr_reader :{}\n", *[name] * 4),
            built("extend {}\n", st.sampled_from(("Alpha", "Beta", "self"))),
            built("class {}::{}\n", name, name),
            built("def {}(x)\n  {} = {}.new\n  {}.{}\n  x.{}\nend\n", *[name] * 6),
            built("def self.{}\n  @{} = {}.new\n  {}\n  super\nend\n", *[name] * 4),
            built("def initialize\n  @{} = {}.new\n  @{}.{}\nend\n", *[name] * 4),
            built("{} = Struct.new(:a) do\n  def {}; self; end\nend\n", name, name),
            built("it '{}' do\n  {}.{}\nend\n", *[name] * 3),
            st.just("end\n"),
        ),
    ),
}


def script_of(language: str) -> st.SearchStrategy[Any]:
    paths, lines = LINES[language]
    path = st.sampled_from(paths)
    write = st.tuples(st.just("write"), path, st.lists(lines, max_size=5).map("".join).map(str.encode))
    edit = st.one_of(
        write, write, st.tuples(st.just("delete"), path, st.none()), st.tuples(st.just("rename"), path, path)
    )
    return st.lists(st.lists(edit, min_size=1, max_size=3), min_size=2, max_size=5)


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.promise("languages.incremental-is-exact")
@pytest.mark.parametrize("language", sorted(LINES))
@settings(
    max_examples=200 if os.environ.get("NUMEN_SOAK") else 12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data(), reopen=st.booleans())
def test_after_any_edits_of_a_language_the_index_is_that_of_a_full_ingest(
    language: str, data: st.DataObject, reopen: bool
) -> None:
    script = data.draw(script_of(language))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = folder / "tree"
        root.mkdir()
        graph = Graph(folder / "brains", SystemClock(), workers=1)
        for edits in script:
            apply(root, edits)
            if reopen:
                graph = Graph(folder / "brains", SystemClock(), workers=1)
            graph.ingest(OWNER, root)
            assert list(graph.dump(OWNER, root)) == full_dump(root, folder / "other")
