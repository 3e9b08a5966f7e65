/**
 * Finds each node of a new version's HTML in the template. Where an element has the children it had, they pair off;
 * where some came or went (a list has grown), the rest keep their order, and a new child is assumed to look like others
 * of its kind in the same place. A node without a model in the template cannot be known without a browser.
 */
import { SHOW_THEMSELVES } from '../element-kinds.ts';
import { childrenOf } from './align.ts';
import { ADDED, EMPTY, HIDDEN, type PageTemplate, SHOWN } from './page-template.ts';
import { looseKey, type Sketch, type SketchNode } from './sketch.ts';

/** A node of the new version. */
export interface Draft {
  /** Index among the drafts; -1 for the body. */
  readonly parent: number;
  /** The template node that it is, or that it is assumed to look like. */
  readonly like: number;
  /** -1 for a node that a script added, or that is gone. */
  readonly sketch: number;
  /** `new` looks like `like`; `gone` was there and no longer is. */
  readonly kind: 'kept' | 'new' | 'gone';
}

export type Match =
  | { readonly kind: 'matched'; readonly drafts: readonly Draft[]; readonly structureKept: boolean }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Most cells in the table for the longest common subsequence of two lists of children. */
const LARGEST_TABLE = 400_000;

/** A template, ready to be filled many times. */
export interface Models {
  readonly children: readonly (readonly number[])[];
  readonly path: Int32Array;
  /** From `contentOf`. */
  readonly content: Uint8Array;
  /** Per path: 1 where some of its nodes show and some do not. */
  readonly mixed: Uint8Array;
  /** For each path, a node that shows, or else one that does not. */
  readonly model: Int32Array;
  /** Keyed by the parent's path and the key. */
  readonly pathOf: ReadonlyMap<number, number>;
  readonly keyNumber: ReadonlyMap<string, number>;
  /** Model of elements of a kind within a parent of a kind, and of a kind anywhere; -1 where they do not all look alike. */
  readonly kinds: ReadonlyMap<string, number>;
}

export function modelsOf({ nodes, keys, styles }: PageTemplate): Models {
  const { parent, key, state, style } = nodes;
  const children = childrenOf(parent.map((up) => ({ parent: up })));
  const path = new Int32Array(parent.length);
  const pathOf = new Map<number, number>();
  const model: number[] = [];
  const seen: number[] = [];
  parent.forEach((up, i) => {
    const name = (up < 0 ? 0 : (path[up] as number) + 1) * keys.length + (key[i] as number);
    let at = pathOf.get(name);
    if (at === undefined) {
      at = pathOf.size;
      pathOf.set(name, at);
      model.push(i);
      seen.push(0);
    }
    path[i] = at;
    const shows = state[i] !== HIDDEN && state[i] !== EMPTY;
    if (shows && (state[model[at] as number] === HIDDEN || state[model[at] as number] === EMPTY))
      model[at] = i;
    if (state[i] !== EMPTY) seen[at] = (seen[at] as number) | (shows ? 1 : 2);
  });
  const kinds = new Map<string, number>();
  const loose = keys.map(looseKey);
  const display = (i: number): string => styles[style[i] as number]?.display ?? '';
  parent.forEach((up, i) => {
    if (up < 0 || state[i] === EMPTY || state[i] === ADDED) return;
    for (const name of kindNames(loose[key[up] as number] as string, loose[key[i] as number] as string)) {
      const known = kinds.get(name);
      if (known === undefined) kinds.set(name, i);
      else if (known >= 0 && (state[known] !== state[i] || display(known) !== display(i)))
        kinds.set(name, -1);
    }
  });
  return {
    children,
    content: contentOf(parent.map((up, i) => ({ parent: up, tag: nodes.tag[i] as string }))),
    kinds,
    path,
    pathOf,
    model: Int32Array.from(model),
    mixed: Uint8Array.from(seen, (bits) => (bits === 3 ? 1 : 0)),
    keyNumber: new Map(keys.map((name, i) => [name, i])),
  };
}

/** A text is identified by its parent only. */
const kindNames = (parent: string, own: string): string[] =>
  own === '' ? [`${parent} >`] : [`${parent} > ${own}`, own];

