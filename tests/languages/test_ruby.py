"""Ruby: reopened classes, mixins, the class's side and the object's, what is held and given, test blocks."""

from __future__ import annotations

import pytest

from numen.graph.types import EdgeKind
from tests.languages.indexed import Indexed

SHOP = {
    "lib/shop.rb": """require 'shop/cart'
require 'json'

module Shop
  autoload :Ledger, 'shop/ledger'

  class << self
    # The settings of the shop.
    def settings
      @settings ||= Settings.new
    end

    def configure(name)
      settings.change(name)
    end
  end

  Settings = Struct.new(:name) do
    def change(name)
      self.name = name
      note
    end

    def note; end
  end
end
""",
    "lib/shop/cart.rb": """require_relative 'base'

module Shop
  # Holds articles.
  class Cart < Base
    include Counts
    include Enumerable
    extend Finders

    attr_reader :ledger

    def initialize(first = nil, *rest, &block)
      super(first)
      @ledger = Ledger.new
      add first
      block.call
    end

    def self.build(count)
      cart = new
      cart.add(count)
      register cart
      new.total
      find_all
    end

    def self.register(cart)
      cart.class.name
    end

    def add(article)
      ledger.write(article)
      @ledger.write(article)
      counted
      note(article)
      dup.total
      self.class.register(self)
      each { |one| one.total }
    end

    def total
      sum = Money::Amounts.sum(1)
      ::Shop.configure(:total)
      total = 3
      total
    end

    def copy
      Line.new(self).cart_total
    end

    def lazy? = ledger.full?

    define_method(:dynamic) { total }

    Line = Struct.new(:cart) do
      def cart_total
        cart.total
      end
    end

    private

    def hidden!
      Shop::Money::Amounts.sum(2)
    end
  end
end
""",
    "lib/shop/base.rb": """module Shop
  module Counts
    def counted
      hidden!
    end
  end

  module Finders
    def find_all
      build(1)
    end
  end

  class Base
    def initialize(first)
      @first = first
    end

    def note(text)
    end
  end
end
""",
    "lib/shop/ledger.rb": """class Shop::Ledger
  def write(text)
    flushed
  end

  def full?
    false
  end

  def flushed
    self
  end
end
""",
    "lib/shop/money.rb": """module Shop
  module Money
    module Amounts
      extend self

      def sum(x)
        doubled(x)
      end

      def doubled(x)
        x * 2
      end
    end
  end
end
""",
    "lib/shop/patch.rb": "module Shop\n  class Cart\n    def patched\n      total\n    end\n  end\nend\n",
    "test/test_cart.rb": """require 'minitest/autorun'
require 'shop'

class TestCart < Minitest::Test
  def setup
    @cart = Shop::Cart.new
  end

  def test_totals
    @cart.total
    helper
  end

  test 'adds articles' do
    @cart.add(1)
  end

  def helper; end
end

describe Shop::Cart do
  it 'builds' do
    Shop::Cart.build(2)
  end
end
""",
}
CART = "lib/shop/cart.rb::Shop.Cart"
BASE = "lib/shop/base.rb::Shop"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return Indexed(tmp_path_factory.mktemp("ruby"), SHOP)


@pytest.mark.promise("languages.ruby")
def test_classes_with_and_without_the_word_methods_and_tests_are_definitions(shop: Indexed) -> None:
    kinds = shop.kinds()
    assert kinds["Shop"] == kinds["Shop.Cart"] == kinds["Shop.Settings"] == kinds["Shop.Ledger"] == "class"
    assert kinds["Shop.settings"] == kinds["Shop.Cart.build"] == kinds["Shop.Cart.dynamic"] == "method"
    assert kinds["TestCart.test_totals"] == kinds["TestCart.adds articles"] == "test"
    assert kinds["Shop::Cart.builds"] == "test"
    assert shop.span(CART) == (5, 67)
    assert shop.span(f"{CART}.lazy?") == (52, 52)
    assert shop.nodes[f"{CART}.build"].signature == "def self.build(count)"


