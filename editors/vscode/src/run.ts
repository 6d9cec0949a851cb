// Evaluation, on the user's explicit command only: `rlx run` as a task, `rlx repl` in a terminal.

import * as path from "node:path";
import * as vscode from "vscode";
import { splitArguments } from "./arguments";
import { findProgram, mayEvaluate } from "./program";

export function isUri(value: unknown): value is string {
  return typeof value === "string" && value.includes(":");
}

/** The functions of a script, as the server's document symbols list them, innermost last. */
async function functions(uri: vscode.Uri): Promise<vscode.DocumentSymbol[]> {
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
    "vscode.executeDocumentSymbolProvider", uri);
  const result: vscode.DocumentSymbol[] = [];
  const visit = (symbol: vscode.DocumentSymbol) => {
    if (symbol.kind === vscode.SymbolKind.Function || symbol.kind === vscode.SymbolKind.Method) result.push(symbol);
    else symbol.children?.forEach(visit);
  };
  symbols?.forEach(visit);
  return result;
}

/** The name of the function that the cursor is in; undefined outside functions. */
export async function functionAtCursor(
  uri: vscode.Uri, editor: vscode.TextEditor | undefined): Promise<string | undefined> {
  if (!editor || editor.document.uri.toString() !== uri.toString()) return undefined;
  const cursor = editor.selection.active;
  return (await functions(uri)).find((symbol) => symbol.range.contains(cursor))?.name;
}

/**
 * Asks for a function (unless given, or the cursor is in one) and its inputs (unless given), and runs it as a
 * task in the terminal. Inputs that were asked for are remembered for each function.
 */
export async function runFunction(
  memory: vscode.Memento, uri?: unknown, name?: unknown, inputs?: unknown): Promise<void> {
  if (!mayEvaluate()) return;
  const editor = vscode.window.activeTextEditor;
  const source = isUri(uri) ? vscode.Uri.parse(uri) : editor?.document.uri;
  if (!source || source.scheme !== "file") {
    void vscode.window.showWarningMessage("rlx: open a script that is saved in a file.");
    return;
  }
  const target = typeof name === "string" ? name
    : (await functionAtCursor(source, editor)) ?? (await pickFunction(source));
  if (!target) return;
  const key = `inputs ${source.toString()}::${target}`;
  const typed = typeof inputs === "string" ? inputs : await vscode.window.showInputBox({
    title: `Inputs of ${target}`,
    prompt: "x=2x3:float32:random(1)   y=[[1,2],[3,4]]   z=@z.npy   Empty: no inputs.",
    value: memory.get<string>(key, ""),
    ignoreFocusOut: true,
  });
  if (typed === undefined) return;
  if (typed !== inputs) await memory.update(key, typed);
  const document = await vscode.workspace.openTextDocument(source);
  if (document.isDirty && !(await document.save())) return;

  const folder = vscode.workspace.getWorkspaceFolder(source);
  const execution = new vscode.ProcessExecution(
    findProgram(folder).program, ["run", `${source.fsPath}::${target}`, ...splitArguments(typed)],
    { cwd: folder?.uri.fsPath ?? path.dirname(source.fsPath) });
  const task = new vscode.Task(
    { type: "rlx", function: target }, folder ?? vscode.TaskScope.Global, `rlx run ${target}`, "rlx", execution, []);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true, showReuseMessage: false };
  await vscode.tasks.executeTask(task);
}

async function pickFunction(source: vscode.Uri): Promise<string | undefined> {
  const names = (await functions(source)).map((symbol) => symbol.name);
  if (names.length === 0) {
    void vscode.window.showWarningMessage("rlx: this file has no function.");
    return undefined;
  }
  return names.length === 1 ? names[0] : vscode.window.showQuickPick(names, { title: "Run which function?" });
}

/** Opens `rlx repl` with the current file loaded. */
export async function openRepl(): Promise<void> {
  if (!mayEvaluate()) return;
  const document = vscode.window.activeTextEditor?.document;
  const file = document?.uri.scheme === "file" ? document : undefined;
  if (file?.isDirty && !(await file.save())) return;
  const folder = file && vscode.workspace.getWorkspaceFolder(file.uri);
  vscode.window.createTerminal({
    name: "rlx repl",
    shellPath: findProgram(folder).program,
    shellArgs: file ? ["repl", file.uri.fsPath] : ["repl"],
    cwd: folder?.uri.fsPath,
  }).show();
}
