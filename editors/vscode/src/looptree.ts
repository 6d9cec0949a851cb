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
  step: Step;
}

/** A reason on two lines, for one is cut where the list ends: "what: why", or all of it below the title. */
function halves(reason: string): { description?: string; detail: string } {
  const colon = reason.indexOf(": ");
  return colon < 0 ? { detail: reason } : { description: reason.slice(0, colon), detail: reason.slice(colon + 2) };
}

/** What can be chosen: legal steps first, then the refused ones, each with its reason. */
export function choices(node: LoopNode): Choice[] {
  const legal = node.actions.filter((step) => !step.disabled);
  const refused = node.actions.filter((step) => step.disabled);
  return [
    ...legal.map((step) => ({ label: step.title, step })),
    ...refused.map((step) => ({ label: `$(circle-slash) ${step.title}`, ...halves(step.disabled?.reason ?? ""), step })),
  ];
}
