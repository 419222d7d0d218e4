"""PHP: namespaces, imports, traits, promoted and documented properties, static calls, closures."""

from __future__ import annotations

import pytest

from numen.graph.types import EdgeKind
from tests.languages.indexed import Indexed

SHOP = {
    "src/Cart.php": """<?php

declare(strict_types=1);

namespace Shop;

use Shop\\Money\\{Amounts, Rate as Quote};
use Psr\\Log\\LoggerInterface;

use function Shop\\Util\\joined;

/** Holds articles. */
#[Entity]
final class Cart extends Base implements Priced
{
    use Counts;

    /** @var Article|null */
    private $first;

    private ?Ledger $ledger = null;

    private $mailer;

    public function __construct(private readonly Article $article, LoggerInterface $logger, int ...$more)
    {
        parent::__construct($article);
        $this->ledger = new Ledger();
        $this->mailer = new Mailer('x');
        $logger->info('made');
    }

    public static function make(): static
    {
        $cart = new static(new Article(), null);
        $cart->add($cart->article)->add(null);
        return $cart;
    }

    /**
     * @param Special $special
     * @return $this
     */
    public function add($special): self
    {
        $special->shine();
        $this->first->rename('a')->rename('b');
        $this->article->name();
        $this->ledger?->write('x');
        $this->mailer->send();
        $this->counted();
        return $this;
    }

    public function total(): int
    {
        $sum = Amounts::sum(1, 2) + \\Shop\\Money\\Amounts::sum(3, 4) + Quote::of(1);
        $names = array_map(fn (Article $a) => $a->name(), []);
        $later = function () use ($sum) { return self::helper($sum); };
        $this->note(joined($names));
        helper();
        strlen('x');
        return static::helper($sum);
    }

    private static function helper(int $x): int
    {
        return \\strlen((string) $x);
    }
}

function helper(): ?Article
{
    return make_article()->rename('x');
}

function make_article(): Article
{
    return new class extends Article { public function name() { return $this->rename('y'); } };
}

require_once __DIR__ . '/legacy.php';
""",
    "src/Base.php": """<?php
namespace Shop;

abstract class Base
{
    public function __construct(Article $a) {}
    protected function note(string $s): void {}
}
interface Priced { const FREE = 0; public function total(): int; }
class Article {
    public function name() { return ''; }
    public function rename(string $s): Article { return $this; }
}
class Special extends Article { public function shine() {} }
class Ledger { public function write(string $s) {} }
class Mailer { public function send() {} }
enum Mode: string { case Fast = 'f'; public function label(): string { return ''; } }
trait Counts { public function counted() { return $this->note('x'); } }
""",
    "src/Money/Amounts.php": """<?php
namespace Shop\\Money;

class Amounts { public static function sum(int $a, int $b): int { return $a + $b; } }
class Rate { public static function of(int $x): int { return $x; } }
""",
    "src/util.php": """<?php
namespace Shop\\Util {
    function joined(array $names): string { return implode(',', $names); }
}
namespace {
    function strlen($x) { return 0; }
}
""",
    "src/legacy.php": "<?php\nclass Ledger { public function write() {} }\n",
    "tests/CartTest.php": """<?php
namespace Shop\\Tests;

use PHPUnit\\Framework\\TestCase;
use Shop\\Cart;

final class CartTest extends TestCase
{
    public function testTotals(): void
    {
        self::assertSame(3, Cart::make()->total());
    }

    /** @test */
    public function itAdds(): void {}
}
""",
}
CART = "src/Cart.php::Cart"
BASE = "src/Base.php"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return Indexed(tmp_path_factory.mktemp("php"), SHOP)


