// What a user sees in VS Code while typing: completion, the signature of a call, rename with its preview and its refusal,
// the outline, folding, a notebook.
//
// WORKSPACE is a copy of examples/; see vscode_page.mjs.
import { writeFile } from "node:fs/promises";
import { command, end, find, goToLine, includes, open, page, shots, shows, step, text, workspace } from "./vscode_page.mjs";

const cell = (lines) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: lines.join("\n") });
const notebook = {
  cells: [cell(["from tvm.script import relax as R", "", "ROWS = 3"]),
    cell(["@R.function", 'def main(x: R.Tensor((ROWS, 4), "float32")):', "    y = R.nn.rleu(x)", "    z = R.add(x, x)", "    return z"])],
  metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5,
};

/** A new line behind `line`, with the text typed key by key. */
async function typeBehind(line, words) {
  await goToLine(line);
  await page.waitForSelector(`[id='status.editor.selection']:has-text('Ln ${line},')`);
  await page.keyboard.press("Control+Enter"); // a line below, wherever the cursor is
  await page.waitForSelector(`[id='status.editor.selection']:has-text('Ln ${line + 1},')`);
  await page.keyboard.type(words, { delay: 60 });
}

/** Takes back what was typed, until the file is as it is on disk. */
async function undoAll() {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  for (let i = 0; i < 60 && await page.locator(".tab.active.dirty").count(); i++) await page.keyboard.press("Control+z");
}

/** Waits for an offer in the list, which opens by itself while one types; asked for where a busy machine closed it. */
async function offered(words) {
  const offer = page.locator(".suggest-widget.visible .monaco-list-row", { hasText: words }).first();
  for (let attempt = 0; ; attempt++) {
    try {
      await offer.waitFor({ timeout: 6000 });
      return;
    } catch (error) {
      if (attempt === 4) throw error;
      await page.keyboard.press("Escape"); // and the call's signature
      await page.keyboard.press("Control+Space");
      console.log("asked for", words);
    }
  }
}

const BEHIND = 20; // by_hand = R.divide(e, total)

/** Puts the cursor into a word and opens the box for its new name, which hints that arrive may close. */
async function rename(word, name) {
  const box = page.locator(".rename-box input");
  for (let attempt = 0; attempt < 5 && !(await box.isVisible()); attempt++) {
    const at = await find(word);
    if (at) { // lines that change are gone for a moment
      await page.mouse.click(at.x, at.y);
      await page.keyboard.press("F2");
    }
    await box.waitFor({ timeout: 4000 }).catch(() => {});
  }
  await box.fill(name);
}

try {
  await writeFile(`${workspace}/cells.ipynb`, JSON.stringify(notebook));
  await open("rms_norm.py");
  await shows("(n, m) f32");

  await step("completion of operators with their page", async () => {
    await typeBehind(BEHIND, "a = R.nn.so");
    await offered("softmax");
    await page.keyboard.press("Control+Space"); // the page beside the list
    await page.waitForSelector(".suggest-details:visible");
    await page.screenshot({ path: `${shots}/7-completion.png` });
    await page.keyboard.press("Enter");
    await shows("R.nn.softmax");
  });
  await step("the signature of the call, and what may be its argument", async () => {
    await page.keyboard.type("(", { delay: 60 });
    await page.waitForSelector(".parameter-hints-widget.visible:has-text('axis')");
    await page.keyboard.press("Control+Space");
    await offered("total");
    await page.screenshot({ path: `${shots}/8-signature.png` });
    await page.keyboard.type("tot", { delay: 60 });
    await offered("total");
    await page.keyboard.press("Tab");
    await page.keyboard.type(", axis=", { delay: 60 });
    await offered("-1");
    await page.screenshot({ path: `${shots}/9-axis.png` });
  });
  await step("a snippet has places to fill in", async () => {
    await undoAll();
    await typeBehind(BEHIND, "match_ca");
    await offered("match_cast");
    await page.keyboard.press("Tab");
    await shows("R.match_cast");
    await page.screenshot({ path: `${shots}/10-snippet.png` });
    await undoAll();
  });
  await step("a rename shows what it changes before it does", async () => {
    await rename("shifted", "moved");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Apply" }).waitFor();
    await page.screenshot({ path: `${shots}/11-rename.png` });
    await page.getByRole("button", { name: "Apply" }).click();
    await shows("R.exp(moved)");
    await page.locator(".tab[data-resource-name='rms_norm.py']").first().click();
    await goToLine(BEHIND); // it was saved: the editor does so with what it refactors
    await page.keyboard.press("Control+z");
    await shows("R.exp(shifted)");
  });
  await step("a rename that would change a meaning is refused with its reason", async () => {
    await rename("shifted", "largest");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".monaco-editor-overlaymessage:has-text('largest'), .notification-toast:has-text('largest'), .rename-box:has-text('line')");
    await page.screenshot({ path: `${shots}/12-refused.png` });
    await page.keyboard.press("Escape");
  });
  await step("the outline has functions, bindings and blocks", async () => {
    await page.keyboard.press("Control+Shift+o");
    await page.waitForSelector(".quick-input-list .monaco-list-row:has-text('by_hand')");
    await page.screenshot({ path: `${shots}/13-outline.png` });
    await page.keyboard.press("Escape");
  });
  await step("symbols of the workspace", async () => {
    await page.keyboard.press("Control+t");
    await page.waitForSelector(".quick-input-widget:not(.hidden) input");
    await page.keyboard.type("tiled");
    await page.waitForSelector(".quick-input-list .monaco-list-row:has-text('tiled_matmul')");
    await page.screenshot({ path: `${shots}/14-symbols.png` });
    await page.keyboard.press("Escape");
  });
  await step("references beside the text", async () => {
    const at = await find("total");
    await page.mouse.click(at.x, at.y);
    await command("Peek References");
    await page.waitForSelector(".reference-zone-widget .ref-tree .monaco-list-row");
    await page.screenshot({ path: `${shots}/15-references.png` });
    await page.keyboard.press("Escape");
  });

  await step("cells of a notebook are one file", async () => {
    await open("cells.ipynb");
    await page.waitForSelector(".notebookOverlay .monaco-editor .squiggly-error", { state: "attached" });
    await shows("(3, 4) f32"); // ROWS stands in the cell before
    await page.screenshot({ path: `${shots}/16-notebook.png` });
  });
  await step("the quick fix in a cell", async () => {
    const offers = page.locator(".action-widget .action-list-item, .action-widget .monaco-list-row").first();
    for (let attempt = 0; attempt < 5 && !(await offers.isVisible()); attempt++) {
      const at = await find("rleu");
      await page.mouse.click(at.x, at.y);
      await page.keyboard.press("Control+.");
      await offers.waitFor({ timeout: 6000 }).catch(() => {});
    }
    await page.screenshot({ path: `${shots}/17-cell-fix.png` });
    await page.keyboard.press("Enter");
    await page.waitForSelector(".notebookOverlay .monaco-editor .squiggly-error", { state: "detached" });
    includes(await text(), "R.nn.relu");
  });
} finally {
  await end();
}
