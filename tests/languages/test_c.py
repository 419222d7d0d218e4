"""C: headers and implementations, macros, file-private functions, pieces of files, and broken files."""

from __future__ import annotations

from pathlib import Path

import pytest

from numen.graph.types import EdgeKind
from tests.languages.indexed import Indexed

LIST = {
    "include/list.h": """#ifndef LIST_H
#define LIST_H
#include "mem.h"

typedef struct list {
    struct list *next;
    void (*release)(void *);
} list;

enum order { UP, DOWN };
typedef int (*compare)(const void *, const void *);

list *list_new(int n);
void list_free(list *all);
static inline int list_empty(const list *all) { return all == 0; }
#define LIST_LAST(all) (list_empty(all) ? 0 : list_find(all, -1))
list *list_find(list *all, int n);
#endif
""",
    "include/mem.h": "void *mem_get(unsigned size);\nint fwrite(const void *p, int n);\n",
    "src/list.c": """#include <stdlib.h>
#include "list.h"

static void clear(list *all);

list *list_new(int n)
{
    list *all = mem_get(sizeof(list));
    if (n > 1 && assert_size(n)) clear(all);
    return all;
}

static void
clear(list *all)
{
    all->release(all);
    if (LIST_LAST(all)) list_free(all->next);
    qsort(all, 1, 1, by_size);
}

static int by_size(const void *a, const void *b) { return 0; }

void list_free(list *all) { clear(all); free(all); fwrite(all, 1); }

#ifdef FAST
list *list_find(list *all, int n) { return all; }
#else
list *list_find(list *all, int n) { return list_new(n); }
#endif
""",
    "src/mem.c": '#include "mem.h"\n\nvoid *mem_get(unsigned size) { return 0; }\n',
    "src/main.c": """#include "list.h"
#include "pieces.c"

static void usage(void) { old_name(1); }
#define old_name new_name

struct command { const char *name; void (*run)(void); } commands[] = {
    {"help", usage},
    {"list", &run_list},
};

int main(void) { usage(); piece(); list_free(list_new(3)); lonely(); return 0; }
""",
    "src/pieces.c": """static void piece(void) { list_new(1); }
void run_list(void) {}
void new_name(int x) {}
""",
    "src/other.c": "static void usage(void) {}\nvoid other(void) { usage(); mem_get(1); }\n",
    "src/lonely.c": "void lonely(void) {}\n",
    "tests/fake.c": "int fwrite(const void *p, int n) { return n; }\n",
    "win/list.c": '#include "list.h"\nlist *list_other(void) { return list_new(2); }\n',
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return Indexed(tmp_path_factory.mktemp("c"), LIST)


@pytest.mark.promise("languages.c")
def test_structs_types_functions_and_macros_are_definitions(tree: Indexed) -> None:
    kinds = tree.kinds()
    assert kinds["list"] == "class"
    assert kinds["order"] == "enum"
    assert kinds["compare"] == "type"
    assert kinds["LIST_LAST"] == "function"
    assert kinds["command"] == "class"
    assert tree.span("src/list.c::clear") == (14, 19)
    assert tree.span("include/list.h::list") == (5, 8)
    assert tree.nodes["src/list.c::list_new"].signature == "list *list_new(int n)"


@pytest.mark.promise("languages.c")
def test_a_declaration_in_a_header_leads_to_the_definition(tree: Indexed) -> None:
    assert tree.calls("src/list.c::list_new") == {"src/mem.c::mem_get", "src/list.c::clear"}
    assert tree.calls("win/list.c::list_other") == {"src/list.c::list_new"}
    assert ("src/list.c", "include/list.h") in tree.edges(EdgeKind.IMPORTS)


@pytest.mark.promise("languages.c")
def test_functions_of_one_file_are_not_those_of_another(tree: Indexed) -> None:
    assert tree.calls("src/other.c::other") == {
        "src/other.c::usage"
    }  # it includes nothing that declares mem_get
    assert "src/main.c::usage" in tree.calls("src/main.c::main")


@pytest.mark.promise("languages.c")
def test_pieces_that_are_included_see_and_are_seen(tree: Indexed) -> None:
    assert tree.calls("src/main.c::main") == {
        "src/main.c::usage",
        "src/pieces.c::piece",
        "src/list.c::list_free",
        "src/list.c::list_new",
    }
    assert tree.calls("src/pieces.c::piece") == {"src/list.c::list_new"}


@pytest.mark.promise("languages.c")
def test_macros_are_called_and_call(tree: Indexed) -> None:
    assert "include/list.h::LIST_LAST" in tree.calls("src/list.c::clear")
    assert tree.calls("include/list.h::LIST_LAST") == {"include/list.h::list_empty", "src/list.c::list_find"}


@pytest.mark.promise("languages.c")
def test_a_name_that_a_macro_may_change_leads_nowhere(tree: Indexed) -> None:
    assert tree.calls("src/main.c::usage") == set()


@pytest.mark.promise("languages.c")
def test_a_library_function_is_not_the_one_of_a_test(tree: Indexed) -> None:
    assert "tests/fake.c::fwrite" not in tree.calls("src/list.c::list_free")


@pytest.mark.promise("languages.c")
def test_functions_in_tables_and_callbacks_are_referred_to(tree: Indexed) -> None:
    edges = tree.edges(EdgeKind.REFERENCES)
    assert ("src/main.c::command", "src/main.c::usage") in edges or (
        "src/main.c",
        "src/main.c::usage",
    ) in edges
    assert any(target == "src/pieces.c::run_list" for _, target in edges)
    assert ("src/list.c::clear", "src/list.c::by_size") in edges


@pytest.mark.promise("languages.c")
def test_of_two_definitions_by_condition_the_first_stands_for_both(tree: Indexed) -> None:
    assert {"src/list.c::list_find", "src/list.c::list_find#2"} <= set(tree.nodes)


@pytest.mark.promise("languages.broken-files-are-named")
def test_a_file_full_of_macros_gives_what_can_be_read_and_is_named(tmp_path: Path) -> None:
    source = "FOREACH(x, y) {\n  z(\n}\n\nint one(void) { return 1; }\n\nint two(void) { return one(); }\n"
    tree = Indexed(tmp_path, {"a.c": source})
    assert tree.problems()["a.c"].startswith("does not parse at line")
    assert ("a.c::two", "a.c::one") in tree.edges(EdgeKind.CALLS)
