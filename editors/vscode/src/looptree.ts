// The loop tree as `rlx/scheduleTree` answers it, and what a view shows of it.

export interface Range {
  start: { line: number; character: number };
  end: { line: number; character: number };
}

/** A code action whose edit is left out: the server resolves it. */
export interface Step {
  title: string;
  disabled?: { reason: string };
  [member: string]: unknown;
}

export interface LoopNode {
  kind: "loop" | "block";
  index: number;
  /** Place in `nodes` of the loop or block around; -1: none. */
  parent: number;
  label: string;
  range: Range | null;
  actions: Step[];
}

export interface LoopTree {
  function: string;
  range: Range;
  nodes: LoopNode[];
}

/** The nodes right below `parent`; -1: the outermost ones. */
export function below(tree: LoopTree, parent: number): LoopNode[] {
  return tree.nodes.filter((node) => node.parent === parent);
}

/** "for i in 128" and "vectorized": the words before and behind the gap in a label. */
export function labelParts(label: string): { name: string; detail: string } {
  const gap = label.indexOf("  ");
  return gap < 0 ? { name: label, detail: "" } : { name: label.slice(0, gap), detail: label.slice(gap).trim() };
}

export interface Choice {
  label: string;
  /** What the step is refused for, behind its title, and why that is so, on a line of its own. */
  description?: string;
  detail?: string;
  /** All of the reason, where the pointer rests (VS Code from 1.109 on). */
  tooltip?: string;
  step: Step;
}

/** As many letters as a row of the list shows, and its first row, whose second half is smaller; what is longer is cut there. */
const WIDTH = 80;
const HEAD_WIDTH = 88;

/** The text in rows, broken at blanks. */
function rows(text: string): string[] {
  const found: string[] = [];
  for (const word of text.split(" ")) {
    const last = found.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  return found;
}

/** A refused step: "what" behind its title and "why" below, in as many rows as it takes. */
function refusal(step: Step): Choice[] {
  const reason = step.disabled?.reason ?? "";
  const colon = reason.indexOf(": ");
  const fits = colon >= 0 && step.title.length + colon <= HEAD_WIDTH;
  const [detail, ...more] = rows(fits ? reason.slice(colon + 2) : reason);
  return [
    { label: `$(circle-slash) ${step.title}`, ...(fits && { description: reason.slice(0, colon) }), detail, tooltip: reason, step },
    ...more.map((row) => ({ label: `$(blank) ${row}`, tooltip: reason, step })),
  ];
}

/** What can be chosen: legal steps first, then the refused ones, each with its reason. */
export function choices(node: LoopNode): Choice[] {
  const legal = node.actions.filter((step) => !step.disabled);
  const refused = node.actions.filter((step) => step.disabled);
  return [
    ...legal.map((step) => ({ label: step.title, step })),
    ...refused.flatMap(refusal),
  ];
}
