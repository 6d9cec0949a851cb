// The extension's entry: starts and restarts the server, registers the commands.
//
// The extension knows no Relax. What it shows comes from `rlx lsp`, what it runs is `rlx run` and
// `rlx repl`; adding a language feature to the server needs no change here.

import * as vscode from "vscode";
import { GraphPanels } from "./graph";
import { Lenses } from "./lenses";
import type { LoopNode } from "./looptree";
import { ScheduleView } from "./schedule";
import { Server } from "./server";
import { showReferences } from "./references";
import { openRepl, runFunction } from "./run";
import { SCHEME, VIEWS, ViewProvider, convertDialect, serverCommand } from "./views";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("rlx", { log: true });
  const lenses = new Lenses();
  const running: Server = (server = new Server(output, lenses, () => {
    for (const view of [...VIEWS, { name: "dialect" }]) {
      void vscode.commands.executeCommand("setContext", `rlx.offers.${view.name}`, running.offers(serverCommand(view)));
    }
  }));
  const views = new ViewProvider(running);
  const graphs = new GraphPanels(running, context.workspaceState);
  const schedule = new ScheduleView(running);
  const command = (name: string, run: (...args: never[]) => unknown) =>
    vscode.commands.registerCommand(name, run);

  context.subscriptions.push(
    output,
    lenses,
    views,
    graphs,
    schedule,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, views),
    command("rlx.restartServer", () => running.restart()),
    command("rlx.showOutput", () => output.show()),
    command("rlx.runFunction", (uri?: unknown, name?: unknown, inputs?: unknown) =>
      runFunction(context.workspaceState, uri, name, inputs)),
    command("rlx.showReferences", (uri?: unknown, at?: unknown, uses?: unknown) => showReferences(uri, at, uses)),
    command("rlx.openRepl", () => openRepl()),
    command("rlx.convertDialect", () => convertDialect(running)),
    command("rlx.showGraph", (uri?: unknown, name?: unknown) => graphs.open(uri, name)),
    command("rlx.schedule.open", (uri?: unknown, name?: unknown) => schedule.open(uri, name)),
    command("rlx.schedule.choose", (node: LoopNode) => schedule.choose(node)),
    ...VIEWS.map((view) =>
      command(view.command, (uri?: unknown, name?: unknown, at?: unknown) => views.open(view, uri, name, at))),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("rlx.path") || change.affectsConfiguration("rlx.trace")) {
        void running.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void running.restart()),
  );
  await running.start();
  context.subscriptions.push(graphs.restore());
}

export function deactivate(): Promise<void> {
  return server ? server.stop() : Promise.resolve();
}