export function matchSketch(template: PageTemplate, models: Models, sketch: Sketch): Match {
  const { nodes: old } = template;
  const raw = childrenOf(sketch.nodes);
  const content = contentOf(sketch.nodes);
  const drafts: Draft[] = [];
  let structureKept = true;
  const keys = Int32Array.from(sketch.nodes, ({ key }) => models.keyNumber.get(key) ?? -1);
  const nodeName = (n: number): string => {
    const { tag, key } = sketch.nodes[n] as SketchNode;
    return tag === '' ? 'text' : `<${key.slice(0, 80)}>`;
  };
  if (sketch.nodes.length === 0 || keys[0] !== old.key[0]) return { kind: 'unknown', reason: 'another body' };

  // An explicit stack, children pushed in reverse: drafts come out in document order.
  const stack: Draft[] = [{ parent: -1, like: 0, sketch: 0, kind: 'kept' }];
  for (let draft = stack.pop(); draft; draft = stack.pop()) {
    const at = drafts.push(draft) - 1;
    const { like, sketch: n, kind } = draft;
    if (n < 0) {
      // A script added it, with everything in it.
      if (kind !== 'gone')
        push((models.children[like] as number[]).map((t) => ({ parent: at, like: t, sketch: -1, kind })));
      continue;
    }
    if (old.tag[like] === '') continue;
    const children = inside(at, like, n, kind);
    if (typeof children === 'string') return { kind: 'unknown', reason: children };
    push(children);
  }
  return { kind: 'matched', drafts, structureKept };

  /** The model for what is at this place of the template. */
  function inPlace(t: number, node: number): number | undefined {
    const key = keys[node] as number;
    const path = models.pathOf.get(((models.path[t] as number) + 1) * template.keys.length + key);
    return path === undefined || key < 0 ? undefined : models.model[path];
  }

  /** Not found at this place, but elsewhere on the page, always with the same look. */
  function ofKind(parent: number, node: number): number | undefined {
    const around = looseKey((sketch.nodes[parent] as SketchNode).key);
    for (const name of kindNames(around, looseKey((sketch.nodes[node] as SketchNode).key))) {
      const like = models.kinds.get(name);
      if (like !== undefined) return like < 0 ? undefined : like;
    }
    return undefined;
  }

  function push(children: readonly Draft[]): void {
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as Draft);
  }

  /** The children of a pair, or why they cannot be determined. */
  function inside(parent: number, t: number, n: number, kind: 'kept' | 'new' | 'gone'): Draft[] | string {
    const before = models.children[t] as readonly number[];
    const now = raw[n] as readonly number[];
    const own = before.some((i) => old.state[i] === ADDED)
      ? before.filter((i) => old.state[i] !== ADDED)
      : before;
    const equal = own.length === now.length && own.every((i, at) => old.key[i] === keys[now[at] as number]);
    const partner = equal
      ? undefined
      : commonSequence(
          own.map((i) => old.key[i] as number),
          now.map((i) => keys[i] as number),
        );
    if (!equal && !partner) return 'too many children to compare';
    if (!equal) structureKept = false;
    const found: Draft[] = [];
    let next = 0;
    const addNew = (until: number): string | undefined => {
      for (; next < until; next++) {
        const problem = addNode(now[next] as number, undefined);
        if (problem) return problem;
      }
      return undefined;
    };
    /** Adds a child of the new version; `model` where it matches one of the template's. */
    const addNode = (node: number, model: number | undefined): string | undefined => {
      const filled = content[node] === 1;
      const like = model ?? inPlace(t, node) ?? ofKind(n, node);
      if (like === undefined) return filled ? `nothing is known of ${nodeName(node)}` : undefined;
      const path = models.path[like] as number;
      const mixed = models.mixed[path] === 1;
      if (!equal && mixed) return `some ${nodeName(node)} show, some do not`;
      const state = old.state[like];
      if (state === HIDDEN) return undefined;
      if (state === EMPTY) {
        if (!filled) return undefined;
        const shown = models.model[path] as number;
        if (old.state[shown] !== SHOWN || mixed) return `${nodeName(node)} was empty`;
        structureKept = false;
        found.push({ parent, like: shown, sketch: node, kind: 'new' });
        return undefined;
      }
      // With nothing in it, it may collapse to no width, and not show.
      if (state === SHOWN && !filled && models.content[like] === 1)
        return `nothing is left in ${nodeName(node)}`;
      if (model === undefined) structureKept = false;
      found.push({
        parent,
        like,
        sketch: node,
        kind: model === undefined || kind === 'new' ? 'new' : 'kept',
      });
      return undefined;
    };
    let at = 0;
    for (const t of before) {
      if (old.state[t] === ADDED) {
        found.push({ parent, like: t, sketch: -1, kind: kind === 'new' ? 'new' : 'kept' });
        continue;
      }
      const pair = partner ? (partner[at] as number) : at;
      at++;
      if (pair < 0) {
        if (old.state[t] === SHOWN && kind === 'kept')
          found.push({ parent, like: t, sketch: -1, kind: 'gone' });
        continue;
      }
      const problem = addNew(pair) ?? addNode(now[pair] as number, t);
      if (problem) return problem;
      next = pair + 1;
    }
    return addNew(now.length) ?? found;
  }
}

/** 1 where something inside an element can show by itself. */
export function contentOf(nodes: readonly Pick<SketchNode, 'tag' | 'parent'>[]): Uint8Array {
  const content = new Uint8Array(nodes.length);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { tag, parent } = nodes[i] as Pick<SketchNode, 'tag' | 'parent'>;
    if (tag === '' || SHOW_THEMSELVES.has(tag)) content[i] = 1;
    if (content[i] === 1 && parent >= 0) content[parent] = 1;
  }
  return content;
}

/** For each of `ours` its partner in the longest common subsequence, -1 for none. Equal ends are trimmed first. */
export function commonSequence(ours: readonly number[], theirs: readonly number[]): number[] | undefined {
  const partner = ours.map(() => -1);
  let start = 0;
  while (start < ours.length && start < theirs.length && ours[start] === theirs[start]) {
    partner[start] = start;
    start++;
  }
  let end = 0;
  const rest = Math.min(ours.length, theirs.length) - start;
  while (end < rest && ours[ours.length - 1 - end] === theirs[theirs.length - 1 - end]) {
    partner[ours.length - 1 - end] = theirs.length - 1 - end;
    end++;
  }
  const rows = ours.length - start - end;
  const columns = theirs.length - start - end;
  if (rows === 0 || columns === 0) return partner;
  if (rows * columns > LARGEST_TABLE) return undefined;
  const width = columns + 1;
  const table = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      table[i * width + j] =
        ours[start + i] === theirs[start + j]
          ? (table[(i + 1) * width + j + 1] as number) + 1
          : Math.max(table[(i + 1) * width + j] as number, table[i * width + j + 1] as number);
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (ours[start + i] === theirs[start + j]) partner[start + i++] = start + j++;
    else if ((table[(i + 1) * width + j] as number) >= (table[i * width + j + 1] as number)) i++;
    else j++;
  }
  return partner;
}
