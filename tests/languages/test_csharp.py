"""C#: namespaces, usings of files and projects, parts of classes, overloads, extension methods."""

from __future__ import annotations

import pytest

from numen.graph.types import EdgeKind
from tests.languages.indexed import Indexed

SHOP = {
    "src/Shop/Cart.cs": """using Shop.Money;
using Rounding = Shop.Money.Amounts.Rounding;

namespace Shop;

/// <summary>Holds articles.</summary>
[Serializable]
public sealed partial class Cart<T> : Base<T>, IPriced
    where T : Article
{
    private readonly Ledger _ledger = new();
    private readonly Stream _stream;

    public Article First { get; set; }

    public int Count => Counted(1);

    public Cart(Article first) : base(first)
    {
        Add(first);
    }

    public Cart() : this(new Article("none")) { }

    public void Add(Article article) => Add(article, 1);

    public void Add(Article article, int count)
    {
        Note("added");
        _ledger.Write(article.Name());
        _stream.Write("x");
        First.Rename("a").Rename("b");
    }

    public int Price()
    {
        var sum = Amounts.Sum(1, 2);
        foreach (Article one in All())
        {
            one.Name();
        }

        int Local(int x) => Helper.Twice(x);
        return sum.SquaredOnce() + Local(sum) + (Made() as Article)!.Price();
    }

    public async Task<Article> LoadAsync()
    {
        var found = await FindAsync().ConfigureAwait(false);
        if (found is Special special) special.Shine();
        return found?.Rename("c") ?? throw new InvalidOperationException(nameof(found));
    }

    private Task<Article> FindAsync() => null;

    public static Cart<T> operator +(Cart<T> a, Cart<T> b) => a;

    private enum Mode { Fast, Slow }

    private sealed class Line
    {
        public int Total() => Counted(2);
    }
}
""",
    "src/Shop/Cart.More.cs": """namespace Shop
{
    public sealed partial class Cart<T>
    {
        private static int Counted(int x) => x;

        private Article[] All() => null;

        private object Made() => null;
    }

    public static class Cart
    {
        public static Cart<Article> Empty() => new Cart<Article>();
    }
}
""",
    "src/Shop/Base.cs": """namespace Shop;

public class Base<T>
{
    public Base(Article a) { }

    protected void Note(string s) { }
}

public interface IPriced
{
    int Price();
}

public record Article(string Title) : IPriced
{
    public string Name() => Title;

    public int Price() => 1;

    public Article Rename(string s) => this;
}

public class Special : Article
{
    public void Shine() { }
}

public delegate bool Chosen(Article a);
""",
    "src/Shop/Money/Amounts.cs": """namespace Shop.Money
{
    public static class Amounts
    {
        public static int Sum(int a, int b) => a + b;

        public enum Rounding { Half }
    }

    public static class Numbers
    {
        public static int SquaredOnce(this int number) => number * number;
    }
}
""",
    "src/Shop/Ledger.cs": "namespace Shop;\n\ninternal class Ledger { public void Write(string s) { } }\n",
    "src/Other/Ledger.cs": "namespace Shop;\n\ninternal class Ledger { public void Write(string s) { } }\n",
    "src/Shop/Tools/Helper.cs": """namespace Shop.Tools;

public static class Helper
{
    public static int Twice(int x) => x * 2;
}
""",
    "src/Shop/Shop.csproj": '<Project>\n  <Using Include="Shop.Tools" />\n</Project>\n',
    "test/Shop.Tests/CartTests.cs": """using Xunit;

namespace Shop.Tests;

public class CartTests
{
    [Fact]
    public void Totals()
    {
        var cart = new Cart<Article>();
        cart.Price();
        Cart.Empty().Add(null, 2);
    }

    [Theory]
    [InlineData(1)]
    public void Many(int count)
    {
    }
}
""",
}
CART = "src/Shop/Cart.cs::Cart"
MORE = "src/Shop/Cart.More.cs::Cart"
BASE = "src/Shop/Base.cs"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return Indexed(tmp_path_factory.mktemp("csharp"), SHOP)


@pytest.mark.promise("languages.csharp")
def test_types_members_and_tests_are_definitions_behind_their_attributes(shop: Indexed) -> None:
    kinds = shop.kinds()
    assert kinds["Cart"] == "class"
    assert kinds["Cart.Cart"] == "method"
    assert kinds["Cart.Count"] == "method"
    assert kinds["Cart.Price.Local"] == "function"
    assert kinds["Cart.operator +"] == "method"
    assert kinds["Cart.Mode"] == "enum"
    assert kinds["Cart.Line.Total"] == "method"
    assert kinds["IPriced"] == "interface"
    assert kinds["Article"] == "class"
    assert kinds["Chosen"] == "type"
    assert kinds["CartTests.Totals"] == kinds["CartTests.Many"] == "test"
    assert shop.span(CART) == (8, 64)
    assert shop.nodes[CART].signature.startswith("public sealed partial class Cart<T> : Base<T>, IPriced")
    assert shop.span("test/Shop.Tests/CartTests.cs::CartTests.Many") == (17, 19)


