// The page that shows dataflow graphs: what the server drew, in the colours of the window.

/** No script runs in the page, and it loads nothing: what it shows is in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

// The server's pictures have colours for white paper; these rules are more specific than theirs.
const STYLE = `
  body { padding: 12px; }
  h1 { font: 600 13px var(--vscode-font-family); margin: 8px 0; }
  section { overflow-x: auto; }
  svg text { fill: var(--vscode-editor-foreground); }
  svg text.t, svg text.l { fill: var(--vscode-descriptionForeground); }
  svg rect { fill: var(--vscode-editorWidget-background); }`;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** The page of the server's answer: pictures, each behind the name of its function, or a text where it is none. */
export function graphPage(answer: string): string {
  const pictures = answer.match(/<svg [^]*?<\/svg>/g);
  const body = pictures
    ? pictures.map((picture) =>
      `<section><h1>${/<title>([^<]*)<\/title>/.exec(picture)?.[1] ?? ""}</h1>${picture}</section>`).join("\n")
    : `<pre>${escapeHtml(answer || "There is no Relax function.")}</pre>`;
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<style>${STYLE}</style></head>
<body>${body}</body></html>`;
}
