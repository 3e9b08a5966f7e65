import { type Delta, type Operation, type PageElement, sidesOf } from '../../model/delta.ts';
import type { ChangeImportance } from './change-importance.ts';
import { type PrintedFormula, printedImportance } from './printed/printed-importance.ts';

/** What `diff --format json` prints: for scripts, without the parts that only `applyDelta` needs. */
export interface DeltaReport {
  readonly importance: number;
  /** The same by the formulas as the papers print them: for comparison, and for readers who need those numbers. */
  readonly printed: Readonly<Record<PrintedFormula, number>>;
  /** How much a reader would want to be told about it, in [0, 1], and why, in a sentence. */
  readonly salience?: number;
  readonly why?: string;
  /** Why only a part was compared; absent where everything was. */
  readonly partial?: string;
  readonly from: { readonly url: string; readonly version: string };
  readonly to: { readonly url: string; readonly version: string };
  /** The most salient first; where salience is unknown, the heaviest. */
  readonly operations: readonly ReportedOperation[];
}

export interface ReportedOperation {
  readonly op: Operation['op'];
  readonly element: Operation['element'];
  /** Ref in the new layout; for a deletion, in the old one. */
  readonly block: string;
  /** Share of the importance; all shares add up to it. */
  readonly weight: number;
  /** Its contribution to the salience: 1 − Π (1 − s) over all operations. */
  readonly salience?: number;
  /** Ref in the old layout, if different. */
  readonly fromBlock?: string;
  /** Blocks that a split produced or a merge absorbed. */
  readonly blocks?: readonly string[];
  readonly structure?: string;
  readonly old?: ShownElement;
  readonly new?: ShownElement;
  /** Elements that came or went with their block. */
  readonly content?: { readonly links: number; readonly images: number; readonly texts: number };
}

/** An element as a reader sees it, without its id. */
export type ShownElement = Readonly<Record<string, string | boolean>>;

export function reportDelta(delta: Delta, { importance, shares }: ChangeImportance): DeltaReport {
  const { salience } = delta;
  const operations = delta.operations.map((operation, i) => {
    const own = salience?.operations[i];
    return { ...reportOperation(operation, shares[i] ?? 0), ...(own !== undefined && { salience: own }) };
  });
  const head = ({ url, version }: { url: string; version: string }): { url: string; version: string } => ({
    url,
    version,
  });
  const partial = partialReason(delta);
  return {
    importance,
    printed: {
      'paper-2009': printedImportance(delta, 'paper-2009'),
      'paper-2012': printedImportance(delta, 'paper-2012'),
    },
    ...(salience && { salience: salience.value, why: salience.why }),
    ...(partial !== undefined && { partial }),
    from: head(delta.from),
    to: head(delta.to),
    operations: operations.sort((a, b) => (b.salience ?? 0) - (a.salience ?? 0) || b.weight - a.weight),
  };
}

/** A sentence that says which version ends early, and why. */
export function partialReason({ from, to }: Pick<Delta, 'from' | 'to'>): string | undefined {
  const sides = [from, to].flatMap(({ version, partial }) =>
    partial === undefined ? [] : [`of ${version}, ${partial}`],
  );
  return sides.length === 0 ? undefined : sides.join('; ');
}

export function reportOperation(operation: Operation, weight: number): ReportedOperation {
  const { op, element } = operation;
  if (operation.element !== 'block') {
    const { from, to, old, new: now } = sidesOf(operation);
    const block = (to ?? from)?.block ?? '';
    return {
      op,
      element,
      block,
      weight,
      ...(from && from.block !== block ? { fromBlock: from.block } : {}),
      ...(old ? { old: shown(old) } : {}),
      ...(now && op !== 'move' ? { new: shown(now) } : {}),
    };
  }
  if (operation.op === 'insert' || operation.op === 'delete') {
    const { links, images, texts } = operation.content;
    const content = { links: links.length, images: images.length, texts: texts.length };
    const block = operation.op === 'insert' ? operation.to : operation.from;
    return { op, element, block, weight, content };
  }
  if (operation.op === 'move') {
    const { from, to } = operation;
    return { op, element, block: to, weight, ...(from === to ? {} : { fromBlock: from }) };
  }
  const { structure, from, to } = operation;
  const several = structure === 'merge' ? from : to;
  return {
    op,
    element,
    block: to[0] ?? '',
    weight,
    structure,
    ...(structure === 'frame' ? {} : { blocks: several }),
    ...(from[0] !== undefined && from[0] !== to[0] ? { fromBlock: from[0] } : {}),
  };
}

function shown(value: PageElement): ShownElement {
  const { id: _hash, ...rest } = value;
  return rest;
}
