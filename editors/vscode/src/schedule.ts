// The view "Schedule": the loop tree of a PrimFunc. A click on a loop or block goes there and offers
// the steps of a schedule; what is legal, and the edits, come from the server.

import * as vscode from "vscode";
import { Choice, LoopNode, LoopTree, Range, Step, below, choices, labelParts } from "./looptree";
import { functionAtCursor, isUri } from "./run";
import type { Server } from "./server";

const VIEW = "rlx.schedule";
/** After how long without a keystroke the tree is asked for again. */
const SETTLE_MS = 300;

export class ScheduleView implements vscode.TreeDataProvider<LoopNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<LoopNode>;
  private readonly subscription: vscode.Disposable;
  private source: vscode.Uri | undefined;
  private name: string | undefined;
  private tree: LoopTree | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this });
    this.subscription = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.toString() !== this.source?.toString()) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.refresh(), SETTLE_MS);
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  /** Shows the tree of the given function, or else of the one at the cursor. */
  async open(uri?: unknown, name?: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const source = isUri(uri) ? vscode.Uri.parse(uri) : editor?.document.uri;
    if (!source) return;
    this.source = source;
    this.name = typeof name === "string" ? name : await functionAtCursor(source, editor);
    await vscode.commands.executeCommand("setContext", "rlx.schedule.isOpen", true);
    await this.refresh();
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  private async refresh(): Promise<void> {
    if (!this.source || !this.name) return;
    this.tree = await this.server.request<LoopTree | null>("rlx/scheduleTree",
      { textDocument: { uri: this.source.toString() }, function: this.name }) ?? undefined;
    this.view.description = this.name; // not in the title, whose words VS Code capitalizes
    this.changed.fire();
  }

  getChildren(node?: LoopNode): LoopNode[] {
    if (!this.tree) return [];
    return below(this.tree, node ? this.tree.nodes.indexOf(node) : -1);
  }

  getParent(node: LoopNode): LoopNode | undefined {
    return this.tree?.nodes[node.parent];
  }

  getTreeItem(node: LoopNode): vscode.TreeItem {
    const { name, detail } = labelParts(node.label);
    const state = this.getChildren(node).length > 0 ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None;
    const item = new vscode.TreeItem(name, state);
    item.description = detail;
    item.iconPath = new vscode.ThemeIcon(node.kind === "loop" ? "sync" : "symbol-namespace");
    item.command = { command: "rlx.schedule.choose", title: "Go There and Choose a Step", arguments: [node] };
    return item;
  }

  /** Goes to a node of the tree and offers its steps. */
  async choose(node: LoopNode): Promise<void> {
    if (!this.source) return;
    if (node.range) await reveal(this.source, node.range);
    const found = choices(node);
    if (found.length === 0) return;
    const chosen: Choice | undefined = await vscode.window.showQuickPick(found, { title: node.label, matchOnDescription: true, matchOnDetail: true });
    if (chosen?.step.disabled) void vscode.window.showInformationMessage(`rlx: ${chosen.step.disabled.reason}`);
    else if (chosen) await this.apply(chosen.step);
  }

  private async apply(step: Step): Promise<void> {
    if (await this.server.applyAction(step)) await this.refresh();
  }
}

async function reveal(uri: vscode.Uri, at: Range): Promise<void> {
  const range = new vscode.Range(at.start.line, at.start.character, at.end.line, at.end.character);
  await vscode.window.showTextDocument(uri, { selection: range, preserveFocus: true });
}
