"""Rust: crates, modules in files and in place, `use` of all sorts, traits, wrappers, patterns, macros."""

from __future__ import annotations

import pytest

from numen.graph.types import EdgeKind
from tests.languages.indexed import Indexed

SHOP = {
    "Cargo.toml": '[workspace]\nmembers = ["shop", "money"]\n',
    "shop/Cargo.toml": '[package]\nname = "shop"\n\n[dependencies]\nmoney-kit = { path = "../money" }\n',
    "shop/src/lib.rs": """//! A shop.
use std::fmt;

mod cart;
pub mod find;
#[macro_use]
mod shout;

pub use self::cart::{Article, Cart as Basket};
pub use money_kit as money;

pub fn open(name: &str) -> Result<Basket, Error> {
    let mut basket = Basket::new(name)?;
    basket.add(Article::default_one());
    shout!(helper(1), basket.total());
    Ok(basket)
}

fn helper(x: u32) -> u32 {
    #[cfg(unix)]
    fn imp(x: u32) -> u32 {
        x
    }
    #[cfg(not(unix))]
    fn imp(x: u32) -> u32 {
        crate::find::find(x)
    }
    imp(x)
}

pub enum Error {
    Missing(Article),
    Other { article: Article },
}

impl Error {
    pub fn name(&self) -> String {
        match *self {
            Error::Missing(ref article) => article.name(),
            Error::Other { ref article } => article.rename(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built() -> Basket {
        open("x").unwrap()
    }

    #[test]
    fn totals() {
        assert_eq!(built().total(), helper(0));
        use super::helper as other;
        other(2);
    }
}
""",
    "shop/src/cart.rs": """use crate::find::{self, find as seek, Finder, Named};
use money_kit::Amount;
use std::sync::Arc;

#[derive(Clone, Named)]
pub struct Article {
    price: Option<Amount>,
}

pub struct Cart {
    articles: Vec<Arc<Article>>,
    finder: Box<dyn Finder>,
    total: Amount,
}

impl Article {
    pub fn default_one() -> Self {
        Article { price: None }
    }
    pub fn name(&self) -> String {
        String::new()
    }
    pub fn rename(&self) -> String {
        Self::default_one().name()
    }
}

impl Cart {
    pub fn new(name: &str) -> Result<Cart, super::Error> {
        find::check(name);
        seek(1);
        todo!()
    }
    pub fn add(&mut self, article: Article) -> &mut Self {
        for (i, one) in self.articles.iter().enumerate() {
            one.name();
        }
        if let Some(first) = self.articles.first() {
            first.rename();
        }
        self.articles.iter().map(|a| a.price.as_ref().unwrap().plus(i)).count();
        self.finder.look(&article);
        self
    }
    pub fn total(&self) -> u32 {
        self.total.plus(1);
        self.articles.len()
    }
}

pub static ALL: &[&dyn Finder] = &[];

fn both() -> (Article, Option<Amount>) {
    todo!()
}

fn parts() {
    let (article, amount) = both();
    article.rename();
    amount.unwrap().plus(1);
    for one in ALL.iter() {
        one.look(&article);
    }
}

fn generic<F: Finder, I>(finder: F, others: I) -> u32
where
    I: IntoIterator<Item = Article>,
{
    for one in others {
        one.name();
    }
    <F as Finder>::start();
    finder.look(&Article::default_one())
}
""",
    "shop/src/find.rs": """use crate::cart::Article;

pub trait Finder: Named {
    fn look(&self, article: &Article) -> u32;
    fn start() {}
    fn again(&self, article: &Article) -> u32 {
        self.named();
        self.look(article)
    }
}

pub trait Named {
    fn named(&self) {}
}

impl<'a, F: Finder> Finder for &'a F {
    fn look(&self, article: &Article) -> u32 {
        0
    }
}

pub fn find(x: u32) -> u32 {
    x
}

pub fn check(name: &str) {}

fn all() {
    use crate::cart::ALL;
    for one in ALL.iter() {
        one.start();
    }
}
""",
    "shop/src/shout.rs": "macro_rules! shout {\n    ($($e:expr),*) => {};\n}\n",
    "money/Cargo.toml": '[package]\nname = "money-kit"\n',
    "money/src/lib.rs": "mod amount;\npub use amount::*;\n",
    "money/src/amount.rs": """pub struct Amount(u32);

impl Amount {
    pub fn plus(&self, x: u32) -> Amount {
        Amount(x)
    }
}

pub trait Ext {
    fn twice(&self) -> usize;
}

impl Ext for str {
    fn twice(&self) -> usize {
        self.helped()
    }
}
""",
    "shop/tests/all.rs": """use shop::{open, Basket};

#[test]
fn opens() {
    let basket: Basket = open("a").unwrap();
    basket.total();
    shop::money::Amount::plus(&x, 1);
}
""",
}
LIB, CART, FIND, AMOUNT = "shop/src/lib.rs", "shop/src/cart.rs", "shop/src/find.rs", "money/src/amount.rs"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return Indexed(tmp_path_factory.mktemp("rust"), SHOP)


