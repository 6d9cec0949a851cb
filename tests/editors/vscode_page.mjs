// A window of VS Code in a browser, and what a person does in it. Every step waits on the page's content, never for a time.
//
//   node SCRIPT http://127.0.0.1:PORT WORKSPACE SHOTS
import { chromium } from "playwright-core";

export const [base, workspace, shots] = process.argv.slice(2);
const started = Date.now();
const say = (...words) => console.log(((Date.now() - started) / 1000).toFixed(1) + "s", ...words);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
});
export const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
page.setDefaultTimeout(+(process.env.STEP_MS ?? 120000));
let passed = 0;
let failures = 0;

export async function step(name, body) {
  try {
    await body();
    passed++;
    say("ok  ", name);
  } catch (error) {
    failures++;
    say("FAIL", name, "-", error.message.split("\n")[0]);
    await page.screenshot({ path: `${shots}/fail-${name.replaceAll(/\W+/g, "-")}.png` });
    await page.keyboard.press("Escape");
  }
}

export async function open(file) {
  const payload = encodeURIComponent(JSON.stringify(
    [["openFile", `vscode-remote://${new URL(base).host}${workspace}/${file}`]]));
  await page.goto(`${base}/?folder=${encodeURIComponent(workspace)}&payload=${payload}`,
    { waitUntil: "domcontentloaded", timeout: 60000 });
  await page.waitForSelector(`.tab[data-resource-name="${file}"]`, { timeout: 60000 });
  await page.waitForSelector(".monaco-editor .view-lines .view-line");
}

export const text = () => page.evaluate(() =>
  [...document.querySelectorAll(".monaco-editor .view-lines")].map((lines) => lines.innerText).join("\n")
    .replace(/\u00a0/g, " "));

export const shows = (wanted) => page.waitForFunction((words) =>
  [...document.querySelectorAll(".monaco-editor .view-lines")]
    .some((lines) => lines.innerText.replace(/\u00a0/g, " ").includes(words)), wanted);

/** The middle of the first visible `word` in the editor: hints move columns, so ask the page. */
export const find = (word) => page.evaluate((wanted) => {
  for (const line of document.querySelectorAll(".view-line")) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
      const at = node.data.indexOf(wanted);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
  }
  return null;
}, word);

export async function goToLine(line) {
  await page.keyboard.press("Control+g");
  await page.waitForSelector(".quick-input-widget:not(.hidden) input");
  await page.keyboard.type(String(line));
  await page.keyboard.press("Enter");
}

/** The text of the hover on `word`. Tried again while hints that arrive move the word away. */
export async function hover(word) {
  const popup = page.locator(".monaco-hover:not(.hidden)").first();
  for (let attempt = 0; ; attempt++) {
    const at = await find(word);
    if (!at) throw new Error(`"${word}" is not on the screen`);
    await page.mouse.move(at.x - 30, at.y + 70);
    await page.mouse.move(at.x, at.y, { steps: 5 });
    try {
      await page.waitForFunction(() => {
        const shown = document.querySelector(".monaco-hover:not(.hidden)")?.innerText ?? "";
        return shown.trim() && !shown.includes("Loading");
      }, null, { timeout: 4000 });
      return (await popup.innerText()).replaceAll("\u00a0", " ");
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
}

/** Tried again: what the palette offers depends on what the server said it can do, and an open palette does not change. */
export async function command(title) {
  for (let attempt = 0; ; attempt++) {
    await page.keyboard.press("F1");
    await page.waitForSelector(".quick-input-widget:not(.hidden) input");
    await page.keyboard.type(title);
    try {
      await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${title}")`, { timeout: 4000 });
      break;
    } catch (error) {
      if (attempt === 4) throw error;
      await page.keyboard.press("Escape");
    }
  }
  await page.keyboard.press("Enter");
}

/** The picture of a panel that shows `words` in one of its texts: panels are frames in frames. */
export async function drawn(words) {
  for (const end = Date.now() + 20000; Date.now() < end; await page.waitForTimeout(200)) {
    for (const frame of page.frames()) {
      const found = frame.locator("svg", { has: frame.locator(`text:text-matches("= ${words.replaceAll(".", "[.]")}$")`) }).first();
      if (await found.isVisible().catch(() => false)) return found;
    }
  }
  throw new Error(`no picture shows "${words}"`);
}

export function includes(got, wanted) {
  if (!got.includes(wanted)) throw new Error(`"${wanted}" is not in "${got.slice(0, 300)}"`);
}

/** Closes the window and says how many steps there were. */
export async function end() {
  await browser.close();
  console.log(`${passed} passed, ${failures} failed, 0 skipped`);
  process.exitCode = failures ? 1 : 0;
}
