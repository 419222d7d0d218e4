"""C++: headers and sources, namespaces, macros in the way, overloads, templates, smart pointers, tests."""

from __future__ import annotations

import pytest

from numen.graph.types import EdgeKind
from tests.languages.indexed import Indexed

SHOP = {
    "include/shop/cart.h": """#pragma once

#include <memory>
#include <vector>

#include "shop/base.h"

#define SHOP_API __attribute__((visibility("default")))
#define SHOP_TWICE(x) ((x) * 2)

namespace shop {

class Ledger;

/// Holds articles.
class SHOP_API Cart final : public Base, private detail::Counted<Cart> {
 public:
  explicit Cart(const Article& first, int count = 1);
  Cart(const Cart&) = delete;
  ~Cart() override;

  void Add(const Article& article) SHOP_LOCKS_REQUIRED(mutex_);
  void Add(const Article& article, int count);
  virtual int Price() const = 0;
  int Total() const { return Sum(1, 2) + count_; }
  bool operator==(const Cart& other) const { return other.Total() == Total(); }

  template <typename Visitor>
  void Visit(Visitor&& visitor) {
    for (auto& one : articles_) one.Name();
    visitor(articles_[0].Rename("a"));
    ledger_->Write("x");
    first_.get()->Name();
  }

  using Ptr = std::shared_ptr<Cart>;
  enum class Mode { kFast, kSlow };

  struct Line {
    Cart* cart;
    int Total() const { return cart->Price(); }
  };

 private:
  class Impl;

  int count_ SHOP_GUARDED_BY(mutex_);
  std::string title_;
  std::vector<Article> articles_;
  std::unique_ptr<Ledger> ledger_;
  std::shared_ptr<Article> first_;
};

template <typename T>
inline T Sum(T a, T b) {
  return a + b;
}

template <>
struct Formatter<Cart> {
  int Format(const Cart& cart) { return cart.Total(); }
};

}  // namespace shop
""",
    "include/shop/base.h": """#ifndef SHOP_BASE_H
#define SHOP_BASE_H

namespace shop {

namespace detail {
template <typename T>
class Counted {
 protected:
  void Count() {}
};
}  // namespace detail

class Base {
 public:
  virtual ~Base() {}

 protected:
  void Note(const char* text);
};

class Article {
 public:
  int Name() const { return 1; }
  Article& Rename(const char* name);
};

template <typename T>
struct Formatter;

Article MakeArticle(int count);

}  // namespace shop

#endif
""",
    "src/cart.cc": """#include "shop/cart.h"

#include "ledger.h"

namespace shop {
namespace {

int Helper(int x) { return SHOP_TWICE(x); }

class Hidden : public Base {
 public:
  void Run() { Note("hidden"); }
};

}  // namespace

class Cart::Impl {
 public:
  void Work() { Helper(1); }
};

Cart::Cart(const Article& first, int count) : count_(count), ledger_(new Ledger()) { Add(first); }

Cart::~Cart() = default;

void Cart::Add(const Article& article) {
#ifdef SHOP_FAST
  if (count_) {
#else
  if (count_ > 1) {
#endif
    Add(article, 1);
  }
}

void Cart::Add(const Article& article, int count) {
  Note("added");
  this->Count();
  ledger_->Write("x");
  title_.clear();
  article.Name();
  Hidden hidden;
  hidden.Run();
  auto made = MakeArticle(count);
  made.Rename("a").Rename("b");
  auto owned = std::make_unique<Ledger>();
  owned->Write("y");
  static_cast<Hidden*>(nullptr)->Run();
  auto later = [this](const Ledger& ledger) { Total(); ledger.Size(); };
  std::find(nullptr, nullptr, 1);
  ::close(1);
}

static int Total() { return detail::Deep(3); }

}  // namespace shop
""",
    "src/ledger.h": """#pragma once
namespace shop {
class Ledger {
 public:
  void Write(const char* text);
  int Size() const { return 0; }
};
namespace detail {
inline int Deep(int x) { return x; }
}
}
""",
    "src/ledger.cc": """#include "ledger.h"

void shop::Ledger::Write(const char* text) { Size(); }

namespace shop {

void Base::Note(const char* text) {}

Article& Article::Rename(const char* name) { return *this; }

Article
MakeArticle(int count) {
  return Article();
}

void find(int x) {}
void close(int x) {}

}  // namespace shop
""",
    "include/shop/macro.h": """#pragma once
#define OTHER_BEGIN_NAMESPACE namespace other {
#define OTHER_END_NAMESPACE }

OTHER_BEGIN_NAMESPACE

struct Tool {
  void Use() {}
};

OTHER_END_NAMESPACE
""",
    "test/cart_test.cc": """#include "shop/cart.h"
#include "shop/macro.h"

using shop::Article;
namespace s = shop;

TEST(CartTest, Totals) {
  Article article;
  article.Rename("x");
  s::MakeArticle(1);
  other::Tool tool;
  tool.Use();
}

TEST_F(CartFixture, Adds) {
  using namespace shop;
  Ledger ledger;
  ledger.Write("z");
}
""",
    "src/plain.h": "#include <stdint.h>\ntypedef struct class_info class_info;\nint plain(int x);\n",
}
HEADER = "include/shop/cart.h::Cart"
SOURCE = "src/cart.cc::Cart"
BASE = "include/shop/base.h"
LEDGER = "src/ledger.cc"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return Indexed(tmp_path_factory.mktemp("cpp"), SHOP)


