// Lenses that can be clicked at any time.
//
// VS Code keeps the arguments of a lens's command only until it has asked for new lenses, and shows the old ones
// for as long as it resolves the new: a click in between ends in "command not found". So each command with its
// arguments gets a command of its own that needs none.

import * as vscode from "vscode";
import { Recent } from "./recent";

/** How many are kept: several times as many lenses as a screen shows. */
const KEPT = 4000;

export class Lenses implements vscode.Disposable {
  private count = 0;
  private readonly commands = new Recent<string, { id: string; registration: vscode.Disposable }>(
    KEPT, ({ registration }) => registration.dispose());

  dispose(): void {
    this.commands.clear();
  }

  /** The lens with a command that stays. */
  keep(lens: vscode.CodeLens): vscode.CodeLens {
    const { command } = lens;
    if (!command?.arguments?.length) return lens;
    const found = this.commands.get(JSON.stringify([command.command, command.arguments]), () => {
      const id = `rlx.lens.${++this.count}`, { command: name, arguments: given = [] } = command;
      return { id, registration: vscode.commands.registerCommand(id, () => vscode.commands.executeCommand(name, ...given)) };
    });
    lens.command = { title: command.title, tooltip: command.tooltip, command: found.id };
    return lens;
  }
}
