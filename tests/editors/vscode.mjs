// What a user sees in VS Code: squiggles, hovers, hints, a quick fix, views, evaluation in the terminal.
//
// WORKSPACE is a copy of examples/; see vscode_page.mjs.
import { readFile } from "node:fs/promises";
import { command, drawn, end, find, goToLine, hover, includes, open, page, shots, shows, step, text, workspace } from "./vscode_page.mjs";

try {
  await page.setViewportSize({ width: 1120, height: 660 });
  await step("the picture of the documentation", async () => {
    await open("attention_dynamic.py");
    await page.keyboard.press("Control+b");
    await shows("(n, 24) f32");
    await goToLine(40);
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Home");
    await page.keyboard.type("gv = R.matmul(merged, k");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".monaco-editor .squiggly-error", { state: "attached" });
    await goToLine(1);
    await goToLine(29);
    await shows("(2, n, n) f32");
    let shown = "";
    for (let attempt = 0; attempt < 5 && !shown.includes("x2 = kt"); attempt++) {
      if (attempt) await page.keyboard.press("Escape");
      shown = await hover("dots"); // the hints of other lines may still move it
    }
    includes(shown, "x2 = kt");
    await page.screenshot({ path: `${shots}/docs.png` });
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+b");
  await page.setViewportSize({ width: 1400, height: 900 });

  await step("open mlp.py", () => open("mlp.py"));
  await step("inlay hint", () => shows("(n, 8) f32"));
  await step("a clean file has no squiggle", async () => {
    if (await page.locator(".monaco-editor .squiggly-error").count()) throw new Error("a squiggle");
  });
  await step("lenses over functions", () =>
    page.waitForSelector(".codelens-decoration:has-text('normal form')"));
  await step("a name in a hint leads to where it is bound", async () => {
    await page.waitForSelector(".codelens-decoration a:has-text('reference')"); // lenses move the lines below
    const arrived = page.locator("[id='status.editor.selection']:has-text('Ln 17,')");
    for (let attempt = 0; attempt < 8 && !(await arrived.count()); attempt++) {
      const at = await page.evaluate((across) => { // of one letter, its left half belongs to the part before
        for (const part of document.querySelectorAll(".view-line span span")) {
          const box = part.getBoundingClientRect();
          if (part.textContent === "n" && part.className.includes("dyn")) return { x: box.x + box.width * across, y: box.y + box.height / 2 };
        }
        return null;
      }, attempt % 2 ? 0.5 : 0.8);
      if (!at) continue;
      await page.keyboard.down("Control"); // the place comes when the name is pointed at with it
      for (const aside of [2, 1, 0]) {
        await page.mouse.move(at.x + aside, at.y);
        await page.waitForTimeout(300);
      }
      await page.mouse.click(at.x, at.y);
      await page.keyboard.up("Control");
      await arrived.waitFor({ timeout: 2000 }).catch(() => {});
    }
    await arrived.waitFor();
    await page.keyboard.press("Escape");
    await goToLine(1);
  });
  await step("hover on an operator", async () => includes(await hover("softmax"), "softmax"));
  await page.screenshot({ path: `${shots}/1-mlp.png` });
  await page.keyboard.press("Escape");

  await step("an edit brings a squiggle", async () => {
    const at = await find("softmax");
    await page.mouse.dblclick(at.x, at.y);
    await page.keyboard.type("sofmax");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".monaco-editor .squiggly-error", { state: "attached" });
  });
  await step("its message is in the hover", async () => includes(await hover("sofmax"), "RLX"));
  await page.screenshot({ path: `${shots}/2-squiggle.png` });
  await page.keyboard.press("Escape");
  await step("the quick fix mends it", async () => {
    const offers = page.locator(".action-widget .action-list-item, .action-widget .monaco-list-row").first();
    for (let attempt = 0; attempt < 5 && !(await offers.isVisible()); attempt++) { // hints that arrive take the place away
      const at = await find("sofmax");
      await page.mouse.click(at.x, at.y);
      await page.keyboard.press("Control+.");
      await offers.waitFor({ timeout: 6000 }).catch(() => {});
    }
    await offers.waitFor();
    await page.screenshot({ path: `${shots}/3-quickfix.png` });
    await page.keyboard.press("Enter");
    await page.waitForSelector(".monaco-editor .squiggly-error", { state: "detached" });
    includes(await text(), "R.nn.softmax");
  });

  await step("evaluate in the terminal", async () => {
    await goToLine(36);
    await command("rlx: Run Function with Inputs");
    await page.waitForSelector(".quick-input-widget:not(.hidden) >> text=Inputs of");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".terminal-wrapper .xterm");
    await page.waitForSelector(".terminal-tab:has-text('rlx run'), .single-terminal-tab:has-text('rlx run')");
  });
  await page.screenshot({ path: `${shots}/4-run.png` });

  /** Clicks a lens until `selector` is there: lenses that are being updated take no click. */
  async function lens(title, selector) {
    for (let attempt = 0; ; attempt++) {
      await page.locator(`.codelens-decoration a:text-is("${title}"):visible`).first().click();
      try {
        await page.waitForSelector(selector, { timeout: 4000 });
        return;
      } catch (error) {
        if (attempt === 4) throw error;
      }
    }
  }
  await step("a lens shows the PrimFuncs", async () => {
    await goToLine(1);
    await lens("TIR", '.tab[data-resource-name^="PrimFuncs of main"]');
    await shows("def matmul(");
  });
  await step("a lens shows the normal form", async () => {
    await lens("normal form", '.tab[data-resource-name^="normal form of main"]');
    await shows("def main(");
  });
  await step("a lens can be clicked while new ones are made", async () => {
    await goToLine(35);
    await page.keyboard.press("End");
    await page.keyboard.type(" ");
    await page.locator('.codelens-decoration a:text-is("TIR"):visible').first().click(); // once, whatever comes of it
    await page.waitForSelector('.tab[data-resource-name^="PrimFuncs of"]');
    if (await page.locator(".notification-toast:has-text('command not found')").count()) throw new Error("a command was not found");
    await page.keyboard.press("Control+z");
    await goToLine(1);
  });
  await step("the dataflow graph is a picture that follows the script", async () => {
    await page.locator(".tab[data-resource-name='mlp.py']").first().click();
    await goToLine(28);
    await command("rlx: Show Dataflow Graph");
    const picture = await drawn("R.nn.softmax");
    await page.screenshot({ path: `${shots}/5-graph.png` });
    const fill = await picture.locator("rect").first().evaluate((box) => getComputedStyle(box).fill);
    if (fill === "rgb(255, 255, 255)") throw new Error("the boxes have the colours of paper, not of the window");
    const at = await find("softmax");
    await page.mouse.dblclick(at.x, at.y);
    await page.keyboard.type("log_softmax");
    await page.keyboard.press("Escape");
    await drawn("R.nn.log_softmax");
    await page.locator(".tab[data-resource-name='mlp.py']").first().click();
    await page.keyboard.press("Control+z");
    await drawn("R.nn.softmax");
  });
  for (const [title, tab, words] of [["Show LLVM IR", "LLVM IR of", "define "], ["Show Assembly", "assembly of", ".text"],
    ["Show Dataflow Graph as DOT", "dataflow graph of", "digraph"]]) {
    await step(`rlx: ${title}`, async () => {
      await command(`rlx: ${title}`);
      await page.waitForSelector(`.tab[data-resource-name^="${tab}"]`);
      await shows(words);
    });
  }
  await page.screenshot({ path: `${shots}/5-views.png` });
  await step("open call_tir_scheduled.py", () => open("call_tir_scheduled.py"));
  await step("rlx: Show Why", async () => {
    await page.locator(".tab[data-resource-name='call_tir_scheduled.py']").first().click();
    await goToLine("56:14");
    await command("rlx: Show Why");
    await page.waitForSelector('.tab[data-resource-name^="derivation in"]');
    await shows("R.max");
  });
  await step("a click on a loop offers steps", async () => {
    await page.locator(".tab[data-resource-name='call_tir_scheduled.py']").first().click();
    await goToLine("27:10");
    await command("rlx: Schedule PrimFunc");
    await page.locator(".pane-body .monaco-list-row:has-text('for i0 in 2')").first().click();
    await page.waitForSelector(".quick-input-list .monaco-list-row:has-text('fuse i0 with j0')");
    const row = page.locator(".quick-input-list .monaco-list-row:has-text('(it has no T.init)')").first(); // the end of a long reason
    const cut = await row.locator(".label-name, .quick-input-list-label-meta").evaluateAll((parts) => parts.some((part) => part.scrollWidth > part.clientWidth + 1));
    if (cut) throw new Error("a reason is cut");
    await page.screenshot({ path: `${shots}/5-loop.png` });
    await page.keyboard.press("Escape");
  });
  await step("the palette converts the dialect", async () => {
    await page.locator(".tab[data-resource-name='call_tir_scheduled.py']").first().click();
    await command("rlx: Convert File to Dialect");
    await page.waitForSelector(".quick-input-list .monaco-list-row:has-text('0.25')");
    await page.keyboard.type("0.25");
    await page.keyboard.press("Enter");
    await shows("T.sblock");
    await page.keyboard.press("Control+z");
  });

  await step("a lens evaluates with inputs that are made up", async () => {
    await goToLine(44);
    await lens("evaluate", ".terminal-tabs-entry:has-text('rlx run main'), .single-terminal-tab:has-text('rlx run main')");
  });

  await step("open mistakes.py", () => open("mistakes.py"));
  await step("every mistake has a squiggle", () =>
    page.waitForSelector(".monaco-editor .squiggly-error", { state: "attached" }));
  await step("the list of problems", async () => {
    await page.keyboard.press("Control+Shift+M");
    await page.waitForSelector(".markers-panel .monaco-list-row");
  });
  await step("each mistake is listed once", async () => {
    const functions = (await readFile(`${workspace}/mistakes.py`, "utf8")).match(/^def /gm).length;
    // Another file may have its own: the one that was edited for the picture comes back, unsaved, with the window.
    const shown = (await page.locator(".markers-panel .monaco-list-row:has-text('mistakes.py') .monaco-count-badge").first().innerText()).trim();
    if (+shown !== functions) throw new Error(`${shown} problems in ${functions} functions`);
  });
  await page.screenshot({ path: `${shots}/5-mistakes.png` });
  await step("a code's link opens its page", async () => {
    await page.locator(".markers-panel .monaco-list-row a:has-text('RLX')").first().click({ modifiers: ["Control"] });
    await page.waitForSelector('.tab[data-resource-name^="RLX"]');
    await shows("RLX0");
  });
  await page.screenshot({ path: `${shots}/6-explain.png` });
} finally {
  await end();
}