@pytest.mark.promise("languages.php")
def test_classes_traits_enums_functions_and_tests_are_definitions(shop: Indexed) -> None:
    kinds = shop.kinds()
    assert kinds["Cart"] == kinds["Counts"] == "class"
    assert kinds["Priced"] == "interface"
    assert kinds["Mode"] == "enum"
    assert kinds["Cart.__construct"] == "method"
    assert kinds["helper"] == "function"
    assert kinds["CartTest.testTotals"] == kinds["CartTest.itAdds"] == "test"
    assert shop.span(CART) == (14, 70)
    assert shop.nodes[CART].signature == "final class Cart extends Base implements Priced"


@pytest.mark.promise("languages.php")
def test_imports_lead_to_classes_functions_and_files(shop: Indexed) -> None:
    imports = shop.edges(EdgeKind.IMPORTS)
    assert {("src/Cart.php", "src/Money/Amounts.php"), ("src/Cart.php", "src/util.php")} <= imports
    assert {("src/Cart.php", "src/legacy.php"), ("tests/CartTest.php", "src/Cart.php")} <= imports


@pytest.mark.promise("languages.php")
def test_types_said_in_code_and_in_comments_are_followed(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.add") == {
        f"{BASE}::Special.shine",
        f"{BASE}::Article.rename",
        f"{BASE}::Article.name",
        f"{BASE}::Ledger.write",
        f"{BASE}::Mailer.send",
        f"{BASE}::Counts.counted",
    }


@pytest.mark.promise("languages.php")
def test_static_self_and_parent_mean_the_class_and_its_base(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.make") == {CART, f"{BASE}::Article", f"{CART}.add"}
    made = shop.calls(f"{CART}.__construct")
    assert made == {f"{BASE}::Base.__construct", f"{BASE}::Ledger", f"{BASE}::Mailer"}


@pytest.mark.promise("languages.php")
def test_names_are_sought_in_the_namespace_and_functions_in_the_global_one_too(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.total") == {
        "src/Money/Amounts.php::Amounts.sum",
        "src/Money/Amounts.php::Rate.of",
        "src/util.php::joined",
        "src/util.php::strlen",
        f"{BASE}::Article.name",
        f"{BASE}::Base.note",
        f"{CART}.helper",
        "src/Cart.php::helper",
    }
    assert shop.calls(f"{CART}.helper") == {"src/util.php::strlen"}


@pytest.mark.promise("languages.php")
def test_what_functions_give_is_followed_and_a_class_without_a_name_is_not_the_one_around(
    shop: Indexed,
) -> None:
    assert shop.calls("src/Cart.php::helper") == {"src/Cart.php::make_article", f"{BASE}::Article.rename"}
    assert shop.calls("src/Cart.php::make_article.name") == set()


@pytest.mark.promise("languages.php")
def test_a_trait_is_inherited_and_what_it_calls_may_be_where_it_is_used(shop: Indexed) -> None:
    inherits = shop.edges(EdgeKind.INHERITS)
    assert {(CART, f"{BASE}::Base"), (CART, f"{BASE}::Priced"), (CART, f"{BASE}::Counts")} <= inherits


@pytest.mark.promise("languages.php")
def test_a_class_of_another_namespace_is_not_meant(shop: Indexed) -> None:
    assert not any(
        target.startswith("src/legacy.php::") for _, target in shop.edges(EdgeKind.CALLS, sure=False)
    )


@pytest.mark.promise("languages.php")
def test_a_test_tests_what_it_calls(shop: Indexed) -> None:
    test = "tests/CartTest.php::CartTest.testTotals"
    assert shop.calls(test) == {f"{CART}.make", f"{CART}.total"}
    assert (test, f"{CART}.total") in shop.edges(EdgeKind.TESTS)


@pytest.mark.promise("languages.broken-files-are-named")
def test_a_file_that_does_not_parse_keeps_what_could_be_read(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = "<?php\nclass Good { function run() {} }\nclass Bad { function ( {\n"
    broken = Indexed(tmp_path_factory.mktemp("broken"), {"a.php": text})
    assert broken.kinds()["Good.run"] == "method"
    assert "a.php" in broken.problems()