@pytest.mark.promise("languages.cpp")
def test_macros_templates_and_conditions_do_not_hide_definitions(shop: Indexed) -> None:
    kinds = shop.kinds()
    assert kinds["Cart"] == kinds["Cart.Line"] == kinds["Cart.Impl"] == kinds["Formatter"] == "class"
    assert kinds["Cart.Ptr"] == "type"
    assert kinds["Cart.Mode"] == "enum"
    assert kinds["Cart.Cart"] == kinds["Cart.~Cart"] == kinds["Cart.operator=="] == "method"
    assert kinds["Sum"] == kinds["SHOP_TWICE"] == "function"
    assert kinds["CartTest.Totals"] == kinds["CartFixture.Adds"] == "test"
    assert shop.span(HEADER) == (16, 52)
    assert shop.span(f"{HEADER}.Visit") == (29, 34)
    assert shop.span(f"{SOURCE}.Add") == (26, 34)
    assert shop.span(f"{LEDGER}::MakeArticle") == (12, 14)
    assert shop.nodes[f"{SOURCE}.Add#2"].signature == "void Cart::Add(const Article& article, int count)"
    assert shop.problems() == {}


@pytest.mark.promise("languages.cpp")
def test_includes_lead_to_files(shop: Indexed) -> None:
    imports = shop.edges(EdgeKind.IMPORTS)
    assert {
        ("include/shop/cart.h", BASE),
        ("src/cart.cc", "include/shop/cart.h"),
        ("src/cart.cc", "src/ledger.h"),
        ("src/ledger.cc", "src/ledger.h"),
        ("test/cart_test.cc", "include/shop/cart.h"),
        ("test/cart_test.cc", "include/shop/macro.h"),
        ("test/cart_test.cc", BASE),  # `using shop::Article`
        ("test/cart_test.cc", "src/ledger.cc"),  # `s::MakeArticle`
    } == imports


@pytest.mark.promise("languages.cpp")
def test_a_call_leads_to_the_body_wherever_it_was_declared(shop: Indexed) -> None:
    assert shop.calls(f"{SOURCE}.Add#2") == {
        f"{LEDGER}::Base.Note",
        f"{BASE}::Counted.Count",
        f"{LEDGER}::Ledger.Write",
        f"{BASE}::Article.Name",
        "src/cart.cc::Hidden.Run",
        f"{LEDGER}::MakeArticle",
        f"{LEDGER}::Article.Rename",
        "src/ledger.h::Ledger",
        f"{HEADER}.Total",
        "src/ledger.h::Ledger.Size",
    }
    assert shop.calls("src/cart.cc::Hidden.Run") == {f"{LEDGER}::Base.Note"}


