import assert from "node:assert";
import test from "node:test";
import { splitArguments } from "../src/arguments";

const cases: [string, string[]][] = [
  ["", []],
  ["   ", []],
  ["x=2x3:float32:random(1) y=@y.npy", ["x=2x3:float32:random(1)", "y=@y.npy"]],
  ["x=[[1, 2], [3, 4]] k=3:int64", ["x=[[1, 2], [3, 4]]", "k=3:int64"]],
  ['x="@my file.npy"', ["x=@my file.npy"]],
  ["x='a \"b\" c' ''", ['x=a "b" c', ""]],
  ["x=[1 2", ["x=[1 2"]], // not closed: one argument, and rlx says what is wrong
  ["x=1] y=2", ["x=1]", "y=2"]],
];

for (const [typed, wanted] of cases) {
  test(`splitArguments(${JSON.stringify(typed)})`, () => assert.deepStrictEqual(splitArguments(typed), wanted));
}