@pytest.mark.promise("languages.ruby")
def test_requires_lead_to_files_on_the_load_path_and_beside(shop: Indexed) -> None:
    imports = shop.edges(EdgeKind.IMPORTS)
    assert {
        ("lib/shop.rb", "lib/shop/cart.rb"),
        ("lib/shop.rb", "lib/shop/ledger.rb"),
        ("lib/shop/cart.rb", "lib/shop/base.rb"),
        ("test/test_cart.rb", "lib/shop.rb"),
    } == imports


@pytest.mark.promise("languages.ruby")
def test_what_is_held_and_what_readers_give_is_followed(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.add") == {
        "lib/shop/ledger.rb::Shop.Ledger.write",
        f"{BASE}.Counts.counted",
        f"{BASE}.Base.note",
        f"{CART}.total",
        f"{CART}.register",
    }
    assert shop.calls(f"{CART}.lazy?") == {"lib/shop/ledger.rb::Shop.Ledger.full?"}


@pytest.mark.promise("languages.ruby")
def test_the_class_and_its_objects_have_their_own_methods(shop: Indexed) -> None:
    assert shop.calls(f"{CART}.build") == {
        f"{CART}.add",
        f"{CART}.register",
        f"{CART}.total",
        f"{BASE}.Finders.find_all",
    }
    made = shop.calls(f"{CART}.initialize")
    assert made == {f"{BASE}.Base.initialize", "lib/shop/ledger.rb::Shop.Ledger", f"{CART}.add"}


@pytest.mark.promise("languages.ruby")
def test_a_local_variable_hides_the_method_of_its_name(shop: Indexed) -> None:
    amounts = "lib/shop/money.rb::Shop.Money.Amounts"
    assert shop.calls(f"{CART}.total") == {f"{amounts}.sum", "lib/shop.rb::Shop.configure"}


@pytest.mark.promise("languages.ruby")
def test_a_module_that_extends_itself_answers_by_its_own_name(shop: Indexed) -> None:
    amounts = "lib/shop/money.rb::Shop.Money.Amounts"
    assert shop.calls(f"{CART}.hidden!") == {f"{amounts}.sum"}
    assert shop.calls(f"{amounts}.sum") == {f"{amounts}.doubled"}


@pytest.mark.promise("languages.ruby")
def test_a_method_that_makes_an_object_gives_it(shop: Indexed) -> None:
    assert shop.calls("lib/shop.rb::Shop.configure") == {
        "lib/shop.rb::Shop.settings",
        "lib/shop.rb::Shop.Settings.change",
    }
    assert shop.calls(f"{CART}.copy") == {f"{CART}.Line", f"{CART}.Line.cart_total"}


@pytest.mark.promise("languages.ruby")
def test_a_class_that_is_opened_again_is_the_same_class(shop: Indexed) -> None:
    assert shop.calls("lib/shop/patch.rb::Shop.Cart.patched") == {f"{CART}.total"}
    inherits = shop.edges(EdgeKind.INHERITS)
    assert {(CART, f"{BASE}.Base"), (CART, f"{BASE}.Counts"), (CART, f"{BASE}.Finders")} <= inherits


@pytest.mark.promise("languages.ruby")
def test_test_methods_and_blocks_call_what_they_test(shop: Indexed) -> None:
    test = "test/test_cart.rb"
    assert shop.calls(f"{test}::TestCart.test_totals") == {f"{CART}.total", f"{test}::TestCart.helper"}
    assert shop.calls(f"{test}::TestCart.adds articles") == {f"{CART}.add"}
    assert shop.calls(f"{test}::Shop::Cart.builds") == {f"{CART}.build"}


@pytest.mark.promise("languages.broken-files-are-named")
def test_a_file_that_does_not_parse_keeps_what_could_be_read(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = "class Good\n  def run\n  end\nend\n\nclass Bad\n  def (\n"
    broken = Indexed(tmp_path_factory.mktemp("broken"), {"a.rb": text})
    assert broken.kinds()["Good.run"] == "method"
    assert "a.rb" in broken.problems()