@pytest.mark.promise("languages.cpp")
def test_overloads_are_told_apart_by_the_number_of_arguments(shop: Indexed) -> None:
    assert shop.calls(f"{SOURCE}.Add") == {f"{SOURCE}.Add#2"}
    assert shop.calls(f"{SOURCE}.Cart") == {"src/ledger.h::Ledger", f"{SOURCE}.Add"}


@pytest.mark.promise("languages.cpp")
def test_pointers_elements_and_references_have_the_type_of_what_they_lead_to(shop: Indexed) -> None:
    assert shop.calls(f"{HEADER}.Visit") == {
        f"{BASE}::Article.Name",
        f"{LEDGER}::Article.Rename",
        f"{LEDGER}::Ledger.Write",
    }
    assert shop.calls(f"{HEADER}.Line.Total") == {f"{HEADER}.Price"}
    assert shop.calls(f"{HEADER}.operator==") == {f"{HEADER}.Total"}
    assert shop.calls("include/shop/cart.h::Formatter.Format") == {f"{HEADER}.Total"}


@pytest.mark.promise("languages.cpp")
def test_what_only_its_file_sees_is_found_there_and_nowhere_else(shop: Indexed) -> None:
    assert shop.calls("src/cart.cc::Cart.Impl.Work") == {"src/cart.cc::Helper"}
    assert shop.calls("src/cart.cc::Helper") == {"include/shop/cart.h::SHOP_TWICE"}
    assert shop.calls("src/cart.cc::Total") == {"src/ledger.h::Deep"}
    assert shop.calls(f"{HEADER}.Total") == {"include/shop/cart.h::Sum"}


@pytest.mark.promise("languages.cpp")
def test_a_name_of_the_library_or_from_the_top_is_not_the_namespace_s_own(shop: Indexed) -> None:
    targets = {target for _, target in shop.edges(EdgeKind.CALLS, sure=False)}
    assert not targets & {f"{LEDGER}::find", f"{LEDGER}::close"}


@pytest.mark.promise("languages.cpp")
def test_bases_are_found_through_namespaces_and_template_arguments(shop: Indexed) -> None:
    inherits = shop.edges(EdgeKind.INHERITS)
    assert {(HEADER, f"{BASE}::Base"), (HEADER, f"{BASE}::Counted")} <= inherits
    assert ("src/cart.cc::Hidden", f"{BASE}::Base") in inherits


@pytest.mark.promise("languages.cpp")
def test_tests_see_namespaces_that_they_use_and_those_that_macros_open(shop: Indexed) -> None:
    test = "test/cart_test.cc"
    assert shop.calls(f"{test}::CartTest.Totals") == {
        f"{LEDGER}::Article.Rename",
        f"{LEDGER}::MakeArticle",
        "include/shop/macro.h::Tool.Use",
    }
    assert shop.calls(f"{test}::CartFixture.Adds") == {f"{LEDGER}::Ledger.Write"}


@pytest.mark.promise("languages.cpp")
def test_a_header_of_c_is_read_as_c(shop: Indexed) -> None:
    languages = {
        entry.path: entry.language
        for entry in map(shop.snapshot.files.entry, range(len(shop.snapshot.files)))
    }
    assert languages["src/plain.h"] == "c"
    assert languages["include/shop/cart.h"] == languages["src/ledger.h"] == "cpp"


@pytest.mark.promise("languages.broken-files-are-named")
def test_a_file_that_does_not_parse_keeps_what_could_be_read(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = "class Good {\n public:\n  void Run() {}\n};\n\nvoid Broken( {\n"
    broken = Indexed(tmp_path_factory.mktemp("broken"), {"a.cc": text})
    assert broken.kinds()["Good.Run"] == "method"
    assert "a.cc" in broken.problems()