@pytest.mark.promise("languages.rust")
def test_methods_bear_their_type_and_inline_modules_are_named(shop: Indexed) -> None:
    kinds = shop.kinds()
    assert kinds["Cart.add"] == "method"
    assert kinds["Finder"] == "interface"
    assert kinds["Error"] == "enum"
    assert kinds["tests.totals"] == "test"
    assert kinds["tests.built"] == "function"
    assert kinds["shout"] == "function"
    assert kinds["helper.imp"] == "function"
    assert shop.span(f"{CART}::Article") == (6, 8)
    assert shop.nodes[f"{CART}::Cart.new"].signature == "pub fn new(name: &str) -> Result<Cart, super::Error>"


@pytest.mark.promise("languages.rust")
def test_results_are_unwrapped_and_arguments_of_macros_are_read(shop: Indexed) -> None:
    assert shop.calls(f"{LIB}::open") == {
        f"{CART}::Cart.new",
        f"{CART}::Cart.add",
        f"{CART}::Article.default_one",
        f"{CART}::Cart.total",
        f"{LIB}::helper",
        "shop/src/shout.rs::shout",
    }


@pytest.mark.promise("languages.rust")
def test_patterns_give_types(shop: Indexed) -> None:
    assert shop.calls(f"{LIB}::Error.name") == {f"{CART}::Article.name", f"{CART}::Article.rename"}
    assert shop.calls(f"{LIB}::Error.fmt") == {f"{LIB}::Error.name"}


@pytest.mark.promise("languages.rust")
def test_what_the_usual_build_leaves_out_gives_way(shop: Indexed) -> None:
    assert shop.calls(f"{LIB}::helper") == {f"{LIB}::helper.imp"}


@pytest.mark.promise("languages.rust")
def test_a_function_and_a_module_of_one_name_are_two_things(shop: Indexed) -> None:
    assert shop.calls(f"{CART}::Cart.new") == {f"{FIND}::check", f"{FIND}::find"}


@pytest.mark.promise("languages.rust")
def test_fields_in_wrappers_elements_and_closures_are_followed(shop: Indexed) -> None:
    assert shop.calls(f"{CART}::Cart.add") == {
        f"{CART}::Article.name",
        f"{CART}::Article.rename",
        f"{AMOUNT}::Amount.plus",
        f"{FIND}::Finder.look",
    }
    assert f"{AMOUNT}::Amount.plus" in shop.calls(f"{CART}::Cart.total")


@pytest.mark.promise("languages.rust")
def test_tuples_constants_and_derived_traits_are_followed(shop: Indexed) -> None:
    assert shop.calls(f"{CART}::parts") == {
        f"{CART}::both",
        f"{CART}::Article.rename",
        f"{AMOUNT}::Amount.plus",
        f"{FIND}::Finder.look",
    }
    assert shop.calls(f"{FIND}::all") == {f"{FIND}::Finder.start"}
    assert (f"{CART}::Article", f"{FIND}::Named") in shop.edges(EdgeKind.INHERITS)


@pytest.mark.promise("languages.rust")
def test_bounds_give_traits_and_traits_give_their_supertraits(shop: Indexed) -> None:
    assert shop.calls(f"{CART}::generic") == {
        f"{CART}::Article.name",
        f"{CART}::Article.default_one",
        f"{FIND}::Finder.start",
        f"{FIND}::Finder.look",
    }
    assert shop.calls(f"{FIND}::Finder.again") == {f"{FIND}::Named.named", f"{FIND}::Finder.look"}
    assert (f"{FIND}::Finder", f"{FIND}::Named") in shop.edges(EdgeKind.INHERITS)


@pytest.mark.promise("languages.rust")
def test_a_module_in_place_sees_what_is_around_it(shop: Indexed) -> None:
    assert shop.calls(f"{LIB}::tests.built") == {f"{LIB}::open"}
    assert shop.calls(f"{LIB}::tests.totals") == {
        f"{LIB}::tests.built",
        f"{CART}::Cart.total",
        f"{LIB}::helper",
    }


@pytest.mark.promise("languages.rust")
def test_other_crates_are_reached_through_what_they_hand_on(shop: Indexed) -> None:
    assert shop.calls("shop/tests/all.rs::opens") == {
        f"{LIB}::open",
        f"{CART}::Cart.total",
        f"{AMOUNT}::Amount.plus",
    }
