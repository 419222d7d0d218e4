"""JavaScript and TypeScript at full depth: what is defined, and what each use of a name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph.edges import edges, indexed, outline, unsettled


@pytest.mark.promise("ecmascript.definitions")
def test_definitions_have_their_lines_signatures_and_kinds(tmp_path: Path) -> None:
    text = """// The shape.
export interface Shape { area(): number }
export type Name = string
export enum Colour { Red }
export abstract class Base<T> {
  private total: number = 0
  constructor(readonly name: string) {}
  abstract draw(): void
  get size() { return 1 }
  handler = () => this.draw()
}
export function over(x: string): void
export function over(x: any) {
  function inner() {}
}
export const arrow = async (x: number): Promise<number> => {
  return x
}
const api = {
  list() {},
  make: function () {},
}
export default class {
  run() {}
}
"""
    snapshot = indexed(tmp_path, {"a.ts": text})
    assert outline(snapshot, "a.ts") == [
        "interface Shape 2-2",
        "method Shape.area 2-2",
        "type Name 3-3",
        "enum Colour 4-4",
        "class Base 5-11",
        "method Base.constructor 7-7",
        "method Base.draw 8-8",
        "method Base.size 9-9",
        "method Base.handler 10-10",
        "function over 12-12",
        "function over#2 13-15",
        "function over.inner 14-14",
        "function arrow 16-18",
        "method api.list 20-20",
        "method api.make 21-21",
        "class default 23-25",
        "method default.run 24-24",
    ]
    arrow = snapshot.nodes.node(snapshot.nodes.index("a.ts::arrow") or 0)
    assert arrow.signature == "export const arrow = async (x: number): Promise<number>"


@pytest.mark.promise("ecmascript.imports")
def test_imports_lead_to_files(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "tsconfig.json": """{ // paths
  "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["app/*"],}}}
""",
            "app/main.ts": """
import './side'
import type { Shape } from './shape'
import { helper } from '@/lib/helper.js'
import * as all from './lib'
import fs from 'node:fs'
import left from 'left-pad'
import { tool } from 'toolbox'
import { deep } from 'toolbox/deep'
import raw from './text.txt?raw'
const old = require('./old')
const lazy = () => import('./lazy')
""",
            "app/side.js": "",
            "app/shape.d.ts": "export interface Shape {}",
            "app/lib/helper.ts": "export const helper = () => 1",
            "app/lib/index.tsx": "export {}",
            "app/text.txt": "words",
            "app/old.cjs": "",
            "app/old.js": "",
            "app/lazy.mjs": "",
            "packages/toolbox/package.json": '{"name": "toolbox", "main": "dist/index.js"}',
            "packages/toolbox/src/index.ts": "export function tool() {}",
            "packages/toolbox/src/deep.ts": "export function deep() {}",
        },
    )
    assert edges(snapshot, "imports") == {
        f"app/main.ts > {target} (import-resolved)"
        for target in (
            "app/side.js", "app/shape.d.ts", "app/lib/helper.ts", "app/lib/index.tsx", "app/text.txt",
            "app/old.js", "app/lazy.mjs", "packages/toolbox/src/index.ts", "packages/toolbox/src/deep.ts",
        )
    }  # fmt: skip


@pytest.mark.promise("ecmascript.calls")
def test_calls_lead_to_what_they_mean(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "lib/index.ts": """
export * from './base'
export { secret as open } from './base'
export * as ns from './base'
""",
            "lib/base.ts": """
export class Base {
  shared() {}
  hook() {}
}
export function helper() {}
export function secret() {}
export default function main() {}
""",
            "app.ts": """
import main, { Base } from './lib/base'
import { helper as h, open, ns } from './lib'
import * as lib from './lib'
class Child extends Base {
  private field = new Base()
  constructor(private readonly given: Base) { super() }
  run(param: Base, loose) {
    this.hook()
    this.shared()
    super.hook()
    this.field.shared()
    this.given?.hook()
    param.hook()
    loose.hook()
    const made = new Child(param)
    made.run(param, 1)
    new Base().shared()
  }
  hook() { return h() }
}
export const top = () => { open(); ns.helper(); lib.secret(); main() }
function free() { [1].map((h) => h()) ; top() }
""",
        },
    )
    assert edges(snapshot, "calls") == {
        "app.ts::Child.run > app.ts::Child (exact)",
        "app.ts::Child.run > app.ts::Child.hook (exact)",
        "app.ts::Child.run > lib/base.ts::Base (import-resolved)",
        "app.ts::Child.run > lib/base.ts::Base.hook (import-resolved)",
        "app.ts::Child.run > lib/base.ts::Base.shared (import-resolved)",
        "app.ts::Child > lib/base.ts::Base (import-resolved)",
        "app.ts::Child.hook > lib/base.ts::helper (import-resolved)",
        "app.ts::top > lib/base.ts::secret (import-resolved)",
        "app.ts::top > lib/base.ts::helper (import-resolved)",
        "app.ts::top > lib/base.ts::main (import-resolved)",
        "app.ts::free > app.ts::top (exact)",
    }
    assert edges(snapshot, "inherits") == {"app.ts::Child > lib/base.ts::Base (import-resolved)"}
    assert unsettled(snapshot) == {"app.ts::Child.run ? app.ts::Child.hook, lib/base.ts::Base.hook"}


def test_modules_of_node_are_followed(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "a.js": "function one() {}\nfunction two() {}\nmodule.exports = { one, renamed: two }\n",
            "b.js": "module.exports = function make() {}\nmodule.exports.extra = function () {}\n",
            "c.js": "exports.three = () => {}\nexports.four = four\nfunction four() {}\n",
            "d.js": """
const a = require('./a')
const { renamed, one: first } = require('./a')
const make = require('./b')
const { three } = require('./c')
function run() { a.one(); renamed(); first(); make(); make.extra(); three(); require('./c').four() }
""",
        },
    )
    assert edges(snapshot, "calls") == {
        "d.js::run > a.js::one (import-resolved)",
        "d.js::run > a.js::two (import-resolved)",
        "d.js::run > b.js::default (import-resolved)",
        "d.js::run > b.js::extra (import-resolved)",
        "d.js::run > c.js::three (import-resolved)",
    }


def test_components_are_called_where_they_are_drawn(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "Card.jsx": """
export default function Card() { return <div/> }
export const Title = () => <h1/>
""",
            "App.tsx": """
import Card, { Title } from './Card'
export const App = () => <Card><Title/><p/></Card>
""",
        },
    )
    assert edges(snapshot, "calls") == {
        "App.tsx::App > Card.jsx::Card (import-resolved)",
        "App.tsx::App > Card.jsx::Title (import-resolved)",
    }


@pytest.mark.promise("ecmascript.tests")
def test_titled_tests_are_nodes_that_test_what_they_call(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "cart.ts": "export class Cart { total() {} }\n",
            "cart.test.ts": """
import { Cart } from './cart'
describe('a cart', () => {
  it.each([1])(`skipped`, () => {})
  it("has a 'total'", () => { const cart = new Cart(); cart.total() })
})
""",
        },
    )
    assert outline(snapshot, "cart.test.ts")[0] == "test a cart 3-6"
    assert "test a cart.has a 'total' 5-5" in outline(snapshot, "cart.test.ts")
    assert "cart.test.ts::a cart.has a 'total' > cart.ts::Cart.total (import-resolved)" in edges(
        snapshot, "tests"
    )


@pytest.mark.promise("graph.no-guess")
def test_a_name_that_something_else_may_bear_is_no_edge(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "a.ts": """
export class Store { get() {} map() {} reconcileLedger() {} tidy() {} }
export function parse() {}
""",
            "b.ts": """
import { parse } from 'elsewhere'
import { missing } from './a'
function use(x) {
  x.get(); x.map(); x.tidy(); x.reconcileLedger(); parse(); missing(); JSON.parse(''); [].map(); fetch('')
  const get = 1; get()
}
""",
        },
    )
    assert edges(snapshot, "calls") == {"b.ts::use > a.ts::Store.reconcileLedger (unique-name)"}
    assert unsettled(snapshot) == {"b.ts::use ? a.ts::Store.tidy"}


def test_names_of_one_language_do_not_answer_for_another(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "a.py": "class A:\n    def reconcile_ledger(self): ...\n",
            "b.js": "export function f(x) { x.reconcile_ledger() }\n",
        },
    )
    assert edges(snapshot, "calls") == set()
    assert unsettled(snapshot) == set()
