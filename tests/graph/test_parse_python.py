"""Python at full depth: what is defined, and what each use of a name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph.edges import edges, indexed, outline, unsettled


@pytest.mark.promise("python.definitions")
def test_definitions_have_their_lines_signatures_and_kinds(tmp_path: Path) -> None:
    text = '''"""A module."""
import enum


# A comment of the class.
@decorated
class Outer(Base):
    """Words."""

    class Inner(enum.Enum):
        ONE = 1

    @property
    def value(self) -> int:
        return 1

    @value.setter
    def value(self, new): ...

    async def fetch(
        self,
        url: str,  # where
        *,
        retries: int = 3,
    ) -> bytes:
        def again():
            return lambda x: x

        return await again()


def plain(): pass


def plain(): return 2


class Shape(Protocol):
    def area(self) -> float: ...
'''
    snapshot = indexed(tmp_path, {"a.py": text})
    assert outline(snapshot, "a.py") == [
        "class Outer 7-29",
        "enum Outer.Inner 10-11",
        "method Outer.value 14-15",
        "method Outer.value#2 18-18",
        "method Outer.fetch 20-29",
        "function Outer.fetch.again 26-27",
        "function plain 32-32",
        "function plain#2 35-35",
        "interface Shape 38-39",
        "method Shape.area 39-39",
    ]
    fetch = snapshot.nodes.node(snapshot.nodes.index("a.py::Outer.fetch") or 0)
    assert fetch.signature == "async def fetch(self, url: str, # where *, retries: int = 3) -> bytes"
    assert fetch.parent == "a.py::Outer"
    assert snapshot.nodes.node(snapshot.nodes.index("a.py::Outer") or 0).signature == "class Outer(Base)"


@pytest.mark.promise("python.imports")
def test_imports_lead_to_files_through_packages_and_layouts(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "pyproject.toml": "",
            "src/shop/__init__.py": "from .core import Cart as Basket\nfrom . import money\n",
            "src/shop/core.py": "class Cart:\n    def add(self): ...\n",
            "src/shop/money.py": "import json\nfrom ..shop.core import Cart\n",
            "src/shop/deep/leaf.py": "from ..core import Cart\nfrom ...outside import nothing\n",
            "tests/helpers.py": "def make(): ...\n",
            "tests/test_shop.py": """
import shop.money
from shop import Basket
import shop.core as c
import helpers
""",
            "json.py": "",
        },
    )
    assert edges(snapshot, "imports") == {
        "src/shop/__init__.py > src/shop/core.py (import-resolved)",
        "src/shop/__init__.py > src/shop/money.py (import-resolved)",
        "src/shop/money.py > src/shop/core.py (import-resolved)",
        "src/shop/deep/leaf.py > src/shop/core.py (import-resolved)",
        "tests/test_shop.py > src/shop/__init__.py (import-resolved)",
        "tests/test_shop.py > src/shop/core.py (import-resolved)",
        "tests/test_shop.py > tests/helpers.py (import-resolved)",
    }


@pytest.mark.promise("python.calls")
def test_calls_lead_to_what_they_mean(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "lib/__init__.py": "from lib.base import *\nfrom lib.base import Base as Root\n",
            "lib/base.py": """
class Base:
    def shared(self): ...
    def hook(self): ...

def helper(): ...
""",
            "app.py": """
import lib
import lib.base
from lib import Root, helper as h
from lib.base import Base

class Child(Root):
    def __init__(self):
        self.other = Base()
        self.typed: Base = make()

    def run(self, given: Base, loose):
        self.hook()
        self.shared()
        super().hook()
        self.other.shared()
        self.typed.hook()
        given.hook()
        loose.hook()
        Base().shared()
        lib.base.helper()
        lib.helper()
        local = Child()
        local.run(1, 2)

    def hook(self):
        return h()

def top():
    def inner():
        return top()
    return inner()
""",
        },
    )
    assert edges(snapshot, "calls") == {
        "app.py::Child.__init__ > lib/base.py::Base (import-resolved)",
        "app.py::Child.run > app.py::Child (exact)",
        "app.py::Child.run > app.py::Child.hook (exact)",
        "app.py::Child.run > lib/base.py::Base (import-resolved)",
        "app.py::Child.run > lib/base.py::Base.hook (import-resolved)",
        "app.py::Child.run > lib/base.py::Base.shared (import-resolved)",
        "app.py::Child.run > lib/base.py::helper (import-resolved)",
        "app.py::Child.hook > lib/base.py::helper (import-resolved)",
        "app.py::top > app.py::top.inner (exact)",
        "app.py::top.inner > app.py::top (exact)",
    }
    assert edges(snapshot, "inherits") == {"app.py::Child > lib/base.py::Base (import-resolved)"}
    assert unsettled(snapshot) == {"app.py::Child.run ? app.py::Child.hook, lib/base.py::Base.hook"}


@pytest.mark.promise("graph.no-guess")
def test_a_name_that_something_else_may_bear_is_no_edge(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "a.py": """
class Store:
    def get(self, key): ...
    def items(self): ...
    def reconcile_ledger(self): ...
    def tidy(self): ...
def print(x): ...
def loads(x): ...
""",
            "b.py": """
import json
import os.path
from requests import get
from a import missing

