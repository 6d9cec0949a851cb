// Which `rlx` is run, as a decision that needs no editor.

import * as path from "node:path";

export interface Surroundings {
  /** `rlx.path` as it holds for the folder, and as the user alone set it; "" when it is not set. */
  setting: string;
  ownSetting: string;
  /** Whether the user trusts the workspace. */
  isTrusted: boolean;
  /** Its folders, the one that is asked about first. */
  folders: string[];
  home: string;
  /** The folders of PATH. */
  searched: string[];
  isExecutable(file: string): boolean;
}

export interface Choice {
  program: string;
  /** Where it is from, for people. */
  origin: string;
}

/**
 * The setting `rlx.path`; else `build/rlx` of a workspace folder, if the user trusts the workspace; else `rlx` of PATH.
 *
 * In a workspace that is not trusted nothing of it counts: neither its setting nor a program inside of it, however one
 * gets there. A program of PATH has its whole path, so that no folder in which it is started has a say; PATH's relative
 * folders are left out for the same reason.
 */
export function chooseProgram(s: Surroundings): Choice {
  const setting = s.isTrusted ? s.setting : s.ownSetting;
  const refused: string[] = [];
  if (setting) {
    const program = expand(setting, s);
    if (!isBare(program)) {
      if (s.isTrusted || !isInside(program, s.folders)) return { program, origin: "from the setting rlx.path" };
      refused.push(`rlx.path leads into a folder that is not trusted (${program})`);
    } else {
      const found = search(program, s);
      if (found) return { program: found, origin: "from the setting rlx.path, found on PATH" };
    }
  }
  if (s.isTrusted) {
    for (const folder of s.folders) {
      const built = path.join(folder, "build", "rlx");
      if (s.isExecutable(built)) return { program: built, origin: "built in this workspace, which you trust; rlx.path is not set" };
    }
  } else if (s.setting !== s.ownSetting) {
    refused.push("rlx.path of the folder's settings is not used, because the folder is not trusted");
  }
  const found = search(setting && isBare(setting) ? setting : "rlx", s);
  return { program: found ?? "rlx", origin: [found ? "found on PATH" : "not found on PATH", ...refused].join("; ") };
}

function isBare(program: string): boolean {
  return !/[\\/]/.test(program);
}

function expand(setting: string, s: Surroundings): string {
  let result = setting;
  if (result === "~" || result.startsWith("~/")) result = s.home + result.slice(1);
  const root = s.folders[0];
  if (root !== undefined) {
    result = result.replaceAll("${workspaceFolder}", root);
    if (!isBare(result) && !path.isAbsolute(result)) result = path.join(root, result);
  }
  return result;
}

function isInside(file: string, folders: string[]): boolean {
  return folders.some((folder) => {
    const relative = path.relative(folder, file);
    return relative !== ".." && !relative.startsWith(".." + path.sep) && !path.isAbsolute(relative);
  });
}

function search(name: string, s: Surroundings): string | undefined {
  const names = process.platform === "win32" && !path.extname(name) ? [name + ".exe"] : [name];
  for (const folder of s.searched) {
    if (!path.isAbsolute(folder) || (!s.isTrusted && isInside(folder, s.folders))) continue;
    for (const candidate of names) {
      const file = path.join(folder, candidate);
      if (s.isExecutable(file)) return file;
    }
  }
  return undefined;
}
