import assert from "node:assert";
import test from "node:test";
import { LoopNode, LoopTree, below, choices, labelParts } from "../src/looptree";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const node = (label: string, parent: number, actions: LoopNode["actions"] = []): LoopNode =>
  ({ kind: label.startsWith("block") ? "block" : "loop", index: 0, parent, label, range, actions });
const tree: LoopTree = {
  function: "main", range,
  nodes: [node("for i in 4", -1), node("for j in 8  vectorized", 0), node('block "B"  S vi = i, S vj = j', 1), node("for k in 2", -1)],
};

test("nodes stand below the one around them, in the order of the text", () => {
  assert.deepStrictEqual(below(tree, -1).map((n) => n.label), ["for i in 4", "for k in 2"]);
  assert.deepStrictEqual(below(tree, 1).map((n) => n.label), ['block "B"  S vi = i, S vj = j']);
  assert.deepStrictEqual(below(tree, 3), []);
});

test("a label has a name, and details where there is a gap", () => {
  assert.deepStrictEqual(labelParts("for i in 4"), { name: "for i in 4", detail: "" });
  assert.deepStrictEqual(labelParts("for j in 8  vectorized"), { name: "for j in 8", detail: "vectorized" });
});

test("legal steps come first, refused ones say why", () => {
  const found = choices(node("for k in 2", -1, [{ title: "vectorize k", disabled: { reason: "it reduces" } }, { title: "unroll k" }]));
  assert.deepStrictEqual(found.map((c) => [c.label, c.detail]), [["unroll k", undefined], ["$(circle-slash) vectorize k", "it reduces"]]);
  assert.strictEqual(found[1].step.disabled?.reason, "it reduces");
});

test("a reason of two parts has two lines", () => {
  const reason = 'not at once: block "B" is none: it has no T.init';
  const [found] = choices(node("for k in 2", -1, [{ title: "vectorize k", disabled: { reason } }]));
  assert.deepStrictEqual([found.description, found.detail], ["not at once", 'block "B" is none: it has no T.init']);
});

test("a reason that is longer than a row goes on in the next ones", () => {
  const why = `block "update" is neither complete (block variable vk is reduce, not data_par) nor a reduction (${"it has no T.init and ".repeat(4)}more)`;
  const reason = `not at once: ${why}`;
  const found = choices(node("for k in 2", -1, [{ title: "vectorize k", disabled: { reason } }]));
  const shown = [found[0].detail ?? "", ...found.slice(1).map((c) => c.label.replace("$(blank) ", ""))];
  assert.strictEqual(shown.join(" "), why);
  assert.ok(shown.length > 2 && shown.every((row) => row.length <= 80));
  assert.ok(found.every((c) => c.tooltip === reason && c.step === found[0].step));
});

test("what does not fit behind the title stands below it", () => {
  const reason = `${"a long story ".repeat(7)}: it reduces`;
  const [found] = choices(node("for k in 2", -1, [{ title: "vectorize k", disabled: { reason } }]));
  assert.strictEqual(found.description, undefined);
  assert.ok(found.detail?.startsWith("a long story"));
});