@pytest.mark.promise("languages.csharp")
def test_a_property_that_only_holds_is_no_definition_and_yet_is_followed(shop: Indexed) -> None:
    assert "Cart.First" not in shop.kinds()
    assert f"{BASE}::Article.Rename" in shop.calls(f"{CART}.Add#2")


@pytest.mark.promise("languages.csharp")
def test_overloads_are_told_apart_by_the_number_of_arguments(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.Add") == {f"{CART}.Add#2"}
    assert f"{CART}.Add" in shop.calls(f"{CART}.Cart")
    assert f"{CART}.Cart" in shop.calls(f"{CART}.Cart#2")


@pytest.mark.promise("languages.csharp")
def test_the_parts_of_a_class_are_one_and_its_generic_namesake_is_another(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.Count") == {f"{MORE}.Counted"}
    assert shop.calls(f"{CART}.Line.Total") == {f"{MORE}.Counted"}
    assert shop.calls(f"{MORE}.Empty") == {CART}
    test = shop.calls("test/Shop.Tests/CartTests.cs::CartTests.Totals")
    assert {CART, f"{CART}.Price", "src/Shop/Cart.More.cs::Cart.Empty", f"{CART}.Add#2"} == test


@pytest.mark.promise("languages.csharp")
def test_inherited_members_fields_and_base_constructors_are_found(shop: Indexed) -> None:
    calls = shop.calls(f"{CART}.Add#2")
    assert {f"{BASE}::Base.Note", "src/Shop/Ledger.cs::Ledger.Write", f"{BASE}::Article.Name"} <= calls
    assert f"{BASE}::Base" in shop.calls(f"{CART}.Cart")
    assert {(CART, f"{BASE}::Base"), (CART, f"{BASE}::IPriced")} <= shop.edges(EdgeKind.INHERITS)


@pytest.mark.promise("languages.csharp")
def test_of_two_classes_of_one_name_the_one_of_the_same_project_is_meant(shop: Indexed) -> None:
    assert not any(target.startswith("src/Other") for _, target in shop.edges(EdgeKind.CALLS))


@pytest.mark.promise("languages.csharp")
def test_usings_of_files_and_of_projects_and_local_functions_are_followed(shop: Indexed) -> None:
    calls = shop.calls(f"{CART}.Price")
    assert {
        "src/Shop/Money/Amounts.cs::Amounts.Sum",
        f"{CART}.Price.Local",
        f"{BASE}::Article.Price",
    } <= calls
    assert {f"{BASE}::Article.Name", f"{MORE}.All", f"{MORE}.Made"} <= calls
    assert shop.calls(f"{CART}.Price.Local") == {"src/Shop/Tools/Helper.cs::Helper.Twice"}


@pytest.mark.promise("languages.csharp")
def test_awaited_results_and_pattern_variables_have_their_types(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.LoadAsync") == {
        f"{CART}.FindAsync",
        f"{BASE}::Special.Shine",
        f"{BASE}::Article.Rename",
    }


@pytest.mark.promise("languages.csharp")
def test_what_is_asked_of_a_foreign_type_is_not_of_this_tree(shop: Indexed) -> None:
    written = [
        target for source, target in shop.edges(EdgeKind.CALLS, sure=False) if target.endswith(".Write")
    ]
    assert written == ["src/Shop/Ledger.cs::Ledger.Write"]


@pytest.mark.promise("languages.csharp")
def test_an_extension_method_of_a_foreign_type_is_found_by_its_name_alone(shop: Indexed) -> None:
    call = (f"{CART}.Price", "src/Shop/Money/Amounts.cs::Numbers.SquaredOnce")
    assert call in shop.edges(EdgeKind.CALLS, sure=False)
    assert call not in shop.edges(EdgeKind.CALLS)


@pytest.mark.promise("languages.broken-files-are-named")
def test_a_file_that_does_not_parse_keeps_what_could_be_read(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = "namespace A;\nclass Good\n{\n    void Run() { }\n}\nclass Bad { void ( { }\n"
    broken = Indexed(tmp_path_factory.mktemp("broken"), {"a.cs": text})
    assert broken.kinds()["Good.Run"] == "method"
    assert "a.cs" in broken.problems()
