"""Java: packages, imports of all sorts, nested and anonymous classes, overloads, generics, inheritance."""

from __future__ import annotations

import pytest

from numen.graph.types import EdgeKind
from tests.languages.indexed import Indexed

MAIN = "src/main/java/shop/"
SHOP = {
    f"{MAIN}Cart.java": """package shop;

import static shop.money.Amounts.sum;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import other.Call;
import shop.money.Amounts;
import shop.money.Amounts.Rounding;

/** Holds articles. */
@SuppressWarnings("all")
public class Cart<T extends Article> extends Base implements Priced {
  private final List<T> articles = new ArrayList<>();
  private final Map<String, List<Article>> byName = Map.of();
  private Call call;
  private static final Rounding ROUNDING = Rounding.HALF;

  public Cart(Article first) {
    super(first);
    add(first);
  }

  public void add(Article article) {
    add(article, 1);
  }

  public void add(Article article, int count) {
    note("added");
    for (T one : articles) {
      one.name();
    }
  }

  @Override
  public int price() {
    return sum(articles.get(0).price(), byName.get("tea").get(0).price());
  }

  Optional<Article> first() {
    return Optional.empty();
  }

  void visit() {
    first().get().rename("a").rename("b");
    articles.forEach(one -> one.name());
    new Thread(() -> Cart.this.price()).start();
    call.execute();
    ROUNDING.apply(3);
    Runnable task =
        new Runnable() {
          @Override
          public void run() {
            helper();
            price();
            run();
          }
        };
    if (task instanceof Article article) article.name();
    Object made = new Line(this).total();
    shop.money.Amounts.nothing();
    made(1).made(2, 3).price();
  }

  Cart<T> made(int a) { return this; }

  Cart<T> made(int a, int b) { return this; }

  static void helper() {}

  static class Line {
    private final Cart<?> cart;

    Line(Cart<?> cart) {
      this.cart = cart;
    }

    int total() {
      helper();
      return cart.price();
    }
  }

  enum Mode {
    FAST {
      @Override
      int speed() {
        return boost(2);
      }

      private int boost(int x) {
        return x;
      }
    };

    abstract int speed();
  }
}
""",
    f"{MAIN}Base.java": """package shop;

class Base {
  Base(Article a) {}

  void note(String s) {}
}
""",
    f"{MAIN}Priced.java": "package shop;\n\ninterface Priced {\n  int price();\n}\n",
    f"{MAIN}Article.java": """package shop;

class Article implements Priced {
  String name() {
    return "";
  }

  public int price() {
    return 1;
  }

  Article rename(String s) {
    return this;
  }
}
""",
    f"{MAIN}money/Amounts.java": """package shop.money;

public final class Amounts {
  public static int sum(int a, int b) {
    return Rounding.HALF.apply(a + b);
  }

  public static void nothing() {}

  public enum Rounding {
    HALF;

    public int apply(int x) {
      return x;
    }
  }
}
""",
    "src/main/java/elsewhere/Call.java": "package elsewhere;\n\nclass Call {\n  void execute() {}\n}\n",
    "src/test/java/shop/CartTest.java": """package shop;

import org.junit.Test;

public class CartTest {
  @Test
  public void totals() {
    var cart = new Cart<Article>(null);
    cart.price();
    cart.note("x");
  }
}
""",
}
CART = f"{MAIN}Cart.java::Cart"
ARTICLE = f"{MAIN}Article.java::Article"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return Indexed(tmp_path_factory.mktemp("java"), SHOP)


@pytest.mark.promise("languages.java")
def test_nested_classes_constructors_and_tests_are_definitions_behind_their_annotations(
    shop: Indexed,
) -> None:
    kinds = shop.kinds()
    assert kinds["Cart"] == "class"
    assert kinds["Cart.Cart"] == "method"
    assert kinds["Cart.Line.total"] == "method"
    assert kinds["Cart.Mode"] == "enum"
    assert kinds["Priced"] == "interface"
    assert kinds["CartTest.totals"] == "test"
    assert shop.span(CART)[0] == 15
    assert shop.span(f"{CART}.price") == (38, 40)
    assert shop.nodes[f"{CART}.price"].signature == "public int price()"


@pytest.mark.promise("languages.java")
def test_overloads_are_told_apart_by_the_number_of_arguments(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.Cart") == {f"{CART}.add"}
    assert shop.calls(f"{CART}.add") == {f"{CART}.add#2"}


@pytest.mark.promise("languages.java")
def test_inherited_methods_and_elements_of_generic_fields_are_found(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.add#2") == {f"{MAIN}Base.java::Base.note", f"{ARTICLE}.name"}
    assert shop.calls(f"{CART}.price") == {f"{MAIN}money/Amounts.java::Amounts.sum", f"{ARTICLE}.price"}


@pytest.mark.promise("languages.java")
def test_chains_lambdas_anonymous_and_nested_classes_are_followed(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.visit") == {
        f"{CART}.first",
        f"{ARTICLE}.rename",
        f"{ARTICLE}.name",
        f"{CART}.price",
        f"{CART}.helper",
        f"{CART}.made",
        f"{CART}.made#2",
        f"{CART}.Line",
        f"{CART}.Line.total",
        f"{MAIN}money/Amounts.java::Amounts.Rounding.apply",
        f"{MAIN}money/Amounts.java::Amounts.nothing",
    }
    assert shop.calls(f"{CART}.Line.total") == {f"{CART}.helper", f"{CART}.price"}


@pytest.mark.promise("languages.java")
def test_the_body_of_an_enum_constant_belongs_to_the_enum(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.Mode.speed") == {f"{CART}.Mode.boost"}


@pytest.mark.promise("languages.java")
def test_a_class_of_another_package_is_not_taken_for_one_that_is_not_of_the_tree(shop: Indexed) -> None:
    assert not any(target.startswith("src/main/java/elsewhere") for _, target in shop.edges(EdgeKind.CALLS))


@pytest.mark.promise("languages.java")
def test_a_test_in_another_source_folder_is_of_the_same_package(shop: Indexed) -> None:
    test = "src/test/java/shop/CartTest.java::CartTest.totals"
    assert shop.calls(test) == {CART, f"{CART}.price", f"{MAIN}Base.java::Base.note"}
    assert (test, f"{CART}.price") in shop.edges(EdgeKind.TESTS)


@pytest.mark.promise("languages.java")
def test_bases_and_interfaces_are_edges(shop: Indexed) -> None:
    edges = shop.edges(EdgeKind.INHERITS)
    assert {(CART, f"{MAIN}Base.java::Base"), (CART, f"{MAIN}Priced.java::Priced")} <= edges
