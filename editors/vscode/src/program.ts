// Where the `rlx` program is.

import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

/**
 * The program to run for `folder`: the setting `rlx.path`; else `build/rlx` of a workspace folder, if the
 * user trusts the workspace; else `rlx`, to be found on PATH. Not checked to exist: starting it tells.
 */
export function findProgram(folder?: vscode.WorkspaceFolder): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const first = folder ?? folders[0];
  const setting = vscode.workspace.getConfiguration("rlx", first?.uri).get<string>("path", "").trim();
  if (setting) return expand(setting, first);
  if (vscode.workspace.isTrusted) {
    for (const candidate of folder ? [folder, ...folders] : folders) {
      const built = path.join(candidate.uri.fsPath, "build", "rlx");
      if (isExecutable(built)) return built;
    }
  }
  return "rlx";
}

function expand(setting: string, folder?: vscode.WorkspaceFolder): string {
  let result = setting;
  if (result === "~" || result.startsWith("~/")) result = os.homedir() + result.slice(1);
  if (folder) {
    const root = folder.uri.fsPath;
    result = result.replaceAll("${workspaceFolder}", root);
    if (!path.isAbsolute(result) && /[\\/]/.test(result)) result = path.join(root, result);
  }
  return result;
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
