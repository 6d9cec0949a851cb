import assert from "node:assert";
import { test } from "node:test";
import { Recent } from "../src/recent";

test("what was not asked for the longest time goes", () => {
  const dropped: number[] = [];
  let made = 0;
  const recent = new Recent<string, number>(2, (value) => dropped.push(value));
  const get = (key: string) => recent.get(key, () => ++made);
  assert.deepEqual([get("a"), get("b"), get("a"), get("c"), get("a"), get("b")], [1, 2, 1, 3, 1, 4]);
  assert.deepEqual(dropped, [2, 3]);
  recent.clear();
  assert.deepEqual(dropped, [2, 3, 1, 4]);
});
