// Dataflow graphs as pictures: a panel for each function or script, which follows the script. The
// server draws; a panel that cannot be seen asks again when it comes to the front. No script runs in a
// panel, so that it can keep nothing itself: whose graph it shows is kept beside it, under its title.

import * as vscode from "vscode";
import { graphPage } from "./picture";
import { functionAtCursor, isUri } from "./run";
import type { Server } from "./server";
import { SCHEME, serverCommand } from "./views";

const GRAPH = serverCommand({ name: "graph" });
/** After how long without a keystroke an open picture is asked for again. */
const SETTLE_MS = 300;
const VIEW = "rlx.graph";
/** Where the workspace keeps what the panels show: title to function. */
const KEPT = "rlx.graphs";

interface Shown {
  source: string;
  /** Absent: the whole script. */
  name?: string;
}

interface Graph extends Shown {
  panel: vscode.WebviewPanel;
  isStale: boolean;
  timer?: NodeJS.Timeout;
}

interface Answer {
  text: string;
}

function key(shown: Shown): string {
  return `${shown.source}::${shown.name ?? ""}`;
}

function request(shown: Shown): unknown {
  return { uri: shown.source, function: shown.name, form: "svg" };
}

export class GraphPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private readonly graphs = new Map<string, Graph>();
  private readonly subscription: vscode.Disposable;

  constructor(private readonly server: Server, private readonly memory: vscode.Memento) {
    this.subscription = vscode.workspace.onDidChangeTextDocument((event) => {
      const source = event.document.uri.toString();
      for (const graph of this.graphs.values()) if (graph.source === source) this.settle(graph);
    });
  }

  /** The panels stay: after a reload of the window they come back (deserializeWebviewPanel). */
  dispose(): void {
    this.subscription.dispose();
    for (const { timer } of this.graphs.values()) clearTimeout(timer);
  }

  /** From now on panels of the window before a reload come back. The server runs. */
  restore(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(VIEW, this);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    const shown = this.kept()[panel.title];
    if (!shown || this.graphs.has(key(shown))) {
      panel.dispose();
      return;
    }
    await this.draw(this.follow(panel, shown));
  }

  /** Shows the graph of the given function, else of the one at the cursor, else of all of the script. */
  async open(uri?: unknown, name?: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const source = isUri(uri) ? vscode.Uri.parse(uri) : editor?.document.uri;
    if (!source || source.scheme === SCHEME) return;
    const found = typeof name === "string" ? name : await functionAtCursor(source, editor);
    const shown = { source: source.toString(), name: found };
    const answer = await this.server.execute<Answer>(GRAPH, request(shown));
    if (!answer) return;
    const open = this.graphs.get(key(shown)) ?? this.add(source, shown);
    open.panel.webview.html = graphPage(answer.text);
    open.panel.reveal(undefined, true);
  }

  private add(source: vscode.Uri, shown: Shown): Graph {
    const file = source.path.slice(source.path.lastIndexOf("/") + 1);
    const panel = vscode.window.createWebviewPanel(
      VIEW, `dataflow graph of ${shown.name ? `${shown.name} in ` : ""}${file}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false, localResourceRoots: [], enableFindWidget: true });
    this.keep(panel.title, shown);
    return this.follow(panel, shown);
  }

  private kept(): Record<string, Shown> {
    return this.memory.get<Record<string, Shown>>(KEPT, {});
  }

  private keep(title: string, shown: Shown | undefined): void {
    void this.memory.update(KEPT, { ...this.kept(), [title]: shown });
  }

  private follow(panel: vscode.WebviewPanel, shown: Shown): Graph {
    const graph: Graph = { ...shown, panel, isStale: false };
    this.graphs.set(key(shown), graph);
    panel.onDidDispose(() => {
      clearTimeout(graph.timer);
      this.graphs.delete(key(shown));
      this.keep(panel.title, undefined);
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible && graph.isStale) void this.draw(graph);
    });
    return graph;
  }

  /** A picture that cannot be drawn now, as of a function that is being renamed, stays as it was: nobody asked for it. */
  private async draw(graph: Graph): Promise<void> {
    graph.isStale = false;
    const answer = await this.server.executeQuietly<Answer>(GRAPH, request(graph));
    if (answer && [...this.graphs.values()].includes(graph)) graph.panel.webview.html = graphPage(answer.text);
  }

  private settle(graph: Graph): void {
    clearTimeout(graph.timer);
    graph.timer = setTimeout(() => {
      if (graph.panel.visible) void this.draw(graph);
      else graph.isStale = true;
    }, SETTLE_MS);
  }
}