def use(x, loads):
    x.get(1)
    x.items()
    x.tidy()
    x.reconcile_ledger()
    print(x)
    loads(x)
    json.loads(x)
    os.path.items()
    get(x)
    missing()
    [get for get in x][0]()
    {}.get(x)
    "".items()
""",
        },
    )
    assert edges(snapshot, "calls") == {"b.py::use > a.py::Store.reconcile_ledger (unique-name)"}
    assert unsettled(snapshot) == {"b.py::use ? a.py::Store.tidy"}


def test_two_functions_of_one_name_stay_two_and_a_call_of_them_stays_open(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "a.py": "if FAST:\n    def work(): ...\nelse:\n    def work(): ...\n\ndef run():\n    work()\n",
            "b.py": "from a import work\nwork()\n",
            "c.py": "try:\n    from a import run\nexcept ImportError:\n    def run(): ...\nrun()\n",
        },
    )
    assert edges(snapshot, "calls") == set()
    both = "a.py::work, a.py::work#2"
    assert unsettled(snapshot) == {
        f"a.py::run ? {both}",
        f"b.py ? {both}",
        "c.py ? a.py::run, c.py::run",
    }


def test_the_implementation_of_an_overloaded_function_is_what_is_called(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "a.py": """
from typing import overload
@overload
def work(x: int) -> int: ...
@overload
def work(x: str) -> str: ...
def work(x):
    return x
class Thing:
    @property
    def size(self): ...
    @size.setter
    def size(self, new): ...
    def use(self):
        work(1)
        self.size()
"""
        },
    )
    assert edges(snapshot, "calls") == {
        "a.py::Thing.use > a.py::work#3 (exact)",
        "a.py::Thing.use > a.py::Thing.size (exact)",
    }


def test_the_nearest_base_answers_and_a_base_from_outside_keeps_us_silent(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "a.py": """
from unittest import TestCase
class Top:
    def step(self): ...
    def only_top(self): ...
class Left(Top):
    def step(self): ...
class Right(Top):
    def step(self): ...
    def only_right(self): ...
class Both(Left, Right):
    def go(self):
        self.step()
        self.only_right()
        self.only_top()
class Mine(TestCase):
    def go(self):
        self.only_right()
        self.assertEqual(1, 1)
class Outer:
    class Base:
        def deep(self): ...
    class Sub(Base):
        def go(self):
            self.deep()
"""
        },
    )
    assert edges(snapshot, "calls") == {
        "a.py::Both.go > a.py::Left.step (exact)",
        "a.py::Both.go > a.py::Right.only_right (exact)",
        "a.py::Both.go > a.py::Top.only_top (exact)",
        "a.py::Outer.Sub.go > a.py::Outer.Base.deep (exact)",
    }


@pytest.mark.promise("graph.tests")
def test_what_a_test_calls_it_tests(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "shop.py": "class Cart:\n    def total(self): ...\n\ndef rounded(x): ...\n",
            "tests/test_shop.py": """
from shop import Cart, rounded
def helper():
    return Cart()
def test_total():
    cart = Cart()
    assert cart.total() == rounded(1)
    helper()
""",
        },
    )
    assert edges(snapshot, "tests") == {
        "tests/test_shop.py > shop.py (import-resolved)",
        "tests/test_shop.py > shop.py::Cart (import-resolved)",
        "tests/test_shop.py > shop.py::rounded (import-resolved)",
        "tests/test_shop.py::helper > shop.py::Cart (import-resolved)",
        "tests/test_shop.py::test_total > shop.py::Cart (import-resolved)",
        "tests/test_shop.py::test_total > shop.py::Cart.total (import-resolved)",
        "tests/test_shop.py::test_total > shop.py::rounded (import-resolved)",
    }
    assert "test test_total 5-8" in outline(snapshot, "tests/test_shop.py")


def test_decorators_and_metaclasses_are_uses(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "a.py": "def traced(f): ...\nclass Meta(type): ...\n",
            "b.py": """
import a
from a import traced
@traced
def one(): ...
@a.traced
class Two(metaclass=a.Meta): ...
""",
        },
    )
    assert edges(snapshot, "calls") == {
        "b.py::one > a.py::traced (import-resolved)",
        "b.py::Two > a.py::traced (import-resolved)",
    }
    assert "b.py::Two > a.py::Meta (import-resolved)" in edges(snapshot, "references")


def test_a_variable_of_a_module_is_followed_to_its_class_wherever_it_is_imported(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "lib/__init__.py": "from .state import current, engine as motor\n",
            "lib/state.py": """
from .core import Engine
current: Engine = find()
engine = Engine()
either = Engine()
either = Other()
""",
            "lib/core.py": "class Engine:\n    def drive(self) -> 'Engine': ...\n    def halt(self): ...\n",
            "app.py": """
from lib import current, motor
from lib.state import either
import lib.state
def run():
    current.drive()
def stop():
    motor.halt()
def chain():
    current.drive().halt()
def whole():
    lib.state.engine.halt()
def unsure():
    either.halt()
""",
        },
    )
    assert edges(snapshot, "calls") >= {
        "app.py::run > lib/core.py::Engine.drive (import-resolved)",
        "app.py::stop > lib/core.py::Engine.halt (import-resolved)",
        "app.py::whole > lib/core.py::Engine.halt (import-resolved)",
    }
    assert not {edge for edge in edges(snapshot, "calls") if edge.startswith("app.py::unsure")}
