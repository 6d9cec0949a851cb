import assert from "node:assert";
import test from "node:test";
import { Surroundings, chooseProgram } from "../src/choose";

const files = ["/usr/bin/rlx", "/repo/build/rlx", "/repo/bin/rlx", "/opt/rlx/rlx", "/usr/bin/my-rlx", "rlx", "/home/me/rlx"];
const base: Surroundings = {
  setting: "", ownSetting: "", isTrusted: true, folders: ["/repo"], home: "/home/me",
  searched: ["/repo/bin", ".", "", "/usr/bin"], isExecutable: (file) => files.includes(file),
};

const cases: [string, Partial<Surroundings>, string, RegExp][] = [
  ["a trusted folder's own build", {}, "/repo/build/rlx", /which you trust/],
  ["the setting wins over it", { setting: "/opt/rlx/rlx" }, "/opt/rlx/rlx", /setting/],
  ["relative to the folder", { setting: "bin/rlx" }, "/repo/bin/rlx", /setting/],
  ["${workspaceFolder}", { setting: "${workspaceFolder}/bin/rlx" }, "/repo/bin/rlx", /setting/],
  ["~", { setting: "~/rlx" }, "/home/me/rlx", /setting/],
  ["a name is looked for on PATH", { setting: "my-rlx" }, "/usr/bin/my-rlx", /PATH/],
  ["without a folder", { folders: [] }, "/repo/bin/rlx", /PATH/],

  ["not trusted: PATH", { isTrusted: false }, "/usr/bin/rlx", /^found on PATH$/],
  ["not trusted: the folder's setting", { isTrusted: false, setting: "/repo/evil" }, "/usr/bin/rlx", /not used/],
  ["not trusted: the folder's setting in place of the user's", { isTrusted: false, setting: "/repo/evil", ownSetting: "/opt/rlx/rlx" },
    "/opt/rlx/rlx", /setting/],
  ["not trusted: the user's setting leads inside", { isTrusted: false, setting: "${workspaceFolder}/build/rlx", ownSetting: "${workspaceFolder}/build/rlx" },
    "/usr/bin/rlx", /not trusted/],
  ["not trusted: a relative one", { isTrusted: false, ownSetting: "build/rlx", setting: "build/rlx" }, "/usr/bin/rlx", /not trusted/],
  ["not trusted: dots", { isTrusted: false, ownSetting: "/usr/../repo/build/rlx", setting: "x" }, "/usr/bin/rlx", /not trusted/],
  ["not trusted: PATH leads inside only", { isTrusted: false, searched: ["/repo/bin", "."] }, "rlx", /not found/],
];

for (const [name, given, program, origin] of cases) {
  test(name, () => {
    const choice = chooseProgram({ ...base, ...given });
    assert.strictEqual(choice.program, program);
    assert.match(choice.origin, origin);
  });
}
