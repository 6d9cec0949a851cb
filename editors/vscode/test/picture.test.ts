import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeHtml, graphPage } from "../src/picture";

const picture = (name: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="9"><title>${name}</title><text>a &lt; b</text></svg>\n`;

test("each picture stands behind the name of its function", () => {
  const page = graphPage(picture("main") + picture("gr&amp;ß"));
  assert.deepEqual([...page.matchAll(/<h1>(.*?)<\/h1><svg /g)].map((found) => found[1]), ["main", "gr&amp;ß"]);
});

test("no script runs in the page", () => {
  assert.match(graphPage(picture("main")), /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
});

test("what is no picture is a text", () => {
  assert.match(graphPage("digraph \"<b>\" {}"), /<pre>digraph &#34;&#60;b&#62;&#34; {}<\/pre>/);
  assert.match(graphPage(""), /There is no Relax function/);
  assert.equal(escapeHtml("a&<'\""), "a&#38;&#60;&#39;&#34;");
});
