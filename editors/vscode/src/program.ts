// Where the `rlx` program is.

import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { Choice, chooseProgram } from "./choose";

/** The program to run for `folder`, and where it is from. Not checked to exist: starting it tells. */
export function findProgram(folder?: vscode.WorkspaceFolder): Choice {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const first = folder ?? folders[0];
  const settings = vscode.workspace.getConfiguration("rlx", first?.uri);
  return chooseProgram({
    setting: settings.get<string>("path", "").trim(),
    ownSetting: (settings.inspect<string>("path")?.globalValue ?? "").trim(),
    isTrusted: vscode.workspace.isTrusted,
    folders: (folder ? [folder, ...folders] : folders).map((one) => real(one.uri.fsPath)),
    home: os.homedir(),
    searched: (process.env.PATH ?? "").split(path.delimiter).filter((one) => one !== "").map(real),
    isExecutable,
  });
}

/** Whether something may be evaluated; says why not. */
export function mayEvaluate(): boolean {
  if (vscode.workspace.isTrusted) return true;
  void vscode.window.showWarningMessage("rlx: nothing is evaluated in a folder that is not trusted.");
  return false;
}

function real(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return folder;
  }
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
