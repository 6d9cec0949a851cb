// Dataflow graphs as pictures: a panel for each function or script, which follows the script. The
// server draws; a panel that cannot be seen asks again when it comes to the front.

import * as vscode from "vscode";
import { graphPage } from "./picture";
import { functionAtCursor, isUri } from "./run";
import type { Server } from "./server";
import { SCHEME, serverCommand } from "./views";

const GRAPH = serverCommand({ name: "graph" });
/** After how long without a keystroke an open picture is asked for again. */
const SETTLE_MS = 300;

interface Graph {
  panel: vscode.WebviewPanel;
  source: string;
  /** Absent: the whole script. */
  name?: string;
  isStale: boolean;
  timer?: NodeJS.Timeout;
}

export class GraphPanels implements vscode.Disposable {
  private readonly graphs = new Map<string, Graph>();
  private readonly subscription: vscode.Disposable;

  constructor(private readonly server: Server) {
    this.subscription = vscode.workspace.onDidChangeTextDocument((event) => {
      const source = event.document.uri.toString();
      for (const graph of this.graphs.values()) if (graph.source === source) this.settle(graph);
    });
  }

  dispose(): void {
    this.subscription.dispose();
    for (const { panel } of [...this.graphs.values()]) panel.dispose();
  }

  /** Shows the graph of the given function, else of the one at the cursor, else of all of the script. */
  async open(uri?: unknown, name?: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const source = isUri(uri) ? vscode.Uri.parse(uri) : editor?.document.uri;
    if (!source || source.scheme === SCHEME) return;
    const found = typeof name === "string" ? name : await functionAtCursor(source, editor);
    const page = await this.ask(source.toString(), found);
    if (page === undefined) return;
    const key = `${source.toString()}::${found ?? ""}`;
    const open = this.graphs.get(key) ?? this.add(key, source, found);
    open.panel.webview.html = page;
    open.panel.reveal(undefined, true);
  }

  private add(key: string, source: vscode.Uri, name: string | undefined): Graph {
    const file = source.path.slice(source.path.lastIndexOf("/") + 1);
    const panel = vscode.window.createWebviewPanel(
      "rlx.graph", `dataflow graph of ${name ? `${name} in ` : ""}${file}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false, localResourceRoots: [], enableFindWidget: true });
    const graph: Graph = { panel, source: source.toString(), name, isStale: false };
    this.graphs.set(key, graph);
    panel.onDidDispose(() => {
      clearTimeout(graph.timer);
      this.graphs.delete(key);
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible && graph.isStale) void this.draw(graph);
    });
    return graph;
  }

  private async ask(source: string, name: string | undefined): Promise<string | undefined> {
    const answer = await this.server.execute<{ text: string }>(GRAPH, { uri: source, function: name, form: "svg" });
    return answer && graphPage(answer.text);
  }

  /** A picture that cannot be drawn now, as of a function that is being renamed, stays as it was. */
  private async draw(graph: Graph): Promise<void> {
    graph.isStale = false;
    const page = await this.ask(graph.source, graph.name);
    if (page !== undefined && [...this.graphs.values()].includes(graph)) graph.panel.webview.html = page;
  }

  private settle(graph: Graph): void {
    clearTimeout(graph.timer);
    graph.timer = setTimeout(() => {
      if (graph.panel.visible) void this.draw(graph);
      else graph.isStale = true;
    }, SETTLE_MS);
  }
}
