// Virtual documents: texts that the server derives from a script, at `rlx:` URIs.
//
// A view is read-only and follows its script: an edit of the script asks the server again, for views
// that can be seen; the others ask when they come to the front. The URI's query holds what to ask, so that views survive a reload of the window.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { findProgram } from "./program";
import type { Server } from "./server";
import { functionAtCursor, isUri } from "./run";

export const SCHEME = "rlx";

/** A place in a script, as the server's commands take it. */
interface Place { line: number; character: number }

function isPosition(value: unknown): value is Place {
  const place = value as Partial<Place> | null;
  return typeof place?.line === "number" && typeof place.character === "number";
}

export interface View {
  /** The command of the palette. */
  command: string;
  /** The server's name of the view: see serverCommand. */
  name: string;
  /** What the tab says before the file's name. */
  title: string;
  /** File extension: it selects VS Code's language. */
  extension: string;
  /** It is of what stands at the cursor, not of a function. */
  atCursor?: boolean;
}

export const VIEWS: readonly View[] = [
  { command: "rlx.showNormalForm", name: "normal", title: "normal form of", extension: "relax" },
  { command: "rlx.showTir", name: "tir", title: "PrimFuncs of", extension: "relax" },
  { command: "rlx.showLlvm", name: "llvm", title: "LLVM IR of", extension: "ll" },
  { command: "rlx.showAssembly", name: "asm", title: "assembly of", extension: "s" },
  { command: "rlx.showGraphText", name: "graph", title: "dataflow graph of", extension: "dot" },
  { command: "rlx.showWhy", name: "why", title: "derivation in", extension: "txt", atCursor: true },
];

/** The command that the server computes the view with; a server that lacks it has no such view. */
export function serverCommand(view: { name: string }): string {
  return `rlx.view.${view.name}`;
}

/** The argument of the server's command, and the view's name. */
interface Question {
  name: string;
  /** The script. */
  uri: string;
  /** Absent: the whole script. */
  function?: string;
  position?: Place;
}

/** After how long without a keystroke an open view is asked for again. */
const SETTLE_MS = 300;

export class ViewProvider implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** Views that are open behind others and whose script has changed. */
  private readonly stale = new Set<string>();
  private readonly subscription: vscode.Disposable;

  constructor(private readonly server: Server) {
    this.subscription = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.uri.scheme !== SCHEME) this.settle(event.document.uri.toString());
      }),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const { document: { uri } } of editors)
          if (this.stale.delete(uri.toString())) this.changed.fire(uri);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.stale.delete(document.uri.toString())));
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.subscription.dispose();
    this.changed.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const code = /^\/?explain\/(\w+)$/.exec(uri.path)?.[1];
    if (code) return explain(code);
    const question = parse(uri);
    if (!question) return "";
    const { name, ...argument } = question;
    const answer = await this.server.execute<{ text: string }>(serverCommand({ name }), argument);
    return answer?.text ?? "";
  }

  /** Opens `view` beside the editor, of the given function, or else of the one at the cursor. */
  async open(view: View, uri?: unknown, name?: unknown, at?: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const source = isUri(uri) ? vscode.Uri.parse(uri) : editor?.document.uri;
    if (!source || source.scheme === SCHEME) return;
    const cursor = editor?.selection.active;
    const position = isPosition(at) ? at
      : view.atCursor && cursor ? { line: cursor.line, character: cursor.character } : undefined;
    const found = typeof name === "string" ? name
      : view.atCursor ? undefined : await functionAtCursor(source, editor);
    const question: Question = { name: view.name, uri: source.toString(), function: found, position };
    const file = source.path.slice(source.path.lastIndexOf("/") + 1);
    const target = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${view.title} ${found ? `${found} in ` : ""}${file}.${view.extension}`,
      query: JSON.stringify(question),
    });
    this.changed.fire(target);
    const document = await vscode.workspace.openTextDocument(target);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true,
    });
  }

  /** Asks again for the open views of the script `source`, once its edits have paused. */
  private settle(source: string): void {
    const open = vscode.workspace.textDocuments.filter(
      (document) => document.uri.scheme === SCHEME && parse(document.uri)?.uri === source);
    if (open.length === 0) return;
    clearTimeout(this.timers.get(source));
    this.timers.set(source, setTimeout(() => {
      this.timers.delete(source);
      const seen = new Set(vscode.window.visibleTextEditors.map((editor) => editor.document.uri.toString()));
      for (const { uri } of open)
        if (seen.has(uri.toString())) this.changed.fire(uri);
        else this.stale.add(uri.toString());
    }, SETTLE_MS));
  }
}

/** The server's command that gives a script in the words of another dialect. */
const CONVERT = { name: "dialect" };

/** Asks for a dialect and rewrites the file of the active editor in it, as one edit. */
export async function convertDialect(server: Server): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || document.uri.scheme === SCHEME) return;
  const dialects = [
    { label: "0.27", description: "0.26 on: out_ty, R.Any" },
    { label: "0.25", description: "0.24 and 0.25: T.sblock, tirx" },
    { label: "classic", description: "0.12 to 0.23: T.block, tir" },
  ];
  const to = (await vscode.window.showQuickPick(dialects, { title: "Convert to which dialect?" }))?.label;
  if (!to) return;
  const version = document.version;
  const answer = await server.execute<{ text: string }>(
    serverCommand(CONVERT), { uri: document.uri.toString(), to });
  if (!answer || document.version !== version) return;
  const before = document.getText();
  if (answer.text === before) {
    void vscode.window.showInformationMessage(`rlx: nothing to convert to ${to}.`);
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(before.length)), answer.text);
  await vscode.workspace.applyEdit(edit);
}

/** The page of a diagnostic, which the server's links `rlx:explain/CODE` name. */
function explain(code: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(findProgram().program, ["explain", code], { env: { ...process.env, NO_COLOR: "1" } },
      (error, stdout) => resolve(stdout || (error ? `rlx explain ${code}: ${error.message}` : "")));
  });
}

function parse(uri: vscode.Uri): Question | undefined {
  try {
    return JSON.parse(uri.query) as Question;
  } catch {
    return undefined;
  }
}
