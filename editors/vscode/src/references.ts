// The command of the lens "3 references": the protocol's places become the editor's, which shows them.

import * as vscode from "vscode";

interface Place {
  line: number;
  character: number;
}

interface Use {
  uri: string;
  range: { start: Place; end: Place };
}

const position = (place: Place): vscode.Position => new vscode.Position(place.line, place.character);

export async function showReferences(uri: unknown, at: unknown, uses: unknown): Promise<void> {
  if (typeof uri !== "string" || !at || !Array.isArray(uses)) return; // called by hand
  const locations = (uses as Use[]).map((use) => new vscode.Location(
    vscode.Uri.parse(use.uri), new vscode.Range(position(use.range.start), position(use.range.end))));
  await vscode.commands.executeCommand(
    "editor.action.showReferences", vscode.Uri.parse(uri), position(at as Place), locations);
}
