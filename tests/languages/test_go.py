"""Go: packages, receivers, embedding, interfaces, results, closures, and what the build leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from numen.graph.types import EdgeKind
from tests.languages.indexed import Indexed

SHOP = {
    "go.mod": "module example.org/shop\n\ngo 1.22\n",
    "cart.go": """package shop

import (
	"fmt"
	"strings"

	"example.org/shop/money"
)

// Cart holds articles.
type Cart struct {
	Log
	articles []*Article
	prices   map[string]money.Amount
	rate     float64
}

type Article struct{ name string }

type Log struct{ lines []string }

type Pricer interface {
	Price(name string) (money.Amount, error)
}

type Handler func(*Cart) error

func (l *Log) Note(line string) { l.lines = append(l.lines, strings.ToLower(line)) }

func (a *Article) Name() string { return a.name }

func NewCart() *Cart { return &Cart{} }

func (c *Cart) Find(name string) (*Article, error) {
	for _, article := range c.articles {
		if article.Name() == name {
			return article, nil
		}
	}
	return nil, fmt.Errorf("no %s", name)
}

func (c *Cart) Total(pricer Pricer) money.Amount {
	c.Note("total")
	sum := money.Zero()
	visit := func(a *Article) {
		price, err := pricer.Price(a.Name())
		if err != nil {
			c.Note(err.Error())
		}
		sum = sum.Plus(price)
	}
	for _, a := range c.articles {
		visit(a)
	}
	defer c.prices["x"].Round()
	return sum.Plus(money.Zero()).Round()
}
""",
    "order.go": """package shop

func Order() {
	cart := NewCart()
	article, _ := cart.Find("tea")
	article.Name()
	var handler Handler = check
	_ = handler(cart)
	Handler(check)
	shout("done")
	first[*Article](cart.articles).Name()
}

func check(c *Cart) error { return nil }

func first[T any](all []T) T { return all[0] }
""",
    "shout_linux.go": "package shop\n\nfunc shout(s string) {}\n",
    "shout_windows.go": "package shop\n\nfunc shout(s string) {}\n",
    "money/amount.go": """package money

import "sync"

type Amount struct{ cents int }

var nothing = Amount{}

var once = sync.OnceValue(func() *Amount { return &nothing })

func Once() { once().Round() }

func Zero() Amount { return nothing }

func (a Amount) Plus(b Amount) Amount { return Amount{a.cents + b.cents} }

func (a Amount) Round() Amount { return nothing.Plus(a) }
""",
    "money/rate.go": "package money\n\nfunc Rate() int { return 1 }\n",
    "cart_test.go": """package shop_test

import (
	"testing"

	. "example.org/shop"
	other "example.org/shop/money"
)

func TestOrder(t *testing.T) {
	Order()
	switch x := any(NewCart()).(type) {
	case *Cart:
		x.Note("seen")
	}
	t.Run("sub", func(t *testing.T) { other.Zero().Round() })
}
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return Indexed(tmp_path_factory.mktemp("go"), SHOP)


@pytest.mark.promise("languages.go")
def test_definitions_have_their_kinds_receivers_and_lines(shop: Indexed) -> None:
    kinds = shop.kinds()
    assert kinds["Cart"] == "class"
    assert kinds["Pricer"] == "interface"
    assert kinds["Pricer.Price"] == "method"
    assert kinds["Handler"] == "type"
    assert kinds["Cart.Find"] == "method"
    assert kinds["NewCart"] == "function"
    assert kinds["TestOrder"] == "test"
    assert shop.span("cart.go::Cart") == (11, 16)
    assert shop.nodes["cart.go::Cart.Find"].signature == "func (c *Cart) Find(name string) (*Article, error)"


@pytest.mark.promise("languages.go")
def test_calls_on_fields_elements_results_and_in_closures_are_found(shop: Indexed) -> None:
    assert shop.calls("cart.go::Cart.Find") == {"cart.go::Article.Name"}
    assert shop.calls("cart.go::Cart.Total") == {
        "cart.go::Log.Note",
        "cart.go::Article.Name",
        "cart.go::Pricer.Price",
        "money/amount.go::Zero",
        "money/amount.go::Amount.Plus",
        "money/amount.go::Amount.Round",
    }


@pytest.mark.promise("languages.go")
def test_a_package_is_its_folder_and_second_results_are_told_apart(shop: Indexed) -> None:
    assert shop.calls("order.go::Order") == {
        "cart.go::NewCart",
        "cart.go::Cart.Find",
        "cart.go::Article.Name",
        "order.go::first",
        "shout_linux.go::shout",
    }


@pytest.mark.promise("languages.go")
def test_a_conversion_is_no_call(shop: Indexed) -> None:
    assert ("order.go::Order", "cart.go::Handler") in shop.edges(EdgeKind.REFERENCES)


@pytest.mark.promise("languages.go")
def test_a_test_outside_the_package_imports_it_by_module_path(shop: Indexed) -> None:
    assert shop.calls("cart_test.go::TestOrder") == {
        "order.go::Order",
        "cart.go::NewCart",
        "cart.go::Log.Note",
        "money/amount.go::Zero",
        "money/amount.go::Amount.Round",
    }
    assert ("cart_test.go", "money/amount.go") in shop.edges(EdgeKind.IMPORTS)


@pytest.mark.promise("languages.go")
def test_package_variables_have_the_type_of_what_made_them(shop: Indexed) -> None:
    assert shop.calls("money/amount.go::Amount.Round") == {"money/amount.go::Amount.Plus"}
    assert shop.calls("money/amount.go::Once") == {"money/amount.go::Amount.Round"}


@pytest.mark.promise("languages.go")
def test_embedding_is_inheritance(shop: Indexed) -> None:
    assert ("cart.go::Cart", "cart.go::Log") in shop.edges(EdgeKind.INHERITS)


@pytest.mark.promise("languages.broken-files-are-named")
def test_a_go_file_that_does_not_parse_keeps_what_could_be_read(tmp_path: Path) -> None:
    tree = Indexed(
        tmp_path, {"a.go": "package a\n\nfunc One() { Two() }\n\nfunc Two( {\n\nfunc Three() { One() }\n"}
    )
    assert "line" in tree.problems()["a.go"]
    assert "One" in tree.kinds()
