import { type EditRates, editLayout, PAPER_RATES } from '../../src/lab/layout-edits/edit-layout.ts';
import { type LayoutSize, makeLayout, NEWS_PAGE } from '../../src/lab/layout-edits/make-layout.ts';
import { stream } from '../../src/lab/newspaper/random.ts';
import type { Delta, ElementOperation, Operation } from '../../src/model/delta.ts';
import type { Layout } from '../../src/model/layout.ts';
import { diffLayouts } from '../../src/science/delta/diff-layouts.ts';

export interface EditScore {
  readonly found: number;
  readonly real: number;
  readonly both: number;
  /** 1 if there is nothing to find, or nothing was found. */
  readonly precision: number;
  readonly recall: number;
}

/** Keyed by operation, and by operation and element. */
export type Scores = Readonly<Record<string, EditScore>>;

/** Operations by what they did to what, ignoring positions: "Read more" 2 and 3 of a block are the same to a reader. */
export function operationKeys(delta: Delta): string[] {
  return delta.operations.filter((operation) => !isFrame(operation)).map(keyOf);
}

const isFrame = (operation: Operation): boolean =>
  operation.element === 'block' && operation.op === 'update' && operation.structure === 'frame';

function keyOf(operation: Operation): string {
  if (operation.element === 'block') {
    switch (operation.op) {
      case 'insert':
        return `insert block ${operation.to}`;
      case 'delete':
        return `delete block ${operation.from}`;
      case 'move':
        return `move block ${operation.from} ${operation.to}`;
      case 'update':
        return `${operation.structure} block ${operation.from.join()} ${operation.to.join()}`;
    }
  }
  const one: ElementOperation = operation;
  switch (one.op) {
    case 'insert':
      return `insert ${one.element} ${one.to.block} ${one.new.id}`;
    case 'delete':
      return `delete ${one.element} ${one.from.block} ${one.old.id}`;
    case 'update':
      return `update ${one.element} ${one.from.block} ${one.old.id} ${one.new.id}`;
    case 'move':
      return `move ${one.element} ${one.from.block} ${one.to.block} ${one.old.id}`;
  }
}

interface Count {
  found: number;
  real: number;
  both: number;
}

class Tally {
  readonly #counts = new Map<string, Count>();

  add(truth: readonly string[], found: readonly string[]): void {
    const open = new Map<string, number>();
    for (const key of truth) {
      open.set(key, (open.get(key) ?? 0) + 1);
      this.#each(key, (count) => count.real++);
    }
    for (const key of found) {
      const left = open.get(key) ?? 0;
      open.set(key, left - 1);
      this.#each(key, (count) => {
        count.found++;
        if (left > 0) count.both++;
      });
    }
  }

  #each(key: string, visit: (count: Count) => void): void {
    const [op, element] = key.split(' ');
    for (const name of [op as string, `${op} ${element}`]) {
      const count = this.#counts.get(name) ?? { found: 0, real: 0, both: 0 };
      this.#counts.set(name, count);
      visit(count);
    }
  }

  scores(): Scores {
    return Object.fromEntries(
      [...this.#counts].map(([name, { found, real, both }]) => [
        name,
        { found, real, both, precision: found ? both / found : 1, recall: real ? both / real : 1 },
      ]),
    );
  }
}

export interface EditExperiment {
  readonly seed: number;
  readonly pages: number;
  readonly rates?: EditRates;
  readonly size?: LayoutSize;
  /** Real layouts to edit instead of generated ones. */
  readonly layouts?: readonly Layout[];
}

/** Precision and recall of Vi-DIFF on layouts edited with known operations. */
export function scoreEdits({ seed, pages, rates, size, layouts }: EditExperiment): Scores {
  const tally = new Tally();
  for (let page = 0; page < pages; page++) {
    const random = stream(seed, 'layout-edits', page);
    const old = layouts?.[page % layouts.length] ?? makeLayout(random, size ?? NEWS_PAGE);
    const { layout, truth } = editLayout(old, rates ?? PAPER_RATES, random);
    tally.add(truth, operationKeys(diffLayouts(old, layout)));
  }
  return tally.scores();
}
